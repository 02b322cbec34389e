//! An answer as compact text: facts first, then `path:line symbol` and numbered source lines.
//!
//! Not here: JSON (see `api::document`), printing. The first line carries everything that must not be
//! lost when a host cuts the text: counts, what the answer speaks for, what was left out, the cursor.
//! Invariant: the text holds no control character but line feed and tab, whatever the source holds,
//! and no path can be mistaken for two.

use crate::api::document::operation;
use crate::query::answer::{
    Answer, Body, Exactness, Excerpt, FileOutline, Freshness, Hit, PathEntry, Status, TreeEntry,
};
use leantoken_builder::report::readable_size;
use std::fmt::Write as _;

/// Hexadecimal digits of a generation or revision that are shown.
const SHORT_ID: usize = 12;

/// Returns `answer`, which relates to the disk as `freshness` says, as text that ends with a line feed.
pub fn text(answer: &Answer, freshness: Freshness) -> String {
    let mut out = String::with_capacity(1024);
    header(answer, freshness, &mut out);
    for notice in &answer.notices {
        out.push_str("note: ");
        push_clean(notice, &mut out);
        out.push('\n');
    }
    match &answer.body {
        Body::Hits(list) => hits(list, &mut out),
        Body::Tree(entries) => tree(entries, &mut out),
        Body::Paths(entries) => entries.iter().for_each(|found| entry(found, &mut out)),
        Body::Outline(files) => files.iter().for_each(|file| outline(file, &mut out)),
        Body::Excerpts(list) => list.iter().for_each(|piece| excerpt(piece, &mut out)),
        Body::Status(found) => status(found, &mut out),
    }
    out
}

fn header(answer: &Answer, freshness: Freshness, out: &mut String) {
    let extent = &answer.extent;
    out.push_str(operation(&answer.body));
    out.push_str(": ");
    if !matches!(answer.body, Body::Status(_)) {
        counts(answer, out);
        out.push_str("; ");
    }
    let source = &answer.source;
    let generation = source.generation.trim_start_matches("b3:");
    let _ = write!(out, "gen {}", short(generation));
    if !source.revision.is_empty() {
        let _ = write!(
            out,
            "; rev {}",
            short(source.revision.trim_start_matches("b3:"))
        );
        out.push_str(if source.dirty { "+dirty" } else { "" });
    }
    let _ = write!(out, "; {}", freshness.as_str());
    for (at, omission) in extent.omitted.iter().enumerate() {
        out.push_str(if at == 0 { "; left out: " } else { ", " });
        let _ = match omission.reason {
            // Counted in another unit than the items.
            "long_line" => write!(out, "{} bytes of long lines", omission.count),
            "imports" => write!(out, "{}", counted(omission.count, "import")),
            reason => write!(out, "{} by {reason}", omission.count),
        };
    }
    if let Some(cursor) = &extent.next_cursor {
        let _ = write!(out, "; cursor={cursor}");
    }
    out.push('\n');
}

/// `12 of 340 matches in 27 files`, shorter where all are shown; `best 12 of 340 places in 270 files`
/// where files were not looked into, each of which counts as one place.
fn counts(answer: &Answer, out: &mut String) {
    let extent = &answer.extent;
    let is_ranked = extent.omitted.iter().any(|left| left.reason == "rank");
    let one = match &answer.body {
        Body::Hits(_) if is_ranked => "place",
        Body::Hits(_) => "match",
        Body::Tree(_) => "entry",
        Body::Paths(_) => "path",
        Body::Outline(_) => "definition",
        Body::Excerpts(_) => "line",
        Body::Status(_) => "",
    };
    if is_ranked {
        out.push_str("best ");
    }
    if extent.returned != extent.total {
        let _ = write!(out, "{} of ", extent.returned);
    }
    if extent.exactness == Exactness::LowerBound {
        out.push_str("at least ");
    }
    out.push_str(&counted(extent.total, one));
    if extent.total_files > 0 && !matches!(answer.body, Body::Paths(_)) {
        let _ = write!(out, " in {}", counted(extent.total_files, "file"));
    }
}

/// Returns a number of things, `one` being the word for one of them.
fn counted(count: impl Into<u64>, one: &str) -> String {
    let count = count.into();
    match one {
        _ if count == 1 => format!("1 {one}"),
        "match" => format!("{count} matches"),
        "entry" => format!("{count} entries"),
        _ => format!("{count} {one}s"),
    }
}

