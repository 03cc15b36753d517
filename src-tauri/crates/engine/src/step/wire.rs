//! What servers of the legacy wire ask: requests that wait for a reply. `whose` knows whose they are.

mod again;
mod whose;

use std::ops::RangeInclusive;

use signalbox_mcp::{Ask, Channel, QuestionView, Reply, ServerRequest};
use signalbox_model::{
    CallId, CloseReason, EventKind, Hosted, Identity, InputRequest, ItemRef, RequestId, RequestState,
    ServerId, Status,
};

pub(super) use self::again::Before;
use self::again::{About, Again};
pub(super) use self::whose::REVIEW;
use super::{
    Turn,
    hosted::{created, dies_at, hosted_task},
    question::{MOST_OPEN, as_asked, close, worded},
    roots::roots_of,
    ways::said,
};
use crate::{
    Effect, Notice, NoticeKind, State,
    question::{Question, Tie},
    room::weight,
    session::Session,
    state::{NextIds, Station},
};

/// Questions kept in memory that are over but may come up again …
const MOST_OVER: usize = 200;
/// … and their bytes.
const MOST_OVER_BYTES: usize = 4 << 20;
/// What says that there is no room for a request.
const BUSY: i64 = -32603;
const CROWDED: &str = "Too many questions wait for a person";
const NO_ROOM: &str = "The questions that wait for a person have too many bytes for another of this size";

impl State {
    pub(super) fn asked_on_wire(
        &mut self,
        turn: &mut Turn,
        id: ServerId,
        request: ServerRequest,
        fresh: Option<String>,
    ) {
        // What waited under this id on an earlier connection is not waited for by it any more.
        self.waits_no_more(turn, id, &request.id);
        match &request.ask {
            Ask::Elicitation(_) | Ask::Sampling => self.open_on_wire(turn, id, request, fresh),
            Ask::Roots => {
                let Some(station) = self.servers.get(&id) else { return };
                let roots = roots_of(&station.server);
                self.reply_on_wire(turn, id, request.id, Reply::Result(roots), None);
            }
            Ask::GetTask { .. } | Ask::TaskResult { .. } | Ask::ListTasks { .. } | Ask::CancelTask { .. } => {
                self.asked_about_hosted(turn, id, request.id, request.ask);
            }
        }
    }

