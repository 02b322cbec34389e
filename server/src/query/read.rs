//! Source text: lines, definitions, headings.
//!
//! Units of a page: lines of source text over all targets; an empty excerpt counts as one.
//! Not here: files that are not in the view; nothing is read from the disk.

use super::answer::{Body, Excerpt};
use super::deadline::Deadline;
use super::error::QueryError;
use super::excerpt::{MAX_READ_CHARS, Source};
use super::find::name::NameQuery;
use super::find::{Definition, Tier, definitions, path};
use super::found::Found;
use super::request::{Read, ReadTarget};
use crate::view::{FileId, Reader, View};
use leantoken_shared::facts::SymbolKind;
use leantoken_shared::language::Language;
use leantoken_shared::terms::fold_name;
use leantoken_shared::text::{ByteRange, LineRange};

/// Most choices an ambiguity lists.
const MAX_CHOICES: usize = 12;

/// A piece that was asked for and found.
struct Piece {
    file: FileId,
    lines: LineRange,
    symbol: Option<String>,
}

/// Returns the text of all targets from unit `skip` on, about `max_bytes` of it.
pub(crate) fn read(
    view: &View,
    read: &Read,
    skip: usize,
    max_bytes: usize,
    deadline: &Deadline,
) -> Result<Found, QueryError> {
    let reader = view.reader()?;
    let mut notices = Vec::new();
    let mut pieces = Vec::new();
    for target in &read.targets {
        deadline.check()?;
        match target {
            ReadTarget::File { path, lines } => {
                // `Store.h` and `Config.go` look like files whatever they are.
                let named = match lines {
                    None if view.find(path).is_none() => named(&reader, path, deadline)?,
                    _ => Vec::new(),
                };
                if named.is_empty() {
                    pieces.push(file_piece(view, path, *lines, &mut notices)?);
                }
                pieces.extend(named);
            }
            ReadTarget::Symbol { path, name } => {
                pieces.extend(symbol_pieces(&reader, path.as_deref(), name, deadline)?);
            }
        }
    }
    let (mut units, mut bytes) = (0, 0);
    let mut excerpts = Vec::new();
    for piece in &pieces {
        let n_lines = (piece.lines.end + 1).saturating_sub(piece.lines.start) as usize;
        let n = n_lines.max(1);
        if units + n > skip && bytes <= max_bytes {
            let first = piece.lines.start + skip.saturating_sub(units) as u32;
            let excerpt = excerpt(&reader, piece, first, max_bytes - bytes)?;
            bytes += excerpt
                .lines
                .iter()
                .map(|line| line.len() + 1)
                .sum::<usize>()
                + 1;
            excerpts.push(excerpt);
        }
        units += n;
    }
    let mut files: Vec<FileId> = pieces.iter().map(|piece| piece.file).collect();
    files.sort_unstable();
    files.dedup();
    let mut found = Found::items(Body::Excerpts(excerpts), units as u64, files.len() as u64);
    found.notices = notices;
    Ok(found)
}

fn excerpt(
    reader: &Reader<'_>,
    piece: &Piece,
    first: u32,
    max_bytes: usize,
) -> Result<Excerpt, QueryError> {
    let source = Source::new(reader.text(piece.file)?);
    let row = reader.row(piece.file);
    let mut excerpt = Excerpt {
        path: row.path.to_string(),
        start_line: first,
        end_line: piece.lines.end,
        n_lines: source.lines.n_lines(),
        symbol: piece.symbol.clone(),
        content_hash: row.content_hash.to_string(),
        ..Excerpt::default()
    };
    let mut bytes = 0;
    for line in first..=piece.lines.end {
        let shown = source.show(line, line, ByteRange::default(), MAX_READ_CHARS);
        bytes += shown.lines.iter().map(|line| line.len() + 1).sum::<usize>();
        excerpt.lines.extend(shown.lines);
        excerpt.cut_bytes += shown.cut_bytes;
        if bytes > max_bytes {
            break;
        }
    }
    Ok(excerpt)
}

