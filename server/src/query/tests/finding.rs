//! Text, symbols, references, paths.

use super::corpus::{Corpus, hits, query, search};
use crate::query::answer::{Body, Exactness};
use crate::query::cursor;
use crate::query::request::{CaseMode, Files, FilesView, Operation, SearchMode};
use leantoken_shared::facts::SymbolKind;
use leantoken_shared::path::PathSet;

#[test]
fn queries_are_literal_whatever_they_hold() {
    let text = "a multi-agent b\nuse std::vec;\nfn go() {}\nsay a\"b\nx : quick NOT fox *\n\
                ^quick\nNEAR(a b)\nfox OR fine\nprefixfnordsuffix\n";
    let corpus = Corpus::new(&[
        ("a.txt", text),
        ("b.txt", "multi agent std vec go quick fox\n"),
    ]);
    for (query, line) in [
        ("multi-agent", 1),
        ("std::vec", 2),
        ("go()", 3),
        ("a\"b", 4),
        ("*", 5),
        ("NOT fox", 5),
        ("x : quick", 5),
        ("^quick", 6),
        ("NEAR(a b)", 7),
        ("fox OR fine", 8),
        ("fn", 3),
        ("fno", 9),
    ] {
        let places = corpus.places(SearchMode::Text, query);
        assert_eq!(places[0], format!("a.txt:{line}"), "{query}");
        let literal = |place: &String| place.starts_with("a.txt");
        assert!(places.iter().all(literal), "{query}");
    }
    assert_eq!(corpus.places(SearchMode::Text, "f").len(), 5);
    assert_eq!(corpus.places(SearchMode::Text, "agent multi"), [""; 0]);
}

#[test]
fn a_literal_that_looks_like_a_pattern_says_so() {
    let corpus = Corpus::new(&[("a.txt", "foo\nbar\n")]);
    let answer = corpus.search(SearchMode::Text, "foo|bar").unwrap();
    assert_eq!(answer.extent.total, 0);
    assert!(answer.notices[0].contains("regular expression"));
    for mode in [
        SearchMode::Text,
        SearchMode::Regex,
        SearchMode::Auto,
        SearchMode::Symbol,
    ] {
        let error = corpus.search(mode, "").unwrap_err();
        assert!(error.to_string().contains("query"), "{error}");
    }
}

#[test]
fn path_filters_hold_in_every_mode() {
    let files = [
        ("alpha/x.rs", "fn needle() { needle(); }\n"),
        ("src/my_file.rs", "fn needle() { needle(); }\n"),
        ("src/myXfile.rs", "fn needle() { needle(); }\n"),
    ];
    let corpus = Corpus::new(&files);
    let modes = [
        SearchMode::Auto,
        SearchMode::Text,
        SearchMode::Regex,
        SearchMode::Symbol,
        SearchMode::Reference,
    ];
    for mode in modes {
        for (pattern, n) in [("src/my_file.rs", 1), ("ALPHA/**", 0), ("nothing/**", 0)] {
            let mut search = search(mode, "needle");
            search.paths = PathSet::new(&[pattern], &[] as &[&str]).unwrap();
            let hits = hits(corpus.run(Operation::Search(search)).unwrap());
            let mut paths: Vec<_> = hits.iter().map(|hit| hit.path.as_str()).collect();
            paths.dedup();
            assert_eq!(paths.len(), n, "{mode:?} {pattern} {paths:?}");
            assert!(paths.iter().all(|path| *path == "src/my_file.rs"));
        }
    }
}

