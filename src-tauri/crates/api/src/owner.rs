//! One owner per data directory, and one window of each version, by locks on files that are never deleted.
//!
//! Whoever takes a lock looks afterwards whether its path still leads to the file that was locked.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::{ApiError, Home, Owner, OwnerKind, home::storage, private, socket::PROTOCOL};

/// An owner that leaves is gone after this: commands under way end, servers that run as its programs are ended (by
/// force at last), what is queued is committed. Whoever waits for an owner to leave must not give up before.
pub const LEAVING: Duration = Duration::from_secs(20);

/// The pause between two tries to own a data directory, or to reach who does.
const PAUSE: Duration = Duration::from_millis(50);

/// Returns when it is time to try again.
#[expect(clippy::disallowed_methods, reason = "the lock of another process tells nobody when it goes")]
pub async fn before_next_try() {
    tokio::time::sleep(PAUSE).await;
}

/// The data directory is ours until this is dropped.
#[derive(Debug)]
pub struct Ownership {
    home: Home,
    record: Record,
    /// Unlocked by the system when it is closed, even when we are killed.
    lock: File,
}

/// Why the data directory did not become ours.
#[derive(Debug, thiserror::Error)]
pub enum NotOwned {
    /// Another program owns it; its socket may answer.
    #[error("another program owns the data directory")]
    Held(Option<Box<Owner>>),
    /// The lock file cannot be used.
    #[error(transparent)]
    Storage(#[from] ApiError),
}

/// What the owner leaves in its lock file for others. Only a hint: the lock itself decides.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Record {
    #[serde(flatten)]
    owner: Owner,
    /// Where its socket is: a client may have been started with another environment.
    socket: PathBuf,
}

/// What is read of what an owner says of itself, in bytes.
const LONGEST_RECORD: u64 = 64 * 1024;

impl Ownership {
    /// Takes the data directory, at once or not at all.
    ///
    /// # Errors
    /// When another program owns it, or the lock file cannot be used.
    pub fn take(home: &Home, kind: OwnerKind) -> Result<Self, NotOwned> {
        let path = home.owner_lock();
        let found = lock(&path);
        if !matches!(found, Ok(None)) {
            // Said before anything else fails for the same reason at a file that nobody knows.
            home.writable()?;
        }
        let Some(mut lock) = found? else {
            return Err(NotOwned::Held(record(home).map(|record| Box::new(record.owner))));
        };
        let record = Record { owner: Owner::ours(kind, home), socket: home.socket()? };
        let text = serde_json::to_vec(&record).map_err(|error| storage(&path, &error.into()))?;
        let mut write = || {
            lock.seek(SeekFrom::Start(0))?;
            lock.write_all(&text)?;
            lock.set_len(text.len() as u64)
        };
        write().map_err(|error| storage(&path, &error))?;
        Ok(Self { home: home.clone(), record, lock })
    }

    /// The data directory.
    #[must_use]
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// Who we are, as others see it.
    #[must_use]
    pub fn owner(&self) -> &Owner {
        &self.record.owner
    }

    /// The file that is locked.
    pub(crate) fn lock(&self) -> io::Result<File> {
        self.lock.try_clone()
    }

    /// Where our socket belongs.
    pub(crate) fn socket(&self) -> &Path {
        &self.record.socket
    }
}

/// The one window of our version of a data directory, until this is dropped. Windows that speak another protocol cannot be told
/// to come forward: they do not stand in our way, nor we in theirs.
///
/// Where no owner can tell it either, it is wished for by the length of its lock file, which it changes when it hears.
#[derive(Debug)]
pub struct WindowLock {
    only: File,
    /// No window of another version was there.
    alone: Option<File>,
}

impl WindowLock {
    /// Takes it; none when another window of our version has it.
    ///
    /// # Errors
    /// When the lock files cannot be used. Where nothing can be written there, it says that, and what can be done.
    pub fn take(home: &Home) -> Result<Option<Self>, ApiError> {
        let taken = |path: &Path| lock(path).map_err(|error| home.writable().err().unwrap_or(error));
        let Some(only) = taken(&home.window_lock_of(PROTOCOL))? else { return Ok(None) };
        let ours = Self { only, alone: taken(&home.window_lock())? };
        ours.forgets();
        Ok(Some(ours))
    }

