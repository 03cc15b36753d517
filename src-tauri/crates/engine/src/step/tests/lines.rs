//! Whether servers can be reached, and what people configure of them. Longer than most: outages, silences and mending are one
//! story each, told at the same gate.

use std::time::Duration;

use signalbox_mcp::{Error, Stage};
use signalbox_model::{CallId, Health, Outcome, RequestState, Server, ServerId, Timestamp, Transport, Wire};

use super::{bench::*, disk::Disk};
use crate::{Follow, Granted, Input, Intent, Refusal, schedule::Due, step::server::KnownTools as Tools};

fn health(bench: &Bench) -> &Health {
    &bench.disk.servers[&SERVER].health
}

#[test]
fn a_server_that_is_down_gets_one_question_at_a_time_whatever_the_number_of_its_tasks() {
    let mut bench = Bench::new();
    let calls: Vec<CallId> = (0..1_000).map(|_| bench.task()).collect();
    bench.pass(1_200);
    let under_way = bench.flights.clone();
    for flight in under_way {
        let Flight::Poll { call, .. } = flight else { continue };
        bench.reply_poll(call, Err(unreachable()));
    }
    assert!(matches!(health(&bench), Health::Unreachable { .. }));
    let writes = bench.disk.writes;
    let mut probes = 0;
    let began = bench.now.steady_ms;
    while bench.now.steady_ms - began < 600_000 {
        bench.pass(500);
        assert_eq!(bench.polls(), 0);
        if !bench.flights.is_empty() {
            probes += 1;
            bench.reply_discover(Err(unreachable()));
        }
    }
    assert!((10..=20).contains(&probes), "{probes} probes in ten minutes");
    assert!(bench.disk.writes - writes <= 2 * probes, "an outage is kept once, at the server");
    bench.pass(70_000);
    bench.reply_discover(Ok(found()));
    assert!(matches!(health(&bench), Health::Ok { .. }));
    assert!(bench.polls() < 8, "not all at once");
    bench.pass(100);
    assert!(bench.polls() >= 1, "but soon");
    // In a while each has had its poll.
    let mut seen = std::collections::BTreeSet::new();
    while seen.len() < calls.len() {
        while let Some(Flight::Poll { call, .. }) = bench.flights.first().cloned() {
            seen.insert(call);
            bench.reply_poll(call, Ok(done()));
        }
        bench.pass(10);
    }
}

#[test]
fn what_was_under_way_when_the_line_broke_tells_nothing_new() {
    let mut bench = Bench::new();
    let calls: Vec<CallId> = (0..8).map(|_| bench.task()).collect();
    bench.pass(1_200);
    bench.reply_poll(calls[0], Err(unreachable()));
    let retry = |bench: &Bench| match health(bench) {
        Health::Unreachable { retry_at, .. } => *retry_at,
        other => panic!("down: {other:?}"),
    };
    let first = retry(&bench);
    for call in &calls[1..7] {
        bench.reply_poll(*call, Err(unreachable()));
    }
    assert_eq!(retry(&bench), first, "eight errors of one moment are one failure");
    // And a good answer means that it is back.
    bench.reply_poll(calls[7], Ok(working("")));
    assert!(matches!(health(&bench), Health::Ok { .. }));
}

#[test]
fn answers_given_while_it_is_down_are_delivered_when_it_is_back() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.poll(call, Err(unreachable()));
    assert_eq!(bench.answer(ids[0], 0), Ok(Granted::Done), "kept");
    assert_eq!(bench.question(ids[0]).state, RequestState::Sending);
    assert!(bench.updates(call).is_empty());
    bench.pass(2_000);
    bench.reply_discover(Ok(found()));
    assert_eq!(bench.updates(call).len(), 1, "at once: it was never sent");
    bench.reply_update(call, Ok(json("{}")));
    assert_eq!(bench.question(ids[0]).state, RequestState::Answered);
}

