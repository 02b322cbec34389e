//! What can go wrong with stored bytes.

use leantoken_shared::category::Category;
use std::path::PathBuf;

/// A fault of a stored file, or of the disk under it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Reading or writing a file failed.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried, as a verb: `read`, `write`, `rename`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// SQLite refused an operation.
    #[error("cannot {action} {}", path.display())]
    Sql {
        /// What was tried, as a verb.
        action: &'static str,
        /// The database file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: rusqlite::Error,
    },
    /// A file is not what its manifest or its format says.
    #[error("{} is damaged: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
    /// A file was written by a version that cannot be read here.
    #[error("{} has format {found}, this program reads {readable}", path.display())]
    Incompatible {
        /// The file.
        path: PathBuf,
        /// The version found.
        found: String,
        /// The versions that can be read.
        readable: String,
    },
    /// Input to a writer breaks its contract.
    #[error("cannot seal: {0}")]
    Contract(String),
}

impl FormatError {
    /// Returns the public class of the error.
    pub fn category(&self) -> Category {
        match self {
            FormatError::Io { .. } | FormatError::Sql { .. } => Category::Unavailable,
            FormatError::Corrupt { .. } => Category::Corrupt,
            FormatError::Incompatible { .. } => Category::Incompatible,
            FormatError::Contract(_) => Category::Internal,
        }
    }
}
