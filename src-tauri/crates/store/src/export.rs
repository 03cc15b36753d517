//! Whole tables in portions by their primary key, so that an export of any size needs the memory of one portion.

use rusqlite::Row;
use signalbox_model::{Call, Event, InputRequest};

use crate::{
    Portion, ReadError, Reads,
    table::{calls, events, requests},
};

impl Reads {
    /// Calls with a number above `after`, at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn export_calls(&self, after: u64, limit: u32) -> Result<Portion<Call>, ReadError> {
        let sql = calls::select("WHERE id > ?1 ORDER BY id LIMIT ?2");
        self.portion(&sql, after, limit, |found| Ok(calls::row(found)?.0))
    }

    /// Input requests, with their answers, with a number above `after`, at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn export_requests(&self, after: u64, limit: u32) -> Result<Portion<InputRequest>, ReadError> {
        let sql = requests::select("WHERE id > ?1 ORDER BY id LIMIT ?2");
        self.portion(&sql, after, limit, |found| Ok(requests::row(found)?.0))
    }

    /// Events of all timelines in the order they were written, after the place `after`, at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn export_events(&self, after: u64, limit: u32) -> Result<Portion<Event>, ReadError> {
        let sql = events::select_placed("WHERE id > ?1 ORDER BY id LIMIT ?2");
        self.portion(&sql, after, limit, events::placed_row)
    }

    /// The rows of a statement whose first column is the number that `after` counts.
    pub(crate) fn portion<T>(
        &self,
        sql: &str,
        after: u64,
        limit: u32,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Portion<T>, ReadError> {
        let (mut count, mut last) = (0, after);
        let rows = self.read(|at| {
            at.rows(sql, [after.cast_signed(), limit.into()], |found| {
                count += 1;
                last = found.get::<_, i64>(0)?.cast_unsigned();
                read(found)
            })
        })?;
        Ok(Portion { rows, next: (count == limit && limit > 0).then_some(last) })
    }
}
