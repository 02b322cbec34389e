//! Repository paths and path globs. Never touches the file system.
//!
//! A [`RepoPath`] is what segments store and answers show: relative to the root, `/` between
//! parts, exact characters as on disk. A [`PathSet`] is the one glob implementation: the walker,
//! the search filters and every tool use it, so a pattern means the same everywhere.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::fmt;

/// A normalized relative path: no empty, `.` or `..` part, no NUL, no leading or trailing `/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Box<str>);

/// Why a text is not a [`RepoPath`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathError {
    /// The path is empty.
    Empty,
    /// The path starts with `/`, or with a drive letter.
    Absolute,
    /// A part is empty, `.` or `..`.
    Part,
    /// The path holds a NUL character.
    Nul,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PathError::Empty => "the path is empty",
            PathError::Absolute => "the path is absolute; give it relative to the repository root",
            PathError::Part => "the path leaves the repository or has an empty part",
            PathError::Nul => "the path holds a NUL character",
        })
    }
}

impl RepoPath {
    /// Returns `text` as a path if it already is in normal form.
    ///
    /// # Errors
    /// Says which rule of the normal form is broken.
    pub fn new(text: &str) -> Result<Self, PathError> {
        if text.is_empty() {
            return Err(PathError::Empty);
        }
        if text.contains('\0') {
            return Err(PathError::Nul);
        }
        if text.starts_with('/') {
            return Err(PathError::Absolute);
        }
        if text.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(PathError::Part);
        }
        Ok(RepoPath(text.into()))
    }

    /// Returns what a person typed as a path: `./` and doubled or trailing `/` are dropped and inner
    /// `..` parts are resolved.
    ///
    /// # Errors
    /// As [`RepoPath::new`]; a path that climbs out of the root is [`PathError::Part`].
    pub fn normalize(text: &str) -> Result<Self, PathError> {
        if text.starts_with('/') {
            return Err(PathError::Absolute);
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop().ok_or(PathError::Part)?;
                }
                part => parts.push(part),
            }
        }
        Self::new(&parts.join("/"))
    }

    /// Returns the text of the path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the last part.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// Returns what precedes the last part, empty at the root.
    pub fn parent(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(parent, _)| parent)
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A pattern that cannot be used, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobError {
    /// The pattern as given.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "invalid path pattern '{}': {}",
            self.pattern, self.reason
        )
    }
}

impl std::error::Error for GlobError {}

/// Include and exclude patterns over [`RepoPath`]s.
///
/// - `*` and `?` do not match `/`, `**` matches any number of parts including none; `[ab]` and
///   `{a,b}` work; every other character, `_` included, is literal and case counts.
/// - A pattern without `/` matches a name at any depth (`*.rs`, `target`); one with `/` is anchored
///   at the root, with or without a leading `/` or `./`.
/// - A pattern that matches a directory matches everything below it, with or without trailing `/`.
/// - A leading `!` makes the pattern an exclusion. A path is in the set when it matches at least one
///   inclusion (or there is none) and no exclusion.
#[derive(Clone)]
pub struct PathSet {
    include: Option<GlobSet>,
    exclude: GlobSet,
    /// The patterns as given, exclusions with `!`: what tells two sets apart.
    patterns: Vec<String>,
}

impl fmt::Debug for PathSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PathSet").field(&self.patterns).finish()
    }
}

impl PathSet {
    /// Compiles `patterns`; patterns in `exclude` are exclusions without needing a `!`.
    ///
    /// # Errors
    /// Returns the first pattern that is empty or not a valid glob.
    pub fn new<P: AsRef<str>, E: AsRef<str>>(
        patterns: &[P],
        exclude: &[E],
    ) -> Result<Self, GlobError> {
        let mut included = GlobSetBuilder::new();
        let mut excluded = GlobSetBuilder::new();
        let mut any_include = false;
        let mut given = Vec::new();
        for pattern in patterns {
            let pattern = pattern.as_ref();
            given.push(pattern.to_string());
            match pattern.strip_prefix('!') {
                Some(rest) => add(&mut excluded, pattern, rest)?,
                None => {
                    any_include = true;
                    add(&mut included, pattern, pattern)?;
                }
            }
        }
        for pattern in exclude {
            let pattern = pattern.as_ref();
            let body = pattern.strip_prefix('!').unwrap_or(pattern);
            given.push(format!("!{body}"));
            add(&mut excluded, pattern, body)?;
        }
        let build = |builder: GlobSetBuilder| {
            builder.build().map_err(|error| GlobError {
                pattern: "(all together)".into(),
                reason: error.kind().to_string(),
            })
        };
        Ok(PathSet {
            include: any_include.then(|| build(included)).transpose()?,
            exclude: build(excluded)?,
            patterns: given,
        })
    }

