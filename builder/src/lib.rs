//! From a tree to a sealed snapshot: the only place that writes snapshots.
//!
//! Not here: asking. The flow is [`build`]: [`discover`] lists the files, [`delta`] decides which of them
//! an earlier snapshot already holds, [`analyze`] turns the others into facts on all threads, [`stage`]
//! brings them back into order for the one writer, [`store`] moves the sealed files into place and
//! writes the manifest last. A build that fails leaves the previous snapshot as it was.
//!
//! Invariant: the same tree and the same versions give the same bytes, for any number of threads, any
//! directory, time zone and order of discovery. Memory is bounded by bytes in flight, not by files.

mod analyze;
mod classify;
mod decode;
mod delta;
mod dictionary;
pub mod discover;
pub mod error;
mod git;
pub mod limits;
pub mod local;
pub mod platform;
pub mod progress;
pub mod report;
pub mod reuse;
mod revision;
mod stage;
mod store;

pub use delta::Base;
pub use revision::Head;

use crate::analyze::{Analyzed, Work};
use crate::delta::{Look, Selection, Unusable};
use crate::discover::{DiscoverRequest, Discovery};
use crate::error::BuildError;
use crate::limits::Limits;
use crate::progress::{Phase, Progress};
use crate::report::{BuildReport, Kind};
use crate::reuse::Observation;
use crate::revision::Surroundings;
use crate::store::Store;
use leantoken_formats::manifest::{Build, Manifest, SegmentEntry, SegmentKind, Stats};
use leantoken_formats::segment::{Seal, SealedSegment, SegmentPlan, SegmentWriter};
use leantoken_formats::version;
use leantoken_shared::digest::ContentHash;
use leantoken_shared::path::RepoPath;
use std::path::PathBuf;
use std::time::Instant;

/// What to build, and how.
#[derive(Clone, Debug)]
pub struct BuildRequest {
    /// The directory to index.
    pub root: PathBuf,
    /// The snapshot directory to write to.
    pub out: PathBuf,
    /// A snapshot in `out` whose files are kept where they still hold.
    pub base: Option<Base>,
    /// Threads that analyse.
    pub threads: usize,
    /// Bounds.
    pub limits: Limits,
    /// The zstd level of bodies and facts.
    pub compression_level: i32,
    /// The user's home directory, which is refused as root.
    pub home: Option<PathBuf>,
    /// Whether `/` and the home directory are accepted as root.
    pub force_root: bool,
}

/// The zstd level of local snapshots: level 3 makes a build a twelfth slower for 3 % fewer bytes.
pub const LOCAL_LEVEL: i32 = 1;

impl BuildRequest {
    /// Returns a request with the standard settings.
    pub fn new(root: PathBuf, out: PathBuf) -> Self {
        BuildRequest {
            root,
            out,
            base: None,
            threads: default_threads(),
            limits: Limits::STANDARD,
            compression_level: LOCAL_LEVEL,
            home: None,
            force_root: false,
        }
    }

    /// Returns the part of the request that the walk needs.
    pub fn discovery(&self) -> DiscoverRequest<'_> {
        DiscoverRequest {
            root: &self.root,
            home: self.home.as_deref(),
            force_root: self.force_root,
            out: Some(&self.out),
            threads: self.threads,
            limits: self.limits,
        }
    }
}

/// Returns how many threads this machine, or the container, has for a build.
pub fn default_threads() -> usize {
    std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(64)
}

/// A snapshot that is complete and in place.
#[derive(Debug)]
pub struct Built {
    /// Its identity.
    pub generation: ContentHash,
    /// Its manifest.
    pub manifest: Manifest,
    /// What was done.
    pub report: BuildReport,
    /// The look at the tree it speaks for.
    pub seen: Observation,
}

/// Builds a snapshot of a tree.
///
/// # Errors
/// When the root or the output cannot be used or a limit of the walk is exceeded; nothing new is left
/// behind then.
pub fn build(request: &BuildRequest, progress: &dyn Progress) -> Result<Built, BuildError> {
    let start = Instant::now();
    progress.phase(Phase::Discover);
    let found = discover::discover(&request.discovery())?;
    let took = start.elapsed();
    let mut built = build_found(request, found, progress)?;
    built.report.discover = took;
    built.report.total = start.elapsed();
    Ok(built)
}

/// Builds a snapshot of a tree that was walked already.
///
/// # Errors
/// As [`build`].
pub fn build_found(
    request: &BuildRequest,
    found: Discovery,
    progress: &dyn Progress,
) -> Result<Built, BuildError> {
    let start = Instant::now();
    let store = Store::open(&request.out)?;
    let scope = discover::scope(&request.limits);
    let (work, around) = std::thread::scope(|threads| {
        let around = found
            .head
            .as_ref()
            .map(|_| threads.spawn(|| revision::surroundings(found.root.path())));
        let work = (|| {
            let (selection, warning) = select(request, &store, scope, &found, progress);
            let mut report = BuildReport {
                kind: selection.kind,
                n_threads: request.threads,
                warnings: warning.into_iter().chain(doubt(&found)).collect(),
                ..BuildReport::default()
            };
            let written = write(request, &store, &found, selection, progress, &mut report)?;
            Ok::<_, BuildError>((written, report))
        })();
        let around = around
            .and_then(|around| around.join().ok())
            .unwrap_or_default();
        (work, around)
    });
    let (written, mut report) = work?;
    let manifest = describe(&found, &around, scope, &written);
    let generation = store.publish(&manifest)?;
    report.count_tree(&written.seen);
    report.ignored = found.ignored;
    report
        .warnings
        .extend(report.ignored.explain(report.n_files));
    let sizes = manifest
        .segments
        .iter()
        .map(|segment| segment.core.size + segment.text.size);
    report.n_snapshot_bytes = sizes.sum();
    report.total = start.elapsed();
    Ok(Built {
        generation,
        manifest,
        report,
        seen: written.seen,
    })
}

