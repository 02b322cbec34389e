//! What can be asked: validated input of every operation.
//!
//! Not here: parsing of wire types (see `api`) and doing the work. A value of these types is
//! complete: paths are normalized, globs compiled, numbers within bounds.

use leantoken_shared::facts::SymbolKind;
use leantoken_shared::path::PathSet;
use leantoken_shared::text::LineRange;
use leantoken_shared::tokens::Tokenizer;

/// One question: what to do, how large the answer may be, where to go on.
#[derive(Clone, Debug)]
pub struct Query {
    /// What to do.
    pub operation: Operation,
    /// The ceiling of the serialized answer.
    pub budget: Budget,
    /// Number of items already given; from a cursor that was checked against this request and view.
    pub skip: u32,
}

/// The operations.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Find places by text, pattern, name or words.
    Search(Search),
    /// List or find paths.
    Files(Files),
    /// Show the definitions of files.
    Outline(Outline),
    /// Show source text.
    Read(Read),
    /// Say what is indexed.
    Status,
}

/// A hard ceiling over the serialized answer, envelope included.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Most tokens; `None` when nobody asked for counting.
    pub max_tokens: Option<u32>,
    /// Most bytes.
    pub max_bytes: u32,
    /// How tokens are counted.
    pub tokenizer: Tokenizer,
}

/// How a query text is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// Ranked: names, words and structure.
    Auto,
    /// Every line that holds the literal text.
    Text,
    /// Every line that matches the regular expression.
    Regex,
    /// Definitions by name: exact, then qualified, prefix, part.
    Symbol,
    /// Uses of a name, definitions excluded.
    Reference,
    /// Paths, fuzzily.
    Path,
}

/// Whether letter case counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseMode {
    /// It counts.
    Sensitive,
    /// It does not.
    Insensitive,
    /// It counts when the query holds an upper-case letter.
    Smart,
}

/// A search.
#[derive(Clone, Debug)]
pub struct Search {
    /// The query text, not empty.
    pub text: String,
    /// How it is understood.
    pub mode: SearchMode,
    /// Which paths are searched.
    pub paths: PathSet,
    /// Whether letter case counts (text, regex, symbol and reference modes).
    pub case: CaseMode,
    /// Only definitions of these kinds (symbol mode; in auto mode, hits that present one). Empty: all.
    pub kinds: Vec<SymbolKind>,
    /// Most hits in the answer, at least 1.
    pub limit: u32,
    /// Lines of context before and after each match (text, regex and reference modes).
    pub context_lines: u32,
}

/// A listing of paths.
#[derive(Clone, Debug)]
pub struct Files {
    /// How to list.
    pub view: FilesView,
    /// Which paths take part.
    pub paths: PathSet,
    /// Most entries in the answer, at least 1.
    pub limit: u32,
}

/// How paths are listed.
#[derive(Clone, Debug)]
pub enum FilesView {
    /// A directory tree with counts, below `path` (empty: the root), `depth` levels deep.
    Tree {
        /// The directory, normalized; empty is the root.
        path: String,
        /// Levels shown, at least 1.
        depth: u32,
    },
    /// Paths that hold the characters of `query` in order, best first.
    Find {
        /// What to look for.
        query: String,
    },
    /// All paths of the path set, in order.
    Glob,
}

/// An outline of files.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Files (exact paths) to outline; a directory or glob selects the files below it.
    pub targets: Vec<String>,
    /// Deepest nesting of definitions shown, at least 1.
    pub depth: u32,
    /// Only definitions of these kinds; empty: all.
    pub kinds: Vec<SymbolKind>,
    /// Most entries, at least 1.
    pub limit: u32,
}

/// Source text to show.
#[derive(Clone, Debug)]
pub struct Read {
    /// What to show, in this order; at least one.
    pub targets: Vec<ReadTarget>,
}

/// One piece of source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadTarget {
    /// A file, or lines of it.
    File {
        /// The normalized path.
        path: String,
        /// The lines; `None`: all.
        lines: Option<LineRange>,
    },
    /// A target that cannot be meant, beside others that can.
    Unusable {
        /// What it is and why it cannot be used.
        reason: String,
    },
    /// A definition or heading; `path` may be absent when the name is unique.
    Symbol {
        /// The normalized path of its file, if given.
        path: Option<String>,
        /// Its name, possibly qualified with `.`, `::`, `#` or `/`.
        name: String,
    },
}
