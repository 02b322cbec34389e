//! LaTeX: sections, labels, new commands; references and citations; inputs and packages.
//!
//! Of a BibTeX file the entries' keys are read.

use super::Outline;
use super::scan::{behind, line_end, skip_blanks, trimmed, word_end};
use crate::facts::{ReferenceKind, SymbolKind};
use crate::text::ByteRange;

pub(super) fn read(outline: &mut Outline<'_>) {
    let text = outline.text;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr3(b'\\', b'%', b'@', &bytes[at..]) {
        let start = at + found;
        match bytes[start] {
            b'%' => at = line_end(text, start),
            b'@' => at = entry(outline, start),
            _ => {
                let end = word_end(text, start + 1, "*");
                at = match end == start + 1 {
                    // `\%` and its like.
                    true => start + 1 + text[start + 1..].chars().next().map_or(0, char::len_utf8),
                    false => command(outline, start, end),
                };
            }
        }
    }
}

/// `@article{key,` at the start of a line.
fn entry(outline: &mut Outline<'_>, start: usize) -> usize {
    let text = outline.text;
    let end = word_end(text, start + 1, "");
    let opens = end > start + 1 && text.as_bytes().get(end) == Some(&b'{');
    let is_first = text[..start].ends_with('\n') || start == 0;
    let name = trimmed(
        text,
        end + 1,
        word_end(text, skip_blanks(text, end + 1), "-:./+"),
    );
    let is_key = text.as_bytes().get(name.end as usize) == Some(&b',');
    if opens && is_first && is_key {
        outline.define(SymbolKind::Property, None, name, start, name.end as usize);
    }
    end
}

/// Reads the command whose name ends at `end`; returns where to go on.
fn command(outline: &mut Outline<'_>, start: usize, end: usize) -> usize {
    let text = outline.text;
    let level = match &text[start + 1..end] {
        "part" | "part*" => 0,
        "chapter" | "chapter*" => 1,
        "section" | "section*" => 2,
        "subsection" | "subsection*" => 3,
        "subsubsection" | "subsubsection*" => 4,
        "paragraph" | "paragraph*" => 5,
        "begin" => {
            let argument = argument(text, end).unwrap_or_default();
            let name = argument.of(text);
            return match name {
                "verbatim" | "lstlisting" | "minted" => {
                    behind(text, end, &format!("\\end{{{name}}}"))
                }
                _ => end,
            };
        }
        name => {
            if let Some(argument) = argument(text, end) {
                other(outline, name, start, argument);
            }
            return end;
        }
    };
    let title = argument(text, end);
    if let Some(title) = title.filter(|title| !title.is_empty()) {
        let line = title.of(text).lines().next().unwrap_or_default().trim_end();
        let name = ByteRange::new(title.start, title.start + line.len() as u32);
        outline.section(level, name, start, title.end as usize + 1);
    }
    end
}

fn other(outline: &mut Outline<'_>, name: &str, start: usize, argument: ByteRange) {
    let text = outline.text;
    let end = argument.end as usize + 1;
    let section = outline.open_section();
    match name {
        "label" => {
            outline.define(SymbolKind::Property, section, argument, start, end);
        }
        "newcommand"
        | "newcommand*"
        | "renewcommand"
        | "providecommand"
        | "DeclareMathOperator"
        | "newenvironment" => {
            outline.define(SymbolKind::Macro, section, argument, start, end);
        }
        "input" | "include" | "usepackage" | "RequirePackage" | "documentclass"
        | "bibliography" | "addbibresource" => {
            let whole = ByteRange::new(start as u32, end as u32);
            for module in argument.of(text).split(',').take(64) {
                outline.import(module.trim(), false, whole);
            }
        }
        "ref" | "eqref" | "pageref" | "autoref" | "cref" | "Cref" | "cite" | "citep" | "citet"
        | "parencite" | "textcite" => {
            let mut from = argument.start as usize;
            for key in argument.of(text).split(',').take(64) {
                let range = trimmed(text, from, from + key.len());
                from += key.len() + 1;
                if !key.contains(['\\', '{']) {
                    outline.refer(range, section, ReferenceKind::Other);
                }
            }
        }
        _ => {}
    }
}

/// Returns the text of the first argument in braces behind a command, options left out.
fn argument(text: &str, at: usize) -> Option<ByteRange> {
    let mut at = at;
    while text.as_bytes().get(at) == Some(&b'[') {
        let end = behind(text, at, "]");
        at = end.min(line_end(text, at));
    }
    if text.as_bytes().get(at) != Some(&b'{') {
        return None;
    }
    let mut depth = 0u32;
    // An argument that a command of an outline takes is short.
    for (offset, byte) in text.as_bytes()[at..].iter().take(2000).enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(trimmed(text, at + 1, at + offset)),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}
