//! SQL: what `CREATE` makes: tables with their columns, views, functions, indexes, types, triggers.
//!
//! Dialects differ; only words that all of them share are read. Bodies in strings and dollar quotes
//! are passed over, and so are blocks between `BEGIN` and `END` of routines.

use super::Outline;
use super::scan::{behind, line_end, skip_blanks, string_end, trimmed, unquoted, word_end};
use crate::facts::SymbolKind;
use crate::text::ByteRange;

pub(super) fn read(outline: &mut Outline<'_>) {
    let text = outline.text;
    let mut at = 0;
    while at < text.len() {
        let start = skip(text, at);
        let made = created(text, start);
        let body = made.map_or(start, |made| made.2);
        let kind = made.map(|made| made.0);
        let is_routine = matches!(kind, Some(SymbolKind::Function | SymbolKind::Event));
        let end = statement_end(text, body, is_routine);
        if let Some((kind, name, _)) = made {
            let table = outline.define(kind, None, name, start, end);
            if kind == SymbolKind::Struct && table.is_some() {
                columns(outline, table, body, end);
            }
        }
        at = end + 1;
    }
}

/// Returns the next place that is neither blank nor comment.
fn skip(text: &str, at: usize) -> usize {
    let mut at = at;
    loop {
        at = skip_blanks(text, at);
        let rest = text.get(at..).unwrap_or_default();
        at = if rest.starts_with("--") {
            line_end(text, at)
        } else if rest.starts_with("/*") {
            behind(text, at + 2, "*/")
        } else {
            return at;
        };
    }
}

/// Returns the word at `at` in capitals, and where it ends.
fn word(text: &str, at: usize) -> (String, usize) {
    let end = word_end(text, at, "");
    (
        text.get(at..end).unwrap_or_default().to_ascii_uppercase(),
        end,
    )
}

/// Returns what the statement at `start` makes, its name, and where what follows the name starts.
fn created(text: &str, start: usize) -> Option<(SymbolKind, ByteRange, usize)> {
    let (first, mut at) = word(text, start);
    if first != "CREATE" {
        return None;
    }
    let kind = loop {
        at = skip(text, at);
        let (next, end) = word(text, at);
        at = end;
        match next.as_str() {
            "OR" | "REPLACE" | "TEMP" | "TEMPORARY" | "UNLOGGED" | "GLOBAL" | "LOCAL"
            | "EXTERNAL" | "FOREIGN" | "VIRTUAL" | "MATERIALIZED" | "RECURSIVE" | "UNIQUE"
            | "CLUSTERED" | "NONCLUSTERED" | "FULLTEXT" | "SPATIAL" | "CONSTRAINT"
            | "EDITIONABLE" | "AGGREGATE" | "DEFAULT" => {}
            "TABLE" | "VIEW" => break SymbolKind::Struct,
            "FUNCTION" | "PROCEDURE" | "PROC" => break SymbolKind::Function,
            "TRIGGER" | "EVENT" | "RULE" => break SymbolKind::Event,
            "INDEX" => break SymbolKind::Property,
            "TYPE" | "DOMAIN" => break SymbolKind::TypeAlias,
            "SEQUENCE" => break SymbolKind::Variable,
            "SCHEMA" | "DATABASE" => break SymbolKind::Module,
            _ => return None,
        }
    };
    at = skip(text, at);
    for expected in ["CONCURRENTLY", "IF", "NOT", "EXISTS"] {
        let (next, end) = word(text, at);
        if next == expected {
            at = skip(text, end);
        }
    }
    let (name, end) = last_part(text, at)?;
    // `CREATE INDEX ON t (x)` has no name.
    let is_nameless = kind == SymbolKind::Property && name.of(text).eq_ignore_ascii_case("on");
    (!is_nameless).then_some((kind, name, end))
}

