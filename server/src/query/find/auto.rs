//! Ranked search: the places that answer a question best.
//!
//! Files are ranked first, then the best piece within each: a file is what a reader opens. A query that
//! is one name begins with the definitions of that name. One hit a file; second hits of files come
//! after all first ones. Not here: what evidence is worth (see `rank`) and where it comes from (see
//! `evidence`).
//!
//! Bound: pieces are looked at in the [`MAX_FILES`] files that lead without them.

use super::evidence::Evidence;
use super::name::{Fit, NameQuery};
use super::question::Question;
use super::rank::{Signal, rank};
use super::symbol::{Definition, Tier, definition_hit, definitions, kind_rank};
use super::text;
use crate::query::answer::{Body, Exactness, Hit};
use crate::query::deadline::Deadline;
use crate::query::error::QueryError;
use crate::query::excerpt::{MAX_HIT_CHARS, Source};
use crate::query::found::{Found, Page};
use crate::query::request::{Search, SearchMode};
use crate::view::{FileId, Reader, View};
use leantoken_formats::segment::ChunkRow;
use leantoken_shared::facts::{FileClass, FileFacts, SymbolKind};
use leantoken_shared::text::ByteRange;
use rustc_hash::{FxHashMap, FxHashSet};

/// Files whose pieces are looked at.
const MAX_FILES: usize = 100;
/// Definitions of the asked name that come first.
const MAX_DEFINITIONS: usize = 30;
/// Types, functions and modules: what a bare name asks for.
const MAX_NAMING_KIND: u8 = 2;
/// Files that may have a second hit.
const MAX_SECOND_HITS: usize = 20;
/// A second piece must be at least this good beside the best one of all.
const SECOND_SHARE: f64 = 0.5;
/// How good another piece must be beside the best one to come before a test.
const TEST_SHARE: f64 = 0.3;
/// Files whose definitions of an identifier are looked at.
const MAX_NAMED_FILES: usize = 60;
/// Lines shown of a piece without a declaration.
const MAX_EVIDENCE_LINES: u32 = 5;

/// A place in the ranked result.
#[derive(Clone, Copy, Debug)]
struct Spot {
    file: FileId,
    place: Place,
    score: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Symbol(u32),
    /// The nth best piece of the file.
    Piece(usize),
    /// Nothing but the path speaks for the file.
    Top,
}

