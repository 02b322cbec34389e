//! Ranked search: the places that answer a question best.
//!
//! Files are ranked first, then the best piece within each (see `order`). A query that is one name begins
//! with the definitions of that name, and only files that hold it follow. Not here: what evidence is
//! worth (see `rank`), where it comes from (see `evidence`) and what a hit shows (see `present`).
//!
//! Bound: pieces are looked at in the [`MAX_FILES`] files that lead without them, definitions of asked
//! kinds in the [`MAX_KIND_FILES`] that do; the others are counted as left out by `rank`.

use super::evidence::Evidence;
use super::kinds;
use super::name::{Fit, NameQuery};
use super::order::{self, Place, Ranked, Spot};
use super::present::{Wanted, is_test, piece_hit, top_hit};
use super::question::Question;
use super::rank::{Signal, rank};
use super::symbol::{Definition, Tier, definition_hit, definitions, kind_rank};
use super::text;
use crate::query::answer::{Body, Exactness, Hit, Omission};
use crate::query::deadline::Deadline;
use crate::query::error::QueryError;
use crate::query::excerpt::Source;
use crate::query::found::{Found, Page};
use crate::query::request::{Search, SearchMode};
use crate::view::{FileId, Reader, View};
use leantoken_formats::segment::ChunkRow;
use leantoken_shared::facts::{FileClass, FileFacts};
use rustc_hash::{FxHashMap, FxHashSet};

/// Files whose pieces are looked at.
const MAX_FILES: usize = 100;
/// Files whose definitions are looked at where some kinds are asked for: few files hold any.
const MAX_KIND_FILES: usize = 500;
/// Definitions of the asked name that come first.
const MAX_DEFINITIONS: usize = 30;
/// Types, functions and modules: what a bare name asks for.
const MAX_NAMING_KIND: u8 = 2;
/// How good another piece must be beside the best one to come before a test.
const TEST_SHARE: f64 = 0.3;
/// Files whose definitions of an identifier are looked at.
const MAX_NAMED_FILES: usize = 60;
/// Ranks the places that answer the question.
pub(crate) fn find(
    view: &View,
    search: &Search,
    page: Page,
    deadline: &Deadline,
) -> Result<Found, QueryError> {
    let question = Question::new(&search.text);
    let reader = view.reader()?;
    let mut evidence = Evidence::gather(&reader, &question, &search.paths)?;
    if evidence.candidates.is_empty() {
        return literal(view, search, page, deadline);
    }
    let mut notices = Vec::new();
    if let Some(name) = &question.name {
        let is_known = !evidence.identifiers.is_empty() || question.is_compound();
        if is_known && !evidence.keep_mentions() {
            let name = name.last();
            notices.push(format!("no file holds '{name}'; these hold parts of it"));
        }
    }
    deadline.check()?;
    let n_candidates = evidence.candidates.len();
    let most = match search.kinds.is_empty() {
        true => MAX_FILES,
        false => MAX_KIND_FILES,
    };
    let mut ranking = Ranking::new(&reader, &question, evidence, most)?;
    deadline.check()?;
    let mut spots = if search.kinds.is_empty() {
        ranking.spots(question.name.is_some())?
    } else {
        ranking.of_kinds(&question, search, deadline)?
    };
    if let Some(name) = &question.name {
        let first = named(view, name, search, &ranking, deadline)?;
        spots = ranking.merged(first, spots)?;
    }
    let mut hits = Vec::new();
    for spot in page.of(&spots) {
        deadline.check()?;
        hits.push(ranking.hit(spot, &question, search.context_lines)?);
    }
    let files: FxHashSet<FileId> = spots.iter().map(|spot| spot.file).collect();
    let mut found = Found::items(Body::Hits(hits), spots.len() as u64, files.len() as u64);
    found.notices = notices;
    let unseen = n_candidates.saturating_sub(most) as u64;
    if unseen == 0 {
        return Ok(found);
    }
    found.omitted.push(Omission {
        reason: "rank",
        count: unseen,
    });
    if search.kinds.is_empty() {
        found.total += unseen;
        found.total_files += unseen;
    } else {
        // Who knows how many definitions of the kinds those files hold.
        found.exactness = Exactness::LowerBound;
        let files = if unseen == 1 { "file" } else { "files" };
        found.notices.push(format!(
            "definitions in {unseen} more {files} were not looked at; to find all by name, use mode symbol"
        ));
    }
    Ok(found)
}

