//! A name as people write it: bare, or qualified in the spelling of any language.

use crate::query::error::QueryError;
use leantoken_shared::facts::{FileFacts, Symbol, SymbolKind};
use leantoken_shared::terms::fold_name;

/// A name split at `.`, `::`, `#`, `/` and `->`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameQuery {
    /// The text as a whole: some names hold separators.
    whole: String,
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
        let whole = text.trim();
        let name = whole.strip_suffix("()").unwrap_or(whole);
        let name = if name == "operator" { whole } else { name };
        let parts = split(name);
        if parts.is_empty() {
            return Err(QueryError::invalid("query", "it holds no name"));
        }
        Ok(NameQuery {
            whole: whole.to_string(),
            folded: parts.iter().map(|part| fold_name(part)).collect(),
            parts,
        })
    }

    /// Returns the keys under which definitions are kept that may answer the name.
    pub(crate) fn keys(&self) -> Vec<String> {
        let last = self.last();
        let mut keys = vec![
            self.last_folded().to_string(),
            fold_name(&self.whole),
            fold_name(heading(&self.whole)),
        ];
        if is_operator(last) {
            keys.push(fold_name(&last.replacen("operator", "operator ", 1)));
        }
        keys.sort_unstable();
        keys.dedup();
        keys
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
        if let Some(fit) = self.fit_whole(facts, at) {
            return Some(fit);
        }
        let mut exact = true;
        let mut left = self.parts.len();
        let mut next = Some(at);
        while left > 0 {
            let Some(symbol) = next.and_then(|i| facts.symbols.get(i as usize)) else {
                break;
            };
            let own = own_parts(facts, symbol);
            let Some((n, as_written)) = self.fit_last(left, &own) else {
                break;
            };
            exact &= as_written;
            left -= n;
            if let Some(owner) = symbol.owner.filter(|_| left > 0) {
                let Some((n, as_written)) = self.fit_last(left, &split(facts.names.get(owner)))
                else {
                    break;
                };
                exact &= as_written;
                left -= n;
            }
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

    /// Compares with the own name of a definition, separators and all.
    fn fit_whole(&self, facts: &FileFacts, at: u32) -> Option<Fit> {
        let symbol = facts.symbols.get(at as usize)?;
        let own = facts.names.get(symbol.name);
        let asked = match symbol.kind {
            SymbolKind::Heading => heading(&self.whole),
            _ => &self.whole,
        };
        if own == asked {
            return Some(Fit::Exact);
        }
        (fold_name(own) == fold_name(asked)).then_some(Fit::Folded)
    }

    /// Returns how many of the first `left` parts a definition's own name answers from the last one on,
    /// and whether as written.
    fn fit_last(&self, left: usize, own: &[String]) -> Option<(usize, bool)> {
        let n = own.len().min(left);
        let asked = left - n..left;
        let own = &own[own.len() - n..];
        if own == &self.parts[asked.clone()] {
            return Some((n, true));
        }
        let mut folded = self.folded[asked].iter().zip(own);
        folded
            .all(|(asked, own)| *asked == fold_name(own))
            .then_some((n, false))
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

/// Returns the parts of a definition's own name; that of a namespace can have several.
fn own_parts(facts: &FileFacts, symbol: &Symbol) -> Vec<String> {
    let own = facts.names.get(symbol.name);
    match symbol.kind {
        SymbolKind::Heading => vec![own.to_string()],
        SymbolKind::Module | SymbolKind::Impl | SymbolKind::Operator => split(own),
        _ => vec![bare(own).to_string()],
    }
}

/// What stands between the parts of a name.
const SEPARATORS: [&str; 5] = ["::", "->", ".", "#", "/"];

/// Cuts a name at its separators and drops what its parts are wrapped in: generic arguments and the
/// `(*T)` of a receiver. What follows `operator` is never cut, a `#` before a name is part of it, and a
/// separator that is the whole text is a name.
fn split(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        if is_operator(rest) {
            let name = rest[8..].trim_start();
            let gap = if name.starts_with(is_word) { " " } else { "" };
            parts.push(format!("operator{gap}{name}"));
            return parts;
        }
        let (part, after) = match cut(rest) {
            Some((at, len)) => (&rest[..at], &rest[at + len..]),
            None => (rest, ""),
        };
        let is_arguments = part.starts_with('<') && part.ends_with('>');
        if !part.is_empty() && !is_arguments {
            parts.push(bare(part).to_string());
        }
        rest = after;
    }
    if parts.is_empty() && !name.is_empty() {
        parts.push(name.to_string());
    }
    parts
}

/// Returns place and length of the first separator outside generic arguments.
fn cut(text: &str) -> Option<(usize, usize)> {
    let is_private = text.starts_with('#') && text[1..].starts_with(is_word);
    let mut depth = 0usize;
    for (at, c) in text.char_indices().skip(usize::from(is_private)) {
        let mark = SEPARATORS
            .iter()
            .find(|mark| text[at..].starts_with(**mark));
        match (c, mark) {
            (_, Some(mark)) if depth == 0 => return Some((at, mark.len())),
            ('<', _) if text[at..].contains('>') => depth += 1,
            ('>', _) if !text[..at].ends_with(['-', '=']) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Returns a part without what it is wrapped in, unless nothing else is there.
fn bare(part: &str) -> &str {
    let inner = part.trim_start_matches(['(', '*', '&']);
    if !inner.starts_with(is_word) {
        return part;
    }
    let inner = match inner.find('<') {
        Some(at) if inner.ends_with('>') => inner[..at].trim_end(),
        _ => inner,
    };
    match part.starts_with('(') {
        true => inner.trim_end_matches(')'),
        false => inner,
    }
}

/// Whether `text` names an operator: `operator+`, `operator bool`, not `operator.attribute`.
fn is_operator(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("operator") else {
        return false;
    };
    let separated = SEPARATORS.iter().find_map(|mark| rest.strip_prefix(*mark));
    !rest.is_empty()
        && !rest.starts_with(is_word)
        && !separated.is_some_and(|rest| rest.starts_with(is_word))
}

/// Returns the text of a heading that may be written with its marks.
fn heading(text: &str) -> &str {
    text.trim_start_matches('#').trim_start()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_split_alike() {
        for text in [
            "A.b",
            "A::b",
            "A#b",
            "A/b",
            "A->b",
            ".A.b",
            "(*A).b",
            "*A.b",
            "A<T>.b",
            "A::<T>::b",
            "A<x::Y, Z<W>>::b",
        ] {
            assert_eq!(split(text), ["A", "b"], "{text}");
        }
        for (text, parts) in [
            ("K::operator/", &["K", "operator/"][..]),
            ("operator<=>", &["operator<=>"]),
            ("K.operator  ()", &["K", "operator()"]),
            ("operator bool", &["operator bool"]),
            ("operator->", &["operator->"]),
            ("operator.itemgetter", &["operator", "itemgetter"]),
            ("operators", &["operators"]),
            ("operator", &["operator"]),
            ("Dir::~Dir", &["Dir", "~Dir"]),
            ("K.#priv", &["K", "#priv"]),
            ("#priv", &["#priv"]),
            ("__init__", &["__init__"]),
            ("a < b", &["a < b"]),
            ("Fn(A) -> B", &["Fn(A) ", " B"]),
            ("<T>", &["<T>"]),
            ("()", &["()"]),
            ("/", &["/"]),
        ] {
            assert_eq!(split(text), parts, "{text}");
        }
        assert!(NameQuery::new("  ").is_err());
    }
}
