//! Files that are moved, replaced or deleted under an open store: nothing is answered that the next start would not find.

use std::{
    fs,
    path::{Path, PathBuf},
};

use signalbox_model::CallId;
use signalbox_store::{BatchKind, CommitError, ReadError, Store};

use crate::samples::{Fixture, call, put_call, wait};

/// A store with call 1, of which nothing is in the database's file yet.
fn kept() -> Fixture {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    at
}

fn beside(at: &Fixture, end: &str) -> PathBuf {
    at.dir.path().join(format!("signalbox.db{end}"))
}

fn away(at: &Fixture) -> PathBuf {
    at.dir.path().with_extension("away")
}

fn gone(name: &str) -> CommitError {
    CommitError::Gone(name.to_owned())
}

/// The calls of a copy of the database's file alone, as it would be found without its log.
fn calls_of(db: &Path) -> Vec<u32> {
    let dir = tempfile::tempdir().unwrap();
    fs::copy(db, dir.path().join("signalbox.db")).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let calls = store.reads().live().unwrap().calls;
    calls.into_iter().map(|call| call.id.0).collect()
}

#[test]
fn nothing_is_answered_once_a_file_is_not_where_it_was() {
    let another = |at: &Fixture| {
        let other = away(at);
        fs::write(&other, "another").unwrap();
        other
    };
    type Act = Box<dyn Fn(&Fixture)>;
    let cases: [(&str, &str, Act); 6] = [
        ("deleted", "signalbox.db", Box::new(|at| fs::remove_file(at.path()).unwrap())),
        ("replaced", "signalbox.db", Box::new(move |at| fs::rename(another(at), at.path()).unwrap())),
        ("renamed", "signalbox.db", Box::new(|at| fs::rename(at.path(), beside(at, ".old")).unwrap())),
        ("log deleted", "signalbox.db-wal", Box::new(|at| fs::remove_file(beside(at, "-wal")).unwrap())),
        ("index deleted", "signalbox.db-shm", Box::new(|at| fs::remove_file(beside(at, "-shm")).unwrap())),
        ("all deleted", "signalbox.db", Box::new(|at| fs::remove_dir_all(at.dir.path()).unwrap())),
    ];
    for (case, name, act) in cases {
        let at = kept();
        act(&at);
        assert_eq!(at.wish([put_call(call(2))]), Err(gone(name)), "{case}");
        let said = at.submit(BatchKind::Observed, [put_call(call(3))]);
        assert_eq!(at.wish([put_call(call(4))]), Err(gone(name)), "{case}: and it stays so");
        assert!(said.try_recv().is_err(), "{case}: what a server said is not answered either");
        assert_eq!(*at.store.trouble().borrow(), Some(gone(name)), "{case}: why is told");
        let read = at.store.reads().call(CallId(1));
        assert_eq!(read, Err(ReadError::Gone(name.to_owned())), "{case}: another file is not shown");
        let Fixture { store, dir: _dir } = at;
        store.close();
        assert_eq!(wait(&said), Err(gone(name)), "{case}: closing does not wait");
    }
}

#[test]
fn what_was_answered_before_the_log_was_deleted_is_brought_into_the_database() {
    let at = kept();
    assert!(calls_of(&at.path()).is_empty(), "so far it is in the log alone");
    fs::remove_file(beside(&at, "-wal")).unwrap();
    assert_eq!(at.wish([put_call(call(2))]), Err(gone("signalbox.db-wal")));
    assert_eq!(calls_of(&at.path()), [1], "whatever ends us now");
}

#[test]
fn what_was_put_in_their_place_is_left_as_it_is() {
    // SQLite deletes the log by its name when it closes.
    for (name, put) in [("signalbox.db", &["", "-wal", "-shm"][..]), ("signalbox.db-wal", &["-wal"])] {
        let at = kept();
        for end in put {
            let theirs = away(&at);
            fs::write(&theirs, "theirs").unwrap();
            fs::rename(&theirs, beside(&at, end)).unwrap();
        }
        assert_eq!(at.wish([put_call(call(2))]), Err(gone(name)));
        let Fixture { store, dir } = at;
        store.close();
        for end in put {
            let path = dir.path().join(format!("signalbox.db{end}"));
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some("theirs"), "{name}: {end:?}");
        }
    }
}

#[test]
fn a_directory_that_comes_back_is_gone_on_with() {
    let at = kept();
    fs::rename(at.dir.path(), away(&at)).unwrap();
    assert_eq!(at.wish([put_call(call(2))]), Err(gone("signalbox.db")));
    let said = at.submit(BatchKind::Observed, [put_call(call(3))]);
    fs::rename(away(&at), at.dir.path()).unwrap();
    wait(&said).expect("nobody else can have had it: its lock went along");
    at.put([put_call(call(4))]);
    let at = at.reopen();
    let mut calls: Vec<u32> = at.store.reads().live().unwrap().calls.iter().map(|call| call.id.0).collect();
    calls.sort_unstable();
    assert_eq!(calls, [1, 3, 4], "what was refused is not there");
}

#[test]
fn a_link_to_the_directory_is_as_good() {
    let dir = tempfile::tempdir().unwrap();
    let (real, link) = (dir.path().join("real"), dir.path().join("link"));
    fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let at = Fixture { store: Store::open(&link).unwrap(), dir };
    at.put([]);
}

#[test]
fn nothing_is_answered_once_another_could_take_the_lock() {
    let at = kept();
    let Fixture { store, dir } = at;
    store.close();
    let path = dir.path().join("owner.lock");
    let lock = fs::File::create(&path).unwrap();
    let store = Store::open_locked(dir.path(), &path, &lock).unwrap();
    let at = Fixture { store, dir };
    at.put([put_call(call(2))]);

    let aside = path.with_extension("aside");
    fs::rename(&path, &aside).unwrap();
    let unlocked = || CommitError::Unlocked("owner.lock".to_owned());
    assert_eq!(at.wish([put_call(call(3))]), Err(unlocked()), "nobody holds what is taken by its name next");
    fs::write(&path, "another").unwrap();
    assert_eq!(at.wish([put_call(call(3))]), Err(unlocked()), "now somebody does");
    assert_eq!(at.store.reads().call(CallId(1)), Err(ReadError::Unlocked("owner.lock".to_owned())));
    fs::rename(&aside, &path).unwrap();
    at.put([put_call(call(3))]);
}
