//! A wish that could not be committed never was: what it touched is put back as it was.
//!
//! Only intents are taken back. What a server said waits in the store's writer, in order, until it can be committed.

use signalbox_model::CallId;

use super::{Live, Next, Turn};
use crate::{
    shared::Errand,
    state::{Before, Rooms},
};

impl Rooms {
    pub(super) fn restore(&mut self, turn: &mut Turn<'_>, before: Before) {
        match before {
            Before::Nothing => {}
            Before::All(all) => all.into_iter().for_each(|before| self.restore(turn, before)),
            Before::Tuning(tuning) => *turn.tuning = tuning,
            Before::Server(id, None) => {
                self.servers.all.remove(&id);
                self.sessions.all.remove(&id);
            }
            Before::Server(id, Some(server)) => {
                if let Some(station) = self.servers.get_mut(id) {
                    station.configure(turn, *server);
                }
            }
            Before::Call(id, before) => self.put_back(turn, id, before),
            Before::Waiting { calls, fates } => self.wait_again(turn, calls, fates),
            Before::Polled(waiters) => {
                for (id, tokens) in waiters {
                    if let Some(live) = self.calls.live.get_mut(&id) {
                        live.wait_again(tokens);
                    }
                }
            }
            Before::Wire(server, before) => {
                let calls = self.sessions.of(server).put_back(turn, *before);
                calls.into_iter().for_each(|call| {
                    self.recount(call);
                });
            }
        }
    }

    /// A call as it was.
    fn put_back(&mut self, turn: &mut Turn<'_>, id: CallId, before: Option<Box<Live>>) {
        // What it would have sent is not sent, and needs no permit.
        let was_under_way = |errand| before.as_ref().is_some_and(|live| live.is_under_way(errand));
        let taken_back =
            [Errand::Answers, Errand::Cancel].into_iter().filter(|errand| !was_under_way(*errand));
        let taken_back: Vec<_> = taken_back.collect();
        let removed = self.calls.remove(turn, id);
        let server = removed.as_ref().or(before.as_ref()).map(|live| live.server());
        if let Some(station) = server.and_then(|server| self.servers.get_mut(server)) {
            for errand in taken_back {
                station.sent(id, errand);
            }
            station.forget(id);
        }
        if let Some(session) = server.and_then(|server| self.sessions.get_mut(server)) {
            session.stop_waiting(id);
            session.candidates.remove(id);
        }
        if let Some(live) = before {
            turn.count_left(live.server(), 0, live.beyond.left.map_or(0, |left| left.n));
            self.keep(turn, *live);
            turn.then(Next::Rearm(id));
        }
    }
}
