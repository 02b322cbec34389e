//! The compression dictionary of a segment: pieces of its own files.
//!
//! Small files compress badly alone because each starts from nothing. The dictionary is raw content,
//! not trained: pieces from the middle of evenly spaced files, so that it is a function of the sorted
//! list and costs a few reads. Bound: [`MAX_BYTES`], and a sixteenth of the source.

use crate::decode;
use crate::discover::SourceFile;
use crate::limits::Limits;
use crate::platform::RootDir;

/// The largest dictionary.
const MAX_BYTES: u64 = 64 * 1024;
/// How much one file gives.
const PIECE_BYTES: usize = 1024;

/// Returns the dictionary for a segment of `files`; empty when there is too little to compress.
pub(crate) fn sample(root: &RootDir, files: &[&SourceFile], limits: &Limits) -> Vec<u8> {
    let total: u64 = files.iter().map(|file| file.stat.size).sum();
    let goal = (total / 16).min(MAX_BYTES) as usize;
    let n_pieces = (goal / PIECE_BYTES).min(files.len());
    let mut out = Vec::with_capacity(goal);
    for piece in 0..n_pieces {
        let file = files[piece * files.len() / n_pieces];
        if let Ok(decoded) = decode::read(root, &file.path, file.stat, limits).body {
            let bytes = decoded.text.as_bytes();
            let start = bytes.len().saturating_sub(PIECE_BYTES) / 2;
            out.extend_from_slice(&bytes[start..(start + PIECE_BYTES).min(bytes.len())]);
        }
    }
    out
}
