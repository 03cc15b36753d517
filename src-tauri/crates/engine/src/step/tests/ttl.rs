//! What the end of a task's life does to polls: one just before it, and what is shown when nobody answers in time.

use std::time::Duration;

use signalbox_mcp::Error;
use signalbox_model::{CallId, Outcome, Tracking};

use super::bench::*;
use crate::{Granted, Intent};

fn with_ttl(bench: &mut Bench, ttl: &str, interval: u64) -> CallId {
    let call = bench.call();
    let made = format!(
        r#"{{"resultType":"task","taskId":"T","status":"working","ttlMs":{ttl},"pollIntervalMs":{interval}}}"#
    );
    bench.reply_call(call, Ok(called(&made)));
    call
}

#[test]
fn a_poll_just_before_the_ttl_and_one_just_after() {
    let mut bench = Bench::new();
    let call = with_ttl(&mut bench, "100000", 3_000_000);
    assert_eq!(bench.until_polled(call), 98_000, "just before, whatever the interval");
    bench.reply_poll(call, Ok(json(r#"{"status":"working","ttlMs":100000,"pollIntervalMs":3000000}"#)));
    assert_eq!(bench.until_polled(call), 2_250, "just after");
    bench.reply_poll(call, Err(rpc(-32602)));
    let row = bench.row(call);
    assert_eq!(
        (row.outcome, row.tracking),
        (Some(Outcome::Expired), Tracking::Expired),
        "once is enough now"
    );
}

#[test]
fn a_ttl_that_moves_all_the_time_does_not_make_us_poll_all_the_time() {
    let mut bench = Bench::new();
    with_ttl(&mut bench, "20", 60_000);
    let n = std::cell::Cell::new(0);
    let polls = bench.serve(60_000, |_| {
        n.set(n.get() + 1);
        json(&format!(r#"{{"status":"working","ttlMs":{},"pollIntervalMs":60000}}"#, n.get() % 7 * 10))
    });
    assert!((2..=61).contains(&polls.len()), "{} polls in a minute, and at most one a second", polls.len());
}

#[test]
fn retry_after_outranks_the_ttl() {
    let mut bench = Bench::new();
    let call = with_ttl(&mut bench, "20000", 1_000);
    let quiet = Error::Throttled { status: 429, retry_after: Some(Duration::from_secs(60)) };
    bench.poll(call, Err(quiet));
    assert!(bench.until_polled(call) >= 60_000, "the server asked for silence");
}

#[test]
fn the_ttl_counts_from_our_first_sight() {
    let mut bench = Bench::new();
    let call = with_ttl(&mut bench, "100000", 1_000);
    let born = bench.now.wall;
    let expires = |bench: &Bench| bench.row(call).task.as_ref().unwrap().expires_at;
    assert_eq!(expires(&bench), Some(born.plus_ms(100_000)));
    bench.poll(call, Ok(json(r#"{"status":"working","ttlMs":500000,"pollIntervalMs":1000}"#)));
    assert_eq!(expires(&bench), Some(born.plus_ms(500_000)), "a longer one from the same beginning");
    bench.poll(call, Ok(json(r#"{"status":"working","ttlMs":"?","pollIntervalMs":1000}"#)));
    assert_eq!(expires(&bench), Some(born.plus_ms(500_000)), "what is illegible changes nothing");
    bench.poll(call, Ok(json(r#"{"status":"working","ttlMs":null,"pollIntervalMs":1000}"#)));
    assert_eq!(expires(&bench), None, "unlimited");
}

#[test]
fn of_an_adopted_task_the_server_tells_its_age() {
    let seen = |created: &str, ttl: i64| {
        let mut bench = Bench::new();
        let intent = Intent::Track { server: SERVER, task_id: "T".to_owned() };
        let Ok(Granted::Call(call)) = bench.wish(intent) else { panic!("it should be adopted") };
        bench.poll(
            call,
            Ok(json(&format!(
                r#"{{"status":"working","ttlMs":{ttl},"createdAt":"{created}","lastUpdatedAt":"2026-07-28T10:00:30Z"}}"#
            ))),
        );
        let now = bench.now.wall;
        bench.row(call).task.as_ref().unwrap().expires_at.unwrap().ms_since(now)
    };
    assert_eq!(seen("2026-07-28T10:00:00Z", 100_000), 70_000, "30 s of its 100 s are gone");
    assert_eq!(seen("1970-01-01T00:00:00Z", 100_000), 0, "whatever its clock says, it is alive now");
    assert_eq!(seen("2027-01-01T00:00:00Z", 100_000), 100_000);
    assert_eq!(seen("not a time", i64::MAX), i64::MAX - 1_800_000_000_000, "and nothing overflows");
}

#[test]
fn a_ttl_that_passes_while_nobody_answers_is_shown() {
    let mut bench = Bench::new();
    let call = with_ttl(&mut bench, "20000", 1_000);
    bench.poll(call, Err(unreachable()));
    for _ in 0..8 {
        bench.pass(5_000);
        if bench.flights.contains(&Flight::Discover { server: SERVER }) {
            bench.reply_discover(Err(unreachable()));
        }
    }
    assert_eq!(bench.row(call).tracking, Tracking::Expired);
    assert_eq!(bench.row(call).outcome, None, "only the server can say that it is over");
    bench.pass(100_000);
    bench.reply_discover(Ok(found()));
    bench.poll(call, Err(rpc(-32602)));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Expired));
}
