//! Trees as they are found: encodings, line ends, names, links, and edits between two questions.

use crate::program::{Run, Site};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr))
}

/// Returns `path:line:column` of every hit.
fn places(site: &Site, arguments: &[&str]) -> Vec<String> {
    let answer = json(&site.run(&[&["--json", "search"], arguments].concat()));
    let hits = answer["hits"].as_array().unwrap();
    let place = |hit: &Value| {
        let path = hit["path"].as_str().unwrap();
        format!("{path}:{}:{}", hit["start_line"], hit["column"])
    };
    hits.iter().map(place).collect()
}

fn line(site: &Site, target: &str) -> String {
    let answer = json(&site.run(&["--json", "read", target]));
    let text = answer["excerpts"][0]["text"].as_str().unwrap();
    text.trim_end_matches('\n').to_owned()
}

#[test]
fn every_encoding_and_line_end_is_read_alike() {
    let site = Site::new();
    let utf16: Vec<u8> = "\u{feff}first\r\ncafé = 1\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let files: [(&str, &[u8]); 6] = [
        ("e/latin.py", b"first\ncaf\xe9 = 1\n"),
        ("e/mark.py", b"\xef\xbb\xbffirst\ncaf\xc3\xa9 = 1\n"),
        ("e/crlf.py", b"first\r\ncaf\xc3\xa9 = 1\r\n"),
        ("e/tab.py", b"first\x0b\ncaf\xc3\xa9 = 1"),
        ("e/wide.py", &utf16),
        ("e/lone.py", b"first\rhalf\ncaf\xc3\xa9 = 1\n"),
    ];
    fs::create_dir_all(site.root().join("e")).unwrap();
    for (path, bytes) in files {
        fs::write(site.root().join(path), bytes).unwrap();
    }
    let mut wanted: Vec<String> = files.iter().map(|(p, _)| format!("{p}:2:1")).collect();
    wanted.sort();
    assert_eq!(places(&site, &["-F", "café = 1"]), wanted);
    assert_eq!(places(&site, &["-e", "^CAFÉ = 1$", "-i"]), wanted);
    let begins = places(&site, &["-e", "^first", "--path", "e"]);
    assert_eq!(begins.len(), files.len(), "{begins:?}");
    for (path, _) in files {
        assert_eq!(line(&site, &format!("{path}:2")), "café = 1", "{path}");
        assert!(
            line(&site, &format!("{path}:1")).starts_with("first"),
            "{path}"
        );
    }
    fs::write(site.root().join("e/nul.py"), b"\0first\n").unwrap();
    assert_eq!(places(&site, &["-e", "^first", "--path", "e"]), begins);
}

#[test]
fn a_root_of_any_name_is_served() {
    let site = Site::new();
    let root = site.root().join("仓库 (Стойки)/é");
    fs::create_dir_all(&root).unwrap();
    fs::write(root.join("ä\tb.py"), "def f():\n    pass\n").unwrap();
    let root = root.to_str().unwrap();
    let run = site.run(&["--root", root, "--json", "search", "--mode", "symbol", "f"]);
    assert_eq!(json(&run)["hits"][0]["path"], "ä\tb.py", "{}", run.stdout);
    let status = site.run(&["--root", root, "--json", "status"]);
    assert_eq!(json(&status)["root"], root);
}

#[test]
fn nothing_outside_of_the_root_is_shown() {
    let site = Site::new();
    let outside = site.root().parent().unwrap().join("secret.txt");
    fs::write(&outside, "hidden word\n").unwrap();
    let absolute = outside.to_str().unwrap();
    let around = format!("{}/../secret.txt", site.root().display());
    for target in [
        "../secret.txt",
        "src/../../secret.txt:1",
        "./../secret.txt",
        absolute,
        &around,
        "..\\secret.txt",
    ] {
        let run = site.run(&["read", target]);
        assert!(matches!(run.code, 1 | 2), "{target}: {}", run.stdout);
        assert!(!run.stdout.contains("hidden word"), "{target}");
    }
}

/// A file or directory that was indexed and is a link now leads nowhere.
#[cfg(unix)]
#[test]
fn links_put_in_place_of_files_are_not_followed() {
    let site = Site::new();
    fs::write(
        site.root().parent().unwrap().join("run.py"),
        "hidden word\n",
    )
    .unwrap();
    assert_eq!(site.run(&["read", "tools/run.py"]).code, 0);
    fs::remove_file(site.root().join("-dash.py")).unwrap();
    std::os::unix::fs::symlink("../run.py", site.root().join("-dash.py")).unwrap();
    fs::remove_dir_all(site.root().join("tools")).unwrap();
    std::os::unix::fs::symlink("..", site.root().join("tools")).unwrap();
    assert_eq!(site.run(&["read", "--", "-dash.py"]).code, 1);
    assert_eq!(site.run(&["read", "tools/run.py"]).code, 1);
    assert_eq!(places(&site, &["-F", "hidden word"]), [""; 0]);
}

/// Asks all kinds of questions; what names the snapshot itself is left out.
fn answers(site: &Site, cache: &Path) -> Vec<Value> {
    let questions: [&[&str]; 8] = [
        &["search", "open store"],
        &["search", "Store"],
        &["search", "--mode", "symbol", "open"],
        &["search", "--mode", "reference", "insert"],
        &["search", "-F", "e", "-n", "1000"],
        &["files", "tree"],
        &["outline", "**/*"],
        &["status"],
    ];
    let ask = |question: &&[&str]| {
        let mut command = site.command();
        command
            .env("LEANTOKEN_CACHE_DIR", cache)
            .arg("--json")
            .args(*question);
        let mut answer = json(&Run::of(&mut command));
        for field in [
            "generation",
            "revision",
            "next_cursor",
            "segments",
            "snapshot_bytes",
        ] {
            answer[field] = json!(null);
        }
        answer
    };
    questions.iter().map(ask).collect()
}

#[test]
fn after_any_edit_a_used_cache_answers_as_a_new_one() {
    type Edit = fn(&Site);
    let site = Site::new();
    answers(&site, &site.cache());
    let edits: [Edit; 9] = [
        |site| site.write("src/store.rs", "pub fn open_anew() {}\n"),
        |site| site.write("src/deep/er/new.py", "def insert(e): return Store(e)\n"),
        |site| fs::remove_file(site.root().join("README.md")).unwrap(),
        |site| {
            let root = site.root();
            fs::rename(root.join("src/main.rs"), root.join("src/MAIN.rs")).unwrap();
        },
        |site| site.write(".gitignore", "*.py\n!run.py\n"),
        |site| fs::rename(site.root().join("src"), site.root().join("lib")).unwrap(),
        |site| fs::write(site.root().join("lib/store.rs"), b"\0").unwrap(),
        |site| site.write("lib/MAIN.rs", ""),
        |site| fs::remove_file(site.root().join(".gitignore")).unwrap(),
    ];
    for (nth, edit) in edits.iter().enumerate() {
        edit(&site);
        let fresh = site.home().join(format!("fresh{nth}"));
        let (used, fresh) = (answers(&site, &site.cache()), answers(&site, &fresh));
        for (used, fresh) in used.iter().zip(&fresh) {
            assert_eq!(used, fresh, "after edit {nth}");
        }
    }
}