#[test]
fn positions_are_lines_from_lf_and_columns_in_characters() {
    let corpus = Corpus::new(&[
        ("crlf.txt", "one\r\ntwo\r\n"),
        ("tab.txt", "01234567\u{b}\n\u{b}\n\u{b}\n\u{b}\nx\n"),
        ("wide.txt", "x\nαβ target\n"),
        ("yo.txt", "привет\nПРИВЕТ\nПривет\n未來\n"),
    ]);
    let two = hits(corpus.search(SearchMode::Text, "two").unwrap());
    assert_eq!((two[0].start_line, two[0].column), (2, 1));
    assert_eq!(two[0].lines, ["two"]);
    assert_eq!(corpus.places(SearchMode::Regex, "two$"), ["crlf.txt:2"]);
    assert!(
        corpus
            .places(SearchMode::Text, "x")
            .contains(&"tab.txt:5".into())
    );
    let target = hits(corpus.search(SearchMode::Text, "target").unwrap());
    assert_eq!((target[0].start_line, target[0].column), (2, 4));
    assert_eq!(corpus.places(SearchMode::Text, "привет").len(), 3);
    assert_eq!(corpus.places(SearchMode::Text, "Привет").len(), 1);
    assert_eq!(corpus.places(SearchMode::Text, "未來"), ["yo.txt:4"]);
}

#[test]
fn long_lines_show_the_hit_and_count_the_rest() {
    let line = format!("{}needle{}", "x".repeat(100_000), "y".repeat(13_000));
    let corpus = Corpus::new(&[("min.js", &line)]);
    let answer = corpus.search(SearchMode::Text, "needle").unwrap();
    assert_eq!(answer.extent.omitted[0].reason, "long_line");
    assert!(answer.extent.omitted[0].count > 112_000);
    let hit = &hits(answer)[0];
    assert!(hit.lines[0].contains("needle") && hit.lines[0].chars().count() <= 302);
    assert_eq!(hit.column, 100_001);
}

#[test]
fn ranked_hits_in_long_lines_show_what_was_asked_for() {
    let line = format!("{}Needle{}", "İx ".repeat(50_000), " y".repeat(9_000));
    let corpus = Corpus::new(&[("notes.txt", &format!("first\n{line}\nlast\n"))]);
    let hit = &hits(corpus.search(SearchMode::Auto, "the needle").unwrap())[0];
    assert!(hit.lines.iter().any(|line| line.contains("Needle")));
    assert!(hit.lines.iter().all(|line| line.chars().count() <= 302));
}

#[test]
fn pages_of_hits_are_the_whole_with_exact_totals() {
    let files: Vec<(String, String)> = (0..40)
        .map(|n| (format!("f{n:02}.txt"), "needle\nhay\n".repeat(n % 5)))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(p, t)| (p.as_str(), t.as_str()))
        .collect();
    let corpus = Corpus::new(&files);
    let whole = corpus.places(SearchMode::Text, "needle");
    let mut search = search(SearchMode::Text, "needle");
    search.limit = 7;
    let mut query = query(Operation::Search(search));
    let mut paged = Vec::new();
    loop {
        let answer = corpus.ask(&query).unwrap();
        assert_eq!((answer.extent.total, answer.extent.total_files), (80, 32));
        let next = answer.extent.next_cursor.clone();
        paged.extend(
            hits(answer)
                .iter()
                .map(|hit| format!("{}:{}", hit.path, hit.start_line)),
        );
        let Some(next) = next else { break };
        query.skip = cursor::decode(&next, &query.operation, corpus.view.generation()).unwrap();
    }
    assert_eq!(paged, whole);
}

#[test]
fn hits_name_the_definition_around_them() {
    let corpus = Corpus::new(&[(
        "a.rs",
        "struct S;\nimpl S {\n    fn go(&self) {\n        let needle = 1;\n    }\n}\n",
    )]);
    let hit = &hits(corpus.search(SearchMode::Text, "needle").unwrap())[0];
    assert_eq!(hit.symbol.as_deref(), Some("S.go"));
    let mut with_context = search(SearchMode::Text, "needle");
    with_context.context_lines = 1;
    let hit = &hits(corpus.run(Operation::Search(with_context)).unwrap())[0];
    assert_eq!((hit.lines_start, hit.lines.len()), (3, 3));
}

const SHAPES: &str = "pub struct Deadline;\n\nimpl Deadline {\n    pub fn check(&self) {}\n}\n\n\
                      fn deadline() { check_all(); }\n\nfn check_all() {}\n";