/// Returns what is uncertain about the list of files.
fn doubt(found: &Discovery) -> Option<String> {
    let is_unsure = found.in_repository && found.n_tracked.is_none();
    is_unsure.then(|| {
        "git did not list its files; tracked files that a rule ignores are left out".to_string()
    })
}

/// Decides what there is to do; a base that cannot be used means everything.
fn select<'f>(
    request: &BuildRequest,
    store: &Store,
    scope: ContentHash,
    found: &'f Discovery,
    progress: &dyn Progress,
) -> (Selection<'f>, Option<String>) {
    let Some(base) = &request.base else {
        return (Selection::full(found), None);
    };
    let look = Look {
        limits: &request.limits,
        threads: request.threads,
        progress,
    };
    match delta::select(store, base, scope, found, &look) {
        Ok(selection) => (selection, None),
        Err(Unusable::Unfit) => (Selection::full(found), None),
        Err(Unusable::Damaged(error)) => {
            let warning =
                format!("the previous snapshot is not usable and was built anew: {error}");
            (Selection::full(found), Some(warning))
        }
    }
}

/// The segments of the new snapshot, all in place, and what they hold.
struct Written {
    segments: Vec<SegmentEntry>,
    parent: Option<ContentHash>,
    n_lines: u64,
    seen: Observation,
}

/// Analyses, stages, seals and puts in place what the selection asks for.
fn write(
    request: &BuildRequest,
    store: &Store,
    found: &Discovery,
    selection: Selection<'_>,
    progress: &dyn Progress,
    report: &mut BuildReport,
) -> Result<Written, BuildError> {
    let mut written = Written {
        segments: selection.under,
        parent: selection.parent,
        n_lines: selection.n_kept_lines,
        seen: Observation {
            files: selection.known,
            skipped: found.skipped.clone(),
            observed_ns: found.observed_ns,
        },
    };
    if selection.kind == Kind::Same {
        return Ok(written);
    }
    let start = Instant::now();
    let scratch = store.scratch()?;
    let plan = SegmentPlan {
        dictionary: dictionary::sample(&found.root, &selection.todo, &request.limits),
        level: request.compression_level,
        spill_dir: scratch.path().to_path_buf(),
        max_posting_bytes: request.limits.posting_bytes_per_thread(request.threads),
    };
    let work = Work {
        root: &found.root,
        files: &selection.todo,
        limits: &request.limits,
        plan: &plan,
        threads: request.threads.max(1),
        progress,
    };
    let mut writer = SegmentWriter::create(scratch.path(), &plan)?;
    let analyzed = analyze::run(&work, &mut writer)?;
    report.merge(&analyzed.counts);
    report.analyze = start.elapsed();
    progress.phase(Phase::Seal);
    let kind = match selection.kind {
        Kind::Delta => SegmentKind::Delta,
        _ => SegmentKind::Base,
    };
    let n_hidden = selection.hidden.len() as u32;
    let sealed = seal(writer, analyzed, selection.hidden, &mut written.seen)?;
    store.adopt(&sealed)?;
    written.n_lines += sealed.n_lines;
    written
        .segments
        .push(SegmentEntry::new(kind, &sealed, n_hidden));
    report.seal = start.elapsed().saturating_sub(report.analyze);
    Ok(written)
}

/// Completes the segment with what the whole tree leaves out.
fn seal(
    writer: SegmentWriter,
    analyzed: Analyzed,
    hidden: Vec<RepoPath>,
    seen: &mut Observation,
) -> Result<SealedSegment, BuildError> {
    seen.files.extend(analyzed.seen);
    seen.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(writer.seal(Seal {
        runs: analyzed.runs,
        skipped: seen.all_skipped(),
        hidden,
    })?)
}

/// Returns the manifest of what was written.
fn describe(
    found: &Discovery,
    around: &Surroundings,
    scope: ContentHash,
    written: &Written,
) -> Manifest {
    let analysis = version::analysis();
    let mut counts = BuildReport::default();
    counts.count_tree(&written.seen);
    Manifest {
        format: version::WRITE,
        repo: revision::repo(around.origin.as_deref()),
        source: revision::source(
            found.head.as_ref(),
            around,
            found.n_untracked,
            &written.seen,
        ),
        scope,
        build: Build {
            fingerprint: analysis.fingerprint,
            tool: concat!("leantoken-build ", env!("CARGO_PKG_VERSION")).into(),
            sqlite: version::sqlite_version(),
            analysis: analysis.number,
        },
        parent: written.parent,
        segments: written.segments.clone(),
        stats: Stats {
            files: counts.n_files,
            lines: written.n_lines,
            bytes: counts.n_bytes,
            skipped: counts.skipped,
        },
    }
}
