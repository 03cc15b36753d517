//! From the wish to call a tool to its result, its task, or its failure.

use signalbox_mcp::{Called, Error, Hint};
use signalbox_model::{
    Breach, CallId, DecisionKind, Delivery, EventKind, Outcome, PayloadKind, Reason, Server, Status, Stray,
    Then, Tracking,
};

use super::bench::*;
use crate::{Follow, Granted, Input, Intent, NoticeKind, Refusal};

#[test]
fn what_the_answer_makes_of_a_call() {
    let task = r#"{"resultType":"task","taskId":"T","status":"working"}"#;
    let not_mcp = Error::NotMcp { status: Some(200), content_type: None, hint: Hint::Page };
    let throttled = Error::Throttled { status: 429, retry_after: None };
    let legacy = Error::LegacyOnly { version: Some("2025-11-25".to_owned()) };
    let garbled = Error::Garbled { stray: Stray::OtherRequest, raw: Some(json("[2]")) };
    let protocol = Error::Protocol { breach: Breach::UnknownType, raw: Some(json("[1]")) };
    type Case = (Result<Called, Error>, Option<Outcome>, Status, Option<NoteCode>);
    let cases: Vec<Case> = vec![
        (Ok(called(r#"{"content":[]}"#)), Some(Outcome::Ok), Status::Completed, None),
        (Ok(called(r#"{"isError":true}"#)), Some(Outcome::ToolError), Status::Completed, None),
        (Ok(called(task)), None, Status::Working, None),
        (
            Ok(called(r#"{"resultType":"task"}"#)),
            Some(Outcome::ProtocolError),
            Status::Failed,
            Some(NoteCode::ProtocolError),
        ),
        (Err(rpc(-32603)), Some(Outcome::ProtocolError), Status::Failed, Some(NoteCode::ServerError)),
        (Err(protocol), Some(Outcome::ProtocolError), Status::Failed, Some(NoteCode::ProtocolError)),
        // Answered, so that it arrived; what it came to, a handle perhaps, is not known.
        (
            Err(Error::TooLarge { limit: 9 }),
            Some(Outcome::Unknown),
            Status::Unknown,
            Some(NoteCode::TooLarge),
        ),
        (Err(garbled), Some(Outcome::Unknown), Status::Unknown, Some(NoteCode::Lost)),
        (Err(throttled), Some(Outcome::ProtocolError), Status::Failed, Some(NoteCode::Throttled)),
        (Err(legacy), Some(Outcome::ProtocolError), Status::Failed, Some(NoteCode::LegacyOnly)),
        (Err(lost()), Some(Outcome::Unknown), Status::Unknown, Some(NoteCode::Lost)),
        (Err(Error::Timeout { ms: 9 }), Some(Outcome::Unknown), Status::Unknown, Some(NoteCode::TimedOut)),
        (Err(exited()), Some(Outcome::Unknown), Status::Unknown, Some(NoteCode::SpawnFailed)),
        (Err(not_mcp), Some(Outcome::Unknown), Status::Unknown, Some(NoteCode::NotMcp)),
    ];
    for (reply, outcome, status, code) in cases {
        let mut bench = Bench::new();
        let call = bench.call();
        assert_eq!(bench.row(call).delivery, Delivery::Sent, "kept as sent before it is sent");
        let told = format!("{reply:?}");
        bench.reply_call(call, reply);
        let row = bench.row(call);
        assert_eq!((row.outcome, row.status), (outcome, status), "{told}");
        assert_eq!(row.note.as_ref().map(|note| note.code), code, "{told}");
        assert_eq!(row.delivery, Delivery::Answered);
        assert_eq!(row.ended_at.is_some(), outcome.is_some(), "{told}");
        let ended = |n: &crate::Notice| matches!(n.kind, NoticeKind::Ended(_));
        assert_eq!(
            bench.notices.iter().filter(|n| ended(n)).count(),
            usize::from(outcome.is_some()),
            "{told}"
        );
        // Terminal is terminal: the same reply again, or another, is nothing.
        let writes = bench.disk.writes;
        bench.feed(Input::Called { call, reply: Err(lost()) });
        assert_eq!(bench.disk.writes, writes, "a late answer changes nothing: {told}");
    }
}

#[test]
fn raw_json_is_kept_beside_the_call() {
    let mut bench = Bench::new();
    let call = bench.call();
    bench.reply_call(call, Ok(called(r#"{ "content": [], "n": 1.0 }"#)));
    let text = |kind| bench.disk.payloads.get(&(call, kind)).map(|json| json.text().to_owned());
    assert_eq!(text(PayloadKind::Arguments).as_deref(), Some(r#"{"a":1}"#));
    assert_eq!(text(PayloadKind::Create).as_deref(), Some(r#"{ "content": [], "n": 1.0 }"#));
    assert_eq!(text(PayloadKind::Result), text(PayloadKind::Create));
    let failed = bench.call();
    bench.reply_call(failed, Err(rpc(-1)));
    assert!(bench.disk.payloads.contains_key(&(failed, PayloadKind::Error)), "the error as received");
}

#[test]
fn the_log_names_the_schema_that_a_call_was_made_for() {
    let mut bench = Bench::new();
    let schemas =
        |bench: &Bench| -> Vec<_> { bench.disk.decisions.iter().map(|entry| entry.schema.clone()).collect() };
    bench.call();
    assert_eq!(schemas(&bench), [None], "nobody has listed the tools yet");
    let tools =
        r#"[7,{"name":"other","inputSchema":{}},{"name":"deploy","inputSchema":{ "type" : "object" }}]"#;
    bench.feed(Input::Listed { server: SERVER, reply: Ok(json(tools)) });
    bench.call();
    assert_eq!(schemas(&bench)[1], Some(json(r#"{ "type" : "object" }"#)), "byte for byte");
}

#[test]
fn what_an_earlier_run_knew_of_the_tools_is_known_to_the_log() {
    let mut bench = Bench::new();
    let tools = json(r#"[{"name":"deploy","inputSchema":{"type":"object"}}]"#);
    bench.feed(Input::Listed { server: SERVER, reply: Ok(tools.clone()) });
    let mut bench = bench.restart(1_000, Follow::Named);
    bench.call();
    let entry = bench.disk.decisions.last().unwrap();
    assert_eq!((entry.kind, &entry.schema), (DecisionKind::Called, &Some(json(r#"{"type":"object"}"#))));
    let writes = bench.disk.writes;
    bench.feed(Input::Listed { server: SERVER, reply: Ok(tools) });
    assert_eq!(bench.disk.writes, writes, "equal bytes cause no write, in the next run too");
}

#[test]
fn what_was_refused_at_the_door_is_told_as_not_sent() {
    let mut bench = Bench::new();
    let call = bench.call();
    let barred = Error::NotMcp { status: Some(413), content_type: None, hint: Hint::Page };
    bench.reply_call(call, Err(barred));
    let kinds: Vec<_> = bench.disk.decisions.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [DecisionKind::Called, DecisionKind::NotSent]);
}

#[test]
fn what_was_not_sent_says_so_and_why() {
    let keychain =
        Error::Unreachable { stage: signalbox_mcp::Stage::Keychain, why: "locked".into(), retry_after: None };
    let secret =
        Error::Unreachable { stage: signalbox_mcp::Stage::Secret, why: "no TOKEN".into(), retry_after: None };
    let legacy = Error::LegacyOnly { version: Some("2025-11-25".to_owned()) };
    for (error, code) in [
        (unreachable(), NoteCode::Unreachable),
        (legacy, NoteCode::LegacyOnly),
        (keychain, NoteCode::NoKeychain),
        (secret, NoteCode::SecretMissing),
        (exited(), NoteCode::SpawnFailed),
    ] {
        let mut bench = Bench::new();
        let call = bench.call();
        bench.land("tools/call", |flight| matches!(flight, Flight::Call { .. }));
        bench.feed(Input::NotSent { call, error });
        let row = bench.row(call);
        assert_eq!(row.outcome, Some(Outcome::ProtocolError), "{code:?}");
        let note = row.note.as_ref().unwrap();
        assert_eq!(note.code, code);
        assert_eq!(note.then, Some(Then::CallNotSent), "{note:?}");
        let entry = bench.disk.decisions.last().unwrap();
        assert_eq!((entry.kind, entry.note.as_ref()), (DecisionKind::NotSent, Some(note)));
    }
}

#[test]
fn a_call_whose_connection_was_closed_under_it_ends_for_the_reason_of_closing() {
    let sign_in = Error::SignInNeeded { status: 401, challenge: None };
    for late in [false, true] {
        let mut bench = Bench::new();
        let call = bench.call();
        bench.feed(Input::Listed { server: SERVER, reply: Err(sign_in.clone()) });
        assert_eq!(bench.disconnected, 1, "another request's answer closed it");
        if late {
            bench.reply_call(call, Err(Error::Closed));
        } else {
            bench.land("tools/call", |flight| matches!(flight, Flight::Call { .. }));
            bench.feed(Input::NotSent { call, error: Error::Closed });
        }
        let row = bench.row(call);
        let note = row.note.as_ref().unwrap();
        assert_eq!(
            (row.outcome, note.code),
            (Some(Outcome::ProtocolError), NoteCode::SignInNeeded),
            "{late}"
        );
        let entry = bench.disk.decisions.last().unwrap();
        assert_eq!((entry.kind, entry.note.as_ref()), (DecisionKind::NotSent, Some(note)));
    }
}

#[test]
fn a_call_whose_connection_a_person_closed_was_closed() {
    let mut bench = Bench::new();
    let call = bench.call();
    let off = Server { enabled: false, ..bench.disk.servers[&SERVER].clone() };
    bench.wish(Intent::PutServer(off)).unwrap();
    bench.land("tools/call", |flight| matches!(flight, Flight::Call { .. }));
    bench.feed(Input::NotSent { call, error: Error::Closed });
    assert_eq!(bench.row(call).note.as_ref().unwrap().reason, Reason::Closed);
}

#[test]
fn a_task_is_kept_before_its_first_poll() {
    let mut bench = Bench::new();
    let call = bench.task();
    assert_eq!(bench.row(call).task.as_ref().unwrap().task_id, format!("task-{}", call.0));
    assert_eq!(bench.polls(), 0, "the server has just told its state");
    assert!(bench.row(call).next_poll_at.is_some());
    let waited = bench.until_polled(call);
    assert!((1_000..=LATEST).contains(&waited), "the server's interval and a little: {waited}");
    bench.reply_poll(call, Ok(done()));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
    use EventKind::*;
    assert_eq!(bench.disk.story(call), [Called, TaskCreated, Status, Ended]);
    bench.pass(100_000);
    assert_eq!(bench.polls(), 0, "a finished task is never polled");
}

#[test]
fn a_task_that_is_born_finished_owes_us_its_result() {
    let mut bench = Bench::new();
    let call = bench.call();
    bench.reply_call(call, Ok(called(r#"{"resultType":"task","taskId":"T","status":"completed"}"#)));
    assert_eq!(bench.row(call).outcome, None, "without a result it is not over");
    bench.poll(call, Ok(done()));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
}

#[test]
fn an_adopted_handle_is_polled_at_once() {
    let mut bench = Bench::new();
    let track = || Intent::Track { server: SERVER, task_id: "theirs".to_owned() };
    let Ok(Granted::Call(call)) = bench.wish(track()) else { panic!("it should be adopted") };
    assert_eq!(bench.wish(track()), Err(Refusal::Followed(call)), "one handle, one call");
    assert_eq!(bench.polls(), 0, "nothing is sent in the step that keeps the handle");
    bench.pass(0);
    assert_eq!(bench.polls(), 1);
    bench.reply_poll(call, Ok(working("")));
    assert_eq!((bench.row(call).status, bench.row(call).tracking), (Status::Working, Tracking::Live));
}

#[test]
fn a_handle_that_was_never_seen_alive_is_lost_at_once() {
    let mut bench = Bench::new();
    let intent = Intent::Track { server: SERVER, task_id: "wrong".to_owned() };
    let Ok(Granted::Call(call)) = bench.wish(intent) else { panic!("it should be adopted") };
    bench.poll(call, Err(rpc(-32602)));
    let row = bench.row(call);
    assert_eq!((row.outcome, row.tracking), (Some(Outcome::Lost), Tracking::NotFound));
}

#[test]
fn wishes_for_what_is_not_there_are_refused() {
    let mut bench = Bench::new();
    let start = |server| Intent::Start { server, tool: "t".to_owned(), arguments: json("{}"), ttl_ms: None };
    assert_eq!(bench.wish(start(signalbox_model::ServerId(9))), Err(Refusal::UnknownServer));
    assert_eq!(bench.wish(bench.cancels(CallId(9))), Err(Refusal::UnknownCall));
    assert_eq!(bench.wish(Intent::Refresh(CallId(9))), Ok(Granted::Done), "what is over needs no poll");
    assert_eq!(bench.answer(signalbox_model::RequestId(9), 0), Err(Refusal::UnknownRequest));
    let mut off = server(1);
    off.enabled = false;
    bench.wish(Intent::PutServer(off)).unwrap();
    assert_eq!(bench.wish(start(SERVER)), Err(Refusal::Disabled));
    assert_eq!(bench.wish(Intent::Check(SERVER)), Err(Refusal::Disabled));
    assert_eq!(bench.wish(Intent::AddServer(server(1))), Err(Refusal::NameTaken("server 1".to_owned())));
    assert!(bench.flights.is_empty(), "nothing was sent");
}
