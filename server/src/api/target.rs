//! How a place in the repository is written: `path`, `path:10-40`, `path#Symbol`, `Symbol`.
//!
//! Not here: looking a symbol up (see `query`). What a text means depends on what exists, so the view is
//! asked for files and directories first; a text that names neither is judged by its shape.

use super::args::shorten;
use crate::error::Error;
use crate::query::request::ReadTarget;
use leantoken_shared::language::Language;
use leantoken_shared::path::{PathError, RepoPath};
use leantoken_shared::text::LineRange;
use serde_json::json;

/// What a path is in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// An indexed file.
    File,
    /// A directory that holds indexed files.
    Directory,
    /// Neither.
    Nothing,
}

/// What the parser of requests must know about a view.
pub trait Places {
    /// Returns what the normalized `path` is.
    fn place(&self, path: &str) -> Place;
    /// Returns the absolute path of the root with `/` between parts, where there is one.
    fn root(&self) -> Option<&str>;
}

/// Returns `text` without the root in front of it: callers often hold absolute paths.
pub fn below_root(text: &str, places: &dyn Places) -> String {
    places
        .root()
        .and_then(|root| text.strip_prefix(root.trim_end_matches('/')))
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        .map_or(text, |rest| rest.trim_start_matches('/'))
        .to_owned()
}

/// Returns whether `text` is a pattern rather than a path.
pub fn is_glob(text: &str) -> bool {
    text.starts_with('!') || text.contains(['*', '?', '[', '{'])
}

/// Returns the normalized path `text` of a file or directory; the root is empty.
///
/// # Errors
/// The path leaves the root or holds a NUL.
pub fn directory(text: &str, places: &dyn Places) -> Result<String, Error> {
    let text = below_root(text, places);
    match RepoPath::normalize(&text) {
        Ok(path) => Ok(path.to_string()),
        Err(PathError::Empty) => Ok(String::new()),
        Err(error) => {
            let message = format!("'{}': {error}", shorten(&text));
            Err(Error::request("paths", message, json!(["src"])))
        }
    }
}

/// Parses one target of `read`.
///
/// # Errors
/// The lines are not `from-to` with `1 <= from <= to`, the path leaves the root, or there is no name.
pub fn parse(text: &str, places: &dyn Places) -> Result<ReadTarget, Error> {
    let text = below_root(text.trim(), places);
    if text.is_empty() {
        return Err(refuse(&text, "it is empty"));
    }
    if let Some(path) = file(&text, places) {
        return Ok(ReadTarget::File { path, lines: None });
    }
    if let Some((path, lines)) = with_lines(&text)? {
        let path = normal(path)?;
        return Ok(ReadTarget::File {
            path,
            lines: Some(lines),
        });
    }
    for (at, _) in text.match_indices('#') {
        let (path, name) = (&text[..at], text[at + 1..].trim_start_matches('#').trim());
        let known = file(path, places);
        if known.is_none() && !looks_like_path(path) {
            continue;
        }
        if name.is_empty() {
            return Err(refuse(&text, "there is no name after '#'"));
        }
        return Ok(ReadTarget::Symbol {
            path: Some(known.map_or_else(|| normal(path), Ok)?),
            name: name.to_owned(),
        });
    }
    let is_directory = RepoPath::normalize(&text)
        .is_ok_and(|path| places.place(path.as_str()) == Place::Directory);
    if is_directory {
        return Err(refuse(&text, "it is a directory; outline lists it"));
    }
    if looks_like_path(&text) {
        return Ok(ReadTarget::File {
            path: normal(&text)?,
            lines: None,
        });
    }
    Ok(ReadTarget::Symbol {
        path: None,
        name: text,
    })
}

fn file(text: &str, places: &dyn Places) -> Option<String> {
    let path = RepoPath::normalize(text).ok()?;
    (places.place(path.as_str()) == Place::File).then(|| path.to_string())
}

fn normal(text: &str) -> Result<String, Error> {
    RepoPath::normalize(text)
        .map(|path| path.to_string())
        .map_err(|error| refuse(text, &error.to_string()))
}

