use super::*;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// A tree in a temporary directory.
struct Tree {
    dir: TempDir,
}

impl Tree {
    fn new() -> Self {
        Tree {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn repository() -> Self {
        let tree = Tree::new();
        tree.git(&["init", "-q"]);
        tree
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.dir.path().join(relative)
    }

    fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    fn files(&self, relative: &[&str]) -> &Self {
        for path in relative {
            self.write(path, "x\n");
        }
        self
    }

    fn git_at(&self, at: &str, args: &[&str]) -> Vec<u8> {
        let output = Command::new("git")
            .current_dir(self.path(at))
            .args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "-c",
                "init.defaultBranch=main",
            ])
            .args(["-c", "commit.gpgsign=false"])
            .args(["-c", "protocol.file.allow=always"])
            .args(args)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    }

    fn git(&self, args: &[&str]) -> Vec<u8> {
        self.git_at("", args)
    }

    fn commit(&self) -> &Self {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "x"]);
        self
    }

    fn found(&self, at: &str) -> Discovery {
        discover(&request(&self.path(at))).unwrap()
    }

    fn listed(&self, at: &str) -> Vec<String> {
        paths(&self.found(at))
    }

    /// What git lists: tracked and not ignored, without what is not a file on disk.
    fn listed_by_git(&self, at: &str) -> Vec<String> {
        let out = self.git_at(at, &["ls-files", "-co", "--exclude-standard", "-z"]);
        let mut paths: Vec<String> = out
            .split(|byte| *byte == 0)
            .map(|path| String::from_utf8(path.to_vec()).unwrap())
            .filter(|path| {
                let on_disk = self.path(at).join(path);
                on_disk.symlink_metadata().is_ok_and(|meta| meta.is_file())
            })
            .collect();
        paths.sort();
        paths.dedup();
        paths
    }

    fn check(&self, at: &str, expected: &[&str]) {
        assert_eq!(self.listed_by_git(at), expected, "git in '{at}'");
        assert_eq!(self.listed(at), expected, "in '{at}'");
    }

    fn skip_of(&self, path: &str) -> Option<SkipReason> {
        let found = self.found("");
        found
            .skipped
            .iter()
            .find(|skip| skip.path == path)
            .map(|skip| skip.reason)
    }
}

fn request(root: &Path) -> DiscoverRequest<'_> {
    DiscoverRequest {
        root,
        home: None,
        force_root: false,
        out: None,
        threads: 3,
        limits: Limits::STANDARD,
    }
}

fn paths(found: &Discovery) -> Vec<String> {
    found
        .files
        .iter()
        .map(|file| file.path.to_string())
        .collect()
}

#[test]
fn a_negated_directory_under_a_parent_rule_is_in() {
    let tree = Tree::repository();
    tree.write(".gitignore", "build/\n!/app/build/\n");
    tree.files(&["app/build/k.ts", "x/build/d.ts"]);
    tree.check("", &[".gitignore", "app/build/k.ts"]);
    tree.check("app", &["build/k.ts"]);
    tree.check("./app", &["build/k.ts"]);
}

#[test]
fn an_ignored_directory_is_never_entered() {
    let tree = Tree::repository();
    tree.write(".gitignore", "*\n!*.c\n");
    tree.files(&["a/a.c", "top.c"]);
    tree.check("", &["top.c"]);
}

#[test]
fn wildcards_between_slashes_match_one_part() {
    let tree = Tree::repository();
    tree.write(".gitignore", "/a/*/b\n");
    tree.files(&["a/c/b/k", "a/src/f/b/k"]);
    tree.check("", &[".gitignore", "a/src/f/b/k"]);
    tree.check("a/src", &["f/b/k"]);
}

#[test]
fn a_rule_with_an_inner_slash_is_anchored() {
    let tree = Tree::repository();
    tree.write(".gitignore", "pkg/debug\n");
    tree.files(&["pkg/debug/g", "pkg/some/debug/f"]);
    tree.check("", &[".gitignore", "pkg/some/debug/f"]);
}

#[test]
fn a_trailing_dot_is_part_of_the_name() {
    let tree = Tree::repository();
    tree.write(".gitignore", "asdf./\n");
    tree.files(&["asdf/f", "asdf./f"]);
    tree.check("", &[".gitignore", "asdf/f"]);
}

#[test]
fn double_stars_in_any_place_match_without_a_fault() {
    for pattern in ["**", "**/**/*", "a**b"] {
        let tree = Tree::repository();
        tree.write(".git/info/exclude", format!("{pattern}\n"));
        tree.files(&["afoob", "foo", "a/foo"]);
        let expected: &[&str] = if pattern == "a**b" {
            &["a/foo", "foo"]
        } else {
            &[]
        };
        tree.check("", expected);
    }
}

