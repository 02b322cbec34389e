//! The three verbs: arguments and environment in, a document out.
//!
//! Not here: printing. Each verb returns one [`Document`], so that text and JSON say the same.

use crate::args::{BuildArgs, SnapshotArgs};
use crate::console::Console;
use crate::settings::Environment;
use leantoken_builder::error::BuildError;
use leantoken_builder::local::{Cache, StatCache};
use leantoken_builder::progress::{Phase, Progress};
use leantoken_builder::report::readable_size;
use leantoken_builder::{BuildRequest, Built, discover};
use leantoken_formats::layout::{self, BlobRole};
use leantoken_formats::manifest::Manifest;
use leantoken_formats::segment::Segment;
use leantoken_formats::verify;
use leantoken_shared::digest::ContentHash;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How many paths are named for each reason to leave files out.
const SHOWN_PATHS: usize = 5;

/// What a verb has to say, in both forms.
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) json: Value,
    /// What to say beside the text; in JSON already.
    pub(crate) warnings: Vec<String>,
}

/// Builds a snapshot.
pub(crate) fn build(
    args: &BuildArgs,
    environment: &Environment,
    console: &Console,
) -> Result<Document, BuildError> {
    let cache = match &args.out {
        Some(_) => None,
        None => Some(Cache::open(&cache_dir(environment)?)?),
    };
    let out = match (&args.out, &cache) {
        (Some(out), _) => out.clone(),
        (None, Some(cache)) => cache.dir().to_path_buf(),
        (None, None) => PathBuf::new(),
    };
    let mut request = BuildRequest::new(args.root.clone(), out);
    request.home = environment.home.clone();
    request.force_root = args.force_root;
    if let Some(threads) = args.threads {
        request.threads = usize::from(threads);
    }
    if let Some(max_file_bytes) = args.max_file_bytes {
        request.limits.max_file_bytes = max_file_bytes;
    }
    let mut built = match &cache {
        Some(cache) => build_current(&request, cache, console)?,
        None => leantoken_builder::build(&request, console)?,
    };
    console.end();
    built.report.warnings.extend(unmarked(&request.out));
    Ok(describe_build(&built, &request.out))
}

/// Says that a snapshot lies among files that are not ours, which no mark keeps out of other indexes.
fn unmarked(out: &Path) -> Option<String> {
    let tag = layout::CACHE_TAG;
    let is_marked = out.join(tag).symlink_metadata().is_ok();
    (!is_marked).then(|| {
        format!(
            "{} holds other files, so it was not marked with {tag}: within a tree the snapshot would be \
             indexed and committed; give --out a directory of its own",
            out.display()
        )
    })
}

/// Builds a snapshot in the cache and makes it the current one of its tree.
fn build_current(
    request: &BuildRequest,
    cache: &Cache,
    console: &Console,
) -> Result<Built, BuildError> {
    console.phase(Phase::Discover);
    let found = discover::discover(&request.discovery())?;
    let worktree = cache.worktree(found.root.path());
    let _lock = worktree.lock(None)?;
    let built = leantoken_builder::build_found(request, found, console)?;
    worktree.set_current(&StatCache {
        generation: built.generation,
        seen: built.seen.clone(),
    })?;
    cache.prune();
    Ok(built)
}

fn cache_dir(environment: &Environment) -> Result<PathBuf, BuildError> {
    environment.cache_dir.clone().ok_or(BuildError::Setting {
        name: "LEANTOKEN_CACHE_DIR",
        range: "set where there is no home directory, or --out given",
    })
}

fn describe_build(built: &Built, out: &Path) -> Document {
    let report = &built.report;
    let mut text = String::new();
    let _ = writeln!(text, "{}", built.generation);
    let _ = writeln!(
        text,
        "{} build in {:.2} s: {}, {} of source, {} of snapshot in {}",
        report.kind.as_str(),
        report.total.as_secs_f64(),
        count(report.n_files, "file"),
        readable_size(report.n_bytes),
        readable_size(report.n_snapshot_bytes),
        out.display(),
    );
    let skipped: BTreeMap<&str, u64> = report
        .skipped
        .iter()
        .map(|(reason, n)| (reason.as_str(), *n))
        .collect();
    let notes: BTreeMap<&str, u64> = report
        .notes
        .iter()
        .map(|(note, n)| (note.as_str(), *n))
        .collect();
    let ignored: BTreeMap<&str, u64> = report.ignored.counts().collect();
    for (title, counts) in [
        ("left out", &skipped),
        ("ignored (a directory counts as one)", &ignored),
        ("facts incomplete", &notes),
    ] {
        if !counts.is_empty() {
            let _ = writeln!(text, "{title}: {}", list(counts));
        }
    }
    let json = json!({
        "generation": built.generation.to_string(),
        "dir": out.to_string_lossy(),
        "kind": report.kind.as_str(),
        "files": report.n_files,
        "analyzed": report.n_analyzed,
        "bytes": report.n_bytes,
        "snapshot_bytes": report.n_snapshot_bytes,
        "skipped": skipped,
        "ignored": ignored,
        "notes": notes,
        "warnings": report.warnings,
        "threads": report.n_threads,
        "ms": {
            "discover": report.discover.as_millis() as u64,
            "analyze": report.analyze.as_millis() as u64,
            "seal": report.seal.as_millis() as u64,
            "total": report.total.as_millis() as u64,
        },
    });
    Document {
        text,
        json,
        warnings: report.warnings.clone(),
    }
}