/// Returns the last part of the dotted name at `at`, without quotes, and where the name ends.
fn last_part(text: &str, at: usize) -> Option<(ByteRange, usize)> {
    let mut at = at;
    loop {
        let part = match text.as_bytes().get(at)? {
            b'"' | b'`' => ByteRange::new(at as u32, string_end(text, at, false, false) as u32),
            b'[' => {
                let end = behind(text, at, "]").min(line_end(text, at));
                ByteRange::new(at as u32, end as u32)
            }
            _ => ByteRange::new(at as u32, word_end(text, at, "$#@:") as u32),
        };
        if text.as_bytes().get(part.end as usize) == Some(&b'.') && !part.is_empty() {
            at = part.end as usize + 1;
            continue;
        }
        let inner = part.of(text);
        let end = part.end as usize;
        let part = match inner.starts_with('[') && inner.ends_with(']') && inner.len() > 1 {
            true => ByteRange::new(part.start + 1, part.end - 1),
            false => unquoted(text, part),
        };
        return (!part.is_empty()).then_some((part, end));
    }
}

/// Returns where the statement that goes on at `at` ends: at its `;`, or the end of the text.
fn statement_end(text: &str, at: usize, is_routine: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    let mut blocks = 0u32;
    while let Some(byte) = bytes.get(at) {
        at = match byte {
            b';' if blocks == 0 => return at,
            b'-' if text[at..].starts_with("--") => line_end(text, at),
            b'/' if text[at..].starts_with("/*") => behind(text, at + 2, "*/"),
            b'\'' | b'"' | b'`' => string_end(text, at, false, true),
            b'$' => dollar_end(text, at),
            byte if byte.is_ascii_alphabetic() && is_routine => {
                let (word, end) = word(text, at);
                match word.as_str() {
                    "BEGIN" | "CASE" => blocks += 1,
                    "END" => {
                        let (next, _) = self::word(text, skip_blanks(text, end));
                        if !matches!(next.as_str(), "IF" | "LOOP" | "WHILE" | "REPEAT" | "FOR") {
                            blocks = blocks.saturating_sub(1);
                        }
                    }
                    _ => {}
                }
                end
            }
            byte if byte.is_ascii_alphanumeric() => word_end(text, at, ""),
            byte if byte.is_ascii() => at + 1,
            _ => at + text[at..].chars().next().map_or(1, char::len_utf8),
        };
    }
    text.len()
}

/// Returns where the text in dollar quotes at `at` ends, or the next byte where there is none.
fn dollar_end(text: &str, at: usize) -> usize {
    let end = word_end(text, at + 1, "");
    if text.as_bytes().get(end) != Some(&b'$') {
        return at + 1;
    }
    behind(text, end + 1, &text[at..=end])
}

/// Adds the columns between the parentheses of a table.
fn columns(outline: &mut Outline<'_>, table: Option<u32>, from: usize, end: usize) {
    let text = outline.text;
    let open = skip(text, from);
    if open >= end || text.as_bytes()[open] != b'(' {
        return;
    }
    let bytes = text.as_bytes();
    let mut at = open + 1;
    let mut item = at;
    let mut depth = 1u32;
    while at < end {
        let byte = bytes[at];
        match byte {
            b'-' if text[at..].starts_with("--") => {
                at = line_end(text, at);
                continue;
            }
            b'/' if text[at..].starts_with("/*") => {
                at = behind(text, at + 2, "*/");
                continue;
            }
            b'\'' | b'"' | b'`' => {
                at = string_end(text, at, false, true);
                continue;
            }
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && byte == b',') {
            column(outline, table, item, at);
            item = at + 1;
        }
        if depth == 0 {
            return;
        }
        at += 1;
    }
}

fn column(outline: &mut Outline<'_>, table: Option<u32>, start: usize, end: usize) {
    let text = outline.text;
    let start = skip(text, start);
    let Some((name, _)) = last_part(text, start).filter(|part| part.1 < end) else {
        return;
    };
    let is_clause = matches!(
        name.of(text).to_ascii_uppercase().as_str(),
        "CONSTRAINT"
            | "PRIMARY"
            | "FOREIGN"
            | "UNIQUE"
            | "CHECK"
            | "KEY"
            | "INDEX"
            | "LIKE"
            | "EXCLUDE"
            | "FULLTEXT"
            | "PERIOD"
    );
    if !is_clause {
        let whole = trimmed(text, start, end);
        outline.define(SymbolKind::Field, table, name, start, whole.end as usize);
    }
}
