//! A boolean combination of grams, and how it is evaluated over postings.

use std::collections::BTreeSet;

/// Most grams in one query.
pub(super) const MAX_GRAMS: usize = 192;
/// Most grams taken from one string; of longer strings, evenly spread ones.
const MAX_GRAMS_PER_STRING: usize = 12;

/// Which grams a text must hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GramQuery {
    /// Every text satisfies it.
    All,
    /// No text satisfies it.
    None,
    /// The text holds the gram.
    Gram([u8; 3]),
    /// The text satisfies all of these.
    And(Vec<GramQuery>),
    /// The text satisfies at least one of these.
    Or(Vec<GramQuery>),
}

impl GramQuery {
    /// Returns the query of texts that hold at least one of `strings`.
    pub(super) fn any_of(strings: &BTreeSet<Vec<u8>>) -> Self {
        strings
            .iter()
            .map(|string| GramQuery::string(string))
            .fold(GramQuery::None, GramQuery::or)
    }

    fn string(string: &[u8]) -> Self {
        let n_windows = string.len().saturating_sub(2);
        let step = n_windows.div_ceil(MAX_GRAMS_PER_STRING).max(1);
        string
            .windows(3)
            .enumerate()
            .filter(|(at, _)| at % step == 0 || at + 1 == n_windows)
            .filter_map(|(_, window)| window.try_into().ok())
            .filter(|gram: &[u8; 3]| !gram.iter().any(|b| matches!(b, b'\r' | b'\n')))
            .fold(GramQuery::All, |query, gram| {
                query.and(GramQuery::Gram(gram))
            })
    }

    /// Returns the query that both must satisfy.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (GramQuery::None, _) | (_, GramQuery::None) => GramQuery::None,
            (GramQuery::All, query) | (query, GramQuery::All) => query,
            (left, right) => {
                let mut parts = Vec::new();
                for query in [left, right] {
                    match query {
                        GramQuery::And(inner) => parts.extend(inner),
                        query => parts.push(query),
                    }
                }
                parts.sort();
                parts.dedup();
                GramQuery::And(parts)
            }
        }
    }

    /// Returns the query that one of both must satisfy.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (GramQuery::All, _) | (_, GramQuery::All) => GramQuery::All,
            (GramQuery::None, query) | (query, GramQuery::None) => query,
            (left, right) => {
                let mut parts = Vec::new();
                for query in [left, right] {
                    match query {
                        GramQuery::Or(inner) => parts.extend(inner),
                        query => parts.push(query),
                    }
                }
                parts.sort();
                parts.dedup();
                GramQuery::Or(parts)
            }
        }
    }

    /// Returns an equal query without single-part combinations.
    pub(super) fn simplify(self) -> Self {
        match self {
            GramQuery::And(parts) => parts
                .into_iter()
                .map(GramQuery::simplify)
                .reduce(GramQuery::and)
                .unwrap_or(GramQuery::All),
            GramQuery::Or(parts) => parts
                .into_iter()
                .map(GramQuery::simplify)
                .reduce(GramQuery::or)
                .unwrap_or(GramQuery::None),
            query => query,
        }
        .unwrap_single()
    }

    fn unwrap_single(self) -> Self {
        match self {
            GramQuery::And(mut parts) | GramQuery::Or(mut parts) if parts.len() == 1 => {
                parts.remove(0)
            }
            query => query,
        }
    }

    /// Returns the number of grams in the query.
    pub(super) fn n_grams(&self) -> usize {
        match self {
            GramQuery::All | GramQuery::None => 0,
            GramQuery::Gram(_) => 1,
            GramQuery::And(parts) | GramQuery::Or(parts) => {
                parts.iter().map(GramQuery::n_grams).sum()
            }
        }
    }

    /// Returns the files that satisfy the query, ascending; `None` means all files. `lookup` returns
    /// the ascending files that hold one gram.
    ///
    /// # Errors
    /// Whatever `lookup` fails with.
    pub(crate) fn files<E>(
        &self,
        lookup: &mut dyn FnMut([u8; 3]) -> Result<Vec<u32>, E>,
    ) -> Result<Option<Vec<u32>>, E> {
        Ok(match self {
            GramQuery::All => None,
            GramQuery::None => Some(Vec::new()),
            GramQuery::Gram(gram) => Some(lookup(*gram)?),
            GramQuery::And(parts) => {
                let mut found: Option<Vec<u32>> = None;
                for part in parts {
                    let Some(files) = part.files(lookup)? else {
                        continue;
                    };
                    let both = match found {
                        Some(found) => intersect(&found, &files),
                        None => files,
                    };
                    // So few files are cheaper to match than further postings to read.
                    let few = both.len() <= FEW_FILES;
                    found = Some(both);
                    if few {
                        break;
                    }
                }
                found
            }
            GramQuery::Or(parts) => {
                let mut found = Vec::new();
                for part in parts {
                    match part.files(lookup)? {
                        Some(files) => found.extend(files),
                        None => return Ok(None),
                    }
                }
                found.sort_unstable();
                found.dedup();
                Some(found)
            }
        })
    }
}

/// Candidates at which narrowing stops.
const FEW_FILES: usize = 2;

fn intersect(left: &[u32], right: &[u32]) -> Vec<u32> {
    let mut out = Vec::with_capacity(left.len().min(right.len()));
    let mut rest = right.iter().copied().peekable();
    for file in left.iter().copied() {
        while rest.next_if(|other| *other < file).is_some() {}
        if rest.peek() == Some(&file) {
            out.push(file);
        }
    }
    out
}
