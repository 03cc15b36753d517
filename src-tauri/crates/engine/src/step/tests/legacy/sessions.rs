//! Connections: what they take with them, and what they tell unasked.

use signalbox_model::Health;

use super::*;
use crate::step::EarlyNews as Early;

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
fn connections_lost_one_after_the_other_fill_neither_memory_nor_disk() {
    let mut bench = Bench::legacy();
    let mut typed = None;
    for link in 2..12 {
        bench.connect(link, false);
        for n in 0..40 {
            let words = format!("{link}/{n} {}", "x".repeat(100_000));
            let asked = asks(&n.to_string(), &words, None);
            bench.hear_on(link, SessionEvent::Request(Box::new(asked)));
        }
        assert_eq!(bench.left, 0, "what was lost makes room for what is asked");
        let first = *bench.disk.requests.keys().next().unwrap();
        if typed.is_none() {
            bench.wish(Intent::SaveDraft { request: first, draft: Some(json("{}")) }).unwrap();
            typed = Some(first);
        }
        bench.hear_on(link, SessionEvent::Ended(session_over()));
    }
    let bytes: usize = bench.disk.requests.values().map(|request| request.raw.text().len()).sum();
    assert!(bytes < (16 + 4 + 8) << 20, "of 40 MB the last stay: {bytes}");
    let memory = bench.state.shared.room.of(SERVER, None);
    assert!(memory < 16 << 20, "those of the last connections may be asked again: {memory}");
    let typed = bench.question(typed.unwrap());
    assert_eq!((typed.state, typed.draft.is_some()), (RequestState::Closed, true), "what was typed stays");
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
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!(bench.row(call).open_requests, 0);

    let (bench, _, id) = asked();
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(1, false);
    assert_eq!(bench.question(id).state, RequestState::Orphaned, "its session is gone");
}

#[test]
fn a_session_is_gone_on_with_at_its_own_address_as_long_as_it_lasts() {
    let offered = |bench: &Bench| {
        let line = bench.state.rooms.servers.all[&SERVER].line(&Tuning::default());
        (line.wire, line.session.is_some())
    };
    let mut bench = Bench::new();
    assert_eq!(offered(&bench), (Some(Wire::Modern), false), "it has had no session yet");
    bench.connect(LINK, false);
    assert_eq!(offered(&bench), (Some(Wire::Legacy), true));
    bench.hear_on(LINK, SessionEvent::Ended(exited()));
    assert_eq!(offered(&bench), (Some(Wire::Legacy), true), "only the connection is lost");
    let mut bench = bench.restart(1_000, Follow::All);
    assert_eq!(offered(&bench), (Some(Wire::Legacy), true), "over a restart as well");
    bench.connect(1, true);
    bench.hear_on(1, SessionEvent::Ended(session_over()));
    assert_eq!(offered(&bench), (Some(Wire::Legacy), false), "the server knows it no more");

    bench.connect(2, false);
    bench.feed(Input::Found { server: SERVER, found: Box::new(found()) });
    assert_eq!(offered(&bench), (Some(Wire::Modern), false), "that wire has none");

    bench.connect(3, false);
    let elsewhere = Transport::Http { url: "https://elsewhere.example.com/mcp".to_owned(), headers: vec![] };
    let moved = Server { transport: elsewhere, ..bench.disk.servers[&SERVER].clone() };
    bench.wish(Intent::PutServer(moved)).unwrap();
    assert_eq!(offered(&bench), (None, false), "no other address hears of it");
    let bench = bench.restart(1_000, Follow::All);
    assert_eq!(offered(&bench), (None, false), "over a restart neither");
}

#[test]
fn a_session_before_the_last_one_is_not_taken_for_the_last() {
    let (mut bench, _, id) = asked();
    let older = Some(SavedSession { id: "an older one".to_owned(), initialized: json("{}") });
    bench.feed(Input::Connected { server: SERVER, link: 2, saved: older, resumed: true });
    assert_eq!(bench.question(id).state, RequestState::Orphaned, "nobody waits for its answer there");
}

#[test]
fn news_of_a_connection_that_was_replaced_is_nobodys() {
    let mut bench = Bench::legacy();
    bench.task();
    bench.connect(2, true);
    bench.hear_on(LINK, SessionEvent::Request(Box::new(asks("1", "Late?", None))));
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    assert_eq!((bench.disk.requests.len(), bench.state.rooms.sessions.all[&SERVER].link), (0, Some(2)));
    assert_eq!(bench.row(CallId(1)).tracking, Tracking::Live);
}

