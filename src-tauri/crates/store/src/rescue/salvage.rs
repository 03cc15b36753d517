//! What can be had from a damaged database, in a new one.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OptionalExtension, Row};
use signalbox_model::{DecisionKind, Server, ServerId, Timestamp, Transport};

use super::{
    Part, RescueError, Stop,
    log::{self, Before},
    rows::Table,
    source::Source,
};
use crate::{
    OpenError, connection, data_dir, files, migrate, open,
    table::{meta, payload_files, servers},
};

/// What hangs on a row comes behind it. Not among them: `meta`, which is one row, and `tally`, which counts itself anew.
const TABLES: [&str; 12] = [
    "servers",
    "tools",
    "sessions",
    "settings",
    "calls",
    "payloads",
    "payload_files",
    "rounds",
    "requests",
    "events",
    "remarks",
    "decisions",
];

/// The tables whose rows mean nothing without their call.
const OF_CALLS: [&str; 6] = ["payloads", "payload_files", "rounds", "requests", "events", "remarks"];

/// The epoch of a database whose own is lost: higher than it can have been.
const NEW_EPOCH: i64 = 1 << 32;

/// What a salvage brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SalvageReport {
    /// Each table, in the order of the format.
    pub tables: Vec<SalvagedTable>,
    /// Servers whose row was lost. Calls of theirs are kept under a made-up, switched-off server: set its address anew.
    pub lost_servers: Vec<ServerId>,
    /// Whether the numbering was lost too and was made anew from what is there.
    pub numbering_lost: bool,
    /// Of the servers that came over, so many had been removed: their rows stay for the names of ended calls.
    pub removed_servers: u64,
    /// Of the others, so many are programs: none of them is started before its person has confirmed its command again.
    pub programs: u64,
    /// Whether SQLite found nothing wrong with it.
    pub sound: bool,
    /// Where the damaged database is now.
    pub aside: Option<PathBuf>,
}

impl SalvageReport {
    /// Whether all came over.
    #[must_use]
    pub fn whole(&self) -> bool {
        let tables = self.tables.iter().all(|table| table.lost == Some(0));
        tables && self.lost_servers.is_empty() && !self.numbering_lost
    }
}

/// What came over of one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SalvagedTable {
    /// The table's name.
    pub name: &'static str,
    /// Rows that came over.
    pub kept: u64,
    /// Rows that did not; none when some are lost and nothing tells how many.
    pub lost: Option<u64>,
}

impl SalvagedTable {
    fn lose(&mut self, rows: u64) {
        self.kept -= rows;
        self.lost = self.lost.map(|lost| lost + rows);
    }
}

/// Makes a new database of every row that the damaged one of `dir` still gives, and moves the damaged one aside.
///
/// Only for who owns the data directory while nothing has its database open. When something is lost an entry (at `at`) of the
/// log of decisions says so. Entries that are missing there are said by [`Reads::verify_decisions`](crate::Reads::verify_decisions) ever after.
///
/// # Errors
/// When nothing can be read at all, the file is newer or not ours, there is no room for the new one, or `stop` asks before
/// all is read. Then the damaged one is where it was, as it was.
pub fn salvage(dir: &Path, at: Timestamp, stop: &Stop) -> Result<SalvageReport, RescueError> {
    open::prepare_dir(dir)?;
    let path = dir.join(data_dir::FILE);
    let source = Source::of(&path, stop)?;
    let from = connection::reader(source.path()).map_err(|error| RescueError::sqlite(&path, &error))?;
    allow_damage(&from);
    let format = open::format(&from, &path)?;
    let part = Part::of(dir)?;
    let (mut report, stray) = into_part(&from, format, &source, dir, &part.0, at, stop)?;
    drop(from);
    drop(source);
    if stop.asked() {
        return Err(RescueError::Stopped);
    }
    if !report.whole() && report.tables.iter().all(|table| table.kept == 0) {
        return Err(OpenError::Damaged { path, detail: "not one row of it can be read".to_owned() }.into());
    }
    report.aside = part.put_in_place(dir, "damaged", false)?;
    if let (Some(aside), false) = (&report.aside, stray.is_empty()) {
        let moved = data_dir::private_dir(&aside.join(files::DIR)).and_then(|()| {
            let to = |name: &String| aside.join(files::DIR).join(name);
            stray.iter().try_for_each(|name| fs::rename(dir.join(files::DIR).join(name), to(name)))
        });
        moved.map_err(|error| RescueError::io(aside, &error))?;
    }
    Ok(report)
}

