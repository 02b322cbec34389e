//! The JSON of format 1.
//!
//! Canonical form: UTF-8, keys sorted by bytes, no white space, integers only, one LF at the end.
//! Whatever is parsed is written again and must give the bytes it came from, so duplicate keys, other
//! spellings and unknown keys are refused without a rule for each. (`serde_json` maps are sorted, and
//! all values go through one before they are written.)

use super::{
    BlobEntry, Build, Manifest, Repo, SegmentEntry, SegmentKind, Source, SourceKind, Stats,
    segment_id,
};
use crate::error::FormatError;
use crate::layout::BlobRole;
use crate::segment::SkipReason;
use crate::version::{self, FEATURES, FormatVersion};
use leantoken_shared::digest::ContentHash;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const MAGIC: &str = "leantoken.manifest";

/// Integers up to here mean the same in every JSON reader.
const MAX_INTEGER: u64 = (1 << 53) - 1;

/// Most bytes of a manifest.
const MAX_BYTES: usize = 16 << 20;

/// Most bytes of a text in it.
const MAX_TEXT: usize = 1024;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    magic: String,
    format: FormatDoc,
    repo: RepoDoc,
    source: SourceDoc,
    scope: ScopeDoc,
    build: BuildDoc,
    generation: String,
    parent: Option<String>,
    segments: Vec<SegmentDoc>,
    stats: StatsDoc,
}

/// The part that is read first, whatever else there is.
#[derive(Deserialize)]
struct Envelope {
    magic: String,
    format: FormatDoc,
}

#[derive(Serialize, Deserialize)]
struct FormatDoc {
    major: u32,
    minor: u32,
    features: FeaturesDoc,
}

