//! Files that are not what they seem: each is refused with a reason, none is read on.

use super::*;
use crate::error::FormatError;
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};

fn small_tree() -> Tree {
    Tree::new(&[
        ("a.rs", "fn one() { two }\n"),
        ("b.rs", "fn two() { one }\n"),
    ])
}

/// Returns a writable copy of the core file, changed by `sql` where it is not empty.
fn altered(sealed: &support::Sealed, dir: &Path, sql: &str) -> PathBuf {
    let path = dir.join("altered.db");
    let _ = fs::remove_file(&path);
    fs::write(&path, fs::read(&sealed.0.core.path).unwrap()).unwrap();
    if !sql.is_empty() {
        let conn = Connection::open(&path).unwrap();
        conn.execute_batch(sql).unwrap();
        conn.close().unwrap();
    }
    path
}

fn refusal(core: &Path, text: &Path) -> FormatError {
    Segment::open(core, text).map(|_| ()).unwrap_err()
}

#[test]
fn foreign_schemas_are_refused_at_open() {
    let sealed = small_tree().seal(1, usize::MAX);
    let dir = tempfile::tempdir().unwrap();
    for sql in [
        "DROP TABLE facts; CREATE VIEW facts AS WITH RECURSIVE n(page) AS \
         (SELECT 1 UNION ALL SELECT page + 1 FROM n) SELECT page, zeroblob(9) AS data FROM n; VACUUM",
        "CREATE TRIGGER t AFTER INSERT ON facts BEGIN DELETE FROM files; END",
        "CREATE TABLE extra (a)",
        "DROP TABLE hidden; VACUUM",
        "ALTER TABLE files ADD COLUMN g BLOB AS (zeroblob(900000000))",
        "CREATE INDEX i ON facts (length(data))",
        "CREATE VIRTUAL TABLE v USING fts5(a)",
        "DROP TABLE words; CREATE TABLE words (page INTEGER PRIMARY KEY, data BLOB); VACUUM",
    ] {
        let path = altered(&sealed, dir.path(), sql);
        let error = refusal(&path, &sealed.0.text.path);
        assert!(
            matches!(error, FormatError::Corrupt { .. }),
            "{sql}: {error}"
        );
    }
    // The copy as such is fine, and so are odd names.
    let path = altered(&sealed, dir.path(), "");
    let odd = dir.path().join("50% a?b#c ü.db");
    fs::rename(&path, &odd).unwrap();
    Segment::open(&odd, &sealed.0.text.path).unwrap();
}

#[test]
fn another_version_is_named_beside_ours() {
    let sealed = small_tree().seal(1, usize::MAX);
    let dir = tempfile::tempdir().unwrap();
    let path = altered(&sealed, dir.path(), "PRAGMA user_version = 7003");
    let error = refusal(&path, &sealed.0.text.path);
    assert!(matches!(error, FormatError::Incompatible { .. }));
    let shown = error.to_string();
    assert!(shown.contains("7.3") && shown.contains("1.0"), "{shown}");
    let path = altered(&sealed, dir.path(), "PRAGMA application_id = 1");
    assert!(
        refusal(&path, &sealed.0.text.path)
            .to_string()
            .contains("not a segment")
    );
    let path = altered(&sealed, dir.path(), "PRAGMA journal_mode = WAL");
    assert!(
        refusal(&path, &sealed.0.text.path)
            .to_string()
            .contains("journal mode")
    );
}

#[test]
fn halves_belong_together() {
    let one = small_tree().seal(1, usize::MAX);
    let other = Tree::new(&[("a.rs", "fn one() {}\n")]).seal(1, usize::MAX);
    let error = refusal(&one.0.core.path, &other.0.text.path);
    assert!(error.to_string().contains("not of one segment"), "{error}");
    assert!(Segment::open(&one.0.text.path, &one.0.core.path).is_err());
}

#[test]
fn stumps_are_refused() {
    let sealed = small_tree().seal(1, usize::MAX);
    let dir = tempfile::tempdir().unwrap();
    let whole = fs::read(&sealed.0.core.path).unwrap();
    let path = dir.path().join("x.db");
    let mut zeroed = whole.clone();
    zeroed[4096..].fill(0);
    for bytes in [
        &b""[..],
        b"SQLite format 3\0",
        &whole[..99],
        &whole[..4096],
        &whole[..whole.len() - 1],
        &vec![0; whole.len()],
        &zeroed,
    ] {
        fs::write(&path, bytes).unwrap();
        let error = refusal(&path, &sealed.0.text.path);
        assert!(matches!(error, FormatError::Corrupt { .. }), "{error}");
    }
    let error = refusal(&dir.path().join("missing.db"), &sealed.0.text.path);
    assert!(matches!(error, FormatError::Io { .. }));
    assert!(matches!(
        refusal(dir.path(), &sealed.0.text.path),
        FormatError::Io { .. }
    ));
}

#[test]
fn stored_paths_must_be_repository_paths() {
    let sealed = small_tree().seal(1, usize::MAX);
    let dir = tempfile::tempdir().unwrap();
    for name in ["../x", "/etc", "a//b"] {
        // The first entry begins with a shared length of 0 and the length of `a.rs`.
        let hex: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(name.len(), 4);
        let sql = format!(
            "UPDATE files SET data = cast(substr(data, 1, 2) || x'{hex}' || substr(data, 7) AS BLOB)"
        );
        let error = refusal(&altered(&sealed, dir.path(), &sql), &sealed.0.text.path);
        assert!(
            error.to_string().contains("not a repository path"),
            "{error}"
        );
    }
}