/// Verifies a snapshot.
pub(crate) fn verify(
    args: &SnapshotArgs,
    environment: &Environment,
) -> Result<Document, BuildError> {
    let (dir, generation) = find(args, environment)?;
    let report = verify::verify(&dir, &generation)?;
    let n_files = report.manifest.stats.files;
    Ok(Document {
        text: format!(
            "{generation} is whole: {}, {}\n",
            count(n_files, "file"),
            readable_size(report.n_bytes)
        ),
        json: json!({
            "generation": generation.to_string(),
            "whole": true,
            "files": n_files,
            "bytes": report.n_bytes,
        }),
        warnings: Vec::new(),
    })
}

/// Returns the directory and the generation that the arguments name.
fn find(
    args: &SnapshotArgs,
    environment: &Environment,
) -> Result<(PathBuf, ContentHash), BuildError> {
    let named = args
        .generation
        .as_deref()
        .map(|text| {
            text.parse()
                .or_else(|()| ContentHash::from_hex(text).ok_or(()))
                .map_err(|()| BuildError::Setting {
                    name: "--generation",
                    range: "b3: and 64 lower-case hexadecimal digits",
                })
        })
        .transpose()?;
    let Some(dir) = &args.dir else {
        let cache = Cache::open(&cache_dir(environment)?)?;
        let here = Path::new(".");
        let root = here.canonicalize().map_err(|source| BuildError::Root {
            path: here.to_path_buf(),
            source,
        })?;
        let current = || cache.worktree(&root).current().generations.first().copied();
        let generation = named
            .or_else(current)
            .ok_or_else(|| BuildError::NoSnapshot {
                dir: root.clone(),
                what: "has no snapshot in the cache".into(),
            })?;
        return Ok((cache.dir().to_path_buf(), generation));
    };
    match named {
        Some(generation) => Ok((dir.clone(), generation)),
        None => Ok((dir.clone(), only_generation(dir)?)),
    }
}

fn only_generation(dir: &Path) -> Result<ContentHash, BuildError> {
    let entries = std::fs::read_dir(dir.join(layout::MANIFESTS))
        .into_iter()
        .flatten();
    let found: BTreeSet<ContentHash> = entries
        .flatten()
        .filter_map(|entry| {
            ContentHash::from_hex(entry.file_name().to_str()?.strip_suffix(".json")?)
        })
        .collect();
    let mut found = found.into_iter();
    match (found.next(), found.len()) {
        (Some(one), 0) => Ok(one),
        (first, more) => Err(BuildError::NoSnapshot {
            dir: dir.to_path_buf(),
            what: match first {
                Some(_) => format!("holds {} snapshots", more + 1),
                None => "holds no snapshot".into(),
            },
        }),
    }
}

/// Describes a snapshot.
pub(crate) fn inspect(
    args: &SnapshotArgs,
    environment: &Environment,
) -> Result<Document, BuildError> {
    let (dir, generation) = find(args, environment)?;
    let manifest = verify::load_manifest(&dir, &generation)?;
    let mut contents = Contents::default();
    // The newest segment that lists a path as present or hidden owns it.
    let mut owned = BTreeSet::new();
    for (at, entry) in manifest.segments.iter().enumerate().rev() {
        let blob = |role| dir.join(layout::blob(role, &entry.blob(role).hash));
        let segment = Segment::open(&blob(BlobRole::Core), &blob(BlobRole::Text))?;
        contents.add(&segment, at + 1 == manifest.segments.len(), &mut owned)?;
    }
    Ok(contents.describe(&generation, &manifest))
}