#[test]
fn a_lone_exclamation_mark_means_nothing() {
    let tree = Tree::repository();
    tree.write(".gitignore", "*.log\n!\n");
    tree.files(&["a/y.log", "a/y.rs"]);
    tree.check("", &[".gitignore", "a/y.rs"]);
}

#[test]
fn tracked_files_are_in_although_ignored_or_pruned() {
    let tree = Tree::repository();
    tree.write(".gitignore", "gen/\n*.lock\n");
    tree.files(&["gen/k.js", "gen/other.js", "a.lock", "node_modules/m/i.js"]);
    tree.git(&["add", "-f", "gen/k.js", "a.lock", "node_modules"]);
    tree.check(
        "",
        &[".gitignore", "a.lock", "gen/k.js", "node_modules/m/i.js"],
    );
    fs::remove_file(tree.path("gen/k.js")).unwrap();
    tree.check("", &[".gitignore", "a.lock", "node_modules/m/i.js"]);
}

#[test]
fn rule_files_may_have_a_mark_other_scripts_and_crlf() {
    let tree = Tree::repository();
    tree.write(".gitignore", "\u{feff}secret.py\r\nrépertoire/\r\n");
    tree.files(&["secret.py", "répertoire/x", "ok"]);
    tree.check("", &[".gitignore", "ok"]);
    tree.write("sub/.gitignore", b"caf\xe9\n*.tmp\n");
    tree.files(&["sub/a.tmp", "sub/a.rs"]);
    tree.check("", &[".gitignore", "ok", "sub/.gitignore", "sub/a.rs"]);
}

#[test]
fn contents_of_a_directory_can_be_negated_one_by_one() {
    let tree = Tree::repository();
    tree.write(".gitignore", "/dist/*\n!/dist/keep.ts\n");
    tree.files(&["dist/keep.ts", "dist/gone.ts", "sub/dist/x"]);
    tree.check("", &[".gitignore", "dist/keep.ts", "sub/dist/x"]);
}

#[test]
fn our_own_rules_add_and_negate() {
    let tree = Tree::repository();
    tree.write(".gitignore", "*.gen\n");
    tree.write(".leantokenignore", "!keep.gen\n*.sql\n!node_modules/\n");
    tree.files(&[
        "keep.gen",
        "drop.gen",
        "a.sql",
        "node_modules/m.js",
        "venv/v.py",
    ]);
    assert_eq!(
        tree.listed(""),
        [
            ".gitignore",
            ".leantokenignore",
            "keep.gen",
            "node_modules/m.js"
        ]
    );
    tree.write("sub/.leantokenignore", "!a.sql\n");
    tree.files(&["sub/a.sql"]);
    assert!(tree.listed("").contains(&"sub/a.sql".to_string()));
}

#[test]
fn nested_repositories_and_linked_worktrees_are_boundaries() {
    let tree = Tree::repository();
    tree.files(&["a.rs"]).commit();
    tree.git(&["worktree", "add", "-q", ".claude/worktrees/w1", "-b", "w1"]);
    tree.files(&["sub/x.rs"]);
    tree.git_at("sub", &["init", "-q"]);
    assert_eq!(tree.listed(""), ["a.rs"]);
    assert_eq!(tree.skip_of("sub"), Some(SkipReason::NestedRepository));
    assert_eq!(
        tree.skip_of(".claude/worktrees/w1"),
        Some(SkipReason::NestedRepository)
    );
    // A linked worktree as the root is an ordinary tree of the same repository.
    tree.check(".claude/worktrees/w1", &["a.rs"]);
    assert_eq!(tree.found(".claude/worktrees/w1").head, tree.found("").head);
}

#[test]
fn a_submodule_is_recorded_and_a_broken_list_of_them_does_not_matter() {
    let library = Tree::repository();
    library.files(&["l.rs"]).commit();
    let tree = Tree::repository();
    tree.files(&["a.rs"]);
    tree.git(&[
        "submodule",
        "--quiet",
        "add",
        &library.path("").display().to_string(),
        "lib",
    ]);
    tree.write(".gitmodules", "[submodule \"lib\n");
    assert_eq!(tree.listed(""), [".gitmodules", "a.rs"]);
    assert_eq!(tree.skip_of("lib"), Some(SkipReason::NestedRepository));
    // Not checked out: the directory is empty, the boundary stays.
    fs::remove_dir_all(tree.path("lib")).unwrap();
    fs::create_dir(tree.path("lib")).unwrap();
    assert_eq!(tree.skip_of("lib"), Some(SkipReason::NestedRepository));
}