#[test]
fn reading_leaves_no_trace() {
    let sealed = small_tree().seal(1, usize::MAX);
    let dir = sealed.0.core.path.parent().unwrap();
    let names = || {
        let mut names: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names().len(), 2, "{:?}", names());
    set_mode(dir, 0o555);
    let reader = sealed.open().reader().unwrap();
    assert_eq!(reader.text(0).unwrap(), "fn one() { two }\n");
    assert_eq!(names().len(), 2);
    drop(reader);
    set_mode(dir, 0o755);
    assert_eq!(names().len(), 2);
}

fn set_mode(path: &Path, mode: u32) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
}

#[test]
fn a_writer_that_is_dropped_or_fails_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let plan = SegmentPlan {
        dictionary: Vec::new(),
        level: 1,
        spill_dir: dir.path().into(),
        max_posting_bytes: 0,
    };
    let mut encoder = FileEncoder::new(&plan).unwrap();
    let facts = FileFacts::default();
    let mut encode = |id: u32, path: &str| {
        encoder.encode(FileInput {
            id,
            path: &RepoPath::new(path).unwrap(),
            text: "some words",
            facts: &facts,
            chunks: &[],
            language: Language::Text,
            class: FileClass::Docs,
            size: 10,
            content_hash: ContentHash::of(b"x"),
        })
    };
    let (b, a) = (encode(0, "b").unwrap(), encode(1, "a").unwrap());
    assert!(matches!(encode(1, "c"), Err(FormatError::Contract(_))));
    let late = encode(3, "d").unwrap();
    let mut writer = SegmentWriter::create(dir.path(), &plan).unwrap();
    writer.add(b).unwrap();
    assert!(matches!(writer.add(a), Err(FormatError::Contract(_))));
    assert!(matches!(writer.add(late), Err(FormatError::Contract(_))));
    // Postings of files that were never added: the seal must refuse them.
    let runs = vec![encoder.finish().unwrap()];
    let seal = Seal {
        runs,
        ..Seal::default()
    };
    assert!(matches!(writer.seal(seal), Err(FormatError::Contract(_))));
    drop(SegmentWriter::create(dir.path(), &plan).unwrap());
    let left = fs::read_dir(dir.path()).unwrap().filter(|entry| {
        entry
            .as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .starts_with('.')
    });
    assert_eq!(left.count(), 0);
}

/// Everything a reader can be asked, on a file that may be anything.
fn ask_everything(core: &Path, text: &Path) {
    let Ok(segment) = Segment::open(core, text) else {
        return;
    };
    let _ = segment.skipped();
    let Ok(reader) = segment.reader() else { return };
    for id in 0..segment.files().len() as u32 {
        let _ = (reader.text(id), reader.facts(id), reader.chunks(id));
    }
    let n_files = segment.files().len() as u32;
    for word in ["alpha", "one", "x", "the", "fn"] {
        let _ = reader.word(word, |file, hit| {
            assert!(hit.ordinal < segment.file(file).unwrap().n_chunks);
        });
        for files in [reader.path_word(word), reader.reference_name(word)]
            .into_iter()
            .flatten()
        {
            assert!(files.iter().all(|file| *file < n_files));
        }
        for posting in reader.symbol_name(word).unwrap_or_default() {
            let n_symbols = segment.file(posting.file).unwrap().n_symbols;
            assert!(posting.symbols.iter().all(|at| *at < n_symbols));
        }
    }
    let _ = (reader.gram(*b"alp"), reader.symbol_names_from("a", 10));
    let _ = reader.all_symbol_names(|_| {});
}

proptest! {
    #[test]
    fn altered_facts_stay_within_their_text(
        tree in arb_tree(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        for (_, text) in &tree.files {
            let (facts, text_len) = (facts_of(text), text.len() as u32);
            let mut bytes = Vec::new();
            codec::facts::encode(&mut bytes, &facts);
            prop_assert_eq!(codec::facts::decode(&bytes, text_len), Ok(facts));
            for (at, value) in &changes {
                let at = at.index(bytes.len());
                bytes[at] = *value;
            }
            if let Ok(facts) = codec::facts::decode(&bytes, text_len) {
                prop_assert!(codec::facts::check(&facts, text_len).is_ok());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn flipped_bytes_never_panic_nor_lead_out_of_range(
        tree in arb_tree(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let sealed = tree.seal(1, usize::MAX);
        let dir = tempfile::tempdir().unwrap();
        for half in [&sealed.0.core.path, &sealed.0.text.path] {
            let mut bytes = fs::read(half).unwrap();
            for (at, value) in &flips {
                let at = at.index(bytes.len());
                bytes[at] ^= value;
            }
            let path = dir.path().join("flipped.db");
            fs::write(&path, &bytes).unwrap();
            if half == &sealed.0.core.path {
                ask_everything(&path, &sealed.0.text.path);
            } else {
                ask_everything(&sealed.0.core.path, &path);
            }
        }
    }
}
