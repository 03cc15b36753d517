//! Reads files that somebody else may have put there: at a path that a configuration names, or in a directory that was
//! damaged. Whoever opens a pipe may wait for ever, a device has no end, and a file may be larger than any memory.
//!
//! What a person names on the command line for this one moment is not read so: there a shell gives a pipe for `<(…)`, and
//! the person can interrupt.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read},
    path::Path,
};

/// Opens a regular file for reading, through links, and never waits for somebody at its other end.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] when it is a pipe, a device, a socket or a directory; and what opening says.
pub fn open(path: &Path) -> io::Result<File> {
    // To open a device can do something by itself, so it is looked at before; what is opened may be another file by then.
    regular(path.metadata()?.is_file())?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    let file = options.open(path)?;
    regular(file.metadata()?.is_file())?;
    Ok(file)
}

/// All of a regular file that has at most `limit` bytes; of a larger one nothing is read.
///
/// # Errors
/// [`io::ErrorKind::FileTooLarge`] when it has more, and as [`open`].
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let too_large =
        || Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit} bytes")));
    let size = file.metadata()?.len();
    if size > limit {
        return too_large();
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    // It may grow meanwhile, and some that the system makes up have no size.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { too_large() } else { Ok(bytes) }
}

fn regular(is: bool) -> io::Result<()> {
    let odd = "it is a pipe, a device or a directory, and no regular file";
    if is { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, odd)) }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    fn kind(read: io::Result<Vec<u8>>) -> io::ErrorKind {
        read.expect_err("nothing is read").kind()
    }

    #[test]
    fn a_file_is_read_as_far_as_it_may_be_large() {
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("file"), dir.path().join("link"));
        fs::write(&path, "12345").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!(read(&link, 5).unwrap(), b"12345");
        assert_eq!(kind(read(&path, 4)), io::ErrorKind::FileTooLarge);
        assert_eq!(kind(read(&dir.path().join("none"), 4)), io::ErrorKind::NotFound);
    }

    #[test]
    fn what_is_no_regular_file_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let (pipe, link) = (dir.path().join("pipe"), dir.path().join("link"));
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        for odd in [&*pipe, &*link, dir.path(), Path::new("/dev/zero")] {
            assert_eq!(kind(read(odd, u64::MAX)), io::ErrorKind::InvalidInput, "{}", odd.display());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_without_a_size_is_bounded_all_the_same() {
        assert_eq!(kind(read(Path::new("/proc/self/status"), 16)), io::ErrorKind::FileTooLarge);
    }
}
