//! Bounded, typed lookups in one sealed segment.

use super::{ChunkRow, FileRow, NamePosting, Skipped, WordHit};
use crate::error::FormatError;
use leantoken_shared::facts::FileFacts;
use leantoken_shared::path::RepoPath;
use std::path::Path;

/// One opened segment: its file table, checked, and where to read the rest. Shared by all threads.
#[derive(Debug)]
pub struct Segment {
    files: Vec<FileRow>,
    hidden: Vec<RepoPath>,
}

/// The connections of one thread to a segment.
#[derive(Debug)]
pub struct SegmentReader {}

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
        let _ = (core, text);
        Err(FormatError::Contract("not written yet".into()))
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
        Ok(Vec::new())
    }

    /// Opens connections for one thread.
    ///
    /// # Errors
    /// When the files can no longer be opened.
    pub fn reader(&self) -> Result<SegmentReader, FormatError> {
        Ok(SegmentReader {})
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
        let _ = id;
        Ok(String::new())
    }

    /// Returns the facts of file `id`.
    ///
    /// # Errors
    /// As [`SegmentReader::text`].
    pub fn facts(&self, id: u32) -> Result<FileFacts, FormatError> {
        let _ = id;
        Ok(FileFacts::default())
    }

    /// Returns the chunks of file `id` in order.
    ///
    /// # Errors
    /// As [`SegmentReader::text`].
    pub fn chunks(&self, id: u32) -> Result<Vec<ChunkRow>, FormatError> {
        let _ = id;
        Ok(Vec::new())
    }

    /// Calls `visit` with file and hit for each chunk that holds the word, ascending by file and
    /// ordinal.
    ///
    /// # Errors
    /// Corrupt or unavailable; hits visited before the error are real.
    pub fn word(&self, term: &str, visit: impl FnMut(u32, WordHit)) -> Result<(), FormatError> {
        let _ = (term, visit);
        Ok(())
    }

    /// Returns the files whose path holds the word, ascending.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn path_word(&self, term: &str) -> Result<Vec<u32>, FormatError> {
        let _ = term;
        Ok(Vec::new())
    }

    /// Returns the definitions whose name folds ([`leantoken_shared::terms::fold_name`]) to `folded`.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn symbol_name(&self, folded: &str) -> Result<Vec<NamePosting>, FormatError> {
        let _ = folded;
        Ok(Vec::new())
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
        let _ = (prefix, limit);
        Ok(Vec::new())
    }

    /// Calls `visit` with every folded name of a definition, in order.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn all_symbol_names(&self, visit: impl FnMut(&str)) -> Result<(), FormatError> {
        let _ = visit;
        Ok(())
    }

    /// Returns the files that use a name that folds to `folded`, ascending.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn reference_name(&self, folded: &str) -> Result<Vec<u32>, FormatError> {
        let _ = folded;
        Ok(Vec::new())
    }

    /// Returns the files whose text holds the gram ([`leantoken_shared::grams`]), ascending.
    ///
    /// # Errors
    /// Corrupt or unavailable.
    pub fn gram(&self, gram: [u8; 3]) -> Result<Vec<u32>, FormatError> {
        let _ = gram;
        Ok(Vec::new())
    }
}
