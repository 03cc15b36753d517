//! What servers push: it stretches polling and never replaces it.

use std::time::Duration;

use signalbox_mcp::Error;
use signalbox_model::{CallId, Outcome, Push, RequestState, Status};

use super::bench::*;
use crate::{Input, Intent, PushedNews, schedule::Due, schedule::SLOT};

fn pushing() -> Bench {
    let mut bench = Bench::new();
    bench.pushes = true;
    bench
}

/// The stream that is asked for next is acknowledged for all its tasks. Says which number it has.
fn acknowledged(bench: &mut Bench) -> u64 {
    while bench.listens.is_empty() {
        let due = bench.state.next_due().expect("a subscription should be due");
        bench.pass(due - bench.now.steady_ms);
    }
    let (server, number, calls) = bench.listens.remove(0);
    bench.feed(Input::Listening { server, number, reply: Ok(calls) });
    number
}

fn push(bench: &mut Bench, number: u64, news: PushedNews) {
    bench.feed(Input::Pushed { server: SERVER, number, news });
}

fn pushed(bench: &mut Bench, number: u64, call: CallId, raw: signalbox_model::Json) {
    push(bench, number, PushedNews::Task { call, poll: raw.into() });
}

/// A task with a stream that tells of it, polled once.
fn told() -> (Bench, CallId, u64) {
    let mut bench = pushing();
    let call = bench.task();
    let number = acknowledged(&mut bench);
    bench.poll(call, Ok(working("")));
    (bench, call, number)
}

#[test]
fn one_stream_for_all_that_begin_in_a_moment() {
    let mut bench = pushing();
    let calls: Vec<CallId> = (0..5).map(|_| bench.task()).collect();
    bench.pass(249);
    assert_eq!(bench.listens, [], "they are gathered");
    bench.pass(1);
    let mut newest = calls.clone();
    newest.reverse();
    assert_eq!(bench.listens, [(SERVER, 1, newest)]);
    acknowledged(&mut bench);
    assert_eq!(bench.shown, Some(Push::On));
    let more = bench.task();
    let waited = bench.now.steady_ms;
    assert_eq!(acknowledged(&mut bench), 2, "another one takes its place");
    assert!(bench.now.steady_ms - waited >= 1_000, "but not at once again");
    assert_eq!(bench.stopped, 0, "and the first is not dropped before");
    bench.pass(A_WHILE);
    assert_eq!(bench.listens, [], "and nothing more is asked for");
    pushed(&mut bench, 1, more, done());
    assert_eq!(bench.row(more).outcome, None, "what is late of the first means nothing");
    pushed(&mut bench, 2, more, done());
    assert_eq!(bench.row(more).outcome, Some(Outcome::Ok), "what the second says does");
    for call in calls {
        pushed(&mut bench, 2, call, done());
    }
    bench.pass(A_WHILE);
    assert_eq!((bench.stopped, bench.shown), (1, None), "with the last of its tasks the stream goes");
    assert!(!bench.state.shared.schedule.is_set(Due::Listen(SERVER)), "and none is asked for");
}

#[test]
fn no_more_than_a_thousand_and_those_are_the_newest() {
    let mut bench = pushing();
    let calls: Vec<CallId> = (0..1_010).map(|_| bench.task()).collect();
    bench.pass(250);
    let (_, _, asked) = &bench.listens[0];
    assert_eq!((asked.len(), asked[0], asked[999]), (1_000, calls[1_009], calls[10]));
    acknowledged(&mut bench);
    bench.serve(A_WHILE, |_| working(""));
    assert_eq!(bench.listens, [], "that the others are not covered is no reason to ask again");
}

