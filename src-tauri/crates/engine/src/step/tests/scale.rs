//! Ten thousand tasks: what a start, an outage and a slow server cost.

use std::collections::BTreeSet;

use signalbox_model::{CallId, Health, ServerId};

use super::{bench::*, disk::Disk};
use crate::{Follow, Input};

const TASKS: u32 = 10_000;
const INTERVAL: u64 = 5_000;

fn working() -> signalbox_model::Json {
    json(r#"{"status":"working","pollIntervalMs":5000}"#)
}

#[test]
fn a_start_spreads_the_polls_over_their_intervals() {
    for servers in [1, 20] {
        let mut bench = Bench::over(Disk::left_behind(TASKS, servers, None), Follow::All);
        let polls = bench.serve(INTERVAL + INTERVAL / 10, |_| working());
        let seen: BTreeSet<CallId> = polls.iter().map(|(_, call)| *call).collect();
        assert_eq!(seen.len(), TASKS as usize, "each within its interval, on {servers} servers");
        let began = polls[0].0;
        for second in 0..5 {
            let from = began + second * 1_000;
            let n = polls.iter().filter(|(at, _)| (from..from + 1_000).contains(at)).count();
            assert!((1_500..=2_700).contains(&n), "{n} in second {second}: an even 2,000 is the steady rate");
        }
    }
}

#[test]
fn a_dead_server_costs_the_same_whatever_the_number_of_its_tasks() {
    let probes = |tasks| {
        let mut bench = Bench::over(Disk::left_behind(tasks, 1, None), Follow::All);
        bench.go_down();
        let writes = bench.disk.writes;
        let probes = bench.serve_down(3_600_000);
        assert_eq!(bench.polls(), 0, "nothing else is tried");
        assert_eq!(bench.disk.writes - writes, probes, "and one row is written each time: the server's");
        assert!(matches!(bench.disk.servers[&SERVER].health, Health::Unreachable { .. }));
        probes
    };
    let (one, all) = (probes(1), probes(TASKS));
    assert!((50..=70).contains(&one), "{one} probes in an hour");
    assert!(one.abs_diff(all) <= 5, "{one} with one task, {all} with {TASKS}");
}

#[test]
fn a_server_that_never_answers_delays_no_other() {
    let mut bench = Bench::over(Disk::left_behind(1_000, 2, None), Follow::All);
    let deaf = ServerId(1);
    let mut polls = Vec::new();
    for _ in 0..20_000 {
        let answered = |flight: &Flight| matches!(flight, Flight::Poll { server, .. } if *server != deaf);
        while let Some(at) = bench.flights.iter().position(answered) {
            let Flight::Poll { server, call } = bench.flights.remove(at) else { unreachable!() };
            polls.push(call);
            bench.feed(Input::Polled { server, call, reply: Ok(working().into()) });
        }
        bench.pass(1);
    }
    let deaf_ones = |flight: &&Flight| matches!(flight, Flight::Poll { server, .. } if *server == deaf);
    assert_eq!(
        bench.flights.iter().filter(deaf_ones).count(),
        8,
        "the deaf one has its permits, and no more"
    );
    let rounds = polls.len() / 500;
    assert!((3..=5).contains(&rounds), "{} polls of 500 tasks in 20 s", polls.len());
}

#[test]
fn polls_share_wake_ups() {
    let mut bench = Bench::over(Disk::left_behind(500, 4, None), Follow::All);
    let polls = bench.serve(60_000, |_| working());
    assert!(polls.len() > 5_000, "{} polls of 500 tasks in a minute at 5 s", polls.len());
    for second in 0..60 {
        let of_second = polls.iter().map(|(at, _)| *at).filter(|at| at / 1_000 == second);
        let moments: BTreeSet<u64> = of_second.collect();
        assert!(moments.len() <= 63, "{} wake-ups in second {second}: slots of 16 ms", moments.len());
    }
}
