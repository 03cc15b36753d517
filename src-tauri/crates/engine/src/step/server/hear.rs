//! When servers last answered: a fact of its own beside whether they can be used, and the age of what lamps show.
//!
//! Every poll brings one, so it costs a comparison: it is shown at once after a silence, then seldom, and last when the
//! server has fallen silent, so that what is shown of a silent server is exact.
//!
//! It is shown about every 30 s while the server goes on answering. It is kept once a minute and at an orderly end, in
//! a write that is no news to lists (`PutHeard`). An outage of the last run is `Unknown { missed }` and keeps nobody
//! from trying. Nothing is asked for the sake of a lamp, but once when a person opens the page of a server.

use signalbox_store::Write;

use super::{
    super::Turn,
    Station,
    hearing::{HEARD_MS, KEPT_MS},
};
use crate::{Effect, schedule::Due};

impl Station {
    /// It has said something, whatever it was. Who has `asked` for it sees that at once.
    pub(in crate::step) fn heard(&mut self, turn: &mut Turn<'_>, asked: bool) {
        // What answered is another program than the one that waits to be confirmed.
        if self.server.awaits_trust() {
            return;
        }
        self.server.heard_at = Some(turn.now.wall);
        if asked || turn.now.steady_ms >= self.hearing.rests_until {
            self.show_heard(turn);
        } else if !self.hearing.planned {
            self.hearing.planned = true;
            turn.schedule.set(Due::Heard(self.id()), self.hearing.rests_until);
        }
    }

    /// Shows when it last answered, and keeps it if that is long ago.
    pub(in crate::step) fn show_heard(&mut self, turn: &mut Turn<'_>) {
        let (id, at) = (self.id(), self.server.heard_at);
        turn.schedule.clear(Due::Heard(id));
        self.hearing.planned = false;
        // All servers at the same moments, so that they share wake-ups; one that was shown a moment ago waits for the next.
        self.hearing.rests_until = (turn.now.steady_ms + HEARD_MS / 2).next_multiple_of(HEARD_MS);
        let fresh = at.zip(self.hearing.kept).is_some_and(|(at, kept)| at.ms_since(kept).abs() < KEPT_MS);
        if let Some(at) = at
            && !fresh
        {
            self.hearing.kept = Some(at);
            turn.write(Write::PutHeard { server: id, at });
        }
        turn.after(Effect::ShowHeard { server: id, at });
    }

    /// When it last answered, where the store does not know it yet.
    pub(in crate::step) fn unkept(&self) -> Option<Write> {
        let at = self.server.heard_at.filter(|at| self.hearing.kept != Some(*at))?;
        Some(Write::PutHeard { server: self.server.id, at })
    }
}
