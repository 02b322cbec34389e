//! Ignore rules: which untracked paths are left out.
//!
//! Not here: walking, and tracked files (rules never apply to those). Precedence, highest first:
//! `.leantokenignore` (deepest directory first), `.gitignore` (deepest first), `info/exclude` of the
//! repository, the user's global excludes, and last what is pruned by default: directory names, and
//! directories with a cache tag.
//! Within one file the last matching line decides. Rules of directories above the root count up to the
//! top of the repository, so that a sub-directory is indexed as it would be from the top.

use super::ignored::IgnoredBy;
use crate::limits::Limits;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use leantoken_formats::layout;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of our own rule files.
pub(super) const OWN_FILE: &str = ".leantokenignore";
/// The name of git's rule files.
pub(super) const GIT_FILE: &str = ".gitignore";

/// Directories that hold dependencies, caches or the data of a version control system, never source of
/// this repository: pruned unless tracked or named by a negated rule.
pub(super) const PRUNED: [&str; 22] = [
    ".bzr",
    ".cache",
    ".direnv",
    ".gradle",
    ".hg",
    ".jj",
    ".mypy_cache",
    ".next",
    ".nox",
    ".nuxt",
    ".parcel-cache",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".terraform",
    ".tox",
    ".turbo",
    ".venv",
    "__pycache__",
    "bower_components",
    "node_modules",
    "venv",
];

/// The rules of one directory and, through `parent`, of all above it.
#[derive(Debug, Default)]
pub(super) struct Rules {
    parent: Option<Arc<Rules>>,
    own: Option<Gitignore>,
    git: Option<Gitignore>,
}

/// What the rules say about one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing: it is in.
    In,
    /// A negated rule names it: it is in, whatever is pruned by default.
    Named,
    /// It is left out.
    Out(IgnoredBy),
}

/// The rules that hold for the whole tree.
#[derive(Debug)]
pub(super) struct BaseRules {
    exclude: Option<Gitignore>,
    global: Option<Gitignore>,
}

impl BaseRules {
    /// Reads `info/exclude` and the user's excludes for the repository at `top`.
    pub(super) fn read(top: Option<&Path>, limits: &Limits) -> Self {
        let read = |file: Option<PathBuf>| {
            let top = top?;
            parse(top, &read_rules(&file?, limits)?)
        };
        BaseRules {
            exclude: read(top.and_then(common_dir).map(|dir| dir.join("info/exclude"))),
            global: read(ignore::gitignore::gitconfig_excludes_path()),
        }
    }
}

impl Rules {
    /// Returns the rules that directories from `top` down to the parent of `root` impose on `root`.
    pub(super) fn above(root: &Path, top: Option<&Path>, limits: &Limits) -> Arc<Rules> {
        let mut rules = Arc::new(Rules::default());
        let Some(inner) = top.and_then(|top| Some((top, root.strip_prefix(top).ok()?))) else {
            return rules;
        };
        let mut directory = inner.0.to_path_buf();
        for part in inner.1.components() {
            rules = Rules::enter(&rules, &directory, (true, true), limits);
            directory.push(part);
        }
        rules
    }

    /// Returns the rules inside `directory`; `present` tells whether it holds our and git's rule file.
    pub(super) fn enter(
        outer: &Arc<Rules>,
        directory: &Path,
        present: (bool, bool),
        limits: &Limits,
    ) -> Arc<Rules> {
        let read = |there: bool, name: &str| {
            there
                .then(|| read_rules(&directory.join(name), limits))
                .flatten()
                .and_then(|bytes| parse(directory, &bytes))
        };
        let own = read(present.0, OWN_FILE);
        let git = read(present.1, GIT_FILE);
        if own.is_none() && git.is_none() {
            return Arc::clone(outer);
        }
        Arc::new(Rules {
            parent: Some(Arc::clone(outer)),
            own,
            git,
        })
    }

    /// Returns what the rules say about `path`, an absolute path called `name`.
    pub(super) fn verdict(
        &self,
        base: &BaseRules,
        path: &Path,
        name: &OsStr,
        is_dir: bool,
    ) -> Verdict {
        self.written(base, path, is_dir).unwrap_or_else(|| {
            let is_pruned = is_dir && PRUNED.iter().any(|pruned| name == *pruned);
            match is_pruned {
                true => Verdict::Out(IgnoredBy::Pruned),
                false => Verdict::In,
            }
        })
    }

    fn written(&self, base: &BaseRules, path: &Path, is_dir: bool) -> Option<Verdict> {
        let chain = || std::iter::successors(Some(self), |rules| rules.parent.as_deref());
        let own = chain().filter_map(|rules| rules.own.as_ref());
        let git = chain().filter_map(|rules| rules.git.as_ref());
        own.map(|rules| (rules, IgnoredBy::OwnFile))
            .chain(git.map(|rules| (rules, IgnoredBy::GitFile)))
            .chain(base.exclude.iter().map(|rules| (rules, IgnoredBy::Exclude)))
            .chain(base.global.iter().map(|rules| (rules, IgnoredBy::Global)))
            .find_map(|(rules, by)| match rules.matched(path, is_dir) {
                Match::None => None,
                Match::Ignore(_) => Some(Verdict::Out(by)),
                Match::Whitelist(_) => Some(Verdict::Named),
            })
    }
}

/// Returns whether the tag file of `directory` says that it is a cache, as snapshot directories do.
pub(super) fn is_tagged(directory: &Path) -> bool {
    let path = directory.join(layout::CACHE_TAG);
    let is_file = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
    let mut head = [0; layout::CACHE_SIGNATURE.len()];
    is_file
        && File::open(path)
            .and_then(|mut file| file.read_exact(&mut head))
            .is_ok()
        && head == *layout::CACHE_SIGNATURE.as_bytes()
}

/// Reads a rule file; links are not followed (as git does), more than the limit is cut.
fn read_rules(path: &Path, limits: &Limits) -> Option<Vec<u8>> {
    let meta = path.symlink_metadata().ok()?;
    if !meta.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let file = File::open(path).ok()?;
    file.take(limits.max_ignore_bytes)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(bytes)
}

/// Compiles rules relative to `directory`. A line that is no valid pattern is dropped, as git does.
fn parse(directory: &Path, bytes: &[u8]) -> Option<Gitignore> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut builder = GitignoreBuilder::new(directory);
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Ok(line) = std::str::from_utf8(line) {
            // An invalid pattern matches nothing.
            let _ = builder.add_line(None, line);
        }
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}

/// Returns the directory that all worktrees of the repository at `top` share.
fn common_dir(top: &Path) -> Option<PathBuf> {
    let dot_git = top.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let pointer = std::fs::read_to_string(&dot_git).ok()?;
    let git_dir = top.join(pointer.strip_prefix("gitdir:")?.trim());
    match std::fs::read_to_string(git_dir.join("commondir")) {
        Ok(common) => Some(git_dir.join(common.trim())),
        Err(_) => Some(git_dir),
    }
}

/// Returns whether `directory` is the top of a working tree: `.git` is a file, or a directory with a HEAD.
pub(super) fn is_repository(directory: &Path) -> bool {
    let dot_git = directory.join(".git");
    dot_git
        .symlink_metadata()
        .is_ok_and(|meta| !meta.is_dir() || dot_git.join("HEAD").symlink_metadata().is_ok())
}

/// Returns the nearest directory at or above `root` that is the top of a working tree.
pub(super) fn top_of(root: &Path) -> Option<PathBuf> {
    root.ancestors()
        .find(|directory| is_repository(directory))
        .map(Path::to_path_buf)
}
