//! A wish to cancel shows as requested until the server says.

use signalbox_mcp::FoundServer;
use signalbox_model::{DecisionKind, EventKind, Outcome, Status, Wire};

use super::bench::*;
use crate::{Granted, Input, Intent, Refusal};

#[test]
fn requested_until_the_server_says() {
    let mut bench = Bench::new();
    let call = bench.task();
    assert_eq!(bench.wish(bench.cancels(call)), Ok(Granted::Done));
    assert!(bench.row(call).cancel.as_ref().unwrap().acknowledged_at.is_none());
    assert_eq!(bench.wish(bench.cancels(call)), Ok(Granted::Done), "asking twice sends once");
    bench.reply_cancel(call, Ok(json("{}")));
    assert!(bench.row(call).cancel.as_ref().unwrap().acknowledged_at.is_some());
    assert_eq!((bench.row(call).status, bench.row(call).outcome), (Status::Working, None), "still requested");
    let told = bench.notices.len();
    bench.poll(call, Ok(json(r#"{"status":"cancelled"}"#)));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Cancelled));
    assert_eq!(bench.notices.len(), told, "whoever cancelled it knows");
}

#[test]
fn a_task_may_complete_anyway() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.wish(bench.cancels(call)).unwrap();
    bench.poll(call, Ok(done()));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
    bench.reply_cancel(call, Ok(json("{}")));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
}

#[test]
fn a_task_that_ends_with_an_answer_and_a_wish_under_way_hears_both() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.until_polled(call);
    bench.answer(ids[0], 0).unwrap();
    bench.wish(bench.cancels(call)).unwrap();
    bench.reply_poll(call, Ok(done()));
    bench.reply_cancel(call, Ok(json("{}")));
    bench.reply_update(call, Ok(json("{}")));
    assert_eq!((bench.row(call).outcome, bench.state.live_calls()), (Some(Outcome::Ok), 0));
}

#[test]
fn a_lost_wish_is_sent_again_after_a_poll_without_news() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(working("")));
    bench.wish(bench.cancels(call)).unwrap();
    let began = bench.now.steady_ms;
    for _ in 0..3 {
        bench.reply_cancel(call, Err(lost()));
        while !bench.flights.contains(&Flight::Cancel { call }) {
            bench.poll(call, Ok(working("")));
        }
    }
    assert!(bench.now.steady_ms - began > 6_000, "and more and more seldom");
    bench.reply_cancel(call, Ok(json("{}")));
    bench.poll(call, Ok(working("")));
    assert_eq!(bench.flights, [], "acknowledged once is enough");
}

#[test]
fn each_wish_that_goes_is_told_and_the_log_stays_short() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.wish(bench.cancels(call)).unwrap();
    let (began, mut sendings) = (bench.now.steady_ms, 0);
    while bench.now.steady_ms - began < 3_600_000 {
        if bench.flights.contains(&Flight::Cancel { call }) {
            sendings += 1;
            bench.reply_cancel(call, Err(lost()));
        }
        bench.poll(call, Ok(working("")));
    }
    assert!((15..=25).contains(&sendings), "{sendings}");
    let entries = bench.disk.decisions.iter().filter(|entry| entry.kind == DecisionKind::Sent);
    let texts: Vec<_> = entries.map(|entry| entry.text.as_deref().unwrap()).collect();
    assert_eq!(texts[0], "cancel");
    assert!(
        (2..=7).contains(&texts.len()) && texts[1..].iter().all(|text| *text == "cancel again"),
        "{texts:?}"
    );
}

#[test]
fn an_outage_delays_the_wish() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Err(unreachable()));
    bench.wish(bench.cancels(call)).unwrap();
    assert_eq!(bench.flights, [], "nothing can be sent");
    bench.pass(2_000);
    bench.reply_discover(Ok(found()));
    bench.reply_cancel(call, Ok(json("{}")));
    assert!(bench.row(call).cancel.as_ref().unwrap().acknowledged_at.is_some());
}

#[test]
fn a_refused_wish_is_over() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.wish(bench.cancels(call)).unwrap();
    bench.reply_cancel(call, Err(rpc(-32602)));
    assert_eq!(bench.row(call).cancel, None);
    assert_eq!(bench.row(call).note.as_ref().unwrap().code, NoteCode::ServerError);
    bench.poll(call, Ok(working("")));
    assert_eq!(bench.flights, [], "not again by itself");
    bench.wish(bench.cancels(call)).unwrap();
    bench.reply_cancel(call, Ok(json("{}")));
}

#[test]
fn whoever_insists_is_sent_again() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.wish(bench.cancels(call)).unwrap();
    bench.reply_cancel(call, Ok(json("{}")));
    bench.poll(call, Ok(working("")));
    bench.wish(bench.cancels(call)).unwrap();
    bench.reply_cancel(call, Ok(json("{}")));
    let wishes = bench.disk.story(call).into_iter().filter(|kind| *kind == EventKind::CancelRequested);
    assert_eq!(wishes.count(), 2);
}

