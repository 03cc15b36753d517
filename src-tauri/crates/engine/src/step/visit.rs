//! Pages that people open (URL mode). Opening one is the consent: the wish is kept, then the host starts a browser, and only
//! when that worked the question is accepted. After a crash in between the question is open, nothing was sent, and when
//! its page may have been opened is known.

use signalbox_model::{Accept, Action, Around, InputRequest, Mode, RequestId, RequestState, Timestamp, Ways};
use url::Url;

use super::{Turn, answer::Said};
use crate::{
    Granted, Refusal, State, Token,
    question::{Question, Visit},
    state::Before,
};

impl State {
    pub(super) fn begin_visit(
        &mut self,
        turn: &mut Turn,
        token: Token,
        id: RequestId,
        seen: Option<Timestamp>,
    ) -> Result<(), Refusal> {
        let request = &self.anywhere(id)?.request;
        if !(can_be_accepted(request) || was_accepted(request)) {
            return Err(if request.mode == Mode::Url { Refusal::Closed } else { Refusal::NoPage });
        }
        if can_be_accepted(request) && request.decided_at() != seen {
            return Err(Refusal::AnsweredMeanwhile);
        }
        let page = page(request)?;
        let before = self.before(id)?;
        turn.intent(before);
        let question = self.anywhere(id)?;
        question.visit = Some(Visit { before: question.request.visiting_at });
        question.request.visiting_at = Some(turn.now.wall);
        turn.keep(&question.request);
        turn.reply(token, Ok(Granted::Page(page)));
        Ok(())
    }

    pub(super) fn end_visit(
        &mut self,
        turn: &mut Turn,
        token: Token,
        id: RequestId,
        opened: bool,
        seen: Option<Timestamp>,
    ) -> Result<(), Refusal> {
        let paged = !self.wired.contains_key(&id) && self.question_around(id)?.2.paged;
        let before = self.before(id)?;
        let question = self.anywhere(id)?;
        let visit = question.visit.take();
        let request = &mut question.request;
        if opened {
            let accepts = can_be_accepted(request);
            if !accepts && !was_accepted(request) {
                return Err(Refusal::Closed);
            }
            if accepts && !paged {
                let said = Said { action: Action::Accept, content: None, hold_ms: 0, seen };
                self.answer(turn, token, id, said)?;
            } else {
                turn.intent(before);
                turn.reply(token, Ok(Granted::Done));
            }
            let request = &mut self.anywhere(id)?.request;
            request.visited_at = request.visiting_at.take().or(Some(turn.now.wall));
            turn.keep(request);
            return Ok(());
        }
        if let Some(visit) = visit {
            turn.intent(before);
            request.visiting_at = visit.before;
            turn.keep(request);
        }
        turn.reply(token, Ok(Granted::Done));
        Ok(())
    }

    /// A question of either wire.
    fn anywhere(&mut self, id: RequestId) -> Result<&mut Question, Refusal> {
        if self.wired.contains_key(&id) {
            return self.on_wire(id).map(|(_, question)| question).ok_or(Refusal::UnknownRequest);
        }
        self.question(id).map(|(_, question)| question)
    }

    fn before(&self, id: RequestId) -> Result<Before, Refusal> {
        if let Some(server) = self.wired.get(&id) {
            return Ok(self.wire_before(*server));
        }
        let call = *self.asked.get(&id).ok_or(Refusal::UnknownRequest)?;
        Ok(Before::Call(call, self.calls.get(&call).cloned().map(Box::new)))
    }
}

fn can_be_accepted(request: &InputRequest) -> bool {
    Ways::of(request, Around::default()).accept == Some(Accept::Page)
}

/// Whether its page was agreed to: then it can be opened again.
fn was_accepted(request: &InputRequest) -> bool {
    let state =
        matches!(request.state, RequestState::Sending | RequestState::Answered | RequestState::Unknown);
    let accepted = request.answer.as_ref().is_some_and(|answer| answer.action == Action::Accept);
    request.mode == Mode::Url && state && accepted
}

/// The address as a browser is started with it. Other schemes start other programs, or read files.
fn page(request: &InputRequest) -> Result<String, Refusal> {
    let url = request.url.as_deref().and_then(|url| Url::parse(url).ok());
    let page = url.filter(|url| matches!(url.scheme(), "http" | "https"));
    page.map(String::from).ok_or(Refusal::NoPage)
}
