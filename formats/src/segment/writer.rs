//! Rows in, sealed pair of files out.
//!
//! Everything is written in canonical order into scratch files of a hidden directory beside the
//! destination; the seal merges the postings, compacts both files, names them by their digests and
//! opens them once with the reader. Whatever happens before the last rename leaves nothing.

use super::codec::files::{FileEntry, put_entry};
use super::codec::{Input, Malformed, paths, postings};
use super::keyed::KeyedWriter;
use super::open::Segment;
use super::pages::PageWriter;
use super::runs::{Groups, KINDS, RunReader, merge_section, open_runs};
use super::schema::{self, Half, Stream, sql};
use super::{EncodedFile, FieldLengths, PostingRuns, SegmentPlan, Skipped};
use crate::error::FormatError;
use crate::layout::{self, BlobRole};
use crate::platform;
use leantoken_shared::digest::{ContentHash, Hasher};
use leantoken_shared::path::RepoPath;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Writes one segment into a directory. Dropped before the seal, it leaves nothing behind.
#[derive(Debug)]
pub struct SegmentWriter {
    dir: PathBuf,
    /// Declared before `scratch`, so that the files are closed before they are removed.
    core: Core,
    text: Text,
    scratch: TempDir,
}

/// The half that holds everything but the bodies.
#[derive(Debug)]
struct Core {
    conn: Connection,
    facts: PageWriter,
    chunks: PageWriter,
    /// The file table as it will be stored.
    files: Vec<u8>,
    last_path: String,
    /// The number of the first chunk of each file, and behind the last.
    first_chunks: Vec<u64>,
    totals: Totals,
    dictionary: Vec<u8>,
}

/// The half that holds the bodies.
#[derive(Debug)]
struct Text {
    conn: Connection,
    bodies: PageWriter,
}

/// Sums over the files added.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    n_symbols: u64,
    n_lines: u64,
    n_bytes: u64,
    lengths: TotalLengths,
}

/// What completes a segment once all its files are added.
#[derive(Debug, Default)]
pub struct Seal {
    /// The postings of every encoder that took part.
    pub runs: Vec<PostingRuns>,
    /// What the tree holds and the segment does not, in any order.
    pub skipped: Vec<Skipped>,
    /// Paths of older segments that are gone or replaced, in any order; empty in a base segment.
    pub hidden: Vec<RepoPath>,
}

/// One sealed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedBlob {
    /// The digest of its bytes, which also names it.
    pub hash: ContentHash,
    /// Its size in bytes.
    pub size: u64,
    /// Where it lies.
    pub path: PathBuf,
}

/// A sealed segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedSegment {
    /// Everything but the bodies.
    pub core: SealedBlob,
    /// The bodies.
    pub text: SealedBlob,
    /// Number of files.
    pub n_files: u32,
    /// Number of chunks.
    pub n_chunks: u64,
    /// Number of definitions.
    pub n_symbols: u64,
    /// Number of lines.
    pub n_lines: u64,
    /// Number of bytes of the files on disk.
    pub n_bytes: u64,
    /// Words in each field.
    pub lengths: TotalLengths,
}

/// Words a field, summed over many files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TotalLengths {
    /// Words of the text.
    pub body: u64,
    /// Words of the names of definitions.
    pub name: u64,
    /// Words of documentation comments.
    pub doc: u64,
}

impl TotalLengths {
    /// Adds the words of one file.
    pub fn add(&mut self, lengths: FieldLengths) {
        self.body += u64::from(lengths.body);
        self.name += u64::from(lengths.name);
        self.doc += u64::from(lengths.doc);
    }
}

