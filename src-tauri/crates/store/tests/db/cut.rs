//! Salvage of a database that lost its end: all that is left of it, and nothing that was never in it.

use std::{
    fs::{self, File},
    ops::Range,
    path::{Path, PathBuf},
};

use rusqlite::Connection;
use signalbox_model::{CallId, PayloadKind, Timestamp};
use signalbox_store::{OpenError, RescueError, SalvageReport, Stop, salvage};
use tempfile::TempDir;

use crate::{
    files::payload,
    salvage::{filled, of, opened},
    samples::{Fixture, call, json, put_call},
};

/// Calls whose payload is longer than a page, so that the last page of one is often the only one that is lost.
const LONG: u32 = 120;
const PAGE: u64 = 4096;

fn text(id: u32) -> String {
    let letter = char::from(b'a' + (id % 26) as u8);
    format!("\"{}\"", letter.to_string().repeat(3000 + 137 * id as usize))
}

fn put_long(at: &Fixture, ids: std::ops::RangeInclusive<u32>) {
    at.put(ids.flat_map(|id| [put_call(call(id)), payload(id, json(&text(id)))]));
}

/// A copy of a data directory, as a crash leaves it: with the log beside the database.
fn copied(from: &Path) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    for name in ["signalbox.db", "signalbox.db-wal"] {
        if from.join(name).exists() {
            fs::copy(from.join(name), dir.path().join(name)).unwrap();
        }
    }
    if let Ok(files) = fs::read_dir(from.join("payloads")) {
        fs::create_dir(dir.path().join("payloads")).unwrap();
        for file in files.map(Result::unwrap) {
            fs::copy(file.path(), dir.path().join("payloads").join(file.file_name())).unwrap();
        }
    }
    let path = dir.path().join("signalbox.db");
    (dir, path)
}

/// A closed database: no log.
fn closed() -> (TempDir, PathBuf) {
    let at = Fixture::new();
    put_long(&at, 1..=LONG);
    let path = at.path();
    let Fixture { store, dir } = at;
    store.close();
    (dir, path)
}

/// Half of the calls in the database, the others in its log alone.
fn crashed() -> (TempDir, PathBuf) {
    let at = Fixture::new();
    put_long(&at, 1..=LONG / 2);
    let at = at.reopen();
    put_long(&at, LONG / 2 + 1..=LONG);
    let copied = copied(at.dir.path());
    at.store.close();
    copied
}

fn len(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

fn cut(path: &Path, len: u64) {
    File::options().write(true).open(path).unwrap().set_len(len).unwrap();
}

fn salvaged(dir: &TempDir) -> SalvageReport {
    salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap()
}

/// What came over is what was put in: how many payloads.
fn all_true(dir: &TempDir) -> u64 {
    let store = opened(dir);
    let reads = store.reads();
    let payloads = (1..=LONG).filter_map(|id| {
        let payload = reads.payload(CallId(id), PayloadKind::Result).unwrap()?;
        assert!(payload.text() == text(id), "payload {id} is not what it was");
        Some(id)
    });
    payloads.count() as u64
}

#[test]
fn what_is_left_comes_over() {
    let (whole, path) = filled();
    let bytes = len(&path);
    for (left, at_least) in [(bytes - PAGE, 500), (bytes / 100 * 99, 500), (bytes / 2, 100)] {
        let (dir, path) = copied(whole.path());
        cut(&path, left);
        let before = fs::read(&path).unwrap();
        let report = salvaged(&dir);
        let (calls, _) = of(&report, "calls");
        assert!(calls >= at_least, "{calls} calls of {left} bytes of {bytes}: {report:?}");
        assert_eq!(of(&report, "servers"), (1, Some(0)));
        let aside = fs::read(report.aside.unwrap().join("signalbox.db")).unwrap();
        assert!(aside == before, "what was there is as it was");
        opened(&dir);
    }
}

/// The pages that the log has, by number: what becomes of them in the database is of no matter.
fn logged(dir: &Path) -> Vec<u32> {
    let log = fs::read(dir.join("signalbox.db-wal")).unwrap_or_default();
    let frames = log.get(32..).unwrap_or_default().chunks_exact(24 + usize::try_from(PAGE).unwrap());
    frames.map(|frame| u32::from_be_bytes(frame[..4].try_into().unwrap())).collect()
}

/// How many calls have neither their row nor any of their payload in this part of the database, as SQLite itself counts pages.
/// One that has several pages there may count as several.
fn outside(dir: &Path, part: Range<u64>) -> u64 {
    let logged = format!("{:?}", logged(dir));
    let [start, end] = [part.start, part.end].map(|at| i64::try_from(at).unwrap());
    // A copy: a database that is opened is changed.
    let (_dir, path) = copied(dir);
    let lost: u32 = Connection::open(path)
        .unwrap()
        .query_row(
            "WITH part AS (SELECT * FROM dbstat WHERE pgoffset + pgsize > ?1 AND pgoffset < ?2
                           AND pageno NOT IN (SELECT value FROM json_each(?3)))
             SELECT (SELECT ifnull(sum(ncell), 0) FROM part
                     WHERE name IN ('calls', 'payloads') AND pagetype = 'leaf')
                  + (SELECT count(DISTINCT substr(path, 1, instr(path, '+'))) FROM part
                     WHERE name = 'payloads' AND pagetype = 'overflow')",
            (start, end, logged),
            |row| row.get(0),
        )
        .unwrap();
    LONG.checked_sub(lost).expect("a few pages do not have all calls").into()
}

