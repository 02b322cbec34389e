//! The units of each kind of page, and how a first one that is too large is cut.

use crate::query::answer::{Body, Excerpt, FileOutline, Hit, Status, TreeEntry};

/// The units of one page.
pub(super) struct Units {
    /// Bytes of text in the units up to each one, a lower bound of what they measure.
    weights: Vec<usize>,
}

impl Units {
    pub(super) fn new(body: &Body) -> Self {
        let mut weights = Vec::new();
        let mut sum = 0;
        let mut add = |bytes: usize| {
            sum += bytes + 1;
            weights.push(sum);
        };
        match body {
            Body::Hits(hits) => hits.iter().for_each(|hit| {
                let best = hit.best_lines.iter().map(|(_, line)| line);
                let lines = hit.lines.iter().chain(best);
                add(hit.path.len() + lines.map(|line| line.len() + 1).sum::<usize>());
            }),
            Body::Tree(entries) => entries.iter().for_each(|entry| add(entry.path.len() / 2)),
            Body::Paths(entries) => entries.iter().for_each(|entry| add(entry.path.len())),
            Body::Outline(files) => files.iter().for_each(|file| {
                if file.symbols.is_empty() {
                    add(file.path.len());
                }
                file.symbols
                    .iter()
                    .for_each(|symbol| add(symbol.signature.len()));
            }),
            Body::Excerpts(excerpts) => excerpts.iter().for_each(|excerpt| {
                if excerpt.lines.is_empty() {
                    add(excerpt.path.len());
                }
                excerpt.lines.iter().for_each(|line| add(line.len()));
            }),
            // Its counts, then what its lists hold.
            Body::Status(status) => (0..=list_len(status)).for_each(|_| add(0)),
        }
        Units { weights }
    }

    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Returns the bytes of the first `n` units.
    pub(super) fn weight(&self, n: usize) -> usize {
        n.checked_sub(1)
            .and_then(|at| self.weights.get(at))
            .copied()
            .unwrap_or(0)
    }
}

/// Returns the number of items in the lists of a status.
fn list_len(status: &Status) -> usize {
    status.languages.len() + status.skipped.len() + status.notes.len()
}

/// Returns the first `n` units of `body`; `skip` units came on earlier pages.
pub(super) fn prefix(body: &Body, n: usize, skip: u64) -> Body {
    match body {
        Body::Hits(hits) => Body::Hits(hits[..n.min(hits.len())].to_vec()),
        Body::Tree(entries) => Body::Tree(tree_prefix(entries, n, skip)),
        Body::Paths(entries) => Body::Paths(entries[..n.min(entries.len())].to_vec()),
        Body::Outline(files) => Body::Outline(outline_prefix(files, n)),
        Body::Excerpts(excerpts) => Body::Excerpts(excerpt_prefix(excerpts, n)),
        Body::Status(status) => Body::Status(Box::new(status_prefix(status, n))),
    }
}

/// Returns the first `n` entries level by level, in the order of the tree.
fn tree_prefix(entries: &[TreeEntry], n: usize, skip: u64) -> Vec<TreeEntry> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|at| entries[*at].depth);
    order.truncate(n);
    order.sort_unstable();
    let seen = skip + order.len() as u64;
    let hidden = |entry: &TreeEntry| {
        let from = entry.children.start.max(seen);
        entry.children.end.saturating_sub(from)
    };
    let shown = order.into_iter().map(|at| TreeEntry {
        n_hidden: hidden(&entries[at]),
        ..entries[at].clone()
    });
    shown.collect()
}

fn status_prefix(status: &Status, n: usize) -> Status {
    let mut status = status.clone();
    let mut left = n.saturating_sub(1);
    // The shortest lists, which hold what is missing, come first.
    status.skipped.truncate(left);
    left -= status.skipped.len();
    status.notes.truncate(left);
    left -= status.notes.len();
    status.languages.truncate(left);
    status
}

fn outline_prefix(files: &[FileOutline], n: usize) -> Vec<FileOutline> {
    let mut left = n;
    let mut out = Vec::new();
    for file in files {
        if left == 0 {
            break;
        }
        let n_symbols = left.min(file.symbols.len());
        left -= n_symbols.max(1);
        out.push(FileOutline {
            symbols: file.symbols[..n_symbols].to_vec(),
            ..file.clone()
        });
    }
    out
}

/// Returns whether `body` shows what is left out first where not everything fits.
pub(super) fn has_extras(body: &Body) -> bool {
    match body {
        Body::Outline(files) => files.iter().any(|file| !file.imports.is_empty()),
        _ => false,
    }
}

/// Returns `body` without what is left out first where not everything fits.
pub(super) fn without_extras(body: &Body) -> Body {
    let mut body = body.clone();
    if let Body::Outline(files) = &mut body {
        files.iter_mut().for_each(|file| file.imports.clear());
    }
    body
}