    fn open_on_wire(&mut self, turn: &mut Turn, id: ServerId, asked: ServerRequest, fresh: Option<String>) {
        let (call, tie) = self.whose(id, &asked);
        let Some(Station { session, .. }) = self.servers.get_mut(&id) else { return };
        session.shared |= asked.channel == Channel::Shared;
        if session.used.len() >= Session::IDS && !session.used.contains_key(&asked.id) {
            self.number(turn, id);
        }
        if let Some(known) = self.supersede(turn, id, &asked) {
            self.tie(turn, known, call, tie);
            return;
        }
        let Some(Station { session, .. }) = self.servers.get_mut(&id) else { return };
        let view = QuestionView::read(&asked.raw);
        let asked_on = call.and_then(|call| self.calls.get(&call)).map_or(0, |live| live.results_asked);
        let again = session.again(&About { asked: &asked, view: &view, call, tie, asked_on });
        let waiting = session.questions.iter().filter(|question| question.request.needs_person()).count();
        let crowded = again.is_none() && waiting >= MOST_OPEN;
        let identity = Identity::Wire { session: session.n, rpc: asked.id.clone() };
        let bytes = weight(&as_asked(id, identity, &asked.raw, turn));
        // One that is asked again may come in a longer request.
        let known = again.map_or(0, |again| weight(&session.questions[again.at()].request));
        self.weigh(turn);
        let more = bytes.saturating_sub(known);
        if crowded || more > 0 && !self.room.has(id, call, more) {
            let message = if crowded { CROWDED } else { NO_ROOM }.to_owned();
            self.left_on_wire(turn, id, call, more);
            return self.reply_on_wire(turn, id, asked.id, Reply::Error { code: BUSY, message }, None);
        }
        self.taken_on_wire(turn, id, call);
        let Some(Station { session, .. }) = self.servers.get_mut(&id) else { return };
        if let Some(since) = call.and_then(|call| session.held.under_way.get_mut(&call)) {
            *since = turn.now.steady_ms;
        }
        let used = session.used.entry(asked.id.clone()).or_default();
        *used += 1;
        let rpc = if *used == 1 { asked.id.clone() } else { format!("{} ({used})", asked.id) };
        let identity = Identity::Wire { session: session.n, rpc };
        let mut hosted = fresh.filter(|_| asked.as_task.is_some());
        let (mut is_new, mut instead_of) = (true, None);
        let name = match again {
            Some(again) => {
                let question = &mut session.questions[again.at()];
                is_new = question.request.state == RequestState::Orphaned;
                question.request.identity = identity;
                question.asked_on = asked_on;
                if let Again::Replayed(_) = again {
                    // Whoever asks has been told of this task, or is told now.
                    hosted = question.request.hosted.as_ref().map(|hosted| hosted.task_id.clone());
                } else {
                    instead_of = question.taken_up(asked.raw, hosted.clone(), turn.now);
                    // Whoever it belonged to, it may be another that asks it now.
                    question.tie = question.tie.min(tie);
                }
                question.request.id
            }
            None => {
                // What the task asked before its connection was cut has come to something else.
                for question in &mut session.questions {
                    let request = &question.request;
                    let sure = call.is_some() && tie > Tie::Guess;
                    if sure && request.call == call && request.state == RequestState::Orphaned {
                        close(question, EventKind::Closed, CloseReason::Superseded, turn);
                    }
                }
                // Whether it has the answer of before is not known; what was said can be said again.
                let cut_off = session.questions.iter().map(|question| &question.request).find(|known| {
                    known.state == RequestState::Unknown
                        && known.stranded()
                        && known.call == call
                        && view.same(&asked.raw, known)
                });
                let draft = cut_off.and_then(|known| known.draft.clone().or_else(|| said(known)));
                let name = RequestId(NextIds::take(&mut self.next.request));
                let new = InputRequest::new(name, id, identity, turn.now.wall);
                let new = InputRequest { call, draft, hosted: hosted.clone().map(Hosted::new), ..new };
                let request = worded(new, view, asked.raw);
                let (name, dies_at) = (request.id, dies_at(&request, turn.now));
                session.questions.push(Question { asked_on, dies_at, tie, ..Question::new(request) });
                name
            }
        };
        if let Some(before) = instead_of {
            self.close_before(turn, id, before);
        }
        self.give_up_id(turn, id, &asked.id);
        self.wired.insert(name, id);
        let moved = self.tie(turn, name, call, tie);
        let Some((_, question)) = self.on_wire(name) else { return };
        let request = question.request.clone();
        turn.keep(&request);
        self.room.enter(&request, 0);
        if let Some(task_id) = hosted {
            let task = hosted_task(&request, &task_id, turn);
            self.reply_on_wire(turn, id, asked.id, Reply::Result(created(&task)), None);
        }
        if let Some(call) = request.call {
            if is_new && !moved {
                turn.event(call, EventKind::Asked, Some(request.id), Some(request.message.clone()));
            }
            self.recount(turn, call);
        }
        self.prune(turn, id);
        if is_new && request.state == RequestState::Open {
            self.notify_of(turn, &request);
        }
        self.plan_replies(turn, id);
        self.deliver_on_wire(turn, id);
    }

    /// A question of the legacy wire, if it is one and not forgotten.
    pub(super) fn on_wire(&mut self, id: RequestId) -> Option<(ServerId, &mut Question)> {
        let server = *self.wired.get(&id)?;
        let questions = &mut self.servers.get_mut(&server)?.session.questions;
        questions.iter_mut().find(|question| question.request.id == id).map(|question| (server, question))
    }

