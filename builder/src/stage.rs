//! From parallel analysis to one writer in file order, with bounded memory.
//!
//! Not here: analysis and SQL. [`Numbering`] gives files their numbers in the order of their paths once it
//! is known which of them hold text, [`Inbox`] holds encoded files until all earlier ones are written.
//! Invariant: the writer sees files 0, 1, 2 … whatever the threads do. Bound: [`Inbox`] holds no more than
//! its limit plus one file a thread; the file the writer waits for is always accepted, so nobody waits for
//! ever. When one side fails the other is woken and ends.

use leantoken_formats::segment::EncodedFile;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Gives numbers to files in discovery order.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    state: Mutex<Turn>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Turn {
    next_index: usize,
    next_id: u32,
    closed: bool,
}

impl Numbering {
    /// Waits until every file before the one at `index` had its turn, then gives this one a number if it
    /// holds text. `None` when it does not, or when the build has failed.
    pub(crate) fn take(&self, index: usize, holds_text: bool) -> Option<u32> {
        let mut turn = lock(&self.state);
        while turn.next_index != index && !turn.closed {
            turn = self
                .changed
                .wait(turn)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if turn.closed {
            return None;
        }
        turn.next_index += 1;
        let id = holds_text.then_some(turn.next_id);
        turn.next_id += u32::from(holds_text);
        self.changed.notify_all();
        id
    }

    /// Ends all waiting.
    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }
}

/// Encoded files on their way to the writer.
#[derive(Debug)]
pub(crate) struct Inbox {
    state: Mutex<Waiting>,
    changed: Condvar,
    max_bytes: usize,
}

#[derive(Debug, Default)]
struct Waiting {
    files: BTreeMap<u32, EncodedFile>,
    n_bytes: usize,
    next_id: u32,
    n_senders: usize,
    closed: bool,
}

impl Inbox {
    /// Returns an inbox that `n_senders` threads fill.
    pub(crate) fn new(n_senders: usize, max_bytes: usize) -> Self {
        Inbox {
            state: Mutex::new(Waiting {
                n_senders,
                ..Waiting::default()
            }),
            changed: Condvar::new(),
            max_bytes,
        }
    }

    /// Hands over a file, waiting while too much is in flight; `false` when nobody wants it any more.
    pub(crate) fn send(&self, file: EncodedFile) -> bool {
        let n_bytes = file.bytes();
        let mut waiting = lock(&self.state);
        while !waiting.closed
            && waiting.next_id != file.id()
            && waiting.n_bytes + n_bytes > self.max_bytes
        {
            waiting = self.wait(waiting);
        }
        if waiting.closed {
            return false;
        }
        waiting.n_bytes += n_bytes;
        waiting.files.insert(file.id(), file);
        self.changed.notify_all();
        true
    }

    /// A sender will send no more.
    pub(crate) fn end(&self) {
        let mut waiting = lock(&self.state);
        waiting.n_senders = waiting.n_senders.saturating_sub(1);
        self.changed.notify_all();
    }

    /// Makes every sender end.
    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }

    /// Returns the next files in order, all that are there; empty at the end.
    pub(crate) fn receive(&self) -> Vec<EncodedFile> {
        let mut waiting = lock(&self.state);
        loop {
            let mut batch = Vec::new();
            let mut next_id = waiting.next_id;
            while let Some(file) = waiting.files.remove(&next_id) {
                waiting.n_bytes = waiting.n_bytes.saturating_sub(file.bytes());
                next_id += 1;
                batch.push(file);
            }
            waiting.next_id = next_id;
            if !batch.is_empty() {
                self.changed.notify_all();
                return batch;
            }
            if waiting.closed || waiting.n_senders == 0 {
                return batch;
            }
            waiting = self.wait(waiting);
        }
    }

    fn wait<'a>(&self, guard: MutexGuard<'a, Waiting>) -> MutexGuard<'a, Waiting> {
        self.changed
            .wait(guard)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_discovery_whatever_the_threads_do() {
        let numbering = Numbering::default();
        let mut numbers: Vec<_> = std::thread::scope(|scope| {
            let tasks: Vec<_> = [5, 3, 4, 0, 2, 1]
                .into_iter()
                .map(|index| {
                    (
                        index,
                        scope.spawn({
                            let numbering = &numbering;
                            move || numbering.take(index, index % 2 == 0)
                        }),
                    )
                })
                .collect();
            tasks
                .into_iter()
                .map(|(index, task)| (index, task.join().unwrap()))
                .collect()
        });
        numbers.sort_unstable();
        let ids: Vec<_> = numbers.into_iter().map(|(_, id)| id).collect();
        assert_eq!(ids, [Some(0), None, Some(1), None, Some(2), None]);
    }

    #[test]
    fn a_failed_build_wakes_everybody() {
        let (numbering, inbox) = (Numbering::default(), Inbox::new(1, 0));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| numbering.take(7, true));
            let receiving = scope.spawn(|| inbox.receive().len());
            numbering.close();
            inbox.close();
            assert_eq!(waiting.join().unwrap(), None);
            assert_eq!(receiving.join().unwrap(), 0);
        });
    }
}
