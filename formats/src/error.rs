//! What can go wrong with stored bytes.

use leantoken_shared::category::Category;
use rusqlite::ErrorCode;
use std::io;
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

    /// Returns what the user can do about it, when there is something.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            FormatError::Io { source, .. } => disk_hint(source.kind()),
            FormatError::Sql { source, .. } => disk_hint(match source.sqlite_error_code()? {
                ErrorCode::DiskFull => io::ErrorKind::StorageFull,
                ErrorCode::ReadOnly => io::ErrorKind::ReadOnlyFilesystem,
                ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
                    io::ErrorKind::PermissionDenied
                }
                ErrorCode::OutOfMemory => io::ErrorKind::OutOfMemory,
                _ => io::ErrorKind::Other,
            }),
            FormatError::Corrupt { .. } => Some("build the snapshot again"),
            FormatError::Incompatible { .. } => Some("build it with the same version as this"),
            FormatError::Contract(_) => None,
        }
    }
}

/// Returns what helps when the disk, or who owns it, refuses a file.
pub fn disk_hint(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::WriteZero => {
            Some("the disk is full; free some space or choose another directory")
        }
        io::ErrorKind::PermissionDenied
        | io::ErrorKind::ReadOnlyFilesystem
        | io::ErrorKind::NotADirectory
        | io::ErrorKind::AlreadyExists => {
            Some("choose a directory that can be written, as with LEANTOKEN_CACHE_DIR")
        }
        io::ErrorKind::NotFound => {
            Some("see that the directory exists and is not removed meanwhile")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_by_the_system_and_by_sqlite() {
        let code = rusqlite::ffi::SQLITE_FULL;
        let error = FormatError::Sql {
            action: "write",
            path: PathBuf::from("core.db"),
            source: rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None),
        };
        assert_eq!(error.hint(), disk_hint(io::ErrorKind::StorageFull));
        assert!(error.hint().is_some_and(|hint| hint.contains("full")));
    }
}
