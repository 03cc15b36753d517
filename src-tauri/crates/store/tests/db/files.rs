//! Large payloads: files beside the database, never without their row for long, never missing under one.

use std::{
    fs,
    path::{Path, PathBuf},
};

use signalbox_model::{CallId, Json, PayloadKind};
use signalbox_store::{BatchKind, CommitError, FileFault, Problem, ReadError, Stop, Store, Write};

use crate::samples::{Fixture, call, json, put_call, wait};

/// JSON of about so many KiB.
pub(crate) fn large(letter: char, kib: usize) -> Json {
    json(&format!("\"{}\"", letter.to_string().repeat(kib << 10)))
}

pub(crate) fn payload(call: u32, json: Json) -> Write {
    Write::PutPayload { call: CallId(call), kind: PayloadKind::Result, json }
}

fn dir(at: &Fixture) -> PathBuf {
    at.dir.path().join("payloads")
}

pub(crate) fn names(at: &Fixture) -> Vec<String> {
    listed(&dir(at))
}

fn listed(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn read(at: &Fixture, call: u32) -> Result<Option<Json>, ReadError> {
    at.store.reads().payload(CallId(call), PayloadKind::Result)
}

fn with_large(calls: u32) -> Fixture {
    let at = Fixture::new();
    at.put((1..=calls).flat_map(|id| [put_call(call(id)), payload(id, large('a', 300))]));
    at
}

#[test]
fn large_payloads_are_files_and_small_ones_are_not() {
    let at = with_large(1);
    at.put([put_call(call(2)), payload(2, large('b', 200))]);
    assert_eq!(names(&at).len(), 1, "200 KiB stay in the database");
    assert_eq!(read(&at, 1), Ok(Some(large('a', 300))));
    let reads = at.store.reads();
    assert_eq!(reads.payload_size(CallId(1), PayloadKind::Result), Ok(Some((300 << 10) + 2)));
    assert_eq!(reads.payload_bytes(), Ok((500 << 10) + 4), "files count like the others");
    let at = at.reopen();
    assert_eq!(read(&at, 1), Ok(Some(large('a', 300))), "kept over a start");
}

#[test]
fn a_file_goes_with_its_row() {
    let at = with_large(4);
    assert_eq!(names(&at).len(), 4);
    at.put([payload(1, large('b', 400))]);
    assert_eq!((names(&at).len(), read(&at, 1)), (4, Ok(Some(large('b', 400)))), "replaced by another");
    at.put([payload(1, json("1"))]);
    assert_eq!((names(&at).len(), read(&at, 1)), (3, Ok(Some(json("1")))), "replaced by a small one");
    at.put([payload(1, large('c', 300))]);
    assert_eq!((names(&at).len(), read(&at, 1)), (4, Ok(Some(large('c', 300)))), "and back");
    at.put([Write::DropPayload { call: CallId(2), kind: PayloadKind::Result }, Write::ForgetCall(CallId(3))]);
    assert_eq!((names(&at).len(), read(&at, 2), read(&at, 3)), (2, Ok(None), Ok(None)));
    at.put([Write::ForgetCall(CallId(1)), Write::ForgetCall(CallId(4))]);
    assert_eq!(names(&at), [""; 0]);
    assert_eq!(at.store.reads().payload_bytes(), Ok(0), "and their sizes with them");
}

#[test]
fn a_batch_that_is_refused_leaves_no_file_and_takes_none() {
    let at = with_large(1);
    let before = names(&at);
    let refused = at.wish([payload(1, large('b', 300)), payload(9, large('c', 300))]);
    assert!(matches!(refused, Err(CommitError::Other(_))), "there is no call 9");
    assert_eq!((names(&at), read(&at, 1)), (before, Ok(Some(large('a', 300)))));
}

#[test]
fn a_full_disk_refuses_a_file_like_a_row() {
    let at = with_large(1);
    at.store.limit_pages(1);
    assert_eq!(at.wish([payload(1, large('b', 300))]), Err(CommitError::Full));
    assert_eq!((names(&at).len(), read(&at, 1)), (1, Ok(Some(large('a', 300)))), "nothing of it is left");
    let waiting = at.submit(BatchKind::Observed, [payload(1, large('c', 300))]);
    assert_eq!(at.wish([]), Err(CommitError::Full), "behind one that waits");
    at.store.limit_pages(u32::MAX);
    assert!(wait(&waiting).is_ok());
    assert_eq!((names(&at).len(), read(&at, 1)), (1, Ok(Some(large('c', 300)))));
}

#[test]
fn a_directory_that_cannot_be_made_is_said_and_harms_nothing_else() {
    let at = Fixture::new();
    fs::write(dir(&at), "in the way").unwrap();
    at.put([put_call(call(1)), payload(1, json("1"))]);
    let refused = at.wish([payload(1, large('a', 300))]);
    assert!(matches!(refused, Err(CommitError::Io(_) | CommitError::ReadOnly)), "{refused:?}");
    assert_eq!(read(&at, 1), Ok(Some(json("1"))));
    fs::remove_file(dir(&at)).unwrap();
    at.put([payload(1, large('a', 300))]);
    assert_eq!(read(&at, 1), Ok(Some(large('a', 300))));
}

#[test]
fn what_nobody_names_is_moved_aside_and_only_unfinished_files_go() {
    let at = with_large(2);
    let named = names(&at);
    for orphan in ["t9-result-7-1.json", "t9-result-7-1.part", "notes.txt"] {
        fs::write(dir(&at).join(orphan), "\"x\"").unwrap();
    }
    let at = at.reopen();
    assert_eq!(names(&at), named);
    assert_eq!(read(&at, 2), Ok(Some(large('a', 300))));
    assert_eq!(listed(&at.dir.path().join("strays-1")), ["notes.txt", "t9-result-7-1.json"]);
    let at = at.reopen();
    assert!(!at.dir.path().join("strays-2").exists(), "a start with nothing to move makes no directory");
}

#[test]
fn a_database_that_was_emptied_deleted_or_replaced_by_hand_costs_no_file() {
    type Spoil = fn(&Path);
    let spoil: [(&str, Spoil); 3] = [
        ("emptied", |db| fs::write(db, "").unwrap()),
        ("deleted", |db| fs::remove_file(db).unwrap()),
        ("replaced", |db| assert!(fs::copy(db.with_file_name("earlier.db"), db).unwrap() > 0)),
    ];
    for (what, spoil) in spoil {
        let at = Fixture::new();
        at.put([put_call(call(1))]);
        at.store.reads().backup(&at.dir.path().join("earlier.db"), &Stop::default()).unwrap();
        at.put([payload(1, large('a', 300)), put_call(call(2))]);
        at.put([payload(2, large('b', 300))]);
        let before = names(&at);
        let Fixture { store, dir } = at;
        store.close();
        spoil(&dir.path().join("signalbox.db"));
        let store = Store::open(dir.path()).unwrap();
        assert_eq!(listed(&dir.path().join("strays-1")), before, "{what}");
        assert_eq!(listed(&dir.path().join("payloads")), [""; 0], "{what}");
        drop(store);
    }
}

#[test]
fn the_log_of_a_database_that_is_gone_is_kept() {
    let at = with_large(1);
    let log = fs::read(at.dir.path().join("signalbox.db-wal")).unwrap();
    assert!(!log.is_empty());
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("signalbox.db-wal"), &log).unwrap();
    let _store = Store::open(other.path()).unwrap();
    assert!(fs::read(other.path().join("strays-1/signalbox.db-wal")).unwrap() == log);
}

