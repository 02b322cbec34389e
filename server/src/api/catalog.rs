//! The one table of operations: fields, types, bounds, choices. Schemas, parsing and error messages
//! are made from it, so they cannot disagree.
//!
//! Not here: what the values mean (see `request`). Fields are flat: text, integers, choices and lists of
//! text only, because hosts drop or mangle anything richer.

use leantoken_shared::facts::SymbolKind;
use serde_json::{Map, Value, json};

/// Most hits or entries in one answer.
pub const MAX_LIMIT: u32 = 1000;
/// Hits in an answer when nobody says.
pub const DEFAULT_SEARCH_LIMIT: u32 = 20;
/// Entries of a listing or outline when nobody says.
pub const DEFAULT_LIST_LIMIT: u32 = 200;
/// Most lines of context before and after a match.
pub const MAX_CONTEXT: u32 = 50;
/// Longest query text in bytes.
pub const MAX_QUERY_BYTES: usize = 4096;
/// Smallest and largest token budget.
pub const TOKEN_RANGE: (u32, u32) = (50, 200_000);
/// Deepest tree or outline.
pub const MAX_DEPTH: u32 = 32;
/// Most paths, patterns or targets in one request.
pub const MAX_ITEMS: usize = 200;

/// How a query text can be understood.
pub const MODES: [&str; 6] = ["auto", "text", "regex", "symbol", "reference", "path"];
/// Whether letter case counts.
pub const CASES: [&str; 3] = ["smart", "sensitive", "insensitive"];

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Text.
    Text,
    /// A whole number between two bounds, inclusive.
    Integer(u32, u32),
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A list of text.
    List,
    /// A list of the names of symbol kinds.
    Kinds,
}

/// One field of a request.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in JSON.
    pub name: &'static str,
    /// What it holds.
    pub shape: Shape,
    /// What it is for; one line.
    pub about: &'static str,
    /// Whether a request without it is refused.
    pub required: bool,
}

const fn field(name: &'static str, shape: Shape, about: &'static str) -> Field {
    Field {
        name,
        shape,
        about,
        required: false,
    }
}

const fn required(name: &'static str, shape: Shape, about: &'static str) -> Field {
    Field {
        name,
        shape,
        about,
        required: true,
    }
}

const MAX_TOKENS: Field = field(
    "max_tokens",
    Shape::Integer(TOKEN_RANGE.0, TOKEN_RANGE.1),
    "Ceiling of the whole answer, default 2000",
);
const CURSOR: Field = field(
    "cursor",
    Shape::Text,
    "From an earlier answer, to go on; other fields unchanged",
);

/// The fields of `search`.
pub const SEARCH: &[Field] = &[
    required(
        "query",
        Shape::Text,
        "Words, a name, literal text or a pattern",
    ),
    field(
        "mode",
        Shape::Choice(&MODES),
        "auto (default): ranked. text, regex: every matching line. symbol: definitions. reference: uses. path: file names",
    ),
    field(
        "paths",
        Shape::List,
        "Globs to search in; !glob excludes. *.ts, src: at any depth; /src, src/api: from the root",
    ),
    field("kind", Shape::Kinds, "Only definitions of these kinds"),
    field(
        "case",
        Shape::Choice(&CASES),
        "smart (default): insensitive if the query is all lower case",
    ),
    field("limit", Shape::Integer(1, MAX_LIMIT), "Default 20"),
    field(
        "context",
        Shape::Integer(0, MAX_CONTEXT),
        "Lines around each match, default 0",
    ),
    MAX_TOKENS,
    CURSOR,
];

/// The fields of `outline`.
pub const OUTLINE: &[Field] = &[
    field(
        "paths",
        Shape::List,
        "A file: its definitions. A directory: tree. Globs: list of files. Default: tree of the root. With kind: always definitions",
    ),
    field(
        "depth",
        Shape::Integer(1, MAX_DEPTH),
        "Levels of a tree (default 2) or of nested definitions (default 3)",
    ),
    field("kind", Shape::Kinds, "Only definitions of these kinds"),
    field("limit", Shape::Integer(1, MAX_LIMIT), "Default 200"),
    MAX_TOKENS,
    CURSOR,
];

/// The fields of `read`.
pub const READ: &[Field] = &[
    required(
        "targets",
        Shape::List,
        "path, path:10-40, path:10- (to the end), path#Symbol, Symbol, or doc.md#Heading",
    ),
    MAX_TOKENS,
    CURSOR,
];

/// The fields of `status`.
pub const STATUS: &[Field] = &[];

/// Returns the names of all symbol kinds.
pub fn kind_names() -> Vec<&'static str> {
    SymbolKind::ALL.iter().map(|kind| kind.as_str()).collect()
}

/// Returns the input schema of `fields`: a flat object without nulls, references or formats.
pub fn input_schema(fields: &[Field]) -> Map<String, Value> {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| (field.name.to_owned(), property(field)))
        .collect();
    let required: Vec<&str> = fields
        .iter()
        .filter(|field| field.required)
        .map(|field| field.name)
        .collect();
    let mut schema = Map::new();
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".into(), json!(required));
    }
    schema.insert("additionalProperties".into(), json!(false));
    schema
}

fn property(field: &Field) -> Value {
    let about = field.about;
    match field.shape {
        Shape::Text => json!({"type": "string", "description": about}),
        Shape::Integer(min, max) => {
            json!({"type": "integer", "minimum": min, "maximum": max, "description": about})
        }
        Shape::Choice(names) => json!({"type": "string", "enum": names, "description": about}),
        Shape::List => json!({"type": "array", "items": {"type": "string"}, "description": about}),
        Shape::Kinds => json!({
            "type": "array",
            "items": {"type": "string", "enum": kind_names()},
            "description": about,
        }),
    }
}
