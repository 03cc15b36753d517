//! Which call a question belongs to. Where the question does not say so, it is guessed from what the tasks
//! say of themselves. A guess decides only where the question is shown, and is corrected when polls make it
//! clear. The end of a task that was only guessed ends no question: one whose answer has gone out stays where
//! it is shown, any other belongs to no call again.

use std::collections::HashMap;

use signalbox_mcp::{Channel, QuestionView, ServerRequest};
use signalbox_model::{CallId, EventKind, RequestId, RequestState};

use super::{
    super::{Next, Turn, question::Tie},
    Session,
    candidates::{Sign, only},
};

/// While there are guesses, they are gone over this often, in ms: any poll may have made them clear.
pub(super) const REVIEW: u64 = 1_000;

/// Whether the last status message of a call that goes on has these words.
pub(in crate::step) trait Says: Fn(CallId, &str) -> bool {}

impl<F: Fn(CallId, &str) -> bool> Says for F {}

impl Session {
    /// The id of the task that a question names: by itself, or by the request on whose stream it came.
    pub(in crate::step) fn named_task(asked: &ServerRequest) -> Option<&str> {
        match (&asked.related_task, &asked.channel) {
            (Some(task_id), _) | (None, Channel::Response { task_id: Some(task_id), .. }) => Some(task_id),
            _ => None,
        }
    }

    /// Finds the call of a question that names no task, and how sure that is: by the request on whose stream
    /// it came, by its words, or because no other call is as likely. None where nothing decides.
    pub(in crate::step) fn call_of(&self, asked: &ServerRequest, says: impl Says) -> (Option<CallId>, Tie) {
        if matches!(&asked.channel, Channel::Response { method: "tools/call", .. }) {
            let call = only(self.candidates.with(Sign::UnderWay));
            return (call, if call.is_some() { Tie::Certain } else { Tie::Guess });
        }
        let words = QuestionView::read(&asked.raw).message;
        let has_asked = |call: &CallId| self.waiting(*call).next().is_some();
        let said = only(self.say(&words, &says))
            .or_else(|| only(self.say(&words, &says).filter(|call| !has_asked(call))));
        if said.is_some() {
            return (said, Tie::Words);
        }
        // A call that waits for another answer is unlikely to ask this too, unless no other call can have
        // asked it.
        let likely = |call: &CallId| {
            let mut waiting = self.waiting(*call).peekable();
            waiting.peek().is_none() || waiting.any(|question| question.request.message == words)
        };
        let needs_input = || self.candidates.with(Sign::NeedsInput);
        let alive = || self.candidates.with(Sign::Alive);
        let call = only(needs_input().filter(likely)).or_else(|| only(alive()));
        // While some call needs input no other is guessed: that call may ask more than one thing at a time.
        let call = call.or_else(|| only(alive().filter(likely)).filter(|_| needs_input().next().is_none()));
        (call, Tie::Guess)
    }

    /// The calls that go on and whose last status message has these words.
    fn say<'a>(&'a self, words: &'a str, says: &'a impl Says) -> impl Iterator<Item = CallId> + 'a {
        self.candidates.with(Sign::says(words)).filter(move |id| says(*id, words))
    }

    /// Goes over the questions whose call is only a guess.
    pub(in crate::step) fn review_guesses(&mut self, turn: &mut Turn<'_>, says: impl Says) {
        let loose = self.questions.iter().filter(|question| question.is_loose());
        let loose: Vec<(RequestId, Option<CallId>, String)> = loose
            .map(|question| &question.request)
            .map(|request| (request.id, request.call, request.message.clone()))
            .collect();
        let mut times: HashMap<&str, u32> = HashMap::new();
        for (_, _, words) in &loose {
            *times.entry(words).or_default() += 1;
        }
        for (id, guess, words) in &loose {
            let waiting = |call| self.waiting(call).filter(|q| q.request.id != *id);
            if let Some(call) = only(self.say(words, &says)) {
                let another = waiting(call).any(|question| question.request.message == *words);
                // Where the same words are asked twice, two calls may have asked, or one call twice: nobody
                // can tell.
                if *guess == Some(call) || (times[words.as_str()] == 1 && !another) {
                    self.tie(turn, *id, Some(call), Tie::Words);
                }
            } else if guess.is_none()
                && loose.len() == 1
                && let Some(call) = only(self.candidates.with(Sign::NeedsInput))
                && waiting(call).next().is_none()
            {
                self.tie(turn, *id, Some(call), Tie::Guess);
            }
        }
    }

    /// More may be known now of which call a question belongs to. Says whether the question moved to another
    /// call.
    pub(super) fn tie(&mut self, turn: &mut Turn<'_>, id: RequestId, call: Option<CallId>, tie: Tie) -> bool {
        let Some(question) = self.question(id) else { return false };
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
            turn.then(Next::Count(call));
        }
        true
    }

    /// The call is known now whose task these questions name: they belong to it.
    pub(in crate::step) fn claim_questions(&mut self, turn: &mut Turn<'_>, call: CallId, task_id: &str) {
        let unclaimed = self.questions.iter().map(|question| &question.request);
        let unclaimed = unclaimed.filter(|request| request.call.is_none());
        let ours =
            unclaimed.filter(|request| ServerRequest::named_task(&request.raw).as_deref() == Some(task_id));
        for request in ours.map(|request| request.id).collect::<Vec<RequestId>>() {
            self.tie(turn, request, Some(call), Tie::Certain);
        }
    }

    /// The call is over that these questions were guessed to belong to. They belong to no call again, since
    /// another call may wait for the answers.
    pub(in crate::step) fn let_guesses_go(&mut self, turn: &mut Turn<'_>, id: CallId) {
        for question in &mut self.questions {
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
