//! What must hold after every step, whatever happened. Longer than most: all of it is held against the same two states, that
//! of memory and that of the disk.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use signalbox_mcp::{Error, RoundAnswers, Sent, TaskView};
use signalbox_model::{
    CallId, Delivery, Event, EventKind, Identity, InputRequest, Json, PayloadKind, ROOTS, RequestId,
    RequestState, ServerId, Timestamp, Wire,
};

use super::{
    bench::Flight,
    disk::Disk,
    log::Log,
    wire_audit::{self, Replies},
};
use crate::{
    Effect, Input, State, Token,
    effect::response,
    room::Room,
    schedule::Due,
    shared::{Errand, Place},
    step::{Candidates, Gate, Live, Station, Update, decided},
};

/// Remembers what has been sent.
#[derive(Debug, Default)]
pub(crate) struct Audit {
    called: BTreeSet<CallId>,
    /// Call, round, and how often its questions had been answered.
    retried: BTreeSet<(CallId, u32, usize)>,
    /// To which server the errands of each call go.
    homes: BTreeMap<CallId, ServerId>,
    steps: usize,
    next: usize,
    answers: BTreeMap<(RequestId, usize), Json>,
    replies: Replies,
    log: Log,
}

impl Audit {
    /// What was just committed is told truly.
    pub(crate) fn of_disk(&mut self, disk: &Disk) {
        self.log.read_on(disk);
    }

    /// Everything an effect depends on is on the disk before it happens.
    pub(crate) fn of_effect(&mut self, effect: &Effect, disk: &Disk, flights: &[Flight]) {
        match effect {
            Effect::CallTool { call, tool, arguments, round, .. } => {
                assert_eq!(disk.calls[call].delivery, Delivery::Sent, "the intent is on the disk first");
                assert_eq!(&disk.payloads[&(*call, PayloadKind::Arguments)], arguments);
                let under_way = |flight: &Flight| matches!(flight, Flight::Call { call: c, .. } if c == call);
                assert!(!flights.iter().any(under_way), "one at a time: {call:?}");
                if self.called.insert(*call) {
                    assert_eq!(round, &None, "nothing is known of the call yet");
                    self.log.told_before_calling(*call, tool, arguments, disk);
                } else {
                    self.of_retry(*call, round.as_ref(), disk);
                }
            }
            Effect::GetTask { line, call, task_id } => {
                handle_is_kept(disk, *call, task_id);
                let polls = |flight: &&Flight| matches!(flight, Flight::Poll { server, .. } if *server == line.server);
                let under_way = flights.iter().filter(polls).count();
                assert!(under_way < Station::PERMITS, "more polls than permits at {:?}", line.server);
                let same = Flight::Poll { server: line.server, call: *call };
                assert!(!flights.contains(&same), "one poll at a time: {call:?}");
            }
            Effect::UpdateTask { line, call, task_id, requests, responses } => {
                self.homes.insert(*call, line.server);
                handle_is_kept(disk, *call, task_id);
                let other = |flight: &Flight| matches!(flight, Flight::Update { call: c, .. } if c == call);
                assert!(!flights.iter().any(other), "one update at a time: {call:?}");
                assert_eq!(requests.len(), responses.len());
                for (id, (key, sent)) in requests.iter().zip(responses) {
                    let request = &disk.requests[id];
                    assert_eq!(request.state, RequestState::Sending, "kept as sending first");
                    assert_eq!(request.identity.key(), key);
                    let answer = request.answer.as_ref().expect("what is sent has been answered");
                    assert!(answer.sent_at.is_some(), "kept as sent first");
                    let kept = response(request).expect("what is sent has a shape");
                    assert_eq!(&kept, sent, "sent as kept");
                    let decisions = decisions(*id, disk);
                    let first = self.answers.entry((*id, decisions)).or_insert(kept);
                    assert_eq!(first, sent, "sent again as sent first");
                    self.log.told_before_sending(*id, sent, false);
                }
            }
            Effect::CancelTask { line, call, task_id } => {
                self.homes.insert(*call, line.server);
                handle_is_kept(disk, *call, task_id);
                self.log.told_before_cancelling(*call);
                assert!(disk.calls[call].cancel.is_some(), "the wish is on the disk first");
                assert!(!flights.contains(&Flight::Cancel { call: *call }), "one wish at a time");
            }
            Effect::ReplyOnWire { .. } => self.replies.of_effect(effect, disk, &self.log),
            Effect::GetResult { call, task_id, .. } => handle_is_kept(disk, *call, task_id),
            Effect::Listen { tasks, .. } => {
                assert!(!tasks.is_empty(), "nothing is listened for in vain");
                for (call, task_id) in tasks {
                    handle_is_kept(disk, *call, task_id);
                }
            }
            _ => {}
        }
    }

