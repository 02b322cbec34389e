//! What of a base snapshot still holds, and what must be analysed again.
//!
//! Not here: analysing. A file is kept when the base's full segments hold it with the same content hash;
//! every other file goes into one delta segment that replaces any earlier delta, and paths of the base
//! that are gone or replaced are hidden. Invariant: what is kept, analysed and hidden together is exactly
//! the tree. Bound: when more than a fifth of the base differs a full build is cheaper and is asked for.

use crate::decode;
use crate::discover::{Discovery, SourceFile};
use crate::limits::Limits;
use crate::progress::{Phase, Progress};
use crate::report::Kind;
use crate::reuse::{FileStat, Observation, Outcome};
use crate::store::Store;
use leantoken_formats::error::FormatError;
use leantoken_formats::manifest::{Manifest, SegmentEntry, SegmentKind};
use leantoken_formats::segment::{Segment, SkipReason, Skipped};
use leantoken_formats::version;
use leantoken_shared::digest::ContentHash;
use leantoken_shared::path::RepoPath;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A snapshot to build on.
#[derive(Clone, Debug)]
pub struct Base {
    /// The snapshot, in the output directory.
    pub generation: ContentHash,
    /// The look at the tree it was made from; may be empty.
    pub seen: Observation,
}

/// What a build has to do.
#[derive(Debug, Default)]
pub(crate) struct Selection<'f> {
    pub(crate) kind: Kind,
    /// Files to analyse, sorted.
    pub(crate) todo: Vec<&'f SourceFile>,
    /// What became of all other files, sorted.
    pub(crate) known: Vec<FileStat>,
    /// Paths of the base that are gone or replaced, sorted.
    pub(crate) hidden: Vec<RepoPath>,
    /// Segments that stay.
    pub(crate) under: Vec<SegmentEntry>,
    /// The snapshot whose segments those are, unless it is this one.
    pub(crate) parent: Option<ContentHash>,
    /// Lines of the files that are kept.
    pub(crate) n_kept_lines: u64,
}

impl<'f> Selection<'f> {
    /// Returns the selection of every file.
    pub(crate) fn full(found: &'f Discovery) -> Self {
        Selection {
            todo: found.files.iter().collect(),
            ..Selection::default()
        }
    }
}

/// Why a base is of no use.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// It is whole, but another version, another scope or too different.
    Unfit,
    /// It is missing or damaged.
    Damaged(FormatError),
}

impl From<FormatError> for Unusable {
    fn from(error: FormatError) -> Self {
        Unusable::Damaged(error)
    }
}

/// The segments of a base snapshot, opened.
struct Layers {
    manifest: Manifest,
    generation: ContentHash,
    full: Vec<Segment>,
    delta: Option<Segment>,
}

impl Layers {
    fn open(store: &Store, generation: &ContentHash, scope: ContentHash) -> Result<Self, Unusable> {
        let manifest = store.manifest(generation)?;
        let fits = manifest.scope == scope
            && manifest.build.fingerprint == version::analysis().fingerprint;
        let (full, deltas): (Vec<_>, Vec<_>) = manifest
            .segments
            .iter()
            .partition(|entry| entry.kind == SegmentKind::Base);
        if !fits || full.is_empty() || deltas.len() > 1 {
            return Err(Unusable::Unfit);
        }
        let open = |entry: &&SegmentEntry| store.segment(entry);
        Ok(Layers {
            full: full.iter().map(open).collect::<Result<_, _>>()?,
            delta: deltas.first().map(open).transpose()?,
            generation: *generation,
            manifest,
        })
    }

    /// Returns whether the delta that is there holds exactly these files and hides these paths.
    fn delta_is(
        &self,
        todo: &[(&SourceFile, ContentHash)],
        hidden: &[RepoPath],
        skipped: &[Skipped],
    ) -> Result<bool, FormatError> {
        let Some(delta) = &self.delta else {
            return Ok(false);
        };
        let same_files = delta.files().len() == todo.len()
            && delta
                .files()
                .iter()
                .zip(todo)
                .all(|(row, (file, hash))| row.path == file.path && row.content_hash == *hash);
        Ok(same_files && delta.hidden() == hidden && delta.skipped()? == skipped)
    }
}

