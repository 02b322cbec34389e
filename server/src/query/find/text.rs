//! Every line that holds a text or matches a pattern.
//!
//! Not here: patterns (see `pattern`) and which files can match (see `grams`). One pass over the
//! candidate files counts, complete and in parallel; only the files of the wanted page are searched a
//! second time for their places. Semantics are ripgrep's: a hit is a matching line.

use super::pattern::{Pattern, looks_like_regex};
use crate::query::answer::{Body, Hit};
use crate::query::deadline::Deadline;
use crate::query::error::QueryError;
use crate::query::excerpt::{MAX_HIT_CHARS, Source};
use crate::query::found::{Found, Page};
use crate::query::parallel::map_files;
use crate::query::request::{Search, SearchMode};
use crate::view::{FileId, Reader, View};
use grep_matcher::{LineTerminator, Matcher};
use grep_regex::RegexMatcher;
use grep_searcher::{MmapChoice, Searcher, SearcherBuilder, Sink, SinkMatch};
use leantoken_shared::facts::FileFacts;
use leantoken_shared::text::ByteRange;
use std::io;

/// Most lines of context on each side.
const MAX_CONTEXT_LINES: u32 = 50;

/// Finds all matching lines of the searched paths, in path order.
pub(crate) fn find(
    view: &View,
    search: &Search,
    page: Page,
    deadline: &Deadline,
) -> Result<Found, QueryError> {
    let pattern = Pattern::new(search)?;
    let files = candidates(view, search, &pattern)?;
    let counts = if pattern.every_line {
        let lines = files.iter().map(|file| u64::from(view.row(*file).n_lines));
        lines.collect()
    } else {
        map_files(
            view,
            &files,
            deadline,
            || (searcher(), pattern.matcher.clone()),
            |(searcher, matcher), reader, file| count(searcher, matcher, &reader.text(file)?),
        )?
    };
    let total = counts.iter().sum();
    let total_files = counts.iter().filter(|count| **count > 0).count() as u64;
    let hits = page_hits(
        view,
        search,
        &pattern.matcher,
        page,
        &files,
        &counts,
        deadline,
    )?;
    let mut found = Found::items(Body::Hits(hits), total, total_files);
    if total == 0 && search.mode == SearchMode::Text && looks_like_regex(&search.text) {
        let notice =
            "the query was taken literally; it looks like a regular expression (mode regex)";
        found.notices.push(notice.into());
    }
    Ok(found)
}

