//! An answer or an error as JSON: stable field names, nothing is ever null.
//!
//! Not here: text output (see `render`). The structs borrow from the answer, because the budget makes
//! them be serialized more than once. A field is absent where there is nothing to say.

use crate::error::Error;
use crate::query::answer::{
    Answer, Body, Excerpt, FileOutline, Freshness, Hit, OutlineSymbol, PathEntry, Status, TreeEntry,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// An answer: the envelope, then the one body its operation has.
#[derive(Serialize, JsonSchema)]
pub struct Document<'a> {
    operation: &'static str,
    generation: &'a str,
    revision: &'a str,
    dirty: bool,
    freshness: &'static str,
    total: u64,
    total_files: u64,
    exactness: &'static str,
    returned: u64,
    omitted: Vec<Count<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<&'a str>,
    notices: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<Vec<HitDoc<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<Vec<EntryDoc<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<Vec<FileDoc<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpts: Option<Vec<ExcerptDoc<'a>>>,
    #[serde(flatten)]
    status: Option<StatusDoc<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Count<'a> {
    reason: &'a str,
    count: u64,
}

#[derive(Serialize, JsonSchema)]
struct HitDoc<'a> {
    path: &'a str,
    start_line: u32,
    end_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// The line of the first line of `text`, where it is not `start_line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Lines that say most about the question, apart from `text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    best_lines: Option<Vec<LineDoc<'a>>>,
}

#[derive(Serialize, JsonSchema)]
struct LineDoc<'a> {
    line: u32,
    text: &'a str,
}

#[derive(Serialize, JsonSchema)]
struct EntryDoc<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<u64>,
    /// Entries right below that were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<u64>,
    lines: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct FileDoc<'a> {
    path: &'a str,
    language: &'static str,
    lines: u32,
    imports: &'a [String],
    symbols: Vec<SymbolDoc<'a>>,
    notes: &'a [&'static str],
}

#[derive(Serialize, JsonSchema)]
struct SymbolDoc<'a> {
    name: &'a str,
    kind: &'static str,
    depth: u32,
    visibility: &'static str,
    start_line: u32,
    end_line: u32,
    signature: &'a str,
}

#[derive(Serialize, JsonSchema)]
struct ExcerptDoc<'a> {
    path: &'a str,
    start_line: u32,
    end_line: u32,
    file_lines: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<&'a str>,
    content_hash: &'a str,
    text: String,
}

#[derive(Serialize, JsonSchema)]
struct StatusDoc<'a> {
    root: &'a str,
    files_indexed: u64,
    lines: u64,
    bytes: u64,
    symbols: u64,
    segments: u64,
    snapshot_bytes: u64,
    languages: Vec<LanguageDoc>,
    notes: Vec<Count<'a>>,
    skipped: Vec<Count<'a>>,
    ignored: Vec<Count<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct LanguageDoc {
    language: &'static str,
    files: u64,
    lines: u64,
}

/// Returns the stable name of the operation that `body` answers.
pub fn operation(body: &Body) -> &'static str {
    match body {
        Body::Hits(_) => "search",
        Body::Tree(_) | Body::Paths(_) => "files",
        Body::Outline(_) => "outline",
        Body::Excerpts(_) => "read",
        Body::Status(_) => "status",
    }
}

