//! Text and symbols to line-aligned chunks. Pure.
//!
//! Not here: finding the symbols (see [`syntax`](crate::syntax)) and words or scores of a chunk.
//!
//! Three steps: *cut* where declarations start and end (a long type, module or section becomes its
//! head and its members, shorter ones stay whole; comments and attributes go with what they belong
//! to), *merge* tiny neighbours of one parent, *split* what is still too long at the calmest line.
//!
//! Invariant: the chunks are ordered, disjoint, end at line ends and cover the text; an empty text has
//! none. Bounds: a chunk of more than one line has at most [`MAX_BYTES`].

use crate::facts::{Chunk, FileFacts, Symbol, SymbolKind};
use crate::text::{ByteRange, LineIndex, LineRange};

/// Longest container that stays one chunk, and longest run of tiny neighbours, in lines.
const WHOLE_LINES: u32 = 40;
/// Longest function that stays one chunk, in lines.
const LONG_LINES: u32 = 120;
/// A piece with fewer lines may merge with its neighbours.
const TINY_LINES: u32 = 8;
/// Longest head of a container that says too little to stand alone.
const OPENING_LINES: u32 = 3;
/// Shortest, best and longest piece of something split, in lines.
const SPLIT_LINES: (u32, u32, u32) = (40, 55, 80);
/// Longest stretch outside declarations that stays one chunk, in lines.
const LOOSE_LINES: u32 = 70;
/// Most bytes of a chunk, unless a single line is longer.
const MAX_BYTES: u32 = 16 * 1024;

/// Cuts a text into chunks that follow its declarations.
pub fn chunks(text: &str, lines: &LineIndex, facts: &FileFacts) -> Vec<Chunk> {
    let mut cutter = Cutter {
        text,
        lines,
        pieces: Vec::new(),
        next: 1,
    };
    cutter.cut(&facts.symbols);
    let mut out = Vec::new();
    for piece in cutter.merged() {
        cutter.split(&piece, &mut out);
    }
    out
}

/// Lines on their way to a chunk: `start..end`, 1-based.
#[derive(Clone)]
struct Piece {
    start: u32,
    end: u32,
    symbol: Option<u32>,
    /// The container that the lines stand in; a head stands in its own.
    group: Option<u32>,
    is_head: bool,
    is_tiny: bool,
    /// Whether it presents several definitions, so none of them.
    is_mixed: bool,
}

/// A symbol that is cut into head and members, up to its last line.
struct Container {
    symbol: u32,
    last_line: u32,
    is_callable: bool,
    has_head: bool,
}

struct Cutter<'a> {
    text: &'a str,
    lines: &'a LineIndex,
    pieces: Vec<Piece>,
    /// The first line that is in no piece yet.
    next: u32,
}

