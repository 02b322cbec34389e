//! What the environment says, read once. The only place of this program that reads it.

use std::ffi::OsString;
use std::path::PathBuf;

/// The environment of the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// The user's cache directory of LeanToken.
    pub(crate) cache_dir: Option<PathBuf>,
    /// The user's home directory.
    pub(crate) home: Option<PathBuf>,
    /// Whether a CI system runs the program: lines instead of a progress bar.
    pub(crate) ci: bool,
}

impl Environment {
    /// Reads the environment. Empty variables count as unset.
    pub(crate) fn read() -> Self {
        Self::from(|name| std::env::var_os(name))
    }

    fn from(lookup: impl Fn(&str) -> Option<OsString>) -> Self {
        let var = |name| lookup(name).filter(|value| !value.is_empty());
        let path = |name| var(name).map(PathBuf::from);
        let home = path("HOME").or_else(|| path("USERPROFILE"));
        let cache_home = path("XDG_CACHE_HOME")
            .filter(|dir| dir.is_absolute())
            .or_else(|| path("LOCALAPPDATA"))
            .or_else(|| home.as_ref().map(|home| home.join(".cache")));
        Environment {
            cache_dir: path("LEANTOKEN_CACHE_DIR")
                .or_else(|| cache_home.map(|dir| dir.join("leantoken"))),
            home,
            ci: var("CI").is_some_and(|value| value != "false" && value != "0"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache_dir(set: &[(&str, &str)]) -> Option<PathBuf> {
        let lookup = |name: &str| {
            let found = set.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        };
        Environment::from(lookup).cache_dir
    }

    #[test]
    fn the_cache_directory_follows_the_usual_order() {
        let home = ("HOME", "/home/a");
        assert_eq!(cache_dir(&[home]), Some("/home/a/.cache/leantoken".into()));
        assert_eq!(
            cache_dir(&[home, ("XDG_CACHE_HOME", "/c")]),
            Some("/c/leantoken".into())
        );
        assert_eq!(
            cache_dir(&[home, ("XDG_CACHE_HOME", "relative")]),
            cache_dir(&[home])
        );
        assert_eq!(
            cache_dir(&[home, ("LEANTOKEN_CACHE_DIR", "/l")]),
            Some("/l".into())
        );
        assert_eq!(
            cache_dir(&[home, ("LEANTOKEN_CACHE_DIR", "")]),
            cache_dir(&[home])
        );
        assert_eq!(cache_dir(&[]), None);
    }
}