#[derive(Serialize, Deserialize)]
struct FeaturesDoc {
    required: Vec<String>,
    optional: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RepoDoc {
    id: String,
    names: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceDoc {
    kind: String,
    commit: Option<String>,
    tree: Option<String>,
    dirty: bool,
    digest: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScopeDoc {
    digest: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuildDoc {
    fingerprint: String,
    tool: String,
    sqlite: u32,
    analysis: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SegmentDoc {
    id: String,
    kind: String,
    files: u32,
    chunks: u64,
    dead_paths: u32,
    blobs: Vec<BlobDoc>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlobDoc {
    role: String,
    raw: RawDoc,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDoc {
    size: u64,
    b3: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatsDoc {
    files: u64,
    lines: u64,
    bytes: u64,
    skipped: BTreeMap<String, u64>,
}

pub(super) fn generation(manifest: &Manifest) -> ContentHash {
    let mut value = to_value(manifest, String::new());
    if let Value::Object(map) = &mut value {
        map.remove("generation");
    }
    ContentHash::of(&canonical(&value))
}

pub(super) fn to_bytes(manifest: &Manifest) -> Vec<u8> {
    canonical(&to_value(manifest, generation(manifest).to_string()))
}

fn canonical(value: &Value) -> Vec<u8> {
    let mut bytes = value.to_string().into_bytes();
    bytes.push(b'\n');
    bytes
}

fn to_value(manifest: &Manifest, generation: String) -> Value {
    let document = Document {
        magic: MAGIC.into(),
        format: FormatDoc {
            major: manifest.format.major,
            minor: manifest.format.minor,
            features: FeaturesDoc {
                required: FEATURES.map(str::to_string).to_vec(),
                optional: Vec::new(),
            },
        },
        repo: RepoDoc {
            id: manifest.repo.id.to_string(),
            names: manifest.repo.names.clone(),
        },
        source: SourceDoc {
            kind: manifest.source.kind.as_str().into(),
            commit: manifest.source.commit.clone(),
            tree: manifest.source.tree.clone(),
            dirty: manifest.source.dirty,
            digest: manifest.source.digest.to_string(),
        },
        scope: ScopeDoc {
            digest: manifest.scope.to_string(),
        },
        build: BuildDoc {
            fingerprint: manifest.build.fingerprint.to_string(),
            tool: manifest.build.tool.clone(),
            sqlite: manifest.build.sqlite,
            analysis: manifest.build.analysis,
        },
        generation,
        parent: manifest.parent.map(|parent| parent.to_string()),
        segments: manifest.segments.iter().map(segment_doc).collect(),
        stats: StatsDoc {
            files: manifest.stats.files,
            lines: manifest.stats.lines,
            bytes: manifest.stats.bytes,
            skipped: manifest
                .stats
                .skipped
                .iter()
                .map(|(reason, n)| (reason.as_str().to_string(), *n))
                .collect(),
        },
    };
    // Only maps with text keys and plain values: there is nothing in it that JSON cannot say.
    serde_json::to_value(document).expect("every field has a JSON form")
}

fn segment_doc(segment: &SegmentEntry) -> SegmentDoc {
    let blob = |role: BlobRole| BlobDoc {
        role: role.as_str().into(),
        raw: RawDoc {
            size: segment.blob(role).size,
            b3: segment.blob(role).hash.to_string(),
        },
    };
    SegmentDoc {
        id: segment.id.to_string(),
        kind: segment.kind.as_str().into(),
        files: segment.files,
        chunks: segment.chunks,
        dead_paths: segment.dead_paths,
        blobs: vec![blob(BlobRole::Core), blob(BlobRole::Text)],
    }
}

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Manifest, FormatError> {
    let refuse = |reason: &str| FormatError::Corrupt {
        path: path.into(),
        reason: reason.into(),
    };
    if bytes.len() > MAX_BYTES {
        return Err(refuse("too long for a manifest"));
    }
    let envelope: Envelope = serde_json::from_slice(bytes).map_err(|_| refuse("not a manifest"))?;
    if envelope.magic != MAGIC {
        return Err(refuse("not a manifest"));
    }
    check_versions(path, &envelope.format)?;
    let document: Document =
        serde_json::from_slice(bytes).map_err(|_| refuse("not a manifest of its format"))?;
    let stated = document.generation.clone();
    let manifest = from_document(document).map_err(refuse)?;
    if to_bytes(&manifest) != bytes {
        return Err(refuse(if stated == generation(&manifest).to_string() {
            "not in canonical form"
        } else {
            "its digest differs from the one it states"
        }));
    }
    Ok(manifest)
}

fn check_versions(path: &Path, format: &FormatDoc) -> Result<(), FormatError> {
    let found = FormatVersion {
        major: format.major,
        minor: format.minor,
    };
    version::check_readable(path, found)?;
    let unknown = |name: &&String| !FEATURES.contains(&name.as_str());
    match format.features.required.iter().find(unknown) {
        None => Ok(()),
        Some(name) => Err(FormatError::Incompatible {
            path: path.into(),
            found: format!("{found} with {}", name.escape_default()),
            readable: format!("{} with {}", version::WRITE, FEATURES.join(", ")),
        }),
    }
}

type Parsed<T> = Result<T, &'static str>;

fn from_document(document: Document) -> Parsed<Manifest> {
    let mut skipped = BTreeMap::new();
    for (name, n) in document.stats.skipped {
        let reason = SkipReason::ALL
            .into_iter()
            .find(|reason| reason.as_str() == name)
            .ok_or("unknown reason of a skip")?;
        skipped.insert(reason, integer(n)?);
    }
    if !document.repo.names.is_sorted() {
        return Err("names out of order");
    }
    for name in &document.repo.names {
        short(name)?;
    }
    Ok(Manifest {
        format: FormatVersion {
            major: document.format.major,
            minor: document.format.minor,
        },
        repo: Repo {
            id: hash(&document.repo.id)?,
            names: document.repo.names,
        },
        source: source(document.source)?,
        scope: hash(&document.scope.digest)?,
        build: Build {
            fingerprint: hash(&document.build.fingerprint)?,
            tool: short(&document.build.tool)?.into(),
            sqlite: document.build.sqlite,
            analysis: document.build.analysis,
        },
        parent: document.parent.as_deref().map(hash).transpose()?,
        segments: document
            .segments
            .into_iter()
            .map(segment)
            .collect::<Parsed<_>>()?,
        stats: Stats {
            files: integer(document.stats.files)?,
            lines: integer(document.stats.lines)?,
            bytes: integer(document.stats.bytes)?,
            skipped,
        },
    })
}

fn source(source: SourceDoc) -> Parsed<Source> {
    for id in [&source.commit, &source.tree].into_iter().flatten() {
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if !matches!(id.len(), 40 | 64) || !id.bytes().all(hex) {
            return Err("not an object name of git");
        }
    }
    Ok(Source {
        kind: [SourceKind::Git, SourceKind::Tree]
            .into_iter()
            .find(|kind| kind.as_str() == source.kind)
            .ok_or("unknown kind of source")?,
        commit: source.commit,
        tree: source.tree,
        dirty: source.dirty,
        digest: hash(&source.digest)?,
    })
}

fn segment(segment: SegmentDoc) -> Parsed<SegmentEntry> {
    let [core, text] = segment.blobs.as_slice() else {
        return Err("a segment has two files");
    };
    let entry = |blob: &BlobDoc, role: BlobRole| {
        if BlobRole::from_name(&blob.role) != Some(role) {
            return Err("unknown role of a file");
        }
        Ok(BlobEntry {
            size: integer(blob.raw.size)?,
            hash: hash(&blob.raw.b3)?,
        })
    };
    let (core, text) = (entry(core, BlobRole::Core)?, entry(text, BlobRole::Text)?);
    let id = hash(&segment.id)?;
    if id != segment_id(&core.hash, &text.hash) {
        return Err("identity of a segment differs from its files");
    }
    Ok(SegmentEntry {
        id,
        kind: [SegmentKind::Base, SegmentKind::Delta]
            .into_iter()
            .find(|kind| kind.as_str() == segment.kind)
            .ok_or("unknown kind of segment")?,
        files: segment.files,
        chunks: integer(segment.chunks)?,
        dead_paths: segment.dead_paths,
        core,
        text,
    })
}

fn hash(text: &str) -> Parsed<ContentHash> {
    text.parse().map_err(|()| "not a digest")
}

fn integer(n: u64) -> Parsed<u64> {
    if n <= MAX_INTEGER {
        Ok(n)
    } else {
        Err("number too large")
    }
}

fn short(text: &str) -> Parsed<&str> {
    if text.len() <= MAX_TEXT {
        Ok(text)
    } else {
        Err("text too long")
    }
}
