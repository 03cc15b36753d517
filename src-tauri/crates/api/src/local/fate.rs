//! What became of an answer that was decided: whoever gave it waits for that, and is told.

use signalbox_engine::{Fate, Granted, Intent, Refusal};
use signalbox_model::{
    Answer, CloseReason, Identity, InputRequest, ItemRef, RequestId, RequestState, Timestamp, Tracking,
};

use super::{
    Local,
    answered::{answered_meanwhile, is_same, not_open, taken_back},
    tasks::{forgotten, not_kept, queued, waits},
};
use crate::{
    ApiError, Code, Retry,
    command::{CarryOut, Settle},
    words,
};

/// What an answer is called.
const ANSWER: &str = "The answer";

impl CarryOut<Settle> for Local {
    /// What is on its way already, and how it ends.
    async fn carry_out(&self, Settle { item, said }: Settle) -> Result<(), ApiError> {
        match item {
            ItemRef::Call(call) => self.acknowledged(call).await,
            ItemRef::Request(id) => {
                let request = self.request(id).await?;
                let answer = match (&request.answer, &said) {
                    (Some(answer), _) => answer,
                    (None, Some(_)) => return Err(answered_meanwhile(&request)),
                    (None, None) => {
                        return Err(ApiError::new(Code::Usage, format!("{id} has not been answered")));
                    }
                };
                let is_meant =
                    |answer: &&Answer| said.as_ref().is_none_or(|said| is_same(&request, answer, said));
                // The answer that is meant may have failed before the one that stands now was given.
                let earlier = request.earlier.as_ref().map(|earlier| &earlier.answer);
                match [answer].into_iter().chain(earlier).find(is_meant) {
                    Some(answer) => self.settled(id, answer.decided_at, false).await,
                    None => Err(answered_meanwhile(&request)),
                }
            }
        }
    }
}

impl Local {
    /// What became of the answer that was decided then, and is on its way. `once_out`: of a round it is enough that it has
    /// gone out with its call, whose tool may work for hours; whoever wants to wait for that asks for it
    /// ([`Settle`]).
    pub(super) async fn settled(
        &self,
        id: RequestId,
        decided_at: Timestamp,
        once_out: bool,
    ) -> Result<(), ApiError> {
        let trouble =
            match self.engine.intent(Intent::AwaitAnswer { request: id, decided_at, once_out }).await {
                Ok(Granted::Answer { mut request, fate: Fate::Known | Fate::TakenBack }) => {
                    // It comes from memory, where secrets are as they go out.
                    signalbox_store::hide_secrets(&mut request);
                    return self.told(*request, decided_at).await;
                }
                Ok(Granted::Answer { request, fate: Fate::Forgotten }) => {
                    return Err(forgotten(&task_of(id), ANSWER, !request.sent()));
                }
                Ok(Granted::Answer { fate: Fate::Kept | Fate::Out, .. }) => return Ok(()),
                Ok(Granted::Answer { fate: Fate::Waits(health), .. }) => return Err(waits(&health, ANSWER)),
                Ok(Granted::Answer { request, fate: Fate::Late }) => return Err(late(&request)),
                Ok(_) => None,
                Err(Refusal::Storage(error)) => Some(not_kept(&error, ANSWER)),
                Err(refusal) => return Err(refusal.into()),
            };
        let Some((request, _)) = self.read(move |reads| reads.request(id)).await? else {
            return Err(forgotten(&task_of(id), ANSWER, false));
        };
        let is_under_way = matches!(request.state, RequestState::Held | RequestState::Sending);
        match trouble.filter(|_| is_under_way) {
            Some(trouble) => Err(trouble),
            None => self.told(request, decided_at).await,
        }
    }

    /// What a question's row says of the answer that was decided then.
    async fn told(&self, mut request: InputRequest, decided_at: Timestamp) -> Result<(), ApiError> {
        let id = request.id;
        let stands = request.decided_at();
        match request.earlier.take() {
            _ if stands.is_none() || stands == Some(decided_at) => {}
            // Another answer was given since this one failed.
            Some(earlier) if earlier.answer.decided_at == decided_at => {
                (request.state, request.answer) = (earlier.state, Some(earlier.answer));
            }
            _ => return Err(taken_back(&request)),
        }
        match request.state {
            RequestState::Answered => Ok(()),
            RequestState::Refused => Err(self.refused(request).await?),
            // The person declined, and the question is closed by that.
            RequestState::Closed if request.reason == Some(CloseReason::DeclinedByUs) => Ok(()),
            RequestState::Closed | RequestState::Orphaned => Err(not_open(&request)),
            RequestState::NotTaken => {
                let message = "The server acknowledged the answer and asks again: it can be answered again";
                Err(ApiError::new(Code::ServerError, message))
            }
            RequestState::Unknown => {
                Err(ApiError::new(Code::Lost, "The answer was sent; whether it arrived is not known"))
            }
            RequestState::Open => {
                let message = format!("The answer to {id} did not go out: it is open again");
                Err(ApiError::new(Code::AlreadyClosed, message))
            }
            RequestState::Held | RequestState::Sending => Err(late(&request)),
        }
    }

    /// Why an answer was refused: what the server says does not tell whether its task is gone, a poll of the task does.
    async fn refused(&self, request: InputRequest) -> Result<ApiError, ApiError> {
        let why = request.answer.as_ref().and_then(|answer| answer.refusal.as_ref());
        let why = why.map(words::note).unwrap_or_default();
        if let Identity::Task { call, .. } = request.identity {
            // Without a poll the refusal itself is known.
            let _ = self.poll_once(call).await;
            let task = self.read(move |reads| reads.call(call)).await?;
            if task.is_some_and(|(task, _)| task.tracking == Tracking::NotFound) {
                let message = format!("The server does not know the task of {} any more. {why}", request.id);
                return Ok(ApiError::new(Code::UnknownItem, message));
            }
        }
        let now = self.request(request.id).await?;
        if now.state == RequestState::Closed {
            return Ok(not_open(&now));
        }
        Ok(ApiError::new(Code::ServerError, format!("The server refused the answer. {why}")))
    }
}

/// The answer is kept, and was not acknowledged in time.
fn late(request: &InputRequest) -> ApiError {
    if request.hosted.is_none() {
        return queued(ANSWER);
    }
    let message = "The answer is kept. The server fetches it by itself as long as Signalbox runs, and has not done so yet: do \
                   not repeat it";
    ApiError { retry: Retry::Queued, ..ApiError::new(Code::TimedOut, message) }
}

fn task_of(id: RequestId) -> String {
    format!("The task of {id}")
}

#[cfg(test)]
mod tests {
    use signalbox_model::{Hosted, ServerId, Timestamp};

    use super::*;

    #[test]
    fn an_answer_that_the_server_fetches_is_not_said_to_wait_for_its_connection() {
        let request = |hosted: Option<&str>| {
            let identity = Identity::Wire { session: 1, rpc: "1".to_owned() };
            let new = InputRequest::new(RequestId(1), ServerId(1), identity, Timestamp(0));
            InputRequest {
                state: RequestState::Sending,
                hosted: hosted.map(|id| Hosted::new(id.to_owned())),
                ..new
            }
        };
        let (sent, fetched) = (late(&request(None)), late(&request(Some("ours"))));
        assert_eq!((sent.code, sent.retry), (Code::Unreachable, Retry::Queued));
        assert_eq!((fetched.code, fetched.retry), (Code::TimedOut, Retry::Queued));
        assert!(fetched.message.contains("fetches it by itself"), "{fetched}");
    }
}
