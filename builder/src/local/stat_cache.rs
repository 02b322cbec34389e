//! The stored form of one look at a working tree.
//!
//! Not here: when it may be trusted (see [`crate::reuse`]). Private to this machine and
//! worthless elsewhere. Field list, integers little-endian, texts as length (u32) and bytes:
//! ```text
//! magic        8 bytes
//! generation   32
//! observed_ns  i64
//! n_files      u32, then per file: path, size u64, inode u64, dev u64, mtime i64, ctime i64,
//!              kind u8 (255 indexed, else the skip reason), digest 32 when indexed
//! n_skipped    u32, then per path: path, reason u8
//! digest       32, over everything before
//! ```
//! Decoding is total: bytes that do not fit are no cache.

use crate::platform::Stat;
use crate::reuse::{FileStat, Observation, Outcome};
use leantoken_formats::segment::{SkipReason, Skipped};
use leantoken_shared::digest::ContentHash;
use leantoken_shared::path::RepoPath;

const MAGIC: &[u8; 8] = b"LTSTAT1\n";
const INDEXED: u8 = 255;

/// A look at a tree and the snapshot that speaks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatCache {
    /// The snapshot.
    pub generation: ContentHash,
    /// The look.
    pub seen: Observation,
}

impl StatCache {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(128 * self.seen.files.len() + 128);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&self.generation.0);
        out.extend_from_slice(&self.seen.observed_ns.to_le_bytes());
        put_len(&mut out, self.seen.files.len());
        for file in &self.seen.files {
            put_text(&mut out, file.path.as_str());
            let stat = &file.stat;
            for number in [stat.size, stat.inode, stat.dev] {
                out.extend_from_slice(&number.to_le_bytes());
            }
            for number in [stat.mtime_ns, stat.ctime_ns] {
                out.extend_from_slice(&number.to_le_bytes());
            }
            match file.outcome {
                Outcome::Indexed(hash) => {
                    out.push(INDEXED);
                    out.extend_from_slice(&hash.0);
                }
                Outcome::Skipped(reason) => out.push(reason as u8),
            }
        }
        put_len(&mut out, self.seen.skipped.len());
        for skipped in &self.seen.skipped {
            put_text(&mut out, &skipped.path);
            out.push(skipped.reason as u8);
        }
        let digest = ContentHash::of(&out);
        out.extend_from_slice(&digest.0);
        out
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (body, digest) = bytes.split_last_chunk::<32>()?;
        if ContentHash::of(body).0 != *digest {
            return None;
        }
        let mut input = Input(body.strip_prefix(MAGIC)?);
        let generation = ContentHash(input.array()?);
        let observed_ns = input.signed()?;
        let mut seen = Observation {
            observed_ns,
            ..Observation::default()
        };
        for _ in 0..input.length()? {
            seen.files.push(input.file()?);
        }
        for _ in 0..input.length()? {
            let path = input.text()?.to_string();
            let reason = SkipReason::from_code(input.array::<1>()?[0])?;
            seen.skipped.push(Skipped { path, reason });
        }
        input.0.is_empty().then_some(StatCache { generation, seen })
    }
}

fn put_len(out: &mut Vec<u8>, len: usize) {
    out.extend_from_slice(&u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_len(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }

    fn unsigned(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn signed(&mut self) -> Option<i64> {
        self.array().map(i64::from_le_bytes)
    }

    fn length(&mut self) -> Option<usize> {
        self.array().map(u32::from_le_bytes).map(|len| len as usize)
    }

    fn text(&mut self) -> Option<&'a str> {
        let len = self.length()?;
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    fn file(&mut self) -> Option<FileStat> {
        Some(FileStat {
            path: RepoPath::new(self.text()?).ok()?,
            stat: Stat {
                size: self.unsigned()?,
                inode: self.unsigned()?,
                dev: self.unsigned()?,
                mtime_ns: self.signed()?,
                ctime_ns: self.signed()?,
            },
            outcome: match self.array::<1>()?[0] {
                INDEXED => Outcome::Indexed(ContentHash(self.array()?)),
                code => Outcome::Skipped(SkipReason::from_code(code)?),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> StatCache {
        let file = |path: &str, outcome| FileStat {
            path: RepoPath::new(path).unwrap(),
            stat: Stat {
                size: 1,
                mtime_ns: -2,
                ctime_ns: 3,
                inode: 4,
                dev: 5,
            },
            outcome,
        };
        StatCache {
            generation: ContentHash::of(b"g"),
            seen: Observation {
                files: vec![
                    file("a/ü", Outcome::Indexed(ContentHash::of(b"a"))),
                    file("b", Outcome::Skipped(SkipReason::Binary)),
                ],
                skipped: vec![Skipped {
                    path: "link".into(),
                    reason: SkipReason::Symlink,
                }],
                observed_ns: 77,
            },
        }
    }

    #[test]
    fn what_is_written_is_read_and_damage_is_noticed() {
        let bytes = sample().to_bytes();
        assert_eq!(StatCache::from_bytes(&bytes), Some(sample()));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(StatCache::from_bytes(&damaged), None);
            assert_eq!(StatCache::from_bytes(&bytes[..at]), None);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(body in proptest::collection::vec(any::<u8>(), 0..300)) {
            let mut bytes = MAGIC.to_vec();
            bytes.extend_from_slice(&body);
            let digest = ContentHash::of(&bytes);
            bytes.extend_from_slice(&digest.0);
            let _ = StatCache::from_bytes(&bytes);
        }
    }
}
