//! The legacy wire: results that are held, questions that live with their connection, tasks that we host.

use signalbox_mcp::{
    Ask, Channel, Error, Found, News, ProgressView, QuestionView, Replied, Reply, SavedSession,
    ServerNotification, ServerRequest, SessionEvent, Stage, TaskView, TaskWish,
};
use signalbox_model::{
    Action, CallId, CloseReason, InputRequest, Json, Outcome, RequestId, RequestState, Status, Tracking, Wire,
};

use super::bench::*;
use crate::{Follow, Granted, Input, Intent, session::Session};

const LINK: u64 = 1;

fn session_over() -> Error {
    Error::Unreachable { stage: Stage::Session, message: "gone".to_owned(), retry_after: None }
}

fn state(status: &str, more: &str) -> Json {
    json(&format!(r#"{{"taskId":"x","status":"{status}","ttl":null,"pollInterval":1000{more}}}"#))
}

/// The server's request of this id, on a channel of its own.
fn asks(rpc: &str, message: &str, related_task: Option<&str>) -> ServerRequest {
    let raw = json(&format!(
        r#"{{"jsonrpc":"2.0","id":{rpc},"method":"elicitation/create","params":{{"message":"{message}","requestedSchema":{{"type":"object"}}}}}}"#
    ));
    ServerRequest {
        id: rpc.to_owned(),
        ask: Ask::Elicitation(QuestionView::read(&raw)),
        related_task: related_task.map(str::to_owned),
        as_task: None,
        channel: Channel::Push,
        raw,
    }
}

impl Bench {
    fn legacy() -> Self {
        let mut bench = Self::new();
        bench.connect(LINK, false);
        bench
    }

    fn connect(&mut self, link: u64, resumed: bool) {
        let found = Found { wire: Wire::Legacy, ..found() };
        self.feed(Input::Discovered { server: SERVER, reply: Ok(found) });
        let saved = Some(SavedSession { id: "secret".to_owned(), initialized: json("{}") });
        self.feed(Input::Connected { server: SERVER, link, saved, resumed });
    }

    fn hear_on(&mut self, link: u64, event: SessionEvent) {
        let fresh = Some("hosted-1".to_owned());
        self.feed(Input::Heard { server: SERVER, link, event: Box::new(event), fresh });
    }

    fn hear(&mut self, request: ServerRequest) {
        self.hear_on(LINK, SessionEvent::Request(Box::new(request)));
    }

    fn news(&mut self, news: News) {
        let (related_task, channel) = (None, Channel::Push);
        let notification = ServerNotification { news, related_task, channel, raw: json("{}") };
        self.hear_on(LINK, SessionEvent::Notification(Box::new(notification)));
    }

    /// The last question that was asked.
    fn last(&self) -> &InputRequest {
        self.disk.requests.values().last().expect("a question")
    }

    fn holds(&self, held: bool) -> usize {
        self.flights.iter().filter(|f| matches!(f, Flight::Result { held: h, .. } if *h == held)).count()
    }

    fn result(&mut self, call: CallId, reply: Result<Json, Error>) {
        self.land("tasks/result", |f| matches!(f, Flight::Result { call: c, .. } if *c == call));
        self.feed(Input::Resulted { server: SERVER, call, reply });
    }

    fn replied(&mut self, request: RequestId, reply: Result<Replied, Error>) {
        self.feed(Input::Replied { server: SERVER, request, reply });
    }

    /// What went out for this question.
    fn replies_to(&self, request: RequestId) -> Vec<&Reply> {
        let of = self.wire_replies.iter().filter(|(_, _, of)| *of == Some(request));
        of.map(|(_, reply, _)| reply).collect()
    }
}

/// A task that has asked on the request for its result.
fn asked() -> (Bench, CallId, RequestId) {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.look(call, Ok(state("input_required", "")));
    bench.hear(asks("7", "Really?", Some("task-1")));
    let id = bench.last().id;
    (bench, call, id)
}

#[test]
fn a_task_asks_while_its_result_is_held_and_its_answer_is_the_reply() {
    let (mut bench, call, id) = asked();
    assert_eq!(bench.holds(true), 1, "most servers ask only while somebody waits for the result");
    assert_eq!((bench.row(call).open_requests, bench.row(call).wire), (1, Some(Wire::Legacy)));
    bench.answer(id, 5_000).unwrap();
    assert_eq!(bench.replies_to(id).len(), 0, "the undo window");
    bench.pass(5_000);
    let reply = Reply::Result(json(r#"{"action":"accept","content":{ "n": 1.0 }}"#));
    assert_eq!(bench.replies_to(id), [&reply], "byte for byte");
    assert!(bench.question(id).answer.as_ref().unwrap().sent_at.is_some(), "kept before it was sent");
    bench.replied(id, Ok(Replied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);
    bench.result(call, Ok(json(r#"{"content":[]}"#)));
    assert_eq!((bench.row(call).outcome, bench.row(call).status), (Some(Outcome::Ok), Status::Completed));
    assert!(bench.question(id).answer.as_ref().unwrap().taken_at.is_some(), "it came to what it asked for");
    assert_eq!(bench.disk.payloads.values().filter(|json| json.text() == r#"{"content":[]}"#).count(), 1);
}

#[test]
fn what_has_ended_is_fetched_whatever_its_end() {
    let meta = r#"{"_meta":{}}"#;
    let cases = [
        ("completed", Ok(json(r#"{"content":[]}"#)), Outcome::Ok, ""),
        ("completed", Ok(json(r#"{"isError":true}"#)), Outcome::ToolError, ""),
        ("failed", Ok(json(r#"{"isError":true}"#)), Outcome::ToolError, ""),
        ("failed", Ok(json(meta)), Outcome::ToolError, "the disk is full"),
        ("failed", Err(rpc(-32000)), Outcome::ProtocolError, "The server answered with error -32000: no"),
    ];
    for (status, reply, outcome, why) in cases {
        let mut bench = Bench::legacy();
        let call = bench.task();
        bench.look(call, Ok(state(status, r#","statusMessage":"the disk is full""#)));
        assert_eq!(bench.row(call).outcome, None, "its result is still owed");
        bench.result(call, reply.clone());
        let row = bench.row(call);
        assert_eq!(row.outcome, Some(outcome), "{status} {reply:?}");
        assert_eq!(row.note.as_ref().map_or("", |note| &note.message), why, "{status} {reply:?}");
        assert_eq!(bench.flights, []);
    }
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.look(call, Ok(state("cancelled", "")));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Cancelled), "which has no result");
}

#[test]
fn a_held_result_that_says_nothing_is_not_believed() {
    let (mut bench, call, _) = asked();
    bench.result(call, Ok(json(r#"{"_meta":{}}"#)));
    assert_eq!(bench.row(call).outcome, None, "so it is also for tasks that failed");
    bench.look(call, Ok(state("failed", r#","statusMessage":"refused""#)));
    bench.result(call, Ok(json(r#"{"_meta":{}}"#)));
    assert_eq!(bench.row(call).outcome, Some(Outcome::ToolError));
    assert_eq!(bench.row(call).note.as_ref().unwrap().message, "refused");
}

#[test]
fn a_result_that_does_not_come_is_asked_for_again_more_and_more_seldom() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    let mut fetched = 0;
    while bench.now.steady_ms < 600_000 {
        if bench.holds(false) > 0 {
            fetched += 1;
            bench.result(call, Err(Error::TooLarge { limit: 9 }));
        }
        bench.look(call, Ok(state("completed", "")));
    }
    assert!((5..30).contains(&fetched), "{fetched} times in ten minutes");
    assert_eq!(bench.row(call).outcome, None, "it is kept");
    assert_eq!(bench.row(call).note.as_ref().unwrap().code, "too_large", "and the person knows why");
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
    let mut held = bench.state.servers[&SERVER].session.holding.iter().copied().collect::<Vec<_>>();
    bench.result(held.pop().unwrap(), Ok(json("{}")));
    assert_eq!(bench.holds(true), Session::HOLDS, "a free permit is handed on");
    let forgotten = held.pop().unwrap();
    bench.forget(forgotten).unwrap();
    assert_eq!(bench.let_go, [forgotten], "nobody waits for what is forgotten");
}

#[test]
fn a_connection_that_ends_orphans_its_questions_until_they_are_asked_again() {
    let (mut bench, call, id) = asked();
    let draft = Some(json(r#"{"n":2}"#));
    bench.wish(Intent::SaveDraft { request: id, draft: draft.clone() }).unwrap();
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    assert_eq!(bench.question(id).state, RequestState::Orphaned);
    assert_eq!(bench.row(call).open_requests, 0, "nobody can answer it");
    bench.answer(id, 0).unwrap_err();
    bench.connect(2, false);
    bench.hear_on(2, SessionEvent::Request(Box::new(asks("1", "Really?", Some("task-1")))));
    assert_eq!(bench.questions(call).len(), 1, "shown once");
    assert_eq!((bench.question(id).state, &bench.question(id).draft), (RequestState::Open, &draft));
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.wire_replies.last().unwrap().0, "1", "to the request of the new connection");

    // Something else is asked instead.
    let (mut bench, call, id) = asked();
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    bench.connect(2, false);
    bench.hear_on(2, SessionEvent::Request(Box::new(asks("1", "And now?", Some("task-1")))));
    let before = bench.question(id);
    assert_eq!((before.state, before.reason), (RequestState::Closed, Some(CloseReason::Superseded)));
    assert_eq!(bench.row(call).open_requests, 1);
}

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
    bench.replied(id, Ok(Replied::NotOpen));
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
fn a_question_finds_its_task_or_stands_alone() {
    let mut bench = Bench::legacy();
    let (first, second) = (bench.task(), bench.task());
    bench.hear(asks("1", "Which?", None));
    assert_eq!(bench.last().call, None, "two could have asked");
    let alone = bench.last().id;
    bench.look(second, Ok(state("working", r#","statusMessage":"Well?""#)));
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
    bench.replied(alone, Ok(Replied::Delivered));
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
    bench.replied(bench.last().id, Ok(Replied::Delivered));
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
    let refused = bench.wire_replies.iter().filter(|(_, reply, _)| matches!(reply, Reply::Error { .. }));
    assert_eq!(refused.count(), 99);
}

#[test]
fn what_the_server_withdraws_is_closed() {
    let (mut bench, call, id) = asked();
    bench.news(News::Cancelled { id: "7".to_owned(), reason: None });
    let question = bench.question(id);
    assert_eq!(
        (question.state, question.reason),
        (RequestState::Closed, Some(CloseReason::AnsweredElsewhere))
    );
    assert_eq!(bench.row(call).open_requests, 0);
}

#[test]
fn statuses_that_come_too_early_or_too_late() {
    let mut bench = Bench::legacy();
    let call = bench.call();
    let told = |text: &str| News::TaskStatus(TaskView::read_legacy(&json(text)));
    bench.news(told(r#"{"taskId":"task-1","status":"working","statusMessage":"early"}"#));
    let made =
        r#"{"resultType":"task","taskId":"task-1","status":"working","pollIntervalMs":1000,"ttlMs":null}"#;
    bench.reply_call(call, Ok(called(made)));
    let message = |bench: &Bench| bench.row(call).task.as_ref().unwrap().status_message.clone();
    assert_eq!(
        message(&bench).as_deref(),
        Some("early"),
        "it was told before the answer that names the task"
    );
    let at = |time: &str, word: &str| {
        told(&format!(
            r#"{{"taskId":"task-1","status":"working","statusMessage":"{word}","lastUpdatedAt":"2026-01-01T00:00:{time}Z"}}"#
        ))
    };
    bench.news(at("09", "newer"));
    bench.news(at("08", "older"));
    assert_eq!(message(&bench).as_deref(), Some("newer"), "out of order");
    bench.news(told(r#"{"taskId":"task-1","status":"cancelled"}"#));
    assert_eq!(bench.row(call).outcome, None, "an end is taken from an answer only");
    bench.look(call, Ok(state("working", "")));
    bench.news(told(r#"{"taskId":"task-1","status":"completed"}"#));
    assert_eq!(bench.holds(false), 1, "its result is fetched at once");
    bench.news(told(r#"{"taskId":"task-1","status":"working"}"#));
    assert_eq!(bench.row(call).status, Status::Completed, "terminal is terminal");
    for n in 0..1_000 {
        bench.news(told(&format!(r#"{{"taskId":"other-{n}","status":"working"}}"#)));
    }
    assert!(bench.state.servers[&SERVER].session.early.len() <= Session::EARLY);
}

#[test]
fn progress_is_kept_but_not_each_step_of_it() {
    let mut bench = Bench::legacy();
    let call = bench.call();
    let writes = bench.disk.writes;
    for n in 0..1_000 {
        let progress = Some(json(&format!("{n}")));
        let report =
            ProgressView { token: call.to_string(), progress, total: Some(json("1000")), message: None };
        bench.news(News::Progress(report));
        bench.pass(10);
    }
    assert!((5..20).contains(&(bench.disk.writes - writes)), "ten seconds: {}", bench.disk.writes - writes);
    let progress = bench.row(call).progress.as_ref().unwrap();
    assert_eq!(progress.total, Some(json("1000")));
}

#[test]
fn over_a_restart_questions_live_as_long_as_their_session() {
    let (bench, call, id) = asked();
    let mut bench = bench.restart(1_000, Follow::All);
    assert_eq!(bench.question(id).state, RequestState::Open, "its session may go on");
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 0, "there is no connection yet");
    bench.connect(1, true);
    assert_eq!(bench.remembered.len(), 1, "so that it can be answered");
    assert_eq!(bench.replies_to(id).len(), 1);
    bench.replied(id, Ok(Replied::Delivered));
    assert_eq!(bench.row(call).open_requests, 0);

    let (bench, _, id) = asked();
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(1, false);
    assert_eq!(bench.question(id).state, RequestState::Orphaned, "its session is gone");
}

#[test]
fn a_hosted_task_is_its_question_from_the_other_side() {
    let mut bench = Bench::legacy();
    bench.task();
    let as_task = Some(TaskWish { ttl_ms: None });
    bench.hear(ServerRequest { as_task, ..asks("7", "Really?", None) });
    let id = bench.last().id;
    let text = |reply: &Reply| match reply {
        Reply::Result(json) => json.text().to_owned(),
        Reply::Error { code, message } => format!("{code}: {message}"),
    };
    let (rpc, created, _) = bench.wire_replies[0].clone();
    assert_eq!(rpc, "7");
    assert!(text(&created).contains(r#""taskId":"hosted-1","status":"working""#), "{created:?}");
    let task_id = || "hosted-1".to_owned();
    let about = |ask: Ask, rpc: &str| ServerRequest { ask, ..asks(rpc, "", None) };
    bench.hear(about(Ask::TaskResult { task_id: task_id() }, "8"));
    assert_eq!(bench.wire_replies.len(), 1, "it waits for the person");
    bench.answer(id, 0).unwrap();
    assert_eq!((bench.wire_replies[1].0.as_str(), bench.wire_replies[1].2), ("8", Some(id)));
    bench.replied(id, Ok(Replied::Delivered));
    assert_eq!(bench.question(id).state, RequestState::Answered);
    bench.hear(about(Ask::GetTask { task_id: task_id() }, "9"));
    assert!(text(&bench.wire_replies[2].1).contains(r#""status":"completed""#));
    bench.hear(about(Ask::GetTask { task_id: "guessed".to_owned() }, "10"));
    assert!(text(&bench.wire_replies[3].1).starts_with("-32602"), "nobody can guess");
    bench.hear(about(Ask::ListTasks { cursor: None }, "11"));
    assert!(text(&bench.wire_replies[4].1).contains("hosted-1"));
}

#[test]
fn a_hosted_task_can_be_cancelled_until_it_is_answered() {
    let mut bench = Bench::legacy();
    bench.task();
    let as_task = Some(TaskWish { ttl_ms: Some(60_000) });
    bench.hear(ServerRequest { as_task, ..asks("7", "Really?", None) });
    let id = bench.last().id;
    let ask = Ask::CancelTask { task_id: "hosted-1".to_owned() };
    bench.hear(ServerRequest { ask, ..asks("8", "", None) });
    assert_eq!(bench.question(id).reason, Some(CloseReason::AnsweredElsewhere));
    let Reply::Result(task) = &bench.wire_replies[1].1 else { panic!("{:?}", bench.wire_replies[1]) };
    assert!(task.text().contains(r#""status":"cancelled""#), "{}", task.text());
}

#[test]
fn roots_are_the_persons_list_and_declining_to_sample_is_an_error() {
    let mut bench = Bench::legacy();
    bench.task();
    bench.hear(ServerRequest { ask: Ask::Roots, ..asks("1", "", None) });
    assert_eq!(bench.wire_replies[0].1, Reply::Result(json(r#"{"roots":[]}"#)), "none by default");
    let raw = json(r#"{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{"messages":[]}}"#);
    bench.hear(ServerRequest { ask: Ask::Sampling, raw, ..asks("2", "", None) });
    let id = bench.last().id;
    bench.wish(Intent::Answer { request: id, action: Action::Decline, content: None, hold_ms: 0 }).unwrap();
    assert!(matches!(bench.replies_to(id)[..], [Reply::Error { code: -1, .. }]));
    bench.replied(id, Ok(Replied::Delivered));
    assert_eq!(bench.question(id).reason, Some(CloseReason::DeclinedByUs));
}

#[test]
fn a_cancelled_task_is_what_the_server_says_it_is() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.wish(Intent::Cancel(call)).unwrap();
    bench.reply_cancel(call, Ok(state("cancelled", "")));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Cancelled));
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
    assert_eq!(bench.wish(Intent::Undo(id)), Ok(Granted::Done));
    assert_eq!(bench.question(id).state, RequestState::Open);
}

#[test]
fn news_of_a_connection_that_was_replaced_is_nobodys() {
    let mut bench = Bench::legacy();
    bench.task();
    bench.connect(2, true);
    bench.hear_on(LINK, SessionEvent::Request(Box::new(asks("1", "Late?", None))));
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    assert_eq!((bench.disk.requests.len(), bench.state.servers[&SERVER].session.link), (0, Some(2)));
    assert_eq!(bench.row(CallId(1)).tracking, Tracking::Live);
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
    bench.look(call, Ok(state("input_required", "")));
    bench.hear(on_result("1"));
    let id = bench.last().id;
    bench.hear(on_result("2"));
    assert_eq!(bench.questions(call).len(), 2, "two at once on one request are two");
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.look(call, Ok(state("input_required", "")));
    bench.hear(on_result("1"));
    bench.result(call, Err(lost()));
    bench.look(call, Ok(state("input_required", "")));
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
fn the_server_is_told_of_what_nobody_will_answer() {
    let (mut bench, call, _) = asked();
    bench.result(call, Ok(json(r#"{"content":[]}"#)));
    assert!(matches!(&bench.wire_replies[..], [(rpc, Reply::Error { .. }, None)] if rpc == "7"));
    let (mut bench, call, id) = asked();
    bench.full = true;
    bench.forget(call).unwrap_err();
    bench.full = false;
    bench.answer(id, 0).unwrap();
    assert_eq!(bench.replies_to(id).len(), 1, "what could not be forgotten can be answered");
    assert_eq!(bench.let_go, [], "and is still waited for");
    let (mut bench, call, _) = asked();
    bench.forget(call).unwrap();
    assert!(matches!(&bench.wire_replies[..], [(rpc, Reply::Error { .. }, None)] if rpc == "7"));
    assert_eq!(bench.state.servers[&SERVER].session.questions.len(), 0);
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
