//! What a ranked hit shows: the declaration of its definition and the lines that say most.
//!
//! Not here: which piece of a file is shown (see `auto`). Invariant: a hit names a definition only when
//! it presents the definition or lies wholly within it.

use super::question::Question;
use super::symbol::definition_hit;
use crate::query::answer::Hit;
use crate::query::excerpt::{MAX_HIT_CHARS, Source};
use leantoken_formats::segment::ChunkRow;
use leantoken_shared::facts::{FileFacts, Symbol, SymbolKind};
use leantoken_shared::text::ByteRange;

/// Lines shown of a piece without a declaration.
const MAX_EVIDENCE_LINES: u32 = 5;
/// Lines shown beside a declaration.
const MAX_BEST_LINES: usize = 2;
/// What a word counts that the hit shows already.
const SHOWN_SHARE: f64 = 0.25;

/// What decides which lines of a piece say most.
pub(super) struct Wanted<'a> {
    pub(super) question: &'a Question,
    /// How much each term of the question says.
    pub(super) weights: &'a [f64],
    /// Lines shown around a declaration or the best line.
    pub(super) context: u32,
}

impl Wanted<'_> {
    /// Returns which terms of the question a text holds, line by line, one bit a term.
    fn held(&self, text: &str) -> Vec<u64> {
        let text = text.to_lowercase();
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let mut held = vec![0; ends.len() + 1];
        for (term, bit) in self.question.terms.iter().zip(0..u64::BITS) {
            for (at, _) in text.match_indices(term.term.as_str()) {
                held[ends.partition_point(|end| *end < at)] |= 1 << bit;
            }
        }
        held
    }

    /// Returns what the held terms say, those that are shown already for less.
    fn value(&self, held: u64, shown: u64) -> f64 {
        let terms = self.weights.iter().zip(0..u64::BITS);
        let held = terms.filter(|(_, bit)| held & (1 << bit) != 0);
        held.map(|(weight, bit)| match shown & (1 << bit) {
            0 => *weight,
            _ => weight * SHOWN_SHARE,
        })
        .sum()
    }

    /// Returns where in the text a line says what weighs most; nothing where nothing does or all of the
    /// line is shown.
    fn focus(&self, source: &Source, number: u32) -> ByteRange {
        let none = ByteRange::default();
        let line = source.line(number);
        if line.len() <= MAX_HIT_CHARS {
            return none;
        }
        let lower = line.to_lowercase();
        let mut best: Option<(f64, usize, usize)> = None;
        for (term, weight) in self.question.terms.iter().zip(self.weights) {
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
        let start = source.lines.line_bytes(number).unwrap_or_default().start;
        ByteRange::new(start + byte_of(from), start + byte_of(to))
    }

    /// Returns the first of `lines`, each with the terms it holds, that says most beside what is shown.
    fn best(&self, lines: impl Iterator<Item = (u32, u64)>, shown: u64) -> Option<(f64, u32, u64)> {
        lines
            .map(|(line, held)| (self.value(held, shown), line, held))
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
    }
}

/// Presents a piece: by its declaration where it has one, and by the lines that say most.
pub(super) fn piece_hit(
    path: &str,
    source: &Source,
    facts: &FileFacts,
    row: &ChunkRow,
    wanted: &Wanted<'_>,
) -> Hit {
    let chunk = &row.chunk;
    let symbol = |at: u32| facts.symbols.get(at as usize).map(|symbol| (at, symbol));
    let mut hit = match chunk.symbol.and_then(symbol) {
        Some((at, symbol)) => {
            let name = facts.qualified_name(at);
            let mut hit = definition_hit(path, source, symbol, name, wanted.context);
            hit.best_lines = best_lines(source, symbol, row, &hit, wanted);
            hit
        }
        None => window_hit(path, source, row, wanted),
    };
    if hit.symbol.is_none() {
        hit.symbol = holding(source, facts, row).map(|at| facts.qualified_name(at));
    }
    hit.start_line = chunk.start_line;
    hit.end_line = chunk.end_line;
    hit
}

/// Returns the lines of a piece that say most beside the declaration shown, in their order.
fn best_lines(
    source: &Source,
    symbol: &Symbol,
    row: &ChunkRow,
    hit: &Hit,
    wanted: &Wanted<'_>,
) -> Vec<(u32, String)> {
    let declared = hit.lines_start..hit.lines_start + hit.lines.len() as u32;
    let chunk = &row.chunk;
    let held = wanted.held(chunk.range.of(&source.text));
    let shown = wanted.held(&hit.lines.join("\n"));
    let mut shown = shown.into_iter().fold(0, |all, line| all | line);
    let mut out: Vec<(u32, String)> = Vec::new();
    while out.len() < MAX_BEST_LINES {
        let lines = (chunk.start_line..=chunk.end_line).zip(held.iter().copied());
        let lines = lines.filter(|(line, _)| !declared.contains(line));
        let Some((value, line, held)) = wanted.best(lines, shown) else {
            break;
        };
        // A piece behind the declaration shows something of itself, whatever the declaration says.
        let starts_behind = chunk.range.start > symbol.signature.start && out.is_empty();
        if value <= 0.0 || !(held & !shown != 0 || starts_behind) {
            break;
        }
        let text = source.show(line, line, wanted.focus(source, line), MAX_HIT_CHARS);
        out.push((line, text.lines.concat()));
        shown |= held;
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Presents a piece without a declaration by the lines around the one that says most.
fn window_hit(path: &str, source: &Source, row: &ChunkRow, wanted: &Wanted<'_>) -> Hit {
    let chunk = &row.chunk;
    let held = wanted.held(chunk.range.of(&source.text));
    let best = wanted.best((chunk.start_line..=chunk.end_line).zip(held), 0);
    let line = best.map_or(chunk.start_line, |(_, line, _)| line);
    let before = 1 + wanted.context;
    let from = line.saturating_sub(before).max(chunk.start_line);
    let last = from.saturating_add(MAX_EVIDENCE_LINES - 1 + 2 * wanted.context);
    let to = chunk.end_line.min(last);
    let shown = source.show(from, to, wanted.focus(source, line), MAX_HIT_CHARS);
    Hit {
        path: path.to_string(),
        lines: shown.lines,
        lines_start: shown.start,
        cut_bytes: shown.cut_bytes,
        ..Hit::default()
    }
}

/// Returns the innermost definition whose lines hold the whole piece.
fn holding(source: &Source, facts: &FileFacts, row: &ChunkRow) -> Option<u32> {
    let chunk = &row.chunk;
    let mut innermost = None;
    for (at, symbol) in facts.symbols.iter().enumerate() {
        if symbol.range.start >= chunk.range.end {
            break;
        }
        let lines = source.lines.lines_of(symbol.range);
        if lines.start <= chunk.start_line && chunk.end_line <= lines.end {
            innermost = Some(at as u32);
        }
    }
    innermost
}

/// Presents a file by its beginning.
pub(super) fn top_hit(path: &str, source: &Source) -> Hit {
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

/// Whether a definition is a test or stands in a module of tests.
pub(super) fn is_test(facts: &FileFacts, symbol: Option<u32>) -> bool {
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
