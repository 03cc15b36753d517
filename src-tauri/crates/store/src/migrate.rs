//! The file's format: one migration per released change, the database copied before each.

use std::{fs, path::Path};

use rusqlite::{Connection, Transaction};
use rusqlite_migration::{M, Migrations};

use crate::{
    OpenError, Stop, copy,
    files::Files,
    sweep,
    table::{
        calls, counts, decisions, events, meta, payload_files, payloads, requests, rounds, servers, sessions,
        settings, tools,
    },
};

/// What makes a SQLite file ours: "SgBx".
pub(crate) const APPLICATION_ID: u32 = 0x5367_4278;

/// Migrations in order; the file's `user_version` says how many it has seen. Released ones never change.
pub(crate) fn steps() -> Vec<String> {
    let application_id = format!("PRAGMA application_id = {APPLICATION_ID};");
    let first = [
        application_id.as_str(),
        meta::SCHEMA,
        servers::SCHEMA,
        tools::SCHEMA,
        settings::SCHEMA,
        calls::SCHEMA,
        payloads::SCHEMA,
        rounds::SCHEMA,
        requests::SCHEMA,
        events::SCHEMA,
        counts::SCHEMA,
    ];
    let second = [
        meta::SINCE_2,
        payload_files::SINCE_2,
        requests::SINCE_2,
        decisions::SINCE_2,
        counts::SINCE_2,
        sweep::SINCE_2,
    ];
    let third = [meta::SINCE_3, servers::SINCE_3, sessions::SINCE_3, calls::SINCE_3, requests::SINCE_3];
    let tenth = [calls::SINCE_10, requests::SINCE_10, events::SINCE_10, decisions::SINCE_10];
    vec![
        first.concat(),
        second.concat(),
        third.concat(),
        rounds::SINCE_4.to_owned(),
        [servers::SINCE_5, requests::SINCE_5, counts::SINCE_5].concat(),
        [calls::SINCE_6, requests::SINCE_6].concat(),
        requests::SINCE_7.to_owned(),
        calls::SINCE_8.to_owned(),
        counts::SINCE_9.to_owned(),
        tenth.concat(),
        calls::SINCE_11.to_owned(),
        [requests::SINCE_12, counts::SINCE_12].concat(),
        [requests::SINCE_13, requests::alike::SINCE_13, decisions::SINCE_13].concat(),
        // No SQL knows what is secret.
        String::new(),
        calls::own::SINCE_15.to_owned(),
        [calls::SINCE_16, counts::SINCE_16].concat(),
    ]
}

/// The format by which no row has secrets of answers that were delivered before there was a way to leave them out.
const MASKED: u32 = 14;

/// The tables of a format.
pub(crate) fn tables(format: u32) -> impl Iterator<Item = &'static str> {
    TABLES.into_iter().filter(move |(_, since)| *since <= format).map(|(name, _)| name)
}

/// Each table, and the format that brought it.
const TABLES: [(&str, u32); 14] = [
    ("meta", 1),
    ("servers", 1),
    ("tools", 1),
    ("settings", 1),
    ("calls", 1),
    ("payloads", 1),
    ("rounds", 1),
    ("requests", 1),
    ("events", 1),
    ("tally", 1),
    ("payload_files", 2),
    ("decisions", 2),
    ("sessions", 3),
    ("remarks", 15),
];

/// The format this program writes.
pub(crate) fn known() -> u32 {
    u32::try_from(steps().len()).expect("BUG: a handful of migrations")
}

/// Brings the database from format `found` to the last of `steps`, all or nothing.
pub(crate) fn migrate(
    conn: &mut Connection,
    path: &Path,
    found: u32,
    steps: &[String],
) -> Result<(), OpenError> {
    if found as usize >= steps.len() {
        return Ok(());
    }
    if found > 0 {
        back_up(conn, path, found)?;
    }
    bring_up(conn, path, steps)
}

/// The same for a copy, of which no other copy is needed.
pub(crate) fn bring_up(conn: &mut Connection, path: &Path, steps: &[String]) -> Result<(), OpenError> {
    let step = |(format, sql)| match format {
        MASKED => M::up_with_hook(sql, |tx: &Transaction<'_>| Ok(requests::since_14::mask(tx)?)),
        _ => M::up(sql),
    };
    let migrations = Migrations::new((1..).zip(steps.iter().map(String::as_str)).map(step).collect());
    migrations.to_latest(conn).map_err(|error| match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => OpenError::sqlite(path, &err),
        other => OpenError::Damaged { path: path.to_owned(), detail: other.to_string() },
    })
}

