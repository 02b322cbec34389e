//! Comments in the middle of a macro's definition: `#define A(x, /* spare */ y) x /* or */ y`.
//!
//! The grammar ends the definition at such a comment and takes the rest for code, up to whole functions.
//! Comments at the end stay, and so do those of several lines.

use super::skip_blanks_in_line;
use crate::text::ByteRange;

/// Finds the comments, in order.
pub(super) fn inner_comments(text: &[u8]) -> Vec<ByteRange> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(hash) = memchr::memchr(b'#', &text[from..]).map(|at| from + at) {
        let word = skip_blanks_in_line(text, hash + 1);
        from = if text[word..].starts_with(b"define") {
            definition(text, word, &mut found)
        } else {
            hash + 1
        };
    }
    found
}

/// Adds the comments within the definition at `at`; returns its end.
fn definition(text: &[u8], mut at: usize, found: &mut Vec<ByteRange>) -> usize {
    while at < text.len() && text[at] != b'\n' {
        at += match text[at] {
            b'\\' if text[at..].starts_with(b"\\\r\n") => 3,
            b'\\' => 2,
            b'"' => quoted(&text[at..]),
            b'/' if text[at..].starts_with(b"//") => return at,
            b'/' if text[at..].starts_with(b"/*") => {
                let Some(len) = memchr::memmem::find(&text[at + 2..], b"*/").map(|n| n + 4) else {
                    return text.len();
                };
                let comment = &text[at..at + len];
                let rest = skip_blanks_in_line(text, at + len);
                let goes_on = text.get(rest).is_some_and(|byte| *byte != b'\n');
                if comment.contains(&b'\n') {
                    return at + len;
                }
                if goes_on {
                    found.push(ByteRange::new(at as u32, (at + len) as u32));
                }
                len
            }
            _ => 1,
        };
    }
    at.min(text.len())
}

fn quoted(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() && !matches!(text[at], b'"' | b'\n') {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    match text.get(at) {
        Some(b'"') => at + 1,
        _ => at.min(text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn comments_are_whole_and_within_a_line(
            text in "(#define A|/\\*|\\*/|//|[\"\\\\ab \n\r]){0,40}"
        ) {
            for range in inner_comments(text.as_bytes()) {
                let comment = range.of(&text);
                prop_assert!(comment.starts_with("/*") && comment.ends_with("*/"));
                prop_assert!(!comment.contains('\n'));
            }
        }
    }
}
