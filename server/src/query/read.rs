//! Source text: lines, definitions, headings.
//!
//! Units of a page: lines of source text over all targets; an empty excerpt counts as one.
//! Not here: files that are not in the view; nothing is read from the disk.

use super::answer::{Body, Excerpt};
use super::deadline::Deadline;
use super::error::QueryError;
use super::excerpt::{MAX_READ_CHARS, Source};
use super::find::name::NameQuery;
use super::find::{Definition, Tier, definitions, near};
use super::found::Found;
use super::request::{Read, ReadTarget};
use crate::view::{FileId, Reader, View};
use leantoken_shared::facts::{FileFacts, Symbol, SymbolKind};
use leantoken_shared::language::Language;
use leantoken_shared::text::{ByteRange, LineRange};

/// Most targets that are named beside those that are shown.
const MAX_REFUSED: usize = 5;

/// Most choices an ambiguity lists.
const MAX_CHOICES: usize = 12;
/// Most declarations a notice names.
const MAX_DECLARATIONS: usize = 3;
/// Most definitions that are suggested.
const MAX_NEAR: usize = 5;

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
                // `Store.h` and `Config.go` look like files whatever they are.
                let named = match lines {
                    None if view.find(path).is_none() => {
                        named(&reader, path, deadline, &mut notices)
                    }
                    _ => Ok(Vec::new()),
                };
                match named {
                    Ok(none) if none.is_empty() => {
                        file_piece(view, path, *lines, &mut notices).map(|piece| vec![piece])
                    }
                    named => named,
                }
            }
            ReadTarget::Symbol { path, name } => {
                let path = path.as_deref();
                symbol_pieces(&reader, path, name, deadline, &mut notices)
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
        notices.push(match refused.len() - MAX_REFUSED {
            1 => "1 more target is not shown".into(),
            more => format!("{more} more targets are not shown"),
        });
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
        QueryError::NotFound { .. }
            | QueryError::LeftOut { .. }
            | QueryError::Ambiguous { .. }
            | QueryError::Invalid { .. }
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
        let lines = if n_lines == 1 { "line" } else { "lines" };
        let reason = format!(
            "{path} has {n_lines} {lines}; line {} is past its end",
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
    view.find(path)
        .ok_or_else(|| QueryError::no_path(view, format!("file '{path}'"), path))
}

/// A definition with what is needed to tell it from others.
struct Choice {
    file: FileId,
    qualified: String,
    lines: LineRange,
    is_heading: bool,
    /// Whether it only announces what is defined elsewhere.
    is_declaration: bool,
}

/// Returns the definition that `text` names, if it names any.
fn named(
    reader: &Reader<'_>,
    text: &str,
    deadline: &Deadline,
    notices: &mut Vec<String>,
) -> Result<Vec<Piece>, QueryError> {
    match symbol_pieces(reader, None, text, deadline, notices) {
        Err(QueryError::NotFound { .. }) => Ok(Vec::new()),
        found => found,
    }
}

fn symbol_pieces(
    reader: &Reader<'_>,
    path: Option<&str>,
    name: &str,
    deadline: &Deadline,
    notices: &mut Vec<String>,
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
    if choices.is_empty() {
        return Err(not_found(reader, only, name)?);
    }
    let choices = preferred(reader, &query, choices, notices);
    if !are_one(&choices) {
        return Err(ambiguous(reader, name, &choices));
    }
    let piece = |choice: Choice| Piece {
        file: choice.file,
        lines: choice.lines,
        symbol: Some(choice.qualified),
    };
    Ok(choices.into_iter().map(piece).collect())
}

/// Whether all choices share file and qualified name, as overloads and accessor pairs do: they are
/// shown together.
fn are_one(choices: &[Choice]) -> bool {
    let key = |choice: &Choice| (choice.file, choice.qualified.clone());
    choices
        .windows(2)
        .all(|pair| key(&pair[0]) == key(&pair[1]))
}

/// Of several choices, keeps the ones a reader means: code rather than a heading, what is defined rather
/// than what is announced, the name as asked rather than one that ends like it.
fn preferred(
    view: &View,
    query: &NameQuery,
    mut choices: Vec<Choice>,
    notices: &mut Vec<String>,
) -> Vec<Choice> {
    if are_one(&choices) {
        return choices;
    }
    if choices.iter().any(|choice| !choice.is_heading) {
        choices.retain(|choice| !choice.is_heading);
    }
    let is_whole = |choice: &Choice| choice.qualified == query.qualified();
    let in_one_file = choices.windows(2).all(|pair| pair[0].file == pair[1].file);
    if in_one_file && choices.iter().any(is_whole) {
        choices.retain(is_whole);
    }
    let (declared, defined): (Vec<_>, Vec<_>) = choices
        .into_iter()
        .partition(|choice| choice.is_declaration);
    let Some(first) = defined.first() else {
        return declared;
    };
    let is_kin = |choice: &Choice| {
        choice.qualified == first.qualified && family(view, choice) == family(view, first)
    };
    if declared.is_empty() || !are_one(&defined) || !declared.iter().all(is_kin) {
        return defined.into_iter().chain(declared).collect();
    }
    let places = declared.iter().take(MAX_DECLARATIONS);
    let places = places.map(|d| format!("{}:{}", view.path(d.file), d.lines.start));
    let mut places: Vec<String> = places.collect();
    if declared.len() > MAX_DECLARATIONS {
        places.push(format!("{} more", declared.len() - MAX_DECLARATIONS));
    }
    let name = &first.qualified;
    notices.push(format!("{name} is also declared at {}", places.join(", ")));
    defined
}

/// Languages whose files declare each other's definitions share a family.
fn family(view: &View, choice: &Choice) -> Language {
    match view.row(choice.file).language {
        Language::Cpp => Language::C,
        Language::Tsx | Language::JavaScript => Language::TypeScript,
        other => other,
    }
}

/// Whether a definition only announces another: a function without body, in a language that has such.
fn is_declaration(language: Language, symbol: &Symbol, text: &str) -> bool {
    let announces = matches!(
        language,
        Language::C | Language::Cpp | Language::TypeScript | Language::Tsx
    );
    let is_callable = matches!(
        symbol.kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Operator
    );
    let body = ByteRange::new(
        symbol.signature.end,
        symbol.range.end.max(symbol.signature.end),
    );
    let body = body.of(text);
    announces && is_callable && !body.contains('{') && !body.contains("=>")
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
        is_heading: symbol.kind == SymbolKind::Heading,
        is_declaration: is_declaration(reader.row(definition.file).language, symbol, &source.text),
    })
}

