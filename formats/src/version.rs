//! What can be read, what is written, and what the content of a snapshot depends on.

use crate::error::FormatError;
use leantoken_shared::digest::{ContentHash, Hasher};
use leantoken_shared::syntax::AnalysisLimits;
use std::fmt;
use std::path::Path;

/// The version of the bytes: a new major cannot be read by old readers, a new minor can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FormatVersion {
    /// Changes when old readers cannot read.
    pub major: u32,
    /// Changes when something is added that old readers may ignore.
    pub minor: u32,
}

/// The oldest format that is read.
pub const READ_MIN: FormatVersion = FormatVersion { major: 1, minor: 0 };

/// The format that is written.
pub const WRITE: FormatVersion = FormatVersion { major: 1, minor: 0 };

/// The features a manifest may require of its reader.
pub const FEATURES: [&str; 2] = ["seg.core.v1", "seg.text.v1"];

impl fmt::Display for FormatVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Returns an error that names both sides unless `found`, read from `path`, can be read here.
///
/// # Errors
/// [`FormatError::Incompatible`].
pub fn check_readable(path: &Path, found: FormatVersion) -> Result<(), FormatError> {
    if found.major < READ_MIN.major || found.major > WRITE.major {
        return Err(FormatError::Incompatible {
            path: path.into(),
            found: found.to_string(),
            readable: format!("{READ_MIN} to {}.*", WRITE.major),
        });
    }
    Ok(())
}

/// The generation of facts, chunks, words and postings, for people; the fingerprint also knows the
/// sources they come from.
pub const ANALYSIS: u32 = 2;

/// The sum of the sources that decide what a snapshot holds, made by the build script.
const SOURCES: &str = env!("LEANTOKEN_SOURCES");

/// The parser and its grammars, as pinned in the lock file.
const GRAMMARS: [(&str, &str); 18] = [
    ("tree-sitter", "0.27.1"),
    ("tree-sitter-bash", "0.25.1"),
    ("tree-sitter-c", "0.24.2"),
    ("tree-sitter-c-sharp", "0.23.5"),
    ("tree-sitter-cpp", "0.23.4"),
    ("tree-sitter-elixir", "0.3.5"),
    ("tree-sitter-go", "0.25.0"),
    ("tree-sitter-java", "0.23.5"),
    ("tree-sitter-javascript", "0.25.0"),
    ("tree-sitter-kotlin-ng", "1.1.0"),
    ("tree-sitter-lua", "0.5.0"),
    ("tree-sitter-php", "0.25.1"),
    ("tree-sitter-python", "0.25.0"),
    ("tree-sitter-ruby", "0.23.1"),
    ("tree-sitter-rust", "0.24.2"),
    ("tree-sitter-scala", "0.26.9"),
    ("tree-sitter-swift", "0.7.4"),
    ("tree-sitter-typescript", "0.23.2"),
];

/// The version of everything that a snapshot's content depends on besides the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisVersion {
    /// [`ANALYSIS`].
    pub number: u32,
    /// The digest of [`ANALYSIS`], the sources, format, analysis limits, and the versions of grammars,
    /// SQLite and zstd. Segments are mixed in one snapshot, and stored facts reused, only when it is equal.
    pub fingerprint: ContentHash,
}

/// Returns the SQLite version number, such as 3054001.
pub fn sqlite_version() -> u32 {
    rusqlite::version_number().unsigned_abs()
}

/// Returns the version of the running program.
pub fn analysis() -> AnalysisVersion {
    let mut hasher = Hasher::new();
    let mut feed = |key: &str, value: &str| {
        for part in [key, value] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
    };
    feed("analysis", &ANALYSIS.to_string());
    feed("sources", SOURCES);
    feed("format", &WRITE.to_string());
    feed("limits", &format!("{:?}", AnalysisLimits::STANDARD));
    for (name, version) in GRAMMARS {
        feed(name, version);
    }
    feed("sqlite", &sqlite_version().to_string());
    feed("zstd", &zstd::zstd_safe::version_number().to_string());
    AnalysisVersion {
        number: ANALYSIS,
        fingerprint: hasher.finish(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_grammars_is_that_of_the_lock_file() {
        let lock = include_str!("../../Cargo.lock").replace("\r\n", "\n");
        for (name, version) in GRAMMARS {
            let pinned = format!("name = \"{name}\"\nversion = \"{version}\"\n");
            assert!(
                lock.contains(&pinned),
                "{name} is not {version} in Cargo.lock"
            );
        }
    }

    #[test]
    fn only_known_majors_are_read() {
        let path = Path::new("x");
        let check = |major, minor| check_readable(path, FormatVersion { major, minor });
        assert!(check(1, 0).is_ok() && check(1, 99).is_ok());
        assert!(check(0, 9).is_err() && check(2, 0).is_err());
    }
}
