//! What stands between the engine and the server: connections, and which requests of the server can be answered on one. It
//! keeps what the driver and `signalbox-mcp` promise, and nothing more.

use std::collections::BTreeSet;

use signalbox_mcp::{
    Error, SavedSession, Sent, ServerNews, ServerNotification, SessionEvent, SessionReplied,
};
use signalbox_model::Identity;

use super::super::{
    bench::*,
    legacy::{legacy_found, session_over},
    world::Fate,
};
use super::{
    World,
    peer::{Waits, words_in},
    sides::Side,
};
use crate::{Input, step::rpc_of};

#[derive(Debug, Default)]
pub(super) struct Line {
    /// One channel for all, and no session that can be resumed.
    pub(super) shared: bool,
    /// The connection that stands.
    pub(super) link: Option<u64>,
    /// The session on it.
    pub(super) session: u32,
    last: u64,
    /// The requests of the server that can be answered.
    pub(super) open: BTreeSet<String>,
    /// Connections that we closed, and of whose end the engine has not been told.
    pub(super) ending: Vec<u64>,
}

impl Line {
    pub(super) fn new(shared: bool) -> Self {
        Self { shared, ..Self::default() }
    }

    /// The program ended: of its sessions only the store knows.
    pub(super) fn begin_anew(&mut self) {
        self.link = None;
        self.last = 0;
        self.open.clear();
        self.ending.clear();
    }
}

impl World {
    /// A connection comes to stand.
    pub(super) fn establish(&mut self) {
        let offered = self.bench.state.rooms.servers.all[&self.at.server].stored_session();
        let offered = offered.and_then(|(id, _)| id.parse().ok());
        self.at.line.last += 1;
        let link = self.at.line.last;
        self.at.line.link = Some(link);
        self.at.line.session = self.at.peer.session;
        self.at.line.open.clear();
        let resumed = !self.at.line.shared && offered == Some(self.at.peer.session);
        if !resumed {
            self.at.peer.strand();
        }
        let saved = Some(self.at.peer.session).filter(|_| !self.at.line.shared);
        let saved = saved.map(|session| SavedSession { id: session.to_string(), initialized: json("{}") });
        self.feed(Input::Found { server: self.at.server, found: Box::new(legacy_found()) });
        self.feed(Input::Connected { server: self.at.server, link, saved, resumed });
    }

    /// The connection ends, and we hear of it.
    pub(super) fn cut(&mut self, what: u8) {
        let Some(link) = self.at.line.link.take() else { return };
        let error = match what {
            0 => session_over(),
            1 => exited(),
            2 => lost(),
            _ => Error::Closed,
        };
        self.at.line.open.clear();
        if self.at.line.shared {
            self.at.peer.forget(what == 1);
        } else if error.session_is_over() && self.at.line.session == self.at.peer.session {
            self.at.peer.forget(false);
        }
        self.ended(link, error);
    }

    fn ended(&mut self, link: u64, error: Error) {
        if self.bench.state.rooms.sessions.all[&self.at.server].link == Some(link) {
            self.at.peer.strand();
        }
        let event = Box::new(SessionEvent::Ended(error));
        self.feed(Input::Heard { server: self.at.server, link, event, fresh: None });
    }

    /// We hear of the end of so many connections that we closed.
    pub(super) fn told_of_ends(&mut self, most: usize) {
        for _ in 0..most.min(self.at.line.ending.len()) {
            let link = self.at.line.ending.remove(0);
            self.ended(link, Error::Closed);
        }
    }

    /// Something comes on a connection of before: nobody's.
    pub(super) fn late(&mut self, what: u8) {
        let Some(link) = self.at.line.last.checked_sub(1).filter(|link| *link > 0) else { return };
        if Some(link) == self.at.line.link || self.at.line.ending.contains(&link) {
            return;
        }
        let news = ServerNews::Cancelled { id: u32::from(what).to_string(), reason: None };
        let notification = ServerNotification {
            news,
            related_task: None,
            channel: signalbox_mcp::Channel::Push,
            raw: json("{}"),
        };
        let event = match what {
            0 => SessionEvent::Ended(session_over()),
            _ => SessionEvent::Notification(Box::new(notification)),
        };
        if self.at.line.link.is_some() {
            self.feed(Input::Heard { server: self.at.server, link, event: Box::new(event), fresh: None });
        }
    }

