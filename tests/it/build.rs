//! Building: whole trees in, sealed snapshots out.

use leantoken_builder::error::BuildError;
use leantoken_builder::progress::{Phase, Progress, Silent};
use leantoken_builder::report::Kind;
use leantoken_builder::{Base, BuildRequest, Built, build};
use leantoken_formats::layout::{self, BlobRole};
use leantoken_formats::segment::{Segment, SkipReason};
use leantoken_formats::verify::verify;
use leantoken_shared::facts::Note;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A tree to index and a place for its snapshots.
struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Place {
            dir: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(place.root()).unwrap();
        place
    }

    /// A tree of some size, the same each time.
    fn filled() -> Self {
        let place = Place::new();
        for at in 0..40 {
            let text = format!(
                "//! Part {at}.\n/// Adds {at}.\npub fn add_{at}(x: u32) -> u32 {{\n    x + {at}\n}}\n"
            );
            place.write(&format!("src/part_{at}.rs"), text);
        }
        place.write("README.md", "# Title\n\nText about parts.\n");
        place.write("data/logo.png", b"\x89PNG\0\0\0");
        place
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("tree")
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        let path = self.root().join(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn remove(&self, relative: &str) {
        fs::remove_file(self.root().join(relative)).unwrap();
    }

    fn request(&self) -> BuildRequest {
        BuildRequest::new(self.root(), self.out())
    }

    fn build(&self) -> Built {
        build(&self.request(), &Silent).unwrap()
    }

    fn build_on(&self, base: &Built) -> Built {
        let base = Some(Base {
            generation: base.generation,
            seen: base.seen.clone(),
        });
        build(
            &BuildRequest {
                base,
                ..self.request()
            },
            &Silent,
        )
        .unwrap()
    }

    fn git(&self, args: &[&str]) {
        let done = Command::new("git")
            .current_dir(self.root())
            .args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "-c",
                "init.defaultBranch=main",
            ])
            .args(args)
            .status()
            .unwrap();
        assert!(done.success());
    }

    /// Every file below the output directory, with its bytes.
    fn files_of_out(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut todo = vec![self.out()];
        while let Some(dir) = todo.pop() {
            for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    todo.push(path);
                } else {
                    let name = path
                        .strip_prefix(self.out())
                        .unwrap()
                        .to_string_lossy()
                        .into_owned();
                    files.insert(name, fs::read(path).unwrap());
                }
            }
        }
        files
    }

    /// What the snapshot says: the text of every live path.
    fn texts(&self, built: &Built) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        let mut owned = BTreeSet::new();
        for segment in segments(&self.out(), built).iter().rev() {
            let reader = segment.reader().unwrap();
            for (id, row) in segment.files().iter().enumerate() {
                if owned.insert(row.path.to_string()) {
                    texts.insert(row.path.to_string(), reader.text(id as u32).unwrap());
                }
            }
            owned.extend(segment.hidden().iter().map(ToString::to_string));
        }
        texts
    }
}

fn segments(out: &Path, built: &Built) -> Vec<Segment> {
    let entries = &built.manifest.segments;
    entries
        .iter()
        .map(|entry| {
            let blob = |role| out.join(layout::blob(role, &entry.blob(role).hash));
            Segment::open(&blob(BlobRole::Core), &blob(BlobRole::Text)).unwrap()
        })
        .collect()
}

fn skips(built: &Built) -> Vec<(String, SkipReason)> {
    let all = built.seen.all_skipped();
    all.into_iter()
        .map(|skip| (skip.path, skip.reason))
        .collect()
}

#[test]
fn the_same_tree_gives_the_same_bytes() {
    let (here, there) = (Place::filled(), Place::filled());
    let one = build(
        &BuildRequest {
            threads: 1,
            ..here.request()
        },
        &Silent,
    )
    .unwrap();
    let seven = build(
        &BuildRequest {
            threads: 7,
            ..there.request()
        },
        &Silent,
    )
    .unwrap();
    assert_eq!(one.generation, seven.generation);
    assert_eq!(here.files_of_out(), there.files_of_out());
    verify(&here.out(), &one.generation).unwrap();
}

