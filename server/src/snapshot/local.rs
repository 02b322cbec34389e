//! The snapshot of a working tree on this machine: found current, or brought up to date.
//!
//! Not here: what is asked of it. The tree is walked; when every file has the stat data of the last look
//! the snapshot is current and nothing is locked or written. Otherwise one process builds what differs
//! while others wait for it and look again. Correctness rests on content hashes: stat data decide only
//! which files need not be read.

use leantoken_builder::discover::{self, DiscoverRequest, Discovery, Ignored};
use leantoken_builder::error::BuildError;
use leantoken_builder::limits::Limits;
use leantoken_builder::local::{Cache, StatCache, Worktree};
use leantoken_builder::progress::{Phase, Progress};
use leantoken_builder::report::{BuildReport, Kind};
use leantoken_builder::{Base, BuildRequest};
use leantoken_formats::manifest::Manifest;
use leantoken_formats::version;
use leantoken_shared::digest::ContentHash;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What to ensure.
#[derive(Clone, Debug)]
pub struct LocalRequest<'a> {
    /// The working tree, or a directory in one.
    pub root: &'a Path,
    /// The cache directory.
    pub cache: &'a Path,
    /// The user's home directory, which is refused as root.
    pub home: Option<&'a Path>,
    /// Whether `/` and the home directory are accepted as root.
    pub force_root: bool,
    /// How long to wait while another process builds; `None` for as long as it takes.
    pub wait: Option<Duration>,
    /// A generation that turned out to be damaged and must not be returned or built on.
    pub refused: Option<ContentHash>,
    /// Threads to use.
    pub threads: usize,
    /// Bounds of a build.
    pub limits: Limits,
}

/// How the snapshot compares with what was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// It was there and the tree has not changed.
    Unchanged,
    /// It was brought up to date just now.
    Built(Kind),
}

/// A snapshot that speaks for a working tree.
#[derive(Clone, Debug)]
pub struct Local {
    /// The snapshot directory.
    pub dir: PathBuf,
    /// Its identity.
    pub generation: ContentHash,
    /// Its manifest.
    pub manifest: Manifest,
    /// How it came about.
    pub freshness: Freshness,
    /// The canonical path of the tree.
    pub root: PathBuf,
    /// The identity of the tree on this machine.
    pub root_id: ContentHash,
    /// When the look at the tree began that it speaks for.
    pub checked_at: SystemTime,
    /// What was built, when something was.
    pub report: Option<BuildReport>,
    /// What the rules left out at that look.
    pub ignored: Ignored,
}

/// Returns the snapshot of a working tree, building what is missing.
///
/// # Errors
/// When the tree or the cache cannot be used, a limit is exceeded, or the wait is over.
pub fn ensure(request: &LocalRequest<'_>, progress: &dyn Progress) -> Result<Local, BuildError> {
    let cache = Cache::open(request.cache)?;
    let (mut found, mut checked_at) = look(request)?;
    let worktree = cache.worktree(found.root.path());
    if let Some(local) = current(&worktree, &found, request, checked_at) {
        return Ok(local);
    }
    let _lock = match worktree.lock(Some(Duration::ZERO)) {
        Err(BuildError::Busy { .. }) => {
            progress.phase(Phase::Wait);
            let lock = worktree.lock(request.wait)?;
            // The tree may have changed while another process was building.
            (found, checked_at) = look(request)?;
            lock
        }
        other => other?,
    };
    if let Some(local) = current(&worktree, &found, request, checked_at) {
        return Ok(local);
    }
    update(&worktree, found, request, checked_at, progress)
}

fn look(request: &LocalRequest<'_>) -> Result<(Discovery, SystemTime), BuildError> {
    let checked_at = SystemTime::now();
    let found = discover::discover(&DiscoverRequest {
        root: request.root,
        home: request.home,
        force_root: request.force_root,
        out: Some(request.cache),
        threads: request.threads,
        limits: request.limits,
    })?;
    Ok((found, checked_at))
}

/// Returns the current snapshot if it certainly speaks for what was found.
fn current(
    worktree: &Worktree,
    found: &Discovery,
    request: &LocalRequest<'_>,
    checked_at: SystemTime,
) -> Option<Local> {
    let generation = *worktree.current().generations.first()?;
    let known = worktree.stat_cache()?;
    if known.generation != generation
        || request.refused == Some(generation)
        || !known.seen.covers(found)
    {
        return None;
    }
    let manifest = worktree.cache().whole(&generation)?;
    let is_ours = manifest.build.fingerprint == version::analysis().fingerprint
        && manifest.scope == discover::scope(&request.limits)
        && manifest.source.commit == found.head.as_ref().map(|head| head.commit.clone());
    is_ours.then(|| Local {
        dir: worktree.cache().dir().to_path_buf(),
        generation,
        manifest,
        freshness: Freshness::Unchanged,
        root: worktree.root().to_path_buf(),
        root_id: worktree.id(),
        checked_at,
        report: None,
        ignored: found.ignored.clone(),
    })
}

/// Builds what differs and makes it current. The caller holds the lock.
fn update(
    worktree: &Worktree,
    found: Discovery,
    request: &LocalRequest<'_>,
    checked_at: SystemTime,
    progress: &dyn Progress,
) -> Result<Local, BuildError> {
    let seen = worktree
        .stat_cache()
        .map(|known| known.seen)
        .unwrap_or_default();
    let usable = |generation: &ContentHash| request.refused != Some(*generation);
    let base = worktree
        .current()
        .generations
        .first()
        .copied()
        .filter(usable)
        .map(|generation| Base { generation, seen });
    let build = BuildRequest {
        base,
        threads: request.threads,
        limits: request.limits,
        ..BuildRequest::new(
            request.root.to_path_buf(),
            worktree.cache().dir().to_path_buf(),
        )
    };
    let built = leantoken_builder::build_found(&build, found, progress)?;
    worktree.set_current(&StatCache {
        generation: built.generation,
        seen: built.seen,
    })?;
    worktree.cache().prune();
    Ok(Local {
        dir: worktree.cache().dir().to_path_buf(),
        generation: built.generation,
        manifest: built.manifest,
        freshness: Freshness::Built(built.report.kind),
        root: worktree.root().to_path_buf(),
        root_id: worktree.id(),
        checked_at,
        ignored: built.report.ignored.clone(),
        report: Some(built.report),
    })
}
