//! Case-folded byte trigrams: what a text holds and what a query must hold, by one function.
//!
//! Folding is ASCII only (`A`-`Z` to `a`-`z`); other bytes stand for themselves. A gram never holds
//! CR or LF, because a match never crosses a line end.

/// Three folded bytes.
pub type Gram = [u8; 3];

/// Returns `byte` folded.
pub fn fold(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

/// Calls `visit` with every gram of `text` in order of position, repeats included.
pub fn grams(text: &[u8], mut visit: impl FnMut(Gram)) {
    for window in text.windows(3) {
        let gram = [fold(window[0]), fold(window[1]), fold(window[2])];
        if !gram.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
            visit(gram);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        grams(text.as_bytes(), |gram| {
            out.push(String::from_utf8_lossy(&gram).into_owned());
        });
        out
    }

    #[test]
    fn grams_fold_and_stop_at_line_ends() {
        assert_eq!(of("ABcd"), ["abc", "bcd"]);
        assert_eq!(of("abc\ndef\r\nxy"), ["abc", "def"]);
        assert_eq!(of("ab"), [""; 0]);
        assert_eq!(of("aß")[0].len(), "aß".len());
    }
}