/// Counts the matching lines of the files that `keep` admits.
pub(super) fn count_lines(
    view: &View,
    search: &Search,
    keep: &(dyn Fn(&Reader<'_>, FileId) -> Result<bool, QueryError> + Sync),
    deadline: &Deadline,
) -> Result<u64, QueryError> {
    let pattern = Pattern::new(search)?;
    let files = candidates(view, search, &pattern)?;
    let counts = map_files(
        view,
        &files,
        deadline,
        || (searcher(), pattern.matcher.clone()),
        |(searcher, matcher), reader, file| {
            if keep(reader, file)? {
                count(searcher, matcher, &reader.text(file)?)
            } else {
                Ok(0)
            }
        },
    )?;
    Ok(counts.iter().sum())
}

/// Returns the searched files that the plan admits.
fn candidates(view: &View, search: &Search, pattern: &Pattern) -> Result<Vec<FileId>, QueryError> {
    let reader = view.reader()?;
    let planned = pattern.plan.files(&mut |gram| reader.gram(gram))?;
    let mut files = planned.unwrap_or_else(|| view.ids().collect());
    if !search.paths.is_all() {
        files.retain(|file| search.paths.contains(view.path(*file)));
    }
    Ok(files)
}

fn searcher() -> Searcher {
    SearcherBuilder::new()
        .line_terminator(LineTerminator::crlf())
        .line_number(false)
        .bom_sniffing(false)
        .memory_map(MmapChoice::never())
        .build()
}

/// Calls `each` with the byte range of every matching line (line end included) until it says stop.
fn each_line(
    searcher: &mut Searcher,
    matcher: &RegexMatcher,
    text: &str,
    each: impl FnMut(ByteRange) -> bool,
) -> Result<(), QueryError> {
    struct Lines<F>(F);
    impl<F: FnMut(ByteRange) -> bool> Sink for Lines<F> {
        type Error = io::Error;

        fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
            let start = found.absolute_byte_offset() as u32;
            Ok((self.0)(ByteRange::new(
                start,
                start + found.bytes().len() as u32,
            )))
        }
    }
    searcher
        .search_slice(matcher, text.as_bytes(), Lines(each))
        .map_err(|error| QueryError::invalid("query", format!("the search gave up: {error}")))
}

fn count(searcher: &mut Searcher, matcher: &RegexMatcher, text: &str) -> Result<u64, QueryError> {
    let mut count = 0;
    each_line(searcher, matcher, text, |_| {
        count += 1;
        true
    })?;
    Ok(count)
}

/// Returns the wanted hits. `counts` belongs to `files`.
fn page_hits(
    view: &View,
    search: &Search,
    matcher: &RegexMatcher,
    page: Page,
    files: &[FileId],
    counts: &[u64],
    deadline: &Deadline,
) -> Result<Vec<Hit>, QueryError> {
    let reader = view.reader()?;
    let mut searcher = searcher();
    let mut hits = Vec::new();
    let mut before = 0;
    for (file, count) in files.iter().zip(counts) {
        let missing = page.limit - hits.len();
        let skip = page.skip.saturating_sub(before);
        before += *count as usize;
        if missing == 0 {
            break;
        }
        if *count == 0 || before <= page.skip {
            continue;
        }
        deadline.check()?;
        let source = Source::new(reader.text(*file)?);
        let mut lines = Vec::new();
        let mut seen = 0;
        each_line(&mut searcher, matcher, &source.text, |line| {
            seen += 1;
            if seen > skip {
                lines.push(line);
            }
            lines.len() < missing
        })?;
        let facts = reader.facts(*file)?;
        for line in lines {
            hits.push(line_hit(
                &reader,
                *file,
                &source,
                &facts,
                line,
                |text| {
                    let found = matcher.find(text.as_bytes()).ok().flatten();
                    found.map_or(0..0, |found| found.start()..found.end())
                },
                search.context_lines,
            ));
        }
    }
    Ok(hits)
}

/// Presents one line of a file; `locate` finds what matters within the line.
pub(super) fn line_hit(
    reader: &Reader<'_>,
    file: FileId,
    source: &Source,
    facts: &FileFacts,
    line: ByteRange,
    locate: impl Fn(&str) -> std::ops::Range<usize>,
    context_lines: u32,
) -> Hit {
    let number = source.lines.line_of(line.start);
    let text = source.line(number);
    let found = locate(text);
    let focus = ByteRange::new(
        line.start + found.start as u32,
        line.start + found.end as u32,
    );
    let context = context_lines.min(MAX_CONTEXT_LINES);
    let shown = source.show(
        number.saturating_sub(context),
        number.saturating_add(context),
        focus,
        MAX_HIT_CHARS,
    );
    Hit {
        path: reader.path(file).to_string(),
        start_line: number,
        end_line: number,
        column: source.lines.column_of(&source.text, focus.start),
        symbol: enclosing(facts, focus.start).map(|at| facts.qualified_name(at)),
        lines: shown.lines,
        lines_start: shown.start,
        cut_bytes: shown.cut_bytes,
        ..Hit::default()
    }
}

/// Returns the innermost definition whose range holds `offset`.
pub(super) fn enclosing(facts: &FileFacts, offset: u32) -> Option<u32> {
    let mut innermost = None;
    for (at, symbol) in facts.symbols.iter().enumerate() {
        // Ordered by start, outer before inner: the last one that holds the offset is innermost.
        if symbol.range.start > offset {
            break;
        }
        if offset < symbol.range.end {
            innermost = Some(at as u32);
        }
    }
    innermost
}
