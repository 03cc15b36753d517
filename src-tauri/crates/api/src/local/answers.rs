//! Answering questions: validated here, before anything is kept or sent.
//!
//! Several people may answer at once. An answer carries when the last answer was decided that its person saw (`seen`),
//! and is refused where somebody answered since: answering again is a decision. So it carries what its person saw the question
//! ask (`asks`): one that was withdrawn may be asked again in other words, and is read again. What somebody else said stands in the
//! error, in words and for programs (`Detail::Answer`), also where the task has ended meanwhile. An undo names the
//! answer that it takes back.

use signalbox_engine::{Granted, Intent, Refusal, asks};
use signalbox_forms::FieldError;
use signalbox_mcp::QuestionView;
use signalbox_model::{Action, InputRequest, Json, Mode, RequestId, RequestState, SAMPLING, Timestamp};
use signalbox_store::Digest;

use super::{
    Local,
    answered::{another_stands, answered_meanwhile, changed_meanwhile, not_open, nothing_to_take_back, over},
};
use crate::{
    ApiError, Code, Detail,
    command::{
        self, BeginVisit, CarryOut, EndVisit, PageToOpen, PutAway, SaveDraft, TakeBackHeld, Undo, Validate,
        Validated,
    },
    remark::noted,
};

/// The longest draft that is kept, in bytes: no more could be answered with.
const LONGEST_DRAFT: usize = 1024 * 1024;

impl CarryOut<command::Answer> for Local {
    async fn carry_out(&self, act: command::Answer) -> Result<(), ApiError> {
        let id = act.request;
        match self.decide(act).await? {
            (_, true) => Ok(()),
            (decided_at, false) => self.settled(id, decided_at, true).await,
        }
    }
}

