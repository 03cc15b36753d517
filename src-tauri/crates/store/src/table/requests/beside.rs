//! What stands beside an input request: the others of its call that wait, those of its round, and the pages before it. Of these
//! only what decides what can be said to it is read.

use signalbox_model::{CallId, InputRequest, Mode, RequestId, RequestState, Timestamp, Word};

use crate::{ReadError, Reads, column::Columns};

const WAITING_OF: &str =
    "SELECT id FROM requests WHERE call = ?1 AND shelf = 0 AND stage = 0 ORDER BY id LIMIT ?2";
const MEMBERS: &str =
    "SELECT id, state, closed_at FROM requests WHERE identity = 'round' AND scope = ?1 AND n = ?2";
const KEEPS_SECRETS: &str = "SELECT id FROM requests WHERE id = ?1 AND undelivered IS NOT NULL";
const PAGES_BEFORE: &str = "SELECT id, url, opened_at FROM requests \
     WHERE call = ?1 AND mode = ?2 AND id < ?3 AND coalesce(decided_at, visited_at) <= ?4";
const ASKED_ON: &str =
    "SELECT at FROM decisions WHERE request = ?1 AND kind = 'not_taken' AND at > ?2 ORDER BY n";

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

    /// Whether the secrets in an answer are kept, since it may still go out.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn keeps_secrets(&self, id: RequestId) -> Result<bool, ReadError> {
        let found = self.read(|at| at.rows(KEEPS_SECRETS, [id.0], |row| row.get(0).map(RequestId)))?;
        Ok(!found.is_empty())
    }

    /// When a call asked for pages before an input request of it, as far as those were decided on or opened before that came, and
    /// lead where `counts` says; and when it asked for that of the request itself, but for the last time: the oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn pages_before(
        &self,
        call: CallId,
        request: &InputRequest,
        counts: impl Fn(&str) -> bool,
    ) -> Result<Vec<Timestamp>, ReadError> {
        let before = (call.0, Mode::Url.word(), request.id.0, request.opened_at.0);
        let pages = self.read(|at| {
            at.rows(PAGES_BEFORE, before, |row| {
                let mut at = Columns::of(row);
                let (id, url): (u32, Option<String>) = (at.get()?, at.get()?);
                let asked_at = at.time()?;
                Ok(url.is_some_and(|url| counts(&url)).then_some((id, asked_at)))
            })
        })?;
        let mut pages: Vec<_> = pages.into_iter().flatten().collect();
        pages.sort_unstable_by_key(|(id, _)| *id);
        // By the same key it is the same request: asked for once more each time that its answer was not taken.
        let own = self.read(|at| {
            at.rows(ASKED_ON, (request.id.0, request.opened_at.0), |row| row.get(0).map(Timestamp))
        })?;
        let mut asked: Vec<_> = pages.into_iter().map(|(_, asked_at)| asked_at).collect();
        asked.push(request.opened_at);
        asked.extend(own);
        asked.pop();
        Ok(asked)
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
        let pages = plan(&conn, PAGES_BEFORE);
        assert!(pages.contains("requests_by_call (call=?)"), "of its call alone: {pages}");
        let asked_on = plan(&conn, ASKED_ON);
        assert!(asked_on.contains("decisions_by_request (request=?)"), "of its own alone: {asked_on}");
    }
}
