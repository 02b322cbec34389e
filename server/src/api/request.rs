//! Requests as they arrive, and their way to a validated query.
//!
//! Not here: parsing of JSON (see `args`) or of a command line (see `cli`); both fill these structs.
//! Every bound is checked here, so that all callers are refused in the same words.

use super::args::shorten;
use super::catalog::{
    CASES, DEFAULT_LIST_LIMIT, DEFAULT_SEARCH_LIMIT, MAX_CONTEXT, MAX_DEPTH, MAX_ITEMS, MAX_LIMIT,
    MAX_QUERY_BYTES, MODES, TOKEN_RANGE, kind_names,
};
use super::repair;
use super::target::{self, Place, Places, Unseen};
use crate::error::Error;
use crate::query::cursor;
use crate::query::request::{
    Budget, CaseMode, Files, FilesView, Operation, Outline, Query, Read, ReadTarget, Search,
    SearchMode,
};
use leantoken_shared::facts::SymbolKind;
use leantoken_shared::path::PathSet;
use leantoken_shared::tokens::Tokenizer;
use serde::Deserialize;
use serde_json::{Value, json};

/// A search as asked.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchRequest {
    /// What to look for.
    pub query: String,
    /// One of [`MODES`].
    pub mode: Option<String>,
    /// Path patterns.
    pub paths: Vec<String>,
    /// Names of symbol kinds.
    pub kind: Vec<String>,
    /// One of [`CASES`].
    pub case: Option<String>,
    /// Most hits.
    pub limit: Option<i64>,
    /// Lines around each match.
    pub context: Option<i64>,
    /// Ceiling in tokens.
    pub max_tokens: Option<i64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// Paths to list, by tree, fuzzy query or glob.
#[derive(Clone, Debug, Default)]
pub struct FilesRequest {
    /// How to list.
    pub view: FilesChoice,
    /// Path patterns.
    pub paths: Vec<String>,
    /// Most entries.
    pub limit: Option<i64>,
    /// Ceiling in tokens.
    pub max_tokens: Option<i64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// How paths are listed.
#[derive(Clone, Debug)]
pub enum FilesChoice {
    /// A directory tree.
    Tree {
        /// The directory; empty is the root.
        path: String,
        /// Levels.
        depth: Option<i64>,
    },
    /// Fuzzy matches.
    Find(String),
    /// All paths of the patterns.
    Glob,
}

impl Default for FilesChoice {
    fn default() -> Self {
        FilesChoice::Tree {
            path: String::new(),
            depth: None,
        }
    }
}

/// Definitions of files; for one directory or for globs without kinds, a listing.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutlineRequest {
    /// Files, directories, globs.
    pub paths: Vec<String>,
    /// Levels.
    pub depth: Option<i64>,
    /// Names of symbol kinds.
    pub kind: Vec<String>,
    /// Most entries.
    pub limit: Option<i64>,
    /// Ceiling in tokens.
    pub max_tokens: Option<i64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// Source text to show.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReadRequest {
    /// What to show, see `target`.
    pub targets: Vec<String>,
    /// Ceiling in tokens.
    pub max_tokens: Option<i64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// What is indexed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StatusRequest {
    /// Ceiling in tokens.
    pub max_tokens: Option<i64>,
    /// Never fits: a status has one page.
    pub cursor: Option<String>,
}

/// Any request.
#[derive(Clone, Debug)]
pub enum Request {
    /// Find places.
    Search(SearchRequest),
    /// List paths.
    Files(FilesRequest),
    /// Show definitions.
    Outline(OutlineRequest),
    /// Show source text.
    Read(ReadRequest),
    /// Say what is indexed.
    Status(StatusRequest),
}

/// What bounds an answer where the request does not.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// Most tokens; `None` leaves them uncounted.
    pub max_tokens: Option<u32>,
    /// Most bytes where the request names no token budget.
    pub max_bytes: u32,
    /// How tokens are counted.
    pub tokenizer: Tokenizer,
}

/// Most bytes of an answer whose size is bounded by tokens.
const MAX_ANSWER_BYTES: u32 = 8 << 20;

impl Request {
    /// Checks the request and turns it into a query over the snapshot `generation`; without one, a
    /// cursor is not looked at.
    ///
    /// # Errors
    /// Names the field at fault, what is allowed, and a value that would work.
    pub fn to_query(
        &self,
        places: &dyn Places,
        generation: Option<&str>,
        defaults: Defaults,
    ) -> Result<Query, Error> {
        let (operation, max_tokens, cursor) = match self {
            Request::Search(ask) => (search(ask, places)?, ask.max_tokens, &ask.cursor),
            Request::Files(ask) => (files(ask, places)?, ask.max_tokens, &ask.cursor),
            Request::Outline(ask) => (outline(ask, places)?, ask.max_tokens, &ask.cursor),
            Request::Read(ask) => (read(ask, places)?, ask.max_tokens, &ask.cursor),
            Request::Status(ask) => (Operation::Status, ask.max_tokens, &ask.cursor),
        };
        let budget = budget(max_tokens, defaults)?;
        let skip = match (cursor.as_deref(), generation) {
            (None | Some(""), _) | (_, None) => 0,
            (Some(cursor), Some(generation)) => cursor::decode(cursor, &operation, generation)?,
        };
        Ok(Query {
            operation,
            budget,
            skip,
        })
    }
}