impl Local {
    /// Has an answer committed. When it was decided, and whether it is held for undo; who gave another waits for what becomes
    /// of it.
    pub(super) async fn decide(&self, act: command::Answer) -> Result<(Timestamp, bool), ApiError> {
        let command::Answer { request: id, action, content, hold_ms, seen, remark, asks } = act;
        let remark = noted(remark)?;
        let request = self.request(id).await?;
        let is_asked = !matches!(request.state, RequestState::Closed | RequestState::Orphaned);
        if is_asked && request.decided_at() != seen {
            return Err(answered_meanwhile(&request));
        }
        if !request.needs_person() {
            return Err(over(&request, seen));
        }
        // By the time that it is taken, its server may ask something else.
        let asks = Some(still_asks(&request, asks.as_deref())?);
        if request.mode == Mode::Url && content.is_some() {
            let message = format!("{id} asks to open a page: its answer takes no content");
            return Err(ApiError::new(Code::InvalidContent, message));
        }
        let asks_for_content = request.mode == Mode::Form && action == Action::Accept;
        if asks_for_content && content.is_none() {
            let form = signalbox_forms::form_spec(request.schema_text());
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
        let answer = Intent::Answer { request: id, action, content, hold_ms, seen, remark, asks };
        let decided_at = match self.engine.intent(answer).await {
            Ok(Granted::Decided(at)) => at,
            Ok(_) => return Err(ApiError::new(Code::Internal, "The engine took the answer without a time")),
            Err(refusal) => return Err(self.not_answered(id, seen, refusal).await?),
        };
        Ok((decided_at, hold_ms > 0 && request.may_be_held(action)))
    }
}

impl CarryOut<BeginVisit> for Local {
    async fn carry_out(
        &self,
        BeginVisit { request: id, seen, asks }: BeginVisit,
    ) -> Result<PageToOpen, ApiError> {
        let asks = Some(still_asks(&self.request(id).await?, asks.as_deref())?);
        match self.engine.intent(Intent::BeginVisit { request: id, seen, asks }).await {
            Ok(Granted::Page(url)) => Ok(PageToOpen { url }),
            Ok(_) => Err(ApiError::new(Code::Internal, "The engine gave no page")),
            Err(refusal) => Err(self.not_answered(id, seen, refusal).await?),
        }
    }
}

impl CarryOut<EndVisit> for Local {
    async fn carry_out(
        &self,
        EndVisit { request: id, opened, seen, remark, asks }: EndVisit,
    ) -> Result<(), ApiError> {
        let remark = noted(remark)?;
        // That no browser was started is taken in whatever it asks.
        let asks = asks.filter(|_| opened);
        let asks = Some(still_asks(&self.request(id).await?, asks.as_deref())?);
        let end = Intent::EndVisit { request: id, opened, seen, remark, asks };
        let decided_at = match self.engine.intent(end).await {
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

impl CarryOut<Undo> for Local {
    /// Takes back the answer that was decided then, and no other.
    async fn carry_out(&self, Undo { request: id, decided_at }: Undo) -> Result<(), ApiError> {
        let refusal = match self.engine.intent(Intent::Undo { request: id, decided_at }).await {
            Ok(_) => return Ok(()),
            Err(refusal) => refusal,
        };
        let gone = matches!(refusal, Refusal::Closed | Refusal::UnknownRequest | Refusal::NothingToTakeBack);
        if !gone && refusal != Refusal::AnsweredMeanwhile {
            return Err(refusal.into());
        }
        let request = self.request(id).await?;
        match request.answer.as_ref().filter(|answer| answer.decided_at != decided_at) {
            Some(answer) => Err(another_stands(&request, answer)),
            // What is over is not in its memory any more.
            None => Err(nothing_to_take_back(&request)),
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

impl CarryOut<command::Snooze> for Local {
    async fn carry_out(
        &self,
        command::Snooze { request: id, until }: command::Snooze,
    ) -> Result<(), ApiError> {
        match self.engine.intent(Intent::Snooze { request: id, until }).await {
            Ok(_) => Ok(()),
            Err(Refusal::Closed | Refusal::UnknownRequest) => {
                // What is over is not in its memory any more.
                let request = self.request(id).await?;
                Err(ApiError::new(Code::AlreadyClosed, format!("{} waits for nobody", request.id)))
            }
            Err(refusal) => Err(refusal.into()),
        }
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
        let secrets =
            if fits { signalbox_forms::secrets(request.schema_text(), content.text()) } else { Vec::new() };
        let sends = fits.then(|| signalbox_engine::response_to(&request, Action::Accept, Some(content)));
        let secrets: Vec<String> = secrets.into_iter().map(|secret| secret.path).collect();
        let secrets = Some(secrets).filter(|secrets| !secrets.is_empty());
        Ok(Validated { errors, sends: sends.flatten(), secrets })
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
            Refusal::ChangedMeanwhile => changed_meanwhile(id),
            // What is over is not in its memory any more.
            Refusal::Closed | Refusal::UnknownRequest | Refusal::Settled(_) => {
                over(&self.request(id).await?, seen)
            }
            refusal => refusal.into(),
        })
    }
}

/// What does not fit, before it is sent.
fn misfits(request: &InputRequest, action: Action, content: Option<&Json>) -> Vec<FieldError> {
    match (request.mode, action, content) {
        (Mode::Form, Action::Accept, Some(content)) if request.method == SAMPLING => {
            let schema = QuestionView::answer_schema(content);
            signalbox_forms::validate(schema.text(), content.text()).err().unwrap_or_default()
        }
        (Mode::Form, Action::Accept, Some(content)) => {
            signalbox_forms::validate(request.schema_text(), content.text()).err().unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// What a question asks now. Refuses what was decided by a person who saw it ask something else.
fn still_asks(request: &InputRequest, seen: Option<&str>) -> Result<Digest, ApiError> {
    let now = asks(&request.raw);
    match seen.is_none_or(|seen| seen == now.to_string()) {
        true => Ok(now),
        false => Err(changed_meanwhile(request.id)),
    }
}

/// Refuses what nobody can decide now.
fn still_open(request: &InputRequest) -> Result<(), ApiError> {
    if request.needs_person() { Ok(()) } else { Err(not_open(request)) }
}