#[test]
fn symbols_come_exact_then_folded_then_prefix() {
    let corpus = Corpus::new(&[
        ("src/shapes.rs", SHAPES),
        ("tests/t.rs", "struct Deadline;\n"),
    ]);
    let found = hits(corpus.search(SearchMode::Symbol, "Deadline").unwrap());
    let order: Vec<_> = found
        .iter()
        .map(|hit| (hit.path.as_str(), hit.kind.unwrap(), hit.start_line))
        .collect();
    assert_eq!(order[0], ("src/shapes.rs", SymbolKind::Struct, 1));
    assert_eq!(order[1].0, "tests/t.rs");
    assert_eq!(
        *order.last().unwrap(),
        ("src/shapes.rs", SymbolKind::Function, 7)
    );
    for name in [
        "Deadline.check",
        "Deadline::check",
        "Deadline#check",
        "Deadline/check",
    ] {
        let found = hits(corpus.search(SearchMode::Symbol, name).unwrap());
        assert_eq!(found[0].symbol.as_deref(), Some("Deadline.check"), "{name}");
        assert_eq!((found[0].start_line, found.len()), (4, 1));
    }
    assert_eq!(
        corpus.places(SearchMode::Symbol, "shapes::check_all"),
        ["src/shapes.rs:9"]
    );
    assert_eq!(corpus.places(SearchMode::Symbol, "check_").len(), 1);
    let part = corpus.search(SearchMode::Symbol, "line").unwrap();
    assert_eq!(part.extent.exactness, Exactness::Exact);
    assert!(part.extent.total >= 3 && part.notices[0].contains("similar"));
    let mut only = search(SearchMode::Symbol, "Deadline");
    only.kinds = vec![SymbolKind::Function];
    assert_eq!(hits(corpus.run(Operation::Search(only)).unwrap()).len(), 1);
}

#[test]
fn references_are_uses_without_definitions() {
    let text = "fn open() {}\nfn Open() {}\nfn caller() {\n    open();\n    Open();\n    let f = open;\n}\n";
    let corpus = Corpus::new(&[("a.rs", text)]);
    let found = hits(corpus.search(SearchMode::Reference, "Open").unwrap());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].start_line, found[0].column), (5, 5));
    assert_eq!(found[0].symbol.as_deref(), Some("caller"));
    assert_eq!(found[0].usage.unwrap().as_str(), "call");
    assert_eq!(corpus.places(SearchMode::Reference, "open").len(), 3);
    let mut exact = search(SearchMode::Reference, "open");
    exact.case = CaseMode::Sensitive;
    assert_eq!(
        corpus.run(Operation::Search(exact)).unwrap().extent.total,
        2
    );
}

fn listing(corpus: &Corpus, view: FilesView) -> Body {
    let files = Files {
        view,
        paths: PathSet::all(),
        limit: 100,
    };
    corpus.run(Operation::Files(files)).unwrap().body
}

#[test]
fn trees_count_and_finds_rank() {
    let corpus = Corpus::new(&[
        ("a-b/x.rs", "1\n2\n"),
        ("a/deep/y.rs", "1\n"),
        ("a/z.rs", "1\n2\n3\n"),
        ("top.md", "# T\n"),
    ]);
    let tree = |path: &str, depth| match listing(
        &corpus,
        FilesView::Tree {
            path: path.into(),
            depth,
        },
    ) {
        Body::Tree(entries) => entries
            .iter()
            .map(|e| {
                format!(
                    "{}{} {:?} {}",
                    " ".repeat(e.depth as usize),
                    e.path,
                    e.n_files,
                    e.n_lines
                )
            })
            .collect::<Vec<_>>(),
        body => panic!("{body:?}"),
    };
    assert_eq!(
        tree("", 1),
        ["a-b Some(1) 2", "a Some(2) 4", "top.md None 1"]
    );
    assert_eq!(
        tree("a", 9),
        ["a/deep Some(1) 1", " a/deep/y.rs None 1", "a/z.rs None 3"]
    );
    let Body::Paths(found) = listing(&corpus, FilesView::Find { query: "dy".into() }) else {
        panic!()
    };
    assert_eq!(found[0].path, "a/deep/y.rs");
    let missing = Files {
        view: FilesView::Tree {
            path: "nope".into(),
            depth: 1,
        },
        paths: PathSet::all(),
        limit: 1,
    };
    assert!(corpus.run(Operation::Files(missing)).is_err());
}