impl Request {
    /// Checks everything that can be checked without a snapshot.
    ///
    /// # Errors
    /// As [`Request::to_query`].
    pub fn check(&self, defaults: Defaults) -> Result<(), Error> {
        // Which absolute paths lie below the root is for the snapshot to say.
        let places = Unseen {
            root: Some("/"),
            here: "",
        };
        self.to_query(&places, None, defaults).map(|_| ())
    }
}

fn budget(max_tokens: Option<i64>, defaults: Defaults) -> Result<Budget, Error> {
    let (min, max) = TOKEN_RANGE;
    let asked = max_tokens
        .map(|asked| bounded("max_tokens", Some(asked), (min, max), 2000))
        .transpose()?;
    Ok(Budget {
        max_tokens: asked.or(defaults.max_tokens),
        max_bytes: match asked {
            Some(_) => MAX_ANSWER_BYTES,
            None => defaults.max_bytes,
        },
        tokenizer: defaults.tokenizer,
    })
}

fn search(ask: &SearchRequest, places: &dyn Places) -> Result<Operation, Error> {
    let text = query_text(&ask.query)?;
    let mode = match choice("mode", ask.mode.as_deref(), &MODES, repair::mode)? {
        1 => SearchMode::Text,
        2 => SearchMode::Regex,
        3 => SearchMode::Symbol,
        4 => SearchMode::Reference,
        5 => SearchMode::Path,
        _ => SearchMode::Auto,
    };
    let case = match choice("case", ask.case.as_deref(), &CASES, repair::case)? {
        1 => CaseMode::Sensitive,
        2 => CaseMode::Insensitive,
        _ => CaseMode::Smart,
    };
    Ok(Operation::Search(Search {
        text,
        mode,
        paths: path_set(&ask.paths, places)?,
        case,
        kinds: kinds(&ask.kind)?,
        limit: bounded("limit", ask.limit, (1, MAX_LIMIT), DEFAULT_SEARCH_LIMIT)?,
        context_lines: bounded("context", ask.context, (0, MAX_CONTEXT), 0)?,
    }))
}

fn query_text(text: &str) -> Result<String, Error> {
    if text.is_empty() {
        return Err(Error::request(
            "query",
            "query is empty",
            json!("words or a name"),
        ));
    }
    if text.len() > MAX_QUERY_BYTES {
        let message = format!(
            "query has {} bytes, at most {MAX_QUERY_BYTES} are allowed",
            text.len()
        );
        return Err(Error::request("query", message, json!("words or a name")));
    }
    Ok(text.to_owned())
}

fn files(ask: &FilesRequest, places: &dyn Places) -> Result<Operation, Error> {
    let view = match &ask.view {
        FilesChoice::Tree { path, depth } => FilesView::Tree {
            path: target::directory(path, places)?,
            depth: bounded("depth", *depth, (1, MAX_DEPTH), 2)?,
        },
        FilesChoice::Find(query) => FilesView::Find {
            query: query_text(query)?,
        },
        FilesChoice::Glob if ask.paths.is_empty() => {
            return Err(Error::request(
                "paths",
                "no pattern given",
                json!(["**/*.rs"]),
            ));
        }
        FilesChoice::Glob => FilesView::Glob,
    };
    Ok(Operation::Files(Files {
        view,
        paths: path_set(&ask.paths, places)?,
        limit: list_limit(ask.limit)?,
    }))
}

fn outline(ask: &OutlineRequest, places: &dyn Places) -> Result<Operation, Error> {
    at_most_items("paths", ask.paths.len())?;
    let is_glob = |path: &String| target::is_glob(path) && !is_file(path, places);
    // Who asks for kinds asks for definitions.
    if ask.kind.is_empty() {
        let tree = match ask.paths.as_slice() {
            [] => Some(""),
            [path] if is_directory(path, places) => Some(path.as_str()),
            _ => None,
        };
        let view = match tree {
            Some(path) => Some(FilesView::Tree {
                path: target::directory(path, places)?,
                depth: bounded("depth", ask.depth, (1, MAX_DEPTH), 2)?,
            }),
            None => ask.paths.iter().all(is_glob).then_some(FilesView::Glob),
        };
        if let Some(view) = view {
            let globs = if tree.is_some() { &[] } else { &*ask.paths };
            return Ok(Operation::Files(Files {
                view,
                paths: path_set(globs, places)?,
                limit: list_limit(ask.limit)?,
            }));
        }
    }
    let everything = ["**".to_owned()];
    let paths: &[String] = match ask.paths.is_empty() {
        true => &everything,
        false => &ask.paths,
    };
    let targets = paths.iter().map(|path| {
        if is_glob(path) {
            return Ok(target::below_root(path, places));
        }
        target::directory(path, places)
    });
    Ok(Operation::Outline(Outline {
        targets: targets.collect::<Result<_, _>>()?,
        depth: bounded("depth", ask.depth, (1, MAX_DEPTH), 3)?,
        kinds: kinds(&ask.kind)?,
        limit: list_limit(ask.limit)?,
    }))
}

