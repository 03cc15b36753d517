//! Checking, backups and restoring them: one file is everything, nothing is ever overwritten or deleted.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rusqlite::Connection;
use signalbox_model::{Actor, CallId, DecisionKind, PayloadKind, Timestamp};
use signalbox_store::{
    Digest, Entry, OldLog, OpenError, Problem, RescueError, Stop, Store, Whose, Write, restore,
};

use crate::{
    decisions::{decide, decision},
    files::{large, names, payload},
    samples::{Fixture, call, json, put_call, put_request, request},
};

/// Calls 1 and 2, one with a large result, and a decision.
fn filled() -> Fixture {
    let at = Fixture::new();
    at.put([put_call(call(1)), payload(1, large('a', 300)), put_request(request(1, 1))]);
    at.put([put_call(call(2)), payload(2, json("2")), decide(decision(DecisionKind::Called, 1))]);
    at
}

fn has_everything(store: &Store) {
    let reads = store.reads();
    assert_eq!(reads.payload(CallId(1), PayloadKind::Result), Ok(Some(large('a', 300))));
    assert_eq!(reads.payload(CallId(2), PayloadKind::Result), Ok(Some(json("2"))));
    assert_eq!(reads.waiting_of(CallId(1), 9).unwrap().len(), 1);
    assert!(reads.verify_decisions().unwrap().holds());
    assert_eq!(reads.check(), Ok(vec![]));
    assert_eq!(reads.payload_bytes(), Ok((300 << 10) + 3));
}

fn backup(at: &Fixture) -> PathBuf {
    let to = at.dir.path().join("backup.db");
    at.store.reads().backup(&to, &Stop::default()).unwrap();
    to
}

