//! Input requests as far as lists are filtered and sorted by them.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use rusqlite::Row;
use signalbox_model::{CallId, RequestBrief, RequestId, ServerId};

use crate::{Portion, ReadError, Reads, column::Columns};

/// The statement that reads them for [`row`]; the number comes first. A row shows its task, and changes with it. Of a long text the first 160 characters are read.
macro_rules! briefs {
    ($rest:literal) => {
        concat!(
            "SELECT requests.id, max(requests.changed, coalesce(calls.changed, 0)), requests.server, call, coalesce(tool, ''), ",
            "coalesce(substr(summary, 1, 160), ''), mode, substr(message, 1, 160), state, opened_at, closed_at, deadline, attention, ",
            // The same as `Alike` says, but for the tool. Another one of its round keeps it apart.
            "iif(state = 'open' AND answer IS NULL AND mode = 'form' AND method = 'elicitation/create' AND attention <> 'snoozed' ",
            "AND NOT EXISTS (SELECT 1 FROM requests AS other WHERE requests.identity = 'round' AND other.identity = 'round' ",
            "AND other.scope = requests.scope AND other.n = requests.n AND other.id <> requests.id), coalesce(schema, ''), NULL) ",
            "FROM requests LEFT JOIN calls ON calls.id = call WHERE ",
            $rest
        )
    };
}

const AFTER: &str = briefs!("requests.id > ?1 ORDER BY requests.id LIMIT ?2");
const ONE: &str = briefs!("requests.id = ?1");

fn row(row: &Row<'_>) -> rusqlite::Result<(RequestBrief, u64)> {
    let mut at = Columns::of(row);
    let id = RequestId(at.get()?);
    let changed = at.number()?;
    let brief = RequestBrief {
        id,
        server: ServerId(at.get()?),
        call: at.get::<Option<u32>>()?.map(CallId),
        tool: at.get()?,
        summary: at.get()?,
        mode: at.word()?,
        message: at.get()?,
        state: at.word()?,
        opened_at: at.time()?,
        closed_at: at.maybe_time()?,
        expires_at: at.maybe_time()?,
        attention: at.word()?,
        schema: at.get::<Option<String>>()?.map(|schema| number_of(&schema)),
    };
    Ok((brief, changed))
}

/// Whoever answers several together compares their bytes.
fn number_of(schema: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    schema.hash(&mut hasher);
    hasher.finish()
}

impl Reads {
    /// Input requests with a number above `after`, at most `limit`, each with the transaction that last changed it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn request_briefs_after(
        &self,
        after: u64,
        limit: u32,
    ) -> Result<Portion<(RequestBrief, u64)>, ReadError> {
        self.portion(AFTER, after, limit, row)
    }

    /// Those of these input requests that are there.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn request_briefs_of(
        &self,
        ids: impl IntoIterator<Item = RequestId>,
    ) -> Result<Vec<(RequestBrief, u64)>, ReadError> {
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
