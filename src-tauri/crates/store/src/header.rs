//! What the first bytes of a database's file, and of its log, say by themselves. Nothing of it is to be believed: it can
//! only refuse.

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};

/// The head of a database's file, as SQLite's file format has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    /// The size of one page, in bytes.
    pub(crate) page_size: u64,
    pub(crate) pages: u64,
    pub(crate) format: u32,
    pub(crate) application_id: u32,
}

/// Why there is none.
#[derive(Debug)]
pub(crate) enum NoHeader {
    /// The file ends before.
    Cut,
    /// It is none of a database.
    Other,
    Io(io::Error),
}

impl Header {
    pub(crate) fn read(path: &Path) -> Result<Self, NoHeader> {
        let bytes: [u8; 100] = first(path)?;
        let page_size = match u64::from(u16::from_be_bytes([bytes[16], bytes[17]])) {
            1 => 65_536,
            size => size,
        };
        if !bytes.starts_with(b"SQLite format 3\0") || !is_page_size(page_size) {
            return Err(NoHeader::Other);
        }
        let [pages, format, application_id] = [28, 60, 68].map(|at| number(&bytes, at));
        Ok(Self { page_size, pages: u64::from(pages), format, application_id })
    }

    /// How long the file should be (bytes), if the log beside it does not know better.
    pub(crate) fn len(&self) -> u64 {
        self.pages * self.page_size
    }
}

/// The page size (bytes) that the log beside a database names; none when there is no log.
pub(crate) fn page_size_of_log(db: &Path) -> Option<u64> {
    let bytes: [u8; 32] = first(&log_of(db)).ok()?;
    let size = u64::from(number(&bytes, 8));
    (matches!(number(&bytes, 0), 0x377f_0682 | 0x377f_0683) && is_page_size(size)).then_some(size)
}

/// Where SQLite keeps the log of a database.
pub(crate) fn log_of(db: &Path) -> PathBuf {
    beside(db, "-wal")
}

/// What SQLite keeps beside a database, by the end of its name.
pub(crate) fn beside(db: &Path, end: &str) -> PathBuf {
    let mut name = db.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

fn first<const N: usize>(path: &Path) -> Result<[u8; N], NoHeader> {
    let mut bytes = [0; N];
    match signalbox_files::open(path).and_then(|mut file| file.read_exact(&mut bytes)) {
        Ok(()) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(NoHeader::Cut),
        Err(error) => Err(NoHeader::Io(error)),
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn is_page_size(size: u64) -> bool {
    size.is_power_of_two() && (512..=65_536).contains(&size)
}
