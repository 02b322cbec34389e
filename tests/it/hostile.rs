//! Trees, disks and questions that mean harm: a counted skip or a clear error, and the snapshot stays.

use crate::program::{Run, Site};

#[test]
fn a_file_that_parsers_choke_on_is_a_note_and_no_more() {
    let site = Site::new();
    for (name, unit) in [
        ("a.c", "a => "),
        ("b.java", "a<"),
        ("c.cs", "<a "),
        ("d.ts", "}await "),
    ] {
        // Short lines, so that nothing but the shape of the file stands out.
        let line = format!("{}\n", unit.repeat(50));
        site.write(name, &line.repeat(100));
    }
    let run = site.run(&["status"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("too_deep 4"), "{}", run.stdout);
    let run = site.run(&["search", "insert", "--mode", "symbol"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn every_refusal_says_what_to_do() {
    let site = Site::new();
    let ask = |arguments: &[&str]| {
        let run = site.run(arguments);
        assert!(
            run.code == 1 || run.code == 2,
            "{arguments:?}: {}",
            run.stderr
        );
        assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
        assert!(
            run.stderr.contains("\nhint: "),
            "{arguments:?}: {}",
            run.stderr
        );
        assert!(run.stdout.is_empty(), "{}", run.stdout);
    };
    for pattern in [
        "(",
        "[",
        "\\",
        "(x{1000}){1000}",
        "\\pL{1000}",
        "a\nb",
        "\\n",
        "(?P<n",
    ] {
        ask(&["search", "-e", pattern]);
    }
    for glob in ["[", "{", "[z-a]", "../..", "", "!"] {
        ask(&["search", "x", "--path", glob]);
    }
    for target in [
        "../secret",
        "/etc/passwd",
        "src/../../etc/passwd",
        ":",
        "#",
        "src/store.rs:0",
    ] {
        ask(&["read", "--", target]);
    }
    for cursor in ["x", "2-ea05", "999999999-0000000000000000-00000000"] {
        ask(&["search", "x", "--cursor", cursor]);
    }
    ask(&["--max-tokens", "50", "search", "insert"]);
    ask(&["search", "x", "--limit", "0"]);
}

#[test]
fn a_cache_that_cannot_be_made_is_named_with_a_remedy() {
    let site = Site::new();
    site.write("file", "text");
    let mut command = site.command();
    command.env("LEANTOKEN_CACHE_DIR", site.root().join("file"));
    let run = Run::of(command.args(["search", "insert"]));
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains("file"), "{}", run.stderr);
    assert!(
        run.stderr.contains("hint: choose a directory"),
        "{}",
        run.stderr
    );
}