#[test]
fn a_damaged_file_costs_one_payload() {
    let at = with_large(4);
    let file = |n: usize| dir(&at).join(&names(&at)[n - 1]);
    let mut noise = fs::read(file(1)).unwrap();
    noise[1_000] = b'x';
    fs::write(file(1), noise).unwrap();
    fs::write(file(2), "\"a\"").unwrap();
    fs::rename(file(3), at.dir.path().join("elsewhere")).unwrap();
    for (call, fault) in [(1, FileFault::Changed), (2, FileFault::Changed), (3, FileFault::Missing)] {
        let error = read(&at, call).unwrap_err();
        assert!(matches!(&error, ReadError::PayloadFile { why, .. } if *why == fault), "{call}: {error}");
        let size = at.store.reads().payload_size(CallId(call), PayloadKind::Result);
        assert_eq!(size, Ok(Some((300 << 10) + 2)), "its size is in the row");
    }
    // The one that was moved away was the third of four names.
    assert_eq!(read(&at, 4), Ok(Some(large('a', 300))), "the others are fine");
    let problems = at.store.reads().check().unwrap();
    assert_eq!(problems.len(), 3, "also the one of the same size: {problems:?}");
    assert!(problems.iter().all(|problem| matches!(problem, Problem::Payload { .. })));
    at.put([payload(1, large('b', 300))]);
    assert_eq!(read(&at, 1), Ok(Some(large('b', 300))), "a new one can take its place");
}

