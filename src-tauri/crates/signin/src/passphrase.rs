//! The passphrase of an encrypted file, from where a program without a terminal can get it.
//!
//! A passphrase goes one way, into the owner: it is no argument, no variable and no part of an answer. The owner has it
//! as long as the file is open, since a window hands it on, through a pipe, to the `serve` that it leaves its tasks to.

use std::{
    env, fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

#[cfg(unix)]
use std::os::fd::RawFd;

use crate::{SecretError, SecretValue};

/// The longest passphrase taken, in bytes.
const LIMIT: u64 = 4096;

/// The passphrase of an encrypted file. Shown by no debug output.
#[derive(Clone)]
pub struct Passphrase(SecretValue);

impl Passphrase {
    /// Takes a passphrase over, as a person typed it.
    ///
    /// # Errors
    /// When it is empty or longer than 4096 bytes.
    pub fn new(text: impl Into<String>) -> Result<Self, SecretError> {
        Self::check(SecretValue::new(text), "what was typed")
    }

    /// Reads it from a file, without line ends after it. Waits where that is a pipe.
    ///
    /// # Errors
    /// When it cannot be read, is empty, too long or not UTF-8.
    pub fn from_file(path: &Path) -> Result<Self, SecretError> {
        let place = path.display().to_string();
        let missing = |error: io::Error| missing(&place, error);
        Self::read(File::open(path).map_err(missing)?, &place)
    }

    /// Reads it from a file descriptor that this process was started with, to its end, and closes that: programs that are
    /// started from here on would inherit it, and could read the passphrase again. Standard input, which they do not, stays.
    ///
    /// # Errors
    /// As [`Self::from_file`].
    #[cfg(unix)]
    pub fn from_descriptor(descriptor: u32) -> Result<Self, SecretError> {
        let place = format!("file descriptor {descriptor}");
        let file = File::open(format!("/dev/fd/{descriptor}")).map_err(|error| missing(&place, error))?;
        let passphrase = Self::read(file, &place);
        // Whatever was read: it may be the passphrase all the same.
        if let Ok(number @ 3..) = RawFd::try_from(descriptor) {
            nix::unistd::close(number).map_err(|error| missing(&place, error.into()))?;
        }
        passphrase
    }

    /// Reads it from a credential that the service manager passed on: the file `name` in `$CREDENTIALS_DIRECTORY`. None
    /// when there is no such credential.
    ///
    /// # Errors
    /// As [`Self::from_file`].
    pub fn from_credential(name: &str) -> Result<Option<Self>, SecretError> {
        match env::var_os("CREDENTIALS_DIRECTORY") {
            Some(directory) => Self::in_directory(&PathBuf::from(directory), name),
            None => Ok(None),
        }
    }

    fn in_directory(directory: &Path, name: &str) -> Result<Option<Self>, SecretError> {
        let path = directory.join(name);
        if path.exists() { Self::from_file(&path).map(Some) } else { Ok(None) }
    }

    fn read(file: File, place: &str) -> Result<Self, SecretError> {
        let mut text = String::new();
        file.take(LIMIT + 2).read_to_string(&mut text).map_err(|error| missing(place, error))?;
        let value = SecretValue::new(text);
        Self::check(SecretValue::new(value.expose().trim_end_matches(['\r', '\n'])), place)
    }

    fn check(value: SecretValue, place: &str) -> Result<Self, SecretError> {
        match value.expose().len() as u64 {
            0 => Err(SecretError::NoPassphrase { place: place.to_owned(), why: "it is empty".into() }),
            1..=LIMIT => Ok(Self(value)),
            _ => Err(SecretError::NoPassphrase {
                place: place.to_owned(),
                why: format!("it is longer than {LIMIT} bytes"),
            }),
        }
    }

    /// The passphrase itself: for the cipher, and for the owner of the data directory.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase(…)")
    }
}

fn missing(place: &str, error: io::Error) -> SecretError {
    SecretError::NoPassphrase { place: place.to_owned(), why: error.to_string() }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_gives_its_text_without_line_ends_after_it() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("signalbox"), " pass word\r\n").unwrap();
        let found = Passphrase::in_directory(dir.path(), "signalbox").unwrap().unwrap();
        assert_eq!(found.expose(), " pass word", "spaces belong to it");
        assert!(
            Passphrase::in_directory(dir.path(), "other").unwrap().is_none(),
            "no credential is no error"
        );
        assert_eq!(format!("{found:?}"), "Passphrase(…)");
    }

    #[test]
    fn what_is_no_passphrase_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bad");
        let limit = usize::try_from(LIMIT).unwrap();
        for bad in [b"\n".to_vec(), vec![0xff], vec![b'x'; limit + 1]] {
            fs::write(&path, &bad).unwrap();
            let error = Passphrase::from_file(&path).unwrap_err();
            assert!(matches!(error, SecretError::NoPassphrase { .. }), "{error}");
        }
        assert!(Passphrase::from_file(&dir.path().join("none")).is_err());
        fs::write(&path, format!("{}\n", "x".repeat(limit))).unwrap();
        assert!(Passphrase::from_file(&path).is_ok(), "the longest one with its line end");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_gives_it_to_its_end() {
        use std::{io::Write, os::fd::IntoRawFd};
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"from the parent\n").unwrap();
        drop(writer);
        let number = u32::try_from(reader.into_raw_fd()).unwrap();
        assert_eq!(Passphrase::from_descriptor(number).unwrap().expose(), "from the parent");
    }
}
