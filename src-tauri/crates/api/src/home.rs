//! The data directory: where it is, that it is ours alone, and what lies in it.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{ApiError, Code, places};

/// Socket paths longer than this do not fit into the system's address (`sun_path` less its final zero), in bytes.
#[cfg(unix)]
const SOCKET_PATH_LIMIT: usize = 103;

/// A data directory that exists and belongs to us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    dir: PathBuf,
}

impl Home {
    /// The data directory of a program: `--home`, else `SIGNALBOX_HOME`, else the platform's place for such data.
    /// Made when it is not there yet.
    ///
    /// # Errors
    /// [`Code::StorageDenied`] when it cannot be made or does not belong to us alone, [`Code::StorageFull`].
    pub fn resolve(flag: Option<PathBuf>) -> Result<Self, ApiError> {
        let wished =
            flag.or_else(|| env::var_os("SIGNALBOX_HOME").filter(|v| !v.is_empty()).map(PathBuf::from));
        let dir = wished.or_else(places::usual).ok_or_else(|| {
            ApiError::new(
                Code::StorageDenied,
                "Signalbox does not know where your home directory is: name a data directory with --home",
            )
        })?;
        Self::at(&dir)
    }

    /// This directory, made when it is not there yet.
    ///
    /// # Errors
    /// As [`Home::resolve`].
    pub fn at(dir: &Path) -> Result<Self, ApiError> {
        make_private(dir)?;
        let dir = fs::canonicalize(dir).map_err(|error| storage(dir, &error))?;
        check_ours(&dir)?;
        Ok(Self { dir })
    }

    /// The directory itself, free of links and relative parts.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether it is the platform's place for such data, where a program comes that is told of no other.
    #[must_use]
    pub(crate) fn is_usual(&self) -> bool {
        places::usual().is_some_and(|usual| self.is_at(&usual))
    }

    fn is_at(&self, dir: &Path) -> bool {
        fs::canonicalize(dir).is_ok_and(|dir| dir == self.dir)
    }

    /// Whether we may write into it; a medium that takes no writing says no to everybody.
    ///
    /// # Errors
    /// [`Code::StorageDenied`], with what can be done.
    pub(crate) fn writable(&self) -> Result<(), ApiError> {
        #[cfg(unix)]
        {
            use rustix::fs::{Access, access};

            let may = access(&self.dir, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK);
            may.map_err(|error| unwritable(&self.dir, &error.into()))?;
        }
        Ok(())
    }

