//! Opening: modes, whose file it is, what it is. What is refused keeps every byte.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rusqlite::Connection;
use signalbox_model::CallId;
use signalbox_store::{CallQuery, OpenError, Reads, Store, Whose};
use tempfile::TempDir;

use crate::samples::{Fixture, call, put_call, put_server, server};

/// A closed database with some calls.
fn closed() -> (TempDir, PathBuf) {
    let at = Fixture::new();
    at.put((1..200).map(call).map(put_call));
    let path = at.path();
    let Fixture { store, dir } = at;
    store.close();
    (dir, path)
}

/// Opening must fail and change nothing.
fn refused(path: &Path) -> OpenError {
    let before = fs::read(path).unwrap();
    let error = Store::open(path.parent().unwrap()).expect_err("must be refused");
    assert!(fs::read(path).unwrap() == before, "a file that is refused keeps every byte: {error}");
    let message = error.to_string();
    assert!(message.contains("signalbox.db"), "says which file: {message}");
    error
}

#[test]
fn the_epoch_grows_and_everything_is_still_there() {
    let (dir, _) = closed();
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(store.epoch(), 2);
    assert_eq!(store.reads().calls_page(&CallQuery::default()).unwrap().total, 199);
}

#[test]
fn a_newer_file_is_left_alone() {
    let (_dir, path) = closed();
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 4711").unwrap();
    let error = refused(&path);
    assert!(matches!(error, OpenError::Newer { found: 4711, known: 16, .. }), "{error}");
}

#[test]
fn a_newer_file_that_only_its_log_knows_of_is_left_alone() {
    let at = Fixture::new();
    at.tamper("PRAGMA user_version = 4711");
    let copy = tempfile::tempdir().unwrap();
    for file in ["signalbox.db", "signalbox.db-wal"] {
        fs::copy(at.dir.path().join(file), copy.path().join(file)).unwrap();
    }
    let log = copy.path().join("signalbox.db-wal");
    let before = fs::read(&log).unwrap();
    let error = refused(&copy.path().join("signalbox.db"));
    assert!(matches!(error, OpenError::Newer { found: 4711, .. }), "{error}");
    assert!(fs::read(&log).unwrap() == before, "the log belongs to the file");
}

#[test]
fn another_programs_file_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    for sql in
        ["PRAGMA application_id = 7; CREATE TABLE a (x)", "CREATE TABLE a (x)", "PRAGMA user_version = 3"]
    {
        let _ = fs::remove_file(&path);
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let error = refused(&path);
        assert!(matches!(error, OpenError::NotOurs { whose: Whose::OtherProgram, .. }), "{sql}: {error}");
    }
}

#[test]
fn a_damaged_file_is_left_alone() {
    type Spoil = fn(&mut Vec<u8>);
    let spoil: [(&str, Spoil); 5] = [
        ("no database", |bytes| *bytes = b"notes\n".repeat(100)),
        ("a few bytes", |bytes| bytes.truncate(20)),
        ("cut short", |bytes| bytes.truncate(bytes.len() / 2)),
        ("a page of noise", |bytes| {
            let (middle, size) = (bytes.len() / 8192 * 4096, 4096);
            bytes[middle..middle + size].fill(0xA5);
        }),
        ("no schema", |bytes| bytes[100..4096].fill(0)),
    ];
    for (what, spoil) in spoil {
        let (_dir, path) = closed();
        let mut bytes = fs::read(&path).unwrap();
        spoil(&mut bytes);
        fs::write(&path, bytes).unwrap();
        let error = refused(&path);
        assert!(matches!(error, OpenError::Damaged { .. }), "{what}: {error:?}");
    }
}

#[test]
fn a_file_whose_making_was_interrupted_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("signalbox.db"), b"").unwrap();
    Store::open(dir.path()).unwrap().close();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch("PRAGMA journal_mode = WAL").unwrap();
    assert!(fs::metadata(&path).unwrap().len() > 0, "it has a header and nothing else");
    assert_eq!(Store::open(dir.path()).unwrap().epoch(), 1);
}

