//! The user's cache directory: snapshots of all working trees, and what is current for each. Everything
//! lies below a directory named after the layout version, so that programs of other versions can use
//! the same cache.
//!
//! Not here: building, and deciding when to (see [`crate::build_found`] and its callers). The directory holds what every snapshot directory holds, and
//! ```text
//! local/<worktree>/current.json   which generation speaks for the tree, and the ones before it
//! local/<worktree>/stat.cache     the look at the tree it was made from
//! local/<worktree>/lock           held by the process that builds
//! ```
//! Small files are replaced by rename, so a reader sees an old or a new one, never a part. Only who holds
//! the lock writes. Old generations are removed once no working tree names them and they are older than
//! a grace, so that a running server finds the files it has named.

mod stat_cache;

pub use stat_cache::StatCache;

use crate::error::BuildError;
use crate::platform;
use leantoken_formats::error::FormatError;
use leantoken_formats::layout::{self, BlobRole};
use leantoken_formats::manifest::Manifest;
use leantoken_formats::verify;
use leantoken_shared::digest::ContentHash;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const VERSION: &str = "v1";
/// The directory of what is known about working trees.
pub(crate) const LOCAL: &str = "local";
/// How many generations of a working tree are kept beside the current one.
const KEPT: usize = 2;
/// Files younger than this are never removed: their build may not have named them yet.
const GRACE: Duration = Duration::from_secs(60 * 60);
/// How often a bounded wait for the lock looks again.
const LOCK_POLL: Duration = Duration::from_millis(20);

/// The cache.
#[derive(Clone, Debug)]
pub struct Cache {
    dir: PathBuf,
}

/// The part of the cache that belongs to one working tree.
#[derive(Clone, Debug)]
pub struct Worktree {
    cache: Cache,
    dir: PathBuf,
    root: PathBuf,
    id: ContentHash,
}

/// What `current.json` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Current {
    /// The current generation and the ones before it, newest first.
    pub generations: Vec<ContentHash>,
}

impl Cache {
    /// Opens the cache in `dir`, creating it for the user alone.
    ///
    /// # Errors
    /// When it cannot be created, or others can write to it.
    pub fn open(dir: &Path) -> Result<Self, BuildError> {
        let dir = &dir.join(VERSION);
        if !dir.is_dir() {
            fs::create_dir_all(dir).map_err(|error| BuildError::io("create", dir, error))?;
            platform::make_private(dir).map_err(|error| BuildError::io("protect", dir, error))?;
        }
        let meta = fs::metadata(dir).map_err(|error| BuildError::io("read", dir, error))?;
        if !platform::is_private(&meta) {
            return Err(BuildError::Exposed {
                path: dir.to_path_buf(),
            });
        }
        Ok(Cache {
            dir: dir.to_path_buf(),
        })
    }

    /// Returns the snapshot directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the part of the working tree with the canonical path `root`.
    pub fn worktree(&self, root: &Path) -> Worktree {
        let id = ContentHash::of(root.as_os_str().as_encoded_bytes());
        Worktree {
            cache: self.clone(),
            dir: self.dir.join(LOCAL).join(&id.hex()[..32]),
            root: root.to_path_buf(),
            id,
        }
    }

    /// Returns the manifest of `generation` if all its files are there with the right sizes.
    pub fn whole(&self, generation: &ContentHash) -> Option<Manifest> {
        let manifest = verify::load_manifest(&self.dir, generation).ok()?;
        let is_there = manifest.segments.iter().all(|segment| {
            [BlobRole::Core, BlobRole::Text].into_iter().all(|role| {
                let blob = segment.blob(role);
                fs::metadata(self.dir.join(layout::blob(role, &blob.hash)))
                    .is_ok_and(|meta| meta.is_file() && meta.len() == blob.size)
            })
        });
        is_there.then_some(manifest)
    }

    /// Removes manifests and sealed files that no working tree names. Does nothing when it is not
    /// certain what is named.
    pub fn prune(&self) {
        let Some(named) = self.named() else {
            return;
        };
        for part in [layout::MANIFESTS, layout::BLOBS] {
            let Ok(entries) = fs::read_dir(self.dir.join(part)) else {
                continue;
            };
            for entry in entries.flatten() {
                let name = format!("{part}/{}", entry.file_name().to_string_lossy());
                let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
                if !named.contains(&name) && age().is_some_and(|age| age > GRACE) {
                    let _ = platform::remove_sealed(&entry.path());
                }
            }
        }
    }

