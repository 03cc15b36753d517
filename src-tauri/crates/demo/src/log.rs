//! Append-only files of JSON lines: the state file and the journal.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};

/// A file that is only ever appended to, one JSON document per line.
#[derive(Debug)]
pub(crate) struct Log(File);

impl Log {
    /// Open or create it, readable by its owner alone (it holds task ids and answers).
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true).read(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path).map(Self)
    }

    /// Append one line in one write, so that a crash leaves at most one torn line at the end.
    pub(crate) fn append(&mut self, entry: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.0.write_all(&line)
    }

    /// As [`Log::append`], and on the disk before this returns.
    pub(crate) fn append_durably(&mut self, entry: &impl Serialize) -> io::Result<()> {
        self.append(entry)?;
        self.0.sync_data()
    }

    /// All lines so far; `Err` for one that is none of ours (a torn one, after a crash). Changes nothing.
    pub(crate) fn replay<T: DeserializeOwned>(&self) -> io::Result<Vec<Result<T, serde_json::Error>>> {
        BufReader::new(&self.0).split(b'\n').map(|line| Ok(serde_json::from_slice(&line?))).collect()
    }

    /// End a line that a crash left torn, so that the next one is not glued to it.
    pub(crate) fn end_torn_line(&mut self) -> io::Result<()> {
        let mut last = [b'\n'];
        if self.0.metadata()?.len() > 0 {
            self.0.seek(SeekFrom::End(-1))?;
            self.0.read_exact(&mut last)?;
        }
        if last == [b'\n'] { Ok(()) } else { self.0.write_all(b"\n") }
    }
}