#[test]
fn a_silence_holds_everything_back_and_its_end_lets_it_go() {
    let quiet = |seconds| Error::Throttled {
        status: 429,
        retry_after: Some(std::time::Duration::from_secs(seconds)),
    };
    let mut bench = Bench::new();
    let crowd: Vec<_> = (0..4).map(|_| bench.asked_task(&["a"])).collect();
    let wishes: Vec<CallId> = (0..3).map(|_| bench.task()).collect();
    bench.poll(crowd[0].0, Err(quiet(60)));
    let on_the_wire = bench.flights.clone();
    for (_, ids) in &crowd {
        bench.answer(ids[0], 0).unwrap();
    }
    for call in &wishes {
        bench.wish(bench.cancels(*call)).unwrap();
    }
    assert_eq!(bench.flights, on_the_wire, "kept, and nothing goes");
    let silences = |bench: &Bench| bench.state.shared.schedule.at(Due::Quiet(SERVER));
    let end = silences(&bench).expect("one end for the server, whatever the number of its tasks");
    // What was on the wire when it was asked for asks for more of it.
    for flight in on_the_wire {
        let Flight::Poll { call, .. } = flight else { continue };
        bench.reply_poll(call, Err(quiet(90)));
    }
    assert!(silences(&bench).unwrap() > end, "the longer one counts");
    let rest = silences(&bench).unwrap() - bench.now.steady_ms;
    bench.pass(rest - 1);
    assert_eq!(bench.flights, []);
    bench.pass(1);
    let sent = |bench: &Bench, is: fn(&Flight) -> bool| bench.flights.iter().filter(|f| is(f)).count();
    assert_eq!(sent(&bench, |f| matches!(f, Flight::Update { .. })), 4, "each answer, by itself");
    assert_eq!(sent(&bench, |f| matches!(f, Flight::Cancel { .. })), 3, "and each wish");
}

#[test]
fn a_crowd_of_answers_goes_out_a_few_at_a_time_and_a_silence_stops_the_rest() {
    let mut bench = Bench::new();
    let crowd: Vec<CallId> = (0..30).map(|_| bench.task()).collect();
    bench.serve(3_000, |_| asking(&["a"]));
    bench.go_down();
    for call in &crowd {
        let question = bench.questions(*call)[0].id;
        bench.answer(question, 0).unwrap();
    }
    bench.pass(2_000);
    bench.reply_discover(Ok(found()));
    let under_way = |bench: &Bench| -> Vec<CallId> {
        let call = |flight: &Flight| match flight {
            Flight::Update { call, .. } => Some(*call),
            _ => None,
        };
        bench.flights.iter().filter_map(call).collect()
    };
    assert_eq!(under_way(&bench).len(), 8);
    let first = under_way(&bench)[0];
    bench.reply_update(first, Ok(json("{}")));
    assert_eq!(under_way(&bench).len(), 8, "one after the other");
    // One that is forgotten meanwhile gives no permit away, and its reply is heard.
    let second = under_way(&bench)[0];
    bench.forget(second).unwrap();
    assert_eq!(under_way(&bench).len(), 8);
    let quiet = Error::Throttled { status: 503, retry_after: Some(std::time::Duration::from_secs(60)) };
    bench.reply_update(second, Err(quiet));
    for call in under_way(&bench) {
        bench.reply_update(call, Ok(json("{}")));
    }
    assert!(under_way(&bench).is_empty(), "21 wait for the silence to end");
    bench.pass(60_000);
    let mut sent = 0;
    while let Some(call) = under_way(&bench).first().copied() {
        sent += 1;
        bench.reply_update(call, Ok(json("{}")));
    }
    assert_eq!(sent, 21);
}

#[test]
fn a_silence_holds_probes_back_too() {
    let mut bench = Bench::new();
    let call = bench.task();
    let other = bench.task();
    bench.pass(1_200);
    let quiet = Error::Throttled { status: 503, retry_after: Some(std::time::Duration::from_secs(300)) };
    bench.reply_poll(other, Err(quiet));
    bench.reply_poll(call, Err(unreachable()));
    bench.pass(299_999);
    assert_eq!(bench.flights, []);
    bench.pass(1);
    bench.reply_discover(Ok(found()));
    bench.poll(call, Ok(done()));
    bench.poll(other, Ok(done()));
}

#[test]
fn a_call_tries_a_server_that_is_down() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Err(exited()));
    let another = bench.call();
    bench.reply_call(another, Ok(called("{}")));
    assert!(matches!(health(&bench), Health::Ok { .. }), "an answer is the best probe");
    assert_eq!(bench.row(another).outcome, Some(Outcome::Ok));
}

#[test]
fn a_server_that_nobody_needs_is_left_alone() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Err(unreachable()));
    bench.forget(call).unwrap();
    bench.pass(10_000_000);
    assert_eq!(bench.flights, [], "no probe without a task that waits");
    let intent = Intent::Track { server: SERVER, task_id: "T".to_owned() };
    let Ok(Granted::Call(call)) = bench.wish(intent) else { panic!("it should be adopted") };
    bench.pass(0);
    bench.reply_discover(Ok(found()));
    bench.poll(call, Ok(done()));
}

#[test]
fn a_probe_whose_connection_was_closed_is_not_the_last() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Err(unreachable()));
    bench.pass(2_000);
    bench.reply_discover(Err(Error::Closed));
    bench.pass(5_000);
    bench.reply_discover(Ok(found()));
    bench.poll(call, Ok(done()));
}