#[cfg(unix)]
#[test]
fn links_are_recorded_and_never_followed() {
    use std::os::unix::fs::symlink;
    let outside = Tree::new();
    outside.files(&["outside.txt"]);
    let tree = Tree::repository();
    tree.files(&["real/x.rs"]);
    symlink(outside.path("outside.txt"), tree.path("leak.py")).unwrap();
    symlink("..", tree.path("loop")).unwrap();
    symlink("real", tree.path("inner")).unwrap();
    tree.git(&["add", "-A"]);
    tree.check("", &["real/x.rs"]);
    for link in ["leak.py", "loop", "inner"] {
        assert_eq!(tree.skip_of(link), Some(SkipReason::Symlink), "{link}");
    }
}

#[cfg(unix)]
#[test]
fn a_tracked_directory_that_became_a_link_is_not_followed() {
    let outside = Tree::new();
    outside.files(&["x.rs"]);
    let tree = Tree::repository();
    tree.files(&["dir/x.rs"]).commit();
    fs::remove_dir_all(tree.path("dir")).unwrap();
    std::os::unix::fs::symlink(outside.path(""), tree.path("dir")).unwrap();
    assert!(tree.listed("").is_empty());
    assert_eq!(tree.skip_of("dir"), Some(SkipReason::Symlink));
}

#[cfg(unix)]
#[test]
fn pipes_and_sockets_are_special() {
    let tree = Tree::new();
    rustix::fs::mkfifoat(rustix::fs::CWD, tree.path("pipe"), rustix::fs::Mode::RWXU).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(tree.path("socket")).unwrap();
    assert_eq!(tree.skip_of("pipe"), Some(SkipReason::Special));
    assert_eq!(tree.skip_of("socket"), Some(SkipReason::Special));
}

