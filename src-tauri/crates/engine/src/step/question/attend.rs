//! How much a question that waits for a person wants one at a moment, and when that is next to be looked at. Pure: the
//! crossing (`step/attend`) sees to it.
//!
//! What is put off comes back at its time, when the state of its task is another one, and in any case when its deadline is
//! near: nothing lets a deadline pass unseen. One that is to come back before its deadline follows it wherever it moves; where
//! there is none any more it is back. So is one that waits for a change of a task and has none: nothing else would bring it back.

use signalbox_model::{Attention, InputRequest, LAST_CALL_MS, Snooze, Snoozed, Timestamp};

use crate::{NoticeKind, Now};

/// A wall clock may be set, and a steady one stands still while the machine sleeps: who waits for a time of the calendar looks at
/// it this often, in ms.
const LOOK_AGAIN: u64 = 600_000;

/// What matters to a question beside itself.
#[derive(Debug, Clone, Copy)]
pub(in crate::step) struct Moment {
    pub(in crate::step) now: Now,
    /// What is left until its deadline, in ms; none without one.
    pub(in crate::step) left: Option<u64>,
    /// When the state of its task last changed; none without a task.
    pub(in crate::step) task_seen_at: Option<Timestamp>,
}

impl Moment {
    /// The deadline by our wall clock.
    fn deadline(&self) -> Option<Timestamp> {
        Some(self.now.plus_ms(self.left?).wall)
    }
}

/// How much it wants its person, and in how many ms that is to be looked at again; none where no time changes it.
pub(in crate::step) fn wanted(snoozed: Option<Snoozed>, at: &Moment) -> (Attention, Option<u64>) {
    let last_call = at.left.map(|left| left.saturating_sub(LAST_CALL_MS.unsigned_abs()));
    if last_call == Some(0) {
        return (Attention::Expiring, None);
    }
    let back = snoozed.map(|snoozed| match snoozed.until {
        Snooze::At { at: until } => Some(at.now.ms_until(until).min(LOOK_AGAIN)),
        Snooze::Change => {
            let is_same = at.task_seen_at.is_some() && at.task_seen_at == snoozed.task_seen_at;
            (!is_same).then_some(0)
        }
        Snooze::BeforeExpiry => last_call.is_none().then_some(0),
    });
    match back {
        None | Some(Some(0)) => (Attention::NeedsYou, last_call),
        Some(back) => (Attention::Snoozed, back.into_iter().chain(last_call).min()),
    }
}

/// What seeing to a question at a moment comes to.
#[derive(Debug, Clone, Copy)]
pub(in crate::step) struct Care {
    /// In how many ms it is to be seen to again; none where no time changes anything.
    pub(in crate::step) again: Option<u64>,
    attention: Attention,
    /// Its deadline, where that is near and has not passed.
    deadline: Option<Timestamp>,
    /// Its person is to be reminded of that.
    owed: bool,
    /// It was put off, and is back.
    is_back: bool,
    /// Nobody is told now. So the next run has still to do it: what is back keeps for how long it was put off.
    unheard: bool,
}

impl Care {
    pub(in crate::step) fn of(request: &InputRequest, moment: &Moment, unheard: bool) -> Self {
        let (attention, again) = wanted(request.snoozed, moment);
        let deadline =
            moment.deadline().filter(|_| attention == Attention::Expiring && moment.left != Some(0));
        let owed = deadline.is_some_and(|at| !unheard && reminds(request.reminded_of, at));
        let is_back = attention != Attention::Snoozed && request.snoozed.is_some();
        Self { again, attention, deadline, owed, is_back, unheard }
    }

    /// Whether anything is to be kept or told.
    pub(in crate::step) fn is_news(&self, request: &InputRequest) -> bool {
        self.attention != request.wants || self.owed || self.is_back && !self.unheard
    }

    /// Puts it down in the question. Says what its person is to be told at `now`.
    pub(in crate::step) fn put_down(self, request: &mut InputRequest, now: Timestamp) -> Option<NoticeKind> {
        request.wants = self.attention;
        let reminded = self.owed || self.is_back && self.deadline.is_some();
        if !self.unheard {
            request.snoozed = request.snoozed.filter(|_| !self.is_back);
            request.reminded_of = self.deadline.filter(|_| reminded).or(request.reminded_of);
        }
        match self.deadline {
            // That it was asked is told already.
            _ if request.opened_at == now => None,
            Some(_) if reminded => Some(NoticeKind::Expires),
            None if self.is_back => Some(NoticeKind::NeedsInput),
            _ => None,
        }
    }
}

