//! How much the ignore rules leave out, and what to say when that is nearly everything.
//!
//! Not here: the rules (see `rules`). What is ignored is no part of a snapshot: the counts tell about
//! one look at one tree, and an ignored directory, which is never entered, counts as one entry.

use std::collections::BTreeMap;

/// What decided that an entry is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IgnoredBy {
    /// A `.leantokenignore` file.
    OwnFile,
    /// A `.gitignore` file.
    GitFile,
    /// `info/exclude` of the repository.
    Exclude,
    /// The user's global excludes.
    Global,
    /// The directory names that are never source.
    Pruned,
    /// A `CACHEDIR.TAG` in the directory.
    CacheTag,
}

impl IgnoredBy {
    /// Returns the stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            IgnoredBy::OwnFile => "leantokenignore",
            IgnoredBy::GitFile => "gitignore",
            IgnoredBy::Exclude => "git_info_exclude",
            IgnoredBy::Global => "git_global_excludes",
            IgnoredBy::Pruned => "pruned_name",
            IgnoredBy::CacheTag => "cache_tag",
        }
    }

    /// Whether somebody wrote a rule for this tree, which may be wider than it was meant.
    fn is_written(self) -> bool {
        !matches!(self, IgnoredBy::Pruned | IgnoredBy::CacheTag)
    }
}

/// Entries left out, by what decided it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ignored(BTreeMap<IgnoredBy, u64>);

/// Fewer files than this are few, where at least as many entries are ignored by written rules.
const FEW: u64 = 10;

impl Ignored {
    /// Counts one entry.
    pub(super) fn add(&mut self, by: IgnoredBy) {
        *self.0.entry(by).or_default() += 1;
    }

    /// Adds what another thread counted.
    pub(super) fn merge(&mut self, other: &Ignored) {
        for (by, n) in &other.0 {
            *self.0.entry(*by).or_default() += n;
        }
    }

    /// Returns the counts by stable name.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().map(|(by, n)| (by.as_str(), *n))
    }

    /// Returns why only `n_files` files are indexed and what to do, when that is likely not meant.
    pub fn explain(&self, n_files: u64) -> Option<String> {
        let written = self.0.iter().filter(|(by, _)| by.is_written());
        let n_written: u64 = written.map(|(_, n)| n).sum();
        let files = match n_files {
            0 => "no file is indexed".to_string(),
            _ if n_files < FEW && n_written >= FEW => format!("few files are indexed ({n_files})"),
            _ => return None,
        };
        if self.0.is_empty() {
            return Some(format!("{files}: the tree holds no source text"));
        }
        let counts: Vec<String> = self.counts().map(|(by, n)| format!("{by} {n}")).collect();
        Some(format!(
            "{files}: ignore rules leave out {}; to index such entries all the same, name them with a \
             leading ! in a .leantokenignore file, as in !/*",
            counts.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_tree_that_is_nearly_empty_by_its_rules_is_explained() {
        let mut ignored = Ignored::default();
        assert!(ignored.explain(0).unwrap().contains("no source text"));
        assert_eq!(ignored.explain(1), None);
        (0..10).for_each(|_| ignored.add(IgnoredBy::Pruned));
        assert_eq!(ignored.explain(1), None);
        (0..10).for_each(|_| ignored.add(IgnoredBy::GitFile));
        for n_files in [0, 9] {
            let said = ignored.explain(n_files).unwrap();
            assert!(
                said.contains("gitignore 10") && said.contains("!/*"),
                "{said}"
            );
        }
        assert_eq!(ignored.explain(10), None);
    }
}