fn file_piece(
    view: &View,
    path: &str,
    lines: Option<LineRange>,
    notices: &mut Vec<String>,
) -> Result<Piece, QueryError> {
    let file = known_file(view, path)?;
    let n_lines = view.row(file).n_lines;
    let asked = lines.unwrap_or(LineRange {
        start: 1,
        end: n_lines,
    });
    if asked.start > n_lines.max(1) {
        let reason = format!(
            "{path} has {n_lines} lines; line {} is past its end",
            asked.start
        );
        return Err(QueryError::invalid("lines", reason));
    }
    if asked.end > n_lines && lines.is_some() {
        notices.push(format!("{path} ends at line {n_lines}"));
    }
    Ok(Piece {
        file,
        lines: LineRange {
            start: asked.start,
            end: asked.end.min(n_lines),
        },
        symbol: None,
    })
}

fn known_file(view: &View, path: &str) -> Result<FileId, QueryError> {
    view.find(path).ok_or_else(|| QueryError::NotFound {
        what: format!("file '{path}'"),
        nearest: path::nearest(view, path, 3),
    })
}

/// A definition with what is needed to tell it from others.
struct Choice {
    file: FileId,
    qualified: String,
    lines: LineRange,
    /// Whether it only announces a function of C or C++ that is defined elsewhere.
    is_prototype: bool,
    /// Whether it is the body of such a function.
    is_body: bool,
}

/// Returns the definition that `text` names, if it names any.
fn named(reader: &Reader<'_>, text: &str, deadline: &Deadline) -> Result<Vec<Piece>, QueryError> {
    match symbol_pieces(reader, None, text, deadline) {
        Err(QueryError::NotFound { .. }) => Ok(Vec::new()),
        found => found,
    }
}

fn symbol_pieces(
    reader: &Reader<'_>,
    path: Option<&str>,
    name: &str,
    deadline: &Deadline,
) -> Result<Vec<Piece>, QueryError> {
    let only = path.map(|path| known_file(reader, path)).transpose()?;
    let query = NameQuery::new(name)?;
    let mut found = match only {
        Some(file) => in_file(reader, file, &query)?,
        None => definitions(reader, &query, &|_| true, deadline)?,
    };
    let best = found.iter().map(|definition| definition.tier).min();
    found.retain(|definition| Some(definition.tier) == best);
    found.sort_unstable_by_key(|definition| (definition.file, definition.symbol));
    found.dedup_by_key(|definition| (definition.file, definition.symbol));
    let found = without_echoes(found);
    let mut choices = Vec::with_capacity(found.len());
    for definition in &found {
        choices.push(choice(reader, definition)?);
    }
    let choices = without_prototypes(choices);
    let Some(first) = choices.first() else {
        return Err(not_found(reader, only, name)?);
    };
    // Overloads and accessor pairs share file and qualified name; they are shown together.
    let same = |c: &Choice| c.file == first.file && c.qualified == first.qualified;
    if !choices.iter().all(same) {
        return Err(ambiguous(reader, name, &choices));
    }
    let piece = |choice: Choice| Piece {
        file: choice.file,
        lines: choice.lines,
        symbol: Some(choice.qualified),
    };
    Ok(choices.into_iter().map(piece).collect())
}

fn in_file(
    reader: &Reader<'_>,
    file: FileId,
    query: &NameQuery,
) -> Result<Vec<Definition>, QueryError> {
    let facts = reader.facts(file)?;
    let path = reader.path(file);
    let fits = |at: u32| query.fit(&facts, at, path).map(Tier::Named);
    let symbols = 0..facts.symbols.len() as u32;
    Ok(symbols
        .filter_map(|at| Definition::new(reader, file, &facts, at, fits(at)?))
        .collect())
}

