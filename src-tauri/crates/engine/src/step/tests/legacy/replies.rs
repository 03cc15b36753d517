//! What people answer on a connection: sent once, or told that it was not.

use super::*;

#[test]
fn a_reply_that_may_have_arrived_is_not_sent_again() {
    let (mut bench, call, id) = asked();
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(lost()));
    assert_eq!(bench.question(id).state, RequestState::Unknown);
    assert_eq!(bench.row(call).open_requests, 1, "the person decides");
    bench.pass(3_600_000);
    assert_eq!(bench.replies_to(id).len(), 1);
    bench.answer(id, 0).unwrap();
    bench.replied(id, Ok(SessionReplied::NotOpen));
    let question = bench.question(id);
    assert_eq!(
        (question.state, question.reason),
        (RequestState::Closed, Some(CloseReason::AnsweredElsewhere))
    );

    let (mut bench, _, id) = asked();
    bench.answer(id, 0).unwrap();
    let bench = bench.restart(1_000, Follow::All);
    assert_eq!(bench.question(id).state, RequestState::Unknown, "nor over a restart");
}

#[test]
fn an_answer_is_taken_though_its_task_ends_before_we_hear_that_it_arrived() {
    for heard in [Ok(SessionReplied::Delivered), Err(lost())] {
        let (mut bench, call, id) = asked();
        bench.answer(id, 0).unwrap();
        bench.completes(call);
        assert_eq!(bench.question(id).state, RequestState::Sending, "what became of it is still to be told");
        bench.replied(id, heard);
        let row = bench.question(id);
        assert_eq!((row.state, row.call), (RequestState::Answered, Some(call)));
        assert!(row.answer.as_ref().unwrap().taken_at.is_some(), "the task came to a result with it");
    }
    let (mut bench, call, id) = asked();
    bench.answer(id, 0).unwrap();
    bench.poll(call, Ok(state("cancelled", "")));
    bench.replied(id, Ok(SessionReplied::Delivered));
    let row = bench.question(id);
    assert_eq!(row.state, RequestState::Answered);
    assert_eq!(row.answer.as_ref().unwrap().taken_at, None, "a cancelled task may have had no use for it");
}

#[test]
fn a_reply_that_never_left_goes_again_and_an_orphan_keeps_what_was_typed() {
    let (mut bench, _, id) = asked();
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(unreachable()));
    assert_eq!(bench.question(id).state, RequestState::Sending);
    assert_eq!(bench.question(id).answer.as_ref().unwrap().sent_at, None, "it was not sent");
    bench.pass(1_000);
    assert_eq!(bench.replies_to(id).len(), 2);
    bench.replied(id, Err(session_over()));
    assert_eq!(bench.question(id).state, RequestState::Orphaned);
    assert_eq!(bench.question(id).draft, Some(json(r#"{ "n": 1.0 }"#)), "nothing typed is lost");
}

#[test]
fn a_server_that_refuses_the_reply_is_quoted() {
    let (mut bench, _, id) = asked();
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(rpc(-32602)));
    assert_eq!(bench.question(id).state, RequestState::Refused);
    assert!(bench.question(id).answer.as_ref().unwrap().refusal.is_some());
}

#[test]
fn a_wish_that_cannot_be_kept_is_taken_back_on_this_wire_too() {
    let (mut bench, call, id) = asked();
    bench.full = true;
    bench.answer(id, 0).unwrap_err();
    assert_eq!(bench.question(id).state, RequestState::Open);
    assert_eq!((bench.replies_to(id).len(), bench.row(call).open_requests), (0, 1));
    bench.full = false;
    assert_eq!(bench.answer(id, 5_000), Ok(Granted::Done));
    assert_eq!(bench.wish(bench.undoes(id)), Ok(Granted::Done));
    assert_eq!(bench.question(id).state, RequestState::Open);
}

#[test]
fn the_server_is_told_of_what_nobody_will_answer() {
    let (mut bench, call, _) = asked();
    bench.result(call, Ok(json(r#"{"content":[]}"#)));
    assert!(matches!(&bench.wire_replies[..], [(rpc, SessionReply::Error { .. }, None)] if rpc == "7"));
    let (mut bench, call, id) = asked();
    bench.full = true;
    bench.forget(call).unwrap_err();
    bench.full = false;
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 1, "what could not be forgotten can be answered");
    assert_eq!(bench.let_go, [], "and is still waited for");
    let (mut bench, call, _) = asked();
    bench.forget(call).unwrap();
    assert!(matches!(&bench.wire_replies[..], [(rpc, SessionReply::Error { .. }, None)] if rpc == "7"));
    assert_eq!(bench.state.rooms.sessions.all[&SERVER].questions.len(), 0);
}

#[test]
fn what_may_have_arrived_stays_so_and_can_be_answered_once_more() {
    let (mut bench, _, id) = asked();
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(lost()));
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    assert_eq!(bench.question(id).state, RequestState::Unknown, "not as if it had never been given");
    assert!(bench.question(id).answer.as_ref().unwrap().sent_at.is_some());
    let (mut bench, _, id) = asked();
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(lost()));
    bench.answer(id, 0).unwrap();
    assert_eq!((bench.remembered.len(), bench.replies_to(id).len()), (1, 2), "because the person wants it");
}

#[test]
fn a_connection_that_goes_while_another_answer_is_held_leaves_what_may_have_arrived() {
    let (mut bench, call, id) = asked();
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(lost()));
    let before = bench.question(id).answer.clone();
    bench.decline(id, 5_000).unwrap();
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    let row = bench.question(id);
    assert_eq!(
        (row.state, &row.answer),
        (RequestState::Unknown, &before),
        "the held one certainly did not go"
    );
    assert!(row.stranded(), "and another can go nowhere");
    assert!(bench.disk.story(call).contains(&signalbox_model::EventKind::Lapsed));
    bench.pass(60_000);
    assert_eq!(bench.replies_to(id).len(), 1);
}

