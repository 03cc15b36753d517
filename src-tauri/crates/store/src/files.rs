//! Large payloads as files beside the database, so that a result of many megabytes never goes through its log.
//!
//! A file is whole and on the disk before the transaction that names it commits, and is deleted only after one that no
//! longer names it has. What is named by nobody at a start is moved aside, whole files never deleted: a crash can have left
//! them, but so can somebody who put another database in the place of the one that names them.

use std::{
    fs::{self, File},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use signalbox_model::{CallId, Json, PayloadKind, Word};

use crate::{Digest, FileFault, ReadError, data_dir};

/// JSON of more bytes than this is kept as a file.
pub(crate) const LARGE: usize = 256 << 10;

/// The directory of the files within a data directory.
pub(crate) const DIR: &str = "payloads";

/// What directories are called into which goes what lies here and belongs to no database, with a number behind.
pub(crate) const STRAYS: &str = "strays";

/// A payload's file, as its row names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileRow {
    pub(crate) name: String,
    /// The size of the file, in bytes.
    pub(crate) size: u64,
    pub(crate) sha256: Digest,
}

/// The files of a data directory.
#[derive(Debug)]
pub(crate) struct Files {
    dir: PathBuf,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    readers: usize,
    /// To be deleted once nobody reads.
    unneeded: Vec<String>,
}

impl Files {
    pub(crate) fn of(data_dir: &Path) -> Self {
        Self { dir: data_dir.join(DIR), held: Mutex::default() }
    }

    /// The path of a file; none for what cannot be the name of one of ours, such as a path to somewhere else.
    fn path(&self, name: &str) -> Option<PathBuf> {
        (Path::new(name).file_name()? == name).then(|| self.dir.join(name))
    }

    /// Makes a file that is whole and on the disk when this returns.
    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        if !self.dir.is_dir() {
            data_dir::private_dir(&self.dir)?;
            self.dir.parent().map_or(Ok(()), data_dir::sync_dir)?;
        }
        let path = self.dir.join(name);
        let part = path.with_extension("part");
        let written = write_private(&part, text).and_then(|()| fs::rename(&part, &path));
        if written.is_err() {
            // Best effort: what stays is deleted at the next start.
            let _ = fs::remove_file(&part);
        }
        written?;
        data_dir::sync_dir(&self.dir)
    }

    /// The JSON of a file that is what its row says.
    pub(crate) fn read(&self, row: &FileRow) -> Result<Json, ReadError> {
        let failed = |why| Err(ReadError::PayloadFile { name: row.name.clone(), why });
        let Some(path) = self.path(&row.name) else { return failed(FileFault::Missing) };
        let bytes = match signalbox_files::read(&path, row.size) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return failed(FileFault::Missing),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return failed(FileFault::Changed),
            Err(error) => return failed(FileFault::Unreadable(error.to_string())),
        };
        if bytes.len() as u64 != row.size || Digest::of(&bytes) != row.sha256 {
            return failed(FileFault::Changed);
        }
        let text = String::from_utf8(bytes).ok();
        text.and_then(|text| Json::parse(text).ok()).map_or_else(|| failed(FileFault::Changed), Ok)
    }

    /// The beginning of a file, at most so many bytes, whether the rest is as it was or not.
    pub(crate) fn beginning(&self, row: &FileRow, most: usize) -> Result<String, FileFault> {
        let read = || -> io::Result<Vec<u8>> {
            let file = signalbox_files::open(&self.path(&row.name).ok_or(io::ErrorKind::NotFound)?)?;
            let mut bytes = Vec::new();
            file.take(most as u64).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        match read() {
            // A character may be cut at the end.
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(FileFault::Missing),
            Err(error) => Err(FileFault::Unreadable(error.to_string())),
        }
    }

    /// What is wrong with a file. Reads all of it, a little at a time.
    pub(crate) fn fault(&self, row: &FileRow) -> Option<FileFault> {
        let digest = || {
            let file = signalbox_files::open(&self.path(&row.name).ok_or(io::ErrorKind::NotFound)?)?;
            if file.metadata()?.len() != row.size {
                return Ok(None);
            }
            Digest::of_all(file).map(Some)
        };
        match digest() {
            Ok(digest) => (digest != Some(row.sha256)).then_some(FileFault::Changed),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(FileFault::Missing),
            Err(error) => Some(FileFault::Unreadable(error.to_string())),
        }
    }

    /// While this is held no file is deleted, so that what a snapshot names stays there.
    pub(crate) fn hold(&self) -> Hold<'_> {
        self.lock().readers += 1;
        Hold(self)
    }

    /// Deletes files that no row names any more, as soon as nobody reads.
    fn remove(&self, names: Vec<String>) {
        if names.is_empty() {
            return;
        }
        let mut held = self.lock();
        held.unneeded.extend(names);
        self.let_go(held);
    }

    /// Deletes what nobody reads any more. The lock is open again by then: large files take their time, and the writer must not
    /// wait for a check that gives way to it.
    fn let_go(&self, mut held: MutexGuard<'_, Held>) {
        if held.readers > 0 {
            return;
        }
        let unneeded = std::mem::take(&mut held.unneeded);
        drop(held);
        self.discard(unneeded);
    }

    /// Deletes files that no committed row names and no reader holds. At once: the next try makes files of the same names.
    fn discard(&self, names: impl IntoIterator<Item = String>) {
        for path in names.into_iter().filter_map(|name| self.path(&name)) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    tracing::warn!(%error, "a payload's file stays until the next start");
                }
                _ => {}
            }
        }
    }

    /// Moves whatever `named` does not know into a new directory `strays-N` beside the files, which it returns; deletes
    /// only files that never became whole.
    ///
    /// By its name alone a file cannot be told from one that a database put here by hand, or restored from somewhere, does
    /// not know yet: its numbers may be lower than those the files were written under.
    pub(crate) fn tidy(
        &self,
        mut named: impl FnMut(&str) -> rusqlite::Result<bool>,
    ) -> io::Result<rusqlite::Result<Option<PathBuf>>> {
        let entries = match fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ok(None)),
            entries => entries?,
        };
        let mut strays = Vec::new();
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let known = match name.to_str().map(&mut named).transpose() {
                Ok(known) => known.unwrap_or(false),
                Err(error) => return Ok(Err(error)),
            };
            if known || !entry.file_type()?.is_file() {
                continue;
            }
            if Path::new(&name).extension().is_some_and(|extension| extension == "part") {
                fs::remove_file(entry.path())?;
            } else {
                strays.push(name);
            }
        }
        if strays.is_empty() {
            return Ok(Ok(None));
        }
        let aside = data_dir::numbered(self.dir.parent().unwrap_or(Path::new("")), STRAYS)?;
        for name in &strays {
            fs::rename(self.dir.join(name), aside.join(name))?;
        }
        data_dir::sync_dir(&aside)?;
        data_dir::sync_dir(&self.dir)?;
        tracing::warn!(
            files = strays.len(), aside = %aside.display(),
            "files of payloads that the database does not name were moved aside"
        );
        Ok(Ok(Some(aside)))
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file: File = data_dir::create_private(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// See [`Files::hold`].
pub(crate) struct Hold<'a>(&'a Files);

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let mut held = self.0.lock();
        held.readers -= 1;
        self.0.let_go(held);
    }
}