#[test]
fn statuses_that_come_too_early_or_too_late() {
    let mut bench = Bench::legacy();
    let call = bench.call();
    let told = |text: &str| ServerNews::TaskStatus(TaskView::read_legacy(&json(text)));
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
    bench.poll(call, Ok(state("working", "")));
    bench.news(told(r#"{"taskId":"task-1","status":"completed"}"#));
    assert_eq!(bench.holds(false), 1, "its result is fetched at once");
    bench.news(told(r#"{"taskId":"task-1","status":"working"}"#));
    assert_eq!(bench.row(call).status, Status::Completed, "terminal is terminal");
    for n in 0..1_000 {
        bench.news(told(&format!(r#"{{"taskId":"other-{n}","status":"working"}}"#)));
    }
    assert_eq!(bench.state.rooms.sessions.all[&SERVER].early.size().0, Early::MOST);
    let large = "x".repeat(100_000);
    let of = |n: u32, message: &str| {
        told(&format!(r#"{{"taskId":"large-{n}","status":"working","statusMessage":"{message}"}}"#))
    };
    for n in 0..64 {
        bench.news(of(n, &large));
    }
    let (count, bytes) = bench.state.rooms.sessions.all[&SERVER].early.size();
    assert!(count == 10 && bytes <= Early::BYTES, "large ones are fewer: {count}, {bytes} bytes");
    bench.news(of(64, &"x".repeat(Early::BYTES + 1)));
    assert_eq!(
        bench.state.rooms.sessions.all[&SERVER].early.size(),
        (count, bytes),
        "one that is too large is left"
    );
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
        bench.news(ServerNews::Progress(report));
        bench.pass(10);
    }
    assert!((5..20).contains(&(bench.disk.writes - writes)), "ten seconds: {}", bench.disk.writes - writes);
    let progress = bench.row(call).progress.as_ref().unwrap();
    assert_eq!(progress.total, Some(json("1000")));
}

#[test]
fn nothing_of_what_is_over_lingers() {
    let mut bench = Bench::legacy();
    for n in 0..5_000 {
        let rpc = format!("{}", n % 4_000);
        bench.hear(asks(&rpc, "Well?", None));
        bench.news(ServerNews::Cancelled { id: rpc, reason: None });
    }
    let open = |bench: &Bench| bench.state.rooms.sessions.all[&SERVER].questions.len();
    assert_eq!((open(&bench), bench.state.shared.places.len()), (0, 0), "they were withdrawn");
    assert_eq!(bench.last().id, RequestId(5_000), "each was another, also under an id of before");
    assert_eq!(bench.disk.requests.len(), Closed::MOST, "the last stay of those that nobody answered");
    assert!(bench.state.rooms.sessions.all[&SERVER].used.len() <= Session::IDS);
    bench.hear(asks("1", "Open?", None));
    for n in 10_000..10_000 + Session::IDS {
        let rpc = n.to_string();
        bench.hear(asks(&rpc, "Well?", None));
        bench.news(ServerNews::Cancelled { id: rpc, reason: None });
    }
    let open = bench.disk.requests.values().find(|request| request.message == "Open?").unwrap().id;
    bench.hear(asks("1", "Instead?", None));
    assert_eq!(bench.question(open).reason, Some(CloseReason::Superseded), "the connection is the same one");
    let last = bench.last().id;
    bench.answer(last, 0).unwrap();
    bench.replied(last, Ok(SessionReplied::Delivered));
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    let session = &bench.state.rooms.sessions.all[&SERVER];
    assert_eq!((session.used.len(), bench.state.shared.places.len()), (0, session.questions.len()));
}

#[test]
fn that_a_session_is_over_does_not_say_that_its_server_is_away() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    let is_well = |bench: &Bench| matches!(bench.disk.servers[&SERVER].health, Health::Ok { .. });
    bench.until_polled(call);
    bench.connect(2, false);
    // Sent in the session before, and answered late.
    bench.reply_poll(call, Err(session_over()));
    assert!(is_well(&bench), "it has just begun another");
    bench.poll(call, Ok(state("working", "")));

    // What it is was said long ago: it is asked, and what it answers counts.
    bench.serve(60_000, |_| state("working", ""));
    bench.poll(call, Err(session_over()));
    assert!(is_well(&bench), "it has answered");
    bench.reply_discover(Err(session_over()));
    assert!(!is_well(&bench), "there is none to be had");
}
