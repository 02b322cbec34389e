//! From a call that was refused to one that works: other names for our fields and words, with the
//! values that were given.
//!
//! Not here: accepting such calls. What is proposed has passed the same checks as any request; where
//! nothing passes them, nothing is proposed.

use super::args::conform;
use super::catalog::{CASES, Field, MODES, kind_names};
use crate::error::Error;
use serde_json::{Map, Value, json};

/// What other tools call our fields; upper case, `_` and `-` do not count.
const FIELDS: [(&str, &[&str]); 9] = [
    (
        "query",
        &[
            "pattern",
            "text",
            "q",
            "search",
            "searchterm",
            "term",
            "keyword",
            "keywords",
            "needle",
            "question",
            "string",
            "regex",
            "symbol",
            "symbolname",
            "name",
        ],
    ),
    (
        "targets",
        &[
            "target",
            "path",
            "paths",
            "file",
            "files",
            "filepath",
            "filepaths",
            "filename",
            "symbol",
            "symbols",
            "symbolname",
            "name",
            "query",
            "location",
        ],
    ),
    (
        "paths",
        &[
            "path",
            "file",
            "files",
            "filepath",
            "filepaths",
            "filename",
            "glob",
            "globs",
            "include",
            "includes",
            "filepattern",
            "dir",
            "directory",
            "folder",
            "target",
            "targets",
            "pattern",
        ],
    ),
    ("mode", &["searchmode", "searchtype", "querytype"]),
    (
        "kind",
        &["kinds", "symbolkind", "symbolkinds", "symboltype", "type"],
    ),
    (
        "limit",
        &[
            "maxresults",
            "numresults",
            "results",
            "topk",
            "k",
            "n",
            "count",
            "max",
            "headlimit",
        ],
    ),
    ("context", &["contextlines", "c", "surroundinglines"]),
    (
        "max_tokens",
        &["tokens", "budget", "tokenbudget", "tokenlimit"],
    ),
    ("depth", &["maxdepth", "levels"]),
];

const WORDS_FOR_MODES: [(&str, &[&str]); 6] = [
    (
        "auto",
        &[
            "semantic", "hybrid", "ranked", "smart", "natural", "default", "words", "fuzzy",
        ],
    ),
    (
        "text",
        &[
            "grep",
            "literal",
            "exact",
            "fixed",
            "string",
            "substring",
            "keyword",
            "plain",
        ],
    ),
    ("regex", &["regexp", "re", "pattern"]),
    (
        "symbol",
        &[
            "definition",
            "definitions",
            "declaration",
            "def",
            "symbols",
            "name",
        ],
    ),
    (
        "reference",
        &[
            "references",
            "refs",
            "usage",
            "usages",
            "uses",
            "callers",
            "calls",
        ],
    ),
    (
        "path",
        &[
            "file",
            "files",
            "filename",
            "filenames",
            "paths",
            "glob",
            "find",
        ],
    ),
];

const WORDS_FOR_CASES: [(&str, &[&str]); 2] = [
    ("sensitive", &["true", "exact", "respect", "match"]),
    ("insensitive", &["false", "ignore", "i", "any"]),
];

const WORDS_FOR_KINDS: [(&str, &[&str]); 9] = [
    (
        "function",
        &["fn", "func", "def", "procedure", "subroutine"],
    ),
    ("method", &["member", "memberfunction"]),
    ("module", &["namespace", "package", "mod"]),
    ("interface", &["protocol"]),
    ("type", &["typedef", "alias", "typealias"]),
    ("constant", &["const"]),
    ("variable", &["var", "let", "static", "global"]),
    ("variant", &["enummember", "case"]),
    ("constructor", &["init", "ctor"]),
];

/// Returns the name of ours that `word` stands for, among `names`.
fn ours<'n>(names: &[&'n str], others: &[(&str, &[&str])], word: &str) -> Option<&'n str> {
    let plain = plain(word);
    let meant = names.iter().find(|name| self::plain(name) == plain);
    let other = || {
        let (name, _) = others.iter().find(|(_, words)| words.contains(&&*plain))?;
        names.iter().find(|known| *known == name)
    };
    meant.or_else(other).copied()
}

/// Returns the mode that `word` stands for.
pub(super) fn mode(word: &str) -> Option<&'static str> {
    ours(&MODES, &WORDS_FOR_MODES, word)
}

/// Returns the case that `word` stands for.
pub(super) fn case(word: &str) -> Option<&'static str> {
    ours(&CASES, &WORDS_FOR_CASES, word)
}

