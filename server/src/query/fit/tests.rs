use super::*;
use crate::query::answer::{Excerpt, FileOutline, Hit, OutlineSymbol, PathEntry};
use crate::query::request::{Budget, Operation};
use leantoken_shared::facts::{FileClass, SymbolKind, Visibility};
use leantoken_shared::language::Language;
use leantoken_shared::tokens::Tokenizer;
use proptest::prelude::*;

/// Measures the debug form: a stand-in for a renderer with an envelope.
struct Debugged;

impl Measure for Debugged {
    fn measure(&self, answer: &Answer) -> Size {
        let bytes = format!("{answer:?}").len() as u32;
        Size {
            bytes,
            tokens: Some(bytes.div_ceil(3)),
        }
    }
}

fn query(skip: u32, max_bytes: u32, max_tokens: Option<u32>) -> Query {
    Query {
        operation: Operation::Status,
        budget: Budget {
            max_tokens,
            max_bytes,
            tokenizer: Tokenizer::default(),
        },
        skip,
    }
}

fn hits(lines: &[Vec<String>]) -> Vec<Hit> {
    let hit = |(at, lines): (usize, &Vec<String>)| Hit {
        path: format!("src/file{at}.rs"),
        start_line: 5,
        end_line: 5,
        lines_start: 4,
        lines: lines.clone(),
        ..Hit::default()
    };
    lines.iter().enumerate().map(hit).collect()
}

/// Answers page after page; `rest` yields what follows `skip` units.
fn pages(
    n_units: u64,
    (max_bytes, max_tokens): (u32, Option<u32>),
    rest: impl Fn(usize) -> Body,
) -> Result<Vec<Body>, QueryError> {
    let mut out = Vec::new();
    let mut skip = 0;
    loop {
        let mut found = Found::items(rest(skip as usize), n_units, 1);
        found.n_units = n_units;
        let query = query(skip, max_bytes, max_tokens);
        let envelope = Envelope {
            query: &query,
            source: Source::default(),
            measure: &Debugged,
        };
        let answer = match fit(found, &envelope) {
            Ok(answer) => answer,
            Err(error) => {
                prove_smallest(&error, &query, rest(skip as usize), n_units);
                return Err(error);
            }
        };
        let size = Debugged.measure(&answer);
        assert!(size.bytes <= max_bytes && size.tokens <= max_tokens.or(Some(u32::MAX)));
        let cursor = answer.extent.next_cursor;
        out.push(answer.body);
        let Some(cursor) = cursor else {
            return Ok(out);
        };
        let next = cursor::decode(&cursor, &query.operation, "").unwrap();
        assert!(next > skip, "a page makes progress");
        skip = next;
    }
}

/// The budget an error names as the smallest works, given enough of the other unit.
fn prove_smallest(error: &QueryError, query: &Query, page: Body, n_units: u64) {
    let QueryError::BudgetTooSmall { needed, unit } = error else {
        panic!("{error}");
    };
    let mut query = query.clone();
    match *unit {
        "tokens" => {
            query.budget.max_tokens = Some(*needed);
            query.budget.max_bytes = u32::MAX;
        }
        _ => {
            query.budget.max_bytes = *needed;
            query.budget.max_tokens = None;
        }
    }
    let mut found = Found::items(page, n_units, 1);
    found.n_units = n_units;
    let envelope = Envelope {
        query: &query,
        source: Source::default(),
        measure: &Debugged,
    };
    assert!(fit(found, &envelope).is_ok(), "{error}");
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-zé …]{0,90}", 0..6)
}

