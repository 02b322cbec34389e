//! One analysed file to stored bytes, and to postings held until the seal.
//!
//! Bounds: besides one file at a time, an encoder holds at most
//! [`SegmentPlan::max_posting_bytes`] of postings; then it spills them as a sorted run.

use super::codec::files::{FileEntry, Stored};
use super::codec::{Malformed, chunks, facts};
use super::collect::Postings;
use super::runs::{PostingRuns, Run, merge_runs, spill_error};
use super::{
    ChunkRow, FieldLengths, FileInput, FileRow, MAX_FACTS_BYTES, MAX_TEXT_BYTES, SegmentPlan,
};
use crate::error::FormatError;
use leantoken_shared::text::LineIndex;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use zstd::bulk::Compressor;

/// Most spilled runs of one encoder; then they are merged into one, so that open files stay few.
const MAX_RUNS: usize = 32;

/// Turns files into rows and collects their postings; one a worker thread.
///
/// Each encoder sees files in ascending order of their numbers, but not all of them.
pub struct FileEncoder {
    compressor: Compressor<'static>,
    postings: Postings,
    runs: Vec<Run>,
    next_id: u32,
    spill_dir: PathBuf,
    max_posting_bytes: usize,
}

/// The stored form of one file, ready for [`super::SegmentWriter::add`].
#[derive(Debug)]
pub struct EncodedFile {
    pub(super) id: u32,
    pub(super) entry: FileEntry,
    pub(super) text: Vec<u8>,
    pub(super) facts: Vec<u8>,
    pub(super) chunks: Vec<u8>,
}

impl EncodedFile {
    /// Returns the number of the file.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Returns about how much memory the value holds.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.entry.row.path.as_str().len()
            + self.text.capacity()
            + self.facts.capacity()
            + self.chunks.capacity()
    }
}

impl std::fmt::Debug for FileEncoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileEncoder")
            .field("next_id", &self.next_id)
            .field("posting_bytes", &self.postings.bytes())
            .field("n_runs", &self.runs.len())
            .finish_non_exhaustive()
    }
}

impl FileEncoder {
    /// Returns an encoder that has seen no file.
    ///
    /// # Errors
    /// When the dictionary cannot be loaded.
    pub fn new(plan: &SegmentPlan) -> Result<Self, FormatError> {
        let compressor = Compressor::with_dictionary(plan.level, &plan.dictionary)
            .map_err(|error| FormatError::Contract(format!("unusable dictionary: {error}")))?;
        Ok(FileEncoder {
            compressor,
            postings: Postings::new(),
            runs: Vec::new(),
            next_id: 0,
            spill_dir: plan.spill_dir.clone(),
            max_posting_bytes: plan.max_posting_bytes,
        })
    }

    /// Encodes one file and remembers its postings.
    ///
    /// # Errors
    /// [`FormatError::Contract`] when the number is not greater than the last one, facts or chunks
    /// point outside the text, or a bound of the format is passed; else when postings cannot be
    /// spilled.
    pub fn encode(&mut self, input: FileInput<'_>) -> Result<EncodedFile, FormatError> {
        if input.id < self.next_id {
            return Err(FormatError::Contract(format!(
                "file {} was encoded out of turn",
                input.id
            )));
        }
        self.next_id = input.id + 1;
        let refuse = |why: Malformed| FormatError::Contract(format!("{}: {}", input.path, why.0));
        let text_len = u32::try_from(input.text.len())
            .ok()
            .filter(|len| *len <= MAX_TEXT_BYTES)
            .ok_or_else(|| refuse(Malformed("text too long")))?;
        facts::check(input.facts, text_len).map_err(refuse)?;
        let mut rows: Vec<ChunkRow> = input
            .chunks
            .iter()
            .map(|chunk| ChunkRow {
                chunk: *chunk,
                lengths: FieldLengths::default(),
            })
            .collect();
        self.postings.add(&input, &mut rows);
        let bounds = chunks::Bounds {
            n_chunks: rows.len() as u32,
            text_len,
            n_symbols: input.facts.symbols.len() as u32,
        };
        let mut chunk_bytes = Vec::with_capacity(rows.len() * 8);
        chunks::encode(&mut chunk_bytes, &rows, bounds).map_err(refuse)?;
        let (fact_bytes, text) = self.compress(&input).map_err(refuse)?;
        if self.postings.bytes() > self.max_posting_bytes {
            self.spill()?;
        }
        let entry = FileEntry {
            row: row(&input, &rows),
            text_len,
            stored: Stored {
                text: text.len() as u32,
                facts: fact_bytes.len() as u32,
                chunks: chunk_bytes.len() as u32,
            },
        };
        Ok(EncodedFile {
            id: input.id,
            entry,
            text,
            facts: fact_bytes,
            chunks: chunk_bytes,
        })
    }