#[test]
fn the_manifest_names_the_commit_and_whether_the_tree_differs() {
    let place = Place::filled();
    assert_eq!(place.build().manifest.source.commit, None);
    place.git(&["init", "-q"]);
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "x"]);
    let clean = place.build().manifest.source;
    assert!(clean.commit.is_some() && clean.tree.is_some() && !clean.dirty);
    place.write("new.rs", "fn new() {}\n");
    assert!(place.build().manifest.source.dirty);
    place.remove("new.rs");
    place.write("README.md", "# Changed\n");
    assert!(place.build().manifest.source.dirty);
    let text = String::from_utf8(place.build().manifest.to_bytes()).unwrap();
    assert!(
        !text.contains(&*place.dir.path().to_string_lossy()),
        "no path of the machine"
    );
}

#[test]
fn what_differs_goes_into_one_delta() {
    let place = Place::filled();
    let base = place.build();
    place.write("src/part_3.rs", "pub fn changed() {}\n");
    place.write("src/new.rs", "pub fn new() {}\n");
    place.remove("src/part_4.rs");
    fs::rename(
        place.root().join("README.md"),
        place.root().join("readme.md"),
    )
    .unwrap();
    let first = place.build_on(&base);
    assert_eq!(
        (first.report.kind, first.report.n_analyzed),
        (Kind::Delta, 3)
    );
    assert_eq!(first.manifest.parent, Some(base.generation));
    verify(&place.out(), &first.generation).unwrap();

    place.write("src/part_5.rs", "pub fn changed_too() {}\n");
    place.remove("src/new.rs");
    let second = place.build_on(&first);
    assert_eq!(second.manifest.segments.len(), 2);
    assert_eq!(second.manifest.parent, Some(base.generation));
    let anew = place.build();
    assert_eq!(place.texts(&second), place.texts(&anew));
    assert_eq!(second.manifest.stats, anew.manifest.stats);
    assert_eq!(second.manifest.source, anew.manifest.source);
}

#[test]
fn nothing_is_written_when_nothing_differs() {
    let place = Place::filled();
    let base = place.build();
    let before = place.files_of_out();
    let again = place.build_on(&base);
    assert_eq!(
        (again.generation, again.report.kind),
        (base.generation, Kind::Same)
    );
    assert_eq!(place.files_of_out(), before);

    place.write("src/part_3.rs", "pub fn changed() {}\n");
    let delta = place.build_on(&base);
    let before = place.files_of_out();
    // Written again with the same content: other stat data, the same snapshot.
    place.write("src/part_3.rs", "pub fn changed() {}\n");
    let again = place.build_on(&delta);
    assert_eq!(
        (again.generation, again.report.kind),
        (delta.generation, Kind::Same)
    );
    assert_eq!(place.files_of_out(), before);
}

#[test]
fn an_edit_that_is_taken_back_leads_back_to_the_base() {
    let place = Place::filled();
    let base = place.build();
    let text = fs::read(place.root().join("src/part_3.rs")).unwrap();
    place.write("src/part_3.rs", "pub fn changed() {}\n");
    let delta = place.build_on(&base);
    place.write("src/part_3.rs", text);
    assert_eq!(place.build_on(&delta).generation, base.generation);
}

#[test]
fn a_file_that_becomes_binary_is_hidden_and_an_emptied_one_is_empty() {
    let place = Place::filled();
    let base = place.build();
    place.write("src/part_3.rs", b"\0\0");
    place.write("src/part_4.rs", "");
    let delta = place.build_on(&base);
    assert_eq!(delta.report.kind, Kind::Delta);
    let texts = place.texts(&delta);
    assert!(!texts.contains_key("src/part_3.rs"));
    assert_eq!(texts["src/part_4.rs"], "");
    assert!(skips(&delta).contains(&("src/part_3.rs".into(), SkipReason::Binary)));
}

