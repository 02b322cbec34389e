//! Make files: targets with their recipes, variables, multi-line definitions, included files.

use super::Outline;
use super::scan::{for_lines, trimmed};
use crate::facts::SymbolKind;
use crate::text::ByteRange;
use rustc_hash::FxHashSet;

pub(super) fn read(outline: &mut Outline<'_>) {
    let text = outline.text;
    let mut open: Vec<u32> = Vec::new();
    let mut variables: FxHashSet<&str> = FxHashSet::default();
    let mut is_continued = false;
    let mut is_defining = false;
    for_lines(text, |start, end| {
        let line = text[start..end].trim_end();
        let was_continued = std::mem::replace(&mut is_continued, line.ends_with('\\'));
        let content = line.trim_start();
        let is_recipe = line.starts_with('\t');
        if is_defining {
            is_defining = !content.starts_with("endef");
            extend(outline, &open, end);
            return;
        }
        if (is_recipe && !open.is_empty()) || was_continued {
            extend(outline, &open, end);
            return;
        }
        if content.is_empty() || content.starts_with('#') {
            return;
        }
        open.clear();
        let from = end_of_blanks(line, start);
        let (word, rest) = content
            .split_once(char::is_whitespace)
            .unwrap_or((content, ""));
        match word {
            "include" | "-include" | "sinclude" => {
                let whole = trimmed(text, start, end);
                for path in rest.split_whitespace().take(64) {
                    outline.import(path, true, whole);
                }
            }
            "define" => {
                is_defining = true;
                let name = rest.trim_start().trim_end_matches(['=', ':', ' ']);
                let at = from + content.len() - rest.trim_start().len();
                let name = ByteRange::new(at as u32, (at + name.len()) as u32);
                open.extend(outline.define(SymbolKind::Macro, None, name, start, end));
            }
            "ifeq" | "ifneq" | "ifdef" | "ifndef" | "else" | "endif" | "endef" | "undefine"
            | "unexport" | "vpath" => {}
            _ => rule(outline, &mut open, &mut variables, from, start + line.len()),
        }
    });
}

fn extend(outline: &mut Outline<'_>, open: &[u32], end: usize) {
    for symbol in open {
        outline.end(Some(*symbol), end);
    }
}

fn end_of_blanks(line: &str, start: usize) -> usize {
    start + line.len() - line.trim_start().len()
}

/// Reads `targets: sources` or `NAME = value` at `start..end`.
fn rule<'t>(
    outline: &mut Outline<'t>,
    open: &mut Vec<u32>,
    variables: &mut FxHashSet<&'t str>,
    start: usize,
    end: usize,
) {
    let text = outline.text;
    let line = &text[start..end];
    let mut depth = 0u32;
    let mark = line.char_indices().find(|(_, c)| {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(c, ':' | '=')
    });
    let Some((at, mark)) = mark else {
        return;
    };
    let behind = &line[at + 1..];
    if mark == '=' || behind.trim_start_matches(':').starts_with('=') {
        let name = trimmed(text, start, start + at);
        let name_text = name
            .of(text)
            .trim_end_matches(['?', '+', '!', ':'])
            .trim_end();
        let name_text = name_text
            .rsplit(char::is_whitespace)
            .next()
            .unwrap_or_default();
        let offset = name.of(text).rfind(name_text).unwrap_or(0) as u32;
        let name = ByteRange::new(
            name.start + offset,
            name.start + offset + name_text.len() as u32,
        );
        if variables.insert(name.of(text)) {
            open.extend(outline.define(SymbolKind::Variable, None, name, start, end));
        }
        return;
    }
    let mut from = start;
    for target in line[..at].split(' ').take(256) {
        let name = trimmed(text, from, from + target.len());
        from += target.len() + 1;
        // Special targets say something about others; patterns and variables name none.
        let is_special = target.starts_with('.') && !target.contains('/');
        if !is_special && !target.contains(['%', '$']) {
            open.extend(outline.define(SymbolKind::Function, None, name, start, end));
        }
    }
}