impl SegmentWriter {
    /// Starts a segment in `dir`, which must exist.
    ///
    /// # Errors
    /// When the scratch files cannot be created.
    pub fn create(dir: &Path, plan: &SegmentPlan) -> Result<Self, FormatError> {
        let io = |source| FormatError::Io {
            action: "write in",
            path: dir.into(),
            source,
        };
        let dir = std::path::absolute(dir).map_err(io)?;
        let scratch = tempfile::Builder::new()
            .prefix(".sealing-")
            .tempdir_in(&dir)
            .map_err(io)?;
        Ok(SegmentWriter {
            core: Core {
                conn: schema::create(&scratch.path().join("core.scratch"), Half::Core)?,
                facts: PageWriter::new(Stream::Facts),
                chunks: PageWriter::new(Stream::Chunks),
                files: Vec::new(),
                last_path: String::new(),
                first_chunks: vec![0],
                totals: Totals::default(),
                dictionary: plan.dictionary.clone(),
            },
            text: Text {
                conn: schema::create(&scratch.path().join("text.scratch"), Half::Text)?,
                bodies: PageWriter::new(Stream::Text),
            },
            dir,
            scratch,
        })
    }

    /// Adds the next file; numbers run 0, 1, 2 … and paths ascend in byte order.
    ///
    /// # Errors
    /// A file out of turn is [`FormatError::Contract`].
    pub fn add(&mut self, file: EncodedFile) -> Result<(), FormatError> {
        let core = &mut self.core;
        let row = &file.entry.row;
        let n_files = core.n_files();
        if file.id != n_files || (n_files > 0 && *core.last_path >= *row.path.as_str()) {
            return Err(FormatError::Contract(format!(
                "file {} ({}) was added out of turn",
                file.id, row.path
            )));
        }
        core.facts
            .append(&core.conn, &file.facts)
            .and_then(|()| core.chunks.append(&core.conn, &file.chunks))
            .and_then(|()| self.text.bodies.append(&self.text.conn, &file.text))
            .map_err(sql("write", self.scratch.path()))?;
        core.count(&file.entry);
        put_entry(&mut core.files, &mut core.last_path, &file.entry);
        Ok(())
    }

    /// Merges the postings, writes and syncs both files and names them by their digests
    /// (`<hex>.core.db`, `<hex>.text.db`), read-only.
    ///
    /// The bytes depend only on the plan's dictionary and level and on what was added: not on the
    /// number of encoders, spills or threads, nor on where it was written. A file of that name that
    /// already exists is replaced by its equal.
    ///
    /// # Errors
    /// On any failure nothing is left in the directory.
    pub fn seal(self, seal: Seal) -> Result<SealedSegment, FormatError> {
        let SegmentWriter {
            dir,
            core,
            text,
            scratch,
        } = self;
        let scratch = scratch.path();
        let pair = pair_of(&core.files);
        // The bodies are complete: they are compacted and synced while the postings are merged.
        let (core, text) = std::thread::scope(|threads| {
            let text = threads.spawn(|| text.place(scratch, &dir, pair));
            let core = core.complete(seal, scratch, pair);
            let text = text.join().unwrap_or_else(|_| {
                let why = "sealing the bodies panicked";
                Err(FormatError::Contract(why.into()))
            });
            Ok::<_, FormatError>((core?, text?))
        })?;
        core.place(text, scratch, &dir)
    }
}

impl Core {
    fn count(&mut self, entry: &FileEntry) {
        let row = &entry.row;
        let next = self.n_chunks() + u64::from(row.n_chunks);
        self.first_chunks.push(next);
        self.totals.n_symbols += u64::from(row.n_symbols);
        self.totals.n_lines += u64::from(row.n_lines);
        self.totals.n_bytes += row.size;
        self.totals.lengths.add(row.lengths);
    }

    fn n_files(&self) -> u32 {
        self.first_chunks.len() as u32 - 1
    }

    fn n_chunks(&self) -> u64 {
        self.first_chunks.last().copied().unwrap_or(0)
    }

