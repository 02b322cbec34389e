//! Pages of outlines, trees and a status: what is counted, what goes first.

use super::corpus::{Corpus, query};
use crate::query::answer::{Answer, Body, Status, TreeEntry};
use crate::query::cursor;
use crate::query::error::QueryError;
use crate::query::request::{Files, FilesView, Operation, Outline, Query};
use leantoken_shared::facts::SymbolKind;
use leantoken_shared::path::PathSet;

fn left_out(answer: &Answer, reason: &str) -> u64 {
    let mut omitted = answer.extent.omitted.iter();
    omitted.find(|o| o.reason == reason).map_or(0, |o| o.count)
}

fn source() -> Corpus {
    let imports: String = (0..40).map(|n| format!("use crate::part{n};\n")).collect();
    let functions: String = (0..7).map(|n| format!("fn f{n}() {{}}\n")).collect();
    let text = format!("{imports}\n{functions}struct S;\n");
    Corpus::new(&[
        ("a.rs", &text),
        ("empty.txt", "x\n"),
        ("z.rs", "fn last() {}\n"),
    ])
}

fn outline(limit: u32, kinds: Vec<SymbolKind>) -> Query {
    query(Operation::Outline(Outline {
        targets: vec!["*.rs".into(), "empty.txt".into()],
        depth: 3,
        kinds,
        limit,
    }))
}

#[test]
fn an_outline_counts_definitions_only() {
    let corpus = source();
    let mut query = outline(5, Vec::new());
    let (mut seen, mut files) = (0, Vec::new());
    loop {
        let answer = corpus.ask(&query).unwrap();
        let rest = left_out(&answer, "limit");
        seen += answer.extent.returned;
        assert_eq!((answer.extent.total, seen + rest), (9, 9));
        let Body::Outline(shown) = answer.body else {
            panic!()
        };
        let n_imports = shown.iter().map(|file| file.imports.len()).sum::<usize>();
        let has_start = shown.iter().any(|file| file.path == "a.rs") && query.skip == 0;
        assert_eq!(n_imports > 0, has_start);
        files.extend(shown.into_iter().map(|file| file.path));
        let Some(next) = answer.extent.next_cursor else {
            break;
        };
        query.skip = cursor::decode(&next, &query.operation, corpus.view.generation()).unwrap();
    }
    files.dedup();
    assert_eq!(files, ["a.rs", "empty.txt", "z.rs"]);
}

#[test]
fn imports_take_a_line_and_go_first() {
    let corpus = source();
    let whole = corpus.ask(&outline(100, Vec::new())).unwrap();
    let Body::Outline(files) = &whole.body else {
        panic!()
    };
    let shown = files[0].imports.len() as u64;
    assert!(shown > 0 && files[0].imports.join("; ").len() < 300);
    assert_eq!(left_out(&whole, "imports") + shown, 40);
    let mut small = outline(100, Vec::new());
    small.budget.max_bytes = format!("{whole:?}").len() as u32 - 1;
    let answer = corpus.ask(&small).unwrap();
    assert_eq!(answer.extent.returned, 9);
    assert_eq!(left_out(&answer, "imports"), 40);
    let structs = corpus.ask(&outline(100, vec![SymbolKind::Struct])).unwrap();
    let Body::Outline(files) = &structs.body else {
        panic!()
    };
    assert_eq!((files.len(), files[0].imports.len()), (1, 0));
    assert!(structs.extent.omitted.is_empty());
}

fn status(max_bytes: u32) -> Result<(Answer, Status), QueryError> {
    let corpus = Corpus::new(&[
        ("a.rs", "fn a() {}\n"),
        ("b.py", "b = 1\n"),
        ("c.md", "# C\n"),
        ("d.json", "{}\n"),
    ]);
    let mut query = query(Operation::Status);
    query.budget.max_bytes = max_bytes;
    corpus.ask(&query).map(|answer| match &answer.body {
        Body::Status(status) => {
            let status = (**status).clone();
            (answer, status)
        }
        body => panic!("{body:?}"),
    })
}

#[test]
fn a_status_is_cut_to_its_budget_and_counts_the_rest() {
    let (whole, full) = status(1_000_000).unwrap();
    let size = format!("{whole:?}").len() as u32;
    let (answer, cut) = status(size - 1).unwrap();
    assert!(cut.languages.len() < full.languages.len());
    let missing = full.languages.len() - cut.languages.len();
    assert_eq!(left_out(&answer, "budget"), missing as u64);
    assert_eq!(answer.extent.next_cursor, None);
    let Err(QueryError::BudgetTooSmall { needed, .. }) = status(100) else {
        panic!()
    };
    assert!(status(needed).is_ok());
}

#[test]
fn a_tree_is_filled_level_by_level() {
    let deep: Vec<(String, String)> = (0..30)
        .map(|n| (format!("a/many/f{n:02}.txt"), "x\n".to_string()))
        .collect();
    let mut files: Vec<(&str, &str)> = deep
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    files.extend([("z/last.txt", "x\n"), ("top.txt", "x\n")]);
    let corpus = Corpus::new(&files);
    let listing = Operation::Files(Files {
        view: FilesView::Tree {
            path: String::new(),
            depth: 9,
        },
        paths: PathSet::all(),
        limit: 7,
    });
    let mut query = query(listing);
    let mut pages: Vec<Vec<TreeEntry>> = Vec::new();
    loop {
        let answer = corpus.ask(&query).unwrap();
        assert_eq!(answer.extent.total, 35);
        let Body::Tree(entries) = answer.body else {
            panic!()
        };
        pages.push(entries);
        let Some(next) = answer.extent.next_cursor else {
            break;
        };
        query.skip = cursor::decode(&next, &query.operation, corpus.view.generation()).unwrap();
    }
    let shown: Vec<&str> = pages[0].iter().map(|entry| entry.path.as_str()).collect();
    let first = [
        "a",
        "a/many",
        "a/many/f00.txt",
        "a/many/f01.txt",
        "top.txt",
        "z",
        "z/last.txt",
    ];
    assert_eq!(shown, first);
    assert_eq!((pages[0][0].n_hidden, pages[0][1].n_hidden), (0, 28));
    let mut all: Vec<&str> = pages
        .iter()
        .flatten()
        .map(|entry| entry.path.as_str())
        .collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 35);
}
