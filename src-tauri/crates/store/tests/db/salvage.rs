//! Salvage: real damage in real files, and every row that can still be read.

use std::{fs, path::PathBuf};

use rusqlite::Connection;
use signalbox_model::{
    Call, CallId, DecisionKind, Event, EventKind, Outcome, PayloadKind, ServerId, Status, Timestamp,
};
use signalbox_store::{
    CallQuery, OpenError, RescueError, SalvageReport, Stop, Store, Write, restore, salvage,
};
use tempfile::TempDir;

use crate::{
    decisions::{decide, decision},
    files::{large, payload},
    samples::{Fixture, call, json, put_call, put_request, request},
};

const CALLS: u32 = 600;

/// A closed database with rows on many pages in every large table.
pub(crate) fn filled() -> (TempDir, PathBuf) {
    let at = Fixture::new();
    let long = "x".repeat(200);
    let ended = |id| Call { outcome: Some(Outcome::Ok), status: Status::Completed, ..call(id) };
    let event = |id| {
        let (call, at) = (CallId(id), Timestamp(1));
        Write::AddEvent(Event {
            call,
            at,
            kind: EventKind::Called,
            request: None,
            text: Some(long.clone()),
            note: None,
        })
    };
    at.put((1..=CALLS).flat_map(|id| {
        let row = if id % 2 == 0 { call(id) } else { ended(id) };
        let row = Call { summary: long.clone(), ..row };
        [
            put_call(row),
            payload(id, json(&format!("\"{long}{id}\""))),
            event(id),
            put_request(request(id, id)),
        ]
    }));
    at.put((1..=CALLS).map(|id| decide(decision(DecisionKind::Called, id))));
    at.put([payload(1, large('a', 300)), payload(600, large('b', 300))]);
    let path = at.path();
    let Fixture { store, dir } = at;
    store.close();
    (dir, path)
}

/// The pages of a table, leaves and inner ones, its root first.
fn pages(path: &PathBuf, table: &str) -> Vec<usize> {
    let conn = Connection::open(path).unwrap();
    let root: u32 = conn
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = ?1", [table], |row| row.get(0))
        .unwrap();
    pages_below(path, root as usize)
}

fn pages_below(path: &PathBuf, root: usize) -> Vec<usize> {
    // The bundled SQLite has no dbstat: what belongs to a table is found from its root.
    let bytes = fs::read(path).unwrap();
    let page = |n: usize| &bytes[(n - 1) * 4096..n * 4096];
    let (mut found, mut next) = (Vec::new(), vec![root]);
    while let Some(n) = next.pop() {
        found.push(n);
        let at = if n == 1 { 100 } else { 0 };
        // An inner page of a table: its children are named by its cells, and the last by its header.
        if page(n)[at] == 5 {
            let word = |at: usize| usize::from(u16::from_be_bytes([page(n)[at], page(n)[at + 1]]));
            let child = |at: usize| {
                let four = page(n)[at..at + 4].try_into().unwrap();
                u32::from_be_bytes(four) as usize
            };
            next.push(child(at + 8));
            next.extend((0..word(at + 3)).map(|cell| child(word(at + 12 + 2 * cell))));
        }
    }
    found
}

fn spoil(path: &PathBuf, pages: &[usize]) {
    let mut bytes = fs::read(path).unwrap();
    for n in pages {
        bytes[(n - 1) * 4096..n * 4096].fill(0xA5);
    }
    fs::write(path, bytes).unwrap();
}

pub(crate) fn of(report: &SalvageReport, table: &str) -> (u64, Option<u64>) {
    let table = report.tables.iter().find(|found| found.name == table).unwrap();
    (table.kept, table.lost)
}

/// The store after a salvage must be sound, whatever is missing.
pub(crate) fn opened(dir: &TempDir) -> Store {
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    assert_eq!(reads.check(), Ok(vec![]));
    let page = reads.calls_page(&CallQuery { limit: 10_000, ..CallQuery::default() }).unwrap();
    assert_eq!(page.total, page.ids.len() as u64, "the counts are made anew");
    store
}

#[test]
fn a_sound_database_comes_over_whole() {
    let (dir, _) = filled();
    let report = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap();
    assert!(report.tables.iter().all(|table| table.lost == Some(0)), "{report:?}");
    assert!(report.whole() && !report.numbering_lost && report.lost_servers.is_empty());
    let store = opened(&dir);
    let reads = store.reads();
    assert_eq!(of(&report, "calls"), (600, Some(0)));
    assert!(reads.verify_decisions().unwrap().holds());
    assert_eq!(reads.payload(CallId(600), PayloadKind::Result), Ok(Some(large('b', 300))));
    assert_eq!((reads.ids().unwrap().call, store.epoch()), (CallId(601), 2), "the numbering goes on");
    let servers = reads.servers().unwrap();
    assert!(servers.iter().all(|(server, _)| !server.trusted), "what would be run is confirmed anew");
    assert!(report.aside.unwrap().join("signalbox.db").exists());
}

