//! What lies in a data directory is for us alone, and is found again: how its files and directories are made and named.

use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// The database within a data directory.
pub(crate) const FILE: &str = "signalbox.db";

/// SQLite opens no path of more than 512 bytes, for what it makes beside a database neither. This many of them may be that
/// of the database, so that what we make beside it fits, too: the copy before a migration has the longest name.
pub(crate) const LONGEST: usize = 480;

/// A new, empty file that only we can read.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a directory that only we can read, with those above it, where it is missing.
pub(crate) fn private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// A new directory with the first number that is free.
pub(crate) fn numbered(dir: &Path, name: &str) -> io::Result<PathBuf> {
    for n in 1.. {
        let path = dir.join(format!("{name}-{n}"));
        if !path.exists() {
            private_dir(&path)?;
            return Ok(path);
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Brings the names in a directory to the disk.
#[cfg(unix)]
pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// Elsewhere a rename is on the disk by itself.
#[cfg(not(unix))]
pub(crate) fn sync_dir(_: &Path) -> io::Result<()> {
    Ok(())
}
