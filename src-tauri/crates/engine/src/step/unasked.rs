//! What servers send by themselves: on a connection of the legacy wire, and over subscriptions.

use signalbox_mcp::{
    Channel, Error, SavedSession, ServerAsk, ServerNews as Told, ServerNotification, ServerRequest,
    SessionEvent,
};
use signalbox_model::{CallId, Push, ServerId};

use super::{
    Next, Session, Turn,
    call::MOST_OPEN,
    legacy::{Connected, Opened},
    question,
};
use crate::{Effect, NoticeKind, PushedNews, state::Rooms};

impl Rooms {
    pub(super) fn connected(
        &mut self,
        turn: &mut Turn<'_>,
        (server, link): (ServerId, u64),
        saved: Option<SavedSession>,
        resumed: bool,
    ) {
        let Some(station) = self.servers.get_mut(server) else { return };
        // A request that waited longer than the last connection lived took up the session before that one.
        let resumed = resumed && station.is_session(saved.as_ref());
        station.keep_session(saved);
        let shared = station.has_one_channel();
        let calls =
            self.calls.at(server).filter_map(|call| self.calls.live.get(&call)).map(|live| &live.call);
        self.sessions.of(server).connected(turn, Connected { link, resumed, shared }, calls);
    }

    /// Something came on a connection of the legacy wire, or it ended. Of one that another has replaced nothing counts:
    /// nobody could be answered on it.
    pub(super) fn heard(
        &mut self,
        turn: &mut Turn<'_>,
        (server, link): (ServerId, u64),
        event: SessionEvent,
        fresh: Option<String>,
    ) {
        let Some(session) = self.sessions.get_mut(server).filter(|session| session.link == Some(link)) else {
            return;
        };
        match event {
            SessionEvent::Request(request) => self.asked(turn, server, *request, fresh),
            SessionEvent::Notification(notification) => self.told(turn, server, *notification),
            SessionEvent::Missed(_) => turn.then(Next::Spread(server)),
            SessionEvent::Push(signalbox_mcp::PushStream::NotOffered) => {
                turn.after(Effect::ShowPush { server, push: Some(Push::Off) });
            }
            SessionEvent::Push(_) => {}
            SessionEvent::Ended(error) => {
                session.disconnected(turn, &error);
                let Some(station) = self.servers.get_mut(server) else { return };
                if error.session_is_over() {
                    station.forget_session();
                }
                if !matches!(error, Error::Closed) {
                    station.broken(turn, &error);
                }
            }
        }
    }

    /// A server of the legacy wire asks.
    pub(super) fn asked(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        request: ServerRequest,
        fresh: Option<String>,
    ) {
        let (Some(session), Some(station)) = (self.sessions.get_mut(server), self.servers.get(server)) else {
            return;
        };
        // What waited under this id on an earlier connection is not waited for by it any more.
        session.waits_no_more(turn, &request.id);
        match &request.ask {
            ServerAsk::Elicitation(_) | ServerAsk::Sampling => {
                let whose = match Session::named_task(&request) {
                    Some(task_id) => (self.calls.of_task(server, task_id), question::Tie::Certain),
                    None => session.call_of(&request, |call, words| self.calls.says(call, words)),
                };
                let opened = session.open(turn, request, fresh, whose, MOST_OPEN);
                self.opened(turn, server, whose.0, opened);
            }
            ServerAsk::Roots => {
                let roots = question::roots_of(&station.server.roots);
                session.reply(turn, request.id, signalbox_mcp::SessionReply::Result(roots), None);
            }
            ServerAsk::GetTask { .. }
            | ServerAsk::TaskResult { .. }
            | ServerAsk::ListTasks { .. }
            | ServerAsk::CancelTask { .. } => {
                session.asked_about_hosted(turn, request.id, request.ask);
            }
        }
    }

