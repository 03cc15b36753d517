//! What must hold after every step on the legacy wire: of replies, of requests for results, and of what waits to go.

use std::collections::BTreeSet;

use signalbox_mcp::{Sent, SessionReply};
use signalbox_model::{CallId, Decision, DecisionKind, RequestId, RequestState, ServerId};

use super::{bench::Flight, disk::Disk, log::Log};
use crate::{
    Effect, Input, State,
    effect::response,
    schedule::Due,
    shared::Place,
    step::{Gate, Session, Station},
};

/// Remembers what went out as the reply to a request.
#[derive(Debug, Default)]
pub(crate) struct Replies {
    /// The question, and how often it had been answered.
    out: BTreeSet<(RequestId, usize)>,
    /// A server has just said what it is: its connection is told of next.
    pub(crate) met: bool,
}

impl Replies {
    /// An answer goes out as it was kept, and to a plain request once.
    pub(crate) fn of_effect(&mut self, effect: &Effect, disk: &Disk, log: &Log) {
        let Effect::ReplyOnWire { reply, request: Some(id), .. } = effect else { return };
        let row = &disk.requests[id];
        assert_eq!(row.state, RequestState::Sending, "kept as sending first: {row:?}");
        assert!(row.sent(), "kept as sent first: {row:?}");
        match (response(row), reply) {
            (Some(kept), SessionReply::Result(sent)) => {
                assert_eq!(&kept, sent, "sent as kept");
                log.told_before_sending(*id, sent, row.hosted.is_some());
            }
            (None, SessionReply::Error { code: -1, .. }) => {}
            (kept, sent) => panic!("{sent:?} is sent, and {kept:?} is kept"),
        }
        if row.hosted.is_none() {
            let decided =
                |entry: &&Decision| entry.kind == DecisionKind::Answered && entry.request == Some(*id);
            let first = self.out.insert((*id, disk.decisions.iter().filter(decided).count()));
            assert!(first, "one answer goes out twice: {row:?}");
        }
    }

    /// What certainly did not arrive may go again.
    pub(crate) fn of_input(&mut self, input: &Input) {
        self.met = matches!(input, Input::Found { .. } | Input::Discovered { reply: Ok(_), .. });
        if let Input::Replied { request, reply: Err(error), .. } = input
            && error.sent() == Sent::No
        {
            self.out.retain(|(of, _)| of != request);
        }
    }
}

/// Each permit for a result is a request on the wire, and what is to go has its time.
pub(crate) fn of_station(
    state: &State,
    (id, station): (ServerId, &Station),
    flights: &[Flight],
    (now, met): (u64, bool),
) {
    let Some(session) = state.rooms.sessions.all.get(&id) else { return };
    for of_held in [true, false] {
        let (results, most) = match of_held {
            true => (&session.held_results, session.holds()),
            false => (&session.fetched_results, Session::FETCHES),
        };
        let on_wire = || {
            flights.iter().filter_map(|flight| match flight {
                Flight::Result { server, call, held } if *server == id && *held == of_held => Some(*call),
                _ => None,
            })
        };
        let known = &results.under_way;
        let same = known.len() == on_wire().count() && on_wire().all(|call| known.contains_key(&call));
        assert!(same, "each permit is one request for a result: {known:?} {flights:?}");
        assert!(known.len() <= most, "more requests for results than permits");
    }
    let leaves = |call: &CallId| session.held_results.has(*call);
    assert!(session.leaving.iter().all(leaves), "what is told to end is under way: {:?}", session.leaving);
    let reply_at = state.shared.schedule.at(Due::Reply(id));
    let quiet = state.shared.schedule.is_set(Due::Quiet(id));
    for question in &session.questions {
        let request = &question.request;
        assert_eq!(state.shared.places.get(&request.id), Some(&Place::Wire(id)), "a question is found");
        let in_time = reply_at.is_some_and(|at| at <= question.release_at);
        match request.state {
            RequestState::Held => assert!(in_time, "an undo window ends: {request:?}"),
            RequestState::Sending if !request.sent() && request.hosted.is_none() => {
                let waits_for_time = question.release_at > now && in_time;
                let stands = session.link.is_some();
                assert!(!stands || waits_for_time, "an answer sleeps for ever: {request:?}");
                // The polls of tasks make a connection, and so does whoever opens a gate.
                let live = |id: CallId| {
                    state
                        .rooms
                        .calls
                        .live
                        .get(&id)
                        .is_some_and(|live| live.polling.followed && live.call.task.is_some())
                };
                let comes = state.rooms.calls.at(id).any(live)
                    || station.reach.gate != Gate::Open
                    || station.reach.probing;
                assert!(
                    stands || comes || waits_for_time || quiet || met,
                    "an answer waits for nothing: {request:?}"
                );
            }
            _ => {}
        }
    }
}
