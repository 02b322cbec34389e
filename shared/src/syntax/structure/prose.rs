//! reStructuredText and AsciiDoc: headings, nested by level.
//!
//! A line is a heading where the next one is a row of one mark, at least as long; the marks' levels
//! follow from the order of their first use. `== Title` is a heading of AsciiDoc.

use super::Outline;
use super::scan::{for_lines, trimmed};
use crate::text::ByteRange;

const MARKS: &[u8] = b"=-~^\"'`#*+.:_";

pub(super) fn read(outline: &mut Outline<'_>) {
    let text = outline.text;
    let mut levels: Vec<(u8, bool)> = Vec::new();
    // The two lines before the current one.
    let mut title = ByteRange::default();
    let mut over: Option<u8> = None;
    for_lines(text, |start, end| {
        let line = ByteRange::new(start as u32, end as u32);
        let before = std::mem::replace(&mut title, line);
        let mark = row(line.of(text));
        if let Some(mark) = mark {
            let name = trimmed(text, before.start as usize, before.end as usize);
            let width = name.of(text).chars().count();
            let is_title = width > 0 && row(before.of(text)).is_none();
            let is_indented = name.start > before.start && over.is_none();
            if is_title && !is_indented && width <= line.of(text).trim_end().len() {
                let style = (mark, over == Some(mark));
                let level = levels.iter().position(|known| *known == style);
                let level = level.unwrap_or_else(|| {
                    levels.push(style);
                    levels.len() - 1
                });
                outline.section(level as u32, name, before.start as usize, end);
                title = ByteRange::default();
                over = None;
                return;
            }
            over = Some(mark);
            return;
        }
        if row(before.of(text)).is_none() {
            over = None;
        }
        adoc(outline, start, end);
    });
}

/// Returns the mark that `line` is a row of.
fn row(line: &str) -> Option<u8> {
    let line = line.trim_end().as_bytes();
    let first = *line.first()?;
    let is_row =
        line.len() >= 3 && MARKS.contains(&first) && line.iter().all(|byte| *byte == first);
    is_row.then_some(first)
}

/// `== Title`.
fn adoc(outline: &mut Outline<'_>, start: usize, end: usize) {
    let text = outline.text;
    let line = &text[start..end];
    let level = line.len() - line.trim_start_matches('=').len();
    if (1..=6).contains(&level) && line[level..].starts_with(' ') {
        let name = trimmed(text, start + level, end);
        if name.of(text).contains(char::is_alphanumeric) {
            outline.section(level as u32, name, start, end);
        }
    }
}
