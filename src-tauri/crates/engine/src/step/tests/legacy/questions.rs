//! Questions that are requests: whose they are, and how often they are shown.

use super::*;

#[test]
fn a_question_finds_its_task_or_stands_alone() {
    let mut bench = Bench::legacy();
    let (first, second) = (bench.task(), bench.task());
    bench.hear(asks("1", "Which?", None));
    assert_eq!(bench.last().call, None, "two could have asked");
    let alone = bench.last().id;
    bench.poll(second, Ok(state("working", r#","statusMessage":"Well?""#)));
    bench.hear(asks("2", "Well?", None));
    assert_eq!(bench.last().call, Some(second), "by its words");
    assert_eq!(bench.row(second).open_requests, 1, "whatever the status says");
    let on_result = Channel::Response { method: "tasks/result", task_id: Some("task-1".to_owned()) };
    bench.hear(ServerRequest { channel: on_result, ..asks("3", "Eh?", None) });
    assert_eq!(bench.last().call, Some(first), "by the request it came with");
    bench.hear(asks("4", "Eh?", Some("nobody's")));
    assert_eq!(bench.last().call, None, "of a task that we do not follow");
    bench.answer(alone, 0).unwrap();
    assert_eq!(bench.replies_to(alone).len(), 1, "it can be answered all the same");
    bench.replied(alone, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(alone).state, RequestState::Answered);
    assert_eq!(bench.notices.len(), 4, "the person is told of each");
}

#[test]
fn the_only_one_that_can_have_asked_has() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.hear(asks("1", "Well?", None));
    assert_eq!(bench.last().call, Some(call));
    let mut bench = Bench::legacy();
    bench.task();
    let plain = bench.call();
    let of_call = Channel::Response { method: "tools/call", task_id: None };
    bench.hear(ServerRequest { channel: of_call, ..asks("1", "Well?", None) });
    assert_eq!(bench.last().call, Some(plain), "it came on the stream of a call that is under way");
}

#[test]
fn an_id_that_is_used_again_is_another_question_and_a_flood_is_refused() {
    let mut bench = Bench::legacy();
    bench.task();
    bench.hear(asks("1", "A?", None));
    let first = bench.last().id;
    bench.hear(asks("1", "A?", None));
    assert_eq!(bench.disk.requests.len(), 1, "shown once");
    bench.hear(asks("1", "B?", None));
    assert_eq!(bench.question(first).reason, Some(CloseReason::Superseded));
    bench.answer(bench.last().id, 0).unwrap();
    bench.replied(bench.last().id, Ok(SessionReplied::Delivered));
    bench.hear(asks("1", "C?", None));
    assert_eq!(
        bench.last().state,
        RequestState::Open,
        "its identity is another, or the store would refuse it"
    );
    for n in 2..600 {
        bench.hear(asks(&n.to_string(), "Flood?", None));
    }
    assert_eq!(bench.disk.requests.len(), 502, "500 of them wait at the same time");
    let refused =
        bench.wire_replies.iter().filter(|(_, reply, _)| matches!(reply, SessionReply::Error { .. }));
    assert_eq!(refused.count(), 99);
}

/// Each of the six hundred could be of either of two tasks, and so is of none.
#[test]
fn questions_of_no_task_that_were_left_are_counted_until_one_is_taken_again() {
    let mut bench = Bench::legacy();
    let tasks = [bench.task(), bench.task()];
    for n in 1..=600 {
        bench.hear(asks(&n.to_string(), "Flood?", None));
    }
    assert_eq!(bench.disk.requests.len(), MOST_OPEN, "so many wait for a person");
    assert!(bench.disk.requests.values().all(|request| request.call.is_none()), "and nobody knows whose");
    assert_eq!(bench.left as usize, 600 - MOST_OPEN, "each other one is counted at its server");
    let refused =
        bench.wire_replies.iter().filter(|(_, reply, _)| matches!(reply, SessionReply::Error { .. }));
    assert_eq!(refused.count(), 600 - MOST_OPEN, "and refused");
    assert_eq!(
        tasks.map(|task| bench.row(task).note.is_none()),
        [true; 2],
        "no task is said to ask too much"
    );

    let first = bench.disk.requests.values().next().unwrap().id;
    bench.answer(first, 0).unwrap();
    bench.replied(first, Ok(SessionReplied::Delivered));
    assert_eq!(bench.left as usize, 600 - MOST_OPEN, "room alone takes none of them");
    bench.hear(asks("601", "Flood?", None));
    assert_eq!(bench.left, 0, "one more is taken: what was refused before is over");
    assert_eq!(bench.last().state, RequestState::Open);
    bench.hear(asks("602", "Flood?", None));
    assert_eq!(bench.left, 1, "and it is full again");
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    assert_eq!(bench.left, 0, "nobody waits on a connection that is gone");
}

#[test]
fn what_the_server_withdraws_is_closed() {
    let (mut bench, call, id) = asked();
    bench.news(ServerNews::Cancelled { id: "7".to_owned(), reason: None });
    let question = bench.question(id);
    assert_eq!(
        (question.state, question.reason),
        (RequestState::Closed, Some(CloseReason::AnsweredElsewhere))
    );
    assert_eq!(bench.row(call).open_requests, 0);
}

/// The same question on the held result of task 1.
fn on_result(rpc: &str) -> ServerRequest {
    let channel = Channel::Response { method: "tasks/result", task_id: Some("task-1".to_owned()) };
    ServerRequest { channel, ..asks(rpc, "Really?", Some("task-1")) }
}

#[test]
fn a_question_that_comes_again_on_another_held_result_or_connection_is_shown_once() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.poll(call, Ok(state("input_required", "")));
    bench.hear(on_result("1"));
    let id = bench.last().id;
    bench.hear(on_result("2"));
    assert_eq!(bench.questions(call).len(), 2, "two at once on one request are two");
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.poll(call, Ok(state("input_required", "")));
    bench.hear(on_result("1"));
    bench.result(call, Err(lost()));
    bench.poll(call, Ok(state("input_required", "")));
    bench.hear(on_result("2"));
    assert_eq!(bench.questions(call).len(), 1, "the request that it came with was cut");
    bench.answer(id, 5_000).unwrap();
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(1, true);
    bench.hear(on_result("1"));
    assert_eq!(bench.questions(call).len(), 1, "nor over a restart within its session");
    assert_eq!(bench.question(id).state, RequestState::Held, "what was decided stays");
    bench.pass(5_000);
    assert_eq!(bench.wire_replies.last().unwrap().0, "1", "and goes to the one that waits");
    assert_eq!(bench.replies_to(id).len(), 1);
}

#[test]
fn a_request_that_was_asked_again_takes_no_room_any_more() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.poll(call, Ok(state("input_required", "")));
    bench.hear(on_result("1"));
    let again = |bench: &mut Bench, rpc: &str| {
        bench.result(call, Err(lost()));
        while bench.holds(true) == 0 {
            bench.poll(call, Ok(state("input_required", "")));
        }
        bench.hear(on_result(rpc));
    };
    again(&mut bench, "2");
    again(&mut bench, "3");
    assert_eq!(bench.questions(call).len(), 1);
    assert_eq!(bench.closed_requests, ["1", "2"], "each would stay open, until no other could be asked");
    assert_eq!(bench.wire_replies, [], "and an error might end the tool");
    again(&mut bench, "3");
    assert_eq!(bench.closed_requests.len(), 2, "the same request is what the answer goes to");
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(1, true);
    bench.hear(on_result("4"));
    assert_eq!(bench.closed_requests, ["3"], "it was made answerable again");
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    bench.connect(2, false);
    bench.hear_on(2, SessionEvent::Request(Box::new(on_result("5"))));
    assert_eq!(bench.closed_requests.len(), 1, "it is of a connection that is gone");
}

