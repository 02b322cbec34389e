//! What ranked hits show, and which of them come.

use super::corpus::{Corpus, hits, search};
use crate::query::request::{Operation, SearchMode};
use leantoken_shared::facts::SymbolKind;

/// A file that is about keys being thrown out when memory is full, and files that only touch on it.
fn eviction() -> Corpus {
    let filler = |n: u32| format!("    step_{n}(state);\n").repeat(4);
    let strong = format!(
        "#define POOL_SIZE 16\n#define POOL_LIMIT 255\n\n\
         /* Whether memory is over the limit after an allocation. */\n\
         int memory_state(void) {{\n{}    return memory > limit;\n}}\n\n\
         /* Makes room. */\nint perform_evictions(void) {{\n{}    \
         /* Throw out keys while memory is over its limit. */\n    while (memory > limit) evict_keys(pool);\n{}}}\n\n\
         int unrelated(void) {{\n{}}}\n",
        filler(1),
        filler(2),
        filler(3),
        filler(4)
    );
    let weak: Vec<(String, String)> = (0..12)
        .map(|n| {
            let text =
                format!("int other_{n}(void) {{\n    return limit_{n};\n}}\n\nint keys_{n};\n");
            (format!("src/w{n:02}.c"), text)
        })
        .collect();
    let mut files = vec![("src/evict.c", strong.as_str())];
    files.extend(
        weak.iter()
            .map(|(path, text)| (path.as_str(), text.as_str())),
    );
    Corpus::new(&files)
}

#[test]
fn a_strong_file_shows_its_next_definitions_before_weak_files() {
    let found = hits(
        eviction()
            .search(
                SearchMode::Auto,
                "which keys to evict when memory is over the limit",
            )
            .unwrap(),
    );
    assert_eq!(found[0].path, "src/evict.c");
    let at = |name: &str| {
        let named = |hit: &crate::query::answer::Hit| hit.symbol.as_deref() == Some(name);
        found.iter().position(named).unwrap()
    };
    let both = [at("memory_state"), at("perform_evictions")];
    assert_eq!(both.iter().min(), Some(&0), "{both:?}");
    assert!(both.iter().max() < Some(&10), "{both:?}");
}

#[test]
fn a_hit_shows_its_declaration_and_the_lines_that_say_why() {
    let found = hits(
        eviction()
            .search(
                SearchMode::Auto,
                "which keys to evict when memory is over the limit",
            )
            .unwrap(),
    );
    let hit = found
        .iter()
        .find(|hit| hit.symbol.as_deref() == Some("perform_evictions"));
    let hit = hit.unwrap();
    assert_eq!(hit.lines, ["int perform_evictions(void) {"]);
    assert!(
        hit.best_lines
            .iter()
            .any(|(_, line)| line.contains("Throw out keys"))
    );
    let shown = hit.lines_start..hit.lines_start + hit.lines.len() as u32;
    for (line, _) in &hit.best_lines {
        assert!((hit.start_line..=hit.end_line).contains(line) && !shown.contains(line));
    }
}

#[test]
fn a_hit_lies_in_what_it_says_it_lies_in() {
    let constants: String = (0..90)
        .map(|n| format!("#define FLAG_NUMBER_{n} {n}\n"))
        .collect();
    let text = format!("{constants}\nstruct unit {{\n    int flag;\n}};\n");
    let corpus = Corpus::new(&[("src/flags.h", text.as_str()), ("src/a.c", "int a;\n")]);
    let hit = hits(corpus.search(SearchMode::Auto, "flag number 7").unwrap()).remove(0);
    assert!(hit.end_line > hit.start_line);
    assert_eq!((hit.symbol, hit.kind), (None, None));
}

#[test]
fn a_name_brings_definitions_and_mentions_only() {
    let mut files = vec![
        ("src/get.c", "void getCommand(void) {\n    get();\n}\n"),
        (
            "src/table.c",
            "void fill(void) {\n    add(getCommand);\n}\n",
        ),
    ];
    let others: Vec<(String, String)> = (0..9)
        .map(|n| {
            let text = format!("void runCommand{n}(void) {{\n    get(command);\n}}\n");
            (format!("src/o{n}.c"), text)
        })
        .collect();
    files.extend(
        others
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str())),
    );
    let corpus = Corpus::new(&files);
    let answer = corpus.search(SearchMode::Auto, "getCommand").unwrap();
    assert_eq!(answer.extent.total_files, 2);
    assert_eq!(
        corpus.places(SearchMode::Auto, "getCommand"),
        ["src/get.c:1", "src/table.c:1"]
    );
    let absent = corpus
        .search(SearchMode::Auto, "getAnotherCommand")
        .unwrap();
    assert!(absent.notices[0].contains("no file holds 'getAnotherCommand'"));
}

#[test]
fn every_file_that_matches_is_counted() {
    let files: Vec<(String, String)> = (0..130)
        .map(|n| (format!("f{n:03}.txt"), "a needle\n".to_string()))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let mut some = search(SearchMode::Auto, "needle");
    some.limit = 20;
    let answer = Corpus::new(&files).run(Operation::Search(some)).unwrap();
    let extent = answer.extent;
    assert_eq!(extent.total_files, 130);
    let left_out: u64 = extent.omitted.iter().map(|omission| omission.count).sum();
    assert_eq!(extent.returned + left_out, extent.total);
}

#[test]
fn fields_a_mode_cannot_use_are_refused_and_context_is_shown() {
    let corpus = eviction();
    for mode in [
        SearchMode::Text,
        SearchMode::Regex,
        SearchMode::Reference,
        SearchMode::Path,
    ] {
        let mut search = search(mode, "evict_keys");
        search.kinds = vec![SymbolKind::Function];
        let error = corpus.run(Operation::Search(search)).unwrap_err();
        assert!(error.to_string().contains("kind"), "{mode:?} {error}");
    }
    for mode in [SearchMode::Auto, SearchMode::Symbol] {
        let mut search = search(mode, "perform_evictions");
        search.context_lines = 1;
        let hit = hits(corpus.run(Operation::Search(search)).unwrap()).remove(0);
        assert_eq!(hit.lines.len(), 3, "{mode:?}");
        assert_eq!(hit.lines[0], "/* Makes room. */");
    }
}
