//! Requests that come once more over another connection of their session, after we died with them open.

use super::*;

/// A question of two tasks, nobody knows which: with a draft.
fn left_open() -> (Bench, CallId, RequestId) {
    let mut bench = Bench::legacy();
    let (_, call) = (bench.task(), bench.task());
    bench.hear(asks("1", "Really?", None));
    let id = bench.last().id;
    assert_eq!(bench.question(id).call, None);
    bench.wish(Intent::SaveDraft { request: id, draft: Some(json("1")) }).unwrap();
    (bench, call, id)
}

fn again(bench: Bench) -> Bench {
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(LINK, true);
    bench
}

#[test]
fn a_request_that_comes_once_more_is_the_same_question() {
    let (bench, call, id) = left_open();
    let mut bench = again(bench);
    // Now it comes with a request for the result of its task.
    let task_id = Some(format!("task-{}", call.0));
    let channel = Channel::Response { method: "tasks/result", task_id };
    bench.hear(ServerRequest { channel, ..asks("1", "Really?", None) });
    assert_eq!(bench.disk.requests.len(), 1, "shown once");
    let question = bench.question(id);
    assert_eq!((question.state, question.call), (RequestState::Open, Some(call)));
    assert_eq!(question.draft, Some(json("1")));
    bench.hear(asks("1", "Really?", None));
    assert_eq!(bench.disk.requests.len(), 1, "nor again on this connection");
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 1);
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);
    assert_eq!((bench.wire_replies.len(), bench.closed_requests.len()), (1, 0));
}

#[test]
fn the_same_question_over_another_connection_asks_the_same() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.hear(asks("1", "Really?", Some("task-1")));
    let id = bench.last().id;
    let seen = crate::asks(&bench.question(id).raw);
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    bench.connect(LINK + 1, false);
    bench.hear_on(LINK + 1, SessionEvent::Request(Box::new(asks("9", "Really?", Some("task-1")))));
    let question = bench.question(id);
    assert!(question.raw.text().contains("\"id\":9"), "it is taken up: {}", question.raw.text());
    assert_eq!((question.call, question.state), (Some(call), RequestState::Open));
    assert_eq!(crate::asks(&question.raw), seen, "whoever saw it may answer it");
}

#[test]
fn what_was_decided_goes_to_the_request_that_comes_once_more() {
    let (mut bench, _, id) = left_open();
    bench.answer(id, 60_000).unwrap();
    let mut bench = again(bench);
    bench.hear(asks("1", "Really?", None));
    assert_eq!((bench.disk.requests.len(), bench.question(id).state), (1, RequestState::Held));
    bench.pass(60_000);
    assert_eq!(bench.replies_to(id).len(), 1);

    // It went out, and nobody knows whether it arrived.
    let (mut bench, _, id) = left_open();
    bench.answer(id, 0).unwrap();
    let mut bench = again(bench);
    bench.hear(asks("1", "Really?", None));
    assert_eq!((bench.disk.requests.len(), bench.question(id).state), (1, RequestState::Unknown));
    assert_eq!(bench.replies_to(id).len(), 0, "the person decides");
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 1);
}

#[test]
fn an_id_of_before_with_something_else_is_another_question() {
    let (bench, _, id) = left_open();
    let mut bench = again(bench);
    bench.hear(asks("1", "And now?", None));
    assert_eq!(bench.disk.requests.len(), 2);
    let before = bench.question(id);
    assert_eq!((before.state, &before.draft), (RequestState::Orphaned, &Some(json("1"))));
    bench.answer(id, 0).unwrap_err();
    let now = bench.last().id;
    bench.answer(now, 0).unwrap();
    assert_eq!(bench.replies_to(now).len(), 1);
    bench.replied(now, Ok(SessionReplied::Delivered));
    bench.hear(asks("2", "Really?", None));
    assert_eq!((bench.disk.requests.len(), bench.question(id).state), (2, RequestState::Open));
    assert_eq!(bench.question(id).draft, Some(json("1")), "it is asked again by another id");
}

#[test]
fn what_was_asked_before_our_restart_can_be_withdrawn_and_waved_off() {
    let (bench, _, id) = left_open();
    let mut bench = again(bench);
    bench.news(ServerNews::Cancelled { id: "1".to_owned(), reason: None });
    let question = bench.question(id);
    assert_eq!(
        (question.state, question.reason),
        (RequestState::Closed, Some(CloseReason::AnsweredElsewhere)),
        "the session is the same, and so is the request"
    );

    let (bench, call, id) = asked();
    let mut bench = again(bench);
    bench.forget(call).unwrap();
    assert!(!bench.disk.requests.contains_key(&id));
    let told: Vec<&str> = bench.wire_replies.iter().map(|(rpc, ..)| rpc.as_str()).collect();
    assert_eq!(told, ["7"], "the server would wait for ever");
}

