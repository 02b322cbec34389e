//! What comes back: one answer type for every operation and every caller.
//!
//! Not here: turning it into text or JSON (see `render` and `api`). An answer names the revision it
//! speaks for and counts everything that was left out; a partial answer never looks complete.

use leantoken_shared::facts::{FileClass, ReferenceKind, SymbolKind, Visibility};
use leantoken_shared::language::Language;

/// The result of one query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What the answer speaks for.
    pub source: Source,
    /// What was found.
    pub body: Body,
    /// How much there is and how much was left out.
    pub extent: Extent,
    /// Things the caller should know, one sentence each.
    pub notices: Vec<String>,
}

/// What an answer speaks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The identity of the snapshot, `b3:…`.
    pub generation: String,
    /// The commit the snapshot was built at, or a digest of its tree where there is none.
    pub revision: String,
    /// Whether the indexed tree held changes that are not in that commit.
    pub dirty: bool,
    /// How the snapshot relates to the files on disk.
    pub freshness: Freshness,
}

/// How the snapshot relates to the files on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freshness {
    /// Every file was compared with the disk for this answer.
    Fresh,
    /// Every file was compared with the disk less than a second before the request, not for it.
    Recent,
    /// The files on disk differ and the difference is not in the answer.
    Behind,
    /// Nobody compared.
    #[default]
    Unknown,
}

impl Freshness {
    /// Returns the stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Freshness::Fresh => "fresh",
            Freshness::Recent => "recent",
            Freshness::Behind => "behind",
            Freshness::Unknown => "unknown",
        }
    }
}

/// How much there is and what of it the answer holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Items found in all, before limit and budget (matching lines, definitions, paths …).
    pub total: u64,
    /// Files that hold them.
    pub total_files: u64,
    /// Whether `total` is exact, a lower bound, or unknown.
    pub exactness: Exactness,
    /// Items in this answer.
    pub returned: u64,
    /// What was left out, by reason; empty when the answer is whole.
    pub omitted: Vec<Omission>,
    /// Hand this back to continue behind the last item; absent when nothing follows.
    pub next_cursor: Option<String>,
}

/// How far a count can be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exactness {
    /// The count is exact for the source named in the answer.
    #[default]
    Exact,
    /// There are at least this many.
    LowerBound,
}

impl Exactness {
    /// Returns the stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Exactness::Exact => "exact",
            Exactness::LowerBound => "lower_bound",
        }
    }
}

/// Something left out of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omission {
    /// `limit`, `budget`, `long_line`, `rank`, `imports` …: stable names.
    pub reason: &'static str,
    /// How many items (or bytes, for `long_line`).
    pub count: u64,
}

/// What was found.
#[derive(Clone, Debug)]
pub enum Body {
    /// Places, in order.
    Hits(Vec<Hit>),
    /// A directory tree, in display order.
    Tree(Vec<TreeEntry>),
    /// Paths, in order.
    Paths(Vec<PathEntry>),
    /// Definitions by file.
    Outline(Vec<FileOutline>),
    /// Source text, in the order asked for.
    Excerpts(Vec<Excerpt>),
    /// What is indexed.
    Status(Box<Status>),
}

/// One place that answers a search.
#[derive(Clone, Debug, Default)]
pub struct Hit {
    /// The file.
    pub path: String,
    /// First line of the place, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Column of the match in characters, from 1; 0 where the hit is a whole piece.
    pub column: u32,
    /// The definition the hit presents or lies in, qualified within its file.
    pub symbol: Option<String>,
    /// The kind of `symbol` where the hit presents a definition.
    pub kind: Option<SymbolKind>,
    /// How the name is used, in reference mode.
    pub usage: Option<ReferenceKind>,
    /// The ranking score, in auto mode; higher is better.
    pub score: Option<f64>,
    /// Source lines `start_line..=end_line` without line ends, possibly fewer than the place has.
    pub lines: Vec<String>,
    /// The line number of `lines[0]`.
    pub lines_start: u32,
    /// Lines that say most about the question, apart from `lines`: number and text, ascending.
    pub best_lines: Vec<(u32, String)>,
    /// Bytes of long lines that were left out of `lines`, where a `…` stands.
    pub cut_bytes: u64,
}

/// One line of a directory tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeEntry {
    /// The path of the directory or file.
    pub path: String,
    /// Levels below the directory that was asked for, from 0.
    pub depth: u32,
    /// Files below a directory; `None` for a file.
    pub n_files: Option<u64>,
    /// Lines of a file, or of all files below a directory.
    pub n_lines: u64,
    /// Entries right below a directory that were left out.
    pub n_hidden: u64,
    /// Where the entries right below a directory stand when the tree is listed level by level.
    pub children: std::ops::Range<u64>,
}

/// One path of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathEntry {
    /// The path.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Its role.
    pub class: FileClass,
    /// Its lines.
    pub n_lines: u32,
    /// Its bytes on disk.
    pub size: u64,
}

/// The definitions of one file.
#[derive(Clone, Debug)]
pub struct FileOutline {
    /// The file.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Its lines.
    pub n_lines: u32,
    /// Imports as written, the first ones as far as they take about a line.
    pub imports: Vec<String>,
    /// Imports in all; 0 where they are not asked for or were shown before.
    pub n_imports: u32,
    /// Definitions in order.
    pub symbols: Vec<OutlineSymbol>,
    /// What the facts lack, stable names.
    pub notes: Vec<&'static str>,
}

/// One definition of an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineSymbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Nesting, from 0.
    pub depth: u32,
    /// Who may use it.
    pub visibility: Visibility,
    /// First line of the definition.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The declaration without body, on one line.
    pub signature: String,
}

/// A piece of source text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The file.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line that was asked for.
    pub end_line: u32,
    /// Lines of the whole file.
    pub n_lines: u32,
    /// The definition shown, qualified within its file.
    pub symbol: Option<String>,
    /// The lines without line ends, from `start_line`; fewer than asked for when cut.
    pub lines: Vec<String>,
    /// The digest of the file's bytes, `b3:…`.
    pub content_hash: String,
    /// Bytes of long lines that were left out of `lines`, where a `…` stands.
    pub cut_bytes: u64,
}

/// What is indexed.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// The root that is served.
    pub root: String,
    /// Files in the snapshot.
    pub n_files: u64,
    /// Lines in the snapshot.
    pub n_lines: u64,
    /// Bytes of source in the snapshot.
    pub n_bytes: u64,
    /// Definitions in the snapshot.
    pub n_symbols: u64,
    /// Segments mounted.
    pub n_segments: u64,
    /// Files and lines by language, most lines first.
    pub languages: Vec<(Language, u64, u64)>,
    /// Files with facts missing, by note.
    pub notes: Vec<(&'static str, u64)>,
    /// Paths that are not in the snapshot, by reason.
    pub skipped: Vec<(&'static str, u64)>,
    /// Entries that the ignore rules leave out, by what decided it.
    pub ignored: Vec<(&'static str, u64)>,
    /// Bytes of the snapshot on disk.
    pub snapshot_bytes: u64,
}
