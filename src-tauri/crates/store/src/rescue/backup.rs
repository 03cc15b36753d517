//! A copy of everything in one file, made while everything runs.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{RescueError, Stop};
use crate::{
    OpenError, Reads,
    copy::{Copied, whole},
    data_dir,
};

impl Reads {
    /// Copies the database as it is at this moment, large payloads included, into one new file that only we can read. The
    /// writer goes on meanwhile. See [`restore`](super::restore).
    ///
    /// # Errors
    /// When `to` (or `to` with `.part` behind) is there already or cannot be written, the database cannot be read, or `stop`
    /// asks before it is done: then there is no file `to`.
    pub fn backup(&self, to: &Path, stop: &Stop) -> Result<Copied, RescueError> {
        let mut part = to.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        for path in [to, &part] {
            if path.symlink_metadata().is_ok() {
                return Err(RescueError::Exists(path.to_owned()));
            }
        }
        let unwritable = || RescueError::Unwritable(to.to_owned());
        if !directory(to).is_dir() {
            return Err(unwritable());
        }
        let _hold = self.files().hold();
        let copied = self.with(|conn| Ok(whole(conn, self.path(), self.files(), &part, stop)?));
        let done = stop.heeded(copied).and_then(|copied| publish(&part, to).map(|()| copied));
        if done.is_err() {
            // Best effort: it is ours, and of no use.
            let _ = fs::remove_file(&part);
        }
        done.map_err(|error| match error {
            RescueError::Unusable(OpenError::NoAccess { path }) if path == part => unwritable(),
            error => error,
        })
    }
}

fn directory(of: &Path) -> &Path {
    let parent = of.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Gives the finished copy its name, unless somebody has taken it meanwhile.
fn publish(part: &Path, to: &Path) -> Result<(), RescueError> {
    let failed = |error: io::Error| RescueError::io(to, &error);
    match fs::hard_link(part, to) {
        Ok(()) => fs::remove_file(part).map_err(failed)?,
        // Some file systems have no links.
        Err(_) if to.symlink_metadata().is_err() => fs::rename(part, to).map_err(failed)?,
        Err(_) => return Err(RescueError::Exists(to.to_owned())),
    }
    data_dir::sync_dir(directory(to)).map_err(failed)
}
