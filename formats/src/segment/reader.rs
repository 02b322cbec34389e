//! Bounded, typed lookups in one sealed segment.
//!
//! Opening reads and checks the file table, and keeps it; everything else is read when asked for. No
//! number that comes out of a file is used before it is in range.

use super::codec::files::{FileEntry, Stored};
use super::codec::{Decoded, Input, Malformed, chunks, facts, files, paths, postings};
use super::keyed::Keyed;
use super::pages::{self, ReadError};
use super::schema::{self, Half, Stream, corrupt, sql};
use super::writer::pair_of;
use super::{ChunkRow, FileRow, MAX_FACTS_BYTES, NamePosting, SkipReason, Skipped, WordHit};
use crate::error::FormatError;
use leantoken_shared::facts::FileFacts;
use leantoken_shared::path::RepoPath;
use rusqlite::Connection;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use zstd::bulk::Decompressor;

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
struct Shared {
    core: PathBuf,
    text: PathBuf,
    /// Where the parts of each file lie; one more entry than files.
    parts: Vec<Part>,
    /// Definitions a file.
    n_symbols: Vec<u32>,
    /// The number of the first chunk of each file, and behind the last.
    first_chunks: Vec<u32>,
    dictionary: Vec<u8>,
    /// The length of each stream.
    lengths: BTreeMap<&'static str, u64>,
}

/// Where the parts of one file begin; they end where those of the next begin.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    text_len: u32,
    text: u64,
    facts: u64,
    chunks: u64,
}

#[derive(Debug)]
struct Connections {
    core: Connection,
    text: Connection,
}

/// The connections of one thread to a segment.
pub struct SegmentReader {
    connections: Connections,
    decompressor: RefCell<Decompressor<'static>>,
    shared: Arc<Shared>,
}

impl std::fmt::Debug for SegmentReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SegmentReader")
            .field("core", &self.shared.core)
            .finish_non_exhaustive()
    }
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
        let decompressor = Decompressor::with_dictionary(&self.shared.dictionary)
            .map_err(|_| corrupt(&self.shared.core)("unusable dictionary"))?;
        Ok(SegmentReader {
            connections,
            decompressor: RefCell::new(decompressor),
            shared: Arc::clone(&self.shared),
        })
    }
}

