//! What is known of a tree from the last look at it, and when that may be trusted.
//!
//! Not here: storing it (the caller does) and comparing with a snapshot (see [`crate::delta`]). A file is
//! as it was when all its stat data are equal and none of its times lies close to the moment of the
//! observation: a file changed within the granularity of the clock could have changed again unseen.
//! Faults that may pass (unreadable, unstable) are never trusted.

use crate::discover::{Discovery, SourceFile};
use crate::platform::Stat;
use leantoken_formats::segment::{SkipReason, Skipped};
use leantoken_shared::digest::ContentHash;
use leantoken_shared::path::RepoPath;

/// A file changed less than this before it was observed is looked at again.
const RACY_NS: i64 = 2_000_000_000;

/// What became of a discovered file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the snapshot, with this digest of its bytes on disk.
    Indexed(ContentHash),
    /// It is left out.
    Skipped(SkipReason),
}

/// A discovered file and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// Where it lies.
    pub path: RepoPath,
    /// What the file system told when it was read.
    pub stat: Stat,
    /// What became of it.
    pub outcome: Outcome,
}

/// One complete look at a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// Every discovered regular file, sorted by path.
    pub files: Vec<FileStat>,
    /// What discovery left out, sorted.
    pub skipped: Vec<Skipped>,
    /// When the look began, in nanoseconds since 1970.
    pub observed_ns: i64,
}

impl Observation {
    /// Returns the indexed files with their digests, in order.
    pub fn indexed(&self) -> impl Iterator<Item = (&RepoPath, ContentHash)> {
        self.files.iter().filter_map(|file| match file.outcome {
            Outcome::Indexed(hash) => Some((&file.path, hash)),
            Outcome::Skipped(_) => None,
        })
    }

    /// Returns everything the snapshot leaves out, sorted.
    pub fn all_skipped(&self) -> Vec<Skipped> {
        let of_files = self.files.iter().filter_map(|file| match file.outcome {
            Outcome::Skipped(reason) => Some(Skipped {
                path: file.path.to_string(),
                reason,
            }),
            Outcome::Indexed(_) => None,
        });
        let mut all: Vec<_> = of_files.chain(self.skipped.iter().cloned()).collect();
        all.sort_unstable();
        all
    }

    /// Returns what became of `file` if it is certain that it has not changed since.
    pub fn outcome_of(&self, file: &SourceFile) -> Option<Outcome> {
        let at = self
            .files
            .binary_search_by(|known| known.path.cmp(&file.path))
            .ok()?;
        self.trusted(&self.files[at], file)
    }

    fn trusted(&self, known: &FileStat, file: &SourceFile) -> Option<Outcome> {
        let latest = file.stat.mtime_ns.max(file.stat.ctime_ns);
        let certain = known.path == file.path
            && known.stat == file.stat
            && latest.saturating_add(RACY_NS) < self.observed_ns
            && !matches!(
                known.outcome,
                Outcome::Skipped(SkipReason::Unreadable | SkipReason::Unstable)
            );
        certain.then_some(known.outcome)
    }

    /// Returns whether `found` is certainly the very tree that was observed.
    pub fn covers(&self, found: &Discovery) -> bool {
        self.files.len() == found.files.len()
            && self.skipped == found.skipped
            && self
                .files
                .iter()
                .zip(&found.files)
                .all(|(known, file)| self.trusted(known, file).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(stat: Stat) -> SourceFile {
        SourceFile {
            path: RepoPath::new("a").unwrap(),
            stat,
        }
    }

    fn observed(outcome: Outcome, stat: Stat, observed_ns: i64) -> Observation {
        Observation {
            files: vec![FileStat {
                path: RepoPath::new("a").unwrap(),
                stat,
                outcome,
            }],
            skipped: Vec::new(),
            observed_ns,
        }
    }

    #[test]
    fn only_old_and_equal_stat_data_are_trusted() {
        let outcome = Outcome::Indexed(ContentHash::of(b"x"));
        let stat = Stat {
            size: 1,
            mtime_ns: 10,
            ctime_ns: 20,
            inode: 3,
            dev: 4,
        };
        let late = 20 + RACY_NS + 1;
        let seen = observed(outcome, stat, late);
        assert_eq!(seen.outcome_of(&file(stat)), Some(outcome));
        for changed in [
            Stat { size: 2, ..stat },
            Stat {
                mtime_ns: 11,
                ..stat
            },
            Stat {
                ctime_ns: 19,
                ..stat
            },
            Stat { inode: 4, ..stat },
            Stat { dev: 5, ..stat },
        ] {
            assert_eq!(seen.outcome_of(&file(changed)), None, "{changed:?}");
        }
        assert_eq!(
            observed(outcome, stat, late - 1).outcome_of(&file(stat)),
            None
        );
        let passing = Outcome::Skipped(SkipReason::Unreadable);
        assert_eq!(observed(passing, stat, late).outcome_of(&file(stat)), None);
    }
}
