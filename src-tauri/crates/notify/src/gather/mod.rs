//! What waits to be told: for a moment, so that what is answered at once is not told; for a burst to be over; for a pause or
//! quiet hours to end. Pure: the caller brings the time.

use std::time::Duration;

use jiff::tz::TimeZone;
use signalbox_model::{ItemRef, RequestId, Timestamp};
use tokio::time::Instant;

use crate::{
    DesktopNotice, NoticeFate, NotifyRules,
    judge::{Circumstances, Judgement, judge},
    toast::{More, questions},
};

/// What is answered, taken back or closed within this time is not told.
pub const GRACE: Duration = Duration::from_secs(3);

/// After something was shown, what follows within this time is shown together.
pub const QUIET: Duration = Duration::from_secs(2);

/// So many notices wait at most, and so many for the end of a pause or of quiet hours. Of those before them it is told how many
/// came.
const MOST: usize = 100;

/// A wall clock may be set, and a steady one stands still while the machine sleeps: who waits for a time of the calendar looks
/// at it this often.
const LOOK_AGAIN: Duration = Duration::from_secs(60);

/// The time, on both clocks.
#[derive(Debug, Clone)]
pub(crate) struct Now {
    /// What a calendar says.
    pub(crate) wall: Timestamp,
    /// Where the person is.
    pub(crate) zone: TimeZone,
    /// For waiting.
    pub(crate) steady: Instant,
}

/// What waits to be told.
#[derive(Debug, Default)]
pub(crate) struct Gather {
    rules: NotifyRules,
    paused_until: Option<Timestamp>,
    front: Option<ItemRef>,
    waiting: Vec<Waiting>,
    /// Those before them. They are told with the next, or alone once there is neither a pause nor quiet hours.
    more: More,
    /// Those that are to be judged again, and when.
    put_off: Vec<(DesktopNotice, Timestamp)>,
    /// The questions that are being told now.
    telling: Vec<RequestId>,
    quiet_until: Option<Instant>,
    fates: Vec<(DesktopNotice, NoticeFate)>,
}

#[derive(Debug)]
struct Waiting {
    notice: DesktopNotice,
    ready: Instant,
}

/// What is to be done now.
#[derive(Debug)]
pub(crate) enum Next {
    /// These are to be told now, where they still matter; of those before them it is known how many they are.
    Tell(More, Vec<DesktopNotice>),
    /// Ask again at this time.
    At(Instant),
    /// No notice waits.
    Idle,
}

impl Gather {
    /// Takes a notice. A later one about the same thing replaces the earlier one.
    pub(crate) fn add(&mut self, notice: DesktopNotice, now: &Now) {
        self.forget(notice.item);
        let ready = now.steady + GRACE;
        self.judged(Waiting { notice, ready }, now, true);
    }

    /// Takes a notice that another owner had to tell, unless something newer is known of its item.
    pub(crate) fn take_up(&mut self, notice: DesktopNotice, now: &Now) {
        let waiting = self.waiting.iter().map(|waiting| waiting.notice.item);
        let mut known = waiting.chain(self.put_off.iter().map(|(notice, _)| notice.item));
        if known.all(|item| item != notice.item) {
            self.judged(Waiting { notice, ready: now.steady }, now, true);
        }
    }

    /// Puts a notice where it belongs, and `tells` what becomes of it where it is held back.
    fn judged(&mut self, one: Waiting, now: &Now, tells: bool) {
        let Waiting { notice, ready } = one;
        let verdict = judge(&notice, &self.rules, &self.circumstances(now));
        if let (true, Judgement::Hold(fate) | Judgement::Later { why: fate, .. }) = (tells, verdict) {
            self.fates.push((notice.clone(), fate));
        }
        match verdict {
            Judgement::Show => self.waiting.push(Waiting { notice, ready }),
            Judgement::Later { at, .. } => self.put_off.push((notice, at)),
            Judgement::Hold(_) => {}
        }
        if self.waiting.len() > MOST {
            self.more.add(&self.waiting.remove(0).notice);
        }
        if self.put_off.len() > MOST {
            self.more.add(&self.put_off.remove(0).0);
        }
    }

