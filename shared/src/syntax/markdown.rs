//! Markdown: headings as definitions, nested by level.
//!
//! A heading's range is its section: everything up to the next heading of the same or a higher level.
//! Headings within quotes and lists count, those within fences do not exist.

use crate::facts::{FileFacts, Symbol, SymbolKind, Visibility};
use crate::text::ByteRange;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

/// Returns the headings of `text`.
pub(super) fn facts(text: &str) -> FileFacts {
    let mut facts = FileFacts::default();
    let mut open: Vec<(u32, HeadingLevel)> = Vec::new();
    for (level, heading) in headings(text) {
        close(&mut facts, &mut open, Some(level), heading.start);
        let Some(name_range) = name_of(text, heading) else {
            continue;
        };
        let symbol = facts.symbols.len() as u32;
        facts.symbols.push(Symbol {
            name: facts.names.intern(name_range.of(text)),
            kind: SymbolKind::Heading,
            parent: open.last().map(|outer| outer.0),
            owner: None,
            visibility: Visibility::Public,
            exported: true,
            name_range,
            range: ByteRange::new(heading.start, heading.end),
            signature: first_line(text, heading),
            doc: None,
        });
        open.push((symbol, level));
    }
    close(&mut facts, &mut open, None, text.len() as u32);
    facts
}

/// Ends the sections that a heading of `level` at `end` ends, or all of them.
fn close(
    facts: &mut FileFacts,
    open: &mut Vec<(u32, HeadingLevel)>,
    level: Option<HeadingLevel>,
    end: u32,
) {
    while let Some((symbol, inner)) = open.last().copied()
        && level.is_none_or(|level| inner >= level)
    {
        open.pop();
        if let Some(symbol) = facts.symbols.get_mut(symbol as usize) {
            symbol.range.end = symbol.range.end.max(end);
        }
    }
}

/// Returns level and bytes of each heading, in order.
fn headings(text: &str) -> Vec<(HeadingLevel, ByteRange)> {
    let options =
        Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_TABLES | Options::ENABLE_MATH;
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let range = ByteRange::new(range.start as u32, range.end as u32);
        if let Event::Start(Tag::Heading { level, .. }) = event {
            found.push((level, range));
        }
    }
    found
}

/// Returns the first line of `heading`, blanks at its end left out.
fn first_line(text: &str, heading: ByteRange) -> ByteRange {
    let line = heading.of(text).lines().next().unwrap_or_default();
    let kept = line.trim_end().len() as u32;
    ByteRange::new(heading.start, heading.start + kept)
}

/// Returns the words of a heading without its markers, or `None` where there are none.
fn name_of(text: &str, heading: ByteRange) -> Option<ByteRange> {
    let line = first_line(text, heading).of(text);
    let opened = line.trim_start_matches('#');
    let mut name = opened;
    if opened.len() < line.len() {
        // `# Name ##`: the closing marks must stand apart.
        let closed = name.trim_end_matches('#');
        if closed.is_empty() || closed.ends_with([' ', '\t']) {
            name = closed;
        }
    }
    let start = line.len() - opened.len() + (name.len() - name.trim_start().len());
    let name = name.trim();
    let start = heading.start + start as u32;
    (!name.is_empty()).then(|| ByteRange::new(start, start + name.len() as u32))
}

#[cfg(test)]
mod tests {
    use crate::language::Language::Markdown;
    use crate::syntax::languages::fixture::{check, check_uses};

    #[test]
    fn sections_nest_by_level() {
        check(
            Markdown,
            "---\ntitle: x\n---\nIntro\n\n# One #\ntext\n## Two `code`\n\n```sh\n# no heading\n```\n\nSetext\nmore\n------\n\n#### Deep\n# C#\n#\n",
            "heading One public 6-18 | # One #
             heading One.Two `code` public 8-13 | ## Two `code`
             heading One.Setext public 14-18 | Setext
             heading One.Setext.Deep public 18 | #### Deep
             heading C# public 19 | # C#",
        );
        check_uses(Markdown, "# A\n[b](c)\n", "");
    }
}
