//! What differs between operating systems: stat data, and opening a file below a root without
//! following links.
//!
//! Not here: any policy. Invariant: on unix a file opened here lies below the root, no part of its path
//! was a symbolic link when it was opened, and opening never waits for a writer of a FIFO.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// What a file system tells about a file without reading it. Two equal values from the same path mean
/// the same bytes, unless the clock is too coarse to tell (see the racy rule of the stat cache).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stat {
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change of the content, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Time of the last change of content or attributes, in nanoseconds since 1970; 0 where unknown.
    pub ctime_ns: i64,
    /// Number of the file on its device; 0 where unknown.
    pub inode: u64,
    /// Device; 0 where unknown.
    pub dev: u64,
}

/// Why a file below the root cannot be opened.
#[derive(Debug)]
pub(crate) enum OpenError {
    /// A part of its path is a symbolic link.
    Link,
    /// The system refuses.
    Io(io::Error),
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        OpenError::Io(error)
    }
}

/// The directory that is indexed, held open so that later opens cannot leave it.
#[derive(Debug)]
pub struct RootDir {
    path: PathBuf,
    #[cfg(unix)]
    handle: File,
}

impl RootDir {
    /// Opens `path`, following links in it, and remembers its canonical form.
    ///
    /// # Errors
    /// When it does not exist, is not a directory or may not be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        if !path.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        Ok(RootDir {
            #[cfg(unix)]
            handle: File::open(&path)?,
            path,
        })
    }

    /// Returns the canonical path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the file at `relative` for reading.
    ///
    /// # Errors
    /// When a part of the path is a symbolic link, or the system refuses.
    pub(crate) fn open_file(&self, relative: &str) -> Result<File, OpenError> {
        imp::open_file(self, relative)
    }
}

/// Returns the stat data of `meta`.
pub fn stat(meta: &Metadata) -> Stat {
    imp::stat(meta)
}

/// Restricts a directory to its owner, where the system knows owners.
///
/// # Errors
/// When the permissions cannot be changed.
pub fn make_private(directory: &Path) -> io::Result<()> {
    imp::make_private(directory)
}

/// Returns whether only the current user (or the administrator) can write to `meta`'s file.
pub fn is_private(meta: &Metadata) -> bool {
    imp::is_private(meta)
}

/// Renames a sealed file to its name; one that is there already has the same bytes.
///
/// # Errors
/// When the system refuses.
pub(crate) fn rename_sealed(from: &Path, to: &Path) -> io::Result<()> {
    // Elsewhere a file that is read-only or open cannot be replaced.
    if cfg!(not(unix)) && to.exists() {
        return std::fs::remove_file(from);
    }
    std::fs::rename(from, to)
}

/// Removes a sealed file, which is read-only.
///
/// # Errors
/// When the system refuses.
pub(crate) fn remove_sealed(path: &Path) -> io::Result<()> {
    imp::make_removable(path)?;
    std::fs::remove_file(path)
}

/// Makes the child the head of its own process group, so that [`kill_group`] reaches what it started.
pub(crate) fn own_group(command: &mut Command) {
    imp::own_group(command);
}

/// Kills a child and, where the system can, everything it started.
pub(crate) fn kill_group(child: &mut Child) {
    imp::kill_group(child);
    let _ = child.kill();
}

