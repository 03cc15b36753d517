//! Time that passed without us: the machine slept, the process was stopped, the disk was full for a while, or a wall clock
//! that was set looks as if. Whatever was due meanwhile is spread instead of coming at once.

use super::{Next, Turn};
use crate::state::Rooms;

/// What comes this many ms after its time was kept from us by an absence.
const LATE: u64 = 10_000;
/// An absence is noticed once in this many ms: spread again and again, no poll would ever come.
const REST: u64 = 60_000;

impl Rooms {
    pub(super) fn notice_absence(&mut self, turn: &mut Turn<'_>) {
        let now = turn.now;
        let Some(last) = self.last.replace(now) else { return };
        let late = turn.schedule.next().is_some_and(|due| now.steady_ms > due.saturating_add(LATE));
        // The steady clock may stand still while the machine sleeps: then only the wall clock knows.
        let passed = i64::try_from(now.steady_ms.saturating_sub(last.steady_ms)).unwrap_or(i64::MAX);
        let slept = u64::try_from(now.wall.ms_since(last.wall).saturating_sub(passed)).unwrap_or(0);
        let rested = self.woke_at.is_none_or(|at| now.steady_ms >= at.saturating_add(REST));
        if !(late || slept > LATE) || !rested {
            return;
        }
        self.woke_at = Some(now.steady_ms);
        turn.woke = true;
        if slept > LATE {
            turn.put_sweep_off();
            let waiting: Vec<_> = turn.places.keys().copied().collect();
            waiting.into_iter().for_each(|id| turn.then(Next::Attend(id)));
            for live in self.calls.live.values_mut() {
                live.poll_earlier(slept);
            }
        }
        self.servers.ids().into_iter().for_each(|server| turn.then(Next::Spread(server)));
        self.carry_on(turn);
    }
}
