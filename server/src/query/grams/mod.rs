//! Patterns to boolean queries over byte trigrams: which files can hold a match at all.
//!
//! Not here: reading postings and matching. [`plan`] walks the parsed pattern and keeps, for each
//! part, what every match of it must begin with, end with and contain. The stored grams are the
//! three-byte windows of a text, ASCII letters lower-cased, windows with CR or LF left out; other
//! bytes, those of non-ASCII characters included, stand as they are.
//!
//! Invariant: a file that holds a match satisfies the query. The reverse need not hold.
//! Bounds: strings per set, characters per class and grams per query; past them the query gets weaker.

mod query;

pub(crate) use query::GramQuery;

use query::MAX_GRAMS;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};
use std::collections::BTreeSet;

/// Most strings in one set of alternatives.
const MAX_STRINGS: usize = 16;
/// Most bytes of one string of an exact set; longer ones are turned into grams.
const MAX_STRING_BYTES: usize = 48;
/// Copies of a repeated part that are looked at.
const MAX_COPIES: u32 = 3;

type Strings = BTreeSet<Vec<u8>>;

/// Returns which grams a text must hold for `pattern` to match in it.
pub(crate) fn plan(pattern: &Hir) -> GramQuery {
    let query = analyze(pattern).into_query().simplify();
    if query.n_grams() > MAX_GRAMS {
        GramQuery::All
    } else {
        query
    }
}

/// What is known of every match of a part of a pattern.
enum Part {
    /// A match is one of these strings (folded).
    Exact(Strings),
    /// A match begins with one string of `prefix`, ends with one of `suffix` and satisfies `query`.
    Inner {
        prefix: Strings,
        suffix: Strings,
        query: GramQuery,
    },
}

impl Part {
    fn empty() -> Self {
        Part::Exact(Strings::from([Vec::new()]))
    }

    /// Something of which nothing is known.
    fn anything() -> Self {
        Part::Inner {
            prefix: Strings::from([Vec::new()]),
            suffix: Strings::from([Vec::new()]),
            query: GramQuery::All,
        }
    }

    fn into_query(self) -> GramQuery {
        match self {
            Part::Exact(strings) => GramQuery::any_of(&strings),
            Part::Inner {
                prefix,
                suffix,
                query,
            } => query
                .and(GramQuery::any_of(&prefix))
                .and(GramQuery::any_of(&suffix)),
        }
    }

    /// Gives up exactness: what is known goes into the query, the borders stay.
    fn into_inner(self) -> (Strings, Strings, GramQuery) {
        match self {
            Part::Exact(strings) => {
                let query = GramQuery::any_of(&strings);
                (prefixes(&strings), suffixes(&strings), query)
            }
            Part::Inner {
                prefix,
                suffix,
                query,
            } => (prefix, suffix, query),
        }
    }
}

fn analyze(hir: &Hir) -> Part {
    match hir.kind() {
        // Looking around consumes nothing; not to look only makes the query weaker.
        HirKind::Empty | HirKind::Look(_) => Part::empty(),
        HirKind::Literal(literal) => Part::Exact(Strings::from([fold(&literal.0)])).bounded(),
        HirKind::Class(class) => expand(class).map_or_else(Part::anything, Part::Exact),
        HirKind::Capture(capture) => analyze(&capture.sub),
        HirKind::Repetition(repetition) => repeat(repetition),
        HirKind::Concat(parts) => parts
            .iter()
            .map(analyze)
            .reduce(concat)
            .unwrap_or_else(Part::empty),
        HirKind::Alternation(parts) => parts
            .iter()
            .map(analyze)
            .reduce(alternate)
            .unwrap_or_else(|| Part::Exact(Strings::new())),
    }
}

fn repeat(repetition: &Repetition) -> Part {
    let one = || analyze(&repetition.sub);
    if repetition.min == 0 {
        return match repetition.max {
            Some(0) => Part::empty(),
            Some(1) => alternate(one(), Part::empty()),
            _ => Part::anything(),
        };
    }
    let copies = repetition.min.min(MAX_COPIES);
    let mut part = one();
    for _ in 1..copies {
        part = concat(part, one());
    }
    if repetition.max == Some(copies) {
        return part;
    }
    // More copies may stand between the first and the last ones.
    let (prefix, suffix, query) = part.into_inner();
    Part::Inner {
        prefix,
        suffix,
        query,
    }
}