#[test]
fn when_the_session_is_gone_it_comes_back_with_its_task() {
    let (mut bench, call, id) = left_open();
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    bench.connect(2, false);
    let task_id = format!("task-{}", call.0);
    bench.hear_on(2, SessionEvent::Request(Box::new(asks("9", "Really?", Some(&task_id)))));
    assert_eq!(bench.disk.requests.len(), 1, "shown once");
    let question = bench.question(id);
    assert_eq!(
        (question.state, question.call, &question.draft),
        (RequestState::Open, Some(call), &Some(json("1")))
    );
    assert_eq!(bench.row(call).open_requests, 1);
}

#[test]
fn as_many_as_may_wait_can_come_once_more() {
    let mut bench = Bench::legacy();
    bench.task();
    for n in 0..500 {
        bench.hear(asks(&n.to_string(), "Flood?", None));
    }
    let mut bench = again(bench);
    for n in 0..500 {
        bench.hear(asks(&n.to_string(), "Flood?", None));
    }
    assert_eq!((bench.disk.requests.len(), bench.wire_replies.len()), (500, 0), "none is refused");
    bench.hear(asks("500", "Flood?", None));
    assert_eq!((bench.disk.requests.len(), bench.wire_replies.len()), (500, 1), "one more is");
}

#[test]
fn a_task_that_we_host_stays_the_same_where_its_request_comes_once_more() {
    let mut bench = Bench::legacy();
    bench.task();
    let raw =
        asks("7", "Really?", None).raw.text().replace(r#""params":{"#, r#""params":{"task":{"ttl":60000},"#);
    let as_task = Some(TaskWish { ttl_ms: Some(60_000) });
    let asked = || ServerRequest { as_task: as_task.clone(), raw: json(&raw), ..asks("7", "Really?", None) };
    bench.hear(asked());
    let id = bench.last().id;
    let (opened, hosted) = (bench.question(id).opened_at, bench.question(id).hosted.clone());
    let mut bench = again(bench);
    let event = SessionEvent::Request(Box::new(asked()));
    let fresh = Some("hosted-2".to_owned());
    bench.feed(Input::Heard { server: SERVER, link: LINK, event: Box::new(event), fresh });
    assert_eq!(bench.disk.requests.len(), 1);
    let question = bench.question(id);
    assert_eq!((question.opened_at, &question.hosted), (opened, &hosted), "it may be fetched by that name");
    let [(_, SessionReply::Result(told), None)] = &bench.wire_replies[..] else {
        panic!("{:?}", bench.wire_replies)
    };
    assert!(told.text().contains(r#""taskId":"hosted-1""#), "{}", told.text());
}

#[test]
fn what_a_plain_call_asked_ends_with_it() {
    let mut bench = Bench::legacy();
    let call = bench.call();
    let channel = Channel::Response { method: "tools/call", task_id: None };
    bench.hear(ServerRequest { channel, ..asks("1", "Really?", None) });
    let id = bench.last().id;
    assert_eq!(bench.question(id).call, Some(call));
    let bench = again(bench);
    assert_eq!(bench.row(call).outcome, Some(Outcome::Unknown));
    assert_eq!(bench.question(id).state, RequestState::Closed, "nobody waits for its answer");
}

#[test]
fn a_call_that_has_ended_and_could_not_be_forgotten_keeps_what_it_asked() {
    let mut bench = Bench::legacy();
    let call = bench.call();
    let channel = Channel::Response { method: "tools/call", task_id: None };
    bench.hear(ServerRequest { channel, ..asks("1", "Really?", None) });
    let id = bench.last().id;
    bench.answer(id, 0).unwrap();
    bench.reply_call(call, Err(lost()));
    let mut bench = again(bench);
    assert_eq!((bench.row(call).ended(), bench.question(id).state), (true, RequestState::Unknown));
    bench.full = true;
    bench.forget(call).unwrap_err();
    bench.full = false;
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 1, "whether it has the answer of before nobody knows");
}

#[test]
fn an_answer_that_may_have_arrived_makes_no_connection() {
    let (mut bench, call, id) = asked();
    bench.answer(id, 0).unwrap();
    bench.poll(call, Ok(state("cancelled", "")));
    bench.replied(id, Err(lost()));
    assert_eq!(bench.question(id).state, RequestState::Unknown, "nobody knows");
    bench.hear_on(LINK, SessionEvent::Ended(Error::Closed));
    assert_eq!(bench.answer(id, 0), Err(Refusal::Settled(Settled::CutOff)), "on another nobody waits for it");
    assert!(!bench.flights.contains(&Flight::Discover { server: SERVER }), "and none is made for it");
}
