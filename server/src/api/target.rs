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
use serde_json::{Value, json};

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
    /// Returns the directory below the root in which the caller is; empty is the root.
    fn here(&self) -> &str;
}

/// Places before there is a view: whatever can be a file may be one.
#[derive(Clone, Copy, Debug)]
pub struct Unseen<'a> {
    /// As [`Places::root`].
    pub root: Option<&'a str>,
    /// As [`Places::here`].
    pub here: &'a str,
}

impl Places for Unseen<'_> {
    fn place(&self, _path: &str) -> Place {
        Place::File
    }

    fn root(&self) -> Option<&str> {
        self.root
    }

    fn here(&self) -> &str {
        self.here
    }
}

/// The forms of a target, for messages.
pub(super) const FORMS: &str = "path, path:10-40, path#Symbol, Symbol, doc.md#Heading";

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

/// Returns the normalized path `text` of a file or directory; the root is empty. What exists from where
/// the caller is goes before what exists from the root.
///
/// # Errors
/// The path leaves the root or holds a NUL.
pub fn directory(text: &str, places: &dyn Places) -> Result<String, Error> {
    if let Some(path) = known(text, places, |place| place != Place::Nothing) {
        return Ok(path);
    }
    let text = below_root(text, places);
    match RepoPath::normalize(&text) {
        Ok(path) => Ok(path.to_string()),
        Err(PathError::Empty) => Ok(String::new()),
        Err(error) => {
            let message = format!("'{}': {error}", shorten(&text));
            Err(Error::request("paths", message, Value::Null))
        }
    }
}

/// Returns the path that `text` means if what is there is as `wanted`.
fn known(text: &str, places: &dyn Places, wanted: impl Fn(Place) -> bool) -> Option<String> {
    let is_wanted = |path: &String| wanted(places.place(path));
    let here = places.here();
    let from_here = (!here.is_empty() && !text.is_empty() && !text.starts_with('/'))
        .then(|| RepoPath::normalize(&format!("{here}/{text}")).ok())
        .flatten();
    let from_root = || RepoPath::normalize(&below_root(text, places)).ok();
    from_here
        .map(|path| path.to_string())
        .filter(is_wanted)
        .or_else(|| from_root().map(|path| path.to_string()).filter(is_wanted))
}

/// Parses one target of `read`.
///
/// # Errors
/// The lines are not `from-to` with `1 <= from <= to`, the path leaves the root, or there is no name.
pub fn parse(text: &str, places: &dyn Places) -> Result<ReadTarget, Error> {
    let text = text.trim();
    if text.is_empty() {
        return Err(refuse(text, "it is empty"));
    }
    if let Some(path) = file(text, places) {
        return Ok(ReadTarget::File { path, lines: None });
    }
    if let Some((path, lines)) = with_lines(text, places)? {
        let path = file(path, places).map_or_else(|| normal(path, places), Ok)?;
        return Ok(ReadTarget::File {
            path,
            lines: Some(lines),
        });
    }
    if let Some(target) = with_name(text, places)? {
        return Ok(target);
    }
    if known(text, places, |place| place == Place::Directory).is_some() {
        return Err(refuse(text, "it is a directory; outline lists it"));
    }
    if looks_like_path(text) {
        return Ok(ReadTarget::File {
            path: normal(text, places)?,
            lines: None,
        });
    }
    Ok(ReadTarget::Symbol {
        path: None,
        name: text.to_owned(),
    })
}

fn file(text: &str, places: &dyn Places) -> Option<String> {
    known(text, places, |place| place == Place::File)
}

fn normal(text: &str, places: &dyn Places) -> Result<String, Error> {
    RepoPath::normalize(&below_root(text, places))
        .map(|path| path.to_string())
        .map_err(|error| refuse(text, &error.to_string()))
}

/// Splits `path#Name`; `None` when no `#` follows a path.
fn with_name(text: &str, places: &dyn Places) -> Result<Option<ReadTarget>, Error> {
    for (at, _) in text.match_indices('#') {
        let (path, name) = (&text[..at], text[at + 1..].trim_start_matches('#').trim());
        let known = file(path, places);
        if known.is_none() && !looks_like_path(path) {
            continue;
        }
        if name.is_empty() {
            return Err(refuse(text, "there is no name after '#'"));
        }
        return Ok(Some(ReadTarget::Symbol {
            path: Some(known.map_or_else(|| normal(path, places), Ok)?),
            name: name.to_owned(),
        }));
    }
    Ok(None)
}

