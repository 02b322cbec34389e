//! Conditional branches that no grammar can read together: finds what to hide so that one remains.
//!
//! Not here: whole groups of declarations under conditions; the grammar reads every branch of those.
//! Where a branch opens a brace that it does not close, stops in the middle of a statement or stands in
//! one, the first branch is kept (under `#if 0` the second) and the directives and the others are
//! hidden, as if that branch had been taken.

use crate::text::ByteRange;

/// One `#if … #endif` that is still open.
struct Group {
    /// The lines of its directives so far.
    directives: Vec<ByteRange>,
    /// Depths of braces and parentheses before it.
    outer: (i32, i32),
    /// The depths after the branch that is kept.
    kept: Option<(i32, i32)>,
    /// Whether its branches cannot be read together.
    is_torn: bool,
    is_first_dead: bool,
}

/// Scans code, comments and strings left out.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    depth: (i32, i32),
    /// The last byte of code, and whether there was code since the last directive.
    last: u8,
    has_code: bool,
    groups: Vec<Group>,
    hidden: Vec<ByteRange>,
}

/// Returns the bytes to hide, in order and disjoint.
pub(super) fn torn_branches(text: &[u8]) -> Vec<ByteRange> {
    let mut scanner = Scanner {
        text,
        at: 0,
        depth: (0, 0),
        last: b';',
        has_code: false,
        groups: Vec::new(),
        hidden: Vec::new(),
    };
    scanner.scan();
    let mut hidden = scanner.hidden;
    hidden.sort();
    let mut merged: Vec<ByteRange> = Vec::new();
    for range in hidden {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

impl Scanner<'_> {
    fn scan(&mut self) {
        let mut is_line_start = true;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => is_line_start = true,
                b'#' if is_line_start => {
                    self.directive();
                    continue;
                }
                b'/' if self.peek() == Some(b'/') => self.skip_line(),
                b'/' if self.peek() == Some(b'*') => self.skip_block(),
                byte if byte.is_ascii_whitespace() => {}
                _ => {
                    is_line_start = false;
                    self.code(byte);
                }
            }
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at + 1).copied()
    }

    fn code(&mut self, byte: u8) {
        match byte {
            b'{' => self.depth.0 += 1,
            b'}' => self.depth.0 -= 1,
            b'(' => self.depth.1 += 1,
            b')' => self.depth.1 -= 1,
            b'"' => self.skip_string(b'"'),
            // A quote within a number only groups digits.
            b'\'' if !self.last.is_ascii_hexdigit() => self.skip_string(b'\''),
            _ => {}
        }
        self.last = byte;
        self.has_code = true;
    }

    /// Leaves the scanner on the last byte before the end of the line.
    fn skip_line(&mut self) {
        self.at = self.line_end(self.at).saturating_sub(1);
    }

    fn line_end(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(end) = memchr::memchr(b'\n', self.text.get(at..).unwrap_or_default()) {
            let end = at + end;
            let is_joined =
                self.text[..end].ends_with(b"\\") || self.text[..end].ends_with(b"\\\r");
            if !is_joined {
                return end;
            }
            at = end + 1;
        }
        self.text.len()
    }

    fn skip_block(&mut self) {
        let rest = self.text.get(self.at + 2..).unwrap_or_default();
        let end = memchr::memmem::find(rest, b"*/");
        self.at = end.map_or(self.text.len(), |end| self.at + 2 + end + 1);
    }

    /// Leaves the scanner on the closing quote, or on the last byte of the line.
    fn skip_string(&mut self, quote: u8) {
        while let Some(next) = self.peek() {
            match next {
                b'\n' => return,
                b'\\' => self.at += 2,
                _ => {
                    self.at += 1;
                    if next == quote {
                        return;
                    }
                }
            }
        }
    }

    fn directive(&mut self) {
        let end = self.line_end(self.at);
        let line = ByteRange::new(self.at as u32, end as u32);
        let text = &self.text[self.at + 1..end];
        let text = text.trim_ascii();
        let word = text.split(|byte| !byte.is_ascii_alphabetic()).next();
        match word.unwrap_or_default() {
            b"if" | b"ifdef" | b"ifndef" => {
                let is_inside = self.depth.1 > 0 || self.is_mid_statement();
                self.groups.push(Group {
                    directives: vec![line],
                    outer: self.depth,
                    kept: None,
                    is_torn: is_inside,
                    is_first_dead: text == b"if 0",
                });
            }
            b"else" | b"elif" | b"elifdef" | b"elifndef" => self.end_branch(line),
            b"endif" => {
                self.end_branch(line);
                self.end_group();
            }
            _ => {}
        }
        self.at = end;
        self.has_code = false;
    }

    /// Returns whether the code so far stops at something that needs more behind it.
    fn is_mid_statement(&self) -> bool {
        matches!(
            self.last,
            b'=' | b'+'
                | b'-'
                | b'*'
                | b'/'
                | b'%'
                | b'&'
                | b'|'
                | b'^'
                | b'?'
                | b'<'
                | b'('
                | b'['
        )
    }

    fn end_branch(&mut self, line: ByteRange) {
        let stops_early = self.has_code && !matches!(self.last, b';' | b'}' | b',' | b':');
        let in_block = self.depth.0 > 0;
        let Some(group) = self.groups.last_mut() else {
            return;
        };
        let is_kept = group.directives.len() == if group.is_first_dead { 2 } else { 1 };
        group.is_torn |= self.depth != group.outer || (stops_early && in_block);
        if is_kept {
            group.kept = Some(self.depth);
        }
        group.directives.push(line);
        self.depth = group.outer;
    }

    fn end_group(&mut self) {
        let Some(group) = self.groups.pop() else {
            return;
        };
        self.depth = group.kept.unwrap_or(group.outer);
        if !group.is_torn {
            return;
        }
        let kept = if group.is_first_dead { 1 } else { 0 };
        for (at, pair) in group.directives.windows(2).enumerate() {
            let end = if at == kept {
                pair[0].end
            } else {
                pair[1].start
            };
            self.hidden.push(ByteRange::new(pair[0].start, end));
        }
        self.hidden.extend(group.directives.last());
    }
}
