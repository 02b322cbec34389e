//! One word to its terms: where it is cut, and what is not worth cutting.
//!
//! Not here: finding words in text. Runs once per distinct word, so it favours clarity over speed.

use super::{MAX_TERM_BYTES, stem};

/// More changes than this between letters and digits in one piece mean that it is no language.
const MAX_DIGIT_CHANGES: usize = 3;

/// Numbers with more digits than this are nobody's search term.
const MAX_NUMBER_DIGITS: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Joiner,
    Digit,
    Upper,
    Lower,
    /// A letter of a script that is written without blanks between words.
    Dense,
}

fn class_of(c: char) -> Class {
    if c == '_' || c == '$' {
        Class::Joiner
    } else if c.is_numeric() {
        Class::Digit
    } else if c.is_uppercase() {
        Class::Upper
    } else if matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
    {
        Class::Dense
    } else {
        Class::Lower
    }
}

/// Calls `each` with every term of `word` and whether the term stands for the whole of it: the whole
/// form first, then the parts in order; only the one part where there are not several.
pub(super) fn each_term(word: &str, mut each: impl FnMut(&str, bool)) {
    if let Some(number) = number_term(word) {
        if number.len() <= MAX_NUMBER_DIGITS {
            each(&number, true);
        }
        return;
    }
    let parts = parts_of(word);
    if is_noise(word, &parts) {
        return;
    }
    if let [part] = parts[..] {
        each(&part_term(part), true);
        return;
    }
    if !parts.is_empty() {
        each(&lower(word.trim_matches(['_', '$'])), true);
    }
    for part in parts {
        each(&part_term(part), false);
    }
}

/// Returns the one term of a number literal: digits without separators, a prefix or suffix kept.
fn number_term(word: &str) -> Option<String> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) || !word.is_ascii() {
        return None;
    }
    let plain: String = word.chars().filter(|c| *c != '_').collect();
    let plain = plain.to_ascii_lowercase();
    let prefixed = ["0x", "0b", "0o"]
        .iter()
        .filter_map(|prefix| plain.strip_prefix(prefix))
        .any(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_hexdigit()));
    // `1u32` and `5f` are numbers; `32bit` and `2fa_token` are words.
    let letters_in_a_row = word
        .as_bytes()
        .windows(2)
        .any(|pair| pair.iter().all(u8::is_ascii_alphabetic));
    (prefixed || !letters_in_a_row).then_some(plain)
}

/// Returns whether a long word is data rather than a name: a piece of letters and digits that exceeds
/// the longest term, or parts so short that no person chose them.
fn is_noise(word: &str, parts: &[&str]) -> bool {
    if word.len() <= MAX_TERM_BYTES || !word.is_ascii() {
        return false;
    }
    let long_mixture = parts
        .iter()
        .any(|part| part.len() > MAX_TERM_BYTES && part.bytes().any(|b| b.is_ascii_digit()));
    long_mixture || parts.len() * 4 > word.len()
}

fn parts_of(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for piece in word.split(['_', '$']).filter(|piece| !piece.is_empty()) {
        let chars: Vec<(usize, Class)> = piece
            .char_indices()
            .map(|(at, c)| (at, class_of(c)))
            .collect();
        let digit_changes = chars
            .windows(2)
            .filter(|pair| (pair[0].1 == Class::Digit) != (pair[1].1 == Class::Digit))
            .count();
        if digit_changes > MAX_DIGIT_CHANGES {
            parts.push(piece);
            continue;
        }
        let mut start = 0;
        for at in 1..chars.len() {
            if starts_part(piece, &chars, at) {
                push_part(&piece[start..chars[at].0], &mut parts);
                start = chars[at].0;
            }
        }
        push_part(&piece[start..], &mut parts);
    }
    parts
}

/// Adds a part; of a dense script each two letters in a row, since nothing says where words end.
fn push_part<'w>(part: &'w str, parts: &mut Vec<&'w str>) {
    let is_dense = part.chars().next().map(class_of) == Some(Class::Dense);
    let starts: Vec<usize> = part.char_indices().map(|(at, _)| at).collect();
    if !is_dense || starts.len() <= 2 {
        parts.push(part);
        return;
    }
    let ends = starts[2..].iter().copied().chain([part.len()]);
    parts.extend(
        starts
            .iter()
            .zip(ends)
            .map(|(start, end)| &part[*start..end]),
    );
}

/// Returns whether a new part starts at character `at`, which is not the first.
fn starts_part(piece: &str, chars: &[(usize, Class)], at: usize) -> bool {
    let class = |at: usize| chars.get(at).map_or(Class::Joiner, |(_, class)| *class);
    match (class(at - 1), class(at)) {
        (before, here) if before == here && here != Class::Upper => false,
        (Class::Digit | Class::Dense, _) | (_, Class::Digit | Class::Dense) => true,
        (Class::Lower, Class::Upper) => true,
        // The last capital of a run belongs to the word behind it (`HTTPServer`), but not where that
        // is a plural `s` (`URLs`).
        (Class::Upper, Class::Upper) => {
            class(at + 1) == Class::Lower && !is_plural(piece, chars, at + 1)
        }
        _ => false,
    }
}

fn is_plural(piece: &str, chars: &[(usize, Class)], at: usize) -> bool {
    piece[chars[at].0..].starts_with('s')
        && chars
            .get(at + 1)
            .is_none_or(|(_, next)| *next != Class::Lower)
}

fn part_term(part: &str) -> String {
    let mut term = lower(part);
    stem::stem(&mut term);
    term
}

fn lower(text: &str) -> String {
    let mut lower: String = text.chars().flat_map(char::to_lowercase).collect();
    lower.truncate(lower.floor_char_boundary(MAX_TERM_BYTES));
    lower
}
