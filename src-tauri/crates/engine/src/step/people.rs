//! What people do with questions, wherever these are found: answer, take back, type, open a page.
//!
//! Opening a page (URL mode) is the consent: the wish is kept, then the host starts a browser, and only when that worked the
//! question is accepted. After a crash in between the question is open, nothing was sent, and when its page may have been
//! opened is known.

use signalbox_model::{CallId, Json, RequestId, ServerId, Timestamp, Unsent};
use signalbox_store::Digest;

use super::{
    Next, Turn,
    question::{Opening, Question, Said, begin_visit, is_held, lapse, opening, page_to_open},
};
use crate::{
    Granted, Refusal, Token,
    shared::Place,
    state::{Before, Rooms},
};

impl Rooms {
    /// Where a question is found.
    pub(super) fn place(turn: &Turn<'_>, id: RequestId) -> Result<Place, Refusal> {
        turn.places.get(&id).copied().ok_or(Refusal::UnknownRequest)
    }

    pub(super) fn question(&mut self, place: Place, id: RequestId) -> Result<&mut Question, Refusal> {
        let questions = match place {
            Place::Call(call) => &mut self.calls.live.get_mut(&call).ok_or(Refusal::Closed)?.questions,
            Place::Wire(server) => {
                &mut self.sessions.get_mut(server).ok_or(Refusal::UnknownRequest)?.questions
            }
        };
        let question = questions.iter_mut().find(|question| question.request.id == id);
        question.ok_or(Refusal::UnknownRequest)
    }

    /// All that a change of this question may touch, as it is.
    pub(super) fn before(&self, place: Place) -> Before {
        match place {
            Place::Call(call) => Before::Call(call, self.calls.live.get(&call).cloned()),
            Place::Wire(server) => match self.sessions.get(server) {
                Some(session) => session.before(),
                None => Before::Nothing,
            },
        }
    }

    pub(super) fn answer(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        id: RequestId,
        said: Said,
    ) -> Result<(), Refusal> {
        let place = Self::place(turn, id)?;
        let call = match place {
            Place::Call(call) => {
                let live = self.calls.live.get_mut(&call).ok_or(Refusal::Closed)?;
                live.answer(turn, id, said)?;
                Some(call)
            }
            Place::Wire(server) => {
                let (calls, now) = (&self.calls.live, turn.now);
                let left = |call: CallId| calls.get(&call).and_then(|live| live.time_left(now));
                let call = self.sessions.of(server).answer(turn, id, said, left)?;
                if let Some(station) = self.servers.get_mut(server) {
                    station.wake(turn);
                }
                call
            }
        };
        turn.reply(token, Ok(Granted::Decided(turn.now.wall)));
        if let Some(call) = call {
            turn.then(Next::Count(call));
            if let Some(live) = self.calls.live.get_mut(&call) {
                live.follow(turn);
            }
        }
        Ok(())
    }

    pub(super) fn undo(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        id: RequestId,
        decided_at: Timestamp,
    ) -> Result<(), Refusal> {
        let call = match Self::place(turn, id)? {
            Place::Call(call) => {
                let live = self.calls.live.get_mut(&call).ok_or(Refusal::Closed)?;
                live.undo(turn, id, decided_at)?;
                Some(call)
            }
            Place::Wire(server) => self.sessions.of(server).undo(turn, id, decided_at)?,
        };
        turn.reply(token, Ok(Granted::Done));
        call.into_iter().for_each(|call| turn.then(Next::Count(call)));
        Ok(())
    }

    pub(super) fn save_draft(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        id: RequestId,
        draft: Option<Json>,
    ) -> Result<(), Refusal> {
        let place = Self::place(turn, id)?;
        self.question(place, id)?;
        turn.intent(self.before(place));
        let question = self.question(place, id)?;
        question.request.draft = draft;
        turn.keep(&question.request);
        turn.reply(token, Ok(Granted::Done));
        Ok(())
    }

    pub(super) fn begin_visit(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        id: RequestId,
        (seen, asks): (Option<Timestamp>, Option<Digest>),
    ) -> Result<(), Refusal> {
        let place = Self::place(turn, id)?;
        let page = page_to_open(self.question(place, id)?, seen, asks)?;
        turn.intent(self.before(place));
        begin_visit(self.question(place, id)?, turn);
        turn.reply(token, Ok(Granted::Page(page)));
        Ok(())
    }

    /// `consent` is what opening says; none where no browser was started.
    pub(super) fn end_visit(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        id: RequestId,
        consent: Option<Said>,
    ) -> Result<(), Refusal> {
        let place = Self::place(turn, id)?;
        let unanswered = match place {
            Place::Call(call) => self.calls.live.get(&call).is_some_and(|live| live.is_paged(id)),
            Place::Wire(_) => false,
        };
        let before = self.before(place);
        let question = self.question(place, id)?;
        let visit = question.visit.take();
        let Some(consent) = consent else {
            if visit.is_some_and(|visit| visit.did_not_open(&mut question.request)) {
                turn.intent(before);
                turn.keep(&question.request);
            }
            turn.reply(token, Ok(Granted::Done));
            return Ok(());
        };
        match opening(&question.request, unanswered)? {
            Opening::Agrees => self.answer(turn, token, id, consent)?,
            Opening::Shows => {
                turn.intent(before);
                turn.reply(token, Ok(Granted::Done));
            }
        }
        let request = &mut self.question(place, id)?.request;
        request.visited_at = request.visiting_at.take().or(Some(turn.now.wall));
        turn.keep(request);
        Ok(())
    }

    /// The program that could send held answers ends, and the person knows: the answers are drafts again.
    pub(super) fn take_back_held(&mut self, turn: &mut Turn<'_>, token: Token) {
        let (mut calls, mut servers): (Vec<CallId>, Vec<ServerId>) = (Vec::new(), Vec::new());
        let live = self.calls.live.iter().filter(|(_, live)| live.questions.iter().any(is_held));
        calls.extend(live.map(|(id, _)| id));
        let holds = self.sessions.all.iter().filter(|(_, session)| session.questions.iter().any(is_held));
        servers.extend(holds.map(|(id, _)| id));
        // The order of a map is not part of what step was given.
        calls.sort_unstable();
        servers.sort_unstable();
        let places: Vec<Place> =
            calls.into_iter().map(Place::Call).chain(servers.into_iter().map(Place::Wire)).collect();
        turn.intent(Before::All(places.iter().map(|place| self.before(*place)).collect()));
        turn.reply(token, Ok(Granted::Done));
        for place in places {
            let questions = match place {
                Place::Call(call) => self.calls.live.get_mut(&call).map(|live| &mut live.questions),
                Place::Wire(server) => self.sessions.get_mut(server).map(|session| &mut session.questions),
            };
            for question in questions.into_iter().flatten().filter(|question| is_held(question)) {
                lapse(question, turn, Unsent::ClosedInWindow);
                let of_place = if let Place::Call(call) = place { Some(call) } else { question.request.call };
                of_place.into_iter().for_each(|call| turn.then(Next::Count(call)));
            }
            match place {
                Place::Call(call) => {
                    if let Some(live) = self.calls.live.get(&call) {
                        live.plan_release(turn);
                    }
                }
                Place::Wire(server) => turn.then(Next::Replies(server)),
            }
        }
    }
}
