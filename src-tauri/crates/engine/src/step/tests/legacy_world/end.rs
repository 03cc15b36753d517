//! Whether the rows say what is true: after every op, and when the world has become kind again.

use signalbox_model::{InputRequest, Json, RequestId, RequestState};

use super::super::world::Fate;
use super::{
    Op, World,
    peer::{Stands, said_in},
};
use crate::{Intent, schedule::Due};

fn is_over(row: &InputRequest) -> bool {
    matches!(row.state, RequestState::Answered | RequestState::Closed | RequestState::Orphaned)
}

impl World {
    /// The rows tell no untruth of any server.
    pub(super) fn agrees(&mut self) {
        self.at_each(Self::agrees_here);
    }

    fn agrees_here(&mut self) {
        let server = self.at.server;
        let rows = || self.bench.disk.requests.values().filter(move |row| row.server == server);
        for row in rows() {
            let Some(answer) = &row.answer else { continue };
            let said = answer.content.as_ref().and_then(|content| said_in(content.text()));
            if let Some(said) = said.filter(|_| answer.acknowledged_at.is_some()) {
                assert!(self.at.peer.heard.contains(&said), "it never arrived: {row:?}");
            }
        }
        let session = &self.bench.state.rooms.sessions.all[&server];
        for question in &session.questions {
            let out =
                self.bench.replies_out.iter().filter(|reply| reply.request == Some(question.request.id));
            assert_eq!(question.replies as usize, out.count(), "replies under way are counted: {question:?}");
            let unsure = question.request.state == RequestState::Unknown;
            assert!(!unsure || question.replies == 0, "what becomes of it is still to be told: {question:?}");
        }
        let told = self.at.line.ending.is_empty();
        assert!(!told || session.link == self.at.line.link, "what stands is known: {:?}", self.at.line);
        // Of several that say the same the one that is open.
        let of = |raw: &Json| {
            let same = || rows().filter(|row| row.raw == *raw);
            same().find(|row| !is_over(row)).or_else(|| same().next_back())
        };
        if session.link.is_none() || self.at.line.link != session.link {
            let closed = |at: &usize| of(&self.at.peer.asked[*at].request.raw).is_none_or(is_over);
            self.at.unheard.extend((0..self.at.peer.asked.len()).filter(closed));
            return;
        }
        if self.at.line.session != self.at.peer.session {
            return;
        }
        for (at, asked) in self.at.peer.asked.iter().enumerate() {
            let row = of(&asked.request.raw);
            let of_task = asked.request.as_task.is_some();
            if self.at.peer.waits_for(asked)
                && !of_task
                && !asked.replied_to
                && !self.at.unheard.contains(&at)
            {
                assert!(
                    row.is_some_and(|row| !is_over(row)),
                    "the server waits for {asked:?}, and there is {row:?}"
                );
            }
            let again =
                || self.at.peer.asked[at + 1..].iter().any(|later| later.request.raw == asked.request.raw);
            if asked.stands == Stands::Withdrawn && !of_task && !again() {
                let waits = |row: &InputRequest| row.needs_person() && row.state != RequestState::Unknown;
                assert!(!row.is_some_and(waits), "the server has withdrawn {asked:?}, and there is {row:?}");
            }
        }
    }

    /// All that is on the wire arrives and is answered.
    pub(super) fn is_kind(&mut self, ms: u64) {
        for _ in 0..3 {
            while let Some(reply) =
                (!self.bench.replies_out.is_empty()).then(|| self.bench.replies_out.remove(0))
            {
                self.turn_to(reply.server);
                self.reply_lands(reply, Fate::Served);
            }
            for _ in 0..self.bench.flights.len() {
                if !self.bench.flights.is_empty() {
                    self.lands_at_home(0, Fate::Served);
                }
            }
            self.agrees();
        }
        self.bench.pass(ms);
        self.settle();
        self.agrees();
    }

