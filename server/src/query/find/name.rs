//! A name as people write it: bare, or qualified in the spelling of any language.

use crate::query::error::QueryError;
use leantoken_shared::facts::FileFacts;
use leantoken_shared::terms::fold_name;

/// A name split at `.`, `::`, `#`, `/` and `->`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameQuery {
    /// The parts as written, the last one the name itself; at least one, none empty.
    parts: Vec<String>,
    /// The parts folded.
    folded: Vec<String>,
}

/// How well a definition answers a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// Name and qualification as written.
    Exact,
    /// The same but for letter case.
    Folded,
    /// The name, with the rest of the qualification found in the path of the file.
    ByPath,
}

impl NameQuery {
    /// Splits a name; a call's parentheses and generic arguments behind it are dropped.
    ///
    /// # Errors
    /// When nothing is left.
    pub(crate) fn new(text: &str) -> Result<Self, QueryError> {
        let name = text.trim();
        let name = name.strip_suffix("()").unwrap_or(name);
        let parts = split(name);
        if parts.is_empty() {
            return Err(QueryError::invalid("query", "it holds no name"));
        }
        Ok(NameQuery {
            folded: parts.iter().map(|part| fold_name(part)).collect(),
            parts,
        })
    }

    /// Returns the name without qualification.
    pub(crate) fn last(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// Returns the folded name without qualification.
    pub(crate) fn last_folded(&self) -> &str {
        self.folded.last().map_or("", String::as_str)
    }

    /// Returns the whole name, its parts joined by `.`.
    pub(crate) fn qualified(&self) -> String {
        self.parts.join(".")
    }

    /// Returns whether there is a qualification.
    pub(crate) fn is_qualified(&self) -> bool {
        self.parts.len() > 1
    }

    /// Returns how symbol `at` of the file at `path` answers the name, if it does.
    pub(crate) fn fit(&self, facts: &FileFacts, at: u32, path: &str) -> Option<Fit> {
        let mut exact = true;
        let mut left = self.parts.len();
        let mut next = Some(at);
        while left > 0 {
            let Some(symbol) = next.and_then(|i| facts.symbols.get(i as usize)) else {
                break;
            };
            let name = facts.names.get(symbol.name);
            // Trailing type arguments of an `impl` or of a generic name do not have to be spelled.
            let name = name
                .split('<')
                .next()
                .filter(|n| !n.is_empty())
                .unwrap_or(name);
            let asked = &self.parts[left - 1];
            if name != asked {
                exact = false;
                if fold_name(name) != self.folded[left - 1] && facts.names.get(symbol.name) != asked
                {
                    break;
                }
            }
            left -= 1;
            next = symbol.parent.filter(|parent| Some(*parent) < next);
        }
        if left == self.parts.len() {
            return None;
        }
        if left > 0 {
            return self.rest_in_path(left, path).then_some(Fit::ByPath);
        }
        Some(if exact { Fit::Exact } else { Fit::Folded })
    }

    /// Whether the first `n` parts end the path of the file, its extension and index names dropped.
    fn rest_in_path(&self, n: usize, path: &str) -> bool {
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = fold_name(file.split('.').next().unwrap_or(file));
        let mut names: Vec<String> = folders.split('/').map(fold_name).collect();
        if !matches!(stem.as_str(), "mod" | "lib" | "main" | "index" | "__init__") {
            names.push(stem);
        }
        let mut names = names.iter().rev().filter(|name| *name != "src");
        let asked = self.folded[..n]
            .iter()
            .rev()
            .filter(|part| !matches!(part.as_str(), "crate" | "self" | "super"));
        asked.into_iter().all(|part| {
            names
                .next()
                .is_some_and(|name| *name == *part || name.replace('-', "_") == *part)
        })
    }
}

/// Cuts a name at its separators. What follows `operator` is never cut, and a separator that is the
/// whole text is a name.
fn split(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        if rest.starts_with("operator") && !rest[8..].starts_with(is_word) {
            break;
        }
        let cut = ["::", "->", ".", "#", "/"]
            .iter()
            .filter_map(|mark| rest.find(mark).map(|at| (at, mark.len())))
            .min_by_key(|(at, len)| (*at, std::cmp::Reverse(*len)));
        let Some((at, len)) = cut else {
            break;
        };
        if at > 0 {
            parts.push(rest[..at].to_string());
        }
        rest = &rest[at + len..];
    }
    if !rest.is_empty() {
        parts.push(rest.to_string());
    }
    if parts.is_empty() && !name.is_empty() {
        parts.push(name.to_string());
    }
    parts
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_split_alike() {
        for text in ["A.b", "A::b", "A#b", "A/b", "A->b", "A.b()", ".A.b"] {
            assert_eq!(split(text.trim_end_matches("()")), ["A", "b"], "{text}");
        }
        assert_eq!(split("K::operator/"), ["K", "operator/"]);
        assert_eq!(split("operator<=>"), ["operator<=>"]);
        assert_eq!(split("Dir::~Dir"), ["Dir", "~Dir"]);
        assert_eq!(split("__init__"), ["__init__"]);
        assert_eq!(split("/"), ["/"]);
        assert!(NameQuery::new("  ").is_err());
    }
}
