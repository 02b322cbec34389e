//! Cuts a page to the budget: a hard ceiling over the answer as it is serialized.
//!
//! Not here: how an answer is serialized (the caller measures) and which items are best (their order
//! was decided before). A page is a sequence of *units* (hits, paths, lines of source, lines of an
//! outline); the longest beginning that fits is taken. When not even the first unit fits, it is cut
//! and marked, so that every page makes progress.
//!
//! Invariants: no answer measures larger than its budget; the pages of one request, put together, are
//! the whole; a budget that an error names as the smallest one works.

mod units;

use super::answer::{Answer, Body, Extent, Omission, Source};
use super::cursor;
use super::error::QueryError;
use super::found::Found;
use super::measure::{Measure, Size};
use super::request::Query;
use units::Units;

/// Says that the first item of a page is not whole.
const CUT_NOTICE: &str = "the first item was cut to fit the budget";

/// What every answer to one query shares.
pub(crate) struct Envelope<'a> {
    pub(crate) query: &'a Query,
    pub(crate) source: Source,
    pub(crate) measure: &'a dyn Measure,
}

/// Returns the answer that holds as much of the page as the budget allows.
///
/// # Errors
/// [`QueryError::BudgetTooSmall`] when not even one cut item fits.
pub(crate) fn fit(found: Found, envelope: &Envelope<'_>) -> Result<Answer, QueryError> {
    let page = Fitting {
        units: Units::new(&found.body),
        found: &found,
        envelope,
    };
    let whole = page.compose(&found.body, page.units.len(), false);
    let mut smallest = Smallest::default();
    if page.fits(&whole, &mut smallest) {
        return Ok(whole);
    }
    let body = units::without_extras(&found.body);
    let n_units = page.units.len();
    // Without extras all units may fit; where there are none, all were tried.
    let most = n_units.saturating_sub(usize::from(!units::has_extras(&found.body)));
    if let Some(answer) = page.longest(&body, most.max(1), false, &mut smallest) {
        return Ok(answer);
    }
    for body in units::cuts(&body) {
        if n_units == 0 {
            break;
        }
        if let Some(answer) = page.longest(&body, n_units, true, &mut smallest) {
            return Ok(answer);
        }
    }
    Err(smallest.error(envelope.query))
}

struct Fitting<'a> {
    units: Units,
    found: &'a Found,
    envelope: &'a Envelope<'a>,
}

/// The smallest answer that was tried, by what it measures.
#[derive(Default)]
struct Smallest(Option<Size>);

impl Smallest {
    fn see(&mut self, size: Size) {
        let key = |size: &Size| (size.tokens, size.bytes);
        if self.0.is_none_or(|known| key(&size) < key(&known)) {
            self.0 = Some(size);
        }
    }

    fn error(&self, query: &Query) -> QueryError {
        let size = self.0.unwrap_or_default();
        let over = |max: Option<u32>, needed: Option<u32>| match (max, needed) {
            (Some(max), Some(needed)) if needed > max => Some(needed),
            _ => None,
        };
        match over(query.budget.max_tokens, size.tokens) {
            Some(needed) => QueryError::BudgetTooSmall {
                needed,
                unit: "tokens",
            },
            None => QueryError::BudgetTooSmall {
                needed: size.bytes,
                unit: "bytes",
            },
        }
    }
}

impl Fitting<'_> {
    /// Returns the answer with the most units of `body` that fits: at least one, `most` at most.
    fn longest(
        &self,
        body: &Body,
        most: usize,
        cut: bool,
        smallest: &mut Smallest,
    ) -> Option<Answer> {
        if self.units.len() == 0 {
            return None;
        }
        let first = self.compose(body, 1, cut);
        if !self.fits(&first, smallest) {
            return None;
        }
        let mut best = first;
        let (mut low, mut high) = (1, most + 1);
        let mut probe = self.guess(&best, low, high);
        while low + 1 < high {
            let answer = self.compose(body, probe, cut);
            if self.fits(&answer, smallest) {
                low = probe;
                best = answer;
            } else {
                high = probe;
            }
            probe = low + (high - low) / 2;
        }
        Some(best)
    }

    /// Guesses how many units fit, from the size of one answer; in `low + 1..high`.
    fn guess(&self, one: &Answer, low: usize, high: usize) -> usize {
        let size = self.envelope.measure.measure(one);
        let whole = self.units.weight(self.units.len()).max(1) as u64;
        let room = u64::from(
            self.envelope
                .query
                .budget
                .max_bytes
                .saturating_sub(size.bytes),
        );
        let share = match (self.envelope.query.budget.max_tokens, size.tokens) {
            // About four bytes a token.
            (Some(max), Some(used)) => room.min(u64::from(max.saturating_sub(used)) * 4),
            _ => room,
        };
        let units = self.units.len() as u64 * share.min(whole) / whole;
        (units as usize).clamp(low + 1, high.max(low + 2) - 1)
    }

    fn fits(&self, answer: &Answer, smallest: &mut Smallest) -> bool {
        let size = self.envelope.measure.measure(answer);
        smallest.see(size);
        let budget = self.envelope.query.budget;
        let tokens_fit = match (budget.max_tokens, size.tokens) {
            (Some(max), Some(tokens)) => tokens <= max,
            _ => true,
        };
        size.bytes <= budget.max_bytes && tokens_fit
    }

    /// Composes the answer with the first `n_units` of `body`.
    fn compose(&self, body: &Body, n_units: usize, cut: bool) -> Answer {
        let found = self.found;
        let query = self.envelope.query;
        let skip = u64::from(query.skip);
        let body = units::prefix(body, n_units, skip);
        let returned = units::returned(&body);
        let seen = skip + n_units as u64;
        let n_units_in_all = found.n_units.max(self.units.len() as u64);
        let left = n_units_in_all.saturating_sub(seen);
        let mut omitted = found.omitted.clone();
        if left > 0 {
            let reason = if n_units < self.units.len() {
                "budget"
            } else {
                "limit"
            };
            // Units that are no items are left out as well, but not counted beside them.
            let items = match &body {
                Body::Outline(_) => found.total.saturating_sub(found.before + returned),
                _ => left,
            };
            omitted.push(Omission {
                reason,
                count: if items > 0 { items } else { left },
            });
        }
        let n_imports = units::hidden_imports(&body);
        if n_imports > 0 {
            omitted.push(Omission {
                reason: "imports",
                count: n_imports,
            });
        }
        let cut_bytes = units::cut_bytes(&body);
        if cut_bytes > 0 {
            omitted.push(Omission {
                reason: "long_line",
                count: cut_bytes,
            });
        }
        let mut notices = found.notices.clone();
        if cut {
            notices.push(CUT_NOTICE.into());
        }
        Answer {
            source: self.envelope.source.clone(),
            extent: Extent {
                total: found.total,
                total_files: found.total_files,
                exactness: found.exactness,
                returned,
                omitted,
                next_cursor: (left > 0 && !matches!(body, Body::Status(_))).then(|| {
                    let skip = u32::try_from(seen).unwrap_or(u32::MAX);
                    cursor::encode(&query.operation, &self.envelope.source.generation, skip)
                }),
            },
            body,
            notices,
        }
    }
}

#[cfg(test)]
mod tests;