fn ambiguous(view: &View, name: &str, choices: &[Choice]) -> QueryError {
    let target = |choice: &Choice| format!("{}#{}", view.path(choice.file), choice.qualified);
    let mut shown: Vec<String> = choices.iter().map(target).collect();
    shown.dedup();
    let n_more = shown.len().saturating_sub(MAX_CHOICES);
    shown.truncate(MAX_CHOICES);
    if n_more > 0 {
        shown.push(format!("{n_more} more"));
    }
    QueryError::Ambiguous {
        name: name.into(),
        choices: shown,
    }
}

/// Whether what a file defines are headings.
fn is_prose(language: Language, facts: &FileFacts) -> bool {
    let is_heading = |symbol: &Symbol| symbol.kind == SymbolKind::Heading;
    language == Language::Markdown
        || (!facts.symbols.is_empty() && facts.symbols.iter().all(is_heading))
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
            let mut nearest = near::members(&facts, &asked, MAX_NEAR);
            if is_prose(reader.row(file).language, &facts) {
                if nearest.is_empty() {
                    nearest = near::headings(&facts, MAX_NEAR);
                }
                return Ok(QueryError::NotFound {
                    what: format!("heading '{name}' in {}", reader.path(file)),
                    nearest,
                });
            }
            let room = MAX_NEAR - nearest.len();
            nearest.extend(near::elsewhere(reader, &asked, file, room)?);
            (format!(" in {}", reader.path(file)), nearest)
        }
        None => {
            // A name with a dot may be a file's.
            let nearest = near::definitions(reader, &asked, MAX_NEAR)?;
            let as_path = QueryError::no_path(reader, format!("'{name}'"), name);
            let is_file = match &as_path {
                QueryError::NotFound { nearest: paths, .. } => {
                    nearest.is_empty() && !paths.is_empty()
                }
                _ => true,
            };
            if name.contains('.') && is_file {
                return Ok(as_path);
            }
            (String::new(), nearest)
        }
    };
    Ok(QueryError::NotFound {
        what: format!("definition '{name}'{place}"),
        nearest,
    })
}
