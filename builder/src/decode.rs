//! One file on disk to text: opened below the root without following links, bounded, decoded.
//!
//! Not here: which files (see [`crate::discover`]) and what the text says (see [`crate::analyze`]).
//! UTF-8 (its byte order mark dropped), UTF-16 with a byte order mark, else windows-1252, which gives
//! every byte a character; a NUL early in anything but UTF-16 means binary. The content hash is of the
//! bytes on disk. Invariant: a text is what the file held at one moment: its stat data are the same
//! before and after the read, or the file is skipped as unstable after one more try.

use crate::limits::Limits;
use crate::platform::{self, OpenError, RootDir, Stat};
use crate::reuse::{FileStat, Outcome};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use leantoken_formats::segment::SkipReason;
use leantoken_shared::digest::ContentHash;
use leantoken_shared::path::RepoPath;
use std::fs::File;
use std::io::{self, Read};

/// How far into a file a NUL makes it binary.
const BINARY_PROBE_BYTES: usize = 8 * 1024;

/// A file read at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sighting {
    /// The stat data at that moment; those of the discovery where the file could not be opened.
    pub(crate) stat: Stat,
    /// What it holds, or why it is left out.
    pub(crate) body: Result<Decoded, SkipReason>,
}

/// A decoded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// The text, without byte order mark.
    pub(crate) text: String,
    /// Whether it was not UTF-8.
    pub(crate) transcoded: bool,
    /// The digest of the bytes on disk.
    pub(crate) content_hash: ContentHash,
}

impl Sighting {
    /// Returns what became of the file, without its text.
    pub(crate) fn into_file_stat(self, path: &RepoPath) -> FileStat {
        FileStat {
            path: path.clone(),
            stat: self.stat,
            outcome: match self.body {
                Ok(decoded) => Outcome::Indexed(decoded.content_hash),
                Err(reason) => Outcome::Skipped(reason),
            },
        }
    }
}

/// Reads and decodes the file at `path`; every fault of the file is a reason to skip it.
pub(crate) fn read(root: &RootDir, path: &RepoPath, seen: Stat, limits: &Limits) -> Sighting {
    let mut stat = seen;
    for _ in 0..2 {
        match read_once(root, path, &mut stat, limits) {
            Ok(Attempt::Whole(bytes)) => {
                return Sighting {
                    stat,
                    body: decode(bytes),
                };
            }
            Ok(Attempt::Changed) => {}
            Ok(Attempt::Skip(reason)) => {
                return Sighting {
                    stat,
                    body: Err(reason),
                };
            }
            Err(error) => {
                return Sighting {
                    stat,
                    body: Err(reason_of(&error)),
                };
            }
        }
    }
    Sighting {
        stat,
        body: Err(SkipReason::Unstable),
    }
}

enum Attempt {
    Whole(Vec<u8>),
    Changed,
    Skip(SkipReason),
}

fn read_once(
    root: &RootDir,
    path: &RepoPath,
    stat: &mut Stat,
    limits: &Limits,
) -> Result<Attempt, OpenError> {
    let mut file = root.open_file(path.as_str())?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Ok(Attempt::Skip(SkipReason::Special));
    }
    *stat = platform::stat(&meta);
    if stat.size > limits.max_file_bytes {
        return Ok(Attempt::Skip(SkipReason::TooLarge));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or(0) + 1);
    read_up_to(&mut file, BINARY_PROBE_BYTES as u64, &mut bytes)?;
    if is_binary(&bytes) {
        return Ok(Attempt::Skip(SkipReason::Binary));
    }
    // One byte more than the size tells a file that grows meanwhile.
    let rest = stat.size.saturating_sub(bytes.len() as u64) + 1;
    read_up_to(&mut file, rest, &mut bytes)?;
    let after = platform::stat(&file.metadata()?);
    if after != *stat || bytes.len() as u64 != stat.size {
        return Ok(Attempt::Changed);
    }
    Ok(Attempt::Whole(bytes))
}

fn read_up_to(file: &mut File, limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    file.by_ref().take(limit).read_to_end(bytes).map(|_| ())
}

fn reason_of(error: &OpenError) -> SkipReason {
    match error {
        OpenError::Link => SkipReason::Symlink,
        OpenError::Io(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SkipReason::Unstable,
            _ => SkipReason::Unreadable,
        },
    }
}

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the UTF-16 encoding that a byte order mark announces; a UTF-32 mark is none.
fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    if bytes.starts_with(b"\xff\xfe\0\0") {
        return None;
    }
    match bytes.get(..2) {
        Some(b"\xff\xfe") => Some(UTF_16LE),
        Some(b"\xfe\xff") => Some(UTF_16BE),
        _ => None,
    }
}

