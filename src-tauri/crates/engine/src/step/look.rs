//! What a look brought: a state, an error about the task, or an error about the way to its server.

use std::borrow::Cow;

use signalbox_mcp::Error;
use signalbox_model::{
    CallId, EventKind, Json, Note, NoteCode, Origin, Outcome, PayloadKind, RequestState, ServerId, Status,
    Tracking, beginning,
};
use signalbox_store::Write;

use super::{Turn, answer::forget_tries};
use crate::{Granted, Look, State, note, state::Live};

/// Failed looks in a row about one task before it counts as stalled.
const STALLED_AFTER: u32 = 3;
/// Bytes kept of an answer that was refused, and of a long state for which there is no room.
const LONGEST_KEPT: usize = 64 * 1024;

impl State {
    pub(super) fn polled(
        &mut self,
        turn: &mut Turn,
        server: ServerId,
        id: CallId,
        reply: Result<Look, Error>,
    ) {
        let Some(station) = self.servers.get_mut(&server) else { return };
        let expected = station.looking.remove(&id);
        let bytes = reply.as_ref().ok().map(|look| look.last().long());
        station.pace.answered(turn.now.steady_ms, expected.unwrap_or(0), bytes);
        if let Some(live) = self.calls.get_mut(&id)
            && expected.is_some()
        {
            for token in std::mem::take(&mut live.waiters) {
                turn.reply(token, Ok(Granted::Done));
            }
            let stale = std::mem::take(&mut live.stale_look);
            let overtaken = std::mem::take(&mut live.overtaken) && !live.passed_over;
            live.passed_over = overtaken;
            live.look_wanted = overtaken;
            match reply {
                _ if live.call.ended() => {}
                // What was pushed meanwhile may be newer: another look tells.
                Ok(look) if overtaken && !look.is_terminal() => {
                    self.plan_look(turn, id);
                    self.line_fine(turn, server);
                }
                Ok(look) => self.seen(turn, id, look, stale),
                Err(error) => self.look_failed(turn, id, &error),
            }
        } else if let Err(error) = &reply {
            self.line_trouble(turn, server, error);
        }
        // Only now, when it is known whether the server may be asked at all.
        self.admit(turn, server);
    }

