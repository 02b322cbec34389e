//! Checks the rules of the house that the compiler cannot: which words may stand in which room, how
//! long files are, that every module says what it owns, and that the lock file stays small.
//!
//! Run from the repository root: `cargo run -p tidy`. Prints one line a violation and exits with 1.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Longest source file, tests included.
const MAX_LINES: usize = 600;

/// Files that may be longer, with the reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// Most packages in the lock file; raised on purpose only.
const MAX_PACKAGES: usize = 300;

/// Most lines of the architecture page, so that it is read.
const MAX_ARCHITECTURE_LINES: usize = 300;

/// A word that may stand only below some of the source folders.
struct Room {
    /// Words that mark the thing; code only, comments are not looked at.
    words: &'static [&'static str],
    /// Path prefixes where they may stand.
    allowed: &'static [&'static str],
    /// Path prefixes that the rule covers; empty for all source.
    within: &'static [&'static str],
    /// What the rule keeps apart.
    why: &'static str,
}

const ROOMS: &[Room] = &[
    Room {
        words: &[
            "SELECT ",
            "INSERT INTO",
            "CREATE TABLE",
            "PRAGMA ",
            "rusqlite",
        ],
        allowed: &["formats/src/", "tests/it/", "formats/tests/"],
        within: &[],
        why: "SQL and its client live in formats",
    },
    Room {
        words: &["tree_sitter"],
        allowed: &["shared/src/syntax/"],
        within: &[],
        why: "the parser is named in shared/src/syntax only",
    },
    Room {
        words: &["blake3::"],
        allowed: &["shared/src/digest.rs"],
        within: &[],
        why: "the hash function is named in shared/src/digest.rs only",
    },
    Room {
        words: &["bpe_openai", "tiktoken"],
        allowed: &["shared/src/tokens"],
        within: &[],
        why: "tokenizers are named in shared/src/tokens.rs only",
    },
    Room {
        words: &[
            "std::fs",
            "std::net",
            "std::env",
            "Instant::now",
            "SystemTime",
            "std::process",
        ],
        allowed: &[],
        within: &["shared/src/"],
        why: "shared does no I/O and reads no clock (a parse deadline is the one exception, in syntax)",
    },
    Room {
        words: &["env::var", "env::vars"],
        allowed: &[
            "server/src/settings.rs",
            "builder/src/settings.rs",
            "tests/",
        ],
        within: &[],
        why: "the environment is read in the settings of the two programs only",
    },
    Room {
        words: &["serde", "tokio", "clap", "rmcp", "axum"],
        allowed: &[],
        within: &["server/src/query/", "server/src/view.rs"],
        why: "the query flow is synchronous and knows no wire type",
    },
    Room {
        words: &["tokio"],
        allowed: &["server/src/mcp/", "server/src/service", "tests/"],
        within: &["shared/src/", "formats/src/", "builder/src/", "server/src/"],
        why: "async lives where there is stdio or network",
    },
    Room {
        words: &["std::os::unix", "std::os::linux", "rustix::", "libc::"],
        allowed: &[
            "builder/src/platform",
            "formats/src/platform",
            "server/src/platform",
            "tests/",
        ],
        within: &[],
        why: "calls of one platform stand in the platform modules",
    },
    Room {
        words: &["#[ignore", "todo!(", "unimplemented!("],
        allowed: &["ci/tidy/"],
        within: &[],
        why: "nothing is left unfinished or ignored",
    },
];

/// Exceptions to a room, one file and one word each, with the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[(
    "shared/src/syntax/",
    "Instant::now",
    "the wall-time limit of one parse has no other measure",
)];