    /// A call is made again with a whole round, once for each time that it was decided.
    fn of_retry(&mut self, call: CallId, sent: Option<&RoundAnswers>, disk: &Disk) {
        let round = disk.rounds.get(&call).unwrap_or_else(|| panic!("tools/call is repeated: {call:?}"));
        let of_round = |request: &&InputRequest| matches!(request.identity, Identity::Round { call: c, n, .. } if (c, n) == (call, round.n));
        let asked: Vec<&InputRequest> = disk.requests.values().filter(of_round).collect();
        let decided = asked.iter().map(|request| decisions(request.id, disk)).sum();
        assert!(self.retried.insert((call, round.n, decided)), "a round is sent twice: {call:?} {round:?}");
        for request in &asked {
            assert_eq!(
                request.state,
                RequestState::Sending,
                "nothing is sent before all is decided: {request:?}"
            );
        }
        let Some(sent) = sent else {
            assert!(round.raw.text().contains("-32042"), "without responses only where none are wanted");
            return;
        };
        assert_eq!(sent.request_state, round.request_state, "byte for byte");
        let wanted: BTreeSet<String> =
            TaskView::read(&round.raw).input_requests.into_iter().map(|(key, _)| key).collect();
        let keys: BTreeSet<String> = sent.input_responses.iter().map(|(key, _)| key.clone()).collect();
        assert_eq!(keys, wanted, "a round goes out complete");
        for (key, response_sent) in &sent.input_responses {
            let request = asked.iter().find(|request| request.identity.key() == key).expect("it was asked");
            assert!(
                request.answer.as_ref().is_some_and(|answer| answer.sent_at.is_some()),
                "kept as sent first"
            );
            assert_eq!(response(request).as_ref(), Some(response_sent), "sent as kept");
            self.log.told_before_sending(request.id, response_sent, false);
        }
    }

    /// What certainly did not arrive may go again; so may a call whose pages are not done.
    pub(crate) fn of_input(&mut self, input: &Input) {
        self.replies.of_input(input);
        let call = match input {
            Input::NotSent { call, .. } => call,
            Input::Called { call, reply: Err(error) }
                if error.sent() == Sent::No || matches!(error, Error::Rpc { code: -32042, .. }) =>
            {
                call
            }
            _ => return,
        };
        self.retried.retain(|(of, ..)| of != call);
    }

