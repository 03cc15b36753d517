//! Clocks that are wrong, that jump, and that stand still while the machine sleeps: nothing ends by a clock alone, polls
//! come neither all at once nor never, and what is about to lose its result comes first.

use std::collections::BTreeMap;

use signalbox_model::{CallId, Health, Json, Outcome, PayloadKind, Timestamp, Tracking};
use signalbox_store::Write;

use super::{bench::*, disk::Disk};
use crate::{Follow, Input, Intent, Tuning};

const HOUR: i64 = 3_600_000;
const YEARS: i64 = 10 * 365 * 24 * HOUR;

fn with_ttl(bench: &mut Bench, ttl: i64, interval: i64) -> CallId {
    let call = bench.call();
    let made = format!(
        r#"{{"resultType":"task","taskId":"T{}","status":"working","ttlMs":{ttl},"pollIntervalMs":{interval}}}"#,
        call.0
    );
    bench.reply_call(call, Ok(called(&made)));
    call
}

fn many(n: u32, ttl: i64) -> (Bench, Vec<CallId>) {
    let mut bench = Bench::over(Disk::left_behind(n, 1, Some(ttl)), Follow::All);
    bench.feed(Input::Found { server: SERVER, found: Box::new(found()) });
    (bench, (1..=n).map(CallId).collect())
}

