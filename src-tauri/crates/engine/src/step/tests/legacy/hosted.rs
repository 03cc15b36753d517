//! Tasks that we host for the answers to questions.
//!
//! Longer than most: polls, fetches, restarts and asking anew are told of one and the same task.

use super::*;

/// The server's request of this id for a task, to be kept for a minute.
fn asks_as_task(rpc: &str) -> ServerRequest {
    let plain = asks(rpc, "Really?", Some("task-1"));
    let raw = plain.raw.text().replace(r#""params":{"#, r#""params":{"task":{"ttl":60000},"#);
    let as_task = Some(TaskWish { ttl_ms: Some(60_000) });
    ServerRequest { as_task, raw: json(&raw), ..plain }
}

impl Bench {
    fn about_hosted(&mut self, rpc: &str, ask: fn(String) -> ServerAsk) {
        self.hear(ServerRequest { ask: ask("hosted-1".to_owned()), ..asks(rpc, "", None) });
    }

    fn polls_of_hosted(&mut self, rpc: &str) {
        self.about_hosted(rpc, |task_id| ServerAsk::GetTask { task_id });
    }

    fn fetches_hosted(&mut self, rpc: &str) {
        self.about_hosted(rpc, |task_id| ServerAsk::TaskResult { task_id });
    }

    /// The id of the task that we host for this question.
    fn hosted_as(&self, id: RequestId) -> Option<&str> {
        self.question(id).hosted.as_ref().map(|hosted| hosted.task_id.as_str())
    }

    /// What was replied to the server's request of this id, each time.
    fn told(&self, rpc: &str) -> Vec<String> {
        let of = self.wire_replies.iter().filter(|(to, ..)| to == rpc);
        of.map(|(_, reply, _)| match reply {
            SessionReply::Result(json) => json.text().to_owned(),
            SessionReply::Error { code, message } => format!("{code}: {message}"),
        })
        .collect()
    }

    fn says_of_hosted(&mut self, rpc: &str, what: &str) {
        self.polls_of_hosted(rpc);
        let told = self.told(rpc);
        assert!(told.len() == 1 && told[0].contains(what), "{told:?} should say {what}");
    }
}

/// A question whose answer we host as a task.
fn hosting() -> (Bench, CallId, RequestId) {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.hear(asks_as_task("7"));
    let id = bench.last().id;
    assert_eq!(bench.hosted_as(id), Some("hosted-1"));
    (bench, call, id)
}

#[test]
fn a_question_says_until_when_its_answer_is_hosted() {
    let until = |task: &str| {
        let plain = asks("7", "Really?", Some("task-1"));
        let raw = plain.raw.text().replace(r#""params":{"#, &format!(r#""params":{{"task":{task},"#));
        let wish = ServerRequest::wished_task(&json(&raw));
        let mut bench = Bench::legacy();
        bench.task();
        bench.hear(ServerRequest { as_task: wish, raw: json(&raw), ..plain });
        let asked = bench.last();
        asked.expires_at.map(|at| at.ms_since(asked.opened_at))
    };
    assert_eq!(until(r#"{"ttl":60000}"#), Some(60_000));
    assert_eq!(until(r#"{"ttl":-1}"#), None, "that is no time");
    assert_eq!(until("{}"), None, "as long as we like");
    let mut bench = Bench::legacy();
    bench.task();
    bench.hear(asks("7", "Really?", Some("task-1")));
    assert_eq!(bench.last().expires_at, None, "no task was made of it");
}

const ANSWER: &str = r#"{"action":"accept","content":{ "n": 1.0 }}"#;

#[test]
fn a_hosted_task_is_its_question_from_the_other_side() {
    let mut bench = Bench::legacy();
    bench.task();
    let as_task = Some(TaskWish { ttl_ms: None });
    bench.hear(ServerRequest { as_task, ..asks("7", "Really?", None) });
    let id = bench.last().id;
    let text = |reply: &SessionReply| match reply {
        SessionReply::Result(json) => json.text().to_owned(),
        SessionReply::Error { code, message } => format!("{code}: {message}"),
    };
    let (rpc, created, _) = bench.wire_replies[0].clone();
    assert_eq!(rpc, "7");
    assert!(text(&created).contains(r#""taskId":"hosted-1","status":"working""#), "{created:?}");
    let task_id = || "hosted-1".to_owned();
    let about = |ask: ServerAsk, rpc: &str| ServerRequest { ask, ..asks(rpc, "", None) };
    bench.hear(about(ServerAsk::TaskResult { task_id: task_id() }, "8"));
    assert_eq!(bench.wire_replies.len(), 1, "it waits for the person");
    bench.answer(id, 0).unwrap();
    assert_eq!((bench.wire_replies[1].0.as_str(), bench.wire_replies[1].2), ("8", Some(id)));
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);
    bench.hear(about(ServerAsk::GetTask { task_id: task_id() }, "9"));
    assert!(text(&bench.wire_replies[2].1).contains(r#""status":"completed""#));
    bench.hear(about(ServerAsk::GetTask { task_id: "guessed".to_owned() }, "10"));
    assert!(text(&bench.wire_replies[3].1).starts_with("-32602"), "nobody can guess");
    bench.hear(about(ServerAsk::ListTasks { cursor: None }, "11"));
    assert!(text(&bench.wire_replies[4].1).contains("hosted-1"));
}

#[test]
fn a_hosted_task_can_be_cancelled_until_it_is_answered() {
    let mut bench = Bench::legacy();
    bench.task();
    let as_task = Some(TaskWish { ttl_ms: Some(60_000) });
    bench.hear(ServerRequest { as_task, ..asks("7", "Really?", None) });
    let id = bench.last().id;
    let ask = ServerAsk::CancelTask { task_id: "hosted-1".to_owned() };
    bench.hear(ServerRequest { ask, ..asks("8", "", None) });
    assert_eq!(bench.question(id).reason, Some(CloseReason::AnsweredElsewhere));
    let SessionReply::Result(task) = &bench.wire_replies[1].1 else { panic!("{:?}", bench.wire_replies[1]) };
    assert!(task.text().contains(r#""status":"cancelled""#), "{}", task.text());
}

#[test]
fn a_hosted_task_ends_when_its_time_has_passed_and_its_question_with_it() {
    let (mut bench, call, id) = hosting();
    bench.fetches_hosted("8");
    bench.pass(59_999);
    assert_eq!(bench.question(id).state, RequestState::Open);
    bench.says_of_hosted("9", r#""status":"working""#);
    bench.pass(1);
    let question = bench.question(id);
    assert_eq!((question.state, question.reason), (RequestState::Closed, Some(CloseReason::TaskEnded)));
    assert_eq!(bench.row(call).open_requests, 0, "nobody would fetch the answer");
    assert!(bench.told("8")[0].starts_with("-32602"), "who waited for it is told: {:?}", bench.told("8"));
    bench.says_of_hosted("10", "-32602");
    bench.answer(id, 0).unwrap_err();
    bench.hear(ServerRequest { ask: ServerAsk::ListTasks { cursor: None }, ..asks("11", "", None) });
    assert_eq!(bench.told("11"), [r#"{"tasks":[]}"#]);

    let (mut bench, _, id) = hosting();
    bench.answer(id, 0).unwrap();
    bench.pass(60_000);
    assert_eq!(bench.question(id).reason, Some(CloseReason::TaskEnded), "it was never fetched");
    let (mut bench, _, id) = hosting();
    bench.answer(id, 0).unwrap();
    bench.fetches_hosted("8");
    bench.pass(60_000);
    assert_eq!(bench.question(id).state, RequestState::Sending, "what became of it is still to be told");
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);
    bench.says_of_hosted("9", "-32602");
}

#[test]
fn a_question_in_the_place_of_a_hosted_one_ends_its_task() {
    let (mut bench, call, id) = hosting();
    bench.fetches_hosted("8");
    bench.hear(asks("7", "Something else?", Some("task-1")));
    assert_eq!(bench.question(id).reason, Some(CloseReason::Superseded));
    assert!(bench.told("8")[0].starts_with("-32602"), "who waited for it is told: {:?}", bench.told("8"));
    assert_eq!(bench.row(call).open_requests, 1, "the other one waits for the person");
    bench.says_of_hosted("9", "-32602");
}

#[test]
fn a_hosted_task_outlives_us_with_its_session() {
    let (mut bench, _, id) = hosting();
    bench.fetches_hosted("8");
    let mut bench = bench.restart(20_000, Follow::All);
    bench.connect(1, true);
    bench.says_of_hosted("1", r#""status":"working""#);
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.told("8"), [ANSWER], "whoever waited before waits on, and may never ask again");
    let fetch = r#"{"jsonrpc":"2.0","id":8,"method":"tasks/result","params":{"taskId":"hosted-1"}}"#;
    assert_eq!(bench.remembered, [json(fetch)], "the connection knows the request");
    bench.says_of_hosted("2", r#""status":"completed""#);
    let mut bench = bench.restart(20_000, Follow::All);
    bench.connect(1, true);
    bench.says_of_hosted("1", r#""status":"completed""#);
    bench.fetches_hosted("2");
    assert_eq!(bench.told("2"), [ANSWER]);
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);
    let mut bench = bench.restart(10_000, Follow::All);
    bench.connect(1, true);
    bench.fetches_hosted("1");
    assert_eq!(bench.told("1"), [ANSWER], "as long as the server wanted it kept");
    bench.pass(10_000);
    bench.says_of_hosted("2", "-32602");

    let (bench, _, id) = hosting();
    let mut bench = bench.restart(50_000, Follow::All);
    bench.connect(1, true);
    bench.pass(10_000);
    assert_eq!(bench.question(id).reason, Some(CloseReason::TaskEnded), "our absence counts");
}

#[test]
fn a_hosted_result_that_may_not_have_arrived_is_fetched_again() {
    let (mut bench, call, id) = hosting();
    bench.fetches_hosted("8");
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(lost()));
    assert_eq!((bench.question(id).state, bench.row(call).open_requests), (RequestState::Unknown, 1));
    bench.fetches_hosted("9");
    assert_eq!(bench.told("9"), [ANSWER]);
    assert_eq!((bench.question(id).state, bench.row(call).open_requests), (RequestState::Sending, 0));
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);

    let (mut bench, _, id) = hosting();
    bench.fetches_hosted("8");
    bench.answer(id, 0).unwrap();
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(1, true);
    assert_eq!(bench.question(id).state, RequestState::Unknown);
    bench.fetches_hosted("1");
    assert_eq!(bench.told("1"), [ANSWER], "nor is it lost over a restart");

    let (mut bench, _, id) = hosting();
    bench.fetches_hosted("8");
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(unreachable()));
    bench.pass(1_000);
    assert_eq!(bench.told("8"), [ANSWER; 2], "what never left goes again to the one that waits");
}

#[test]
fn a_fetch_that_is_lost_again_and_again_fills_no_log() {
    let (mut bench, call, id) = hosting();
    bench.answer(id, 0).unwrap();
    for n in 0..1_000 {
        bench.fetches_hosted(&format!("{}", 100 + n));
        bench.replied(id, Err(Error::Lost { why: "cut".into() }));
        assert_eq!(bench.question(id).state, RequestState::Unknown);
    }
    let told = |kind: DecisionKind| bench.disk.decisions.iter().filter(|entry| entry.kind == kind).count();
    assert_eq!((told(DecisionKind::Sent), told(DecisionKind::Unknown)), (11, 11), "the log is kept for ever");
    let lines = bench.disk.story(call).iter().filter(|kind| **kind == EventKind::Unknown).count();
    assert_eq!(lines, 11);
}

#[test]
fn a_fetch_that_is_refused_says_nothing_of_the_others() {
    let (mut bench, _, id) = hosting();
    bench.answer(id, 0).unwrap();
    bench.fetches_hosted("100");
    bench.fetches_hosted("101");
    bench.replied(id, Err(rpc(-1)));
    assert_eq!(bench.question(id).state, RequestState::Sending, "the other fetch may bring it");
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);

    let (mut bench, _, id) = hosting();
    bench.answer(id, 0).unwrap();
    bench.fetches_hosted("100");
    bench.replied(id, Err(lost()));
    bench.fetches_hosted("101");
    bench.replied(id, Err(rpc(-1)));
    assert_eq!(bench.question(id).state, RequestState::Unknown, "the first may have arrived");
}

/// Else the reply that is still under way would be told as the fate of another answer.
#[test]
fn while_one_fetch_may_still_get_the_answer_nobody_gives_another() {
    let (mut bench, _, id) = hosting();
    bench.fetches_hosted("8");
    bench.fetches_hosted("9");
    bench.decline(id, 0).unwrap();
    bench.replied(id, Err(lost()));
    assert_eq!(bench.question(id).state, RequestState::Sending, "the other is under way");
    bench.answer(id, 0).unwrap_err();
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);
    assert_eq!(bench.question(id).answer.as_ref().map(|answer| answer.action), Some(Action::Decline));

    for last in [Err(lost()), Err(unreachable()), Err(rpc(-1)), Ok(SessionReplied::NotOpen)] {
        let (mut bench, _, id) = hosting();
        bench.fetches_hosted("8");
        bench.fetches_hosted("9");
        bench.decline(id, 0).unwrap();
        bench.replied(id, Err(lost()));
        bench.replied(id, last.clone());
        assert_eq!(bench.question(id).state, RequestState::Unknown, "the first may have arrived: {last:?}");
        bench.answer(id, 0).expect("now that nothing is under way");
    }
}

#[test]
fn one_of_several_that_fetch_a_hosted_result_is_enough() {
    let fetched_twice = || {
        let (mut bench, _, id) = hosting();
        bench.fetches_hosted("8");
        bench.fetches_hosted("9");
        bench.answer(id, 0).unwrap();
        assert_eq!(bench.replies_to(id).len(), 2, "each is told of");
        (bench, id)
    };
    for first in [Ok(SessionReplied::NotOpen), Err(lost()), Err(unreachable())] {
        let (mut bench, id) = fetched_twice();
        bench.replied(id, first.clone());
        bench.replied(id, Ok(SessionReplied::Delivered));
        let question = bench.question(id);
        assert_eq!(question.state, RequestState::Answered, "after {first:?}");
        assert!(question.sent(), "after {first:?}");
        bench.pass(10_000);
        let again = bench.wire_replies.len() - 3;
        let expected = if first == Err(unreachable()) { 2 } else { 0 };
        assert_eq!(again, expected, "what never left is still owed, once: {first:?}");
    }
    let (mut bench, id) = fetched_twice();
    bench.replied(id, Ok(SessionReplied::Delivered));
    bench.replied(id, Err(lost()));
    assert_eq!(bench.question(id).state, RequestState::Answered, "nor does a later one take it back");
}

#[test]
fn that_nobody_knows_is_told_although_its_sending_was_not_entered() {
    let (mut bench, _, id) = hosting();
    bench.answer(id, 0).unwrap();
    bench.fetches_hosted("8");
    // Of many sendings not each is entered: the fourth is not.
    for _ in 0..3 {
        bench.replied(id, Err(unreachable()));
        bench.pass(10_000);
    }
    assert_eq!(bench.told("8").len(), 4, "what never left goes again");
    bench.replied(id, Err(lost()));
    assert_eq!(bench.question(id).state, RequestState::Unknown);
    let about = |bench: &Bench| {
        let of = bench.disk.decisions.iter().filter(|entry| entry.request == Some(id));
        of.map(|entry| entry.kind).collect::<Vec<_>>()
    };
    assert_eq!(about(&bench).last(), Some(&DecisionKind::Unknown), "the log ends as the answer stands");
    let before = about(&bench);
    for rpc in ["9", "10", "11", "12"] {
        bench.fetches_hosted(rpc);
        bench.replied(id, Err(lost()));
    }
    let since = about(&bench).split_off(before.len());
    assert_eq!(since, [DecisionKind::Sent, DecisionKind::Unknown], "each entered sending once more");
}

#[test]
fn a_fetch_that_the_server_gave_up_takes_no_answer_with_it() {
    let (mut bench, _, id) = hosting();
    bench.fetches_hosted("8");
    bench.news(ServerNews::Cancelled { id: "8".to_owned(), reason: None });
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 0, "nobody waits");
    bench.fetches_hosted("9");
    bench.replied(id, Ok(SessionReplied::NotOpen));
    assert_eq!(bench.question(id).state, RequestState::Sending, "given up at the same moment");
    bench.fetches_hosted("10");
    assert_eq!(bench.told("10"), [ANSWER]);
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);
}

#[test]
fn a_question_that_is_asked_anew_is_the_same_task_by_either_id() {
    let on_result = |rpc: &str| {
        let channel = Channel::Response { method: "tasks/result", task_id: Some("task-1".to_owned()) };
        ServerRequest { channel, ..asks_as_task(rpc) }
    };
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.poll(call, Ok(state("input_required", "")));
    bench.hear(on_result("7"));
    bench.fetches_hosted("8");
    bench.result(call, Err(lost()));
    bench.poll(call, Ok(state("input_required", "")));
    let event = Box::new(SessionEvent::Request(Box::new(on_result("9"))));
    bench.feed(Input::Heard { server: SERVER, link: LINK, event, fresh: Some("hosted-2".to_owned()) });
    assert_eq!(bench.questions(call).len(), 1, "asked again");
    let id = bench.last().id;
    assert_eq!(bench.hosted_as(id), Some("hosted-2"));
    assert_eq!(bench.closed_requests.len(), 0, "what wanted a task was answered with it");
    assert_eq!(bench.told("8"), [""; 0], "who fetches it waits on");
    bench.says_of_hosted("10", r#""taskId":"hosted-1","status":"working""#);
    // Over another restart, too.
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(1, true);
    bench.says_of_hosted("11", r#""taskId":"hosted-1","status":"working""#);
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.told("8"), [ANSWER]);
    bench.replied(id, Ok(SessionReplied::Delivered));
    bench.says_of_hosted("12", r#""taskId":"hosted-1","status":"completed""#);
    bench.fetches_hosted("13");
    assert_eq!(bench.told("13"), [ANSWER], "whichever of the two it goes on with");
}

#[test]
fn who_cancels_the_task_of_before_withdraws_nothing_that_is_asked_anew() {
    let (bench, _, id) = hosting();
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(1, true);
    let event = Box::new(SessionEvent::Request(Box::new(asks_as_task("9"))));
    bench.feed(Input::Heard { server: SERVER, link: LINK, event, fresh: Some("hosted-2".to_owned()) });
    assert_eq!(bench.hosted_as(id), Some("hosted-2"), "asked anew");
    bench.about_hosted("10", |task_id| ServerAsk::CancelTask { task_id });
    assert!(bench.told("10")[0].contains(r#""status":"cancelled""#), "{:?}", bench.told("10"));
    bench.says_of_hosted("11", "-32602");
    assert_eq!(bench.question(id).state, RequestState::Open);
}

#[test]
fn an_id_that_is_used_again_waits_for_no_result_any_more() {
    let (mut bench, _, id) = hosting();
    bench.fetches_hosted("8");
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(1, true);
    bench.hear(asks("8", "Something else?", None));
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.told("8"), [""; 0], "by this id it would be the answer to something else");
}

#[test]
fn who_waits_for_a_hosted_task_hears_of_its_end() {
    let (mut bench, call, _) = hosting();
    bench.fetches_hosted("8");
    bench.poll(call, Ok(state("cancelled", "")));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Cancelled));
    assert_eq!(bench.told("8").len(), 1, "its call is over, and nobody answers");
    let (mut bench, call, _) = hosting();
    bench.fetches_hosted("8");
    bench.forget(call).unwrap();
    assert_eq!(bench.told("8").len(), 1);
}

#[test]
fn what_one_of_several_fetches_may_have_is_not_taken_back() {
    let (mut bench, _, id) = hosting();
    for rpc in ["8", "9"] {
        bench.fetches_hosted(rpc);
    }
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(unreachable()));
    assert_eq!(bench.wish(bench.undoes(id)), Err(Refusal::NothingToTakeBack), "the other is under way");
    // A third comes while it is.
    bench.fetches_hosted("10");
    bench.replied(id, Err(unreachable()));
    assert_eq!(bench.wish(bench.undoes(id)), Err(Refusal::NothingToTakeBack));
    bench.replied(id, Err(unreachable()));
    bench.wish(bench.undoes(id)).unwrap();
    assert_eq!(bench.question(id).state, RequestState::Open, "none of them left");

    let (mut bench, _, id) = hosting();
    bench.answer(id, 0).unwrap();
    bench.wish(bench.undoes(id)).unwrap();
    bench.says_of_hosted("8", r#""status":"working""#);
    bench.answer(id, 0).unwrap();
    bench.fetches_hosted("9");
    bench.replied(id, Err(lost()));
    bench.fetches_hosted("10");
    bench.replied(id, Err(unreachable()));
    assert_eq!(bench.question(id).state, RequestState::Unknown, "the first one may have arrived");
}

#[test]
fn the_undo_window_of_an_answer_that_is_fetched_ends_before_its_task_does() {
    let (mut bench, _, id) = hosting();
    bench.pass(50_000);
    bench.answer(id, 60_000).unwrap();
    let answer = bench.question(id).answer.as_ref().unwrap();
    assert_eq!(answer.send_at.ms_since(answer.decided_at), 7_000, "some seconds before its end");
    bench.fetches_hosted("8");
    bench.pass(7_000);
    assert_eq!(bench.told("8").len(), 1, "in time");
}

#[test]
fn who_fetches_while_another_answer_is_held_gets_the_one_before_when_it_is_taken_back() {
    let (mut bench, _, id) = hosting();
    bench.fetches_hosted("8");
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(lost()));
    bench.decline(id, 5_000).unwrap();
    bench.fetches_hosted("9");
    assert_eq!(bench.told("9"), [""; 0], "the person decides anew");
    bench.wish(bench.undoes(id)).unwrap();
    assert_eq!(bench.told("9"), [ANSWER], "it has not got what was sent");
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);
}

#[test]
fn a_fetch_ends_with_its_session_although_its_question_is_asked_again() {
    let (mut bench, _, id) = hosting();
    bench.fetches_hosted("8");
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    bench.connect(2, false);
    let event = Box::new(SessionEvent::Request(Box::new(asks_as_task("1"))));
    bench.feed(Input::Heard { server: SERVER, link: 2, event, fresh: Some("hosted-2".to_owned()) });
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 0, "by its id this session may mean something else");
}

#[test]
fn what_was_said_to_a_request_is_not_said_to_the_one_that_asks_anew() {
    let (mut bench, _, id) = hosting();
    bench.fetches_hosted("8");
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(lost()));
    bench.decline(id, 60_000).unwrap();
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(1, true);
    let event = Box::new(SessionEvent::Request(Box::new(asks_as_task("9"))));
    bench.feed(Input::Heard { server: SERVER, link: LINK, event, fresh: Some("hosted-2".to_owned()) });
    assert_eq!(bench.hosted_as(id), Some("hosted-2"), "asked anew");
    bench.wish(bench.undoes(id)).unwrap();
    assert_eq!(bench.question(id).state, RequestState::Open);
    assert_eq!(bench.question(id).answer, None);
}

#[test]
fn the_time_of_a_hosted_task_is_the_deadline_of_its_question() {
    let (mut bench, _, id) = hosting();
    let question = bench.question(id);
    assert_eq!(question.expires_at, Some(question.opened_at.plus_ms(60_000)));
    assert_eq!(question.attention(), Attention::Expiring, "its call has no deadline, and this is near");
    let refused = bench.wish(Intent::Snooze { request: id, until: Some(Snooze::Change) });
    assert_eq!(refused, Err(crate::Refusal::ExpiresSoon));
}
