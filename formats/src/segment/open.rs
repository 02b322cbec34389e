//! Opening a segment: its file table, checked and kept, and where everything else lies.
//!
//! No number that comes out of a file is used before it is in range. See [`super::reader`] for what
//! can be asked then.

use super::codec::files::{FileEntry, Stored};
use super::codec::{Decoded, Input, Malformed, files, paths};
use super::pages::{self, ReadError};
use super::reader::SegmentReader;
use super::schema::{self, Half, Stream, corrupt, sql};
use super::writer::pair_of;
use super::{FileRow, SkipReason, Skipped};
use crate::error::FormatError;
use leantoken_shared::path::RepoPath;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Largest dictionary that is read.
const MAX_DICTIONARY_BYTES: u64 = 8 << 20;

/// One opened segment: its file table, checked, and where to read the rest. Shared by all threads.
#[derive(Debug)]
pub struct Segment {
    files: Vec<FileRow>,
    hidden: Vec<RepoPath>,
    shared: Arc<Shared>,
    /// The connections that opening made, for the first reader.
    spare: Mutex<Option<Connections>>,
}

/// What all readers of a segment need.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) core: PathBuf,
    pub(super) text: PathBuf,
    /// Where the parts of each file lie; one more entry than files.
    parts: Vec<Part>,
    /// Definitions a file.
    pub(super) n_symbols: Vec<u32>,
    /// The number of the first chunk of each file, and behind the last.
    pub(super) first_chunks: Vec<u32>,
    pub(super) dictionary: Vec<u8>,
    /// The length of each stream.
    lengths: BTreeMap<&'static str, u64>,
}

/// Where the parts of one file begin; they end where those of the next begin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    pub(super) text_len: u32,
    pub(super) text: u64,
    pub(super) facts: u64,
    pub(super) chunks: u64,
}

#[derive(Debug)]
pub(super) struct Connections {
    pub(super) core: Connection,
    pub(super) text: Connection,
}

impl Connections {
    fn open(core: &Path, text: &Path) -> Result<Self, FormatError> {
        Ok(Connections {
            core: schema::open(core, Half::Core)?,
            text: schema::open(text, Half::Text)?,
        })
    }
}

impl Segment {
    /// Opens the pair of files that make up a segment and checks everything but their digests:
    /// headers, versions, schema, file table.
    ///
    /// Digests are the business of [`crate::verify::verify`]; a file that fails here is refused
    /// before SQLite has read more than its header.
    ///
    /// # Errors
    /// Corrupt, incompatible (with both versions named) or unavailable.
    pub fn open(core: &Path, text: &Path) -> Result<Segment, FormatError> {
        let connections = Connections::open(core, text)?;
        let core_meta = Meta::read(&connections.core, core, Half::Core)?;
        let text_meta = Meta::read(&connections.text, text, Half::Text)?;
        let whole = |stream| core_meta.whole(&connections.core, core, stream);
        let file_bytes = whole(Stream::Files)?;
        let refuse = |why: Malformed| corrupt(core)(why.0);
        let entries = files::decode(&file_bytes).map_err(refuse)?;
        let pair = pair_of(&file_bytes);
        if core_meta.pair != pair || text_meta.pair != pair {
            return Err(corrupt(text)("core and text are not of one segment"));
        }
        let hidden = decode_hidden(&whole(Stream::Hidden)?).map_err(refuse)?;
        if core_meta.lengths["dictionary"] > MAX_DICTIONARY_BYTES {
            return Err(corrupt(core)("dictionary too long"));
        }
        let mut lengths = core_meta.lengths.clone();
        lengths.extend(&text_meta.lengths);
        let mut shared = Shared {
            core: core.into(),
            text: text.into(),
            parts: Vec::with_capacity(entries.len() + 1),
            n_symbols: entries.iter().map(|entry| entry.row.n_symbols).collect(),
            first_chunks: Vec::with_capacity(entries.len() + 1),
            dictionary: whole(Stream::Dictionary)?,
            lengths,
        };
        shared.place(&entries).map_err(refuse)?;
        if core_meta.n_files != entries.len() as u64 {
            return Err(corrupt(core)("number of files differs"));
        }
        Ok(Segment {
            files: entries.into_iter().map(|entry| entry.row).collect(),
            hidden,
            shared: Arc::new(shared),
            spare: Mutex::new(Some(connections)),
        })
    }

