//! Where to answer from: flags and environment to resolved settings. The only place of this crate that
//! reads the environment.
//!
//! Not here: command-line types (see `cli::args`). Order: flag, own variable, the host's variable, the
//! nearest version-control root above the working directory, the working directory.

use crate::error::Error;
use leantoken_builder::error::BuildError;
use leantoken_shared::digest::ContentHash;
use std::path::{Path, PathBuf};

/// What the environment says, read once.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `LEANTOKEN_ROOT`: the root to answer about.
    pub root: Option<PathBuf>,
    /// `LEANTOKEN_SNAPSHOT`: a prebuilt snapshot, `DIR` or `DIR#generation`.
    pub snapshot: Option<String>,
    /// `CLAUDE_PROJECT_DIR`: the project of the host that started the MCP server.
    pub project_dir: Option<PathBuf>,
    /// `LEANTOKEN_LOG`: what is logged to stderr, off when unset.
    pub log: Option<String>,
    /// `CI`: lines instead of a progress bar.
    pub ci: bool,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The user's cache directory of this program.
    pub cache_dir: Option<PathBuf>,
    /// The working directory.
    pub cwd: Option<PathBuf>,
}

impl Environment {
    /// Reads the environment. Empty variables count as unset.
    pub fn read() -> Self {
        let var = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let path = |name| var(name).map(PathBuf::from);
        let text = |name| var(name).map(|value| value.to_string_lossy().into_owned());
        let home = path("HOME").or_else(|| path("USERPROFILE"));
        let cache_home = path("XDG_CACHE_HOME")
            .filter(|dir| dir.is_absolute())
            .or_else(|| path("LOCALAPPDATA"))
            .or_else(|| home.as_ref().map(|home| home.join(".cache")));
        Environment {
            root: path("LEANTOKEN_ROOT"),
            snapshot: text("LEANTOKEN_SNAPSHOT"),
            project_dir: path("CLAUDE_PROJECT_DIR"),
            log: text("LEANTOKEN_LOG"),
            ci: var("CI").is_some_and(|value| value != "false" && value != "0"),
            cache_dir: path("LEANTOKEN_CACHE_DIR")
                .or_else(|| cache_home.map(|dir| dir.join("leantoken"))),
            cwd: std::env::current_dir().ok(),
            home,
        }
    }
}

/// Where answers come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A directory on this machine; its snapshot is kept in the user's cache.
    Local {
        /// The root, absolute.
        root: PathBuf,
        /// Where snapshots are kept.
        cache_dir: PathBuf,
    },
    /// A prebuilt snapshot, never changed.
    Snapshot {
        /// Its directory.
        dir: PathBuf,
        /// Its identity; `None` when the directory holds just one.
        generation: Option<ContentHash>,
    },
}

/// What the caller said about where to answer from.
#[derive(Clone, Debug, Default)]
pub struct SourceChoice {
    /// `--root`.
    pub root: Option<PathBuf>,
    /// `--snapshot`.
    pub snapshot: Option<String>,
    /// Whether a host started this process for a project it names in the environment.
    pub is_hosted: bool,
}

/// Resolves where answers come from.
///
/// # Errors
/// No usable root, no cache directory, or a snapshot name that cannot be understood.
pub fn resolve(choice: &SourceChoice, environment: &Environment) -> Result<Source, Error> {
    let snapshot = match (&choice.snapshot, &choice.root) {
        (Some(snapshot), _) => Some(snapshot),
        (None, Some(_)) => None,
        (None, None) => environment.snapshot.as_ref(),
    };
    if let Some(snapshot) = snapshot {
        return parse_snapshot(snapshot);
    }
    let root = find_root(choice, environment)?;
    local(&root, environment)
}

/// Returns the source that answers about the directory `root`.
///
/// # Errors
/// It is not a directory, is too wide a place, or there is no cache directory.
pub fn local(root: &Path, environment: &Environment) -> Result<Source, Error> {
    let absolute = root.canonicalize().map_err(|error| Error::Root {
        message: format!("cannot open the root {}: {error}", root.display()),
        hint: "give a directory that exists with --root".into(),
    })?;
    if !absolute.is_dir() {
        return Err(Error::Root {
            message: format!("the root {} is not a directory", root.display()),
            hint: "give the directory with --root; to look at one file, use read".into(),
        });
    }
    if let Some(what) = too_wide(&absolute, environment) {
        return Err(refused(&absolute, what));
    }
    let cache_dir = environment.cache_dir.clone().ok_or_else(|| Error::Root {
        message: "no cache directory: neither LEANTOKEN_CACHE_DIR nor HOME is set".into(),
        hint: "set LEANTOKEN_CACHE_DIR to a directory that can be written".into(),
    })?;
    Ok(Source::Local {
        root: absolute,
        cache_dir,
    })
}