    /// Writes everything but the rows that were added before.
    fn complete(mut self, seal: Seal, scratch: &Path, pair: u64) -> Result<Self, FormatError> {
        let fail = sql("write", scratch);
        let n_files = u64::from(self.n_files());
        let mut meta = BTreeMap::from([("n_files", n_files), ("pair", pair)]);
        let runs = seal.runs.into_iter().flat_map(|runs| runs.runs).collect();
        for (stream, len) in self.write_postings(open_runs(runs)?, scratch)? {
            meta.insert(stream.sql().name, len);
        }
        for (stream, bytes) in [
            (Stream::Files, &self.files),
            (Stream::Dictionary, &self.dictionary),
            (Stream::Skipped, &encode_skipped(seal.skipped)),
            (Stream::Hidden, &encode_hidden(seal.hidden)),
        ] {
            let mut pages = PageWriter::new(stream);
            pages.append(&self.conn, bytes).map_err(&fail)?;
            meta.insert(stream.sql().name, pages.finish(&self.conn).map_err(&fail)?);
        }
        for pages in [&mut self.facts, &mut self.chunks] {
            let pages = std::mem::replace(pages, PageWriter::new(Stream::Facts));
            let name = pages.stream().sql().name;
            meta.insert(name, pages.finish(&self.conn).map_err(&fail)?);
        }
        write_meta(&self.conn, &meta).map_err(&fail)?;
        Ok(self)
    }

    /// Merges the runs into the keyed streams and returns the length of each.
    fn write_postings(
        &self,
        mut readers: Vec<RunReader>,
        scratch: &Path,
    ) -> Result<Vec<(Stream, u64)>, FormatError> {
        let fail = sql("write", scratch);
        let mut lengths = Vec::new();
        let n_files = self.n_files();
        let mut posting = Vec::new();
        let mut files = Vec::new();
        for kind in KINDS {
            let mut writer = KeyedWriter::new(kind);
            merge_section(&mut readers, kind, |key, groups| {
                if groups
                    .iter()
                    .next_back()
                    .is_some_and(|(file, _)| file >= n_files)
                {
                    return Err(FormatError::Contract(
                        "postings of a file that was not added".into(),
                    ));
                }
                posting.clear();
                let mut packed = false;
                match kind {
                    Stream::Words => put_words(&mut posting, groups, &self.first_chunks),
                    Stream::SymbolNames => put_names(&mut posting, groups),
                    _ => {
                        files.clear();
                        files.extend(groups.iter().map(|(file, _)| file));
                        packed = postings::put_files(&mut posting, &files);
                        Ok(())
                    }
                }
                .map_err(|why| FormatError::Contract(why.0.into()))?;
                writer.add(&self.conn, key, packed, &posting).map_err(&fail)
            })?;
            lengths.push((kind, writer.finish(&self.conn).map_err(&fail)?));
        }
        Ok(lengths)
    }

    /// Compacts, checks both files against each other and gives them their names in `dir`.
    fn place(
        self,
        text: SealedBlob,
        scratch: &Path,
        dir: &Path,
    ) -> Result<SealedSegment, FormatError> {
        let n_files = self.n_files();
        let n_chunks = self.n_chunks();
        let core_path = scratch.join("core.db");
        let text_path = scratch.join("text.db");
        schema::compact(self.conn, &core_path)?;
        let opened = Segment::open(&core_path, &text_path)?;
        let chunks = opened.files().iter().map(|row| u64::from(row.n_chunks));
        if opened.files().len() != n_files as usize || chunks.sum::<u64>() != n_chunks {
            return Err(FormatError::Contract(
                "the sealed file reads differently".into(),
            ));
        }
        drop(opened);
        let core = name_file(dir, BlobRole::Core, &core_path)?;
        // Bodies first: whoever sees the core finds its bodies.
        platform::rename_sealed(&text_path, &text.path)?;
        platform::rename_sealed(&core_path, &core.path)?;
        platform::sync_dir(dir)?;
        let totals = self.totals;
        Ok(SealedSegment {
            core,
            text,
            n_files,
            n_chunks,
            n_symbols: totals.n_symbols,
            n_lines: totals.n_lines,
            n_bytes: totals.n_bytes,
            lengths: totals.lengths,
        })
    }
}