/// What has no words, or words that nothing holds, is looked for as text.
fn literal(
    view: &View,
    search: &Search,
    page: Page,
    deadline: &Deadline,
) -> Result<Found, QueryError> {
    let search = Search {
        mode: SearchMode::Text,
        ..search.clone()
    };
    if search.text.contains(['\n', '\r']) || !search.kinds.is_empty() {
        // Lines are searched one by one; a text of several lines is in none. No line is a definition.
        return Ok(Found::items(Body::Hits(Vec::new()), 0, 0));
    }
    let mut found = text::find(view, &search, page, deadline)?;
    if found.total > 0 {
        let notice = "no file holds a word of the query; these lines hold its text";
        found.notices.insert(0, notice.into());
    }
    Ok(found)
}

/// Returns the definitions of the asked name, best first, one a file before second ones.
fn named(
    view: &View,
    name: &NameQuery,
    search: &Search,
    ranking: &Ranking<'_>,
    deadline: &Deadline,
) -> Result<Vec<Spot>, QueryError> {
    let keep = |file: FileId| search.paths.contains(view.path(file));
    let mut found = definitions(view, name, &keep, deadline)?;
    // A bare word that names values only is as good a word as a name.
    found.retain(|d| match search.kinds.as_slice() {
        [] => name.is_qualified() || kind_rank(d.kind) <= MAX_NAMING_KIND,
        kinds => kinds.contains(&d.kind),
    });
    // Where something is named exactly, the same letters in another case are another name.
    let exact = Tier::Named(Fit::Exact);
    if found.iter().any(|d| d.tier == exact) {
        found.retain(|d| d.tier == exact);
    }
    let score = |d: &Definition| ranking.scores.get(&d.file).copied().unwrap_or(0.0);
    found.sort_by(|a, b| {
        let key = |d: &Definition| (d.tier, d.order());
        key(a)
            .cmp(&key(b))
            .then(score(b).total_cmp(&score(a)))
            .then((a.file, a.symbol).cmp(&(b.file, b.symbol)))
    });
    found.truncate(MAX_DEFINITIONS);
    let mut seen = FxHashSet::default();
    let (first, second): (Vec<_>, Vec<_>) = found.iter().partition(|d| seen.insert(d.file));
    let spot = |d: &Definition| Spot {
        file: d.file,
        place: Place::Symbol(d.symbol),
        score: score(d),
    };
    Ok(first.into_iter().chain(second).map(spot).collect())
}

/// The ranked files with what was loaded of them.
struct Ranking<'a> {
    reader: &'a Reader<'a>,
    /// Files, best first.
    order: Vec<(f64, FileId)>,
    scores: FxHashMap<FileId, f64>,
    pieces: FxHashMap<FileId, Vec<(f64, u32)>>,
    chunks: FxHashMap<FileId, Vec<ChunkRow>>,
    /// The definition that an identifier of the question names, by file.
    named: FxHashMap<FileId, u32>,
    facts: FxHashMap<FileId, FileFacts>,
    weights: Vec<f64>,
    wants_tests: bool,
    /// Files whose pieces are in their final order.
    settled: FxHashSet<FileId>,
}

impl<'a> Ranking<'a> {
    fn new(
        reader: &'a Reader<'a>,
        question: &Question,
        mut evidence: Evidence,
        most: usize,
    ) -> Result<Self, QueryError> {
        let mut ranking = Ranking {
            reader,
            order: Vec::new(),
            scores: FxHashMap::default(),
            pieces: FxHashMap::default(),
            chunks: FxHashMap::default(),
            named: FxHashMap::default(),
            facts: FxHashMap::default(),
            weights: evidence.term_weights().collect(),
            wants_tests: question.wants(FileClass::Test),
            settled: FxHashSet::default(),
        };
        for posting in &evidence.identifiers {
            // Presence decides who leads; what is named is looked at below.
            let file = posting.posting.file;
            if let Some(slot) = evidence.slot(file) {
                let signals = &mut evidence.candidates[slot].signals;
                signals.raise(Signal::ExactIdentifier, posting.value);
            }
        }
        let leading: Vec<usize> = rank(&evidence.candidates)
            .into_iter()
            .take(most)
            .map(|(_, at)| at)
            .collect();
        ranking.weigh_names(&mut evidence, &leading)?;
        for at in &leading {
            let file = evidence.candidates[*at].file;
            let chunks = reader.chunks(file)?;
            let pieces = evidence.pieces(file, &chunks);
            let signals = &mut evidence.candidates[*at].signals;
            signals.raise(Signal::BestPiece, pieces.best);
            signals.raise(Signal::BestThree, pieces.best_three);
            ranking.pieces.insert(file, pieces.order);
            ranking.chunks.insert(file, chunks);
        }
        let candidates: Vec<_> = leading
            .iter()
            .map(|at| evidence.candidates[*at].clone())
            .collect();
        ranking.order = rank(&candidates)
            .into_iter()
            .map(|(score, at)| (score, candidates[at].file))
            .collect();
        ranking.scores = ranking
            .order
            .iter()
            .map(|(score, file)| (*file, *score))
            .collect();
        Ok(ranking)
    }

