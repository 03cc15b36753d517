//! Answering alike questions together.
//!
//! Each answer is a decision of its own: committed, sealed, sent and taken back by itself. A person gives it to the questions
//! that they saw, and to no other. What was closed, put off or changed since then is left out and reported, and the others
//! go. All are committed before any is waited for, and all are waited for at once: a server that is silent costs one wait.
//!
//! Where a tool says that it may destroy something, each yes takes a gesture of its own: its questions are never answered
//! together. The same holds where its server cannot be asked what the tool says. Nor does a secret go to several at once.

use futures_util::future::join_all;
use signalbox_engine::asks;
use signalbox_forms::secrets;
use signalbox_model::{Alike, Json, RequestId, RequestState, ServerId, Timestamp};
use signalbox_store::{ReadError, Reads};

use super::{Local, answered::changed_meanwhile, views};
use crate::{
    ApiError, Code, Retry,
    command::{
        self, AnswerTogether, CarryOut, GivenAnswer, Said, SeenQuestion, TogetherOutcome, Undo, UndoTogether,
    },
};

/// So many questions of a stack are shown, and answered, at once.
pub(super) const MOST_STACKED: usize = 200;

/// An answer that was committed.
struct Given {
    decided_at: Timestamp,
    /// Within its undo window: nobody waits for it.
    held: bool,
}

/// A question that waits for its person.
struct Waiting {
    /// What it has in common with those that are like it.
    alike: Option<Alike>,
    /// What it asks, as of [`Stacked`](crate::Stacked).
    asks: String,
}

impl CarryOut<AnswerTogether> for Local {
    async fn carry_out(&self, act: AnswerTogether) -> Result<Vec<TogetherOutcome>, ApiError> {
        self.answer_together(act, false).await
    }
}

impl CarryOut<UndoTogether> for Local {
    async fn carry_out(
        &self,
        UndoTogether { answers }: UndoTogether,
    ) -> Result<Vec<TogetherOutcome>, ApiError> {
        bounded(answers.len())?;
        let mut outcomes = Vec::with_capacity(answers.len());
        for GivenAnswer { request, decided_at } in answers {
            let failure = self.carry_out(Undo { request, decided_at }).await.err();
            outcomes.push(TogetherOutcome { request, decided_at: None, failure });
        }
        Ok(outcomes)
    }
}

impl Local {
    /// `again`: their owner went away in the middle, and some may be committed already.
    pub(super) async fn answer_together(
        &self,
        act: AnswerTogether,
        again: bool,
    ) -> Result<Vec<TogetherOutcome>, ApiError> {
        bounded(act.requests.len())?;
        if tells_secrets(act.schema.as_ref(), act.content.as_ref()) {
            let message =
                "There is a secret in this answer: a question that asks for one is answered by itself";
            return Err(ApiError::new(Code::NotPossible, message));
        }
        let common = self.common(&act).await?;
        let mut given = Vec::with_capacity(act.requests.len());
        for seen in &act.requests {
            given.push((seen.request, self.give(seen, &act, common.as_ref(), again).await));
        }
        let told = given.into_iter().map(|(request, given)| self.outcome(request, given));
        let outcomes = join_all(told).await;
        // Some are committed: the next owner is to tell which.
        let gone = |failure: &&ApiError| failure.code == Code::OwnerGone;
        match outcomes.iter().filter_map(|of| of.failure.as_ref()).find(gone) {
            Some(gone) => Err(ApiError { retry: Retry::Never, ..gone.clone() }),
            None => Ok(outcomes),
        }
    }

    /// What became of one of them, once that is known.
    async fn outcome(&self, request: RequestId, given: Result<Given, ApiError>) -> TogetherOutcome {
        let (decided_at, failure) = match given {
            Err(failure) => (None, Some(failure)),
            Ok(Given { decided_at, held: true }) => (Some(decided_at), None),
            Ok(Given { decided_at, .. }) => {
                (Some(decided_at), self.settled(request, decided_at, true).await.err())
            }
        };
        TogetherOutcome { request, decided_at, failure }
    }

