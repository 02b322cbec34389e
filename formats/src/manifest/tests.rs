use super::*;
use crate::version::WRITE;

fn hash(n: u8) -> ContentHash {
    ContentHash::of(&[n])
}

/// A manifest with a value in every field.
pub(crate) fn sample() -> Manifest {
    let blob = |n| BlobEntry {
        size: u64::from(n) * 1000,
        hash: hash(n),
    };
    Manifest {
        format: WRITE,
        repo: Repo {
            id: hash(1),
            names: vec!["github.com/acme/app".into()],
        },
        source: Source {
            kind: SourceKind::Git,
            commit: Some("0123456789abcdef0123456789abcdef01234567".into()),
            tree: None,
            dirty: true,
            digest: hash(2),
        },
        scope: hash(3),
        build: Build {
            fingerprint: hash(4),
            tool: "leantoken-build 0.1.0".into(),
            sqlite: 3_054_001,
            analysis: 1,
        },
        parent: Some(hash(5)),
        segments: vec![SegmentEntry {
            id: segment_id(&hash(6), &hash(7)),
            kind: SegmentKind::Delta,
            files: 30,
            chunks: 400,
            dead_paths: 3,
            core: blob(6),
            text: blob(7),
        }],
        stats: Stats {
            files: 30,
            lines: 9000,
            bytes: 123_456,
            skipped: BTreeMap::from([(SkipReason::Binary, 4), (SkipReason::TooLarge, 1)]),
        },
    }
}

fn parse(text: &str) -> Result<Manifest, FormatError> {
    Manifest::parse(Path::new("m.json"), text.as_bytes())
}

fn text_of(manifest: &Manifest) -> String {
    String::from_utf8(manifest.to_bytes()).unwrap()
}

#[test]
fn one_content_has_one_spelling() {
    let manifest = sample();
    let text = text_of(&manifest);
    assert_eq!(parse(&text).unwrap(), manifest);
    assert!(text.starts_with("{\"build\":{\"analysis\":1,"));
    assert!(text.ends_with("}\n") && !text.contains(' ') | text.contains("leantoken-build 0.1.0"));
    for (from, to) in [
        ("{\"build\"", "{ \"build\""),
        ("\"dirty\":true", "\"dirty\":true,\"dirty\":true"),
        ("\"files\":30", "\"files\":30.0"),
        ("\"files\":30", "\"files\":3e1"),
        ("\"files\":30", "\"files\":31"),
        ("\"parent\":", "\"extra\":1,\"parent\":"),
        ("acme/app", "acme\\/app"),
        ("\"dirty\":true", "\"dirty\":false"),
        ("}\n", "}"),
        ("}\n", "}\n\n"),
        ("\"binary\":4", "\"unheard_of\":4"),
    ] {
        let other = text.replacen(from, to, 1);
        assert_ne!(other, text, "{from}");
        let error = parse(&other).unwrap_err();
        assert!(
            matches!(error, FormatError::Corrupt { .. }),
            "{to}: {error}"
        );
    }
    assert!(parse("").is_err() && parse("[]").is_err() && parse("{}").is_err());
}

#[test]
fn every_field_is_part_of_the_identity() {
    let one = sample();
    let changes: [fn(&mut Manifest); 8] = [
        |m| m.repo.names.clear(),
        |m| m.source.commit = None,
        |m| m.source.dirty = false,
        |m| m.scope = hash(9),
        |m| m.build.analysis = 2,
        |m| m.parent = None,
        |m| m.segments[0].kind = SegmentKind::Base,
        |m| m.stats.skipped.clear(),
    ];
    for change in changes {
        let mut other = sample();
        change(&mut other);
        assert_ne!(one.generation(), other.generation());
    }
    assert_eq!(one.generation(), sample().generation());
}

#[test]
fn what_cannot_be_read_says_which_versions_can() {
    let text = text_of(&sample());
    for (from, to, named) in [
        ("\"major\":1", "\"major\":2", "2.0"),
        ("\"seg.text.v1\"", "\"seg.text.v9\"", "seg.text.v9"),
    ] {
        let error = parse(&text.replacen(from, to, 1)).unwrap_err();
        assert!(matches!(error, FormatError::Incompatible { .. }));
        let shown = error.to_string();
        assert!(shown.contains(named) && shown.contains("1.0"), "{shown}");
    }
}
