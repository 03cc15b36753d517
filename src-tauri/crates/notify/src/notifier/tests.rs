//! The task on a paused clock, with a service that can be broken.

use std::{collections::HashSet, ops::Range};

use signalbox_model::RequestId;

use super::*;
use crate::{DesktopNoticeKind, GRACE, NotifyLevel, QUIET, sample};

/// Hands out what is shown, and fails or hangs while told to.
struct Recorder {
    shown: mpsc::UnboundedSender<Toast>,
    health: watch::Receiver<Health>,
}

fn press(activation: Activation) -> NoticePress {
    NoticePress { activation, token: None }
}

#[derive(Clone, Copy)]
enum Health {
    Fine,
    Inhibits,
    Broken,
    Hangs,
}

impl Backend for Recorder {
    async fn show(&self, toast: Toast, clicks: mpsc::Sender<NoticePress>) -> Result<Taken, NotifyError> {
        let health = *self.health.borrow();
        match health {
            Health::Fine | Health::Inhibits => {
                clicks.send(press(toast.press.clone().unwrap())).await.unwrap();
                self.shown.send(toast).unwrap();
                Ok(Taken { inhibited: matches!(health, Health::Inhibits) })
            }
            Health::Broken => Err(NotifyError::Failed { why: "no service".into() }),
            Health::Hangs => std::future::pending().await,
        }
    }

    async fn service(&self) -> Result<Service, NotifyError> {
        Ok(Service { name: "recorder".into(), version: "1".into(), actions: true })
    }
}

/// Its clock begins at noon. What is settled matters no more.
struct Desk {
    began: Instant,
    settled: Arc<Mutex<HashSet<ItemRef>>>,
}

impl AroundNotices for Desk {
    fn clock(&self) -> (Timestamp, TimeZone) {
        let ms = i64::try_from(self.began.elapsed().as_millis()).unwrap();
        (Timestamp(12 * 3_600_000 + ms), TimeZone::UTC)
    }

    async fn still_matters(&self, item: ItemRef) -> bool {
        !self.settled.lock().unwrap().contains(&item)
    }
}

struct Stage {
    notifier: Notifier<Recorder, Desk>,
    clicks: mpsc::Receiver<NoticePress>,
    toasts: mpsc::UnboundedReceiver<Toast>,
    health: watch::Sender<Health>,
    settled: Arc<Mutex<HashSet<ItemRef>>>,
    began: Instant,
}

impl Stage {
    fn set() -> Self {
        let (shown, toasts) = mpsc::unbounded_channel();
        let (health, seen) = watch::channel(Health::Fine);
        let (settled, began) = (Arc::default(), Instant::now());
        let desk = Desk { began, settled: Arc::clone(&settled) };
        let (notifier, clicks) = Notifier::start(Recorder { shown, health: seen }, desk);
        Self { notifier, clicks, toasts, health, settled, began }
    }

    /// 37 more questions have come in a pause of an hour than wait for its end; these are settled by then.
    fn paused(settled: Range<u32>) -> Self {
        let stage = Self::set();
        stage.notifier.set_rules(NotifyRules::default(), Some(Timestamp(12 * 3_600_000 + 3_600_000)));
        (0..137).for_each(|id| stage.notifier.notice(asks(id)));
        stage.settled.lock().unwrap().extend(settled.map(|id| asks(id).item));
        stage
    }

    async fn title(&mut self) -> String {
        self.toasts.recv().await.unwrap().title
    }

    /// What became of the last notices, once there are so many.
    async fn fates(&self, count: usize) -> Vec<(String, NoticeFate)> {
        self.past(count).await.into_iter().map(|past| (past.title, past.fate)).collect()
    }

    async fn past(&self, count: usize) -> Vec<PastNotice> {
        let mut past = self.notifier.past();
        let past = past.wait_for(|past| past.len() >= count).await.unwrap();
        past.iter().cloned().collect()
    }
}

fn asks(id: u32) -> DesktopNotice {
    DesktopNotice { title: format!("q{id}"), ..sample::notice(ItemRef::Request(RequestId(id))) }
}