#[test]
fn pages_in_the_middle_cost_their_rows_alone() {
    for table in ["calls", "events", "requests", "payloads", "decisions"] {
        let (dir, path) = filled();
        let pages = pages(&path, table);
        assert!(pages.len() > 6, "{table} has {} pages", pages.len());
        let damaged = fs::read(&path).unwrap();
        spoil(&path, &[pages[2], pages[5]]);
        assert!(fs::read(&path).unwrap() != damaged);
        let spoiled = fs::read(&path).unwrap();

        let report = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap();
        let (kept, lost) = of(&report, table);
        let all = if table == "payloads" { 598 } else { 600 };
        assert!(kept > all * 2 / 3 && kept < all, "{table}: two leaves of many: {report:?}");
        assert_eq!(lost, Some(all - kept), "an index still tells how many: {table}");
        let aside = report.aside.clone().unwrap();
        assert!(
            fs::read(aside.join("signalbox.db")).unwrap() == spoiled,
            "the damaged one is kept as it was"
        );
        let store = opened(&dir);
        if table == "calls" {
            assert_eq!(of(&report, "events").0, kept, "what hangs on lost calls goes with them: {report:?}");
        } else {
            assert_eq!(of(&report, "calls"), (600, Some(0)), "{table}");
        }
        assert_eq!(store.reads().ids().unwrap().call, CallId(601));
        let verification = store.reads().verify_decisions().unwrap();
        assert_eq!(verification.holds(), table != "decisions", "missing entries are said: {verification:?}");
    }
}

#[test]
fn a_page_above_others_costs_what_cannot_be_reached_without_it() {
    let (dir, path) = filled();
    spoil(&path, &pages(&path, "events")[..1]);
    let report = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap();
    assert_eq!(of(&report, "events"), (0, Some(600)), "the root of the table");
    assert_eq!(of(&report, "calls"), (600, Some(0)));
    opened(&dir);
}

#[test]
fn calls_of_lost_servers_and_lost_numbers_stay_usable() {
    let (dir, path) = filled();
    let roots = ["servers", "meta"].map(|table| pages(&path, table)[0]);
    spoil(&path, &roots);
    let report = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap();
    assert_eq!((report.lost_servers.clone(), report.numbering_lost), (vec![ServerId(1)], true));
    assert_eq!(of(&report, "calls"), (600, Some(0)));
    let store = opened(&dir);
    let (server, _) = &store.reads().servers().unwrap()[0];
    assert!(!server.enabled, "its address is made up: nothing connects there");
    let ids = store.reads().ids().unwrap();
    assert_eq!((ids.server, ids.call, ids.request.0), (ServerId(2), CallId(601), 601));
    assert!(store.epoch() > 1_000_000, "no cursor of before fits");
    assert!(store.reads().verify_decisions().unwrap().holds(), "the log is all there");
}

#[test]
fn files_of_lost_payloads_are_moved_aside_and_not_deleted() {
    let (dir, path) = filled();
    let calls = pages(&path, "calls");
    // The leaf with call 600 is the last child of the root.
    spoil(&path, &[*calls.last().unwrap()]);
    let report = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap();
    let store = opened(&dir);
    let gone: Vec<_> =
        [1, 600].into_iter().filter(|&id| store.reads().call(CallId(id)).unwrap().is_none()).collect();
    assert!(!gone.is_empty(), "one end of the table is lost: {report:?}");
    let aside = fs::read_dir(report.aside.unwrap().join("payloads")).unwrap();
    assert_eq!(aside.count(), gone.len());
    for id in [1, 600].into_iter().filter(|id| !gone.contains(id)) {
        assert!(store.reads().payload(CallId(id), PayloadKind::Result).unwrap().is_some());
    }
}

#[test]
fn where_nothing_can_be_read_nothing_is_moved() {
    let (dir, path) = filled();
    let mut bytes = fs::read(&path).unwrap();
    bytes[..4096].fill(0xA5);
    fs::write(&path, &bytes).unwrap();
    let error = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap_err();
    assert!(matches!(error, RescueError::Unusable(OpenError::Damaged { .. })), "{error:?}");
    assert!(fs::read(&path).unwrap() == bytes);
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(salvage(empty.path(), Timestamp(1), &Stop::default()), Err(RescueError::Missing(_))));
}