/// Returns the kind that `word` stands for, plural or not.
pub(super) fn kind(word: &str) -> Option<&'static str> {
    let names = kind_names();
    let one = word.strip_suffix("es").unwrap_or(word);
    let few = word.trim_end_matches('s');
    [word, few, one]
        .iter()
        .find_map(|word| ours(&names, &WORDS_FOR_KINDS, word))
}

fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    kept.flat_map(char::to_lowercase).collect()
}

/// Returns arguments that pass `check` and have the types of the schema: those given under our names, with what `check` proposes for the
/// ones at fault. `change` is what was found wrong before; null takes a field out.
pub fn repair(
    fields: &[Field],
    arguments: Map<String, Value>,
    change: (&str, Value),
    check: impl Fn(Map<String, Value>) -> Result<(), Error>,
) -> Option<Map<String, Value>> {
    let mut arguments = renamed(fields, arguments);
    let (field, value) = change;
    if is_ours(fields, field) {
        set(&mut arguments, field, value);
    }
    // Every round settles one field.
    for _ in 0..=fields.len() {
        match check(arguments.clone()) {
            Ok(()) => return conform(fields, arguments).ok(),
            Err(Error::Request {
                field, suggestion, ..
            }) => set(&mut arguments, &field, suggestion),
            Err(_) => return None,
        }
    }
    None
}

fn set(arguments: &mut Map<String, Value>, field: &str, value: Value) {
    match value {
        Value::Null => arguments.remove(field),
        value => arguments.insert(field.to_owned(), value),
    };
}

fn is_ours(fields: &[Field], name: &str) -> bool {
    fields.iter().any(|field| field.name == name)
}

fn renamed(fields: &[Field], arguments: Map<String, Value>) -> Map<String, Value> {
    let given = arguments.into_iter().filter(|(_, value)| !value.is_null());
    let (mut known, mut strange): (Map<_, _>, Map<_, _>) =
        given.partition(|(name, _)| is_ours(fields, name));
    let lines = is_ours(fields, "targets").then(|| take_lines(&mut strange));
    for (name, value) in strange {
        rename(fields, &name, value, &mut known);
    }
    if let (Some(Some(lines)), Some(targets)) = (lines, known.get_mut("targets")) {
        add_lines(targets, &lines);
    }
    known
}

fn rename(fields: &[Field], name: &str, value: Value, known: &mut Map<String, Value>) {
    let plain = plain(name);
    let (field, value) = match (&*plain, &value) {
        ("regex" | "isregex" | "regexp", Value::Bool(true)) => ("mode", json!("regex")),
        ("literal" | "fixed" | "fixedstrings", Value::Bool(true)) => ("mode", json!("text")),
        ("casesensitive", Value::Bool(true)) => ("case", json!("sensitive")),
        ("casesensitive", Value::Bool(false))
        | ("ignorecase" | "caseinsensitive" | "i", Value::Bool(true)) => {
            ("case", json!("insensitive"))
        }
        (_, Value::Bool(_)) => return,
        ("exclude" | "excludes" | "ignore", Value::String(glob)) => (
            "paths",
            json!([format!("!{}", glob.trim_start_matches('!'))]),
        ),
        _ => {
            let is_named = |other: &[&str]| other.contains(&&*plain);
            let found = fields.iter().find(|field| {
                self::plain(field.name) == plain
                    || FIELDS
                        .iter()
                        .any(|(ours, others)| *ours == field.name && is_named(others))
            });
            let Some(field) = found else { return };
            (field.name, value)
        }
    };
    if !is_ours(fields, field) || known.contains_key(field) {
        return;
    }
    known.insert(field.to_owned(), value);
    let mode = match (field, &*plain) {
        ("query", "regex") => "regex",
        ("query", "symbol" | "symbolname") => "symbol",
        _ => return,
    };
    known.entry("mode").or_insert(json!(mode));
}

/// Takes line numbers that were given as arguments of their own; returns them as `from-to`.
fn take_lines(strange: &mut Map<String, Value>) -> Option<String> {
    let mut take = |names: &[&str]| {
        let name = strange.keys().find(|name| names.contains(&&*plain(name)))?;
        let name = name.clone();
        let value = strange.remove(&name)?;
        let number = || value.as_str()?.trim().parse().ok();
        value.as_u64().or_else(number)
    };
    let start = take(&[
        "startline",
        "start",
        "from",
        "fromline",
        "line",
        "linestart",
        "offset",
    ]);
    let end = take(&["endline", "end", "to", "toline", "lineend"]);
    let count = take(&["limit", "count", "numlines", "linecount", "maxlines"]);
    let start = start.or(end.map(|_| 1))?.max(1);
    let last = count.map(|count| start.saturating_add(count).saturating_sub(1));
    Some(match end.or(last) {
        Some(end) if end >= start => format!("{start}-{end}"),
        _ => format!("{start}"),
    })
}