fn parse_snapshot(text: &str) -> Result<Source, Error> {
    let bad = |message: String| Error::Root {
        message,
        hint: "write --snapshot DIR or --snapshot DIR#b3:<64 hexadecimal digits>".into(),
    };
    let (dir, generation) = match text.rsplit_once('#') {
        Some((dir, generation)) if !Path::new(text).is_dir() => (dir, Some(generation)),
        _ => (text, None),
    };
    let generation = generation
        .map(|hex| {
            ContentHash::from_hex(hex.trim_start_matches("b3:"))
                .ok_or_else(|| bad(format!("'{hex}' is not the identity of a snapshot")))
        })
        .transpose()?;
    if !Path::new(dir).is_dir() {
        return Err(Error::Build(BuildError::NoSnapshot {
            dir: dir.into(),
            what: "is no directory of snapshots".into(),
        }));
    }
    Ok(Source::Snapshot {
        dir: dir.into(),
        generation,
    })
}

fn find_root(choice: &SourceChoice, environment: &Environment) -> Result<PathBuf, Error> {
    let named = choice.root.as_ref().or(environment.root.as_ref());
    let hosted = environment
        .project_dir
        .as_ref()
        .filter(|_| choice.is_hosted);
    if let Some(root) = named.or(hosted) {
        return Ok(root.clone());
    }
    let cwd = environment.cwd.as_ref().ok_or_else(|| Error::Root {
        message: "the working directory cannot be read".into(),
        hint: "give the directory with --root".into(),
    })?;
    let repository = cwd
        .ancestors()
        .find(|dir| is_repository(dir))
        .filter(|dir| too_wide(dir, environment).is_none());
    let root = repository.unwrap_or(cwd);
    match too_wide(root, environment) {
        Some(what) => Err(refused(root, what)),
        None => Ok(root.to_owned()),
    }
}

fn is_repository(dir: &Path) -> bool {
    [".git", ".hg", ".jj", ".svn"]
        .iter()
        .any(|name| dir.join(name).exists())
}

/// Says why `root` is a place that nobody means to index.
fn too_wide(root: &Path, environment: &Environment) -> Option<&'static str> {
    if root.parent().is_none() {
        return Some("the root of the file system");
    }
    let home = environment.home.as_ref()?;
    let real_home = home.canonicalize().unwrap_or_else(|_| home.clone());
    if root == home || root == real_home {
        return Some("the home directory");
    }
    (home.starts_with(root) || real_home.starts_with(root)).then_some("above the home directory")
}

fn refused(root: &Path, what: &str) -> Error {
    Error::Root {
        message: format!("refusing to index {}: it is {what}", root.display()),
        hint: "name the project directory with --root or LEANTOKEN_ROOT".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(dir: &Path, cwd: &Path) -> Environment {
        Environment {
            home: Some(dir.join("home")),
            cache_dir: Some(dir.join("cache")),
            cwd: Some(cwd.to_owned()),
            ..Environment::default()
        }
    }

    fn root_of(choice: &SourceChoice, environment: &Environment) -> Result<PathBuf, String> {
        match resolve(choice, environment) {
            Ok(Source::Local { root, .. }) => Ok(root),
            Ok(other) => Err(format!("{other:?}")),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn the_nearest_repository_wins_and_wide_places_are_refused() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().canonicalize().unwrap();
        let deep = dir.join("home/work/project/src");
        std::fs::create_dir_all(&deep).unwrap();
        let choice = SourceChoice::default();
        assert_eq!(root_of(&choice, &environment(&dir, &deep)).unwrap(), deep);
        std::fs::create_dir(dir.join("home/.git")).unwrap();
        assert_eq!(root_of(&choice, &environment(&dir, &deep)).unwrap(), deep);
        std::fs::write(dir.join("home/work/project/.git"), "gitdir: x").unwrap();
        let found = root_of(&choice, &environment(&dir, &deep)).unwrap();
        assert_eq!(found, dir.join("home/work/project"));
        for (cwd, why) in [("home", "the home directory"), ("", "above the home")] {
            let refused = root_of(&choice, &environment(&dir, &dir.join(cwd))).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
        let explicit = SourceChoice {
            root: Some("/".into()),
            ..SourceChoice::default()
        };
        let refused = root_of(&explicit, &environment(&dir, &deep)).unwrap_err();
        assert!(refused.contains("file system"), "{refused}");
    }

    #[test]
    fn flags_go_before_variables_before_the_host() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().canonicalize().unwrap();
        for name in ["home", "a", "b", "c"] {
            std::fs::create_dir(dir.join(name)).unwrap();
        }
        let mut environment = environment(&dir, &dir.join("a"));
        let mut choice = SourceChoice {
            is_hosted: true,
            ..SourceChoice::default()
        };
        environment.project_dir = Some(dir.join("c"));
        assert_eq!(root_of(&choice, &environment).unwrap(), dir.join("c"));
        environment.root = Some(dir.join("b"));
        assert_eq!(root_of(&choice, &environment).unwrap(), dir.join("b"));
        environment.snapshot = Some(dir.join("a").display().to_string());
        assert!(matches!(
            resolve(&choice, &environment),
            Ok(Source::Snapshot { .. })
        ));
        choice.root = Some(dir.join("a"));
        assert_eq!(root_of(&choice, &environment).unwrap(), dir.join("a"));
        choice.snapshot = Some(format!("{}#b3:12", dir.display()));
        assert!(
            root_of(&choice, &environment)
                .unwrap_err()
                .contains("identity")
        );
        choice.snapshot = None;
        choice.root = Some(dir.join("missing"));
        assert!(
            root_of(&choice, &environment)
                .unwrap_err()
                .contains("missing")
        );
    }
}