#[test]
fn an_answer_of_no_call_brings_its_server_back() {
    let mut bench = Bench::legacy();
    bench.hear(asks("1", "Which?", None));
    let id = bench.last().id;
    let mut bench = bench.restart(1_000, Follow::All);
    bench.reply_discover(Err(unreachable()));
    bench.answer(id, 0).unwrap();
    bench.pass(10_000);
    assert!(bench.flights.contains(&Flight::Discover { server: SERVER }), "somebody waits for it");
    bench.connect(1, true);
    assert_eq!(bench.replies_to(id).len(), 1);
}

#[test]
fn an_answer_to_a_connection_that_is_gone_goes_to_no_other() {
    let typed = Some(json(r#"{ "n": 1.0 }"#));
    let (mut bench, call, id) = asked();
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(lost()));
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    bench.connect(2, false);
    assert_eq!(bench.remembered.len(), 0, "by its id the server may mean another question now");
    assert_eq!(bench.answer(id, 0), Err(Refusal::Settled(Settled::CutOff)), "nobody waits for another");
    assert_eq!((bench.replies_to(id).len(), bench.row(call).open_requests), (1, 0), "nor for a person");
    bench.hear_on(2, SessionEvent::Request(Box::new(asks("7", "Really?", Some("task-1")))));
    let again = bench.last().id;
    assert_ne!(again, id, "what became of the answer to the first one nobody knows");
    assert_eq!(bench.question(again).draft, typed, "what was said can be said again");
    bench.answer(again, 0).unwrap();
    assert_eq!((bench.replies_to(id).len(), bench.replies_to(again).len()), (1, 1));

    // Over a restart, within another session that lasts.
    let (mut bench, _, id) = asked();
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(lost()));
    bench.connect(2, false);
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(1, true);
    assert_eq!(bench.remembered.len(), 0);
    assert_eq!(bench.answer(id, 0), Err(Refusal::Settled(Settled::CutOff)));
    assert_eq!(bench.replies_to(id).len(), 0);
}