    /// Weighs definitions that a word names: types over functions over values, as written over not.
    fn weigh_names(
        &mut self,
        evidence: &mut Evidence,
        leading: &[usize],
    ) -> Result<(), QueryError> {
        let leading: FxHashSet<usize> = leading.iter().copied().collect();
        for slot in &leading {
            evidence.candidates[*slot]
                .signals
                .clear(Signal::ExactIdentifier);
        }
        for found in std::mem::take(&mut evidence.identifiers) {
            let file = found.posting.file;
            let Some(slot) = evidence.slot(file).filter(|slot| leading.contains(slot)) else {
                continue;
            };
            if !self.facts.contains_key(&file) && self.facts.len() >= MAX_NAMED_FILES {
                continue;
            }
            let facts = self.load(file)?;
            let mut best: Option<(f64, u32)> = None;
            for at in found.posting.symbols {
                let Some(symbol) = facts.symbols.get(at as usize) else {
                    continue;
                };
                let kind = match kind_rank(symbol.kind) {
                    0 => 3.0,
                    1 => 2.0,
                    _ => 1.0,
                };
                let as_written = facts.names.get(symbol.name) == found.word;
                let value = kind + if as_written { 1.0 } else { 0.0 };
                if best.is_none_or(|(known, _)| value > known) {
                    best = Some((value, at));
                }
            }
            if let Some((value, at)) = best {
                let signals = &mut evidence.candidates[slot].signals;
                signals.add(Signal::ExactIdentifier, value * found.value);
                self.named.entry(file).or_insert(at);
            }
        }
        Ok(())
    }