fn short(id: &str) -> &str {
    id.get(..SHORT_ID).unwrap_or(id)
}

/// Hits of one file that follow each other share one line with the path.
fn hits(list: &[Hit], out: &mut String) {
    for group in list.chunk_by(|a, b| a.path == b.path) {
        let [single] = group else {
            push_path(&group[0].path, out);
            out.push('\n');
            group_lines(group, out);
            continue;
        };
        push_path(&single.path, out);
        place(single, out);
        describe(single, out);
        out.push('\n');
        source_lines(single, out);
    }
}

fn group_lines(group: &[Hit], out: &mut String) {
    let mut said = (None, None);
    for hit in group {
        let is_line = hit.start_line == hit.end_line && !hit.lines.is_empty();
        let about = (hit.symbol.as_deref(), hit.usage);
        // A line of source carries its number, and lines of one definition say once where they are.
        if !is_line {
            place(hit, out);
            describe(hit, out);
            out.push('\n');
        } else if about != said && about != (None, None) {
            let mut head = String::new();
            describe(hit, &mut head);
            out.push_str(head.trim_start());
            out.push('\n');
        }
        said = about;
        source_lines(hit, out);
    }
}

fn place(hit: &Hit, out: &mut String) {
    if hit.start_line == 0 {
        return;
    }
    let _ = write!(out, ":{}", hit.start_line);
    if hit.end_line != hit.start_line {
        let _ = write!(out, "-{}", hit.end_line);
    }
}

fn describe(hit: &Hit, out: &mut String) {
    if let Some(kind) = hit.kind {
        out.push(' ');
        out.push_str(kind.as_str());
    }
    if let Some(symbol) = &hit.symbol {
        out.push_str(if hit.kind.is_none() { " in " } else { " " });
        push_clean(symbol, out);
    }
    if let Some(usage) = hit.usage {
        let _ = write!(out, " ({})", usage.as_str());
    }
}

fn source_lines(hit: &Hit, out: &mut String) {
    let shown = (hit.lines_start..).zip(hit.lines.iter());
    let best = hit.best_lines.iter().map(|(at, line)| (*at, line));
    let mut lines: Vec<(u32, &String)> = shown.chain(best).collect();
    lines.sort_by_key(|(at, _)| *at);
    for (at, line) in lines {
        let within = (hit.start_line..=hit.end_line).contains(&at);
        numbered(at, if within { ':' } else { '-' }, line, out);
    }
}

fn numbered(number: u32, mark: char, line: &str, out: &mut String) {
    let _ = write!(out, "{number}{mark}");
    push_clean(line, out);
    out.push('\n');
}