/// Has SQLite go on with those tables whose part of the schema can still be read, and with a file that is shorter than it
/// says.
fn allow_damage(from: &Connection) {
    // It only reads: nothing is written. The schema is read with the first statement, which fails where the schema is
    // damaged; those behind it find what was read before the damage.
    if let Err(error) =
        from.execute_batch("PRAGMA writable_schema = ON; SELECT 1 FROM sqlite_schema LIMIT 1;")
    {
        tracing::warn!(%error, "the schema is damaged");
    }
}

/// Fills the new database. Which files of payloads it does not name.
fn into_part(
    from: &Connection,
    format: u32,
    source: &Source,
    dir: &Path,
    part: &Path,
    at: Timestamp,
    stop: &Stop,
) -> Result<(SalvageReport, BTreeSet<String>), RescueError> {
    let failed = |error: rusqlite::Error| RescueError::sqlite(part, &error);
    data_dir::create_private(part).map_err(|error| RescueError::io(part, &error))?;
    let mut to = Connection::open(part).map_err(failed)?;
    migrate::migrate(&mut to, part, 0, &migrate::steps()[..format as usize])?;
    let (mut report, decided) = copy(from, &mut to, source, stop).map_err(failed)?;
    // What is added from here on is written as this version writes it.
    migrate::bring_up(&mut to, part, &migrate::steps())?;
    mend(&mut to, &mut report, decided, at).map_err(failed)?;
    let named = |name: &str| payload_files::named(&to, name);
    let stray = stray_files(dir, format, named).map_err(|error| RescueError::io(dir, &error))?;
    to.close().map_err(|(_, error)| failed(error))?;
    Ok((report, stray))
}

/// Copies every row that can be had. What came over, and how many decisions there were, as far as anything tells.
fn copy(
    from: &Connection,
    to: &mut Connection,
    source: &Source,
    stop: &Stop,
) -> rusqlite::Result<(SalvageReport, Option<u64>)> {
    // What hangs on lost rows is sorted out afterwards.
    to.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY; PRAGMA synchronous = FULL;")?;
    let to = to.transaction()?;
    let bytes = i64::try_from(source.bytes).unwrap_or(i64::MAX);
    let mut tables = Vec::new();
    for name in TABLES {
        if !to.table_exists(None, name)? {
            continue;
        }
        let columns = columns(&to, name)?;
        let kept = Table::of(from, &to, name, &columns, source.is_marked()).copy(bytes, stop)?;
        // Counted in an index, which may be sound where the table is not.
        let count = format!("SELECT count(*) FROM {name}");
        let all = from.query_row(&count, [], |row| row.get::<_, i64>(0)).ok().map(i64::cast_unsigned);
        let lost = if kept.whole { Some(0) } else { all.and_then(|all| all.checked_sub(kept.rows)) };
        tables.push(SalvagedTable { name, kept: kept.rows, lost });
    }
    let (numbering_lost, decided) = number(from, &to)?;
    for table in tables.iter_mut().filter(|table| table.name == "decisions") {
        // Their numbers have no gaps: the last one tells how many there were.
        table.lost = table.lost.or_else(|| decided?.checked_sub(table.kept));
    }
    for table in tables.iter_mut().filter(|table| OF_CALLS.contains(&table.name)) {
        let sql = format!("DELETE FROM {} WHERE call NOT IN (SELECT id FROM calls)", table.name);
        table.lose(to.execute(&sql, [])? as u64);
    }
    let sound = !source.is_marked() && is_sound(from);
    to.commit()?;
    let report = SalvageReport {
        tables,
        lost_servers: Vec::new(),
        numbering_lost,
        removed_servers: 0,
        programs: 0,
        sound,
        aside: None,
    };
    Ok((report, decided))
}

/// Makes up what others hang on, has every command confirmed anew, and enters that something was lost.
fn mend(
    to: &mut Connection,
    report: &mut SalvageReport,
    decided: Option<u64>,
    at: Timestamp,
) -> rusqlite::Result<()> {
    let to = to.transaction()?;
    report.lost_servers = make_up_servers(&to)?;
    // Who knows what the damage made of a command: no program is started before a person has looked at it.
    to.execute("UPDATE servers SET trusted = 0", [])?;
    (report.removed_servers, report.programs) = counted_servers(&to)?;
    if !report.whole() {
        let kept = report.tables.iter().find(|table| table.name == "decisions").map_or(0, |table| table.kept);
        let end = decided.map(|_| meta::read(&to)).transpose()?.map(|meta| meta.head);
        log::add_entry(&to, at, DecisionKind::Salvaged, &Before { kept: Some(kept), end })?;
    }
    to.commit()
}

