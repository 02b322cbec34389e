//! Postings in memory while files are encoded, and their order when a run is written.
//!
//! Everything is a flat log of small records in order of files; only keys are interned. A log costs
//! one append a record, and sorting it once is cheaper than keeping a list a key.

use super::codec::postings::{Uses, put_hit};
use super::codec::put;
use super::runs::RunWriter;
use super::{ChunkRow, FieldLengths, FileInput};
use leantoken_shared::facts::NameId;
use leantoken_shared::grams;
use leantoken_shared::terms::{Splitter, TermId, fold_name};
use leantoken_shared::text::ByteRange;
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// Grams are 24 bits.
const GRAM_WORDS: usize = (1 << 24) / 64;

/// The postings since the last run.
#[derive(Debug)]
pub(super) struct Postings {
    splitter: Splitter,
    /// Uses in the current chunk, by term.
    uses: Vec<Uses>,
    touched: Vec<TermId>,
    /// Words: term and uses, chunk by chunk; `chunks` says where each chunk's records end.
    words: Vec<(TermId, Uses)>,
    chunks: Vec<ChunkEnd>,
    path_words: Vec<(TermId, u32)>,
    names: Names,
    /// Name, file, definition.
    symbols: Vec<(u32, u32, u32)>,
    /// Name, file.
    references: Vec<(u32, u32)>,
    /// Gram in the upper half, file in the lower.
    grams: Vec<u64>,
    /// Which grams the current file has.
    seen: Box<[u64]>,
}

#[derive(Clone, Copy, Debug)]
struct ChunkEnd {
    file: u32,
    ordinal: u32,
    end: usize,
}

/// Folded names of definitions and references.
#[derive(Debug, Default)]
struct Names {
    ids: FxHashMap<Box<str>, u32>,
    bytes: usize,
}

impl Names {
    fn intern(&mut self, folded: String) -> u32 {
        let next = self.ids.len() as u32;
        let len = folded.len();
        *self.ids.entry(folded.into()).or_insert_with(|| {
            self.bytes += len;
            next
        })
    }
}

const NO_USES: Uses = Uses {
    body: 0,
    name: 0,
    doc: 0,
};

/// Where a word was met.
#[derive(Clone, Copy)]
enum Field {
    Body,
    Name,
    Doc,
}

impl Postings {
    pub(super) fn new() -> Self {
        Postings {
            splitter: Splitter::new(),
            uses: Vec::new(),
            touched: Vec::new(),
            words: Vec::new(),
            chunks: Vec::new(),
            path_words: Vec::new(),
            names: Names::default(),
            symbols: Vec::new(),
            references: Vec::new(),
            grams: Vec::new(),
            seen: vec![0; GRAM_WORDS].into_boxed_slice(),
        }
    }

    /// Returns about how many bytes the logs and keys hold.
    pub(super) fn bytes(&self) -> usize {
        // A term is kept with the words it comes from; twice 64 bytes is what both take on the whole.
        self.words.len() * size_of::<(TermId, Uses)>()
            + self.chunks.len() * size_of::<ChunkEnd>()
            + (self.path_words.len() + self.references.len() + self.grams.len()) * 8
            + self.symbols.len() * 12
            + self.splitter.n_terms() as usize * 128
            + self.names.bytes
            + self.names.ids.len() * 48
    }

    /// Adds the postings of one file, counts the words of its chunks into `rows`.
    pub(super) fn add(&mut self, input: &FileInput<'_>, rows: &mut [ChunkRow]) {
        self.add_words(input, rows);
        let path_words = &mut self.path_words;
        self.splitter.split(input.path.as_str(), |term| {
            path_words.push((term, input.id));
        });
        self.add_names(input);
        self.add_grams(input.id, input.text.as_bytes());
    }

    fn add_words(&mut self, input: &FileInput<'_>, rows: &mut [ChunkRow]) {
        let symbols = &input.facts.symbols;
        let mut names: Vec<(u32, NameId)> = symbols
            .iter()
            .map(|symbol| (symbol.name_range.start, symbol.name))
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut names = names.into_iter().peekable();
        let docs = disjoint(symbols.iter().filter_map(|symbol| symbol.doc));
        let mut docs = docs.as_slice();
        for (ordinal, row) in rows.iter_mut().enumerate() {
            let range = row.chunk.range;
            let body = self.count(range.of(input.text), Field::Body);
            let mut name = 0;
            while let Some((_, id)) = names.next_if(|(start, _)| *start < range.end) {
                name += self.count(input.facts.names.get(id), Field::Name);
            }
            let doc = self.count_docs(input.text, range, &mut docs);
            row.lengths = FieldLengths { body, name, doc };
            for term in self.touched.drain(..) {
                let uses = std::mem::replace(&mut self.uses[term.0 as usize], NO_USES);
                self.words.push((term, uses));
            }
            self.chunks.push(ChunkEnd {
                file: input.id,
                ordinal: ordinal as u32,
                end: self.words.len(),
            });
        }
    }

