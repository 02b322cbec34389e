//! What is said where a request nearly fits: misspelt names, ambiguous ones, paths that are not there.

use super::corpus::{Corpus, search};
use crate::query::answer::{Answer, Body};
use crate::query::error::QueryError;
use crate::query::request::{Operation, Outline, Read, ReadTarget, SearchMode};
use leantoken_shared::path::PathSet;

fn corpus() -> Corpus {
    Corpus::new(&[
        (
            "src/evict.h",
            "int performEvictions(void);\nint poolSize(void);\n",
        ),
        (
            "src/evict.c",
            "int performEvictions(void) {\n    return 1;\n}\n",
        ),
        ("src/pool.c", "int poolSize(void) {\n    return 2;\n}\n"),
        (
            "src/other/pool.c",
            "int poolSize(void) {\n    return 3;\n}\n",
        ),
        (
            "src/table.def",
            "ENTRY(performEvictions)\n/* performEvictions twice */\n",
        ),
        (
            "docs/notes.md",
            "# Notes\n\n## performEvictions\n\nText.\n\n## Configuration\n\nMore.\n",
        ),
        ("logo.gif", ""),
    ])
}

fn read(path: Option<&str>, name: &str) -> Result<Answer, QueryError> {
    let target = ReadTarget::Symbol {
        path: path.map(str::to_string),
        name: name.into(),
    };
    corpus().run(Operation::Read(Read {
        targets: vec![target],
    }))
}

fn nearest(error: &QueryError) -> Vec<String> {
    match error {
        QueryError::NotFound { nearest, .. } => nearest.clone(),
        error => panic!("{error}"),
    }
}

#[test]
fn a_body_is_preferred_to_declarations_and_headings() {
    let answer = read(None, "performEvictions").unwrap();
    let Body::Excerpts(excerpts) = &answer.body else {
        panic!()
    };
    assert_eq!(
        (excerpts.len(), excerpts[0].path.as_str()),
        (1, "src/evict.c")
    );
    assert!(
        answer.notices[0].contains("src/evict.h:1"),
        "{:?}",
        answer.notices
    );
}

#[test]
fn every_choice_can_be_given_back() {
    let QueryError::Ambiguous { choices, .. } = read(None, "poolSize").unwrap_err() else {
        panic!()
    };
    assert_eq!(
        choices,
        [
            "src/other/pool.c#poolSize",
            "src/pool.c#poolSize",
            "src/evict.h#poolSize"
        ]
    );
    for choice in choices {
        let (path, name) = choice.split_once('#').unwrap();
        assert!(read(Some(path), name).is_ok(), "{choice}");
    }
}

#[test]
fn misspelt_names_bring_those_they_were_meant_to_be() {
    assert_eq!(
        nearest(&read(None, "performEvicitons").unwrap_err()),
        ["performEvictions"]
    );
    assert_eq!(nearest(&read(None, "somethingElse").unwrap_err()), [""; 0]);
    let heading = read(Some("docs/notes.md"), "Confguration").unwrap_err();
    assert_eq!(nearest(&heading), ["Notes.Configuration"]);
    let moved = read(Some("src/pool.c"), "performEvictions").unwrap_err();
    assert!(nearest(&moved).contains(&"src/evict.c#performEvictions".into()));
    let symbols = corpus()
        .search(SearchMode::Symbol, "preformEvictions")
        .unwrap();
    assert!(
        symbols.notices[0].contains("performEvictions"),
        "{:?}",
        symbols.notices
    );
}

#[test]
fn a_file_name_that_was_left_out_says_so() {
    let error = read(None, "logo.gif").unwrap_err().to_string();
    assert!(error.contains("left out of the index: binary"), "{error}");
}

#[test]
fn names_and_similar_names_are_counted_apart() {
    let corpus = Corpus::new(&[("a.rs", "fn open() {}\nfn open_all() {}\nfn opener() {}\n")]);
    let answer = corpus.search(SearchMode::Symbol, "open").unwrap();
    assert_eq!(answer.extent.total, 3);
    assert_eq!(answer.notices, ["1 named 'open', 2 similar names"]);
    let two = Corpus::new(&[("a.rs", "fn open() {}\nfn opener() {}\n")]);
    let two = two.search(SearchMode::Symbol, "open").unwrap();
    assert_eq!(two.notices, ["1 named 'open', 1 similar name"]);
    let one = corpus.search(SearchMode::Symbol, "opene").unwrap();
    assert_eq!(
        one.notices,
        ["nothing is named 'opene'; this is a similar name"]
    );
}

#[test]
fn a_missing_heading_brings_the_headings_of_its_file() {
    let error = read(Some("docs/notes.md"), "poolSize").unwrap_err();
    assert!(error.to_string().contains("heading 'poolSize'"), "{error}");
    let headings = ["Notes", "Notes.performEvictions", "Notes.Configuration"];
    assert_eq!(nearest(&error), headings);
}

#[test]
fn a_misspelt_folder_brings_the_path_with_fewest_slips() {
    let paths = ["crates/alpha/src/lib.rs", "crates/beta/src/lib.rs"];
    let mut files = paths.map(|path| (path, "fn a() {}\n")).to_vec();
    files.push(("crates/parser/src/lib.rs", "fn a() {}\n"));
    let target = ReadTarget::File {
        path: "crates/parsr/src/lib.rs".into(),
        lines: None,
    };
    let read = Operation::Read(Read {
        targets: vec![target],
    });
    let error = Corpus::new(&files).run(read).unwrap_err();
    assert_eq!(nearest(&error)[0], "crates/parser/src/lib.rs");
}

#[test]
fn paths_that_are_not_there_say_why() {
    let outline = |target: &str| {
        let outline = Outline {
            targets: vec![target.into()],
            depth: 3,
            kinds: Vec::new(),
            limit: 9,
        };
        corpus().run(Operation::Outline(outline)).unwrap_err()
    };
    assert_eq!(nearest(&outline("src/evct.c"))[0], "src/evict.c");
    assert_eq!(nearest(&outline("evict")), ["src/evict.c", "src/evict.h"]);
    assert_eq!(nearest(&outline("zzz.txt")), [""; 0]);
    let skipped = outline("logo.gif").to_string();
    assert!(
        skipped.contains("left out of the index: binary"),
        "{skipped}"
    );
    for mode in [SearchMode::Auto, SearchMode::Text, SearchMode::Symbol] {
        let mut search = search(mode, "poolSize");
        search.paths = PathSet::new(&["lib/**"], &[] as &[&str]).unwrap();
        let answer = corpus().run(Operation::Search(search)).unwrap();
        assert!(
            answer
                .notices
                .contains(&"no indexed file matches the paths lib/**".into())
        );
    }
}

#[test]
fn uses_in_files_without_facts_are_counted() {
    let answer = corpus()
        .search(SearchMode::Reference, "performEvictions")
        .unwrap();
    assert_eq!(answer.extent.total, 0);
    assert!(
        answer
            .notices
            .iter()
            .any(|n| n.contains("hold the word; see mode text"))
    );
    let none = corpus().search(SearchMode::Reference, "absent").unwrap();
    assert!(none.notices.is_empty());
}
