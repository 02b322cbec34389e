//! Definitions by name.
//!
//! Tiers, best first: the name as written, the same but for case, the name with its qualification
//! found in the path, names that begin with it, names that hold its parts in order (only when
//! nothing better exists). Within a tier: types before functions before values, exported ones first,
//! sources before tests, generated and vendored files; then path and position.
//! Bounds: names taken from a prefix or part scan; past them totals are lower bounds.

use super::name::{Fit, NameQuery};
use super::near;
use crate::query::answer::{Body, Exactness, Hit};
use crate::query::deadline::Deadline;
use crate::query::error::QueryError;
use crate::query::excerpt::{MAX_HIT_CHARS, Source};
use crate::query::found::{Found, Page};
use crate::query::parallel::map_files;
use crate::query::request::{CaseMode, Search};
use crate::view::{FileId, Reader, View};
use leantoken_shared::facts::{FileClass, FileFacts, Symbol, SymbolKind};
use leantoken_shared::terms::fold_name;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

/// Most names taken from a scan of names.
const MAX_SCANNED_NAMES: usize = 400;
/// Most lines of a signature in a hit.
pub(super) const MAX_SIGNATURE_LINES: u32 = 6;
/// Names suggested where nothing is found.
const MAX_NEAR: usize = 5;

/// A definition that answers a name.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) file: FileId,
    /// Its index in the facts of the file.
    pub(crate) symbol: u32,
    pub(crate) kind: SymbolKind,
    pub(crate) tier: Tier,
    /// Its enclosing definition.
    pub(crate) parent: Option<u32>,
    order: (u8, bool, u8),
}

impl Definition {
    /// Returns what orders definitions that fit a name equally well; less is better.
    pub(super) fn order(&self) -> (u8, bool, u8) {
        self.order
    }

    /// Returns symbol `at` of a file, or `None` when the facts have no such symbol.
    pub(crate) fn new(
        view: &View,
        file: FileId,
        facts: &FileFacts,
        at: u32,
        tier: Tier,
    ) -> Option<Self> {
        let symbol = facts.symbols.get(at as usize)?;
        let class = view.row(file).class;
        Some(Definition {
            file,
            symbol: at,
            kind: symbol.kind,
            tier,
            parent: symbol.parent,
            order: (kind_rank(symbol.kind), !symbol.exported, class_rank(class)),
        })
    }
}

/// How well a definition answers a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    Named(Fit),
    Prefix,
    Part,
}

/// Finds the definitions of a name and of names like it.
pub(crate) fn find(
    view: &View,
    search: &Search,
    page: Page,
    deadline: &Deadline,
) -> Result<Found, QueryError> {
    let query = NameQuery::new(&search.text)?;
    let keep = |file: FileId| search.paths.contains(view.path(file));
    let mut all = definitions(view, &query, &keep, deadline)?;
    if search.case == CaseMode::Sensitive {
        all.retain(|d| d.tier != Tier::Named(Fit::Folded));
    }
    let mut complete = true;
    if !query.is_qualified() {
        complete &= add_similar(view, &query, Tier::Prefix, &keep, &mut all, deadline)?;
        if all.is_empty() {
            complete &= add_similar(view, &query, Tier::Part, &keep, &mut all, deadline)?;
        }
    }
    if !search.kinds.is_empty() {
        all.retain(|definition| search.kinds.contains(&definition.kind));
    }
    all.sort_unstable_by_key(|d| (d.tier, d.order, d.file, d.symbol));
    let mut files: Vec<FileId> = all.iter().map(|d| d.file).collect();
    files.sort_unstable();
    files.dedup();
    let reader = view.reader()?;
    let hits = definition_hits(&reader, page.of(&all), search.context_lines)?;
    let mut found = Found::items(Body::Hits(hits), all.len() as u64, files.len() as u64);
    if !complete {
        found.exactness = Exactness::LowerBound;
    }
    found
        .notices
        .extend(notice(view, &search.text, &query, &all)?);
    Ok(found)
}