/// Drops what only repeats a type's name: its constructors and the blocks that add members to it.
fn without_echoes(found: Vec<Definition>) -> Vec<Definition> {
    let is_echo = |one: &Definition| {
        let in_other = found
            .iter()
            .any(|other| other.file == one.file && one.parent == Some(other.symbol));
        let adds_members = one.kind == SymbolKind::Impl
            && found.iter().any(|other| other.kind != SymbolKind::Impl);
        in_other || adds_members
    };
    let kept: Vec<Definition> = found.iter().filter(|one| !is_echo(one)).cloned().collect();
    kept
}

/// Drops prototypes of functions whose bodies are there too, however much of the name each spells.
fn without_prototypes(choices: Vec<Choice>) -> Vec<Choice> {
    let ends_with = |name: &str, end: &str| {
        let rest = name.strip_suffix(end);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    let has_body = |one: &Choice| {
        choices.iter().any(|other| {
            other.is_body
                && (ends_with(&other.qualified, &one.qualified)
                    || ends_with(&one.qualified, &other.qualified))
        })
    };
    let is_kept: Vec<bool> = choices
        .iter()
        .map(|one| !one.is_prototype || !has_body(one))
        .collect();
    let kept = choices.into_iter().zip(is_kept);
    kept.filter(|(_, is_kept)| *is_kept)
        .map(|(choice, _)| choice)
        .collect()
}

fn is_callable(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Operator
    )
}

fn choice(reader: &Reader<'_>, definition: &Definition) -> Result<Choice, QueryError> {
    let facts = reader.facts(definition.file)?;
    let source = Source::new(reader.text(definition.file)?);
    let symbol = facts
        .symbols
        .get(definition.symbol as usize)
        .ok_or_else(|| QueryError::Corrupt("a name points past the definitions".into()))?;
    let mut range = symbol.range;
    if let Some(doc) = symbol.doc {
        range.start = range.start.min(doc.start);
    }
    let has_prototypes = matches!(
        reader.row(definition.file).language,
        Language::C | Language::Cpp
    );
    let behind = ByteRange::new(symbol.signature.end, symbol.range.end);
    let is_announced = has_prototypes && is_callable(symbol.kind);
    let has_body = behind.of(&source.text).contains('{');
    Ok(Choice {
        is_prototype: is_announced && !has_body,
        is_body: is_announced && has_body,
        file: definition.file,
        qualified: facts.qualified_name(definition.symbol),
        lines: source.lines.lines_of(range),
    })
}

fn ambiguous(view: &View, name: &str, choices: &[Choice]) -> QueryError {
    let shown = choices.iter().take(MAX_CHOICES).map(|choice| {
        let (path, line) = (view.path(choice.file), choice.lines.start);
        format!("{} ({path}:{line})", choice.qualified)
    });
    let mut shown: Vec<String> = shown.collect();
    if choices.len() > MAX_CHOICES {
        shown.push(format!("{} more", choices.len() - MAX_CHOICES));
    }
    QueryError::Ambiguous {
        name: name.into(),
        choices: shown,
    }
}

fn not_found(
    reader: &Reader<'_>,
    only: Option<FileId>,
    name: &str,
) -> Result<QueryError, QueryError> {
    let asked = NameQuery::new(name)?;
    let (place, nearest) = match only {
        Some(file) => {
            let facts = reader.facts(file)?;
            let folded = asked.last_folded().to_string();
            let symbols = 0..facts.symbols.len() as u32;
            let like = symbols.filter(|at| {
                let symbol = &facts.symbols[*at as usize];
                let own = fold_name(facts.names.get(symbol.name));
                own.contains(&folded) || folded.contains(&own)
            });
            let nearest = like.take(5).map(|at| facts.qualified_name(at)).collect();
            (format!(" in {}", reader.path(file)), nearest)
        }
        None => (
            String::new(),
            reader.symbol_names_from(asked.last_folded(), 5)?,
        ),
    };
    Ok(QueryError::NotFound {
        what: format!("definition '{name}'{place}"),
        nearest,
    })
}