    /// Returns the files in order of their numbers, which is the byte order of their paths.
    pub fn files(&self) -> &[FileRow] {
        &self.files
    }

    /// Returns file `id`.
    pub fn file(&self, id: u32) -> Option<&FileRow> {
        self.files.get(id as usize)
    }

    /// Returns the number of the file at `path`.
    pub fn find(&self, path: &str) -> Option<u32> {
        self.files
            .binary_search_by(|row| row.path.as_str().cmp(path))
            .ok()
            .map(|at| at as u32)
    }

    /// Returns the paths of older segments that this one takes away, sorted.
    pub fn hidden(&self) -> &[RepoPath] {
        &self.hidden
    }

    /// Returns what the tree held and the segment does not, sorted by path.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn skipped(&self) -> Result<Vec<Skipped>, FormatError> {
        let path = &self.shared.core;
        let core = schema::open(path, Half::Core)?;
        let len = self.shared.length(Stream::Skipped);
        let bytes =
            pages::read(&core, Stream::Skipped, len, 0..len).map_err(|error| fail(path, error))?;
        decode_skipped(&bytes).map_err(|why| corrupt(path)(why.0))
    }

    /// Returns the bytes each part of the segment takes, by name of its table.
    pub fn sizes(&self) -> &BTreeMap<&'static str, u64> {
        &self.shared.lengths
    }

    /// Opens connections for one thread.
    ///
    /// # Errors
    /// When the files can no longer be opened.
    pub fn reader(&self) -> Result<SegmentReader, FormatError> {
        let spare = self
            .spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let connections = match spare {
            Some(connections) => connections,
            None => Connections::open(&self.shared.core, &self.shared.text)?,
        };
        SegmentReader::new(connections, Arc::clone(&self.shared))
    }
}

impl Shared {
    pub(super) fn length(&self, stream: Stream) -> u64 {
        self.lengths.get(stream.sql().name).copied().unwrap_or(0)
    }

    /// Sums up where the parts of the files lie.
    fn place(&mut self, entries: &[FileEntry]) -> Decoded<()> {
        let mut part = Part::default();
        let mut first_chunk = 0u32;
        for entry in entries {
            let Stored {
                text,
                facts,
                chunks,
            } = entry.stored;
            part.text_len = entry.text_len;
            self.parts.push(part);
            self.first_chunks.push(first_chunk);
            part.text += u64::from(text);
            part.facts += u64::from(facts);
            part.chunks += u64::from(chunks);
            first_chunk = first_chunk
                .checked_add(entry.row.n_chunks)
                .ok_or(Malformed("too many chunks"))?;
        }
        self.parts.push(part);
        self.first_chunks.push(first_chunk);
        let ends = [
            (Stream::Text, part.text),
            (Stream::Facts, part.facts),
            (Stream::Chunks, part.chunks),
        ];
        if ends
            .iter()
            .any(|(stream, end)| self.length(*stream) != *end)
        {
            return Err(Malformed("parts of files do not fill their streams"));
        }
        Ok(())
    }

    pub(super) fn n_files(&self) -> u32 {
        self.n_symbols.len() as u32
    }

    /// Returns where file `id` begins and ends.
    pub(super) fn part(&self, id: u32) -> Result<(Part, Part), FormatError> {
        match self.parts.get(id as usize..) {
            Some([part, end, ..]) => Ok((*part, *end)),
            _ => Err(FormatError::Contract(format!("there is no file {id}"))),
        }
    }
}