/// How many servers were removed, and how many of the others are programs.
fn counted_servers(conn: &Connection) -> rusqlite::Result<(u64, u64)> {
    let count = |filter: &str| {
        let sql = format!("SELECT count(*) FROM servers WHERE {filter}");
        conn.query_row(&sql, [], |row| row.get::<_, i64>(0)).map(i64::cast_unsigned)
    };
    let program = "removed_at IS NULL AND json_valid(transport) AND transport ->> 'kind' = 'stdio'";
    Ok((count("removed_at IS NOT NULL")?, count(program)?))
}

/// Whether SQLite finds nothing wrong.
fn is_sound(from: &Connection) -> bool {
    let found = from.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0));
    found.is_ok_and(|found| found == "ok")
}

fn columns(conn: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = conn.prepare("SELECT name FROM pragma_table_info(?1)")?;
    statement.query_map([table], |row| row.get(0))?.collect()
}

/// Takes the numbering over, or makes it anew so that no number comes again. Whether it was lost; and how many decisions there
/// were, as far as it can tell.
fn number(from: &Connection, to: &Connection) -> rusqlite::Result<(bool, Option<u64>)> {
    let sound =
        |row: &Row<'_>| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get::<_, i64>(4)?]);
    let sql = "SELECT seq, epoch, next_server, next_call, next_request FROM meta WHERE one = 1";
    let known = from.query_row(sql, [], sound).ok();
    let [seq, epoch, server, call, request] = known.unwrap_or([0, NEW_EPOCH, 1, 1, 1]);
    to.execute(
        "UPDATE meta SET epoch = ?2,
             seq = max(?1, (SELECT coalesce(max(changed), 0) FROM calls), (SELECT coalesce(max(changed), 0) FROM requests)),
             next_server = max(?3, (SELECT coalesce(max(id), 0) + 1 FROM servers),
                 (SELECT coalesce(max(server), 0) + 1 FROM calls)),
             next_call = max(?4, (SELECT coalesce(max(id), 0) + 1 FROM calls)),
             next_request = max(?5, (SELECT coalesce(max(id), 0) + 1 FROM requests))",
        [seq, epoch, server, call, request],
    )?;
    let mut decided = None;
    if to.column_exists(None, "meta", "decisions")? {
        let sql = "SELECT decisions, decisions_hash FROM meta WHERE one = 1";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let noted: Option<(i64, Option<String>)> = from.query_row(sql, [], read).ok();
        let sql = "SELECT n, hash FROM decisions ORDER BY n DESC LIMIT 1";
        let last = to.query_row(sql, [], read).optional()?;
        decided = noted.as_ref().map(|(n, _)| n.cast_unsigned());
        if let Some((n, hash)) = noted.or(last) {
            to.execute("UPDATE meta SET decisions = ?1, decisions_hash = ?2", (n, hash))?;
        }
    }
    Ok((known.is_none(), decided))
}

/// A call without its server could not be kept.
fn make_up_servers(conn: &Connection) -> rusqlite::Result<Vec<ServerId>> {
    let sql = "SELECT server FROM (SELECT DISTINCT server FROM calls UNION SELECT server FROM requests
        UNION SELECT server FROM tools) WHERE server NOT IN (SELECT id FROM servers) ORDER BY server";
    let mut statement = conn.prepare(sql)?;
    let lost: Vec<_> = statement.query_map([], |row| row.get(0).map(ServerId))?.collect::<Result<_, _>>()?;
    for &id in &lost {
        let server = Server {
            enabled: false,
            trusted: false,
            ..Server::new(
                id,
                format!("lost-{id}"),
                Transport::Http { url: "http://lost.invalid/".to_owned(), headers: vec![] },
            )
        };
        servers::put(conn, 0, &server)?;
    }
    Ok(lost)
}

/// The files of payloads whose row is lost. They go with the database that may still name them.
fn stray_files(
    dir: &Path,
    format: u32,
    named: impl Fn(&str) -> rusqlite::Result<bool>,
) -> io::Result<BTreeSet<String>> {
    let entries = match fs::read_dir(dir.join(files::DIR)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        entries => entries?,
    };
    let mut stray = BTreeSet::new();
    for entry in entries {
        if let Ok(name) = entry?.file_name().into_string()
            && (format < 2 || !named(&name).map_err(io::Error::other)?)
        {
            stray.insert(name);
        }
    }
    Ok(stray)
}
