use super::*;
use proptest::prelude::*;
use regex_syntax::ParserBuilder;

fn hir(pattern: &str) -> Hir {
    ParserBuilder::new()
        .multi_line(true)
        .crlf(true)
        .utf8(false)
        .line_terminator(b'\n')
        .build()
        .parse(pattern)
        .unwrap()
}

fn grams_of(text: &str) -> BTreeSet<[u8; 3]> {
    fold(text.as_bytes())
        .windows(3)
        .map(|w| [w[0], w[1], w[2]])
        .filter(|gram| !gram.contains(&b'\n') && !gram.contains(&b'\r'))
        .collect()
}

fn satisfied(query: &GramQuery, grams: &BTreeSet<[u8; 3]>) -> bool {
    match query {
        GramQuery::All => true,
        GramQuery::None => false,
        GramQuery::Gram(gram) => grams.contains(gram),
        GramQuery::And(parts) => parts.iter().all(|part| satisfied(part, grams)),
        GramQuery::Or(parts) => parts.iter().any(|part| satisfied(part, grams)),
    }
}

fn admits(pattern: &str, text: &str) -> bool {
    satisfied(&plan(&hir(pattern)), &grams_of(text))
}

#[test]
fn literals_need_their_grams() {
    assert!(admits("needle", "a Needle here") && !admits("needle", "a needl here"));
    assert!(admits("(?i)kelvin", "a \u{212A}elvin") && !admits("(?i)kelvin", "elvin"));
    assert!(!admits("abc.*xyz", "abc abx") && admits("abc.*xyz", "xyz abc"));
    assert!(!admits("foo(bar|baz)", "foobax") && admits("foo(bar|baz)", "foobaz"));
    assert!(!admits("TTG[ATCG]{2}C", "ttgx") && admits("TTG[ATCG]{2}C", "ttgaac"));
    assert!(!admits("(ab){2}c", "abab"));
    assert!(!admits("x*longer", "longe"));
}

#[test]
fn short_or_open_patterns_admit_everything() {
    for pattern in [
        "",
        "ab",
        ".*",
        "[a-z]+",
        "x?",
        "^$",
        "ab|longerneedle",
        "a\r?b",
    ] {
        assert_eq!(plan(&hir(pattern)), GramQuery::All, "{pattern}");
    }
    assert_eq!(plan(&hir(r"[a&&b]")), GramQuery::None);
}

#[test]
fn large_patterns_stay_small() {
    let words: Vec<String> = (0..2_000).map(|n| format!("word{n}end")).collect();
    for pattern in [words.join("|"), words.join(".*"), "abcd".repeat(1_000)] {
        assert!(plan(&hir(&pattern)).n_grams() <= MAX_GRAMS);
    }
    assert!(plan(&hir(&"abcd".repeat(1_000))).n_grams() > 0);
}

fn atom() -> impl Strategy<Value = String> {
    let text = prop::sample::select(vec![
        "a",
        "b",
        "k",
        "K",
        "\u{212A}",
        "s",
        "ſ",
        "ß",
        "é",
        "ab",
        "bk",
        "kab",
        "sas",
        "é1",
        " ",
        ".",
        "[ab]",
        "[a-c]",
        "[kKé]",
        "[^a]",
        r"\w",
        r"\s",
        r"\d",
        "^",
        "$",
        r"\b",
        r"\B",
        "",
        r"[[:alpha:]]",
        r"\r",
        "[sſ]",
    ]);
    text.prop_map(str::to_string)
}

fn pattern() -> impl Strategy<Value = String> {
    atom().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 1..5).prop_map(|parts| parts.concat()),
            2 => prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|parts| format!("({})", parts.join("|"))),
            2 => (inner.clone(), prop::sample::select(vec!["*", "+", "?", "{2}", "{0,2}", "{2,}", "{4,5}", "+?"]))
                .prop_map(|(part, times)| format!("(?:{part}){times}")),
            1 => inner.prop_map(|part| format!("(?i:{part})")),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "c", "k", "K", "\u{212A}", "s", "S", "ſ", "ß", "ẞ", "é", "É", "1", " ", "\n",
        "\r\n", "\r", "ab", "kab", "sas",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn a_match_satisfies_the_plan(pattern in pattern(), fold_case: bool, text in text()) {
        let pattern = if fold_case { format!("(?i){pattern}") } else { pattern };
        let regex = regex::RegexBuilder::new(&pattern)
            .multi_line(true)
            .crlf(true)
            .build()
            .unwrap();
        if text.split('\n').any(|line| regex.is_match(line)) {
            prop_assert!(admits(&pattern, &text), "{:?}", plan(&hir(&pattern)));
        }
    }

    #[test]
    fn evaluation_keeps_every_file_that_satisfies(
        pattern in pattern(),
        texts in prop::collection::vec(text(), 0..8),
    ) {
        let query = plan(&hir(&pattern));
        let grams: Vec<_> = texts.iter().map(|text| grams_of(text)).collect();
        let mut lookup = |gram| {
            let files = (0..grams.len()).filter(|file| grams[*file].contains(&gram));
            Ok::<_, ()>(files.map(|file| file as u32).collect())
        };
        let files = query.files(&mut lookup).unwrap();
        for (file, grams) in grams.iter().enumerate().filter(|(_, g)| satisfied(&query, g)) {
            let file = file as u32;
            prop_assert!(files.as_ref().is_none_or(|f| f.contains(&file)), "{} {:?}", file, grams);
        }
    }
}
