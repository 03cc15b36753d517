//! Answering questions: validated here, before anything is kept or sent.
//!
//! Longer than most: all that is said of an answer to whoever gave it, or another one, is on one page.

use signalbox_engine::{Fate, Granted, Intent, Refusal};
use signalbox_forms::FieldError;
use signalbox_mcp::QuestionView;
use signalbox_model::{
    Action, Actor, Answer, CloseReason, Identity, InputRequest, ItemRef, Json, Mode, RequestId, RequestState,
    SAMPLING, Timestamp, Tracking,
};

use super::{
    Local,
    resumed::is_same,
    tasks::{forgotten, not_kept, queued, waits},
};
use crate::{
    ApiError, Code, Detail, Retry,
    command::{
        self, BeginVisit, CarryOut, EndVisit, PageToOpen, PutAway, SaveDraft, Settle, TakeBackHeld, Undo,
        Validate, Validated,
    },
};

/// Of what somebody else said an error shows so many characters.
const LONGEST_SHOWN: usize = 500;

/// The longest draft that is kept, in bytes: no more could be answered with.
const LONGEST_DRAFT: usize = 1024 * 1024;

/// What an answer is called.
const ANSWER: &str = "The answer";

impl CarryOut<command::Answer> for Local {
    async fn carry_out(&self, act: command::Answer) -> Result<(), ApiError> {
        let command::Answer { request: id, action, content, hold_ms, seen } = act;
        let request = self.request(id).await?;
        let is_asked = !matches!(request.state, RequestState::Closed | RequestState::Orphaned);
        if is_asked && request.decided_at() != seen {
            return Err(answered_meanwhile(&request));
        }
        if !request.needs_person() {
            return Err(over(&request, seen));
        }
        if request.mode == Mode::Url && content.is_some() {
            let message = format!("{id} asks to open a page: its answer takes no content");
            return Err(ApiError::new(Code::InvalidContent, message));
        }
        let asks_for_content = request.mode == Mode::Form && action == Action::Accept;
        if asks_for_content && content.is_none() {
            let form = signalbox_forms::form_spec(request.schema.as_ref().map_or("{}", Json::text));
            return Err(ApiError::new(
                Code::InputNeeded,
                format!("{id} asks for content: accepting it needs the fields"),
            )
            .with(Detail::Form(Box::new(form))));
        }
        let errors = misfits(&request, action, content.as_ref());
        if !errors.is_empty() {
            let what: Vec<String> = errors.iter().map(ToString::to_string).collect();
            return Err(ApiError::new(
                Code::InvalidContent,
                format!("The content does not fit: {}", what.join("; ")),
            )
            .with(Detail::Errors(errors)));
        }
        let content = content.filter(|_| asks_for_content);
        let answer = Intent::Answer { request: id, action, content, hold_ms, seen };
        let decided_at = match self.engine.intent(answer).await {
            Ok(Granted::Decided(at)) => at,
            Ok(_) => return Err(ApiError::new(Code::Internal, "The engine took the answer without a time")),
            Err(refusal) => return Err(self.not_answered(id, seen, refusal).await?),
        };
        if hold_ms > 0 && request.may_be_held(action) {
            return Ok(());
        }
        self.settled(id, decided_at, true).await
    }
}

impl CarryOut<BeginVisit> for Local {
    async fn carry_out(&self, BeginVisit { request: id, seen }: BeginVisit) -> Result<PageToOpen, ApiError> {
        match self.engine.intent(Intent::BeginVisit { request: id, seen }).await {
            Ok(Granted::Page(url)) => Ok(PageToOpen { url }),
            Ok(_) => Err(ApiError::new(Code::Internal, "The engine gave no page")),
            Err(refusal) => Err(self.not_answered(id, seen, refusal).await?),
        }
    }
}

impl CarryOut<EndVisit> for Local {
    async fn carry_out(&self, EndVisit { request: id, opened, seen }: EndVisit) -> Result<(), ApiError> {
        let decided_at = match self.engine.intent(Intent::EndVisit { request: id, opened, seen }).await {
            Ok(Granted::Decided(at)) => Some(at),
            Ok(_) => None,
            Err(refusal) => return Err(self.not_answered(id, seen, refusal).await?),
        };
        if !opened {
            return Ok(());
        }
        let request = self.request(id).await?;
        match decided_at.or_else(|| request.decided_at()) {
            Some(decided_at) if !request.needs_person() => self.settled(id, decided_at, true).await,
            // Of pages before a call nothing goes before the person is done there.
            _ => Ok(()),
        }
    }
}

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
                // It may have failed before another was given.
                let earlier = request.earlier.as_ref().map(|earlier| &earlier.answer);
                match [answer].into_iter().chain(earlier).find(is_meant) {
                    Some(answer) => self.settled(id, answer.decided_at, false).await,
                    None => Err(answered_meanwhile(&request)),
                }
            }
        }
    }
}

