//! What is indexed: counts by language, what the facts lack, what was left out.

use super::answer::{Body, Status};
use super::found::Found;
use crate::view::View;
use leantoken_shared::language::Language;
use std::collections::BTreeMap;

/// Counts over the live files of the view.
pub(crate) fn status(view: &View) -> Found {
    let mut languages: BTreeMap<Language, (u64, u64)> = BTreeMap::new();
    let mut notes: BTreeMap<u8, (&'static str, u64)> = BTreeMap::new();
    let mut status = Status {
        n_files: u64::from(view.n_files()),
        n_symbols: view.totals().n_symbols,
        n_segments: view.n_segments() as u64,
        ..Status::default()
    };
    for file in view.ids() {
        let row = view.row(file);
        status.n_lines += u64::from(row.n_lines);
        status.n_bytes += row.size;
        let counts = languages.entry(row.language).or_default();
        counts.0 += 1;
        counts.1 += u64::from(row.n_lines);
        for note in row.notes.iter() {
            notes.entry(note as u8).or_insert((note.as_str(), 0)).1 += 1;
        }
    }
    status.languages = languages
        .into_iter()
        .map(|(language, (files, lines))| (language, files, lines))
        .collect();
    // Stable: languages of equally many lines stay in stored order.
    status
        .languages
        .sort_by_key(|(_, _, lines)| std::cmp::Reverse(*lines));
    status.notes = notes.into_values().collect();
    let manifest = view.manifest();
    let skipped = manifest.stats.skipped.iter();
    status.skipped = skipped.map(|(reason, n)| (reason.as_str(), *n)).collect();
    let blobs = manifest.segments.iter().map(|s| s.core.size + s.text.size);
    status.snapshot_bytes = blobs.sum();
    let n_files = status.n_files;
    Found::items(Body::Status(Box::new(status)), 1, n_files)
}
