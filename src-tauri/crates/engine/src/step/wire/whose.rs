//! Whose a question is. Where it does not say so it is guessed, from what the tasks say of themselves: a guess decides
//! only where the question is shown. It is mended when looks make it clear, and the end of a task that was guessed ends no
//! question: one whose answer has gone out stays where it is shown, any other belongs to none again.

use std::collections::HashMap;

use signalbox_mcp::{Channel, QuestionView, ServerRequest};
use signalbox_model::{CallId, EventKind, RequestId, RequestState, ServerId};

use super::super::Turn;
use crate::{
    State,
    candidates::{Sign, only},
    question::Tie,
    state::Station,
};

/// While there are guesses, they are gone over this often, in ms: any look may have made them clear.
pub(in crate::step) const REVIEW: u64 = 1_000;

impl State {
    /// The call that a question belongs to, and how sure that is: by what it says itself, by the request it came with, by
    /// its words, or because there is no better. Else it belongs to none.
    pub(super) fn whose(&self, server: ServerId, asked: &ServerRequest) -> (Option<CallId>, Tie) {
        if let Some(task_id) = &asked.related_task {
            return (self.call_of_task(server, task_id), Tie::Certain);
        }
        if let Channel::Response { task_id: Some(task_id), .. } = &asked.channel {
            return (self.call_of_task(server, task_id), Tie::Certain);
        }
        let Some(station) = self.servers.get(&server) else { return (None, Tie::Guess) };
        if matches!(&asked.channel, Channel::Response { method: "tools/call", .. }) {
            let call = only(station.candidates.with(Sign::UnderWay));
            return (call, if call.is_some() { Tie::Certain } else { Tie::Guess });
        }
        let words = QuestionView::read(&asked.raw).message;
        let has_asked = |call: &CallId| station.session.waiting(*call).next().is_some();
        let said = only(self.say(station, &words))
            .or_else(|| only(self.say(station, &words).filter(|call| !has_asked(call))));
        if said.is_some() {
            return (said, Tie::Words);
        }
        // What waits for another answer is unlikely to ask this, unless there is nobody else.
        let likely = |call: &CallId| {
            let mut waiting = station.session.waiting(*call).peekable();
            waiting.peek().is_none() || waiting.any(|question| question.request.message == words)
        };
        let needs_input = || station.candidates.with(Sign::NeedsInput);
        let alive = || station.candidates.with(Sign::Alive);
        let call = only(needs_input().filter(likely)).or_else(|| only(alive()));
        // One that needs input may ask more than one thing at a time.
        let call = call.or_else(|| only(alive().filter(likely)).filter(|_| needs_input().next().is_none()));
        (call, Tie::Guess)
    }

    /// The calls that go on and whose last status message has these words.
    fn say<'a>(&'a self, station: &'a Station, words: &'a str) -> impl Iterator<Item = CallId> + 'a {
        station.candidates.with(Sign::says(words)).filter(move |id| {
            let live = self.calls.get(id).filter(|live| !live.call.status.is_terminal());
            let task = live.filter(|live| !live.call.ended()).and_then(|live| live.call.task.as_ref());
            task.is_some_and(|task| task.status_message.as_deref() == Some(words))
        })
    }

    /// Goes over the questions of which it is not clear whose they are.
    pub(in crate::step) fn review_guesses(&mut self, turn: &mut Turn, server: ServerId) {
        let Some(station) = self.servers.get(&server) else { return };
        let loose = station.session.questions.iter().filter(|question| question.is_loose());
        let loose: Vec<(RequestId, Option<CallId>, String)> = loose
            .map(|question| &question.request)
            .map(|request| (request.id, request.call, request.message.clone()))
            .collect();
        let mut times: HashMap<&str, u32> = HashMap::new();
        for (_, _, words) in &loose {
            *times.entry(words).or_default() += 1;
        }
        for (id, guess, words) in &loose {
            let Some(station) = self.servers.get(&server) else { return };
            let waiting = |call| station.session.waiting(call).filter(|q| q.request.id != *id);
            if let Some(call) = only(self.say(station, words)) {
                let another = waiting(call).any(|question| question.request.message == *words);
                // The same asked twice is asked by two, or by one: nobody can tell.
                if *guess == Some(call) || (times[words.as_str()] == 1 && !another) {
                    self.tie(turn, *id, Some(call), Tie::Words);
                }
            } else if guess.is_none()
                && loose.len() == 1
                && let Some(call) = only(station.candidates.with(Sign::NeedsInput))
                && waiting(call).next().is_none()
            {
                self.tie(turn, *id, Some(call), Tie::Guess);
            }
        }
    }

    /// More may be known of whose a question is. Says whether it belongs to another call now.
    pub(super) fn tie(&mut self, turn: &mut Turn, id: RequestId, call: Option<CallId>, tie: Tie) -> bool {
        let Some((_, question)) = self.on_wire(id) else { return false };
        if !question.learns(call, tie) {
            return false;
        }
        let before = std::mem::replace(&mut question.request.call, call);
        question.tie = tie;
        if before == call {
            return false;
        }
        let request = &question.request;
        turn.keep(request);
        if let Some(call) = call {
            turn.event(call, EventKind::Asked, Some(id), Some(request.message.clone()));
        }
        for call in [before, call].into_iter().flatten() {
            self.recount(turn, call);
        }
        true
    }

    /// Questions that named a task before its call was known belong to it.
    pub(in crate::step) fn claim_questions(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get(&id) else { return };
        let Some(task) = &live.call.task else { return };
        let Some(station) = self.servers.get(&live.call.server) else { return };
        let unclaimed = station.session.questions.iter().map(|question| &question.request);
        let unclaimed = unclaimed.filter(|request| request.call.is_none());
        let named = |raw| ServerRequest::named_task(raw);
        let ours = unclaimed.filter(|request| named(&request.raw).as_deref() == Some(&task.task_id));
        for request in ours.map(|request| request.id).collect::<Vec<RequestId>>() {
            self.tie(turn, request, Some(id), Tie::Certain);
        }
    }

    /// The call is over that these were guessed to belong to. They are as they were: another may wait for the answers.
    pub(in crate::step) fn let_guesses_go(&mut self, turn: &mut Turn, id: CallId, server: ServerId) {
        let Some(Station { session, .. }) = self.servers.get_mut(&server) else { return };
        for question in &mut session.questions {
            let over = question.has_gone_out() || question.request.state == RequestState::Closed;
            let request = &mut question.request;
            if request.call == Some(id) && question.tie < Tie::Certain && !over {
                request.call = None;
                question.tie = Tie::Guess;
                turn.keep(request);
            }
        }
    }
}
