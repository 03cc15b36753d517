//! Files that we write under fixed names: never through a link, which could lead to any file of this person.

use std::{
    fs::{File, OpenOptions},
    io,
    path::Path,
};

/// Opens a file of ours, with `options` and for us alone when it is made.
///
/// # Errors
/// When what is there is a link, no plain file, another user's, or has a second name somewhere. Nothing was written.
#[cfg(unix)]
pub(crate) fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

    use rustix::fs::OFlags;

    // A pipe without a reader must not make us wait either.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = options.mode(0o600).custom_flags(flags).open(path).map_err(|error| {
        let is_link = path.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        if is_link { odd("it is a link, and Signalbox writes through none: remove it") } else { error }
    })?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(odd("it is not a plain file: move it away"));
    }
    if meta.uid() != crate::home::whoami() {
        return Err(odd("it belongs to another user: move it away"));
    }
    if meta.nlink() != 1 {
        return Err(odd("the same file has another name somewhere (a hard link): move this one away"));
    }
    Ok(file)
}

/// Opens a file of ours, with `options`.
#[cfg(not(unix))]
pub(crate) fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Links take rights there that programs do not have by themselves.
    options.open(path)
}

#[cfg(unix)]
fn odd(why: &str) -> io::Error {
    io::Error::other(why)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    /// What [`open`] says about `odd.lock`, which `put` made beside the file `theirs`.
    fn refused(put: impl Fn(&Path, &Path)) -> String {
        let dir = tempfile::tempdir().unwrap();
        let (theirs, path) = (dir.path().join("theirs"), dir.path().join("odd.lock"));
        fs::write(&theirs, "theirs").unwrap();
        put(&theirs, &path);
        let error = open(OpenOptions::new().append(true).create(true), &path).unwrap_err();
        assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs", "nothing may be written elsewhere");
        error.to_string()
    }

    #[test]
    fn nothing_is_opened_through_another_name() {
        assert!(refused(|theirs, path| symlink(theirs, path).unwrap()).contains("link"));
        assert!(refused(|theirs, path| fs::hard_link(theirs, path).unwrap()).contains("hard link"));
        let dangling = refused(|theirs, path| symlink(theirs.with_extension("new"), path).unwrap());
        assert!(dangling.contains("link"), "a link to nothing would make a file elsewhere: {dangling}");
    }

    #[test]
    fn only_plain_files_are_opened() {
        let error = refused(|_, path| drop(std::os::unix::net::UnixListener::bind(path).unwrap()));
        assert!(!error.is_empty());
        refused(|_, path| fs::create_dir(path).unwrap());
    }

    #[test]
    fn a_file_of_ours_is_made_and_opened_again() {
        use std::os::unix::fs::PermissionsExt;

        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ours.lock");
        for _ in 0..2 {
            let file = open(OpenOptions::new().append(true).create(true), &path).unwrap();
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
