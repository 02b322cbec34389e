//! Orders files for one question.
//!
//! Not here: gathering evidence (see `auto`). A score is the weighted sum of named signals, each divided
//! by its greatest value among the candidates, times the factor of the file's role. Only relative
//! strength counts, so no signal needs a scale of its own.
//!
//! Invariant: the order is total and depends on nothing but the arguments.

use crate::view::FileId;

/// A kind of evidence that a file answers a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// The question's words in the text.
    Body,
    /// The question's words in names of definitions.
    Names,
    /// The question's words in documentation comments.
    Docs,
    /// The best single piece of the file.
    BestPiece,
    /// The mean of its three best pieces.
    BestThree,
    /// The question's words in the name of the file.
    FileName,
    /// The name of the file is one to three joined words of the question.
    FileNameEquals,
    /// The question's words in the names of the folders.
    Folders,
    /// A definition has the very name of a word that is written like a name.
    ExactIdentifier,
    /// A definition has the very name of a plain word.
    ExactWord,
    /// A definition's name is adjacent words of the question joined.
    JoinedName,
    /// How much of the question, by rarity, occurs at all.
    Covered,
}

/// Number of signals.
const N_SIGNALS: usize = 12;

/// What each signal can add, in the order of [`Signal`].
const WEIGHTS: [f64; N_SIGNALS] = [0.5, 1.4, 0.5, 1.0, 0.25, 0.8, 1.2, 0.85, 1.0, 0.5, 0.5, 1.4];

/// The signals of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Signals([f64; N_SIGNALS]);

impl Signals {
    pub(super) fn add(&mut self, signal: Signal, value: f64) {
        self.0[signal as usize] += value;
    }

    pub(super) fn clear(&mut self, signal: Signal) {
        self.0[signal as usize] = 0.0;
    }

    pub(super) fn raise(&mut self, signal: Signal, value: f64) {
        let slot = &mut self.0[signal as usize];
        *slot = slot.max(value);
    }
}

/// A file, its evidence, and the factor of its role.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) file: FileId,
    pub(super) signals: Signals,
    pub(super) factor: f64,
}

/// Returns the candidates' scores and their places in `candidates`, best first; ties by path.
pub(super) fn rank(candidates: &[Candidate]) -> Vec<(f64, usize)> {
    let mut greatest = [0.0_f64; N_SIGNALS];
    for candidate in candidates {
        for (greatest, value) in greatest.iter_mut().zip(candidate.signals.0) {
            *greatest = greatest.max(value);
        }
    }
    let score = |candidate: &Candidate| {
        let mut sum = 0.0;
        for (signal, value) in candidate.signals.0.iter().enumerate() {
            if greatest[signal] > 0.0 {
                sum += WEIGHTS[signal] * value / greatest[signal];
            }
        }
        sum * candidate.factor
    };
    let mut ranked: Vec<(f64, usize)> = candidates
        .iter()
        .enumerate()
        .map(|(at, candidate)| (score(candidate), at))
        .collect();
    ranked.sort_unstable_by(|a, b| {
        let files = (candidates[a.1].file, candidates[b.1].file);
        b.0.total_cmp(&a.0).then(files.0.cmp(&files.1))
    });
    ranked
}

/// How much `n` uses in a field of `length` words weigh, from 0 to 1. `penalty` says how much a long
/// field takes away, from 0 to 1.
pub(super) fn saturated(n: u32, length: u32, mean_length: f64, penalty: f64) -> f64 {
    const HALF: f64 = 1.2;
    let (n, length) = (f64::from(n), f64::from(length));
    n / (n + HALF * (1.0 - penalty + penalty * length / mean_length.max(1.0)))
}

/// How much a word says that occurs in `df` of `n` files.
pub(super) fn rarity(df: usize, n: usize) -> f64 {
    let (df, n) = (df as f64, n as f64);
    (1.0 + (n - df + 0.5).max(0.0) / (df + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_by_score_then_path() {
        let candidate = |file, body, factor| {
            let mut signals = Signals::default();
            signals.add(Signal::Body, body);
            Candidate {
                file,
                signals,
                factor,
            }
        };
        let candidates = [
            candidate(9, 2.0, 1.0),
            candidate(3, 4.0, 0.5),
            candidate(5, 3.0, 1.0),
        ];
        let order: Vec<_> = rank(&candidates)
            .iter()
            .map(|(_, at)| candidates[*at].file)
            .collect();
        assert_eq!(order, [5, 3, 9]);
        assert!(rank(&[]).is_empty());
        assert!(rarity(1, 100) > rarity(50, 100) && rarity(100, 100) > 0.0);
    }
}
