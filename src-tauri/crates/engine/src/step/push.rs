//! Tasks that the server pushes: one subscription per server, for as many of its followed tasks as it takes.
//!
//! Push stretches polling and never replaces it: while a stream tells of a task, its looks are further apart, and as
//! soon as anything is in doubt a look comes as early as manners allow. A push is never believed where a look is needed:
//! it does not say what became of an answer, closes no question, sends nothing again and counts as no look. What is
//! pushed too fast, or was missed, is looked at instead. No stream is a loop: one that is refused, or has nothing to
//! say, is not asked for again before the next connection or an hour, and one that is cut comes back with backoff.

use std::collections::HashSet;

use signalbox_mcp::{Error, TaskView};
use signalbox_model::{CallId, Identity, Push, ServerId, Status, Tracking, Wire};

use super::{Turn, poll::slot};
use crate::{
    Effect, Look, News, State,
    listening::Stream,
    look::Last,
    schedule::{Due, backoff, jitter},
    state::{Gate, Live},
};

/// So many tasks one stream is asked for at most: those whose calls are the newest, since somebody waits for them.
const MOST_TASKS: usize = 1_000;
/// So many bytes their ids may have together.
const MOST_BYTES: usize = 256 * 1024;
/// Changes of the set of tasks are gathered for so many ms …
const GATHER: u64 = 250;
/// … and a stream is replaced at most once in so many ms.
const PAUSE: u64 = 2_000;
/// How long a server that does not push is not asked again, in ms.
const REFUSED: u64 = 3_600_000;
/// The first wait after a stream was cut, in ms, and the longest.
const FIRST_RETRY: u64 = 1_000;
const LONGEST_RETRY: u64 = 3_600_000;
/// A stream that lived so long, in ms, has shown that streams to this server can live.
const LIVED: u64 = 60_000;
/// The looks at a task that is pushed are so many times further apart …
const STRETCH: u64 = 6;
/// … at least so many ms, and at most so many.
const STRETCHED: std::ops::RangeInclusive<u64> = 30_000..=300_000;
/// After a stream is gone its tasks are looked at within this many ms each, all together within the interval of each.
const SPREAD_PER_TASK: u64 = 5;
/// What one push costs, in ms, of what a task may be pushed: ten a second …
const PUSH_COST: u64 = 100;
/// … and so many ms' worth of them at once.
const PUSH_BURST: u64 = 2_000;
/// The tools are listed again at most once in so many ms, however often they change.
const TOOLS_REST: u64 = 60_000;

/// Whether the error says that the server will not push, rather than that the way to it broke.
fn refuses(error: &Error) -> bool {
    match error {
        Error::Rpc { .. }
        | Error::Protocol { .. }
        | Error::Garbled { .. }
        | Error::TooLarge { .. }
        | Error::TooMuch { .. }
        | Error::NotMcp { .. }
        | Error::LegacyOnly { .. }
        | Error::SignInNeeded { .. } => true,
        Error::Closed
        | Error::Throttled { .. }
        | Error::Lost { .. }
        | Error::Timeout { .. }
        | Error::Unreachable { .. }
        | Error::Exited { .. } => false,
    }
}

impl State {
    /// When the next look comes that by manners may come at `at`: later, while the server tells by itself how the task
    /// fares and nothing waits for a look.
    pub(super) fn stretched(&self, turn: &Turn, live: &Live, at: u64) -> u64 {
        let told = self.servers.get(&live.call.server).is_some_and(|s| s.listening.tells_of(live.call.id));
        let certain = live.failures == 0
            && live.not_found == 0
            && live.call.tracking == Tracking::Live
            && !live.look_first
            && !live.look_wanted
            && !live.unsettled();
        if !told || !certain {
            return at;
        }
        let wait = at.saturating_sub(turn.now.steady_ms).saturating_mul(STRETCH);
        at.max(slot(turn.now.steady_ms + wait.clamp(*STRETCHED.start(), *STRETCHED.end())))
    }

    /// A task is followed: the subscription shall cover it.
    pub(super) fn offer(&mut self, turn: &Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if !std::mem::replace(&mut live.offered, true) {
            let server = live.call.server;
            self.plan_listening(turn, server);
        }
    }

    /// Something of what a subscription depends on has changed: it is seen to in a moment, once for all such changes.
    pub(super) fn plan_listening(&mut self, turn: &Turn, id: ServerId) {
        let Some(station) = self.servers.get(&id) else { return };
        let listening = &station.listening;
        let soon = turn.now.steady_ms + GATHER;
        if station.calls.is_empty() {
            // One that tells of nothing any more is dropped; none is asked for.
            match listening.open.is_some() || listening.opening.is_some() {
                true => self.schedule.set(Due::Listen(id), soon),
                false => self.schedule.clear(Due::Listen(id)),
            }
        } else if listening.met && station.gate == Gate::Open {
            self.schedule.no_later_than(Due::Listen(id), soon.max(listening.rest_until));
        }
    }