impl CarryOut<Undo> for Local {
    /// Takes back the answer that was decided then, and no other.
    async fn carry_out(&self, Undo { request: id, decided_at }: Undo) -> Result<(), ApiError> {
        let refusal = match self.engine.intent(Intent::Undo { request: id, decided_at }).await {
            Ok(_) => return Ok(()),
            Err(refusal) => refusal,
        };
        let gone = matches!(refusal, Refusal::Closed | Refusal::UnknownRequest);
        if !gone && refusal != Refusal::AnsweredMeanwhile {
            return Err(refusal.into());
        }
        let request = self.request(id).await?;
        match request.answer.as_ref().filter(|answer| answer.decided_at != decided_at) {
            Some(answer) => Err(another_stands(&request, answer)),
            // What is over is not in its memory any more.
            None => Err(Refusal::NothingToTakeBack.into()),
        }
    }
}

impl CarryOut<TakeBackHeld> for Local {
    async fn carry_out(&self, _: TakeBackHeld) -> Result<(), ApiError> {
        self.intent(Intent::TakeBackHeld).await.map(drop)
    }
}

impl CarryOut<PutAway> for Local {
    async fn carry_out(&self, PutAway { request }: PutAway) -> Result<(), ApiError> {
        let request = self.request(request).await?;
        self.intent(Intent::PutAway(Box::new(request))).await.map(drop)
    }
}

impl CarryOut<SaveDraft> for Local {
    async fn carry_out(&self, SaveDraft { request, draft }: SaveDraft) -> Result<(), ApiError> {
        if draft.as_ref().is_some_and(|draft| draft.text().len() > LONGEST_DRAFT) {
            let message = format!(
                "What was typed into {request} is longer than 1 MiB, which no answer may be: it is not kept. Shorten it"
            );
            return Err(ApiError::new(Code::InvalidContent, message));
        }
        self.intent(Intent::SaveDraft { request, draft }).await.map(drop)
    }
}

impl CarryOut<Validate> for Local {
    async fn carry_out(&self, Validate { request, content }: Validate) -> Result<Validated, ApiError> {
        let request = self.request(request).await?;
        still_open(&request)?;
        let errors = misfits(&request, Action::Accept, Some(&content));
        let fits = errors.is_empty();
        let sends = fits.then(|| signalbox_engine::response_to(&request, Action::Accept, Some(content)));
        Ok(Validated { errors, sends: sends.flatten() })
    }
}

impl Local {
    pub(super) async fn request(&self, id: RequestId) -> Result<InputRequest, ApiError> {
        let found = self.read(move |reads| reads.request(id)).await?;
        found
            .map(|(request, _)| request)
            .ok_or_else(|| ApiError::new(Code::UnknownItem, format!("There is no question {id}")))
    }

