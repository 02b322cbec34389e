//! What a build shows on stderr: a bar on a terminal, a few lines in CI, nothing on a pipe.
//!
//! Not here: results, which go to stdout.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use leantoken_builder::progress::{Phase, Progress};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};

/// Shows the progress of a build.
pub(crate) enum Console {
    /// A bar that is redrawn.
    Bar(ProgressBar),
    /// A line at each quarter.
    Lines {
        /// Files done in this phase.
        done: AtomicU64,
        /// Files in this phase.
        total: AtomicU64,
    },
    /// Nothing.
    Silent,
}

impl Console {
    /// Returns what fits where stderr goes to.
    pub(crate) fn new(quiet: bool, ci: bool) -> Self {
        if quiet {
            Console::Silent
        } else if io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} files, {eta} left");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            Console::Bar(bar)
        } else if ci {
            Console::Lines {
                done: AtomicU64::new(0),
                total: AtomicU64::new(0),
            }
        } else {
            Console::Silent
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        if let Console::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Wait => "waiting for another build",
        Phase::Discover => "walking the tree",
        Phase::Compare => "comparing with the last snapshot",
        Phase::Analyze { .. } => "indexing",
        Phase::Seal => "sealing",
    }
}

impl Progress for Console {
    fn phase(&self, phase: Phase) {
        let n_files = match phase {
            Phase::Analyze { n_files } => n_files,
            _ => 0,
        };
        match self {
            Console::Bar(bar) => {
                bar.set_length(n_files);
                bar.set_position(0);
                bar.set_message(name(phase));
            }
            Console::Lines { done, total } => {
                done.store(0, Ordering::Relaxed);
                total.store(n_files, Ordering::Relaxed);
                line(name(phase));
            }
            Console::Silent => {}
        }
    }

    fn advance(&self, n_files: u64) {
        match self {
            Console::Bar(bar) => bar.inc(n_files),
            Console::Lines { done, total } => {
                let total = total.load(Ordering::Relaxed).max(1);
                let before = done.fetch_add(n_files, Ordering::Relaxed);
                let now = before + n_files;
                if before * 4 / total != now * 4 / total {
                    line(&format!("{now} of {total} files"));
                }
            }
            Console::Silent => {}
        }
    }
}

/// Writes a line to stderr; progress that cannot be shown is not worth a fault.
pub(crate) fn line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