    /// Counts the words of the parts of `docs` that lie within `chunk`; those that end in it are taken
    /// off, one that goes on stays for the next chunk.
    fn count_docs(&mut self, text: &str, chunk: ByteRange, docs: &mut &[ByteRange]) -> u32 {
        let mut n = 0;
        while let Some((first, rest)) = docs.split_first() {
            if first.start >= chunk.end {
                break;
            }
            let part = ByteRange::new(first.start.max(chunk.start), first.end.min(chunk.end));
            n += self.count(part.of(text), Field::Doc);
            if first.end > chunk.end {
                break;
            }
            *docs = rest;
        }
        n
    }

    fn count(&mut self, text: &str, field: Field) -> u32 {
        let mut n = 0;
        let (all, touched) = (&mut self.uses, &mut self.touched);
        self.splitter.split(text, |term| {
            n += 1;
            let at = term.0 as usize;
            if at >= all.len() {
                all.resize(at + 1 + at / 2, NO_USES);
            }
            let uses = &mut all[at];
            if *uses == NO_USES {
                touched.push(term);
            }
            match field {
                Field::Body => uses.body = uses.body.saturating_add(1),
                Field::Name => uses.name = uses.name.saturating_add(1),
                Field::Doc => uses.doc = uses.doc.saturating_add(1),
            }
        });
        n
    }

    fn add_names(&mut self, input: &FileInput<'_>) {
        let facts = input.facts;
        const UNKNOWN: u32 = u32::MAX;
        let mut ids = vec![UNKNOWN; facts.names.len()];
        let names = &mut self.names;
        let mut id_of = |name: NameId| {
            let slot = &mut ids[name.0 as usize];
            if *slot == UNKNOWN {
                *slot = names.intern(fold_name(facts.names.get(name)));
            }
            *slot
        };
        for (at, symbol) in facts.symbols.iter().enumerate() {
            self.symbols.push((id_of(symbol.name), input.id, at as u32));
        }
        let mut used = vec![false; facts.names.len()];
        for reference in &facts.references {
            if !std::mem::replace(&mut used[reference.name.0 as usize], true) {
                self.references.push((id_of(reference.name), input.id));
            }
        }
    }

    fn add_grams(&mut self, file: u32, text: &[u8]) {
        let first = self.grams.len();
        let (seen, log) = (&mut self.seen, &mut self.grams);
        grams::grams(text, |gram| {
            let gram =
                usize::from(gram[0]) << 16 | usize::from(gram[1]) << 8 | usize::from(gram[2]);
            let (word, bit) = (&mut seen[gram / 64], 1 << (gram % 64));
            if *word & bit == 0 {
                *word |= bit;
                log.push((gram as u64) << 32 | u64::from(file));
            }
        });
        for entry in &log[first..] {
            seen[(entry >> 32) as usize / 64] = 0;
        }
    }

    /// Writes everything as one run and forgets it.
    pub(super) fn write_run<W: Write>(&mut self, out: W) -> io::Result<W> {
        let mut writer = RunWriter::new(out);
        let terms = ranked((0..self.splitter.n_terms()).map(|id| self.splitter.term(TermId(id))));
        let words = std::mem::take(&mut self.words);
        write_words(
            &mut writer,
            &terms,
            words,
            &std::mem::take(&mut self.chunks),
        )?;
        let path_words = std::mem::take(&mut self.path_words);
        let path_words = path_words.into_iter().map(|(term, file)| (term.0, file));
        write_files(&mut writer, &terms, path_words.collect())?;
        let mut by_id: Vec<(&str, u32)> = self
            .names
            .ids
            .iter()
            .map(|(name, id)| (&**name, *id))
            .collect();
        by_id.sort_unstable_by_key(|(_, id)| *id);
        let names = ranked(by_id.into_iter().map(|(name, _)| name));
        write_symbols(&mut writer, &names, std::mem::take(&mut self.symbols))?;
        write_files(&mut writer, &names, std::mem::take(&mut self.references))?;
        write_grams(&mut writer, std::mem::take(&mut self.grams))?;
        self.splitter.clear();
        self.names = Names::default();
        self.uses = Vec::new();
        Ok(writer.into_inner())
    }
}

fn write_words<W: Write>(
    writer: &mut RunWriter<W>,
    terms: &Ranked<'_>,
    words: Vec<(TermId, Uses)>,
    chunks: &[ChunkEnd],
) -> io::Result<()> {
    // A counting sort: where the records of each rank go, then all of them in order of chunks.
    let mut ends = vec![0usize; terms.sorted.len()];
    for (term, _) in &words {
        ends[terms.rank[term.0 as usize] as usize] += 1;
    }
    let mut total = 0;
    for end in &mut ends {
        total += std::mem::replace(end, total);
    }
    let mut sorted = vec![(0u32, NO_USES); words.len()];
    let mut at = 0;
    for (chunk, bounds) in chunks.iter().enumerate() {
        for (term, uses) in &words[at..bounds.end] {
            let slot = &mut ends[terms.rank[term.0 as usize] as usize];
            sorted[*slot] = (chunk as u32, *uses);
            *slot += 1;
        }
        at = bounds.end;
    }
    drop(words);
    let (mut groups, mut hits) = (Vec::new(), Vec::new());
    let mut start = 0;
    for (key, end) in terms.sorted.iter().zip(&ends) {
        if start == *end {
            continue;
        }
        groups.clear();
        let records = sorted[start..*end]
            .iter()
            .map(|(chunk, uses)| (chunks[*chunk as usize], *uses));
        put_word_groups(&mut groups, &mut hits, records);
        writer.entry(key.as_bytes(), &groups)?;
        start = *end;
    }
    writer.end_section()
}

