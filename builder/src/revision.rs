//! Which state of the source a snapshot speaks for: commit, tree, dirtiness, repository.
//!
//! Not here: which files are tracked (see [`crate::discover`]). A tree without git, or with a git that
//! cannot answer, is named by the digest of its content. What git could not tell counts as dirty.
//! Nothing here depends on where the tree lies on this machine.

use crate::git::{self, Ask};
use crate::reuse::Observation;
use leantoken_formats::manifest::{Repo, Source, SourceKind};
use leantoken_shared::digest::{ContentHash, Hasher};
use std::path::Path;
use std::time::Duration;

/// The commit that is checked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its id in lower-case hexadecimal.
    pub commit: String,
    /// The id of its tree.
    pub tree: String,
}

/// What git tells beside the head; takes too long for a mere look whether anything changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    /// Whether tracked files differ from the commit; `None` when git could not tell.
    pub(crate) modified: Option<bool>,
    /// The normalized address of the repository this one was cloned from.
    pub(crate) origin: Option<String>,
}

const HEAD: Ask<'static> = Ask {
    args: &["cat-file", "--batch"],
    stdin: b"HEAD\n",
    timeout: Duration::from_secs(10),
    max_bytes: 16 * 1024 * 1024,
};
const STATUS: Ask<'static> = Ask {
    args: &[
        "status",
        "--porcelain=v1",
        "-z",
        "--untracked-files=no",
        "--ignore-submodules=all",
        "--no-renames",
        "--",
        ".",
    ],
    stdin: b"",
    timeout: Duration::from_secs(120),
    max_bytes: 512 * 1024 * 1024,
};
const ORIGIN: Ask<'static> = Ask {
    args: &["config", "--get", "remote.origin.url"],
    stdin: b"",
    timeout: Duration::from_secs(10),
    max_bytes: 64 * 1024,
};

/// Returns the commit that is checked out at `root`; `None` before the first commit and without git.
pub(crate) fn head(root: &Path) -> Option<Head> {
    git::ask(root, HEAD).and_then(|bytes| parse_head(&bytes))
}

/// Parses `<id> commit <size>` and the first line of the commit, `tree <id>`.
fn parse_head(bytes: &[u8]) -> Option<Head> {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let mut first = std::str::from_utf8(lines.next()?).ok()?.split(' ');
    let commit = first.next().filter(|id| is_object_id(id))?;
    if first.next() != Some("commit") {
        return None;
    }
    let tree = std::str::from_utf8(lines.next()?)
        .ok()?
        .strip_prefix("tree ")?;
    is_object_id(tree).then(|| Head {
        commit: commit.to_string(),
        tree: tree.to_string(),
    })
}

fn is_object_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Asks git what only a build needs to know.
pub(crate) fn surroundings(root: &Path) -> Surroundings {
    Surroundings {
        modified: git::ask(root, STATUS).map(|bytes| !bytes.is_empty()),
        origin: git::ask(root, ORIGIN)
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .and_then(|url| slug(url.trim())),
    }
}

/// Returns the repository identity: from its origin, or the same for every tree without one.
pub(crate) fn repo(origin: Option<&str>) -> Repo {
    let mut hasher = Hasher::new();
    hasher.update(b"leantoken-repo-v1");
    hasher.update(origin.unwrap_or("").as_bytes());
    Repo {
        id: hasher.finish(),
        names: origin.map(str::to_string).into_iter().collect(),
    }
}

/// Returns the source that a manifest names.
pub(crate) fn source(
    head: Option<&Head>,
    around: &Surroundings,
    n_untracked: usize,
    seen: &Observation,
) -> Source {
    Source {
        kind: if head.is_some() {
            SourceKind::Git
        } else {
            SourceKind::Tree
        },
        commit: head.map(|head| head.commit.clone()),
        tree: head.map(|head| head.tree.clone()),
        dirty: head.is_some() && (n_untracked > 0 || around.modified != Some(false)),
        digest: digest(seen),
    }
}

/// Returns the digest over all indexed paths and contents.
fn digest(seen: &Observation) -> ContentHash {
    let mut hasher = Hasher::new();
    for (path, hash) in seen.indexed() {
        hasher.update(&(path.as_str().len() as u64).to_le_bytes());
        hasher.update(path.as_str().as_bytes());
        hasher.update(&hash.0);
    }
    hasher.finish()
}

/// Returns `host/path` of a remote address: host in lower case, no scheme, user, port or `.git`.
/// Addresses on this machine are none.
fn slug(url: &str) -> Option<String> {
    let (authority, path) = match url.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => rest.split_once('/')?,
        // The short form `user@host:path`; a colon behind a slash belongs to a local path.
        None => url
            .split_once(':')
            .filter(|(host, _)| !host.contains(['/', '\\']))?,
    };
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    // One letter in front of a colon is a drive.
    let usable = host.len() > 1 && !path.is_empty() && url.len() < 4096;
    usable.then(|| format!("{}/{path}", host.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_normalized_and_local_ones_dropped() {
        for url in [
            "https://GitHub.com/acme/app.git",
            "https://user:secret@github.com/acme/app",
            "ssh://git@github.com:22/acme/app.git/",
            "git@github.com:acme/app.git",
        ] {
            assert_eq!(slug(url).as_deref(), Some("github.com/acme/app"), "{url}");
        }
        for url in [
            "/srv/app.git",
            "../app",
            "file:///srv/app",
            "C:\\app",
            "https://host/",
            "",
        ] {
            assert_eq!(slug(url), None, "{url}");
        }
    }

    #[test]
    fn heads_of_both_object_formats_are_read_whole() {
        for length in [40, 64] {
            let (commit, tree) = ("a".repeat(length), "b".repeat(length));
            let bytes = format!("{commit} commit 200\ntree {tree}\nauthor x\n");
            assert_eq!(parse_head(bytes.as_bytes()), Some(Head { commit, tree }));
        }
        assert_eq!(parse_head(b"HEAD missing\n"), None);
        assert_eq!(parse_head(b""), None);
    }
}
