//! PHP `insteadof` with qualified names, which the grammar does not know: finds the qualifiers to hide.

use crate::text::ByteRange;

const WORD: &[u8] = b"insteadof";

/// Returns the qualifiers of the names behind each `insteadof`, in order.
pub(super) fn qualifiers(text: &[u8]) -> Vec<ByteRange> {
    let mut found = Vec::new();
    for at in memchr::memmem::find_iter(text, WORD) {
        let start = at + WORD.len();
        let list = text[start..].iter();
        let length = list.take_while(|byte| is_in_list(**byte)).count();
        let is_whole_word = text[..at].last().is_some_and(u8::is_ascii_whitespace);
        if !is_whole_word || text.get(start + length) != Some(&b';') {
            continue;
        }
        let mut from = start;
        for (offset, byte) in text[start..start + length].iter().enumerate() {
            let end = start + offset + 1;
            if *byte == b'\\' {
                found.push(ByteRange::new(from as u32, end as u32));
            }
            if matches!(byte, b'\\' | b',') || byte.is_ascii_whitespace() {
                from = end;
            }
        }
    }
    found
}

fn is_in_list(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || byte.is_ascii_whitespace()
        || matches!(byte, b'_' | b'\\' | b',' | 0x80..)
}
