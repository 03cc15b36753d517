//! Calls as far as lists are filtered and sorted by them.

use rusqlite::Row;
use signalbox_model::{CallBrief, CallId, ServerId};

use super::own::tags;
use crate::{Portion, ReadError, Reads, column::Columns};

/// The statement that reads them for [`row`]; the number comes first. Of a long text the first 160 characters are read.
macro_rules! briefs {
    ($rest:literal) => {
        concat!(
            "SELECT id, changed, server, wire, origin, tool, substr(summary, 1, 160), status, outcome, tracking, open_requests, ",
            "created_at, seen_at, expires_at, ended_at, substr(status_message, 1, 160), tags FROM calls WHERE ",
            $rest
        )
    };
}

const AFTER: &str = briefs!("id > ?1 ORDER BY id LIMIT ?2");
const ONE: &str = briefs!("id = ?1");

fn row(row: &Row<'_>) -> rusqlite::Result<(CallBrief, u64)> {
    let mut at = Columns::of(row);
    let id = CallId(at.get()?);
    let changed = at.number()?;
    let brief = CallBrief {
        id,
        server: ServerId(at.get()?),
        wire: at.maybe_word()?,
        origin: at.word()?,
        tool: at.get()?,
        summary: at.get()?,
        status: at.word()?,
        outcome: at.maybe_word()?,
        tracking: at.word()?,
        open_requests: at.get()?,
        created_at: at.time()?,
        seen_at: at.maybe_time()?,
        expires_at: at.maybe_time()?,
        ended_at: at.maybe_time()?,
        message: at.get()?,
        tags: tags(at.get()?),
    };
    Ok((brief, changed))
}

impl Reads {
    /// Calls with a number above `after`, at most `limit`, each with the transaction that last changed it or something that
    /// hangs on it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn call_briefs_after(&self, after: u64, limit: u32) -> Result<Portion<(CallBrief, u64)>, ReadError> {
        self.portion(AFTER, after, limit, row)
    }

    /// Those of these calls that are there.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn call_briefs_of(
        &self,
        ids: impl IntoIterator<Item = CallId>,
    ) -> Result<Vec<(CallBrief, u64)>, ReadError> {
        self.read(|at| at.rows_of_each(ONE, ids.into_iter().map(|id| [id.0]), row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn they_are_searched_by_number() {
        for sql in [AFTER, ONE] {
            let plan = plan(&blank(), sql);
            assert!(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
        }
    }
}
