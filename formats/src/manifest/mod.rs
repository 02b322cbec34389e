//! The document that names a snapshot: which segments, of which source, by which versions.
//!
//! Canonical: one spelling only, so that equal content has equal bytes and the digest is an
//! identity. No paths of the machine, no clock, no host names.

#[cfg(test)]
mod tests;
mod v1;

#[cfg(test)]
pub(crate) use tests::sample;

use crate::error::FormatError;
use crate::layout::BlobRole;
use crate::segment::{SealedSegment, SkipReason};
use crate::version::FormatVersion;
use leantoken_shared::digest::ContentHash;
use std::collections::BTreeMap;
use std::path::Path;

/// A manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The version of its bytes and of its segments.
    pub format: FormatVersion,
    /// Which repository.
    pub repo: Repo,
    /// Which state of its source.
    pub source: Source,
    /// The digest of everything that decides which files are indexed.
    pub scope: ContentHash,
    /// By what it was built.
    pub build: Build,
    /// The generation whose segments come first, when deltas are present.
    pub parent: Option<ContentHash>,
    /// The segments, oldest first.
    pub segments: Vec<SegmentEntry>,
    /// Counts over the live files.
    pub stats: Stats,
}

/// Which repository a snapshot is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repo {
    /// The identity.
    pub id: ContentHash,
    /// Names for people, such as `github.com/acme/app`; sorted.
    pub names: Vec<String>,
}

/// Which state of the source was indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// A commit, or a plain directory.
    pub kind: SourceKind,
    /// The commit that was checked out, in lower-case hexadecimal.
    pub commit: Option<String>,
    /// The tree of that commit, in lower-case hexadecimal.
    pub tree: Option<String>,
    /// Whether the files differ from the commit.
    pub dirty: bool,
    /// The digest of all indexed paths and contents; names the revision where no commit does.
    pub digest: ContentHash,
}

/// Where the source comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A git working tree.
    Git,
    /// A directory without git.
    Tree,
}

impl SourceKind {
    /// Returns the stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            SourceKind::Git => "git",
            SourceKind::Tree => "tree",
        }
    }
}

/// By what a snapshot was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// [`crate::version::AnalysisVersion::fingerprint`].
    pub fingerprint: ContentHash,
    /// The program and its version.
    pub tool: String,
    /// The SQLite version number.
    pub sqlite: u32,
    /// [`crate::version::AnalysisVersion::number`].
    pub analysis: u32,
}

/// Whether a segment stands alone or changes older ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// Hides nothing.
    Base,
    /// Replaces or removes files of older segments.
    Delta,
}

impl SegmentKind {
    /// Returns the stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            SegmentKind::Base => "base",
            SegmentKind::Delta => "delta",
        }
    }
}

/// One segment of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentEntry {
    /// The identity: the digest over the digests of its two files.
    pub id: ContentHash,
    /// Its kind.
    pub kind: SegmentKind,
    /// Number of files.
    pub files: u32,
    /// Number of chunks.
    pub chunks: u64,
    /// Number of paths of older segments it takes away.
    pub dead_paths: u32,
    /// The file of everything but the bodies.
    pub core: BlobEntry,
    /// The file of the bodies.
    pub text: BlobEntry,
}

/// One file of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobEntry {
    /// Its size in bytes.
    pub size: u64,
    /// The digest of its bytes.
    pub hash: ContentHash,
}

/// Counts over a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Number of files.
    pub files: u64,
    /// Number of lines.
    pub lines: u64,
    /// Bytes of the files on disk.
    pub bytes: u64,
    /// Number of paths left out, by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
}

impl SegmentEntry {
    /// Describes a sealed segment.
    pub fn new(kind: SegmentKind, sealed: &SealedSegment, dead_paths: u32) -> Self {
        let entry = |blob: &crate::segment::SealedBlob| BlobEntry {
            size: blob.size,
            hash: blob.hash,
        };
        SegmentEntry {
            id: segment_id(&sealed.core.hash, &sealed.text.hash),
            kind,
            files: sealed.n_files,
            chunks: sealed.n_chunks,
            dead_paths,
            core: entry(&sealed.core),
            text: entry(&sealed.text),
        }
    }

    /// Returns the file in `role`.
    pub fn blob(&self, role: BlobRole) -> &BlobEntry {
        match role {
            BlobRole::Core => &self.core,
            BlobRole::Text => &self.text,
        }
    }
}

/// Returns the identity of the segment whose files have these digests.
fn segment_id(core: &ContentHash, text: &ContentHash) -> ContentHash {
    let mut hasher = leantoken_shared::digest::Hasher::new();
    hasher.update(b"leantoken-segment-v1");
    hasher.update(&core.0);
    hasher.update(&text.0);
    hasher.finish()
}

impl Manifest {
    /// Returns the identity of the snapshot: the digest of the canonical bytes without the
    /// `generation` key.
    pub fn generation(&self) -> ContentHash {
        v1::generation(self)
    }

    /// Returns the canonical bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        v1::to_bytes(self)
    }

    /// Parses canonical bytes; `path` is only named in errors.
    ///
    /// # Errors
    /// Any other spelling of the same content is corrupt; an unknown major version or required
    /// feature is incompatible.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, FormatError> {
        v1::parse(path, bytes)
    }
}
