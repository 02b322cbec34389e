//! Which files a snapshot holds: agrees with git, works without it, opens no file.
//!
//! Not here: reading contents (see [`crate::decode`]). Tracked files are in even when a rule ignores
//! them; untracked files follow the rules ([`rules`]); submodules, nested repositories and linked
//! worktrees are boundaries; directories tagged as caches, snapshots among them, are left out; links are recorded, never followed. The list of tracked files comes from
//! one git process that runs while the tree is walked.
//!
//! Invariant: the result is sorted and depends on the tree alone, not on the order in which the file
//! system lists it. Bound: [`Limits::max_files`] paths; a larger tree is an error, not a part of itself.

mod ignored;
mod rules;
#[cfg(test)]
mod tests;
mod tracked;
mod walk;

pub use ignored::{Ignored, IgnoredBy};

use crate::error::BuildError;
use crate::limits::Limits;
use crate::platform::{RootDir, Stat};
use crate::revision::{self, Head};
use leantoken_formats::segment::{SkipReason, Skipped};
use leantoken_shared::digest::{ContentHash, Hasher};
use leantoken_shared::path::RepoPath;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A regular file of the tree, not opened yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Where it lies.
    pub path: RepoPath,
    /// What the file system tells about it.
    pub stat: Stat,
}

/// What a walk found.
#[derive(Debug)]
pub struct Discovery {
    /// The directory that was walked, held open.
    pub root: RootDir,
    /// Regular files in byte order of their paths.
    pub files: Vec<SourceFile>,
    /// Paths that are left out, sorted.
    pub skipped: Vec<Skipped>,
    /// How many entries the rules leave out. No part of the snapshot: it may differ where the files do not.
    pub ignored: Ignored,
    /// The commit that is checked out, when git could tell.
    pub head: Option<Head>,
    /// Whether the tree lies in a working tree of git.
    pub in_repository: bool,
    /// How many files git tracks below the root; `None` where it could not be asked.
    pub n_tracked: Option<usize>,
    /// How many of `files` git does not track; all of them where it could not be asked.
    pub n_untracked: usize,
    /// When the walk began, in nanoseconds since 1970. Files changed shortly before may change again
    /// without a new time stamp.
    pub observed_ns: i64,
}

/// What to walk.
#[derive(Clone, Debug)]
pub struct DiscoverRequest<'a> {
    /// The directory.
    pub root: &'a Path,
    /// The user's home directory, which is refused as root; `None` when there is none.
    pub home: Option<&'a Path>,
    /// Whether `/` and the home directory are accepted as root.
    pub force_root: bool,
    /// A directory that is written to and therefore left out where it lies in the tree.
    pub out: Option<&'a Path>,
    /// Threads to use.
    pub threads: usize,
    /// Bounds.
    pub limits: Limits,
}

/// Lists the files of a tree.
///
/// # Errors
/// Not found or unavailable when the root cannot be read, invalid request when it is refused, limit
/// exceeded when the tree is too large.
pub fn discover(request: &DiscoverRequest<'_>) -> Result<Discovery, BuildError> {
    request.limits.check()?;
    let root = open_root(request)?;
    let observed_ns = now_ns();
    let top = rules::top_of(root.path());
    let out = request.out.and_then(|out| out.canonicalize().ok());
    let walk = walk::Walk {
        root: root.path(),
        top: top.as_deref(),
        out: out.as_deref(),
        limits: &request.limits,
        threads: request.threads,
    };
    let (walked, tracked, head) = std::thread::scope(|scope| {
        let git = top.as_ref().map(|_| {
            (
                scope.spawn(|| tracked::list(root.path())),
                scope.spawn(|| revision::head(root.path())),
            )
        });
        let walked = walk.run();
        let (tracked, head) = git.map_or((None, None), |(tracked, head)| {
            (tracked.join().ok().flatten(), head.join().ok().flatten())
        });
        (walked, tracked, head)
    });
    let mut found = Discovery {
        root,
        files: Vec::new(),
        skipped: Vec::new(),
        ignored: Ignored::default(),
        head,
        in_repository: top.is_some(),
        n_tracked: tracked.as_ref().map(|tracked| tracked.entries.len()),
        n_untracked: 0,
        observed_ns,
    };
    merge(&mut found, walked?, tracked.unwrap_or_default());
    if (found.files.len() + found.skipped.len()) as u64 > request.limits.max_files {
        return Err(BuildError::TooMuch {
            what: "files",
            limit: request.limits.max_files,
        });
    }
    Ok(found)
}

fn open_root(request: &DiscoverRequest<'_>) -> Result<RootDir, BuildError> {
    let root = RootDir::open(request.root).map_err(|source| BuildError::Root {
        path: request.root.to_path_buf(),
        source,
    })?;
    let home = request.home.and_then(|home| home.canonicalize().ok());
    let what = if root.path().parent().is_none() {
        Some("the root of the file system")
    } else if home.is_some_and(|home| home == root.path()) {
        Some("the home directory")
    } else {
        None
    };
    match what {
        Some(what) if !request.force_root => Err(BuildError::RefusedRoot {
            path: root.path().to_path_buf(),
            what,
        }),
        _ => Ok(root),
    }
}

/// Puts what was walked and what is tracked together.
fn merge(found: &mut Discovery, walked: walk::Walked, mut tracked: tracked::Tracked) {
    let mut files = walked.files;
    let mut skipped = walked.skipped;
    found.ignored = walked.ignored;
    let links = std::mem::take(&mut tracked.submodules);
    if !links.is_empty() {
        let below = |path: &str| {
            path.match_indices('/')
                .any(|(at, _)| links.contains(&path[..at]))
        };
        files.retain(|file| !below(file.path.as_str()));
        skipped.retain(|skip| !below(&skip.path) && !links.contains(&skip.path));
        skipped.extend(links.iter().map(|path| Skipped {
            path: path.clone(),
            reason: SkipReason::NestedRepository,
        }));
    }
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let in_index = |path: &str| {
        tracked
            .entries
            .binary_search_by(|entry| entry.as_str().cmp(path))
            .is_ok()
    };
    found.n_untracked = files
        .iter()
        .filter(|file| !in_index(file.path.as_str()))
        .count();
    let missed = tracked.missed(found.root.path(), &files);
    files.extend(missed.files);
    skipped.extend(missed.skipped);
    skipped.extend(tracked.unnamed);
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    skipped.sort_unstable();
    skipped.dedup_by(|a, b| a.path == b.path);
    found.files = files;
    found.skipped = skipped;
}

/// Returns a path for people to read, whatever its bytes.
fn display_path(parent: &str, name: &OsStr) -> String {
    let mut path = PathBuf::from(parent);
    path.push(name);
    path.to_string_lossy().into_owned()
}

fn now_ns() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO);
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// Returns the digest of everything that decides which files of a tree are indexed.
pub fn scope(limits: &Limits) -> ContentHash {
    let mut hasher = Hasher::new();
    hasher.update(b"leantoken-scope-v2");
    hasher.update(&limits.max_file_bytes.to_le_bytes());
    for name in rules::PRUNED {
        hasher.update(name.as_bytes());
        hasher.update(b"\0");
    }
    hasher.finish()
}