    /// The call is over, and so is what was asked about it.
    pub(super) fn close_on_wire(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get(&id) else { return };
        let (server, went_on) = (live.call.server, live.call.status == Status::Completed);
        self.let_guesses_go(turn, id, server);
        let Some(Station { session, .. }) = self.servers.get_mut(&server) else { return };
        let (numbers, mut over) = (session.numbers(), Vec::new());
        let answered = session.questions.iter().filter(|other| other.has_gone_out());
        let answered = answered.filter(|other| other.request.call == Some(id));
        let answered: Vec<u64> = answered.map(Question::fingerprint).collect();
        // What was asked twice and answered twice was taken once, and nobody can tell which.
        let certain = |question: &Question| {
            let asks = question.fingerprint();
            answered.iter().filter(|other| **other == asks).count() == 1
        };
        for question in &mut session.questions {
            let request = &question.request;
            if request.call != Some(id) {
                continue;
            }
            match request.state {
                // What becomes of it is still to be told.
                RequestState::Sending if request.sent() => question.went_on = went_on && certain(question),
                RequestState::Answered if went_on && certain(question) => {
                    close(question, EventKind::Taken, CloseReason::TaskEnded, turn);
                }
                RequestState::Answered | RequestState::Closed => {}
                _ => {
                    let waiting = unwanted(question, &numbers);
                    close(question, EventKind::Closed, CloseReason::TaskEnded, turn);
                    over.extend(waiting);
                }
            }
        }
        self.wave_off(turn, server, over);
        self.prune(turn, server);
        self.plan_replies(turn, server);
    }

    /// Takes the questions of a call that is forgotten out of memory; what the server still waits for comes beside them.
    pub(super) fn forget_on_wire(&mut self, id: CallId, server: ServerId) -> (Vec<Question>, Vec<String>) {
        let Some(Station { session, .. }) = self.servers.get_mut(&server) else { return Default::default() };
        let of_call = |question: &mut Question| question.request.call == Some(id);
        let questions: Vec<Question> = session.questions.extract_if(.., of_call).collect();
        let numbers = session.numbers();
        for question in &questions {
            self.wired.remove(&question.request.id);
            self.room.leave(question.request.id);
        }
        let waiting = questions.iter().filter(|question| !question.is_over());
        let over = waiting.flat_map(|question| unwanted(question, &numbers)).collect();
        (questions, over)
    }

    /// Lets go from memory what is over and will not come up again. Of what is orphaned the oldest close: a server that loses
    /// one connection after the other would fill the disk with what it asked.
    pub(super) fn prune(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(Station { session, .. }) = self.servers.get_mut(&id) else { return };
        let over = session.questions.iter().filter(|question| question.is_over());
        let (mut over, mut bytes) =
            over.fold((0_usize, 0), |(n, bytes), question| (n + 1, bytes + weight(&question.request)));
        let calls = &self.calls;
        let (wired, room) = (&mut self.wired, &mut self.room);
        session.questions.retain_mut(|question| {
            let request = &question.request;
            let may_matter = match request.state {
                RequestState::Orphaned => request.call.is_none_or(|call| calls.contains_key(&call)),
                // Until the task has an end: then it was taken. And as long as the server may fetch it.
                RequestState::Answered => {
                    question.is_hosted(turn.now) || request.call.is_some_and(|call| calls.contains_key(&call))
                }
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
                let request = &question.request;
                wired.remove(&request.id);
                room.leave(request.id);
            }
            stays
        });
    }

    /// Counts the questions of a call that wait for a person, and keeps the count.
    pub(super) fn recount(&mut self, turn: &mut Turn, id: CallId) {
        if self.count_open(id) {
            self.save(turn, id);
        }
    }

    fn notify_of(&self, turn: &mut Turn, request: &InputRequest) {
        let (item, text) = (ItemRef::Request(request.id), request.message.clone());
        let call = request.call.and_then(|call| self.calls.get(&call)).map(|live| &live.call);
        match call {
            Some(call) => self.notify(turn, call, item, NoticeKind::NeedsInput, text),
            None => {
                let server = self.servers.get(&request.server);
                let server = server.map(|station| station.server.name.clone()).unwrap_or_default();
                let kind = NoticeKind::NeedsInput;
                turn.after(Effect::Notify(Notice { item, server, tool: String::new(), text, kind }));
            }
        }
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