    fn circumstances<'a>(&self, now: &'a Now) -> Circumstances<'a> {
        let Now { wall, zone, .. } = now;
        Circumstances { now: *wall, zone, paused_until: self.paused_until, front: self.front }
    }

    /// Until when nothing is told that can wait.
    fn silent_until(&self, now: &Now) -> Option<Timestamp> {
        self.circumstances(now).silence(&self.rules).map(|(until, _)| until)
    }

    /// The item is in front now: nothing needs to be said of it.
    pub(crate) fn set_front(&mut self, item: Option<ItemRef>) {
        self.front = item;
        if let Some(item) = item {
            let seen = self.forget(item);
            self.fates.extend(seen.map(|notice| (notice, NoticeFate::InFront)));
        }
    }

    /// What the person wants to be told, and until when nothing is.
    pub(crate) fn set_rules(&mut self, rules: NotifyRules, paused_until: Option<Timestamp>) {
        (self.rules, self.paused_until) = (rules, paused_until);
    }

    /// Whether notifications have words of servers.
    pub(crate) fn contents(&self) -> bool {
        self.rules.contents
    }

    /// The questions that are to be told and are not yet: at most [`MOST`] for each of the places where they wait.
    pub(crate) fn untold(&self) -> Vec<RequestId> {
        let waiting = self.waiting.iter().map(|waiting| &waiting.notice);
        let put_off = self.put_off.iter().map(|(notice, _)| notice);
        let telling = self.telling.iter().copied();
        telling.chain(questions(waiting.chain(put_off))).collect()
    }

    /// What was being told is told.
    pub(crate) fn told(&mut self) {
        self.telling.clear();
    }

    /// Lets go of what waits about an item.
    fn forget(&mut self, item: ItemRef) -> Option<DesktopNotice> {
        let at = self.waiting.iter().position(|waiting| waiting.notice.item == item);
        let waiting = at.map(|at| self.waiting.remove(at).notice);
        let at = self.put_off.iter().position(|(notice, _)| notice.item == item);
        let put_off = at.map(|at| self.put_off.remove(at).0);
        waiting.or(put_off)
    }

    /// What has become of notices that are not told, each once.
    pub(crate) fn take_fates(&mut self) -> Vec<(DesktopNotice, NoticeFate)> {
        std::mem::take(&mut self.fates)
    }

    /// What is to be done at `now`. What the person wants may have changed since something came: it is judged again.
    pub(crate) fn next(&mut self, now: &Now) -> Next {
        for (notice, _) in std::mem::take(&mut self.put_off) {
            // Why it waits was told.
            self.judged(Waiting { notice, ready: now.steady }, now, false);
        }
        let is_silent = self.silent_until(now).is_some();
        let alone = (!self.more.is_none() && !is_silent).then_some(now.steady);
        let ready = self.waiting.iter().map(|waiting| waiting.ready).min().or(alone);
        let due = ready.map(|ready| self.quiet_until.map_or(ready, |until| until.max(ready)));
        if due.is_none_or(|due| due > now.steady) {
            return due.into_iter().chain(self.put_off_until(now)).min().map_or(Next::Idle, Next::At);
        }
        let (ready, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|one| one.ready <= now.steady);
        self.waiting = others;
        let before = self.waiting.len();
        for one in ready {
            self.judged(one, now, true);
        }
        let told: Vec<_> = self.waiting.split_off(before).into_iter().map(|waiting| waiting.notice).collect();
        self.telling = questions(told.iter()).collect();
        if is_silent {
            // As of those that are kept: questions are told later, ends are not.
            self.more.ended = 0;
            return Next::Tell(More::default(), told);
        }
        let more = std::mem::take(&mut self.more);
        Next::Tell(if self.rules.tells_anything() { more } else { More::default() }, told)
    }

    /// Something was shown: what follows soon is shown together.
    pub(crate) fn shown(&mut self, now: Instant) {
        self.quiet_until = Some(now + QUIET);
    }

    /// When what was put off is to be looked at again.
    fn put_off_until(&self, now: &Now) -> Option<Instant> {
        let more = self.silent_until(now).filter(|_| !self.more.is_none());
        let first = self.put_off.iter().map(|(_, at)| *at).chain(more).min()?;
        let left = Duration::from_millis(u64::try_from(first.ms_since(now.wall)).unwrap_or(0));
        Some(now.steady + left.min(LOOK_AGAIN))
    }
}

#[cfg(test)]
mod tests;
