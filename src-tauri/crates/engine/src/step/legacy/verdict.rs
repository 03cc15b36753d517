//! What the reply to `tasks/result` means. Most servers give the result, or the tool call's own error; some say nothing, and
//! then only the task tells how it ended.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use signalbox_mcp::{Error, INVALID_PARAMS};
use signalbox_model::{CallId, Json, Status};

use super::{
    super::{Next, Turn, tries::Tries},
    Session,
};

/// What it means that a request for a result is over.
#[derive(Debug)]
pub(in crate::step) enum Verdict {
    /// Nothing: it was told to end, so that others get their turn.
    MadeRoom,
    /// Nothing: something on the way cut it off while it was held.
    Cut,
    /// The task came to this result.
    Came(Json),
    /// The server answered without saying anything. Only the task tells whether it failed or was cancelled while the
    /// request was held.
    SaidNothing,
    /// The tool call itself came to this error.
    OwnError {
        /// The error, as received.
        raw: Json,
        error: Error,
    },
    /// The server answered with an error about the request. The task tells what the request did not: it has ended, or it is
    /// gone.
    AskTheTask(Failed),
    /// The request came to nothing, and is made again.
    Failed(Failed),
}

/// A request for a result that came to nothing.
#[derive(Debug)]
pub(in crate::step) struct Failed {
    error: Error,
    /// The person should be told by now.
    tell: bool,
}

impl Verdict {
    /// What it says of the server as such; none where it says nothing of it.
    pub(in crate::step) fn of_server(&self) -> Option<Result<(), &Error>> {
        match self {
            Self::MadeRoom | Self::Cut => None,
            Self::Came(_) | Self::SaidNothing => Some(Ok(())),
            Self::OwnError { error, .. }
            | Self::AskTheTask(Failed { error, .. })
            | Self::Failed(Failed { error, .. }) => Some(Err(error)),
        }
    }

    /// What failed so often that the person should be told by now.
    pub(in crate::step) fn trouble(&self) -> Option<&Error> {
        match self {
            Self::AskTheTask(Failed { error, tell: true }) | Self::Failed(Failed { error, tell: true }) => {
                Some(error)
            }
            _ => None,
        }
    }
}

impl Session {
    /// A request for a result is over, and its permit is back: others get their turn. `status` is how the call stands; none
    /// where it has ended, or is gone.
    pub(in crate::step) fn resulted(
        &mut self,
        turn: &mut Turn<'_>,
        id: CallId,
        reply: Result<Json, Error>,
        status: Option<Status>,
    ) -> Verdict {
        let held = self.held_results.under_way.remove(&id).is_some();
        self.fetched_results.under_way.remove(&id);
        let made_room = self.leaving.remove(&id);
        turn.then(Next::Results(self.server));
        if made_room {
            turn.then(Next::Result(id));
        }
        let is_over = status.is_some_and(Status::is_terminal);
        let error = match reply {
            Ok(raw) if is_over || !says_nothing(&raw) => return Verdict::Came(raw),
            Ok(_) => {
                // The next one waits, since with some servers polls do not tell more either.
                if status.is_some() {
                    self.tries(id).failed(turn.now, turn.seed, id.0);
                }
                return Verdict::SaidNothing;
            }
            Err(Error::Closed) if made_room => return Verdict::MadeRoom,
            Err(error) => error,
        };
        if let Error::Rpc { code, raw, .. } = &error
            && is_over
            // Unless the task itself is unknown, which the poll in between has told.
            && (*code != INVALID_PARAMS || self.has_failed(id))
        {
            return Verdict::OwnError { raw: raw.clone(), error };
        }
        let tell = status.is_some() && self.result_failed(turn, id, &error);
        match error {
            Error::Lost { .. } | Error::Timeout { .. } if held => Verdict::Cut,
            Error::Rpc { .. } => Verdict::AskTheTask(Failed { error, tell }),
            error => Verdict::Failed(Failed { error, tell }),
        }
    }

    /// A request for a result came to nothing. Says whether the person should be told by now.
    fn result_failed(&mut self, turn: &Turn<'_>, id: CallId, error: &Error) -> bool {
        let tries = self.tries(id);
        if matches!(error, Error::TooLarge { .. }) {
            tries.futile(turn.now);
        } else {
            tries.failed(turn.now, turn.seed, id.0);
        }
        tries.new_trouble()
    }

    fn tries(&mut self, id: CallId) -> &mut Tries {
        &mut self.results.entry(id).or_default().tries
    }

    /// Whether requests for this call's result have failed in a row.
    fn has_failed(&self, id: CallId) -> bool {
        self.results.get(&id).is_some_and(|of| of.tries.failures() > 0)
    }
}

/// Whether it has nothing but `_meta`.
fn says_nothing(raw: &Json) -> bool {
    raw.read::<BTreeMap<String, IgnoredAny>>().is_ok_and(|members| members.keys().all(|name| name == "_meta"))
}
