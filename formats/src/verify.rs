//! Manifest against files: sizes, digests, versions, counts; and how manifests get to disk.
//!
//! Not here: which snapshot is wanted, and fetching it. A digest is the only proof of integrity; that
//! a file opens proves nothing.

use crate::error::FormatError;
use crate::layout::{self, BlobRole};
use crate::manifest::{Manifest, SegmentEntry};
use crate::platform;
use crate::segment::{Segment, hash_file};
use leantoken_shared::digest::ContentHash;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// What was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The manifest of the snapshot.
    pub manifest: Manifest,
    /// Bytes of all its sealed files.
    pub n_bytes: u64,
}

/// Checks the snapshot `generation` in `dir` completely: every byte is covered by a digest, and
/// every segment opens and holds what the manifest says.
///
/// # Errors
/// The first thing that does not fit.
pub fn verify(dir: &Path, generation: &ContentHash) -> Result<Report, FormatError> {
    let manifest = load_manifest(dir, generation)?;
    let mut n_bytes = 0;
    for segment in &manifest.segments {
        n_bytes += verify_segment(dir, segment)?;
    }
    Ok(Report { manifest, n_bytes })
}

/// Checks one segment and returns the bytes of its files.
fn verify_segment(dir: &Path, segment: &SegmentEntry) -> Result<u64, FormatError> {
    let [core, text] = [BlobRole::Core, BlobRole::Text].map(|role| {
        let entry = segment.blob(role);
        let path = dir.join(layout::blob(role, &entry.hash));
        (path, entry)
    });
    for (path, entry) in [&core, &text] {
        let (hash, size) = File::open(path)
            .and_then(|mut file| hash_file(&mut file))
            .map_err(|source| io("read", path)(source))?;
        if size != entry.size {
            return Err(corrupt(
                path,
                format!("it has {size} bytes instead of {}", entry.size),
            ));
        }
        if hash != entry.hash {
            return Err(corrupt(path, "its bytes have another digest".into()));
        }
    }
    let opened = Segment::open(&core.0, &text.0)?;
    let n_chunks: u64 = opened
        .files()
        .iter()
        .map(|row| u64::from(row.n_chunks))
        .sum();
    let counted = (opened.files().len(), n_chunks, opened.hidden().len());
    let stated = (
        segment.files as usize,
        segment.chunks,
        segment.dead_paths as usize,
    );
    if counted != stated {
        return Err(corrupt(
            &core.0,
            "its counts are not those of the manifest".into(),
        ));
    }
    Ok(core.1.size + text.1.size)
}

/// Reads the manifest of `generation` from `dir` and checks that it has that digest.
///
/// # Errors
/// Unavailable when it is not there, else corrupt or incompatible.
pub fn load_manifest(dir: &Path, generation: &ContentHash) -> Result<Manifest, FormatError> {
    let path = dir.join(layout::manifest(generation));
    let bytes = std::fs::read(&path).map_err(io("read", &path))?;
    let manifest = Manifest::parse(&path, &bytes)?;
    if manifest.generation() == *generation {
        Ok(manifest)
    } else {
        Err(corrupt(
            &path,
            "it is the manifest of another generation".into(),
        ))
    }
}

/// Writes `manifest` into `dir`, whole or not at all, and returns its generation.
///
/// # Errors
/// Unavailable.
pub fn save_manifest(dir: &Path, manifest: &Manifest) -> Result<ContentHash, FormatError> {
    let generation = manifest.generation();
    let path = dir.join(layout::manifest(&generation));
    let parent = dir.join(layout::MANIFESTS);
    std::fs::create_dir_all(&parent).map_err(io("create", &parent))?;
    let mut file = tempfile::Builder::new()
        .prefix(".saving-")
        .tempfile_in(&parent)
        .map_err(io("write in", &parent))?;
    file.write_all(&manifest.to_bytes())
        .and_then(|()| platform::make_read_only(file.as_file()))
        .and_then(|()| file.as_file().sync_all())
        .map_err(io("write", &path))?;
    file.persist(&path)
        .map_err(|error| io("rename to", &path)(error.error))?;
    platform::sync_dir(&parent)?;
    Ok(generation)
}

fn io(action: &'static str, path: &Path) -> impl Fn(std::io::Error) -> FormatError {
    move |source| FormatError::Io {
        action,
        path: path.into(),
        source,
    }
}

fn corrupt(path: &Path, reason: String) -> FormatError {
    FormatError::Corrupt {
        path: path.into(),
        reason,
    }
}

#[cfg(test)]
mod tests;
