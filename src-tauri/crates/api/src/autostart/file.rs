//! A file that says what the session starts, as a Linux desktop and macOS have it.

use std::{fs, io, path::PathBuf};

use crate::{ApiError, Code};

/// A file that says what the session starts.
pub(super) struct File(pub(super) PathBuf);

impl File {
    /// As a whole or not at all: half a file would start something else.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), ApiError> {
        self.put(bytes).map_err(|error| self.failed("written", &error))
    }

    fn put(&self, bytes: &[u8]) -> io::Result<()> {
        let dir = self.0.parent().expect("BUG: it lies in a folder");
        let name = self.0.file_name().expect("BUG: it has a name");
        fs::create_dir_all(dir)?;
        let beside = dir.join(format!(".{}.new", name.display()));
        fs::write(&beside, bytes)?;
        fs::rename(&beside, &self.0)
    }

    /// Takes it away, if it is there.
    pub(super) fn remove(&self) -> Result<(), ApiError> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.failed("taken away", &error)),
            _ => Ok(()),
        }
    }

    fn failed(&self, what: &str, error: &io::Error) -> ApiError {
        let message = format!("{} cannot be {what}: {error}. It is as it was", self.0.display());
        ApiError::new(Code::StorageDenied, message)
    }
}