/// The counts of one half.
struct Meta {
    n_files: u64,
    pair: u64,
    lengths: BTreeMap<&'static str, u64>,
}

impl Meta {
    /// Reads `meta`, which must say exactly what belongs to `half`.
    fn read(conn: &Connection, path: &Path, half: Half) -> Result<Meta, FormatError> {
        let mut rows = select_meta(conn).map_err(|error| fail(path, error.into()))?;
        let mut take = |name: &str| {
            rows.remove(name)
                .and_then(|value| u64::try_from(value).ok())
                .ok_or_else(|| corrupt(path)("a count is missing"))
        };
        let mut lengths = BTreeMap::new();
        for stream in half.streams() {
            let name = stream.sql().name;
            lengths.insert(name, take(name)?);
        }
        let meta = Meta {
            pair: take("pair")?,
            n_files: match half {
                Half::Core => take("n_files")?,
                Half::Text => 0,
            },
            lengths,
        };
        let size = std::fs::metadata(path)
            .map_err(|source| FormatError::Io {
                action: "read",
                path: path.into(),
                source,
            })?
            .len();
        let total = meta
            .lengths
            .values()
            .fold(0, |a: u64, b| a.saturating_add(*b));
        if !rows.is_empty() || total > size {
            return Err(corrupt(path)("its counts are not those of a segment"));
        }
        Ok(meta)
    }

    /// Reads a whole stream.
    fn whole(
        &self,
        conn: &Connection,
        path: &Path,
        stream: Stream,
    ) -> Result<Vec<u8>, FormatError> {
        let len = self.lengths[stream.sql().name];
        pages::read(conn, stream, len, 0..len).map_err(|error| fail(path, error))
    }
}

fn select_meta(conn: &Connection) -> rusqlite::Result<BTreeMap<String, i64>> {
    const MOST: i64 = 64;
    let mut statement = conn.prepare(schema::SELECT_META)?;
    let rows = statement.query_map([MOST], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

fn decode_hidden(bytes: &[u8]) -> Decoded<Vec<RepoPath>> {
    let mut input = Input::new(bytes);
    let (mut last, mut hidden) = (String::new(), Vec::<RepoPath>::new());
    while !input.is_empty() {
        paths::take_next(&mut input, &mut last)?;
        let path = RepoPath::new(&last).map_err(|_| Malformed("path is not a repository path"))?;
        if hidden.last().is_some_and(|before| *before >= path) {
            return Err(Malformed("paths out of order"));
        }
        hidden.push(path);
    }
    Ok(hidden)
}

fn decode_skipped(bytes: &[u8]) -> Decoded<Vec<Skipped>> {
    let mut input = Input::new(bytes);
    let (mut last, mut skipped) = (String::new(), Vec::new());
    while !input.is_empty() {
        paths::take_next(&mut input, &mut last)?;
        let reason = SkipReason::from_code(input.byte()?).ok_or(Malformed("unknown reason"))?;
        skipped.push(Skipped {
            path: last.clone(),
            reason,
        });
    }
    Ok(skipped)
}

/// Returns the error for the file at `path`.
pub(super) fn fail(path: &Path, error: ReadError) -> FormatError {
    use rusqlite::{Error, ErrorCode};
    match error {
        ReadError::Malformed(why) => corrupt(path)(why.0),
        // What SQLite refuses to read, or reads as another type, is damage.
        ReadError::Sql(Error::SqliteFailure(error, _))
            if matches!(
                error.code,
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::TooBig
            ) =>
        {
            corrupt(path)("damaged pages")
        }
        ReadError::Sql(
            Error::InvalidColumnType(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::FromSqlConversionFailure(..),
        ) => corrupt(path)("a value has another type"),
        ReadError::Sql(source) => sql("read", path)(source),
    }
}
