//! Bounded, typed lookups in one sealed segment.

use super::codec::{Decoded, Input, Malformed, chunks, facts, postings};
use super::keyed::Keyed;
use super::open::{Connections, Shared, fail};
use super::pages;
use super::schema::{Half, Stream, corrupt};
use super::{ChunkRow, MAX_FACTS_BYTES, NamePosting, WordHit};
use crate::error::FormatError;
use leantoken_shared::facts::FileFacts;
use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use zstd::bulk::Decompressor;

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

/// Every lookup of something that is not there is empty; only damage and I/O are errors. File
/// numbers, ordinals and symbol indexes that come out are in range of the file table.
impl SegmentReader {
    pub(super) fn new(connections: Connections, shared: Arc<Shared>) -> Result<Self, FormatError> {
        let decompressor = Decompressor::with_dictionary(&shared.dictionary)
            .map_err(|_| corrupt(&shared.core)("unusable dictionary"))?;
        Ok(SegmentReader {
            connections,
            decompressor: RefCell::new(decompressor),
            shared,
        })
    }

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