fn main() -> ExitCode {
    let mut faults = Vec::new();
    let mut files = Vec::new();
    for top in ["shared", "formats", "builder", "server", "tests", "ci"] {
        collect(Path::new(top), &mut files);
    }
    files.sort();
    for file in &files {
        let name = file.to_string_lossy().replace('\\', "/");
        match fs::read_to_string(file) {
            Ok(text) => check_source(&name, &text, &mut faults),
            Err(error) => faults.push(format!("{name}: cannot be read: {error}")),
        }
    }
    check_registered(&files, &mut faults);
    check_counts(&mut faults);
    for fault in &faults {
        #[expect(clippy::print_stdout, reason = "the report of this program")]
        {
            println!("{fault}");
        }
    }
    if faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            let skip = ["target", "corpus", "fuzz", "bench", "node_modules"];
            if !skip
                .iter()
                .any(|name| path.file_name().is_some_and(|f| f == *name))
            {
                collect(&path, into);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

fn check_source(name: &str, text: &str, faults: &mut Vec<String>) {
    let n_lines = text.lines().count();
    let may_be_long = LONG_FILES.iter().any(|(file, _)| *file == name);
    if n_lines > MAX_LINES && !may_be_long {
        faults.push(format!(
            "{name}: {n_lines} lines, at most {MAX_LINES}: split it"
        ));
    }
    let is_test_part = name.ends_with("/tests.rs") || name.contains("/tests/");
    if !text.starts_with("//!") && !is_test_part {
        faults.push(format!(
            "{name}: says nowhere what it owns; begin with a //! line"
        ));
    }
    if name.starts_with("ci/tidy/") {
        return;
    }
    for room in ROOMS {
        let covered = room.within.is_empty() || room.within.iter().any(|p| name.starts_with(p));
        if !covered || room.allowed.iter().any(|p| name.starts_with(p)) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            // Unit tests at the end of a file may build fixtures with what the file itself may not use.
            if line.trim() == "#[cfg(test)]" || is_test_part {
                break;
            }
            let code = line.split("//").next().unwrap_or("");
            for word in room.words {
                let excepted = EXCEPTIONS
                    .iter()
                    .any(|(p, w, _)| name.starts_with(p) && w == word);
                if has_word(code, word) && !excepted {
                    faults.push(format!("{name}:{}: `{word}`: {}", number + 1, room.why));
                }
            }
        }
    }
}

/// Returns whether `word` stands in `code` and does not continue an identifier before it.
fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// Every file of the integration tests must be a module of `main.rs`, or it would never run.
fn check_registered(files: &[PathBuf], faults: &mut Vec<String>) {
    let Ok(main) = fs::read_to_string("tests/it/main.rs") else {
        return;
    };
    for file in files {
        let direct = file
            .parent()
            .is_some_and(|parent| parent == Path::new("tests/it"));
        let stem = file
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        if let Some(stem) = stem.filter(|stem| direct && stem != "main")
            && !main.contains(&format!("mod {stem};"))
        {
            faults.push(format!(
                "tests/it/{stem}.rs: not a module of tests/it/main.rs"
            ));
        }
    }
}

fn check_counts(faults: &mut Vec<String>) {
    let lock = fs::read_to_string("Cargo.lock").unwrap_or_default();
    let packages = lock.lines().filter(|line| *line == "[[package]]").count();
    if packages == 0 || packages > MAX_PACKAGES {
        faults.push(format!(
            "Cargo.lock: {packages} packages, at most {MAX_PACKAGES} (and some)"
        ));
    }
    let page = fs::read_to_string("docs/ARCHITECTURE.md").unwrap_or_default();
    let lines = page.lines().count();
    if lines == 0 || lines > MAX_ARCHITECTURE_LINES {
        faults.push(format!(
            "docs/ARCHITECTURE.md: {lines} lines, at most {MAX_ARCHITECTURE_LINES} (and some)"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(name: &str, text: &str) -> Vec<String> {
        let mut faults = Vec::new();
        check_source(name, text, &mut faults);
        faults
    }

    #[test]
    fn words_are_kept_in_their_rooms() {
        let sql = "//! Owns x.\nlet a = \"SELECT 1\";\n";
        assert_eq!(faults("server/src/x.rs", sql).len(), 1);
        assert!(faults("formats/src/x.rs", sql).is_empty());
        assert!(faults("server/src/x.rs", "//! Owns x.\n// SELECT in a comment\n").is_empty());
        assert_eq!(
            faults("shared/src/x.rs", "//! Owns x.\nuse std::fs;\n").len(),
            1
        );
        assert!(
            faults(
                "shared/src/syntax/x.rs",
                "//! O.\nlet t = Instant::now();\n"
            )
            .is_empty()
        );
    }

    #[test]
    fn length_and_module_docs_are_checked() {
        assert_eq!(faults("server/src/x.rs", "fn f() {}\n").len(), 1);
        let long = format!("//! Owns x.\n{}", "\n".repeat(MAX_LINES));
        assert_eq!(faults("server/src/x.rs", &long).len(), 1);
    }
}
