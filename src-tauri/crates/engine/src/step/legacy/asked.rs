//! What servers of the legacy wire ask: requests that wait for a reply. `whose` finds the call that a
//! question belongs to.

use std::ops::RangeInclusive;

use signalbox_mcp::{Channel, QuestionView, ServerRequest, SessionReply};
use signalbox_model::{
    CallId, CloseReason, EventKind, Hosted, Identity, InputRequest, RequestId, RequestState,
};
use signalbox_store::Write;

use super::{
    super::{
        Next, Turn,
        question::{Becomes, Fact, Fate, OfCall, Question, Tie, as_asked, close, said, worded},
    },
    Session,
    hosted::{created, dies_at, expires_at, hosted_task},
    repeat::{About, Repeat},
};
use crate::{room::weight, shared::Place};

/// The most questions that memory keeps although they are over, since they may come up again …
const MOST_OVER: usize = 200;
/// … and the most bytes that these may have together.
const MOST_OVER_BYTES: usize = 4 << 20;
/// The error code for a request that there is no room for.
const BUSY: i64 = -32603;
const CROWDED: &str = "Too many questions wait for a person";
const NO_ROOM: &str = "The questions that wait for a person have too many bytes for another of this size";

/// What became of a request that asks something.
pub(in crate::step) enum Opened {
    /// A known question, in the very request that it came with: nothing is new.
    Known,
    /// A known question, in another request.
    Again,
    /// A new question. It names its call where one is known or guessed.
    New(Box<InputRequest>),
    /// Refused: there is no room for so many bytes more.
    Refused(usize),
}

impl Session {
    /// Opens a question for the call that it is taken to belong to. `fresh` is an id that nobody can guess,
    /// where the server wants us to host a task. `most` is how many questions may wait for a person at a
    /// time.
    pub(in crate::step) fn open(
        &mut self,
        turn: &mut Turn<'_>,
        asked: ServerRequest,
        fresh: Option<String>,
        (call, tie): (Option<CallId>, Tie),
        most: usize,
    ) -> Opened {
        let id = self.server;
        self.shared |= asked.channel == Channel::Shared;
        if self.used.len() >= Self::IDS && !self.used.contains_key(&asked.id) {
            self.number(turn);
        }
        if let Some(known) = self.supersede(turn, &asked) {
            self.tie(turn, known, call, tie);
            return Opened::Known;
        }
        let view = QuestionView::read(&asked.raw);
        let asked_on = self.asked_for(call);
        let repeat = self.repeat(&About { asked: &asked, view: &view, call, tie, asked_on });
        if let Err((message, more)) = self.has_room(turn, &asked, (call, repeat), most) {
            self.reply(turn, asked.id, SessionReply::Error { code: BUSY, message: message.to_owned() }, None);
            return Opened::Refused(more);
        }
        self.took_one(turn);
        if let Some(since) = call.and_then(|call| self.held_results.under_way.get_mut(&call)) {
            *since = turn.now.steady_ms;
        }
        let identity = self.identity(&asked.id);
        let hosted = fresh.filter(|_| asked.as_task.is_some());
        let asked_id = asked.id.clone();
        let (name, is_new, hosted) = match repeat {
            Some(repeat) => self.open_again(turn, repeat, asked, identity, (asked_on, tie), hosted),
            None => {
                let name = self.open_new(turn, asked, view, identity, (call, tie, asked_on), hosted.clone());
                (name, true, hosted)
            }
        };
        self.give_up_id(turn, &asked_id);
        turn.place(name, Place::Wire(id));
        let moved = self.tie(turn, name, call, tie);
        self.opened(turn, name, asked_id, hosted, (is_new, moved))
    }

    /// The identity of a question in a request of this id, which may have been used before.
    fn identity(&mut self, id: &str) -> Identity {
        let used = self.used.entry(id.to_owned()).or_default();
        *used += 1;
        let rpc = if *used == 1 { id.to_owned() } else { format!("{id} ({used})") };
        Identity::Wire { session: self.n, rpc }
    }

