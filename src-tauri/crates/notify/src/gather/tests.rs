//! What waits, for how long, and what becomes of it.

use signalbox_model::{CallId, RequestId};

use super::*;
use crate::{Activation, NotifyLevel, QuietHours, Toast, sample};

fn asks(id: u32) -> DesktopNotice {
    let item = ItemRef::Request(RequestId(id));
    DesktopNotice { title: format!("question {id}"), body: "?".into(), ..sample::notice(item) }
}

fn ended(id: u32) -> DesktopNotice {
    let item = ItemRef::Call(CallId(id));
    DesktopNotice { title: format!("task {id}"), body: "?".into(), ..sample::notice(item) }
}

/// Noon, and so long after it on both clocks.
fn at(start: Instant, later: Duration) -> Now {
    let ms = i64::try_from(later.as_millis()).unwrap();
    Now { wall: Timestamp(12 * 3_600_000 + ms), zone: TimeZone::UTC, steady: start + later }
}

/// What is told now, as one.
fn told(gather: &mut Gather, now: &Now) -> Toast {
    match gather.next(now) {
        Next::Tell(more, notices) => {
            gather.shown(now.steady);
            Toast::of(&notices, &more, true).expect("something is told")
        }
        other => panic!("expected something to tell, got {other:?}"),
    }
}

/// When to ask again.
fn waits(gather: &mut Gather, now: &Now) -> Option<Instant> {
    match gather.next(now) {
        Next::At(at) => Some(at),
        Next::Idle => None,
        Next::Tell(_, notices) => panic!("nothing is to be told yet: {notices:?}"),
    }
}

fn fates(gather: &mut Gather) -> Vec<(ItemRef, NoticeFate)> {
    gather.take_fates().into_iter().map(|(notice, fate)| (notice.item, fate)).collect()
}

#[test]
fn one_is_told_after_its_grace_and_the_burst_behind_it_as_one() {
    let (mut gather, start) = (Gather::default(), Instant::now());
    gather.add(asks(1), &at(start, Duration::ZERO));
    assert_eq!(waits(&mut gather, &at(start, GRACE / 2)), Some(start + GRACE), "it may be answered at once");
    let soon = Duration::from_millis(10);
    for id in 2..=6 {
        gather.add(asks(id), &at(start, soon));
    }
    gather.add(ended(1), &at(start, soon));
    assert_eq!(told(&mut gather, &at(start, GRACE)).press, Some(Activation::Item(asks(1).item)));
    assert_eq!(waits(&mut gather, &at(start, GRACE + soon)), Some(start + GRACE + QUIET), "of a burst all");
    let burst = told(&mut gather, &at(start, GRACE + QUIET));
    assert_eq!(burst.title, "5 questions need you, 1 task ended");
    assert!(burst.is_several());
    assert_eq!(waits(&mut gather, &at(start, GRACE + QUIET)), None, "nothing is told twice");
}

#[test]
fn of_very_many_the_last_wait_and_all_are_counted() {
    let (mut gather, start) = (Gather::default(), Instant::now());
    for id in 0..10_000 {
        gather.add(asks(id), &at(start, Duration::ZERO));
        gather.add(ended(id), &at(start, Duration::ZERO));
    }
    assert_eq!(gather.waiting.len(), MOST);
    let burst = told(&mut gather, &at(start, GRACE));
    assert_eq!(burst.title, "50 questions need you, 9950 earlier notifications, 10000 tasks ended");
    assert!(burst.body.starts_with("question 9950\ntask 9950"), "{}", burst.body);
    assert_eq!(waits(&mut gather, &at(start, 2 * GRACE)), None, "nothing is told twice");
}

#[test]
fn of_very_many_that_wait_for_a_pause_the_last_wait_and_all_are_counted() {
    let (mut gather, start) = (Gather::default(), Instant::now());
    let now = at(start, Duration::ZERO);
    gather.set_rules(NotifyRules::default(), Some(now.wall.plus_ms(3_600_000)));
    (0..137).for_each(|id| gather.add(asks(id), &now));
    (0..137).for_each(|id| gather.add(ended(id), &now));
    assert_eq!((gather.put_off.len(), gather.waiting.len()), (MOST, 0));
    let later = at(start, Duration::from_secs(3_600));
    assert!(waits(&mut gather, &at(start, Duration::from_secs(3_500))).is_some(), "they are not told before");
    assert_eq!(told(&mut gather, &later).title, "100 questions need you, 37 earlier notifications");
    assert_eq!(waits(&mut gather, &later), None, "nothing is told twice");
}

#[test]
fn what_came_before_those_that_wait_is_told_even_if_none_of_them_is() {
    let (mut gather, start) = (Gather::default(), Instant::now());
    let now = at(start, Duration::ZERO);
    gather.set_rules(NotifyRules::default(), Some(now.wall.plus_ms(60_000)));
    (0..137).for_each(|id| gather.add(asks(id), &now));
    // The person has seen them.
    (37..137).for_each(|id| gather.set_front(Some(asks(id).item)));
    assert_eq!(waits(&mut gather, &now), Some(start + LOOK_AGAIN), "the pause ends then");
    assert_eq!(told(&mut gather, &at(start, LOOK_AGAIN)).title, "37 earlier notifications");
    assert_eq!(waits(&mut gather, &at(start, LOOK_AGAIN)), None);
}

