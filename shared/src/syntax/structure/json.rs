//! JSON, with comments: the keys of objects within objects.
//!
//! What stands in arrays is data, not structure. Only the first value of a file is read (JSON Lines).

use super::scan::{behind, line_end, string_end};
use super::{MAX_DEPTH, Outline};
use crate::facts::SymbolKind;
use crate::text::ByteRange;

/// An object that is open: the key that holds it.
struct Object {
    symbol: Option<u32>,
    /// The key whose value comes next.
    key: Option<u32>,
}

pub(super) fn read(outline: &mut Outline<'_>) {
    let text = outline.text;
    let bytes = text.as_bytes();
    let mut open: Vec<Object> = Vec::new();
    let mut arrays = 0u32;
    let mut is_key = false;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let mut next = at + 1;
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'/') => next = line_end(text, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => next = behind(text, at + 2, "*/"),
            b'"' | b'\'' => {
                next = string_end(text, at, true, false);
                if arrays == 0 && is_key && is_before_colon(text, next) {
                    define(outline, &mut open, at, next);
                    is_key = false;
                }
            }
            b'[' => arrays += 1,
            b']' => arrays = arrays.saturating_sub(1),
            b'{' if arrays > 0 => {}
            b'{' => {
                let symbol = open.last_mut().and_then(|outer| outer.key.take());
                open.push(Object { symbol, key: None });
                is_key = true;
            }
            b'}' if arrays == 0 => {
                if let Some(object) = open.pop() {
                    outline.end(object.key, at);
                    outline.show_whole(object.key);
                    outline.end(object.symbol, at + 1);
                }
                if open.is_empty() {
                    return;
                }
            }
            b',' if arrays == 0 => {
                if let Some(object) = open.last_mut() {
                    let key = object.key.take();
                    outline.end(key, at);
                    outline.show_whole(key);
                }
                is_key = true;
            }
            _ => {}
        }
        at = next;
    }
}

fn is_before_colon(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    rest.trim_start().starts_with(':')
}

fn define(outline: &mut Outline<'_>, open: &mut [Object], start: usize, end: usize) {
    let is_closed =
        end >= start + 2 && outline.text.as_bytes()[end - 1] == outline.text.as_bytes()[start];
    if open.len() > MAX_DEPTH || !is_closed {
        return;
    }
    let name = ByteRange::new(start as u32 + 1, end as u32 - 1);
    if let Some(object) = open.last_mut() {
        // Below a key that was left out, keys are left out too.
        if object.symbol.is_some() || open.len() == 1 {
            let parent = open.last().and_then(|object| object.symbol);
            let symbol = outline.define(SymbolKind::Property, parent, name, start, end);
            if let Some(object) = open.last_mut() {
                object.key = symbol;
            }
        }
    }
}