    /// Keeps a question that the request `asked_id` opened, and leaves what follows from it. `hosted` is the task that the
    /// server is told of; `moved` says that the question moved to another call.
    fn opened(
        &mut self,
        turn: &mut Turn<'_>,
        name: RequestId,
        asked_id: String,
        hosted: Option<String>,
        (is_new, moved): (bool, bool),
    ) -> Opened {
        let Some(question) = self.question(name) else { return Opened::Known };
        let request = question.request.clone();
        turn.keep(&request);
        turn.room.enter(&request, 0);
        if let Some(task_id) = hosted {
            let task = hosted_task(&request, &task_id, turn);
            self.reply(turn, asked_id, SessionReply::Result(created(&task)), None);
        }
        if let Some(call) = request.call {
            if is_new && !moved {
                turn.event(call, EventKind::Asked, Some(request.id), Some(request.message.clone()));
            }
            turn.then(Next::Count(call));
        }
        turn.then(Next::Prune(self.server));
        turn.then(Next::Replies(self.server));
        let opens = is_new && request.state == RequestState::Open;
        if opens { Opened::New(Box::new(request)) } else { Opened::Again }
    }

    /// Whether there is room for what is asked; else what the server is told, and how many bytes more it would take.
    fn has_room(
        &self,
        turn: &Turn<'_>,
        asked: &ServerRequest,
        (call, repeat): (Option<CallId>, Option<Repeat>),
        most: usize,
    ) -> Result<(), (&'static str, usize)> {
        let id = self.server;
        let identity = Identity::Wire { session: self.n, rpc: asked.id.clone() };
        let bytes = weight(&as_asked(id, identity, &asked.raw, turn));
        // A question that is asked again may come in a longer request: then only the difference needs room.
        let known = repeat.map_or(0, |repeat| weight(&self.questions[repeat.at()].request));
        let more = bytes.saturating_sub(known);
        let waiting = self.questions.iter().filter(|question| question.request.needs_person()).count();
        if repeat.is_none() && waiting >= most {
            return Err((CROWDED, more));
        }
        if more > 0 && !turn.room.has(id, call, more) {
            return Err((NO_ROOM, more));
        }
        Ok(())
    }

    /// A known question is asked again. Returns its number, whether it is open anew, and the id of the task
    /// that the server is told of.
    fn open_again(
        &mut self,
        turn: &mut Turn<'_>,
        repeat: Repeat,
        asked: ServerRequest,
        identity: Identity,
        (asked_on, tie): (u32, Tie),
        mut hosted: Option<String>,
    ) -> (RequestId, bool, Option<String>) {
        let question = &mut self.questions[repeat.at()];
        let is_new = question.request.state == RequestState::Orphaned;
        question.request.identity = identity;
        question.asked_on = asked_on;
        let name = question.request.id;
        if let Repeat::Replayed(_) = repeat {
            // The server has been told of this task before, or is told of it now.
            hosted = question.request.hosted.as_ref().map(|hosted| hosted.task_id.clone());
        } else {
            let before = question.taken_up(asked.raw, hosted.clone(), turn.now);
            // The call that asks now may be another than before, so the weaker of the two ties counts.
            question.tie = question.tie.min(tie);
            if let Some(before) = before {
                self.close_before(turn, before);
            }
        }
        (name, is_new, hosted)
    }

    fn open_new(
        &mut self,
        turn: &mut Turn<'_>,
        asked: ServerRequest,
        view: QuestionView,
        identity: Identity,
        (call, tie, asked_on): (Option<CallId>, Tie, u32),
        hosted: Option<String>,
    ) -> RequestId {
        // The task asks something else now: what it asked before its connection was cut is over.
        for question in &mut self.questions {
            let request = &question.request;
            let sure = call.is_some() && tie > Tie::Guess;
            if sure && request.call == call && request.state == RequestState::Orphaned {
                close(question, EventKind::Closed, CloseReason::Superseded, turn);
            }
        }
        // Nobody knows whether the server has the earlier answer to the same question. What was said then
        // becomes the draft, so that it can be said again.
        let cut_off = self.questions.iter().map(|question| &question.request).find(|known| {
            known.state == RequestState::Unknown
                && known.stranded()
                && known.call == call
                && view.same(&asked.raw, known)
        });
        let draft = cut_off.and_then(|known| known.draft.clone().or_else(|| said(known)));
        let name = turn.number_question();
        let new = InputRequest::new(name, self.server, identity, turn.now.wall);
        let new = InputRequest { call, draft, hosted: hosted.map(Hosted::new), ..new };
        let mut request = worded(new, view, asked.raw);
        request.expires_at = expires_at(&request);
        let dies_at = dies_at(&request, turn.now);
        self.questions.push(Question { asked_on, dies_at, tie, ..Question::new(request) });
        name
    }

    /// A question was taken, or the connection is gone: questions of no call that were refused are no longer
    /// counted.
    pub(super) fn took_one(&mut self, turn: &mut Turn<'_>) {
        turn.count_left(self.server, std::mem::take(&mut self.left), 0);
    }

