use super::local::{Freshness, Local, LocalRequest, ensure};
use leantoken_builder::error::BuildError;
use leantoken_builder::limits::Limits;
use leantoken_builder::local::{Cache, Worktree};
use leantoken_builder::progress::Silent;
use leantoken_builder::report::Kind;
use leantoken_formats::layout::{self, BlobRole};
use leantoken_formats::verify::verify;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Place {
            dir: tempfile::tempdir().unwrap(),
        };
        for at in 0..10 {
            place.write(
                &format!("src/part_{at}.rs"),
                &format!("fn part_{at}() {{}}\n"),
            );
        }
        place
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("tree")
    }

    fn cache(&self) -> PathBuf {
        self.dir.path().join("cache")
    }

    fn write(&self, relative: &str, text: &str) {
        let path = self.root().join(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn worktree(&self) -> Worktree {
        let cache = Cache::open(&self.cache()).unwrap();
        cache.worktree(&self.root().canonicalize().unwrap())
    }

    fn try_ensure(&self, change: impl FnOnce(&mut LocalRequest<'_>)) -> Result<Local, BuildError> {
        let (root, cache) = (self.root(), self.cache());
        let mut request = LocalRequest {
            root: &root,
            cache: &cache,
            home: None,
            force_root: false,
            wait: None,
            refused: None,
            threads: 2,
            limits: Limits::STANDARD,
        };
        change(&mut request);
        ensure(&request, &Silent)
    }

    fn ensure(&self) -> Local {
        self.try_ensure(|_| ()).unwrap()
    }

    /// Makes the last look seem later than it was, so that the files no longer count as just changed.
    fn let_time_pass(&self) {
        let worktree = self.worktree();
        let mut stat_cache = worktree.stat_cache().unwrap();
        stat_cache.seen.observed_ns += 10_000_000_000;
        worktree.set_current(&stat_cache).unwrap();
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
}

#[test]
fn the_first_call_builds_and_the_next_one_only_looks() {
    let place = Place::new();
    let first = place.ensure();
    assert_eq!(first.freshness, Freshness::Built(Kind::Full));
    verify(&first.dir, &first.generation).unwrap();
    place.let_time_pass();
    let second = place.ensure();
    assert_eq!(
        (second.freshness, second.generation),
        (Freshness::Unchanged, first.generation)
    );
    assert_eq!(second.manifest, first.manifest);
}

#[test]
fn files_changed_just_before_the_look_are_read_again() {
    let place = Place::new();
    let first = place.ensure();
    let second = place.ensure();
    assert_eq!(second.freshness, Freshness::Built(Kind::Same));
    assert_eq!(second.generation, first.generation);
}

#[test]
fn an_edit_with_the_same_size_and_a_restored_time_is_seen() {
    let place = Place::new();
    let first = place.ensure();
    place.let_time_pass();
    let path = place.root().join("src/part_3.rs");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    place.write("src/part_3.rs", "fn trap_3() {}\n");
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(modified).unwrap();
    let second = place.ensure();
    assert_eq!(second.freshness, Freshness::Built(Kind::Delta));
    assert_ne!(second.generation, first.generation);
}

#[test]
fn files_that_come_and_go_are_seen() {
    let place = Place::new();
    place.ensure();
    place.let_time_pass();
    place.write("new.rs", "fn new() {}\n");
    let more = place.ensure();
    assert_eq!(more.manifest.stats.files, 11);
    place.let_time_pass();
    fs::remove_file(place.root().join("new.rs")).unwrap();
    assert_eq!(place.ensure().manifest.stats.files, 10);
}

#[test]
fn a_new_commit_of_the_same_files_is_named() {
    let place = Place::new();
    place.git(&["init", "-q"]);
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "one"]);
    let one = place.ensure();
    place.let_time_pass();
    place.git(&["commit", "-q", "--allow-empty", "-m", "two"]);
    let two = place.ensure();
    assert_ne!(one.manifest.source.commit, two.manifest.source.commit);
    assert_eq!(one.manifest.segments, two.manifest.segments);
    place.let_time_pass();
    assert_eq!(place.ensure().freshness, Freshness::Unchanged);
}

#[test]
fn several_at_once_build_once() {
    let place = Place::new();
    let all: Vec<Local> = std::thread::scope(|scope| {
        let tasks: Vec<_> = (0..4).map(|_| scope.spawn(|| place.ensure())).collect();
        tasks.into_iter().map(|task| task.join().unwrap()).collect()
    });
    let n_full = all
        .iter()
        .filter(|local| local.freshness == Freshness::Built(Kind::Full))
        .count();
    assert_eq!(n_full, 1);
    assert!(
        all.iter()
            .all(|local| local.generation == all[0].generation)
    );
}

#[test]
fn a_held_lock_is_waited_for_as_long_as_allowed_and_readers_need_none() {
    let place = Place::new();
    let worktree = place.worktree();
    let held = worktree.lock(None).unwrap();
    let busy = place.try_ensure(|request| request.wait = Some(Duration::ZERO));
    assert!(matches!(busy, Err(BuildError::Busy { .. })));
    // A holder that ends frees the lock, whatever it left behind.
    drop(held);
    place.ensure();
    place.let_time_pass();
    let _held = worktree.lock(None).unwrap();
    assert_eq!(place.ensure().freshness, Freshness::Unchanged);
}

#[test]
fn a_damaged_snapshot_is_built_anew() {
    let place = Place::new();
    let first = place.ensure();
    place.let_time_pass();
    let text = first.dir.join(layout::blob(
        BlobRole::Text,
        &first.manifest.segments[0].text.hash,
    ));
    fs::remove_file(&text).unwrap();
    let healed = place.ensure();
    assert_eq!(healed.freshness, Freshness::Built(Kind::Full));
    assert_eq!(healed.report.unwrap().warnings.len(), 1);
    verify(&healed.dir, &healed.generation).unwrap();

    // Refused by its reader although its size is right.
    place.let_time_pass();
    let again = place
        .try_ensure(|request| request.refused = Some(first.generation))
        .unwrap();
    assert_eq!(again.freshness, Freshness::Built(Kind::Full));
}

#[test]
fn damaged_records_are_no_records() {
    let place = Place::new();
    let first = place.ensure();
    place.let_time_pass();
    let local = first.dir.join("local");
    let dir = fs::read_dir(&local)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    for name in ["current.json", "stat.cache"] {
        fs::write(dir.join(name), "{\"generations\": [7]}").unwrap();
        assert_eq!(place.ensure().generation, first.generation);
        place.let_time_pass();
    }
}

#[test]
fn other_trees_have_snapshots_of_their_own() {
    let place = Place::new();
    place.ensure();
    place.let_time_pass();
    let root = place.root().join("src");
    let inner = place.try_ensure(|request| {
        let root: &std::path::Path = Box::leak(root.into_boxed_path());
        request.root = root;
    });
    assert_eq!(inner.unwrap().manifest.stats.files, 10);
    assert_eq!(place.ensure().freshness, Freshness::Unchanged);
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_can_write_to_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let dir = place.ensure().dir;
    assert_eq!(
        fs::metadata(&dir).unwrap().permissions().mode() & 0o777,
        0o700
    );
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o777)).unwrap();
    assert!(matches!(
        place.try_ensure(|_| ()),
        Err(BuildError::Exposed { .. })
    ));
}