#[test]
fn many_changes_and_a_damaged_base_mean_a_full_build() {
    let place = Place::filled();
    let base = place.build();
    for at in 0..20 {
        place.write(&format!("src/part_{at}.rs"), format!("fn f{at}() {{}}\n"));
    }
    let full = place.build_on(&base);
    assert_eq!(
        (full.report.kind, full.report.warnings.len()),
        (Kind::Full, 0)
    );

    let core = place.out().join(layout::blob(
        BlobRole::Core,
        &full.manifest.segments[0].core.hash,
    ));
    let bytes = fs::read(&core).unwrap();
    fs::remove_file(&core).unwrap();
    fs::write(&core, &bytes[..bytes.len() / 2]).unwrap();
    let healed = place.build_on(&full);
    assert_eq!(
        (healed.report.kind, healed.report.warnings.len()),
        (Kind::Full, 1)
    );
    assert_eq!(healed.generation, full.generation);
    verify(&place.out(), &healed.generation).unwrap();
}

/// Does something at a certain point of a build.
struct At<F: Fn() + Sync>(fn(Phase) -> bool, F);

impl<F: Fn() + Sync> Progress for At<F> {
    fn phase(&self, phase: Phase) {
        if (self.0)(phase) {
            (self.1)();
        }
    }

    fn advance(&self, _n_files: u64) {}
}

#[test]
fn a_build_that_fails_leaves_the_previous_snapshot_and_no_scratch() {
    let place = Place::filled();
    let base = place.build();
    let before = place.files_of_out();
    place.write("src/part_3.rs", "pub fn changed() {}\n");
    // The scratch directory is taken away just before the seal, as a full disk would.
    let sabotage = At(
        |phase| phase == Phase::Seal,
        || {
            for entry in fs::read_dir(place.out()).unwrap().flatten() {
                if entry.file_name().to_string_lossy().starts_with("tmp-") {
                    fs::remove_dir_all(entry.path()).unwrap();
                }
            }
        },
    );
    assert!(build(&place.request(), &sabotage).is_err());
    assert_eq!(place.files_of_out(), before);
    let mut left = fs::read_dir(place.out()).unwrap().flatten();
    let is_scratch = |entry: fs::DirEntry| entry.file_name().to_string_lossy().starts_with("tmp-");
    assert!(!left.any(is_scratch));
    verify(&place.out(), &base.generation).unwrap();
}

#[test]
fn an_output_that_cannot_be_written_is_a_clear_error() {
    let place = Place::filled();
    fs::write(place.out(), "a file").unwrap();
    let error = build(&place.request(), &Silent).unwrap_err();
    assert!(matches!(error, BuildError::Io { .. }), "{error}");
    assert!(error.to_string().contains("out"), "{error}");
}

#[test]
fn files_that_vanish_meanwhile_are_counted() {
    let place = Place::filled();
    let vanish = At(
        |phase| matches!(phase, Phase::Analyze { .. }),
        || place.remove("src/part_3.rs"),
    );
    let built = build(&place.request(), &vanish).unwrap();
    assert!(skips(&built).contains(&("src/part_3.rs".into(), SkipReason::Unstable)));
    assert_eq!(built.manifest.stats.files, 40);
    verify(&place.out(), &built.generation).unwrap();
}

