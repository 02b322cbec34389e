//! CSS, SCSS and Less: rules by their selectors, custom properties and variables, at-rules.

use super::scan::{behind, line_end, string_end, trimmed, word_end};
use super::{MAX_DEPTH, Outline};
use crate::facts::SymbolKind;
use crate::text::ByteRange;

pub(super) fn read(outline: &mut Outline<'_>) {
    let text = outline.text;
    let bytes = text.as_bytes();
    let mut open: Vec<Option<u32>> = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut parens = 0u32;
    while let Some(byte) = bytes.get(at) {
        let mut next = at + 1;
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                next = behind(text, at + 2, "*/");
                start = start_behind(text, start, at, next);
            }
            // `//` opens a comment in SCSS and Less, and is part of an address in `url(…)`.
            b'/' if bytes.get(at + 1) == Some(&b'/') && parens == 0 => {
                next = line_end(text, at);
                start = start_behind(text, start, at, next);
            }
            b'"' | b'\'' => next = string_end(text, at, true, false),
            b'#' if bytes.get(at + 1) == Some(&b'{') => next = behind(text, at + 2, "}"),
            b'(' => parens += 1,
            b')' => parens = parens.saturating_sub(1),
            b'{' => {
                let parent = open.last().copied().flatten();
                let is_known = open.last().is_none_or(Option::is_some);
                let symbol = match is_known && open.len() < MAX_DEPTH {
                    true => block(outline, parent, trimmed(text, start, at)),
                    false => None,
                };
                open.push(symbol);
                (start, parens) = (next, 0);
            }
            b';' | b'}' if parens == 0 || *byte == b'}' => {
                let parent = open.last().copied().flatten();
                statement(outline, parent, trimmed(text, start, at));
                if *byte == b'}' {
                    outline.end(open.pop().flatten(), next);
                }
                (start, parens) = (next, 0);
            }
            _ => {}
        }
        at = next;
    }
    while let Some(symbol) = open.pop() {
        outline.end(symbol, text.len());
    }
}

/// Returns where a statement starts after a comment at its front.
fn start_behind(text: &str, start: usize, comment: usize, end: usize) -> usize {
    let before = text.get(start..comment).unwrap_or_default();
    if before.trim().is_empty() { end } else { start }
}

/// Adds what opens a block: a rule or an at-rule.
fn block(outline: &mut Outline<'_>, parent: Option<u32>, head: ByteRange) -> Option<u32> {
    let text = outline.text;
    let (start, end) = (head.start as usize, head.end as usize);
    let first_line = head.of(text).lines().next().unwrap_or_default().trim_end();
    let mut name = ByteRange::new(head.start, head.start + first_line.len() as u32);
    let mut kind = SymbolKind::Property;
    if first_line.starts_with('@') {
        let word = word_end(text, start + 1, "-");
        kind = match &text[start..word] {
            "@mixin" => SymbolKind::Macro,
            "@function" => SymbolKind::Function,
            _ => SymbolKind::Module,
        };
        if kind != SymbolKind::Module {
            let from = super::scan::skip_blanks(text, word);
            name = ByteRange::new(from as u32, word_end(text, from, "-") as u32);
        }
    } else if first_line.ends_with(':') {
        return None;
    }
    outline.define(kind, parent, name, start, end)
}

/// Adds what a declaration or a one-line at-rule defines or imports.
fn statement(outline: &mut Outline<'_>, parent: Option<u32>, whole: ByteRange) {
    let text = outline.text;
    let (start, end) = (whole.start as usize, whole.end as usize);
    let statement = whole.of(text);
    if statement.starts_with("--") || statement.starts_with('$') {
        let name_end = word_end(text, start + 1, "-");
        if text[name_end..end].trim_start().starts_with(':') {
            let name = ByteRange::new(whole.start, name_end as u32);
            outline.define(SymbolKind::Variable, parent, name, start, end);
        }
    } else if statement.starts_with('@') {
        let word = word_end(text, start + 1, "-").min(end);
        match &text[start..word] {
            "@import" | "@use" | "@forward" => import(outline, whole, word),
            _ if text[word..end].starts_with(':') => {
                let name = ByteRange::new(whole.start, word as u32);
                outline.define(SymbolKind::Variable, parent, name, start, end);
            }
            _ => {}
        }
    }
}

/// `@import "a", url(b)`; `@use "a" as b`.
fn import(outline: &mut Outline<'_>, whole: ByteRange, from: usize) {
    let text = outline.text;
    let is_forward = whole.of(text).starts_with("@forward");
    let is_list = whole.of(text).starts_with("@import");
    let rest = &text[from..whole.end as usize];
    for path in rest.split(',').take(if is_list { 64 } else { 1 }) {
        let path = path.trim().trim_start_matches("url(").trim_start();
        let quote = path.chars().next().filter(|c| matches!(c, '"' | '\''));
        let path = match quote {
            Some(quote) => path[1..].split(quote).next().unwrap_or_default(),
            None => path.split([')', ' ']).next().unwrap_or_default(),
        };
        outline.import(path, is_forward, whole);
    }
}
