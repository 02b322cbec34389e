//! Gathers the evidence of a question: postings decoded once, summed by file, then by piece.
//!
//! Not here: what the evidence is worth together (see `rank`).

use super::question::Question;
use super::rank::{Candidate, Signal, Signals, rarity, saturated};
use crate::query::error::QueryError;
use crate::view::{FileId, Reader};
use leantoken_formats::segment::{ChunkRow, NamePosting, WordHit};
use leantoken_shared::path::PathSet;
use leantoken_shared::terms::{fold_name, query_terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a part of a compound word counts beside the whole word.
const PART_WEIGHT: f64 = 0.6;
/// What a word in a definition's name adds to a piece, beside its text.
const NAME_BOOST: f64 = 1.0;
/// The same for a documentation comment.
const DOC_BOOST: f64 = 0.5;
/// How much length takes away from text, from names and comments, and from pieces, which are cut to
/// similar lengths already. A file of many definitions is no worse for that.
const BODY_PENALTY: f64 = 0.75;
const FIELD_PENALTY: f64 = 0.3;
const PIECE_PENALTY: f64 = 0.4;

/// The occurrences of one term of the question.
struct Occurrences {
    weight: f64,
    rarity: f64,
    name_rarity: f64,
    doc_rarity: f64,
    /// Sorted by file.
    hits: Vec<(FileId, WordHit)>,
}

/// All evidence of one question.
pub(super) struct Evidence {
    pub(super) candidates: Vec<Candidate>,
    /// Definitions by word of the question that is written like a name.
    pub(super) identifiers: Vec<Named>,
    slots: FxHashMap<FileId, Option<usize>>,
    terms: Vec<Occurrences>,
    mean_chunk: f64,
}

/// Definitions in one file that a word of the question names.
pub(super) struct Named {
    /// The word as written.
    pub(super) word: String,
    /// How much the name says.
    pub(super) value: f64,
    pub(super) posting: NamePosting,
}

/// Uses of one term in one file.
#[derive(Clone, Copy, Default)]
struct Uses {
    file: FileId,
    body: u32,
    name: u32,
    doc: u32,
}

impl Evidence {
    /// Gathers everything that is known of files without opening any of them.
    pub(super) fn gather(
        reader: &Reader<'_>,
        question: &Question,
        paths: &PathSet,
    ) -> Result<Self, QueryError> {
        let mut gather = Gather {
            reader,
            paths,
            slots: FxHashMap::default(),
            candidates: Vec::new(),
            groups: Vec::new(),
            group_rarity: vec![0.0; question.words.len()],
        };
        let mut terms = Vec::with_capacity(question.terms.len());
        for term in &question.terms {
            let weight = if term.whole { 1.0 } else { PART_WEIGHT };
            terms.push(gather.words(&term.term, term.group, weight)?);
        }
        gather.paths(question)?;
        let identifiers = gather.names(question)?;
        gather.coverage();
        for candidate in &mut gather.candidates {
            let row = reader.row(candidate.file);
            candidate.factor = question.factor(row.class, row.path.as_str());
        }
        let totals = reader.totals();
        Ok(Evidence {
            candidates: gather.candidates,
            identifiers,
            slots: gather.slots,
            terms,
            mean_chunk: totals.body as f64 / totals.n_chunks.max(1) as f64,
        })
    }

    /// Returns the place of a file among the candidates.
    pub(super) fn slot(&self, file: FileId) -> Option<usize> {
        self.slots.get(&file).copied().flatten()
    }

    /// Returns how much each term of the question says, in their order.
    pub(super) fn term_weights(&self) -> impl Iterator<Item = f64> {
        self.terms.iter().map(|term| term.weight * term.rarity)
    }

    /// Scores the pieces of one file that hold any of the terms; `(score, ordinal)`, best first.
    pub(super) fn pieces(&self, file: FileId, chunks: &[ChunkRow]) -> Vec<(f64, u32)> {
        let mut scores = vec![0.0; chunks.len()];
        for term in &self.terms {
            let start = term.hits.partition_point(|(other, _)| *other < file);
            let hits = term.hits[start..]
                .iter()
                .take_while(|(other, _)| *other == file);
            for (_, hit) in hits {
                let Some(chunk) = chunks.get(hit.ordinal as usize) else {
                    continue;
                };
                let length = chunk.lengths.body;
                let body = saturated(hit.body, length, self.mean_chunk, PIECE_PENALTY);
                let in_name = f64::from(u8::from(hit.name > 0)) * NAME_BOOST;
                let in_doc = f64::from(u8::from(hit.doc > 0)) * DOC_BOOST;
                scores[hit.ordinal as usize] += term.weight
                    * (term.rarity * body
                        + term.name_rarity.min(term.rarity) * in_name
                        + term.rarity * in_doc);
            }
        }
        let mut pieces: Vec<(f64, u32)> = scores
            .into_iter()
            .zip(0..)
            .filter(|(score, _)| *score > 0.0)
            .collect();
        pieces.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        pieces
    }
}

struct Gather<'a> {
    reader: &'a Reader<'a>,
    paths: &'a PathSet,
    slots: FxHashMap<FileId, Option<usize>>,
    candidates: Vec<Candidate>,
    /// Which words of the question each candidate holds.
    groups: Vec<u64>,
    group_rarity: Vec<f64>,
}

