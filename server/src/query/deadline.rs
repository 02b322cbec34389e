//! How long a question may be worked on: one value for deadline and cancellation.

use super::error::QueryError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A point in time and a flag; work stops soon after either.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    at: Option<Instant>,
    cancelled: Arc<AtomicBool>,
}

impl Deadline {
    /// Returns a deadline at `at`; `None` means no limit of time.
    pub fn new(at: Option<Instant>) -> Self {
        Deadline {
            at,
            cancelled: Arc::default(),
        }
    }

    /// Stops the work of everybody who holds a clone of this value.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns an error when the work must stop.
    ///
    /// # Errors
    /// [`QueryError::Cancelled`] or [`QueryError::Timeout`].
    pub fn check(&self) -> Result<(), QueryError> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(QueryError::Cancelled);
        }
        if self.at.is_some_and(|at| Instant::now() >= at) {
            return Err(QueryError::Timeout);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_for_every_clone() {
        let deadline = Deadline::new(None);
        let clone = deadline.clone();
        assert!(clone.check().is_ok());
        deadline.cancel();
        assert!(matches!(clone.check(), Err(QueryError::Cancelled)));
        let past = Deadline::new(Some(Instant::now()));
        assert!(matches!(past.check(), Err(QueryError::Timeout)));
    }
}