impl Text {
    /// Writes what is left, compacts, syncs, and says which name the file gets in `dir`.
    fn place(self, scratch: &Path, dir: &Path, pair: u64) -> Result<SealedBlob, FormatError> {
        let fail = sql("write", scratch);
        let len = self.bodies.finish(&self.conn).map_err(&fail)?;
        let meta = BTreeMap::from([("pair", pair), (Stream::Text.sql().name, len)]);
        write_meta(&self.conn, &meta).map_err(&fail)?;
        let path = scratch.join("text.db");
        schema::compact(self.conn, &path)?;
        name_file(dir, BlobRole::Text, &path)
    }
}

/// Returns what ties the two files of a segment to each other.
pub(super) fn pair_of(files: &[u8]) -> u64 {
    let hash = ContentHash::of(files).0;
    let half = [
        hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7],
    ];
    u64::from_be_bytes(half) >> 1
}

fn write_meta(conn: &Connection, meta: &BTreeMap<&str, u64>) -> rusqlite::Result<()> {
    let mut insert = conn.prepare(schema::INSERT_META)?;
    for (name, value) in meta {
        insert.execute((name, *value as i64))?;
    }
    Ok(())
}

fn put_words(out: &mut Vec<u8>, groups: &Groups, first_chunks: &[u64]) -> Result<(), Malformed> {
    let mut next = 0;
    for (file, hits) in groups.iter() {
        let [first, end] = *first_chunks
            .get(file as usize..file as usize + 2)
            .and_then(|pair| <&[u64; 2]>::try_from(pair).ok())
            .ok_or(Malformed("postings of a file that was not added"))?;
        let mut input = Input::new(hits);
        let mut at = first;
        while !input.is_empty() {
            let (gap, uses) = postings::take_hit(&mut input)?;
            at += gap;
            if at >= end {
                return Err(Malformed("postings of a chunk that was not added"));
            }
            let gap = u32::try_from(at - next).map_err(|_| Malformed("too many chunks"))?;
            postings::put_hit(out, gap, uses);
            at += 1;
            next = at;
        }
    }
    Ok(())
}

fn put_names(out: &mut Vec<u8>, groups: &Groups) -> Result<(), Malformed> {
    let mut next = 0;
    for (file, payload) in groups.iter() {
        let symbols = postings::decode_files(payload, false, u32::MAX)?;
        postings::put_definitions(out, file - next, &symbols);
        next = file + 1;
    }
    Ok(())
}

fn encode_skipped(mut skipped: Vec<Skipped>) -> Vec<u8> {
    skipped.sort_unstable();
    skipped.dedup();
    let (mut out, mut last) = (Vec::new(), String::new());
    for skipped in &skipped {
        paths::put_next(&mut out, &mut last, &skipped.path);
        out.push(skipped.reason as u8);
    }
    out
}

fn encode_hidden(mut hidden: Vec<RepoPath>) -> Vec<u8> {
    hidden.sort_unstable();
    hidden.dedup();
    let (mut out, mut last) = (Vec::new(), String::new());
    for path in &hidden {
        paths::put_next(&mut out, &mut last, path.as_str());
    }
    out
}

/// Syncs the file at `from` and returns the name it gets in `dir`.
fn name_file(dir: &Path, role: BlobRole, from: &Path) -> Result<SealedBlob, FormatError> {
    let io = |source| FormatError::Io {
        action: "sync",
        path: from.into(),
        source,
    };
    let mut file = File::open(from).map_err(io)?;
    let (hash, size) = hash_file(&mut file).map_err(io)?;
    platform::make_read_only(&file).map_err(io)?;
    file.sync_all().map_err(io)?;
    Ok(SealedBlob {
        hash,
        size,
        path: dir.join(layout::blob_file(role, &hash)),
    })
}

/// Returns digest and size of what is left to read of `file`.
pub(crate) fn hash_file(file: &mut File) -> std::io::Result<(ContentHash, u64)> {
    let mut hasher = Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    let mut size = 0;
    loop {
        let n = file.read(&mut buffer)?;
        if n == 0 {
            return Ok((hasher.finish(), size));
        }
        hasher.update(&buffer[..n]);
        size += n as u64;
    }
}
