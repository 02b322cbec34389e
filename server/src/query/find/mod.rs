//! Finding: one module a search mode.
//!
//! Not here: cutting to the budget (see `fit`). Every mode returns its hits in an order that depends
//! on nothing but query and view, with totals that say whether they are exact.

mod auto;
mod evidence;
mod kinds;
pub(crate) mod name;
pub(crate) mod near;
mod order;
pub(crate) mod path;
mod pattern;
mod present;
mod question;
mod rank;
mod reference;
mod symbol;
mod text;

pub(crate) use symbol::{Definition, Tier, definitions};

use super::deadline::Deadline;
use super::error::QueryError;
use super::found::{Found, Page};
use super::request::{CaseMode, Search, SearchMode};
use crate::view::View;

/// Runs one search.
pub(crate) fn search(
    view: &View,
    search: &Search,
    skip: usize,
    deadline: &Deadline,
) -> Result<Found, QueryError> {
    let page = Page {
        skip,
        limit: search.limit as usize,
    };
    if search.text.trim().is_empty() && !matches!(search.mode, SearchMode::Text | SearchMode::Regex)
    {
        return Err(QueryError::invalid("query", "it is empty"));
    }
    refuse_unused(search)?;
    let mut found = match search.mode {
        SearchMode::Auto => auto::find(view, search, page, deadline),
        SearchMode::Text | SearchMode::Regex => text::find(view, search, page, deadline),
        SearchMode::Symbol => symbol::find(view, search, page, deadline),
        SearchMode::Reference => reference::find(view, search, page, deadline),
        SearchMode::Path => path::search(view, search, page),
    }?;
    if found.total == 0 {
        found.notices.extend(path::unmatched(view, &search.paths));
    }
    Ok(found)
}

/// Refuses fields that the mode could only ignore.
fn refuse_unused(search: &Search) -> Result<(), QueryError> {
    if !search.kinds.is_empty() && !matches!(search.mode, SearchMode::Auto | SearchMode::Symbol) {
        let reason = "kinds are of definitions: only the modes auto and symbol filter by them";
        return Err(QueryError::invalid("kind", reason));
    }
    if search.context_lines > 0 && search.mode == SearchMode::Path {
        return Err(QueryError::invalid(
            "context",
            "paths have no lines around them",
        ));
    }
    Ok(())
}

/// Returns whether letter case does not count for `text`.
fn fold_case(case: CaseMode, text: &str) -> bool {
    match case {
        CaseMode::Sensitive => false,
        CaseMode::Insensitive => true,
        CaseMode::Smart => !text.chars().any(char::is_uppercase),
    }
}
