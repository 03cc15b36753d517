//! The life of a connection of the legacy wire, and what a server tells on it of its own accord.

use signalbox_mcp::{
    Channel, Error, News, ProgressView, SavedSession, ServerNotification, ServerRequest, SessionEvent,
    TaskView,
};
use signalbox_model::{
    CallId, CloseReason, EventKind, Progress, Push, RequestId, RequestState, ServerId, Status, Transport,
};
use signalbox_store::{StoredSession, Write};

use super::{
    Turn,
    hosted::{fetches, stop_waiting, unknown},
    question::close,
    ways::take_off,
    wire::Before,
};
use crate::{
    Effect, State,
    candidates::Candidates,
    question::Question,
    session::Early,
    state::{NextIds, Station},
};

/// So many methods that nobody knows are told of one task.
const MOST_REFUSED: usize = 8;

/// Of the JSON of such a request the timeline shows so many characters.
const LONGEST_REFUSED: usize = 2_048;
/// Progress is kept this often at most, in ms: a server may report it all the time.
const KEEP_PROGRESS_EVERY: u64 = 1_000;

impl State {
    /// A connection stands. Its number is committed before anything that came on it, so that no two questions are ever
    /// taken for one.
    pub(super) fn connected(
        &mut self,
        turn: &mut Turn,
        id: ServerId,
        link: u64,
        saved: Option<SavedSession>,
        resumed: bool,
    ) {
        if !resumed {
            self.orphan(turn, id);
        }
        let Some(station) = self.servers.get_mut(&id) else { return };
        station.candidates = Candidates::default();
        for live in station.calls.iter().filter_map(|call| self.calls.get(call)) {
            station.candidates.put(&live.call);
        }
        let shared = matches!(station.server.transport, Transport::Stdio { .. });
        let session = &mut station.session;
        session.replaced |= session.n > 0 && !resumed;
        session.first = self.next.session.max(1);
        session.link = Some(link);
        session.shared = shared;
        session.saved = saved.map(|saved| (saved.id, saved.initialized));
        session.early = Early::default();
        self.number(turn, id);
        let Some(station) = self.servers.get(&id) else { return };
        // What wanted a task has been answered with one: what waits is who wants its result.
        let open = station.session.questions.iter().map(|question| &question.request);
        let requests: Vec<_> = open
            .filter(|open| open.closed_at.is_none())
            .flat_map(|open| match open.hosted {
                Some(_) => fetches(open),
                None => vec![open.raw.clone()],
            })
            .collect();
        if !requests.is_empty() {
            turn.after(Effect::Remember { server: id, link, requests });
        }
        self.deliver_on_wire(turn, id);
    }

    /// The connection goes by another number from here on, under which no id has been used.
    pub(super) fn number(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(Station { session, .. }) = self.servers.get_mut(&id) else { return };
        session.n = NextIds::take(&mut self.next.session);
        session.used.clear();
        let (n, saved) = (session.n, session.saved.clone());
        turn.write(Write::PutSession(StoredSession { server: id, n, saved }));
    }

