//! The files that git tracks, from its index.
//!
//! Not here: rules and the walk. A tracked file that the walk left out (a rule ignores it, or it lies in
//! a pruned directory) is looked up on disk and added; one that is not on disk is no file of the tree.

use super::SourceFile;
use super::walk::Walked;
use crate::git::{self, Ask};
use crate::platform;
use leantoken_formats::segment::{SkipReason, Skipped};
use leantoken_shared::path::RepoPath;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::Duration;

/// What the index lists below the root.
#[derive(Debug, Default)]
pub(super) struct Tracked {
    /// Paths of files and links in byte order, without duplicates.
    pub(super) entries: Vec<String>,
    /// Paths of submodules.
    pub(super) submodules: BTreeSet<String>,
    /// Paths that are not UTF-8.
    pub(super) unnamed: Vec<Skipped>,
}

const ASK: Ask<'static> = Ask {
    args: &["ls-files", "-z", "--cached", "--stage"],
    stdin: b"",
    timeout: Duration::from_secs(30),
    max_bytes: 512 * 1024 * 1024,
};

/// Asks git for the index entries below `root`; `None` where git cannot tell.
pub(super) fn list(root: &Path) -> Option<Tracked> {
    git::ask(root, ASK).map(|bytes| parse(&bytes))
}

/// Parses records of the form `mode object stage TAB path NUL`.
fn parse(bytes: &[u8]) -> Tracked {
    let mut tracked = Tracked::default();
    for record in bytes.split(|byte| *byte == 0) {
        let Some(tab) = record.iter().position(|byte| *byte == b'\t') else {
            continue;
        };
        let (head, path) = (&record[..tab], &record[tab + 1..]);
        let Ok(path) = std::str::from_utf8(path) else {
            tracked.unnamed.push(Skipped {
                path: String::from_utf8_lossy(path).into_owned(),
                reason: SkipReason::PathNotUtf8,
            });
            continue;
        };
        if head.starts_with(b"160000 ") {
            tracked.submodules.insert(path.to_string());
        } else if tracked.entries.last().is_none_or(|last| last != path) {
            // A path in conflict has several stages, one after the other.
            tracked.entries.push(path.to_string());
        }
    }
    tracked.entries.sort_unstable();
    tracked.entries.dedup();
    tracked
}

impl Tracked {
    /// Returns the tracked paths that are on disk below `root` but not among the sorted `files`.
    pub(super) fn missed(&self, root: &Path, files: &[SourceFile]) -> Walked {
        let mut out = Walked::default();
        let mut real = HashMap::new();
        for path in &self.entries {
            if files
                .binary_search_by(|file| file.path.as_str().cmp(path))
                .is_ok()
            {
                continue;
            }
            let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
            if !is_real_directory(root, parent, &mut real) {
                continue;
            }
            let (Ok(meta), Ok(repo_path)) =
                (root.join(path).symlink_metadata(), RepoPath::new(path))
            else {
                continue;
            };
            if meta.is_file() {
                out.files.push(SourceFile {
                    path: repo_path,
                    stat: platform::stat(&meta),
                });
            } else if !meta.is_dir() {
                let reason = if meta.is_symlink() {
                    SkipReason::Symlink
                } else {
                    SkipReason::Special
                };
                out.skipped.push(Skipped {
                    path: path.clone(),
                    reason,
                });
            }
        }
        out
    }
}

/// Returns whether every part of `directory` below `root` is a directory and no link.
fn is_real_directory<'p>(
    root: &Path,
    directory: &'p str,
    known: &mut HashMap<&'p str, bool>,
) -> bool {
    if directory.is_empty() {
        return true;
    }
    if let Some(answer) = known.get(directory) {
        return *answer;
    }
    let parent = directory.rsplit_once('/').map_or("", |(parent, _)| parent);
    let answer = is_real_directory(root, parent, known)
        && root
            .join(directory)
            .symlink_metadata()
            .is_ok_and(|meta| meta.is_dir());
    known.insert(directory, answer);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_records_are_split_by_nul_and_tab() {
        let tracked = parse(
            b"100644 aa 0\ttab\there.py\x00100644 aa 1\tx\x00100644 bb 2\tx\x00160000 cc 0\tlib\x00\
              120000 dd 0\tnew\nline\x00100644 ee 0\tcaf\xe9.c\x00",
        );
        assert_eq!(tracked.entries, ["new\nline", "tab\there.py", "x"]);
        assert!(tracked.submodules.contains("lib"));
        assert_eq!(tracked.unnamed.len(), 1);
        assert!(parse(b"").entries.is_empty());
    }
}