    /// Returns facts and text as stored. Facts are preceded by their length.
    fn compress(&mut self, input: &FileInput<'_>) -> Result<(Vec<u8>, Vec<u8>), Malformed> {
        let mut raw = Vec::new();
        facts::encode(&mut raw, input.facts);
        if raw.len() > MAX_FACTS_BYTES {
            return Err(Malformed("facts too long"));
        }
        let mut shrink = |bytes: &[u8]| {
            if bytes.is_empty() {
                return Ok(Vec::new());
            }
            self.compressor
                .compress(bytes)
                .map_err(|_| Malformed("cannot be compressed"))
        };
        let mut facts = Vec::new();
        super::codec::put(&mut facts, raw.len() as u64);
        facts.extend_from_slice(&shrink(&raw)?);
        Ok((facts, shrink(input.text.as_bytes())?))
    }

    /// Returns the postings of everything encoded.
    ///
    /// # Errors
    /// When spilled postings cannot be read back.
    pub fn finish(mut self) -> Result<PostingRuns, FormatError> {
        let last = self.postings.write_run(Vec::new()).map_err(spill_error)?;
        self.runs.push(Run::Memory(last));
        Ok(PostingRuns { runs: self.runs })
    }

    fn spill(&mut self) -> Result<(), FormatError> {
        let out = self.spill_file()?;
        let out = self.postings.write_run(out).map_err(spill_error)?;
        self.runs.push(Run::Spilled(flushed(out)?));
        if self.runs.len() >= MAX_RUNS {
            let out = self.spill_file()?;
            let out = merge_runs(std::mem::take(&mut self.runs), out)?;
            self.runs.push(Run::Spilled(flushed(out)?));
        }
        Ok(())
    }

    fn spill_file(&self) -> Result<BufWriter<File>, FormatError> {
        let file = tempfile::tempfile_in(&self.spill_dir).map_err(|source| FormatError::Io {
            action: "create a temporary file in",
            path: self.spill_dir.clone(),
            source,
        })?;
        Ok(BufWriter::with_capacity(256 << 10, file))
    }
}

fn flushed(mut out: BufWriter<File>) -> Result<File, FormatError> {
    out.flush()
        .and_then(|()| out.into_inner().map_err(|error| error.into_error()))
        .map_err(spill_error)
}

fn row(input: &FileInput<'_>, rows: &[ChunkRow]) -> FileRow {
    let sum = |field: fn(&FieldLengths) -> u32| {
        rows.iter()
            .map(|row| field(&row.lengths))
            .fold(0, u32::saturating_add)
    };
    FileRow {
        path: input.path.clone(),
        language: input.language,
        class: input.class,
        notes: input.facts.notes,
        size: input.size,
        n_lines: LineIndex::new(input.text).n_lines(),
        n_chunks: rows.len() as u32,
        n_symbols: input.facts.symbols.len() as u32,
        lengths: FieldLengths {
            body: sum(|lengths| lengths.body),
            name: sum(|lengths| lengths.name),
            doc: sum(|lengths| lengths.doc),
        },
        content_hash: input.content_hash,
    }
}
