//! Source lines as answers show them: without line ends, long ones cut around what matters.

use leantoken_shared::text::{ByteRange, LineIndex, trim_line_end};
use std::ops::Range;

/// Most characters of one line in a hit.
pub(crate) const MAX_HIT_CHARS: usize = 300;
/// Most characters of one line of text that was asked for.
pub(crate) const MAX_READ_CHARS: usize = 4_000;
/// Stands where a line was cut.
const CUT: char = '…';

/// A text with its line starts.
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) lines: LineIndex,
}

/// Some lines, ready to be shown.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    pub(crate) lines: Vec<String>,
    /// Number of the first line.
    pub(crate) start: u32,
    /// Bytes of long lines that were left out.
    pub(crate) cut_bytes: u64,
}

impl Source {
    pub(crate) fn new(text: String) -> Self {
        let lines = LineIndex::new(&text);
        Source { text, lines }
    }

    /// Returns the text of 1-based `line` without its line end; empty past the end.
    pub(crate) fn line(&self, line: u32) -> &str {
        let bytes = self.lines.line_bytes(line).unwrap_or_default();
        trim_line_end(bytes.of(&self.text))
    }

    /// Returns lines `first..=last` as far as they exist. Of the line that holds `focus` the part
    /// around it is kept, of others the beginning.
    pub(crate) fn show(&self, first: u32, last: u32, focus: ByteRange, max_chars: usize) -> Shown {
        let first = first.max(1);
        let mut shown = Shown {
            start: first,
            ..Shown::default()
        };
        for number in first..=last.min(self.lines.n_lines()) {
            let line = self.line(number);
            let start = self.lines.line_bytes(number).unwrap_or_default().start;
            let within = |at: u32| (at.saturating_sub(start) as usize).min(line.len());
            let range = if focus.start >= start {
                within(focus.start)..within(focus.end)
            } else {
                0..0
            };
            let (text, cut) = cut_line(line, range, max_chars);
            shown.lines.push(text);
            shown.cut_bytes += cut;
        }
        shown
    }
}

/// Returns at most about `max_chars` characters of `line` that hold the beginning of `focus`, with a
/// mark at each cut end, and the number of bytes left out.
pub(crate) fn cut_line(line: &str, focus: Range<usize>, max_chars: usize) -> (String, u64) {
    // As many bytes as characters at most, so a short line needs no counting.
    if line.len() <= max_chars || line.chars().nth(max_chars).is_none() {
        return (line.to_string(), 0);
    }
    let starts: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
    let char_of = |byte: usize| starts.partition_point(|start| *start < byte);
    let (from, to) = (char_of(focus.start), char_of(focus.end));
    let room = max_chars.saturating_sub(to - from) / 2;
    // A hit far to the right is centred; near either end the window stays within the line.
    let first = if to <= max_chars {
        0
    } else {
        from.saturating_sub(room).min(starts.len() - max_chars)
    };
    let last = (first + max_chars).min(starts.len());
    let byte_of = |at: usize| starts.get(at).copied().unwrap_or(line.len());
    let kept = &line[byte_of(first)..byte_of(last)];
    let mut out = String::with_capacity(kept.len() + 6);
    if first > 0 {
        out.push(CUT);
    }
    out.push_str(kept);
    if last < starts.len() {
        out.push(CUT);
    }
    (out, (line.len() - kept.len()) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_come_without_line_ends() {
        let source = Source::new("one\r\ntwo\rhalf\n\nlast".into());
        let shown = source.show(1, 9, ByteRange::default(), 100);
        assert_eq!(shown.lines, ["one", "two\rhalf", "", "last"]);
    }

    #[test]
    fn a_hit_at_the_end_of_a_long_line_is_shown() {
        let line = format!("{}needle", "x".repeat(100_000));
        let (shown, cut) = cut_line(&line, 100_000..100_006, 300);
        assert!(shown.starts_with('…') && shown.ends_with("needle"));
        assert_eq!(cut, line.len() as u64 - 300);
        let (start, _) = cut_line(&line, 0..1, 300);
        assert!(start.starts_with('x') && start.ends_with('…'));
    }

    proptest! {
        #[test]
        fn the_focus_is_always_shown(
            before in "[aé未]{0,60}", hit in "[N😀]{1,9}", after in "[aé未]{0,60}", max in 10usize..40,
        ) {
            let line = format!("{before}{hit}{after}");
            let (shown, cut) = cut_line(&line, before.len()..before.len() + hit.len(), max);
            prop_assert!(shown.contains(&hit));
            prop_assert!(shown.chars().count() <= max + 2);
            prop_assert_eq!(cut == 0, shown == line);
        }
    }
}
