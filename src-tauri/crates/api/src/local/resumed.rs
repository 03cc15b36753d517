//! What was asked of an owner that went away in the middle, asked again of the next one: what was committed goes on by itself
//! and is waited for, what was not is done now.
//!
//! An answer counts as committed only when the store holds the very same one, byte for byte, decided since its person
//! looked. Another one is somebody else's (`answered_meanwhile`). A wish to cancel counts as committed when one stands
//! that its person had not seen.

use signalbox_model::{Action, CallId, Outcome, RequestId, RequestState, Timestamp};

use super::{
    Local,
    answered::{answered_meanwhile, is_same},
};
use crate::{
    ApiError, Command, Desk as _, Reply,
    command::{self, Cancel, CarryOut, EndVisit, Replied, Resume, Said},
};

impl Resume for Local {
    async fn resume(&self, command: Command) -> Result<Reply, ApiError> {
        match command {
            Command::Answer(act) => self.answer_again(act).await.map(Replied::into_reply),
            Command::AnswerTogether(act) => self.answer_together(act, true).await.map(Replied::into_reply),
            Command::EndVisit(act) if act.opened => self.opened_again(act).await.map(Replied::into_reply),
            Command::Cancel(Cancel { call, seen }) if self.wish_committed(call, seen).await? => {
                self.acknowledged(call).await.map(Replied::into_reply)
            }
            command => self.call(command).await,
        }
    }
}

impl Local {
    async fn answer_again(&self, act: command::Answer) -> Result<(), ApiError> {
        let said = Said { action: act.action, content: act.content.clone() };
        match self.committed(act.request, &said, act.seen).await? {
            None => self.carry_out(act).await,
            // A person who has an answer held for undo waits for nothing.
            Some((_, RequestState::Held)) if act.hold_ms > 0 => Ok(()),
            Some((decided_at, _)) => self.settled(act.request, decided_at, true).await,
        }
    }

    async fn opened_again(&self, act: EndVisit) -> Result<(), ApiError> {
        let said = Said { action: Action::Accept, content: None };
        match self.committed(act.request, &said, act.seen).await? {
            None => self.carry_out(act).await,
            Some((decided_at, _)) => self.settled(act.request, decided_at, true).await,
        }
    }

    /// When this answer was decided, where it was committed since its person looked, and what the question's state is now.
    /// Another answer since then is somebody else's.
    pub(super) async fn committed(
        &self,
        id: RequestId,
        said: &Said,
        seen: Option<Timestamp>,
    ) -> Result<Option<(Timestamp, RequestState)>, ApiError> {
        let request = self.request(id).await?;
        let Some(answer) = request.answer.as_ref().filter(|answer| Some(answer.decided_at) != seen) else {
            return Ok(None);
        };
        if is_same(&request, answer, said) {
            return Ok(Some((answer.decided_at, request.state)));
        }
        // The answer may have failed before the one that stands now was given. An answer that the person had
        // seen already cannot be their reply to what they saw.
        let earlier = request.earlier.as_ref().filter(|earlier| Some(earlier.answer.decided_at) > seen);
        match earlier.filter(|earlier| is_same(&request, &earlier.answer, said)) {
            Some(earlier) => Ok(Some((earlier.answer.decided_at, earlier.state))),
            None => Err(answered_meanwhile(&request)),
        }
    }

    /// Whether a wish to cancel was committed since its person looked. One is like the other: whose it was does not matter. A
    /// second one leaves no other trace than a call that was given up. That a call has ended by itself is no wish.
    async fn wish_committed(&self, call: CallId, seen: Option<Timestamp>) -> Result<bool, ApiError> {
        let found = self.read(move |reads| reads.call(call)).await?;
        let Some((call, _)) = found.filter(|(call, _)| call.cancel.is_some()) else { return Ok(false) };
        Ok(call.cancel_requested_at() != seen || call.outcome == Some(Outcome::Cancelled))
    }
}
