//! Test aid: source text in, facts as compact text out.

use crate::facts::{FileFacts, Import, Reference, Symbol, Visibility};
use crate::language::Language;
use crate::syntax::{AnalysisLimits, Analyzer};

/// Checks the definitions of `source`, one a line:
/// `kind qualified.name visibility line[-line] | signature | documentation`, the visibility with a
/// `!` where other files cannot reach it, signature and documentation on one line.
pub(in crate::syntax) fn check(language: Language, source: &str, expected: &str) {
    let facts = facts(language, source);
    let shown = (0..facts.symbols.len()).map(|at| symbol_line(&facts, source, at));
    compare(shown, source, expected);
}

/// Checks the uses of names, one a line: `kind name < enclosing`.
pub(in crate::syntax) fn check_uses(language: Language, source: &str, expected: &str) {
    let facts = facts(language, source);
    let shown = facts.references.iter().map(|use_| use_line(&facts, use_));
    compare(shown, source, expected);
}

/// Checks the imports, one a line: `module as alias {name, name as alias}` with `pub` in front of
/// re-exports.
pub(in crate::syntax) fn check_imports(language: Language, source: &str, expected: &str) {
    let facts = facts(language, source);
    compare(facts.imports.iter().map(import_line), source, expected);
}

/// Returns the facts of `source`, checked against what holds for all facts.
pub(in crate::syntax) fn facts(language: Language, source: &str) -> FileFacts {
    let facts = Analyzer::new(AnalysisLimits::STANDARD).analyze(language, source);
    check_invariants(&facts, source);
    facts
}

/// Panics unless ranges lie within the text, orders hold and indexes are sound.
pub(in crate::syntax) fn check_invariants(facts: &FileFacts, text: &str) {
    let sound = |range: crate::text::ByteRange| {
        range.start <= range.end && text.get(range.start as usize..range.end as usize).is_some()
    };
    for (at, symbol) in facts.symbols.iter().enumerate() {
        assert!(symbol.parent.is_none_or(|parent| (parent as usize) < at));
        assert!(sound(symbol.range) && sound(symbol.name_range) && sound(symbol.signature));
        assert!(symbol.doc.is_none_or(sound));
        assert!(symbol.range.contains(symbol.signature), "{symbol:?}");
        assert!(symbol.range.contains(symbol.name_range), "{symbol:?}");
        assert!(!facts.names.get(symbol.name).is_empty());
    }
    assert!(facts.symbols.is_sorted_by_key(|symbol| symbol.range.start));
    for reference in &facts.references {
        assert_eq!(
            facts.names.get(reference.name),
            reference.range.of(text),
            "{reference:?}"
        );
        assert!(sound(reference.range) && !reference.range.is_empty());
        assert!(
            reference
                .enclosing
                .is_none_or(|at| (at as usize) < facts.symbols.len())
        );
    }
    let uses = &facts.references;
    assert!(uses.is_sorted_by(|a, b| a.range.end <= b.range.start));
    assert!(facts.imports.iter().all(|import| sound(import.range)));
    assert!(facts.imports.is_sorted_by_key(|import| import.range.start));
}

fn compare(shown: impl Iterator<Item = String>, source: &str, expected: &str) {
    let shown: Vec<String> = shown.collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    let expected: Vec<&str> = expected
        .into_iter()
        .filter(|line| !line.is_empty())
        .collect();
    assert!(
        shown == expected,
        "\n{source}\n--- found\n{}\n--- expected\n{}\n",
        shown.join("\n"),
        expected.join("\n")
    );
}

fn symbol_line(facts: &FileFacts, source: &str, at: usize) -> String {
    let symbol: &Symbol = &facts.symbols[at];
    let lines = crate::text::LineIndex::new(source).lines_of(symbol.range);
    let mut line = format!(
        "{} {} {}{} {}",
        symbol.kind.as_str(),
        facts.qualified_name(at as u32),
        symbol.visibility.as_str(),
        match symbol.exported {
            true => "",
            false if symbol.visibility == Visibility::Private => "",
            false => "!",
        },
        lines.start
    );
    if lines.end > lines.start {
        line += &format!("-{}", lines.end);
    }
    line += &format!(" | {}", one_line(symbol.signature.of(source)));
    if let Some(doc) = symbol.doc {
        line += &format!(" | {}", one_line(doc.of(source)));
    }
    line
}

fn use_line(facts: &FileFacts, reference: &Reference) -> String {
    let enclosing = reference.enclosing.map(|at| facts.qualified_name(at));
    format!(
        "{} {} < {}",
        reference.kind.as_str(),
        facts.names.get(reference.name),
        enclosing.as_deref().unwrap_or("file")
    )
}

fn import_line(import: &Import) -> String {
    let mut line = String::from(if import.reexport { "pub " } else { "" });
    line += &import.module;
    if let Some(alias) = &import.alias {
        line += &format!(" as {alias}");
    }
    if !import.names.is_empty() {
        let names = import.names.iter().map(|name| match &name.alias {
            Some(alias) => format!("{} as {alias}", name.name),
            None => name.name.clone(),
        });
        line += &format!(" {{{}}}", names.collect::<Vec<_>>().join(", "));
    }
    line
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