#[test]
fn polls_are_stretched_while_the_stream_lives() {
    let (mut bench, call, number) = told();
    let stretched = 30_000..=30_000 + SLOT;
    assert!(stretched.contains(&bench.until_polled(call)), "six intervals, and at least half a minute");
    bench.reply_poll(call, Ok(working("")));
    pushed(&mut bench, number, call, working(r#","statusMessage":"3/7""#));
    let message = bench.row(call).task.as_ref().and_then(|task| task.status_message.clone());
    assert_eq!(message.as_deref(), Some("3/7"), "what is pushed is kept at once");
    let writes = bench.disk.writes;
    pushed(&mut bench, number, call, working(r#","statusMessage":"3/7","_meta":{"x":1}"#));
    assert_eq!(bench.disk.writes, writes, "the same in another envelope is no news");
    assert!(stretched.contains(&bench.until_polled(call)), "and does not put a poll off");
    bench.reply_poll(call, Ok(working("")));
    push(&mut bench, number, PushedNews::Cut(lost()));
    assert_eq!(bench.shown, None);
    assert!(bench.until_polled(call) <= LATEST + SLOT, "without the stream its polls come soon");
}

#[test]
fn the_poll_before_the_ttl_comes_all_the_same() {
    let mut bench = pushing();
    let call = bench.call();
    let made = r#"{"resultType":"task","taskId":"T","status":"working","ttlMs":20000,"pollIntervalMs":1000}"#;
    bench.reply_call(call, Ok(called(made)));
    acknowledged(&mut bench);
    let state = || json(r#"{"status":"working","ttlMs":20000,"pollIntervalMs":1000}"#);
    bench.poll(call, Ok(state()));
    bench.until_polled(call);
    assert_eq!(bench.now.steady_ms, 18_000, "just before");
}

#[test]
fn an_answer_needs_polls_and_no_push_says_what_became_of_it() {
    let mut bench = pushing();
    let (call, ids) = bench.asked_task(&["a"]);
    let number = acknowledged(&mut bench);
    bench.until_polled(call);
    bench.reply_poll(call, Ok(asking(&["a"])));
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Err(lost()));
    pushed(&mut bench, number, call, asking(&["a", "b"]));
    assert!(bench.updates(call).is_empty(), "a push permits no resending");
    assert_eq!(bench.states(call), [RequestState::Sending, RequestState::Open], "but it brings questions");
    pushed(&mut bench, number, call, working(""));
    assert_eq!(bench.states(call), [RequestState::Sending, RequestState::Open], "and closes none");
    assert!(bench.until_polled(call) <= LATEST, "a poll is not put off");
    bench.reply_poll(call, Ok(working("")));
    assert_eq!(bench.states(call), [RequestState::Answered, RequestState::Closed], "it settles both");
    bench.poll(call, Ok(working("")));
    assert!(bench.until_polled(call) >= 30_000, "then there is time");
}

#[test]
fn an_answer_that_a_push_says_is_wanted_after_all_goes() {
    let (mut bench, call, number) = told();
    bench.poll(call, Ok(asking(&["a"])));
    let id = bench.questions(call)[0].id;
    pushed(&mut bench, number, call, json(r#"{"status":"completed","pollIntervalMs":1000,"ttlMs":null}"#));
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.updates(call).len(), 0, "a task that says it is over takes nothing");
    pushed(&mut bench, number, call, working(""));
    assert_eq!(bench.updates(call).len(), 1, "it goes on, and an answer that never went out goes");
}

#[test]
fn a_poll_that_a_push_overtook_is_passed_over_once() {
    let (mut bench, call, number) = told();
    bench.until_polled(call);
    pushed(&mut bench, number, call, asking(&["a"]));
    bench.reply_poll(call, Ok(working("")));
    assert_eq!(bench.states(call), [RequestState::Open], "it showed what was before");
    assert!(bench.until_polled(call) <= LATEST, "another one tells");
    pushed(&mut bench, number, call, asking(&["a", "b"]));
    bench.reply_poll(call, Ok(asking(&["b"])));
    assert_eq!(bench.states(call), [RequestState::Closed, RequestState::Open], "not twice in a row");
    bench.until_polled(call);
    pushed(&mut bench, number, call, working(""));
    bench.reply_poll(call, Ok(done()));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok), "an end is the last word whatever came meanwhile");
    pushed(&mut bench, number, call, working(""));
    assert_eq!(bench.row(call).status, Status::Completed, "also for a push");
}

#[test]
fn completed_without_its_result_is_polled_and_not_counted() {
    let (mut bench, call, number) = told();
    for n in 0..10 {
        pushed(&mut bench, number, call, json(&format!(r#"{{"status":"completed","statusMessage":"{n}"}}"#)));
    }
    assert_eq!(bench.row(call).outcome, None, "a push is no poll");
    assert!(bench.until_polled(call) <= LATEST, "a poll comes as soon as manners allow");
    bench.reply_poll(call, Ok(done()));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
}

#[test]
fn a_poll_that_is_turned_away_is_wanted_as_before() {
    let (mut bench, call, number) = told();
    push(&mut bench, number, PushedNews::Missed);
    bench.until_polled(call);
    let busy = Error::Throttled { status: 503, retry_after: Some(Duration::ZERO) };
    bench.reply_poll(call, Err(busy));
    assert!(bench.until_polled(call) <= LATEST, "no push tells of it again");
}

#[test]
fn what_is_missed_or_comes_too_fast_is_polled() {
    let (mut bench, call, number) = told();
    push(&mut bench, number, PushedNews::Missed);
    assert!(bench.until_polled(call) <= LATEST + SLOT);
    bench.reply_poll(call, Ok(working("")));
    let writes = bench.disk.writes;
    for n in 0..10_000 {
        pushed(&mut bench, number, call, working(&format!(r#","statusMessage":"{n}""#)));
    }
    assert!(bench.disk.writes - writes <= 60, "{} writes: a flood is not kept", bench.disk.writes - writes);
    assert!(bench.until_polled(call) <= LATEST, "but polled");
}

#[test]
fn a_server_that_does_not_push_is_not_asked_in_a_loop() {
    for refusal in [Err(rpc(-32601)), Ok(Vec::new())] {
        let mut bench = pushing();
        let call = bench.task();
        bench.pass(250);
        let (server, number, _) = bench.listens.remove(0);
        bench.feed(Input::Listening { server, number, reply: refusal });
        assert_eq!(bench.shown, Some(Push::Off));
        bench.task();
        bench.serve(3_000_000, |_| working(""));
        assert_eq!(bench.listens, [], "not for other tasks either");
        assert!(bench.until_polled(call) <= LATEST, "nothing is stretched");
        bench.ask(Intent::Check(SERVER));
        bench.reply_discover(Ok(found()));
        bench.pass(250);
        assert_eq!(bench.listens.len(), 1, "a person's check asks again");
    }
    let (mut bench, _, number) = told();
    push(&mut bench, number, PushedNews::Ended);
    assert_eq!(bench.shown, Some(Push::Off), "it ended in order, and had something to tell");
    bench.serve(3_000_000, |_| working(""));
    assert_eq!(bench.listens, []);
}

#[test]
fn a_stream_that_is_cut_comes_back_with_backoff() {
    let (mut bench, _, mut number) = told();
    let mut waits = Vec::new();
    for _ in 0..8 {
        push(&mut bench, number, PushedNews::Cut(lost()));
        let began = bench.now.steady_ms;
        while bench.listens.is_empty() {
            bench.serve(100, |_| working(""));
        }
        waits.push(bench.now.steady_ms - began);
        number = acknowledged(&mut bench);
    }
    assert!(waits[0] <= 1_200 && waits[7] >= 128_000, "more and more seldom: {waits:?}");
    bench.serve(60_000, |_| working(""));
    push(&mut bench, number, PushedNews::Cut(lost()));
    bench.serve(1_200, |_| working(""));
    assert_eq!(bench.listens.len(), 1, "one that lived a minute starts over");
}

#[test]
fn a_closed_gate_drops_the_stream_and_its_opening_brings_another() {
    let (mut bench, call, number) = told();
    bench.poll(call, Err(unreachable()));
    assert_eq!((bench.stopped, bench.shown), (1, None));
    pushed(&mut bench, number, call, done());
    assert_eq!(bench.row(call).outcome, None, "what is late means nothing");
    bench.pass(1_200);
    bench.reply_discover(Ok(found()));
    assert_eq!(acknowledged(&mut bench), 2);
    let mut changed = server(1);
    changed.enabled = false;
    bench.wish(Intent::PutServer(changed.clone())).unwrap();
    assert_eq!(bench.stopped, 2, "disabled");
    changed.enabled = true;
    bench.wish(Intent::PutServer(changed)).unwrap();
    bench.serve(A_WHILE, |_| working(""));
    assert_eq!(bench.listens, [], "the connection comes first");
    bench.feed(Input::Found { server: SERVER, found: Box::new(found()) });
    assert_eq!(acknowledged(&mut bench), 3);
}

#[test]
fn tools_that_change_are_listed_again_if_they_ever_were() {
    let (mut bench, _, number) = told();
    push(&mut bench, number, PushedNews::ToolsChanged);
    assert_eq!(bench.lists, 0, "nobody has asked for them");
    bench.feed(Input::Listed { server: SERVER, reply: Ok(json("[]")) });
    for _ in 0..100 {
        push(&mut bench, number, PushedNews::ToolsChanged);
    }
    assert_eq!(bench.lists, 1, "once");
    bench.serve(60_000, |_| working(""));
    assert_eq!(bench.lists, 2, "and once more for all that came after, a minute later");
}

#[test]
fn an_end_without_a_result_tells_of_no_answer_whether_it_arrived() {
    let (mut bench, call, number) = told();
    bench.poll(call, Ok(asking(&["a"])));
    let id = bench.questions(call)[0].id;
    bench.answer(id, 0).unwrap();
    bench.reply_update(call, Err(lost()));
    bench.poll(call, Ok(json(r#"{"status":"completed"}"#)));
    pushed(&mut bench, number, call, working(""));
    assert!(bench.updates(call).is_empty(), "no poll has shown that it is still asked");
    bench.poll(call, Ok(asking(&["a"])));
    assert_eq!(bench.updates(call).len(), 1, "now one has");
}