    /// Whether the files of the window are ours: no window of another version was there when we came.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.alone.is_some()
    }

    /// Whether somebody wishes for us. They learn that they were heard.
    #[must_use]
    pub fn hears(&self) -> bool {
        // What cannot be marked as heard would be heard without end.
        said(&self.only) == WISHED && self.only.set_len(HEARD).is_ok()
    }

    /// What was wished until now was for a window before, or by one that was killed. Whoever still waits wishes again.
    pub fn forgets(&self) {
        let _ = self.only.set_len(NOTHING);
    }

    /// Wishes for the window of our version that is there. Returns once it has heard; a wish that nobody waits for any more is
    /// taken back.
    ///
    /// # Errors
    /// When its lock file cannot be written.
    pub async fn wish(home: &Home) -> Result<(), ApiError> {
        let path = home.window_lock_of(PROTOCOL);
        let file = private::open(OpenOptions::new().write(true), &path);
        let wish = file.and_then(Wish::at).map_err(|error| storage(&path, &error))?;
        while said(&wish.0) != HEARD {
            wish.again().map_err(|error| storage(&path, &error))?;
            before_next_try().await;
        }
        Ok(())
    }
}

/// A wish at the lock of a window, until it is heard or this is dropped: later it would bring the window forward when nobody
/// wishes it.
struct Wish(File);

impl Wish {
    fn at(file: File) -> io::Result<Self> {
        file.set_len(WISHED)?;
        Ok(Self(file))
    }

    /// Wishes again, where another one that was taken back took this one with it.
    fn again(&self) -> io::Result<()> {
        if said(&self.0) == NOTHING { self.0.set_len(WISHED) } else { Ok(()) }
    }
}

impl Drop for Wish {
    fn drop(&mut self) {
        if said(&self.0) == WISHED {
            let _ = self.0.set_len(NOTHING);
        }
    }
}

/// How long a window's lock file is, in bytes, while nothing is wished at it; while something is; and once that was heard, until
/// the next wish.
const NOTHING: u64 = 0;
const WISHED: u64 = 1;
const HEARD: u64 = 2;

fn said(lock: &File) -> u64 {
    lock.metadata().map_or(NOTHING, |metadata| metadata.len())
}

/// Where the owner that we are not says its socket is.
pub(crate) fn socket_of_owner(home: &Home) -> Option<PathBuf> {
    last(home).map(|(_, socket)| socket)
}

/// Whether somebody owns the data directory. For who does not: where nobody does, it is owned for this moment.
pub(crate) fn is_held(home: &Home) -> Result<bool, ApiError> {
    lock(&home.owner_lock()).map(|lock| lock.is_none())
}

/// What the last owner left in its lock file; the lock alone says whether it is there still.
pub(crate) fn last(home: &Home) -> Option<(Owner, PathBuf)> {
    record(home).map(|record| (record.owner, record.socket))
}

/// Who owned the data directory last, as it says where everybody can read it. Whether it still does the lock alone says, which is
/// not touched.
#[must_use]
pub fn last_owner(home: &Home) -> Option<Owner> {
    last(home).map(|(owner, _)| owner)
}