#[test]
fn of_a_burst_at_the_begin_of_a_pause_the_questions_are_counted_after_it() {
    let (mut gather, start) = (Gather::default(), Instant::now());
    let now = at(start, Duration::ZERO);
    (0..137).for_each(|id| gather.add(ended(id), &now));
    (0..137).for_each(|id| gather.add(asks(id), &now));
    gather.set_rules(NotifyRules::default(), Some(now.wall.plus_ms(3_600_000)));
    let Next::Tell(more, none) = gather.next(&at(start, GRACE)) else { panic!("their time has come") };
    assert_eq!((more, none), (More::default(), vec![]), "it is a pause");
    let after = at(start, Duration::from_secs(3_600));
    assert_eq!(
        told(&mut gather, &after).title,
        "100 questions need you, 37 earlier notifications",
        "ends are not told after it"
    );
}

#[test]
fn who_wants_nothing_is_told_nothing_of_what_came_before_either() {
    let (mut gather, start) = (Gather::default(), Instant::now());
    let now = at(start, Duration::ZERO);
    gather.set_rules(NotifyRules::default(), Some(now.wall.plus_ms(3_600_000)));
    (0..137).for_each(|id| gather.add(asks(id), &now));
    gather.set_rules(NotifyRules { level: NotifyLevel::Nothing, ..NotifyRules::default() }, None);
    let Next::Tell(more, none) = gather.next(&now) else { panic!("their time has come") };
    assert_eq!((more, none), (More::default(), vec![]));
    assert_eq!(waits(&mut gather, &now), None);
}

#[test]
fn what_is_in_front_is_not_told() {
    let (mut gather, start) = (Gather::default(), Instant::now());
    let now = at(start, Duration::ZERO);
    gather.set_front(Some(asks(1).item));
    gather.add(asks(1), &now);
    assert_eq!(fates(&mut gather), [(asks(1).item, NoticeFate::InFront)]);
    gather.add(asks(2), &now);
    gather.set_front(Some(asks(2).item));
    gather.set_front(None);
    assert_eq!(
        fates(&mut gather),
        [(asks(2).item, NoticeFate::InFront)],
        "coming to the front meanwhile counts"
    );
    assert_eq!(waits(&mut gather, &at(start, GRACE)), None);
    gather.add(asks(1), &now);
    told(&mut gather, &at(start, GRACE));
}

#[test]
fn what_a_person_wants_is_asked_again_when_something_is_to_be_told() {
    let (mut gather, start) = (Gather::default(), Instant::now());
    gather.add(asks(1), &at(start, Duration::ZERO));
    gather.set_rules(NotifyRules { level: NotifyLevel::Nothing, ..NotifyRules::default() }, None);
    let Next::Tell(_, none) = gather.next(&at(start, GRACE)) else { panic!("its time has come") };
    assert_eq!((none, fates(&mut gather)), (vec![], vec![(asks(1).item, NoticeFate::Level)]));
}

#[test]
fn a_question_waits_for_the_end_of_a_pause_and_is_told_at_once_when_it_ends_early() {
    let (mut gather, start) = (Gather::default(), Instant::now());
    let now = at(start, Duration::ZERO);
    let hour = Duration::from_secs(3_600);
    gather.set_rules(NotifyRules::default(), Some(now.wall.plus_ms(3_600_000)));
    gather.add(asks(1), &now);
    gather.add(ended(2), &now);
    let held = [(asks(1).item, NoticeFate::Paused), (ended(2).item, NoticeFate::Paused)];
    assert_eq!(fates(&mut gather), held);
    assert_eq!(waits(&mut gather, &now), Some(start + LOOK_AGAIN), "the calendar is looked at now and then");
    assert_eq!(told(&mut gather, &at(start, hour)).title, "question 1", "an end is in the list by then");
    assert_eq!(fates(&mut gather), [], "why it waited was said once");

    gather.set_rules(NotifyRules::default(), Some(now.wall.plus_ms(7_200_000)));
    gather.add(asks(3), &at(start, hour));
    assert!(waits(&mut gather, &at(start, hour + GRACE)).is_some());
    gather.set_rules(NotifyRules::default(), None);
    assert_eq!(told(&mut gather, &at(start, hour + GRACE)).title, "question 3");
}

#[test]
fn quiet_hours_hold_back_what_can_wait() {
    let (mut gather, start) = (Gather::default(), Instant::now());
    let quiet = Some(QuietHours { from: "11:00".parse().unwrap(), to: "12:30".parse().unwrap() });
    gather.set_rules(NotifyRules { quiet, ..NotifyRules::default() }, None);
    let now = at(start, Duration::ZERO);
    gather.add(asks(1), &now);
    gather.add(DesktopNotice { expires_at: Some(now.wall.plus_ms(600_000)), ..asks(2) }, &now);
    assert_eq!(told(&mut gather, &at(start, GRACE)).title, "question 2", "it expires inside them");
    let half = Duration::from_secs(1_800);
    assert!(waits(&mut gather, &at(start, half / 2)).is_some());
    assert_eq!(told(&mut gather, &at(start, half)).title, "question 1", "they are over");
    assert_eq!(fates(&mut gather), [(asks(1).item, NoticeFate::QuietHours)]);
}

#[test]
fn the_same_thing_is_told_once() {
    let (mut gather, start) = (Gather::default(), Instant::now());
    gather.add(asks(1), &at(start, Duration::ZERO));
    gather.add(DesktopNotice { title: "newer".into(), ..asks(1) }, &at(start, Duration::ZERO));
    assert_eq!(told(&mut gather, &at(start, GRACE)).title, "newer");
}
