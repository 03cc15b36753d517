//! The earlier runs of a call: of the same tool at the same server, with a summary of arguments that reads the same.

use signalbox_model::Call;

use super::{row, select};
use crate::{ReadError, Reads};

/// So many calls of the server that ended are looked at: a server may have any number of them, of other tools all.
const LOOKED_AT: u32 = 2_000;

/// Comes out of the index in this order, from no further back than the index alone says.
const EARLIER: &str =
    "WHERE server = ?1 AND bucket = 2 AND (created_at, id) < (?2, ?3) AND tool = ?4 AND summary = ?5
        AND created_at >= coalesce((SELECT created_at FROM calls
            WHERE server = ?1 AND bucket = 2 AND (created_at, id) < (?2, ?3)
            ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?7), 0)
    ORDER BY created_at DESC, id DESC LIMIT ?6";

impl Reads {
    /// The calls of the same tool at the same server that were started before this one and have ended, the last one first, at most
    /// `limit`, of the last 2,000 of that server. Their arguments read the same in a summary: whether they are the same only those
    /// can tell.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn earlier_runs(&self, call: &Call, limit: u32) -> Result<Vec<Call>, ReadError> {
        let Call { id, server, created_at, tool, summary, .. } = call;
        self.read(|at| {
            let of = (server.0, created_at.0, id.0, tool, summary, limit, LOOKED_AT - 1);
            at.rows(&select(EARLIER), of, |found| row(found).map(|(call, _)| call))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn they_come_out_of_an_index_in_their_order() {
        let plan = plan(&blank(), &select(EARLIER));
        let bounded = "INDEX calls_by_server (server=? AND bucket=? AND created_at>? AND created_at<?)";
        assert!(plan.contains(bounded), "no further back than it may: {plan}");
        assert!(plan.contains("COVERING INDEX calls_by_server"), "the index alone says how far: {plan}");
        assert!(!plan.contains("TEMP B-TREE") && !plan.contains("SCAN"), "nothing is sorted: {plan}");
    }
}