    pub(super) fn seen(&mut self, turn: &mut Turn, id: CallId, mut look: Look, stale: bool) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let server = live.call.server;
        let wire = self.servers.get(&server).and_then(|station| station.server.wire);
        let troubled = live.call.tracking != Tracking::Live;
        let same = live.last.as_ref() == Some(look.last());
        let misdated = live.expiry_misdated(turn.now);
        live.failures = 0;
        live.not_found = 0;
        // The common case costs a comparison of bytes and a new due time, and no write.
        let calm = same && !troubled && !misdated && !live.unsettled();
        if calm && (live.left.is_none() || !self.has_room_again(id)) {
            self.plan_look(turn, id);
            self.line_fine(turn, server);
            // What was held may have been cut.
            self.want_result(turn, id);
            return;
        }
        let Some(live) = self.calls.get_mut(&id) else { return };
        // Only a look that comes after the wait makes us send again.
        live.look_first &= stale || live.answer_tries.waits(turn.now);
        let before = live.call.clone();
        if troubled {
            forget_refused(turn, live);
            live.call.tracking = Tracking::Live;
            live.call.note = None;
            turn.event(id, EventKind::Recovered, None, None);
        }
        if misdated {
            live.redate_expiry(turn.now);
        }
        live.call.wire = wire;
        let view = look.view(wire);
        if !same {
            self.take_state(turn, id, &view, look);
        }
        // After the state, which may bring another interval.
        self.plan_look(turn, id);
        if !view.status.is_terminal() {
            self.reconcile(turn, id, &view, stale);
        }
        if let Some(live) = self.calls.get_mut(&id)
            && !live.questions.iter().any(|question| question.request.state == RequestState::Sending)
        {
            forget_tries(live);
        }
        self.settle_status(turn, id, &view, before);
        // What waits for the gate goes out only after this state has said whether it is still wanted.
        self.line_fine(turn, server);
        self.send_cancel(turn, id);
        self.deliver(turn, id);
    }

    fn look_failed(&mut self, turn: &mut Turn, id: CallId, error: &Error) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let server = live.call.server;
        // What it was to tell is told by no push again: the next one must not be stretched.
        live.look_wanted = true;
        match error {
            Error::Rpc { code: -32602, .. } => {
                self.not_found(turn, id, error);
                self.line_fine(turn, server);
                return;
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
            | Error::SignInNeeded { status: 403, challenge: None } => {
                live.failures += 1;
                // A server that breaks the specification once will do so again.
                let at_once = never_seen(live) || matches!(error, Error::Protocol { .. });
                let told = matches!(live.call.tracking, Tracking::Stalled | Tracking::Expired);
                if live.dead(turn.now) {
                    self.expired(turn, id);
                } else if (live.failures >= STALLED_AFTER || at_once) && !told {
                    live.call.tracking = Tracking::Stalled;
                    let note = note(error);
                    live.call.note = Some(note.clone());
                    turn.event(id, EventKind::Trouble, None, Some(note.message));
                    self.save(turn, id);
                }
                // It is kept beside the note that tells of it, and not without one.
                if let Some(live) = self.calls.get_mut(&id)
                    && live.call.tracking == Tracking::Stalled
                    && let Error::Protocol { raw: Some(raw), .. } | Error::Garbled { raw: Some(raw), .. } =
                        error
                {
                    keep_refused(turn, live, raw);
                }
            }
            _ => {}
        }
        self.line_trouble(turn, server, error);
        self.plan_look(turn, id);
    }

    /// The server says it does not know the task. Past its TTL, or of a handle never seen alive, once is enough.
    fn not_found(&mut self, turn: &mut Turn, id: CallId, error: &Error) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.not_found += 1;
        let sure = live.dead(turn.now) || never_seen(live) || live.not_found >= 2;
        if sure && live.dead_by_any_clock(turn.now) {
            let message = "Its time to live passed, and the server has forgotten it".to_owned();
            self.finish(turn, id, Outcome::Expired, Some(Note { code: NoteCode::UnknownItem, message }));
        } else if sure {
            let server = self.servers.get(&live.call.server);
            let replaced = server.is_some_and(|station| station.session.replaced);
            let why = if replaced { " It may have gone with its session, which is over." } else { "" };
            let message = format!("The server does not know this task.{why} {}", note(error).message);
            self.finish(turn, id, Outcome::Lost, Some(Note { code: NoteCode::UnknownItem, message }));
        } else {
            live.call.tracking = Tracking::NotFound;
            let note = note(error);
            live.call.note = Some(note.clone());
            turn.event(id, EventKind::Trouble, None, Some(note.message));
            self.plan_look(turn, id);
            self.save(turn, id);
        }
    }
}

/// Keeps the last answer about a task that was refused beside the note of it. Equal bytes cause no write.
fn keep_refused(turn: &mut Turn, live: &mut Live, raw: &Json) {
    let kept = shortened(raw);
    if live.refused_answer.as_ref() != Some(&kept) {
        live.refused_answer = Some(kept.clone());
        turn.write(Write::PutPayload { call: live.call.id, kind: PayloadKind::Error, json: kept });
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
pub(super) fn forget_refused(turn: &mut Turn, live: &mut Live) {
    let in_this_run = live.refused_answer.take().is_some();
    // What was found out since may have taken the place of `stalled`.
    let may_have_one =
        matches!(live.call.tracking, Tracking::Stalled | Tracking::NotFound | Tracking::Expired);
    if !in_this_run && !may_have_one {
        return;
    }
    turn.write(Write::DropPayload { call: live.call.id, kind: PayloadKind::Error });
}

/// Whether it is a handle from elsewhere of which nobody knows yet whether it is one.
fn never_seen(live: &Live) -> bool {
    let call = &live.call;
    let seen = live.last.is_some() || call.status != Status::Unknown || call.status_text.is_some();
    call.origin == Origin::Adopted && !seen
}