#[test]
fn wherever_it_was_cut_all_before_it_comes_over_and_nothing_untrue() {
    for make in [closed as fn() -> _, crashed] {
        let (whole, path) = make();
        let bytes = len(&path);
        for lost in [1, 100, PAGE, PAGE + 1, 3 * PAGE, 4 * PAGE - 9, 5 * PAGE, 6 * PAGE, 7 * PAGE, 8 * PAGE] {
            let least = outside(whole.path(), bytes - lost..bytes);
            let (dir, path) = copied(whole.path());
            cut(&path, bytes - lost);
            let report = salvaged(&dir);
            let kept = all_true(&dir);
            assert!(kept >= least, "{lost} bytes lost, {least} whole: {report:?}");
            assert_eq!(kept, of(&report, "payloads").0, "{lost} bytes lost: {report:?}");
        }
    }
}

#[test]
fn the_log_gives_what_the_database_lost() {
    let (dir, path) = crashed();
    cut(&path, len(&path) / 2);
    let report = salvaged(&dir);
    let kept = all_true(&dir);
    assert!(kept >= u64::from(LONG / 2), "all that is in the log: {report:?}");

    // A database that was never written back to is all in its log.
    let at = Fixture::new();
    put_long(&at, 1..=10);
    for left in [0, 50, 100, PAGE - 1] {
        let (dir, path) = copied(at.dir.path());
        cut(&path, left);
        let report = salvaged(&dir);
        assert_eq!(of(&report, "calls"), (10, Some(0)), "{left} bytes left: {report:?}");
        assert_eq!(all_true(&dir), 10);
    }
}

#[test]
fn of_less_than_a_page_nothing_can_be_had_and_nothing_is_moved() {
    for left in [0, 50, 100, PAGE - 1] {
        let (dir, path) = closed();
        cut(&path, left);
        let before = fs::read(&path).unwrap();
        let error = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap_err();
        assert!(matches!(error, RescueError::Unusable(OpenError::Damaged { .. })), "{left}: {error:?}");
        assert!(fs::read(&path).unwrap() == before, "as it was");
        let names = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = names.filter(|name| name != "signalbox.db").collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn a_head_that_names_terabytes_is_not_believed() {
    for make in [closed as fn() -> _, crashed] {
        let (dir, path) = make();
        let mut bytes = fs::read(&path).unwrap();
        bytes[28..32].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0xF0]);
        fs::write(&path, &bytes).unwrap();
        salvaged(&dir);
        assert_eq!(all_true(&dir), u64::from(LONG));
        let left = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len());
        assert!(left.max() < Some(16 << 20), "nothing large is left behind");
    }
}