#[test]
fn before_there_is_a_handle_the_wish_waits_for_it() {
    let mut bench = Bench::new();
    let call = bench.call();
    bench.wish(bench.cancels(call)).unwrap();
    assert_eq!(bench.row(call).outcome, None, "a handle that is on its way must not be lost");
    bench.reply_call(call, Ok(called(r#"{"resultType":"task","taskId":"T","status":"working"}"#)));
    bench.reply_cancel(call, Ok(json("{}")));
    bench.poll(call, Ok(json(r#"{"status":"cancelled"}"#)));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Cancelled));
}

#[test]
fn a_second_wish_stops_waiting() {
    let mut bench = Bench::new();
    let call = bench.call();
    bench.wish(bench.cancels(call)).unwrap();
    bench.wish(bench.cancels(call)).unwrap();
    assert_eq!(
        (bench.row(call).outcome, bench.given_up.as_slice()),
        (Some(Outcome::Cancelled), [call].as_slice())
    );
    assert_eq!(
        bench.row(call).note.as_ref().unwrap().code,
        NoteCode::Lost,
        "the server may still be at work"
    );
}

#[test]
fn a_server_without_tasks_has_no_handle_to_wait_for_but_an_unknown_one_may() {
    let mut bench = Bench::new();
    bench.wish(Intent::AddServer(server(2))).unwrap();
    let start = |n: u32| Intent::Start {
        server: signalbox_model::ServerId(n),
        tool: "t".to_owned(),
        arguments: json("{}"),
        ttl_ms: None,
    };
    let Ok(Granted::Call(unknown)) = bench.wish(start(2)) else { panic!("it should start") };
    bench.wish(bench.cancels(unknown)).unwrap();
    assert_eq!(bench.row(unknown).outcome, None, "it may have tasks");
    let mut plain = found();
    plain.server.tasks = false;
    bench.feed(Input::Found { server: SERVER, found: Box::new(plain) });
    let call = bench.call();
    bench.wish(bench.cancels(call)).unwrap();
    assert_eq!(bench.row(call).outcome, Some(Outcome::Cancelled));
}

#[test]
fn on_the_legacy_wire_only_tools_that_allow_it_become_tasks() {
    for (execution, outcome) in [
        (r#","execution":{"taskSupport":"optional"}"#, None),
        (r#","execution":{"taskSupport":"forbidden"}"#, Some(Outcome::Cancelled)),
        ("", Some(Outcome::Cancelled)),
    ] {
        let mut bench = Bench::legacy();
        let tools = json(&format!(r#"[{{"name":"deploy","inputSchema":{{"type":"object"}}{execution}}}]"#));
        bench.feed(Input::Listed { server: SERVER, reply: Ok(tools) });
        let call = bench.call();
        bench.wish(bench.cancels(call)).unwrap();
        assert_eq!(bench.row(call).outcome, outcome, "of a tool with {execution:?}");
        assert_eq!(bench.given_up.len(), usize::from(outcome.is_some()), "the server is told");
    }
}

#[test]
fn a_server_that_does_not_let_its_tasks_be_cancelled_is_not_asked() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    let mut without = FoundServer { wire: Wire::Legacy, ..found() };
    without.server.capabilities = json(r#"{"tasks":{"list":{}}}"#);
    bench.feed(Input::Found { server: SERVER, found: Box::new(without) });
    assert_eq!(bench.wish(bench.cancels(call)), Err(Refusal::CannotCancel));
    assert_eq!(bench.row(call).cancel, None, "nothing is left that waits");
}

#[test]
fn what_was_cancelled_and_never_sent_is_cancelled() {
    let mut bench = Bench::new();
    let call = bench.call();
    bench.wish(bench.cancels(call)).unwrap();
    bench.land("tools/call", |flight| matches!(flight, Flight::Call { .. }));
    bench.feed(Input::NotSent { call, error: unreachable() });
    assert_eq!(
        (bench.row(call).outcome, bench.row(call).status),
        (Some(Outcome::Cancelled), Status::Cancelled)
    );
}

#[test]
fn two_who_each_cancel_once_give_nothing_up() {
    let mut bench = Bench::new();
    let call = bench.call();
    let (mine, theirs) = (bench.cancels(call), bench.cancels(call));
    bench.wish(theirs).unwrap();
    assert_eq!(bench.wish(mine), Err(Refusal::CancelledMeanwhile), "to insist is another decision");
    assert_eq!((bench.row(call).outcome, bench.given_up.len()), (None, 0), "its handle can still come");
    bench.reply_call(call, Ok(called(r#"{"resultType":"task","taskId":"T","status":"working"}"#)));
    bench.reply_cancel(call, Ok(json("{}")));
    assert!(bench.row(call).cancel.as_ref().unwrap().acknowledged_at.is_some());
}

#[test]
fn who_insists_on_a_wish_that_was_refused_meanwhile_is_told() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.wish(bench.cancels(call)).unwrap();
    let again = bench.cancels(call);
    bench.reply_cancel(call, Err(rpc(-32602)));
    assert_eq!(bench.wish(again), Err(Refusal::CancelledMeanwhile));
    assert_eq!(bench.flights, [], "nothing went");
}
