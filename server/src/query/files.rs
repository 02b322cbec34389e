//! Listings of paths: directory tree, fuzzy find, glob.
//!
//! A tree that does not fit is filled level by level, so that what is near the top is always shown; what
//! is shown stands in the order of the tree. Units are counted in the order of the levels.

use super::answer::{Body, TreeEntry};
use super::error::QueryError;
use super::find::path;
use super::found::{Found, Page};
use super::request::{Files, FilesView};
use crate::view::{FileId, View};
use leantoken_shared::path::PathSet;

/// Lists paths.
pub(crate) fn list(view: &View, files: &Files, skip: usize) -> Result<Found, QueryError> {
    let page = Page {
        skip,
        limit: files.limit as usize,
    };
    match &files.view {
        FilesView::Tree { path, depth } => tree(view, path, *depth, &files.paths, page),
        FilesView::Find { query } => path::list(view, query, &files.paths, page),
        FilesView::Glob => {
            let ids: Vec<FileId> = view
                .ids()
                .filter(|file| files.paths.contains(view.path(*file)))
                .collect();
            let entries = page.of(&ids).iter().map(|file| path::entry(view, *file));
            let total = ids.len() as u64;
            let mut found = Found::items(Body::Paths(entries.collect()), total, total);
            found.notices.extend(path::unmatched(view, &files.paths));
            Ok(found)
        }
    }
}

fn tree(
    view: &View,
    root: &str,
    depth: u32,
    paths: &PathSet,
    page: Page,
) -> Result<Found, QueryError> {
    let below = view.below(root);
    if below.is_empty() && !root.is_empty() {
        let what = match view.find(root) {
            Some(_) => format!("directory '{root}' (it is a file)"),
            None => format!("directory '{root}'"),
        };
        return Err(QueryError::no_path(view, what, root));
    }
    let prefix = if root.is_empty() { 0 } else { root.len() + 1 };
    let mut entries: Vec<TreeEntry> = Vec::new();
    // Indexes of the entries of the open directories, outermost first.
    let mut open: Vec<usize> = Vec::new();
    let mut n_files = 0;
    for file in below.filter(|file| paths.contains(view.path(*file))) {
        let path = view.path(file);
        let n_lines = u64::from(view.row(file).n_lines);
        n_files += 1;
        while let Some(last) = open.last() {
            let directory = &entries[*last].path;
            if path.starts_with(directory.as_str()) && path[directory.len()..].starts_with('/') {
                break;
            }
            open.pop();
        }
        let opened = open
            .last()
            .map_or(prefix, |last| entries[*last].path.len() + 1);
        let mut slashes = path[opened..].match_indices('/');
        while open.len() < depth as usize {
            let Some((at, _)) = slashes.next() else {
                break;
            };
            let level = open.len() as u32;
            open.push(entries.len());
            entries.push(TreeEntry {
                path: path[..opened + at].to_string(),
                depth: level,
                n_files: Some(0),
                ..TreeEntry::default()
            });
        }
        for directory in &open {
            let entry = &mut entries[*directory];
            entry.n_files = entry.n_files.map(|n| n + 1);
            entry.n_lines += n_lines;
        }
        if open.len() < depth as usize {
            entries.push(TreeEntry {
                path: path.to_string(),
                depth: open.len() as u32,
                n_lines,
                ..TreeEntry::default()
            });
        }
    }
    let total = entries.len() as u64;
    let ranks = level_ranks(&mut entries);
    let wanted = page.skip as u64..page.skip.saturating_add(page.limit) as u64;
    let ranked = entries.into_iter().zip(ranks);
    let shown = ranked.filter(|(_, rank)| wanted.contains(rank));
    let shown = shown.map(|(entry, _)| entry).collect();
    let mut found = Found::items(Body::Tree(shown), total, n_files);
    found.notices.extend(path::unmatched(view, paths));
    Ok(found)
}

/// Returns where each entry stands level by level, and notes where the children of each one stand.
fn level_ranks(entries: &mut [TreeEntry]) -> Vec<u64> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|at| entries[*at].depth);
    let mut ranks = vec![0; entries.len()];
    for (rank, at) in order.into_iter().enumerate() {
        ranks[at] = rank as u64;
    }
    let mut open: Vec<usize> = Vec::new();
    for at in 0..entries.len() {
        open.truncate(entries[at].depth as usize);
        if let Some(parent) = open.last() {
            // The children of one entry follow each other on their level.
            let children = &mut entries[*parent].children;
            if children.is_empty() {
                *children = ranks[at]..ranks[at];
            }
            children.end = ranks[at] + 1;
        }
        open.push(at);
    }
    ranks
}
