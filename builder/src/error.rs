//! What can stop a build.
//!
//! Not here: faults of single files. A file that cannot be read, decoded or parsed is a counted skip or
//! a note, never an error; see [`crate::report`].

use leantoken_formats::error::{FormatError, disk_hint};
use leantoken_shared::category::Category;
use std::io;
use std::path::{Path, PathBuf};

/// A fault that leaves no new snapshot behind. The previous one stays as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The root does not exist or is not a directory.
    #[error("{} is not a directory that can be read", path.display())]
    Root {
        /// The root as given.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The root is a place that nobody means to index.
    #[error("refusing to index {}: it is {what}", path.display())]
    RefusedRoot {
        /// The root.
        path: PathBuf,
        /// What it is: `the file system root`, `the home directory`.
        what: &'static str,
    },
    /// The tree exceeds a limit of the whole walk.
    #[error("the tree has more than {limit} {what}")]
    TooMuch {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// There is no snapshot where one was named.
    #[error("{} {what}", dir.display())]
    NoSnapshot {
        /// The snapshot directory.
        dir: PathBuf,
        /// What was found instead, as in `holds no snapshot`.
        what: String,
    },
    /// A setting is out of its range.
    #[error("{name} must be {range}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// What it may be.
        range: &'static str,
    },
    /// Reading or writing outside the tree failed.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// Other users could change what the cache holds.
    #[error("refusing the cache {}: others can write to it", path.display())]
    Exposed {
        /// The directory.
        path: PathBuf,
    },
    /// Another process builds the snapshot and is not done yet.
    #[error("another process is building the snapshot of {}", root.display())]
    Busy {
        /// The working tree.
        root: PathBuf,
    },
    /// The snapshot files could not be written, or an existing snapshot could not be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A thread of the build ended unexpectedly.
    #[error("a worker of the build stopped without a result")]
    Worker,
}

impl BuildError {
    /// Returns an I/O error with its context.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        BuildError::Io {
            action,
            path: path.to_path_buf(),
            source,
        }
    }

    /// Returns the public class of the error.
    pub fn category(&self) -> Category {
        match self {
            BuildError::Root { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                Category::NotFound
            }
            BuildError::NoSnapshot { .. } => Category::NotFound,
            BuildError::Root { .. } | BuildError::Io { .. } | BuildError::Busy { .. } => {
                Category::Unavailable
            }
            BuildError::RefusedRoot { .. }
            | BuildError::Setting { .. }
            | BuildError::Exposed { .. } => Category::InvalidRequest,
            BuildError::TooMuch { .. } => Category::LimitExceeded,
            BuildError::Format(error) => error.category(),
            BuildError::Worker => Category::Internal,
        }
    }

    /// Returns what the user can do about it, when there is something. Options of programs are not
    /// named: each program has its own.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            BuildError::RefusedRoot { .. } => Some("name the directory of one project"),
            BuildError::TooMuch { .. } => Some(
                "exclude generated trees with a .leantokenignore file, or index a sub-directory",
            ),
            BuildError::Exposed { .. } => {
                Some("take the write permission from group and others, or set LEANTOKEN_CACHE_DIR")
            }
            BuildError::NoSnapshot { .. } => {
                Some("build one with leantoken-build build, or name one of those that are there")
            }
            BuildError::Busy { .. } => Some("ask again in a few seconds"),
            BuildError::Root { .. } => Some("give a directory that exists and that you can read"),
            BuildError::Io { source, .. } => disk_hint(source.kind()),
            BuildError::Format(error) => error.hint(),
            BuildError::Setting { .. } => Some("see leantoken-build build --help"),
            BuildError::Worker => Some("report it with the command that led here"),
        }
    }
}