impl Cutter<'_> {
    fn cut(&mut self, symbols: &[Symbol]) {
        let mut open: Vec<Container> = Vec::new();
        for (at, symbol) in symbols.iter().enumerate() {
            let span = self.span(symbol);
            while open.last().is_some_and(|top| top.last_line < span.start) {
                self.close(&mut open);
            }
            if !opens_piece(symbol.kind, open.last()) || span.end < self.next {
                continue;
            }
            let start = span.start.max(self.next);
            self.fill(start, open.last_mut());
            let n_lines = span.end + 1 - start;
            if n_lines > LONG_LINES || (is_container(symbol.kind) && n_lines > WHOLE_LINES) {
                open.push(Container {
                    symbol: at as u32,
                    last_line: span.end,
                    is_callable: !is_container(symbol.kind),
                    has_head: false,
                });
            } else {
                let group = open.last().map(|top| top.symbol);
                self.push(span.end + 1, Some(at as u32), group, false);
            }
        }
        while !open.is_empty() {
            self.close(&mut open);
        }
        self.fill(self.lines.n_lines() + 1, None);
    }

    /// Returns the lines of a definition, its documentation included.
    fn span(&self, symbol: &Symbol) -> LineRange {
        let doc = symbol.doc.map_or(symbol.range.start, |doc| doc.start);
        let start = doc.min(symbol.range.start);
        let range = ByteRange::new(start, symbol.range.end.max(start));
        let span = self.lines.lines_of(range);
        let last = self.lines.n_lines();
        LineRange {
            start: span.start.min(last),
            end: span.end.min(last),
        }
    }

    /// Ends the innermost container: what is left of it, often a closing brace.
    fn close(&mut self, open: &mut Vec<Container>) {
        if let Some(mut top) = open.pop() {
            self.fill(top.last_line + 1, Some(&mut top));
        }
    }

    /// Puts the lines up to `end` into a piece of `owner`, or into the piece before where they are only
    /// blank or the last lines of a container.
    fn fill(&mut self, end: u32, owner: Option<&mut Container>) {
        if end <= self.next {
            return;
        }
        let is_blank = (self.next..end).all(|line| self.line(line).trim().is_empty());
        let is_tail = owner
            .as_ref()
            .is_some_and(|owner| owner.has_head && owner.last_line < end && end - self.next <= 2);
        match self.pieces.last_mut() {
            Some(last) if is_blank || is_tail => {
                last.end = end;
                self.next = end;
            }
            _ => {
                let symbol = owner.as_ref().map(|owner| owner.symbol);
                let is_head = owner.as_ref().is_some_and(|owner| !owner.has_head);
                if let Some(owner) = owner {
                    owner.has_head = true;
                }
                self.push(end, symbol, symbol, is_head);
            }
        }
    }

    fn push(&mut self, end: u32, symbol: Option<u32>, group: Option<u32>, is_head: bool) {
        self.pieces.push(Piece {
            start: self.next,
            end,
            symbol,
            group,
            is_head,
            is_tiny: end - self.next < TINY_LINES,
            is_mixed: false,
        });
        self.next = end;
    }

    /// Joins tiny neighbours of one group, and a tiny head with the member after it.
    fn merged(&self) -> Vec<Piece> {
        let mut out: Vec<Piece> = Vec::new();
        for piece in &self.pieces {
            if let Some(last) = out.last_mut()
                && last.group == piece.group
                && last.is_tiny
                && (piece.is_tiny || last.is_head)
                && piece.end - last.start <= most_lines(last)
                && self.bytes(last.start, piece.end) <= MAX_BYTES
            {
                last.symbol = match (last.symbol, piece.symbol) {
                    _ if last.is_mixed => last.group,
                    (one, other) if one == other => one,
                    (None, one) | (one, None) => one,
                    (_, member) if last.is_head && !piece.is_tiny => member,
                    _ => {
                        last.is_mixed = true;
                        last.group
                    }
                };
                last.end = piece.end;
                last.is_tiny = piece.is_tiny;
                last.is_head &= piece.is_tiny;
                continue;
            }
            out.push(piece.clone());
        }
        out
    }

    /// Adds the chunks of `piece`.
    fn split(&self, piece: &Piece, out: &mut Vec<Chunk>) {
        let most_lines = match piece.symbol {
            Some(_) => LONG_LINES,
            None => LOOSE_LINES,
        };
        let mut start = piece.start;
        while start < piece.end {
            let fits = piece.end - start <= most_lines && self.bytes(start, piece.end) <= MAX_BYTES;
            let end = if fits {
                piece.end
            } else {
                self.calmest_cut(start, piece.end)
            };
            out.push(Chunk {
                range: self.lines.bytes_of(LineRange {
                    start,
                    end: end - 1,
                }),
                start_line: start,
                end_line: end - 1,
                symbol: piece.symbol,
            });
            start = end;
        }
    }

    /// Returns the line before which to cut `start..end`: after a blank line and little indented where
    /// there is one in reach, and always within the byte bound.
    fn calmest_cut(&self, start: u32, end: u32) -> u32 {
        let (shortest, best, longest) = SPLIT_LINES;
        let mut last = start + 1;
        while last < end && last - start < longest && self.bytes(start, last + 1) <= MAX_BYTES {
            last += 1;
        }
        let first = (start + shortest).min(last);
        let cost = |line: u32| {
            let distance = line.abs_diff(start + best);
            self.restlessness(line) * 4 + distance
        };
        (first..=last)
            .min_by_key(|line| cost(*line))
            .unwrap_or(last)
    }

    /// Returns how much a cut before `line` would tear apart.
    fn restlessness(&self, line: u32) -> u32 {
        let text = self.line(line);
        let rest = text.trim_start();
        if rest.trim_end().is_empty() {
            return 24;
        }
        let indent = (text.len() - rest.len()).min(24) as u32;
        let after_blank = self.line(line - 1).trim().is_empty();
        let closes = rest.starts_with(['}', ')', ']']);
        indent + if after_blank { 0 } else { 6 } + if closes { 12 } else { 0 }
    }

    fn line(&self, line: u32) -> &str {
        let range = self.lines.line_bytes(line);
        range.map_or("", |range| range.of(self.text))
    }

    /// Returns the number of bytes of the lines `start..end`.
    fn bytes(&self, start: u32, end: u32) -> u32 {
        let range = LineRange {
            start,
            end: end - 1,
        };
        self.lines.bytes_of(range).len()
    }
}

/// Returns how long what starts with `piece` may become: a bare opening line goes with any first member.
fn most_lines(piece: &Piece) -> u32 {
    if piece.is_head && piece.end - piece.start <= OPENING_LINES {
        LONG_LINES
    } else {
        WHOLE_LINES
    }
}

/// Returns whether a symbol of `kind` is cut out of `container`: what is small by nature stays there.
fn opens_piece(kind: SymbolKind, container: Option<&Container>) -> bool {
    match kind {
        SymbolKind::Field | SymbolKind::Variant => false,
        SymbolKind::Constant | SymbolKind::Variable | SymbolKind::TypeAlias => {
            container.is_none_or(|container| !container.is_callable)
        }
        _ => true,
    }
}

fn is_container(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Module
            | SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Interface
            | SymbolKind::Trait
            | SymbolKind::Enum
            | SymbolKind::Impl
            | SymbolKind::Heading
            | SymbolKind::Annotation
    )
}

#[cfg(test)]
mod tests;
