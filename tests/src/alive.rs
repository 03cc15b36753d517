//! Whether anything of a program still lives.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;

use crate::soon;

/// A pipe that a program opens for reading and writing before it does anything else, as a shell does by `exec 9<>PIPE`:
/// whatever it starts from then on holds it, too.
#[derive(Debug)]
pub struct Alive(PathBuf);

impl Alive {
    /// A pipe at this path.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        Self(path)
    }

    /// What the program opens.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Waits until nobody holds it.
    ///
    /// # Panics
    /// When somebody does for too long.
    pub async fn gone(&self) {
        let mut alive = pipe::OpenOptions::new().open_receiver(&self.0).unwrap();
        // A pipe that nobody holds any more has nothing to tell: that is seen by a look at it.
        let look = rustix::fs::open(&self.0, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty()).unwrap();
        if fs::File::from(look).read(&mut [0]).is_err() {
            soon("the end of all that it started", alive.read_to_end(&mut Vec::new())).await.unwrap();
        }
    }
}