fn is_directory(path: &str, places: &dyn Places) -> bool {
    target::directory(path, places)
        .is_ok_and(|path| path.is_empty() || places.place(&path) == Place::Directory)
}

fn is_file(path: &str, places: &dyn Places) -> bool {
    target::directory(path, places).is_ok_and(|path| places.place(&path) == Place::File)
}

fn read(ask: &ReadRequest, places: &dyn Places) -> Result<Operation, Error> {
    if ask.targets.is_empty() {
        return Err(Error::Request {
            field: "targets".into(),
            message: "no target given".into(),
            allowed: target::FORMS.into(),
            suggestion: Value::Null,
        });
    }
    at_most_items("targets", ask.targets.len())?;
    let parsed: Vec<_> = ask
        .targets
        .iter()
        .map(|text| target::parse(text, places))
        .collect();
    let is_any_good = parsed.iter().any(Result::is_ok);
    let targets = parsed.into_iter().map(|parsed| match parsed {
        // One that cannot be meant does not keep the others from being shown.
        Err(error) if is_any_good => Ok(ReadTarget::Unusable {
            reason: match error.hint() {
                Some(hint) => format!("{error}; {hint}"),
                None => error.to_string(),
            },
        }),
        parsed => parsed,
    });
    Ok(Operation::Read(Read {
        targets: targets.collect::<Result<_, _>>()?,
    }))
}

fn list_limit(asked: Option<i64>) -> Result<u32, Error> {
    bounded("limit", asked, (1, MAX_LIMIT), DEFAULT_LIST_LIMIT)
}

fn at_most_items(field: &str, count: usize) -> Result<(), Error> {
    if count > MAX_ITEMS {
        let message = format!("{field} has {count} items, at most {MAX_ITEMS} are allowed");
        return Err(Error::request(field, message, Value::Null));
    }
    Ok(())
}

fn path_set(patterns: &[String], places: &dyn Places) -> Result<PathSet, Error> {
    at_most_items("paths", patterns.len())?;
    let patterns: Vec<String> = patterns
        .iter()
        .map(|pattern| match pattern.strip_prefix('!') {
            Some(rest) => format!("!{}", target::below_root(rest, places)),
            None => target::below_root(pattern, places),
        })
        .collect();
    let set = |patterns: &[String]| PathSet::new(patterns, &[] as &[&str]);
    set(&patterns).map_err(|error| {
        let good = patterns
            .iter()
            .filter(|pattern| set(std::slice::from_ref(pattern)).is_ok());
        Error::request(
            "paths",
            error.to_string(),
            some_of(good.map(String::as_str)),
        )
    })
}

/// Returns the values that can be kept, each once; null where there is none.
fn some_of<T: Into<Value>>(values: impl Iterator<Item = T>) -> Value {
    let mut kept: Vec<Value> = Vec::new();
    for value in values.map(Into::into) {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    match kept.is_empty() {
        true => Value::Null,
        false => Value::Array(kept),
    }
}

/// Returns `asked` if it lies within `range`, `default` when nothing was asked.
fn bounded(
    field: &str,
    asked: Option<i64>,
    (min, max): (u32, u32),
    default: u32,
) -> Result<u32, Error> {
    let Some(asked) = asked else {
        return Ok(default);
    };
    u32::try_from(asked)
        .ok()
        .filter(|value| (min..=max).contains(value))
        .ok_or_else(|| Error::Request {
            field: field.into(),
            message: format!("{field} is {asked}"),
            allowed: format!("{min} to {max}"),
            suggestion: json!(if asked > i64::from(max) { max } else { default }),
        })
}

/// Returns the place of `asked` in `names`; 0 when nothing was asked.
fn choice(
    field: &str,
    asked: Option<&str>,
    names: &[&str],
    meant: impl Fn(&str) -> Option<&'static str>,
) -> Result<usize, Error> {
    let Some(asked) = asked else { return Ok(0) };
    names
        .iter()
        .position(|name| *name == asked)
        .ok_or_else(|| Error::Request {
            field: field.into(),
            message: format!("unknown {field} '{}'", shorten(asked)),
            allowed: names.join(", "),
            suggestion: json!(meant(asked).or(names.first().copied())),
        })
}

fn kinds(names: &[String]) -> Result<Vec<SymbolKind>, Error> {
    names
        .iter()
        .map(|name| {
            SymbolKind::from_name(name).ok_or_else(|| Error::Request {
                field: "kind".into(),
                message: format!("unknown kind '{}'", shorten(name)),
                allowed: kind_names().join(", "),
                suggestion: some_of(names.iter().filter_map(|name| repair::kind(name))),
            })
        })
        .collect()
}