    /// Returns the set of all paths.
    pub fn all() -> Self {
        PathSet {
            include: None,
            exclude: GlobSet::empty(),
            patterns: Vec::new(),
        }
    }

    /// Returns the patterns as given, exclusions with `!` in front.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Returns whether no pattern restricts the set.
    pub fn is_all(&self) -> bool {
        self.include.is_none() && self.exclude.is_empty()
    }

    /// Returns whether `path` is in the set.
    pub fn contains(&self, path: &str) -> bool {
        self.include.as_ref().is_none_or(|set| set.is_match(path)) && !self.exclude.is_match(path)
    }
}

fn add(builder: &mut GlobSetBuilder, shown: &str, body: &str) -> Result<(), GlobError> {
    let fail = |reason: String| GlobError {
        pattern: shown.to_string(),
        reason,
    };
    let trimmed = body.strip_prefix("./").unwrap_or(body);
    let anchored = trimmed.starts_with('/');
    let trimmed = trimmed.trim_start_matches('/').trim_end_matches('/');
    if trimmed.is_empty() || trimmed == "." {
        if body.is_empty() {
            return Err(fail("the pattern is empty".into()));
        }
        return add(builder, shown, "**");
    }
    if trimmed.split('/').any(|part| part == "..") {
        return Err(fail("'..' leaves the repository".into()));
    }
    let rooted = if anchored || trimmed.contains('/') {
        trimmed.to_string()
    } else {
        format!("**/{trimmed}")
    };
    for glob in [rooted.clone(), format!("{rooted}/**")] {
        let glob = GlobBuilder::new(&glob)
            .literal_separator(true)
            .backslash_escape(true)
            .build()
            .map_err(|error| fail(error.kind().to_string()))?;
        builder.add(glob);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(patterns: &[&str], path: &str) -> bool {
        PathSet::new(patterns, &[] as &[&str])
            .unwrap_or_else(|error| panic!("{error}"))
            .contains(path)
    }

    #[test]
    fn characters_are_literal_and_case_counts() {
        assert!(check(&["src/my_file.ts"], "src/my_file.ts"));
        assert!(!check(&["src/my_file.ts"], "src/myXfile.ts"));
        assert!(!check(&["ALPHA/**"], "alpha/x"));
        assert!(!check(&["src/*.rs"], "src/a/b.rs"));
    }

    #[test]
    fn directories_names_and_depth() {
        assert!(check(&["**/node_modules/**"], "node_modules/x"));
        assert!(check(&["**/node_modules/**"], "a/b/node_modules/c/x"));
        assert!(check(&["src"], "src/a/b.rs") && check(&["src"], "lib/src/b.rs"));
        assert!(check(&["src/"], "src/a/b.rs") && check(&["./src/a"], "src/a/b.rs"));
        assert!(!check(&["/src"], "lib/src/b.rs"));
        assert!(check(&["*.rs"], "a/b.rs") && check(&["."], "a/b.rs"));
        assert!(!check(&["*.rs", "!a/**"], "a/b.rs"));
    }

    #[test]
    fn bad_patterns_say_which_and_why() {
        let error = PathSet::new(&["src/[a"], &[] as &[&str]).map(|_| ());
        assert!(error.is_err_and(|e| e.pattern == "src/[a" && !e.reason.is_empty()));
        assert!(PathSet::new(&[""], &[] as &[&str]).is_err());
        assert!(PathSet::new(&["../x"], &[] as &[&str]).is_err());
    }

    #[test]
    fn paths_are_normal_or_refused() {
        assert_eq!(RepoPath::new("/etc/passwd"), Err(PathError::Absolute));
        assert_eq!(RepoPath::new("a/../b"), Err(PathError::Part));
        assert_eq!(
            RepoPath::normalize("./a//b/../c/").map(|p| p.to_string()),
            Ok("a/c".into())
        );
        assert_eq!(RepoPath::normalize("a/../../secret"), Err(PathError::Part));
        assert_eq!(
            RepoPath::new("a/b.rs").map(|p| p.file_name().to_string()),
            Ok("b.rs".into())
        );
    }
}
