//! The one way in: a request goes in, an answer comes out.
//!
//! Not here: wire forms (see `api`, `render`) and the answering itself (see `query`). A [`Service`] holds
//! where answers come from and the view that is current; views are swapped whole, and a view in use
//! lives until its last answer is done. Every call passes: check of the request, view, query, answer.
//!
//! Invariant: an answer says `fresh` only when every file was compared with the disk after the call
//! arrived, or less than [`Limits::recheck_after`] before. Bounds: see [`Limits`].

mod current;
mod mount;
pub mod pool;

pub use current::Progressing;

use crate::api::request::{Defaults, Request};
use crate::api::target::{Place, Places, Unseen};
use crate::error::Error;
use crate::form::{Form, FormMeasure};
use crate::query;
use crate::query::answer::Answer;
use crate::query::deadline::Deadline;
use crate::query::error::QueryError;
use crate::settings::Source;
use crate::view::View;
use current::Current;
use leantoken_builder::progress::Progress;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Every bound of the service, in one place.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long a call waits for the first build.
    pub first_build_wait: Duration,
    /// How long a call waits for a check of the disk, and for a build of what changed.
    pub refresh_wait: Duration,
    /// How old a check of the disk may be without being repeated.
    pub recheck_after: Duration,
    /// How long one question may be worked on.
    pub query_time: Duration,
    /// Most questions worked on at a time.
    pub max_running: usize,
    /// Most questions that wait for their turn.
    pub max_waiting: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Limits {
            first_build_wait: Duration::from_secs(8),
            refresh_wait: Duration::from_secs(3),
            recheck_after: Duration::from_secs(1),
            query_time: Duration::from_secs(10),
            max_running: cores.clamp(2, 16),
            max_waiting: 64,
        }
    }
}

/// How long a caller waits for a view.
#[derive(Clone, Copy)]
pub enum Patience<'a> {
    /// Until it is there, shown on the way.
    Endless(&'a dyn Progress),
    /// As [`Limits`] say.
    Bounded,
}

/// What answers requests about one source.
#[derive(Debug)]
pub struct Service {
    /// The root as paths are compared with it; a snapshot has none.
    root: Option<String>,
    /// The directory below the root from which paths are given first.
    here: String,
    /// The root as it is shown.
    shown_root: String,
    limits: Limits,
    current: Arc<Current>,
}

impl Service {
    /// Returns a service over `source`. Nothing is opened or built yet.
    pub fn new(source: Source, limits: Limits) -> Self {
        let (root, shown_root) = match &source {
            Source::Local { root, .. } => {
                let compared = root.to_str().map(comparable);
                (compared, root.display().to_string())
            }
            Source::Snapshot { dir, .. } => (None, dir.display().to_string()),
        };
        Service {
            root,
            here: String::new(),
            shown_root,
            limits,
            current: Arc::new(Current::new(source, limits)),
        }
    }

    /// Lets paths be given from the directory `cwd` first, where it lies below the root.
    #[must_use]
    pub fn from_directory(mut self, cwd: &Path) -> Self {
        let cwd = cwd.canonicalize().ok();
        let cwd = cwd.as_deref().and_then(Path::to_str);
        let below = cwd
            .map(comparable)
            .zip(self.root.as_deref())
            .and_then(|(cwd, root)| Some(cwd.strip_prefix(root)?.to_owned()));
        if let Some(below) = below.filter(|below| below.starts_with('/')) {
            self.here = below.trim_matches('/').to_owned();
        }
        self
    }

    /// Returns the bounds of this service.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Begins to open or build in the background, so that the first call finds it done.
    pub fn warm(&self) {
        self.current.start();
    }

    /// Ends every wait for a build: nobody is going to read the answers.
    pub fn close(&self) {
        self.current.close();
    }

    /// Returns how far a running build is.
    pub fn progress(&self) -> Option<Progressing> {
        self.current.progress()
    }

    /// Answers `request`. The answer fits its budget in `form`.
    ///
    /// # Errors
    /// The request is invalid, the view cannot be had in time, or the question has no answer.
    pub fn ask(
        &self,
        request: &Request,
        (form, defaults): (Form, Defaults),
        deadline: &Deadline,
        patience: Patience<'_>,
    ) -> Result<Answer, Error> {
        // What is wrong whatever the index holds is said before anything is built.
        let unseen = Unseen {
            root: self.root.as_deref(),
            here: &self.here,
        };
        request.to_query(&unseen, None, defaults)?;
        let (mounted, freshness) = self.current.view(patience)?;
        let view = mounted.view;
        let known = Known {
            view: &view,
            root: self.root.as_deref(),
            here: &self.here,
        };
        let query = request.to_query(&known, Some(view.generation()), defaults)?;
        let scarcity = mounted.ignored.explain(u64::from(view.n_files()));
        let measure = FormMeasure {
            form,
            tokenizer: query.budget.max_tokens.map(|_| query.budget.tokenizer),
            freshness,
            root: &self.shown_root,
            ignored: &mounted.ignored,
            scarcity: scarcity.as_deref(),
        };
        let answered = catch_unwind(AssertUnwindSafe(|| {
            query::answer(&view, &query, &measure, deadline)
        }));
        let answered = answered.map_err(|panic| Error::Internal(panic_text(&*panic)))?;
        let mut answer = answered.map_err(|error| match (error, scarcity.clone()) {
            (error @ QueryError::NotFound { .. }, Some(reason)) => Error::Scarce {
                error: Box::new(error),
                reason,
            },
            (error, _) => error.into(),
        })?;
        measure.complete(&mut answer);
        Ok(answer)
    }
}

/// Returns an absolute path as people write it, with `/` between parts.
fn comparable(path: &str) -> String {
    if cfg!(not(windows)) {
        return path.to_owned();
    }
    path.trim_start_matches(r"\\?\").replace('\\', "/")
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}

/// What is known about paths while a request is checked.
struct Known<'a> {
    view: &'a View,
    root: Option<&'a str>,
    here: &'a str,
}

impl Places for Known<'_> {
    fn place(&self, path: &str) -> Place {
        let view = self.view;
        // Files are numbered in the byte order of their paths.
        let first_not_below = |bound: &str| {
            let (mut low, mut high) = (0, view.n_files());
            while low < high {
                let middle = low + (high - low) / 2;
                if view.path(middle) < bound {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            (low < view.n_files()).then(|| view.path(low))
        };
        if path.is_empty() {
            return Place::Directory;
        }
        if first_not_below(path) == Some(path) {
            return Place::File;
        }
        let below = format!("{path}/");
        match first_not_below(&below) {
            Some(found) if found.starts_with(&below) => Place::Directory,
            _ => Place::Nothing,
        }
    }

    fn root(&self) -> Option<&str> {
        self.root
    }

    fn here(&self) -> &str {
        self.here
    }
}

#[cfg(test)]
mod tests;
