//! Ruby heredocs that open within an interpolation of another one: finds what to hide.
//!
//! Not here: all other heredocs, which the grammar reads. It loses the rest of the file at a nested
//! one, so the interpolation that opens it is hidden and the inner text counts as the outer one's. A
//! line that only looks as if it opened a heredoc is harmless: nothing is hidden unless both end.

use crate::text::ByteRange;
use rustc_hash::FxHashSet;

/// Most lines that an inner heredoc may have.
const MAX_INNER_LINES: usize = 512;

/// What to hide, in order.
#[derive(Default)]
pub(super) struct Hidden {
    /// The tags that open inner heredocs.
    pub(super) tags: Vec<ByteRange>,
    /// Code around them.
    pub(super) code: Vec<ByteRange>,
}

/// A heredoc's opening: `<<~TAG`.
struct Opening<'a> {
    range: ByteRange,
    tag: &'a [u8],
    is_raw: bool,
    may_indent: bool,
}

impl Opening<'_> {
    fn ends_at(&self, line: &[u8]) -> bool {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = match self.may_indent {
            true => line.trim_ascii_start(),
            false => line,
        };
        line == self.tag
    }
}

/// Returns what to hide in `text`.
pub(super) fn nested(text: &[u8]) -> Hidden {
    let mut hidden = Hidden::default();
    if memchr::memmem::find(text, b"#{").is_none() {
        return hidden;
    }
    let lines = lines(text);
    // Tags without an end below some line have none below later lines either.
    let mut endless: FxHashSet<&[u8]> = FxHashSet::default();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        if bytes(text, line).trim_ascii_start().starts_with(b"#") {
            continue;
        }
        for outer in openings(text, line) {
            if endless.contains(outer.tag) {
                continue;
            }
            let rest = lines[at..].iter();
            let length = rest
                .take_while(|line| !outer.ends_at(bytes(text, **line)))
                .count();
            if at + length == lines.len() {
                endless.insert(outer.tag);
                continue;
            }
            if !outer.is_raw {
                hide_in(text, &lines[at..at + length], &mut hidden);
            }
            at += length + 1;
        }
    }
    hidden
}

/// Hides what opens heredocs in the `body` of another one.
fn hide_in(text: &[u8], body: &[ByteRange], hidden: &mut Hidden) {
    let mut at = 0;
    while at < body.len() {
        let line = body[at];
        at += 1;
        let mut inner_end = at;
        for inner in openings(text, line) {
            let Some(code) = interpolation(text, line, inner.range) else {
                continue;
            };
            let mut rest = body[inner_end..].iter().take(MAX_INNER_LINES);
            let Some(length) = rest.position(|line| inner.ends_at(bytes(text, *line))) else {
                continue;
            };
            inner_end += length + 1;
            let before = hidden.tags.last().map_or(0, |tag| tag.end);
            hidden
                .code
                .pop_if(|last| last.start >= before && last.end > inner.range.start);
            hidden
                .code
                .push(ByteRange::new(code.start.max(before), inner.range.start));
            hidden.code.push(ByteRange::new(inner.range.end, code.end));
            hidden.tags.push(inner.range);
        }
        at = inner_end;
    }
}

/// Returns the code of the interpolation on `line` that holds `tag`; where it ends on a later line,
/// the tag alone.
fn interpolation(text: &[u8], line: ByteRange, tag: ByteRange) -> Option<ByteRange> {
    let mut open = None;
    let mut depth = 0u32;
    for at in line.start as usize..line.end as usize {
        match text[at] {
            b'#' if depth == 0 && text.get(at + 1) == Some(&b'{') => open = Some(at as u32 + 2),
            b'{' if open.is_some() => depth += 1,
            b'}' if depth == 1 => {
                let start = open.take()?;
                depth = 0;
                if start <= tag.start && tag.end <= at as u32 {
                    return Some(ByteRange::new(start, at as u32));
                }
            }
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    open.filter(|open| *open <= tag.start).map(|_| tag)
}

/// Returns the heredocs that `line` seems to open.
fn openings(text: &[u8], line: ByteRange) -> Vec<Opening<'_>> {
    let line_text = bytes(text, line);
    let mut found = Vec::new();
    for start in memchr::memmem::find_iter(line_text, b"<<") {
        let mut at = start + 2;
        let may_indent = matches!(line_text.get(at), Some(b'~' | b'-'));
        at += usize::from(may_indent);
        let quote = line_text.get(at).copied();
        let quote = quote.filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        at += usize::from(quote.is_some());
        let rest = &line_text[at..];
        let length = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count();
        let opens = rest.first().is_some_and(|first| match may_indent {
            true => !first.is_ascii_digit(),
            false => first.is_ascii_uppercase(),
        });
        let end = at + length + usize::from(quote.is_some());
        if length > 0 && opens && (quote.is_none() || rest.get(length).copied() == quote) {
            found.push(Opening {
                range: ByteRange::new(line.start + start as u32, line.start + end as u32),
                tag: &rest[..length],
                is_raw: quote == Some(b'\''),
                may_indent,
            });
        }
    }
    found
}

fn bytes(text: &[u8], range: ByteRange) -> &[u8] {
    &text[range.start as usize..range.end as usize]
}

/// Returns the lines of `text` without their ends.
fn lines(text: &[u8]) -> Vec<ByteRange> {
    let mut start = 0;
    let mut found = Vec::new();
    for end in memchr::memchr_iter(b'\n', text) {
        found.push(ByteRange::new(start, end as u32));
        start = end as u32 + 1;
    }
    found.push(ByteRange::new(start, text.len() as u32));
    found
}