/// Whether a person is to be reminded of this deadline. One that moves later is another one, but not within the time in
/// which they were just reminded: a server that moves it to and fro is no reason to ring all the time.
fn reminds(reminded_of: Option<Timestamp>, deadline: Timestamp) -> bool {
    reminded_of.is_none_or(|of| deadline.ms_since(of) > LAST_CALL_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;
    const START: Timestamp = Timestamp(1_000_000_000);

    #[test]
    fn what_is_wanted_and_when_it_changes() {
        use Attention::{Expiring, NeedsYou, Snoozed as PutOff};
        let at = |minutes: u64| Snooze::At { at: START.plus_ms((minutes * MINUTE).cast_signed()) };
        let seen = Some(START);
        let other = Some(START.plus_ms(1));
        let cases = [
            (None, None, seen, (NeedsYou, None), "without a deadline nothing changes by itself"),
            (None, Some(60), seen, (NeedsYou, Some(55)), "five minutes before it"),
            (None, Some(5), seen, (Expiring, None), "from then on"),
            (None, Some(0), seen, (Expiring, None), "also when it has passed, and nobody has said so"),
            (Some(at(7)), None, seen, (PutOff, Some(7)), "until its time"),
            (Some(at(60)), None, seen, (PutOff, Some(10)), "the calendar is looked at now and then"),
            (Some(at(0)), None, seen, (NeedsYou, None), "its time has come"),
            (Some(at(60)), Some(12), seen, (PutOff, Some(7)), "never past the deadline"),
            (Some(at(60)), Some(4), seen, (Expiring, None), "nor when the deadline has come nearer"),
            (Some(Snooze::Change), None, seen, (PutOff, None), "no time brings it back"),
            (Some(Snooze::Change), Some(60), seen, (PutOff, Some(55)), "but its deadline"),
            (Some(Snooze::Change), Some(60), other, (NeedsYou, Some(55)), "its task is another one"),
            (Some(Snooze::Change), None, None, (NeedsYou, None), "or gone"),
            (Some(Snooze::BeforeExpiry), Some(60), other, (PutOff, Some(55)), "whatever its task says"),
            (Some(Snooze::BeforeExpiry), Some(90), seen, (PutOff, Some(85)), "it follows the deadline"),
            (Some(Snooze::BeforeExpiry), None, seen, (NeedsYou, None), "which is no more"),
        ];
        for (until, left, task_seen_at, wants, why) in cases {
            let now = Now { wall: START, steady_ms: 7 };
            let moment = Moment { now, left: left.map(|left| left * MINUTE), task_seen_at };
            let snoozed = until.map(|until| Snoozed { until, task_seen_at: seen });
            let (attention, again) = wanted(snoozed, &moment);
            assert_eq!(
                (attention, again.map(|ms| ms / MINUTE)),
                wants,
                "{until:?} with {left:?} left: {why}"
            );
        }
    }

    #[test]
    fn what_has_no_task_does_not_wait_for_one_to_change() {
        let snoozed = Some(Snoozed { until: Snooze::Change, task_seen_at: None });
        let moment = Moment { now: Now { wall: START, steady_ms: 7 }, left: None, task_seen_at: None };
        let never = wanted(snoozed, &moment);
        assert_eq!(never, (Attention::NeedsYou, None), "nothing would ever bring it back");
    }

    #[test]
    fn of_each_deadline_one_reminder() {
        let at = |minutes: u64| START.plus_ms((minutes * MINUTE).cast_signed());
        assert!(reminds(None, at(10)));
        assert!(!reminds(Some(at(10)), at(10)), "it was said");
        assert!(!reminds(Some(at(10)), at(2)), "an earlier one is the same question in the same need");
        assert!(!reminds(Some(at(10)), at(15)), "within the time that was told");
        assert!(reminds(Some(at(10)), at(16)), "it moved: that is another one");
    }
}