#[test]
fn odd_files_cost_nothing_but_themselves() {
    let place = Place::new();
    place.write("ok.rs", "fn ok() {}\n");
    place.write("latin.c", b"// caf\xe9\nint f(void) { return 1; }\n");
    place.write("wide.txt", b"\xff\xfeh\0i\0\n\0");
    place.write("nul.txt", b"\0abc");
    place.write("one-line.json", format!("[{}1]", "1,".repeat(2_500_000)));
    place.write("vendor.min.js", format!("var a={};", "b+".repeat(50_000)));
    place.write("deep.c", "(".repeat(20_000));
    place.write("empty.py", "");
    place.write("huge.txt", vec![b'x'; 9 << 20]);
    place.write("仓库 (Стойки)/naïve café.py", "def f(): pass\n");
    let built = place.build();
    let texts = place.texts(&built);
    assert_eq!(
        texts["latin.c"],
        "// caf\u{e9}\nint f(void) { return 1; }\n"
    );
    assert_eq!(texts["wide.txt"], "hi\n");
    assert_eq!(texts["仓库 (Стойки)/naïve café.py"], "def f(): pass\n");
    assert_eq!(texts["one-line.json"].len(), 5_000_003);
    assert_eq!(
        skips(&built),
        [
            ("huge.txt".into(), SkipReason::TooLarge),
            ("nul.txt".into(), SkipReason::Binary)
        ]
    );
    assert_eq!(built.report.notes.get(&Note::Transcoded), Some(&2));
}

#[cfg(unix)]
#[test]
fn links_pipes_and_unreadable_files_are_counted() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    place.write("ok.rs", "fn ok() {}\n");
    place.write("closed.rs", "fn closed() {}\n");
    let closed = place.root().join("closed.rs");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    symlink(".", place.root().join("loop")).unwrap();
    let made = Command::new("mkfifo")
        .arg(place.root().join("pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    let built = place.build();
    let mut expected = vec![
        ("loop".to_string(), SkipReason::Symlink),
        ("pipe".to_string(), SkipReason::Special),
    ];
    // The administrator may read everything.
    if fs::read(&closed).is_err() {
        expected.insert(0, ("closed.rs".into(), SkipReason::Unreadable));
    }
    assert_eq!(skips(&built), expected);
}

#[test]
fn an_empty_tree_is_a_snapshot_of_nothing() {
    let place = Place::new();
    let built = place.build();
    assert_eq!(built.manifest.stats.files, 0);
    verify(&place.out(), &built.generation).unwrap();
    place.write("a.rs", "fn a() {}\n");
    assert_eq!(place.texts(&place.build_on(&built)).len(), 1);
}

/// Runs `leantoken-build` in a place of its own.
fn program(place: &Place) -> Command {
    let name = format!("leantoken-build{}", std::env::consts::EXE_SUFFIX);
    let mut command = Command::new(crate::program::leantoken().with_file_name(name));
    command
        .env_clear()
        .env("HOME", place.dir.path())
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .current_dir(place.root());
    command
}

/// Returns the exit code and the JSON document on stdout.
fn said(command: &mut Command) -> (i32, serde_json::Value) {
    let output = command.arg("--json").output().unwrap();
    assert!(output.stderr.is_empty(), "a pipe gets no progress");
    let json = serde_json::from_slice(&output.stdout).unwrap();
    (output.status.code().unwrap(), json)
}

#[test]
fn directory_time_zone_and_threads_do_not_matter_to_the_program() {
    let (here, there) = (Place::filled(), Place::filled());
    let (code, one) = said(program(&here).args(["build", "--out", "../out", "--threads", "1"]));
    let (_, seven) = said(
        program(&there)
            .current_dir(there.dir.path())
            .env("TZ", "Pacific/Kiritimati")
            .env("LC_ALL", "tr_TR.UTF-8")
            .args(["build", "tree", "--out", "out", "--threads", "7"]),
    );
    assert_eq!((code, &one["files"]), (0, &41.into()));
    assert_eq!(one["generation"], seven["generation"]);
    assert_eq!(here.files_of_out(), there.files_of_out());
}

#[test]
fn the_program_builds_into_the_cache_verifies_and_inspects() {
    let place = Place::filled();
    let (_, built) = said(program(&place).arg("build"));
    let (code, verified) = said(program(&place).arg("verify"));
    assert_eq!((code, &verified["generation"]), (0, &built["generation"]));
    let (code, inspected) = said(program(&place).arg("inspect"));
    assert_eq!((code, &inspected["languages"]["rust"]), (0, &40.into()));
    assert_eq!(inspected["skipped"]["binary"]["paths"][0], "data/logo.png");
    assert!(
        inspected["sizes"]["text"]
            .as_u64()
            .is_some_and(|size| size > 0)
    );
    let text = program(&place).arg("inspect").output().unwrap().stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.contains("left out, binary: 1 (data/logo.png)"),
        "{text}"
    );
}

