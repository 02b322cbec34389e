//! Ranked search.

use super::corpus::{Corpus, hits, search};
use crate::query::answer::Exactness;
use crate::query::request::{Operation, SearchMode};
use leantoken_shared::facts::SymbolKind;

fn corpus() -> Corpus {
    Corpus::new(&[
        (
            "src/deadline.rs",
            "//! Time limits.\n\n/// When work must stop.\npub struct Deadline {\n    at: u64,\n}\n\nimpl Deadline {\n    /// Fails once the time has passed.\n    pub fn check(&self) -> bool {\n        true\n    }\n}\n",
        ),
        (
            "src/search.rs",
            "use crate::deadline::Deadline;\n\n/// Runs a search within its deadline.\npub fn search(deadline: &Deadline) {\n    deadline.check();\n    deadline.check();\n}\n",
        ),
        (
            "src/token_budget.rs",
            "/// Cuts an answer to what fits.\npub fn cut(tokens: u32) -> u32 {\n    tokens\n}\n",
        ),
        (
            "tests/deadline.rs",
            "struct Deadline;\n\nfn deadline_check_deadline() {\n    Deadline;\n}\n",
        ),
        (
            "docs/guide.md",
            "# Guide\n\nThe deadline and the token budget bound every search.\n",
        ),
    ])
}

#[test]
fn a_name_finds_its_definition_before_its_uses() {
    let corpus = corpus();
    assert_eq!(
        corpus.places(SearchMode::Auto, "Deadline")[0],
        "src/deadline.rs:4"
    );
    let check = hits(corpus.search(SearchMode::Auto, "Deadline::check").unwrap());
    assert_eq!(
        (check[0].start_line, check[0].symbol.as_deref()),
        (10, Some("Deadline.check"))
    );
    assert_eq!(check[0].lines[0].trim(), "pub fn check(&self) -> bool {");
}

#[test]
fn words_find_names_files_and_comments() {
    let corpus = corpus();
    let first = |text: &str| {
        hits(corpus.search(SearchMode::Auto, text).unwrap())[0]
            .path
            .clone()
    };
    assert_eq!(
        first("how are tokens cut to the budget"),
        "src/token_budget.rs"
    );
    assert_eq!(first("token budget"), "src/token_budget.rs");
    assert_eq!(first("when must work stop"), "src/deadline.rs");
    assert_eq!(first("deadline guide docs"), "docs/guide.md");
    assert_eq!(first("tests of the deadline"), "tests/deadline.rs");
}

#[test]
fn files_come_once_before_any_comes_twice() {
    let found = hits(corpus().search(SearchMode::Auto, "deadline check").unwrap());
    let paths: Vec<_> = found.iter().map(|hit| hit.path.as_str()).collect();
    let mut once = paths.clone();
    once.sort_unstable();
    once.dedup();
    let mut first = paths[..once.len()].to_vec();
    first.sort_unstable();
    assert_eq!(first, once);
    assert!(
        found
            .iter()
            .all(|hit| hit.score.is_some() && hit.start_line <= hit.end_line)
    );
}

#[test]
fn what_has_no_words_is_looked_for_literally() {
    let corpus = Corpus::new(&[("a.txt", "say \"\" or => here\nprefixfnordsuffix\n")]);
    assert_eq!(corpus.places(SearchMode::Auto, "\"\""), ["a.txt:1"]);
    assert_eq!(corpus.places(SearchMode::Auto, "=>"), ["a.txt:1"]);
    assert_eq!(corpus.places(SearchMode::Auto, "fno"), ["a.txt:2"]);
    assert_eq!(corpus.places(SearchMode::Auto, "absent"), [""; 0]);
    assert_eq!(corpus.places(SearchMode::Auto, "absent\nquite"), [""; 0]);
}

#[test]
fn a_file_that_stands_for_its_folder_is_named_by_it() {
    let corpus = Corpus::new(&[
        (
            "src/a/parse_tree_walker_printer.rs",
            "/// Parses.\nfn a() {}\n",
        ),
        ("src/parse/mod.rs", "/// Parses.\nfn b() {}\n"),
    ]);
    assert_eq!(
        corpus.places(SearchMode::Auto, "where do we parse")[0],
        "src/parse/mod.rs:1"
    );
}

#[test]
fn tests_within_a_file_step_back() {
    let filler = "    // nothing\n".repeat(50);
    let text = format!(
        "/// Reads a node.\npub fn node(text: &str) -> u32 {{\n{filler}    read(text)\n}}\n\nmod tests {{\n{filler}    \
         fn test_node_read() {{\n        node(\"node read node\");\n    }}\n}}\n"
    );
    let corpus = Corpus::new(&[("src/node.rs", &text), ("src/b.rs", "fn other() {}\n")]);
    let first = |query: &str| hits(corpus.search(SearchMode::Auto, query).unwrap()).remove(0);
    assert_eq!(first("how is a node read").symbol.as_deref(), Some("node"));
}

#[test]
fn kinds_keep_hits_that_present_one() {
    let mut search = search(SearchMode::Auto, "deadline");
    search.kinds = vec![SymbolKind::Function];
    let found = hits(corpus().run(Operation::Search(search)).unwrap());
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|hit| hit.kind == Some(SymbolKind::Function))
    );
}

#[test]
fn kinds_choose_definitions_before_the_best_places_are_cut_out() {
    let filler = "/// Weighs widgets, widget by widget.\nfn widget_weigher() {}\n".repeat(9);
    let text = format!(
        "{filler}\n/// What a widget can do.\npub trait Able {{}}\n\n/// Nothing.\npub trait Other {{}}\n"
    );
    let mut files: Vec<(String, &str)> = (0..600)
        .map(|n| (format!("src/f{n}.rs"), "fn a() {\n    widget();\n}\n"))
        .collect();
    files.push(("src/able.rs".into(), &text));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), *text))
        .collect();
    let ask = |files: &[(&str, &str)]| {
        let mut search = search(SearchMode::Auto, "what can a widget do");
        search.kinds = vec![SymbolKind::Trait];
        Corpus::new(files).run(Operation::Search(search)).unwrap()
    };
    let many = ask(&files);
    assert_eq!(many.extent.exactness, Exactness::LowerBound);
    let omitted = &many.extent.omitted;
    assert_eq!((omitted[0].reason, omitted[0].count), ("rank", 101));
    assert!(
        many.notices[0].contains("mode symbol"),
        "{:?}",
        many.notices
    );
    let few = ask(&files[550..]);
    assert_eq!(few.extent.exactness, Exactness::Exact);
    let names = |answer| -> Vec<_> { hits(answer).into_iter().map(|hit| hit.symbol).collect() };
    assert_eq!(names(few), [Some("Able".to_string())]);
    assert_eq!(names(many), [Some("Able".to_string())]);
}