fn concat(left: Part, right: Part) -> Part {
    match (left, right) {
        (Part::Exact(left), Part::Exact(right))
            if left.len().saturating_mul(right.len()) <= MAX_STRINGS =>
        {
            Part::Exact(cross(&left, &right)).bounded()
        }
        // No string at all: this part cannot match.
        (Part::Exact(none), _) | (_, Part::Exact(none)) if none.is_empty() => Part::Exact(none),
        (left, right) => {
            let left_exact = exact(&left);
            let right_exact = exact(&right);
            let (left_prefix, left_suffix, left_query) = left.into_inner();
            let (right_prefix, right_suffix, right_query) = right.into_inner();
            // What stands across the border.
            let border = cross_bounded(&left_suffix, &right_prefix, suffixes, prefixes);
            let query = left_query.and(right_query).and(GramQuery::any_of(&border));
            let prefix = match left_exact {
                Some(strings) => cross_bounded(&strings, &right_prefix, |s| s.clone(), prefixes),
                None => left_prefix,
            };
            let suffix = match right_exact {
                Some(strings) => cross_bounded(&left_suffix, &strings, suffixes, |s| s.clone()),
                None => right_suffix,
            };
            Part::Inner {
                query: query
                    .and(GramQuery::any_of(&prefix))
                    .and(GramQuery::any_of(&suffix)),
                prefix: prefixes(&prefix),
                suffix: suffixes(&suffix),
            }
        }
    }
}

fn exact(part: &Part) -> Option<Strings> {
    match part {
        Part::Exact(strings) => Some(strings.clone()),
        Part::Inner { .. } => None,
    }
}

fn alternate(left: Part, right: Part) -> Part {
    match (left, right) {
        (Part::Exact(mut left), Part::Exact(right))
            if left.union(&right).count() <= MAX_STRINGS =>
        {
            left.extend(right);
            Part::Exact(left)
        }
        (Part::Exact(none), part) | (part, Part::Exact(none)) if none.is_empty() => part,
        (left, right) => {
            let (mut prefix, mut suffix, query) = left.into_inner();
            let (right_prefix, right_suffix, right_query) = right.into_inner();
            prefix.extend(right_prefix);
            suffix.extend(right_suffix);
            Part::Inner {
                prefix: prefixes(&prefix),
                suffix: suffixes(&suffix),
                query: query.or(right_query),
            }
        }
    }
}

impl Part {
    /// Turns an exact set with long strings into borders and a query.
    fn bounded(self) -> Self {
        match self {
            Part::Exact(strings) if strings.iter().any(|s| s.len() > MAX_STRING_BYTES) => {
                Part::Inner {
                    prefix: prefixes(&strings),
                    suffix: suffixes(&strings),
                    query: GramQuery::any_of(&strings),
                }
            }
            part => part,
        }
    }
}

/// The first two bytes of each string, or fewer where that makes the set small enough.
fn prefixes(strings: &Strings) -> Strings {
    shortened(strings, |s, keep| &s[..s.len().min(keep)])
}

/// The last two bytes of each string, or fewer where that makes the set small enough.
fn suffixes(strings: &Strings) -> Strings {
    shortened(strings, |s, keep| &s[s.len() - s.len().min(keep)..])
}

fn shortened(strings: &Strings, cut: impl Fn(&[u8], usize) -> &[u8]) -> Strings {
    for keep in [2, 1] {
        let short: Strings = strings.iter().map(|s| cut(s, keep).to_vec()).collect();
        if short.len() <= MAX_STRINGS {
            return short;
        }
    }
    Strings::from([Vec::new()])
}

fn cross(left: &Strings, right: &Strings) -> Strings {
    let mut out = Strings::new();
    for head in left {
        for tail in right {
            out.insert([head.as_slice(), tail].concat());
        }
    }
    out
}

/// The cross product, with whichever side shortened that keeps it small; `{""}` when nothing does.
fn cross_bounded(
    left: &Strings,
    right: &Strings,
    left_end: impl Fn(&Strings) -> Strings,
    right_start: impl Fn(&Strings) -> Strings,
) -> Strings {
    let (left, right) = (left_end(left), right_start(right));
    if left.len().saturating_mul(right.len()) <= MAX_STRINGS * MAX_STRINGS {
        return cross(&left, &right);
    }
    Strings::from([Vec::new()])
}

/// The strings of a small class, or `None` for a large one.
fn expand(class: &Class) -> Option<Strings> {
    let mut out = Strings::new();
    match class {
        Class::Unicode(class) => {
            for range in class.iter() {
                for c in range.start()..=range.end() {
                    out.insert(fold(c.encode_utf8(&mut [0; 4]).as_bytes()));
                    if out.len() > MAX_STRINGS {
                        return None;
                    }
                }
            }
        }
        Class::Bytes(class) => {
            for range in class.iter() {
                for byte in range.start()..=range.end() {
                    out.insert(fold(&[byte]));
                    if out.len() > MAX_STRINGS {
                        return None;
                    }
                }
            }
        }
    }
    Some(out)
}

fn fold(bytes: &[u8]) -> Vec<u8> {
    bytes.to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
