//! The definitions of files, in order, with their declarations.
//!
//! Units of a page: one for each definition, and one for a file that has none to show, so that a page
//! may end within a file and the next one goes on there. Imports stand with the beginning of a file, are
//! no units, and are left out first.
//! Bound: of more than [`MAX_COUNTED_FILES`] files only those up to the end of the page are counted.

use super::answer::{Body, Exactness, FileOutline, OutlineSymbol};
use super::deadline::Deadline;
use super::error::QueryError;
use super::excerpt::cut_line;
use super::found::Found;
use super::parallel::map_files;
use super::request::Outline;
use crate::view::{FileId, Reader, View};
use leantoken_shared::facts::{FileFacts, Import};
use leantoken_shared::path::PathSet;
use leantoken_shared::text::LineIndex;

/// Most characters of a signature.
const MAX_SIGNATURE_CHARS: usize = 200;
/// Most characters of the imports of one file: about a line.
const MAX_IMPORT_CHARS: usize = 240;
/// Files that are all loaded to give an exact total.
const MAX_COUNTED_FILES: usize = 2_000;
/// Files loaded at a time when there are more.
const BATCH: usize = 64;

/// Outlines the targets.
pub(crate) fn outline(
    view: &View,
    outline: &Outline,
    skip: usize,
    deadline: &Deadline,
) -> Result<Found, QueryError> {
    let files = targets(view, &outline.targets)?;
    let end = skip.saturating_add(outline.limit as usize);
    let mut shown: Vec<FileOutline> = Vec::new();
    let mut bare: Vec<FileId> = Vec::new();
    let (mut units, mut total, mut total_files, mut before) = (0, 0, 0, 0);
    let mut complete = true;
    let batch = if files.len() > MAX_COUNTED_FILES {
        BATCH
    } else {
        files.len().max(1)
    };
    for files in files.chunks(batch) {
        if units > end {
            complete = false;
            break;
        }
        let outlines = map_files(
            view,
            files,
            deadline,
            || (),
            |(), reader, file| file_outline(reader, file, outline),
        )?;
        for (file, one) in files.iter().zip(outlines) {
            let n_symbols = one.symbols.len();
            if n_symbols == 0 && view.row(*file).n_symbols == 0 && one.n_lines > 0 {
                bare.push(*file);
            }
            if n_symbols == 0 && !outline.kinds.is_empty() {
                continue;
            }
            total += n_symbols as u64;
            total_files += 1;
            let n = n_symbols.max(1);
            let first = skip.saturating_sub(units);
            if n_symbols > 0 {
                before += first.min(n) as u64;
            }
            if units < end && units + n > skip {
                shown.push(window(one, first, end - units));
            }
            units += n;
        }
    }
    let mut found = Found::items(Body::Outline(shown), total, total_files);
    found.n_units = units as u64;
    found.before = before;
    if !complete {
        found.exactness = Exactness::LowerBound;
        found.total += 1;
        found.n_units += 1;
    }
    found.notices.extend(notice(view, &bare));
    Ok(found)
}

/// Keeps the definitions `from..to` of one file; what goes on shows no imports again.
fn window(mut one: FileOutline, from: usize, to: usize) -> FileOutline {
    if from > 0 {
        one.imports.clear();
        one.n_imports = 0;
    }
    let to = to.min(one.symbols.len());
    one.symbols = one.symbols[from.min(to)..to].to_vec();
    one
}

fn notice(view: &View, bare: &[FileId]) -> Option<String> {
    let first = *bare.first()?;
    let language = view.row(first).language.as_str();
    Some(if bare.len() == 1 {
        format!(
            "{} has no definitions to show ({language})",
            view.path(first)
        )
    } else {
        let n = bare.len();
        format!(
            "{n} files have no definitions to show, {} first ({language})",
            view.path(first)
        )
    })
}

/// Returns the files the targets name, in path order, each once.
fn targets(view: &View, targets: &[String]) -> Result<Vec<FileId>, QueryError> {
    let mut files: Vec<FileId> = Vec::new();
    for target in targets {
        let path = target.trim_end_matches('/');
        if let Some(file) = view.find(path) {
            files.push(file);
            continue;
        }
        let below = view.below(path);
        if !below.is_empty() {
            files.extend(below);
            continue;
        }
        let before = files.len();
        if target.contains(['*', '?', '[', '{']) {
            let set = PathSet::new(&[target], &[] as &[&str])
                .map_err(|error| QueryError::invalid("targets", error.to_string()))?;
            files.extend(view.ids().filter(|file| set.contains(view.path(*file))));
        }
        if files.len() == before {
            return Err(QueryError::no_path(view, format!("'{target}'"), path));
        }
    }
    files.sort_unstable();
    files.dedup();
    Ok(files)
}

fn file_outline(
    reader: &Reader<'_>,
    file: FileId,
    wanted: &Outline,
) -> Result<FileOutline, QueryError> {
    let row = reader.row(file);
    let facts = reader.facts(file)?;
    let text = if facts.symbols.is_empty() && facts.imports.is_empty() {
        String::new()
    } else {
        reader.text(file)?
    };
    // Kinds are of definitions; who asks for some wants no imports.
    let imports = if wanted.kinds.is_empty() {
        compact(&facts, &text)
    } else {
        Vec::new()
    };
    let n_imports = if wanted.kinds.is_empty() {
        statements(&facts).len() as u32
    } else {
        0
    };
    Ok(FileOutline {
        path: row.path.to_string(),
        language: row.language,
        n_lines: row.n_lines,
        imports,
        n_imports,
        symbols: symbols(&facts, &text, wanted),
        notes: row.notes.iter().map(|note| note.as_str()).collect(),
    })
}

/// One statement can import from many modules; it counts once.
fn statements(facts: &FileFacts) -> Vec<&Import> {
    let mut statements: Vec<_> = facts.imports.iter().collect();
    statements.dedup_by_key(|import| import.range);
    statements
}

/// Returns the imports of a file as far as they take about one line, without what ends a statement.
fn compact(facts: &FileFacts, text: &str) -> Vec<String> {
    let mut chars = 0;
    statements(facts)
        .into_iter()
        // They are listed with `;` in between.
        .map(|import| import.range.of(text).trim_end().trim_end_matches(';'))
        .map(|import| one_line(import, MAX_IMPORT_CHARS))
        .take_while(|import| {
            chars += import.chars().count();
            chars <= MAX_IMPORT_CHARS
        })
        .collect()
}

fn symbols(facts: &FileFacts, text: &str, wanted: &Outline) -> Vec<OutlineSymbol> {
    let lines = LineIndex::new(text);
    let mut depths: Vec<u32> = Vec::with_capacity(facts.symbols.len());
    let mut out = Vec::new();
    for symbol in &facts.symbols {
        let parent = symbol.parent.and_then(|parent| depths.get(parent as usize));
        let depth = parent.map_or(0, |depth| depth + 1);
        depths.push(depth);
        if depth >= wanted.depth
            || !(wanted.kinds.is_empty() || wanted.kinds.contains(&symbol.kind))
        {
            continue;
        }
        let range = lines.lines_of(symbol.range);
        out.push(OutlineSymbol {
            name: facts.names.get(symbol.name).to_string(),
            kind: symbol.kind,
            depth,
            visibility: symbol.visibility,
            start_line: range.start,
            end_line: range.end,
            signature: one_line(symbol.signature.of(text), MAX_SIGNATURE_CHARS),
        });
    }
    out
}

/// Collapses white space, line ends included, and cuts what is too long.
pub(crate) fn one_line(text: &str, max_chars: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    cut_line(&out, 0..0, max_chars).0
}
