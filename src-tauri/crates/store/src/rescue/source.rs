//! The database that a salvage reads: the damaged one, or, when that lost its end, a copy whose end is marked as lost.
//!
//! SQLite refuses a file that is shorter than its first page says; with a log beside it, it goes on and takes what is not
//! there for zeros, which can pass for the end of a long text. And a page of which only a part is there reads as if the rest
//! were zeros. So the copy has whole pages alone, and behind them bytes of which no page, no text and no number of ours
//! consists.

use std::{
    fs,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{RescueError, Stop};
use crate::{
    OpenError, data_dir,
    header::{self, Header, NoHeader},
    open,
};

/// What stands for each byte that is lost.
const LOST: u8 = 0xFF;

/// Of what is lost, at most so many bytes are marked, whatever a file says of its length. Beside the bytes that there are
/// a salvage writes no more than these. Further behind no value of ours can reach that begins in what is left.
const MARKED: u64 = 64 << 20;

/// Bytes copied before `stop` is looked at again.
const PORTION: u64 = 16 << 20;

/// The files of a database as a rescue reads them: the originals, or a copy.
pub(super) struct Source {
    path: PathBuf,
    /// Bytes that there are, of the database and its log.
    pub(super) bytes: u64,
    /// Removed with this.
    copy: Option<Marked>,
}

impl Source {
    pub(super) fn of(db: &Path, stop: &Stop) -> Result<Self, RescueError> {
        let (len, logged) = open::lengths(db)?;
        let len = len.ok_or_else(|| RescueError::Missing(db.to_owned()))?;
        let copy = match marked_len(db, len, logged)? {
            Some((whole, marked)) => Some(Marked::make(db, whole, marked, stop)?),
            None => None,
        };
        let path = copy.as_ref().map_or(db, |copy| &copy.0).to_owned();
        Ok(Self { path, bytes: len.saturating_add(logged), copy })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether lost bytes are marked: then a number of which each bit is set is none.
    pub(super) fn is_marked(&self) -> bool {
        self.copy.is_some()
    }
}

/// How many bytes are whole pages, and how long the database is with its lost end; none when it has its end.
fn marked_len(db: &Path, len: u64, logged: u64) -> Result<Option<(u64, u64)>, OpenError> {
    let (page, named) = match Header::read(db) {
        Ok(header) => (header.page_size, header.len()),
        // All of it may be in the log, the size of its pages too.
        Err(NoHeader::Cut) => (header::page_size_of_log(db).unwrap_or(u64::MAX), 0),
        // SQLite says what is to be said of it.
        Err(NoHeader::Other) => return Ok(None),
        Err(NoHeader::Io(error)) => return Err(OpenError::io(db, &error)),
    };
    let whole = len - len % page;
    if whole == len && named <= len && len > 0 {
        return Ok(None);
    }
    if whole == 0 && (logged == 0 || page == u64::MAX) {
        let detail = "it is cut short, and not one page of it is left".to_owned();
        return Err(OpenError::Damaged { path: db.to_owned(), detail });
    }
    Ok(Some((whole, named.clamp(whole + page, whole + MARKED))))
}

/// A copy beside the damaged database, with one of its log.
struct Marked(PathBuf);

impl Marked {
    fn make(db: &Path, whole: u64, marked: u64, stop: &Stop) -> Result<Self, RescueError> {
        let copy = Self(header::beside(db, ".cut.part"));
        copy.remove().map_err(|error| RescueError::io(&copy.0, &error))?;
        let made = copy.fill(db, whole, marked, stop);
        stop.heeded(made.map_err(|error| RescueError::io(&copy.0, &error)))?;
        Ok(copy)
    }

    fn fill(&self, db: &Path, whole: u64, marked: u64, stop: &Stop) -> io::Result<()> {
        let mut to = data_dir::create_private(&self.0)?;
        portions(&mut signalbox_files::open(db)?.take(whole), &mut to, stop)?;
        // Should the file have become shorter meanwhile.
        to.seek(SeekFrom::Start(whole))?;
        portions(&mut io::repeat(LOST).take(marked - whole), &mut to, stop)?;
        match signalbox_files::open(&header::log_of(db)) {
            Ok(mut log) => portions(&mut log, &mut data_dir::create_private(&header::log_of(&self.0))?, stop),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn remove(&self) -> io::Result<()> {
        ["", "-wal", "-shm"].iter().try_for_each(|end| match fs::remove_file(header::beside(&self.0, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
    }
}

impl Drop for Marked {
    fn drop(&mut self) {
        if let Err(error) = self.remove() {
            tracing::warn!(%error, "a copy of the damaged database stays in the data directory");
        }
    }
}

fn portions(from: &mut impl Read, to: &mut impl Write, stop: &Stop) -> io::Result<()> {
    while !stop.asked() && io::copy(&mut from.take(PORTION), to)? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_head_names_only_so_much_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let db = dir.path().join(data_dir::FILE);
        let mut page = vec![0; 4096];
        page[..16].copy_from_slice(b"SQLite format 3\0");
        page[16..18].copy_from_slice(&4096_u16.to_be_bytes());
        page[28..32].copy_from_slice(&u32::MAX.to_be_bytes());
        fs::write(&db, &page).unwrap();
        let source = Source::of(&db, &Stop::default()).unwrap();
        assert!(source.is_marked() && source.path() != db, "the damaged one is never written to");
        assert_eq!(fs::metadata(source.path()).unwrap().len(), 4096 + MARKED, "not 17 TB");
        drop(source);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "the copy goes with it");
        assert!(fs::read(&db).unwrap() == page);
    }
}
