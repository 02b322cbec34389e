//! Text that no parser reads in reasonable time and memory: finds what to hide of it.
//!
//! Not here: ordinary source; nothing in it comes near these bounds. The parser keeps what it could not
//! finish on a stack and, where the text has errors, walks that stack in many ways: memory grows with the
//! square of its height, within one step that no callback can stop. So its height is bounded before: by the
//! tokens that stand open ([`MAX_OPEN`]), counted from the last `;` or `,` (or `case`, or directive, or line
//! where lines end a statement) within every bracket that is open, and by the length of what only repeats itself ([`MAX_REPEATED`]). What goes beyond is hidden up to the next
//! token that closes it; what follows is read as usual.
//!
//! Tokens are taken without a grammar: words, other bytes one by one, and strings and comments, as far as
//! they can be told in all languages alike. A mistake costs nothing below the bounds.

use crate::language::Language;
use crate::text::ByteRange;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Most tokens that may stand open, those of all enclosing brackets included.
const MAX_OPEN: u32 = 2_000;

/// Most tokens that may follow each other in the same few over and over.
const MAX_REPEATED: u32 = 2_000;

/// Longest sequence of tokens whose repetition is noticed.
const MAX_PERIOD: usize = 16;

/// A bracket that is not closed yet.
struct Open {
    closer: u8,
    /// Tokens that stand open in front of it, itself included.
    n_open: u32,
    is_hidden: bool,
}

struct Scan<'a> {
    text: &'a [u8],
    lines_end: bool,
    n_tokens: u32,
    n_open: u32,
    open: Vec<Open>,
    n_braces: usize,
    /// Hashes of the last tokens, newest at `n_tokens - 1`, and how long each period holds.
    recent: [u64; MAX_PERIOD],
    repeated: [u32; MAX_PERIOD],
    /// The first byte of the token before.
    previous: u8,
    hidden: Vec<ByteRange>,
}

/// Returns the bytes to hide, in order and disjoint, and how many tokens the whole text has.
pub(super) fn excess(language: Language, text: &[u8]) -> (Vec<ByteRange>, u32) {
    let mut scan = Scan {
        text,
        lines_end: !matches!(
            language,
            Language::C
                | Language::Cpp
                | Language::CSharp
                | Language::Java
                | Language::Php
                | Language::Rust
        ),
        n_tokens: 0,
        n_open: 0,
        open: Vec::new(),
        n_braces: 0,
        recent: [0; MAX_PERIOD],
        repeated: [0; MAX_PERIOD],
        previous: b' ',
        hidden: Vec::new(),
    };
    let has_hash_comments = matches!(
        language,
        Language::Elixir | Language::Python | Language::Ruby | Language::Shell
    );
    let has_long_apostrophes = language == Language::Php
        || (scan.lines_end
            && !matches!(
                language,
                Language::Go | Language::Kotlin | Language::Scala | Language::Swift
            ));
    let has_directives = matches!(language, Language::C | Language::Cpp | Language::CSharp);
    let mut is_line_start = true;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let end = match byte {
            b'\n' => {
                if scan.lines_end {
                    scan.rest();
                }
                is_line_start = true;
                at += 1;
                continue;
            }
            b'#' if is_line_start && has_directives => {
                scan.rest();
                at + 1
            }
            // Within a word or a bracket, as in `${#name}`, it is none.
            b'#' if has_hash_comments && (at == 0 || super::is_blank(text[at - 1])) => {
                at = line_end(text, at);
                continue;
            }
            b'-' if language == Language::Lua && text.get(at + 1) == Some(&b'-') => {
                at = line_end(text, at);
                continue;
            }
            b'/' if !has_hash_comments && text.get(at + 1) == Some(&b'/') => {
                at = line_end(text, at);
                continue;
            }
            b'/' if !has_hash_comments && text.get(at + 1) == Some(&b'*') => {
                match memchr::memmem::find(&text[at + 2..], b"*/") {
                    Some(length) => {
                        at += length + 4;
                        continue;
                    }
                    None => at + 1,
                }
            }
            b'\'' if !has_long_apostrophes => character_end(text, at),
            b'"' | b'\'' | b'`' => string_end(text, at),
            byte if super::is_blank(byte) => {
                at += 1;
                continue;
            }
            byte if super::is_word(byte) => {
                let end = super::word_end(text, at);
                if &text[at..end] == b"case" {
                    scan.rest();
                }
                end
            }
            _ => at + 1,
        };
        is_line_start = false;
        scan.token(at, end);
        at = end;
    }
    (scan.hidden, scan.n_tokens)
}