/// Says how many of the definitions have the very name; where none is even like it, which names are
/// spelled nearly so.
fn notice(
    view: &View,
    text: &str,
    query: &NameQuery,
    all: &[Definition],
) -> Result<Option<String>, QueryError> {
    let is_named = |d: &&Definition| d.tier <= Tier::Named(Fit::ByPath);
    let n_named = all.iter().filter(is_named).count();
    Ok(match (all.len(), n_named) {
        (0, _) => {
            let near = near::definitions(view, query, MAX_NEAR)?;
            let near = (!near.is_empty()).then(|| near.join(", "));
            near.map(|near| format!("nothing is named '{text}'; spelled nearly so: {near}"))
        }
        (1, 0) => Some(format!("nothing is named '{text}'; this is a similar name")),
        (_, 0) => Some(format!(
            "nothing is named '{text}'; these are similar names"
        )),
        (total, named) if named < total => {
            let similar = total - named;
            let names = if similar == 1 { "name" } else { "names" };
            Some(format!("{named} named '{text}', {similar} similar {names}"))
        }
        _ => None,
    })
}

/// Returns the definitions that the name fits, in no particular order.
pub(crate) fn definitions(
    view: &View,
    query: &NameQuery,
    keep: &dyn Fn(FileId) -> bool,
    deadline: &Deadline,
) -> Result<Vec<Definition>, QueryError> {
    let mut wanted: BTreeMap<FileId, Vec<u32>> = BTreeMap::new();
    let reader = view.reader()?;
    for key in query.keys() {
        for posting in reader.symbol_name(&key)? {
            if keep(posting.file) {
                let symbols = wanted.entry(posting.file).or_default();
                symbols.extend(posting.symbols);
            }
        }
    }
    load(view, &wanted, deadline, |facts, symbol, path| {
        query.fit(facts, symbol, path).map(Tier::Named)
    })
}

/// Adds definitions whose names are like the one asked for; returns whether the scan was complete.
fn add_similar(
    view: &View,
    query: &NameQuery,
    tier: Tier,
    keep: &dyn Fn(FileId) -> bool,
    all: &mut Vec<Definition>,
    deadline: &Deadline,
) -> Result<bool, QueryError> {
    let reader = view.reader()?;
    let asked = query.last_folded();
    let mut names = if tier == Tier::Prefix {
        let mut names = reader.symbol_names_from(asked, MAX_SCANNED_NAMES + 2)?;
        names.retain(|name| name.starts_with(asked) && name != asked);
        names
    } else {
        let parts = parts(query.last());
        let mut names = Vec::new();
        reader.all_symbol_names(|name| {
            if holds_in_order(name, &parts) {
                names.push(name.to_string());
            }
        })?;
        names.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        names.dedup();
        names
    };
    let complete = names.len() <= MAX_SCANNED_NAMES;
    names.truncate(MAX_SCANNED_NAMES);
    let mut wanted: BTreeMap<FileId, Vec<u32>> = BTreeMap::new();
    for name in &names {
        for posting in reader.symbol_name(name)? {
            if keep(posting.file) {
                wanted
                    .entry(posting.file)
                    .or_default()
                    .extend(posting.symbols);
            }
        }
    }
    all.extend(load(view, &wanted, deadline, |_, _, _| Some(tier))?);
    Ok(complete)
}

/// Loads the facts of `wanted` symbols by file; `judge` says which tier each has, if any.
fn load(
    view: &View,
    wanted: &BTreeMap<FileId, Vec<u32>>,
    deadline: &Deadline,
    judge: impl Fn(&FileFacts, u32, &str) -> Option<Tier> + Sync,
) -> Result<Vec<Definition>, QueryError> {
    let files: Vec<FileId> = wanted.keys().copied().collect();
    let found = map_files(
        view,
        &files,
        deadline,
        || (),
        |(), reader, file| {
            let facts = reader.facts(file)?;
            let symbols = wanted.get(&file).into_iter().flatten();
            let definition = |at: &u32| {
                let tier = judge(&facts, *at, reader.path(file))?;
                Definition::new(reader, file, &facts, *at, tier)
            };
            Ok(symbols.filter_map(definition).collect::<Vec<_>>())
        },
    )?;
    Ok(found.into_iter().flatten().collect())
}

