//! The log file: bounded in size, one of a few.
//!
//! `signalbox.log` is the one that is written, `signalbox.1.log` the one before it, and so on. Several programs may
//! write side by side (a window beside `serve`): whoever finds the file full or of another day makes room.

use std::{
    borrow::Cow,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::UNIX_EPOCH,
};

use tracing_subscriber::fmt::MakeWriter;

use crate::private;

/// A file takes no more than this, in bytes.
const LIMIT: u64 = 8 * 1024 * 1024;
/// A line is cut behind this many bytes: what it quotes may be a server's.
const LONGEST_LINE: usize = 16 * 1024;
/// How many files there are: about as many days of ordinary use.
pub(crate) const FILES: u32 = 7;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The file of number `n`; 0 is the one that is written.
pub(crate) fn path(dir: &Path, n: u32) -> PathBuf {
    dir.join(if n == 0 { "signalbox.log".to_owned() } else { format!("signalbox.{n}.log") })
}

fn today() -> i64 {
    signalbox_engine::wall().0.div_euclid(DAY_MS)
}

/// Writes lines, and makes room for them.
pub(super) struct LogFile {
    dir: PathBuf,
    limit: u64,
    today: fn() -> i64,
    open: Mutex<Open>,
}

struct Open {
    file: File,
    bytes: u64,
    day: i64,
}

impl LogFile {
    /// Goes on with the file in `dir`.
    pub(super) fn open(dir: &Path) -> io::Result<Self> {
        Self::with(dir, LIMIT, today)
    }

    fn with(dir: &Path, limit: u64, today: fn() -> i64) -> io::Result<Self> {
        let open = Mutex::new(Open::at(&path(dir, 0), today())?);
        Ok(Self { dir: dir.to_owned(), limit, today, open })
    }

    fn write(&self, line: &[u8]) -> io::Result<()> {
        let line = &*cut(line);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (today, more) = ((self.today)(), line.len() as u64);
        let over = |open: &Open| open.bytes > 0 && (open.day != today || open.bytes + more > self.limit);
        if over(&open) {
            // Another program may have made room already.
            *open = Open::at(&path(&self.dir, 0), today)?;
            if over(&open) {
                *open = self.fresh(today)?;
            }
        }
        open.file.write_all(line)?;
        open.bytes += more;
        Ok(())
    }

    /// Moves every file one number up, the oldest out, and begins a new one.
    fn fresh(&self, today: i64) -> io::Result<Open> {
        for n in (1..FILES).rev() {
            // What is not there yet has not to move.
            let _ = fs::rename(path(&self.dir, n - 1), path(&self.dir, n));
        }
        let open = Open::at(&path(&self.dir, 0), today)?;
        if open.bytes > 0 {
            // It cannot be moved. A lost log is better than a full disk.
            open.file.set_len(0)?;
        }
        Ok(Open { bytes: 0, day: today, ..open })
    }
}

/// A line that is not too long.
fn cut(line: &[u8]) -> Cow<'_, [u8]> {
    if line.len() <= LONGEST_LINE {
        return Cow::Borrowed(line);
    }
    let whole = line[..LONGEST_LINE].utf8_chunks().next().map_or(&[][..], |chunk| chunk.valid().as_bytes());
    Cow::Owned([whole, format!("… and {} more bytes\n", line.len() - whole.len()).as_bytes()].concat())
}

impl Open {
    fn at(path: &Path, today: i64) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        let file = private::open(&mut options, path)?;
        let meta = file.metadata()?;
        let written = meta.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let day = written.and_then(|at| i64::try_from(at.as_millis()).ok()).map(|ms| ms / DAY_MS);
        let day = day.filter(|_| meta.len() > 0).unwrap_or(today);
        Ok(Self { bytes: meta.len(), day, file })
    }
}

/// One writer per line: the formatter writes an event at once.
impl<'a> MakeWriter<'a> for LogFile {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line(self)
    }
}

pub(super) struct Line<'a>(&'a LogFile);

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(dir: &Path) -> Vec<u64> {
        (0..=FILES).map_while(|n| fs::metadata(path(dir, n)).ok()).map(|meta| meta.len()).collect()
    }

    #[test]
    fn a_flood_fills_a_few_files_and_no_disk() {
        let dir = tempfile::tempdir().unwrap();
        let log = LogFile::with(dir.path(), 100, today).unwrap();
        for _ in 0..1_000 {
            log.write(&[b'x'; 30]).unwrap();
        }
        assert_eq!(sizes(dir.path()), [30, 90, 90, 90, 90, 90, 90], "seven files, none over its limit");
        log.write(&[b'y'; 500]).unwrap();
        assert_eq!(sizes(dir.path())[0], 500, "a line over the limit is kept whole, alone in its file");

        let dir = tempfile::tempdir().unwrap();
        File::create(path(dir.path(), 0)).unwrap().set_len(LIMIT - 10).unwrap();
        let log = LogFile::open(dir.path()).unwrap();
        log.write(&[b'x'; 10]).unwrap();
        assert_eq!(sizes(dir.path()), [LIMIT], "there is room for this much");
        log.write(&[b'x'; 10]).unwrap();
        assert_eq!(sizes(dir.path()), [10, LIMIT], "and for no more");
    }

    #[test]
    fn a_line_without_an_end_is_cut() {
        let dir = tempfile::tempdir().unwrap();
        let log = LogFile::open(dir.path()).unwrap();
        log.write("ü".repeat(LONGEST_LINE).as_bytes()).unwrap();
        log.write(format!("x{}", "ü".repeat(LONGEST_LINE)).as_bytes()).unwrap();
        log.write(b"next\n").unwrap();
        let text = fs::read_to_string(path(dir.path(), 0)).unwrap();
        let lines: Vec<_> = text.lines().collect();
        let cut = format!("{}… and {LONGEST_LINE} more bytes", "ü".repeat(LONGEST_LINE / 2));
        assert_eq!((lines.len(), lines[0]), (3, cut.as_str()));
        assert!(
            lines[1].ends_with("ü… and 16386 more bytes"),
            "whole characters only: {}",
            &lines[1][16_001..]
        );
        assert_eq!(lines[2], "next");
    }

    #[test]
    fn each_day_has_a_file_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        LogFile::with(dir.path(), 1_000, today).unwrap().write(b"one\n").unwrap();
        let log = LogFile::with(dir.path(), 1_000, || today() + 1).unwrap();
        log.write(b"two\n").unwrap();
        log.write(b"three\n").unwrap();
        assert_eq!(fs::read_to_string(path(dir.path(), 0)).unwrap(), "two\nthree\n");
        assert_eq!(fs::read_to_string(path(dir.path(), 1)).unwrap(), "one\n");
    }

    #[test]
    fn two_programs_make_room_once() {
        let dir = tempfile::tempdir().unwrap();
        let programs = [(); 2].map(|()| LogFile::with(dir.path(), 100, today).unwrap());
        programs[0].write(&[b'x'; 60]).unwrap();
        programs[1].write(&[b'x'; 70]).unwrap();
        programs[0].write(&[b'x'; 60]).unwrap();
        programs[1].write(&[b'x'; 35]).unwrap();
        assert_eq!(sizes(dir.path()), [95, 130], "the second goes on in the file that the first made");
    }
}
