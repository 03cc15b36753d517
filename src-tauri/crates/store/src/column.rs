//! Rows to values: columns read in the order a table names them.

use rusqlite::{Error, Row, types::FromSql, types::Type};
use serde::de::DeserializeOwned;
use signalbox_model::{Json, Timestamp, Word};

use crate::Digest;

/// A row that holds what this program cannot have written.
#[derive(Debug, thiserror::Error)]
enum BadColumn {
    #[error("not a word of this column")]
    Word,
    #[error("not JSON of the expected shape: {0}")]
    Json(serde_json::Error),
    #[error("not a SHA-256")]
    Digest,
    #[error("a part that belongs to it is missing")]
    Missing,
}

/// Whether the trouble is in one row alone, so that a list can go on without it.
pub(crate) fn undecodable(error: &Error) -> bool {
    matches!(
        error,
        Error::FromSqlConversionFailure(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::InvalidColumnType(..)
            | Error::Utf8Error(..)
    )
}

/// Walks a row's columns from the first to the last.
pub(crate) struct Columns<'r> {
    row: &'r Row<'r>,
    next: usize,
}

impl<'r> Columns<'r> {
    pub(crate) fn of(row: &'r Row<'r>) -> Self {
        Self { row, next: 0 }
    }

    /// The same behind so many columns.
    pub(crate) fn behind(row: &'r Row<'r>, columns: usize) -> Self {
        Self { row, next: columns }
    }

    pub(crate) fn get<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        self.next += 1;
        self.row.get(self.next - 1)
    }

    /// A number that is never negative.
    pub(crate) fn number(&mut self) -> rusqlite::Result<u64> {
        self.get::<i64>().map(i64::cast_unsigned)
    }

    pub(crate) fn time(&mut self) -> rusqlite::Result<Timestamp> {
        self.get().map(Timestamp)
    }

    pub(crate) fn maybe_time(&mut self) -> rusqlite::Result<Option<Timestamp>> {
        Ok(self.get::<Option<i64>>()?.map(Timestamp))
    }

    pub(crate) fn word<T: Word>(&mut self) -> rusqlite::Result<T> {
        self.maybe_word()?.ok_or_else(|| self.bad(BadColumn::Missing))
    }

    pub(crate) fn maybe_word<T: Word>(&mut self) -> rusqlite::Result<Option<T>> {
        self.text(|word| T::from_word(word).ok_or(BadColumn::Word))
    }

    pub(crate) fn digest(&mut self) -> rusqlite::Result<Digest> {
        self.maybe_digest()?.ok_or_else(|| self.bad(BadColumn::Missing))
    }

    pub(crate) fn maybe_digest(&mut self) -> rusqlite::Result<Option<Digest>> {
        self.text(|text| text.parse().map_err(|_| BadColumn::Digest))
    }

    pub(crate) fn json(&mut self) -> rusqlite::Result<Json> {
        self.maybe_json()?.ok_or_else(|| self.bad(BadColumn::Missing))
    }

    pub(crate) fn maybe_json(&mut self) -> rusqlite::Result<Option<Json>> {
        self.text(|text| Json::parse(text).map_err(BadColumn::Json))
    }

    /// One of our own types, kept as JSON.
    pub(crate) fn own<T: DeserializeOwned>(&mut self) -> rusqlite::Result<T> {
        self.maybe_own()?.ok_or_else(|| self.bad(BadColumn::Missing))
    }

    pub(crate) fn maybe_own<T: DeserializeOwned>(&mut self) -> rusqlite::Result<Option<T>> {
        self.text(|text| serde_json::from_str(text).map_err(BadColumn::Json))
    }

    /// A part that must be there because a column before it says so.
    pub(crate) fn need<T>(&self, part: Option<T>) -> rusqlite::Result<T> {
        part.ok_or_else(|| self.bad(BadColumn::Missing))
    }

    /// A word this column's table knows only by its own match.
    pub(crate) fn bad_word<T>(&self) -> rusqlite::Result<T> {
        Err(self.bad(BadColumn::Word))
    }

    fn text<T>(&mut self, read: impl FnOnce(&str) -> Result<T, BadColumn>) -> rusqlite::Result<Option<T>> {
        self.next += 1;
        let text = self.row.get_ref(self.next - 1)?.as_str_or_null();
        match text
            .map_err(|error| Error::FromSqlConversionFailure(self.next - 1, Type::Text, Box::new(error)))?
        {
            Some(text) => read(text).map(Some).map_err(|why| self.bad(why)),
            None => Ok(None),
        }
    }

    fn bad(&self, why: BadColumn) -> Error {
        Error::FromSqlConversionFailure(self.next.saturating_sub(1), Type::Text, Box::new(why))
    }
}