#[test]
fn a_schema_nothing_is_left_of_is_an_error_and_nothing_is_moved() {
    let (dir, path) = filled();
    let schema = pages_below(&path, 1);
    assert!(schema.len() > 2, "it has pages of its own: {schema:?}");
    spoil(&path, &schema[1..]);
    let bytes = fs::read(&path).unwrap();
    let error = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap_err();
    assert!(matches!(error, RescueError::Unusable(OpenError::Damaged { .. })), "{error:?}");
    assert!(fs::read(&path).unwrap() == bytes, "as it was");
    let names = |dir: &std::path::Path| fs::read_dir(dir).unwrap().count();
    assert_eq!(names(&dir.path().join("payloads")), 2);
    let mut rest: Vec<_> =
        fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    rest.retain(|name| name != "signalbox.db" && name != "payloads");
    rest.retain(|name| name != "signalbox.db-shm" && name != "signalbox.db-wal");
    assert!(rest.is_empty(), "{rest:?}");
}

#[test]
fn the_tables_before_a_damage_of_the_schema_come_over() {
    let (dir, path) = filled();
    let mut schema = pages_below(&path, 1)[1..].to_vec();
    // The last of them stands behind the others, which go from the last to the first.
    schema.remove(schema.len() - 2);
    spoil(&path, &schema);
    let report = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap();
    assert!(!report.whole(), "{report:?}");
    assert_eq!(of(&report, "servers"), (1, Some(0)));
    let lost: Vec<_> = report.tables.iter().filter(|table| table.kept == 0).collect();
    assert!(lost.iter().any(|table| table.lost.is_none()), "what is lost is said: {report:?}");
    opened(&dir);
}

#[test]
fn a_table_that_is_missing_is_a_damage_and_the_others_come_over() {
    for table in ["meta", "events", "calls", "sessions"] {
        let (dir, path) = filled();
        let conn = Connection::open(&path).unwrap();
        conn.execute_batch(&format!("PRAGMA foreign_keys = OFF; DROP TABLE {table};")).unwrap();
        conn.close().unwrap();
        let error = Store::open(dir.path()).unwrap_err();
        assert!(matches!(error, OpenError::Damaged { .. }), "{table}: {error:?}");
        assert!(error.to_string().contains("salvage what can still be read"), "what to do: {error}");
        let report = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap();
        assert!(!report.whole(), "{table}: {report:?}");
        assert_eq!(of(&report, "decisions"), (600, Some(0)), "{table}");
        opened(&dir);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_refused_and_nobody_waits_for_it() {
    for name in ["signalbox.db", "signalbox.db-wal", "signalbox.db-shm"] {
        let (dir, _) = filled();
        let pipe = dir.path().join(name);
        // What was there goes, if it was.
        let _ = fs::remove_file(&pipe);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap_err();
        let not_a_file = OpenError::NotAFile { path: pipe.clone() };
        assert_eq!(error, RescueError::Unusable(not_a_file.clone()));
        assert_eq!(Store::open(dir.path()).unwrap_err(), not_a_file);
        if name == "signalbox.db" {
            let named = restore(dir.path(), &pipe, Timestamp(1), &Stop::default()).unwrap_err();
            assert_eq!(named, RescueError::NotAFile(pipe));
        }
    }
}

#[test]
fn a_salvage_that_is_stopped_changes_nothing() {
    let (dir, path) = filled();
    let bytes = fs::read(&path).unwrap();
    let stop = Stop::default();
    stop.ask();
    assert_eq!(salvage(dir.path(), Timestamp(1), &stop), Err(RescueError::Stopped));
    assert!(fs::read(&path).unwrap() == bytes);
    assert!(!dir.path().join("damaged-1").exists() && !dir.path().join("signalbox.db.part").exists());
}

#[test]
fn the_log_says_that_something_was_lost() {
    let (dir, path) = filled();
    spoil(&path, &pages(&path, "events")[..1]);
    salvage(dir.path(), Timestamp(7), &Stop::default()).unwrap();
    let store = opened(&dir);
    let [last, entry] = store.reads().decisions(599, 10).unwrap().rows.try_into().unwrap();
    assert_eq!((entry.n, entry.kind, entry.at), (601, DecisionKind::Salvaged, Timestamp(7)));
    let before = format!(r#"{{"kept":600,"end":{{"n":600,"hash":"{}"}}}}"#, last.hash);
    assert_eq!((entry.json, entry.text), (Some(json(&before)), None), "how much of the log came over");
    assert!(store.reads().verify_decisions().unwrap().holds());
}