    /// What is asked is there, or there was no room for it: that is said where it belongs.
    pub(super) fn opened(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        call: Option<CallId>,
        opened: Opened,
    ) {
        let live = call.and_then(|call| self.calls.live.get_mut(&call));
        match opened {
            Opened::Refused(bytes) => match live {
                Some(live) => live.left_on_wire(turn, bytes),
                None => self.sessions.of(server).left_one(turn),
            },
            Opened::Known => {}
            Opened::Again => {
                if let Some(live) = live {
                    live.taken_on_wire(turn);
                }
            }
            Opened::New(request) => {
                if let Some(live) = live {
                    live.taken_on_wire(turn);
                }
                match request.call.and_then(|call| self.calls.live.get(&call)) {
                    Some(live) => live.notify_asked(turn, &request),
                    None => turn.notify_loose(&request, NoticeKind::NeedsInput),
                }
            }
        }
    }

    /// A server of the legacy wire tells something by itself.
    pub(super) fn told(&mut self, turn: &mut Turn<'_>, server: ServerId, notification: ServerNotification) {
        let (Some(session), Some(station)) = (self.sessions.get_mut(server), self.servers.get(server)) else {
            return;
        };
        let ServerNotification { news, related_task, channel, raw } = notification;
        match news {
            Told::TaskStatus(view) => {
                let Some(task_id) = view.task_id.clone() else { return };
                session.tells(turn);
                match self.calls.of_task(server, &task_id).and_then(|call| self.calls.live.get_mut(&call)) {
                    Some(live) => live.take_news(turn, &view),
                    // It may come before the answer that names the task, late, or never.
                    None => session.early.keep(task_id, view),
                }
            }
            Told::Progress(report) => {
                let Ok(call) = report.token.parse::<CallId>() else { return };
                let live = self.calls.live.get_mut(&call).filter(|live| live.server() == server);
                if let Some(live) = live {
                    live.progressed(turn, report.clone());
                }
            }
            Told::Cancelled { id: rpc, .. } => session.withdrawn(turn, &rpc),
            Told::ToolsListChanged => station.tools_changed(turn),
            Told::ElicitationComplete { elicitation_id } => {
                for call in self.calls.paged(server) {
                    if let Some(live) = self.calls.live.get_mut(&call) {
                        live.page_done(turn, &elicitation_id);
                    }
                }
            }
            Told::Refused { method } => {
                let of_channel = match channel {
                    Channel::Response { task_id, .. } => task_id,
                    Channel::Shared | Channel::Push => None,
                };
                let call =
                    related_task.or(of_channel).and_then(|task_id| self.calls.of_task(server, &task_id));
                if let Some(live) = call.and_then(|call| self.calls.live.get(&call)) {
                    session.refused_unasked(turn, &live.call, method, raw.text());
                }
            }
            Told::Log | Told::Other { .. } => {}
        }
    }

    /// What came over a stream.
    pub(super) fn pushed(&mut self, turn: &mut Turn<'_>, server: ServerId, number: u64, news: PushedNews) {
        let Some(station) = self.servers.get_mut(server) else { return };
        let Some(told_of) = station.stream(number) else { return };
        let error = match news {
            PushedNews::Task { call, poll } => {
                if let Some(live) = self.calls.live.get_mut(&call).filter(|_| told_of.contains(&call)) {
                    live.pushed(turn, poll, station.is_polling(call));
                }
                return;
            }
            PushedNews::Missed => {
                let calls = told_of.iter().copied().collect();
                return self.calls.poll_again(turn, calls, |call| station.is_busy_with(call));
            }
            PushedNews::ToolsChanged => return station.tools_changed(turn),
            PushedNews::Ended => None,
            PushedNews::Cut(error) => Some(error),
        };
        let calls = &self.calls.live;
        let left: Vec<CallId> = told_of.iter().copied().filter(|call| calls.contains_key(call)).collect();
        station.stream_ended(turn, error.as_ref(), !left.is_empty());
        self.calls.poll_again(turn, left, |call| station.is_busy_with(call));
    }
}
