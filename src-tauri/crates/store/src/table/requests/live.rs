//! Input requests as a start reads them: no server may make a start slow, or large, by what it once asked.

use std::sync::LazyLock;

use signalbox_model::{CallId, InputRequest, RequestId};

use super::{LAYOUT, row, select};
use crate::{column::Columns, reads::Snapshot};

const WAITING: &str = "WHERE shelf = 0";
// No server may make a start slow by what it once asked: the older ones are in the lists all the same.
const STRANDED: &str = "WHERE shelf = 1 ORDER BY opened_at DESC LIMIT 1000";
// The + keeps SQLite from walking all that was ever settled.
const ANSWERED_OF_LIVE: &str =
    "WHERE call IN (SELECT id FROM calls WHERE bucket < 2) AND +shelf = 2 AND state <> 'closed'";
const CLOSED_OF_LIVE: &str =
    "WHERE call IN (SELECT id FROM calls WHERE bucket < 2) AND +shelf = 2 AND state = 'closed'";
const UNDECIDED_OF_LIVE: &str =
    "SELECT id, call, octet_length(key) + octet_length(message) + octet_length(raw)
        + coalesce(octet_length(schema), 0) + coalesce(octet_length(url), 0)
    FROM requests WHERE call IN (SELECT id FROM calls WHERE bucket < 2) AND +shelf = 2 AND state = 'closed'
        AND answer IS NULL AND draft IS NULL AND visited_at IS NULL";

/// The statement that reads rows for [`row`] without what they ask, see [`InputRequest::is_bare`].
static SELECT_BARE: LazyLock<String> = LazyLock::new(|| {
    let asked =
        [("message", "''"), ("schema", "NULL"), ("url", "iif(mode = 'url', url, NULL)"), ("raw", "'null'")];
    asked.iter().fold(LAYOUT.select(), |sql, (column, instead)| {
        sql.replacen(&format!(" {column},"), &format!(" {instead},"), 1)
    })
});

/// Requests of calls that have not ended, any that are not over, and those that may be asked again. Closed ones come bare:
/// no server may make a start slow, or large, by what it once asked.
pub(crate) fn live(at: &Snapshot<'_>) -> rusqlite::Result<Vec<InputRequest>> {
    let waiting = at.rows(&select(WAITING), [], row)?;
    let stranded = at.rows(&select(STRANDED), [], row)?;
    let answered = at.rows(&select(ANSWERED_OF_LIVE), [], row)?;
    let closed = at.rows(&format!("{}{CLOSED_OF_LIVE}", *SELECT_BARE), [], row)?;
    let all = waiting.into_iter().chain(stranded).chain(answered).chain(closed);
    let mut requests: Vec<_> = all.map(|(request, _)| request).collect();
    requests.sort_by_key(|request| request.id);
    Ok(requests)
}

/// Those of calls that have not ended which closed and which nobody answered or began to answer, the oldest first.
pub(crate) fn undecided_of_live(at: &Snapshot<'_>) -> rusqlite::Result<Vec<Undecided>> {
    let mut found = at.rows(UNDECIDED_OF_LIVE, [], |row| {
        let mut at = Columns::of(row);
        let (request, call) = (RequestId(at.get()?), CallId(at.get()?));
        Ok(Undecided { request, call, bytes: at.number()? })
    })?;
    found.sort_unstable_by_key(|undecided| undecided.request);
    Ok(found)
}

/// A question that closed and that nobody answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undecided {
    /// Our short id.
    pub request: RequestId,
    /// Its call, which has not ended.
    pub call: CallId,
    /// What it asks, in bytes.
    pub bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn all_that_a_start_reads_is_searched() {
        let conn = blank();
        let cases = [
            (select(WAITING), "requests_waiting"),
            (select(STRANDED), "requests_stranded"),
            (select(ANSWERED_OF_LIVE), "requests_by_call"),
            (format!("{}{CLOSED_OF_LIVE}", *SELECT_BARE), "requests_by_call"),
            (UNDECIDED_OF_LIVE.to_owned(), "requests_by_call"),
        ];
        for (sql, by) in cases {
            let plan = plan(&conn, &sql);
            assert!(plan.contains(by) && !plan.contains("SCAN"), "{sql}: {plan}");
        }
    }
}
