//! One analysed file to stored bytes, and to postings held until the seal.

use super::{FileInput, SegmentPlan};
use crate::error::FormatError;

/// Turns files into rows and collects their postings; one a worker thread.
///
/// Each encoder sees files in ascending order of their numbers, but not all of them.
#[derive(Debug)]
pub struct FileEncoder {}

/// The stored form of one file, ready for [`super::SegmentWriter::add`].
#[derive(Debug)]
pub struct EncodedFile {
    id: u32,
}

/// The postings of all files one encoder saw, sorted; consumed by [`super::SegmentWriter::seal`].
#[derive(Debug)]
pub struct PostingRuns {}

impl EncodedFile {
    /// Returns the number of the file.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Returns about how much memory the value holds.
    pub fn bytes(&self) -> usize {
        0
    }
}

impl FileEncoder {
    /// Returns an encoder that has seen no file.
    ///
    /// # Errors
    /// When the dictionary cannot be loaded.
    pub fn new(plan: &SegmentPlan) -> Result<Self, FormatError> {
        let _ = plan;
        Ok(FileEncoder {})
    }

    /// Encodes one file and remembers its postings.
    ///
    /// # Errors
    /// When the number is not greater than the last one, facts or chunks point outside the text, or
    /// postings cannot be spilled.
    pub fn encode(&mut self, input: FileInput<'_>) -> Result<EncodedFile, FormatError> {
        Ok(EncodedFile { id: input.id })
    }

    /// Returns the postings of everything encoded.
    ///
    /// # Errors
    /// When spilled postings cannot be read back.
    pub fn finish(self) -> Result<PostingRuns, FormatError> {
        Ok(PostingRuns {})
    }
}
