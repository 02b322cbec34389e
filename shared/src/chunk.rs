//! Text and symbols to line-aligned chunks. Pure.

use crate::facts::{Chunk, FileFacts};
use crate::text::LineIndex;

/// Cuts a text into chunks that follow its declarations; see the property tests for the contract.
pub fn chunks(text: &str, lines: &LineIndex, facts: &FileFacts) -> Vec<Chunk> {
    let _ = (text, lines, facts);
    Vec::new()
}