fn is_binary(head: &[u8]) -> bool {
    utf16(head).is_none() && head[..head.len().min(BINARY_PROBE_BYTES)].contains(&0)
}

/// Turns the bytes of a file into text.
fn decode(mut bytes: Vec<u8>) -> Result<Decoded, SkipReason> {
    if is_binary(&bytes) {
        return Err(SkipReason::Binary);
    }
    let content_hash = ContentHash::of(&bytes);
    let foreign = |encoding: &'static Encoding, bytes: &[u8]| Decoded {
        text: encoding.decode_without_bom_handling(bytes).0.into_owned(),
        transcoded: true,
        content_hash,
    };
    if let Some(encoding) = utf16(&bytes) {
        return Ok(foreign(encoding, &bytes[2..]));
    }
    if bytes.starts_with(UTF8_MARK) {
        bytes.drain(..UTF8_MARK.len());
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Decoded {
            text,
            transcoded: false,
            content_hash,
        },
        Err(error) => foreign(WINDOWS_1252, error.as_bytes()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(bytes: &[u8]) -> (String, bool) {
        let decoded = decode(bytes.to_vec()).expect("text");
        assert_eq!(decoded.content_hash, ContentHash::of(bytes));
        (decoded.text, decoded.transcoded)
    }

    #[test]
    fn encodings_are_told_by_mark_validity_and_nul() {
        assert_eq!(text(b"\xef\xbb\xbfx=1"), ("x=1".into(), false));
        assert_eq!(text(b"\xef\xbb\xbf"), (String::new(), false));
        assert_eq!(text(b"caf\xe9"), ("caf\u{e9}".into(), true));
        assert_eq!(text(b"\xff\xfeh\0i\0"), ("hi".into(), true));
        assert_eq!(text(b"\xfe\xff\0h\0i"), ("hi".into(), true));
        assert_eq!(text(b"a\x0bb"), ("a\u{b}b".into(), false));
        assert_eq!(decode(b"\0abc".to_vec()), Err(SkipReason::Binary));
        assert_eq!(
            decode(b"\xff\xfe\0\0a\0\0\0".to_vec()),
            Err(SkipReason::Binary)
        );
        let mut late = vec![b'a'; BINARY_PROBE_BYTES];
        late.push(0);
        assert!(decode(late).is_ok());
    }

    fn one(name: &str, limits: &Limits, dir: &std::path::Path) -> Sighting {
        let root = RootDir::open(dir).unwrap();
        read(
            &root,
            &RepoPath::new(name).unwrap(),
            Stat::default(),
            limits,
        )
    }

    #[test]
    fn every_fault_of_a_file_is_a_reason() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("ok"), "hello").unwrap();
        std::fs::create_dir(dir.path().join("dir")).unwrap();
        let body = |name: &str| {
            one(name, &Limits::STANDARD, dir.path())
                .body
                .map(|d| d.text)
        };
        assert_eq!(body("ok"), Ok("hello".into()));
        assert_eq!(body("gone"), Err(SkipReason::Unstable));
        assert_eq!(body("ok/below"), Err(SkipReason::Unstable));
        assert_eq!(body("dir"), Err(SkipReason::Special));
        let small = Limits {
            max_file_bytes: 4,
            ..Limits::STANDARD
        };
        assert_eq!(
            one("ok", &small, dir.path()).body,
            Err(SkipReason::TooLarge)
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_swapped_in_are_not_followed_and_do_not_hang() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "secret").unwrap();
        let dir = tempfile::tempdir().unwrap();
        let link = |target: &std::path::Path, name: &str| {
            std::os::unix::fs::symlink(target, dir.path().join(name)).unwrap();
        };
        link(&outside.path().join("secret"), "file");
        link(outside.path(), "dir");
        rustix::fs::mkfifoat(
            rustix::fs::CWD,
            dir.path().join("pipe"),
            rustix::fs::Mode::RWXU,
        )
        .unwrap();
        let body = |name: &str| {
            one(name, &Limits::STANDARD, dir.path())
                .body
                .map(|d| d.text)
        };
        assert_eq!(body("file"), Err(SkipReason::Symlink));
        assert_eq!(body("dir/secret"), Err(SkipReason::Symlink));
        assert_eq!(body("pipe"), Err(SkipReason::Special));
    }

    proptest! {
        #[test]
        fn any_bytes_give_text_or_a_reason(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            match decode(bytes.clone()) {
                Ok(decoded) => prop_assert!(decoded.transcoded || bytes.ends_with(decoded.text.as_bytes())),
                Err(reason) => prop_assert_eq!(reason, SkipReason::Binary),
            }
        }
    }
}
