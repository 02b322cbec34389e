use super::*;
use crate::facts::{NameId, Visibility};
use crate::language::Language;
use crate::syntax::{AnalysisLimits, Analyzer};
use proptest::prelude::*;

fn check_cover(text: &str, chunks: &[Chunk]) {
    let lines = LineIndex::new(text);
    let mut next = (0, 1);
    for chunk in chunks {
        assert_eq!((chunk.range.start, chunk.start_line), next);
        assert!(chunk.range.end > chunk.range.start && chunk.end_line >= chunk.start_line);
        assert_eq!(lines.lines_of(chunk.range).end, chunk.end_line);
        assert!(chunk.start_line == chunk.end_line || chunk.range.len() <= MAX_BYTES);
        next = (chunk.range.end, chunk.end_line + 1);
    }
    assert_eq!(next, (text.len() as u32, lines.n_lines() + 1));
}

/// Checks the chunks of `source`, one a line: `start-end qualified.name`.
fn check(language: Language, source: &str, expected: &str) {
    let facts = Analyzer::new(AnalysisLimits::STANDARD).analyze(language, source);
    let found = chunks(source, &LineIndex::new(source), &facts);
    check_cover(source, &found);
    let shown: Vec<String> = found
        .iter()
        .map(|chunk| {
            let name = chunk.symbol.map(|symbol| facts.qualified_name(symbol));
            let name = name.unwrap_or_else(|| "-".to_owned());
            format!("{}-{} {name}", chunk.start_line, chunk.end_line)
        })
        .collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(shown, expected, "\n{source}");
}

fn function(name: &str, n_lines: usize) -> String {
    let body = "    call();\n".repeat(n_lines - 2);
    format!("fn {name}() {{\n{body}}}\n")
}

#[test]
fn functions_and_their_lead_are_pieces() {
    let source = format!(
        "use a::b;\n\n/// Doc.\n#[inline]\n{}\n{}",
        function("one", 10),
        function("two", 20)
    );
    check(Language::Rust, &source, "1-2 -\n3-15 one\n16-35 two");
}

#[test]
fn tiny_neighbours_merge() {
    let source = "const A: u8 = 1;\nconst B: u8 = 2;\n\nfn f() {}\n".repeat(3);
    check(Language::Rust, &source, "1-12 -");
    check(Language::Rust, "use a;\n\nfn f() {}\n", "1-3 f");
}

#[test]
fn long_containers_become_head_and_members() {
    let members = format!("{}\n{}", function("m", 30), function("n", 30));
    let source = format!("struct S {{\n    a: u8,\n}}\n\nimpl S {{\n{members}}}\n");
    check(Language::Rust, &source, "1-4 S\n5-36 S.m\n37-67 S.n");
}

#[test]
fn an_opening_line_goes_with_a_long_member() {
    let source = format!("impl S {{\n{}}}\n", function("m", 80));
    check(Language::Rust, &source, "1-82 S.m");
}

#[test]
fn short_containers_stay_whole() {
    let source = format!("trait T {{\n{}}}\n", function("m", 12));
    check(Language::Rust, &source, "1-14 T");
}

#[test]
fn long_functions_split_after_blank_lines() {
    let part = format!("{}\n", "    call();\n".repeat(49));
    let source = format!("fn f() {{\n{}}}\n", part.repeat(4));
    check(Language::Rust, &source, "1-51 f\n52-101 f\n102-202 f");
}

#[test]
fn text_without_syntax_is_cut_at_blank_lines() {
    let source = format!("{}\n", "words\n".repeat(59)).repeat(3);
    check(Language::Text, &source, "1-60 -\n61-120 -\n121-180 -");
    let empty = FileFacts::default();
    assert!(chunks("", &LineIndex::new(""), &empty).is_empty());
}

#[test]
fn a_giant_line_is_one_chunk() {
    let source = format!("a\n{}\nb\n", "x".repeat(100_000));
    check(Language::Text, &source, "1-1 -\n2-2 -\n3-3 -");
}

prop_compose! {
    fn any_symbol(len: u32)(
        kind in 0..SymbolKind::ALL.len(),
        start in 0..=len,
        size in 0..=len,
        lead in 0..200u32,
    ) -> Symbol {
        let range = ByteRange::new(start, (start + size).min(len));
        Symbol {
            name: NameId(0),
            kind: SymbolKind::ALL[kind],
            parent: None,
            owner: None,
            visibility: Visibility::Public,
            exported: true,
            name_range: range,
            range,
            signature: range,
            doc: Some(ByteRange::new(start.saturating_sub(lead), start)),
        }
    }
}

proptest! {
    #[test]
    fn chunks_cover_whatever_the_symbols(
        (text, mut symbols) in "([ -~é]{0,12}\r?\n){0,300}[a-z]{0,3}".prop_flat_map(|text| {
            let len = text.len() as u32;
            (Just(text), prop::collection::vec(any_symbol(len), 0..40))
        })
    ) {
        symbols.sort_by_key(|symbol| symbol.range.start);
        let facts = FileFacts { symbols, ..FileFacts::default() };
        check_cover(&text, &chunks(&text, &LineIndex::new(&text), &facts));
    }
}