#[test]
fn a_question_that_named_its_task_too_early_belongs_to_it() {
    let mut bench = Bench::legacy();
    let call = bench.call();
    bench.hear(asks("1", "Really?", Some("task-1")));
    let id = bench.last().id;
    assert_eq!(bench.question(id).call, None, "the answer that names the task is still under way");
    let raw = r#"{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"message":"Early?","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-1"}}}}"#;
    bench.hear(ServerRequest { raw: json(raw), ..asks("2", "Early?", Some("task-1")) });
    let made =
        r#"{"resultType":"task","taskId":"task-1","status":"working","pollIntervalMs":1000,"ttlMs":null}"#;
    bench.reply_call(call, Ok(called(made)));
    assert_eq!(bench.last().call, Some(call));
    assert_eq!(bench.row(call).open_requests, 1);
}

#[test]
fn roots_are_the_persons_list_and_declining_to_sample_is_an_error() {
    let mut bench = Bench::legacy();
    bench.task();
    bench.hear(ServerRequest { ask: ServerAsk::Roots, ..asks("1", "", None) });
    assert_eq!(bench.wire_replies[0].1, SessionReply::Result(json(r#"{"roots":[]}"#)), "none by default");
    let raw = json(r#"{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{"messages":[]}}"#);
    bench.hear(ServerRequest { ask: ServerAsk::Sampling, raw, ..asks("2", "", None) });
    let id = bench.last().id;
    bench
        .wish(Intent::Answer {
            request: id,
            action: Action::Decline,
            content: None,
            hold_ms: 0,
            seen: None,
            remark: None,
            asks: None,
        })
        .unwrap();
    assert!(matches!(bench.replies_to(id)[..], [SessionReply::Error { code: -1, .. }]));
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(id).reason, Some(CloseReason::DeclinedByUs));
}

#[test]
fn what_nobody_knows_is_refused_and_told_once() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    let refused = |method: String, task_id: Option<&str>| {
        let (news, related_task) = (ServerNews::Refused { method }, task_id.map(str::to_owned));
        ServerNotification { news, related_task, channel: Channel::Shared, raw: json(r#"{"colour":"blue"}"#) }
    };
    let mut told = |method: &str, task_id| {
        let event = SessionEvent::Notification(Box::new(refused(method.to_owned(), task_id)));
        bench.hear_on(LINK, event);
        bench
            .disk
            .story(call)
            .iter()
            .filter(|kind| **kind == signalbox_model::EventKind::RequestRefused)
            .count()
    };
    assert_eq!(told("future/ask", Some("task-1")), 1, "it may be why the task fails");
    assert_eq!(told("future/ask", Some("task-1")), 1, "once");
    assert_eq!(told("future/ask", Some("task-9")), 1, "that is no task of ours");
    assert_eq!(told("future/ask", None), 1, "nobody knows whose it is");
    for n in 0..50 {
        told(&format!("future/{n}"), Some("task-1"));
    }
    assert_eq!(told("future/last", Some("task-1")), 8, "a flood of them fills no timeline");
    let shown = |event: &signalbox_model::Event| {
        event.text.as_ref().is_some_and(|text| text.ends_with(r#" {"colour":"blue"}"#))
    };
    assert_eq!(bench.disk.events.iter().filter(|event| shown(event)).count(), 8, "each with its JSON");
}
