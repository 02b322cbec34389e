//! Builds small views from texts and asks them.

use crate::query::answer::{Answer, Body, Hit};
use crate::query::deadline::Deadline;
use crate::query::error::QueryError;
use crate::query::measure::{Measure, Size};
use crate::query::request::{Budget, CaseMode, Operation, Query, Search, SearchMode};
use crate::view::View;
use leantoken_formats::layout::BLOBS;
use leantoken_formats::manifest::{
    Build, Manifest, Repo, SegmentEntry, SegmentKind, Source, SourceKind, Stats,
};
use leantoken_formats::segment::{
    FileEncoder, FileInput, Seal, SegmentPlan, SegmentWriter, SkipReason, Skipped,
};
use leantoken_formats::version;
use leantoken_shared::chunk::chunks;
use leantoken_shared::digest::ContentHash;
use leantoken_shared::facts::FileClass;
use leantoken_shared::language::Language;
use leantoken_shared::path::{PathSet, RepoPath};
use leantoken_shared::syntax::{AnalysisLimits, Analyzer};
use leantoken_shared::text::LineIndex;
use leantoken_shared::tokens::Tokenizer;
use std::path::Path;

/// Files with this ending are left out as binary.
const BINARY: &str = ".gif";

/// A view over some texts; the directory lives as long as the view.
pub(super) struct Corpus {
    pub(super) view: View,
    _dir: tempfile::TempDir,
}

/// What one segment changes: files present, and paths taken away.
pub(super) type Change<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str]);

impl Corpus {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        Self::layered(&[(files, &[])])
    }

    /// Lays segments over each other, oldest first.
    pub(super) fn layered(changes: &[Change<'_>]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let blobs = dir.path().join(BLOBS);
        std::fs::create_dir(&blobs).unwrap();
        let segments = changes
            .iter()
            .enumerate()
            .map(|(nth, change)| segment(&blobs, dir.path(), change, nth > 0))
            .collect();
        let zero = ContentHash::of(b"");
        let manifest = Manifest {
            format: version::WRITE,
            repo: Repo {
                id: zero,
                names: Vec::new(),
            },
            source: Source {
                kind: SourceKind::Tree,
                commit: None,
                tree: None,
                dirty: false,
                digest: zero,
            },
            scope: zero,
            build: Build {
                fingerprint: version::analysis().fingerprint,
                tool: "test".into(),
                sqlite: 0,
                analysis: version::ANALYSIS,
            },
            parent: None,
            segments,
            stats: Stats::default(),
        };
        let view = View::open(dir.path(), &manifest).unwrap();
        Corpus { view, _dir: dir }
    }

    pub(super) fn ask(&self, query: &Query) -> Result<Answer, QueryError> {
        crate::query::answer(&self.view, query, &Lengths, &Deadline::new(None))
    }

    pub(super) fn run(&self, operation: Operation) -> Result<Answer, QueryError> {
        self.ask(&query(operation))
    }

    /// Searches all paths and returns the whole answer.
    pub(super) fn search(&self, mode: SearchMode, text: &str) -> Result<Answer, QueryError> {
        self.run(Operation::Search(search(mode, text)))
    }

    /// Searches and returns `path:line` of each hit.
    pub(super) fn places(&self, mode: SearchMode, text: &str) -> Vec<String> {
        let hits = hits(self.search(mode, text).unwrap());
        hits.iter()
            .map(|hit| format!("{}:{}", hit.path, hit.start_line))
            .collect()
    }
}

pub(super) fn query(operation: Operation) -> Query {
    Query {
        operation,
        budget: Budget {
            max_tokens: None,
            max_bytes: 1_000_000,
            tokenizer: Tokenizer::default(),
        },
        skip: 0,
    }
}

pub(super) fn search(mode: SearchMode, text: &str) -> Search {
    Search {
        text: text.into(),
        mode,
        paths: PathSet::all(),
        case: CaseMode::Smart,
        kinds: Vec::new(),
        limit: 1_000,
        context_lines: 0,
    }
}

pub(super) fn hits(answer: Answer) -> Vec<Hit> {
    match answer.body {
        Body::Hits(hits) => hits,
        body => panic!("{body:?}"),
    }
}

/// Measures the debug form of an answer.
struct Lengths;

impl Measure for Lengths {
    fn measure(&self, answer: &Answer) -> Size {
        let bytes = format!("{answer:?}").len() as u32;
        Size {
            bytes,
            tokens: Some(bytes / 4),
        }
    }
}

fn segment(blobs: &Path, spill_dir: &Path, change: &Change<'_>, delta: bool) -> SegmentEntry {
    let plan = SegmentPlan {
        dictionary: Vec::new(),
        level: 1,
        spill_dir: spill_dir.into(),
        max_posting_bytes: 1 << 24,
    };
    let mut encoder = FileEncoder::new(&plan).unwrap();
    let mut writer = SegmentWriter::create(blobs, &plan).unwrap();
    let mut analyzer = Analyzer::new(AnalysisLimits::STANDARD);
    let (mut files, binary): (Vec<_>, Vec<_>) = change
        .0
        .iter()
        .partition(|(path, _)| !path.ends_with(BINARY));
    files.sort_unstable();
    for (id, (path, text)) in files.iter().enumerate() {
        let path = RepoPath::new(path).unwrap();
        let language = Language::detect(path.file_name(), text);
        let facts = analyzer.analyze(language, text);
        let chunks = chunks(text, &LineIndex::new(text), &facts);
        let encoded = encoder
            .encode(FileInput {
                id: id as u32,
                path: &path,
                text,
                facts: &facts,
                chunks: &chunks,
                language,
                class: class(path.as_str()),
                size: text.len() as u64,
                content_hash: ContentHash::of(text.as_bytes()),
            })
            .unwrap();
        writer.add(encoded).unwrap();
    }
    let hidden = change.1.iter().map(|path| RepoPath::new(path).unwrap());
    let seal = Seal {
        runs: vec![encoder.finish().unwrap()],
        skipped: binary
            .into_iter()
            .map(|(path, _)| Skipped {
                path: path.to_string(),
                reason: SkipReason::Binary,
            })
            .collect(),
        hidden: hidden.collect(),
    };
    let sealed = writer.seal(seal).unwrap();
    let kind = if delta {
        SegmentKind::Delta
    } else {
        SegmentKind::Base
    };
    SegmentEntry::new(kind, &sealed, change.1.len() as u32)
}

fn class(path: &str) -> FileClass {
    match path.split('/').next() {
        Some("tests") => FileClass::Test,
        Some("docs") => FileClass::Docs,
        Some("vendor") => FileClass::Vendored,
        _ => FileClass::Source,
    }
}