#[test]
fn a_name_from_a_forged_row_leads_nowhere_else() {
    let at = with_large(1);
    fs::write(at.dir.path().join("secret"), "\"x\"").unwrap();
    at.tamper("UPDATE payload_files SET name = '../secret', size = 3");
    let error = read(&at, 1).unwrap_err();
    assert!(matches!(error, ReadError::PayloadFile { why: FileFault::Missing, .. }), "{error}");
    at.put([Write::ForgetCall(CallId(1))]);
    assert!(at.dir.path().join("secret").exists(), "nothing outside is deleted");
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_the_files() {
    use std::os::unix::fs::MetadataExt;
    let at = with_large(1);
    let mode = |path: PathBuf| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(dir(&at)), 0o700);
    assert_eq!(mode(dir(&at).join(&names(&at)[0])), 0o600);
}

#[test]
fn what_was_answered_has_its_file_also_after_a_kill() {
    let at = with_large(1);
    let copy = tempfile::tempdir().unwrap();
    fs::create_dir(copy.path().join("payloads")).unwrap();
    let name = format!("payloads/{}", names(&at)[0]);
    for file in ["signalbox.db", "signalbox.db-wal", &name] {
        fs::copy(at.dir.path().join(file), copy.path().join(file)).unwrap();
    }
    let store = Store::open(copy.path()).unwrap();
    let found = store.reads().payload(CallId(1), PayloadKind::Result).unwrap();
    assert_eq!(found, Some(large('a', 300)));
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_in_the_place_of_a_file_keeps_nobody_waiting() {
    let at = with_large(2);
    let files: Vec<PathBuf> = names(&at).iter().map(|name| dir(&at).join(name)).collect();
    for file in &files {
        fs::remove_file(file).unwrap();
    }
    assert!(std::process::Command::new("mkfifo").arg(&files[0]).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", &files[1]).unwrap();
    for call in [1, 2] {
        let read = read(&at, call);
        assert!(
            matches!(&read, Err(ReadError::PayloadFile { why: FileFault::Unreadable(_), .. })),
            "call {call}: {read:?}"
        );
    }
    assert_eq!(at.store.reads().check().unwrap().len(), 2, "`doctor` names both");
    let to = at.dir.path().join("backup.db");
    assert_eq!(at.store.reads().backup(&to, &Stop::default()).unwrap().left_out, 2);
}

#[test]
fn of_a_file_that_has_grown_nothing_is_read() {
    let at = with_large(1);
    let file = fs::OpenOptions::new().write(true).open(dir(&at).join(&names(&at)[0])).unwrap();
    file.set_len(1 << 40).unwrap();
    let read = read(&at, 1);
    assert!(matches!(&read, Err(ReadError::PayloadFile { why: FileFault::Changed, .. })), "{read:?}");
}
