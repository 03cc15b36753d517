//! Opening the file: whose it is and what it is comes before the first write.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use rusqlite::Connection;

use crate::{
    OpenError, Reads, Whose,
    connection::{self, Way},
    data_dir::{FILE, create_private, numbered, private_dir, sync_dir},
    files::{self, Files},
    header::{self, Header, NoHeader},
    migrate, spare,
    whereabouts::Whereabouts,
};

/// Up to this size (bytes) the whole file is checked at every start; beyond it only what the start needs.
const CHECKED_WHOLE: u64 = 8 << 20;

/// A connection that can write, to a sound file of the latest format, with the file's path.
pub(crate) fn writer(dir: &Path) -> Result<(Connection, PathBuf), OpenError> {
    prepare_dir(dir)?;
    let path = dir.join(FILE);
    let found = match fs::metadata(&path) {
        Ok(meta) => {
            check_owner(&path, &meta)?;
            let found = inspect(&path, Depth::Start, Way::Shared)?;
            keep_private(&path)?;
            found
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            create_private(&path).map_err(|error| OpenError::io(&path, &error))?;
            0
        }
        Err(error) => return Err(OpenError::io(&path, &error)),
    };
    if fs::metadata(&path).is_ok_and(|meta| meta.len() == 0) {
        set_log_aside(dir, &path).map_err(|error| OpenError::io(dir, &error))?;
    }
    let (mut conn, mode) = connection::writer(&path).map_err(|error| OpenError::sqlite(&path, &error))?;
    if mode != "wal" {
        // SQLite found no memory to share there, which is where the log's locks are.
        return Err(OpenError::NoLocks { path });
    }
    migrate::migrate(&mut conn, &path, found, &migrate::steps())?;
    spare::rebuild(&conn, &path);
    if (1..migrate::known()).contains(&found) {
        spare::empty(&conn, connection::BUSY);
    }
    Ok((conn, path))
}

/// Moves a log aside whose database is gone: SQLite would delete it, and what it holds is nowhere else.
fn set_log_aside(dir: &Path, path: &Path) -> io::Result<()> {
    let log = path.with_extension("db-wal");
    if !fs::metadata(&log).is_ok_and(|meta| meta.len() > 0) {
        return Ok(());
    }
    let aside = numbered(dir, files::STRAYS)?;
    fs::rename(&log, aside.join("signalbox.db-wal"))?;
    sync_dir(&aside)?;
    tracing::warn!(aside = %aside.display(), "the log of a database that is gone was moved aside");
    sync_dir(dir)
}

impl Reads {
    /// Reads of a data directory where nothing can be written, as its last owner left it. That nobody else can write there
    /// meanwhile is up to who calls.
    ///
    /// # Errors
    /// When the file is not ours, damaged or of another format, or has a log that cannot be read there.
    pub fn of_read_only(dir: &Path) -> Result<Self, OpenError> {
        let (path, way) = read_only(dir)?;
        Ok(Self::of(&path, way, Arc::new(Files::of(dir)), Whereabouts::of(&path)))
    }
}

/// A database where nothing can be written: its path, and how it is read. It is as its last owner left it.
fn read_only(dir: &Path) -> Result<(PathBuf, Way), OpenError> {
    let failed = |error: io::Error| OpenError::io(dir, &error);
    check_owner(dir, &fs::metadata(dir).map_err(failed)?)?;
    check_length(dir)?;
    let path = dir.join(FILE);
    let meta = fs::metadata(&path).map_err(|error| OpenError::io(&path, &error))?;
    check_owner(&path, &meta)?;
    let (_, logged) = lengths(&path)?;
    let way = if logged == 0 { Way::Alone } else { Way::Shared };
    let found = inspect(&path, Depth::Start, way).map_err(|error| match error {
        // SQLite reads a log only beside the index that it makes of it.
        OpenError::NoAccess { path } if way == Way::Shared => OpenError::LogUnread { path },
        error => error,
    })?;
    let known = migrate::known();
    if found < known {
        return Err(OpenError::Older { path, found, known });
    }
    Ok((path, way))
}

/// How much of a file is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// What a start relies on; the whole of a small file.
    Start,
    /// Every page of the file.
    Whole,
}

/// What the file is, without a single write to it: its format, 0 for a file that is still to be filled.
pub(crate) fn inspect(path: &Path, depth: Depth, way: Way) -> Result<u32, OpenError> {
    let (len, logged) = lengths(path)?;
    let len = len.ok_or_else(|| OpenError::io(path, &io::ErrorKind::NotFound.into()))?;
    if len == 0 {
        return Ok(0);
    }
    let damaged = |detail: &str| OpenError::Damaged { path: path.to_owned(), detail: detail.to_owned() };
    let header = Header::read(path).map_err(|why| match why {
        NoHeader::Cut => damaged("it is cut short"),
        NoHeader::Other => damaged("it is not a SQLite database"),
        NoHeader::Io(error) => OpenError::io(path, &error),
    })?;
    // The log beside the file may know better, so these numbers can only refuse.
    whose(path, header.application_id, header.format)?;
    if logged == 0 && header.len() > len {
        return Err(damaged("it is cut short"));
    }
    let conn = connection::reader_by(path, way).map_err(|error| OpenError::sqlite(path, &error))?;
    let whole = depth == Depth::Whole || len <= CHECKED_WHOLE;
    sound(&conn, path, whole).map_err(|error| OpenError::sqlite(path, &error))?
}

/// The lengths (bytes) of a database, none when there is none, and of its log. What is no regular file must not be opened:
/// whoever reads a pipe may wait for ever.
pub(crate) fn lengths(db: &Path) -> Result<(Option<u64>, u64), OpenError> {
    regular(&header::beside(db, "-shm"))?;
    Ok((regular(db)?, regular(&header::log_of(db))?.unwrap_or(0)))
}

