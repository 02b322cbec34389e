//! TOML: tables and keys, nested by their paths.
//!
//! Of an array of tables the first element stands for all.

use super::scan::{line_end, skip_blanks, string_end, trimmed, unquoted};
use super::{MAX_DEPTH, Outline};
use crate::facts::SymbolKind;
use crate::text::ByteRange;
use rustc_hash::FxHashSet;

struct Table<'t> {
    path: &'t str,
    symbol: Option<u32>,
}

pub(super) fn read(outline: &mut Outline<'_>) {
    let text = outline.text;
    let mut open: Vec<Table<'_>> = Vec::new();
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut is_repeated = false;
    let mut at = 0;
    while at < text.len() {
        let start = skip_blanks(text, at);
        let line = line_end(text, start);
        match text.as_bytes().get(start) {
            None => break,
            Some(b'#') => at = line,
            Some(b'[') => {
                at = line;
                let header = trimmed(text, start, header_end(text, start, line));
                let path = header.of(text);
                close(outline, &mut open, path, start);
                is_repeated = !seen.insert(path);
                if !is_repeated && open.len() < MAX_DEPTH {
                    open_table(outline, &mut open, header, start, line);
                }
            }
            Some(_) => {
                let (key, end) = entry(text, start, line);
                at = end;
                if let Some(key) = key.filter(|_| !is_repeated && open.len() < MAX_DEPTH) {
                    let parent = open.last().and_then(|table| table.symbol);
                    outline.define(SymbolKind::Property, parent, key, start, end);
                }
            }
        }
    }
    close(outline, &mut open, "", text.len());
}

/// Returns where the name of a header ends.
fn header_end(text: &str, start: usize, line: usize) -> usize {
    let inner = &text[start..line];
    start + inner.find(']').unwrap_or(inner.len())
}

/// Ends the tables that the one with the header `header` does not belong to.
fn close(outline: &mut Outline<'_>, open: &mut Vec<Table<'_>>, header: &str, end: usize) {
    let path = header.trim_start_matches('[');
    let holds = |outer: &str| {
        path.strip_prefix(outer)
            .is_some_and(|rest| rest.starts_with('.'))
    };
    while let Some(table) = open.pop_if(|table| !holds(table.path)) {
        outline.end(table.symbol, end);
    }
}

fn open_table<'t>(
    outline: &mut Outline<'t>,
    open: &mut Vec<Table<'t>>,
    header: ByteRange,
    start: usize,
    line: usize,
) {
    let text = outline.text;
    let brackets = header.of(text).len() - header.of(text).trim_start_matches('[').len();
    let path = trimmed(text, header.start as usize + brackets, header.end as usize);
    let outer = open.last().map_or(0, |outer| outer.path.len() as u32 + 1);
    let name = ByteRange::new(path.start + outer.min(path.len()), path.end);
    let parent = open.last().and_then(|table| table.symbol);
    let name = unquoted(text, name);
    let symbol = outline.define(SymbolKind::Property, parent, name, start, line);
    open.push(Table {
        path: path.of(text),
        symbol,
    });
}

/// Returns the key of the entry at `start` and where the entry ends.
fn entry(text: &str, start: usize, line: usize) -> (Option<ByteRange>, usize) {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < line && bytes[at] != b'=' {
        at = match bytes[at] {
            b'"' | b'\'' => string_end(text, at, bytes[at] == b'"', false),
            _ => at + 1,
        };
    }
    if at >= line {
        return (None, line.max(start + 1));
    }
    let key = unquoted(text, trimmed(text, start, at));
    (Some(key), value_end(text, at + 1))
}

/// Returns where the value at `at` ends: with its line, strings and arrays going on over lines.
fn value_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    let mut depth = 0u32;
    while let Some(byte) = bytes.get(at) {
        let rest = &text[at..];
        at = match byte {
            b'\n' if depth == 0 => return at,
            b'#' => line_end(text, at),
            b'"' if rest.starts_with("\"\"\"") => super::scan::behind(text, at + 3, "\"\"\""),
            b'\'' if rest.starts_with("'''") => super::scan::behind(text, at + 3, "'''"),
            b'"' | b'\'' => string_end(text, at, *byte == b'"', false),
            b'[' | b'{' => {
                depth += 1;
                at + 1
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                at + 1
            }
            _ => at + text[at..].chars().next().map_or(1, char::len_utf8),
        };
    }
    text.len()
}