    /// The world is kind again: every question that somebody waits for is answered, and every task comes to its end.
    pub(crate) fn come_to_an_end(mut self, restart: bool) {
        self.bench.full = false;
        self.plain = 0;
        if restart {
            self = self.play(Op::Restart(1, true));
        }
        for n in 0..Self::SERVERS {
            self =
                self.play(Op::Turn(n)).play(Op::Told).play(Op::Told).play(Op::Enable(true)).play(Op::Check);
            self.told_of_ends(usize::MAX);
        }
        self.bench.wish(Intent::FollowAll).expect("it is always granted");
        for _ in 0..25 {
            self.is_kind(1_000);
        }
        self.answers_arrive();
        self.at_each(|world| {
            world.at.peer.tasks.values_mut().for_each(|theirs| theirs.end = theirs.end.or(Some(0)));
        });
        let mut rounds = 0;
        while self.bench.state.live_calls() > 0 || !self.bench.flights.is_empty() {
            self.is_kind(1_000);
            rounds += 1;
            assert!(rounds < 10_000, "something sleeps for ever: {:?}", self.bench.disk.calls);
        }
        // As long as any task may be fetched that we host.
        for _ in 0..25 {
            self.is_kind(1_000);
        }
        self.at_each(|world| world.is_done());
        assert!(self.bench.disk.calls.values().all(|call| call.ended() && call.open_requests == 0));
        let mut left = std::mem::take(&mut self.bench.state.shared.schedule);
        left.clear(Due::Sweep);
        for n in 0..Self::SERVERS {
            left.clear(Due::Heard(Self::server(n)));
            // An undo window, or a task of ours that lives on.
            left.clear(Due::Reply(Self::server(n)));
        }
        assert_eq!(left.next(), None, "and nothing is left to do");
    }

    /// Nothing is under way at this server, and all permits are back.
    fn is_done(&self) {
        let server = self.at.server;
        let station = &self.bench.state.rooms.servers.all[&server];
        let session = &self.bench.state.rooms.sessions.all[&server];
        assert!(
            station.polls.under_way.is_empty()
                && station.polls.queue.is_empty()
                && !self.bench.state.rooms.calls.has_any(server)
        );
        assert!(station.has_no_errands());
        for results in [&session.held_results, &session.fetched_results] {
            assert!(results.under_way.is_empty() && results.queue.is_empty(), "all permits are back");
        }
        assert!(session.leaving.is_empty(), "nothing is told to end that has ended");
        for question in &session.questions {
            assert_eq!(question.replies, 0, "every reply came to its end: {question:?}");
        }
    }

    /// Everything to which something can be said is answered: the server gets it.
    fn answers_arrive(&mut self) {
        let open = |row: &InputRequest| row.needs_person();
        let open: Vec<RequestId> =
            self.bench.disk.requests.values().filter(|row| open(row)).map(|row| row.id).collect();
        for id in &open {
            let row = self.bench.question(*id);
            if row.needs_person() {
                let before = row.clone();
                assert!(self.answer(*id, 0), "it can be answered: {before:?}");
                self.settle();
            }
        }
        for _ in 0..3 {
            self.at_each(|world| {
                for n in 0..world.at.peer.ours.len() {
                    // Who wanted a task fetches it, and may do so again.
                    world.about_hosted(n, 0);
                }
            });
            for _ in 0..7 {
                self.is_kind(1_000);
            }
        }
        for id in open {
            let row = self.bench.question(id).clone();
            self.turn_to(row.server);
            let waits = self
                .at
                .peer
                .asked
                .iter()
                .any(|asked| asked.request.raw == row.raw && self.at.peer.waits_for(asked));
            assert!(!waits || row.hosted.is_some(), "the server still waits for the answer to {row:?}");
            let settled = matches!(row.state, RequestState::Answered | RequestState::Closed);
            assert!(settled || row.hosted.is_some(), "its answer is through: {row:?}");
        }
    }
}
