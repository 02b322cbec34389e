//! How a build tells what it is doing, to whoever wants to know.
//!
//! Not here: showing it. Calls come from many threads, in any order within a phase.

/// A part of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Another process builds the same snapshot.
    Wait,
    /// The tree is walked.
    Discover,
    /// Files are compared with the previous snapshot.
    Compare,
    /// Files are read and analysed.
    Analyze {
        /// How many files there are.
        n_files: u64,
    },
    /// The segment is completed and named.
    Seal,
}

/// Receives the progress of a build.
pub trait Progress: Sync {
    /// A phase begins.
    fn phase(&self, phase: Phase);
    /// `n_files` more files of the phase are done.
    fn advance(&self, n_files: u64);
}

/// Progress that nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn phase(&self, _phase: Phase) {}
    fn advance(&self, _n_files: u64) {}
}
