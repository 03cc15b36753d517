//! The earlier runs of a call: of the same tool at the same server, with a summary of arguments that has the same words.

use signalbox_model::{Call, CallId, Timestamp};

use crate::{ReadError, Reads, column::Columns};

/// So many calls of the server that ended are looked at: a server may have any number of them, of other tools all.
const LOOKED_AT: u32 = 2_000;

/// Comes out of the index in this order, from no further back than the index alone says.
const EARLIER: &str =
    "SELECT id, ended_at, summary FROM calls
        WHERE server = ?1 AND bucket = 2 AND (created_at, id) < (?2, ?3) AND tool = ?4
        AND ended_at IS NOT NULL AND length(summary) = length(?5) AND created_at >= coalesce((SELECT created_at FROM calls
            WHERE server = ?1 AND bucket = 2 AND (created_at, id) < (?2, ?3)
            ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?6), 0)
    ORDER BY created_at DESC, id DESC";

impl Reads {
    /// The calls of the same tool at the same server that were started before this one and have ended, the last one first, at
    /// most `limit`, of the last 2,000 of that server; and when each ended. The summaries of their arguments have the same words
    /// in any order: whether they are the same only those can tell.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn earlier_runs(&self, call: &Call, limit: usize) -> Result<Vec<(CallId, Timestamp)>, ReadError> {
        let Call { id, server, created_at, tool, summary, .. } = call;
        let of = (server.0, created_at.0, id.0, tool, summary, LOOKED_AT - 1);
        let all = self.read(|at| {
            at.rows(EARLIER, of, |row| {
                let mut at = Columns::of(row);
                Ok((CallId(at.get()?), at.time()?, at.get::<String>()?))
            })
        })?;
        let wanted = letters(summary);
        let alike = all.into_iter().filter(|(_, _, other)| letters(other) == wanted);
        Ok(alike.map(|(id, ended_at, _)| (id, ended_at)).take(limit).collect())
    }
}

/// What a summary has in whichever order its members stood. One that was cut may have lost any of them: of it nothing is known.
fn letters(summary: &str) -> Option<Vec<char>> {
    let mut letters: Vec<char> = summary.chars().collect();
    letters.sort_unstable();
    (!summary.ends_with('…')).then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn they_come_out_of_an_index_in_their_order() {
        let plan = plan(&blank(), EARLIER);
        let bounded = "INDEX calls_by_server (server=? AND bucket=? AND created_at>? AND created_at<?)";
        assert!(plan.contains(bounded), "no further back than it may: {plan}");
        assert!(plan.contains("COVERING INDEX calls_by_server"), "the index alone says how far: {plan}");
        assert!(!plan.contains("TEMP B-TREE") && !plan.contains("SCAN"), "nothing is sorted: {plan}");
    }
}