#[test]
fn single_losses_do_not_close_the_line() {
    let mut bench = Bench::new();
    let call = bench.task();
    for _ in 0..4 {
        bench.poll(call, Err(lost()));
        bench.poll(call, Err(Error::Timeout { ms: 1 }));
        bench.poll(call, Ok(working("")));
    }
    assert!(matches!(health(&bench), Health::Ok { .. }));
    for _ in 0..3 {
        bench.poll(call, Err(lost()));
    }
    assert!(matches!(health(&bench), Health::Unreachable { .. }), "three in a row do");
}

#[test]
fn what_only_a_person_can_mend_waits_for_one() {
    let keychain = Error::Unreachable { stage: Stage::Keychain, why: "locked".into(), retry_after: None };
    let errors = [
        Error::SignInNeeded { status: 401, challenge: None },
        Error::LegacyOnly { version: Some("2025-11-25".to_owned()) },
        keychain,
    ];
    for error in errors {
        let mut bench = Bench::new();
        let call = bench.task();
        bench.until_polled(call);
        let token = bench.ask(Intent::Refresh(call));
        bench.reply_poll(call, Err(error.clone()));
        assert_eq!(bench.replies[&token], Ok(Granted::Done), "nobody waits for that");
        assert!(matches!(health(&bench), Health::SignInNeeded { .. } | Health::Unusable { .. }), "{error:?}");
        assert_eq!(bench.disconnected, 1, "the next connection reads its secrets afresh");
        bench.pass(10_000_000);
        assert_eq!(bench.flights, [], "nothing by itself: {error:?}");
        assert_eq!(bench.wish(Intent::Refresh(call)), Ok(Granted::Done), "a refresh comes back");
        let token = bench.ask(Intent::Check(SERVER));
        bench.reply_discover(Err(error.clone()));
        assert_eq!(bench.replies[&token], Ok(Granted::Done));
        if matches!(error, Error::LegacyOnly { .. }) {
            assert_eq!(bench.disk.servers[&SERVER].wire, Some(Wire::Legacy));
        }
        bench.ask(Intent::Check(SERVER));
        bench.reply_discover(Ok(found()));
        bench.poll(call, Ok(done()));
    }
}

#[test]
fn a_check_is_answered_by_its_own_reply() {
    let mut bench = Bench::new();
    let check = bench.ask(Intent::Check(SERVER));
    bench.feed(Input::Found { server: SERVER, found: Box::new(found()) });
    assert_eq!(
        bench.replies.get(&check),
        None,
        "another request made a connection; the check is still under way"
    );
    bench.reply_discover(Err(Error::SignInNeeded { status: 401, challenge: None }));
    assert_eq!(bench.replies[&check], Ok(Granted::Done));
    assert!(
        matches!(health(&bench), Health::SignInNeeded { .. }),
        "whoever asked then sees what the check found"
    );
}

#[test]
fn what_a_person_has_mended_goes_on_by_itself_though_the_server_is_away_just_then() {
    let away = [
        lost(),
        Error::Throttled { status: 503, retry_after: Some(Duration::from_secs(3)) },
        Error::Unreachable { stage: Stage::Connect, why: "refused".into(), retry_after: None },
    ];
    for error in away {
        let mut bench = Bench::new();
        let call = bench.task();
        bench.poll(call, Err(Error::SignInNeeded { status: 401, challenge: None }));
        assert!(matches!(health(&bench), Health::SignInNeeded { .. }));
        let token = bench.ask(Intent::Check(SERVER));
        bench.reply_discover(Err(error.clone()));
        assert_eq!(bench.replies[&token], Ok(Granted::Done));
        bench.pass(10_000);
        bench.reply_discover(Ok(found()));
        bench.poll(call, Ok(done()));
        assert!(matches!(health(&bench), Health::Ok { .. }), "{error:?}");
    }
}

#[test]
fn a_missing_secret_and_a_failed_discovery_are_tried_again() {
    for (stage, code) in
        [(Stage::Secret, NoteCode::SecretMissing), (Stage::Discover, NoteCode::ProtocolError)]
    {
        let mut bench = Bench::new();
        let call = bench.task();
        let error = Error::Unreachable { stage, why: "x".into(), retry_after: None };
        bench.poll(call, Err(error));
        let (Health::Unreachable { note: said, .. } | Health::Unusable { note: said, .. }) = health(&bench)
        else {
            panic!("down")
        };
        assert_eq!(said.code, code);
        bench.pass(2_000);
        bench.reply_discover(Ok(found()));
        bench.poll(call, Ok(done()));
    }
}