impl<'a> Document<'a> {
    /// Returns the document of `answer`, which relates to the disk as `freshness` says.
    pub fn new(answer: &'a Answer, freshness: Freshness) -> Self {
        let omitted = &answer.extent.omitted;
        let mut document = Document {
            operation: operation(&answer.body),
            generation: &answer.source.generation,
            revision: &answer.source.revision,
            dirty: answer.source.dirty,
            freshness: freshness.as_str(),
            total: answer.extent.total,
            total_files: answer.extent.total_files,
            exactness: answer.extent.exactness.as_str(),
            returned: answer.extent.returned,
            omitted: omitted.iter().map(|o| count(o.reason, o.count)).collect(),
            next_cursor: answer.extent.next_cursor.as_deref(),
            notices: &answer.notices,
            hits: None,
            entries: None,
            files: None,
            excerpts: None,
            status: None,
        };
        match &answer.body {
            Body::Hits(hits) => document.hits = Some(hits.iter().map(hit).collect()),
            Body::Tree(entries) => document.entries = Some(entries.iter().map(branch).collect()),
            Body::Paths(entries) => document.entries = Some(entries.iter().map(entry).collect()),
            Body::Outline(files) => document.files = Some(files.iter().map(file).collect()),
            Body::Excerpts(list) => document.excerpts = Some(list.iter().map(excerpt).collect()),
            Body::Status(found) => document.status = Some(status(found)),
        }
        document
    }
}

fn count(reason: &str, count: u64) -> Count<'_> {
    Count { reason, count }
}

fn hit(hit: &Hit) -> HitDoc<'_> {
    let shows_text = !hit.lines.is_empty();
    HitDoc {
        path: &hit.path,
        start_line: hit.start_line,
        end_line: hit.end_line,
        column: (hit.column > 0).then_some(hit.column),
        symbol: hit.symbol.as_deref(),
        kind: hit.kind.map(|kind| kind.as_str()),
        usage: hit.usage.map(|usage| usage.as_str()),
        score: hit.score,
        text_start_line: (shows_text && hit.lines_start != hit.start_line)
            .then_some(hit.lines_start),
        text: shows_text.then(|| hit.lines.join("\n")),
        best_lines: (!hit.best_lines.is_empty()).then(|| {
            hit.best_lines
                .iter()
                .map(|(line, text)| LineDoc { line: *line, text })
                .collect()
        }),
    }
}

fn branch(entry: &TreeEntry) -> EntryDoc<'_> {
    EntryDoc {
        path: &entry.path,
        depth: Some(entry.depth),
        files: entry.n_files,
        hidden: (entry.n_hidden > 0).then_some(entry.n_hidden),
        lines: entry.n_lines,
        language: None,
        class: None,
        bytes: None,
    }
}

fn entry(entry: &PathEntry) -> EntryDoc<'_> {
    EntryDoc {
        path: &entry.path,
        depth: None,
        files: None,
        hidden: None,
        lines: u64::from(entry.n_lines),
        language: Some(entry.language.as_str()),
        class: Some(entry.class.as_str()),
        bytes: Some(entry.size),
    }
}

fn file(file: &FileOutline) -> FileDoc<'_> {
    FileDoc {
        path: &file.path,
        language: file.language.as_str(),
        lines: file.n_lines,
        imports: &file.imports,
        symbols: file.symbols.iter().map(symbol).collect(),
        notes: &file.notes,
    }
}

fn symbol(symbol: &OutlineSymbol) -> SymbolDoc<'_> {
    SymbolDoc {
        name: &symbol.name,
        kind: symbol.kind.as_str(),
        depth: symbol.depth,
        visibility: symbol.visibility.as_str(),
        start_line: symbol.start_line,
        end_line: symbol.end_line,
        signature: &symbol.signature,
    }
}

fn excerpt(excerpt: &Excerpt) -> ExcerptDoc<'_> {
    ExcerptDoc {
        path: &excerpt.path,
        start_line: excerpt.start_line,
        end_line: excerpt.end_line,
        file_lines: excerpt.n_lines,
        symbol: excerpt.symbol.as_deref(),
        content_hash: &excerpt.content_hash,
        text: excerpt.lines.join("\n"),
    }
}

fn status(status: &Status) -> StatusDoc<'_> {
    StatusDoc {
        root: &status.root,
        files_indexed: status.n_files,
        lines: status.n_lines,
        bytes: status.n_bytes,
        symbols: status.n_symbols,
        segments: status.n_segments,
        snapshot_bytes: status.snapshot_bytes,
        languages: status
            .languages
            .iter()
            .map(|(language, files, lines)| LanguageDoc {
                language: language.as_str(),
                files: *files,
                lines: *lines,
            })
            .collect(),
        notes: status.notes.iter().map(|(r, n)| count(r, *n)).collect(),
        skipped: status.skipped.iter().map(|(r, n)| count(r, *n)).collect(),
        ignored: status.ignored.iter().map(|(r, n)| count(r, *n)).collect(),
    }
}

