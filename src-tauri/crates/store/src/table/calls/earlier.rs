//! The earlier runs of a call: of the same tool at the same server, with a summary of arguments that reads the same.

use signalbox_model::Call;

use super::{row, select};
use crate::{ReadError, Reads};

/// Comes out of the index in this order; of other tools of the server a row each is looked at.
const EARLIER: &str =
    "WHERE server = ?1 AND bucket = 2 AND (created_at, id) < (?2, ?3) AND tool = ?4 AND summary = ?5
    ORDER BY created_at DESC, id DESC LIMIT ?6";

impl Reads {
    /// The calls of the same tool at the same server that were started before this one and have ended, the last one first, at most
    /// `limit`. Their arguments read the same in a summary: whether they are the same only those can tell.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn earlier_runs(&self, call: &Call, limit: u32) -> Result<Vec<Call>, ReadError> {
        let Call { id, server, created_at, tool, summary, .. } = call;
        self.read(|at| {
            let of = (server.0, created_at.0, id.0, tool, summary, limit);
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
        assert!(plan.contains("calls_by_server (server=? AND bucket=?"), "searched: {plan}");
        assert!(!plan.contains("TEMP B-TREE") && !plan.contains("SCAN"), "nothing is sorted: {plan}");
    }
}