#[test]
fn a_disabled_server_rests_and_goes_on_when_it_is_enabled() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.until_polled(call);
    let token = bench.ask(Intent::Refresh(call));
    let switch = |enabled| {
        let mut server = server(1);
        server.enabled = enabled;
        Intent::PutServer(server)
    };
    bench.wish(switch(false)).unwrap();
    assert_eq!(bench.replies[&token], Ok(Granted::Done));
    assert!(bench.disk.servers[&SERVER].tasks, "what was observed is not overwritten by the caller's copy");
    bench.reply_poll(call, Ok(working("")));
    bench.pass(100_000);
    assert_eq!(bench.flights, []);
    bench.wish(switch(true)).unwrap();
    bench.poll(call, Ok(done()));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
}

#[test]
fn a_server_with_live_tasks_is_not_removed() {
    let mut bench = Bench::new();
    let call = bench.task();
    let removed = || {
        let mut server = server(1);
        server.removed_at = Some(signalbox_model::Timestamp(5));
        Intent::PutServer(server)
    };
    assert_eq!(bench.wish(removed()), Err(Refusal::LiveTasks(vec![call])));
    bench.poll(call, Ok(done()));
    assert_eq!(bench.wish(removed()), Ok(Granted::Server(SERVER)));
    assert_eq!(bench.wish(Intent::Check(SERVER)), Err(Refusal::UnknownServer));
    assert!(bench.wish(Intent::AddServer(server(1))).is_ok(), "its name is free");
}

#[test]
fn a_new_address_is_a_new_beginning() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Err(unreachable()));
    let mut moved = server(1);
    moved.transport = Transport::Http { url: "http://127.0.0.1:9/mcp".to_owned(), headers: Vec::new() };
    bench.wish(Intent::PutServer(moved)).unwrap();
    let row = &bench.disk.servers[&SERVER];
    assert_eq!((&row.health, row.wire, row.tasks), (&Health::UNKNOWN, None, false));
    bench.poll(call, Ok(done()));
}

#[test]
fn tools_are_kept_when_they_differ() {
    let mut bench = Bench::new();
    let listed = |text: &str| Input::Listed { server: SERVER, reply: Ok(json(text)) };
    bench.feed(listed("[1]"));
    let writes = bench.disk.writes;
    bench.feed(listed("[1]"));
    assert_eq!(bench.disk.writes, writes, "equal bytes cause no write");
    bench.feed(listed("[2]"));
    assert_eq!(bench.disk.tools[&SERVER].text(), "[2]");
    let call = bench.task();
    bench.feed(Input::Listed { server: SERVER, reply: Err(unreachable()) });
    assert!(matches!(health(&bench), Health::Unreachable { .. }), "a failure is a sign of health too");
    bench.feed(listed("[2]"));
    bench.poll(call, Ok(done()));
}

#[test]
fn tools_of_all_servers_together_are_bounded_in_memory() {
    let mut bench = Bench::over(Disk::left_behind(0, 12, None), Follow::All);
    let list = |n: u32| {
        let text = "x".repeat(4_000_000);
        json(&format!(r#"[{{"name":"t{n}","inputSchema":{{"type":"object"}},"description":"{text}"}}]"#))
    };
    let listed = |n: u32| Input::Listed { server: ServerId(n), reply: Ok(list(n)) };
    for n in 1..=12 {
        bench.feed(listed(n));
    }
    let memory: usize =
        bench.state.rooms.servers.all.values().filter_map(|at| at.tools.as_ref()).map(Tools::bytes).sum();
    assert!((28_000_000..=Tools::MOST).contains(&memory), "{memory} bytes");
    assert_eq!(bench.disk.tools.len(), 12, "the store has them all");
    let writes = bench.disk.writes;
    for n in 1..=12 {
        bench.feed(listed(n));
    }
    assert_eq!(bench.disk.writes, writes, "equal bytes cause no write, also of what is not in memory");
    let known = |bench: &Bench, n: u32| {
        bench.state.rooms.servers.all[&ServerId(n)].tools.as_ref().unwrap().named(&format!("t{n}")).is_some()
    };
    assert!(known(&bench, 1) && !known(&bench, 12), "who comes last has no room");
    bench.wish(Intent::PutServer(Server { removed_at: Some(Timestamp(1)), ..server(1) })).unwrap();
    bench.feed(Input::Listed { server: ServerId(12), reply: Ok(json("[]")) });
    bench.feed(listed(12));
    assert!(known(&bench, 12), "a server that was removed makes room");
}