    pub(super) fn heard(
        &mut self,
        turn: &mut Turn,
        id: ServerId,
        link: u64,
        event: SessionEvent,
        fresh: Option<String>,
    ) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        if station.session.link != Some(link) {
            // Of a connection that another has replaced: nobody could be answered on it.
            return;
        }
        match event {
            SessionEvent::Request(request) => self.asked_on_wire(turn, id, *request, fresh),
            SessionEvent::Notification(notification) => self.told_on_wire(turn, id, *notification),
            SessionEvent::Missed(_) => self.spread_looks(turn, id),
            SessionEvent::Push(signalbox_mcp::Push::NotOffered) => {
                turn.after(Effect::ShowPush { server: id, push: Some(Push::Off) });
            }
            SessionEvent::Push(_) => {}
            SessionEvent::Ended(error) => self.disconnected(turn, id, &error),
        }
    }

    fn disconnected(&mut self, turn: &mut Turn, id: ServerId, error: &Error) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        station.session.link = None;
        station.session.used.clear();
        station.session.replaced |= error.session_is_over();
        turn.after(Effect::ShowPush { server: id, push: None });
        self.orphan(turn, id);
        self.taken_on_wire(turn, id, None);
        if !matches!(error, Error::Closed) {
            self.line_broken(turn, id, error);
        }
    }

    /// The connection is gone on which these were asked: nobody waits for their answers any more. What was not sent is
    /// kept as a draft, for when the server asks again.
    pub(super) fn orphan(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        let (mut calls, wired, room) = (Vec::new(), &mut self.wired, &mut self.room);
        station.session.questions.retain_mut(|question| {
            let request = &question.request;
            match request.state {
                RequestState::Orphaned => {
                    stop_waiting(question, turn);
                    return true;
                }
                RequestState::Answered | RequestState::Closed => {
                    wired.remove(&request.id);
                    room.leave(request.id);
                    return false;
                }
                _ => {}
            }
            calls.extend(request.call);
            lose(question, turn);
            true
        });
        for call in calls {
            self.recount(turn, call);
        }
    }

    /// A question takes the place of the one that was asked under its id; or it is that one, which is then returned.
    pub(super) fn supersede(
        &mut self,
        turn: &mut Turn,
        id: ServerId,
        asked: &ServerRequest,
    ) -> Option<RequestId> {
        let Station { session, .. } = self.servers.get_mut(&id)?;
        let numbers = session.numbers();
        let same_id = |question: &&mut Question| {
            question.of_connection(&numbers)
                && !question.is_over()
                && question.rpc.as_ref() == Some(&asked.id)
        };
        let before = session.questions.iter_mut().find(same_id)?;
        if before.request.raw == asked.raw {
            return Some(before.request.id);
        }
        // Its place in the connection is the new one's: nothing is left to be said to it, but to those that wait for the
        // task behind it.
        close(before, EventKind::Closed, CloseReason::Superseded, turn);
        let (waiting, call) = (stop_waiting(before, turn), before.request.call);
        self.end_waiting(turn, id, waiting, unknown());
        if let Some(call) = call {
            self.recount(turn, call);
        }
        None
    }

    /// The server has asked the same again: what it waited on before is over, or its requests would fill the room for
    /// others.
    pub(super) fn close_before(&mut self, turn: &mut Turn, id: ServerId, before: Before) {
        let rpc = match before {
            Before::Request(rpc) => rpc,
            Before::Fetches(waiting) => return self.end_waiting(turn, id, waiting, unknown()),
        };
        let Some(Station { session, .. }) = self.servers.get(&id) else { return };
        let goes_by_it = |question: &Question| !question.is_over() && question.rpc.as_ref() == Some(&rpc);
        if let Some(link) = session.link
            // The id may be in use again: then its place in the connection is the new one's.
            && !session.questions.iter().any(goes_by_it)
        {
            turn.after(Effect::CloseRequest { server: id, link, rpc });
        }
    }

    fn told_on_wire(&mut self, turn: &mut Turn, id: ServerId, notification: ServerNotification) {
        let ServerNotification { news, related_task, channel, raw } = notification;
        match news {
            News::TaskStatus(view) => self.status_told(turn, id, view),
            News::Progress(report) => self.progressed(turn, id, report),
            News::Cancelled { id: rpc, .. } => self.withdrawn(turn, id, &rpc),
            News::ToolsListChanged => self.tools_changed(turn, id),
            News::ElicitationComplete { elicitation_id } => self.page_done(turn, id, &elicitation_id),
            News::Refused { method } => {
                let of_channel = match channel {
                    Channel::Response { task_id, .. } => task_id,
                    Channel::Shared | Channel::Push => None,
                };
                if let Some(task_id) = related_task.or(of_channel) {
                    self.refused_unasked(turn, id, &task_id, method, raw.text());
                }
            }
            News::Log | News::Other { .. } => {}
        }
    }

    /// What a task asks by a method that nobody knows is refused on this wire before anybody could be asked. It may be why
    /// the task fails: each such method is told once, with the JSON that came.
    fn refused_unasked(
        &mut self,
        turn: &mut Turn,
        server: ServerId,
        task_id: &str,
        method: String,
        json: &str,
    ) {
        let Some(call) = self.call_of_task(server, task_id) else { return };
        let Some(live) = self.calls.get_mut(&call) else { return };
        if live.refused.len() < MOST_REFUSED && !live.refused.contains(&method) {
            let shown: String = json.chars().take(LONGEST_REFUSED).collect();
            let rest = if shown.len() < json.len() { "…" } else { "" };
            let text = format!("{method} {shown}{rest}");
            let text = live.call.without_handle(&text);
            live.refused.push(method);
            turn.event(call, EventKind::RequestRefused, None, Some(text));
        }
    }

    /// A status that the server told by itself. It may come before the answer that names the task, late, or never: looks
    /// go on as if there were none.
    fn status_told(&mut self, turn: &mut Turn, id: ServerId, view: TaskView) {
        let Some(task_id) = view.task_id.clone() else { return };
        turn.after(Effect::ShowPush { server: id, push: Some(Push::On) });
        match self.call_of_task(id, &task_id) {
            Some(call) => self.take_news(turn, call, &view),
            None => {
                let Some(station) = self.servers.get_mut(&id) else { return };
                station.session.early.keep(task_id, view);
            }
        }
    }

    /// What was told of a task before we knew it.
    pub(super) fn take_early_news(&mut self, turn: &mut Turn, call: CallId) {
        let Some(live) = self.calls.get(&call) else { return };
        let Some(task) = &live.call.task else { return };
        let Some(station) = self.servers.get_mut(&live.call.server) else { return };
        for view in station.session.early.take(&task.task_id) {
            self.take_news(turn, call, &view);
        }
    }

    fn take_news(&mut self, turn: &mut Turn, id: CallId, view: &TaskView) {
        let Some(live) = self.calls.get(&id) else { return };
        let known = live.call.task.as_ref().and_then(|task| task.last_updated_at);
        let older = view.last_updated_at.zip(known).is_some_and(|(told, known)| told < known);
        if live.call.ended() || live.call.status.is_terminal() || older {
            return;
        }
        let before = live.call.clone();
        self.take_fields(turn, id, view);
        if view.status == Status::Cancelled {
            // The end of a task is taken from an answer of the server only.
            let Some(live) = self.calls.get_mut(&id) else { return };
            live.call.status = before.status;
            self.want_look(turn, id);
        }
        let server = before.server;
        self.save_news(turn, id, before);
        self.review_guesses(turn, server);
        self.want_result(turn, id);
    }

    fn progressed(&mut self, turn: &mut Turn, server: ServerId, report: ProgressView) {
        let Ok(id) = report.token.parse::<CallId>() else { return };
        let Some(live) = self.calls.get_mut(&id).filter(|live| live.call.server == server) else { return };
        let ProgressView { token: _, progress, total, message } = report;
        let news = Some(Progress { progress, total, message });
        if live.call.ended() || live.call.progress == news {
            return;
        }
        live.call.progress = news;
        if live.progress_at.is_none_or(|at| turn.now.steady_ms >= at.saturating_add(KEEP_PROGRESS_EVERY)) {
            live.progress_at = Some(turn.now.steady_ms);
            self.save(turn, id);
        }
    }

    /// The server does not want this answer any more.
    fn withdrawn(&mut self, turn: &mut Turn, id: ServerId, rpc: &str) {
        self.waits_no_more(turn, id, rpc);
        let Some(station) = self.servers.get_mut(&id) else { return };
        let numbers = station.session.numbers();
        let Some(question) = station.session.questions.iter_mut().find(|question| {
            question.waits_on(&numbers) && !question.is_over() && question.rpc.as_deref() == Some(rpc)
        }) else {
            return;
        };
        close(question, EventKind::Closed, CloseReason::AnsweredElsewhere, turn);
        let call = question.request.call;
        self.prune(turn, id);
        if let Some(call) = call {
            self.recount(turn, call);
        }
    }

    /// The call that follows this task of the server.
    pub(super) fn call_of_task(&self, server: ServerId, task_id: &str) -> Option<CallId> {
        self.servers.get(&server)?.tasks.get(task_id).copied()
    }
}

