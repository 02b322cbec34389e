//! Small trees, their facts by a rule simple enough to see through, and sealed segments of them.

use super::*;
use leantoken_shared::facts::{
    Import, ImportedName, Note, Reference, ReferenceKind, Symbol, SymbolKind, Visibility,
};
use leantoken_shared::text::{ByteRange, LineIndex};
use std::collections::BTreeMap;
use tempfile::TempDir;

/// Sorted paths and texts.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) files: Vec<(String, String)>,
}

/// A sealed segment and the directory it lies in.
pub(super) struct Sealed(
    pub(super) SealedSegment,
    #[expect(dead_code, reason = "dropped last")] TempDir,
);

impl Sealed {
    pub(super) fn open(&self) -> Segment {
        Segment::open(&self.0.core.path, &self.0.text.path).unwrap()
    }
}

impl Tree {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        Tree {
            files: files
                .iter()
                .map(|(path, text)| (path.to_string(), text.to_string()))
                .collect(),
        }
    }

    /// Seals the tree with its files dealt to `n_encoders`.
    pub(super) fn seal(&self, n_encoders: usize, max_posting_bytes: usize) -> Sealed {
        let dir = tempfile::tempdir().unwrap();
        let plan = SegmentPlan {
            dictionary: b"fn parse_http() use crate::".to_vec(),
            level: 3,
            spill_dir: dir.path().into(),
            max_posting_bytes,
        };
        let mut encoders: Vec<FileEncoder> = (0..n_encoders)
            .map(|_| FileEncoder::new(&plan).unwrap())
            .collect();
        let mut writer = SegmentWriter::create(dir.path(), &plan).unwrap();
        for (id, (path, text)) in self.files.iter().enumerate() {
            // Not in turn, so that runs interleave unevenly.
            let encoder = &mut encoders[(id * id + id / 3) % n_encoders];
            let facts = facts_of(text);
            let file = encoder
                .encode(FileInput {
                    id: id as u32,
                    path: &RepoPath::new(path).unwrap(),
                    text,
                    facts: &facts,
                    chunks: &chunks_of(text, &facts),
                    language: Language::Rust,
                    class: FileClass::Test,
                    size: text.len() as u64,
                    content_hash: ContentHash::of(text.as_bytes()),
                })
                .unwrap();
            assert!(file.bytes() > 0);
            writer.add(file).unwrap();
        }
        let runs = encoders.into_iter().map(|e| e.finish().unwrap()).collect();
        let sealed = writer
            .seal(Seal {
                runs,
                skipped: vec![
                    Skipped {
                        path: "z".into(),
                        reason: SkipReason::Binary,
                    },
                    Skipped {
                        path: "\u{fffd}".into(),
                        reason: SkipReason::PathNotUtf8,
                    },
                    Skipped {
                        path: "link".into(),
                        reason: SkipReason::Symlink,
                    },
                ],
                hidden: vec![
                    RepoPath::new("old/b").unwrap(),
                    RepoPath::new("old/a").unwrap(),
                ],
            })
            .unwrap();
        Sealed(sealed, dir)
    }
}

/// Every `fn name` is a definition, with a directly preceding `///` line as its doc; every other word of
/// letters and `_` is a reference; every `use x` is an import.
pub(super) fn facts_of(text: &str) -> FileFacts {
    let mut facts = FileFacts::default();
    let (mut at, mut doc, mut after_fn) = (0u32, None, false);
    for line in text.split_inclusive('\n') {
        let line_range = ByteRange::new(at, at + line.trim_end().len() as u32);
        if line.starts_with("///") {
            doc = Some(line_range);
        } else {
            if let Some(module) = line.strip_prefix("use ") {
                facts.imports.push(Import {
                    module: module.trim_end().into(),
                    names: vec![
                        ImportedName {
                            name: "x".into(),
                            alias: None,
                        },
                        ImportedName {
                            name: "*".into(),
                            alias: Some(module.len().to_string()),
                        },
                    ],
                    alias: (module.len() % 2 == 0).then(|| "np".into()),
                    reexport: module.len() % 3 == 0,
                    range: line_range,
                });
            }
            for (start, word) in words(line) {
                let range = ByteRange::new(at + start, at + start + word.len() as u32);
                if after_fn {
                    add_symbol(&mut facts, word, range, line_range, doc.take());
                } else if word != "fn" {
                    add_reference(&mut facts, word, range);
                }
                after_fn = word == "fn";
            }
        }
        at += line.len() as u32;
    }
    if text.contains("((") {
        facts.notes.add(Note::SyntaxErrors);
    }
    facts
}