#[cfg(unix)]
mod imp {
    use super::{OpenError, RootDir, Stat};
    use rustix::fs::{Mode, OFlags, openat};
    use rustix::io::Errno;
    use std::fs::{File, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::{Child, Command};

    const FILE: OFlags = OFlags::RDONLY
        .union(OFlags::NOFOLLOW)
        .union(OFlags::NONBLOCK)
        .union(OFlags::NOCTTY)
        .union(OFlags::CLOEXEC);
    const DIRECTORY: OFlags = OFlags::RDONLY
        .union(OFlags::NOFOLLOW)
        .union(OFlags::DIRECTORY)
        .union(OFlags::CLOEXEC);

    pub(super) fn open_file(root: &RootDir, relative: &str) -> Result<File, OpenError> {
        #[cfg(target_os = "linux")]
        if let Some(answer) = linux::open_beneath(&root.handle, relative) {
            return answer;
        }
        open_by_parts(root, relative).map_err(plain)
    }

    /// Opens one directory after the other, none of them through a link.
    fn open_by_parts(root: &RootDir, relative: &str) -> Result<File, Errno> {
        let mut directory: Option<File> = None;
        let (parents, name) = relative.rsplit_once('/').unwrap_or(("", relative));
        for part in parents.split('/').filter(|part| !part.is_empty()) {
            let base = directory.as_ref().unwrap_or(&root.handle);
            let next = match openat(base, part, DIRECTORY, Mode::empty()) {
                // A link in place of a directory is reported as "not a directory".
                Err(Errno::NOTDIR) => return Err(Errno::LOOP),
                other => other?,
            };
            directory = Some(File::from(next));
        }
        let base = directory.as_ref().unwrap_or(&root.handle);
        openat(base, name, FILE, Mode::empty()).map(File::from)
    }

    fn plain(errno: Errno) -> OpenError {
        match errno {
            Errno::LOOP => OpenError::Link,
            other => OpenError::Io(other.into()),
        }
    }

    #[cfg(target_os = "linux")]
    mod linux {
        use super::{FILE, plain};
        use crate::platform::OpenError;
        use rustix::fs::{Mode, ResolveFlags, openat2};
        use rustix::io::Errno;
        use std::fs::File;
        use std::sync::atomic::{AtomicBool, Ordering};

        static MISSING: AtomicBool = AtomicBool::new(false);
        const BENEATH: ResolveFlags = ResolveFlags::BENEATH
            .union(ResolveFlags::NO_SYMLINKS)
            .union(ResolveFlags::NO_MAGICLINKS);

        /// Lets the kernel check the whole path in one call; `None` where it cannot.
        pub(super) fn open_beneath(root: &File, relative: &str) -> Option<Result<File, OpenError>> {
            if MISSING.load(Ordering::Relaxed) {
                return None;
            }
            // EAGAIN tells of a rename somewhere on the path meanwhile.
            for _ in 0..8 {
                match openat2(root, relative, FILE, Mode::empty(), BENEATH) {
                    Ok(handle) => return Some(Ok(File::from(handle))),
                    Err(Errno::AGAIN) => {}
                    // Old kernels lack the call, some sandboxes refuse it.
                    Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => {
                        MISSING.store(true, Ordering::Relaxed);
                        return None;
                    }
                    Err(Errno::XDEV) => return Some(Err(plain(Errno::LOOP))),
                    Err(errno) => return Some(Err(plain(errno))),
                }
            }
            None
        }
    }

    pub(super) fn stat(meta: &Metadata) -> Stat {
        let ns = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000) + nanos;
        Stat {
            size: meta.len(),
            mtime_ns: ns(meta.mtime(), meta.mtime_nsec()),
            ctime_ns: ns(meta.ctime(), meta.ctime_nsec()),
            inode: meta.ino(),
            dev: meta.dev(),
        }
    }

    pub(super) fn make_private(directory: &Path) -> io::Result<()> {
        std::fs::set_permissions(directory, Permissions::from_mode(0o700))
    }

    pub(super) fn is_private(meta: &Metadata) -> bool {
        let is_ours = meta.uid() == 0 || meta.uid() == rustix::process::geteuid().as_raw();
        is_ours && meta.mode() & 0o022 == 0
    }

    /// Here the directory decides who may remove a file.
    pub(super) fn make_removable(_path: &Path) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn own_group(command: &mut Command) {
        command.process_group(0);
    }

    pub(super) fn kill_group(child: &mut Child) {
        let pid = i32::try_from(child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = pid {
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        }
    }
}

#[cfg(not(unix))]
mod imp {
    use super::{OpenError, RootDir, Stat};
    use std::fs::{File, Metadata};
    use std::io;
    use std::path::Path;
    use std::process::{Child, Command};
    use std::time::UNIX_EPOCH;

    pub(super) fn open_file(root: &RootDir, relative: &str) -> Result<File, OpenError> {
        let mut path = root.path.clone();
        for part in relative.split('/') {
            path.push(part);
            if path.symlink_metadata()?.file_type().is_symlink() {
                return Err(OpenError::Link);
            }
        }
        Ok(File::open(path)?)
    }

    pub(super) fn stat(meta: &Metadata) -> Stat {
        let since = meta
            .modified()
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Stat {
            size: meta.len(),
            mtime_ns: since.map_or(0, |age| i64::try_from(age.as_nanos()).unwrap_or(i64::MAX)),
            ..Stat::default()
        }
    }

    pub(super) fn make_private(_directory: &Path) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn is_private(_meta: &Metadata) -> bool {
        true
    }

    pub(super) fn make_removable(path: &Path) -> io::Result<()> {
        let mut permissions = std::fs::metadata(path)?.permissions();
        permissions.set_readonly(false);
        std::fs::set_permissions(path, permissions)
    }

    pub(super) fn own_group(_command: &mut Command) {}

    pub(super) fn kill_group(_child: &mut Child) {}
}