#[test]
fn newer_segments_hide_older_files() {
    let base: &[(&str, &str)] = &[
        ("a.rs", "fn needle() {}\n"),
        ("b.rs", "fn needle() {}\n"),
        ("c.rs", "fn needle() {}\n"),
    ];
    let newer: &[(&str, &str)] = &[("b.rs", "fn other() {}\n"), ("d.rs", "\nfn needle() {}\n")];
    let layered = Corpus::layered(&[(base, &[]), (newer, &["c.rs"])]);
    let rebuilt = Corpus::new(&[base[0], newer[0], newer[1]]);
    for mode in [
        SearchMode::Text,
        SearchMode::Symbol,
        SearchMode::Auto,
        SearchMode::Regex,
    ] {
        let places = layered.places(mode, "needle");
        assert_eq!(places, rebuilt.places(mode, "needle"), "{mode:?}");
        assert_eq!(places, ["a.rs:1", "d.rs:2"], "{mode:?}");
    }
    let scores = |corpus: &Corpus| -> Vec<Option<f64>> {
        hits(corpus.search(SearchMode::Auto, "other needle").unwrap())
            .iter()
            .map(|h| h.score)
            .collect()
    };
    assert_eq!(scores(&layered), scores(&rebuilt));
}

#[test]
fn large_files_and_pages_past_the_end_are_whole() {
    let text: String = (0..3_500)
        .map(|n| format!("pub fn item_{n}() {{\n    work({n});\n}}\n\n"))
        .collect();
    let corpus = Corpus::new(&[("many.rs", &text)]);
    assert_eq!(
        corpus
            .search(SearchMode::Text, "work(")
            .unwrap()
            .extent
            .total,
        3_500
    );
    assert_eq!(
        corpus
            .search(SearchMode::Reference, "work")
            .unwrap()
            .extent
            .total,
        3_500
    );
    assert_eq!(
        corpus.places(SearchMode::Symbol, "item_3499"),
        ["many.rs:13997"]
    );
    let similar = corpus.search(SearchMode::Symbol, "item_").unwrap();
    assert_eq!(similar.extent.exactness, Exactness::LowerBound);
    let mut past = query(Operation::Search(search(SearchMode::Text, "work(")));
    past.skip = 9_999;
    let answer = corpus.ask(&past).unwrap();
    assert_eq!((answer.extent.returned, answer.extent.total), (0, 3_500));
    assert_eq!(answer.extent.next_cursor, None);
}

#[test]
fn names_that_are_not_words_are_found() {
    let python = "class K:\n    def __init__(self):\n        pass\n";
    let corpus = Corpus::new(&[("k.py", python)]);
    for name in ["__init__", "K.__init__", "K/__init__", "k.K.__init__"] {
        assert_eq!(
            corpus.places(SearchMode::Symbol, name),
            ["k.py:2"],
            "{name}"
        );
    }
    let cpp = "struct Dir {\n    ~Dir() {}\n    bool operator==(const Dir& other) const { return true; }\n};\n";
    let corpus = Corpus::new(&[("dir.cpp", cpp)]);
    for (name, line) in [
        ("~Dir", 2),
        ("Dir::~Dir", 2),
        ("operator==", 3),
        ("Dir::operator==", 3),
    ] {
        let places = corpus.places(SearchMode::Symbol, name);
        assert_eq!(places, [format!("dir.cpp:{line}")], "{name}");
    }
}
