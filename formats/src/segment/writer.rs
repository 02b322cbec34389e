//! Rows in, sealed pair of files out.

use super::{EncodedFile, FieldLengths, PostingRuns, SegmentPlan, Skipped};
use crate::error::FormatError;
use leantoken_shared::digest::ContentHash;
use leantoken_shared::path::RepoPath;
use std::path::{Path, PathBuf};

/// Writes one segment into a directory. Dropped before the seal, it leaves nothing behind.
#[derive(Debug)]
pub struct SegmentWriter {
    dir: PathBuf,
}

/// What completes a segment once all its files are added.
#[derive(Debug, Default)]
pub struct Seal {
    /// The postings of every encoder that took part.
    pub runs: Vec<PostingRuns>,
    /// What the tree holds and the segment does not, in any order.
    pub skipped: Vec<Skipped>,
    /// Paths of older segments that are gone or replaced, in any order; empty in a base segment.
    pub hidden: Vec<RepoPath>,
}

/// One sealed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedBlob {
    /// The digest of its bytes, which also names it.
    pub hash: ContentHash,
    /// Its size in bytes.
    pub size: u64,
    /// Where it lies.
    pub path: PathBuf,
}

/// A sealed segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedSegment {
    /// Everything but the bodies.
    pub core: SealedBlob,
    /// The bodies.
    pub text: SealedBlob,
    /// Number of files.
    pub n_files: u32,
    /// Number of chunks.
    pub n_chunks: u64,
    /// Number of definitions.
    pub n_symbols: u64,
    /// Number of lines.
    pub n_lines: u64,
    /// Number of bytes of the files on disk.
    pub n_bytes: u64,
    /// Words in each field.
    pub lengths: TotalLengths,
}

/// Words a field, summed over many files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TotalLengths {
    /// Words of the text.
    pub body: u64,
    /// Words of the names of definitions.
    pub name: u64,
    /// Words of documentation comments.
    pub doc: u64,
}

impl TotalLengths {
    /// Adds the words of one file.
    pub fn add(&mut self, lengths: FieldLengths) {
        self.body += u64::from(lengths.body);
        self.name += u64::from(lengths.name);
        self.doc += u64::from(lengths.doc);
    }
}

impl SegmentWriter {
    /// Starts a segment in `dir`, which must exist.
    ///
    /// # Errors
    /// When the scratch files cannot be created.
    pub fn create(dir: &Path, plan: &SegmentPlan) -> Result<Self, FormatError> {
        let _ = plan;
        Ok(SegmentWriter { dir: dir.into() })
    }

    /// Adds the next file; numbers run 0, 1, 2 … and paths ascend in byte order.
    ///
    /// # Errors
    /// A file out of turn is [`FormatError::Contract`].
    pub fn add(&mut self, file: EncodedFile) -> Result<(), FormatError> {
        let _ = file;
        Ok(())
    }

    /// Merges the postings, writes and syncs both files and names them by their digests
    /// (`<hex>.core.db`, `<hex>.text.db`), read-only.
    ///
    /// The bytes depend only on the plan's dictionary and level and on what was added: not on the
    /// number of encoders, spills or threads, nor on where it was written. A file of that name that
    /// already exists is replaced by its equal.
    ///
    /// # Errors
    /// On any failure nothing is left in the directory.
    pub fn seal(self, seal: Seal) -> Result<SealedSegment, FormatError> {
        let _ = (seal, &self.dir);
        Err(FormatError::Contract("not written yet".into()))
    }
}
