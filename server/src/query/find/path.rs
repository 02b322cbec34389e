//! Paths: fuzzy find, and patterns that match none.
//!
//! The score of a path is the best way to find the query's characters in it, in order: characters in
//! the file name, at word starts and in one run count more; a shorter path wins, then byte order.

use crate::query::answer::{Body, Hit, PathEntry};
use crate::query::error::QueryError;
use crate::query::found::{Found, Page};
use crate::query::request::Search;
use crate::view::{FileId, View};
use leantoken_shared::path::PathSet;

/// Points of one matched character.
const HIT: i32 = 4;
/// Added when it follows the character matched before it.
const RUN: i32 = 8;
/// Added when it starts a word.
const WORD_START: i32 = 7;
/// Added when it lies in the file name.
const FILE_NAME: i32 = 3;
/// Added when the whole query is the file name, with or without extension.
const WHOLE_NAME: i32 = 60;
/// Most patterns that a notice repeats.
const MAX_PATTERNS: usize = 5;
/// Most characters of a query and of a path that are compared.
const MAX_CHARS: usize = 256;
const NONE: i32 = i32::MIN / 2;

/// Finds paths for a search in path mode.
pub(crate) fn search(view: &View, search: &Search, page: Page) -> Result<Found, QueryError> {
    let ranked = ranked(view, &search.text, &search.paths)?;
    let hits = page.of(&ranked).iter().map(|(score, file)| Hit {
        path: view.path(*file).to_string(),
        start_line: 1,
        end_line: view.row(*file).n_lines.max(1),
        score: Some(f64::from(*score)),
        lines_start: 1,
        ..Hit::default()
    });
    let total = ranked.len() as u64;
    Ok(Found::items(Body::Hits(hits.collect()), total, total))
}

/// Lists the paths that hold the characters of `query` in order, best first.
pub(crate) fn list(
    view: &View,
    query: &str,
    paths: &PathSet,
    page: Page,
) -> Result<Found, QueryError> {
    let ranked = ranked(view, query, paths)?;
    let entries = page.of(&ranked).iter().map(|(_, file)| entry(view, *file));
    let total = ranked.len() as u64;
    Ok(Found::items(Body::Paths(entries.collect()), total, total))
}

/// Describes one file of a listing.
pub(crate) fn entry(view: &View, file: FileId) -> PathEntry {
    let row = view.row(file);
    PathEntry {
        path: row.path.to_string(),
        language: row.language,
        class: row.class,
        n_lines: row.n_lines,
        size: row.size,
    }
}

fn ranked(view: &View, query: &str, paths: &PathSet) -> Result<Vec<(i32, FileId)>, QueryError> {
    let query = folded(query);
    if query.is_empty() {
        return Err(QueryError::invalid("query", "it is empty"));
    }
    let mut ranked: Vec<(i32, FileId)> = view
        .ids()
        .filter_map(|file| score(&query, view.path(file)).map(|score| (score, file)))
        .filter(|(_, file)| paths.contains(view.path(*file)))
        .collect();
    let len = |file: FileId| view.path(file).len();
    ranked.sort_unstable_by(|a, b| (b.0, len(a.1), a.1).cmp(&(a.0, len(b.1), b.1)));
    Ok(ranked)
}

/// Says that the patterns leave no file to look at, when that is so.
pub(crate) fn unmatched(view: &View, paths: &PathSet) -> Option<String> {
    let matches = |file: FileId| paths.contains(view.path(file));
    if paths.is_all() || view.ids().any(matches) {
        return None;
    }
    let patterns: Vec<&str> = paths.patterns().iter().map(String::as_str).collect();
    let shown = patterns[..patterns.len().min(MAX_PATTERNS)].join(", ");
    let more = if patterns.len() > MAX_PATTERNS {
        ", …"
    } else {
        ""
    };
    Some(format!("no indexed file matches the paths {shown}{more}"))
}

fn folded(query: &str) -> Vec<char> {
    let chars = query.chars().filter(|c| !c.is_whitespace());
    chars.flat_map(char::to_lowercase).take(MAX_CHARS).collect()
}

/// Returns the score of `path` for folded `query`, or `None` when a character is missing.
fn score(query: &[char], path: &str) -> Option<i32> {
    let shown: Vec<char> = path.chars().take(MAX_CHARS).collect();
    let chars: Vec<char> = shown
        .iter()
        .map(|c| c.to_lowercase().next().unwrap_or(*c))
        .collect();
    let mut rest = chars.iter();
    if !query.iter().all(|wanted| rest.any(|c| c == wanted)) {
        return None;
    }
    let name_start = chars.iter().rposition(|c| *c == '/').map_or(0, |at| at + 1);
    let bonus: Vec<i32> = (0..chars.len())
        .map(|at| {
            let start = at == 0
                || !shown[at - 1].is_alphanumeric()
                || (shown[at].is_uppercase() && shown[at - 1].is_lowercase());
            HIT + if start { WORD_START } else { 0 } + if at >= name_start { FILE_NAME } else { 0 }
        })
        .collect();
    // `ending[at]`: the best score of the characters so far with the last one at `at`.
    let mut ending = vec![NONE; chars.len()];
    for (nth, wanted) in query.iter().enumerate() {
        let mut next = vec![NONE; chars.len()];
        let mut best_before = if nth == 0 { 0 } else { NONE };
        for at in 0..chars.len() {
            if chars[at] == *wanted {
                let run = match at.checked_sub(1) {
                    Some(before) if nth > 0 => ending[before] + RUN,
                    _ => NONE,
                };
                let best = best_before.max(run);
                if best > NONE / 2 {
                    next[at] = best + bonus[at];
                }
            }
            if nth > 0 {
                best_before = best_before.max(ending[at]);
            }
        }
        ending = next;
    }
    let best = ending.into_iter().max().filter(|best| *best > NONE / 2)?;
    let name = &chars[name_start..];
    let stem_len = name.iter().position(|c| *c == '.').unwrap_or(name.len());
    let whole = name == query || &name[..stem_len] == query;
    Some(best + if whole { WHOLE_NAME } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(query: &str, paths: &[&str]) -> Vec<String> {
        let query = folded(query);
        let mut found: Vec<_> = paths
            .iter()
            .filter_map(|path| score(&query, path).map(|score| (-score, path.len(), *path)))
            .collect();
        found.sort_unstable();
        found
            .into_iter()
            .map(|(_, _, path)| path.to_string())
            .collect()
    }

    #[test]
    fn file_names_and_word_starts_come_first() {
        let paths = [
            "parse/tree/args.txt",
            "src/parser.rs",
            "lib/sparse.rs",
            "src/x.rs",
        ];
        assert_eq!(order("parser", &paths)[0], "src/parser.rs");
        assert_eq!(order("pars", &paths)[0], "src/parser.rs");
        assert_eq!(order("zzz", &paths), [""; 0]);
        assert_eq!(
            order("fb", &["src/fooBar.ts", "src/fab.ts", "src/foo_bar_baz.ts"])[0],
            "src/fooBar.ts"
        );
        assert_eq!(
            order("query", &["query/mod.rs", "a/b/query.rs"])[0],
            "a/b/query.rs"
        );
    }
}
