//! Sorted runs of postings between the encoders and the seal, and their merge.
//!
//! A run has one section a kind; a section is entries in order of their keys. An entry is the key and
//! the *groups* of its posting: one a file, ascending, a varint file gap and, for the kinds that say
//! more than the file, a varint length and that many bytes. A file is in one run only, so merging
//! never looks inside a group. Runs are private to one build and never stored.

use super::codec::{Decoded, Input, Malformed, put};
use super::schema::Stream;
use crate::error::FormatError;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, Write};

/// The kinds of postings, in the order of their sections.
pub(super) const KINDS: [Stream; 5] = [
    Stream::Words,
    Stream::PathWords,
    Stream::SymbolNames,
    Stream::ReferenceNames,
    Stream::Grams,
];

/// Returns whether groups of the kind say more than the file.
pub(super) fn has_payload(kind: Stream) -> bool {
    matches!(kind, Stream::Words | Stream::SymbolNames)
}

/// The postings of all files one encoder saw, sorted; consumed by [`super::SegmentWriter::seal`].
#[derive(Debug, Default)]
pub struct PostingRuns {
    pub(super) runs: Vec<Run>,
}

/// One run.
#[derive(Debug)]
pub(super) enum Run {
    Memory(Vec<u8>),
    /// An unnamed temporary file, at its end.
    Spilled(File),
}

/// Writes the entries of a run.
#[derive(Debug)]
pub(super) struct RunWriter<W: Write> {
    out: W,
    head: Vec<u8>,
}

impl<W: Write> RunWriter<W> {
    pub(super) fn new(out: W) -> Self {
        RunWriter {
            out,
            head: Vec::new(),
        }
    }

    pub(super) fn entry(&mut self, key: &[u8], groups: &[u8]) -> io::Result<()> {
        self.head.clear();
        put(&mut self.head, key.len() as u64 + 1);
        self.head.extend_from_slice(key);
        put(&mut self.head, groups.len() as u64);
        self.out.write_all(&self.head)?;
        self.out.write_all(groups)
    }

    pub(super) fn end_section(&mut self) -> io::Result<()> {
        self.out.write_all(&[0])
    }

    pub(super) fn into_inner(self) -> W {
        self.out
    }
}

/// Reads the entries of a run; it stands on one entry, or past the end of a section.
pub(super) struct RunReader {
    input: Box<dyn BufRead>,
    key: Vec<u8>,
    groups: Vec<u8>,
    live: bool,
}

impl RunReader {
    pub(super) fn new(run: Run) -> io::Result<Self> {
        let input: Box<dyn BufRead> = match run {
            Run::Memory(bytes) => Box::new(Cursor::new(bytes)),
            Run::Spilled(mut file) => {
                file.rewind()?;
                Box::new(BufReader::with_capacity(64 << 10, file))
            }
        };
        Ok(RunReader {
            input,
            key: Vec::new(),
            groups: Vec::new(),
            live: false,
        })
    }

    /// Goes to the next entry of the section, or past its end.
    fn advance(&mut self) -> io::Result<()> {
        let Some(key_len) = self.number()?.checked_sub(1) else {
            self.live = false;
            return Ok(());
        };
        self.live = true;
        fill(&mut self.input, &mut self.key, key_len)?;
        let len = self.number()?;
        fill(&mut self.input, &mut self.groups, len)
    }

    fn number(&mut self) -> io::Result<u64> {
        let (mut n, mut shift) = (0, 0);
        loop {
            let mut byte = [0];
            self.input.read_exact(&mut byte)?;
            n |= u64::from(byte[0] & 0x7f) << shift;
            shift += 7;
            if byte[0] < 0x80 || shift > 56 {
                return Ok(n);
            }
        }
    }
}

