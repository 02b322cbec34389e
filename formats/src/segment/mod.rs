//! The sealed SQLite files: the only SQL in the workspace.
//!
//! A segment is a pair of files, `core` (everything but the bodies) and `text` (the bodies). Facts of a
//! file are stored as one compressed blob, so that copying a file's facts is copying a row, and
//! postings name files and chunks of files (`file`, `ordinal`), never global numbers, so that segments
//! are written without knowing each other.
//!
//! Files of a segment are numbered 0, 1, 2 … in the byte order of their paths.

mod codec;
mod collect;
mod encoder;
mod keyed;
mod open;
mod pages;
mod reader;
mod runs;
mod schema;
#[cfg(test)]
mod tests;
mod writer;

pub use encoder::{EncodedFile, FileEncoder};
pub use open::Segment;
pub use reader::SegmentReader;
pub use runs::PostingRuns;
pub(crate) use writer::hash_file;
pub use writer::{Seal, SealedBlob, SealedSegment, SegmentWriter, TotalLengths};

use leantoken_shared::digest::ContentHash;
use leantoken_shared::facts::{Chunk, FileClass, FileFacts, Notes};
use leantoken_shared::language::Language;
use leantoken_shared::path::RepoPath;
use std::path::PathBuf;

/// Most bytes of one text; larger files are not to be indexed.
pub const MAX_TEXT_BYTES: u32 = 64 << 20;

/// Most bytes of the facts of one file before compression.
const MAX_FACTS_BYTES: usize = 256 << 20;

/// What every segment of one build shares and every [`FileEncoder`] needs.
#[derive(Clone, Debug)]
pub struct SegmentPlan {
    /// Raw-content zstd dictionary for bodies and facts; may be empty.
    pub dictionary: Vec<u8>,
    /// The zstd level of bodies and facts.
    pub level: i32,
    /// Where postings are spilled when an encoder holds more than its share.
    pub spill_dir: PathBuf,
    /// Postings bytes one encoder may hold before it spills.
    pub max_posting_bytes: usize,
}

/// One decoded and analysed file, as handed to [`FileEncoder::encode`].
#[derive(Clone, Copy, Debug)]
pub struct FileInput<'a> {
    /// The number of the file: its place among the sorted paths of the segment.
    pub id: u32,
    /// Where it lies.
    pub path: &'a RepoPath,
    /// Its text, decoded to UTF-8 without byte order mark.
    pub text: &'a str,
    /// What it says by itself.
    pub facts: &'a FileFacts,
    /// Its chunks.
    pub chunks: &'a [Chunk],
    /// Its language.
    pub language: Language,
    /// Its role.
    pub class: FileClass,
    /// Its size on disk in bytes.
    pub size: u64,
    /// The digest of its bytes on disk.
    pub content_hash: ContentHash,
}

/// One file as the reader lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// Where it lies.
    pub path: RepoPath,
    /// Its language.
    pub language: Language,
    /// Its role.
    pub class: FileClass,
    /// What its facts lack.
    pub notes: Notes,
    /// Its size on disk in bytes.
    pub size: u64,
    /// Number of lines of its text.
    pub n_lines: u32,
    /// Number of chunks.
    pub n_chunks: u32,
    /// Number of symbols.
    pub n_symbols: u32,
    /// Number of words in each field, over all chunks.
    pub lengths: FieldLengths,
    /// The digest of its bytes on disk.
    pub content_hash: ContentHash,
}

/// Words a field, for length normalisation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldLengths {
    /// Words of the text, documentation comments and definition names included.
    pub body: u32,
    /// Words of the names of definitions.
    pub name: u32,
    /// Words of documentation comments.
    pub doc: u32,
}

/// A chunk with its lengths, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkRow {
    /// The chunk.
    pub chunk: Chunk,
    /// Its words.
    pub lengths: FieldLengths,
}

/// How often one word stands in one chunk, by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordHit {
    /// The place of the chunk in its file, from 0.
    pub ordinal: u32,
    /// Uses in the text (names and documentation comments included).
    pub body: u32,
    /// Uses in names of definitions.
    pub name: u32,
    /// Uses in documentation comments.
    pub doc: u32,
}

/// The definitions of one file that have one (case-folded) name, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePosting {
    /// The file.
    pub file: u32,
    /// Indexes into the symbols of the file, ascending.
    pub symbols: Vec<u32>,
}

/// Why a file of the tree is not in the snapshot. The order is the stored numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum SkipReason {
    /// A NUL byte early in the file, or a file type that is never text.
    Binary = 0,
    /// Larger than the file limit.
    TooLarge = 1,
    /// A symbolic link; links are recorded, never followed.
    Symlink = 2,
    /// Neither file, directory nor link: FIFO, socket, device.
    Special = 3,
    /// The file could not be opened or read.
    Unreadable = 4,
    /// The file vanished or kept changing while it was read.
    Unstable = 5,
    /// The path is not UTF-8.
    PathNotUtf8 = 6,
    /// A submodule or nested repository; a boundary of this snapshot.
    NestedRepository = 7,
}

impl SkipReason {
    /// All reasons, in stored order.
    pub const ALL: [SkipReason; 8] = [
        SkipReason::Binary,
        SkipReason::TooLarge,
        SkipReason::Symlink,
        SkipReason::Special,
        SkipReason::Unreadable,
        SkipReason::Unstable,
        SkipReason::PathNotUtf8,
        SkipReason::NestedRepository,
    ];

    /// Returns the stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            SkipReason::Binary => "binary",
            SkipReason::TooLarge => "too_large",
            SkipReason::Symlink => "symlink",
            SkipReason::Special => "special",
            SkipReason::Unreadable => "unreadable",
            SkipReason::Unstable => "unstable",
            SkipReason::PathNotUtf8 => "path_not_utf8",
            SkipReason::NestedRepository => "nested_repository",
        }
    }

    /// Returns the reason with the stored number `code`.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

/// A path that is not in the snapshot and why. `path` is shown only; it may be lossy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// The path as far as it can be shown.
    pub path: String,
    /// The reason.
    pub reason: SkipReason,
}
