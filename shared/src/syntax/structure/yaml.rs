//! YAML: the keys of mappings in block style, nested by indentation.
//!
//! What stands in sequences and in flow style is data, not structure. Block scalars, strings over
//! several lines and lines of templates are passed over.

use super::scan::{for_lines, line_end, string_end, trimmed, unquoted};
use super::{MAX_DEPTH, Outline};
use crate::facts::SymbolKind;
use crate::text::ByteRange;

struct Mapping {
    indent: usize,
    symbol: Option<u32>,
}

pub(super) fn read(outline: &mut Outline<'_>) {
    let text = outline.text;
    let mut open: Vec<Mapping> = Vec::new();
    // Lines that are indented more than this belong to an item or a scalar.
    let mut within: Option<usize> = None;
    // What a value over several lines goes on to.
    let mut skip_to = 0;
    let mut last_end = 0;
    for_lines(text, |start, end| {
        if start < skip_to {
            last_end = end;
            return;
        }
        let line = &text[start..end];
        let content = line.trim_start_matches(' ');
        let indent = line.len() - content.len();
        if content.trim().is_empty() || content.starts_with('#') {
            return;
        }
        if within.is_some_and(|outer| indent > outer) {
            last_end = end;
            return;
        }
        within = None;
        let is_mark = indent == 0 && (content.starts_with("---") || content.starts_with("..."));
        let is_item = content == "-" || content.starts_with("- ");
        let limit = if is_mark {
            0
        } else {
            indent + usize::from(is_item)
        };
        while let Some(mapping) = open.pop_if(|mapping| mapping.indent >= limit) {
            outline.end(mapping.symbol, last_end);
        }
        last_end = end;
        if is_item {
            within = Some(indent);
            return;
        }
        let Some((key, value)) = split(text, start + indent, end).filter(|_| !is_mark) else {
            return;
        };
        let parent = open.last().map(|outer| outer.symbol);
        let symbol = match parent {
            _ if open.len() >= MAX_DEPTH => None,
            Some(None) => None,
            parent => {
                let name = unquoted(text, key);
                outline.define(
                    SymbolKind::Property,
                    parent.flatten(),
                    name,
                    start + indent,
                    end,
                )
            }
        };
        open.push(Mapping { indent, symbol });
        let value_text = text[value..end].trim();
        if value_text.starts_with(['|', '>']) {
            within = Some(indent);
        } else {
            skip_to = value_end(text, value, end);
        }
    });
    while let Some(mapping) = open.pop() {
        outline.end(mapping.symbol, last_end);
    }
}

/// Returns the key on the line `start..end` and where its value starts.
fn split(text: &str, start: usize, end: usize) -> Option<(ByteRange, usize)> {
    let line = &text[start..end];
    let bytes = line.as_bytes();
    let mut at = match bytes.first()? {
        b'"' | b'\'' => string_end(text, start, bytes[0] == b'"', false) - start,
        b'{' | b'[' | b'&' | b'*' | b'!' | b'|' | b'>' | b'%' | b'@' | b'?' | b'`' => return None,
        _ => 0,
    };
    while at < bytes.len() {
        let is_last = bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        match bytes[at] {
            b':' if is_last => {
                let key = trimmed(text, start, start + at);
                return (!key.is_empty()).then_some((key, start + at + 1));
            }
            b'#' if at > 0 && bytes[at - 1] == b' ' => return None,
            _ => at += 1,
        }
    }
    None
}

/// Returns where the value at `at`, on the line that ends at `end`, ends if it does so on a later line.
fn value_end(text: &str, at: usize, end: usize) -> usize {
    let value = trimmed(text, at, end);
    let start = value.start as usize;
    match text.as_bytes().get(start) {
        Some(b'"') => string_end(text, start, true, true),
        Some(b'\'') => string_end(text, start, false, true),
        Some(b'[' | b'{') if !value.of(text).starts_with("{{") => flow_end(text, start),
        _ => at,
    }
}

fn flow_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    let mut depth = 0u32;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => {
                at = string_end(text, at, *byte == b'"', true);
                continue;
            }
            b'#' if bytes[at - 1].is_ascii_whitespace() => {
                at = line_end(text, at);
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth <= 1 => return at + 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}
