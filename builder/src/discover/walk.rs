//! The walk: every path below the root that the ignore rules leave in.
//!
//! Not here: what git tracks (see [`super`]). Directories are shared out among threads over one stack;
//! the order of visits does not matter because the result is sorted. Links are recorded and never
//! followed, `.git` is never entered, a directory that is a repository of its own is a boundary.

use super::ignored::{Ignored, IgnoredBy};
use super::rules::{self, BaseRules, Rules, Verdict};
use super::{SourceFile, display_path};
use crate::error::BuildError;
use crate::limits::Limits;
use crate::platform;
use leantoken_formats::layout;
use leantoken_formats::segment::{SkipReason, Skipped};
use leantoken_shared::path::RepoPath;
use std::ffi::OsStr;
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// What the walk found, in no order.
#[derive(Debug, Default)]
pub(super) struct Walked {
    pub(super) files: Vec<SourceFile>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) ignored: Ignored,
}

/// One walk over one tree.
pub(super) struct Walk<'a> {
    pub(super) root: &'a Path,
    pub(super) top: Option<&'a Path>,
    /// A directory to leave out.
    pub(super) out: Option<&'a Path>,
    pub(super) limits: &'a Limits,
    pub(super) threads: usize,
}

struct Directory {
    /// Relative to the root; empty for the root itself.
    relative: String,
    path: PathBuf,
    rules: Arc<Rules>,
    /// Whether it was asked for: the root, or named by a negated rule.
    is_named: bool,
}

/// The stack of directories still to read, and how many are on it or being read.
#[derive(Default)]
struct Queue {
    state: Mutex<(Vec<Directory>, usize)>,
    changed: Condvar,
}

impl Queue {
    fn push(&self, directories: Vec<Directory>) {
        if directories.is_empty() {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 += directories.len();
        state.0.extend(directories);
        self.changed.notify_all();
    }

    /// Returns the next directory, waiting while others may still add some; `None` at the end.
    fn pop(&self) -> Option<Directory> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(next) = state.0.pop() {
                return Some(next);
            }
            if state.1 == 0 {
                return None;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 = state.1.saturating_sub(1);
        if state.1 == 0 {
            self.changed.notify_all();
        }
    }

    /// Drops what is left, so that every thread ends.
    fn abandon(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let left = state.0.len();
        state.0.clear();
        state.1 = state.1.saturating_sub(left);
        self.changed.notify_all();
    }
}

impl Walk<'_> {
    /// Visits the tree.
    ///
    /// # Errors
    /// When the root cannot be read, or more paths were found than the limit allows.
    pub(super) fn run(&self) -> Result<Walked, BuildError> {
        std::fs::read_dir(self.root).map_err(|source| BuildError::Root {
            path: self.root.to_path_buf(),
            source,
        })?;
        let base = BaseRules::read(self.top, self.limits);
        let queue = Queue::default();
        queue.push(vec![Directory {
            relative: String::new(),
            path: self.root.to_path_buf(),
            rules: Rules::above(self.root, self.top, self.limits),
            is_named: true,
        }]);
        let found = AtomicU64::new(0);
        let parts = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads.clamp(1, 8))
                .map(|_| scope.spawn(|| self.work(&base, &queue, &found)))
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().map_err(|_| BuildError::Worker))
                .collect::<Result<Vec<_>, _>>()
        })?;
        if found.load(Ordering::Relaxed) > self.limits.max_files {
            return Err(BuildError::TooMuch {
                what: "files",
                limit: self.limits.max_files,
            });
        }
        let mut all = Walked::default();
        for part in parts {
            all.files.extend(part.files);
            all.skipped.extend(part.skipped);
            all.ignored.merge(&part.ignored);
        }
        Ok(all)
    }

    fn work(&self, base: &BaseRules, queue: &Queue, found: &AtomicU64) -> Walked {
        let mut out = Walked::default();
        while let Some(directory) = queue.pop() {
            let before = out.files.len() + out.skipped.len();
            let inner = self.read(base, &directory, &mut out);
            let n_new = (out.files.len() + out.skipped.len() - before) as u64;
            if found.fetch_add(n_new, Ordering::Relaxed) + n_new > self.limits.max_files {
                queue.abandon();
            } else {
                queue.push(inner);
            }
            queue.done();
        }
        out
    }

    /// Sorts the entries of one directory into files, skips and the directories to read next.
    fn read(&self, base: &BaseRules, at: &Directory, out: &mut Walked) -> Vec<Directory> {
        let entries = match list(&at.path) {
            Ok(entries) => entries,
            Err(error) => {
                let reason = match error.kind() {
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SkipReason::Unstable,
                    _ => SkipReason::Unreadable,
                };
                out.skip(at.relative.clone(), reason);
                return Vec::new();
            }
        };
        let has = |name: &str| entries.iter().any(|entry| entry.file_name() == name);
        if !at.relative.is_empty() && has(".git") && rules::is_repository(&at.path) {
            out.skip(at.relative.clone(), SkipReason::NestedRepository);
            return Vec::new();
        }
        if !at.is_named && has(layout::CACHE_TAG) && rules::is_tagged(&at.path) {
            out.ignored.add(IgnoredBy::CacheTag);
            return Vec::new();
        }
        let present = (has(rules::OWN_FILE), has(rules::GIT_FILE));
        let rules = Rules::enter(&at.rules, &at.path, present, self.limits);
        let mut inner = Vec::new();
        for entry in entries {
            inner.extend(self.visit(base, &rules, at, &entry, out));
        }
        inner
    }

    /// Records one entry; returns it when it is a directory to enter.
    fn visit(
        &self,
        base: &BaseRules,
        rules: &Arc<Rules>,
        at: &Directory,
        entry: &DirEntry,
        out: &mut Walked,
    ) -> Option<Directory> {
        let name = entry.file_name();
        // A vanished entry is no entry.
        let kind = entry.file_type().ok()?;
        let path = entry.path();
        if name == ".git" || self.out == Some(&*path) {
            return None;
        }
        let verdict = rules.verdict(base, &path, &name, kind.is_dir());
        if let Verdict::Out(by) = verdict {
            out.ignored.add(by);
            return None;
        }
        let Some(relative) = join(&at.relative, &name) else {
            out.skip(display_path(&at.relative, &name), SkipReason::PathNotUtf8);
            return None;
        };
        if kind.is_dir() {
            return Some(Directory {
                relative,
                path,
                rules: Arc::clone(rules),
                is_named: verdict == Verdict::Named,
            });
        }
        if kind.is_symlink() {
            out.skip(relative, SkipReason::Symlink);
        } else if kind.is_file() {
            let stat = platform::stat(&entry.metadata().ok()?);
            if let Ok(path) = RepoPath::new(&relative) {
                out.files.push(SourceFile { path, stat });
            }
        } else {
            out.skip(relative, SkipReason::Special);
        }
        None
    }
}

impl Walked {
    fn skip(&mut self, path: String, reason: SkipReason) {
        self.skipped.push(Skipped { path, reason });
    }
}

fn list(directory: &Path) -> io::Result<Vec<DirEntry>> {
    std::fs::read_dir(directory)?.collect()
}

fn join(parent: &str, name: &OsStr) -> Option<String> {
    let name = name.to_str()?;
    Some(if parent.is_empty() {
        name.to_string()
    } else {
        format!("{parent}/{name}")
    })
}