fn state(ttl: i64) -> Json {
    json(&format!(r#"{{"status":"working","ttlMs":{ttl},"pollIntervalMs":5000}}"#))
}

/// How often each was polled.
fn counts(polls: &[(u64, CallId)]) -> BTreeMap<CallId, usize> {
    let mut counts = BTreeMap::new();
    for (_, call) in polls {
        *counts.entry(*call).or_default() += 1;
    }
    counts
}

#[test]
fn the_servers_clock_may_say_anything() {
    for (first, then) in [(0, 0), (-YEARS, -YEARS), (YEARS, YEARS), (0, YEARS), (0, -YEARS), (-YEARS, YEARS)]
    {
        let mut bench = Bench::new();
        let call = with_ttl(&mut bench, 100_000, 5_000);
        let (born, began) = (bench.now.wall, bench.now.steady_ms);
        let mut polls = 0;
        while bench.now.steady_ms - began < 90_000 {
            let server = if polls < 3 { first } else { then };
            let (created, updated) = (born.plus_ms(server), bench.now.wall.plus_ms(server));
            bench.poll(
                call,
                Ok(json(&format!(
                    r#"{{"status":"working","ttlMs":100000,"pollIntervalMs":5000,"createdAt":"{created}","lastUpdatedAt":"{updated}"}}"#
                ))),
            );
            polls += 1;
        }
        let row = bench.row(call);
        assert_eq!((row.outcome, row.tracking), (None, Tracking::Live), "server {first} then {then}");
        assert!((16..=19).contains(&polls), "polled as often as ever: {polls}");
        let expires = row.task.as_ref().unwrap().expires_at;
        assert_eq!(expires, Some(born.plus_ms(100_000)), "counted from our first sight");
        bench.pass(9_000 - (bench.now.steady_ms - began - 90_000));
        assert!(bench.polling(call), "and a poll just before its end");
    }
}

#[test]
fn when_our_wall_clock_is_set_nothing_ends_and_polls_go_on() {
    const TASKS: u32 = 200;
    for jump in [-YEARS, -3 * HOUR, 3 * HOUR, YEARS] {
        let (mut bench, calls) = many(TASKS, HOUR);
        bench.serve(30_000, |_| state(HOUR));
        bench.now.wall = bench.now.wall.plus_ms(jump);
        let polls = bench.serve(60_000, |_| state(HOUR));
        let regular = calls.len() * 12;
        assert!(
            polls.len() < regular + 2 * calls.len(),
            "no storm: {} polls, {regular} as ever",
            polls.len()
        );
        let counts = counts(&polls);
        assert!(calls.iter().all(|call| counts[call] >= 10), "and each goes on: {counts:?}");
        for call in &calls {
            let row = bench.row(*call);
            assert_eq!((row.outcome, row.tracking), (None, Tracking::Live), "jump {jump}");
            let left = row.task.as_ref().unwrap().expires_at.unwrap().ms_since(bench.now.wall);
            assert!(
                (1..=HOUR).contains(&left),
                "people read what is left, not what a clock once said: {left}"
            );
        }
        // While nobody can be asked, a clock that was set makes nothing expire; the time that passes does.
        bench.go_down();
        bench.now.wall = bench.now.wall.plus_ms(jump);
        bench.serve_down(120_000);
        assert!(calls.iter().all(|call| bench.row(*call).tracking == Tracking::Live), "jump {jump}");
        bench.serve_down(u64::try_from(HOUR).unwrap());
        assert!(calls.iter().all(|call| bench.row(*call).tracking == Tracking::Expired), "jump {jump}");
        assert!(calls.iter().all(|call| bench.row(*call).outcome.is_none()), "only the server ends them");
    }
}

#[test]
fn after_a_sleep_polls_are_spread_over_their_intervals() {
    const TASKS: u32 = 2_000;
    // The steady clock counts the sleep, or stands still with the machine.
    for steady_sleeps in [false, true] {
        let (mut bench, calls) = many(TASKS, 24 * HOUR);
        bench.serve(20_000, |_| state(24 * HOUR));
        bench.now.wall = bench.now.wall.plus_ms(8 * HOUR);
        if !steady_sleeps {
            bench.now.steady_ms += u64::try_from(8 * HOUR).unwrap();
        }
        bench.feed(Input::Tick);
        let first = bench.serve(500, |_| state(24 * HOUR));
        assert!(first.len() < calls.len() * 3 / 10, "{} of {TASKS} in half a second", first.len());
        let all = bench.serve(6_500, |_| state(24 * HOUR));
        assert_eq!(counts(&[first, all].concat()).len(), calls.len(), "and all within their interval");
        assert!(calls.iter().all(|call| bench.row(*call).tracking == Tracking::Live));
    }
}

#[test]
fn what_is_about_to_lose_its_result_comes_first_after_a_sleep() {
    for steady_sleeps in [false, true] {
        let (mut bench, calls) = many(2_000, 24 * HOUR);
        let slow = || json(r#"{"status":"working","ttlMs":28801500,"pollIntervalMs":3600000}"#);
        let dying = with_ttl(&mut bench, 8 * HOUR + 1_500, HOUR);
        bench.now.wall = bench.now.wall.plus_ms(8 * HOUR);
        if !steady_sleeps {
            bench.now.steady_ms += u64::try_from(8 * HOUR).unwrap();
        }
        bench.feed(Input::Tick);
        let polls = bench.serve(1_499, |call| if call == dying { slow() } else { state(24 * HOUR) });
        assert!(polls.iter().any(|(_, call)| *call == dying), "before its end, with {} others", polls.len());
        assert!(polls.len() < calls.len(), "which were spread");
    }
}

#[test]
fn in_the_queue_for_permits_too() {
    let (mut bench, crowd) = many(100, 24 * HOUR);
    let dying = with_ttl(&mut bench, 20_000, 15_000);
    bench.pass(15_600);
    while bench.state.rooms.servers.all[&SERVER].polls.queue.at(dying).is_none() {
        bench.pass(100);
    }
    assert!(bench.state.rooms.servers.all[&SERVER].polls.queue.len() > 80, "a server that answers slowly");
    let Some(Flight::Poll { call, .. }) = bench.flights.first().cloned() else { panic!("a poll") };
    bench.reply_poll(call, Ok(state(24 * HOUR)));
    assert!(bench.polling(dying), "before the {} that came earlier", crowd.len());
}

#[test]
fn before_a_crowd_that_has_waited_longer_too() {
    let (mut bench, crowd) = many(2_000, 24 * HOUR);
    let tuning = Tuning { polls_per_second: 20, ..Tuning::default() };
    bench.wish(Intent::PutSetting { key: "k".to_owned(), value: json("1"), tuning }).unwrap();
    let dying = with_ttl(&mut bench, 60_000, 15_000);
    let before = bench.now.steady_ms;
    let polls = bench.serve(60_000, |call| state(if call == dying { 60_000 } else { 24 * HOUR }));
    assert!(
        bench.state.rooms.servers.all[&SERVER].polls.queue.len() > 200,
        "{} wait for a minute and more",
        crowd.len()
    );
    let last = polls.iter().filter(|(_, call)| *call == dying).map(|(at, _)| at - before).max();
    assert!(last > Some(50_000), "just before its end: {last:?}");
}

#[test]
fn tasks_past_their_ttl_keep_no_others_from_their_turn() {
    let (mut bench, crowd) = many(300, 10_000);
    let tuning = Tuning { polls_per_second: 50, ..Tuning::default() };
    bench.wish(Intent::PutSetting { key: "k".to_owned(), value: json("1"), tuning }).unwrap();
    let healthy = with_ttl(&mut bench, 24 * HOUR, 5_000);
    bench.serve(100_000, |call| state(if call == healthy { 24 * HOUR } else { 10_000 }));
    let polls = bench.serve(100_000, |call| state(if call == healthy { 24 * HOUR } else { 10_000 }));
    let counts = counts(&polls);
    for call in crowd.iter().chain([&healthy]) {
        let n = counts.get(call).copied().unwrap_or(0);
        assert!(n >= 8, "{call} has had {n} polls in 100 s; 16 are its share");
    }
}

#[test]
fn a_clock_that_never_rests_keeps_no_task_from_its_poll() {
    let (mut bench, calls) = many(70, 24 * HOUR);
    let mut polls = Vec::new();
    for n in 0..600 {
        let jump = if n % 2 == 0 { HOUR } else { -HOUR };
        bench.now.wall = bench.now.wall.plus_ms(jump);
        polls.extend(bench.serve(1_000, |_| state(24 * HOUR)));
    }
    let counts = counts(&polls);
    assert!(calls.iter().all(|call| (100..=140).contains(&counts[call])), "{counts:?}");
    // Nor does a process that is stopped again and again.
    let mut seen = Vec::new();
    for _ in 0..40 {
        bench.now = bench.now.plus_ms(15_000);
        seen.extend(bench.serve(200, |_| state(24 * HOUR)));
    }
    let counts = self::counts(&seen);
    assert!(calls.iter().all(|call| counts[call] >= 20), "{counts:?}");
}

#[test]
fn a_wall_clock_that_was_set_back_while_we_were_away_costs_no_hours() {
    let mut bench = Bench::new();
    let call = with_ttl(&mut bench, 10 * HOUR, 5_000);
    bench.poll(call, Ok(state(10 * HOUR)));
    for write in bench.state.last_words() {
        bench.disk.apply(write);
    }
    bench.now.wall = bench.now.wall.plus_ms(-5 * HOUR);
    let mut bench = bench.restart(0, Follow::All);
    assert!(bench.until_polled(call) <= 310_000, "at most the longest backoff");
    bench.reply_poll(call, Ok(state(10 * HOUR)));
    let left = bench.row(call).task.as_ref().unwrap().expires_at.unwrap().ms_since(bench.now.wall);
    assert!(left <= 10 * HOUR, "and it does not live longer than its TTL: {left}");
}

#[test]
fn a_poll_that_failed_past_the_ttl_says_so() {
    let mut bench = Bench::new();
    let call = with_ttl(&mut bench, 20_000, 1_000);
    while bench.now.steady_ms < 18_000 {
        bench.poll(call, Err(rpc(-32603)));
    }
    assert_eq!(bench.row(call).tracking, Tracking::Stalled);
    bench.pass(20_000);
    bench.reply_poll(call, Err(rpc(-32603)));
    assert_eq!((bench.row(call).tracking, bench.row(call).outcome), (Tracking::Expired, None));
    bench.poll(call, Ok(state(60_000)));
    let row = bench.row(call);
    assert_eq!((row.tracking, &row.note), (Tracking::Live, &None), "a server may keep it longer");
    bench.poll(call, Ok(done()));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
}

#[test]
fn what_is_old_is_let_go_and_a_clock_that_was_set_is_not_believed_at_once() {
    let mut bench = Bench::new();
    let sweep = |bench: &Bench, days: i64| Write::Sweep {
        at: bench.now.wall,
        ended_before: Some(Timestamp(bench.now.wall.0 - days * 24 * HOUR)),
        payload_bytes: Some(1024 * 1024 * 1024),
    };
    bench.pass(59_999);
    assert_eq!(bench.disk.sweeps, [], "not at once");
    bench.pass(1);
    assert_eq!(bench.disk.sweeps, [sweep(&bench, 90)]);
    bench.pass(u64::try_from(HOUR).unwrap());
    assert_eq!(bench.disk.sweeps.len(), 2, "and every hour");
    assert!(matches!(bench.disk.servers[&SERVER].health, Health::Ok { .. }));
    // Ten years later all at once: who would not delete everything?
    bench.pass(u64::try_from(HOUR).unwrap() - 60_000);
    bench.now.wall = bench.now.wall.plus_ms(YEARS);
    bench.feed(Input::Tick);
    bench.pass(u64::try_from(HOUR).unwrap() - 1);
    assert_eq!(bench.disk.sweeps.len(), 2, "it has to hold for an hour first");
    bench.pass(1);
    assert_eq!(bench.disk.sweeps.len(), 3);
    let tuned = |bench: &mut Bench, retention_days, payload_bytes| {
        let tuning = Tuning { retention_days, payload_bytes, ..Tuning::default() };
        bench.wish(Intent::PutSetting { key: "k".to_owned(), value: json("1"), tuning }).unwrap();
        bench.disk.sweeps.clear();
        bench.pass(u64::try_from(HOUR).unwrap());
    };
    tuned(&mut bench, 0, 5);
    let at = bench.now.wall;
    assert_eq!(bench.disk.sweeps, [Write::Sweep { at, ended_before: None, payload_bytes: Some(5) }]);
    tuned(&mut bench, 0, 0);
    assert_eq!(bench.disk.sweeps, [], "for ever is for ever");
}

#[test]
fn a_start_with_a_clock_far_ahead_of_all_that_is_kept_lets_nothing_go_for_a_day() {
    const DAY: u64 = 86_400_000;
    // Somebody was away for a week; a machine was booted with its clock three months ahead.
    for (away, first) in [(7 * DAY, 60_000), (7 * DAY + 1, DAY), (90 * DAY, DAY)] {
        let mut bench = Bench::new();
        let call = bench.task();
        bench.poll(call, Ok(done()));
        let mut bench = bench.restart(away, Follow::All);
        bench.pass(first - 1);
        assert_eq!(bench.disk.sweeps, [], "after {away} ms");
        bench.pass(1);
        assert_eq!(bench.disk.sweeps.len(), 1, "after {away} ms");
        bench.pass(u64::try_from(HOUR).unwrap());
        assert_eq!(bench.disk.sweeps.len(), 2, "and every hour");
    }
    // A sleep makes that day no shorter.
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(done()));
    let mut bench = bench.restart(90 * DAY, Follow::All);
    bench.now.wall = bench.now.wall.plus_ms(HOUR);
    bench.feed(Input::Tick);
    bench.pass(DAY - 1);
    assert_eq!(bench.disk.sweeps, []);
    bench.pass(1);
    assert_eq!(bench.disk.sweeps.len(), 1);
}

#[test]
fn whoever_keeps_many_payloads_makes_room_for_them_soon() {
    let mut bench = Bench::new();
    let tuning = Tuning { retention_days: 1, payload_bytes: 16_000, ..Tuning::default() };
    bench.wish(Intent::PutSetting { key: "settings".to_owned(), value: json("{}"), tuning }).unwrap();
    let large = || {
        let text = "x".repeat(300);
        Ok(called(&format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#)))
    };
    let call = bench.call();
    bench.reply_call(call, large());
    bench.pass(0);
    assert_eq!(bench.disk.sweeps, [], "a sixteenth of the room is not filled yet");
    let call = bench.call();
    bench.reply_call(call, large());
    bench.pass(0);
    let at = bench.now.wall;
    let room = Write::Sweep { at, ended_before: None, payload_bytes: Some(15_000) };
    assert_eq!(bench.disk.sweeps, [room], "at once, with as much left free, and nothing goes by its age");
    bench.pass(50_000);
    assert_eq!(bench.disk.sweeps.len(), 1, "once for each part");
}

#[test]
fn long_states_of_live_tasks_take_half_of_the_room_for_payloads() {
    let mut bench = Bench::new();
    let tuning = Tuning { payload_bytes: 1_000_000, ..Tuning::default() };
    bench.wish(Intent::PutSetting { key: "settings".to_owned(), value: json("{}"), tuning }).unwrap();
    let calls: Vec<CallId> = (0..6).map(|_| bench.task()).collect();
    let says = |text: String| Ok(working(&format!(r#","statusMessage":"{text}""#)));
    let long = |text: &str| says(text.repeat(200_000));
    let whole = |bench: &Bench| {
        let last = |call: &&CallId| bench.disk.payloads[&(**call, PayloadKind::Last)].text().len() > 200_000;
        calls.iter().filter(last).copied().collect::<Vec<_>>()
    };
    for call in &calls {
        bench.poll(*call, long("x"));
    }
    assert_eq!(whole(&bench), calls[..2], "what has not ended makes room for nobody");
    let of_third: String = bench.disk.payloads[&(calls[2], PayloadKind::Last)].read().unwrap();
    assert!(of_third.len() <= 64 * 1024 && of_third.ends_with('…'), "of the others the beginning is kept");
    bench.poll(calls[0], says("short".to_owned()));
    bench.poll(calls[5], long("y"));
    assert_eq!(whole(&bench), [calls[1], calls[5]], "there is room again for one that changes");
    for call in &calls {
        bench.poll(*call, Ok(done()));
    }
    assert_eq!(bench.state.shared.long_states, 0, "nothing stays counted");
}
