//! The view that is current, and the one thread that brings it up to date.
//!
//! Not here: building and mounting (see `mount`). At most one round runs at a time: compare
//! with the disk, build what differs, open, swap. Callers that need a newer view than there is wait for
//! a round that began after they arrived, up to their patience.

use super::mount::Mounted;
use super::{Limits, Patience};
use crate::error::Error;
use crate::query::answer::Freshness;
use crate::settings::Source;
use leantoken_builder::progress::{Phase, Progress};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How far a running build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progressing {
    /// Files done.
    pub done: u64,
    /// Files in all; 0 while they are counted.
    pub total: u64,
}

impl Progressing {
    /// Returns the part that is done, 0 to 99: who is at 100 is not running.
    pub fn percent(self) -> u32 {
        let percent = (self.done * 100).checked_div(self.total).unwrap_or(0);
        percent.min(99) as u32
    }
}

#[derive(Debug)]
pub(super) struct Current {
    source: Source,
    limits: Limits,
    state: Mutex<State>,
    changed: Condvar,
    counter: Counter,
}

#[derive(Debug, Default)]
struct State {
    /// The newest view.
    mounted: Option<Proven>,
    /// Why the last round failed and when it began.
    failed: Option<(Arc<Error>, Instant)>,
    /// Whether a round runs.
    is_running: bool,
    /// Whether everybody was told to stop waiting.
    is_closed: bool,
}

/// A view and the round that compared it with the disk.
#[derive(Debug)]
struct Proven {
    mounted: Mounted,
    began: Instant,
    took: Duration,
}

impl Proven {
    /// Returns how the view relates to the disk for a call that arrived at `arrived`; nothing when
    /// somebody has to compare again. A check is repeated the sooner the cheaper it is, so that checks
    /// never take more than a tenth of the time.
    fn freshness(&self, arrived: Instant, limits: &Limits) -> Option<Freshness> {
        let age = limits
            .recheck_after
            .min(self.took.saturating_mul(CHECK_SHARE));
        if self.began >= arrived {
            Some(Freshness::Fresh)
        } else if self.began + age >= arrived {
            Some(Freshness::Recent)
        } else {
            None
        }
    }
}

/// How many times as long as a check took it may be relied on.
const CHECK_SHARE: u32 = 10;

/// Progress as numbers that anybody may read.
#[derive(Debug, Default)]
struct Counter {
    done: AtomicU64,
    total: AtomicU64,
    /// When the counted phase began.
    since: Mutex<Option<Instant>>,
}

/// The part of a build behind the last file, as a share of what is before it.
const SEAL_SHARE: f64 = 0.2;

/// Shortest and longest time a caller is asked to stay away, in seconds.
const RETRY_SECONDS: (f64, f64) = (1.0, 60.0);

/// Returns in how many seconds a build is likely done that has come so far in `elapsed`.
fn retry_after(progress: Progressing, elapsed: Duration) -> u32 {
    let (least, most) = RETRY_SECONDS;
    if progress.done == 0 || progress.total == 0 {
        return 2;
    }
    let share = (progress.done.min(progress.total) as f64) / progress.total as f64;
    let whole = elapsed.as_secs_f64() / share * (1.0 + SEAL_SHARE);
    let left = (whole - elapsed.as_secs_f64()).clamp(least, most);
    left.ceil() as u32
}

