//! What differs between operating systems: permissions, renaming over, syncing a directory.

use crate::error::FormatError;
use std::fs::File;
use std::io;
use std::path::Path;

/// Makes an open file read-only for everybody.
pub(crate) fn make_read_only(file: &File) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        permissions.set_mode(0o444);
    }
    #[cfg(not(unix))]
    permissions.set_readonly(true);
    file.set_permissions(permissions)
}

/// Renames a sealed file to its final name. One that is there already has the same bytes.
pub(crate) fn rename_sealed(from: &Path, to: &Path) -> Result<(), FormatError> {
    // Elsewhere a file cannot be replaced while somebody has it open.
    if cfg!(not(unix)) && to.exists() {
        return Ok(());
    }
    rename(from, to)
}

/// Renames `from` to `to`, replacing it.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), FormatError> {
    std::fs::rename(from, to).map_err(|source| FormatError::Io {
        action: "rename to",
        path: to.into(),
        source,
    })
}

/// Makes the names in `dir` durable where the system can.
pub(crate) fn sync_dir(dir: &Path) -> Result<(), FormatError> {
    #[cfg(unix)]
    File::open(dir)
        .and_then(|dir| dir.sync_all())
        .map_err(|source| FormatError::Io {
            action: "sync",
            path: dir.into(),
            source,
        })?;
    #[cfg(not(unix))]
    let _ = dir;
    Ok(())
}
