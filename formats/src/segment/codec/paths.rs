//! Sorted texts, each stored as what differs from the one before.

use super::{Decoded, Input, Malformed, put};

/// Appends `text`, which follows `last`, and makes it the last.
pub(in crate::segment) fn put_next(out: &mut Vec<u8>, last: &mut String, text: &str) {
    let mut shared = last
        .bytes()
        .zip(text.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    while !text.is_char_boundary(shared) {
        shared -= 1;
    }
    put(out, shared as u64);
    super::put_str(out, &text[shared..]);
    last.truncate(shared);
    last.push_str(&text[shared..]);
}

/// Longest text; longer ones are refused rather than built.
const MAX_BYTES: usize = 64 * 1024;

/// Reads the text that follows `last` into `last`.
pub(in crate::segment) fn take_next(input: &mut Input<'_>, last: &mut String) -> Decoded<()> {
    let shared = input.u64()? as usize;
    if shared > last.len() || !last.is_char_boundary(shared) {
        return Err(Malformed("prefix longer than the text before"));
    }
    let suffix = input.str()?;
    if shared + suffix.len() > MAX_BYTES {
        return Err(Malformed("text too long"));
    }
    last.truncate(shared);
    last.push_str(suffix);
    Ok(())
}