    /// Nothing sleeps for ever, nothing leaks, nothing is in memory only.
    pub(crate) fn of_state(
        &mut self,
        state: &State,
        disk: &Disk,
        (flights, unanswered): (&[Flight], &[Token]),
        now: u64,
    ) {
        self.steps += 1;
        // The larger the crowd, the more seldom: reading all each time would take longer than the stories.
        if self.steps < self.next {
            return;
        }
        self.next =
            self.steps + if state.rooms.calls.live.len() < 64 { 0 } else { state.rooms.calls.live.len() / 4 };
        let mut waiters: HashSet<Token> = HashSet::new();
        for (id, station) in &state.rooms.servers.all {
            gate_is_watched(state, *id, station, flights);
            // No two of them are the same: each was alone when it went out.
            let polls = || {
                flights.iter().filter_map(|flight| match flight {
                    Flight::Poll { server, call } if server == id => Some(*call),
                    _ => None,
                })
            };
            let known = &station.polls.under_way;
            let same = known.len() == polls().count() && polls().all(|call| known.contains_key(&call));
            assert!(same, "each permit is one poll on the wire: {known:?} {flights:?}");
            let here = |(call, _): &(CallId, Errand)| self.homes.get(call) == Some(id);
            let errands = || flights.iter().filter_map(errand).filter(here);
            let known = &station.errands.under_way;
            let same = known.len() == errands().count() && errands().all(|errand| known.contains(&errand));
            assert!(same, "each permit is one errand on the wire: {known:?} {flights:?}");
            assert!(known.len() <= Station::PERMITS, "more errands than permits");
            let (mut known, row) = (station.server.clone(), &disk.servers[id]);
            // Every answer moves it: the row follows seldom.
            known.heard_at = row.heard_at;
            assert_eq!(known, *row, "the server's row is what is known of it");
            let planned = state.shared.schedule.is_set(Due::Heard(*id));
            assert_eq!(station.hearing.planned, planned, "what was heard is shown one day");
            candidates_are_known(state, station);
            wire_audit::of_station(state, (*id, station), flights, (now, self.replies.met));
            waiters.extend(&station.waiters);
            let asked = flights.contains(&Flight::Discover { server: *id });
            assert!(station.waiters.is_empty() || asked, "who waits for a check waits for something");
            assert!(!station.reach.probing || asked, "a probe is under way as long as its request is");
        }
        room_is_counted(state);
        let on_wire = state.rooms.sessions.all.values().flat_map(|session| &session.questions);
        on_wire.for_each(|question| question_is_kept(&question.request, disk));
        for live in state.rooms.calls.live.values() {
            call_is_kept(state, live, disk);
            call_goes_on(state, live, flights, now);
            waiters.extend(&live.polling.waiters);
        }
        let under_way = flights.iter().any(|flight| matches!(flight, Flight::Call { .. }));
        assert!(
            state.rooms.awaiting_calls.is_empty() || under_way,
            "who waits for calls waits for something"
        );
        waiters.extend(&state.rooms.awaiting_calls);
        for (server, waiting) in &state.rooms.waiting {
            assert!(
                !waiting.is_empty() && state.shared.schedule.is_set(Due::Late(*server)),
                "nobody waits for ever"
            );
            waiters.extend(waiting.iter().map(crate::step::Waiter::token));
        }
        for token in unanswered {
            assert!(waiters.contains(token), "{token:?} would wait for ever");
        }
        for call in disk.calls.values().filter(|call| !call.ended()) {
            assert!(state.rooms.calls.live.contains_key(&call.id), "a live call is followed: {:?}", call.id);
        }
    }
}

/// How often a question was answered.
fn decisions(id: RequestId, disk: &Disk) -> usize {
    let answered = |e: &&Event| e.kind == EventKind::Answered && e.request == Some(id);
    disk.events.iter().filter(answered).count()
}

fn errand(flight: &Flight) -> Option<(CallId, Errand)> {
    match flight {
        Flight::Update { call, .. } => Some((*call, Errand::Answers)),
        Flight::Cancel { call } => Some((*call, Errand::Cancel)),
        Flight::Call { .. } | Flight::Poll { .. } | Flight::Discover { .. } | Flight::Result { .. } => None,
    }
}

fn handle_is_kept(disk: &Disk, call: CallId, task_id: &str) {
    let row = disk.calls.get(&call).unwrap_or_else(|| panic!("{call:?} is on the disk first"));
    assert_eq!(
        row.task.as_ref().map(|task| task.task_id.as_str()),
        Some(task_id),
        "the handle is kept first"
    );
    assert!(!row.ended(), "nothing is sent for an ended task: {call:?}");
}

fn gate_is_watched(state: &State, id: ServerId, station: &Station, flights: &[Flight]) {
    let probe = state.shared.schedule.is_set(Due::Probe(id));
    let asked = flights.contains(&Flight::Discover { server: id });
    assert!(!station.reach.probing || asked, "a probe under way is on the wire");
    match station.reach.gate {
        Gate::Open => {
            let idle = !station.polls.queue.is_empty() && station.polls.under_way.len() < Station::PERMITS;
            let paced = state.shared.schedule.is_set(Due::Admit(id));
            assert!(!idle || paced, "a free permit is handed on, or will be as soon as the pace allows");
        }
        Gate::Down { .. } => {
            // A call that waits for its answer is itself the probe.
            let needed = state.rooms.calls.at(id).any(|id| state.rooms.calls.live[&id].call.task.is_some());
            let watched = probe || station.reach.probing || !needed;
            assert!(watched, "a server that is down and needed is tried again");
        }
        Gate::Shut { .. } => {}
    }
}

