//! Docker files: stages, build arguments and variables; base images as imports.

use super::Outline;
use super::scan::for_lines;
use crate::facts::SymbolKind;
use crate::text::ByteRange;

pub(super) fn read(outline: &mut Outline<'_>) {
    let text = outline.text;
    let mut stage: Option<u32> = None;
    let mut stages: Vec<&str> = Vec::new();
    let mut is_continued = false;
    for_lines(text, |start, end| {
        let line = text[start..end].trim_end();
        let was_continued = std::mem::replace(&mut is_continued, line.ends_with('\\'));
        let words: Vec<&str> = line.split_whitespace().take(8).collect();
        let Some(instruction) = words.first().filter(|_| !was_continued) else {
            return;
        };
        // A word is a part of the line, so its place follows from where it is stored.
        let place = |word: &str| {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            ByteRange::new(at as u32, (at + word.len()) as u32)
        };
        if instruction.eq_ignore_ascii_case("from") {
            outline.end(stage.take(), start);
            let arguments = words[1..].iter().filter(|word| !word.starts_with("--"));
            let arguments: Vec<&&str> = arguments.collect();
            if let Some(image) = arguments.first().filter(|image| !stages.contains(**image)) {
                outline.import(image, false, place(line));
            }
            if let [_, word, name, ..] = arguments[..]
                && word.eq_ignore_ascii_case("as")
            {
                stage = outline.define(SymbolKind::Module, None, place(name), start, end);
                if stages.len() < 64 {
                    stages.push(name);
                }
            }
            return;
        }
        let declares = ["arg", "env"]
            .iter()
            .any(|word| instruction.eq_ignore_ascii_case(word));
        if let Some(word) = words.get(1).filter(|_| declares) {
            let name = word.split('=').next().unwrap_or_default();
            outline.define(SymbolKind::Variable, stage, place(name), start, end);
        }
    });
    outline.end(stage, text.len());
}
