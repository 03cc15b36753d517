//! What a poll brought: a state, an error about the task, or an error about the way to its server.
//!
//! An unknown `resultType` is a protocol error by the specification, so its result is not taken. The task is `stalled`
//! from the first one on. The raw JSON of the last one is kept beside its note, up to 64 KiB, until a good answer
//! comes.

use std::borrow::Cow;

use signalbox_mcp::{Error, INVALID_PARAMS};
use signalbox_model::{
    EventKind, Json, Note, Origin, Outcome, PayloadKind, Reason, Status, Tracking, Wire, beginning,
};
use signalbox_store::Write;

use super::{
    super::{Beside, Next, Turn},
    Doubt, Live, Update,
};
use crate::{TaskState, note};

/// Failed polls in a row about one task before it counts as stalled.
const STALLED_AFTER: u32 = 3;
/// Bytes kept of an answer that was refused, and of a long state for which there is no room.
const LONGEST_KEPT: usize = 64 * 1024;

/// What the other rooms know of the server that was asked.
#[derive(Debug, Clone, Copy)]
pub(in crate::step) struct Asked {
    pub(in crate::step) wire: Option<Wire>,
    /// A session was over in this run that tasks may have gone with.
    pub(in crate::step) replaced: bool,
}

impl Live {
    /// A poll that was under way is over.
    pub(in crate::step) fn polled(
        &mut self,
        turn: &mut Turn<'_>,
        reply: Result<TaskState, Error>,
        of: Asked,
    ) {
        self.release_waiters(turn);
        let meanwhile = std::mem::take(&mut self.polling.meanwhile);
        let overtaken = meanwhile.pushed && self.polling.doubt != Doubt::PassedOver;
        self.polling.doubt = if overtaken { Doubt::PassedOver } else { Doubt::None };
        match reply {
            _ if self.call.ended() => {}
            // What was pushed meanwhile may be newer: another poll tells.
            Ok(poll) if overtaken && !poll.is_terminal() => turn.then(Next::Poll(self.id())),
            Ok(poll) => self.seen(turn, poll, meanwhile.answered, of.wire),
            Err(error) => self.poll_failed(turn, &error, of.replaced),
        }
    }

    /// Takes a state of the task. A `stale` one may be from before our answers were through.
    pub(in crate::step) fn seen(
        &mut self,
        turn: &mut Turn<'_>,
        mut poll: TaskState,
        stale: bool,
        wire: Option<Wire>,
    ) {
        let id = self.id();
        let troubled = self.call.tracking != Tracking::Live;
        let same = self.polling.last.as_ref() == Some(poll.last());
        let misdated = self.expiry_misdated(turn.now);
        self.polling.failures = 0;
        self.polling.not_found = 0;
        turn.then(Next::Poll(id));
        // A request that was held for the result may have been cut.
        turn.then(Next::Result(id));
        // The common case costs a comparison of bytes and a new due time, and no write.
        let calm = same && !troubled && !misdated && !self.unsettled();
        if calm && (self.beyond.left.is_none() || !self.has_room_again(turn)) {
            return;
        }
        // Only a poll that comes after the wait makes us send again. One that shows the end says of no question whether it is
        // still asked, and a server may take such an end back.
        let tells = !stale && !poll.is_terminal();
        if tells && self.answers.update == Update::MayBeLost && !self.answers.tries.waits(turn.now) {
            self.answers.update = Update::Done;
        }
        let before = self.call.clone();
        if troubled {
            forget_refused(turn, self);
            self.call.tracking = Tracking::Live;
            self.nothing_wrong();
            turn.event(id, EventKind::Recovered, None, Beside::Nothing);
        }
        if misdated {
            self.redate_expiry(turn.now);
        }
        self.call.wire = wire;
        let view = poll.view(wire);
        if !same {
            self.take_state(turn, &view, poll);
        }
        if !view.status.is_terminal() {
            self.reconcile(turn, &view, stale);
        }
        if !self.sends_something() {
            self.forget_tries();
        }
        self.settle_status(turn, &view, before);
        turn.then(Next::Cancel(id));
        turn.then(Next::Deliver(id));
    }

