//! The file table: one entry a file, in order.
//!
//! Entry: path (as in [`super::paths`]), language, class, notes (a byte each), content hash (32
//! bytes), then varints: size, text length, lines, chunks, symbols, words of the three fields, and the
//! stored lengths of text, facts and chunks. Where the bodies lie follows from summing up.

use super::{Decoded, Input, Malformed, paths, put};
use crate::segment::{FieldLengths, FileRow, MAX_TEXT_BYTES};
use leantoken_shared::digest::ContentHash;
use leantoken_shared::facts::{FileClass, Notes};
use leantoken_shared::language::Language;
use leantoken_shared::path::RepoPath;

/// A file and where its parts are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::segment) struct FileEntry {
    pub(in crate::segment) row: FileRow,
    /// Bytes of the decoded text.
    pub(in crate::segment) text_len: u32,
    /// Stored bytes of the parts.
    pub(in crate::segment) stored: Stored,
}

/// Stored bytes of the parts of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::segment) struct Stored {
    pub(in crate::segment) text: u32,
    pub(in crate::segment) facts: u32,
    pub(in crate::segment) chunks: u32,
}

pub(in crate::segment) fn put_entry(out: &mut Vec<u8>, last: &mut String, entry: &FileEntry) {
    let row = &entry.row;
    paths::put_next(out, last, row.path.as_str());
    out.extend([row.language as u8, row.class as u8, row.notes.0]);
    out.extend_from_slice(&row.content_hash.0);
    put(out, row.size);
    for n in [
        entry.text_len,
        row.n_lines,
        row.n_chunks,
        row.n_symbols,
        row.lengths.body,
        row.lengths.name,
        row.lengths.doc,
        entry.stored.text,
        entry.stored.facts,
        entry.stored.chunks,
    ] {
        put(out, n);
    }
}

/// Reads all of `bytes`; paths are valid, strictly ascending.
pub(in crate::segment) fn decode(bytes: &[u8]) -> Decoded<Vec<FileEntry>> {
    let mut input = Input::new(bytes);
    let mut last = String::new();
    let mut entries: Vec<FileEntry> = Vec::new();
    while !input.is_empty() {
        let entry = take_entry(&mut input, &mut last)?;
        if entries
            .last()
            .is_some_and(|before| before.row.path >= entry.row.path)
        {
            return Err(Malformed("paths out of order"));
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn take_entry(input: &mut Input<'_>, last: &mut String) -> Decoded<FileEntry> {
    paths::take_next(input, last)?;
    let path = RepoPath::new(last).map_err(|_| Malformed("path is not a repository path"))?;
    let language = Language::from_code(input.byte()?).ok_or(Malformed("unknown language"))?;
    let class = FileClass::from_code(input.byte()?).ok_or(Malformed("unknown class"))?;
    let notes = Notes(input.byte()?);
    let mut hash = [0; 32];
    hash.copy_from_slice(input.take(32)?);
    let size = input.u64()?;
    let text_len = input.u32()?;
    if text_len > MAX_TEXT_BYTES {
        return Err(Malformed("text too long"));
    }
    let n_lines = input.u32()?;
    let n_chunks = input.u32()?;
    let n_symbols = input.u32()?;
    // A line, a chunk or a definition takes text; an empty file may have one empty chunk.
    if [n_lines, n_chunks, n_symbols]
        .iter()
        .any(|n| *n > text_len.saturating_add(1))
    {
        return Err(Malformed("more parts than bytes"));
    }
    Ok(FileEntry {
        row: FileRow {
            path,
            language,
            class,
            notes,
            size,
            n_lines,
            n_chunks,
            n_symbols,
            lengths: FieldLengths {
                body: input.u32()?,
                name: input.u32()?,
                doc: input.u32()?,
            },
            content_hash: ContentHash(hash),
        },
        text_len,
        stored: Stored {
            text: input.u32()?,
            facts: input.u32()?,
            chunks: input.u32()?,
        },
    })
}
