//! What is spelled nearly like a name or path that does not exist.
//!
//! Not here: looking up what exists. A suggestion is one slip or two away, in the spelling of its own
//! file; what is farther away is no help. Bound: the names of the view are looked at once.

use super::name::NameQuery;
use crate::query::error::QueryError;
use crate::view::{FileId, Reader, View};
use leantoken_shared::facts::{FileFacts, SymbolKind};
use leantoken_shared::terms::fold_name;
use rustc_hash::FxHashSet;

/// Longest name that is compared, in characters.
const MAX_CHARS: usize = 80;
/// Most files that are opened to see how a name is written.
const MAX_OPENED: usize = 4;
/// Shortest beginning of a name that suggests the name.
const MIN_PREFIX: usize = 3;
/// Shortest part of a file name that suggests the file.
const MIN_PART: usize = 4;
/// Most slips in a whole path; more of them are another path.
const MAX_PATH_SLIPS: usize = 8;

/// Returns at most `n` definitions whose names are nearly the one asked for, nearest first, qualified.
pub(crate) fn definitions(
    view: &View,
    query: &NameQuery,
    n: usize,
) -> Result<Vec<String>, QueryError> {
    let asked: Vec<char> = query.last_folded().chars().collect();
    let reader = view.reader()?;
    let mut near: Vec<(usize, String)> = Vec::new();
    reader.all_symbol_names(|name| {
        // What begins like it may be what is meant, but what differs by a slip is so rather.
        let longer = asked.len() >= MIN_PREFIX && name.starts_with(query.last_folded());
        let rank = distance(&asked, name).or_else(|| longer.then_some(MAX_CHARS + name.len()));
        near.extend(rank.map(|rank| (rank, name.to_string())));
    })?;
    near.sort_unstable();
    near.dedup();
    let mut out: Vec<String> = Vec::new();
    for (_, folded) in near {
        if out.len() >= n {
            break;
        }
        let name = spelled(&reader, &folded)?;
        out.extend(name.filter(|name| !name.is_empty() && !out.contains(name)));
    }
    Ok(out)
}

/// Returns a name as a definition of it is written, qualified; of code where there is any. Names of
/// dead files have no definition.
fn spelled(reader: &Reader<'_>, folded: &str) -> Result<Option<String>, QueryError> {
    let mut heading = None;
    for posting in reader.symbol_name(folded)?.iter().take(MAX_OPENED) {
        let facts = reader.facts(posting.file)?;
        for at in &posting.symbols {
            let kind = facts.symbols.get(*at as usize).map(|symbol| symbol.kind);
            let name = facts.qualified_name(*at);
            if kind != Some(SymbolKind::Heading) {
                return Ok(Some(name));
            }
            heading.get_or_insert(name);
        }
    }
    Ok(heading)
}

/// Returns at most `n` definitions of one file that are nearly or partly the one asked for.
pub(crate) fn members(facts: &FileFacts, query: &NameQuery, n: usize) -> Vec<String> {
    let folded = query.last_folded();
    let asked: Vec<char> = folded.chars().collect();
    let mut near: Vec<(usize, u32)> = Vec::new();
    for (symbol, at) in facts.symbols.iter().zip(0..) {
        let own = fold_name(facts.names.get(symbol.name));
        let is_part = |part: &str, whole: &str| part.len() >= MIN_PART && whole.contains(part);
        let holds = is_part(folded, &own) || is_part(&own, folded);
        let rank = distance(&asked, &own).or_else(|| holds.then_some(MAX_CHARS));
        near.extend(rank.map(|rank| (rank, at)));
    }
    near.sort_unstable();
    let mut seen = FxHashSet::default();
    let names = near.iter().map(|(_, at)| facts.qualified_name(*at));
    names
        .filter(|name| seen.insert(name.clone()))
        .take(n)
        .collect()
}

/// Returns the first `n` headings of a file.
pub(crate) fn headings(facts: &FileFacts, n: usize) -> Vec<String> {
    let symbols = facts.symbols.iter().zip(0..);
    let headings = symbols.filter(|(symbol, _)| symbol.kind == SymbolKind::Heading);
    headings
        .map(|(_, at)| facts.qualified_name(at))
        .take(n)
        .collect()
}

/// Returns at most `n` files and directories near a path that does not exist, nearest first: of the
/// same name elsewhere, of nearly that name, with that name in theirs; of those, paths that differ by few
/// slips in all come first.
pub(crate) fn paths(view: &View, path: &str, n: usize) -> Vec<String> {
    let path = path.trim_end_matches('/');
    let name = fold_name(path.rsplit('/').next().unwrap_or(path));
    let asked: Vec<char> = name.chars().collect();
    let whole: Vec<char> = path.to_lowercase().chars().collect();
    let mut found: Vec<((usize, usize, usize), &str)> = Vec::new();
    let mut directories: FxHashSet<&str> = FxHashSet::default();
    let consider = |known: &str| -> Option<(usize, usize, usize)> {
        let own = fold_name(known.rsplit('/').next().unwrap_or(known));
        let tier = tier(&asked, &name, &own)?;
        let slips = path_slips(&whole, known).unwrap_or(MAX_PATH_SLIPS + 1);
        Some((tier, slips, unlike(path, known)))
    };
    for file in view.ids() {
        let known = view.path(file);
        found.extend(consider(known).map(|rank| (rank, known)));
        let mut parent = view.row(file).path.parent();
        while !parent.is_empty() && directories.insert(parent) {
            found.extend(consider(parent).map(|rank| (rank, parent)));
            parent = parent.rsplit_once('/').map_or("", |(parent, _)| parent);
        }
    }
    found.sort_unstable();
    let found = found.into_iter().take(n);
    found.map(|(_, known)| known.to_string()).collect()
}

