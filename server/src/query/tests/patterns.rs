//! Regular expressions: every match is found, whatever the plan.

use super::corpus::{Corpus, hits, search};
use crate::query::request::{CaseMode, Operation, SearchMode};
use proptest::prelude::*;

fn lines(text: &str, pattern: &str) -> Vec<u32> {
    let corpus = Corpus::new(&[("a.txt", text)]);
    let hits = hits(corpus.search(SearchMode::Regex, pattern).unwrap());
    hits.iter().map(|hit| hit.start_line).collect()
}

#[test]
fn patterns_that_prefilters_get_wrong() {
    for (text, pattern) in [
        ("abc", "a(.*c)"),
        ("e-x", "(?i)e.x|ex"),
        (" a_", " ([abcde]+_)"),
        ("153.230000", r"\d\d\d000"),
        ("some.domain.com/x", r"(\w+\.)*domain\.(\w+)"),
        (
            "x b y",
            r"(^|[^a-z])((([a-z]+)?)\s)?b(\s([a-z]+)?)($|[^a-z])",
        ),
        ("ab", "ab|longerneedle"),
        ("let indexedData = 1", r"\bindexedData\b"),
        ("Straße", "(?i)straße"),
        ("\u{212A}elvin", "(?i)kelvin"),
        ("x=1", "^x"),
    ] {
        assert_eq!(lines(text, pattern), [1], "{pattern}");
    }
    assert_eq!(
        lines("\tTaskID int\n\tTaskID   int\n", "TaskID +int"),
        [1, 2]
    );
    let letters = format!("{}TTGACTC{}", "ATCG".repeat(500), "GGTA".repeat(500));
    assert_eq!(lines(&letters, "TTG[ATCG]{2}TC"), [1]);
    assert_eq!(lines("STRASSE", "(?i)straße"), [0; 0]);
}

#[test]
fn patterns_without_grams_and_empty_matches_are_bounded_and_exact() {
    let text = "a\r\n\r\n-foo\r\n\n";
    assert_eq!(lines(text, ".*"), [1, 2, 3, 4]);
    assert_eq!(lines(text, "x?"), [1, 2, 3, 4]);
    assert_eq!(lines(text, "^$"), [2, 4]);
    assert_eq!(lines(text, "[a-z]+"), [1, 3]);
    assert_eq!(lines(text, "-foo"), [3]);
    assert_eq!(lines(text, "a$"), [1]);
}

fn pattern() -> impl Strategy<Value = String> {
    let atom = prop::sample::select(vec![
        "a", "b", "k", "K", "\u{212A}", "ſ", "s", "ß", "é", "abc", "kab", "bcd", ".", "[ab]",
        "[^k]", r"\w", r"\s", "^", "$", r"\b", "", "[kKé]",
    ]);
    let atom = atom.prop_map(str::to_string);
    atom.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 1..5).prop_map(|parts| parts.concat()),
            2 => prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|parts| format!("({})", parts.join("|"))),
            2 => (inner.clone(), prop::sample::select(vec!["*", "+", "?", "{2}", "{0,2}", "{2,}"]))
                .prop_map(|(part, times)| format!("(?:{part}){times}")),
            1 => inner.prop_map(|part| format!("(?i:{part})")),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "c", "k", "K", "\u{212A}", "s", "S", "ſ", "ß", "é", "É", " ", "\n", "\r\n",
        "abc", "kab", "bcd", "BCD",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The planned search finds exactly the lines that a scan of everything finds.
    #[test]
    fn planned_is_full(
        texts in prop::collection::vec(text(), 1..8),
        patterns in prop::collection::vec(pattern(), 12),
        insensitive: bool,
    ) {
        let files: Vec<(String, String)> =
            texts.into_iter().enumerate().map(|(n, text)| (format!("f{n}.txt"), text)).collect();
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let corpus = Corpus::new(&files);
        for pattern in patterns {
            let full = regex::RegexBuilder::new(&pattern)
                .multi_line(true)
                .crlf(true)
                .case_insensitive(insensitive)
                .build()
                .unwrap();
            let mut expected = Vec::new();
            for (path, text) in &files {
                let lines = text.split_terminator('\n').zip(1..);
                let matching = lines.filter(|(line, _)| full.is_match(line.trim_end_matches('\r')));
                expected.extend(matching.map(|(_, number)| format!("{path}:{number}")));
            }
            if pattern.is_empty() {
                continue;
            }
            let mut search = search(SearchMode::Regex, &pattern);
            search.case = if insensitive { CaseMode::Insensitive } else { CaseMode::Sensitive };
            let answer = corpus.run(Operation::Search(search)).unwrap();
            prop_assert_eq!(answer.extent.total, expected.len() as u64, "{}", pattern);
            let found: Vec<String> = hits(answer)
                .iter()
                .map(|hit| format!("{}:{}", hit.path, hit.start_line))
                .collect();
            prop_assert_eq!(found, expected, "{}", pattern);
        }
    }
}
