//! The case folding of names, one for index and query.

/// Returns the key under which a name of a definition or reference is stored and looked up.
///
/// It is the Unicode lower case, character by character, so that the fold of a part of a name is a
/// part of its fold.
pub fn fold_name(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_keeps_prefixes() {
        assert_eq!(fold_name("ParseÜber"), "parseüber");
        // A final sigma folds like any other: no context is looked at.
        assert!(fold_name("ΟΔΟΣΑ").starts_with(&fold_name("ΟΔΟΣ")));
    }
}
