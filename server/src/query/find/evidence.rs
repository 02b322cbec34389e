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

/// What a piece of a definition keeps of its score that holds nothing of the question.
const LEAST_COVERED: f64 = 0.4;

/// The occurrences of one term of the question.
struct Occurrences {
    group: u32,
    /// Whether the term stands for a whole word of the question.
    whole: bool,
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
    /// How much each word of the question says.
    group_rarity: Vec<f64>,
    mean_chunk: f64,
}

/// The pieces of one file that hold any word of the question.
#[derive(Default)]
pub(super) struct Pieces {
    /// The score of the best one, and the mean of the three best.
    pub(super) best: f64,
    pub(super) best_three: f64,
    /// How well a piece answers, and its ordinal; best first, one a definition.
    pub(super) order: Vec<(f64, u32)>,
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
            terms.push(gather.words(&term.term, (term.group, term.whole), weight)?);
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
            group_rarity: gather.group_rarity,
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

    /// Keeps the files that hold the last word of the question as it is, or define it; returns whether
    /// there are any.
    pub(super) fn keep_mentions(&mut self) -> bool {
        let last = self.group_rarity.len().saturating_sub(1) as u32;
        let terms = self.terms.iter();
        let holding = terms.filter(|term| term.group == last && term.whole);
        let mut keep: FxHashSet<FileId> = holding
            .flat_map(|term| term.hits.iter().map(|(file, _)| *file))
            .collect();
        keep.extend(self.identifiers.iter().map(|named| named.posting.file));
        let found = self.candidates.iter().any(|c| keep.contains(&c.file));
        if found {
            self.candidates.retain(|c| keep.contains(&c.file));
            let slots = self.candidates.iter().enumerate();
            self.slots = slots.map(|(at, c)| (c.file, Some(at))).collect();
            // Within the files, only the name itself leads to a piece.
            for term in &mut self.terms {
                if term.group != last || !term.whole {
                    term.weight = 0.0;
                }
            }
        }
        found
    }

    /// Scores the pieces of one file that hold any of the terms.
    pub(super) fn pieces(&self, file: FileId, chunks: &[ChunkRow]) -> Pieces {
        let mut scores = vec![0.0; chunks.len()];
        let mut groups = vec![0_u64; chunks.len()];
        for term in &self.terms {
            let start = term.hits.partition_point(|(other, _)| *other < file);
            let hits = term.hits[start..]
                .iter()
                .take_while(|(other, _)| *other == file);
            for (_, hit) in hits {
                let at = hit.ordinal as usize;
                let Some(chunk) = chunks.get(at) else {
                    continue;
                };
                let length = chunk.lengths.body;
                let body = saturated(hit.body, length, self.mean_chunk, PIECE_PENALTY);
                let in_name = f64::from(u8::from(hit.name > 0)) * NAME_BOOST;
                let in_doc = f64::from(u8::from(hit.doc > 0)) * DOC_BOOST;
                groups[at] |= 1 << term.group.min(63);
                scores[at] += term.weight
                    * (term.rarity * body
                        + term.name_rarity.min(term.rarity) * in_name
                        + term.rarity * in_doc);
            }
        }
        let mut best: Vec<f64> = scores
            .iter()
            .copied()
            .filter(|score| *score > 0.0)
            .collect();
        best.sort_unstable_by(|a, b| b.total_cmp(a));
        Pieces {
            best: best.first().copied().unwrap_or(0.0),
            best_three: best.iter().take(3).sum::<f64>() / 3.0,
            order: self.ordered(&scores, &groups, chunks),
        }
    }

    /// Orders pieces by their scores and by how much of the question their definitions hold in all: a
    /// long definition is cut, and none of its pieces holds every word.
    fn ordered(&self, scores: &[f64], groups: &[u64], chunks: &[ChunkRow]) -> Vec<(f64, u32)> {
        let mut whole: FxHashMap<u32, u64> = FxHashMap::default();
        for (chunk, groups) in chunks
            .iter()
            .zip(groups)
            .filter(|(_, groups)| **groups != 0)
        {
            if let Some(symbol) = chunk.chunk.symbol {
                *whole.entry(symbol).or_default() |= groups;
            }
        }
        let total: f64 = self.group_rarity.iter().sum();
        let mut pieces: Vec<(f64, u32)> = Vec::new();
        for (at, score) in scores.iter().enumerate().filter(|(_, score)| **score > 0.0) {
            let symbol = chunks[at].chunk.symbol;
            let held = symbol.and_then(|symbol| whole.get(&symbol).copied());
            let covered = self.covered(held.unwrap_or(groups[at])) / total.max(f64::MIN_POSITIVE);
            let factor = LEAST_COVERED + (1.0 - LEAST_COVERED) * covered;
            pieces.push((score * factor, at as u32));
        }
        pieces.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut seen = FxHashSet::default();
        pieces.retain(|(_, at)| {
            let symbol = chunks[*at as usize].chunk.symbol;
            symbol.is_none_or(|symbol| seen.insert(symbol))
        });
        pieces
    }

    /// Returns how much the words in `groups` say together.
    fn covered(&self, groups: u64) -> f64 {
        let rarities = self.group_rarity.iter().enumerate();
        rarities
            .filter(|(group, _)| groups & (1 << (*group).min(63)) != 0)
            .map(|(_, rarity)| rarity)
            .sum()
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
    fn words(
        &mut self,
        term: &str,
        (group, whole): (u32, bool),
        weight: f64,
    ) -> Result<Occurrences, QueryError> {
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
            group,
            whole,
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