#[test]
fn names_are_exact_whatever_characters_they_hold() {
    let names = [
        "naïve café.py",
        "tab\tx.py",
        "new\nline.py",
        "quo\"te.py",
        "back\\slash.py",
        "-dash.py",
        "--help/x",
        "仓库 (Стойки)/é/y",
        "DeepDir/mod.ts",
    ];
    let tree = Tree::repository();
    tree.files(&names);
    let mut expected = names.to_vec();
    expected.sort_unstable();
    tree.check("", &expected);
    tree.git(&["add", "-A"]);
    tree.check("", &expected);
    assert_eq!(tree.found("").n_untracked, 0);
    tree.check("仓库 (Стойки)", &["é/y"]);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_skipped_with_a_reason() {
    use std::os::unix::ffi::OsStrExt;
    let tree = Tree::repository();
    let name = OsStr::from_bytes(b"caf\xe9.c");
    fs::write(tree.dir.path().join(name), "x").unwrap();
    fs::create_dir(tree.dir.path().join(OsStr::from_bytes(b"d\xff"))).unwrap();
    tree.git(&["add", "-A"]);
    let found = tree.found("");
    assert!(found.files.is_empty());
    assert_eq!(found.skipped.len(), 2);
    assert!(
        found
            .skipped
            .iter()
            .all(|skip| skip.reason == SkipReason::PathNotUtf8)
    );
}

#[test]
fn everything_works_without_git() {
    let tree = Tree::new();
    tree.write(".gitignore", "*.log\n");
    tree.files(&["a.rs", "x.log", "node_modules/m.js", ".hidden/h"]);
    let found = tree.found("");
    // Ignore files speak for themselves, repository or not.
    assert_eq!(paths(&found), [".gitignore", ".hidden/h", "a.rs"]);
    assert!(!found.in_repository && found.head.is_none() && found.n_tracked.is_none());
}

#[test]
fn unborn_and_bare_and_sha256_repositories_are_trees() {
    let unborn = Tree::repository();
    unborn.files(&["a"]);
    assert_eq!(unborn.found("").head, None);
    assert_eq!(unborn.listed(""), ["a"]);

    let bare = Tree::new();
    bare.git(&["init", "-q", "--bare"]);
    assert!(bare.found("").head.is_none());

    let long = Tree::new();
    long.git(&["init", "-q", "--object-format=sha256"]);
    long.files(&["a"]).commit();
    let head = long.found("").head.unwrap();
    assert_eq!((head.commit.len(), head.tree.len()), (64, 64));
}

#[test]
fn git_index_is_not_touched() {
    let tree = Tree::repository();
    tree.files(&["a"]).commit();
    tree.write("a", "changed");
    let before = fs::metadata(tree.path(".git/index"))
        .unwrap()
        .modified()
        .unwrap();
    tree.found("");
    crate::revision::surroundings(&tree.path(""));
    assert_eq!(
        fs::metadata(tree.path(".git/index"))
            .unwrap()
            .modified()
            .unwrap(),
        before
    );
}

#[test]
fn the_file_system_root_and_the_home_directory_are_refused() {
    let home = Tree::new();
    home.files(&["a"]);
    let path = home.path("");
    let asked = DiscoverRequest {
        home: Some(&path),
        ..request(&path)
    };
    assert!(matches!(
        discover(&asked),
        Err(BuildError::RefusedRoot { .. })
    ));
    assert!(
        discover(&DiscoverRequest {
            force_root: true,
            ..asked
        })
        .is_ok()
    );
    assert!(matches!(
        discover(&request(Path::new("/"))),
        Err(BuildError::RefusedRoot { .. })
    ));
}

#[test]
fn a_root_that_is_no_directory_is_an_error() {
    let tree = Tree::new();
    tree.files(&["a"]);
    for root in [tree.path("a"), tree.path("gone")] {
        assert!(
            matches!(discover(&request(&root)), Err(BuildError::Root { .. })),
            "{root:?}"
        );
    }
}

#[test]
fn a_walk_over_its_limit_is_an_error_not_a_part() {
    let tree = Tree::new();
    tree.files(&["a/1", "b/2", "c/3", "d/4"]);
    let path = tree.path("");
    let limits = Limits {
        max_files: 3,
        ..Limits::STANDARD
    };
    let asked = DiscoverRequest {
        limits,
        ..request(&path)
    };
    assert!(matches!(
        discover(&asked),
        Err(BuildError::TooMuch { limit: 3, .. })
    ));
    let limits = Limits {
        max_files: 4,
        ..limits
    };
    assert_eq!(
        discover(&DiscoverRequest { limits, ..asked })
            .unwrap()
            .files
            .len(),
        4
    );
}

#[test]
fn the_order_of_discovery_does_not_matter() {
    let tree = Tree::repository();
    tree.files(&["b", "a/x", "a.x", "a/b/c", "z"]);
    let path = tree.path("");
    let sorted = ["a.x", "a/b/c", "a/x", "b", "z"];
    for threads in [1, 7] {
        let found = discover(&DiscoverRequest {
            threads,
            ..request(&path)
        })
        .unwrap();
        assert_eq!(paths(&found), sorted);
    }
    let mut found = tree.found("");
    let mut files = std::mem::take(&mut found.files);
    files.rotate_left(2);
    files.swap(0, 3);
    let walked = walk::Walked {
        files,
        ..walk::Walked::default()
    };
    merge(&mut found, walked, tracked::Tracked::default());
    assert_eq!(paths(&found), sorted);
    let generation = |found: Discovery, out: &str| {
        let request = crate::BuildRequest::new(path.clone(), tree.path(out));
        let built = crate::build_found(&request, found, &crate::progress::Silent);
        built.unwrap().generation
    };
    let shuffled = generation(found, ".git/shuffled");
    assert_eq!(shuffled, generation(tree.found(""), ".git/walked"));
}

#[test]
fn the_output_directory_is_no_part_of_the_tree() {
    let tree = Tree::new();
    tree.files(&["a", "out/manifests/x.json"]);
    let (path, out) = (tree.path(""), tree.path("out"));
    let found = discover(&DiscoverRequest {
        out: Some(&out),
        ..request(&path)
    })
    .unwrap();
    assert_eq!(paths(&found), ["a"]);
}

#[test]
fn directories_tagged_as_caches_are_left_out_unless_named() {
    let tag = "Signature: 8a477f597d28d172789f06886806bc55\n# any program\n";
    let tree = Tree::repository();
    tree.files(&["a", "made/x", "kept/y", "false/z"]);
    for directory in ["", "made/", "kept/", "made/"] {
        tree.write(&format!("{directory}CACHEDIR.TAG"), tag);
    }
    tree.write("false/CACHEDIR.TAG", "no signature");
    tree.write(".leantokenignore", "!kept\n");
    let found = tree.found("");
    let expected = [
        ".leantokenignore",
        "CACHEDIR.TAG",
        "a",
        "false/CACHEDIR.TAG",
        "false/z",
        "kept/CACHEDIR.TAG",
        "kept/y",
    ];
    assert_eq!(paths(&found), expected);
    let ignored: Vec<_> = found.ignored.counts().collect();
    assert_eq!(ignored, [("cache_tag", 1)]);
}

#[test]
fn ignored_entries_are_counted_by_what_ignores_them() {
    let tree = Tree::repository();
    tree.write(".gitignore", "/*\n")
        .files(&["a", "b", "dir/c", "dir/d", "node_modules/e"]);
    let found = tree.found("");
    assert_eq!(paths(&found), [] as [&str; 0]);
    let ignored: Vec<_> = found.ignored.counts().collect();
    assert_eq!(ignored, [("gitignore", 5)]);
    // What the explanation proposes works.
    tree.write(".leantokenignore", "!/*\n");
    let found = tree.found("");
    assert!(paths(&found).contains(&"dir/c".to_string()));
    assert_eq!(found.ignored.counts().count(), 0);
}