impl Counter {
    fn elapsed(&self) -> Duration {
        let since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl Progress for Counter {
    fn phase(&self, phase: Phase) {
        if phase != Phase::Seal {
            *self.since.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        let (done, total) = match phase {
            Phase::Discover => (0, 0),
            Phase::Analyze { n_files } => (0, n_files),
            Phase::Seal => (u64::MAX, self.total.load(Ordering::Relaxed)),
            _ => return,
        };
        self.done.store(done.min(total), Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    fn advance(&self, n_files: u64) {
        self.done.fetch_add(n_files, Ordering::Relaxed);
    }
}

impl Current {
    pub(super) fn new(source: Source, limits: Limits) -> Self {
        Current {
            source,
            limits,
            state: Mutex::default(),
            changed: Condvar::new(),
            counter: Counter::default(),
        }
    }

    /// Returns the view to answer from, and how it relates to the disk.
    pub(super) fn view(
        self: &Arc<Self>,
        patience: Patience<'_>,
    ) -> Result<(Mounted, Freshness), Error> {
        let arrived = Instant::now();
        if let Patience::Endless(progress) = patience
            && self.begin_round()
        {
            self.run_round(progress);
        }
        let mut state = self.lock();
        loop {
            if let Some(proven) = &state.mounted {
                if !self.changes() {
                    return Ok((proven.mounted.clone(), Freshness::Unknown));
                }
                if let Some(freshness) = proven.freshness(arrived, &self.limits) {
                    return Ok((proven.mounted.clone(), freshness));
                }
            }
            if let Some(outcome) = self.give_up(&state, arrived, patience) {
                return outcome;
            }
            if !state.is_running {
                drop(state);
                self.start();
                state = self.lock();
                continue;
            }
            let wait = self
                .wait_for(&state, patience)
                .saturating_sub(arrived.elapsed());
            state = self
                .changed
                .wait_timeout(state, wait)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Starts a round on a thread of its own unless one runs.
    pub(super) fn start(self: &Arc<Self>) {
        if !self.begin_round() {
            return;
        }
        let this = Arc::clone(self);
        let spawned = std::thread::Builder::new()
            .name("refresh".into())
            .spawn(move || this.run_round(&this.counter));
        if let Err(error) = spawned {
            let error = Error::Internal(format!("cannot start a thread: {error}"));
            self.finish(Err(error), Instant::now());
        }
    }

    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    pub(super) fn progress(&self) -> Option<Progressing> {
        self.lock().is_running.then(|| Progressing {
            done: self.counter.done.load(Ordering::Relaxed),
            total: self.counter.total.load(Ordering::Relaxed),
        })
    }

    /// Whether what is answered about can change.
    fn changes(&self) -> bool {
        matches!(self.source, Source::Local { .. })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks a round as running; `false` when one runs already.
    fn begin_round(&self) -> bool {
        !std::mem::replace(&mut self.lock().is_running, true)
    }

    fn run_round(&self, progress: &dyn Progress) {
        let began = Instant::now();
        progress.phase(Phase::Discover);
        let previous = self
            .lock()
            .mounted
            .as_ref()
            .map(|proven| proven.mounted.clone());
        let work = || super::mount::mount(&self.source, previous, progress);
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
            .unwrap_or_else(|panic| Err(Error::Internal(super::panic_text(&*panic))));
        self.finish(outcome, began);
    }

    fn finish(&self, outcome: Result<Mounted, Error>, began: Instant) {
        let mut state = self.lock();
        state.is_running = false;
        match outcome {
            Ok(mounted) => {
                state.mounted = Some(Proven {
                    mounted,
                    began,
                    took: began.elapsed(),
                });
                state.failed = None;
            }
            Err(error) => {
                tracing::warn!("the index was not brought up to date: {}", error.message());
                state.failed = Some((Arc::new(error), began));
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    fn wait_for(&self, state: &State, patience: Patience<'_>) -> Duration {
        match (patience, &state.mounted) {
            (Patience::Endless(_), _) => Duration::MAX,
            (Patience::Bounded, Some(_)) => self.limits.refresh_wait,
            (Patience::Bounded, None) => self.limits.first_build_wait,
        }
    }

    /// Returns what a caller gets who should not wait any longer.
    fn give_up(
        &self,
        state: &State,
        arrived: Instant,
        patience: Patience<'_>,
    ) -> Option<Result<(Mounted, Freshness), Error>> {
        let failed = state.failed.as_ref().filter(|(_, began)| {
            *began >= arrived || matches!(patience, Patience::Endless(_)) || state.is_closed
        });
        let is_late = state.is_closed || arrived.elapsed() >= self.wait_for(state, patience);
        if failed.is_none() && !is_late {
            return None;
        }
        if let Some(proven) = &state.mounted {
            // A round that analyses has found changes; before that, or after a failure, nobody knows.
            let found_changes = state.is_running && self.counter.total.load(Ordering::Relaxed) > 0;
            let freshness = match found_changes {
                true => Freshness::Behind,
                false => Freshness::Unknown,
            };
            return Some(Ok((proven.mounted.clone(), freshness)));
        }
        Some(Err(match failed {
            Some((error, _)) => Error::Source(Arc::clone(error)),
            None => self.building(state),
        }))
    }

    fn building(&self, state: &State) -> Error {
        let progress = Progressing {
            done: self.counter.done.load(Ordering::Relaxed),
            total: self.counter.total.load(Ordering::Relaxed),
        };
        let root = match &self.source {
            Source::Local { root, .. } => root.display().to_string(),
            Source::Snapshot { dir, .. } => dir.display().to_string(),
        };
        debug_assert!(state.mounted.is_none(), "who has a view answers from it");
        Error::Building {
            root,
            percent: progress.percent(),
            n_files: progress.total,
            retry_after: retry_after(progress, self.counter.elapsed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_to_come_again_follows_the_progress() {
        let after = |done, total, seconds| {
            retry_after(Progressing { done, total }, Duration::from_secs(seconds))
        };
        // Nothing is known yet.
        assert_eq!((after(0, 0, 5), after(0, 100, 5)), (2, 2));
        assert_eq!(after(25, 100, 10), 38);
        assert_eq!(after(100, 100, 10), 2);
        assert_eq!((after(1, 1000, 10), after(999, 1000, 1)), (60, 1));
    }
}