/// Ranks the places that answer the question.
pub(crate) fn find(
    view: &View,
    search: &Search,
    page: Page,
    deadline: &Deadline,
) -> Result<Found, QueryError> {
    let question = Question::new(&search.text);
    let reader = view.reader()?;
    let evidence = Evidence::gather(&reader, &question, &search.paths)?;
    if evidence.candidates.is_empty() {
        return literal(view, search, page, deadline);
    }
    deadline.check()?;
    let n_candidates = evidence.candidates.len();
    let mut ranking = Ranking::new(&reader, &question, evidence)?;
    deadline.check()?;
    let mut spots = ranking.spots(question.name.is_some());
    if let Some(name) = &question.name {
        let first = named(view, name, search, &ranking, deadline)?;
        spots = merged(first, spots);
    }
    if !search.kinds.is_empty() {
        spots = ranking.of_kinds(spots, search)?;
    }
    let mut hits = Vec::new();
    for spot in page.of(&spots) {
        deadline.check()?;
        hits.push(ranking.hit(spot, &question)?);
    }
    let files: FxHashSet<FileId> = spots.iter().map(|spot| spot.file).collect();
    let mut found = Found::items(Body::Hits(hits), spots.len() as u64, files.len() as u64);
    if n_candidates > MAX_FILES {
        found.exactness = Exactness::LowerBound;
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
    if search.text.contains(['\n', '\r']) {
        // Lines are searched one by one; a text of several lines is in none.
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
    found.retain(|d| name.is_qualified() || kind_rank(d.kind) <= MAX_NAMING_KIND);
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

/// Puts `first` before `rest`; of the rest, files that are among the first come last.
fn merged(first: Vec<Spot>, rest: Vec<Spot>) -> Vec<Spot> {
    let files: FxHashSet<FileId> = first.iter().map(|spot| spot.file).collect();
    let (again, others): (Vec<Spot>, Vec<Spot>) = rest
        .into_iter()
        .partition(|spot| files.contains(&spot.file));
    let known: Vec<(FileId, Place)> = first.iter().map(|spot| (spot.file, spot.place)).collect();
    let again = again
        .into_iter()
        .filter(|spot| !known.contains(&(spot.file, spot.place)));
    let again: Vec<Spot> = again.collect();
    first.into_iter().chain(others).chain(again).collect()
}

/// The ranked files with what was loaded of them.
struct Ranking<'a> {
    reader: &'a Reader<'a>,
    /// Files, best first.
    order: Vec<(f64, FileId)>,
    scores: FxHashMap<FileId, f64>,
    pieces: FxHashMap<FileId, Vec<(f64, u32)>>,
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
    ) -> Result<Self, QueryError> {
        let mut ranking = Ranking {
            reader,
            order: Vec::new(),
            scores: FxHashMap::default(),
            pieces: FxHashMap::default(),
            named: FxHashMap::default(),
            facts: FxHashMap::default(),
            weights: evidence.term_weights().collect(),
            wants_tests: question.wants(FileClass::Test),
            settled: FxHashSet::default(),
        };
        for posting in &evidence.identifiers {
            // Presence decides who leads; kinds are looked at below.
            let file = posting.posting.file;
            if let Some(slot) = evidence.slot(file) {
                let signals = &mut evidence.candidates[slot].signals;
                signals.raise(Signal::ExactIdentifier, posting.value);
            }
        }
        let leading: Vec<usize> = rank(&evidence.candidates)
            .into_iter()
            .take(MAX_FILES)
            .map(|(_, at)| at)
            .collect();
        ranking.weigh_names(&mut evidence, &leading)?;
        for at in &leading {
            let file = evidence.candidates[*at].file;
            let pieces = evidence.pieces(file, &reader.chunks(file)?);
            let signals = &mut evidence.candidates[*at].signals;
            if let Some((best, _)) = pieces.first() {
                signals.raise(Signal::BestPiece, *best);
                let three: f64 = pieces.iter().take(3).map(|(score, _)| score).sum();
                signals.raise(Signal::BestThree, three / 3.0);
            }
            ranking.pieces.insert(file, pieces);
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

    /// Returns the places in order: the best one of each file, then second ones.
    fn spots(&self, one_name: bool) -> Vec<Spot> {
        let mut first = Vec::with_capacity(self.order.len());
        let mut second = Vec::new();
        let best = self.pieces.values().filter_map(|pieces| pieces.first());
        let best = best.map(|(score, _)| *score).fold(0.0, f64::max);
        for (nth, (score, file)) in self.order.iter().enumerate() {
            let pieces = self.pieces.get(file).map_or(&[][..], Vec::as_slice);
            let named = self.named.get(file).filter(|_| one_name);
            let piece = |nth: usize| pieces.get(nth).map(|_| Place::Piece(nth));
            let spot = |place: Place| Spot {
                file: *file,
                place,
                score: *score,
            };
            first.push(spot(match named {
                Some(symbol) => Place::Symbol(*symbol),
                None => piece(0).unwrap_or(Place::Top),
            }));
            let strong = pieces
                .get(1)
                .is_some_and(|(score, _)| *score >= best * SECOND_SHARE);
            if nth < MAX_SECOND_HITS && strong {
                second.extend(piece(1).map(spot));
            }
        }
        first.into_iter().chain(second).collect()
    }

    /// Keeps the places that present a definition of one of the wanted kinds.
    fn of_kinds(&mut self, spots: Vec<Spot>, search: &Search) -> Result<Vec<Spot>, QueryError> {
        let mut kept = Vec::new();
        for spot in spots {
            let symbol = match spot.place {
                Place::Symbol(at) => Some(at),
                Place::Piece(nth) => self.piece(spot.file, nth)?.and_then(|c| c.chunk.symbol),
                Place::Top => None,
            };
            let facts = self.load(spot.file)?;
            let symbol = symbol.and_then(|at| facts.symbols.get(at as usize));
            if symbol.is_some_and(|symbol| search.kinds.contains(&symbol.kind)) {
                kept.push(spot);
            }
        }
        Ok(kept)
    }

    /// Returns the nth best piece of a file. Tests that stand among the code they test step back, as
    /// files of tests do.
    fn piece(&mut self, file: FileId, nth: usize) -> Result<Option<ChunkRow>, QueryError> {
        let chunks = self.reader.chunks(file)?;
        if !self.wants_tests && self.settled.insert(file) {
            let mut pieces = self.pieces.remove(&file).unwrap_or_default();
            let facts = self.load(file)?;
            let in_tests = |ordinal: u32| {
                let chunk = chunks.get(ordinal as usize).map(|row| row.chunk);
                chunk.is_some_and(|chunk| {
                    let at = chunk.symbol;
                    is_test(
                        facts,
                        at.or_else(|| text::enclosing(facts, chunk.range.start)),
                    )
                })
            };
            let enough = pieces.first().map_or(0.0, |(best, _)| best * TEST_SHARE);
            pieces.sort_by_cached_key(|(score, at)| *score < enough || in_tests(*at));
            self.pieces.insert(file, pieces);
        }
        let piece = self.pieces.get(&file).and_then(|pieces| pieces.get(nth));
        Ok(piece.and_then(|(_, ordinal)| chunks.get(*ordinal as usize).copied()))
    }

    fn hit(&mut self, spot: &Spot, question: &Question) -> Result<Hit, QueryError> {
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
                definition_hit(&path, &source, symbol, facts.qualified_name(at))
            }
            (None, Some(chunk)) => piece_hit(&path, &source, facts, &chunk, question, &weights),
            (None, None) => top_hit(&path, &source),
        };
        hit.score = Some(spot.score);
        Ok(hit)
    }
}

/// Whether a definition is a test or stands in a module of tests.
fn is_test(facts: &FileFacts, symbol: Option<u32>) -> bool {
    let mut next = symbol;
    while let Some((at, symbol)) = next.and_then(|at| Some((at, facts.symbols.get(at as usize)?))) {
        let name = facts.names.get(symbol.name);
        let named = match symbol.kind {
            SymbolKind::Module => matches!(name, "tests" | "test"),
            SymbolKind::Function | SymbolKind::Method => name.starts_with("test_"),
            _ => false,
        };
        if named {
            return true;
        }
        next = symbol.parent.filter(|parent| *parent < at);
    }
    false
}

/// Presents a piece: by its declaration where it has one, else by the lines that say most.
fn piece_hit(
    path: &str,
    source: &Source,
    facts: &FileFacts,
    row: &ChunkRow,
    question: &Question,
    weights: &[f64],
) -> Hit {
    let chunk = &row.chunk;
    let symbol = chunk
        .symbol
        .and_then(|at| facts.symbols.get(at as usize).map(|symbol| (at, symbol)));
    let mut hit = match symbol {
        Some((at, symbol)) => definition_hit(path, source, symbol, facts.qualified_name(at)),
        None => {
            let said = |line: &str| {
                let line = line.to_lowercase();
                let terms = question.terms.iter().zip(weights);
                let held = terms.filter(|(term, _)| line.contains(term.term.as_str()));
                held.map(|(_, weight)| *weight).sum::<f64>()
            };
            let lines = chunk.start_line..=chunk.end_line;
            let scored = lines.map(|line| (said(source.line(line)), line));
            let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
            let line = best.map_or(chunk.start_line, |(_, line)| line);
            let from = line.saturating_sub(1).max(chunk.start_line);
            let to = chunk.end_line.min(from + MAX_EVIDENCE_LINES - 1);
            let offset = source.lines.line_bytes(line).unwrap_or_default().start;
            let focus = focus(source.line(line), question, weights);
            let focus = ByteRange::new(offset + focus.start, offset + focus.end);
            let shown = source.show(from, to, focus, MAX_HIT_CHARS);
            Hit {
                path: path.to_string(),
                symbol: text::enclosing(facts, offset).map(|at| facts.qualified_name(at)),
                lines: shown.lines,
                lines_start: shown.start,
                cut_bytes: shown.cut_bytes,
                ..Hit::default()
            }
        }
    };
    hit.start_line = chunk.start_line;
    hit.end_line = chunk.end_line;
    // A chunk may begin behind the declaration it belongs to.
    if hit.lines_start < hit.start_line || hit.lines_start > hit.end_line {
        let to = hit.end_line.min(hit.start_line + MAX_EVIDENCE_LINES - 1);
        let shown = source.show(hit.start_line, to, ByteRange::default(), MAX_HIT_CHARS);
        hit.lines = shown.lines;
        hit.lines_start = shown.start;
        hit.cut_bytes = shown.cut_bytes;
    }
    hit
}

/// Returns where a line says what weighs most; its beginning where nothing does or all of it is shown.
fn focus(line: &str, question: &Question, weights: &[f64]) -> ByteRange {
    let none = ByteRange::default();
    if line.len() <= MAX_HIT_CHARS {
        return none;
    }
    let lower = line.to_lowercase();
    let mut best: Option<(f64, usize, usize)> = None;
    for (term, weight) in question.terms.iter().zip(weights) {
        if best.is_none_or(|(known, ..)| *weight > known)
            && let Some(at) = lower.find(term.term.as_str())
        {
            best = Some((*weight, at, at + term.term.len()));
        }
    }
    let Some((_, from, to)) = best else {
        return none;
    };
    // Some letters have another length in lower case.
    let byte_of = |low: usize| {
        let mut passed = 0;
        let mut letters = line.char_indices();
        let letter = letters.find(|(_, c)| {
            passed += c.to_lowercase().map(char::len_utf8).sum::<usize>();
            passed > low
        });
        letter.map_or(line.len(), |(at, _)| at) as u32
    };
    ByteRange::new(byte_of(from), byte_of(to))
}

fn top_hit(path: &str, source: &Source) -> Hit {
    let shown = source.show(1, MAX_EVIDENCE_LINES, ByteRange::default(), MAX_HIT_CHARS);
    Hit {
        path: path.to_string(),
        start_line: 1,
        end_line: source.lines.n_lines().max(1),
        lines: shown.lines,
        lines_start: 1,
        cut_bytes: shown.cut_bytes,
        ..Hit::default()
    }
}
