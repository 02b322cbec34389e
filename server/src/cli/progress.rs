//! What a first build shows on stderr: a line that is redrawn on a terminal, a few lines in CI,
//! nothing on a pipe.

use leantoken_builder::progress::{Phase, Progress};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};

/// Fewest files of a build that is worth being shown.
const WORTH_SHOWING: u64 = 200;

/// Shows the progress of a build.
#[derive(Debug)]
pub(super) struct Show {
    style: Style,
    done: AtomicU64,
    total: AtomicU64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Redrawn,
    Lines,
    Silent,
}

impl Show {
    /// Returns what fits where stderr goes to.
    pub(super) fn new(is_ci: bool) -> Self {
        let style = match (is_ci, io::stderr().is_terminal()) {
            (true, _) => Style::Lines,
            (false, true) => Style::Redrawn,
            (false, false) => Style::Silent,
        };
        Show {
            style,
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
        }
    }

    fn write(&self, text: &str) {
        // Progress that cannot be shown is not worth a fault.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

impl Progress for Show {
    fn phase(&self, phase: Phase) {
        if phase == Phase::Wait && self.style != Style::Silent {
            self.write("waiting for another process that builds the index\n");
        }
        let total = match phase {
            Phase::Analyze { n_files } => n_files,
            _ => 0,
        };
        let was = self.total.swap(total, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        if self.style == Style::Redrawn && was >= WORTH_SHOWING && total == 0 {
            self.write("\r\x1b[K");
        }
        if self.style == Style::Lines && total >= WORTH_SHOWING {
            self.write(&format!("building the index of {total} files\n"));
        }
    }

    fn advance(&self, n_files: u64) {
        let total = self.total.load(Ordering::Relaxed);
        let before = self.done.fetch_add(n_files, Ordering::Relaxed);
        if total < WORTH_SHOWING || self.style == Style::Silent {
            return;
        }
        let steps = if self.style == Style::Lines { 4 } else { 100 };
        let step = |done: u64| done * steps / total;
        let done = before + n_files;
        if step(before) == step(done) {
            return;
        }
        let percent = done * 100 / total;
        self.write(&match self.style {
            Style::Lines => format!("indexed {done} of {total} files ({percent} %)\n"),
            _ => format!("\rbuilding the index: {percent:3} % of {total} files"),
        });
    }
}