#[test]
fn a_snapshot_among_other_files_is_warned_of() {
    let place = Place::filled();
    let run = |out: &str| {
        let done = program(&place).args(["build", "--out", out]).output();
        String::from_utf8(done.unwrap().stderr).unwrap()
    };
    assert_eq!(run("own"), "");
    assert!(run("src").contains("warning: src holds other files"));
    let (_, json) = said(program(&place).args(["build", "--out", "src"]));
    assert_eq!(json["warnings"].as_array().unwrap().len(), 1, "{json}");
}

#[test]
fn the_program_says_what_is_wrong_and_exits_by_category() {
    let place = Place::filled();
    let home = place.dir.path().display().to_string();
    for (arguments, code, category) in [
        (vec!["build", "no/such/dir"], 1, "not_found"),
        (vec!["build", &home], 2, "invalid_request"),
        (vec!["build", "--max-file-bytes", "0"], 2, "invalid_request"),
        (
            vec!["verify", "--generation", "b3:12"],
            2,
            "invalid_request",
        ),
        (vec!["inspect", "src"], 1, "not_found"),
    ] {
        let (exit, json) = said(program(&place).args(&arguments));
        let said = (exit, json["error"]["category"].as_str());
        assert_eq!(said, (code, Some(category)), "{arguments:?}");
    }
    let (exit, json) = said(program(&place).args(["build", "--no-such-flag"]));
    assert_eq!(
        (exit, json["error"]["category"].as_str()),
        (2, Some("invalid_request"))
    );
    let unknown = program(&place)
        .args(["build", "--no-such-flag"])
        .output()
        .unwrap();
    assert_eq!((unknown.status.code(), unknown.stdout.len()), (Some(2), 0));
    let lines = String::from_utf8(unknown.stderr).unwrap();
    let starts: Vec<&str> = lines.lines().filter_map(|line| line.get(..6)).collect();
    assert_eq!(starts, ["error:", "hint: "]);
    let refused = program(&place).args(["build", &home]).output().unwrap();
    assert!(
        String::from_utf8(refused.stderr)
            .unwrap()
            .contains("--force-root")
    );
}

#[test]
fn a_build_that_is_killed_leaves_the_previous_snapshot() {
    let place = Place::filled();
    let base = place.build();
    place.write("src/part_3.rs", "pub fn changed() {}\n");
    let mut child = program(&place)
        .args(["build", "--out", "../out"])
        .spawn()
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    verify(&place.out(), &base.generation).unwrap();
    // Whatever the killed process left behind does not hinder the next one.
    let next = place.build();
    verify(&place.out(), &next.generation).unwrap();
}

#[test]
fn a_snapshot_within_the_tree_does_not_become_a_part_of_it() {
    let place = Place::filled();
    place.git(&["init", "-q"]);
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "x"]);
    let build = |out: &str| said(program(&place).args(["build", ".", "--out", out])).1;
    let (first, second, third) = (build("one"), build("two"), build("one"));
    assert_eq!(first["generation"], second["generation"]);
    assert_eq!(first["generation"], third["generation"]);
    assert_eq!(second["ignored"]["cache_tag"], 1);
    // A directory that holds more than snapshots is not taken for one.
    assert!(!place.build().manifest.source.dirty);
    build("src");
    assert!(!place.root().join("src/CACHEDIR.TAG").exists());
}
