//! Gathers bursts. Pure: the caller brings the time.

use std::time::Duration;

use signalbox_model::ItemRef;
use tokio::time::Instant;

use crate::{DesktopNotice, Toast, toast::More};

/// After something was shown, what follows within this time is shown together.
pub const QUIET: Duration = Duration::from_secs(2);

/// So many notices wait at most; of the others it is known how many they are.
const MOST: usize = 100;

/// What waits to be shown.
#[derive(Debug)]
pub struct Gather {
    enabled: bool,
    front: Option<ItemRef>,
    waiting: Vec<DesktopNotice>,
    /// Those before them.
    more: More,
    quiet_until: Option<Instant>,
}

/// What is to be done now.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// Show this notification now.
    Show(Toast),
    /// Ask again at this time.
    At(Instant),
    /// No notice waits to be shown.
    Idle,
}

impl Default for Gather {
    fn default() -> Self {
        Self { enabled: true, front: None, waiting: Vec::new(), more: More::default(), quiet_until: None }
    }
}

impl Gather {
    /// Takes a notice, unless it is about what the person looks at. A later notice about the same thing replaces
    /// the earlier one.
    pub fn add(&mut self, notice: DesktopNotice) {
        if self.enabled && self.front != Some(notice.item) {
            self.waiting.retain(|other| other.item != notice.item);
            self.waiting.push(notice);
            if self.waiting.len() > MOST {
                self.more.add(&self.waiting.remove(0));
            }
        }
    }

    /// The item is in front now: nothing needs to be said of it.
    pub fn set_front(&mut self, item: Option<ItemRef>) {
        self.front = item;
        self.waiting.retain(|notice| Some(notice.item) != item);
    }

    /// Whether anything is shown at all.
    pub fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
        if !enabled {
            self.waiting.clear();
            self.more = More::default();
        }
    }

    /// What is to be done at `now`.
    pub fn next(&mut self, now: Instant) -> Next {
        match self.quiet_until {
            Some(until) if until > now && !self.waiting.is_empty() => Next::At(until),
            _ => match Toast::of(&std::mem::take(&mut self.waiting), std::mem::take(&mut self.more)) {
                None => Next::Idle,
                Some(toast) => {
                    self.quiet_until = Some(now + QUIET);
                    Next::Show(toast)
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use signalbox_model::{CallId, Outcome, RequestId};

    use super::*;
    use crate::{Activation, DesktopNoticeKind};

    fn asks(id: u32) -> DesktopNotice {
        DesktopNotice {
            item: ItemRef::Request(RequestId(id)),
            kind: DesktopNoticeKind::NeedsInput,
            title: format!("question {id}"),
            body: "?".into(),
        }
    }

    fn ended(id: u32) -> DesktopNotice {
        let kind = DesktopNoticeKind::Ended { outcome: Outcome::Ok };
        DesktopNotice {
            item: ItemRef::Call(CallId(id)),
            kind,
            title: format!("task {id}"),
            body: String::new(),
        }
    }

    fn shown(next: Next) -> Toast {
        match next {
            Next::Show(toast) => toast,
            other => panic!("expected a toast, got {other:?}"),
        }
    }

    #[test]
    fn the_first_is_shown_at_once_and_the_burst_after_it_as_one() {
        let (mut gather, start) = (Gather::default(), Instant::now());
        gather.add(asks(1));
        let first = shown(gather.next(start));
        assert_eq!(first.activation(), Activation::Item(ItemRef::Request(RequestId(1))));
        for id in 2..=6 {
            gather.add(asks(id));
        }
        gather.add(ended(1));
        assert_eq!(gather.next(start + QUIET / 2), Next::At(start + QUIET), "the burst must be awaited");
        let burst = shown(gather.next(start + QUIET));
        assert_eq!(burst.title, "5 questions need you, 1 task ended");
        assert_eq!(burst.activation(), Activation::Inbox);
        assert!(burst.urgent, "somebody waits");
        assert_eq!(gather.next(start + QUIET), Next::Idle, "nothing is shown twice");
    }

    #[test]
    fn of_very_many_the_last_wait_and_all_are_counted() {
        let (mut gather, start) = (Gather::default(), Instant::now());
        gather.add(asks(1));
        shown(gather.next(start));
        for id in 0..10_000 {
            gather.add(asks(id));
            gather.add(ended(id));
        }
        assert_eq!(gather.waiting.len(), MOST);
        let burst = shown(gather.next(start + QUIET));
        assert_eq!(burst.title, "10000 questions need you, 10000 tasks ended");
        assert!(burst.body.starts_with("question 9950\ntask 9950"), "{}", burst.body);
        assert_eq!(gather.next(start + 2 * QUIET), Next::Idle, "nothing is shown twice");
    }

    #[test]
    fn one_alone_after_the_quiet_time_is_shown_as_it_is() {
        let (mut gather, start) = (Gather::default(), Instant::now());
        gather.add(asks(1));
        shown(gather.next(start));
        gather.add(ended(7));
        let toast = shown(gather.next(start + QUIET));
        assert_eq!((toast.title.as_str(), toast.urgent), ("task 7", false));
    }

    #[test]
    fn what_is_in_front_is_not_told() {
        let (mut gather, now) = (Gather::default(), Instant::now());
        gather.set_front(Some(asks(1).item));
        gather.add(asks(1));
        assert_eq!(gather.next(now), Next::Idle);
        gather.add(asks(2));
        gather.set_front(Some(asks(2).item));
        assert_eq!(gather.next(now), Next::Idle, "coming to the front in the meantime counts too");
        gather.set_front(None);
        gather.add(asks(1));
        shown(gather.next(now));
    }

    #[test]
    fn nothing_is_kept_while_switched_off() {
        let (mut gather, now) = (Gather::default(), Instant::now());
        gather.add(asks(1));
        gather.set_enabled(false);
        gather.add(asks(2));
        gather.set_enabled(true);
        assert_eq!(gather.next(now), Next::Idle);
    }

    #[test]
    fn the_same_thing_is_told_once() {
        let (mut gather, now) = (Gather::default(), Instant::now());
        gather.add(asks(1));
        gather.add(DesktopNotice { title: "newer".into(), ..asks(1) });
        assert_eq!(shown(gather.next(now)).title, "newer");
    }
}