impl Gather<'_> {
    /// Returns the place of a file among the candidates, `None` outside the searched paths.
    fn slot(&mut self, file: FileId) -> Option<usize> {
        if let Some(slot) = self.slots.get(&file) {
            return *slot;
        }
        let slot = self
            .paths
            .contains(self.reader.path(file))
            .then_some(self.candidates.len());
        self.slots.insert(file, slot);
        if slot.is_some() {
            self.candidates.push(Candidate {
                file,
                signals: Signals::default(),
                factor: 1.0,
            });
            self.groups.push(0);
        }
        slot
    }

    fn add(&mut self, file: FileId, signal: Signal, value: f64) {
        if let Some(slot) = self.slot(file) {
            self.candidates[slot].signals.add(signal, value);
        }
    }

    fn cover(&mut self, file: FileId, group: u32) {
        if let Some(slot) = self.slot(file) {
            self.groups[slot] |= 1 << group.min(63);
        }
    }

    /// Text, names of definitions and documentation comments.
    fn words(&mut self, term: &str, group: u32, weight: f64) -> Result<Occurrences, QueryError> {
        let mut hits: Vec<(FileId, WordHit)> = Vec::new();
        self.reader.word(term, |file, hit| hits.push((file, hit)))?;
        if hits.windows(2).any(|pair| pair[0].0 > pair[1].0) {
            hits.sort_by_key(|(file, hit)| (*file, hit.ordinal));
        }
        let mut files: Vec<Uses> = Vec::new();
        for (file, hit) in &hits {
            if files.last().is_none_or(|last| last.file != *file) {
                files.push(Uses {
                    file: *file,
                    ..Uses::default()
                });
            }
            if let Some(last) = files.last_mut() {
                last.body += hit.body;
                last.name += hit.name;
                last.doc += hit.doc;
            }
        }
        let n = self.reader.n_files() as usize;
        let df = |holds: fn(&Uses) -> bool| files.iter().filter(|uses| holds(uses)).count();
        let occurrences = Occurrences {
            weight,
            rarity: rarity(files.len(), n),
            name_rarity: rarity(df(|uses| uses.name > 0), n),
            doc_rarity: rarity(df(|uses| uses.doc > 0), n),
            hits,
        };
        let totals = self.reader.totals();
        let mean = |total: u64| total as f64 / n.max(1) as f64;
        let (body, name, doc) = (mean(totals.body), mean(totals.name), mean(totals.doc));
        for uses in files {
            let lengths = self.reader.row(uses.file).lengths;
            let strengths = [
                (
                    Signal::Body,
                    occurrences.rarity * saturated(uses.body, lengths.body, body, BODY_PENALTY),
                ),
                (
                    Signal::Names,
                    occurrences.name_rarity
                        * saturated(uses.name, lengths.name, name, FIELD_PENALTY),
                ),
                (
                    Signal::Docs,
                    occurrences.doc_rarity * saturated(uses.doc, lengths.doc, doc, FIELD_PENALTY),
                ),
            ];
            for (signal, strength) in strengths {
                self.add(uses.file, signal, weight * strength);
            }
            self.cover(uses.file, group);
        }
        let slot = &mut self.group_rarity[group as usize];
        *slot = slot.max(occurrences.rarity * weight);
        Ok(occurrences)
    }

    /// Names of files and folders.
    fn paths(&mut self, question: &Question) -> Result<(), QueryError> {
        let mut weights: FxHashMap<&str, f64> = FxHashMap::default();
        let mut files: FxHashSet<FileId> = FxHashSet::default();
        let n = self.reader.n_files() as usize;
        for term in &question.terms {
            let found = self.reader.path_word(&term.term)?;
            let weight = if term.whole { 1.0 } else { PART_WEIGHT };
            weights.insert(&term.term, weight * rarity(found.len(), n));
            for file in &found {
                self.cover(*file, term.group);
            }
            files.extend(found);
        }
        for joined in &question.joined {
            files.extend(self.reader.path_word(joined)?);
        }
        let singles = question.words.iter().map(|word| word.folded.as_str());
        let whole: FxHashSet<String> = singles
            .chain(question.joined.iter().map(String::as_str))
            .map(squeezed)
            .collect();
        let mut files: Vec<FileId> = files.into_iter().collect();
        files.sort_unstable();
        for file in files {
            let path = self.reader.row(file).path.clone();
            let (folders, stem) = named_by(path.parent(), path.file_name());
            let in_name = self.sum(&weights, stem);
            let in_folders = self.sum(&weights, folders);
            self.add(file, Signal::FileName, in_name);
            self.add(file, Signal::Folders, in_folders);
            if whole.contains(&squeezed(stem)) {
                self.add(file, Signal::FileNameEquals, 1.0);
            }
        }
        Ok(())
    }

    /// Sums the weights of the question's terms in a piece of a path, over the share of it they make.
    fn sum(&self, weights: &FxHashMap<&str, f64>, text: &str) -> f64 {
        let terms = query_terms(text);
        let n_words = terms.iter().filter(|term| !term.whole).count().max(1);
        let sum: f64 = terms
            .iter()
            .filter_map(|term| weights.get(term.term.as_str()))
            .sum();
        // A name of three words of which one is meant says less than a name of one word.
        sum / (n_words as f64).sqrt()
    }

    /// Names of definitions.
    fn names(&mut self, question: &Question) -> Result<Vec<Named>, QueryError> {
        let n = self.reader.n_files() as usize;
        let mut identifiers = Vec::new();
        for word in &question.words {
            let found = self.reader.symbol_name(&word.folded)?;
            let value = rarity(found.len(), n);
            for posting in found {
                if word.is_identifier {
                    if self.slot(posting.file).is_some() {
                        identifiers.push(Named {
                            word: word.text.clone(),
                            value,
                            posting,
                        });
                    }
                } else {
                    self.add(posting.file, Signal::ExactWord, value);
                }
            }
        }
        for joined in &question.joined {
            let found = self.reader.symbol_name(joined)?;
            let value = rarity(found.len(), n);
            for posting in found {
                self.add(posting.file, Signal::JoinedName, value);
            }
        }
        Ok(identifiers)
    }

    fn coverage(&mut self) {
        let total: f64 = self.group_rarity.iter().sum();
        if total <= 0.0 {
            return;
        }
        for (candidate, groups) in self.candidates.iter_mut().zip(&self.groups) {
            let covered: f64 = self
                .group_rarity
                .iter()
                .enumerate()
                .filter(|(group, _)| groups & (1 << (*group).min(63)) != 0)
                .map(|(_, rarity)| rarity)
                .sum();
            candidate.signals.raise(Signal::Covered, covered / total);
        }
    }
}

/// Returns the folders and the name that say what a file is about: its own, or its folder's where the
/// file only stands for the folder.
fn named_by<'p>(folders: &'p str, file_name: &'p str) -> (&'p str, &'p str) {
    let stem = file_name.split('.').next().unwrap_or_default();
    if matches!(stem, "mod" | "index" | "__init__") && !folders.is_empty() {
        return folders.rsplit_once('/').unwrap_or(("", folders));
    }
    (folders, stem)
}

/// A name without what joins its parts.
fn squeezed(name: &str) -> String {
    let chars = name.chars().filter(|c| c.is_alphanumeric());
    fold_name(&chars.collect::<String>())
}
