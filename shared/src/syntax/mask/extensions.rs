//! Blocks of extension members in C#: `extension<T>(List<T> list) { … }` within a static class.
//!
//! The grammar knows no such block and takes it for a constructor, whose body holds no members. With
//! `class` in place of the keyword and without the receiver it is a class within the class; the walk
//! passes through it, so that its members are those of the class around it.
//! Bound: a head is at most [`MAX_HEAD`] bytes long.

use super::{is_word, skip_blanks};
use crate::text::ByteRange;

/// What opens a block.
const KEYWORD: &str = "extension";
/// What the parser sees in its place; as long.
pub(super) const AS_CLASS: &[u8] = b"class ext";
const MAX_HEAD: usize = 2_000;

/// The beginning of a block.
pub(super) struct Head {
    /// Where the keyword begins.
    pub(super) keyword: usize,
    /// The receiver with its parentheses.
    pub(super) receiver: ByteRange,
}

/// Finds the heads of all blocks, in order.
pub(super) fn heads(text: &[u8]) -> impl Iterator<Item = Head> {
    memchr::memmem::find_iter(text, KEYWORD.as_bytes()).filter_map(|at| head(text, at))
}

fn head(text: &[u8], keyword: usize) -> Option<Head> {
    // A member begins here: behind another one, behind a brace, or on its own line.
    let before = text[..keyword].iter().rev();
    let mut before = before.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
    if !matches!(before.next(), Some(b'\n' | b'{' | b'}' | b';')) {
        return None;
    }
    let mut at = skip_blanks(text, keyword + KEYWORD.len());
    if text.get(at) == Some(&b'<') {
        at = skip_blanks(text, closing(text, at, b'<', b'>')?);
    }
    if text.get(at) != Some(&b'(') {
        return None;
    }
    let end = closing(text, at, b'(', b')')?;
    let next = skip_blanks(text, end);
    let is_constrained = text[next..].starts_with(b"where")
        && text.get(next + 5).is_some_and(|byte| !is_word(*byte));
    (text.get(next) == Some(&b'{') || is_constrained).then_some(Head {
        keyword,
        receiver: ByteRange::new(at as u32, end as u32),
    })
}

/// Returns the place after the bracket that closes the one at `at`.
fn closing(text: &[u8], at: usize, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0u32;
    for (n, byte) in text[at..].iter().take(MAX_HEAD).enumerate() {
        if *byte == open {
            depth += 1;
        } else if *byte == close {
            depth -= 1;
            if depth == 0 {
                return Some(at + n + 1);
            }
        }
    }
    None
}
