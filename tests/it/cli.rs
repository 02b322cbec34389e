//! The command line from outside: exit codes, what goes to stdout and stderr, JSON, errors.

use crate::program::{Run, Site};
use serde_json::Value;
use std::process::Stdio;

fn json(run: &Run) -> Value {
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    serde_json::from_str(&run.stdout).unwrap()
}

#[track_caller]
fn check_error(run: &Run, code: i32, said: &[&str]) {
    assert_eq!(run.code, code, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
    for words in said {
        assert!(run.stderr.contains(words), "{words}: {}", run.stderr);
    }
}

#[test]
fn the_first_call_builds_and_every_verb_answers() {
    let site = Site::new();
    let search = site.run(&["search", "insert"]);
    assert_eq!((search.code, search.stderr.as_str()), (0, ""));
    assert!(search.stdout.starts_with("search: "), "{}", search.stdout);
    assert!(search.stdout.contains("src/store.rs"));
    for (arguments, wanted) in [
        (
            &["search", "-F", "self.values.push"] as &[&str],
            "src/store.rs:16",
        ),
        (&["search", "-e", r"fn \w+\("], "src/main.rs:3"),
        (&["search", "--mode", "symbol", "Store"], "struct Store"),
        (
            &["search", "--mode", "reference", "insert"],
            "src/main.rs:5",
        ),
        (&["files", "tree"], "src/"),
        (&["files", "find", "storers"], "src/store.rs"),
        (&["files", "glob", "*.py", "!-dash.py"], "tools/run.py"),
        (&["outline", "src/store.rs"], "pub fn open() -> Store"),
        (
            &["read", "src/store.rs:9-11"],
            "10:    pub fn open() -> Store {",
        ),
        (&["read", "Store.insert"], "self.values.push(value);"),
        (&["read", "README.md#Usage notes"], "Run it."),
        (&["read", "--", "-dash.py"], "def dashed():"),
        (&["read", "naïve café.py"], "привет"),
        (&["status"], "indexed: 6 files"),
    ] {
        let run = site.run(arguments);
        assert_eq!(run.code, 0, "{arguments:?} {}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains(wanted), "{arguments:?}\n{}", run.stdout);
    }
}

#[test]
fn edits_are_followed() {
    let site = Site::new();
    assert_eq!(site.run(&["search", "-F", "frobnicate"]).code, 1);
    site.write("src/extra.rs", "fn frobnicate() {}\n");
    let found = site.run(&["search", "-F", "frobnicate"]);
    assert_eq!(found.code, 0);
    assert!(found.stdout.contains("src/extra.rs:1"), "{}", found.stdout);
    assert!(found.stdout.lines().next().unwrap().contains("; fresh"));
    std::fs::remove_file(site.root().join("src/extra.rs")).unwrap();
    assert_eq!(site.run(&["search", "-F", "frobnicate"]).code, 1);
}

#[test]
fn json_has_stable_names_and_no_nulls() {
    let site = Site::new();
    let search = json(&site.run(&["--json", "search", "insert", "--limit", "1"]));
    for name in [
        "operation",
        "generation",
        "revision",
        "dirty",
        "freshness",
        "total",
        "total_files",
        "exactness",
        "returned",
        "omitted",
        "notices",
        "hits",
        "next_cursor",
    ] {
        assert!(search.get(name).is_some(), "{name}: {search}");
    }
    let hit = &search["hits"][0];
    for name in ["path", "start_line", "end_line", "text"] {
        assert!(hit.get(name).is_some(), "{name}: {hit}");
    }
    assert!(!search.to_string().contains("null"), "{search}");
    assert_eq!(search["omitted"][0]["reason"], "limit");
    let cursor = search["next_cursor"].as_str().unwrap();
    let next = [
        "--json", "search", "insert", "--limit", "1", "--cursor", cursor,
    ];
    let next = json(&site.run(&next));
    assert_ne!(next["hits"][0], *hit);
    assert_eq!(
        json(&site.run(&["files", "tree", "--json"]))["operation"],
        "files"
    );
    assert!(json(&site.run(&["outline", "src/store.rs", "--json"]))["files"].is_array());
    assert!(json(&site.run(&["read", "README.md", "--json"]))["excerpts"].is_array());
    assert_eq!(json(&site.run(&["status", "--json"]))["files_indexed"], 6);
}

#[test]
fn nothing_found_is_not_an_error() {
    let site = Site::new();
    let search = site.run(&["search", "-F", "no such text anywhere"]);
    assert_eq!((search.code, search.stderr.as_str()), (1, ""));
    assert!(
        search.stdout.starts_with("search: 0 matches"),
        "{}",
        search.stdout
    );
    let read = site.run(&["read", "src/stor.rs"]);
    check_error(&read, 1, &["src/stor.rs", "hint: "]);
    assert_eq!(read.stdout, "");
}

#[test]
fn requests_that_cannot_be_meant_are_refused() {
    let site = Site::new();
    for (arguments, said) in [
        (&["search", ""] as &[&str], &["query is empty"] as &[&str]),
        (
            &["search", "x", "--limit", "0"],
            &["limit is 0", "1 to 1000", "--limit 20"],
        ),
        (&["search", "x", "--limit", "-5"], &["limit is -5"]),
        (&["search", "x", "--context", "51"], &["0 to 50"]),
        (
            &["search", "x", "--mode", "fuzzy"],
            &["unknown mode 'fuzzy'", "auto, text, regex"],
        ),
        (
            &["search", "x", "--kind", "fn"],
            &["unknown kind 'fn'", "function"],
        ),
        (&["search", "x", "--path", "src/[a"], &["src/[a"]),
        (
            &["search", "-e", "foo|Bar("],
            &["unclosed group at character 8"],
        ),
        (&["search", "x", "--max-tokens", "3"], &["50 to 200000"]),
        (&["search", "x", "--tokenizer", "p50k"], &["o200k_base"]),
        (&["search", "x", "--cursor", "nonsense"], &["cursor"]),
        (&["read", "../outside.txt"], &["outside.txt"]),
        (&["read", "/etc/passwd"], &["absolute"]),
        (&["read", "src/main.rs:9-3"], &["from-to"]),
        (&["read", "open"], &["ambiguous", "hint: "]),
        (&["mcp", "--cursor", "x"], &["mcp"]),
        (&["search", "x", "--frobnicate"], &["--frobnicate"]),
        (&["frobnicate"], &["frobnicate"]),
    ] {
        let run = site.run(arguments);
        check_error(&run, 2, said);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
    let query = "x".repeat(5000);
    check_error(&site.run(&["search", &query]), 2, &["4096"]);
}

#[test]
fn with_json_errors_are_documents() {
    let site = Site::new();
    for (arguments, code) in [
        (
            &["--json", "search", "x", "--limit", "0"] as &[&str],
            "invalid_request",
        ),
        (
            &["search", "x", "--frobnicate", "--json"],
            "invalid_request",
        ),
        (&["--json", "read", "gone.rs"], "not_found"),
    ] {
        let error = &json(&site.run(arguments))["error"];
        assert_eq!(error["code"], code, "{error}");
        assert!(error["message"].is_string() && error["retryable"].is_boolean());
        assert!(error.get("hint").is_none_or(Value::is_string));
    }
    let refused = json(&site.run(&["--json", "search", "x", "--limit", "0"]));
    assert_eq!(refused["error"]["field"], "limit");
}

#[test]
fn a_budget_is_a_ceiling_over_the_whole_output() {
    use leantoken_shared::tokens::Tokenizer;
    let site = Site::new();
    for n in 0..40 {
        let text = format!("fn needle_{n}() {{ needle(); }}\n").repeat(20);
        site.write(&format!("src/gen/file_{n}.rs"), &text);
    }
    for (extra, budgets) in [
        (&[] as &[&str], [120_u32, 300, 1000]),
        (&["--json"], [260, 500, 1000]),
    ] {
        for budget in budgets {
            let number = budget.to_string();
            let arguments = [
                "search",
                "-F",
                "needle",
                "-n",
                "900",
                "--max-tokens",
                &number,
            ];
            let run = site.run(&[&arguments, extra].concat());
            assert_eq!(run.code, 0, "{}", run.stderr);
            let used = Tokenizer::O200kBase.count(run.stdout.trim_end());
            assert!(used <= budget, "{used} > {budget}:\n{}", run.stdout);
        }
    }
    // Many languages do not fit a small status; what is left says that it was cut.
    for name in [
        "a.py", "b.go", "c.ts", "d.java", "e.cs", "f.c", "g.md", "h.rb", "i.php",
    ] {
        site.write(name, "x\n");
    }
    let status = site.run(&["status", "--max-tokens", "150"]);
    assert!(status.stdout.contains("by budget"), "{}", status.stdout);
    assert!(Tokenizer::O200kBase.count(status.stdout.trim_end()) <= 150);
    let bytes = site.run(&["search", "-F", "needle", "-n", "1000"]);
    assert!(bytes.stdout.len() <= 40_000, "{}", bytes.stdout.len());
    let small = site.run(&["--json", "search", "-F", "needle", "--max-tokens", "50"]);
    check_error(
        &small,
        2,
        &["the smallest answer needs", "hint: ask for at least"],
    );
}

#[test]
fn places_that_nobody_means_are_refused() {
    let site = Site::new();
    let mut at_home = site.command();
    let run = Run::of(at_home.current_dir(site.home()).args(["search", "x"]));
    check_error(
        &run,
        3,
        &["refusing to index", "the home directory", "--root"],
    );
    check_error(
        &site.run(&["--root", "/", "search", "x"]),
        3,
        &["file system"],
    );
    check_error(
        &site.run(&["--root", "missing", "search", "x"]),
        3,
        &["missing"],
    );
    let mut elsewhere = site.command();
    elsewhere
        .current_dir(site.home())
        .args(["search", "insert"]);
    let run = Run::of(elsewhere.env("LEANTOKEN_ROOT", site.root()));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let nowhere = site.run(&["--snapshot", "missing", "search", "x"]);
    check_error(&nowhere, 1, &["missing", "leantoken-build"]);
    let no_snapshot = site.run(&["--snapshot", ".", "search", "x"]);
    check_error(&no_snapshot, 3, &["holds no snapshot", "leantoken-build"]);
}

#[test]
fn a_reader_that_leaves_is_no_fault() {
    let site = Site::new();
    site.write("big.txt", &"needle in a line of text\n".repeat(50_000));
    assert_eq!(site.run(&["search", "insert"]).code, 0);
    let mut child = site
        .command()
        .args(["search", "-F", "needle", "-n", "1000", "-C", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let done = Run::from(child.wait_with_output().unwrap());
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
}

#[test]
fn help_names_exit_codes_and_environment() {
    let site = Site::new();
    let help = site.run(&["--help"]);
    assert_eq!(help.code, 0);
    for words in ["Exit codes", "70", "LEANTOKEN_CACHE_DIR", "search", "mcp"] {
        assert!(help.stdout.contains(words), "{words}");
    }
    assert!(site.run(&["--version"]).stdout.starts_with("leantoken "));
    assert_eq!(site.run(&[]).code, 2);
}

#[test]
fn ci_gets_lines_and_a_pipe_gets_silence() {
    let site = Site::new();
    for n in 0..300 {
        site.write(&format!("many/f{n}.txt"), "word\n");
    }
    let mut in_ci = site.command();
    let run = Run::of(in_ci.env("CI", "true").args(["search", "word"]));
    assert!(
        run.stderr.contains("indexed 306 of 306 files (100 %)"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains('\u{1b}') && !run.stdout.contains('\u{1b}'));
    assert_eq!(site.run(&["search", "word"]).stderr, "");
}

#[test]
fn a_prebuilt_snapshot_answers_alone_and_is_verified() {
    let site = Site::new();
    assert_eq!(site.run(&["search", "insert"]).code, 0);
    let mut folders = std::fs::read_dir(site.cache())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let cache = folders
        .find(|folder| folder.join("manifests").is_dir())
        .unwrap();
    let mut elsewhere = site.command();
    elsewhere
        .current_dir(site.home())
        .arg("--snapshot")
        .arg(&cache);
    let run = Run::of(elsewhere.args(["--json", "search", "-F", "values.push"]));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found = json(&run);
    assert_eq!(
        (&found["freshness"], &found["total"]),
        (&"unknown".into(), &1.into())
    );
    let named = format!(
        "{}#{}",
        cache.display(),
        found["generation"].as_str().unwrap()
    );
    assert_eq!(site.run(&["--snapshot", &named, "status"]).code, 0);
    let other = format!("{}#b3:{}", cache.display(), "0".repeat(64));
    assert_eq!(site.run(&["--snapshot", &other, "status"]).code, 3);
    for blob in std::fs::read_dir(cache.join("blobs")).unwrap() {
        let path = blob.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, bytes).unwrap();
        let damaged = site.run(&["--json", "--snapshot", &named, "search", "x"]);
        assert_eq!(damaged.code, 3, "{}", damaged.stdout);
        assert_eq!(json(&damaged)["error"]["code"], "corrupt");
    }
}

#[test]
fn a_command_line_that_was_meant_otherwise_is_put_right() {
    let site = Site::new();
    for (arguments, said) in [
        (
            &[
                "search",
                "-n",
                "3",
                "-F",
                "retry",
                "with",
                "--context",
                "2",
                "backoff",
            ] as &[&str],
            "hint: quote the query: leantoken search \"retry with backoff\"",
        ),
        (
            &["files", "find", "a", "b"],
            "hint: usage: leantoken files find",
        ),
        (
            &["search", "-e", "malloc("],
            "hint: to search for the text as it is, use -F",
        ),
        (
            &["search", "x", "--glob", "*.rs"],
            "hint: here it is --path GLOB",
        ),
        (
            &["frobnicate"],
            "hint: to look for it: leantoken search \"frobnicate\"",
        ),
        (
            &["serch", "x"],
            "hint: a similar subcommand exists: 'search'",
        ),
        (&["search"], "hint: usage: leantoken search"),
        (
            &["search", "x", "--mode", "definition"],
            "for example --mode symbol",
        ),
        (
            &["search", "x", "--limit", "5000"],
            "for example --limit 1000",
        ),
        (&["read", "src/main.rs:x"], "src/main.rs:240-248"),
        (&["status", "--cursor", "x"], "status does not use --cursor"),
    ] {
        let run = site.run(arguments);
        check_error(&run, 2, &[said]);
        assert_eq!(
            run.stderr.lines().count(),
            2 - usize::from(arguments[0] == "status"),
            "{}",
            run.stderr
        );
        let document = json(&site.run(&[arguments, &["--json"]].concat()));
        assert_eq!(document["error"]["code"], "invalid_request", "{document}");
    }
}

#[test]
fn help_shows_what_acts_and_states_the_rules() {
    let site = Site::new();
    for (verb, shown, hidden) in [
        (
            "mcp",
            "--result",
            &["--json", "--max-tokens", "--cursor"] as &[&str],
        ),
        ("status", "--json", &["--cursor"]),
        ("search", "--cursor", &[]),
    ] {
        let help = site.run(&[verb, "--help"]).stdout;
        assert!(help.contains(shown), "{verb}: {help}");
        assert!(
            hidden.iter().all(|option| !help.contains(option)),
            "{verb}: {help}"
        );
    }
    let help = site.run(&["search", "--help"]).stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for rule in [
        "all in lower case is insensitive",
        "matches at any depth",
        "from the root",
    ] {
        assert!(help.contains(rule), "{rule}: {help}");
    }
}

#[test]
fn paths_are_taken_from_the_working_directory_first() {
    let site = Site::new();
    site.write("store.rs", "// at the root\n");
    let run = |arguments: &[&str]| {
        let mut command = site.command();
        Run::of(command.current_dir(site.root().join("src")).args(arguments))
    };
    for (arguments, wanted) in [
        (&["read", "store.rs:1"] as &[&str], "src/store.rs:1-1"),
        (&["read", "../store.rs"], "1:// at the root"),
        (&["read", "README.md#Usage notes"], "Run it."),
        (&["read", "tools/run.py"], "def open(path):"),
        (&["outline", "store.rs"], "pub fn open() -> Store"),
        (&["outline", "."], "main.rs"),
        (&["files", "tree", "../tools"], "run.py"),
    ] {
        let run = run(arguments);
        assert_eq!(run.code, 0, "{arguments:?} {}", run.stderr);
        assert!(run.stdout.contains(wanted), "{arguments:?}\n{}", run.stdout);
    }
    assert!(!run(&["outline", "."]).stdout.contains("run.py"));
}

#[test]
fn an_outline_is_the_same_as_over_mcp() {
    let site = Site::new();
    let operation = |arguments: &[&str]| {
        let answer = json(&site.run(&[&["--json", "outline"], arguments].concat()));
        answer["operation"].as_str().unwrap().to_owned()
    };
    for listing in [&[] as &[&str], &["src"], &["**/*.rs"]] {
        assert_eq!(operation(listing), "files", "{listing:?}");
    }
    for definitions in [
        &["src/store.rs"] as &[&str],
        &["src", "tools"],
        &["src", "--kind", "struct"],
        &["--kind", "struct"],
    ] {
        assert_eq!(operation(definitions), "outline", "{definitions:?}");
    }
}

#[test]
fn targets_that_can_be_shown_are_shown() {
    let site = Site::new();
    let run = site.run(&[
        "read",
        "src/main.rs:3:1",
        "gone.rs",
        "src/main.rs:x",
        "src/store.rs:16-",
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for words in [
        "src/main.rs:3-3",
        "note: not shown: file 'gone.rs' is not in the index",
        "target 'src/main.rs:x': lines are written from-to",
        "src/store.rs:16-18",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("ends at line"), "{}", run.stdout);
    check_error(&site.run(&["read", "gone.rs", "lost.rs"]), 1, &["gone.rs"]);
}

#[test]
fn an_index_that_holds_next_to_nothing_says_why() {
    let site = Site::new();
    let search = ["search", "-F", "no such text"];
    assert!(!site.run(&search).stdout.contains("note: "));
    site.write(".gitignore", "/*\n");
    for arguments in [
        &search as &[&str],
        &["outline"],
        &["files", "find", "x"],
        &["status"],
    ] {
        let run = site.run(arguments);
        assert!(
            run.stdout.contains("\nnote: no file is indexed: "),
            "{}",
            run.stdout
        );
        assert!(run.stdout.contains("gitignore 6"), "{}", run.stdout);
    }
    check_error(
        &site.run(&["read", "src/store.rs"]),
        1,
        &["hint: no file is indexed", ".leantokenignore"],
    );
    let status = json(&site.run(&["status", "--json"]));
    assert_eq!(status["ignored"][0]["count"], 6, "{status}");
    site.write(".leantokenignore", "!/*\n");
    let found = site.run(&["search", "-F", "values.push"]);
    assert!(
        found.code == 0 && !found.stdout.contains("note: "),
        "{}",
        found.stdout
    );
}
