//! Asking from async code: a bounded number of questions at a time, each on its own thread.

use super::{Patience, Service};
use crate::api::request::{Defaults, Request};
use crate::error::Error;
use crate::form::{Form, Serialized};
use crate::query::deadline::Deadline;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;

/// Admission to a [`Service`].
#[derive(Debug)]
pub struct Pool {
    service: Arc<Service>,
    turns: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Pool {
    /// Returns admission to `service` within its limits.
    pub fn new(service: Arc<Service>) -> Self {
        Pool {
            turns: Arc::new(Semaphore::new(service.limits().max_running)),
            waiting: AtomicUsize::new(0),
            service,
        }
    }

    /// Returns the service behind.
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// Waits for a turn, answers `request` and serializes the answer.
    ///
    /// # Errors
    /// [`Error::Busy`] when too many wait already, and whatever [`Service::ask`] says.
    pub async fn ask(
        &self,
        request: Request,
        form: (Form, Defaults),
        deadline: Deadline,
    ) -> Result<Serialized, Error> {
        let waiting = Waiting::enter(&self.waiting, self.service.limits().max_waiting)?;
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        drop(waiting);
        let turn = turn.map_err(|_| Error::Busy)?;
        deadline.check()?;
        let service = Arc::clone(&self.service);
        let work = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let answer = service.ask(&request, form, &deadline, Patience::Bounded)?;
            Ok(form.0.serialize(&answer))
        });
        work.await
            .unwrap_or_else(|error| Err(Error::Internal(error.to_string())))
    }
}

/// One place in the queue; leaves it when dropped, also when the caller goes away.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn enter(count: &'a AtomicUsize, most: usize) -> Result<Self, Error> {
        let place = Waiting(count);
        if count.fetch_add(1, Ordering::Relaxed) >= most {
            return Err(Error::Busy);
        }
        Ok(place)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
