//! `tasks/result`: held while a task needs input, fetched when it has ended.

use std::collections::BTreeSet;

use signalbox_model::{EventKind, Reason};

use super::*;
use crate::Tuning;

/// The question of this call on the request that is held for its result.
fn on_result_of(call: CallId) -> ServerRequest {
    let task_id = format!("task-{}", call.0);
    let channel = Channel::Response { method: "tasks/result", task_id: Some(task_id.clone()) };
    let (rpc, message) = (call.0.to_string(), format!("Really, {}?", call.0));
    ServerRequest { channel, ..asks(&rpc, &message, Some(&task_id)) }
}

impl Bench {
    fn tasks(&mut self, count: u32) -> Vec<CallId> {
        (0..count).map(|_| self.task()).collect()
    }

    /// Held requests that were let go have ended.
    fn end_let_go(&mut self) -> Vec<CallId> {
        let let_go = std::mem::take(&mut self.let_go);
        for call in &let_go {
            self.result(*call, Err(Error::Closed));
        }
        let_go
    }
}

#[test]
fn a_task_asks_while_its_result_is_held_and_its_answer_is_the_reply() {
    let (mut bench, call, id) = asked();
    assert_eq!(bench.holds(true), 1, "most servers ask only while somebody waits for the result");
    assert_eq!((bench.row(call).open_requests, bench.row(call).wire), (1, Some(Wire::Legacy)));
    bench.answer(id, 5_000).unwrap();
    assert_eq!(bench.replies_to(id).len(), 0, "the undo window");
    bench.pass(5_000);
    let reply = SessionReply::Result(json(r#"{"action":"accept","content":{ "n": 1.0 }}"#));
    assert_eq!(bench.replies_to(id), [&reply], "byte for byte");
    assert!(bench.question(id).answer.as_ref().unwrap().sent_at.is_some(), "kept before it was sent");
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);
    bench.result(call, Ok(json(r#"{"content":[]}"#)));
    assert_eq!((bench.row(call).outcome, bench.row(call).status), (Some(Outcome::Ok), Status::Completed));
    assert!(bench.question(id).answer.as_ref().unwrap().taken_at.is_some(), "it came to what it asked for");
    assert_eq!(bench.disk.payloads.values().filter(|json| json.text() == r#"{"content":[]}"#).count(), 1);
}

#[test]
fn what_has_ended_is_fetched_whatever_its_end() {
    let meta = r#"{"_meta":{}}"#;
    let full = Reason::TaskFailed { said: "the disk is full".to_owned() };
    let no = Reason::ErrorAnswer { error: -32000, said: "no".to_owned() };
    let cases = [
        ("completed", Ok(json(r#"{"content":[]}"#)), Outcome::Ok, None),
        ("completed", Ok(json(r#"{"isError":true}"#)), Outcome::ToolError, None),
        ("failed", Ok(json(r#"{"isError":true}"#)), Outcome::ToolError, None),
        ("failed", Ok(json(meta)), Outcome::ToolError, Some(full)),
        ("failed", Err(rpc(-32000)), Outcome::ProtocolError, Some(no)),
    ];
    for (status, reply, outcome, why) in cases {
        let mut bench = Bench::legacy();
        let call = bench.task();
        bench.poll(call, Ok(state(status, r#","statusMessage":"the disk is full""#)));
        assert_eq!(bench.row(call).outcome, None, "its result is still owed");
        bench.result(call, reply.clone());
        let row = bench.row(call);
        assert_eq!(row.outcome, Some(outcome), "{status} {reply:?}");
        assert_eq!(row.note.as_ref().map(|note| note.reason.clone()), why, "{status} {reply:?}");
        assert_eq!(bench.flights, []);
    }
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.poll(call, Ok(state("cancelled", "")));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Cancelled), "which has no result");
}

#[test]
fn a_held_result_that_says_nothing_is_not_believed() {
    let (mut bench, call, _) = asked();
    bench.result(call, Ok(json(r#"{"_meta":{}}"#)));
    assert_eq!(bench.row(call).outcome, None, "so it is also for tasks that failed");
    bench.poll(call, Ok(state("failed", r#","statusMessage":"refused""#)));
    bench.result(call, Ok(json(r#"{"_meta":{}}"#)));
    assert_eq!(bench.row(call).outcome, Some(Outcome::ToolError));
    assert_eq!(
        bench.row(call).note.as_ref().unwrap().reason,
        Reason::TaskFailed { said: "refused".to_owned() }
    );
}

#[test]
fn a_result_that_does_not_come_is_asked_for_again_more_and_more_seldom() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    let mut fetched = 0;
    while bench.now.steady_ms < 600_000 {
        if bench.holds(false) > 0 {
            fetched += 1;
            bench.result(call, Err(Error::Timeout { ms: 9 }));
        }
        bench.poll(call, Ok(state("completed", "")));
    }
    assert!((5..30).contains(&fetched), "{fetched} times in ten minutes");
}

#[test]
fn a_result_that_is_too_large_is_said_at_once_and_waits_for_a_higher_limit() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.poll(call, Ok(state("completed", "")));
    bench.result(call, Err(Error::TooLarge { limit: 9 }));
    let row = bench.row(call);
    assert_eq!((row.outcome, row.note.as_ref().unwrap().code), (None, NoteCode::TooLarge), "it is kept");
    for _ in 0..9 {
        bench.poll(call, Ok(state("completed", "")));
        assert_eq!(bench.holds(false), 0, "the same again would cost as much and bring as little");
    }
    let tuning = Tuning { message_limit: Tuning::default().message_limit * 2, ..Tuning::default() };
    bench.wish(Intent::PutSetting { key: "k".to_owned(), value: json("1"), tuning }).unwrap();
    bench.poll(call, Ok(state("completed", "")));
    bench.result(call, Ok(json(r#"{"content":[]}"#)));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
}

#[test]
fn what_is_held_and_brings_no_question_is_asked_for_anew() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.poll(call, Ok(state("input_required", "")));
    assert_eq!(bench.holds(true), 1);
    let before = bench.now.steady_ms;
    while bench.let_go.is_empty() {
        bench.poll(call, Ok(state("input_required", "")));
    }
    assert!((300_000..340_000).contains(&(bench.now.steady_ms - before)), "a question should have come");
    bench.end_let_go();
    assert_eq!(bench.holds(true), 1, "asked for anew");
}

#[test]
fn held_results_are_bounded_and_delay_no_other() {
    let mut bench = Bench::legacy();
    for _ in 0..20 {
        bench.task();
    }
    let word = |call: CallId| match call.0 {
        1..=18 => "input_required",
        20 => "completed",
        _ => "working",
    };
    bench.serve(3_000, |call| state(word(call), ""));
    assert_eq!(bench.holds(true), Session::HOLDS);
    assert_eq!(bench.holds(false), 1, "what has ended does not wait for what is held");
    let mut held = bench.held();
    bench.result(held.pop().unwrap(), Ok(json("{}")));
    assert_eq!(bench.holds(true), Session::HOLDS, "a free permit is handed on");
    let forgotten = held.pop().unwrap();
    bench.forget(forgotten).unwrap();
    assert_eq!(bench.let_go, [forgotten], "nobody waits for what is forgotten");
}

#[test]
fn a_cancelled_task_is_what_the_server_says_it_is() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.wish(bench.cancels(call)).unwrap();
    bench.reply_cancel(call, Ok(state("cancelled", "")));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Cancelled));
}

#[test]
fn every_task_gets_its_question_whatever_their_number() {
    let mut bench = Bench::legacy();
    let calls = bench.tasks(40);
    let mut asked = BTreeSet::new();
    for _ in 0..20 {
        bench.serve(2_000, |_| state("input_required", ""));
        assert!(bench.holds(true) <= Session::HOLDS, "each holds a connection");
        for call in bench.held() {
            if asked.insert(call) {
                bench.hear(on_result_of(call));
            }
        }
        bench.end_let_go();
    }
    assert_eq!(asked.len(), calls.len(), "each had its turn");
    for call in &calls {
        assert_eq!(bench.states(*call), [RequestState::Open], "nothing is lost with the request it came on");
    }
    assert_eq!(bench.holds(true), Session::HOLDS);
    bench.serve(60_000, |_| state("input_required", ""));
    assert_eq!(bench.let_go, [], "whoever has asked pushes nobody out");
    let held = bench.held();
    let waiting = *calls.iter().find(|call| !held.contains(call)).expect("one that made room");
    let id = bench.questions(waiting)[0].id;
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 1, "a reply needs no request that is held");
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.end_let_go().len(), 1, "what it asks next must find its way");
    assert!(bench.held().contains(&waiting));
}

#[test]
fn a_task_whose_answer_may_be_lost_gets_its_turn_again() {
    for is_told in [true, false] {
        let mut bench = Bench::legacy();
        bench.tasks(17);
        bench.serve(3_000, |_| state("input_required", ""));
        let first = bench.held()[0];
        bench.hear(on_result_of(first));
        let id = bench.questions(first)[0].id;
        bench.serve(4_000, |_| state("input_required", ""));
        assert_eq!(bench.end_let_go(), [first], "it has asked, and made room");
        bench.serve(60_000, |_| state("input_required", ""));
        assert_eq!(bench.let_go, [], "its question can be answered without");
        bench.answer(id, 0).unwrap();
        if is_told {
            bench.replied(id, Err(lost()));
            assert_eq!(bench.question(id).state, RequestState::Unknown);
        }
        bench.serve(2_000, |_| state("input_required", ""));
        assert_eq!(bench.end_let_go().len(), 1, "a server that has not got it asks again where it can");
        assert!(bench.held().contains(&first), "{is_told}");
    }
}

#[test]
fn what_comes_at_once_comes_on_one_request() {
    let mut bench = Bench::legacy();
    bench.tasks(17);
    bench.serve(3_000, |_| state("input_required", ""));
    let first = bench.held()[0];
    bench.hear(on_result_of(first));
    bench.serve(1_500, |_| state("input_required", ""));
    bench.hear(ServerRequest { id: "100".to_owned(), ..on_result_of(first) });
    bench.serve(1_500, |_| state("input_required", ""));
    assert_eq!((bench.questions(first).len(), bench.let_go.as_slice()), (2, [].as_slice()));
    bench.serve(2_000, |_| state("input_required", ""));
    assert_eq!(bench.let_go, [first], "nothing more comes");
    bench.end_let_go();
    for call in bench.held() {
        bench.result(call, Ok(json(r#"{"content":[]}"#)));
    }
    bench.serve(3_000, |_| state("input_required", ""));
    assert_eq!(bench.held(), [first], "there is room again, and it may ask more");
    let told = (bench.notices.len(), bench.disk.events.len());
    bench.hear(ServerRequest { id: "200".to_owned(), ..on_result_of(first) });
    assert_eq!(bench.questions(first).len(), 2, "asked again, it is the same");
    assert_eq!((bench.notices.len(), bench.disk.events.len()), told, "and nobody is told again");
}

#[test]
fn over_one_channel_nothing_has_to_make_room() {
    let mut bench = Bench::legacy();
    let calls = bench.tasks(40);
    bench.hear(ServerRequest { channel: Channel::Shared, ..on_result_of(calls[0]) });
    bench.serve(3_000, |_| state("input_required", ""));
    assert_eq!((bench.holds(true), bench.let_go.len()), (40, 0), "it costs no connection");
}

#[test]
fn what_is_held_for_nothing_makes_room() {
    let mut bench = Bench::legacy();
    let calls = bench.tasks(17);
    bench.serve(3_000, |_| state("input_required", ""));
    let held = bench.held();
    let waiting = *calls.iter().find(|call| !held.contains(call)).expect("one without a permit");
    assert_eq!(bench.let_go, [], "their questions may still come");
    bench.serve(2_000, |call| state(if call == held[7] { "working" } else { "input_required" }, ""));
    assert_eq!(bench.let_go, [held[7]], "it needs no input any more");
    bench.end_let_go();
    assert!(bench.held().contains(&waiting));

    let mut bench = Bench::legacy();
    bench.tasks(17);
    bench.serve(20_000, |_| state("input_required", ""));
    assert_eq!(bench.let_go, []);
    bench.serve(20_000, |_| state("input_required", ""));
    assert_eq!(bench.let_go.len(), 1, "a server that asks elsewhere must not keep the others from asking");
    let before = bench.held();
    bench.end_let_go();
    assert_eq!(bench.holds(true), Session::HOLDS);
    assert_ne!(bench.held(), before);
    assert_eq!(bench.row(before[0]).note, None, "that is no trouble");
}

#[test]
fn what_the_server_says_at_once_stands_in_the_timeline() {
    let mut bench = Bench::legacy();
    let call = bench.call();
    let made = r#"{"resultType":"task","taskId":"T","status":"working",
        "_meta":{"io.modelcontextprotocol/model-immediate-response":"Started: come back in an hour."}}"#;
    bench.reply_call(call, Ok(called(made)));
    let of_call = bench.disk.events.iter().filter(|event| event.call == call);
    let made = of_call.clone().find(|event| event.kind == EventKind::TaskCreated).expect("it became a task");
    assert_eq!(made.text.as_deref(), Some("Started: come back in an hour."));
    let call = bench.call();
    let long = "x".repeat(100_000);
    let made = format!(
        r#"{{"resultType":"task","taskId":"U","status":"working","_meta":{{"io.modelcontextprotocol/model-immediate-response":"{long}"}}}}"#
    );
    bench.reply_call(call, Ok(called(&made)));
    let said =
        bench.disk.events.iter().filter(|event| event.call == call).find_map(|event| event.text.as_ref());
    assert_eq!(said.map(String::len), Some(4_096), "within bounds");
}
