//! Files that a command makes: nothing is ever overwritten.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::exit::Failure;

/// A file that was not there before, readable by us alone. Taken away again unless it is kept.
pub(super) struct NewFile<'a> {
    path: &'a Path,
    to: BufWriter<File>,
    kept: bool,
}

impl<'a> NewFile<'a> {
    pub(super) fn make(path: &'a Path) -> Result<Self, Failure> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Failure::usage(format!(
                "{} is there already, and nothing is ever overwritten: choose another name",
                path.display()
            )),
            _ => Failure::usage(format!("cannot make {}: {error}", path.display())),
        })?;
        Ok(Self { path, to: BufWriter::new(file), kept: false })
    }

    pub(super) fn keep(mut self) -> io::Result<()> {
        self.to.flush()?;
        self.to.get_ref().sync_all()?;
        self.kept = true;
        Ok(())
    }
}

impl Write for NewFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if !self.kept {
            // A half must not be taken for the whole.
            let _ = std::fs::remove_file(self.path);
        }
    }
}
