//! Questions whose deadline is near, that are put off, and that come back.

use signalbox_model::{Attention, CallId, ItemRef, RequestId, RequestState, Settled, Snooze, Timestamp};

use super::bench::*;
use crate::{Follow, Granted, Intent, NoticeKind, Refusal};

const MINUTE: u64 = 60_000;

/// A poll that shows a question, of a task with so many minutes to live in all.
fn lives(minutes: u64, message: &str) -> signalbox_model::Json {
    let ttl = format!(r#""ttlMs":{},"statusMessage":"{message}""#, minutes * MINUTE);
    json(&asking(&["k"]).text().replace(r#""ttlMs":null"#, &ttl))
}

/// A question of a task with so many minutes to live.
fn asked(minutes: u64) -> (Bench, CallId, RequestId) {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(lives(minutes, "asks")));
    let id = bench.questions(call)[0].id;
    (bench, call, id)
}

fn polled(bench: &mut Bench, call: CallId, minutes: u64, message: &str) {
    bench.until_polled(call);
    bench.reply_poll(call, Ok(lives(minutes, message)));
}

/// Time passes, and the server says the same all the time.
fn pass(bench: &mut Bench, minutes: u64, of: u64) {
    bench.serve(minutes * MINUTE, |_| lives(of, "asks"));
}

fn snooze(bench: &mut Bench, request: RequestId, until: Option<Snooze>) -> Result<Granted, Refusal> {
    bench.wish(Intent::Snooze { request, until })
}

fn until(bench: &Bench, minutes: u64) -> Option<Snooze> {
    Some(Snooze::At { at: bench.now.plus_ms(minutes * MINUTE).wall })
}

/// What was told of this question, in order.
fn told(bench: &Bench, id: RequestId) -> Vec<NoticeKind> {
    let of = bench.notices.iter().filter(|notice| notice.item == ItemRef::Request(id));
    of.map(|notice| notice.kind).collect()
}

use NoticeKind::{Expires, NeedsInput};

#[test]
fn a_person_is_reminded_before_the_deadline_and_the_row_says_so() {
    let (mut bench, _, id) = asked(60);
    pass(&mut bench, 54, 60);
    assert_eq!((bench.question(id).attention(), told(&bench, id)), (Attention::NeedsYou, vec![NeedsInput]));
    pass(&mut bench, 2, 60);
    assert_eq!(bench.question(id).attention(), Attention::Expiring, "no view needs a clock for it");
    assert_eq!(told(&bench, id), [NeedsInput, Expires]);
    let mut bench = bench.restart(1_000, Follow::All);
    pass(&mut bench, 1, 60);
    assert_eq!(told(&bench, id), [], "it was said");
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.question(id).attention(), Attention::None);
}

#[test]
fn what_comes_with_little_time_is_told_once() {
    let (mut bench, _, id) = asked(4);
    assert_eq!((bench.question(id).attention(), told(&bench, id)), (Attention::Expiring, vec![NeedsInput]));
    pass(&mut bench, 3, 4);
    assert_eq!(told(&bench, id), [NeedsInput]);
}

#[test]
fn a_deadline_that_moves_later_is_another_one() {
    let (mut bench, call, id) = asked(10);
    pass(&mut bench, 6, 10);
    assert_eq!(told(&bench, id), [NeedsInput, Expires]);
    polled(&mut bench, call, 60, "more time");
    assert_eq!(bench.question(id).attention(), Attention::NeedsYou);
    pass(&mut bench, 50, 60);
    assert_eq!(bench.question(id).attention(), Attention::Expiring);
    assert_eq!(told(&bench, id), [NeedsInput, Expires, Expires]);
}

#[test]
fn a_server_that_moves_its_deadline_to_and_fro_does_not_ring_all_the_time() {
    let (mut bench, call, id) = asked(10);
    pass(&mut bench, 6, 10);
    for _ in 0..5 {
        polled(&mut bench, call, 60, "more time");
        polled(&mut bench, call, 10, "less time");
    }
    assert_eq!((bench.question(id).attention(), told(&bench, id).len()), (Attention::Expiring, 2));
}

#[test]
fn a_night_that_nobody_saw_ends_with_a_reminder() {
    let (bench, _, id) = asked(60);
    let bench = bench.restart(56 * MINUTE, Follow::All);
    assert_eq!((bench.question(id).attention(), told(&bench, id)), (Attention::Expiring, vec![Expires]));
}

#[test]
fn a_run_that_raises_no_notifications_uses_up_no_reminder() {
    let (bench, call, id) = asked(60);
    let mut bench = bench.restart(50 * MINUTE, Follow::Named);
    bench.pass(6 * MINUTE);
    let expires_soon = bench.question(id);
    assert_eq!((expires_soon.attention(), expires_soon.reminded_of), (Attention::Expiring, None));
    let mut bench = bench.restart(1_000, Follow::All);
    assert_eq!(told(&bench, id), [Expires], "the run that can tell does");
    polled(&mut bench, call, 60, "asks");
    let bench = bench.restart(1_000, Follow::All);
    assert_eq!(told(&bench, id), [], "once");
}

#[test]
fn what_is_put_off_comes_back_at_its_time_and_says_so() {
    let (mut bench, _, id) = asked(600);
    let off = until(&bench, 60);
    assert_eq!(snooze(&mut bench, id, off), Ok(Granted::Done));
    assert_eq!(bench.question(id).attention(), Attention::Snoozed);
    pass(&mut bench, 30, 600);
    let mut bench = bench.restart(1_000, Follow::All);
    assert_eq!(bench.question(id).attention(), Attention::Snoozed, "the next run knows it");
    pass(&mut bench, 31, 600);
    let question = bench.question(id);
    assert_eq!((question.attention(), question.snoozed), (Attention::NeedsYou, None));
    assert_eq!(told(&bench, id), [NeedsInput]);
}

#[test]
fn what_comes_back_where_nobody_is_told_is_told_by_the_next_run_that_can() {
    let (mut bench, call, id) = asked(600);
    let off = until(&bench, 60);
    snooze(&mut bench, id, off).unwrap();
    let bench = bench.restart(61 * MINUTE, Follow::Named);
    assert_eq!(bench.question(id).attention(), Attention::NeedsYou, "it stands where it belongs");
    let mut bench = bench.restart(1_000, Follow::Named).restart(1_000, Follow::All);
    let question = bench.question(id);
    assert_eq!((question.attention(), question.snoozed), (Attention::NeedsYou, None));
    assert_eq!(told(&bench, id), [NeedsInput]);
    polled(&mut bench, call, 600, "asks");
    let bench = bench.restart(1_000, Follow::All);
    assert_eq!(told(&bench, id), [], "once");
}

#[test]
fn no_snooze_lets_a_deadline_pass() {
    for until in [Snooze::At { at: Timestamp(START.0 + 86_400_000) }, Snooze::Change, Snooze::BeforeExpiry] {
        let (mut bench, call, id) = asked(60);
        snooze(&mut bench, id, Some(until)).unwrap();
        pass(&mut bench, 50, 60);
        assert_eq!(bench.question(id).attention(), Attention::Snoozed, "{until:?}");
        polled(&mut bench, call, 53, "asks");
        assert_eq!(
            bench.question(id).attention(),
            Attention::Expiring,
            "{until:?}: the deadline came nearer"
        );
        assert_eq!(told(&bench, id), [NeedsInput, Expires]);
    }
}

#[test]
fn put_off_until_something_changes_or_until_it_is_wanted() {
    let (mut bench, call, id) = asked(600);
    snooze(&mut bench, id, Some(Snooze::Change)).unwrap();
    pass(&mut bench, 60, 600);
    assert_eq!(bench.question(id).attention(), Attention::Snoozed, "the same again is no change");
    polled(&mut bench, call, 600, "something else");
    assert_eq!(bench.question(id).attention(), Attention::NeedsYou);
    assert_eq!(told(&bench, id), [NeedsInput, NeedsInput]);

    snooze(&mut bench, id, Some(Snooze::BeforeExpiry)).unwrap();
    polled(&mut bench, call, 1_200, "more time");
    pass(&mut bench, 600, 1_200);
    assert_eq!(bench.question(id).attention(), Attention::Snoozed, "it follows its deadline");
    snooze(&mut bench, id, None).unwrap();
    assert_eq!(bench.question(id).attention(), Attention::NeedsYou);
    assert_eq!(told(&bench, id).len(), 2, "who brings it back knows");
}

#[test]
fn a_task_needs_its_person_only_for_what_they_have_not_put_off() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(json(&asking(&["a", "b"]).text().replace(r#""ttlMs":null"#, r#""ttlMs":36000000"#))));
    let ids: Vec<RequestId> = bench.questions(call).iter().map(|question| question.id).collect();
    let needs = |bench: &Bench| (bench.row(call).open_requests, bench.row(call).needs_person());
    assert_eq!(needs(&bench), (2, true));
    let off = until(&bench, 60);
    snooze(&mut bench, ids[0], off).unwrap();
    assert_eq!(needs(&bench), (1, true), "the other one waits");
    snooze(&mut bench, ids[1], Some(Snooze::BeforeExpiry)).unwrap();
    assert_eq!(needs(&bench), (0, false), "nobody is wanted now");
    let mut bench = bench.restart(1_000, Follow::All);
    assert_eq!(needs(&bench), (0, false), "the next run counts the same");
    bench.full = true;
    assert!(snooze(&mut bench, ids[1], None).is_err());
    bench.full = false;
    assert_eq!(needs(&bench), (0, false), "what could not be kept never was");
    bench.serve(61 * MINUTE, |_| {
        json(&asking(&["a", "b"]).text().replace(r#""ttlMs":null"#, r#""ttlMs":36000000"#))
    });
    assert_eq!(needs(&bench), (1, true), "one is back");
    snooze(&mut bench, ids[1], None).unwrap();
    assert_eq!(needs(&bench), (2, true), "and so is the other");

    let (of_round, asked) = bench.asked_round(&["a"]);
    let off = until(&bench, 60);
    snooze(&mut bench, asked[0], off).unwrap();
    assert!(!bench.row(of_round).needs_person(), "a call in rounds is no other");
}

#[test]
fn an_answer_ends_a_snooze_also_when_it_is_taken_back() {
    let (mut bench, _, id) = asked(600);
    snooze(&mut bench, id, Some(Snooze::Change)).unwrap();
    bench.answer(id, 60_000).unwrap();
    assert_eq!((bench.question(id).attention(), bench.question(id).snoozed), (Attention::None, None));
    let refused = snooze(&mut bench, id, Some(Snooze::Change));
    assert_eq!(refused, Err(Refusal::Settled(Settled::Held)), "it waits for nobody");
    bench.wish(bench.undoes(id)).unwrap();
    let question = bench.question(id);
    assert_eq!((question.state, question.attention()), (RequestState::Open, Attention::NeedsYou));
}

#[test]
fn what_cannot_be_is_refused_and_what_cannot_be_kept_never_was() {
    let (mut bench, _, id) = asked(60);
    let past = Some(Snooze::At { at: bench.now.wall });
    assert_eq!(snooze(&mut bench, id, past), Err(Refusal::PastTime));
    assert_eq!(snooze(&mut bench, RequestId(99), past), Err(Refusal::UnknownRequest));
    bench.full = true;
    assert!(matches!(snooze(&mut bench, id, Some(Snooze::Change)), Err(Refusal::Storage(_))));
    bench.full = false;
    assert_eq!(bench.question(id).attention(), Attention::NeedsYou);
    pass(&mut bench, 56, 60);
    assert_eq!(told(&bench, id), [NeedsInput, Expires], "its time is still watched");
    assert_eq!(snooze(&mut bench, id, Some(Snooze::Change)), Err(Refusal::ExpiresSoon));

    let (_, of_round) = bench.asked_round(&["a"]);
    assert_eq!(snooze(&mut bench, of_round[0], Some(Snooze::BeforeExpiry)), Err(Refusal::NoDeadline));
    let refused = snooze(&mut bench, of_round[0], Some(Snooze::Change));
    assert_eq!(refused, Err(Refusal::NoTask), "a mere call has none that could change");
}