    fn load(&mut self, file: FileId) -> Result<&FileFacts, QueryError> {
        Ok(match self.facts.entry(file) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(vacant) => {
                vacant.insert(self.reader.facts(file)?)
            }
        })
    }

    /// Returns the places in order.
    fn spots(&mut self, one_name: bool) -> Result<Vec<Spot>, QueryError> {
        let files: Vec<FileId> = self.order.iter().map(|(_, file)| *file).collect();
        for file in files.into_iter().take(order::LEADING) {
            self.settle(file)?;
        }
        let ranked = self.order.iter().map(|(score, file)| {
            let pieces = self.pieces.get(file).map_or(&[][..], Vec::as_slice);
            let named = self.named.get(file).filter(|_| one_name);
            let place = match named {
                Some(symbol) => Place::Symbol(*symbol),
                None if pieces.is_empty() => Place::Top,
                None => Place::Piece(0),
            };
            Ranked {
                first: Spot {
                    file: *file,
                    place,
                    score: *score,
                },
                pieces,
            }
        });
        Ok(order::spots(&ranked.collect::<Vec<_>>()))
    }

    /// Puts `first` before `rest`; of the rest, files that are among the first come last, with what the
    /// first do not show.
    fn merged(&mut self, first: Vec<Spot>, rest: Vec<Spot>) -> Result<Vec<Spot>, QueryError> {
        let files: FxHashSet<FileId> = first.iter().map(|spot| spot.file).collect();
        let is_again = |spot: &Spot| files.contains(&spot.file);
        let (again, others): (Vec<Spot>, Vec<Spot>) = rest.into_iter().partition(is_again);
        let mut shown = FxHashSet::default();
        for spot in &first {
            shown.insert((spot.file, self.presented(spot)?));
        }
        let mut out: Vec<Spot> = first.into_iter().chain(others).collect();
        for spot in again {
            let symbol = self.presented(&spot)?;
            if symbol.is_none() || shown.insert((spot.file, symbol)) {
                out.push(spot);
            }
        }
        Ok(out)
    }

    /// Returns the definition that a place presents.
    fn presented(&mut self, spot: &Spot) -> Result<Option<u32>, QueryError> {
        Ok(match spot.place {
            Place::Symbol(at) => Some(at),
            Place::Piece(nth) => self.piece(spot.file, nth)?.and_then(|row| row.chunk.symbol),
            Place::Top => None,
        })
    }

    /// Returns the definitions of the asked kinds, by how good their file is and what they hold of the
    /// question; the next ones of a file step back.
    fn of_kinds(
        &mut self,
        question: &Question,
        search: &Search,
        deadline: &Deadline,
    ) -> Result<Vec<Spot>, QueryError> {
        let weights = self.weights.clone();
        let wanted = kinds::Wanted {
            question,
            weights: &weights,
            kinds: &search.kinds,
            tests: self.wants_tests,
        };
        let mut found = Vec::new();
        for (score, file) in self.order.clone() {
            deadline.check()?;
            if self.reader.row(file).n_symbols == 0 || !wanted.is_in(self.load(file)?) {
                continue;
            }
            let text = self.reader.text(file)?;
            let chunks = self.chunks.get(&file).map_or(&[][..], Vec::as_slice);
            let pieces = self.pieces.get(&file).map_or(&[][..], Vec::as_slice);
            let facts = self.facts.get(&file);
            let chosen = facts.map(|facts| wanted.of(facts, &text, chunks, pieces));
            for (chosen, nth) in chosen.into_iter().flatten().zip(1_u32..) {
                let place = Place::Symbol(chosen.symbol);
                let score = score * chosen.value / f64::from(nth);
                found.push(Spot { file, place, score });
            }
        }
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        Ok(found)
    }

    /// Puts the pieces of a file into their final order: tests that stand among the code they test step
    /// back, as files of tests do.
    fn settle(&mut self, file: FileId) -> Result<(), QueryError> {
        if self.wants_tests || !self.settled.insert(file) {
            return Ok(());
        }
        let mut pieces = self.pieces.remove(&file).unwrap_or_default();
        let chunks = self.chunks.remove(&file).unwrap_or_default();
        let facts = self.load(file)?;
        let in_tests = |ordinal: u32| {
            let chunk = chunks.get(ordinal as usize).map(|row| row.chunk);
            chunk.is_some_and(|chunk| {
                let at = chunk.symbol;
                let at = at.or_else(|| text::enclosing(facts, chunk.range.start));
                is_test(facts, at)
            })
        };
        let enough = pieces.first().map_or(0.0, |(best, _)| best * TEST_SHARE);
        pieces.sort_by_cached_key(|(score, at)| *score < enough || in_tests(*at));
        self.pieces.insert(file, pieces);
        self.chunks.insert(file, chunks);
        Ok(())
    }

    /// Returns the nth best piece of a file.
    fn piece(&mut self, file: FileId, nth: usize) -> Result<Option<ChunkRow>, QueryError> {
        self.settle(file)?;
        let piece = self.pieces.get(&file).and_then(|pieces| pieces.get(nth));
        let chunks = self.chunks.get(&file);
        Ok(piece.and_then(|(_, ordinal)| chunks?.get(*ordinal as usize).copied()))
    }

    fn hit(&mut self, spot: &Spot, question: &Question, context: u32) -> Result<Hit, QueryError> {
        let source = Source::new(self.reader.text(spot.file)?);
        let chunk = match spot.place {
            Place::Piece(nth) => self.piece(spot.file, nth)?,
            _ => None,
        };
        let path = self.reader.path(spot.file).to_string();
        let weights = self.weights.clone();
        let facts = self.load(spot.file)?;
        let named = match spot.place {
            Place::Symbol(at) => facts.symbols.get(at as usize).map(|symbol| (at, symbol)),
            _ => None,
        };
        let mut hit = match (named, chunk) {
            (Some((at, symbol)), _) => {
                definition_hit(&path, &source, symbol, facts.qualified_name(at), context)
            }
            (None, Some(chunk)) => {
                let wanted = Wanted {
                    question,
                    weights: &weights,
                    context,
                };
                piece_hit(&path, &source, facts, &chunk, &wanted)
            }
            (None, None) => top_hit(&path, &source),
        };
        hit.score = Some(spot.score);
        Ok(hit)
    }
}
