//! What a server of the modern wire tells by itself: one subscription, for as many of its followed tasks as it takes.
//!
//! No stream is a loop: one that is refused, or has nothing to say, is not asked for again before the next connection or an
//! hour, and one that is cut comes back with backoff.
//!
//! One stream tells of up to 1,000 tasks, whose polls then are further apart (`call/poll`). A check of the server asks
//! for a refused stream again, too. A push opens questions and ends tasks. What became of answers, what is sent again
//! and which questions are gone, only polls say.

use signalbox_mcp::Error;
use signalbox_model::{CallId, Push, Wire};

use super::{
    super::{Next, Turn},
    Station,
    listening::Stream,
};
use crate::{
    Effect,
    by_number::Numbers,
    schedule::{Due, backoff, jitter},
};

/// So many tasks one stream is asked for at most: those whose calls are the newest, since somebody waits for them.
pub(in crate::step) const MOST_TASKS: usize = 1_000;
/// So many bytes their ids may have together.
const MOST_BYTES: usize = 256 * 1024;
/// Changes of the set of tasks are gathered for so many ms …
const GATHER: u64 = 250;
/// … and a stream is replaced at most once in so many ms.
const PAUSE: u64 = 2_000;
/// How long a server that does not push is not asked again, in ms.
const REFUSED: u64 = 3_600_000;
/// The first wait after a stream was cut, in ms, and the longest.
const FIRST_AFTER_CUT: u64 = 1_000;
const LONGEST_AFTER_CUT: u64 = 3_600_000;
/// A stream that lived so long, in ms, has shown that streams to this server can live.
const LIVED: u64 = 60_000;
/// The tools are listed again at most once in so many ms, however often they change.
const TOOLS_REST: u64 = 60_000;