    /// Where the logs are: in the directory, but for the platform's place for data, whose logs lie in the platform's place for
    /// logs. So all programs of one directory and environment find the same ones, however it was named.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.logs_among(places::usual(), places::logs())
    }

    fn logs_among(&self, usual: Option<PathBuf>, logs: Option<PathBuf>) -> PathBuf {
        let is_usual = usual.is_some_and(|usual| self.is_at(&usual));
        logs.filter(|_| is_usual).unwrap_or_else(|| self.dir.join("logs"))
    }

    /// Locked by whoever owns the directory.
    #[must_use]
    pub fn owner_lock(&self) -> PathBuf {
        self.dir.join("owner.lock")
    }

    /// Locked by the window whose files are in the directory: the first one, of whichever version.
    #[must_use]
    pub fn window_lock(&self) -> PathBuf {
        self.dir.join("window.lock")
    }

    /// Locked by the one window that speaks this protocol.
    pub(crate) fn window_lock_of(&self, protocol: u32) -> PathBuf {
        self.dir.join(format!("window-{protocol}.lock"))
    }

    /// Where it is noted which programs of servers run.
    #[must_use]
    pub fn programs(&self) -> PathBuf {
        self.dir.join("programs")
    }

    /// A short digest that stands for this directory elsewhere: socket and keychain entry names.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let digest = Sha256::digest(self.dir.as_os_str().as_encoded_bytes());
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Where the window keeps what is its own: what the web view has, its size and position. That is the data directory; for
    /// one whose path is no text, which a web view cannot take, a directory under its digest among the platform's data, else
    /// among temporary files. Never one of a similar name, which could be somebody else's.
    ///
    /// # Errors
    /// When it cannot be made, or not for us alone.
    pub fn of_window(&self) -> Result<PathBuf, ApiError> {
        self.of_window_in(places::data(), &env::temp_dir())
    }

    /// Where the web view keeps what is its own. It would make the place itself, open to all.
    ///
    /// # Errors
    /// When it cannot be made, or not for us alone.
    pub fn web_view(&self) -> Result<PathBuf, ApiError> {
        let dir = self.of_window()?.join("webview");
        make_private(&dir)?;
        check_ours(&dir)?;
        // Earlier versions left it to the web view.
        #[cfg(unix)]
        fs::set_permissions(&dir, std::os::unix::fs::PermissionsExt::from_mode(0o700))
            .map_err(|error| storage(&dir, &error))?;
        Ok(dir)
    }

    fn of_window_in(&self, data: Option<PathBuf>, temp: &Path) -> Result<PathBuf, ApiError> {
        if self.dir.to_str().is_some() {
            return Ok(self.dir.clone());
        }
        let bases =
            [data.map(|data| data.join("signalbox-windows")), Some(temp.join(own("signalbox-window")))];
        let base = bases.into_iter().flatten().find(|base| base.to_str().is_some()).ok_or_else(|| {
            let message =
                "the window has no place for its own files whose path is text: set XDG_DATA_HOME to one";
            ApiError::new(Code::StorageDenied, message)
        })?;
        let dir = base.join(self.fingerprint());
        make_private(&dir)?;
        check_ours(&base)?;
        check_ours(&dir)?;
        Ok(dir)
    }

    /// Where an owner started from here opens its socket, in a directory made for us alone: the session's runtime
    /// directory, else the data directory, else (its path being too long for a socket) one beside temporary files.
    ///
    /// # Errors
    /// When none of them can be used.
    #[cfg(unix)]
    pub fn socket(&self) -> Result<PathBuf, ApiError> {
        let name = format!("{}.sock", self.fingerprint());
        let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|dir| dir.is_absolute());
        self.socket_in(runtime.map(|dir| dir.join("signalbox").join(&name)), &env::temp_dir(), &name)
    }

    /// The name of the owner's named pipe.
    ///
    /// # Errors
    /// Never; elsewhere it can.
    #[cfg(not(unix))]
    pub fn socket(&self) -> Result<PathBuf, ApiError> {
        Ok(format!("signalbox-{}", self.fingerprint()).into())
    }

    #[cfg(unix)]
    fn socket_in(&self, runtime: Option<PathBuf>, temp: &Path, name: &str) -> Result<PathBuf, ApiError> {
        let elsewhere = temp.join(own("signalbox")).join(name);
        let places = [runtime, Some(self.dir.join("owner.sock")), Some(elsewhere)];
        let mut reason = None;
        for path in places.into_iter().flatten() {
            let Some(dir) = path.parent() else { continue };
            if path.as_os_str().len() > SOCKET_PATH_LIMIT {
                continue;
            }
            match make_private(dir).and_then(|()| check_ours(dir)) {
                Ok(()) => return Ok(path),
                Err(error) => reason = Some(error),
            }
        }
        Err(reason.unwrap_or_else(|| {
            ApiError::new(
                Code::StorageDenied,
                "every place for the owner's socket has too long a path: set XDG_RUNTIME_DIR to a short one",
            )
        }))
    }
}

/// Makes `dir` and what is missing above it, for us alone.
pub(crate) fn make_private(dir: &Path) -> Result<(), ApiError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir).map_err(|error| storage(dir, &error))
}

