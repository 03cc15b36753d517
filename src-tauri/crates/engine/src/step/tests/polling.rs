//! When tasks are polled, and what polls bring. Longer than most: one schedule, from the first poll to the last.

use std::time::Duration;

use signalbox_mcp::Error;
use signalbox_model::{Breach, CallId, EventKind, Outcome, PayloadKind, Reason, Status, Stray, Tracking};

use super::{super::Timeline, bench::*};
use crate::{Granted, Intent, Refusal, Tuning, schedule::SLOT};

#[test]
fn the_next_poll_follows_the_server_the_person_and_the_limits() {
    let cases = [
        ("7000", 1_000, 7_000),
        ("7000.0", 1_000, 7_000),
        ("200", 1_000, 1_000),
        ("0", 1_000, 1_000),
        ("2000", 3_000, 3_000),
        ("-5", 1_000, 5_000),
        ("\"soon\"", 1_000, 5_000),
        ("null", 1_000, 5_000),
        ("99999999999999999999", 1_000, 3_600_000),
        ("9223372036854775807", 1_000, 3_600_000),
    ];
    for (interval, floor, expected) in cases {
        let mut bench = Bench::new();
        let tuning = Tuning { poll_floor_ms: floor, ..Tuning::default() };
        bench.wish(Intent::PutSetting { key: "k".to_owned(), value: json("1"), tuning }).unwrap();
        let call = bench.call();
        let made =
            format!(r#"{{"resultType":"task","taskId":"T","status":"working","pollIntervalMs":{interval}}}"#);
        bench.reply_call(call, Ok(called(&made)));
        for _ in 0..3 {
            let waited = bench.until_polled(call);
            let most = expected + expected / 10 + SLOT;
            let fits = (expected..=most).contains(&waited)
                // What is no number at all may be read as none.
                || (interval.starts_with("99") && (5_000..=5_500 + SLOT).contains(&waited));
            assert!(fits, "{interval}, floor {floor}: {waited} ms, not {expected} and a little");
            bench.reply_poll(call, Ok(json(r#"{"status":"working"}"#)));
        }
    }
}

#[test]
fn an_interval_counts_from_the_state_that_brings_it() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(json(r#"{"status":"working","pollIntervalMs":20000}"#)));
    assert!(bench.until_polled(call) >= 20_000, "not one poll later");
}

#[test]
fn equal_bytes_cost_no_write() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(working("")));
    let (writes, effects) = (bench.disk.writes, bench.notices.len());
    for _ in 0..50 {
        bench.poll(call, Ok(working("")));
    }
    assert_eq!((bench.disk.writes, bench.notices.len()), (writes, effects), "nothing changed");
    bench.poll(call, Ok(working(r#","statusMessage":"3/7""#)));
    assert!(bench.disk.writes > writes, "a change is kept");
    let message = bench.row(call).task.as_ref().unwrap().status_message.clone();
    assert_eq!(message.as_deref(), Some("3/7"));
}

#[test]
fn endings_end_once() {
    let cases = [
        (r#"{"status":"completed","result":{"isError":true}}"#, Outcome::ToolError, PayloadKind::Result),
        (
            r#"{"status":"failed","error":{"code":-3,"message":"no"}}"#,
            Outcome::ProtocolError,
            PayloadKind::Error,
        ),
        (r#"{"status":"failed"}"#, Outcome::ProtocolError, PayloadKind::Last),
        (r#"{"status":"cancelled"}"#, Outcome::Cancelled, PayloadKind::Last),
    ];
    for (state, outcome, kept) in cases {
        let mut bench = Bench::new();
        let call = bench.task();
        bench.until_polled(call);
        bench.reply_poll(call, Ok(json(state)));
        assert_eq!(bench.row(call).outcome, Some(outcome), "{state}");
        assert!(bench.disk.payloads.contains_key(&(call, kept)), "{state}");
        let writes = bench.disk.writes;
        let late = [Ok(working("")), Err(rpc(-32602)), Err(lost())];
        for reply in late {
            bench.feed(crate::Input::Polled { server: SERVER, call, reply: reply.map(Into::into) });
        }
        bench.feed(crate::Input::Updated {
            server: SERVER,
            call,
            requests: Vec::new(),
            reply: Ok(json("{}")),
        });
        bench.feed(crate::Input::CancelSent { server: SERVER, call, reply: Ok(json("{}")) });
        bench.pass(1_000_000);
        assert_eq!(bench.disk.writes, writes, "terminal is terminal: {state}");
        assert_eq!(bench.wish(bench.cancels(call)), Err(Refusal::UnknownCall));
    }
}

#[test]
fn completed_without_a_result_is_asked_for_it_a_few_times() {
    let empty = || Ok(json(r#"{"status":"completed","pollIntervalMs":1000}"#));
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.wish(bench.cancels(call)).unwrap();
    bench.reply_cancel(call, Err(lost()));
    for n in 0..2 {
        bench.poll(call, empty());
        let row = bench.row(call);
        assert_eq!((row.status, row.outcome), (Status::Completed, None), "poll {n}: it owes us its result");
        assert_eq!(row.note.as_ref().unwrap().code, NoteCode::ProtocolError);
        bench.answer(ids[0], 0).ok();
        assert!(bench.flights.is_empty(), "nothing is sent to a task that says it is over");
    }
    assert!((1_000..=LATEST).contains(&bench.until_polled(call)), "at its own interval");
    bench.reply_poll(call, empty());
    let row = bench.row(call);
    assert_eq!((row.outcome, row.status), (Some(Outcome::ProtocolError), Status::Completed));
    assert!(
        row.note.is_some() && bench.disk.payloads.contains_key(&(call, PayloadKind::Last)),
        "raw is kept"
    );
    // A result that comes late still counts, and so does a server that thinks better of it.
    let call = bench.task();
    bench.poll(call, empty());
    bench.poll(call, Ok(working("")));
    assert_eq!((bench.row(call).status, &bench.row(call).note), (Status::Working, &None));
    bench.poll(call, empty());
    bench.poll(call, empty());
    bench.poll(call, Ok(done()));
    assert_eq!((bench.row(call).outcome, &bench.row(call).note), (Some(Outcome::Ok), &None));
}

#[test]
fn a_status_beyond_the_five_is_kept_as_it_stands() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(json(r#"{"status":"paused","pollIntervalMs":1000}"#)));
    let row = bench.row(call);
    assert_eq!((row.status, row.status_text.as_deref()), (Status::Unknown, Some("paused")));
    bench.poll(call, Ok(done()));
    assert_eq!(bench.row(call).status_text, None);
}

#[test]
fn errors_about_one_task_back_off_and_show_it_stalled() {
    for error in [
        rpc(-32603),
        Error::TooLarge { limit: 1 },
        Error::Protocol { breach: Breach::UnknownType, raw: None },
    ] {
        let mut bench = Bench::new();
        let call = bench.task();
        let mut waits = Vec::new();
        for _ in 0..12 {
            waits.push(bench.until_polled(call));
            bench.reply_poll(call, Err(error.clone()));
        }
        assert_eq!(bench.row(call).tracking, Tracking::Stalled, "{error:?}");
        for pair in waits.windows(2) {
            assert!(pair[1] as f64 > pair[0] as f64 * 0.8, "waits grow: {waits:?}");
        }
        assert!((250_000..=330_000).contains(&waits[11]), "and stop growing: {waits:?}");
        assert!(matches!(bench.disk.servers[&SERVER].health, signalbox_model::Health::Ok { .. }));
        bench.poll(call, Ok(working("")));
        assert_eq!((bench.row(call).tracking, &bench.row(call).note), (Tracking::Live, &None));
        let waited = bench.until_polled(call);
        assert!(waited <= LATEST, "one good poll ends the backoff: {waited}");
        bench.reply_poll(call, Ok(working("")));
        assert_eq!(bench.disk.story(call).iter().filter(|k| **k == EventKind::Recovered).count(), 1);
    }
}

#[test]
fn an_answer_against_the_specification_is_said_at_once_and_kept_until_a_good_one_comes() {
    let odd = |raw: &str| Err(Error::Protocol { breach: Breach::UnknownType, raw: Some(json(raw)) });
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(working("")));
    bench.poll(call, odd(r#"{"resultType":"banana"}"#));
    let row = bench.row(call);
    assert_eq!(row.tracking, Tracking::Stalled, "from the first one on");
    let odd_one = Reason::BreaksSpecification { breach: Breach::UnknownType };
    assert_eq!(row.note.as_ref().unwrap().reason, odd_one);
    let kept = |bench: &Bench| bench.disk.payloads.get(&(call, PayloadKind::Error)).cloned();
    assert_eq!(kept(&bench), Some(json(r#"{"resultType":"banana"}"#)));
    let writes = bench.disk.writes;
    bench.poll(call, odd(r#"{"resultType":"banana"}"#));
    assert_eq!(bench.disk.writes, writes, "equal bytes cause no write");
    bench.poll(call, odd(r#"{"resultType":"apple"}"#));
    assert_eq!(kept(&bench), Some(json(r#"{"resultType":"apple"}"#)), "the last one");
    bench.poll(call, odd(&format!(r#"{{"resultType":"{}"}}"#, "é".repeat(50_000))));
    let long: String = kept(&bench).unwrap().read().unwrap();
    assert!(long.len() <= 64 * 1024 && long.starts_with(r#"{"resultType":"éé"#) && long.ends_with('…'));
    assert_eq!(bench.disk.story(call).iter().filter(|kind| **kind == EventKind::Trouble).count(), 1);
    bench.poll(call, Ok(working("")));
    assert_eq!((bench.row(call).tracking, kept(&bench)), (Tracking::Live, None), "it says nothing any more");
    bench.poll(call, odd("[1]"));
    bench.poll(call, Ok(json(r#"{"status":"completed","result":{"content":[]}}"#)));
    assert_eq!((bench.row(call).outcome, kept(&bench)), (Some(Outcome::Ok), None), "nor beside a result");
}

#[test]
fn what_cannot_be_read_is_kept_only_beside_the_note_that_tells_of_it() {
    let garbled = || Err(Error::Garbled { stray: Stray::NoMessage, raw: Some(json("[7]")) });
    let kept = |bench: &Bench, call| bench.disk.payloads.contains_key(&(call, PayloadKind::Error));
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(working("")));
    bench.poll(call, garbled());
    bench.poll(call, garbled());
    assert_eq!(
        (bench.row(call).tracking, kept(&bench, call)),
        (Tracking::Live, false),
        "nothing is said yet"
    );
    bench.poll(call, garbled());
    assert_eq!((bench.row(call).tracking, kept(&bench, call)), (Tracking::Stalled, true));
    // The server forgets it for a moment: another note, and then a good answer.
    bench.poll(call, Err(rpc(-32602)));
    assert_eq!(bench.row(call).tracking, Tracking::NotFound);
    bench.poll(call, Ok(working("")));
    assert_eq!(
        (bench.row(call).tracking, kept(&bench, call)),
        (Tracking::Live, false),
        "it says nothing more"
    );
    bench.poll(call, garbled());
    bench.poll(call, Ok(done()));
    assert_eq!((bench.row(call).outcome, kept(&bench, call)), (Some(Outcome::Ok), false));
}

#[test]
fn of_a_handle_that_was_never_seen_trouble_is_said_at_once() {
    let mut bench = Bench::new();
    let track = Intent::Track { server: SERVER, task_id: "T".to_owned() };
    let Ok(Granted::Call(call)) = bench.wish(track) else { panic!("it should be adopted") };
    bench.poll(call, Err(rpc(-32601)));
    let row = bench.row(call);
    assert_eq!((row.tracking, row.note.as_ref().unwrap().code), (Tracking::Stalled, NoteCode::ServerError));
    bench.poll(call, Ok(working("")));
    assert_eq!((bench.row(call).tracking, bench.row(call).status), (Tracking::Live, Status::Working));
}

#[test]
fn recovery_without_a_change_is_kept_too() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(working("")));
    bench.poll(call, Err(rpc(-32602)));
    assert_eq!(bench.row(call).tracking, Tracking::NotFound);
    bench.poll(call, Ok(working("")));
    assert_eq!(bench.row(call).tracking, Tracking::Live, "the same bytes, but not the same row");
}

#[test]
fn what_flaps_fills_no_timeline() {
    let gone = || {
        let message = "x".repeat(4_000);
        Err(Error::Rpc { code: -32602, message, data: None, raw: json("{}") })
    };
    let mut bench = Bench::new();
    let call = bench.task();
    for _ in 0..1_200 {
        bench.poll(call, gone());
        bench.poll(call, Ok(working("")));
    }
    let lines: Vec<_> = bench.disk.events.iter().filter(|event| event.call == call).collect();
    let bytes: usize = lines.iter().filter_map(|event| event.text.as_ref()).map(String::len).sum();
    assert!(bytes <= Timeline::BYTES && lines.len() < 2_200, "{} lines of {bytes} bytes", lines.len());
    assert_eq!(lines.last().unwrap().kind, EventKind::TimelineFull);
    assert_eq!(bench.row(call).tracking, Tracking::Live, "the task is followed as ever");
    bench.wish(Intent::Cancel { call, seen: None }).unwrap();
    let story = bench.disk.story(call);
    assert_eq!(story.last(), Some(&EventKind::CancelRequested), "what people do has its line");
}

#[test]
fn a_timeline_has_so_many_lines_of_its_server() {
    let mut bench = Bench::new();
    let call = bench.task();
    for _ in 0..Timeline::MOST / 2 + 10 {
        bench.poll(call, Err(rpc(-32602)));
        bench.poll(call, Ok(working("")));
    }
    let of_server = [EventKind::Trouble, EventKind::Recovered, EventKind::TimelineFull];
    let lines = bench.disk.story(call).into_iter().filter(|kind| of_server.contains(kind)).count();
    assert_eq!(lines, Timeline::MOST as usize, "the last of them says that there are no more");
}

#[test]
fn not_found_twice_in_a_row_is_lost() {
    let mut bench = Bench::new();
    let call = bench.task();
    for _ in 0..3 {
        bench.poll(call, Err(rpc(-32602)));
        assert_eq!((bench.row(call).outcome, bench.row(call).tracking), (None, Tracking::NotFound));
        bench.poll(call, Ok(working("")));
    }
    bench.poll(call, Err(rpc(-32602)));
    bench.poll(call, Err(rpc(-32602)));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Lost));
}

#[test]
fn refresh_waits_for_a_poll_that_manners_allow() {
    let mut bench = Bench::new();
    let call = bench.task();
    let token = bench.ask(Intent::Refresh(call));
    bench.pass(999);
    assert!(!bench.replies.contains_key(&token) && bench.polls() == 0, "the interval holds for people too");
    bench.until_polled(call);
    assert!(!bench.replies.contains_key(&token), "granted when the server has answered");
    bench.reply_poll(call, Ok(working("")));
    assert_eq!(bench.replies[&token], Ok(Granted::Done));
    // Forgotten meanwhile: nobody waits for ever.
    let token = bench.ask(Intent::Refresh(call));
    bench.forget(call).unwrap();
    assert_eq!(bench.replies[&token], Err(Refusal::UnknownCall));
}

#[test]
fn never_more_than_eight_polls_and_all_get_their_turn() {
    let mut bench = Bench::new();
    let calls: Vec<CallId> = (0..50).map(|_| bench.task()).collect();
    bench.pass(1_200);
    assert_eq!(bench.polls(), 8, "permits");
    let mut seen = Vec::new();
    while seen.len() < 50 {
        let Some(Flight::Poll { call, .. }) = bench.flights.first().cloned() else { panic!("a poll") };
        // Whoever leaves gives no permit away: its poll is still on the wire.
        if seen.len() == 10 {
            let on_the_wire = bench.flights.clone();
            for flight in on_the_wire {
                let Flight::Poll { call, .. } = flight else { continue };
                bench.forget(call).unwrap();
            }
            assert_eq!(bench.polls(), 8);
        }
        seen.push(call);
        bench.reply_poll(call, Ok(done()));
    }
    seen.sort_unstable();
    assert_eq!(seen, calls, "each once: no permit was lost, nobody was left in the queue");
    bench.pass(A_WHILE);
    assert!(bench.flights.is_empty());
}

#[test]
fn a_server_gets_no_more_polls_in_a_second_than_the_person_wants() {
    let mut bench = Bench::new();
    let tuning = Tuning { polls_per_second: 50, ..Tuning::default() };
    bench.wish(Intent::PutSetting { key: "k".to_owned(), value: json("1"), tuning }).unwrap();
    let calls: Vec<CallId> = (0..300).map(|_| bench.task()).collect();
    let mut polls = std::collections::BTreeMap::<CallId, Vec<u64>>::new();
    let begin = bench.now.steady_ms;
    while bench.now.steady_ms < begin + 30_000 {
        while let Some(Flight::Poll { call, .. }) = bench.flights.first().cloned() {
            polls.entry(call).or_default().push(bench.now.steady_ms);
            bench.reply_poll(call, Ok(working("")));
        }
        bench.pass(1);
    }
    let mut seconds = std::collections::BTreeMap::<u64, usize>::new();
    for at in polls.values().flatten() {
        *seconds.entry((at - begin) / 1_000).or_default() += 1;
    }
    let most = seconds.values().max().unwrap();
    assert!(*most <= 56, "50 and a burst: {seconds:?}");
    let all: usize = seconds.values().sum();
    assert!(all > 28 * 50, "nor fewer, as long as some wait: {all}");
    assert_eq!(polls.len(), calls.len(), "each has its turn");
    let fewest = polls.values().map(Vec::len).min().unwrap();
    assert!(fewest >= 4, "and the same share as the others: {fewest} in 30 s");
}

#[test]
fn a_throttling_server_gets_its_silence_and_then_a_spread_crowd() {
    let mut bench = Bench::new();
    let calls: Vec<CallId> = (0..100).map(|_| bench.task()).collect();
    bench.pass(1_200);
    let quiet = Error::Throttled { status: 503, retry_after: Some(Duration::from_secs(30)) };
    let first: Vec<Flight> = bench.flights.clone();
    for flight in first {
        let Flight::Poll { call, .. } = flight else { continue };
        bench.reply_poll(call, Err(quiet.clone()));
    }
    assert_eq!(bench.polls(), 0, "not one more after the first word of it");
    bench.pass(29_990);
    assert_eq!(bench.polls(), 0);
    let mut moments = std::collections::BTreeSet::new();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..1_500 {
        while let Some(Flight::Poll { call, .. }) = bench.flights.first().cloned() {
            moments.insert(bench.now.steady_ms);
            seen.insert(call);
            bench.reply_poll(call, Ok(done()));
        }
        bench.pass(1);
    }
    assert_eq!(seen.len(), calls.len(), "each had its turn");
    assert!(moments.len() > 30, "and not all in one moment: {moments:?}");
}

#[test]
fn a_talkative_task_does_not_fill_the_disk() {
    let mut bench = Bench::new();
    let call = bench.task();
    for n in 0..5_000 {
        let status = if n % 2 == 0 { "working" } else { "input_required" };
        bench.poll(
            call,
            Ok(json(&format!(r#"{{"status":"{status}","statusMessage":"{n}","pollIntervalMs":1}}"#))),
        );
    }
    let told = bench.disk.story(call).len();
    assert!(told < 1_200, "{told} lines for 5,000 states");
    assert_eq!(bench.row(call).task.as_ref().unwrap().status_message.as_deref(), Some("4999"));
}
