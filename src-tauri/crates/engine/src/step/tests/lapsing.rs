//! Answers within their undo windows when nobody is left to send them.

use signalbox_model::{
    Action, Actor, CallId, CloseReason, DecisionKind, EventKind, RequestId, RequestState as S,
};

use super::bench::*;
use crate::{Follow, Granted, Intent, Refusal};

const HOUR: u64 = 3_600_000;

fn accept(id: RequestId, content: &str, hold_ms: u32) -> Intent {
    Intent::Answer {
        request: id,
        action: Action::Accept,
        content: Some(json(content)),
        hold_ms,
        seen: None,
        remark: None,
        asks: None,
    }
}

fn open(bench: &Bench, call: CallId) -> u32 {
    bench.row(call).open_requests
}

#[test]
fn a_clean_end_takes_back_what_is_held_and_nothing_else() {
    let mut bench = Bench::legacy();
    let (task, of_task) = bench.asked_task(&["a", "b"]);
    let (round, of_round) = bench.asked_round(&["a", "b"]);
    let asking = bench.task();
    bench.hear(super::legacy::asks("7", "Really?", Some(&format!("task-{}", asking.0))));
    let on_wire = *bench.disk.requests.keys().last().unwrap();
    for id in [of_task[0], of_round[0], on_wire] {
        bench.wish(accept(id, r#"{"n":1}"#, 60_000)).unwrap();
    }
    bench.decline(of_task[1], 60_000).unwrap();
    // Kept for the rest of its round: it was given, and is not within an undo window.
    bench.wish(accept(of_round[1], r#"{"n":2}"#, 0)).unwrap();

    assert_eq!(bench.wish(Intent::TakeBackHeld), Ok(Granted::Done));
    assert_eq!(bench.states(task), [S::Open; 2]);
    assert_eq!(bench.states(round), [S::Open, S::Sending]);
    assert_eq!(bench.question(on_wire).state, S::Open);
    for id in [of_task[0], of_round[0], on_wire] {
        let question = bench.question(id);
        assert_eq!(question.draft, Some(json(r#"{"n":1}"#)), "what was decided is what one goes on from");
        assert_eq!((question.reason, &question.answer), (Some(CloseReason::Lapsed), &None), "and why");
    }
    assert_eq!((open(&bench, task), open(&bench, round)), (2, 1), "they wait for a person again");
    assert!(bench.disk.story(task).contains(&EventKind::Lapsed));
    let entries = bench.disk.decisions.iter().filter(|entry| entry.kind == DecisionKind::Lapsed);
    let entries: Vec<_> = entries.map(|entry| (entry.by, entry.request)).collect();
    let by = |id| (Actor::Signalbox, Some(id));
    assert_eq!(entries, [by(of_task[0]), by(of_task[1]), by(of_round[0]), by(on_wire)], "no person did it");
    bench.pass(120_000);
    assert!(bench.updates(task).is_empty() && !bench.calling(round), "nothing of it is sent");
    assert!(bench.wire_replies.is_empty());
    assert_eq!(bench.states(asking), [S::Open]);

    let mut bench = bench.restart(1_000, Follow::All);
    assert_eq!(bench.states(task), [S::Open; 2], "nor by the next run");
    bench.wish(accept(of_task[0], r#"{"n":3}"#, 0)).unwrap();
    assert_eq!(bench.question(of_task[0]).reason, None, "it is answered anew");
}

#[test]
fn nothing_is_taken_back_where_it_cannot_be_kept() {
    let mut bench = Bench::legacy();
    let (task, of_task) = bench.asked_task(&["a"]);
    bench.hear(super::legacy::asks("7", "Really?", Some("task-1")));
    let on_wire = *bench.disk.requests.keys().last().unwrap();
    bench.answer(of_task[0], 5_000).unwrap();
    bench.answer(on_wire, 5_000).unwrap();
    bench.full = true;
    assert!(matches!(bench.wish(Intent::TakeBackHeld), Err(Refusal::Storage(_))));
    bench.full = false;
    bench.pass(5_000);
    assert_eq!(bench.updates(task).len(), 1, "as if nobody had wished it");
    assert_eq!(bench.question(on_wire).state, S::Sending);
    bench.reply_update(task, Ok(json("{}")));
}

#[test]
fn what_an_earlier_run_left_held_goes_within_an_hour_and_is_a_draft_after() {
    for (away, expected) in [(HOUR, S::Sending), (HOUR + 5_001, S::Open)] {
        for of_round in [false, true] {
            let mut bench = Bench::new();
            let (call, ids) = if of_round { bench.asked_round(&["a"]) } else { bench.asked_task(&["a"]) };
            bench.answer(ids[0], 5_000).unwrap();
            let mut bench = bench.restart(away, Follow::All);
            bench.pass(0);
            let question = bench.question(ids[0]);
            assert_eq!(question.state, expected, "{away} ms, of a round: {of_round}");
            let lapsed = expected == S::Open;
            assert_eq!(question.draft.is_some(), lapsed);
            assert_eq!(question.reason, lapsed.then_some(CloseReason::Lapsed));
            assert_eq!(open(&bench, call), u32::from(lapsed), "the badge counts it");
            assert_eq!(bench.disk.story(call).contains(&EventKind::Lapsed), lapsed, "and the timeline tells");
            assert_eq!(!bench.updates(call).is_empty() || bench.calling(call), !lapsed);
        }
    }
}

#[test]
fn on_the_legacy_wire_too_a_draft_comes_of_it() {
    let mut bench = Bench::legacy();
    bench.hear(super::legacy::asks("7", "Really?", None));
    let id = *bench.disk.requests.keys().last().unwrap();
    bench.answer(id, 5_000).unwrap();
    let mut bench = bench.restart(2 * HOUR, Follow::All);
    assert_eq!((bench.question(id).state, bench.question(id).reason), (S::Open, Some(CloseReason::Lapsed)));
    bench.connect(1, true);
    assert!(bench.wire_replies.is_empty());
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.wire_replies.len(), 1, "and can be given again");
}

#[test]
fn what_was_on_its_way_stays_so_whatever_its_age() {
    let mut bench = Bench::new();
    let (_, ids) = bench.asked_task(&["a"]);
    bench.go_down();
    bench.answer(ids[0], 0).unwrap();
    let bench = bench.restart(30 * 24 * HOUR, Follow::All);
    assert_eq!(bench.question(ids[0]).state, S::Sending, "the command line was told that it goes");
    let answer = bench.question(ids[0]).answer.as_ref().unwrap();
    assert!(answer.sent_at.is_none() && answer.decided_at < bench.now.wall, "and how long it has waited");
}

#[test]
fn an_undo_window_ends_before_the_deadline_does() {
    // What is left of the task, the wished window, and when the answer goes.
    for (left, hold, goes) in
        [(60_000, 5_000, 5_000), (7_000, 5_000, 4_000), (2_000, 5_000, 0), (500, 5_000, 0)]
    {
        let mut bench = Bench::new();
        let call = bench.call();
        let made =
            r#"{"resultType":"task","taskId":"T","status":"working","ttlMs":60000,"pollIntervalMs":1000}"#;
        bench.reply_call(call, Ok(called(made)));
        bench.poll(call, Ok(json(&asking(&["a"]).text().replace("null", "60000"))));
        let passed = bench.now.steady_ms;
        let id = bench.questions(call)[0].id;
        let dies_at = bench.state.rooms.calls.live[&call].polling.dies_at.unwrap();
        if left < 60_000 {
            bench.pass(dies_at - left - passed);
        }
        bench.answer(id, hold).unwrap();
        let answer = bench.question(id).answer.as_ref().unwrap();
        assert_eq!(answer.send_at.ms_since(answer.decided_at), goes, "{left} ms are left");
        let state = if goes == 0 { S::Sending } else { S::Held };
        assert_eq!(bench.question(id).state, state, "{left} ms are left");
    }
}

#[test]
fn what_a_sleep_kept_beyond_its_moment_is_a_draft_when_the_machine_wakes() {
    for (slept, expected) in [(HOUR - 5_000, S::Sending), (HOUR + 1_000, S::Open)] {
        let mut bench = Bench::legacy();
        let (task, of_task) = bench.asked_task(&["a"]);
        bench.hear(super::legacy::asks("7", "Really?", None));
        let on_wire = *bench.disk.requests.keys().last().unwrap();
        for id in [of_task[0], on_wire] {
            bench.answer(id, 5_000).unwrap();
        }
        // The steady clock stands still meanwhile.
        bench.now.wall = bench.now.wall.plus_ms(i64::try_from(slept).unwrap());
        bench.pass(5_000);
        for id in [of_task[0], on_wire] {
            assert_eq!(bench.question(id).state, expected, "{slept} ms asleep");
        }
        assert_eq!(bench.updates(task).is_empty(), expected == S::Open, "and nothing of it is sent");
    }
}