/// Returns the number of imports that files have and `body` does not show.
pub(super) fn hidden_imports(body: &Body) -> u64 {
    let Body::Outline(files) = body else {
        return 0;
    };
    let hidden = |file: &FileOutline| file.n_imports as usize - file.imports.len();
    files.iter().map(|file| hidden(file) as u64).sum()
}

fn excerpt_prefix(excerpts: &[Excerpt], n: usize) -> Vec<Excerpt> {
    let mut left = n;
    let mut out = Vec::new();
    for excerpt in excerpts {
        if left == 0 {
            break;
        }
        let n_lines = left.min(excerpt.lines.len());
        left -= n_lines.max(1);
        out.push(Excerpt {
            path: excerpt.path.clone(),
            symbol: excerpt.symbol.clone(),
            lines: excerpt.lines[..n_lines].to_vec(),
            content_hash: excerpt.content_hash.clone(),
            ..*excerpt
        });
    }
    out
}

/// Returns the number of items the answer reports for `body`.
pub(super) fn returned(body: &Body) -> u64 {
    let n = match body {
        Body::Hits(hits) => hits.len(),
        Body::Tree(entries) => entries.len(),
        Body::Paths(entries) => entries.len(),
        Body::Outline(files) => files.iter().map(|file| file.symbols.len()).sum(),
        Body::Excerpts(excerpts) => excerpts.iter().map(|e| e.lines.len().max(1)).sum(),
        Body::Status(_) => 1,
    };
    n as u64
}

/// Returns the bytes that `…` marks stand for.
pub(super) fn cut_bytes(body: &Body) -> u64 {
    match body {
        Body::Hits(hits) => hits.iter().map(|hit| hit.cut_bytes).sum(),
        Body::Excerpts(excerpts) => excerpts.iter().map(|excerpt| excerpt.cut_bytes).sum(),
        _ => 0,
    }
}

/// Returns versions of `body` with an ever smaller first unit; each is a valid page.
pub(super) fn cuts(body: &Body) -> Vec<Body> {
    match body {
        Body::Hits(hits) => {
            let Some((first, rest)) = hits.split_first() else {
                return Vec::new();
            };
            let with =
                |first: Hit| Body::Hits(std::iter::once(first).chain(rest.to_vec()).collect());
            hit_cuts(first).into_iter().map(with).collect()
        }
        Body::Excerpts(excerpts) => excerpt_cuts(excerpts),
        Body::Outline(files) => outline_cuts(files),
        Body::Tree(_) | Body::Paths(_) | Body::Status(_) => Vec::new(),
    }
}

fn hit_cuts(hit: &Hit) -> Vec<Hit> {
    let mut out = Vec::new();
    let keep = |from: usize, n: usize| Hit {
        lines: hit.lines[from..from + n].to_vec(),
        lines_start: hit.lines_start + from as u32,
        best_lines: Vec::new(),
        ..hit.clone()
    };
    // The lines at the place itself matter most; those before it are context.
    let from = hit.start_line.saturating_sub(hit.lines_start) as usize;
    let from = if from < hit.lines.len() { from } else { 0 };
    let mut n = hit.lines.len() - from;
    loop {
        out.push(keep(from, n));
        if n <= 1 {
            break;
        }
        n /= 2;
    }
    if let Some(line) = hit.lines.get(from) {
        for text in shorter(line) {
            let mut short = keep(from, 1);
            short.cut_bytes += (line.len() + CUT.len() - text.len()) as u64;
            short.lines = vec![text];
            out.push(short);
        }
        out.push(keep(0, 0));
    }
    out
}

fn excerpt_cuts(excerpts: &[Excerpt]) -> Vec<Body> {
    let Some(line) = excerpts.first().and_then(|first| first.lines.first()) else {
        return Vec::new();
    };
    let cut = |text: String| {
        let mut excerpts = excerpts.to_vec();
        excerpts[0].cut_bytes += (line.len() + CUT.len() - text.len()) as u64;
        excerpts[0].lines[0] = text;
        Body::Excerpts(excerpts)
    };
    shorter(line).into_iter().map(cut).collect()
}

fn outline_cuts(files: &[FileOutline]) -> Vec<Body> {
    let Some(symbol) = files.first().and_then(|first| first.symbols.first()) else {
        return Vec::new();
    };
    let cut = |text: String| {
        let mut files = files.to_vec();
        files[0].symbols[0].signature = text;
        Body::Outline(files)
    };
    shorter(&symbol.signature).into_iter().map(cut).collect()
}

const CUT: &str = "…";

/// Returns ever shorter beginnings of `text`, each with a mark at its end.
fn shorter(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut keep = text.chars().count() / 2;
    while !text.is_empty() {
        let kept: String = text.chars().take(keep).collect();
        if kept.len() + CUT.len() < text.len() {
            out.push(kept + CUT);
        }
        if keep == 0 {
            break;
        }
        keep /= 2;
    }
    out
}