fn fill(input: &mut dyn BufRead, into: &mut Vec<u8>, len: u64) -> io::Result<()> {
    into.clear();
    input.take(len).read_to_end(into)?;
    if into.len() as u64 == len {
        Ok(())
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// The groups of one key from all runs, ascending by file.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// File, and its payload as a range of `bytes`.
    list: Vec<(u32, usize, usize)>,
    bytes: Vec<u8>,
}

impl Groups {
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, &[u8])> {
        self.list
            .iter()
            .map(|(file, start, end)| (*file, &self.bytes[*start..*end]))
    }

    /// Adds what one run says of the key.
    fn extend(&mut self, groups: &[u8], payload: bool) -> Decoded<()> {
        let base = self.bytes.len();
        self.bytes.extend_from_slice(groups);
        let mut input = Input::new(groups);
        let mut next = 0u64;
        while !input.is_empty() {
            let file = next + input.u64()?;
            next = file + 1;
            let len = if payload { input.count()? } else { 0 };
            let start = base + groups.len() - input.len();
            input.take(len)?;
            let file = u32::try_from(file).map_err(|_| Malformed("file number too large"))?;
            self.list.push((file, start, start + len));
        }
        Ok(())
    }

    /// Fills `out` with the groups as an entry of a run holds them.
    fn encode(&self, payload: bool, out: &mut Vec<u8>) {
        out.clear();
        let mut next = 0;
        for (file, bytes) in self.iter() {
            put(out, file - next);
            next = file + 1;
            if payload {
                put(out, bytes.len() as u64);
                out.extend_from_slice(bytes);
            }
        }
    }
}

/// What reading or merging runs can fail with.
pub(super) fn spill_error(source: io::Error) -> FormatError {
    FormatError::Io {
        action: "read or write",
        path: "spilled postings".into(),
        source,
    }
}

/// Calls `emit` with each key of the section of `kind` and its groups, in order of the keys. Memory is
/// one entry a run and the groups of one key.
pub(super) fn merge_section(
    readers: &mut [RunReader],
    kind: Stream,
    mut emit: impl FnMut(&[u8], &Groups) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let payload = has_payload(kind);
    // The readers that stand on an entry, by key, the least last.
    let mut waiting: Vec<&mut RunReader> = Vec::with_capacity(readers.len());
    let mut moving: Vec<&mut RunReader> = readers.iter_mut().collect();
    let mut key = Vec::new();
    let mut groups = Groups::default();
    loop {
        for reader in moving.drain(..) {
            reader.advance().map_err(spill_error)?;
            if reader.live {
                let at = waiting.partition_point(|other| other.key > reader.key);
                waiting.insert(at, reader);
            }
        }
        let Some(least) = waiting.last() else {
            return Ok(());
        };
        key.clone_from(&least.key);
        groups.list.clear();
        groups.bytes.clear();
        while let Some(reader) = waiting.pop_if(|reader| reader.key == key) {
            groups
                .extend(&reader.groups, payload)
                .map_err(|why| FormatError::Contract(why.0.into()))?;
            moving.push(reader);
        }
        // Stable, because that kind of sort makes use of the runs that are in order already.
        groups.list.sort_by_key(|(file, ..)| *file);
        if groups.list.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(FormatError::Contract("a file was encoded twice".into()));
        }
        emit(&key, &groups)?;
    }
}

/// Merges `runs` into one that is written to `out`.
pub(super) fn merge_runs<W: Write>(runs: Vec<Run>, out: W) -> Result<W, FormatError> {
    let mut readers = open_runs(runs)?;
    let mut writer = RunWriter::new(out);
    let mut encoded = Vec::new();
    for kind in KINDS {
        merge_section(&mut readers, kind, |key, groups| {
            groups.encode(has_payload(kind), &mut encoded);
            writer.entry(key, &encoded).map_err(spill_error)
        })?;
        writer.end_section().map_err(spill_error)?;
    }
    Ok(writer.into_inner())
}

/// Opens all runs for one merge.
pub(super) fn open_runs(runs: Vec<Run>) -> Result<Vec<RunReader>, FormatError> {
    runs.into_iter()
        .map(|run| RunReader::new(run).map_err(spill_error))
        .collect()
}