#[tokio::test(start_paused = true)]
async fn a_burst_takes_two_notifications() {
    let mut stage = Stage::set();
    stage.notifier.notice(asks(1));
    assert_eq!(stage.title().await, "q1");
    assert_eq!(stage.began.elapsed(), GRACE);
    for id in 2..7 {
        stage.notifier.notice(asks(id));
    }
    assert_eq!(stage.title().await, "5 questions need you");
    assert_eq!(stage.began.elapsed(), GRACE + GRACE.max(QUIET));
    assert_eq!(stage.clicks.recv().await, Some(press(Activation::Item(asks(1).item))));
    let questions = Activation::Questions((2..7).map(RequestId).collect());
    assert_eq!(stage.clicks.recv().await, Some(press(questions)));
    let past = stage.past(2).await;
    let told: Vec<_> =
        past.iter().map(|past| (past.title.as_str(), past.items.as_slice(), past.fate)).collect();
    let burst: Vec<_> = (2..7).map(|id| asks(id).item).collect();
    let expected = [
        ("5 questions need you", burst.as_slice(), NoticeFate::Shown),
        ("q1", &[asks(1).item], NoticeFate::Shown),
    ];
    assert_eq!(told, expected, "what was shown as one is remembered as one");
    assert_eq!([past[0].as_one, past[1].as_one], [true, false]);
}