fn regular(path: &Path) -> Result<Option<u64>, OpenError> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_file() => Ok(Some(meta.len())),
        Ok(_) => Err(OpenError::NotAFile { path: path.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(OpenError::io(path, &error)),
    }
}

/// The format of a damaged file of ours.
pub(crate) fn format(conn: &Connection, path: &Path) -> Result<u32, OpenError> {
    let number = |pragma: &str| conn.pragma_query_value(None, pragma, |row| row.get::<_, u32>(0));
    let numbers = number("application_id").and_then(|id| Ok((id, number("user_version")?)));
    let (application_id, format) = numbers.map_err(|error| OpenError::sqlite(path, &error))?;
    whose(path, application_id, format)?;
    if application_id == 0 || format == 0 {
        return Err(OpenError::NotOurs { path: path.to_owned(), whose: Whose::OtherProgram });
    }
    Ok(format)
}

fn whose(path: &Path, application_id: u32, format: u32) -> Result<(), OpenError> {
    let (path, known) = (path.to_owned(), migrate::known());
    match application_id {
        migrate::APPLICATION_ID if format > known => Err(OpenError::Newer { path, found: format, known }),
        // 0: nobody's yet, which is also how a file looks whose making was interrupted.
        migrate::APPLICATION_ID | 0 => Ok(()),
        _ => Err(OpenError::NotOurs { path, whose: Whose::OtherProgram }),
    }
}

/// Checks what every start relies on, or all of it.
fn sound(conn: &Connection, path: &Path, whole: bool) -> rusqlite::Result<Result<u32, OpenError>> {
    let number = |pragma: &str| conn.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, u32>(0));
    let (application_id, format) = (number("application_id")?, number("user_version")?);
    let objects: u32 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if let Err(error) = whose(path, application_id, format) {
        return Ok(Err(error));
    }
    if application_id == 0 {
        let empty = objects == 0 && format == 0;
        let whose = Whose::OtherProgram;
        return Ok(if empty { Ok(0) } else { Err(OpenError::NotOurs { path: path.to_owned(), whose }) });
    }
    for table in migrate::tables(format) {
        if !conn.table_exists(None, table)? {
            let detail = format!("its table {table} is missing");
            return Ok(Err(OpenError::Damaged { path: path.to_owned(), detail }));
        }
    }
    let scopes: &[&str] = if whole { &["1"] } else { &["meta", "servers", "settings", "tally"] };
    for scope in scopes {
        let found: String = conn.query_row(&format!("PRAGMA quick_check({scope})"), [], |row| row.get(0))?;
        if found != "ok" {
            return Ok(Err(OpenError::Damaged { path: path.to_owned(), detail: found }));
        }
    }
    let meta: u32 = conn.query_row("SELECT count(*) FROM meta", [], |row| row.get(0))?;
    if meta != 1 {
        let detail = "its numbering is missing".to_owned();
        return Ok(Err(OpenError::Damaged { path: path.to_owned(), detail }));
    }
    Ok(Ok(format))
}

/// A path that is too long for SQLite is said to be just that.
#[cfg(unix)]
fn check_length(dir: &Path) -> Result<(), OpenError> {
    let dir = fs::canonicalize(dir).map_err(|error| OpenError::io(dir, &error))?;
    let len = dir.join(FILE).as_os_str().len();
    if len > crate::data_dir::LONGEST { Err(OpenError::TooLong { path: dir, len }) } else { Ok(()) }
}

/// Elsewhere the system's own limit comes first.
#[cfg(not(unix))]
fn check_length(_: &Path) -> Result<(), OpenError> {
    Ok(())
}

/// Makes the data directory where it is missing, and checks whose it is.
pub(crate) fn prepare_dir(dir: &Path) -> Result<(), OpenError> {
    let failed = |error: io::Error| OpenError::io(dir, &error);
    private_dir(dir).map_err(failed)?;
    check_length(dir)?;
    let meta = fs::metadata(dir).map_err(failed)?;
    check_owner(dir, &meta)
}

/// As another user (root, say) we would leave files behind that the owner cannot open; and where everybody can write,
/// anybody could put their database in place of ours.
#[cfg(unix)]
fn check_owner(path: &Path, meta: &fs::Metadata) -> Result<(), OpenError> {
    use std::os::unix::fs::MetadataExt;
    let not_ours = |whose| Err(OpenError::NotOurs { path: path.to_owned(), whose });
    match meta.uid() {
        uid if uid != rustix::process::geteuid().as_raw() => not_ours(Whose::OtherUser { uid }),
        _ if meta.mode() & 0o002 != 0 => not_ours(Whose::Everybody),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn check_owner(_: &Path, _: &fs::Metadata) -> Result<(), OpenError> {
    Ok(())
}

/// Files that were copied back from somewhere may be readable for others, and SQLite makes its log like the database.
#[cfg(unix)]
fn keep_private(path: &Path) -> Result<(), OpenError> {
    use std::os::unix::fs::PermissionsExt;
    let files = ["db", "db-wal", "db-shm"].map(|extension| (path.with_extension(extension), 0o600));
    for (path, mode) in files.into_iter().chain([(path.with_file_name(files::DIR), 0o700)]) {
        let open = fs::metadata(&path).is_ok_and(|meta| meta.permissions().mode() & 0o077 != 0);
        if open {
            tracing::warn!("others could read the database: took that right away");
            let private = fs::Permissions::from_mode(mode);
            fs::set_permissions(&path, private).map_err(|error| OpenError::io(&path, &error))?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_private(_: &Path) -> Result<(), OpenError> {
    Ok(())
}