impl Shared {
    fn length(&self, stream: Stream) -> u64 {
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

    fn n_files(&self) -> u32 {
        self.n_symbols.len() as u32
    }

    /// Returns where file `id` begins and ends.
    fn part(&self, id: u32) -> Result<(Part, Part), FormatError> {
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
fn fail(path: &Path, error: ReadError) -> FormatError {
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

/// Every lookup of something that is not there is empty; only damage and I/O are errors. File
/// numbers, ordinals and symbol indexes that come out are in range of the file table.
impl SegmentReader {
    /// Returns the text of file `id`.
    ///
    /// # Errors
    /// A number out of range is a contract error; else corrupt or unavailable.
    pub fn text(&self, id: u32) -> Result<String, FormatError> {
        let (part, end) = self.shared.part(id)?;
        let path = &self.shared.text;
        let stored = self.read(Half::Text, Stream::Text, part.text..end.text)?;
        let text = self.expand(&stored, part.text_len as usize, path)?;
        String::from_utf8(text).map_err(|_| corrupt(path)("text is not UTF-8"))
    }

    /// Returns the facts of file `id`.
    ///
    /// # Errors
    /// As [`SegmentReader::text`].
    pub fn facts(&self, id: u32) -> Result<FileFacts, FormatError> {
        let (part, end) = self.shared.part(id)?;
        let path = &self.shared.core;
        let stored = self.read(Half::Core, Stream::Facts, part.facts..end.facts)?;
        let refuse = |why: Malformed| corrupt(path)(why.0);
        let mut input = Input::new(&stored);
        let len = input.u64().map_err(refuse)?;
        if len > MAX_FACTS_BYTES as u64 {
            return Err(corrupt(path)("facts too long"));
        }
        let raw = self.expand(input.rest(), len as usize, path)?;
        let facts = facts::decode(&raw, part.text_len).map_err(refuse)?;
        if facts.symbols.len() != self.shared.n_symbols[id as usize] as usize {
            return Err(corrupt(path)("number of definitions differs"));
        }
        Ok(facts)
    }

    /// Returns the chunks of file `id` in order.
    ///
    /// # Errors
    /// As [`SegmentReader::text`].
    pub fn chunks(&self, id: u32) -> Result<Vec<ChunkRow>, FormatError> {
        let (part, end) = self.shared.part(id)?;
        let stored = self.read(Half::Core, Stream::Chunks, part.chunks..end.chunks)?;
        let at = id as usize;
        let bounds = chunks::Bounds {
            n_chunks: self.shared.first_chunks[at + 1] - self.shared.first_chunks[at],
            text_len: part.text_len,
            n_symbols: self.shared.n_symbols[at],
        };
        chunks::decode(&stored, bounds).map_err(|why| corrupt(&self.shared.core)(why.0))
    }

    /// Calls `visit` with file and hit for each chunk that holds the word, ascending by file and
    /// ordinal.
    ///
    /// # Errors
    /// Corrupt or unavailable; hits visited before the error are real.
    pub fn word(&self, term: &str, visit: impl FnMut(u32, WordHit)) -> Result<(), FormatError> {
        let first_chunks = &self.shared.first_chunks;
        self.find(Stream::Words, term.as_bytes(), |posting, _| {
            visit_hits(posting, first_chunks, visit)
        })?;
        Ok(())
    }

    /// Returns the files whose path holds the word, ascending.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn path_word(&self, term: &str) -> Result<Vec<u32>, FormatError> {
        self.files_of(Stream::PathWords, term.as_bytes())
    }

    /// Returns the definitions whose name folds ([`leantoken_shared::terms::fold_name`]) to `folded`.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn symbol_name(&self, folded: &str) -> Result<Vec<NamePosting>, FormatError> {
        let n_symbols = &self.shared.n_symbols;
        let found = self.find(Stream::SymbolNames, folded.as_bytes(), |posting, _| {
            decode_names(posting, n_symbols)
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Returns the first `limit` folded names of definitions that start with `prefix`, in order.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn symbol_names_from(
        &self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<String>, FormatError> {
        let mut names = Vec::new();
        self.each_symbol_name(prefix, |name| {
            let wanted = names.len() < limit && name.starts_with(prefix);
            if wanted {
                names.push(name.to_string());
            }
            wanted
        })?;
        Ok(names)
    }

    /// Calls `visit` with every folded name of a definition, in order.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn all_symbol_names(&self, mut visit: impl FnMut(&str)) -> Result<(), FormatError> {
        self.each_symbol_name("", |name| {
            visit(name);
            true
        })
    }

    /// Returns the files that use a name that folds to `folded`, ascending.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn reference_name(&self, folded: &str) -> Result<Vec<u32>, FormatError> {
        self.files_of(Stream::ReferenceNames, folded.as_bytes())
    }

    /// Returns the files whose text holds the gram ([`leantoken_shared::grams`]), ascending.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn gram(&self, gram: [u8; 3]) -> Result<Vec<u32>, FormatError> {
        self.files_of(Stream::Grams, &gram)
    }

    /// Calls `visit` with the folded names from `from` on, in order, until it returns `false`.
    fn each_symbol_name(
        &self,
        from: &str,
        mut visit: impl FnMut(&str) -> bool,
    ) -> Result<(), FormatError> {
        let mut all_text = true;
        self.keyed(Stream::SymbolNames)
            .scan(from.as_bytes(), |entry| {
                let name = std::str::from_utf8(entry.key);
                all_text = name.is_ok();
                name.is_ok_and(&mut visit)
            })
            .map_err(|error| fail(&self.shared.core, error))?;
        if all_text {
            Ok(())
        } else {
            Err(corrupt(&self.shared.core)("name is not UTF-8"))
        }
    }

    fn files_of(&self, stream: Stream, key: &[u8]) -> Result<Vec<u32>, FormatError> {
        let n_files = self.shared.n_files();
        let found = self.find(stream, key, |posting, packed| {
            postings::decode_files(posting, packed, n_files)
        })?;
        Ok(found.unwrap_or_default())
    }

    fn find<T>(
        &self,
        stream: Stream,
        key: &[u8],
        decode: impl FnOnce(&[u8], bool) -> Decoded<T>,
    ) -> Result<Option<T>, FormatError> {
        self.keyed(stream)
            .find(key, |entry| Ok(decode(entry.posting, entry.packed)?))
            .map_err(|error| fail(&self.shared.core, error))
    }

    fn keyed(&self, stream: Stream) -> Keyed<'_> {
        Keyed {
            conn: &self.connections.core,
            stream,
            len: self.shared.length(stream),
        }
    }

    fn read(&self, half: Half, stream: Stream, range: Range<u64>) -> Result<Vec<u8>, FormatError> {
        let (conn, path) = match half {
            Half::Core => (&self.connections.core, &self.shared.core),
            Half::Text => (&self.connections.text, &self.shared.text),
        };
        pages::read(conn, stream, self.shared.length(stream), range)
            .map_err(|error| fail(path, error))
    }

    /// Decompresses exactly `len` bytes, which the caller has capped.
    fn expand(&self, stored: &[u8], len: usize, path: &Path) -> Result<Vec<u8>, FormatError> {
        let mut out = Vec::with_capacity(len);
        if len > 0 || !stored.is_empty() {
            self.decompressor
                .borrow_mut()
                .decompress_to_buffer(stored, &mut out)
                .map_err(|_| corrupt(path)("cannot be decompressed"))?;
        }
        if out.len() == len {
            Ok(out)
        } else {
            Err(corrupt(path)("decompressed length differs"))
        }
    }
}

fn visit_hits(
    posting: &[u8],
    first_chunks: &[u32],
    mut visit: impl FnMut(u32, WordHit),
) -> Decoded<()> {
    let mut input = Input::new(posting);
    let n_chunks = first_chunks.last().copied().unwrap_or(0);
    let (mut next, mut file) = (0u64, 0);
    let mut bounds = 0..0;
    while !input.is_empty() {
        let (gap, uses) = postings::take_hit(&mut input)?;
        let at = next.saturating_add(gap);
        if at >= u64::from(n_chunks) {
            return Err(Malformed("chunk number out of range"));
        }
        next = at + 1;
        let at = at as u32;
        if !bounds.contains(&at) {
            // The last file that does not begin after the chunk; files without chunks are passed.
            let ahead = &first_chunks[file..];
            file += gallop(ahead, at);
            bounds = first_chunks[file]..first_chunks[file + 1];
        }
        visit(
            file as u32,
            WordHit {
                ordinal: at - bounds.start,
                body: u32::from(uses.body),
                name: u32::from(uses.name),
                doc: u32::from(uses.doc),
            },
        );
    }
    Ok(())
}

/// Returns the place of the last of ascending `starts` that is at most `at`; the first is.
fn gallop(starts: &[u32], at: u32) -> usize {
    let mut step = 1;
    while step < starts.len() && starts[step] <= at {
        step *= 2;
    }
    let low = step / 2;
    let high = starts.len().min(step + 1);
    low + starts[low..high].partition_point(|start| *start <= at) - 1
}

fn decode_names(posting: &[u8], n_symbols: &[u32]) -> Decoded<Vec<NamePosting>> {
    let mut input = Input::new(posting);
    let mut found = Vec::new();
    let mut next = 0u64;
    while !input.is_empty() {
        let mut symbols = Vec::new();
        let gap = postings::take_definitions(&mut input, &mut symbols)?;
        let file = next.saturating_add(gap);
        let known = usize::try_from(file)
            .ok()
            .and_then(|file| n_symbols.get(file))
            .ok_or(Malformed("file number out of range"))?;
        if symbols.last().is_none_or(|last| last >= known) {
            return Err(Malformed("definition out of range"));
        }
        next = file + 1;
        found.push(NamePosting {
            file: file as u32,
            symbols,
        });
    }
    Ok(found)
}
