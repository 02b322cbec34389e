//! Formats that need no grammar: a small reader of our own for each, for what an outline shows.
//!
//! Not here: programming languages (see [`languages`](super::languages)) and Markdown. A reader goes
//! over the text once, keeps its nesting on a stack, takes everything that it does not know for
//! something to pass over, and never fails. Bounds: [`MAX_SYMBOLS`] definitions a file, [`MAX_DEPTH`]
//! levels; data files past [`MAX_DATA_BYTES`] and lock files are text.

mod css;
mod docker;
mod html;
mod json;
mod latex;
mod make;
mod prose;
mod protobuf;
mod scan;
mod sql;
mod toml;
mod yaml;

use crate::facts::{
    FileFacts, Import, ImportedName, Reference, ReferenceKind, Symbol, SymbolKind, Visibility,
};
use crate::language::Language;
use crate::text::ByteRange;

/// Most definitions of one file.
const MAX_SYMBOLS: usize = 2_000;

/// Most levels of definitions within each other.
const MAX_DEPTH: usize = 6;

/// Larger data files (JSON, YAML, TOML) hold records, not structure.
const MAX_DATA_BYTES: usize = 256 * 1024;

/// Longer names are cut.
const MAX_NAME_BYTES: usize = 120;

/// A reader of one format.
pub(super) type Reader = fn(&mut Outline<'_>);

/// Returns the reader for `language`, where it is a format of this module.
pub(super) fn reader(language: Language) -> Option<Reader> {
    Some(match language {
        Language::Json => |outline| data(outline, json::read),
        Language::Yaml => |outline| data(outline, yaml::read),
        Language::Toml => |outline| data(outline, toml::read),
        Language::Css => css::read,
        Language::Html => html::read,
        Language::Sql => sql::read,
        Language::Protobuf => protobuf::read,
        Language::Make => make::read,
        Language::Docker => docker::read,
        Language::Latex => latex::read,
        Language::Prose => prose::read,
        _ => return None,
    })
}

/// Returns what `reader` finds in `text`.
pub(super) fn facts(reader: Reader, text: &str) -> FileFacts {
    let mut outline = Outline {
        text,
        facts: FileFacts::default(),
        sections: Vec::new(),
    };
    reader(&mut outline);
    outline.close_sections(0, text.len());
    outline.facts
}

/// Reads a data file, unless it is too large or written by a package manager.
fn data(outline: &mut Outline<'_>, read: Reader) {
    let head = &outline.text.as_bytes()[..outline.text.len().min(1024)];
    let is_lock = [&b"@generated"[..], b"lockfileVersion", b"content-hash"]
        .iter()
        .any(|mark| memchr::memmem::find(head, mark).is_some());
    if outline.text.len() <= MAX_DATA_BYTES && !is_lock {
        read(outline);
    }
}

/// The facts found so far.
pub(super) struct Outline<'t> {
    text: &'t str,
    facts: FileFacts,
    /// Open sections: their definitions and levels.
    sections: Vec<(u32, u32)>,
}

impl<'t> Outline<'t> {
    /// Adds a definition called by the text at `name`. The signature is the part of the first line of
    /// `start..end`. Returns its index, or `None` where there is no name or the file has too many.
    fn define(
        &mut self,
        kind: SymbolKind,
        parent: Option<u32>,
        name: ByteRange,
        start: usize,
        end: usize,
    ) -> Option<u32> {
        let name_text = cut(name.of(self.text));
        if self.facts.symbols.len() >= MAX_SYMBOLS || name_text.is_empty() {
            return None;
        }
        let range = ByteRange::new(start as u32, end.max(name.end as usize) as u32);
        let line = range.of(self.text).lines().next().unwrap_or_default();
        let line = line.trim_end().trim_end_matches(['{', '(']).trim_end();
        let symbol = self.facts.symbols.len() as u32;
        self.facts.symbols.push(Symbol {
            name: self.facts.names.intern(name_text),
            kind,
            parent,
            visibility: Visibility::Public,
            exported: true,
            name_range: name,
            range,
            signature: ByteRange::new(range.start, range.start + line.len() as u32),
            doc: None,
        });
        Some(symbol)
    }

    /// Lets `symbol` end at `end`, blanks before that left out.
    fn end(&mut self, symbol: Option<u32>, end: usize) {
        let symbol = symbol.and_then(|at| self.facts.symbols.get_mut(at as usize));
        if let Some(symbol) = symbol {
            let start = symbol.range.end as usize;
            let tail = self.text.get(start..end).unwrap_or_default();
            symbol.range.end += tail.trim_end().len() as u32;
        }
    }

    /// Shows all of `symbol` as its signature where it stands on one line.
    fn show_whole(&mut self, symbol: Option<u32>) {
        let symbol = symbol.and_then(|at| self.facts.symbols.get_mut(at as usize));
        if let Some(symbol) = symbol
            && symbol.range.len() <= MAX_NAME_BYTES as u32
            && !symbol.range.of(self.text).contains('\n')
        {
            symbol.signature = symbol.range;
        }
    }

    /// Adds a heading and opens its section, which ends at the next heading of its level or above.
    fn section(&mut self, level: u32, name: ByteRange, start: usize, end: usize) {
        self.close_sections(level, start);
        let parent = self.open_section();
        if let Some(symbol) = self.define(SymbolKind::Heading, parent, name, start, end) {
            self.sections.push((symbol, level));
        }
    }

    /// Ends all sections of `level` and below at `end`.
    fn close_sections(&mut self, level: u32, end: usize) {
        while let Some((symbol, _)) = self.sections.pop_if(|open| open.1 >= level) {
            self.end(Some(symbol), end);
        }
    }

    /// Returns the innermost open section.
    fn open_section(&self) -> Option<u32> {
        self.sections.last().map(|section| section.0)
    }

    /// Adds an import of what stands at `module`.
    fn import(&mut self, module: &str, reexport: bool, range: ByteRange) {
        if !module.is_empty() {
            self.facts.imports.push(Import {
                module: module.to_owned(),
                names: Vec::<ImportedName>::new(),
                alias: None,
                reexport,
                range,
            });
        }
    }

    /// Adds a use of the name at `range`.
    fn refer(&mut self, range: ByteRange, enclosing: Option<u32>, kind: ReferenceKind) {
        let name = range.of(self.text);
        if !name.is_empty() {
            self.facts.references.push(Reference {
                name: self.facts.names.intern(name),
                range,
                enclosing,
                kind,
            });
        }
    }
}

/// Returns `name` up to the longest that is kept.
fn cut(name: &str) -> &str {
    let mut end = name.len().min(MAX_NAME_BYTES);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].trim_end()
}

#[cfg(test)]
mod tests;