/// Returns how near the name of a file is to the one asked for; less is nearer.
fn tier(asked: &[char], name: &str, own: &str) -> Option<usize> {
    if own == name {
        return Some(0);
    }
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_string();
    let (asked_stem, own_stem) = (stem(name), stem(own));
    if let Some(distance) = distance(asked, own) {
        return Some(distance);
    }
    // An extension is a word of its own: what it differs in says nothing about the name.
    let has_extension = name.contains('.');
    if asked_stem == own_stem && asked_stem.len() >= MIN_PART {
        return Some(3);
    }
    if !has_extension && own_stem == *name {
        return Some(3);
    }
    (asked_stem.len() >= MIN_PART && own_stem.contains(&asked_stem)).then_some(4)
}

/// Returns how many folders two paths do not share, counted from the end.
fn unlike(asked: &str, known: &str) -> usize {
    let (asked, known): (Vec<&str>, Vec<&str>) =
        (asked.split('/').collect(), known.split('/').collect());
    let pairs = asked.iter().rev().zip(known.iter().rev()).skip(1);
    let same = pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    asked.len().max(known.len()) - same
}

/// Returns the slips between two whole paths, when they are few for their length.
fn path_slips(asked: &[char], known: &str) -> Option<usize> {
    let known: Vec<char> = known.to_lowercase().chars().collect();
    let most = (asked.len() / MIN_PART).min(MAX_PATH_SLIPS);
    let pairs = asked.iter().zip(&known);
    let start = pairs.take_while(|(a, b)| a == b).count();
    let (asked, known) = (&asked[start..], &known[start..]);
    let pairs = asked.iter().rev().zip(known.iter().rev());
    let end = pairs.take_while(|(a, b)| a == b).count();
    slips(
        &asked[..asked.len() - end],
        &known[..known.len() - end],
        most,
    )
}

/// Returns the number of slips between two folded names, when it is small for their length.
fn distance(asked: &[char], name: &str) -> Option<usize> {
    let most = match asked.len() {
        0..=3 => return None,
        4..=5 => 1,
        6..=11 => 2,
        _ => 3,
    };
    if asked.len() > MAX_CHARS || name.len() > MAX_CHARS * 4 {
        return None;
    }
    slips(asked, &name.chars().collect::<Vec<_>>(), most)
}

/// Returns the number of slips (a letter added, dropped, changed, or two swapped) when it is at most
/// `most`.
fn slips(asked: &[char], name: &[char], most: usize) -> Option<usize> {
    if name.len().abs_diff(asked.len()) > most {
        return None;
    }
    let width = name.len() + 1;
    // The rows of the two letters before and of this one.
    let mut rows = [vec![0; width], (0..width).collect(), vec![0; width]];
    for (i, a) in asked.iter().enumerate() {
        rows[2][0] = i + 1;
        for (j, b) in name.iter().enumerate() {
            let change = rows[1][j] + usize::from(a != b);
            let mut least = change.min(rows[1][j + 1] + 1).min(rows[2][j] + 1);
            if i > 0 && j > 0 && asked[i - 1] == *b && name[j - 1] == *a {
                least = least.min(rows[0][j - 1] + 1);
            }
            rows[2][j + 1] = least;
        }
        if rows[2].iter().min().is_some_and(|least| *least > most) {
            return None;
        }
        rows.rotate_left(1);
    }
    Some(rows[1][width - 1]).filter(|distance| *distance <= most)
}

/// Returns definitions of the very name in other files, each as `path#name`, at most `n`.
pub(crate) fn elsewhere(
    reader: &Reader<'_>,
    query: &NameQuery,
    not: FileId,
    n: usize,
) -> Result<Vec<String>, QueryError> {
    let mut out = Vec::new();
    for posting in reader.symbol_name(query.last_folded())? {
        if posting.file == not || out.len() >= n {
            continue;
        }
        let facts = reader.facts(posting.file)?;
        let name = posting.symbols.first().map(|at| facts.qualified_name(*at));
        let path = reader.path(posting.file);
        out.extend(name.map(|name| format!("{path}#{name}")));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(asked: &str, name: &str) -> Option<usize> {
        distance(&asked.chars().collect::<Vec<_>>(), name)
    }

    #[test]
    fn slips_are_counted_and_far_names_are_none() {
        assert_eq!(apart("performevictoins", "performevictions"), Some(1));
        assert_eq!(apart("evct.c", "evict.c"), Some(1));
        assert_eq!(apart("abcd", "abdc"), Some(1));
        assert_eq!(apart("abcd", "xycd"), None);
        assert_eq!(apart("gif", "if"), None);
        assert_eq!(apart("ab", "abc"), None);
        assert_eq!(apart("a.gif", "asciilogo.h"), None);
        assert_eq!(apart("deadline", "deadline"), Some(0));
    }
}