    /// A question of no call was refused for want of room.
    pub(in crate::step) fn left_one(&mut self, turn: &mut Turn<'_>) {
        let before = self.left;
        self.left = before.saturating_add(1);
        turn.count_left(self.server, before, self.left);
    }

    /// The call is over, and so are its questions. `went_on` says whether it came to a result.
    pub(in crate::step) fn call_over(&mut self, turn: &mut Turn<'_>, id: CallId, went_on: bool) {
        self.let_guesses_go(turn, id);
        let (numbers, mut over) = (self.numbers(), Vec::new());
        let answered = self.questions.iter().filter(|other| other.has_gone_out());
        let answered = answered.filter(|other| other.request.call == Some(id));
        let answered: Vec<u64> = answered.map(Question::fingerprint).collect();
        // Where the same was asked twice and answered twice, the server took one answer, and nobody can tell
        // which.
        let certain = |question: &Question| {
            let asks = question.fingerprint();
            answered.iter().filter(|other| **other == asks).count() == 1
        };
        for question in self.questions.iter_mut().filter(|question| question.request.call == Some(id)) {
            let has_result = went_on && question.has_gone_out() && certain(question);
            if question.request.state == RequestState::Sending && question.request.sent() {
                // What became of this answer is still to be reported.
                question.went_on = has_result;
            }
            let fact = if has_result { Fact::CallWentOn } else { Fact::CallOver };
            let waiting = unwanted(question, &numbers);
            let becomes = question.meets(turn, fact, (false, OfCall::GoesOn), Fate::default());
            if becomes == Becomes::Closed(CloseReason::TaskEnded) {
                over.extend(waiting);
            }
        }
        self.wave_off(turn, over);
        turn.then(Next::Prune(self.server));
        turn.then(Next::Replies(self.server));
    }

    /// Takes the questions of a forgotten call out of memory. Returns the ids of the requests that the server
    /// still waits on.
    pub(in crate::step) fn forget_questions(&mut self, turn: &mut Turn<'_>, id: CallId) -> Vec<String> {
        let of_call = |question: &mut Question| question.request.call == Some(id);
        let questions: Vec<Question> = self.questions.extract_if(.., of_call).collect();
        let numbers = self.numbers();
        for question in &questions {
            turn.displace(question.request.id);
            turn.room.leave(question.request.id);
        }
        let waiting = questions.iter().filter(|question| !question.is_over());
        waiting.flat_map(|question| unwanted(question, &numbers)).collect()
    }

    /// Drops questions from memory that are over and will not come up again. Of those that are orphaned the
    /// oldest close once there are too many: else a server that loses one connection after the other would
    /// fill the disk with its questions.
    pub(in crate::step) fn prune(&mut self, turn: &mut Turn<'_>, goes_on: impl Fn(CallId) -> bool) {
        let over = self.questions.iter().filter(|question| question.is_over());
        let (mut over, mut bytes) =
            over.fold((0_usize, 0), |(n, bytes), question| (n + 1, bytes + weight(&question.request)));
        self.questions.retain_mut(|question| {
            let request = &question.request;
            let may_matter = match request.state {
                RequestState::Orphaned => request.call.is_none_or(&goes_on),
                // It stays until its task ends, which shows that the answer was taken, and as long as the
                // server may fetch it.
                RequestState::Answered => question.is_hosted(turn.now) || request.call.is_some_and(&goes_on),
                RequestState::Closed => false,
                _ => true,
            };
            let fits = over <= MOST_OVER && bytes <= MOST_OVER_BYTES;
            let stays = may_matter && (fits || !question.is_over());
            if !stays {
                over = over.saturating_sub(1);
                bytes = bytes.saturating_sub(weight(request));
                if request.state == RequestState::Orphaned {
                    close(question, EventKind::Closed, CloseReason::Superseded, turn);
                }
                if question.request.hosted.is_some() {
                    // Nobody can fetch its answer any more.
                    turn.write(Write::DropUndelivered(question.request.id));
                }
                turn.displace(question.request.id);
                turn.room.leave(question.request.id);
            }
            stays
        });
    }
}

/// The requests on this connection that wait for the answer to a question which nobody will answer.
fn unwanted(question: &Question, numbers: &RangeInclusive<u32>) -> Vec<String> {
    match &question.request.hosted {
        Some(hosted) => hosted.waiting.clone(),
        None if question.waits_on(numbers) => question.rpc.clone().into_iter().collect(),
        None => Vec::new(),
    }
}
