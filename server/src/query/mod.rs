//! Asking: validated query in, answer out. Synchronous and pure over a view.
//!
//! Not here: wire types and rendering (the callers), mounting of snapshots, waiting. Flow: [`request`]
//! → find → rank → fit → [`answer`](mod@answer). Nothing in here writes.

pub mod answer;
pub mod cursor;
pub mod deadline;
pub mod error;
mod grams;
pub mod measure;
pub mod request;

use crate::view::View;
use answer::Answer;
use deadline::Deadline;
use error::QueryError;
use measure::Measure;
use request::Query;

/// Answers `query` over `view`. The answer never measures larger than the query's budget.
///
/// # Errors
/// Says which part of the request cannot be satisfied, and why.
pub fn answer(
    view: &View,
    query: &Query,
    measure: &dyn Measure,
    deadline: &Deadline,
) -> Result<Answer, QueryError> {
    let _ = (view, query, measure);
    deadline.check()?;
    Err(QueryError::Corrupt("no segment".into()))
}
