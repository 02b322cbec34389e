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
use leantoken_shared::facts::{FileFacts, SymbolKind};
use leantoken_shared::terms::fold_name;
use leantoken_shared::text::{ByteRange, LineRange};

/// Most targets that are named beside those that are shown.
const MAX_REFUSED: usize = 5;

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
    let mut refused: Vec<QueryError> = Vec::new();
    for target in &read.targets {
        deadline.check()?;
        let found = match target {
            ReadTarget::File { path, lines } => {
                file_piece(view, path, *lines, &mut notices).map(|piece| vec![piece])
            }
            ReadTarget::Symbol { path, name } => {
                symbol_pieces(&reader, path.as_deref(), name, deadline)
            }
            ReadTarget::Unusable { reason } => Err(QueryError::invalid("targets", reason)),
        };
        match found {
            Ok(found) => pieces.extend(found),
            Err(error) if is_about_target(&error) => refused.push(error),
            Err(error) => return Err(error),
        }
    }
    notices.extend(refused.iter().take(MAX_REFUSED).map(unshown));
    if refused.len() > MAX_REFUSED {
        notices.push(format!(
            "{} more targets are not shown",
            refused.len() - MAX_REFUSED
        ));
    }
    if let (true, Some(first)) = (pieces.is_empty(), refused.into_iter().next()) {
        return Err(first);
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

/// Whether another target can be shown all the same.
fn is_about_target(error: &QueryError) -> bool {
    matches!(
        error,
        QueryError::NotFound { .. } | QueryError::Ambiguous { .. } | QueryError::Invalid { .. }
    )
}

/// Says which target is not shown, and why.
fn unshown(error: &QueryError) -> String {
    match error.hint() {
        Some(hint) => format!("not shown: {error}; {hint}"),
        None => format!("not shown: {error}"),
    }
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
    // Whoever asks for the rest of a file need not be told where it ends.
    if asked.end > n_lines && lines.is_some_and(|lines| lines.end != u32::MAX) {
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
        Some(file) => in_file(reader, file, &query, name)?,
        None => {
            let mut found = definitions(reader, &query, &|_| true, deadline)?;
            found.extend(whole_names(reader, name, deadline)?);
            found
        }
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

/// Definitions in one file, headings with dots and slashes in their text included.
fn in_file(
    reader: &Reader<'_>,
    file: FileId,
    query: &NameQuery,
    name: &str,
) -> Result<Vec<Definition>, QueryError> {
    let facts = reader.facts(file)?;
    let path = reader.path(file);
    let judge = |at: u32| {
        let whole = heading_fit(&facts, at, name);
        whole
            .or_else(|| query.fit(&facts, at, path))
            .map(Tier::Named)
    };
    let symbols = 0..facts.symbols.len() as u32;
    Ok(symbols
        .filter_map(|at| Definition::new(reader, file, &facts, at, judge(at)?))
        .collect())
}

/// Definitions whose whole name is `name`, separators included.
fn whole_names(
    reader: &Reader<'_>,
    name: &str,
    deadline: &Deadline,
) -> Result<Vec<Definition>, QueryError> {
    let mut out = Vec::new();
    for posting in reader.symbol_name(&fold_name(name.trim()))? {
        deadline.check()?;
        let facts = reader.facts(posting.file)?;
        for at in posting.symbols {
            let tier = heading_fit(&facts, at, name).map(Tier::Named);
            out.extend(tier.and_then(|t| Definition::new(reader, posting.file, &facts, at, t)));
        }
    }
    Ok(out)
}

fn heading_fit(facts: &FileFacts, at: u32, name: &str) -> Option<super::find::name::Fit> {
    use super::find::name::Fit;
    let symbol = facts.symbols.get(at as usize)?;
    let own = facts.names.get(symbol.name);
    let asked = name.trim();
    let asked = if symbol.kind == SymbolKind::Heading {
        asked.trim_start_matches('#').trim_start()
    } else {
        asked
    };
    if own == asked {
        return Some(Fit::Exact);
    }
    (fold_name(own) == fold_name(asked)).then_some(Fit::Folded)
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
    Ok(Choice {
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
