//! Input requests as a start reads them: no server may make a start slow, or large, by what it once asked.

use std::sync::LazyLock;

use rusqlite::Row;
use signalbox_model::{CallId, InputRequest, RequestId};

use super::{LAYOUT, row};
use crate::{column::Columns, secrets::Undelivered, snapshot::Snapshot};

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

/// What is read of a question that comes without what it asks, see [`InputRequest::is_bare`].
const BARE: [(&str, &str); 4] =
    [("message", "''"), ("schema", "NULL"), ("url", "iif(mode = 'url', url, NULL)"), ("raw", "'null'")];

/// The statement that reads rows for [`row`], with these instead of the columns of [`BARE`].
fn select_with(instead: impl Fn(&str, &str) -> String) -> String {
    BARE.iter().fold(LAYOUT.select(), |sql, (column, bare)| {
        sql.replacen(&format!(" {column},"), &format!(" {},", instead(column, bare)), 1)
    })
}

static SELECT_BARE: LazyLock<String> = LazyLock::new(|| select_with(|_, bare| bare.to_owned()));

/// What a question asks, in bytes.
const ASKS: &str = "octet_length(message) + octet_length(raw) + coalesce(octet_length(schema), 0)
    + coalesce(octet_length(iif(mode = 'url', NULL, url)), 0)";
/// A question of a task or a round that asks more than this, in bytes, comes bare.
const LONG: usize = 8 * 1024;

/// The same for those that may come whole, with what they ask in bytes as the last column. What was asked on a connection is
/// needed to tell what is asked again.
static SELECT_LONG_BARE: LazyLock<String> = LazyLock::new(|| {
    let long = format!("identity <> 'wire' AND {ASKS} > {LONG}");
    let sql = select_with(|column, bare| format!("iif({long}, {bare}, {column})"));
    sql.replacen(" FROM requests ", &format!(", {ASKS} AS asks FROM requests "), 1)
});

/// Requests of calls that have not ended, any that are not over, and those that may be asked again; each with the bytes of what
/// it asks that stay in the store. Closed ones come bare, and so do long ones of tasks and rounds: no server may make a start
/// slow, or large, by what it once asked.
pub(crate) fn live(at: &Snapshot<'_>) -> rusqlite::Result<Vec<(InputRequest, u64)>> {
    let waiting = at.rows(&long_ones_bare(WAITING), [], with_rest)?;
    let stranded = at.rows(&long_ones_bare(STRANDED), [], with_rest)?;
    let answered = at.rows(&long_ones_bare(ANSWERED_OF_LIVE), [], with_rest)?;
    let closed = at.rows(&format!("{}{CLOSED_OF_LIVE}", *SELECT_BARE), [], row)?;
    // What closed leaves nothing behind that counts.
    let closed = closed.into_iter().map(|(request, _)| (request, 0));
    let mut requests: Vec<_> = waiting.into_iter().chain(stranded).chain(answered).chain(closed).collect();
    requests.sort_by_key(|(request, _)| request.id);
    Ok(requests)
}

/// The statement that reads rows for [`with_rest`].
fn long_ones_bare(rest: &str) -> String {
    format!("{}{rest}", *SELECT_LONG_BARE)
}

fn with_rest(of: &Row<'_>) -> rusqlite::Result<(InputRequest, u64)> {
    let (mut request, _) = row(of)?;
    // The last column but for what is asked beside the row.
    let mut last = Columns::behind(of, LAYOUT.columns.len() - 1);
    if let Some(undelivered) = last.maybe_own::<Undelivered>()? {
        undelivered.restore(&mut request);
    }
    let rest = if request.is_bare() { of.get::<_, i64>("asks")?.cast_unsigned() } else { 0 };
    Ok((request, rest))
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
            (long_ones_bare(WAITING), "requests_waiting"),
            (long_ones_bare(STRANDED), "requests_stranded"),
            (long_ones_bare(ANSWERED_OF_LIVE), "requests_by_call"),
            (format!("{}{CLOSED_OF_LIVE}", *SELECT_BARE), "requests_by_call"),
            (UNDECIDED_OF_LIVE.to_owned(), "requests_by_call"),
        ];
        for (sql, by) in cases {
            let plan = plan(&conn, &sql);
            assert!(plan.contains(by) && !plan.contains("SCAN"), "{sql}: {plan}");
        }
    }
}