#[tokio::test(start_paused = true)]
async fn several_that_only_ended_lead_to_no_question() {
    let mut stage = Stage::set();
    stage.notifier.notice(asks(1));
    stage.title().await;
    let kind = DesktopNoticeKind::Ended { outcome: signalbox_model::Outcome::Ok };
    let ended = |id| DesktopNotice { item: ItemRef::Call(signalbox_model::CallId(id)), kind, ..asks(id) };
    (2..4).for_each(|id| stage.notifier.notice(ended(id)));
    assert_eq!(stage.title().await, "2 tasks ended");
    (4..6).for_each(|id| stage.notifier.notice(ended(id)));
    stage.notifier.notice(asks(6));
    assert_eq!(stage.title().await, "1 question needs you, 2 tasks ended");
    let led = [Activation::Item(asks(1).item), Activation::Ends, Activation::Questions(vec![RequestId(6)])];
    for activation in led {
        assert_eq!(stage.clicks.recv().await, Some(press(activation)), "none that an earlier one was about");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_answered_at_once_is_not_told() {
    let mut stage = Stage::set();
    stage.notifier.notice(asks(1));
    stage.notifier.notice(asks(2));
    stage.settled.lock().unwrap().insert(asks(1).item);
    assert_eq!(stage.title().await, "q2");
    let fates = stage.fates(2).await;
    assert_eq!(fates, [("q2".to_owned(), NoticeFate::Shown), ("q1".to_owned(), NoticeFate::Settled)]);
}

#[tokio::test(start_paused = true)]
async fn what_waited_for_a_pause_is_told_when_it_ends_if_it_still_waits() {
    let mut stage = Stage::set();
    let until = Timestamp(12 * 3_600_000 + 3_600_000);
    stage.notifier.set_rules(NotifyRules::default(), Some(until));
    stage.notifier.notice(asks(1));
    stage.notifier.notice(asks(2));
    assert_eq!(stage.fates(2).await[1], ("q1".to_owned(), NoticeFate::Paused));
    stage.settled.lock().unwrap().insert(asks(1).item);
    assert_eq!(stage.title().await, "q2");
    assert_eq!(stage.began.elapsed(), Duration::from_secs(3_600), "at its end, and not before");
}

#[tokio::test(start_paused = true)]
async fn what_is_to_be_told_is_known_until_it_is_told() {
    let mut stage = Stage::set();
    let mut untold = stage.notifier.untold();
    stage.notifier.notice(asks(1));
    assert_eq!(*untold.borrow_and_update(), [RequestId(1)], "it waits for moments");
    let _ = stage.title().await;
    untold.wait_for(Vec::is_empty).await.unwrap();
    stage.notifier.set_rules(NotifyRules::default(), Some(Timestamp(12 * 3_600_000 + 3_600_000)));
    for id in [2, 3] {
        stage.notifier.notice(asks(id));
    }
    assert_eq!(*untold.borrow_and_update(), [RequestId(2), RequestId(3)]);
    stage.health.send_replace(Health::Hangs);
    stage.notifier.set_rules(NotifyRules::default(), None);
    time::sleep_until(Instant::now() + QUIET).await;
    assert_eq!(untold.borrow_and_update().len(), 2, "the service has not taken them yet");
    untold.wait_for(Vec::is_empty).await.unwrap();
    assert_eq!(stage.fates(4).await[0].1, NoticeFate::Failed, "it was tried");
}

#[tokio::test(start_paused = true)]
async fn what_another_owner_untold_is_told_at_once_unless_something_newer_is_known() {
    let mut stage = Stage::set();
    stage.notifier.notice(DesktopNotice { title: "expires soon".into(), ..asks(1) });
    stage.notifier.take_up(asks(1));
    stage.notifier.take_up(DesktopNotice { title: "owed".into(), ..asks(2) });
    assert_eq!(*stage.notifier.untold().borrow(), [RequestId(1), RequestId(2)], "kept until they are told");
    assert_eq!(stage.title().await, "owed");
    assert_eq!(stage.title().await, "expires soon");
    assert!(stage.notifier.untold().borrow().is_empty());
}

#[tokio::test(start_paused = true)]
async fn that_more_came_than_wait_for_a_pause_to_end_is_told_even_if_all_that_wait_are_settled() {
    let mut stage = Stage::paused(37..137);
    assert_eq!(stage.title().await, "37 earlier notifications");
    assert_eq!(stage.began.elapsed(), Duration::from_secs(3_600), "at its end, and not before");
    let some = Some(press(Activation::Questions(Vec::new())));
    assert_eq!(stage.clicks.recv().await, some, "nobody knows which still wait");
    let mut past = stage.notifier.past();
    let past = past.wait_for(|past| past[0].fate == NoticeFate::Shown).await.unwrap();
    let newest = (past[0].title.as_str(), past[0].items.as_slice(), past[0].fate);
    assert_eq!(newest, ("37 earlier notifications", &[][..], NoticeFate::Shown), "nobody knows which");
}

#[tokio::test(start_paused = true)]
async fn one_that_is_told_with_others_that_are_only_counted_is_remembered_as_several() {
    let mut stage = Stage::paused(38..137);
    assert_eq!(stage.title().await, "1 question needs you, 37 earlier notifications");
    let mut past = stage.notifier.past();
    let past = past.wait_for(|past| past[0].fate == NoticeFate::Shown).await.unwrap();
    assert_eq!((past[0].items.as_slice(), past[0].as_one), (&[asks(37).item][..], true));
}

#[tokio::test(start_paused = true)]
async fn trouble_is_told_and_goes_away_and_what_was_not_shown_is_remembered() {
    let mut stage = Stage::set();
    let mut trouble = stage.notifier.trouble();
    stage.health.send_replace(Health::Broken);
    stage.notifier.notice(asks(1));
    let told = trouble.wait_for(Option::is_some).await.unwrap().clone();
    assert_eq!(told, Some(NotifyError::Failed { why: "no service".into() }));
    assert_eq!(stage.fates(1).await[0].1, NoticeFate::Failed);
    stage.health.send_replace(Health::Hangs);
    stage.notifier.notice(asks(2));
    trouble.wait_for(|t| *t == Some(NotifyError::TimedOut)).await.unwrap();
    stage.health.send_replace(Health::Inhibits);
    stage.notifier.notice(asks(3));
    assert_eq!(stage.title().await, "q3");
    trouble.wait_for(Option::is_none).await.unwrap();
    assert_eq!(stage.fates(3).await[0], ("q3".to_owned(), NoticeFate::Inhibited), "the service says so");
}

#[tokio::test(start_paused = true)]
async fn the_last_two_hundred_are_remembered() {
    let stage = Stage::set();
    let silent = NotifyRules { level: NotifyLevel::Nothing, ..NotifyRules::default() };
    stage.notifier.set_rules(silent, None);
    (0..1_000).for_each(|id| stage.notifier.notice(asks(id)));
    let fates = stage.fates(REMEMBERED).await;
    assert_eq!(fates.len(), REMEMBERED);
    assert_eq!(fates[0], ("q999".to_owned(), NoticeFate::Level), "the newest first");
}

#[tokio::test(start_paused = true)]
async fn a_test_shows_whatever_is_wanted_and_says_who_showed_it() {
    let mut stage = Stage::set();
    let silent = NotifyRules { level: NotifyLevel::Nothing, ..NotifyRules::default() };
    stage.notifier.set_rules(silent, Some(Timestamp(i64::MAX)));
    let (service, taken) = stage.notifier.test().await.unwrap();
    assert_eq!((service.name.as_str(), service.actions, taken.inhibited), ("recorder", true, false));
    assert_eq!(stage.title().await, "Signalbox can reach you");
    stage.health.send_replace(Health::Broken);
    stage.notifier.test().await.unwrap_err();
    assert!(stage.notifier.trouble().borrow().is_some(), "a failed test is shown in Settings too");
}