/// Whoever else could put files into `dir` could make us read theirs.
#[cfg(unix)]
pub(crate) fn check_ours(dir: &Path) -> Result<(), ApiError> {
    use std::os::unix::fs::MetadataExt;

    // Not through a link: in a shared directory its target could be swapped.
    let meta = fs::symlink_metadata(dir).map_err(|error| storage(dir, &error))?;
    let problem = if !meta.is_dir() {
        "it is not a directory"
    } else if meta.uid() != whoami() {
        "it belongs to another user"
    } else if meta.mode() & 0o002 != 0 {
        "everybody may write into it (chmod o-w mends that)"
    } else {
        return Ok(());
    };
    Err(ApiError::new(Code::StorageDenied, format!("Signalbox does not use {}: {problem}", dir.display())))
}

#[cfg(not(unix))]
pub(crate) fn check_ours(_: &Path) -> Result<(), ApiError> {
    // The platform's access lists decide.
    Ok(())
}

/// A name among temporary files, which others have beside ours.
#[cfg(unix)]
fn own(name: &str) -> String {
    format!("{name}-{}", whoami())
}

/// Elsewhere everybody has temporary files of their own.
#[cfg(not(unix))]
fn own(name: &str) -> String {
    name.to_owned()
}

#[cfg(unix)]
pub(crate) fn whoami() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// An I/O error within the data directory.
pub(crate) fn storage(path: &Path, error: &io::Error) -> ApiError {
    let (code, meaning) = if signalbox_store::no_room(error) {
        (Code::StorageFull, "there is no room")
    } else {
        (Code::StorageDenied, "it cannot be used")
    };
    ApiError::new(code, format!("{}: {meaning} ({error})", path.display()))
}

