//! Who is seen to: a question expires soon, was put off, or is back. That is kept with the question, so that no list needs a
//! clock, and a person is told once.

use signalbox_model::{Around, Attention, CallId, ItemRef, ROOTS, RequestId, Snooze, Snoozed, Ways};

use super::{
    Next, Turn,
    question::{Care, Moment, wanted},
};
use crate::{Granted, Refusal, Token, schedule::Due, shared::Place, state::Rooms};

impl Rooms {
    /// What matters to a question beside itself.
    fn moment(&mut self, turn: &Turn<'_>, place: Place, id: RequestId) -> Result<Moment, Refusal> {
        let question = self.question(place, id)?;
        let own = question.dies_at.map(|at| at.saturating_sub(turn.now.steady_ms));
        let live = question.request.call.and_then(|call| self.calls.live.get(&call));
        let of_call = live.and_then(|live| live.time_left(turn.now));
        Ok(Moment {
            now: turn.now,
            left: own.into_iter().chain(of_call).min(),
            task_seen_at: live.and_then(|live| live.call.task.as_ref()).map(|task| task.seen_at),
        })
    }

    /// Keeps how much a question wants its person now, plans when to look again, and tells the person where that is news.
    pub(super) fn attend(&mut self, turn: &mut Turn<'_>, id: RequestId) {
        let due = Due::Attend(id);
        turn.schedule.clear(due);
        let Ok(place) = Self::place(turn, id) else { return };
        let (Ok(moment), Ok(question)) = (self.moment(turn, place, id), self.question(place, id)) else {
            return;
        };
        let request = &mut question.request;
        if !request.needs_person() || request.method == ROOTS {
            return;
        }
        let care = Care::of(request, &moment, turn.unheard);
        if let Some(ms) = care.again {
            turn.schedule.set(due, turn.now.steady_ms.saturating_add(ms));
        }
        if !care.is_news(request) {
            return;
        }
        if turn.is_intent() {
            // A wish may be taken back, and this is no part of it.
            turn.schedule.set(due, turn.now.steady_ms);
            return;
        }
        let tells = care.put_down(request, turn.now.wall);
        let request = request.clone();
        turn.keep(&request);
        request.call.into_iter().for_each(|call| turn.then(Next::Count(call)));
        if let Some(kind) = tells {
            match request.call.and_then(|call| self.calls.live.get(&call)) {
                Some(live) => turn.notify(&live.call, ItemRef::Request(id), kind, &request.message),
                None => turn.notify_loose(&request, kind),
            }
        }
    }

    /// What a call has asked is seen to anew: its deadline may have moved, or its task be another one.
    pub(super) fn attend_to_call(&self, turn: &mut Turn<'_>, call: CallId) {
        let Some(live) = self.calls.live.get(&call) else { return };
        let on_wire = self.sessions.get(live.server()).into_iter().flat_map(|session| &session.questions);
        let of_call = on_wire.filter(|question| question.request.call == Some(call));
        for question in
            live.questions.iter().chain(of_call).filter(|question| question.request.needs_person())
        {
            turn.then(Next::Attend(question.request.id));
        }
    }

    /// A person puts a question off, or wants it back.
    pub(super) fn snooze(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        id: RequestId,
        until: Option<Snooze>,
    ) -> Result<(), Refusal> {
        let place = Self::place(turn, id)?;
        let moment = self.moment(turn, place, id)?;
        if let Some(settled) = Ways::of(&self.question(place, id)?.request, Around::default()).settled {
            return Err(Refusal::Settled(settled));
        }
        let snoozed = until.map(|until| Snoozed { until, task_seen_at: moment.task_seen_at });
        let (attention, _) = wanted(snoozed, &moment);
        if until.is_some() && attention != Attention::Snoozed {
            return Err(match (attention, until) {
                (Attention::Expiring, _) => Refusal::ExpiresSoon,
                (_, Some(Snooze::BeforeExpiry)) => Refusal::NoDeadline,
                (_, Some(Snooze::Change)) => Refusal::NoTask,
                _ => Refusal::PastTime,
            });
        }
        turn.intent(self.before(place));
        let request = &mut self.question(place, id)?.request;
        (request.snoozed, request.wants) = (snoozed, attention);
        let request = request.clone();
        turn.keep(&request);
        request.call.into_iter().for_each(|call| turn.then(Next::Count(call)));
        turn.reply(token, Ok(Granted::Done));
        Ok(())
    }
}