/// What a snapshot holds, counted.
#[derive(Default)]
struct Contents {
    languages: BTreeMap<&'static str, u64>,
    classes: BTreeMap<&'static str, u64>,
    notes: BTreeMap<&'static str, u64>,
    skipped: BTreeMap<&'static str, (u64, Vec<String>)>,
    sizes: BTreeMap<&'static str, u64>,
}

impl Contents {
    fn add(
        &mut self,
        segment: &Segment,
        is_newest: bool,
        owned: &mut BTreeSet<String>,
    ) -> Result<(), BuildError> {
        for row in segment.files() {
            if !owned.insert(row.path.to_string()) {
                continue;
            }
            *self.languages.entry(row.language.as_str()).or_default() += 1;
            *self.classes.entry(row.class.as_str()).or_default() += 1;
            for note in row.notes.iter() {
                *self.notes.entry(note.as_str()).or_default() += 1;
            }
        }
        owned.extend(segment.hidden().iter().map(ToString::to_string));
        // The newest segment lists what the whole tree leaves out.
        for skipped in segment.skipped()?.into_iter().filter(|_| is_newest) {
            let (n, paths) = self.skipped.entry(skipped.reason.as_str()).or_default();
            *n += 1;
            if paths.len() < SHOWN_PATHS {
                paths.push(skipped.path);
            }
        }
        for (table, size) in segment.sizes() {
            *self.sizes.entry(table).or_default() += size;
        }
        Ok(())
    }

    fn describe(&self, generation: &ContentHash, manifest: &Manifest) -> Document {
        let source = &manifest.source;
        let revision = source
            .commit
            .clone()
            .unwrap_or_else(|| source.digest.to_string());
        let mut text = String::new();
        let _ = writeln!(text, "{generation}");
        let _ = writeln!(
            text,
            "revision {revision}{}, {}, {}, {} of source, {}",
            if source.dirty { " with changes" } else { "" },
            count(manifest.stats.files, "file"),
            count(manifest.stats.lines, "line"),
            readable_size(manifest.stats.bytes),
            count(manifest.segments.len() as u64, "segment"),
        );
        for (title, counts) in [
            ("languages", &self.languages),
            ("roles", &self.classes),
            ("facts incomplete", &self.notes),
        ] {
            if !counts.is_empty() {
                let _ = writeln!(text, "{title}: {}", list(counts));
            }
        }
        for (reason, (n, paths)) in &self.skipped {
            let more = if *n > paths.len() as u64 { ", …" } else { "" };
            let shown: Vec<String> = paths.iter().map(|path| printable(path)).collect();
            let _ = writeln!(text, "left out, {reason}: {n} ({}{more})", shown.join(", "));
        }
        for (table, n_bytes) in by_size(&self.sizes) {
            let _ = writeln!(text, "{:>10}  {table}", readable_size(n_bytes));
        }
        let skipped: BTreeMap<_, _> = self
            .skipped
            .iter()
            .map(|(reason, (n, paths))| (*reason, json!({"count": n, "paths": paths})))
            .collect();
        let json = json!({
            "generation": generation.to_string(),
            "revision": revision,
            "dirty": source.dirty,
            "files": manifest.stats.files,
            "lines": manifest.stats.lines,
            "bytes": manifest.stats.bytes,
            "segments": manifest.segments.len(),
            "languages": self.languages,
            "roles": self.classes,
            "notes": self.notes,
            "skipped": skipped,
            "sizes": self.sizes,
        });
        Document {
            text,
            json,
            warnings: Vec::new(),
        }
    }
}

fn by_size(sizes: &BTreeMap<&'static str, u64>) -> Vec<(&'static str, u64)> {
    let mut sizes: Vec<_> = sizes.iter().map(|(table, size)| (*table, *size)).collect();
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    sizes
}

/// Returns counts as text, the largest first.
fn list(counts: &BTreeMap<&'static str, u64>) -> String {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), **name));
    let parts: Vec<String> = counts
        .iter()
        .map(|(name, n)| format!("{name} {n}"))
        .collect();
    parts.join(", ")
}

/// Returns a path without characters that could command a terminal.
fn printable(path: &str) -> String {
    path.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// Returns a number of things, `one` being the word for one of them.
fn count(n: u64, one: &str) -> String {
    let end = if n == 1 { "" } else { "s" };
    format!("{n} {one}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!(
            [0, 1, 2].map(|n| count(n, "segment")),
            ["0 segments", "1 segment", "2 segments"]
        );
    }
}