/// Compares the tree with the base.
///
/// # Errors
/// When the base cannot be built on, with the reason.
pub(crate) fn select<'f>(
    store: &Store,
    base: &Base,
    scope: ContentHash,
    found: &'f Discovery,
    look: &Look<'_>,
) -> Result<Selection<'f>, Unusable> {
    let layers = Layers::open(store, &base.generation, scope)?;
    look.progress.phase(Phase::Compare);
    let seen = Observation {
        files: look.at(found, &base.seen),
        skipped: found.skipped.clone(),
        observed_ns: found.observed_ns,
    };
    let old: HashMap<&str, (ContentHash, u32)> = layers
        .full
        .iter()
        .flat_map(Segment::files)
        .map(|row| (row.path.as_str(), (row.content_hash, row.n_lines)))
        .collect();
    let mut out = Selection::default();
    let mut todo = Vec::new();
    let mut n_replaced = 0;
    let mut kept = Vec::new();
    for (file, known) in found.files.iter().zip(&seen.files) {
        let old = old.get(file.path.as_str());
        match (known.outcome, old) {
            (Outcome::Indexed(hash), Some((same, n_lines))) if hash == *same => {
                out.n_kept_lines += u64::from(*n_lines);
                kept.push(file.path.as_str());
            }
            (Outcome::Indexed(hash), old) => {
                n_replaced += usize::from(old.is_some());
                todo.push((file, hash));
            }
            (Outcome::Skipped(_), _) => {}
        }
    }
    out.hidden = old
        .keys()
        .filter(|path| kept.binary_search(path).is_err())
        .filter_map(|path| RepoPath::new(path).ok())
        .collect();
    out.hidden.sort_unstable();
    let n_differing = todo.len() + out.hidden.len() - n_replaced;
    if n_differing * 5 > old.len() {
        return Err(Unusable::Unfit);
    }
    settle(layers, &mut out, &todo, seen)?;
    Ok(out)
}

/// Decides which segments stay and whether a new one is needed.
fn settle<'f>(
    layers: Layers,
    out: &mut Selection<'f>,
    todo: &[(&'f SourceFile, ContentHash)],
    seen: Observation,
) -> Result<(), Unusable> {
    let skipped = seen.all_skipped();
    let is_full = |entry: &SegmentEntry| entry.kind == SegmentKind::Base;
    let base_skipped = match layers.full.last() {
        Some(segment) => segment.skipped()?,
        None => Vec::new(),
    };
    let parent = layers.manifest.parent.or(Some(layers.generation));
    if todo.is_empty() && out.hidden.is_empty() && base_skipped == skipped {
        out.kind = Kind::Same;
        out.under = layers
            .manifest
            .segments
            .into_iter()
            .filter(is_full)
            .collect();
        out.known = seen.files;
    } else if layers.delta_is(todo, &out.hidden, &skipped)? {
        out.kind = Kind::Same;
        let rows = layers.delta.iter().flat_map(Segment::files);
        out.n_kept_lines += rows.map(|row| u64::from(row.n_lines)).sum::<u64>();
        out.parent = parent;
        out.under = layers.manifest.segments;
        out.known = seen.files;
    } else {
        out.kind = Kind::Delta;
        out.parent = parent;
        out.under = layers
            .manifest
            .segments
            .into_iter()
            .filter(is_full)
            .collect();
        let mut rest = seen.files;
        rest.retain(|file| {
            todo.binary_search_by(|(todo, _)| todo.path.cmp(&file.path))
                .is_err()
        });
        out.known = rest;
        out.todo = todo.iter().map(|(file, _)| *file).collect();
    }
    Ok(())
}

/// How files are looked at whose stat data do not tell enough.
pub(crate) struct Look<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) threads: usize,
    pub(crate) progress: &'a dyn Progress,
}

impl Look<'_> {
    /// Returns what becomes of every found file, reading those that may have changed.
    fn at(&self, found: &Discovery, before: &Observation) -> Vec<FileStat> {
        let next = AtomicUsize::new(0);
        let unsure: Vec<(usize, &SourceFile)> = found
            .files
            .iter()
            .enumerate()
            .filter(|(_, file)| before.outcome_of(file).is_none())
            .collect();
        let work = || {
            let mut part = Vec::new();
            while let Some((at, file)) = unsure.get(next.fetch_add(1, Ordering::Relaxed)) {
                let seen = decode::read(&found.root, &file.path, file.stat, self.limits);
                part.push((*at, seen.into_file_stat(&file.path)));
                self.progress.advance(1);
            }
            part
        };
        let mut looked: Vec<(usize, FileStat)> = std::thread::scope(|scope| {
            let n_threads = self.threads.min(unsure.len() / 8 + 1);
            let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(work)).collect();
            let mut all = work();
            for other in others {
                all.extend(other.join().unwrap_or_default());
            }
            all
        });
        looked.sort_unstable_by_key(|(at, _)| *at);
        let mut looked = looked.into_iter().peekable();
        let known = |file: &SourceFile| before.outcome_of(file);
        found
            .files
            .iter()
            .enumerate()
            .map(
                |(at, file)| match looked.next_if(|(index, _)| *index == at) {
                    Some((_, seen)) => seen,
                    None => FileStat {
                        path: file.path.clone(),
                        stat: file.stat,
                        // A reader that died leaves its files unread; they are looked at again next time.
                        outcome: known(file).unwrap_or(Outcome::Skipped(SkipReason::Unreadable)),
                    },
                },
            )
            .collect()
    }
}
