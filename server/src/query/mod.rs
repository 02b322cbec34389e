//! Asking: validated query in, answer out. Synchronous and pure over a view.
//!
//! Not here: wire types and rendering (the callers), mounting of snapshots, waiting. Flow: [`request`]
//! → find → rank → fit → [`answer`](mod@answer). Nothing in here writes.

pub mod answer;
pub mod cursor;
pub mod deadline;
pub mod error;
mod excerpt;
mod files;
mod find;
mod fit;
mod found;
mod grams;
pub mod measure;
mod outline;
mod parallel;
mod read;
pub mod request;
mod status;
#[cfg(test)]
mod tests;

use crate::view::View;
use answer::{Answer, Freshness, Source};
use deadline::Deadline;
use error::QueryError;
use measure::Measure;
use request::{Operation, Query};

/// Answers `query` over `view`. The answer never measures larger than the query's budget.
///
/// The answer does not know how the snapshot relates to the disk, nor the root it is served for; who
/// mounted it fills in both. `measure` must therefore measure answers with both filled in.
///
/// # Errors
/// Says which part of the request cannot be satisfied, and why.
pub fn answer(
    view: &View,
    query: &Query,
    measure: &dyn Measure,
    deadline: &Deadline,
) -> Result<Answer, QueryError> {
    deadline.check()?;
    let skip = query.skip as usize;
    let found = match &query.operation {
        Operation::Search(search) => find::search(view, search, skip, deadline)?,
        Operation::Files(files) => files::list(view, files, skip)?,
        Operation::Outline(wanted) => outline::outline(view, wanted, skip, deadline)?,
        Operation::Read(read) => {
            let max_bytes = query.budget.max_bytes as usize;
            read::read(view, read, skip, max_bytes, deadline)?
        }
        Operation::Status => status::status(view),
    };
    deadline.check()?;
    let envelope = fit::Envelope {
        query,
        source: source(view),
        measure,
    };
    fit::fit(found, &envelope)
}

fn source(view: &View) -> Source {
    let source = &view.manifest().source;
    Source {
        generation: view.generation().to_string(),
        revision: source
            .commit
            .clone()
            .unwrap_or_else(|| source.digest.to_string()),
        dirty: source.dirty,
        freshness: Freshness::Unknown,
    }
}