/// Returns `answer` as one line of JSON.
pub fn to_json(answer: &Answer, freshness: Freshness) -> String {
    // Serialization of these structs cannot fail: every key is text and no number is odd.
    serde_json::to_string(&Document::new(answer, freshness)).unwrap_or_default()
}

/// Returns `answer` as a JSON value.
pub fn to_value(answer: &Answer, freshness: Freshness) -> Value {
    serde_json::to_value(Document::new(answer, freshness)).unwrap_or_default()
}

/// Returns `error` as a JSON document.
pub fn error_value(error: &Error) -> Value {
    let mut body = Map::new();
    body.insert("code".into(), json!(error.category().as_str()));
    body.insert("message".into(), json!(error.message()));
    if let Some(hint) = error.hint() {
        body.insert("hint".into(), json!(hint));
    }
    if let Some(field) = error.field() {
        body.insert("field".into(), json!(field));
    }
    body.insert("retryable".into(), json!(error.is_retryable()));
    json!({ "error": body })
}

/// Returns the schema of the answers whose bodies are `bodies`: references written out, no nulls.
pub fn output_schema(bodies: &[&str]) -> Map<String, Value> {
    let schema = schemars::schema_for!(Document);
    let Value::Object(mut root) = schema.to_value() else {
        return Map::new();
    };
    let definitions = root.remove("$defs").unwrap_or_default();
    for key in ["$schema", "title", "description"] {
        root.remove(key);
    }
    if let Some(Value::Object(properties)) = root.get_mut("properties") {
        let all = ["hits", "entries", "files", "excerpts"];
        for body in all.iter().filter(|body| !bodies.contains(body)) {
            properties.remove(*body);
        }
    }
    if bodies.contains(&"status") {
        add_status(&mut root, &definitions);
    }
    let mut value = Value::Object(root);
    flatten(&mut value, &definitions);
    match value {
        Value::Object(root) => root,
        _ => Map::new(),
    }
}

/// Puts the fields of the flat status body among those of the envelope.
fn add_status(root: &mut Map<String, Value>, definitions: &Value) {
    let Some(status) = definitions.get("StatusDoc") else {
        return;
    };
    for part in ["properties", "required"] {
        match (root.get_mut(part), status.get(part)) {
            (Some(Value::Object(into)), Some(Value::Object(from))) => {
                into.extend(from.iter().map(|(k, v)| (k.clone(), v.clone())));
            }
            (Some(Value::Array(into)), Some(Value::Array(from))) => {
                into.extend(from.iter().cloned());
            }
            _ => {}
        }
    }
}

/// Writes references out, drops null alternatives, number formats and descriptions.
fn flatten(value: &mut Value, definitions: &Value) {
    if let Some(name) = value.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap_or_default();
        *value = definitions.get(name).cloned().unwrap_or_default();
    }
    if let Some(Value::Array(choices)) = value.get("anyOf") {
        let first = choices
            .iter()
            .find(|c| c.get("type") != Some(&json!("null")));
        *value = first.cloned().unwrap_or_default();
        return flatten(value, definitions);
    }
    match value {
        Value::Object(map) => {
            if let Some(Value::Array(types)) = map.get("type") {
                let first = types.iter().find(|name| **name != "null").cloned();
                map.insert("type".into(), first.unwrap_or_default());
            }
            // `format` and `description` are also names of nothing here: no field is called so.
            map.remove("format");
            map.remove("description");
            map.values_mut().for_each(|v| flatten(v, definitions));
        }
        Value::Array(items) => items.iter_mut().for_each(|v| flatten(v, definitions)),
        _ => {}
    }
}
