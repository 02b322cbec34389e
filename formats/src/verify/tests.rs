use super::*;
use crate::manifest::{SegmentKind, sample};
use crate::segment::{FileEncoder, FileInput, Seal, SealedBlob, SegmentPlan, SegmentWriter};
use leantoken_shared::facts::{Chunk, FileClass, FileFacts};
use leantoken_shared::language::Language;
use leantoken_shared::path::RepoPath;
use leantoken_shared::text::ByteRange;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

struct Snapshot {
    dir: TempDir,
    generation: ContentHash,
    core: SealedBlob,
    text: SealedBlob,
}

/// Publishes a snapshot of two files into a new directory.
fn snapshot() -> Snapshot {
    let dir = tempfile::tempdir().unwrap();
    let blobs = dir.path().join(layout::BLOBS);
    fs::create_dir(&blobs).unwrap();
    let plan = SegmentPlan {
        dictionary: Vec::new(),
        level: 3,
        spill_dir: dir.path().into(),
        max_posting_bytes: usize::MAX,
    };
    let mut encoder = FileEncoder::new(&plan).unwrap();
    let mut writer = SegmentWriter::create(&blobs, &plan).unwrap();
    for (id, path) in ["a.txt", "b.txt"].into_iter().enumerate() {
        let text = "Some words, and more of them\n".repeat(40 + id);
        let chunk = Chunk {
            range: ByteRange::new(0, text.len() as u32),
            start_line: 1,
            end_line: 40 + id as u32,
            symbol: None,
        };
        let input = FileInput {
            id: id as u32,
            path: &RepoPath::new(path).unwrap(),
            text: &text,
            facts: &FileFacts::default(),
            chunks: &[chunk],
            language: Language::Text,
            class: FileClass::Docs,
            size: text.len() as u64,
            content_hash: ContentHash::of(text.as_bytes()),
        };
        writer.add(encoder.encode(input).unwrap()).unwrap();
    }
    let seal = Seal {
        runs: vec![encoder.finish().unwrap()],
        ..Seal::default()
    };
    let sealed = writer.seal(seal).unwrap();
    let manifest = Manifest {
        segments: vec![SegmentEntry::new(SegmentKind::Base, &sealed, 0)],
        ..sample()
    };
    Snapshot {
        generation: save_manifest(dir.path(), &manifest).unwrap(),
        dir,
        core: sealed.core,
        text: sealed.text,
    }
}

/// Replaces a file that may be read-only.
fn replace(path: &PathBuf, bytes: &[u8]) {
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_whole_snapshot_verifies() {
    let snapshot = snapshot();
    let report = verify(snapshot.dir.path(), &snapshot.generation).unwrap();
    assert_eq!(report.n_bytes, snapshot.core.size + snapshot.text.size);
    // Saving again changes nothing.
    let again = save_manifest(snapshot.dir.path(), &report.manifest).unwrap();
    assert_eq!(again, snapshot.generation);
    let manifests = fs::read_dir(snapshot.dir.path().join(layout::MANIFESTS)).unwrap();
    assert_eq!(manifests.count(), 1);
}

#[test]
fn no_flipped_byte_goes_unnoticed() {
    let snapshot = snapshot();
    let dir = snapshot.dir.path();
    let manifest = dir.join(layout::manifest(&snapshot.generation));
    for path in [&snapshot.core.path, &snapshot.text.path, &manifest] {
        let whole = fs::read(path).unwrap();
        let mut seed = 12_345u32;
        for _ in 0..100 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut bytes = whole.clone();
            let at = (seed >> 8) as usize % bytes.len();
            bytes[at] ^= 1 << (seed >> 5 & 7);
            replace(path, &bytes);
            let error = verify(dir, &snapshot.generation).unwrap_err();
            assert!(matches!(
                error,
                FormatError::Corrupt { .. } | FormatError::Incompatible { .. }
            ));
        }
        for bytes in [&whole[..whole.len() - 1], &[][..]] {
            replace(path, bytes);
            assert!(verify(dir, &snapshot.generation).is_err());
        }
        replace(path, &whole);
        verify(dir, &snapshot.generation).unwrap();
    }
}

#[test]
fn counts_and_names_must_agree() {
    let snapshot = snapshot();
    let dir = snapshot.dir.path();
    let mut manifest = load_manifest(dir, &snapshot.generation).unwrap();
    manifest.segments[0].files += 1;
    let generation = save_manifest(dir, &manifest).unwrap();
    let error = verify(dir, &generation).unwrap_err();
    assert!(error.to_string().contains("counts"), "{error}");
    let missing = verify(dir, &ContentHash::of(b"no such")).unwrap_err();
    assert!(matches!(missing, FormatError::Io { .. }));
    let from = dir.join(layout::manifest(&generation));
    replace(&from, &manifest_of_another(&snapshot));
    let error = load_manifest(dir, &generation).unwrap_err();
    assert!(error.to_string().contains("another generation"), "{error}");
}

fn manifest_of_another(snapshot: &Snapshot) -> Vec<u8> {
    fs::read(
        snapshot
            .dir
            .path()
            .join(layout::manifest(&snapshot.generation)),
    )
    .unwrap()
}
