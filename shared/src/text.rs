//! Byte ranges, line ranges and the map between them.
//!
//! A line ends after each LF and nowhere else: CR, VT, FF and Unicode separators are ordinary
//! characters, in every command. A final LF does not open another line. A CR directly before the
//! LF belongs to the line end and is not part of the line's text.

/// A half-open range of bytes, `start..end`, in the decoded text of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteRange {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl ByteRange {
    /// Returns `start..end`.
    pub fn new(start: u32, end: u32) -> Self {
        ByteRange { start, end }
    }

    /// Returns the number of bytes; an inverted range is empty.
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Returns whether the range holds no byte.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns whether `inner` lies within `self`.
    pub fn contains(self, inner: ByteRange) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    /// Returns the text of the range, or the empty string where it does not fit `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }
}

/// A range of lines, 1-based and inclusive at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineRange {
    /// First line, from 1.
    pub start: u32,
    /// Last line, at least `start`.
    pub end: u32,
}

/// Where each line of a text starts.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    len: u32,
}

impl LineIndex {
    /// Indexes `text`. Texts of 4 GiB and more are not supported; the builder never admits them.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
        let len = text.len() as u32;
        if starts.len() > 1 && starts.last() == Some(&len) {
            starts.pop();
        }
        LineIndex { starts, len }
    }

    /// Returns the number of lines; an empty text has one empty line 1 here but counts as zero lines.
    pub fn n_lines(&self) -> u32 {
        if self.len == 0 {
            0
        } else {
            self.starts.len() as u32
        }
    }

    /// Returns the 1-based line that holds the byte at `offset`; offsets past the end give the last line.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset).max(1) as u32
    }

    /// Returns the byte range of 1-based `line` including its line end, or `None` past the last line.
    pub fn line_bytes(&self, line: u32) -> Option<ByteRange> {
        let at = line.checked_sub(1)? as usize;
        let start = *self.starts.get(at)?;
        let end = self.starts.get(at + 1).copied().unwrap_or(self.len);
        Some(ByteRange::new(start, end))
    }

    /// Returns the lines that `range` touches; an empty range touches the line of its start, and a
    /// range that ends just after an LF does not touch the line behind it.
    pub fn lines_of(&self, range: ByteRange) -> LineRange {
        let start = self.line_of(range.start);
        let last = if range.is_empty() {
            range.start
        } else {
            range.end - 1
        };
        LineRange {
            start,
            end: self.line_of(last).max(start),
        }
    }

    /// Returns the bytes of a line range, cut to the text; past the end it is empty.
    pub fn bytes_of(&self, lines: LineRange) -> ByteRange {
        let start = self.line_bytes(lines.start).map_or(self.len, |b| b.start);
        let end = self.line_bytes(lines.end).map_or(self.len, |b| b.end);
        ByteRange::new(start, end.max(start))
    }

    /// Returns the 1-based column of byte `offset` within its line, counted in characters (Unicode
    /// scalar values) of `text`.
    pub fn column_of(&self, text: &str, offset: u32) -> u32 {
        let line = self.line_of(offset);
        let start = self.line_bytes(line).map_or(0, |b| b.start);
        ByteRange::new(start, offset).of(text).chars().count() as u32 + 1
    }
}

/// Returns `line` without its line end (LF or CRLF).
pub fn trim_line_end(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lf_ends_a_line() {
        let text = "01234567\u{b}\n\u{b}\n\u{b}\n\u{b}\nx";
        let index = LineIndex::new(text);
        assert_eq!(index.n_lines(), 5);
        assert_eq!(index.line_of(text.len() as u32 - 1), 5);
        assert_eq!(LineIndex::new("a\nb\rc\r\nd").n_lines(), 3);
        assert_eq!(LineIndex::new("").n_lines(), 0);
        assert_eq!(LineIndex::new("a\n").n_lines(), 1);
    }

    #[test]
    fn columns_count_characters() {
        let text = "x\nαβ target";
        let at = text.find("target").unwrap_or(0) as u32;
        let index = LineIndex::new(text);
        assert_eq!((index.line_of(at), index.column_of(text, at)), (2, 4));
    }

    #[test]
    fn lines_and_bytes_agree() {
        let text = "one\r\ntwo\r\nthree";
        let index = LineIndex::new(text);
        let two = index.line_bytes(2).unwrap_or_default();
        assert_eq!(trim_line_end(two.of(text)), "two");
        assert_eq!(index.lines_of(two), LineRange { start: 2, end: 2 });
        assert_eq!(
            index.bytes_of(LineRange { start: 2, end: 9 }).of(text),
            "two\r\nthree"
        );
    }
}
