//! What stands beside an input request: the others of its call that wait, and those of its round. Of these only what decides
//! what can be said to it is read.

use signalbox_model::{CallId, RequestId, RequestState, Timestamp};

use crate::{ReadError, Reads, column::Columns};

const WAITING_OF: &str =
    "SELECT id FROM requests WHERE call = ?1 AND shelf = 0 AND stage = 0 ORDER BY id LIMIT ?2";
const MEMBERS: &str =
    "SELECT id, state, closed_at FROM requests WHERE identity = 'round' AND scope = ?1 AND n = ?2";

/// An input request as part of its round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Our short id.
    pub id: RequestId,
    /// Where it stands.
    pub state: RequestState,
    /// See [`signalbox_model::InputRequest::closed_at`].
    pub closed_at: Option<Timestamp>,
}

impl Member {
    /// Whether it keeps the rest of its round back: it is not decided, or within its undo window.
    #[must_use]
    pub fn undecided(&self) -> bool {
        self.state.needs_person(self.closed_at) || self.state == RequestState::Held
    }
}

impl Reads {
    /// The input requests of a call that wait for a person, the oldest first: at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn waiting_of(&self, call: CallId, limit: u32) -> Result<Vec<RequestId>, ReadError> {
        self.read(|at| at.rows(WAITING_OF, [call.0, limit], |row| row.get(0).map(RequestId)))
    }

    /// The input requests of one round of a call, in the server's order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn members(&self, call: CallId, n: u32) -> Result<Vec<Member>, ReadError> {
        let mut members = self.read(|at| {
            at.rows(MEMBERS, [call.0, n], |row| {
                let mut at = Columns::of(row);
                Ok(Member { id: RequestId(at.get()?), state: at.word()?, closed_at: at.maybe_time()? })
            })
        })?;
        members.sort_unstable_by_key(|member| member.id);
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn what_stands_beside_is_found_by_index() {
        let conn = blank();
        let waiting = plan(&conn, WAITING_OF);
        assert!(waiting.contains("COVERING INDEX requests_by_call"), "without a row: {waiting}");
        let members = plan(&conn, MEMBERS);
        assert!(members.contains("requests_by_identity (identity=? AND scope=? AND n=?)"), "{members}");
    }
}
