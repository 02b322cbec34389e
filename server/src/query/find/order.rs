//! The order of places: the best one of each file, with more places of strong files in between.
//!
//! Not here: how good files and pieces are. A file is what a reader opens, so first places come first;
//! but where one file is clearly ahead, its next definitions answer better than weak files do.

use crate::view::FileId;

/// First places of files that come before any further place.
pub(super) const LEADING: usize = 6;
/// How far ahead of the files behind the leading ones a file must be to show more of itself there.
const AHEAD: f64 = 1.5;
/// Further places of all files among the first places.
const MAX_FURTHER: usize = 3;
/// Files that may have a second place behind all first ones.
const MAX_SECOND: usize = 20;
/// A second place must be at least this good beside the best piece of all.
const SECOND_SHARE: f64 = 0.5;
/// A further place must be at least this good beside the best piece of its file.
const FURTHER_SHARE: f64 = 0.35;

/// A place in the ranked result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    pub(super) file: FileId,
    pub(super) place: Place,
    /// The score of the file; where kinds are asked for, of the definition.
    pub(super) score: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    Symbol(u32),
    /// The nth best piece of the file.
    Piece(usize),
    /// Nothing but the path speaks for the file.
    Top,
}

/// A ranked file: what comes first of it, and the scores of its pieces, best first.
pub(super) struct Ranked<'a> {
    pub(super) first: Spot,
    pub(super) pieces: &'a [(f64, u32)],
}

/// Returns the places of `files`, which come best first.
pub(super) fn spots(files: &[Ranked<'_>]) -> Vec<Spot> {
    let (leading, rest) = files.split_at(LEADING.min(files.len()));
    let next = rest.first().map_or(0.0, |file| file.first.score);
    let mut out: Vec<Spot> = leading.iter().map(|file| file.first).collect();
    for file in leading
        .iter()
        .filter(|file| file.first.score >= next * AHEAD)
    {
        let room = (LEADING.min(files.len()) + MAX_FURTHER).saturating_sub(out.len());
        out.extend(further(file).take(room));
    }
    out.extend(rest.iter().map(|file| file.first));
    let best = files.iter().filter_map(|file| file.pieces.first());
    let best = best.map(|(score, _)| *score).fold(0.0, f64::max);
    for file in files.iter().take(MAX_SECOND) {
        let second = further(file).next().filter(|spot| !out.contains(spot));
        let is_strong = |spot: &Spot| match spot.place {
            Place::Piece(nth) => file.pieces[nth].0 >= best * SECOND_SHARE,
            _ => false,
        };
        out.extend(second.filter(is_strong));
    }
    out
}

/// Returns the places of a file behind its first one.
fn further<'a>(file: &'a Ranked<'_>) -> impl Iterator<Item = Spot> + 'a {
    let best = file.pieces.first().map_or(0.0, |(score, _)| *score);
    // What comes first may be a definition that no piece stands for.
    let from = usize::from(file.first.place == Place::Piece(0));
    let pieces = file.pieces.iter().enumerate().skip(from);
    pieces
        .filter(move |(_, (score, _))| *score >= best * FURTHER_SHARE)
        .map(|(nth, _)| Spot {
            place: Place::Piece(nth),
            ..file.first
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(file: FileId, score: f64, pieces: &[(f64, u32)]) -> Ranked<'_> {
        let place = Place::Piece(0);
        Ranked {
            first: Spot { file, place, score },
            pieces,
        }
    }

    fn order(scores: &[f64]) -> Vec<FileId> {
        let pieces = [(3.0, 0), (2.9, 7), (2.5, 3), (2.4, 2), (0.1, 9)];
        let files = scores.iter().zip(0..);
        let files: Vec<_> = files
            .map(|(score, id)| ranked(id, *score, &pieces))
            .collect();
        spots(&files).iter().map(|spot| spot.file).collect()
    }

    #[test]
    fn a_strong_file_shows_more_before_weak_files_come() {
        let strong = order(&[5.0, 2.2, 2.0, 2.0, 2.0, 2.0, 1.9, 1.8]);
        assert_eq!(strong[..11], [0, 1, 2, 3, 4, 5, 0, 0, 0, 6, 7]);
    }

    #[test]
    fn files_alike_come_once_before_any_comes_twice() {
        let even = order(&[2.0; 8]);
        assert_eq!(even, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(order(&[]), [0; 0]);
    }

    #[test]
    fn no_place_comes_twice() {
        let pieces = [(3.0, 0), (2.9, 7), (2.5, 3)];
        for n in 0..12 {
            let files = (0..n).map(|id| ranked(id, 9.0 / f64::from(id + 1), &pieces));
            let found = spots(&files.collect::<Vec<_>>());
            for (at, spot) in found.iter().enumerate() {
                assert!(!found[..at].contains(spot), "{spot:?}");
            }
        }
    }
}