    /// Why the engine did not take an answer of whoever saw this one as the last.
    async fn not_answered(
        &self,
        id: RequestId,
        seen: Option<Timestamp>,
        refusal: Refusal,
    ) -> Result<ApiError, ApiError> {
        Ok(match refusal {
            Refusal::AnsweredMeanwhile => answered_meanwhile(&self.request(id).await?),
            // What is over is not in its memory any more.
            Refusal::Closed | Refusal::UnknownRequest | Refusal::Settled(_) => {
                over(&self.request(id).await?, seen)
            }
            refusal => refusal.into(),
        })
    }

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
                Ok(Granted::Answer { request, fate: Fate::Known | Fate::TakenBack }) => {
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
            // Another was given since this one failed.
            Some(earlier) if earlier.answer.decided_at == decided_at => {
                (request.state, request.answer) = (earlier.state, Some(earlier.answer));
            }
            _ => return Err(taken_back(&request)),
        }
        match request.state {
            RequestState::Answered => Ok(()),
            RequestState::Refused => Err(self.refused(request).await?),
            // That is what was wanted.
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

    /// Why an answer was refused: what the server says does not tell whether its task is gone, a look at the task does.
    async fn refused(&self, request: InputRequest) -> Result<ApiError, ApiError> {
        let why = request.answer.as_ref().and_then(|answer| answer.refusal.clone()).unwrap_or_default();
        if let Identity::Task { call, .. } = request.identity {
            // Without a look the refusal itself is known.
            let _ = self.look_once(call).await;
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

/// It is kept, and was not acknowledged in time.
fn late(request: &InputRequest) -> ApiError {
    if request.hosted.is_none() {
        return queued(ANSWER);
    }
    let message = "The answer is kept. The server fetches it by itself as long as Signalbox runs, and has not done so yet: do \
                   not repeat it";
    ApiError { retry: Retry::Queued, ..ApiError::new(Code::TimedOut, message) }
}

/// What does not fit, before it is sent.
fn misfits(request: &InputRequest, action: Action, content: Option<&Json>) -> Vec<FieldError> {
    match (request.mode, action, content) {
        (Mode::Form, Action::Accept, Some(content)) if request.method == SAMPLING => {
            let schema = QuestionView::answer_schema(content);
            signalbox_forms::validate(schema.text(), content.text()).err().unwrap_or_default()
        }
        (Mode::Form, Action::Accept, Some(content)) => {
            let schema = request.schema.as_ref().map_or("{}", Json::text);
            signalbox_forms::validate(schema, content.text()).err().unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

pub(super) fn answered_meanwhile(request: &InputRequest) -> ApiError {
    let id = request.id;
    let what = match &request.answer {
        None => format!("The answer to {id} was taken back since it was looked at"),
        Some(answer) => {
            format!("{id} was answered {} since it was looked at: {}", by(request), what_was_said(answer))
        }
    };
    let message = format!("{what}. Nothing of this answer was sent: look at the question as it stands now");
    with_answer(ApiError::new(Code::AnsweredMeanwhile, message), request)
}

/// The answer that was to be taken back is not the one that stands.
fn another_stands(request: &InputRequest, answer: &Answer) -> ApiError {
    let (id, by, said) = (request.id, by(request), what_was_said(answer));
    let message = format!("{id} has been answered {by} since: {said}. Nothing was taken back");
    with_answer(ApiError::new(Code::AnsweredMeanwhile, message), request)
}

/// With the answer that stands, for programs.
fn with_answer(error: ApiError, request: &InputRequest) -> ApiError {
    ApiError { detail: request.answer.as_ref().map(Detail::from), ..error }
}

/// An answer was taken back before any of it had left, or came to nothing with its connection, and another was given.
fn taken_back(request: &InputRequest) -> ApiError {
    let now = request.answer.as_ref().map(what_was_said).unwrap_or_default();
    let message = format!(
        "This answer to {} stands no more: it was taken back before it left, or its connection was gone before the server took \
         it. Another was given since, {}: {now}. Look at the question as it stands now",
        request.id,
        by(request)
    );
    with_answer(ApiError::new(Code::AnsweredMeanwhile, message), request)
}

/// Who gave a question's answer, where that was somebody else.
fn by(request: &InputRequest) -> &'static str {
    match request.decided_by() {
        Some(Actor::Signalbox) => "by a rule",
        _ => "from another window or command",
    }
}

fn what_was_said(answer: &Answer) -> String {
    let action = answer.action.as_str();
    let Some(content) = &answer.content else { return action.to_owned() };
    let shown: String = content.text().chars().take(LONGEST_SHOWN).collect();
    let rest = if shown.len() < content.text().len() { "…" } else { "" };
    format!("{action} with {shown}{rest}")
}

/// Refuses what nobody can decide now.
fn still_open(request: &InputRequest) -> Result<(), ApiError> {
    if request.needs_person() { Ok(()) } else { Err(not_open(request)) }
}

/// Why what is over takes no answer; and what somebody else said to it since it was looked at.
fn over(request: &InputRequest, seen: Option<Timestamp>) -> ApiError {
    let why = not_open(request);
    let Some(answer) = request.answer.as_ref().filter(|answer| Some(answer.decided_at) != seen) else {
        return why;
    };
    let (by, said) = (by(request), what_was_said(answer));
    let message = format!(
        "{why}. It was answered {by} since it was looked at: {said}. Nothing of this answer was sent"
    );
    with_answer(ApiError::new(Code::AnsweredMeanwhile, message), request)
}

fn task_of(id: RequestId) -> String {
    format!("The task of {id}")
}

fn not_open(request: &InputRequest) -> ApiError {
    let why = match (request.state, request.reason) {
        (_, Some(CloseReason::TaskEnded)) => "its task has ended",
        (_, Some(CloseReason::AnsweredElsewhere)) => "it was answered elsewhere",
        (_, Some(CloseReason::Superseded)) => "another question took its place",
        (_, Some(CloseReason::DeclinedByUs)) => "it was declined",
        (_, Some(CloseReason::PutAway)) => "it was put away",
        (_, Some(CloseReason::Lapsed)) => "its task has ended",
        (RequestState::Answered, None) => "it has been answered",
        (RequestState::Held | RequestState::Sending, None) => "its answer is on its way",
        (RequestState::Orphaned, None) => "its connection is gone, and it has not been asked again",
        (
            RequestState::Open | RequestState::NotTaken | RequestState::Refused | RequestState::Unknown,
            None,
        )
        | (RequestState::Closed, None) => "it is closed",
    };
    ApiError::new(Code::AlreadyClosed, format!("{} cannot be answered: {why}", request.id))
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