fn budget() -> impl Strategy<Value = (u32, Option<u32>)> {
    (200u32..3_000, prop::option::of(80u32..900))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn hits_page_by_page_are_the_whole(
        texts in prop::collection::vec(lines(), 0..12), budget in budget(),
    ) {
        let all = hits(&texts);
        let rest = |skip: usize| Body::Hits(all[skip..].to_vec());
        if let Ok(pages) = pages(all.len() as u64, budget, rest) {
            let paths: Vec<String> = pages
                .into_iter()
                .flat_map(|page| match page {
                    Body::Hits(hits) => hits,
                    _ => Vec::new(),
                })
                .map(|hit| hit.path)
                .collect();
            prop_assert_eq!(paths, all.iter().map(|h| h.path.clone()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn lines_page_by_page_are_the_whole(
        texts in prop::collection::vec(lines(), 1..5), budget in budget(),
    ) {
        let whole: Vec<Excerpt> = texts.iter().enumerate().map(|(at, lines)| Excerpt {
            path: format!("f{at}"),
            start_line: 1,
            end_line: lines.len() as u32,
            n_lines: lines.len() as u32,
            lines: lines.clone(),
            ..Excerpt::default()
        }).collect();
        let n_units: usize = texts.iter().map(|lines| lines.len().max(1)).sum();
        let rest = |skip: usize| {
            let mut skip = skip;
            let mut out = Vec::new();
            for excerpt in &whole {
                let n = excerpt.lines.len().max(1);
                if skip < n {
                    let mut excerpt = excerpt.clone();
                    excerpt.start_line += skip as u32;
                    excerpt.lines.drain(..skip.min(excerpt.lines.len()));
                    out.push(excerpt);
                }
                skip = skip.saturating_sub(n);
            }
            Body::Excerpts(out)
        };
        if let Ok(pages) = pages(n_units as u64, budget, rest) {
            let mut seen: Vec<Vec<String>> = vec![Vec::new(); whole.len()];
            let mut cut = 0;
            for page in pages {
                let Body::Excerpts(excerpts) = page else { continue };
                for excerpt in excerpts {
                    let at: usize = excerpt.path[1..].parse().unwrap();
                    prop_assert_eq!(excerpt.start_line as usize, seen[at].len() + 1);
                    cut += excerpt.cut_bytes;
                    seen[at].extend(excerpt.lines);
                }
            }
            for (seen, lines) in seen.iter().zip(&texts) {
                prop_assert_eq!(seen.len(), lines.len());
            }
            prop_assert!(cut > 0 || seen == texts);
        }
    }

    #[test]
    fn outlines_page_by_page_are_the_whole(
        files in prop::collection::vec((0usize..4, 0usize..9), 1..5), budget in budget(),
    ) {
        let symbol = |at: usize| OutlineSymbol {
            name: format!("name{at}"),
            kind: SymbolKind::Function,
            depth: 0,
            visibility: Visibility::Public,
            start_line: at as u32,
            end_line: at as u32,
            signature: format!("fn name{at}()"),
        };
        let outlines: Vec<FileOutline> = files.iter().enumerate().map(|(at, (imports, symbols))| {
            FileOutline {
                path: format!("f{at}"),
                language: Language::Rust,
                n_lines: 9,
                imports: (0..*imports).map(|n| format!("use a{n};")).collect(),
                n_imports: *imports as u32,
                symbols: (0..*symbols).map(symbol).collect(),
                notes: Vec::new(),
            }
        }).collect();
        let n_units: usize = files.iter().map(|(_, symbols)| (*symbols).max(1)).sum();
        let rest = |skip: usize| {
            let mut skip = skip;
            let mut out = Vec::new();
            for file in &outlines {
                let n = file.symbols.len().max(1);
                if skip < n {
                    let mut file = file.clone();
                    file.symbols.drain(..skip);
                    out.push(file);
                }
                skip = skip.saturating_sub(n);
            }
            Body::Outline(out)
        };
        if let Ok(pages) = pages(n_units as u64, budget, rest) {
            let mut joined: Vec<FileOutline> = Vec::new();
            for page in pages {
                let Body::Outline(files) = page else { continue };
                for file in files {
                    match joined.last_mut().filter(|last| last.path == file.path) {
                        Some(last) => last.symbols.extend(file.symbols),
                        None => joined.push(file),
                    }
                }
            }
            prop_assert_eq!(joined.len(), outlines.len());
            for (joined, whole) in joined.iter().zip(&outlines) {
                prop_assert_eq!(joined.symbols.len(), whole.symbols.len());
            }
        }
    }
}

#[test]
fn a_first_item_too_large_is_cut_and_smaller_ones_follow() {
    let texts = [vec!["x".repeat(5_000)], vec!["small".into()]];
    let all = hits(&texts);
    let pages = pages(2, (2_000, None), |skip| Body::Hits(all[skip..].to_vec())).unwrap();
    assert_eq!(pages.len(), 1);
    let Body::Hits(shown) = &pages[0] else {
        panic!()
    };
    assert!(shown[0].lines[0].ends_with('…') && shown[0].cut_bytes > 0);
    assert_eq!(shown[1].lines, ["small"]);
}

#[test]
fn few_measurements_are_enough() {
    struct Counted(std::cell::Cell<u32>);
    impl Measure for Counted {
        fn measure(&self, answer: &Answer) -> Size {
            self.0.set(self.0.get() + 1);
            Debugged.measure(answer)
        }
    }
    let entry = |at: usize| PathEntry {
        path: format!("some/longer/path/to/file{at}.rs"),
        language: Language::Rust,
        class: FileClass::Source,
        n_lines: 1,
        size: 1,
    };
    let body = Body::Paths((0..1_000).map(entry).collect());
    let query = query(0, 7_500, Some(2_000));
    let measure = Counted(std::cell::Cell::default());
    let envelope = Envelope {
        query: &query,
        source: Source::default(),
        measure: &measure,
    };
    let answer = fit(Found::items(body, 1_000, 1_000), &envelope).unwrap();
    assert!(answer.extent.returned > 20);
    assert_eq!(answer.extent.omitted[0].reason, "budget");
    assert!(measure.0.get() <= 14, "{}", measure.0.get());
}