/// The files one transaction makes and no longer needs. Dropped without [`Shelf::kept`] it takes back what it made.
pub(crate) struct Shelf {
    files: Arc<Files>,
    seq: u64,
    /// How many bytes it may still put there; none: as many as the disk takes.
    room: Option<u64>,
    count: usize,
    made: Vec<String>,
    unneeded: Vec<String>,
}

impl Shelf {
    pub(crate) fn of(files: &Arc<Files>, seq: u64, room: Option<u64>) -> Self {
        let (made, unneeded) = (Vec::new(), Vec::new());
        Self { files: Arc::clone(files), seq, room, count: 0, made, unneeded }
    }

    /// Puts a payload on the disk. Its name is that of no file a committed row names: transactions never share a number.
    pub(crate) fn put(&mut self, call: CallId, kind: PayloadKind, json: &Json) -> io::Result<FileRow> {
        let text = json.text();
        let size = text.len() as u64;
        if let Some(room) = &mut self.room {
            *room = room.checked_sub(size).ok_or(io::ErrorKind::StorageFull)?;
        }
        self.count += 1;
        let name = format!("{call}-{}-{}-{}.json", kind.word(), self.seq, self.count);
        self.files.write(&name, text)?;
        self.made.push(name.clone());
        Ok(FileRow { name, size, sha256: Digest::of(text) })
    }

    /// A row that names this file is gone, if the transaction holds.
    pub(crate) fn take_off(&mut self, names: impl IntoIterator<Item = String>) {
        self.unneeded.extend(names);
    }

    /// The transaction is on the disk.
    pub(crate) fn kept(mut self) {
        self.made.clear();
        self.files.remove(std::mem::take(&mut self.unneeded));
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        self.files.discard(self.made.drain(..));
    }
}