    /// The server has said what it is, over a connection that may be new.
    pub(super) fn met(&mut self, turn: &Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        station.listening.met = true;
        if std::mem::take(&mut station.listening.refused) {
            station.listening.rest_until = 0;
        }
        self.plan_listening(turn, id);
    }

    /// Asks for a stream that covers what is followed, if the one that is there does not.
    pub(super) fn listen(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        if station.gate != Gate::Open || station.server.wire != Some(Wire::Modern) {
            // The gate's opening comes back to this.
            return;
        }
        let mut calls: Vec<CallId> = station.calls.iter().copied().collect();
        calls.sort_unstable_by(|a, b| b.cmp(a));
        let (mut tasks, mut bytes) = (Vec::new(), 0);
        for call in calls {
            let Some(live) = self.calls.get_mut(&call) else { continue };
            let Some(task) = live.call.task.as_ref().filter(|_| live.followed && !live.call.ended()) else {
                continue;
            };
            live.offered = true;
            bytes += task.task_id.len();
            if tasks.len() < MOST_TASKS && bytes <= MOST_BYTES {
                tasks.push((call, task.task_id.clone()));
            }
        }
        if tasks.is_empty() {
            self.stop_listening(turn, id);
            return;
        }
        let Some(station) = self.servers.get_mut(&id) else { return };
        let listening = &mut station.listening;
        if listening.opening.is_some() {
            // The answer to that comes back to this.
            return;
        }
        let rests = listening.rest_until.max(station.quiet_until);
        if rests > turn.now.steady_ms {
            self.schedule.set(Due::Listen(id), rests);
            return;
        }
        if tasks.iter().all(|(call, _)| listening.asked_for(*call)) {
            return;
        }
        listening.last += 1;
        listening.rest_until = turn.now.steady_ms + PAUSE;
        let number = listening.last;
        listening.opening = Some((number, tasks.iter().map(|(call, _)| *call).collect()));
        turn.after(Effect::Listen { line: station.line(), number, tasks });
    }

    /// The subscription is over from our side: nothing is followed there, or nothing may be asked there.
    pub(super) fn stop_listening(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        self.schedule.clear(Due::Listen(id));
        self.schedule.clear(Due::List(id));
        let open = station.listening.open.take().is_some();
        if station.listening.opening.take().is_some() || open {
            turn.after(Effect::StopListening { server: id });
        }
        if open {
            turn.after(Effect::ShowPush { server: id, push: None });
        }
    }