    /// Returns the names of all files that belong to a named generation.
    fn named(&self) -> Option<BTreeSet<String>> {
        let mut names = BTreeSet::new();
        for entry in fs::read_dir(self.dir.join(LOCAL)).ok()? {
            let bytes = match fs::read(entry.ok()?.path().join("current.json")) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(_) => return None,
            };
            for generation in Current::parse(&bytes)?.generations {
                names.insert(layout::manifest(&generation));
                let manifest = match verify::load_manifest(&self.dir, &generation) {
                    Ok(manifest) => manifest,
                    Err(FormatError::Io { source, .. })
                        if source.kind() == io::ErrorKind::NotFound =>
                    {
                        continue;
                    }
                    // It may be of a version that only another program reads.
                    Err(_) => return None,
                };
                names.extend(manifest.parent.iter().map(layout::manifest));
                for segment in &manifest.segments {
                    for role in [BlobRole::Core, BlobRole::Text] {
                        names.insert(layout::blob(role, &segment.blob(role).hash));
                    }
                }
            }
        }
        Some(names)
    }
}

impl Current {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let generations = value.get("generations")?.as_array()?;
        Some(Current {
            generations: generations
                .iter()
                .map(|text| text.as_str()?.parse().ok())
                .collect::<Option<_>>()?,
        })
    }
}

impl Worktree {
    /// Returns the identity: the digest of the canonical path.
    pub fn id(&self) -> ContentHash {
        self.id
    }

    /// Returns the canonical path of the tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the cache it is in.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Returns what is current; nothing when there is nothing that can be read.
    pub fn current(&self) -> Current {
        fs::read(self.dir.join("current.json"))
            .ok()
            .and_then(|bytes| Current::parse(&bytes))
            .unwrap_or_default()
    }

    /// Returns the last look at the tree.
    pub fn stat_cache(&self) -> Option<StatCache> {
        let bytes = fs::read(self.dir.join("stat.cache")).ok()?;
        StatCache::from_bytes(&bytes)
    }

    /// Makes `stat_cache` and its generation the current ones. The caller holds the lock.
    pub fn set_current(&self, stat_cache: &StatCache) -> Result<(), BuildError> {
        let mut generations = self.current().generations;
        generations.retain(|known| *known != stat_cache.generation);
        generations.insert(0, stat_cache.generation);
        generations.truncate(1 + KEPT);
        let names: Vec<String> = generations.iter().map(ContentHash::to_string).collect();
        let document = json!({ "root": self.root.to_string_lossy(), "generations": names });
        self.replace("stat.cache", &stat_cache.to_bytes())?;
        self.replace("current.json", format!("{document}\n").as_bytes())
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), BuildError> {
        let target = self.dir.join(name);
        let fail = |error| BuildError::io("write", &target, error);
        let mut file = tempfile::NamedTempFile::new_in(&self.dir).map_err(fail)?;
        io::Write::write_all(&mut file, bytes).map_err(fail)?;
        file.persist(&target).map_err(|error| fail(error.error))?;
        Ok(())
    }

    /// Takes the lock of the working tree, waiting at most `wait`; a lock whose holder died is free.
    ///
    /// # Errors
    /// [`BuildError::Busy`] when the time is over.
    pub fn lock(&self, wait: Option<Duration>) -> Result<File, BuildError> {
        fs::create_dir_all(&self.dir)
            .map_err(|error| BuildError::io("write in", &self.dir, error))?;
        let path = self.dir.join("lock");
        let fail = |error| BuildError::io("lock", &path, error);
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(fail)?;
        let Some(wait) = wait else {
            file.lock().map_err(fail)?;
            return Ok(file);
        };
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::Error(error)) => return Err(fail(error)),
                Err(TryLockError::WouldBlock) if start.elapsed() >= wait => {
                    return Err(BuildError::Busy {
                        root: self.root.clone(),
                    });
                }
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(LOCK_POLL.min(wait.saturating_sub(start.elapsed())));
                }
            }
        }
    }
}