impl Scan<'_> {
    fn token(&mut self, start: usize, end: usize) {
        let first = self.text[start];
        let is_repeated = self.is_repeated(&self.text[start..end]);
        self.n_tokens += 1;
        self.n_open = self.n_open.saturating_add(1);
        let mut is_hidden = is_repeated || self.n_open > MAX_OPEN;
        match first {
            b'(' | b'[' | b'{' => {
                self.n_braces += usize::from(first == b'{');
                self.open.push(Open {
                    closer: match first {
                        b'(' => b')',
                        b'[' => b']',
                        _ => b'}',
                    },
                    n_open: self.n_open,
                    is_hidden,
                });
            }
            b')' | b']' | b'}' => {
                if let Some(opener) = self.close(first) {
                    self.n_open = opener.n_open;
                    is_hidden = opener.is_hidden;
                    if first == b'}' {
                        self.rest();
                    }
                }
            }
            b';' | b',' => {
                self.rest();
                is_hidden = is_repeated || self.n_open > MAX_OPEN;
            }
            // What quotes may hold is unknown here: they stay in pairs.
            b'"' | b'\'' | b'`' if end == start + 1 => is_hidden = false,
            _ => {}
        }
        if is_hidden {
            self.hide(start as u32, end as u32);
        }
    }

    /// Whatever stood open since the innermost bracket does no longer.
    fn rest(&mut self) {
        self.n_open = self.open.last().map_or(0, |open| open.n_open);
    }

    /// Returns the opener of `closer`; a brace closes what was left open within it too.
    fn close(&mut self, closer: u8) -> Option<Open> {
        if closer != b'}' {
            return self.open.pop_if(|open| open.closer == closer);
        }
        if self.n_braces == 0 {
            return None;
        }
        self.n_braces -= 1;
        loop {
            let open = self.open.pop()?;
            if open.closer == closer {
                return Some(open);
            }
        }
    }

    fn is_repeated(&mut self, token: &[u8]) -> bool {
        let mut hasher = FxHasher::default();
        hasher.write(token);
        let hash = hasher.finish();
        let newest = self.n_tokens as usize;
        let mut longest = 0;
        // By the distance to the newest, not by the place in the ring.
        for (period, length) in self.repeated.iter_mut().enumerate() {
            let before = self.recent[(newest + MAX_PERIOD - 1 - period) % MAX_PERIOD];
            *length = if before == hash { *length + 1 } else { 0 };
            longest = longest.max(*length);
        }
        self.recent[newest % MAX_PERIOD] = hash;
        let pair = (self.previous, token[0]);
        self.previous = token[0];
        // A list of one word, as in a table of zeros, is flat in every language.
        let is_list = matches!(pair, (b',', value) | (value, b',') if super::is_word(value))
            && self.repeated[1] > MAX_REPEATED;
        longest > MAX_REPEATED && !is_list
    }

    fn hide(&mut self, start: u32, end: u32) {
        match self.hidden.last_mut() {
            // Only blanks stand between; a comment in the way is not worth keeping apart.
            Some(last)
                if self.text[last.end as usize..start as usize]
                    .iter()
                    .all(u8::is_ascii_whitespace) =>
            {
                last.end = end;
            }
            _ => self.hidden.push(ByteRange::new(start, end)),
        }
    }
}

fn line_end(text: &[u8], from: usize) -> usize {
    memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |length| from + length)
}

/// Returns the end of the string that the quote at `start` opens where it ends on the same line, else
/// the end of the quote.
fn string_end(text: &[u8], start: usize) -> usize {
    let quote = text[start];
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => break,
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    start + 1
}

/// Returns the end of the character that the apostrophe at `start` opens, or that of the apostrophe:
/// lifetimes and groups of digits have one only.
fn character_end(text: &[u8], start: usize) -> usize {
    match text.get(start + 1) {
        Some(b'\\') => string_end(text, start),
        Some(_) => {
            let rest = text[start + 2..].iter().take(4);
            let length = rest.take_while(|byte| !byte.is_ascii()).count();
            match text.get(start + 2 + length) {
                Some(b'\'') => start + 3 + length,
                _ => start + 1,
            }
        }
        None => start + 1,
    }
}

#[cfg(test)]
mod tests;
