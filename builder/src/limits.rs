//! Every bound of a build, in one place.

use crate::error::BuildError;

/// Bounds on what one build reads and holds. Limits of single files skip the file, limits of the whole
/// walk fail the build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Larger files are skipped, in bytes.
    pub max_file_bytes: u64,
    /// Most paths of the whole walk, skipped ones included.
    pub max_files: u64,
    /// Most bytes of ignore rules read from one file; the rest of such a file is not used.
    pub max_ignore_bytes: u64,
    /// Most bytes of encoded files that wait for the writer.
    pub max_in_flight_bytes: usize,
    /// Most bytes of postings that all threads hold together before they spill to disk. Sorting them
    /// takes as much again.
    pub max_posting_bytes: usize,
}

/// A thread's share of the postings is at least this, so that runs do not become many and small.
const MIN_POSTING_BYTES: usize = 8 * 1024 * 1024;

impl Limits {
    /// The limits of every build unless told otherwise.
    pub const STANDARD: Limits = Limits {
        max_file_bytes: 8 * 1024 * 1024,
        max_files: 2_000_000,
        max_ignore_bytes: 4 * 1024 * 1024,
        max_in_flight_bytes: 32 * 1024 * 1024,
        max_posting_bytes: 96 * 1024 * 1024,
    };

    /// The largest value of [`Limits::max_file_bytes`]: texts are addressed with 32 bits and may grow
    /// threefold when they are transcoded.
    pub const MAX_FILE_BYTES: u64 = 1024 * 1024 * 1024;

    /// Returns how many bytes of postings each of `threads` threads may hold.
    pub(crate) fn posting_bytes_per_thread(&self, threads: usize) -> usize {
        (self.max_posting_bytes / threads.max(1)).max(MIN_POSTING_BYTES)
    }

    /// Checks that every limit is usable.
    ///
    /// # Errors
    /// Invalid request, with the name of the limit.
    pub fn check(&self) -> Result<(), BuildError> {
        if !(1..=Self::MAX_FILE_BYTES).contains(&self.max_file_bytes) {
            return Err(BuildError::Setting {
                name: "the file size limit",
                range: "between 1 byte and 1 GiB",
            });
        }
        Ok(())
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::STANDARD
    }
}