    /// Does what the engine wants done at once.
    pub(super) fn settle(&mut self) {
        for (server, told) in std::mem::take(&mut self.bench.to_lines) {
            let link = self.bench.state.rooms.sessions.all[&server].link;
            let Side { line, peer, .. } = self.side(server);
            let known = link.is_some() && link == line.link;
            match told {
                ToLine::Remember(requests) if known => line.open.extend(requests.iter().filter_map(rpc_of)),
                ToLine::Close(rpc) if known => {
                    line.open.remove(&rpc);
                }
                ToLine::Remember(_) | ToLine::Close(_) => {}
                ToLine::Disconnect => {
                    line.open.clear();
                    let Some(link) = line.link.take() else { continue };
                    if line.shared {
                        peer.forget(false);
                    }
                    line.ending.push(link);
                }
            }
        }
        self.given_up.extend(std::mem::take(&mut self.bench.let_go));
        let flights = &self.bench.flights;
        let on_wire =
            |call| flights.iter().any(|f| matches!(f, Flight::Result { call: c, .. } if *c == call));
        self.given_up.retain(|call| on_wire(*call));
        let new = self.bench.wire_replies.len() - self.seen;
        self.seen += new;
        let first = self.bench.replies_out.len().saturating_sub(new);
        let new: Vec<_> = self.bench.replies_out[first..].iter().map(|r| (r.server, r.rpc.clone())).collect();
        for (server, rpc) in new {
            let peer = &mut self.side(server).peer;
            if let Some(Waits::Answer(at) | Waits::Created(at)) = peer.waits.get(&rpc) {
                peer.asked[*at].replied_to = true;
            }
        }
    }

    /// A reply reaches the server.
    pub(super) fn arrives(&mut self, reply: &WireReply) {
        if self.at.line.session != self.at.peer.session || Some(reply.link) != self.at.line.link {
            return;
        }
        let Some((said, at)) = self.at.peer.takes(&reply.rpc, &reply.reply) else { return };
        let (words, request) = self.people.of(said);
        assert_eq!(
            self.at.peer.asked[at].words, words,
            "an answer goes to the question to which it was given"
        );
        assert!(!self.people.taken_back.contains(&said), "what was taken back is never seen");
        let Some(row) = self.bench.disk.requests.get(&request) else { return };
        assert!(matches!(row.identity, Identity::Wire { .. }));
        assert_eq!(words_in(row.raw.text()).as_ref(), Some(&words), "the row tells of that question");
        let answer = row.answer.as_ref().filter(|answer| answer.sent_at.is_some());
        let earlier = row.earlier.as_ref().map(|earlier| &earlier.answer);
        let mut answers = answer.into_iter().chain(earlier);
        let said = format!("said {said}\"");
        let tells = answers.any(|answer| answer.content.as_ref().is_some_and(|c| c.text().contains(&said)));
        assert!(tells, "{said} arrives, and the row says {row:?}");
    }

    pub(super) fn reply_lands(&mut self, reply: WireReply, fate: Fate) {
        let WireReply { link, rpc, request, .. } = &reply;
        let became = if Some(*link) != self.at.line.link {
            Err(session_over())
        } else if !self.at.line.open.remove(rpc) {
            Ok(SessionReplied::NotOpen)
        } else if self.at.line.session != self.at.peer.session {
            Err(session_over())
        } else {
            let acts = fate.acts() || matches!(fate, Fate::Swallowed | Fate::Odd);
            if acts {
                self.arrives(&reply);
            }
            match fate.error() {
                None => Ok(SessionReplied::Delivered),
                Some(error) => {
                    if error.sent() == Sent::No {
                        self.at.line.open.insert(rpc.clone());
                    }
                    Err(error)
                }
            }
        };
        if matches!(became, Ok(SessionReplied::Delivered)) {
            self.at.peer.delivered(rpc, &reply.reply);
        }
        let over = became.as_ref().is_err_and(Error::session_is_over);
        if let Some(request) = request {
            self.feed(Input::Replied { server: self.at.server, request: *request, reply: became });
        }
        if over && Some(*link) == self.at.line.link {
            self.cut(0);
        }
    }
}