fn add_lines(targets: &mut Value, lines: &str) {
    let one = match targets {
        Value::Array(list) if list.len() == 1 => list.first_mut(),
        Value::Array(_) => None,
        one => Some(one),
    };
    if let Some(Value::String(path)) = one
        && !path.contains([':', '#'])
    {
        path.push_str(&format!(":{lines}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::catalog::{OUTLINE, READ, SEARCH, STATUS};

    #[track_caller]
    fn check(fields: &[Field], given: Value, wanted: Value) {
        let Value::Object(given) = given else {
            unreachable!("tests hand in objects")
        };
        assert_eq!(Value::Object(renamed(fields, given)), wanted);
    }

    #[test]
    fn names_of_other_tools_are_ours() {
        check(
            SEARCH,
            json!({"pattern": "x", "path": "src"}),
            json!({"query": "x", "paths": "src"}),
        );
        check(
            SEARCH,
            json!({"regex": "x+", "maxResults": 5, "ignoreCase": true, "head": 1}),
            json!({"query": "x+", "mode": "regex", "limit": 5, "case": "insensitive"}),
        );
        check(
            SEARCH,
            json!({"symbol": "f"}),
            json!({"query": "f", "mode": "symbol"}),
        );
        check(
            SEARCH,
            json!({"q": "f", "regex": true}),
            json!({"query": "f", "mode": "regex"}),
        );
        check(
            SEARCH,
            json!({"query": "f", "text": "g", "exclude": "*.md"}),
            json!({"query": "f", "paths": ["!*.md"]}),
        );
        check(
            OUTLINE,
            json!({"file_path": "a.rs", "max-depth": 2}),
            json!({"paths": "a.rs", "depth": 2}),
        );
        check(STATUS, json!({"verbose": true}), json!({}));
    }

    #[test]
    fn lines_given_on_their_own_belong_to_the_target() {
        for (given, wanted) in [
            (
                json!({"path": "a.rs", "start_line": 3, "end_line": 9}),
                "a.rs:3-9",
            ),
            (
                json!({"file": "a.rs", "offset": "10", "limit": 5}),
                "a.rs:10-14",
            ),
            (json!({"filePath": "a.rs", "line": 7}), "a.rs:7"),
            (json!({"path": "a.rs:2", "line": 7}), "a.rs:2"),
            (json!({"path": "a.rs"}), "a.rs"),
        ] {
            check(READ, given, json!({"targets": wanted}));
        }
    }

    #[test]
    fn words_of_other_tools_are_ours() {
        let modes = [
            "definition",
            "References",
            "grep",
            "re",
            "file_name",
            "symbol",
        ]
        .map(mode);
        let wanted = ["symbol", "reference", "text", "regex", "path", "symbol"];
        assert_eq!(modes, wanted.map(Some));
        assert_eq!(mode("frobnicate"), None);
        let kinds = ["fn", "functions", "Class", "classes", "typedef", "const"].map(kind);
        let wanted = [
            Some("function"),
            Some("function"),
            Some("class"),
            Some("class"),
            Some("type"),
            Some("constant"),
        ];
        assert_eq!(kinds, wanted);
        assert_eq!(
            (case("ignore"), case("SMART")),
            (Some("insensitive"), Some("smart"))
        );
    }

    #[test]
    fn every_word_of_ours_in_the_tables_exists() {
        let fields: Vec<&str> = [SEARCH, OUTLINE, READ]
            .concat()
            .iter()
            .map(|field| field.name)
            .collect();
        assert!(FIELDS.iter().all(|(name, _)| fields.contains(name)));
        assert!(WORDS_FOR_MODES.iter().all(|(name, _)| MODES.contains(name)));
        assert!(WORDS_FOR_CASES.iter().all(|(name, _)| CASES.contains(name)));
        let kinds = kind_names();
        assert!(
            WORDS_FOR_KINDS.iter().all(|(name, _)| kinds.contains(name)),
            "{kinds:?}"
        );
    }
}