/// Who can have asked is what the calls themselves say.
fn candidates_are_known(state: &State, station: &Station) {
    let Some(session) = state.rooms.sessions.all.get(&station.server.id) else { return };
    if session.link.is_none() || station.server.wire != Some(Wire::Legacy) {
        return;
    }
    let mut known = Candidates::default();
    for id in state.rooms.calls.at(station.server.id) {
        known.put(&state.rooms.calls.live[&id].call);
    }
    assert_eq!(session.candidates, known, "a question finds whose it is");
    let here = Place::Wire(station.server.id);
    let wired = state.shared.places.values().filter(|place| **place == here).count();
    assert_eq!(wired, session.questions.len(), "nothing lingers");
}

fn call_is_kept(state: &State, live: &Live, disk: &Disk) {
    let (id, row) = (live.call.id, &disk.calls[&live.call.id]);
    let mut known = live.call.clone();
    known.next_poll_at = row.next_poll_at;
    // A server may report it all the time.
    known.progress.clone_from(&row.progress);
    assert_eq!(known, *row, "nothing of a call is in memory only");
    for question in &live.questions {
        question_is_kept(&question.request, disk);
        assert_eq!(state.shared.places.get(&question.request.id), Some(&Place::Call(id)));
    }
    let session = state.rooms.sessions.all.get(&live.call.server);
    // What is asked of our settings waits for nobody.
    let of_person = |request: &InputRequest| request.wants_person() && request.method != ROOTS;
    let own = live.questions.iter().map(|question| &question.request).filter(|request| of_person(request));
    let on_wire = session.into_iter().flat_map(|session| session.wanting_of(id));
    let asked: Vec<Timestamp> = own.chain(on_wire).map(|request| request.opened_at).collect();
    assert!(live.call.ended() || live.call.open_requests as usize == asked.len(), "the count is right");
    let since = asked.into_iter().min();
    assert_eq!(live.call.waiting_since, since.filter(|_| !live.call.ended()), "and so is since when");
}

/// What is over has left its texts to the disk, where only the last are kept that nobody answered.
fn question_is_kept(request: &InputRequest, disk: &Disk) {
    let Some(kept) = disk.requests.get(&request.id) else {
        let undecided = request.state == RequestState::Closed && request.answer.is_none();
        assert!(undecided && request.is_bare(), "a question is in memory only: {request:?}");
        return;
    };
    let mut kept = kept.clone();
    if request.is_bare() {
        kept.strip();
    }
    assert_eq!(*request, kept, "nothing of a question is in memory only");
}

/// What questions weigh is counted as they come, change and go.
fn room_is_counted(state: &State) {
    let of_calls = state.rooms.calls.live.values().flat_map(|live| &live.questions);
    let on_wire = state.rooms.sessions.all.values().flat_map(|session| &session.questions);
    let mut room = Room::default();
    let questions = of_calls.chain(on_wire);
    questions.for_each(|question| room.enter(&question.request, question.stored));
    assert_eq!(state.shared.room, room, "nothing is counted that is not there, and nothing is forgotten");
    for station in state.rooms.servers.all.values() {
        let id = station.server.id;
        let left = state.rooms.calls.at(id).filter_map(|id| state.rooms.calls.live[&id].beyond.left);
        let loose = state.rooms.sessions.all.get(&id).map_or(0, |session| session.left);
        assert_eq!(station.left(), left.map(|left| left.n).sum::<u32>() + loose, "what is left is counted");
    }
}