    fn poll_failed(&mut self, turn: &mut Turn<'_>, error: &Error, replaced: bool) {
        // What this poll was to settle is settled by no push: so the next poll must not be stretched.
        self.doubts();
        turn.then(Next::Poll(self.id()));
        match error {
            Error::Rpc { code: INVALID_PARAMS, message, .. } => {
                self.not_found(turn, error, message, replaced)
            }
            // The server answers, or not, about this task: others may fare better.
            Error::Rpc { .. }
            | Error::TooLarge { .. }
            | Error::TooMuch { .. }
            | Error::Protocol { .. }
            | Error::Garbled { .. }
            | Error::Lost { .. }
            | Error::Timeout { .. }
            | Error::NotMcp { .. }
            | Error::SignInNeeded { status: 403, challenge: None } => self.answered_badly(turn, error),
            // The way to the server is broken: that says nothing of the task.
            Error::SignInNeeded { .. }
            | Error::Unreachable { .. }
            | Error::Exited { .. }
            | Error::LegacyOnly { .. }
            | Error::Throttled { .. }
            | Error::Closed => {}
        }
    }

    fn answered_badly(&mut self, turn: &mut Turn<'_>, error: &Error) {
        self.polling.failures += 1;
        // A server that breaks the specification once will do so again.
        let at_once = self.never_seen() || matches!(error, Error::Protocol { .. });
        let told = matches!(self.call.tracking, Tracking::Stalled | Tracking::Expired);
        if self.dead(turn.now) {
            self.expired(turn);
        } else if (self.polling.failures >= STALLED_AFTER || at_once) && !told {
            self.call.tracking = Tracking::Stalled;
            self.in_trouble(turn, note(error));
        }
        // The refused answer is kept beside the note that tells of it, and never without one.
        if self.call.tracking == Tracking::Stalled
            && let Error::Protocol { raw: Some(raw), .. } | Error::Garbled { raw: Some(raw), .. } = error
        {
            keep_refused(turn, self, raw);
        }
    }

    /// The server says it does not know the task. Past its TTL, or of a handle never seen alive, once is enough.
    fn not_found(&mut self, turn: &mut Turn<'_>, error: &Error, said: &str, replaced: bool) {
        self.polling.not_found += 1;
        let sure = self.dead(turn.now) || self.never_seen() || self.polling.not_found >= 2;
        if !sure {
            self.call.tracking = Tracking::NotFound;
            return self.in_trouble(turn, note(error));
        }
        let (outcome, why) = if self.dead_by_any_clock(turn.now) {
            (Outcome::Expired, Reason::Forgotten)
        } else {
            let said = said.to_owned();
            (Outcome::Lost, Reason::TaskUnknown { session_over: replaced, error: INVALID_PARAMS, said })
        };
        self.finish(turn, outcome, Some(why.into()));
    }

    /// Says what is wrong with it, on its row and in its timeline.
    pub(in crate::step) fn in_trouble(&mut self, turn: &mut Turn<'_>, note: Note) {
        turn.event(self.id(), EventKind::Trouble, None, note.clone());
        self.call.note = Some(note);
        turn.then(Next::Save(self.id()));
    }

    /// Whether it is a handle from elsewhere of which nobody knows yet whether it is one.
    fn never_seen(&self) -> bool {
        let call = &self.call;
        let seen =
            self.polling.last.is_some() || call.status != Status::Unknown || call.status_text.is_some();
        call.origin == Origin::Adopted && !seen
    }
}

/// Keeps the last answer about a task that was refused beside the note of it. Equal bytes cause no write.
fn keep_refused(turn: &mut Turn<'_>, live: &mut Live, raw: &Json) {
    let kept = shortened(raw);
    if live.polling.refused_answer.as_ref() != Some(&kept) {
        live.polling.refused_answer = Some(kept.clone());
        turn.write(Write::PutPayload { call: live.id(), kind: PayloadKind::Error, json: kept });
    }
}

/// Of JSON that is long its beginning, as a text that says so by its end.
pub(super) fn shortened(raw: &Json) -> Json {
    match beginning(raw.text(), LONGEST_KEPT) {
        Cow::Borrowed(_) => raw.clone(),
        Cow::Owned(beginning) => Json::of(&beginning),
    }
}

/// A good answer came: the refused one, also of the run before, says nothing of the task any more.
pub(super) fn forget_refused(turn: &mut Turn<'_>, live: &mut Live) {
    let in_this_run = live.polling.refused_answer.take().is_some();
    // What was found out since may have taken the place of `stalled`.
    let may_have_one =
        matches!(live.call.tracking, Tracking::Stalled | Tracking::NotFound | Tracking::Expired);
    if !in_this_run && !may_have_one {
        return;
    }
    turn.write(Write::DropPayload { call: live.id(), kind: PayloadKind::Error });
}
