//! Definitions of the asked kinds that speak for a question, within one ranked file.
//!
//! Not here: which files are looked at, and the order over files (see `auto`). A definition counts when a
//! piece with words of the question overlaps it and its own text, comment included, holds such a word; in
//! a file that only its path speaks for, the first definition stands for all.

use super::present::is_test;
use super::question::Question;
use super::symbol::kind_rank;
use leantoken_formats::segment::ChunkRow;
use leantoken_shared::facts::{FileFacts, Symbol, SymbolKind};
use leantoken_shared::terms::fold_name;

/// What a definition without a word of the question is worth, where only the path speaks for its file.
const BARE: f64 = 0.1;
/// What a test among the code it tests is worth beside that code.
const TEST_FACTOR: f64 = 0.4;

/// What is looked for.
pub(super) struct Wanted<'a> {
    pub(super) question: &'a Question,
    /// How much each term of the question says.
    pub(super) weights: &'a [f64],
    pub(super) kinds: &'a [SymbolKind],
    pub(super) tests: bool,
}

/// A definition, with how much of the question its text and its name hold: at most 2.
#[derive(Debug, PartialEq)]
pub(super) struct Chosen {
    pub(super) symbol: u32,
    pub(super) value: f64,
}

impl Wanted<'_> {
    /// Whether a file defines anything of the kinds.
    pub(super) fn is_in(&self, facts: &FileFacts) -> bool {
        facts.symbols.iter().any(|symbol| self.has(symbol))
    }

    fn has(&self, symbol: &Symbol) -> bool {
        self.kinds.contains(&symbol.kind)
    }

    /// Returns the definitions of one file, best first.
    pub(super) fn of(
        &self,
        facts: &FileFacts,
        text: &str,
        chunks: &[ChunkRow],
        pieces: &[(f64, u32)],
    ) -> Vec<Chosen> {
        let total: f64 = self.weights.iter().sum();
        let mut found: Vec<(Chosen, f64)> = Vec::new();
        for (symbol, at) in facts.symbols.iter().zip(0..) {
            if !self.has(symbol) {
                continue;
            }
            let start = symbol
                .doc
                .map_or(symbol.range.start, |doc| doc.start.min(symbol.range.start));
            let overlaps = |ordinal: u32| {
                let range = chunks.get(ordinal as usize).map(|row| row.chunk.range);
                range.is_some_and(|r| r.start < symbol.range.end && start < r.end)
            };
            let named = self.share(&fold_name(facts.names.get(symbol.name)), total);
            let piece = pieces.iter().find(|(_, ordinal)| overlaps(*ordinal));
            let (piece, held) = match piece {
                Some((score, _)) => {
                    let own = text.get(start as usize..symbol.range.end as usize);
                    let own = own.unwrap_or_default().to_lowercase();
                    (*score, self.share(&own, total) + named)
                }
                None => (0.0, 0.0),
            };
            if held > 0.0 || pieces.is_empty() {
                let is_test = !self.tests && is_test(facts, Some(at));
                let value = held.max(BARE) * if is_test { TEST_FACTOR } else { 1.0 };
                found.push((Chosen { symbol: at, value }, piece));
            }
        }
        found.sort_by(|(a, own), (b, other)| {
            let order = |one: &Chosen| {
                let symbol = &facts.symbols[one.symbol as usize];
                (kind_rank(symbol.kind), !symbol.exported, one.symbol)
            };
            let by_value = (b.value * other).total_cmp(&(a.value * own));
            by_value.then(order(a).cmp(&order(b)))
        });
        if pieces.is_empty() {
            found.truncate(1);
        }
        found.into_iter().map(|(chosen, _)| chosen).collect()
    }

    /// Returns how much of the question a text in lower case holds.
    fn share(&self, text: &str, total: f64) -> f64 {
        let terms = self.question.terms.iter().zip(self.weights);
        let held = terms.filter(|(term, _)| text.contains(term.term.as_str()));
        held.map(|(_, weight)| weight).sum::<f64>() / total.max(f64::MIN_POSITIVE)
    }
}
