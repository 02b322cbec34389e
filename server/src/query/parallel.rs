//! The same work for many files on a few threads.

use super::deadline::Deadline;
use super::error::QueryError;
use crate::view::{FileId, Reader, View};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most threads one question uses.
const MAX_THREADS: usize = 8;
/// Files below which another thread does not pay.
const FILES_PER_THREAD: usize = 12;

/// Applies `work` to each file and returns the results in the order of `files`. `state` makes what
/// one thread keeps between files.
///
/// # Errors
/// The first failure in the order of `files`, or the deadline.
pub(crate) fn map_files<S, T: Send>(
    view: &View,
    files: &[FileId],
    deadline: &Deadline,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &Reader<'_>, FileId) -> Result<T, QueryError> + Sync,
) -> Result<Vec<T>, QueryError> {
    let next = AtomicUsize::new(0);
    let run = || -> Result<Vec<(usize, T)>, (usize, QueryError)> {
        let mut out = Vec::new();
        let reader = view.reader().map_err(|error| (0, error.into()))?;
        let mut state = state();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(at) else {
                return Ok(out);
            };
            let done = deadline
                .check()
                .and_then(|()| work(&mut state, &reader, *file));
            match done {
                Ok(value) => out.push((at, value)),
                Err(error) => {
                    next.store(files.len(), Ordering::Relaxed);
                    return Err((at, error));
                }
            }
        }
    };
    let n_threads = n_threads(files.len());
    let mut parts = Vec::with_capacity(n_threads);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(run)).collect();
        parts.push(run());
        for other in others {
            parts.push(match other.join() {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            });
        }
    });
    let mut all = Vec::with_capacity(files.len());
    let mut failure: Option<(usize, QueryError)> = None;
    for part in parts {
        match part {
            Ok(part) => all.extend(part),
            Err(error) if failure.as_ref().is_none_or(|first| error.0 < first.0) => {
                failure = Some(error);
            }
            Err(_) => {}
        }
    }
    if let Some((_, error)) = failure {
        return Err(error);
    }
    all.sort_unstable_by_key(|(at, _)| *at);
    Ok(all.into_iter().map(|(_, value)| value).collect())
}

fn n_threads(n_files: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    cores
        .min(MAX_THREADS)
        .min(n_files / FILES_PER_THREAD)
        .max(1)
}
