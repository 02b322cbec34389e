//! A snapshot directory that is written to: sealed files first, then the manifest that names them.
//!
//! Not here: what a manifest says. Files are written in a scratch directory beside their place and
//! renamed, so a name always stands for the whole file; a build that ends early leaves only scratch,
//! which is removed on the way out, or by a later build when the process was killed.

use crate::error::BuildError;
use crate::local::LOCAL;
use crate::platform;
use leantoken_formats::error::FormatError;
use leantoken_formats::layout::{self, BlobRole};
use leantoken_formats::manifest::{Manifest, SegmentEntry};
use leantoken_formats::segment::{SealedSegment, Segment};
use leantoken_formats::verify;
use leantoken_shared::digest::ContentHash;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

const SCRATCH_PREFIX: &str = "tmp-";
/// Scratch this old belongs to no running build.
const SCRATCH_MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// The directory.
#[derive(Debug)]
pub(crate) struct Store {
    dir: PathBuf,
}

impl Store {
    /// Opens `dir`, creating what is missing, and sweeps old scratch.
    pub(crate) fn open(dir: &Path) -> Result<Self, BuildError> {
        for dir in [dir, &dir.join(layout::BLOBS), &dir.join(layout::MANIFESTS)] {
            fs::create_dir_all(dir).map_err(|error| BuildError::io("create", dir, error))?;
        }
        let store = Store {
            dir: dir.to_path_buf(),
        };
        store.mark();
        store.sweep();
        Ok(store)
    }

    /// Marks a directory that holds nothing but snapshots as a cache, so that neither git nor the next
    /// walk takes it for a part of the tree it lies in. A snapshot is whole without the marks.
    fn mark(&self) {
        let tag = self.dir.join(layout::CACHE_TAG);
        if tag.symlink_metadata().is_ok() || !self.is_alone() {
            return;
        }
        let text = format!(
            "{}\n# Snapshots of source trees by leantoken. They can be deleted and built again.\n",
            layout::CACHE_SIGNATURE
        );
        let _ = fs::write(tag, text);
        let rules = self.dir.join(".gitignore");
        if rules.symlink_metadata().is_err() {
            let _ = fs::write(rules, "*\n");
        }
    }

    /// Whether everything in the directory is ours.
    fn is_alone(&self) -> bool {
        let Ok(mut entries) = fs::read_dir(&self.dir) else {
            return false;
        };
        entries.all(|entry| {
            entry.is_ok_and(|entry| {
                let name = entry.file_name();
                let ours = [layout::BLOBS, layout::MANIFESTS, LOCAL];
                ours.iter().any(|our| name == *our)
                    || name.to_string_lossy().starts_with(SCRATCH_PREFIX)
            })
        })
    }

    /// Returns a new scratch directory; it is removed when dropped.
    pub(crate) fn scratch(&self) -> Result<TempDir, BuildError> {
        tempfile::Builder::new()
            .prefix(&format!("{SCRATCH_PREFIX}{}-", std::process::id()))
            .tempdir_in(&self.dir)
            .map_err(|error| BuildError::io("write in", &self.dir, error))
    }

    /// Removes scratch of builds that were killed long ago; what cannot be removed stays.
    fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.dir) else {
            return;
        };
        for entry in entries.flatten() {
            let is_scratch = entry
                .file_name()
                .to_string_lossy()
                .starts_with(SCRATCH_PREFIX);
            let is_old = || {
                let age = entry.metadata().ok()?.modified().ok()?.elapsed().ok()?;
                Some(age > SCRATCH_MAX_AGE)
            };
            if is_scratch && is_old() == Some(true) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Moves the files of a sealed segment to their place.
    pub(crate) fn adopt(&self, sealed: &SealedSegment) -> Result<(), BuildError> {
        for (role, blob) in [
            (BlobRole::Core, &sealed.core),
            (BlobRole::Text, &sealed.text),
        ] {
            let target = self.dir.join(layout::blob(role, &blob.hash));
            platform::rename_sealed(&blob.path, &target)
                .map_err(|error| BuildError::io("write", &target, error))?;
        }
        // The names must be on disk before a manifest mentions them. Not every system can do this.
        let _ = File::open(self.dir.join(layout::BLOBS)).and_then(|dir| dir.sync_all());
        Ok(())
    }

    /// Writes the manifest, unless it is there, and returns its generation.
    pub(crate) fn publish(&self, manifest: &Manifest) -> Result<ContentHash, FormatError> {
        let generation = manifest.generation();
        match self.manifest(&generation) {
            Ok(_) => Ok(generation),
            Err(_) => verify::save_manifest(&self.dir, manifest),
        }
    }

    /// Reads a manifest.
    pub(crate) fn manifest(&self, generation: &ContentHash) -> Result<Manifest, FormatError> {
        verify::load_manifest(&self.dir, generation)
    }

    /// Opens a segment after comparing the sizes of its files with the manifest.
    pub(crate) fn segment(&self, entry: &SegmentEntry) -> Result<Segment, FormatError> {
        let [core, text] = [BlobRole::Core, BlobRole::Text].map(|role| {
            let blob = entry.blob(role);
            (self.dir.join(layout::blob(role, &blob.hash)), blob.size)
        });
        for (path, size) in [&core, &text] {
            let meta = fs::metadata(path).map_err(|source| FormatError::Io {
                action: "read",
                path: path.clone(),
                source,
            })?;
            if meta.len() != *size {
                return Err(FormatError::Corrupt {
                    path: path.clone(),
                    reason: format!("it has {} bytes instead of {size}", meta.len()),
                });
            }
        }
        Segment::open(&core.0, &text.0)
    }
}
