//! The lists of input requests: what each tab shows, in which order, out of which index.

use signalbox_model::{RequestId, RequestLine, RequestText};

use super::line;
use crate::{
    ReadError, Reads, RequestQuery, RowPage, WhichRequests,
    snapshot::Snapshot,
    table::counts::{self, AllCounts},
};

const NEEDS_YOU_IDS: &str = "SELECT id FROM requests INDEXED BY requests_waiting \
     WHERE shelf = 0 AND (attention = 'snoozed') = 0 \
     ORDER BY deadline IS NULL, deadline, opened_at, id LIMIT ?1 OFFSET ?2";
const SNOOZED_IDS: &str = "SELECT id FROM requests INDEXED BY requests_waiting \
     WHERE shelf = 0 AND (attention = 'snoozed') = 1 \
     ORDER BY deadline IS NULL, deadline, opened_at, id LIMIT ?1 OFFSET ?2";
const STRANDED_IDS: &str = "SELECT id FROM requests INDEXED BY requests_stranded WHERE shelf = 1 \
     ORDER BY opened_at, id LIMIT ?1 OFFSET ?2";
const NEWEST_STRANDED_IDS: &str = "SELECT id FROM requests INDEXED BY requests_newest_stranded WHERE shelf = 1 \
     ORDER BY id DESC LIMIT ?1 OFFSET ?2";
const SETTLED_IDS: &str = "SELECT id FROM requests INDEXED BY requests_settled WHERE shelf = 2 \
     ORDER BY closed_at DESC, id DESC LIMIT ?1 OFFSET ?2";
const ALL_IDS: &str = "SELECT id FROM requests INDEXED BY requests_by_age \
     ORDER BY opened_at DESC, id DESC LIMIT ?1 OFFSET ?2";

const BEHIND_IDS: &str = "SELECT id FROM requests INDEXED BY requests_by_age \
     WHERE (opened_at, id) < (SELECT opened_at, id FROM requests WHERE id = ?3) \
     ORDER BY opened_at DESC, id DESC LIMIT ?1 OFFSET ?2";
const OPEN_IDS: &str = "SELECT id FROM requests INDEXED BY requests_by_call WHERE call = ?3 AND shelf < 2 \
     ORDER BY shelf, stage, id LIMIT ?1 OFFSET ?2";
const CLOSED_IDS: &str = "SELECT id FROM requests INDEXED BY requests_closed WHERE call = ?3 AND shelf = 2 \
     ORDER BY closed_at DESC, id DESC LIMIT ?1 OFFSET ?2";
const BEHIND: &str = "SELECT count(*) FROM requests INDEXED BY requests_by_age \
     WHERE (opened_at, id) < (SELECT opened_at, id FROM requests WHERE id = ?1)";
const OPEN: &str = "SELECT count(*) FROM requests WHERE call = ?1 AND shelf < 2";
const CLOSED: &str = "SELECT count(*) FROM requests WHERE call = ?1 AND shelf = 2";

/// A part of a list, which stands below the parts before it.
struct Part {
    /// The statement that reads the ids; its parameters are limit, offset and `of`.
    ids: &'static str,
    /// The number of the call or question that it begins from.
    of: Option<u32>,
    /// How many there are.
    n: u64,
}

/// What a list is made of. What is kept in the table of counts costs nothing, the other counts walk an index without a row.
fn parts(at: &Snapshot<'_>, list: WhichRequests, counts: &AllCounts) -> rusqlite::Result<Vec<Part>> {
    let waiting = counts.needs_you + counts.on_the_way;
    let part = |ids, n| Part { ids, of: None, n };
    let counted = |ids, sql, of| {
        let n = at.one(sql, [of], |row| row.get::<_, i64>(0))?.map_or(0, i64::cast_unsigned);
        Ok(vec![Part { ids, of: Some(of), n }])
    };
    match list {
        WhichRequests::Waiting => Ok(vec![
            part(NEEDS_YOU_IDS, waiting),
            part(SNOOZED_IDS, counts.snoozed),
            part(STRANDED_IDS, counts.stranded),
        ]),
        WhichRequests::NeedsYou => Ok(vec![part(NEEDS_YOU_IDS, waiting)]),
        WhichRequests::Answered => {
            Ok(vec![part(NEWEST_STRANDED_IDS, counts.stranded), part(SETTLED_IDS, counts.settled)])
        }
        WhichRequests::All => {
            let all = waiting + counts.snoozed + counts.stranded + counts.settled;
            Ok(vec![part(ALL_IDS, all)])
        }
        WhichRequests::Behind(request) => counted(BEHIND_IDS, BEHIND, request.0),
        WhichRequests::Open(call) => counted(OPEN_IDS, OPEN, call.0),
        WhichRequests::Closed(call) => counted(CLOSED_IDS, CLOSED, call.0),
    }
}

type Requests = RowPage<RequestId, (RequestLine, RequestText)>;

fn page(at: &Snapshot<'_>, query: &RequestQuery) -> rusqlite::Result<Requests> {
    let counts = counts::all(at)?;
    let (mut total, mut ids) = (0, Vec::new());
    for Part { ids: sql, of, n } in parts(at, query.list, &counts)? {
        // How much of the window the parts above have not filled, and where in this part it begins.
        let wanted = u64::from(query.limit) - ids.len() as u64;
        let offset = u64::from(query.offset).saturating_sub(total);
        if wanted > 0 && offset < n {
            let window = [wanted, offset].into_iter().chain(of.map(u64::from)).map(u64::cast_signed);
            ids.extend(at.rows(sql, rusqlite::params_from_iter(window), |row| row.get(0).map(RequestId))?);
        }
        total += n;
    }
    let (rows, looked_at) = line::of(at, &ids, query.text, query.bytes)?;
    ids.truncate(looked_at);
    Ok(RowPage { seq: counts.seq, ids, rows, total })
}

impl Reads {
    /// A window of a list of input requests.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn requests_page(&self, query: &RequestQuery) -> Result<Requests, ReadError> {
        self.read(|at| page(at, query))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn lists_come_out_of_an_index_in_their_order() {
        let conn = blank();
        let ids = [
            NEEDS_YOU_IDS,
            SNOOZED_IDS,
            STRANDED_IDS,
            NEWEST_STRANDED_IDS,
            SETTLED_IDS,
            ALL_IDS,
            BEHIND_IDS,
            OPEN_IDS,
            CLOSED_IDS,
        ];
        for sql in ids.into_iter().chain([BEHIND, OPEN, CLOSED]) {
            let plan = plan(&conn, sql);
            assert!(plan.contains("COVERING INDEX"), "no row is touched for its place: {sql}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "nothing is sorted: {sql}: {plan}");
        }
        for sql in [BEHIND_IDS, OPEN_IDS, CLOSED_IDS, BEHIND, OPEN, CLOSED] {
            assert!(
                !plan(&conn, sql).contains("SCAN requests"),
                "what is not of the list is not walked: {sql}"
            );
        }
    }
}