fn record(home: &Home) -> Option<Record> {
    let mut text = String::new();
    let file = private::open(OpenOptions::new().read(true), &home.owner_lock()).ok()?;
    file.take(LONGEST_RECORD).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn lock(path: &Path) -> Result<Option<File>, ApiError> {
    let failed = |error: io::Error| storage(path, &error);
    loop {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = private::open(&mut options, path).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            // The name may have got another file since it was opened: whoever locks that one knows nothing of this lock.
            Ok(()) if is_at(&file, path).map_err(failed)? => return Ok(Some(file)),
            Ok(()) => {}
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    let opened = file.metadata()?;
    match path.symlink_metadata() {
        Ok(found) => Ok((found.dev(), found.ino()) == (opened.dev(), opened.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Elsewhere what is open stays where it is.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use crate::Code;

    use super::*;

    fn home() -> (tempfile::TempDir, Home) {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        (dir, home)
    }

    #[test]
    fn there_is_one_owner_and_others_learn_who() {
        let (_dir, home) = home();
        let first = Ownership::take(&home, OwnerKind::Serve).unwrap();
        let NotOwned::Held(Some(owner)) = Ownership::take(&home, OwnerKind::Command).unwrap_err() else {
            panic!("the second must learn who the first is");
        };
        assert_eq!(&*owner, first.owner());
        assert_eq!((owner.kind, owner.pid), (OwnerKind::Serve, std::process::id()));
        assert_eq!(socket_of_owner(&home).as_deref(), Some(first.socket()));
        drop(first);
        let next = Ownership::take(&home, OwnerKind::Command).expect("the owner has left");
        assert_eq!(next.owner().kind, OwnerKind::Command);
    }

    #[test]
    fn a_spoilt_lock_file_is_only_a_missing_hint() {
        let (_dir, home) = home();
        std::fs::write(home.owner_lock(), "{ no json".repeat(100)).unwrap();
        let first = Ownership::take(&home, OwnerKind::Window).unwrap();
        assert!(record(&home).is_some(), "the new owner's record replaces what was there, to its end");
        std::fs::write(home.owner_lock(), "").unwrap();
        let again = Ownership::take(&home, OwnerKind::Command).unwrap_err();
        assert!(matches!(again, NotOwned::Held(None)), "{again:?}");
        drop(first);
    }

    #[test]
    fn of_a_lock_file_the_beginning_is_read() {
        let (_dir, home) = home();
        let _first = Ownership::take(&home, OwnerKind::Window).unwrap();
        let said = std::fs::read_to_string(home.owner_lock()).unwrap();
        let most = usize::try_from(LONGEST_RECORD).unwrap();
        for (blanks, is_read) in [(most - said.len(), true), (most - said.len() + 1, false)] {
            std::fs::write(home.owner_lock(), format!("{}{said}", " ".repeat(blanks))).unwrap();
            assert_eq!(record(&home).is_some(), is_read, "behind {blanks} blanks");
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_lock_is_taken_through_a_link() {
        let (dir, home) = home();
        let theirs = dir.path().join("theirs");
        std::fs::write(&theirs, "theirs").unwrap();
        for lock in [home.owner_lock(), home.window_lock_of(PROTOCOL)] {
            std::os::unix::fs::symlink(&theirs, lock).unwrap();
        }
        let NotOwned::Storage(error) = Ownership::take(&home, OwnerKind::Serve).unwrap_err() else {
            panic!("a link is nobody's lock");
        };
        assert_eq!(error.code, Code::StorageDenied);
        assert!(error.message.contains("owner.lock") && error.message.contains("link"), "{error}");
        assert!(WindowLock::take(&home).unwrap_err().message.contains("window-"));
        assert_eq!(std::fs::read_to_string(&theirs).unwrap(), "theirs", "nothing may be written through it");
        let checks = crate::left_behind::checks(&home);
        assert!(checks.iter().any(|check| check.message.contains("link")), "doctor must say so: {checks:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_lost_its_name_while_it_was_taken_is_none() {
        let (dir, home) = home();
        let path = home.owner_lock();
        let file = File::create(&path).unwrap();
        assert!(is_at(&file, &path).unwrap());
        std::fs::rename(&path, dir.path().join("aside")).unwrap();
        assert!(!is_at(&file, &path).unwrap(), "the name is free");
        std::fs::write(&path, "another").unwrap();
        assert!(!is_at(&file, &path).unwrap(), "whoever locks the other file knows nothing of this one");
    }

    #[test]
    fn there_is_one_window_whoever_the_owner_is() {
        let (_dir, home) = home();
        let _owner = Ownership::take(&home, OwnerKind::Serve).unwrap();
        let window = WindowLock::take(&home).unwrap();
        assert!(window.as_ref().is_some_and(WindowLock::is_alone), "a window beside `serve` is fine");
        assert!(WindowLock::take(&home).unwrap().is_none(), "a second window is not");
        drop(window);
        assert!(WindowLock::take(&home).unwrap().is_some());
    }

    #[test]
    fn beside_a_window_of_another_version_there_is_one_of_ours_and_stays_it() {
        let (_dir, home) = home();
        let older = File::create(home.window_lock()).unwrap();
        older.try_lock().unwrap();
        let ours = WindowLock::take(&home).unwrap().expect("nobody of our version is there");
        assert!(!ours.is_alone(), "the files of the window are those of the other one");
        assert!(WindowLock::take(&home).unwrap().is_none(), "one is enough");
        drop(older);
        assert!(WindowLock::take(&home).unwrap().is_none(), "it is the window now");
    }

    #[tokio::test]
    async fn a_wish_reaches_the_window_without_an_owner_and_is_heard_once() {
        let (_dir, home) = home();
        assert!(WindowLock::wish(&home).await.is_err(), "there is no window");
        let ours = WindowLock::take(&home).unwrap().unwrap();
        assert!(!ours.hears(), "nobody has wished");
        let hearing = async || {
            while !ours.hears() {
                tokio::task::yield_now().await;
            }
        };
        let (wished, ()) = tokio::join!(WindowLock::wish(&home), hearing());
        assert_eq!((wished, ours.hears()), (Ok(()), false), "whoever wished knows that it was heard");

        assert_eq!(WindowLock::wish(&home).now_or_never(), None, "it is not heard yet");
        assert!(!ours.hears(), "and nobody wishes it any more");

        let mut waits = Box::pin(WindowLock::wish(&home));
        assert_eq!(waits.as_mut().now_or_never(), None);
        assert_eq!(WindowLock::wish(&home).now_or_never(), None, "another start, which is told by an owner");
        let (wished, ()) = tokio::join!(waits, hearing());
        assert_eq!(wished, Ok(()), "what it took back was its own wish");

        std::fs::write(home.window_lock_of(PROTOCOL), "1").unwrap();
        drop(ours);
        let next = WindowLock::take(&home).unwrap().expect("the first window is gone");
        assert!(!next.hears(), "it was for the window before");
    }
}
