//! The lists of input requests: what each tab shows, in which order, out of which index.

use signalbox_model::{InputRequest, RequestId};

use super::{row, select};
use crate::{
    Page, ReadError, Reads, RequestQuery, Tab,
    reads::Snapshot,
    table::tally::{self, Counts},
};

const WAITING_IDS: &str = "SELECT id FROM requests INDEXED BY requests_waiting WHERE shelf = 0 \
     ORDER BY deadline IS NULL, deadline, opened_at, id LIMIT ?1 OFFSET ?2";
const STRANDED_IDS: &str = "SELECT id FROM requests INDEXED BY requests_stranded WHERE shelf = 1 \
     ORDER BY opened_at, id LIMIT ?1 OFFSET ?2";
const SETTLED_IDS: &str = "SELECT id FROM requests INDEXED BY requests_settled WHERE shelf = 2 \
     ORDER BY closed_at DESC, id DESC LIMIT ?1 OFFSET ?2";
const ALL_IDS: &str = "SELECT id FROM requests INDEXED BY requests_by_age \
     ORDER BY opened_at DESC, id DESC LIMIT ?1 OFFSET ?2";

/// What a tab lists, one part below the other: the statement that reads the part's ids, whose parameters are limit and
/// offset, and how many there are.
fn parts(tab: Tab, counts: &Counts) -> Vec<(&'static str, u64)> {
    let waiting = counts.needs_you + counts.on_the_way;
    match tab {
        Tab::NeedsYou => vec![(WAITING_IDS, waiting), (STRANDED_IDS, counts.stranded)],
        Tab::Answered => vec![(SETTLED_IDS, counts.settled)],
        Tab::All => vec![(ALL_IDS, waiting + counts.stranded + counts.settled)],
    }
}

fn page(at: &Snapshot<'_>, query: &RequestQuery) -> rusqlite::Result<Page<RequestId, InputRequest>> {
    let counts = tally::counts(at)?;
    let (mut total, mut ids) = (0, Vec::new());
    for (sql, n) in parts(query.tab, &counts) {
        // How much of the window the parts above have not filled, and where in this part it begins.
        let wanted = u64::from(query.limit) - ids.len() as u64;
        let offset = u64::from(query.offset).saturating_sub(total);
        if wanted > 0 && offset < n {
            let found =
                at.rows(sql, [wanted, offset].map(u64::cast_signed), |row| row.get(0).map(RequestId))?;
            ids.extend(found);
        }
        total += n;
    }
    let mut rows = Vec::with_capacity(ids.len());
    for id in &ids {
        rows.extend(at.rows(&select("WHERE id = ?1"), [id.0], row)?);
    }
    Ok(Page { seq: counts.seq, ids, rows, total })
}

impl Reads {
    /// A window of the inbox.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn requests_page(&self, query: &RequestQuery) -> Result<Page<RequestId, InputRequest>, ReadError> {
        self.read(|at| page(at, query))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn tabs_come_out_of_an_index_in_their_order() {
        let conn = blank();
        let parts = |tab| parts(tab, &Counts::default());
        for (sql, _) in [Tab::NeedsYou, Tab::Answered, Tab::All].into_iter().flat_map(parts) {
            let plan = plan(&conn, sql);
            assert!(plan.contains("COVERING INDEX"), "no row is touched for its place: {sql}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "nothing is sorted: {sql}: {plan}");
        }
    }
}
