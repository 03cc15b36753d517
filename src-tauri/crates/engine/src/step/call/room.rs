//! Questions of a task that are not taken, for want of room. The task's note says so.

use signalbox_model::{EventKind, NoteCode, Reason, Wire};

use super::{
    super::{Beside, Next, Turn},
    Live, MOST_OPEN, MOST_QUESTIONS,
};
use crate::room::Left;

impl Live {
    /// Whether there is room now for at least one of the questions that were left.
    pub(super) fn has_room_again(&self, turn: &Turn<'_>) -> bool {
        let Some(left) = self.beyond.left else { return false };
        // What was put off takes its place, too.
        (self.call.open_requests as usize).max(self.open()) < MOST_OPEN
            && self.questions.len() < MOST_QUESTIONS
            && turn.room.has(self.server(), Some(self.id()), left.least)
    }

    /// Notes which questions of a task are not taken; none means that all are.
    pub(super) fn leave_out(&mut self, turn: &mut Turn<'_>, left: Option<Left>) {
        let before = std::mem::replace(&mut self.beyond.left, left);
        match left {
            Some(_) if self.call.note.is_none() => {
                self.call.note = Some(Reason::AsksTooMuch.into());
            }
            None if self.says_left() => self.call.note = None,
            _ => {}
        }
        if left.is_some() && before.is_none() {
            turn.event(self.id(), EventKind::LeftOut, None, Beside::Nothing);
        }
        turn.count_left(self.server(), before.map_or(0, |left| left.n), left.map_or(0, |left| left.n));
    }

    /// One more of at least so many bytes was refused on the legacy wire.
    pub(in crate::step) fn left_on_wire(&mut self, turn: &mut Turn<'_>, least: usize) {
        let mut left = self.beyond.left;
        Left::add(&mut left, 1, least);
        self.leave_out(turn, left);
        turn.then(Next::Save(self.id()));
    }

    /// A question was taken again on the legacy wire: those that were refused before are no longer counted.
    pub(in crate::step) fn taken_on_wire(&mut self, turn: &mut Turn<'_>) {
        if self.beyond.left.is_some() {
            self.leave_out(turn, None);
            turn.then(Next::Save(self.id()));
        }
    }

    /// A poll, or a push, has shown that so many are left. What was refused on the legacy wire it does not show: that is over
    /// when there is room again.
    pub(super) fn settle_left(&mut self, turn: &mut Turn<'_>, left: Option<Left>) {
        let legacy = self.call.wire == Some(Wire::Legacy);
        if !legacy || self.beyond.left.is_none() || self.has_room_again(turn) {
            self.leave_out(turn, left);
        }
    }

    /// What the note said is over. A note that questions are left stays as long as some are.
    pub(in crate::step) fn nothing_wrong(&mut self) {
        self.call.note = self.beyond.left.map(|_| Reason::AsksTooMuch.into());
    }

    /// Whether the note is the one that questions are left.
    pub(super) fn says_left(&self) -> bool {
        self.call.note.as_ref().is_some_and(|note| note.code == NoteCode::AsksTooMuch)
    }
}
