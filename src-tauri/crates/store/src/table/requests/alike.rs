//! Earlier answers to the same question: a server, a tool, a method, and the same words.

use signalbox_model::{CallId, InputRequest, RequestId, RequestLine};

use super::line;
use crate::{ReadError, Reads, Text};

/// The tool stands with the call, and a message may be long: its beginning leads to the few that may be the same.
pub(crate) const SINCE_13: &str = "
CREATE INDEX requests_alike ON requests (server, substr(message, 1, 64), closed_at DESC, id DESC)
    WHERE shelf = 2 AND answer IS NOT NULL;
";

const ALIKE: &str = "SELECT requests.id FROM requests INDEXED BY requests_alike LEFT JOIN calls ON calls.id = call
    WHERE shelf = 2 AND answer IS NOT NULL AND requests.server = ?1 AND substr(message, 1, 64) = substr(?2, 1, 64)
        AND message = ?2 AND method = ?3 AND coalesce(tool, '') = coalesce((SELECT tool FROM calls WHERE id = ?4), '')
        AND requests.id <> ?5
    ORDER BY closed_at DESC, requests.id DESC LIMIT ?6";

impl Reads {
    /// The other input requests of the same tool that ask the same in the same words and were answered, the last one first:
    /// at most `limit`, and no more behind those with which they are `bytes` long together.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn answered_alike(
        &self,
        request: &InputRequest,
        limit: u32,
        bytes: usize,
    ) -> Result<Vec<RequestLine>, ReadError> {
        let InputRequest { id, server, call, method, message, .. } = request;
        self.read(|at| {
            let of = (server.0, message, method, call.map(|CallId(call)| call), id.0, limit);
            let ids = at.rows(ALIKE, of, |row| row.get(0).map(RequestId))?;
            let (rows, _) = line::of(at, &ids, Text::None, Some(bytes))?;
            Ok(rows.into_iter().map(|((line, _), _)| line).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn they_come_out_of_an_index_in_their_order() {
        let plan = plan(&blank(), ALIKE);
        assert!(plan.contains("requests_alike (server=? AND <expr>=?)"), "searched: {plan}");
        assert!(
            !plan.contains("TEMP B-TREE") && !plan.contains("SCAN"),
            "nothing is sorted or walked: {plan}"
        );
    }
}