/// Types before functions before values; blocks that only repeat a type's name come last.
pub(super) fn kind_rank(kind: SymbolKind) -> u8 {
    match kind {
        kind if kind.is_type() => 0,
        SymbolKind::Function
        | SymbolKind::Method
        | SymbolKind::Constructor
        | SymbolKind::Macro
        | SymbolKind::Operator => 1,
        SymbolKind::Module => 2,
        SymbolKind::Constant | SymbolKind::Property | SymbolKind::Event => 3,
        SymbolKind::Field | SymbolKind::Variant | SymbolKind::Variable => 4,
        _ => 5,
    }
}

/// What people ask for before what repeats it.
pub(super) fn class_rank(class: FileClass) -> u8 {
    match class {
        FileClass::Source => 0,
        FileClass::Config | FileClass::Docs => 1,
        FileClass::Example => 2,
        FileClass::Test => 3,
        FileClass::Vendored => 4,
        FileClass::Generated => 5,
    }
}

/// Cuts a name where its writer would: at case changes and at what is neither letter nor digit.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && lower) {
            parts.push(String::new());
        }
        lower = c.is_lowercase();
        if let Some(part) = parts.last_mut().filter(|_| c.is_alphanumeric()) {
            part.push(c);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.iter().map(|part| fold_name(part)).collect()
}

fn holds_in_order(name: &str, parts: &[String]) -> bool {
    let mut rest = name;
    !parts.is_empty()
        && parts.iter().all(|part| match rest.find(part.as_str()) {
            Some(at) => {
                rest = &rest[at + part.len()..];
                true
            }
            None => false,
        })
}

/// Presents definitions by their signatures.
pub(crate) fn definition_hits(
    reader: &Reader<'_>,
    definitions: &[Definition],
    context: u32,
) -> Result<Vec<Hit>, QueryError> {
    let mut loaded: FxHashMap<FileId, (Source, FileFacts)> = FxHashMap::default();
    let mut hits = Vec::with_capacity(definitions.len());
    for definition in definitions {
        let file = definition.file;
        let (source, facts) = match loaded.entry(file) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => {
                vacant.insert((Source::new(reader.text(file)?), reader.facts(file)?))
            }
        };
        if let Some(symbol) = facts.symbols.get(definition.symbol as usize) {
            let name = facts.qualified_name(definition.symbol);
            hits.push(definition_hit(
                reader.path(file),
                source,
                symbol,
                name,
                context,
            ));
        }
    }
    Ok(hits)
}

/// Presents one definition by its signature.
pub(super) fn definition_hit(
    path: &str,
    source: &Source,
    symbol: &Symbol,
    name: String,
    context: u32,
) -> Hit {
    let lines = source.lines.lines_of(symbol.range);
    let signature = source.lines.lines_of(symbol.signature);
    let last = signature
        .end
        .min(signature.start.saturating_add(MAX_SIGNATURE_LINES - 1));
    let first = signature.start.saturating_sub(context);
    let last = last.saturating_add(context);
    let shown = source.show(first, last, symbol.name_range, MAX_HIT_CHARS);
    Hit {
        path: path.to_string(),
        start_line: lines.start,
        end_line: lines.end,
        symbol: Some(name),
        kind: Some(symbol.kind),
        lines: shown.lines,
        lines_start: shown.start,
        cut_bytes: shown.cut_bytes,
        ..Hit::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_parts() {
        let check = |query: &str, name: &str| holds_in_order(name, &parts(query));
        assert!(check("HttpReq", "parsehttprequest"));
        assert!(check("http_req", "parse_http_request"));
        assert!(!check("ReqHttp", "parsehttprequest"));
        assert!(!check("++", "parse"));
    }
}
