use super::*;
use crate::query::answer::{Extent, Freshness, Omission, Source};
use leantoken_shared::facts::{ReferenceKind, SymbolKind};

fn answer(body: Body, returned: u64, total: u64) -> Answer {
    Answer {
        source: Source {
            generation: format!("b3:{}", "0123456789abcdef".repeat(4)),
            revision: "fedcba9876543210fedcba9876543210fedcba98".into(),
            dirty: true,
            freshness: Freshness::Fresh,
        },
        body,
        extent: Extent {
            total,
            total_files: 2,
            returned,
            ..Extent::default()
        },
        notices: Vec::new(),
    }
}

fn hit(path: &str, line: u32, symbol: Option<&str>, text: &str) -> Hit {
    Hit {
        path: path.into(),
        start_line: line,
        end_line: line,
        symbol: symbol.map(str::to_owned),
        lines: vec![text.into()],
        lines_start: line,
        ..Hit::default()
    }
}

#[test]
fn the_first_line_holds_everything_that_must_not_be_lost() {
    let mut answer = answer(Body::Hits(vec![hit("a.rs", 3, None, "x")]), 1, 7);
    answer.extent.omitted = vec![Omission {
        reason: "limit",
        count: 6,
    }];
    answer.extent.next_cursor = Some("1-ab-cd".into());
    assert_eq!(
        text(&answer, Freshness::Fresh),
        "search: 1 of 7 matches in 2 files; gen 0123456789ab; rev fedcba987654+dirty; fresh; \
         left out: 6 by limit; cursor=1-ab-cd\na.rs:3\n3:x\n"
    );
}

#[test]
fn hits_of_one_file_share_its_path() {
    let mut shown = vec![
        hit("a.rs", 3, Some("f"), "  one"),
        hit("a.rs", 4, Some("f"), "  two"),
        hit("a.rs", 9, Some("g"), "three"),
        hit("b.rs", 1, Some("T.m"), "call()"),
    ];
    shown[3].usage = Some(ReferenceKind::Call);
    let rendered = text(&answer(Body::Hits(shown), 4, 4), Freshness::Fresh);
    let body: Vec<&str> = rendered.lines().skip(1).collect();
    let wanted = [
        "a.rs",
        "in f",
        "3:  one",
        "4:  two",
        "in g",
        "9:three",
        "b.rs:1 in T.m (call)",
        "1:call()",
    ];
    assert_eq!(body, wanted);
}

#[test]
fn context_lines_are_told_from_matches() {
    let mut one = hit("a.rs", 3, None, "before");
    one.kind = Some(SymbolKind::Function);
    one.symbol = Some("f".into());
    one.lines = vec!["before".into(), "match".into(), "after".into()];
    one.lines_start = 2;
    let rendered = text(&answer(Body::Hits(vec![one]), 1, 1), Freshness::Fresh);
    let body: Vec<&str> = rendered.lines().skip(1).collect();
    assert_eq!(
        body,
        ["a.rs:3 function f", "2-before", "3:match", "4-after"]
    );
}

#[test]
fn no_control_character_gets_out() {
    let evil = "a\u{1b}[31m\u{7}\r\u{9b}2J\u{202e}x\u{2028}y\tz";
    let path = "dir/new\nline \"q\" \\ \u{1b}.py";
    let hits = Body::Hits(vec![hit(path, 1, Some("s\u{0}"), evil)]);
    let rendered = text(&answer(hits, 1, 1), Freshness::Fresh);
    assert!(
        rendered
            .chars()
            .all(|c| matches!(c, '\n' | '\t') || !is_unsafe(c))
    );
    assert_eq!(rendered.lines().count(), 3, "{rendered}");
    assert!(rendered.contains(r#""dir/new\nline \"q\" \\ \x1b.py":1 in s\x00"#));
    assert!(rendered.contains(r"a\x1b[31m\x07\r\x9b2J\u{202e}x\u{2028}y"));
    let mut plain = String::new();
    push_path("仓库 (Стойки)/naïve café.py", &mut plain);
    assert_eq!(plain, "仓库 (Стойки)/naïve café.py");
}

#[test]
fn an_excerpt_that_was_cut_says_what_was_asked() {
    let mut piece = Excerpt {
        path: "a.md".into(),
        start_line: 4,
        end_line: 5,
        n_lines: 90,
        symbol: Some("Usage".into()),
        lines: vec!["x".into(), "y".into()],
        ..Excerpt::default()
    };
    let shown = |piece: &Excerpt| {
        let rendered = text(
            &answer(Body::Excerpts(vec![piece.clone()]), 2, 2),
            Freshness::Fresh,
        );
        rendered.lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(shown(&piece), "a.md:4-5 Usage (90 lines)");
    piece.end_line = 40;
    assert_eq!(shown(&piece), "a.md:4-5 of 4-40 Usage (90 lines)");
}

#[test]
fn bytes_of_long_lines_are_not_taken_for_items() {
    let mut answer = answer(Body::Hits(Vec::new()), 0, 7);
    let left = [("limit", 6), ("long_line", 152)];
    answer.extent.omitted = left
        .map(|(reason, count)| Omission { reason, count })
        .into();
    let rendered = text(&answer, Freshness::Fresh);
    assert!(
        rendered.contains("; left out: 6 by limit, 152 bytes of long lines\n"),
        "{rendered}"
    );
}

#[test]
fn the_counts_of_a_ranked_search_add_up() {
    let mut answer = answer(Body::Hits(Vec::new()), 6, 1230);
    let left = [("rank", 1127), ("limit", 97)];
    answer.extent.omitted = left
        .map(|(reason, count)| Omission { reason, count })
        .into();
    let rendered = text(&answer, Freshness::Fresh);
    assert!(
        rendered.starts_with("search: best 6 of 1230 places in 2 files; "),
        "{rendered}"
    );
    assert!(
        rendered.ends_with("; left out: 1127 by rank, 97 by limit\n"),
        "{rendered}"
    );
}

#[test]
fn one_is_singular() {
    let words = ["match", "entry", "line", "import"];
    let shown = |count: u64| words.map(|word| counted(count, word));
    assert_eq!(shown(1), ["1 match", "1 entry", "1 line", "1 import"]);
    assert_eq!(shown(2), ["2 matches", "2 entries", "2 lines", "2 imports"]);
}

#[test]
fn a_status_says_what_its_numbers_mean() {
    let status = Status {
        root: "/r".into(),
        n_files: 1,
        n_segments: 1,
        n_bytes: 900,
        snapshot_bytes: 40_960,
        notes: vec![("syntax_errors", 3)],
        ignored: vec![("gitignore", 24)],
        ..Status::default()
    };
    let rendered = text(
        &answer(Body::Status(Box::new(status)), 1, 1),
        Freshness::Fresh,
    );
    let body: Vec<&str> = rendered.lines().skip(1).collect();
    let wanted = [
        "root: /r",
        "indexed: 1 file, 0 lines, 900 B, 0 symbols",
        "snapshot: 41.0 KB in 1 segment",
        "facts incomplete (searched in full, but definitions and uses may be missing): syntax_errors 3",
        "ignored (a directory counts as one): gitignore 24",
    ];
    assert_eq!(body, wanted);
}
