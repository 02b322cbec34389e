//! HTML: headings with their sections, elements with an `id`; scripts and style sheets as imports.

use super::Outline;
use super::scan::{behind, skip_blanks, string_end, trimmed, word_end};
use crate::facts::SymbolKind;
use crate::text::ByteRange;

/// What an opening tag says.
#[derive(Default)]
struct Tag {
    name: String,
    id: Option<ByteRange>,
    source: Option<ByteRange>,
    link: Option<ByteRange>,
    is_style: bool,
    end: usize,
}

pub(super) fn read(outline: &mut Outline<'_>) {
    let text = outline.text;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &bytes[at..]) {
        let start = at + found;
        if text[start..].starts_with("<!--") {
            at = behind(text, start + 4, "-->");
            continue;
        }
        if !bytes.get(start + 1).is_some_and(u8::is_ascii_alphabetic) {
            at = start + 1;
            continue;
        }
        let tag = tag(text, start);
        at = tag.end;
        match tag.name.as_str() {
            "script" | "style" => {
                if let Some(source) = tag.source {
                    outline.import(source.of(text), false, source);
                }
                at = closing(text, at, &tag.name);
            }
            "link" if tag.is_style => {
                if let Some(link) = tag.link {
                    outline.import(link.of(text), false, link);
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let end = closing(text, at, &tag.name);
                let level = u32::from(tag.name.as_bytes()[1] - b'0');
                if let Some(name) = words(text, at, end) {
                    outline.section(level, name, start, end);
                }
                at = end;
            }
            _ => {}
        }
        if let Some(id) = tag.id {
            let parent = outline.open_section();
            let after = outline.facts.symbols.last().is_some_and(|last| {
                // The heading itself carries the id: one definition is enough.
                last.range.start as usize == start
            });
            if !after {
                outline.define(SymbolKind::Property, parent, id, start, tag.end);
            }
        }
    }
}

/// Reads the tag that opens at `start`.
fn tag(text: &str, start: usize) -> Tag {
    let bytes = text.as_bytes();
    let mut at = word_end(text, start + 1, "-:");
    let mut tag = Tag {
        name: text[start + 1..at].to_ascii_lowercase(),
        ..Tag::default()
    };
    loop {
        at = skip_blanks(text, at);
        match bytes.get(at) {
            None => break,
            Some(b'>') => {
                at += 1;
                break;
            }
            Some(b'<') => break,
            Some(b'"' | b'\'') => {
                at = string_end(text, at, false, true);
                continue;
            }
            Some(_) => {}
        }
        let rest = &text[at..];
        let length = rest.find(|c: char| c.is_whitespace() || "=><\"'".contains(c));
        let end = at + length.unwrap_or(rest.len());
        let name = &text[at..end];
        at = end;
        let mut value = None;
        if bytes.get(at) == Some(&b'=') {
            at = skip_blanks(text, at + 1);
            let (from, to);
            (from, to, at) = value_at(text, at);
            value = Some(trimmed(text, from, to));
        } else if name.is_empty() {
            at += 1;
        }
        match name.to_ascii_lowercase().as_str() {
            "id" => tag.id = value,
            "src" => tag.source = value,
            "href" => tag.link = value,
            "rel" => tag.is_style = value.is_some_and(|rel| rel.of(text).contains("stylesheet")),
            _ => {}
        }
    }
    tag.end = at;
    tag
}

/// Returns start and end of an attribute's value, and where what follows it starts.
fn value_at(text: &str, at: usize) -> (usize, usize, usize) {
    match text.as_bytes().get(at) {
        Some(quote @ (b'"' | b'\'')) => {
            let end = string_end(text, at, false, true);
            let is_closed = end > at + 1 && text.as_bytes()[end - 1] == *quote;
            (at + 1, end - usize::from(is_closed), end)
        }
        _ => {
            let rest = &text[at..];
            let length = rest.find(|c: char| c.is_whitespace() || c == '>');
            let end = at + length.unwrap_or(rest.len());
            (at, end, end)
        }
    }
}

/// Returns where the closing tag of `name`, looked for from `at` on, starts.
fn closing(text: &str, at: usize, name: &str) -> usize {
    let bytes = text.as_bytes();
    let mut from = at;
    while let Some(found) = memchr::memmem::find(&bytes[from..], b"</") {
        from += found + 2;
        let tag = bytes.get(from..from + name.len());
        if tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes())) {
            return from - 2;
        }
    }
    text.len()
}

/// Returns the first text between tags in `start..end`.
fn words(text: &str, start: usize, end: usize) -> Option<ByteRange> {
    let mut at = start;
    while at < end {
        let stop = memchr::memchr(b'<', &text.as_bytes()[at..end]).map_or(end, |found| at + found);
        let words = trimmed(text, at, stop);
        if !words.is_empty() {
            let line = words.of(text).lines().next().unwrap_or_default().trim_end();
            return Some(ByteRange::new(words.start, words.start + line.len() as u32));
        }
        at =
            memchr::memchr(b'>', &text.as_bytes()[stop..end]).map_or(end, |found| stop + found + 1);
    }
    None
}
