//! What finding hands to fitting: one page of items and how much there is in all.

use super::answer::{Body, Exactness, Omission};

/// A page that begins behind the items the caller already has.
#[derive(Debug)]
pub(crate) struct Found {
    /// The page: at most as many items as the request's limit.
    pub(crate) body: Body,
    /// Items in all, as the answer reports them.
    pub(crate) total: u64,
    /// Files that hold them.
    pub(crate) total_files: u64,
    /// How far `total` can be trusted.
    pub(crate) exactness: Exactness,
    /// Units in all, as cursors count them (see `fit`): hits, paths, lines of source text …
    pub(crate) n_units: u64,
    /// Items before this page, where a page counts other units than items.
    pub(crate) before: u64,
    /// Things the caller should know.
    pub(crate) notices: Vec<String>,
    /// What was left out while finding, whatever the page.
    pub(crate) omitted: Vec<Omission>,
}

impl Found {
    /// Returns a page whose units are its items.
    pub(crate) fn items(body: Body, total: u64, total_files: u64) -> Self {
        Found {
            body,
            total,
            total_files,
            exactness: Exactness::Exact,
            n_units: total,
            before: 0,
            notices: Vec::new(),
            omitted: Vec::new(),
        }
    }
}

/// Which items of an ordered result are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    /// Items before the first wanted one.
    pub(crate) skip: usize,
    /// Most items wanted.
    pub(crate) limit: usize,
}

impl Page {
    /// Cuts the wanted part out of `all`.
    pub(crate) fn of<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        let start = self.skip.min(all.len());
        let end = start.saturating_add(self.limit).min(all.len());
        &all[start..end]
    }
}