/// Splits a path and lines behind `:` or `#L`; `None` when the text does not end in line numbers.
///
/// # Errors
/// There is a path, and what follows was meant as lines but cannot be.
fn with_lines<'t>(
    text: &'t str,
    places: &dyn Places,
) -> Result<Option<(&'t str, LineRange)>, Error> {
    let splits = text.match_indices([':', '#']);
    let splits: Vec<(&str, &str, bool)> = splits
        .map(|(at, mark)| (&text[..at], &text[at + 1..], mark == "#"))
        .filter(|(_, rest, is_hash)| !is_hash || rest.starts_with(['L', 'l']))
        .collect();
    let is_known = |path: &str| file(path, places).is_some();
    let is_meant = |rest: &str| {
        rest.trim_start_matches(['L', 'l'])
            .starts_with(|c: char| c.is_ascii_digit())
    };
    let known = splits.iter().find(|(path, ..)| is_known(path));
    // Of an unknown file the leftmost split that leaves lines: a column may follow the line.
    let guess = || {
        let mut likely = splits
            .iter()
            .filter(|(path, _, is_hash)| !is_hash || looks_like_path(path));
        likely.find(|(path, rest, _)| {
            numbers(rest).is_some() || (is_meant(rest) && looks_like_path(path))
        })
    };
    let Some((path, rest, is_hash)) = known.or_else(guess) else {
        return Ok(None);
    };
    match numbers(rest) {
        _ if path.is_empty() => Err(refuse(text, "there is no path before the lines")),
        Some((start, end)) if 1 <= start && start <= end => {
            Ok(Some((path, LineRange { start, end })))
        }
        // A name may begin with an L.
        None if *is_hash => Ok(None),
        _ => Err(refuse_lines(text, path)),
    }
}

/// Understands `10`, `10-40`, `10,40`, `10..40`, `10-` (to the end) and `10:5` (a column), each number
/// with or without an `L` before it.
fn numbers(text: &str) -> Option<(u32, u32)> {
    let text = text.strip_suffix(':').unwrap_or(text);
    if let Some((line, column)) = text.split_once(':') {
        let line = number(line)?;
        return number(column).map(|_| (line, line));
    }
    let ends = ["-", ",", ".."]
        .iter()
        .find_map(|mark| text.split_once(mark));
    match ends {
        Some((start, "")) => Some((number(start)?, u32::MAX)),
        Some((start, end)) => Some((number(start)?, number(end)?)),
        None => number(text).map(|line| (line, line)),
    }
}

fn number(text: &str) -> Option<u32> {
    let digits = text.strip_prefix(['L', 'l']).unwrap_or(text);
    // A column may follow, as in L10C5.
    let digits = digits
        .split_once(['C', 'c'])
        .map_or(digits, |(line, _)| line);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
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
    Error::Request {
        field: "targets".into(),
        message: format!("target '{}': {reason}", shorten(text)),
        allowed: FORMS.into(),
        suggestion: Value::Null,
    }
}

fn refuse_lines(text: &str, path: &str) -> Error {
    let message = "lines are written from-to, counted from 1";
    Error::Request {
        field: "targets".into(),
        message: format!("target '{}': {message}", shorten(text)),
        allowed: format!(
            "{0}:240-248, {0}:240- (to the end), {0} (all of it)",
            shorten(path)
        ),
        suggestion: json!([path]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Tree(&'static str);

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

        fn here(&self) -> &str {
            self.0
        }
    }

    fn shown(text: &str) -> String {
        match parse(text, &Tree("")) {
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
            Ok(ReadTarget::Unusable { reason }) => format!("unusable {reason}"),
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
    fn lines_are_understood_as_other_tools_write_them() {
        for (lines, wanted) in [
            (":240", "240-240"),
            (":240-248", "240-248"),
            (":240:248", "240-240"),
            (":240:", "240-240"),
            (":L10", "10-10"),
            (":L10-L12", "10-12"),
            ("#L10", "10-10"),
            ("#L10-L12", "10-12"),
            ("#L10C3-L12C8", "10-12"),
            (":240,248", "240-248"),
            (":240..248", "240-248"),
            (":240-", "240-4294967295"),
        ] {
            for path in ["src/a.rs", "gone.ts"] {
                let text = format!("{path}{lines}");
                assert_eq!(shown(&text), format!("file {path} {wanted}"), "{text}");
            }
        }
        assert_eq!(shown("src/a.rs#Lexer"), "symbol Lexer in src/a.rs");
        for text in [
            "src/a.rs:x",
            "src/a.rs:10-x",
            "gone.ts:10-x",
            "src/a.rs:9-3",
        ] {
            let error = parse(text, &Tree("")).unwrap_err();
            let (path, _) = text.split_once(':').unwrap();
            let hint = error.hint().unwrap();
            assert!(hint.contains(&format!("{path}:240-248")), "{text}: {hint}");
        }
    }

    #[test]
    fn where_the_caller_is_goes_before_the_root() {
        let shown = |text: &str| match parse(text, &Tree("src")) {
            Ok(
                ReadTarget::File { path, .. }
                | ReadTarget::Symbol {
                    path: Some(path), ..
                },
            ) => path,
            other => format!("{other:?}"),
        };
        for (text, wanted) in [
            ("a.rs", "src/a.rs"),
            ("a.rs:3", "src/a.rs"),
            ("./a.rs#f", "src/a.rs"),
            ("src/a.rs", "src/a.rs"),
            ("../README.md", "README.md"),
            ("README.md", "README.md"),
            ("/home/me/repo/src/a.rs", "src/a.rs"),
        ] {
            assert_eq!(shown(text), wanted, "{text}");
        }
        assert_eq!(directory(".", &Tree("src")).unwrap(), "src");
        assert_eq!(directory("", &Tree("src")).unwrap(), "");
        assert_eq!(directory("src", &Tree("src")).unwrap(), "src");
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
