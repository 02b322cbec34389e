//! Uses of a name, definitions excluded, in path order.
//!
//! Not here: which definition a use means. A use of another thing with the same name is a use.

use super::fold_case;
use super::name::NameQuery;
use super::text::{self, line_hit};
use crate::query::answer::{Body, Hit};
use crate::query::deadline::Deadline;
use crate::query::error::QueryError;
use crate::query::excerpt::Source;
use crate::query::found::{Found, Page};
use crate::query::parallel::map_files;
use crate::query::request::{CaseMode, Search, SearchMode};
use crate::view::{FileId, Reader, View};
use leantoken_shared::facts::{FileFacts, Reference};
use leantoken_shared::terms::fold_name;

/// Finds all uses of the searched name.
pub(crate) fn find(
    view: &View,
    search: &Search,
    page: Page,
    deadline: &Deadline,
) -> Result<Found, QueryError> {
    let query = NameQuery::new(&search.text)?;
    let name = query.last();
    let folds = fold_case(search.case, name);
    let mut files = view.reader()?.reference_name(&fold_name(name))?;
    files.retain(|file| search.paths.contains(view.path(*file)));
    let folded = fold_name(name);
    let uses = map_files(
        view,
        &files,
        deadline,
        || (),
        |(), reader, file| {
            let facts = reader.facts(file)?;
            let named = named(&facts, name, folds.then_some(folded.as_str()));
            Ok(facts
                .references
                .iter()
                .filter(|reference| named.contains(&reference.name.0))
                .copied()
                .collect::<Vec<Reference>>())
        },
    )?;
    let total = uses.iter().map(|uses| uses.len() as u64).sum();
    let total_files = uses.iter().filter(|uses| !uses.is_empty()).count() as u64;
    let hits = page_hits(
        view,
        search,
        page,
        files.iter().copied().zip(&uses),
        deadline,
    )?;
    let mut found = Found::items(Body::Hits(hits), total, total_files);
    found
        .notices
        .extend(unparsed(view, search, name, deadline)?);
    if query.is_qualified() {
        found.notices.push(format!(
            "uses of the name '{name}' are listed whatever they are qualified with"
        ));
    }
    Ok(found)
}

/// Says how many lines hold the word in files whose uses nobody gathered: text, data, what could not
/// be parsed.
fn unparsed(
    view: &View,
    search: &Search,
    name: &str,
    deadline: &Deadline,
) -> Result<Option<String>, QueryError> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let edge = |c: Option<char>| if c.is_some_and(is_word) { r"\b" } else { "" };
    let (before, after) = (edge(name.chars().next()), edge(name.chars().next_back()));
    let case = if fold_case(search.case, name) {
        CaseMode::Insensitive
    } else {
        CaseMode::Sensitive
    };
    let lines = Search {
        text: format!("{before}{}{after}", regex_syntax::escape(name)),
        mode: SearchMode::Regex,
        case,
        ..search.clone()
    };
    let keep = |reader: &Reader<'_>, file: FileId| -> Result<bool, QueryError> {
        Ok(reader.facts(file)?.references.is_empty())
    };
    let n = text::count_lines(view, &lines, &keep, deadline)?;
    let lines = if n == 1 { "line" } else { "lines" };
    Ok((n > 0).then(|| {
        let hold = if n == 1 { "holds" } else { "hold" };
        format!("{n} {lines} of files without reference facts {hold} the word; see mode text")
    }))
}

/// Returns the ids of the names that count as `name`: itself, or all that fold to `folded`.
fn named(facts: &FileFacts, name: &str, folded: Option<&str>) -> Vec<u32> {
    match folded {
        None => facts.names.find(name).map(|id| id.0).into_iter().collect(),
        Some(folded) => facts
            .names
            .iter()
            .enumerate()
            .filter(|(_, other)| folds_to(other, folded))
            .map(|(id, _)| id as u32)
            .collect(),
    }
}

/// Whether `name` folds to `folded`; most names are told apart without folding them.
fn folds_to(name: &str, folded: &str) -> bool {
    if name.is_ascii() {
        return name.eq_ignore_ascii_case(folded);
    }
    fold_name(name) == folded
}

fn page_hits<'a>(
    view: &View,
    search: &Search,
    page: Page,
    uses: impl Iterator<Item = (u32, &'a Vec<Reference>)>,
    deadline: &Deadline,
) -> Result<Vec<Hit>, QueryError> {
    let reader = view.reader()?;
    let mut hits = Vec::new();
    let mut before = 0;
    for (file, uses) in uses {
        let wanted = Page {
            skip: page.skip.saturating_sub(before),
            limit: page.limit - hits.len(),
        };
        before += uses.len();
        let wanted = wanted.of(uses);
        if wanted.is_empty() {
            continue;
        }
        deadline.check()?;
        let source = Source::new(reader.text(file)?);
        let facts = reader.facts(file)?;
        for reference in wanted {
            let number = source.lines.line_of(reference.range.start);
            let line = source.lines.line_bytes(number).unwrap_or_default();
            let start = reference.range.start.saturating_sub(line.start) as usize;
            let locate = |_: &str| start..start + reference.range.len() as usize;
            let mut hit = line_hit(
                &reader,
                file,
                &source,
                &facts,
                line,
                locate,
                search.context_lines,
            );
            hit.usage = Some(reference.kind);
            hit.symbol = reference.enclosing.map(|at| facts.qualified_name(at));
            hits.push(hit);
        }
    }
    Ok(hits)
}