#[test]
fn a_directory_in_the_way_is_said_so() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("signalbox.db")).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    assert!(matches!(error, OpenError::NotAFile { .. }), "{error:?}");
    let file = dir.path().join("file");
    fs::write(&file, b"x").unwrap();
    let error = Store::open(&file).unwrap_err();
    assert!(matches!(error, OpenError::NoAccess { .. } | OpenError::Io { .. }), "{error:?}");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn nobody_else_can_read_anything() {
        let outer = tempfile::tempdir().unwrap();
        let dir = outer.path().join("a/b");
        let store = Store::open(&dir).unwrap();
        assert_eq!((mode(&dir), mode(&outer.path().join("a"))), (0o700, 0o700));
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(mode(&path), 0o600, "{}", path.display());
        }
        store.close();
        let path = dir.join("signalbox.db");
        set_mode(&path, 0o644);
        let _store = Store::open(&dir).unwrap();
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(mode(&path), 0o600, "copied back with another mode: {}", path.display());
        }
    }

    #[test]
    fn a_place_where_everybody_can_write_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        set_mode(dir.path(), 0o777);
        let error = Store::open(dir.path()).unwrap_err();
        assert!(matches!(error, OpenError::NotOurs { whose: Whose::Everybody, .. }), "{error}");
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 0, "nothing was left behind");
    }

    #[test]
    fn another_users_directory_is_refused() {
        // Where the tests run as root, nobody else's directory is at hand without giving ours away.
        let (theirs, _dir) = if rustix::process::geteuid().is_root() {
            let dir = tempfile::tempdir().unwrap();
            std::os::unix::fs::chown(dir.path(), Some(12_345), None).unwrap();
            (dir.path().to_owned(), Some(dir))
        } else {
            (PathBuf::from("/usr"), None)
        };
        let error = Store::open(&theirs).unwrap_err();
        assert!(matches!(error, OpenError::NotOurs { whose: Whose::OtherUser { .. }, .. }), "{error}");
    }
}

#[test]
fn a_place_that_takes_no_files_is_said_so() {
    // What nobody can write to, not even an administrator.
    #[cfg(target_os = "linux")]
    for place in ["/proc", "/proc/signalbox", "/sys"] {
        let error = Store::open(Path::new(place)).unwrap_err();
        let known =
            matches!(error, OpenError::NoAccess { .. } | OpenError::Io { .. } | OpenError::NotOurs { .. });
        assert!(known && error.to_string().contains(place), "{place}: {error:?}");
    }
    // What only its owner may write to, and does not.
    #[cfg(unix)]
    if !rustix::process::geteuid().is_root() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o500)).unwrap();
        let error = Store::open(dir.path()).unwrap_err();
        assert!(matches!(error, OpenError::NoAccess { .. }), "{error:?}");
    }
}

#[test]
fn where_nothing_can_be_written_it_is_read_as_it_was_left() {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    let copy = |names: &[&str]| {
        let dir = tempfile::tempdir().unwrap();
        for name in names {
            fs::copy(at.dir.path().join(name), dir.path().join(name)).unwrap();
        }
        dir
    };
    let calls = |dir: &Path| -> Vec<u32> {
        let live = Reads::of_read_only(dir).unwrap().live().unwrap();
        live.calls.iter().map(|call| call.id.0).collect()
    };
    let killed = copy(&["signalbox.db", "signalbox.db-wal", "signalbox.db-shm"]);
    assert_eq!(calls(killed.path()), [1], "with what only its log holds");
    let Fixture { store, dir } = at;
    store.close();
    let before: Vec<_> = names(dir.path());
    let odd = dir.path().join("a ?#%&=ü");
    fs::create_dir(&odd).unwrap();
    fs::copy(dir.path().join("signalbox.db"), odd.join("signalbox.db")).unwrap();
    assert_eq!(calls(dir.path()), [1]);
    assert_eq!(calls(&odd), [1], "whatever the path is made of");
    assert_eq!(names(&odd), ["signalbox.db"], "and nothing was made beside it");
    fs::remove_dir_all(&odd).unwrap();
    assert_eq!(names(dir.path()), before);
    assert!(matches!(Reads::of_read_only(&odd), Err(OpenError::Io { .. })), "nor where there was none");
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_of_an_older_format_is_not_read_where_it_cannot_be_brought_up() {
    let dir = tempfile::tempdir().unwrap();
    let conn = rusqlite::Connection::open(dir.path().join("signalbox.db")).unwrap();
    conn.execute_batch(include_str!("../fixtures/format-6.sql")).unwrap();
    conn.pragma_update(None, "user_version", 6).unwrap();
    drop(conn);
    let refused = Reads::of_read_only(dir.path()).map(drop);
    assert!(matches!(refused, Err(OpenError::Older { found: 6, .. })), "{refused:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;

    let dir = tempfile::tempdir().unwrap();
    let odd = dir.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    let at = Fixture { store: Store::open(&odd).unwrap(), dir };
    at.put([put_server(server(1)), put_call(call(1))]);
    let copy = odd.join(std::ffi::OsStr::from_bytes(b"copy-\xff.db"));
    at.store.reads().backup(&copy, &signalbox_store::Stop::default()).unwrap();
    let Fixture { store, dir } = at;
    store.close();
    let restored = dir.path().join(std::ffi::OsStr::from_bytes(b"\xfe"));
    signalbox_store::restore(&restored, &copy, signalbox_model::Timestamp(1), &Default::default()).unwrap();
    for place in [&odd, &restored] {
        assert!(Reads::of_read_only(place).unwrap().call(CallId(1)).unwrap().is_some(), "{place:?}");
    }
}