/// Splits `path:10` or `path:10-40`; `None` when the text does not end in line numbers.
fn with_lines(text: &str) -> Result<Option<(&str, LineRange)>, Error> {
    let Some((path, lines)) = text.rsplit_once(':') else {
        return Ok(None);
    };
    let numeric = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (start, end) = match lines.split_once('-') {
        Some((start, end)) if numeric(start) && numeric(end) => (start, end),
        None if numeric(lines) => (lines, lines),
        _ => return Ok(None),
    };
    if path.is_empty() {
        return Err(refuse(text, "there is no path before the lines"));
    }
    match (start.parse(), end.parse()) {
        (Ok(start), Ok(end)) if 1 <= start && start <= end => {
            Ok(Some((path, LineRange { start, end })))
        }
        _ => Err(refuse(
            text,
            "lines are written from-to, counted from 1, as in src/main.rs:10-40",
        )),
    }
}

/// Returns whether a text that names nothing known was meant as a path.
fn looks_like_path(text: &str) -> bool {
    if text.contains("::") || text.contains(char::is_whitespace) {
        return false;
    }
    let name = text.rsplit('/').next().unwrap_or(text);
    if Language::detect(name, "") != Language::Text {
        return true;
    }
    text.starts_with(['/', '.']) || (text.contains('/') && name.contains('.'))
}

fn refuse(text: &str, reason: &str) -> Error {
    let message = format!("target '{}': {reason}", shorten(text));
    Error::Request {
        field: "targets".into(),
        message,
        allowed: "path, path:10-40, path#Symbol, Symbol, doc.md#Heading".into(),
        suggestion: json!(["src/main.rs:1-40"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Tree;

    impl Places for Tree {
        fn place(&self, path: &str) -> Place {
            match path {
                "src/a.rs" | "a:10" | "c#/x.cs" | "-dash.py" | "README.md" => Place::File,
                "src" | "" => Place::Directory,
                _ => Place::Nothing,
            }
        }

        fn root(&self) -> Option<&str> {
            Some("/home/me/repo")
        }
    }

    fn shown(text: &str) -> String {
        match parse(text, &Tree) {
            Ok(ReadTarget::File { path, lines: None }) => format!("file {path}"),
            Ok(ReadTarget::File {
                path,
                lines: Some(lines),
            }) => format!("file {path} {}-{}", lines.start, lines.end),
            Ok(ReadTarget::Symbol { path, name }) => {
                format!(
                    "symbol {} in {}",
                    name,
                    path.unwrap_or_else(|| "any".into())
                )
            }
            Err(error) => format!("error {error}"),
        }
    }

    #[test]
    fn targets_mean_what_exists_first() {
        for (text, wanted) in [
            ("src/a.rs", "file src/a.rs"),
            ("./src//a.rs:3", "file src/a.rs 3-3"),
            ("/home/me/repo/src/a.rs:3-9", "file src/a.rs 3-9"),
            ("a:10", "file a:10"),
            ("a:10:2-3", "file a:10 2-3"),
            ("c#/x.cs", "file c#/x.cs"),
            ("c#/x.cs#Run", "symbol Run in c#/x.cs"),
            ("-dash.py", "file -dash.py"),
            (
                "README.md#Getting started",
                "symbol Getting started in README.md",
            ),
            ("README.md### Usage", "symbol Usage in README.md"),
            ("gone.py#run", "symbol run in gone.py"),
            ("gone.py", "file gone.py"),
            ("Store", "symbol Store in any"),
            ("Store::open", "symbol Store::open in any"),
            ("Store.open", "symbol Store.open in any"),
            ("Store#open", "symbol Store#open in any"),
            ("Store/open", "symbol Store/open in any"),
        ] {
            assert_eq!(shown(text), wanted, "{text}");
        }
    }

    #[test]
    fn targets_that_cannot_be_meant_are_refused() {
        for text in [
            "",
            "src",
            "src/a.rs:0",
            "src/a.rs:9-3",
            "../etc/passwd.txt",
            "/etc/passwd",
            ":3",
            "src/a.rs#",
            "src/../../x.rs:1",
        ] {
            assert!(shown(text).starts_with("error "), "{text}: {}", shown(text));
        }
    }
}
