//! Relative names inside a snapshot directory. Pure strings; `/` between parts.
//!
//! ```text
//! manifests/<generation>.json
//! blobs/<digest>.core.db    blobs/<digest>.text.db
//! CACHEDIR.TAG              .gitignore
//! ```

use leantoken_shared::digest::ContentHash;

/// The directory of manifests.
pub const MANIFESTS: &str = "manifests";

/// The directory of sealed files.
pub const BLOBS: &str = "blobs";

/// The file that marks a snapshot directory as one that can be made again: walkers and backups leave
/// it out by the convention for cache directories.
pub const CACHE_TAG: &str = "CACHEDIR.TAG";

/// What the tag file begins with, by the same convention.
pub const CACHE_SIGNATURE: &str = "Signature: 8a477f597d28d172789f06886806bc55";

/// Which half of a segment a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlobRole {
    /// Everything but the bodies.
    Core,
    /// The bodies.
    Text,
}

impl BlobRole {
    /// Returns the stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            BlobRole::Core => "core",
            BlobRole::Text => "text",
        }
    }

    /// Returns the role with the stable name `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        [BlobRole::Core, BlobRole::Text]
            .into_iter()
            .find(|role| role.as_str() == name)
    }
}

/// Returns the name of the manifest of a generation.
pub fn manifest(generation: &ContentHash) -> String {
    format!("{MANIFESTS}/{}.json", generation.hex())
}

/// Returns the name of a sealed file.
pub fn blob(role: BlobRole, hash: &ContentHash) -> String {
    format!("{BLOBS}/{}", blob_file(role, hash))
}

/// Returns the last part of the name of a sealed file.
pub fn blob_file(role: BlobRole, hash: &ContentHash) -> String {
    format!("{}.{}.db", hash.hex(), role.as_str())
}