/// Entries by their names below the directory they lie in; by their paths where that is not shown.
fn tree(entries: &[TreeEntry], out: &mut String) {
    let mut open: Vec<&TreeEntry> = Vec::new();
    for entry in entries {
        let is_below = |directory: &TreeEntry| {
            let rest = entry.path.strip_prefix(directory.path.as_str());
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        while open.last().is_some_and(|last| !is_below(last)) {
            open.pop();
        }
        let has_place = open.len() == entry.depth as usize;
        branch(entry, has_place, out);
        if has_place {
            open.push(entry);
        }
    }
}

fn branch(entry: &TreeEntry, has_place: bool, out: &mut String) {
    if has_place {
        (0..entry.depth).for_each(|_| out.push_str("  "));
        let name = entry.path.rsplit('/').next().unwrap_or(&entry.path);
        push_path(name, out);
    } else {
        push_path(&entry.path, out);
    }
    match entry.n_files {
        Some(files) => {
            let (files, lines) = (counted(files, "file"), counted(entry.n_lines, "line"));
            let _ = write!(out, "/ {files}, {lines}");
            if entry.n_hidden > 0 {
                let _ = write!(out, " ({} below not shown)", entry.n_hidden);
            }
            out.push('\n');
        }
        None => {
            let _ = writeln!(out, " {}", entry.n_lines);
        }
    }
}

fn entry(entry: &PathEntry, out: &mut String) {
    push_path(&entry.path, out);
    let _ = writeln!(out, " {}", entry.n_lines);
}

fn outline(file: &FileOutline, out: &mut String) {
    push_path(&file.path, out);
    let lines = counted(file.n_lines, "line");
    let _ = write!(out, " {} {lines}", file.language.as_str());
    if !file.notes.is_empty() {
        let _ = write!(out, " (facts incomplete: {})", file.notes.join(", "));
    }
    out.push('\n');
    if !file.imports.is_empty() {
        out.push_str("imports: ");
        push_clean(&file.imports.join("; "), out);
        out.push('\n');
    }
    for symbol in &file.symbols {
        (0..symbol.depth).for_each(|_| out.push_str("  "));
        let _ = write!(out, "{}", symbol.start_line);
        if symbol.end_line != symbol.start_line {
            let _ = write!(out, "-{}", symbol.end_line);
        }
        out.push(' ');
        if symbol.signature.is_empty() {
            let _ = write!(out, "{} ", symbol.kind.as_str());
            push_clean(&symbol.name, out);
        } else {
            push_clean(&symbol.signature, out);
        }
        out.push('\n');
    }
}

fn excerpt(excerpt: &Excerpt, out: &mut String) {
    push_path(&excerpt.path, out);
    let shown = excerpt.start_line + (excerpt.lines.len() as u32).saturating_sub(1);
    if excerpt.end_line > 0 {
        let _ = write!(out, ":{}-{}", excerpt.start_line, shown);
    }
    if shown < excerpt.end_line {
        let _ = write!(out, " of {}-{}", excerpt.start_line, excerpt.end_line);
    }
    if let Some(symbol) = &excerpt.symbol {
        out.push(' ');
        push_clean(symbol, out);
    }
    let _ = writeln!(out, " ({})", counted(excerpt.n_lines, "line"));
    for (at, line) in (excerpt.start_line..).zip(&excerpt.lines) {
        numbered(at, ':', line, out);
    }
}

fn status(status: &Status, out: &mut String) {
    out.push_str("root: ");
    push_path(&status.root, out);
    let _ = write!(
        out,
        "\nindexed: {}, {}, {}, {}\nsnapshot: {} in {}\n",
        counted(status.n_files, "file"),
        counted(status.n_lines, "line"),
        readable_size(status.n_bytes),
        counted(status.n_symbols, "symbol"),
        readable_size(status.snapshot_bytes),
        counted(status.n_segments, "segment")
    );
    let languages = status.languages.iter();
    let languages: Vec<String> = languages
        .map(|(language, files, lines)| {
            let (files, lines) = (counted(*files, "file"), counted(*lines, "line"));
            format!("{} {files} {lines}", language.as_str())
        })
        .collect();
    list("languages", &languages, out);
    let reason = |(reason, count): &(&str, u64)| format!("{reason} {count}");
    let notes: Vec<String> = status.notes.iter().map(reason).collect();
    let title = "facts incomplete (searched in full, but definitions and uses may be missing)";
    list(title, &notes, out);
    let skipped: Vec<String> = status.skipped.iter().map(reason).collect();
    list("not indexed", &skipped, out);
    let ignored: Vec<String> = status.ignored.iter().map(reason).collect();
    list("ignored (a directory counts as one)", &ignored, out);
}

fn list(title: &str, items: &[String], out: &mut String) {
    if !items.is_empty() {
        let _ = writeln!(out, "{title}: {}", items.join(", "));
    }
}

/// Whether a terminal or a reader could take `c` for something else than a character of text:
/// controls, line separators, and marks that turn the reading direction.
fn is_unsafe(c: char) -> bool {
    (c.is_control() && c != '\t')
        || matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{61c}'
        )
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Appends source text with unsafe characters written as escapes.
pub fn push_clean(text: &str, out: &mut String) {
    if !text.chars().any(is_unsafe) {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        if is_unsafe(c) {
            escape(c, out);
        } else {
            out.push(c);
        }
    }
}

fn escape(c: char, out: &mut String) {
    let code = u32::from(c);
    let _ = match c {
        '\n' => write!(out, "\\n"),
        '\r' => write!(out, "\\r"),
        '\t' => write!(out, "\\t"),
        _ if code < 0x100 => write!(out, "\\x{code:02x}"),
        _ => write!(out, "\\u{{{code:x}}}"),
    };
}

/// Appends a path; one that holds a quote, a backslash, a control or an outer blank is quoted.
fn push_path(path: &str, out: &mut String) {
    let outer_blank = path.trim() != path;
    let plain = |c: char| c != '"' && c != '\\' && c != '\t' && !is_unsafe(c);
    if path.chars().all(plain) && !outer_blank {
        out.push_str(path);
        return;
    }
    out.push('"');
    for c in path.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if plain(c) => out.push(c),
            c => escape(c, out),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests;
