//! A start over what the last run left: everything is where it was, and goes on.

use signalbox_model::{CallId, Health, Missed, Outcome, Reason, RequestState as S, Status};

use super::bench::*;
use crate::{Follow, Granted, Intent};

#[test]
fn a_call_that_was_on_the_wire_is_unknown() {
    let mut bench = Bench::new();
    let call = bench.call();
    let bench = bench.restart(1_000, Follow::All);
    let row = bench.row(call);
    assert_eq!((row.outcome, row.status), (Some(Outcome::Unknown), Status::Unknown));
    assert_eq!(bench.flights, [], "never repeated");
}

#[test]
fn an_answer_on_its_way_is_looked_for_before_it_is_sent_again() {
    for (after, expected, again) in [(asking(&["a"]), S::Sending, 1), (working(""), S::Answered, 0)] {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_task(&["a"]);
        bench.answer(ids[0], 0).unwrap();
        let mut bench = bench.restart(1_000, Follow::All);
        assert!(bench.updates(call).is_empty(), "it may have arrived");
        bench.poll(call, Ok(after));
        assert_eq!((bench.question(ids[0]).state, bench.updates(call).len()), (expected, again));
    }
}

#[test]
fn a_held_answer_gets_the_rest_of_its_window() {
    for (away, rest) in [(3_000, 7_000), (60_000, 0)] {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_task(&["a"]);
        bench.answer(ids[0], 10_000).unwrap();
        let mut bench = bench.restart(away, Follow::Named);
        if rest > 0 {
            bench.pass(rest - 1);
            assert!(bench.updates(call).is_empty());
        }
        bench.pass(1);
        assert_eq!(bench.updates(call).len(), 1, "never sent, so no poll is needed");
    }
}

#[test]
fn a_wish_to_cancel_goes_on() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.wish(bench.cancels(call)).unwrap();
    let mut bench = bench.restart(1_000, Follow::Named);
    bench.poll(call, Ok(working("")));
    bench.reply_cancel(call, Ok(json("{}")));
}

#[test]
fn the_kept_time_of_the_next_poll_is_honoured() {
    let mut bench = Bench::new();
    let call = bench.call();
    let made = r#"{"resultType":"task","taskId":"T","status":"working","pollIntervalMs":600000}"#;
    bench.reply_call(call, Ok(called(made)));
    let mut bench = bench.restart(1_000, Follow::All);
    let waited = bench.until_polled(call);
    assert!((599_000..=661_000).contains(&waited), "{waited}");
}

#[test]
fn many_tasks_do_not_come_at_once() {
    let mut bench = Bench::new();
    for _ in 0..400 {
        bench.task();
    }
    let mut bench = bench.restart(86_400_000, Follow::All);
    bench.pass(20);
    assert!((1..=60).contains(&(bench.polls() + waiting(&bench))), "spread: {}", waiting(&bench));
    bench.pass(1_100);
    assert_eq!(bench.polls() + waiting(&bench), 400, "over a second, for their interval is one");
}

fn waiting(bench: &Bench) -> usize {
    bench.state.rooms.servers.all[&SERVER].polls.queue.len()
}

#[test]
fn a_command_polls_only_at_what_it_names() {
    let mut bench = Bench::new();
    let quiet = bench.task();
    let named = bench.task();
    let (asked, ids) = bench.asked_task(&["a"]);
    let expiring = bench.call();
    let made = r#"{"resultType":"task","taskId":"T","status":"working","ttlMs":20000}"#;
    bench.reply_call(expiring, Ok(called(made)));
    let mut bench = bench.restart(1_000, Follow::Named);
    bench.pass(600_000);
    assert_eq!(bench.flights, [], "nobody named any");
    assert!(bench.state.last_words().is_empty(), "and nothing of them is written at the end");
    let token = bench.ask(Intent::Refresh(named));
    bench.until_polled(named);
    bench.reply_poll(named, Ok(working("")));
    assert_eq!(bench.replies[&token], Ok(Granted::Done));
    // An answer and a wish to cancel are followed to their end.
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(asked, Err(lost()));
    bench.poll(asked, Ok(working("")));
    bench.wish(bench.cancels(quiet)).unwrap();
    bench.reply_cancel(quiet, Err(lost()));
    bench.poll(quiet, Ok(working("")));
    bench.reply_cancel(quiet, Ok(json("{}")));
    let named: Vec<CallId> = vec![quiet, named, asked];
    for write in bench.state.last_words() {
        match write {
            signalbox_store::Write::PutCall(call) => assert!(named.contains(&call.id)),
            signalbox_store::Write::PutHeard { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_outage_of_the_last_run_is_remembered_as_such_and_keeps_nobody_from_trying() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Err(unreachable()));
    let (missed, heard) = (bench.now.wall, bench.disk.servers[&SERVER].heard_at);
    // Over two starts, of which the first tries nothing.
    let mut bench = bench.restart(1_000, Follow::Named).restart(1_000, Follow::All);
    let row = &bench.disk.servers[&SERVER];
    let note = Missed { note: Reason::Unreachable { said: "refused".into() }.into(), at: missed };
    assert_eq!(row.health, Health::Unknown { missed: Some(note) }, "when it was tried, and that it failed");
    assert_eq!(row.heard_at, heard, "and when it had last answered");
    bench.poll(call, Ok(done()));
    assert_eq!(
        bench.disk.servers[&SERVER].heard_at.or(heard),
        heard,
        "a moment ago is fresh enough for the row"
    );
}

#[test]
fn numbers_are_never_given_twice() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.forget(call).unwrap();
    let mut bench = bench.restart(1_000, Follow::All);
    assert!(bench.call() > call);
}

#[test]
fn an_answer_that_was_under_way_when_its_task_was_done_was_taken() {
    for (end, state) in [(done(), S::Answered), (json(r#"{"status":"cancelled"}"#), S::Closed)] {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_task(&["a"]);
        bench.until_polled(call);
        bench.answer(ids[0], 0).unwrap();
        bench.reply_poll(call, Ok(end));
        assert_eq!(bench.question(ids[0]).state, S::Sending, "its acknowledgement is to come");
        let bench = bench.restart(1_000, Follow::All);
        assert_eq!(bench.question(ids[0]).state, state);
    }
}