    /// What the person saw these questions have in common: of the first that is there, also where that is over by now. None where
    /// nothing is left of any.
    async fn common(&self, act: &AnswerTogether) -> Result<Option<Alike>, ApiError> {
        let ids: Vec<_> = act.requests.iter().map(|seen| seen.request).collect();
        let found = self.read_at_once(move |reads| tool_of(reads, &ids)).await?;
        let Some((server, tool)) = found else { return Ok(None) };
        if let Some(why) = self.caution(server, &tool).await? {
            let message = format!("{why}: each of its questions is answered by itself");
            return Err(ApiError::new(Code::NotPossible, message));
        }
        Ok(Some(Alike { server, tool, schema: act.schema.clone() }))
    }

    async fn give(
        &self,
        seen: &SeenQuestion,
        act: &AnswerTogether,
        common: Option<&Alike>,
        again: bool,
    ) -> Result<Given, ApiError> {
        let id = seen.request;
        let AnswerTogether { action, content, hold_ms, remark, .. } = act;
        let said = Said { action: *action, content: content.clone() };
        if again && let Some((decided_at, state)) = self.committed(id, &said, None).await? {
            return Ok(Given { decided_at, held: state == RequestState::Held && *hold_ms > 0 });
        }
        self.still_as_seen(seen, common).await?;
        let Said { action, content } = said;
        let (hold_ms, remark) = (*hold_ms, remark.clone());
        let asks = Some(seen.asks.clone());
        let answer = command::Answer { request: id, action, content, hold_ms, seen: None, remark, asks };
        let (decided_at, held) = self.decide(answer).await?;
        Ok(Given { decided_at, held })
    }

    /// Refuses what waits for its person, but not for this answer. Of what waits for nobody the answer itself is refused.
    async fn still_as_seen(&self, seen: &SeenQuestion, common: Option<&Alike>) -> Result<(), ApiError> {
        let id = seen.request;
        let Some(now) = self.read_at_once(move |reads| waiting(reads, id)).await? else { return Ok(()) };
        if now.asks != seen.asks {
            return Err(changed_meanwhile(id));
        }
        if now.alike.as_ref() != common {
            let message = format!(
                "{id} is not like the others: it was put off, or asks something else. Nothing of this answer was sent to it: \
                 look at it by itself"
            );
            return Err(ApiError::new(Code::NotPossible, message));
        }
        Ok(())
    }
}

/// Whether there are secrets in an answer.
fn tells_secrets(schema: Option<&Json>, content: Option<&Json>) -> bool {
    // Without a schema names alone tell.
    let schema = schema.map_or(signalbox_model::NO_SCHEMA, Json::text);
    content.is_some_and(|content| !secrets(schema, content.text()).is_empty())
}

/// Whose tool the first of these questions is for that is there.
fn tool_of(reads: &Reads, ids: &[RequestId]) -> Result<Option<(ServerId, String)>, ReadError> {
    for id in ids {
        let Some((request, _)) = reads.request(*id)? else { continue };
        let (Some(call), _) = views::call_of(reads, &request)? else { continue };
        return Ok(Some((request.server, call.tool)));
    }
    Ok(None)
}

/// An unanswered question as it stands now. None where it does not wait for its person.
fn waiting(reads: &Reads, id: RequestId) -> Result<Option<Waiting>, ReadError> {
    let Some((request, _)) = reads.request(id)? else { return Ok(None) };
    if !request.needs_person() || request.answer.is_some() {
        return Ok(None);
    }
    let (call, _) = views::call_of(reads, &request)?;
    let alike = views::alike(reads, &request, call.as_ref())?;
    Ok(Some(Waiting { alike, asks: asks(&request.raw).to_string() }))
}

fn bounded(n: usize) -> Result<(), ApiError> {
    if n <= MOST_STACKED {
        return Ok(());
    }
    Err(ApiError::new(Code::Usage, format!("At most {MOST_STACKED} questions are answered together")))
}
