//! Something that could not be read.

use rusqlite::ErrorCode;

use crate::whereabouts::Missing;

/// What is wrong with the file of a large payload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// It is not there.
    #[error("it is missing")]
    Missing,
    /// It is not what was written.
    #[error("its content is not what was written")]
    Changed,
    /// The system does not let us read it.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
}

/// Something could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file, or the one row asked for, is damaged.
    #[error(
        "the database is damaged ({0}): this cannot be shown; restore a backup, or salvage what can still be read"
    )]
    Damaged(String),
    /// The file of this one payload is damaged; everything else can be read.
    #[error("the file payloads/{name} is damaged ({why}): this cannot be shown; restore a backup")]
    PayloadFile {
        /// The name of the payload's file.
        name: String,
        /// What is wrong with it.
        why: FileFault,
    },
    /// A file of the database is no longer where it was opened.
    #[error(
        "{0} was moved, replaced or deleted while Signalbox had it open: what is there now is not shown; stop Signalbox, put \
         back what was there, or restore a backup, and start it again"
    )]
    Gone(String),
    /// The lock by which the data directory was ours is no longer where it was taken.
    #[error(
        "{0} was moved, replaced or deleted while Signalbox held it: another Signalbox may use the data directory by now, and \
         what is there is not shown; stop this one and start it again"
    )]
    Unlocked(String),
    /// The device failed.
    #[error("reading the disk failed ({0}): check the disk and try again")]
    Io(String),
    /// There is no room for the index of full texts.
    #[error(
        "there is no room for the index of full texts, and what may be in them alone is not found; make room, or filter by \
         tokens such as `tool:deploy`"
    )]
    TextsFull,
    /// The index of full texts failed.
    #[error("the index of full texts failed ({0}), and what may be in them alone is not found; try again")]
    Texts(String),
    /// The database gave any other error, in SQLite's words.
    #[error("the database could not be read ({0}); try again")]
    Other(String),
}

impl From<Missing> for ReadError {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::File(name) => Self::Gone(name),
            Missing::Lock(name) => Self::Unlocked(name),
        }
    }
}

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> Self {
        let detail = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(detail),
            Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => Self::Io(detail),
            None if crate::column::undecodable(&error) => Self::Damaged(detail),
            _ => Self::Other(detail),
        }
    }
}