/// The data directory itself does not take what we have to keep.
#[cfg(unix)]
fn unwritable(dir: &Path, error: &io::Error) -> ApiError {
    let advice = match error.kind() {
        io::ErrorKind::ReadOnlyFilesystem => "its file system is read-only. Mount it writable",
        io::ErrorKind::PermissionDenied => "you lack the right to. Give it to yourself (chmod u+rwx)",
        _ => return storage(dir, error),
    };
    let dir = dir.display();
    let message = format!(
        "The data directory {dir} cannot be written: {advice}, or choose another data directory. What is kept in it can \
         still be read"
    );
    ApiError::new(Code::StorageDenied, message)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_new_directory_is_ours_alone() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(&dir.path().join("a/b")).unwrap();
        assert_eq!(mode(home.dir()), 0o700);
        assert_eq!(Home::at(&dir.path().join("a/../a/b")).unwrap(), home, "one directory, one home");
    }

    #[test]
    fn two_names_of_a_directory_share_one_fingerprint() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(&dir.path().join("real")).unwrap();
        symlink(home.dir(), dir.path().join("link")).unwrap();
        let linked = Home::at(&dir.path().join("link")).unwrap();
        assert_eq!(linked.fingerprint(), home.fingerprint());
        assert_ne!(Home::at(&dir.path().join("other")).unwrap().fingerprint(), home.fingerprint());
    }

    #[test]
    fn logs_lie_where_the_platform_wants_them_or_in_the_directory_that_somebody_named() {
        let dir = tempfile::tempdir().unwrap();
        let (usual, logs) = (dir.path().join("share/signalbox"), dir.path().join("state/signalbox/logs"));
        let home = Home::at(&usual).unwrap();
        let among = |home: &Home, logs: Option<&PathBuf>| home.logs_among(Some(usual.clone()), logs.cloned());
        assert_eq!(among(&home, Some(&logs)), logs);
        symlink(home.dir(), dir.path().join("link")).unwrap();
        let named = Home::at(&dir.path().join("link")).unwrap();
        assert_eq!(among(&named, Some(&logs)), logs, "it is the same directory, however it is named");
        assert_eq!(among(&home, None), home.dir().join("logs"), "where the platform has no place for them");
        let other = Home::at(&dir.path().join("other")).unwrap();
        assert_eq!(among(&other, Some(&logs)), other.dir().join("logs"));
        assert_eq!(other.logs_among(None, Some(logs.clone())), other.dir().join("logs"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_window_of_a_directory_that_is_no_text_has_a_place_whose_name_is_its_own() {
        use std::os::unix::ffi::OsStrExt as _;

        let dir = tempfile::tempdir().unwrap();
        let (data, temp) = (dir.path().join("data"), dir.path().join("temp"));
        let of = |name: &[u8]| Home::at(&dir.path().join(std::ffi::OsStr::from_bytes(name))).unwrap();
        let (text, odd, other) = (of(b"home"), of(b"home-\xff"), of(b"home-\xfe"));
        let place = |home: &Home, data: &Path| home.of_window_in(Some(data.to_owned()), &temp).unwrap();
        assert_eq!(place(&text, &data), text.dir(), "with all else");
        let its = place(&odd, &data);
        assert!(its.starts_with(&data) && its.to_str().is_some(), "{}", its.display());
        assert_eq!((mode(&its), place(&odd, &data)), (0o700, its.clone()), "ours alone, and found again");
        assert_ne!(place(&other, &data), its, "nobody else's, although both read alike");
        assert!(place(&odd, odd.dir()).starts_with(&temp), "where the platform's place is no text either");
        let names = fs::read_dir(dir.path()).unwrap().count();
        assert_eq!(names, 5, "three homes and the two places: nothing lies beside them under a similar name");
    }

    #[test]
    fn what_the_web_view_keeps_is_ours_alone() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let place = home.web_view().unwrap();
        assert_eq!(mode(&place), 0o700);
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!((home.web_view().unwrap(), mode(&place)), (place.clone(), 0o700), "also an old one");
    }

    #[test]
    fn what_others_may_write_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let error = Home::at(dir.path()).unwrap_err();
        assert_eq!(error.code, Code::StorageDenied);
        assert!(error.message.contains("chmod o-w"), "it must say how to mend it: {error}");
        assert_eq!(mode(dir.path()), 0o777, "nothing is changed by us");
    }

    #[test]
    fn a_file_in_its_place_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(Home::at(file.path()).unwrap_err().code, Code::StorageDenied);
    }

    #[test]
    fn what_cannot_be_written_says_what_to_do() {
        use rustix::io::Errno;

        for (errno, advice) in [(Errno::ROFS, "read-only"), (Errno::ACCESS, "chmod u+rwx")] {
            let error = unwritable(Path::new("/data"), &errno.into());
            assert_eq!(error.code, Code::StorageDenied);
            assert!(error.message.starts_with("The data directory /data cannot be written"), "{error}");
            assert!(error.message.contains(advice) && error.message.contains("choose another"), "{error}");
            assert!(error.message.contains("can still be read"), "and what works all the same: {error}");
        }
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        assert_eq!(home.writable(), Ok(()), "an ordinary one is fine");
        let gone = Home { dir: dir.path().join("gone") };
        assert_eq!(
            gone.writable().unwrap_err().code,
            Code::StorageDenied,
            "and it is the system that is asked"
        );
    }

    #[test]
    fn the_socket_lies_in_a_private_place_that_is_short_enough() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(&dir.path().join("home")).unwrap();
        let runtime = dir.path().join("run/signalbox/x.sock");
        assert_eq!(home.socket_in(Some(runtime.clone()), dir.path(), "x.sock").unwrap(), runtime);
        assert_eq!(mode(runtime.parent().unwrap()), 0o700);
        assert_eq!(home.socket_in(None, dir.path(), "x.sock").unwrap(), home.dir().join("owner.sock"));

        let long = Home::at(&dir.path().join("l".repeat(120))).unwrap();
        let elsewhere = long.socket_in(None, dir.path(), "x.sock").unwrap();
        assert!(elsewhere.as_os_str().len() <= SOCKET_PATH_LIMIT);
        assert_eq!(mode(elsewhere.parent().unwrap()), 0o700);
    }

    #[test]
    fn a_runtime_directory_that_is_not_private_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(&dir.path().join("home")).unwrap();
        let open = dir.path().join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(
            home.socket_in(Some(open.join("x.sock")), dir.path(), "x.sock").unwrap(),
            home.dir().join("owner.sock")
        );
    }
}