fn words(line: &str) -> impl Iterator<Item = (u32, &str)> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(|word| {
            (
                (word.as_ptr() as usize - line.as_ptr() as usize) as u32,
                word,
            )
        })
}

fn add_symbol(
    facts: &mut FileFacts,
    word: &str,
    name_range: ByteRange,
    line: ByteRange,
    doc: Option<ByteRange>,
) {
    let at = facts.symbols.len() as u32;
    let name = facts.names.intern(word);
    facts.symbols.push(Symbol {
        name,
        owner: word
            .len()
            .is_multiple_of(3)
            .then_some(leantoken_shared::facts::NameId(name.0 / 2)),
        kind: SymbolKind::ALL[word.len() % SymbolKind::ALL.len()],
        parent: (at > 0 && word.len().is_multiple_of(2)).then_some(at / 2),
        visibility: Visibility::from_code((word.len() % 3) as u8).unwrap(),
        exported: word.len().is_multiple_of(5),
        // A length that is not that of the name, now and then.
        name_range: ByteRange::new(
            name_range.start,
            name_range.end - u32::from(word.len().is_multiple_of(7)),
        ),
        range: line,
        signature: ByteRange::new(line.start, name_range.end),
        doc,
    });
}

fn add_reference(facts: &mut FileFacts, word: &str, range: ByteRange) {
    let name = facts.names.intern(word);
    facts.references.push(Reference {
        name,
        range,
        enclosing: (facts.symbols.len() as u32).checked_sub(1),
        kind: ReferenceKind::from_code((word.len() % 4) as u8).unwrap(),
    });
}

/// Three lines a chunk; the second of a file presents its first definition.
pub(super) fn chunks_of(text: &str, facts: &FileFacts) -> Vec<Chunk> {
    let lines = LineIndex::new(text);
    let mut chunks = Vec::new();
    let mut line = 1;
    while line <= lines.n_lines() {
        let end_line = (line + 2).min(lines.n_lines());
        chunks.push(Chunk {
            range: ByteRange::new(
                lines.line_bytes(line).unwrap().start,
                lines.line_bytes(end_line).unwrap().end,
            ),
            start_line: line,
            end_line,
            symbol: (chunks.len() == 1 && !facts.symbols.is_empty()).then_some(0),
        });
        line = end_line + 1;
    }
    chunks
}

/// A tree of a few files made of words that collide, fold and repeat.
pub(super) fn arb_tree() -> impl Strategy<Value = Tree> {
    let word = prop::sample::select(vec![
        "fn alpha()",
        "fn Alpha_Beta(",
        "alpha",
        "ALPHA",
        "betaGamma",
        "x",
        "ΟΔΟΣ",
        "ß",
        "use a::b",
        "/// doc of alpha",
        "((",
        "http2server",
        "\r",
        "the",
        "alpha alpha alpha alpha alpha",
    ]);
    let line = prop::collection::vec(word, 0..4).prop_map(|words| words.join(" "));
    let text = prop::collection::vec(line, 0..20).prop_map(|lines| lines.join("\n"));
    let path = "[ab]{1,2}(/[A-Ca-c]{1,3}){0,2}\\.rs";
    prop::collection::btree_map(path, text, 0..12).prop_map(|files: BTreeMap<String, String>| {
        Tree {
            files: files.into_iter().collect(),
        }
    })
}
