//! The units of each kind of page, and how a first one that is too large is cut.

use crate::query::answer::{Body, Excerpt, FileOutline, Hit, Status};

/// The units of one page.
pub(super) struct Units {
    /// Bytes of text in the units up to each one, a lower bound of what they measure.
    weights: Vec<usize>,
    continued: bool,
}

impl Units {
    pub(super) fn new(body: &Body, continued: bool) -> Self {
        let mut weights = Vec::new();
        let mut sum = 0;
        let mut add = |bytes: usize| {
            sum += bytes + 1;
            weights.push(sum);
        };
        match body {
            Body::Hits(hits) => hits.iter().for_each(|hit| {
                add(hit.path.len() + hit.lines.iter().map(|line| line.len() + 1).sum::<usize>());
            }),
            Body::Tree(entries) => entries.iter().for_each(|entry| add(entry.path.len() / 2)),
            Body::Paths(entries) => entries.iter().for_each(|entry| add(entry.path.len())),
            Body::Outline(files) => files.iter().enumerate().for_each(|(at, file)| {
                if at > 0 || !continued {
                    add(file.path.len());
                }
                file.imports.iter().for_each(|import| add(import.len()));
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
            Body::Status(_) => add(0),
        }
        Units { weights, continued }
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

    pub(super) fn continued(&self) -> bool {
        self.continued
    }
}

/// Returns the first `n` units of `body`.
pub(super) fn prefix(body: &Body, n: usize, continued: bool) -> Body {
    match body {
        Body::Hits(hits) => Body::Hits(hits[..n.min(hits.len())].to_vec()),
        Body::Tree(entries) => Body::Tree(entries[..n.min(entries.len())].to_vec()),
        Body::Paths(entries) => Body::Paths(entries[..n.min(entries.len())].to_vec()),
        Body::Outline(files) => Body::Outline(outline_prefix(files, n, continued)),
        Body::Excerpts(excerpts) => Body::Excerpts(excerpt_prefix(excerpts, n)),
        Body::Status(status) => Body::Status(status.clone()),
    }
}

fn outline_prefix(files: &[FileOutline], n: usize, continued: bool) -> Vec<FileOutline> {
    let mut left = n;
    let mut out = Vec::new();
    for (at, file) in files.iter().enumerate() {
        if left == 0 {
            break;
        }
        left -= usize::from(at > 0 || !continued);
        let n_imports = left.min(file.imports.len());
        left -= n_imports;
        let n_symbols = left.min(file.symbols.len());
        left -= n_symbols;
        out.push(FileOutline {
            path: file.path.clone(),
            language: file.language,
            n_lines: file.n_lines,
            imports: file.imports[..n_imports].to_vec(),
            symbols: file.symbols[..n_symbols].to_vec(),
            notes: file.notes.clone(),
        });
    }
    out
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
pub(super) fn cuts(body: &Body, continued: bool) -> Vec<Body> {
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
        Body::Outline(files) => outline_cuts(files, continued),
        Body::Status(status) => status_cuts(status),
        Body::Tree(_) | Body::Paths(_) => Vec::new(),
    }
}

/// Languages of few lines say least of what a status says.
fn status_cuts(status: &Status) -> Vec<Body> {
    let mut out = Vec::new();
    let mut keep = status.languages.len();
    while keep > 0 {
        keep /= 2;
        let mut status = status.clone();
        status.languages.truncate(keep);
        out.push(Body::Status(Box::new(status)));
    }
    out
}

fn hit_cuts(hit: &Hit) -> Vec<Hit> {
    let mut out = Vec::new();
    let keep = |from: usize, n: usize| Hit {
        lines: hit.lines[from..from + n].to_vec(),
        lines_start: hit.lines_start + from as u32,
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

fn outline_cuts(files: &[FileOutline], continued: bool) -> Vec<Body> {
    // A fresh file begins with its path, which cannot be cut.
    let Some(first) = files.first().filter(|_| continued) else {
        return Vec::new();
    };
    let text = match (first.imports.first(), first.symbols.first()) {
        (Some(import), _) => import,
        (None, Some(symbol)) => &symbol.signature,
        (None, None) => return Vec::new(),
    };
    let cut = |text: String| {
        let mut files = files.to_vec();
        match files[0].imports.first_mut() {
            Some(import) => *import = text,
            None => files[0].symbols[0].signature = text,
        }
        Body::Outline(files)
    };
    shorter(text).into_iter().map(cut).collect()
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