/// Nobody waits any more for the answer to a question that is not over.
pub(super) fn lose(question: &mut Question, turn: &mut Turn) {
    match question.request.state {
        // What became of it is still to be told, or it may have arrived: that is not to be forgotten.
        RequestState::Sending if question.request.sent() => cut_off(question, turn),
        RequestState::Unknown => cut_off(question, turn),
        _ => orphaned(question, turn),
    }
}

/// Its connection is gone, and with it whoever waited for the answer.
pub(super) fn orphaned(question: &mut Question, turn: &mut Turn) {
    stop_waiting(question, turn);
    let request = &mut question.request;
    if !matches!(request.state, RequestState::Held | RequestState::Sending) {
        // The answer before its own matters only while its own may still be taken off.
        request.earlier = None;
    }
    // The entry names the answer that did not go.
    let fate = request.clone();
    take_off(request);
    if request.state == RequestState::Unknown {
        // The answer before it may have arrived: that is not to be forgotten.
        if request.hosted.is_none() {
            request.closed_at = Some(turn.now.wall);
        }
        turn.keep(request);
        return turn.fate(&fate, EventKind::Lapsed, Some("Its connection was gone".to_owned()));
    }
    request.answer = None;
    request.state = RequestState::Orphaned;
    request.reason = None;
    request.closed_at = Some(turn.now.wall);
    turn.keep(request);
    turn.fate(&fate, EventKind::Orphaned, None);
}

/// Nobody waits for an answer any more, but one has gone out. Another can go nowhere: on the next connection its id may
/// be that of another question.
pub(super) fn cut_off(question: &mut Question, turn: &mut Turn) {
    stop_waiting(question, turn);
    let request = &mut question.request;
    if request.closed_at.is_none() && request.hosted.is_none() {
        request.closed_at = Some(turn.now.wall);
        request.draft = None;
        turn.keep(request);
    }
}