    /// A stream that was asked for is acknowledged, for these calls, or not there.
    pub(super) fn listened(
        &mut self,
        turn: &mut Turn,
        id: ServerId,
        number: u64,
        reply: Result<Vec<CallId>, Error>,
    ) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        let Some((_, asked)) = station.listening.opening.take_if(|(opening, _)| *opening == number) else {
            return;
        };
        match reply {
            Ok(granted) => {
                let granted: HashSet<CallId> = granted.into_iter().filter(|id| asked.contains(id)).collect();
                let none = granted.is_empty();
                let since = turn.now.steady_ms;
                let before = station.listening.open.replace(Stream { number, asked, granted, since });
                let before = before.map(|stream| stream.granted).unwrap_or_default();
                if none {
                    // Of nothing it is told: so it is not held open either.
                    self.stop_listening(turn, id);
                    self.not_pushed(turn, id);
                } else {
                    turn.after(Effect::ShowPush { server: id, push: Some(Push::On) });
                }
                let dropped = before.into_iter().filter(|call| !self.is_told(id, *call)).collect();
                self.look_again(turn, dropped);
            }
            Err(error) => self.stream_broke(turn, id, &error),
        }
        self.plan_listening(turn, id);
    }

    fn is_told(&self, id: ServerId, call: CallId) -> bool {
        self.servers.get(&id).is_some_and(|station| station.listening.tells_of(call))
    }

    /// No push here, until the next connection or for an hour.
    fn not_pushed(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        station.listening.refused = true;
        station.listening.rest_until = turn.now.steady_ms + REFUSED;
        if station.listening.open.is_none() {
            turn.after(Effect::ShowPush { server: id, push: Some(Push::Off) });
        }
    }

    /// A stream could not be had, or was cut. What that says of the server, looks find out.
    fn stream_broke(&mut self, turn: &mut Turn, id: ServerId, error: &Error) {
        if refuses(error) {
            self.not_pushed(turn, id);
            return;
        }
        let Some(station) = self.servers.get_mut(&id) else { return };
        let listening = &mut station.listening;
        listening.cuts += 1;
        let wait = backoff(FIRST_RETRY, listening.cuts, LONGEST_RETRY);
        listening.rest_until = turn.now.steady_ms + wait + jitter(turn.seed, id.0, wait / 10);
        if let Error::Throttled { .. } = error {
            self.line_trouble(turn, id, error);
        }
    }

    /// What came over a stream. What is late of one that was replaced or dropped means nothing.
    pub(super) fn pushed(&mut self, turn: &mut Turn, id: ServerId, number: u64, news: News) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        let listening = &mut station.listening;
        let Some(stream) = listening.open.as_ref().filter(|stream| stream.number == number) else { return };
        let end = match news {
            News::Task { call, look } => {
                if stream.granted.contains(&call) {
                    self.task_pushed(turn, call, look);
                }
                return;
            }
            News::Missed => {
                let calls = stream.granted.iter().copied().collect();
                self.look_again(turn, calls);
                return;
            }
            News::ToolsChanged => return self.tools_changed(turn, id),
            News::Ended => None,
            News::Cut(error) => Some(error),
        };
        if turn.now.steady_ms.saturating_sub(stream.since) >= LIVED {
            listening.cuts = 0;
        }
        let Some(stream) = listening.open.take() else { return };
        turn.after(Effect::ShowPush { server: id, push: None });
        let left: Vec<CallId> = stream.granted.into_iter().filter(|id| self.calls.contains_key(id)).collect();
        match end {
            Some(error) => self.stream_broke(turn, id, &error),
            // In order, with nothing left to tell of.
            None if left.is_empty() => {}
            None => self.not_pushed(turn, id),
        }
        self.look_again(turn, left);
        self.plan_listening(turn, id);
    }

    /// These are looked at as soon as manners allow, spread out.
    fn look_again(&mut self, turn: &Turn, mut calls: Vec<CallId>) {
        // The order of a set is not part of what step was given.
        calls.sort_unstable();
        let crowd = SPREAD_PER_TASK.saturating_mul(calls.len() as u64);
        for id in calls {
            let interval = self.interval(id);
            let Some(live) = self.calls.get_mut(&id) else { continue };
            live.look_wanted = true;
            let spread = jitter(turn.seed, id.0, crowd.min(interval));
            let at = slot(live.look_at.max(turn.now.steady_ms) + spread);
            if self.waits_for_clock(id) {
                self.schedule.no_later_than(Due::Poll(id), at);
            }
        }
    }

    /// Only a look settles something about this task: it comes as soon as manners allow.
    pub(super) fn want_look(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.look_wanted = true;
        self.plan_first_look(turn, id);
    }

    /// A task's state, pushed. It may be older than what the last look brought.
    fn task_pushed(&mut self, turn: &mut Turn, id: CallId, mut look: Look) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if live.call.ended() || !live.followed {
            return;
        }
        let spent = live.pushes_until.max(turn.now.steady_ms) + PUSH_COST;
        if spent > turn.now.steady_ms + PUSH_BURST {
            self.want_look(turn, id);
            return;
        }
        live.pushes_until = spent;
        // The same task, in whatever envelope: no news, and no write. What is long is not read for that.
        if live.last.as_ref() == Some(look.last()) {
            return;
        }
        let view = look.view(Some(Wire::Modern));
        let last = live.last.as_ref().and_then(Last::short).cloned();
        if last.is_some_and(|last| Look::from(last).view(Some(Wire::Modern)) == view) {
            return;
        }
        let before = live.call.clone();
        // A look under way may bring what was before this.
        live.overtaken |= self.servers.get(&live.call.server).is_some_and(|s| s.looking.contains_key(&id));
        self.take_state(turn, id, &view, look);
        if !view.status.is_terminal() {
            self.open_pushed(turn, id, &view);
        }
        let asks = [before.status, view.status].contains(&Status::InputRequired);
        let owes = view.status == Status::Completed && view.result.is_none();
        if owes {
            self.save_news(turn, id, before);
        } else {
            self.settle_status(turn, id, &view, before);
        }
        let troubled = self.calls.get(&id).is_some_and(|live| live.call.tracking != Tracking::Live);
        if owes || asks || troubled {
            self.want_look(turn, id);
        }
    }

    /// Opens the questions that were never seen. What became of the others, a look tells.
    fn open_pushed(&mut self, turn: &mut Turn, id: CallId, view: &TaskView) {
        let Some(live) = self.calls.get(&id) else { return };
        let of_task = live.questions.iter().filter(|q| matches!(q.request.identity, Identity::Task { .. }));
        let known: HashSet<String> = of_task.map(|q| q.request.identity.key().to_owned()).collect();
        let new = view.input_requests.iter().filter(|(key, _)| !known.contains(key.as_str()));
        let new: Vec<_> = new.collect();
        self.open_questions(turn, id, &new, None);
    }

    /// The server says that its tools have changed. Whoever has never asked for them does not need them.
    pub(super) fn tools_changed(&mut self, turn: &Turn, id: ServerId) {
        let Some(station) = self.servers.get(&id).filter(|station| station.tools.is_some()) else { return };
        let rested = station.listening.tools_at.map_or(0, |at| at.saturating_add(TOOLS_REST));
        self.schedule.no_later_than(Due::List(id), rested.max(turn.now.steady_ms));
    }

    /// The tools have changed: they are asked for again, if the server may be asked.
    pub(super) fn list_again(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        if station.gate != Gate::Open {
            return;
        }
        if station.quiet_until > turn.now.steady_ms {
            self.schedule.set(Due::List(id), station.quiet_until);
            return;
        }
        station.listening.tools_at = Some(turn.now.steady_ms);
        turn.after(Effect::ListTools { line: station.line() });
    }
}