#[test]
fn a_cache_that_cannot_be_made_is_a_clear_error() {
    let place = Place::new();
    fs::write(place.cache(), "a file").unwrap();
    let error = place.try_ensure(|_| ()).unwrap_err();
    assert!(matches!(error, BuildError::Io { .. }), "{error}");
    assert!(error.to_string().contains("cache"), "{error}");
}

#[test]
fn the_last_generations_stay_and_young_files_are_never_removed() {
    let place = Place::new();
    let mut generations = Vec::new();
    for at in 0..5 {
        place.write("src/part_3.rs", &format!("fn version_{at}() {{}}\n"));
        generations.push(place.ensure().generation);
        place.let_time_pass();
    }
    let kept = place.worktree().current().generations;
    assert_eq!(kept, [generations[4], generations[3], generations[2]]);
    let dir = place.ensure().dir;
    // All files are young, so even those no longer named are there.
    for generation in &generations {
        verify(&dir, generation).unwrap();
    }
    // Old ones go, unless they are named.
    for part in [layout::BLOBS, layout::MANIFESTS] {
        for entry in fs::read_dir(dir.join(part)).unwrap() {
            let path = entry.unwrap().path();
            let file = fs::File::open(&path).unwrap();
            let old = std::time::SystemTime::now() - Duration::from_secs(7200);
            file.set_modified(old).unwrap();
        }
    }
    Cache::open(&place.cache()).unwrap().prune();
    for (at, generation) in generations.iter().enumerate() {
        // The first is the base of those that are named.
        assert_eq!(verify(&dir, generation).is_ok(), at != 1, "{at}");
    }
}