#[test]
fn of_two_answers_to_the_same_question_neither_is_said_to_be_taken() {
    let (mut bench, call, first) = asked();
    bench.answer(first, 0).unwrap();
    bench.replied(first, Ok(SessionReplied::Delivered));
    // The server has forgotten that it asked, and its session goes on.
    bench.hear(asks("8", "Really?", Some("task-1")));
    let second = bench.last().id;
    assert_ne!(first, second);
    bench.answer(second, 0).unwrap();
    bench.replied(second, Ok(SessionReplied::Delivered));
    bench.result(call, Ok(json(r#"{"content":[]}"#)));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
    for id in [first, second] {
        let question = bench.question(id);
        let taken = question.answer.as_ref().unwrap().taken_at;
        assert_eq!(
            (question.state, taken),
            (RequestState::Answered, None),
            "one was, and nobody knows which"
        );
    }
}

#[test]
fn a_reply_that_has_certainly_not_left_is_taken_back() {
    let (mut bench, call, id) = asked();
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.wish(bench.undoes(id)), Err(Refusal::NothingToTakeBack), "it is going out");
    bench.replied(id, Err(unreachable()));
    bench.wish(bench.undoes(id)).unwrap();
    let row = bench.question(id);
    assert_eq!((row.state, &row.draft), (RequestState::Open, &Some(json(r#"{ "n": 1.0 }"#))));
    assert_eq!(bench.row(call).open_requests, 1);
    bench.pass(100_000);
    assert_eq!(bench.replies_to(id).len(), 1, "it goes no more");

    // One that waits for a connection.
    let mut bench = Bench::legacy();
    bench.hear(asks("1", "Which?", None));
    let id = bench.last().id;
    let mut bench = bench.restart(1_000, Follow::All);
    bench.answer(id, 0).unwrap();
    bench.wish(bench.undoes(id)).unwrap();
    bench.connect(1, true);
    assert_eq!(bench.replies_to(id).len(), 0);
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 1, "and can be given anew");
}

#[test]
fn an_answer_of_no_call_goes_when_its_server_is_switched_on_or_silent_no_more() {
    let answered = |bench: &mut Bench| {
        bench.hear(asks("1", "Which?", None));
        let id = bench.last().id;
        (bench.answer(id, 60_000).unwrap(), id).1
    };
    let is_on_its_way = |bench: &mut Bench, id| {
        bench.pass(1);
        bench.reply_discover(Ok(legacy_found()));
        bench.connect(1, true);
        assert_eq!(bench.replies_to(id).len(), 1);
    };
    let switched = |bench: &mut Bench, enabled| {
        let changed = signalbox_model::Server { enabled, ..server(1) };
        bench.wish(Intent::PutServer(changed)).unwrap();
    };
    let mut bench = Bench::legacy();
    let id = answered(&mut bench);
    switched(&mut bench, false);
    let mut bench = bench.restart(1_000, Follow::All);
    bench.pass(60_000);
    assert_eq!((bench.question(id).state, bench.flights.len()), (RequestState::Sending, 0));
    switched(&mut bench, true);
    is_on_its_way(&mut bench, id);

    let mut bench = Bench::legacy();
    let id = answered(&mut bench);
    let mut bench = bench.restart(1_000, Follow::All);
    let silence = Some(std::time::Duration::from_secs(90));
    bench.reply_discover(Err(Error::Throttled { status: 503, retry_after: silence }));
    bench.pass(60_000);
    assert_eq!((bench.question(id).state, bench.flights.len()), (RequestState::Sending, 0));
    bench.pass(30_000);
    // The connection was closed while it was made.
    bench.reply_discover(Err(Error::Closed));
    bench.pass(1_000);
    is_on_its_way(&mut bench, id);
}

#[test]
fn an_answer_that_is_owed_goes_after_a_restart_whoever_is_followed() {
    for beside_a_task in [false, true] {
        let mut bench = Bench::legacy();
        bench.hear(asks("1", "Which?", None));
        let id = bench.last().id;
        if beside_a_task {
            bench.task();
        }
        bench.answer(id, 0).unwrap();
        bench.replied(id, Err(unreachable()));
        let mut bench = bench.restart(1_000, Follow::Named);
        bench.reply_discover(Ok(legacy_found()));
        bench.connect(1, true);
        assert_eq!(bench.replies_to(id).len(), 1, "beside a task that nobody polls: {beside_a_task}");
    }
}

#[test]
fn an_answer_that_cannot_be_kept_leaves_no_probe_that_never_ends() {
    let mut bench = Bench::legacy();
    bench.hear(asks("1", "Which?", None));
    let id = bench.last().id;
    let mut bench = bench.restart(1_000, Follow::Named);
    bench.full = true;
    bench.answer(id, 0).unwrap_err();
    assert_eq!(bench.flights, [], "nothing was kept, and nobody is asked for its sake");
    bench.full = false;
    bench.answer(id, 0).unwrap();
    bench.pass(1);
    bench.reply_discover(Ok(legacy_found()));
    bench.connect(1, true);
    assert_eq!(bench.replies_to(id).len(), 1);
}

#[test]
fn an_answer_of_no_call_does_not_wait_for_a_task_that_was_forgotten() {
    let mut bench = Bench::legacy();
    bench.hear(asks("1", "Which?", None));
    let id = bench.last().id;
    let mut bench = bench.restart(1_000, Follow::Named);
    let track = Intent::Track { server: SERVER, task_id: "theirs".to_owned() };
    let Ok(Granted::Call(call)) = bench.wish(track) else { panic!("it is adopted") };
    bench.answer(id, 0).unwrap();
    assert!(!bench.flights.contains(&Flight::Discover { server: SERVER }), "a poll makes the connection");
    bench.forget(call).unwrap();
    bench.pass(1);
    bench.reply_discover(Ok(legacy_found()));
    bench.connect(1, true);
    assert_eq!(bench.replies_to(id).len(), 1, "nobody else makes one");
}

/// A plain call that has asked on the request that made it, and its question.
fn plain_asked(bench: &mut Bench) -> (CallId, RequestId) {
    let call = bench.call();
    let channel = Channel::Response { method: "tools/call", task_id: None };
    bench.hear(ServerRequest { channel, ..asks("1", "Really?", None) });
    (call, bench.last().id)
}

#[test]
fn a_call_that_could_not_be_given_up_keeps_what_it_asked() {
    let mut bench = Bench::legacy();
    let (call, id) = plain_asked(&mut bench);
    let cancel = bench.cancels(call);
    bench.wish(cancel).unwrap();
    bench.full = true;
    let again = bench.cancels(call);
    bench.wish(again).unwrap_err();
    bench.full = false;
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 1, "it is there, and is found");
}

#[test]
fn a_page_that_could_not_be_declined_leaves_what_else_was_asked() {
    let mut bench = Bench::legacy();
    let (call, id) = plain_asked(&mut bench);
    let data = r#"{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://a.example/","message":"Sign in"}]}"#;
    let raw = json(&format!(r#"{{"code":-32042,"message":"Visit","data":{data}}}"#));
    let (message, data) = ("Visit".to_owned(), Some(json(data)));
    bench.reply_call(call, Err(Error::Rpc { code: -32042, message, data, raw }));
    let page = bench.disk.requests.values().find(|row| row.mode == signalbox_model::Mode::Url).unwrap().id;
    let action = signalbox_model::Action::Decline;
    let decline = Intent::Answer {
        request: page,
        action,
        content: None,
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    bench.full = true;
    bench.wish(decline).unwrap_err();
    bench.full = false;
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 1);
}

#[test]
fn what_is_due_on_a_connection_does_not_share_the_fate_of_a_forgetting() {
    let (mut bench, call, _) = asked();
    bench.task();
    bench.hear(asks("8", "Which?", Some("task-2")));
    let id = bench.last().id;
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(unreachable()));
    // Its time has come at the very moment of a wish that fails.
    bench.now = bench.now.plus_ms(2_000);
    bench.full = true;
    bench.forget(call).unwrap_err();
    bench.full = false;
    bench.pass(0);
    assert_eq!(bench.replies_to(id).len(), 2, "it goes, with a step of its own");
}

#[test]
fn a_result_that_was_waited_for_is_known_after_a_forgetting_that_failed() {
    let (mut bench, call, id) = asked();
    bench.full = true;
    bench.forget(call).unwrap_err();
    bench.full = false;
    bench.result(call, Err(lost()));
    bench.pass(A_WHILE);
    bench.until_polled(call);
    bench.reply_poll(call, Ok(state("input_required", "")));
    assert_eq!(bench.held(), [call], "it is waited for anew");
    let channel = Channel::Response { method: "tasks/result", task_id: Some("task-1".to_owned()) };
    bench.hear(ServerRequest { channel, ..asks("9", "Really?", Some("task-1")) });
    assert_eq!(bench.last().id, id, "the same is asked on the next request: it is the same question");
}