/// The most valuable one: nothing sleeps for ever.
fn call_goes_on(state: &State, live: &Live, flights: &[Flight], now: u64) {
    let id = live.call.id;
    let station = &state.rooms.servers.all[&live.call.server];
    let updating = flights.iter().any(|f| matches!(f, Flight::Update { call, .. } if *call == id));
    assert_eq!(
        live.answers.update == Update::UnderWay,
        updating,
        "an update under way is on the wire: {id:?}"
    );
    assert_eq!(
        live.cancelling.under_way,
        flights.contains(&Flight::Cancel { call: id }),
        "so is a wish to cancel"
    );
    if live.call.ended() {
        assert!(updating, "an ended call stays in memory only for its last acknowledgement: {id:?}");
        return;
    }
    let has_task = live.call.task.is_some();
    let calling = flights.iter().any(|f| matches!(f, Flight::Call { call, .. } if *call == id));
    assert_eq!(calling, live.call.delivery == Delivery::Sent, "a call under way is on the wire: {id:?}");
    round_goes(state, live, station);
    assert!(has_task || calling || live.call.delivery == Delivery::Answered, "somebody waits for {id:?}");
    assert!(live.polling.followed || !live.owes() || !has_task, "what is owed is followed: {id:?}");
    assert!(
        live.polling.waiters.is_empty() || live.polling.followed && station.reach.gate == Gate::Open,
        "waiters have a poll"
    );
    let held = live.questions.iter().any(|q| q.request.state == RequestState::Held);
    assert!(!held || state.shared.schedule.is_set(Due::Send(id)), "an undo window ends: {id:?}");
    owed_goes(state, live, station);
    if live.polling.followed && has_task && station.reach.gate == Gate::Open {
        let due = state.shared.schedule.at(Due::Poll(id));
        // The longest interval, backoff or silence with its jitter: later is as good as never.
        assert!(due.is_none_or(|at| at <= now + 4_000_000), "{id:?} sleeps too long: {due:?} at {now}");
        let goes_on =
            due.is_some() || station.polls.under_way.contains_key(&id) || station.polls.queue.is_set(id);
        assert!(goes_on, "{id:?} sleeps for ever: {live:?}");
    }
}

/// A round that is decided is under way, or waits for its time or for a server that has its time.
fn round_goes(state: &State, live: &Live, station: &Station) {
    let Some(round) = live.round() else { return };
    assert!(live.call.task.is_none(), "a task is asked by itself: {live:?}");
    if live.call.delivery != Delivery::Answered || !decided(round.n, &live.questions) {
        return;
    }
    let quiet = state.shared.schedule.is_set(Due::Quiet(station.server.id));
    let waits = station.holds_back(live.call.id) && (station.reach.gate != Gate::Open || quiet);
    let timed = round.retry_at.is_some() && state.shared.schedule.is_set(Due::Send(live.call.id));
    assert!(waits || timed, "a round sleeps for ever: {live:?}");
}

/// What a person wants sent is under way, waits for a poll that decides, or for a server that has its time.
fn owed_goes(state: &State, live: &Live, station: &Station) {
    if live.call.task.is_none() || live.call.status.is_terminal() {
        return;
    }
    let sending = live.questions.iter().any(|question| question.request.state == RequestState::Sending);
    if sending && live.answers.update == Update::Done {
        let quiet = state.shared.schedule.is_set(Due::Quiet(station.server.id));
        let busy = station.errands.under_way.len() == Station::PERMITS;
        let waits = station.holds_back(live.call.id) && (station.reach.gate != Gate::Open || quiet || busy);
        assert!(waits, "an answer sleeps for ever: {live:?}");
    }
    assert!(!live.call.wants_cancel() || live.polling.followed, "a wish to cancel sleeps for ever: {live:?}");
}

/// No poll comes before its interval, whatever was pushed: but the one just before the TTL passes, or after.
pub(crate) fn polls_are_permitted(state: &State, now: u64, effects: &[Effect]) {
    for effect in effects {
        let Effect::GetTask { call, .. } = effect else { continue };
        let Some(live) = state.rooms.calls.live.get(call) else { continue };
        let hurried = live.polling.hurried_at.is_some();
        assert!(
            hurried || live.polling.poll_at <= now,
            "{call:?} is polled {} ms early",
            live.polling.poll_at - now
        );
    }
}

/// A server that asked for silence has it.
pub(crate) fn silence_is_kept(state: &State, now: u64, effects: &[Effect]) {
    for effect in effects {
        let (Effect::GetTask { line, .. }
        | Effect::Listen { line, .. }
        | Effect::ListTools { line }
        | Effect::UpdateTask { line, .. }
        | Effect::CallTool { line, round: Some(_), .. }
        | Effect::CancelTask { line, .. }) = effect
        else {
            continue;
        };
        assert!(
            state.rooms.servers.all[&line.server].reach.quiet_until <= now,
            "{effect:?} breaks the silence"
        );
    }
    for station in state.rooms.servers.all.values().filter(|station| station.reach.quiet_until > now) {
        assert!(state.shared.schedule.is_set(Due::Quiet(station.server.id)), "a silence has an end");
    }
}
