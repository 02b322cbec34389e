//! Steps over text that the readers of several formats share.
//!
//! All take and return byte offsets and stop at the end of the text at the latest; offsets they return
//! stand at character boundaries when those they take do.

use crate::text::ByteRange;

/// Returns where the line with `at` ends, its LF not included.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(text.len(), |end| at + end)
}

/// Returns where `mark`, looked for from `at` on, ends.
pub(super) fn behind(text: &str, at: usize, mark: &str) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let found = memchr::memmem::find(rest, mark.as_bytes());
    found.map_or(text.len(), |found| at + found + mark.len())
}

/// Returns the first offset from `at` on that holds no blank, line ends included.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    text.len() - rest.trim_start().len()
}

/// Returns where the string that opens at `at` ends: at the same quote, or with the line unless it may
/// go on. A backslash escapes the next byte where `escapes` says so.
pub(super) fn string_end(text: &str, at: usize, escapes: bool, multiline: bool) -> usize {
    let bytes = text.as_bytes();
    let quote = bytes[at];
    let mut at = at + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if escapes => at += 1,
            b'\n' if !multiline => return at,
            byte if *byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// Returns where the word at `at` ends, `more` counting as letters too.
pub(super) fn word_end(text: &str, at: usize, more: &str) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || more.contains(c)));
    at + end.unwrap_or(rest.len())
}

/// Returns `start..end` without the blanks at both ends.
pub(super) fn trimmed(text: &str, start: usize, end: usize) -> ByteRange {
    let inner = text.get(start..end).unwrap_or_default();
    let left = inner.len() - inner.trim_start().len();
    let start = start + left.min(inner.trim_end().len());
    ByteRange::new(start as u32, (start + inner.trim().len()) as u32)
}

/// Returns `range` without the quotes around it.
pub(super) fn unquoted(text: &str, range: ByteRange) -> ByteRange {
    let bytes = range.of(text).as_bytes();
    match bytes {
        [open @ (b'"' | b'\'' | b'`'), .., close] if open == close => {
            ByteRange::new(range.start + 1, range.end - 1)
        }
        _ => range,
    }
}

/// Calls `each` with start and end of every line.
pub(super) fn for_lines(text: &str, mut each: impl FnMut(usize, usize)) {
    let mut start = 0;
    while start < text.len() {
        let end = line_end(text, start);
        each(start, end);
        start = end + 1;
    }
}