fn files(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn one_file_holds_everything() {
    let at = filled();
    let to = backup(&at);
    let alone = tempfile::tempdir().unwrap();
    let restored = restore(alone.path(), &to, Timestamp(1), &Stop::default()).unwrap();
    assert_eq!((restored.aside, restored.copied.left_out), (None, 0));
    assert_eq!(files(alone.path()), ["signalbox.db"], "and nothing else is needed");
    has_everything(&Store::open(alone.path()).unwrap());
    has_everything(&at.store);
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_a_backup() {
    use std::os::unix::fs::MetadataExt;
    let at = filled();
    assert_eq!(fs::metadata(backup(&at)).unwrap().mode() & 0o777, 0o600);
}

#[test]
fn a_backup_overwrites_nothing_and_leaves_nothing_half_done() {
    let at = filled();
    let to = backup(&at);
    let before = fs::read(&to).unwrap();
    assert_eq!(at.store.reads().backup(&to, &Stop::default()), Err(RescueError::Exists(to.clone())));
    assert!(fs::read(&to).unwrap() == before);
    let nowhere = at.dir.path().join("no/such/place.db");
    let no_place = RescueError::Unwritable(nowhere.clone());
    assert_eq!(
        at.store.reads().backup(&nowhere, &Stop::default()),
        Err(no_place),
        "it is the wish that is wrong, not the disk"
    );
    let part = at.dir.path().join("other.db.part");
    fs::write(&part, "somebody's").unwrap();
    assert_eq!(
        at.store.reads().backup(&at.dir.path().join("other.db"), &Stop::default()),
        Err(RescueError::Exists(part.clone()))
    );
    assert_eq!(fs::read_to_string(part).unwrap(), "somebody's");
    assert!(!files(at.dir.path()).iter().any(|name| name == "other.db" || name == "backup.db.part"));
}

#[test]
fn a_backup_is_of_one_moment_while_everything_runs() {
    let at = filled();
    let reads = at.store.reads();
    let dir = at.dir.path();
    std::thread::scope(|scope| {
        let copies = scope.spawn(move || {
            for n in 0..5 {
                let copied = reads.backup(&dir.join(format!("backup-{n}.db")), &Stop::default()).unwrap();
                assert_eq!(copied.left_out, 0, "no file goes while it is being copied");
            }
        });
        for n in 0..40 {
            let letter = if n % 2 == 0 { 'b' } else { 'c' };
            at.put([payload(1, large(letter, 300)), payload(2, json(&format!("\"{letter}\"")))]);
        }
        copies.join().unwrap();
    });
    assert_eq!(names(&at).len(), 1, "what was replaced meanwhile is gone afterwards");
    for n in 0..5 {
        let alone = tempfile::tempdir().unwrap();
        restore(alone.path(), &dir.join(format!("backup-{n}.db")), Timestamp(1), &Stop::default()).unwrap();
        let store = Store::open(alone.path()).unwrap();
        let payload = |id| store.reads().payload(CallId(id), PayloadKind::Result).unwrap().unwrap();
        let (first, second) = (payload(1).text()[1..2].to_owned(), payload(2).text().replace('"', ""));
        assert_eq!(first.replace('a', "2"), second, "both of the same transaction");
    }
}

#[test]
fn a_payload_whose_file_is_damaged_is_left_out_and_counted() {
    let at = filled();
    fs::write(at.dir.path().join("payloads").join(&names(&at)[0]), "?").unwrap();
    let to = at.dir.path().join("backup.db");
    assert_eq!(at.store.reads().backup(&to, &Stop::default()).unwrap().left_out, 1);
    let alone = tempfile::tempdir().unwrap();
    restore(alone.path(), &to, Timestamp(1), &Stop::default()).unwrap();
    let store = Store::open(alone.path()).unwrap();
    assert_eq!(store.reads().payload(CallId(1), PayloadKind::Result), Ok(None));
    assert_eq!(store.reads().payload(CallId(2), PayloadKind::Result), Ok(Some(json("2"))));
}

#[test]
fn restoring_moves_the_present_aside_and_goes_on_counting() {
    let at = filled();
    let to = backup(&at);
    at.put([put_call(call(7)), Write::ForgetCall(CallId(1)), payload(2, large('z', 300))]);
    let (seq, epoch) = (at.store.reads().seq().unwrap(), at.store.epoch());
    let Fixture { store, dir } = at;
    store.close();
    let aside = restore(dir.path(), &to, Timestamp(1), &Stop::default()).unwrap().aside.unwrap();
    assert_eq!(aside, dir.path().join("replaced-1"));

    let store = Store::open(dir.path()).unwrap();
    has_everything(&store);
    assert_eq!(store.reads().ids().unwrap().call, CallId(8), "7 was given out: it means another call");
    assert!(store.reads().seq().unwrap() >= seq && store.epoch() > epoch, "no cursor fits both");
    store.close();

    // What was replaced is whole, and can itself be restored.
    let again = restore(dir.path(), &aside.join("signalbox.db"), Timestamp(1), &Stop::default()).unwrap();
    assert_eq!(again.aside, Some(dir.path().join("replaced-2")));
    assert_eq!(again.copied.left_out, 0, "with the payloads beside it");
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(store.reads().call(CallId(1)), Ok(None));
    assert_eq!(store.reads().payload(CallId(2), PayloadKind::Result), Ok(Some(large('z', 300))));
}

fn more(at: &Fixture, calls: impl IntoIterator<Item = u32>) {
    at.put(calls.into_iter().map(|id| decide(decision(DecisionKind::Called, id))));
}

fn log(store: &Store) -> Vec<Entry> {
    assert!(store.reads().verify_decisions().unwrap().holds());
    store.reads().decisions(0, 1_000).unwrap().rows
}

#[test]
fn what_was_decided_since_a_backup_is_still_in_the_log_after_its_restore() {
    let at = filled();
    let to = backup(&at);
    more(&at, [8, 9]);
    let before = log(&at.store);
    let Fixture { store, dir } = at;
    store.close();
    let restored = restore(dir.path(), &to, Timestamp(1), &Stop::default()).unwrap();
    assert_eq!(restored.log, OldLog::CarriedOn(2));
    let at = Fixture { store: Store::open(dir.path()).unwrap(), dir };
    assert_eq!(log(&at.store), before);
    assert_eq!(at.store.reads().ids().unwrap().call, CallId(10), "what the log names is not given out again");
    more(&at, [10]);
    assert_eq!(log(&at.store).last().unwrap().n, 4, "no number comes again");
}

#[test]
fn a_damaged_database_gives_its_log_to_the_backup_that_replaces_it() {
    let at = filled();
    let to = backup(&at);
    more(&at, [8, 9]);
    let before = log(&at.store);
    at.tamper("PRAGMA foreign_keys = OFF; DELETE FROM meta");
    let Fixture { store, dir } = at;
    drop(store);
    assert!(matches!(Store::open(dir.path()), Err(OpenError::Damaged { .. })));
    assert_eq!(restore(dir.path(), &to, Timestamp(1), &Stop::default()).unwrap().log, OldLog::CarriedOn(2));
    assert_eq!(log(&Store::open(dir.path()).unwrap()), before);
}

#[test]
fn a_log_that_goes_another_way_is_named_by_its_end() {
    let at = filled();
    let to = backup(&at);
    let other = filled();
    more(&other, [3, 4]);
    let end = log(&other.store).pop().unwrap();
    let Fixture { store, dir } = other;
    store.close();
    // The same decisions of another time: the chains part at the first entry.
    let away = Connection::open(&to).unwrap();
    let forged = at.store.reads().decisions(0, 1).unwrap().rows.remove(0);
    let changed = Entry { text: Some("elsewhere".to_owned()), ..forged };
    let hash = changed.hash_behind(Digest::ZERO).to_string();
    away.execute_batch(&format!(
        "DROP TRIGGER decisions_never_change;
         UPDATE decisions SET text = 'elsewhere', hash = '{hash}' WHERE n = 1;
         UPDATE meta SET decisions_hash = '{hash}';
         CREATE TRIGGER decisions_never_change BEFORE UPDATE ON decisions BEGIN
             SELECT raise(ABORT, 'decisions are never changed');
         END;"
    ))
    .unwrap();
    away.close().unwrap();
    let restored = restore(dir.path(), &to, Timestamp(7), &Stop::default()).unwrap();
    assert_eq!(restored.log, OldLog::Left { end: Some((end.n, end.hash)) });
    let log = log(&Store::open(dir.path()).unwrap());
    let entry = log.last().unwrap();
    assert_eq!(
        (entry.n, entry.kind, entry.by, entry.at),
        (2, DecisionKind::Restored, Actor::Signalbox, Timestamp(7))
    );
    let left = format!(r#"{{"end":{{"n":{},"hash":"{}"}}}}"#, end.n, end.hash);
    assert_eq!((&entry.json, &entry.text), (&Some(json(&left)), &None), "values, whose words the kind has");
}

#[test]
fn an_earlier_database_that_is_replaced_by_a_later_one_leaves_no_entry() {
    let at = filled();
    let earlier = backup(&at);
    more(&at, [8]);
    let later = at.dir.path().join("later.db");
    at.store.reads().backup(&later, &Stop::default()).unwrap();
    let alone = tempfile::tempdir().unwrap();
    restore(alone.path(), &earlier, Timestamp(1), &Stop::default()).unwrap();
    assert_eq!(restore(alone.path(), &later, Timestamp(1), &Stop::default()).unwrap().log, OldLog::Contained);
    assert_eq!(log(&Store::open(alone.path()).unwrap()), log(&at.store));
}

#[test]
fn a_log_that_cannot_be_read_is_said_to_be_left() {
    let at = filled();
    let to = backup(&at);
    let Fixture { store, dir } = at;
    store.close();
    fs::write(dir.path().join("signalbox.db"), "noise ".repeat(1_000)).unwrap();
    assert_eq!(
        restore(dir.path(), &to, Timestamp(1), &Stop::default()).unwrap().log,
        OldLog::Left { end: None }
    );
    let entry = log(&Store::open(dir.path()).unwrap()).pop().unwrap();
    assert_eq!(
        (entry.kind, entry.json),
        (DecisionKind::Restored, Some(json("{}"))),
        "nothing tells where it ended"
    );
}

#[test]
fn a_log_without_its_database_spoils_no_restored_one() {
    let at = filled();
    let to = backup(&at);
    at.put([put_call(call(3))]);
    let other = tempfile::tempdir().unwrap();
    // All that is left of a database somebody deleted.
    fs::copy(at.dir.path().join("signalbox.db-wal"), other.path().join("signalbox.db-wal")).unwrap();
    let aside = restore(other.path(), &to, Timestamp(1), &Stop::default()).unwrap().aside.unwrap();
    assert!(aside.join("signalbox.db-wal").exists(), "kept, and out of the way");
    has_everything(&Store::open(other.path()).unwrap());
}

#[test]
fn what_is_no_sound_backup_of_ours_changes_nothing() {
    type Spoil = fn(&Path);
    type Expected = fn(&RescueError) -> bool;
    let at = filled();
    let good = backup(&at);
    let Fixture { store, dir } = at;
    store.close();
    let spoil: [(&str, Spoil, Expected); 6] = [
        ("missing", |path| fs::remove_file(path).unwrap(), |error| matches!(error, RescueError::Missing(_))),
        (
            "empty",
            |path| fs::write(path, "").unwrap(),
            |error| matches!(error, RescueError::Unusable(OpenError::Damaged { .. })),
        ),
        (
            "no database",
            |path| fs::write(path, "notes\n".repeat(100)).unwrap(),
            |error| matches!(error, RescueError::Unusable(OpenError::Damaged { .. })),
        ),
        (
            "noise in the middle",
            |path| {
                let mut bytes = fs::read(path).unwrap();
                let middle = bytes.len() / 8192 * 4096;
                bytes[middle..middle + 4096].fill(0xA5);
                fs::write(path, bytes).unwrap();
            },
            |error| matches!(error, RescueError::Unusable(OpenError::Damaged { .. })),
        ),
        (
            "newer",
            |path| Connection::open(path).unwrap().execute_batch("PRAGMA user_version = 99").unwrap(),
            |error| matches!(error, RescueError::Unusable(OpenError::Newer { found: 99, .. })),
        ),
        (
            "another program's",
            |path| Connection::open(path).unwrap().execute_batch("PRAGMA application_id = 7").unwrap(),
            |error| {
                matches!(error, RescueError::Unusable(OpenError::NotOurs { whose: Whose::OtherProgram, .. }))
            },
        ),
    ];
    let before = (files(dir.path()), fs::read(dir.path().join("signalbox.db")).unwrap());
    for (what, spoil, expected) in spoil {
        let elsewhere = tempfile::tempdir().unwrap();
        let bad = elsewhere.path().join("bad.db");
        fs::copy(&good, &bad).unwrap();
        spoil(&bad);
        let error = restore(dir.path(), &bad, Timestamp(1), &Stop::default()).expect_err(what);
        assert!(expected(&error), "{what}: {error:?}");
        let after = (files(dir.path()), fs::read(dir.path().join("signalbox.db")).unwrap());
        assert!(after == before, "{what}: nothing was touched");
    }
    has_everything(&Store::open(dir.path()).unwrap());
}

#[test]
fn a_directory_is_no_backup() {
    let at = filled();
    let elsewhere = tempfile::tempdir().unwrap();
    let error = restore(elsewhere.path(), at.dir.path(), Timestamp(1), &Stop::default()).unwrap_err();
    assert_eq!(error, RescueError::NotAFile(at.dir.path().to_owned()));
    assert!(error.to_string().contains("is a directory"), "{error}");
}

#[test]
fn a_check_tells_what_is_wrong() {
    let at = filled();
    at.tamper("PRAGMA foreign_keys = OFF; DELETE FROM calls WHERE id = 2");
    let problems = at.store.reads().check().unwrap();
    let dangling = |problem: &Problem| matches!(problem, Problem::Dangling { table, parent, .. } if table == "payloads" && parent == "calls");
    assert!(problems.len() == 1 && dangling(&problems[0]), "{problems:?}");
    assert!(problems[0].to_string().contains("payloads"), "{}", problems[0]);
}

#[test]
fn what_is_asked_to_stop_leaves_everything_as_it_was() {
    let at = filled();
    let to = backup(&at);
    let (dir, stop) = (at.dir.path(), Stop::default());
    let before = files(dir);
    stop.ask();
    assert_eq!(at.store.reads().backup(&dir.join("late.db"), &stop), Err(RescueError::Stopped));
    assert_eq!(files(dir), before, "no half of a copy is left");

    let Fixture { dir, store, .. } = filled();
    let before = files(dir.path());
    store.close();
    let database = fs::read(dir.path().join("signalbox.db")).unwrap();
    assert_eq!(restore(dir.path(), &to, Timestamp(1), &stop), Err(RescueError::Stopped));
    assert!(fs::read(dir.path().join("signalbox.db")).unwrap() == database, "not a byte of it changed");
    assert!(files(dir.path()).iter().all(|name| before.contains(name)), "nothing was moved or left over");
}