/// Whether the error says that the server will not push, rather than that the way to it broke.
fn will_not_push(error: &Error) -> bool {
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

impl Station {
    /// Something of what a subscription depends on has changed: it is seen to in a moment, once for all such changes.
    /// `wanted`: it has calls.
    pub(in crate::step) fn plan_listening(&mut self, turn: &mut Turn<'_>, wanted: bool) {
        let (due, soon) = (Due::Listen(self.id()), turn.now.steady_ms + GATHER);
        let listening = &self.listening;
        if !wanted {
            // One that tells of nothing any more is dropped; none is asked for.
            match listening.open.is_some() || listening.opening.is_some() {
                true => turn.schedule.set(due, soon),
                false => turn.schedule.clear(due),
            }
        } else if listening.met && self.is_open() {
            turn.schedule.no_later_than(due, soon.max(listening.rest_until));
        }
    }

    /// It has said what it is, over a connection that may be new.
    pub(super) fn met(&mut self, turn: &mut Turn<'_>) {
        self.listening.met = true;
        if std::mem::take(&mut self.listening.refused) {
            self.listening.rest_until = 0;
        }
        turn.then(Next::Listen(self.id()));
    }

    /// Whether a subscription can be asked for at all: else the gate's opening comes back to this.
    pub(in crate::step) fn may_listen(&self) -> bool {
        self.is_open() && self.server.wire == Some(Wire::Modern)
    }

    /// Asks for a stream that covers these tasks, the newest first, if the one that is there does not.
    pub(in crate::step) fn listen(&mut self, turn: &mut Turn<'_>, followed: Vec<(CallId, String)>) {
        if followed.is_empty() {
            return self.stop_listening(turn);
        }
        if self.listening.opening.is_some() {
            // The answer to that comes back to this.
            return;
        }
        let rests = self.listening.rest_until.max(self.reach.quiet_until);
        if rests > turn.now.steady_ms {
            turn.schedule.set(Due::Listen(self.id()), rests);
            return;
        }
        let mut bytes = 0;
        let fits = followed.into_iter().take_while(|(_, task_id)| {
            bytes += task_id.len();
            bytes <= MOST_BYTES
        });
        let tasks: Vec<(CallId, String)> = fits.collect();
        if tasks.iter().all(|(call, _)| self.listening.asked_for(*call)) {
            return;
        }
        let listening = &mut self.listening;
        listening.last += 1;
        listening.rest_until = turn.now.steady_ms + PAUSE;
        let number = listening.last;
        listening.opening = Some((number, tasks.iter().map(|(call, _)| *call).collect()));
        turn.after(Effect::Listen { line: self.line(turn.tuning), number, tasks });
    }

    /// The subscription is over from our side: nothing is followed there, or nothing may be asked there.
    pub(in crate::step) fn stop_listening(&mut self, turn: &mut Turn<'_>) {
        let id = self.id();
        turn.schedule.clear(Due::Listen(id));
        turn.schedule.clear(Due::List(id));
        let open = self.listening.open.take().is_some();
        if self.listening.opening.take().is_some() || open {
            turn.after(Effect::StopListening { server: id });
        }
        if open {
            turn.after(Effect::ShowPush { server: id, push: None });
        }
    }

    /// A stream that was asked for is acknowledged, for these calls, or not there. Comes back with those of which it does not
    /// tell any more.
    pub(in crate::step) fn listened(
        &mut self,
        turn: &mut Turn<'_>,
        number: u64,
        reply: Result<Vec<CallId>, Error>,
    ) -> Vec<CallId> {
        let Some((_, asked)) = self.listening.opening.take_if(|(opening, _)| *opening == number) else {
            return Vec::new();
        };
        turn.then(Next::Listen(self.id()));
        match reply {
            Ok(granted) => {
                let granted: Numbers<CallId> = granted.into_iter().filter(|id| asked.contains(id)).collect();
                let none = granted.is_empty();
                let since = turn.now.steady_ms;
                let before = self.listening.open.replace(Stream { number, asked, granted, since });
                let before = before.map(|stream| stream.granted).unwrap_or_default();
                if none {
                    // Of nothing it is told: so it is not held open either.
                    self.stop_listening(turn);
                    self.not_pushed(turn);
                } else {
                    turn.after(Effect::ShowPush { server: self.id(), push: Some(Push::On) });
                }
                before.into_iter().filter(|call| !self.listening.tells_of(*call)).collect()
            }
            Err(error) => {
                self.stream_broke(turn, &error);
                Vec::new()
            }
        }
    }

    /// No push here, until the next connection or for an hour.
    fn not_pushed(&mut self, turn: &mut Turn<'_>) {
        self.listening.refused = true;
        self.listening.rest_until = turn.now.steady_ms + REFUSED;
        if self.listening.open.is_none() {
            turn.after(Effect::ShowPush { server: self.id(), push: Some(Push::Off) });
        }
    }

    /// A stream could not be had, or was cut. What that says of the server, polls find out.
    fn stream_broke(&mut self, turn: &mut Turn<'_>, error: &Error) {
        if will_not_push(error) {
            return self.not_pushed(turn);
        }
        let id = self.id();
        let listening = &mut self.listening;
        listening.cuts += 1;
        let wait = backoff(FIRST_AFTER_CUT, listening.cuts, LONGEST_AFTER_CUT);
        listening.rest_until = turn.now.steady_ms + wait + jitter(turn.seed, id.0, wait / 10);
        if let Error::Throttled { .. } = error {
            self.answered(turn, Some(error));
        }
    }

    /// The calls of whose tasks this stream tells; none where it was replaced or dropped: what comes late of it means nothing.
    pub(in crate::step) fn stream(&self, number: u64) -> Option<&Numbers<CallId>> {
        let stream = self.listening.open.as_ref().filter(|stream| stream.number == number)?;
        Some(&stream.granted)
    }

    /// The stream is over: in order, or by an error. `left`: it told of calls that have not ended.
    pub(in crate::step) fn stream_ended(&mut self, turn: &mut Turn<'_>, error: Option<&Error>, left: bool) {
        let Some(stream) = self.listening.open.take() else { return };
        if turn.now.steady_ms.saturating_sub(stream.since) >= LIVED {
            self.listening.cuts = 0;
        }
        turn.after(Effect::ShowPush { server: self.id(), push: None });
        match error {
            Some(error) => self.stream_broke(turn, error),
            // In order, with nothing left to tell of.
            None if !left => {}
            None => self.not_pushed(turn),
        }
        turn.then(Next::Listen(self.id()));
    }

    /// The server says that its tools have changed. Whoever has never asked for them does not need them.
    pub(in crate::step) fn tools_changed(&self, turn: &mut Turn<'_>) {
        if self.tools.is_some() {
            let rested = self.listening.tools_at.map_or(0, |at| at.saturating_add(TOOLS_REST));
            turn.schedule.no_later_than(Due::List(self.id()), rested.max(turn.now.steady_ms));
        }
    }

    /// The tools have changed: they are asked for again, if the server may be asked.
    pub(in crate::step) fn list_again(&mut self, turn: &mut Turn<'_>) {
        if !self.is_open() {
            return;
        }
        if self.is_quiet(turn.now) {
            turn.schedule.set(Due::List(self.id()), self.reach.quiet_until);
            return;
        }
        self.listening.tools_at = Some(turn.now.steady_ms);
        turn.after(Effect::ListTools { line: self.line(turn.tuning) });
    }
}
