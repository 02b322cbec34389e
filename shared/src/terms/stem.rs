//! A light English stem: number and tense, nothing that changes what a word means.
//!
//! Not here: splitting. `parse`, `parses`, `parsed` and `parsing` meet in one stem; `parser` does not.
//! The rules need no dictionary but a few words that they would spoil. Invariant: a stem is never
//! longer than its word, and words other than `a`-`z` stay as they are.

/// Words that the rules would get wrong, with their stem.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("alias", "alias"),
    ("aliased", "alias"),
    ("aliases", "alias"),
    ("apis", "api"),
    ("bias", "bias"),
    ("canvas", "canvas"),
    ("children", "child"),
    ("cpus", "cpu"),
    ("embed", "embed"),
    ("embeds", "embed"),
    ("gpus", "gpu"),
    ("ids", "id"),
    ("indices", "index"),
    ("matrices", "matrix"),
    ("menus", "menu"),
    ("string", "string"),
    ("used", "use"),
    ("uses", "use"),
    ("using", "use"),
    ("vertices", "vertex"),
];

/// Shortens `word`, which is in lower case, to its stem.
pub(super) fn stem(word: &mut String) {
    if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return;
    }
    if let Ok(at) = EXCEPTIONS.binary_search_by_key(&word.as_str(), |(from, _)| from) {
        word.clear();
        word.push_str(EXCEPTIONS[at].1);
        return;
    }
    if word.len() < 4 {
        return;
    }
    cut_plural(word);
    let cut = cut_tense(word);
    if !cut {
        cut_final_e(word);
    }
    // `cancel` and `cancelled`, `install` and `installing`: one spelling for the long ones.
    if word.len() >= 6 && word.ends_with("ll") {
        word.pop();
    }
}

fn cut_plural(word: &mut String) {
    let keep = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if keep || !word.ends_with('s') {
        return;
    }
    if word.len() > 4 && word.ends_with("ies") {
        replace_end(word, 3, "y");
    } else if ["sses", "xes", "ches", "shes"]
        .iter()
        .any(|end| word.ends_with(end))
    {
        replace_end(word, 2, "");
    } else {
        word.pop();
    }
}

/// Takes `-ed` or `-ing` off and returns whether there was one.
fn cut_tense(word: &mut String) -> bool {
    if word.len() > 4 && word.ends_with("ied") {
        replace_end(word, 3, "y");
        return true;
    }
    let end = if word.ends_with("ing") {
        3
    } else if word.ends_with("ed") && !word.ends_with("eed") {
        2
    } else {
        return false;
    };
    let rest = &word.as_bytes()[..word.len() - end];
    if rest.len() < 3 || !(0..rest.len()).any(|at| is_vowel(rest, at)) {
        return false;
    }
    replace_end(word, end, "");
    let rest = word.as_bytes();
    if is_double(rest) {
        // `mapping` is of `map`, but `adding`, `calling`, `passing` are of words with a double letter.
        if rest.len() > 3 && !matches!(rest[rest.len() - 1], b'l' | b's' | b'z' | b'f') {
            word.pop();
        }
    } else if measure(rest) == 1 && ends_short(rest) {
        word.push('e');
    } else {
        cut_final_e(word);
    }
    true
}

/// Takes a silent `e` off, where the rest would not be taken for another short word (`mode`, `mod`).
fn cut_final_e(word: &mut String) {
    let bytes = word.as_bytes();
    let Some((b'e', rest)) = bytes.split_last() else {
        return;
    };
    if rest.len() < 3 || rest.ends_with(b"e") {
        return;
    }
    let measure = measure(rest);
    if measure > 1 || (measure == 1 && !ends_short(rest)) {
        word.pop();
    }
}

fn replace_end(word: &mut String, n: usize, with: &str) {
    word.truncate(word.len() - n);
    word.push_str(with);
}

fn is_vowel(word: &[u8], at: usize) -> bool {
    match word[at] {
        b'a' | b'e' | b'i' | b'o' | b'u' => true,
        b'y' => at > 0 && !is_vowel(word, at - 1),
        _ => false,
    }
}

/// Returns how often a consonant follows a vowel: roughly the number of syllables.
fn measure(word: &[u8]) -> usize {
    (1..word.len())
        .filter(|&at| is_vowel(word, at - 1) && !is_vowel(word, at))
        .count()
}

/// Returns whether the word ends consonant, vowel, consonant, as words that keep their `e` do.
fn ends_short(word: &[u8]) -> bool {
    let n = word.len();
    n >= 3
        && !is_vowel(word, n - 3)
        && is_vowel(word, n - 2)
        && !is_vowel(word, n - 1)
        && !matches!(word[n - 1], b'w' | b'x' | b'y')
}

fn is_double(word: &[u8]) -> bool {
    let n = word.len();
    n >= 2 && word[n - 1] == word[n - 2] && !is_vowel(word, n - 1)
}