/// Appends one group a file.
fn put_word_groups(
    groups: &mut Vec<u8>,
    hits: &mut Vec<u8>,
    records: impl Iterator<Item = (ChunkEnd, Uses)>,
) {
    let mut records = records.peekable();
    let (mut next_file, mut next_ordinal) = (0, 0);
    while let Some((chunk, uses)) = records.next() {
        put_hit(hits, chunk.ordinal - next_ordinal, uses);
        next_ordinal = chunk.ordinal + 1;
        if records
            .peek()
            .is_none_or(|(next, _)| next.file != chunk.file)
        {
            put(groups, chunk.file - next_file);
            put(groups, hits.len() as u64);
            groups.extend_from_slice(hits);
            hits.clear();
            (next_file, next_ordinal) = (chunk.file + 1, 0);
        }
    }
}

/// Returns the parts that `ranges` cover, in order and disjoint, as one doc may belong to several.
fn disjoint(ranges: impl Iterator<Item = ByteRange>) -> Vec<ByteRange> {
    let mut sorted: Vec<ByteRange> = ranges.collect();
    sorted.sort_unstable();
    let mut covered = 0;
    for range in &mut sorted {
        range.start = range.start.max(covered);
        covered = covered.max(range.end);
    }
    sorted.retain(|range| !range.is_empty());
    sorted
}

/// Keys in order, and the place of each id in that order.
struct Ranked<'a> {
    sorted: Vec<&'a str>,
    rank: Vec<u32>,
}

fn ranked<'a>(keys: impl Iterator<Item = &'a str>) -> Ranked<'a> {
    let mut pairs: Vec<(&str, u32)> = keys.zip(0..).collect();
    pairs.sort_unstable();
    let mut rank = vec![0; pairs.len()];
    for ((_, id), place) in pairs.iter().zip(0..) {
        rank[*id as usize] = place;
    }
    Ranked {
        sorted: pairs.into_iter().map(|(key, _)| key).collect(),
        rank,
    }
}

/// Writes a section of `(key id, file)` records.
fn write_files<W: Write>(
    writer: &mut RunWriter<W>,
    keys: &Ranked<'_>,
    mut records: Vec<(u32, u32)>,
) -> io::Result<()> {
    for record in &mut records {
        record.0 = keys.rank[record.0 as usize];
    }
    records.sort_unstable();
    records.dedup();
    let mut groups = Vec::new();
    for of_key in records.chunk_by(|a, b| a.0 == b.0) {
        put_file_groups(&mut groups, of_key.iter().map(|(_, file)| *file));
        writer.entry(keys.sorted[of_key[0].0 as usize].as_bytes(), &groups)?;
    }
    writer.end_section()
}

fn put_file_groups(groups: &mut Vec<u8>, files: impl Iterator<Item = u32>) {
    groups.clear();
    let mut next = 0;
    for file in files {
        put(groups, file - next);
        next = file + 1;
    }
}

fn write_symbols<W: Write>(
    writer: &mut RunWriter<W>,
    names: &Ranked<'_>,
    mut records: Vec<(u32, u32, u32)>,
) -> io::Result<()> {
    for record in &mut records {
        record.0 = names.rank[record.0 as usize];
    }
    records.sort_unstable();
    let (mut groups, mut payload) = (Vec::new(), Vec::new());
    for of_name in records.chunk_by(|a, b| a.0 == b.0) {
        groups.clear();
        let mut next = 0;
        for of_file in of_name.chunk_by(|a, b| a.1 == b.1) {
            put_file_groups(&mut payload, of_file.iter().map(|record| record.2));
            put(&mut groups, of_file[0].1 - next);
            next = of_file[0].1 + 1;
            put(&mut groups, payload.len() as u64);
            groups.extend_from_slice(&payload);
        }
        writer.entry(names.sorted[of_name[0].0 as usize].as_bytes(), &groups)?;
    }
    writer.end_section()
}

fn write_grams<W: Write>(writer: &mut RunWriter<W>, mut records: Vec<u64>) -> io::Result<()> {
    records.sort_unstable();
    let mut groups = Vec::new();
    for of_gram in records.chunk_by(|a, b| a >> 32 == b >> 32) {
        put_file_groups(&mut groups, of_gram.iter().map(|record| *record as u32));
        let key = ((of_gram[0] >> 32) as u32).to_be_bytes();
        writer.entry(&key[1..], &groups)?;
    }
    writer.end_section()
}
