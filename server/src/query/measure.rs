//! How large an answer is once it is serialized.
//!
//! Not here: the measuring. Only who renders an answer knows its size; the budget is a ceiling over
//! those very bytes.

use super::answer::Answer;

/// The size of one serialized answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Its bytes.
    pub bytes: u32,
    /// Its tokens; `None` when the budget does not ask for them.
    pub tokens: Option<u32>,
}

/// Measures answers as the caller is going to serialize them. Must be a pure function of the answer
/// that does not shrink when the answer grows.
pub trait Measure {
    /// Returns the exact size of `answer` as it would be sent.
    fn measure(&self, answer: &Answer) -> Size;
}
