use super::*;
use proptest::prelude::*;

fn terms(text: &str) -> Vec<String> {
    let mut splitter = Splitter::new();
    let mut ids = Vec::new();
    splitter.split(text, |id| ids.push(id));
    ids.iter().map(|id| splitter.term(*id).to_owned()).collect()
}

fn check(text: &str, expected: &str) {
    assert_eq!(terms(text).join(" "), expected, "{text}");
}

#[test]
fn identifiers_yield_the_whole_and_the_parts() {
    check("readFile", "readfile read file");
    check("HTTPServer", "httpserver http server");
    check("XMLHttpRequest", "xmlhttprequest xml http request");
    check("max_parse_bytes", "max_parse_bytes max pars byte");
    check("MAX_BYTES", "max_bytes max byte");
    check("utf8", "utf8 utf 8");
    check("sha256sum", "sha256sum sha 256 sum");
    check("__init__", "init");
    check("_innerText", "innertext inner text");
    check("$scope.apply()", "scope apply");
    check("jQuery$fn", "jquery$fn j query fn");
    check("HTTP", "http");
    check("parseURLs", "parseurls pars url");
    check("foo-bar.baz", "foo bar baz");
    check("_ $ __", "");
}

#[test]
fn letters_of_other_scripts_are_words() {
    check("größeÄndern", "größeändern größe ändern");
    check("имяФайла", "имяфайла имя файла");
    check(
        "設定ファイル、名前",
        "設定ファイル 設定 定フ ファ ァイ イル 名前",
    );
    check("load설정값2", "load설정값2 load 설정 정값 2");
    check("ΟΔΟΣ", "οδοσ");
    check("it’s", "it s");
}

#[test]
fn numbers_are_one_term() {
    check("10_000 0xFF 1u32 42", "10000 0xff 1u32 42");
    check("32bit", "32bit 32 bit");
    check("123456789012345678901234567890", "");
}

#[test]
fn data_is_not_cut_into_pieces() {
    check("a1b2c3d4e5", "a1b2c3d4e5");
    check(&"3fa85f64".repeat(10), "");
    check(&"aGVsbG8Gd29Ybq".repeat(10), "");
    let long = "handles_the_case_where_".repeat(5);
    assert_eq!(terms(&long)[0].len(), MAX_TERM_BYTES);
    assert!(
        terms(&long)
            .iter()
            .any(|term| term == "cas" || term == "case")
    );
    assert_eq!(terms(&"語".repeat(40))[0].len(), 63);
    assert_eq!(terms(&"é".repeat(40)), ["é".repeat(32)]);
    assert!(terms(&"x1_".repeat(100_000)).is_empty());
}

#[test]
fn forms_of_one_word_meet() {
    for forms in [
        &["parse", "parses", "parsed", "parsing"][..],
        &["cache", "caches", "cached", "caching"],
        &["query", "queries", "queried", "querying"],
        &["map", "maps", "mapped", "mapping"],
        &["name", "names", "named", "naming"],
        &["write", "writes", "writing"],
        &["index", "indexes", "indexed", "indexing", "indices"],
        &["class", "classes"],
        &["process", "processes", "processed", "processing"],
        &["use", "uses", "used", "using"],
        &["cancel", "cancels", "cancelled", "canceled", "cancelling"],
        &["install", "installed", "installing"],
        &["commit", "committed", "committing"],
        &["add", "adds", "added", "adding"],
        &["call", "calls", "called", "calling"],
        &["match", "matches", "matched", "matching"],
        &["update", "updates", "updated", "updating"],
        &["resolve", "resolved", "resolving"],
        &["string", "strings"],
        &["status", "statuses"],
        &["alias", "aliases"],
        &["tree", "trees"],
        &["type", "types", "typed", "typing"],
        &["URL", "URLs", "urls"],
    ] {
        for form in forms {
            assert_eq!(terms(form), terms(forms[0]), "{form}");
        }
    }
}

#[test]
fn different_words_stay_apart() {
    for (one, other) in [
        ("mode", "mod"),
        ("state", "stat"),
        ("file", "fill"),
        ("parser", "parse"),
        ("string", "str"),
        ("site", "sit"),
        ("note", "not"),
        ("redis", "red"),
        ("need", "ne"),
    ] {
        assert_ne!(terms(one), terms(other), "{one} {other}");
    }
}

fn asked(text: &str) -> String {
    let terms = query_terms(text).into_iter();
    let shown = terms.map(|t| format!("{}{}{}", t.term, if t.whole { "!" } else { "" }, t.group));
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn queries_drop_words_that_say_nothing() {
    assert_eq!(asked("how does the parser work"), "parser!0 work!1");
    assert_eq!(
        asked("readFile file READ_FILE"),
        "readfile!0 read0 file!0 read_file!2"
    );
    assert_eq!(asked("is it"), "is!0 it!1");
    assert_eq!(asked("is_empty"), "is_empty!0 is0 empty0");
    assert_eq!(asked(" .. "), "");
    assert!(STOP_WORDS.is_sorted());
    assert!(STOP_WORDS.iter().all(|word| is_stop_word(word)));
}

#[test]
fn names_fold_letter_by_letter() {
    assert_eq!(fold_name("ParseURL_2"), "parseurl_2");
    assert_eq!(fold_name("ÄΣ"), "äσ");
}

#[test]
fn a_cleared_splitter_numbers_from_zero() {
    let mut splitter = Splitter::new();
    splitter.split("one two", |_| {});
    assert_eq!(splitter.n_terms(), 2);
    splitter.clear();
    assert_eq!(splitter.n_terms(), 0);
    let mut ids = Vec::new();
    splitter.split("two two one", |id| ids.push(id.0));
    assert_eq!(ids, [0, 0, 1]);
    assert_eq!(splitter.term(TermId(7)), "");
}

/// Text like source: words in every style, mixed with anything.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,9}(_[a-z0-9]{1,5}){0,3}",
        "[A-Za-z0-9_$]{1,90}",
        "([A-Z][a-z]{1,5}){1,4}s?",
        "(in|e|s)?(ing|ed|es|ies|ied|eed|lls|e){1,2}",
        "\\PC{0,8}",
        "[ \\n.(){};é語İΣ²]{1,3}",
        "[設定値aB1]{1,6}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #[test]
    fn index_and_query_agree(text in text()) {
        let mut indexed: Vec<String> = terms(&text);
        let mut asked: Vec<String> =
            collect_terms(&text, |_| true).into_iter().map(|t| t.term).collect();
        indexed.sort();
        indexed.dedup();
        asked.sort();
        prop_assert_eq!(indexed, asked);
    }

    #[test]
    fn terms_are_bounded_lower_case_and_repeatable(text in text()) {
        let first = terms(&text);
        for term in &first {
            prop_assert!(!term.is_empty() && term.len() <= MAX_TERM_BYTES);
            prop_assert!(!term.bytes().any(|b| b.is_ascii_uppercase()));
        }
        // A splitter that has seen other text splits the same.
        let mut used = Splitter::new();
        used.split("some other words parseThings", |_| {});
        used.split(&text, |_| {});
        let mut again = Vec::new();
        used.split(&text, |id| again.push(id));
        let again: Vec<&str> = again.iter().map(|id| used.term(*id)).collect();
        prop_assert_eq!(first, again);
    }

    #[test]
    fn stems_never_grow(word in "[a-z]{1,12}(ing|ed|s|es|ies|e|ll)?") {
        let mut stemmed = word.clone();
        stem::stem(&mut stemmed);
        prop_assert!(stemmed.len() <= word.len() && !stemmed.is_empty());
    }
}
