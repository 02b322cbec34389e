//! Files to encoded files, on all threads.
//!
//! Not here: SQL and file order (see [`crate::stage`]). Threads take files in ascending order; each reads,
//! decodes, parses, chunks and encodes on its own, so nothing but the hand-over is shared. A parser that
//! panics costs its file the facts, never the build. Bound: what is in flight is limited by the inbox.

use crate::classify::classify;
use crate::decode::{self, Decoded};
use crate::discover::SourceFile;
use crate::error::BuildError;
use crate::limits::Limits;
use crate::platform::RootDir;
use crate::progress::{Phase, Progress};
use crate::report::BuildReport;
use crate::reuse::FileStat;
use crate::stage::{Inbox, Numbering};
use leantoken_formats::segment::{
    EncodedFile, FileEncoder, FileInput, PostingRuns, SegmentPlan, SegmentWriter,
};
use leantoken_shared::chunk;
use leantoken_shared::facts::{Chunk, FileFacts, Note};
use leantoken_shared::language::Language;
use leantoken_shared::syntax::{AnalysisLimits, Analyzer};
use leantoken_shared::text::LineIndex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The files of one segment and how to treat them.
pub(crate) struct Work<'a> {
    pub(crate) root: &'a RootDir,
    /// Sorted by path.
    pub(crate) files: &'a [&'a SourceFile],
    pub(crate) limits: &'a Limits,
    pub(crate) plan: &'a SegmentPlan,
    pub(crate) threads: usize,
    pub(crate) progress: &'a dyn Progress,
}

/// What analysis leaves for the seal.
#[derive(Debug, Default)]
pub(crate) struct Analyzed {
    pub(crate) runs: Vec<PostingRuns>,
    /// What became of every file, sorted.
    pub(crate) seen: Vec<FileStat>,
    pub(crate) counts: BuildReport,
}

/// What the threads share.
struct Shared {
    next: AtomicUsize,
    numbering: Numbering,
    inbox: Inbox,
}

/// Ends the part of one thread in the hand-over, whichever way the thread ends.
struct Part<'a> {
    shared: &'a Shared,
    complete: bool,
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        if !self.complete {
            self.shared.numbering.close();
            self.shared.inbox.close();
        }
        self.shared.inbox.end();
    }
}

/// Analyses all files and adds them to `writer` in order.
pub(crate) fn run(work: &Work<'_>, writer: &mut SegmentWriter) -> Result<Analyzed, BuildError> {
    work.progress.phase(Phase::Analyze {
        n_files: work.files.len() as u64,
    });
    let shared = Shared {
        next: AtomicUsize::new(0),
        numbering: Numbering::default(),
        inbox: Inbox::new(work.threads, work.limits.max_in_flight_bytes),
    };
    let (written, parts) = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..work.threads)
            .map(|_| scope.spawn(|| work.part(&shared)))
            .collect();
        let written = write(&shared, writer);
        let parts: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
        (written, parts)
    });
    // The writer's fault comes first: when it stops, the others only see that nobody listens.
    written?;
    let mut all = Analyzed::default();
    let mut seen = Vec::with_capacity(work.files.len());
    for part in parts {
        let part = part.map_err(|_| BuildError::Worker)??;
        all.runs.extend(part.runs);
        all.counts.merge(&part.counts);
        seen.extend(part.seen);
    }
    if seen.len() != work.files.len() {
        return Err(BuildError::Worker);
    }
    seen.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    all.seen = seen;
    Ok(all)
}

fn write(shared: &Shared, writer: &mut SegmentWriter) -> Result<(), BuildError> {
    loop {
        let batch = shared.inbox.receive();
        if batch.is_empty() {
            return Ok(());
        }
        for file in batch {
            if let Err(error) = writer.add(file) {
                shared.numbering.close();
                shared.inbox.close();
                return Err(error.into());
            }
        }
    }
}

impl Work<'_> {
    /// What one thread does.
    fn part(&self, shared: &Shared) -> Result<Analyzed, BuildError> {
        let mut guard = Part {
            shared,
            complete: false,
        };
        let mut out = Analyzed::default();
        let mut desk = Desk::new(self.plan)?;
        loop {
            let index = shared.next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = self.files.get(index) else {
                break;
            };
            let mut sighting = decode::read(self.root, &file.path, file.stat, self.limits);
            let id = shared.numbering.take(index, sighting.body.is_ok());
            if let (Ok(decoded), Some(id)) = (&mut sighting.body, id) {
                let size = sighting.stat.size;
                let encoded = desk.encode(id, file, decoded, size, &mut out.counts)?;
                if !shared.inbox.send(encoded) {
                    break;
                }
            }
            self.progress.advance(1);
            out.seen.push(sighting.into_file_stat(&file.path));
        }
        out.runs.push(desk.encoder.finish()?);
        guard.complete = true;
        Ok(out)
    }
}

/// What one thread works with.
struct Desk {
    analyzer: Analyzer,
    encoder: FileEncoder,
}

impl Desk {
    fn new(plan: &SegmentPlan) -> Result<Self, BuildError> {
        Ok(Desk {
            analyzer: Analyzer::new(AnalysisLimits::STANDARD),
            encoder: FileEncoder::new(plan)?,
        })
    }

    fn encode(
        &mut self,
        id: u32,
        file: &SourceFile,
        decoded: &Decoded,
        size: u64,
        counts: &mut BuildReport,
    ) -> Result<EncodedFile, BuildError> {
        let text = &decoded.text;
        let language = Language::detect(file.path.file_name(), text);
        let (mut facts, chunks) = self.facts(language, text);
        if decoded.transcoded {
            facts.notes.add(Note::Transcoded);
        }
        counts.count(language, facts.notes);
        Ok(self.encoder.encode(FileInput {
            id,
            path: &file.path,
            text,
            facts: &facts,
            chunks: &chunks,
            language,
            class: classify(&file.path, language, text),
            size,
            content_hash: decoded.content_hash,
        })?)
    }

    /// Returns what the text says; nothing but text where the parser fails.
    fn facts(&mut self, language: Language, text: &str) -> (FileFacts, Vec<Chunk>) {
        let lines = LineIndex::new(text);
        let analyzer = &mut self.analyzer;
        let tried = catch_unwind(AssertUnwindSafe(|| {
            let facts = analyzer.analyze(language, text);
            let chunks = chunk::chunks(text, &lines, &facts);
            (facts, chunks)
        }));
        tried.unwrap_or_else(|_| {
            // Whatever state the parser is in now, it is not used again.
            self.analyzer = Analyzer::new(AnalysisLimits::STANDARD);
            let mut facts = FileFacts::default();
            facts.notes.add(Note::AnalysisFailed);
            let chunks = chunk::chunks(text, &lines, &facts);
            (facts, chunks)
        })
    }
}
