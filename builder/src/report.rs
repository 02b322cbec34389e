//! What a build did, in numbers.

use crate::discover::Ignored;
use crate::reuse::{Observation, Outcome};
use leantoken_formats::segment::SkipReason;
use leantoken_shared::facts::{Note, Notes};
use leantoken_shared::language::Language;
use std::collections::BTreeMap;
use std::time::Duration;

/// How the snapshot came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Every file was analysed.
    #[default]
    Full,
    /// Files that differ from the base were analysed.
    Delta,
    /// No content differs from what was there.
    Same,
}

impl Kind {
    /// Returns the stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Full => "full",
            Kind::Delta => "delta",
            Kind::Same => "same",
        }
    }
}

/// The numbers of one build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildReport {
    /// How the snapshot came about.
    pub kind: Kind,
    /// Files in the snapshot.
    pub n_files: u64,
    /// Files analysed by this build.
    pub n_analyzed: u64,
    /// Bytes on disk of the files in the snapshot.
    pub n_bytes: u64,
    /// Bytes of the sealed files that the snapshot names.
    pub n_snapshot_bytes: u64,
    /// Files left out, by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
    /// Entries that the ignore rules leave out.
    pub ignored: Ignored,
    /// Analysed files by language.
    pub languages: BTreeMap<Language, u64>,
    /// Analysed files by what their facts lack.
    pub notes: BTreeMap<Note, u64>,
    /// What did not go as it should, in words.
    pub warnings: Vec<String>,
    /// Threads that analysed.
    pub n_threads: usize,
    /// Time of the walk.
    pub discover: Duration,
    /// Time of reading and analysing.
    pub analyze: Duration,
    /// Time of the seal.
    pub seal: Duration,
    /// Time of the whole build.
    pub total: Duration,
}

impl BuildReport {
    /// Counts one analysed file.
    pub(crate) fn count(&mut self, language: Language, notes: Notes) {
        self.n_analyzed += 1;
        *self.languages.entry(language).or_default() += 1;
        for note in notes.iter() {
            *self.notes.entry(note).or_default() += 1;
        }
    }

    /// Counts what another thread counted.
    pub(crate) fn merge(&mut self, other: &BuildReport) {
        self.n_analyzed += other.n_analyzed;
        for (language, n) in &other.languages {
            *self.languages.entry(*language).or_default() += n;
        }
        for (note, n) in &other.notes {
            *self.notes.entry(*note).or_default() += n;
        }
    }

    /// Counts what the whole tree holds.
    pub(crate) fn count_tree(&mut self, seen: &Observation) {
        for file in &seen.files {
            if matches!(file.outcome, Outcome::Indexed(_)) {
                self.n_files += 1;
                self.n_bytes += file.stat.size;
            }
        }
        for skipped in seen.all_skipped() {
            *self.skipped.entry(skipped.reason).or_default() += 1;
        }
    }
}

/// Returns a number of bytes in the unit that suits it.
pub fn readable_size(n_bytes: u64) -> String {
    match n_bytes {
        0..1_000 => format!("{n_bytes} B"),
        1_000..1_000_000 => format!("{:.1} KB", n_bytes as f64 / 1e3),
        _ => format!("{:.2} MB", n_bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_that_suit_them() {
        let sizes = [999, 1_500, 12_345_678].map(readable_size);
        assert_eq!(sizes, ["999 B", "1.5 KB", "12.35 MB"]);
    }
}
