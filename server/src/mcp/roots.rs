//! Which directory an MCP host means.
//!
//! Order: `--root`, `LEANTOKEN_ROOT`, `CLAUDE_PROJECT_DIR`, the first usable of the roots that the client
//! declares in a session with `initialize`, the repository above the working directory.

use crate::error::Error;
use crate::settings::{self, Environment, Source, SourceChoice};
use rmcp::RoleServer;
use rmcp::service::Peer;
use std::path::PathBuf;
use std::time::Duration;

/// How long a client may take to name its roots.
const ROOTS_WAIT: Duration = Duration::from_secs(2);

/// Returns whether the root is known without asking the client.
pub(super) fn is_named(choice: &SourceChoice, environment: &Environment) -> bool {
    choice.root.is_some()
        || choice.snapshot.is_some()
        || environment.root.is_some()
        || environment.snapshot.is_some()
        || environment.project_dir.is_some()
}

/// Resolves where to answer from, asking the client where it may be asked.
pub(super) async fn resolve(
    choice: &SourceChoice,
    environment: &Environment,
    peer: &Peer<RoleServer>,
) -> Result<Source, Error> {
    if !is_named(choice, environment) {
        for root in declared(peer).await {
            if let Ok(source) = settings::local(&root, environment) {
                return Ok(source);
            }
        }
    }
    settings::resolve(choice, environment)
}

/// Returns the directories the client declares; none when it declares no roots.
#[expect(
    deprecated,
    reason = "hosts of the earlier era name their project only here"
)]
async fn declared(peer: &Peer<RoleServer>) -> Vec<PathBuf> {
    let declares = peer
        .peer_info()
        .is_some_and(|client| client.capabilities.roots.is_some());
    if !declares {
        return Vec::new();
    }
    match tokio::time::timeout(ROOTS_WAIT, peer.list_roots()).await {
        Ok(Ok(found)) => found
            .roots
            .iter()
            .filter_map(|r| from_uri(&r.uri))
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the path of a `file:` URI.
fn from_uri(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let escaped = (*first == b'%').then(|| tail.get(..2)).flatten();
        let escaped = escaped
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/C:/x` names a drive.
    let is_drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Some(PathBuf::from(if is_drive { &path[1..] } else { &path }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_uris_become_paths() {
        let check = |uri: &str| from_uri(uri).map(|path| path.display().to_string());
        assert_eq!(check("file:///a/b%20c/%C3%A9").as_deref(), Some("/a/b c/é"));
        assert_eq!(check("file://localhost/a").as_deref(), Some("/a"));
        assert_eq!(check("file:///100%").as_deref(), Some("/100%"));
        assert_eq!(check("https://x/a"), None);
        assert_eq!(check("file://host/a"), None);
        assert_eq!(check("file:///a%FF"), None);
    }
}