/// Copies the database, large payloads included, to `signalbox.db.backup-v{N}`, complete or not at all. A copy of the same format is replaced, so
/// that a migration which fails at every start does not fill the disk.
fn back_up(conn: &Connection, path: &Path, format: u32) -> Result<(), OpenError> {
    let copy = path.with_extension(format!("db.backup-v{format}"));
    let part = path.with_extension(format!("db.backup-v{format}.part"));
    let failed = |error: std::io::Error| OpenError::io(&part, &error);
    match fs::remove_file(&part) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    let files = Files::of(path.parent().unwrap_or(Path::new("")));
    copy::whole(conn, path, &files, &part, &Stop::default())?;
    fs::rename(&part, &copy).map_err(failed)?;
    tracing::info!(format, "copied the database before its migration");
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An empty database of the latest format.
    pub(crate) fn blank() -> Connection {
        let mut conn = Connection::open_in_memory().unwrap();
        migrate(&mut conn, Path::new(":memory:"), 0, &steps()).unwrap();
        conn
    }

    /// What SQLite means to do.
    pub(crate) fn plan(conn: &Connection, sql: &str) -> String {
        crate::plan::check::plan(conn, sql).unwrap().join("; ")
    }

    #[test]
    fn each_format_has_its_tables() {
        for format in 1..=known() {
            let mut conn = Connection::open_in_memory().unwrap();
            migrate(&mut conn, Path::new(":memory:"), 0, &steps()[..format as usize]).unwrap();
            let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
            let mut statement = conn.prepare(sql).unwrap();
            let made: Vec<String> =
                statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
            let mut named: Vec<&str> = tables(format).collect();
            named.sort_unstable();
            assert_eq!(made, named, "format {format}");
        }
    }

    #[test]
    fn released_formats_are_as_they_were() {
        let fixtures = [
            include_str!("../tests/fixtures/format-1.sql"),
            include_str!("../tests/fixtures/format-2.sql"),
            include_str!("../tests/fixtures/format-3.sql"),
            include_str!("../tests/fixtures/format-4.sql"),
            include_str!("../tests/fixtures/format-5.sql"),
            include_str!("../tests/fixtures/format-6.sql"),
            include_str!("../tests/fixtures/format-7.sql"),
            include_str!("../tests/fixtures/format-8.sql"),
            include_str!("../tests/fixtures/format-9.sql"),
            include_str!("../tests/fixtures/format-10.sql"),
            include_str!("../tests/fixtures/format-11.sql"),
            include_str!("../tests/fixtures/format-12.sql"),
            include_str!("../tests/fixtures/format-13.sql"),
            include_str!("../tests/fixtures/format-14.sql"),
            include_str!("../tests/fixtures/format-15.sql"),
        ];
        for (released, fixture) in (1..).zip(fixtures) {
            is_as_it_was(released, fixture);
        }
    }

    fn is_as_it_was(released: usize, dump: &str) {
        let step = Connection::open_in_memory().unwrap();
        step.execute_batch(&steps()[..released].concat()).unwrap();
        let fixture = Connection::open_in_memory().unwrap();
        fixture.execute_batch(dump).unwrap();
        let objects = |conn: &Connection| {
            let sql = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
            let mut statement = conn.prepare(sql).unwrap();
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            rows.collect::<rusqlite::Result<Vec<(String, String)>>>().unwrap()
        };
        assert_eq!(objects(&step), objects(&fixture), "a released step never changes: add another");
    }

    fn steps_of(sql: &[&str]) -> Vec<String> {
        sql.iter().map(|&step| step.to_owned()).collect()
    }

    fn format(conn: &Connection) -> u32 {
        conn.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn the_database_is_copied_before_it_is_migrated() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("signalbox.db");
        let mut conn = Connection::open(&path).unwrap();
        let steps = steps_of(&["CREATE TABLE a (x); INSERT INTO a VALUES (1)", "INSERT INTO a VALUES (2)"]);
        migrate(&mut conn, &path, 0, &steps[..1]).unwrap();
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "a new database is not copied");

        migrate(&mut conn, &path, 1, &steps).unwrap();
        let count =
            |conn: &Connection| conn.query_row("SELECT count(*) FROM a", [], |row| row.get::<_, u32>(0));
        assert_eq!((format(&conn), count(&conn).unwrap()), (2, 2));
        let copy = Connection::open(dir.path().join("signalbox.db.backup-v1")).unwrap();
        assert_eq!(
            (format(&copy), count(&copy).unwrap()),
            (1, 1),
            "the copy holds the state before the migration"
        );
    }

    #[test]
    fn the_copy_has_the_large_payloads_too() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("signalbox.db");
        let mut conn = Connection::open(&path).unwrap();
        migrate(&mut conn, &path, 0, &steps()).unwrap();
        let (name, json) = ("t1-result-1-1.json", "\"a\"");
        fs::create_dir(dir.path().join("payloads")).unwrap();
        fs::write(dir.path().join("payloads").join(name), json).unwrap();
        let row = rusqlite::params![name, json.len() as i64, crate::Digest::of(json).to_string()];
        conn.pragma_update(None, "foreign_keys", false).unwrap();
        conn.execute("INSERT INTO payload_files VALUES (1, 'result', ?1, ?2, ?3)", row).unwrap();

        let next = [steps(), steps_of(&["CREATE TABLE a (x)"])].concat();
        let found = known();
        migrate(&mut conn, &path, found, &next).unwrap();
        let copy = path.with_extension(format!("db.backup-v{found}"));
        let read = |conn: &Connection| {
            conn.query_row("SELECT json FROM payloads WHERE call = 1", [], |row| row.get::<_, String>(0))
        };
        assert_eq!(read(&Connection::open(copy).unwrap()).unwrap(), json, "its file may go meanwhile");
    }

    #[test]
    fn a_migration_that_fails_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("signalbox.db");
        let mut conn = Connection::open(&path).unwrap();
        let steps = steps_of(&["CREATE TABLE a (x)", "INSERT INTO a VALUES (2)", "nonsense"]);
        migrate(&mut conn, &path, 0, &steps[..1]).unwrap();
        for _ in 0..2 {
            assert!(migrate(&mut conn, &path, 1, &steps).is_err());
            assert_eq!(format(&conn), 1);
            let rows: u32 = conn.query_row("SELECT count(*) FROM a", [], |row| row.get(0)).unwrap();
            assert_eq!(rows, 0, "the step before the failing one is rolled back too");
        }
        let files = fs::read_dir(&dir).unwrap().count();
        assert_eq!(files, 2, "the database and one copy, however often it was tried");
    }
}
