//! Retention: in portions, the oldest first, and never what somebody may still have to see to.

use std::fs;

use rusqlite::Connection;
use signalbox_model::{
    Call, CallId, DecisionKind, Identity, InputRequest, Outcome, PayloadKind, RequestId, RequestState,
    Status, Timestamp,
};
use signalbox_store::{BatchKind, CallQuery, Store, Write};

use crate::{
    decisions::{decide, decision},
    files::{large, names, payload},
    samples::{Fixture, call, json, put_call, put_request, put_server, request, server, wait},
};

const NOW: Timestamp = Timestamp(1_000_000);

fn ended(id: u32, at: i64) -> Call {
    Call { status: Status::Completed, outcome: Some(Outcome::Ok), ended_at: Some(Timestamp(at)), ..call(id) }
}

fn before(time: i64) -> Write {
    Write::Sweep { at: NOW, ended_before: Some(Timestamp(time)), payload_bytes: None }
}

fn at_most(bytes: u64) -> Write {
    Write::Sweep { at: NOW, ended_before: None, payload_bytes: Some(bytes) }
}

fn left(at: &Fixture) -> Vec<u32> {
    let page = at.store.reads().calls_page(&CallQuery { limit: 10_000, ..CallQuery::default() }).unwrap();
    let mut ids: Vec<_> = page.ids.iter().map(|id| id.0).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn what_ended_long_ago_goes_with_all_it_has_but_its_decisions() {
    let at = Fixture::new();
    at.put([put_call(ended(1, 99)), put_call(ended(2, 100)), put_call(call(3))]);
    at.put([payload(1, large('a', 300)), payload(2, json("2")), decide(decision(DecisionKind::Called, 1))]);
    at.put([before(100)]);
    assert_eq!(left(&at), [2, 3], "exactly what ended before");
    assert_eq!(names(&at), [""; 0]);
    let reads = at.store.reads();
    assert_eq!(reads.payload_bytes(), Ok(1));
    assert_eq!(reads.decisions(0, 9).unwrap().rows.len(), 1, "decisions stay for ever");
    assert_eq!(reads.ids().unwrap().call, CallId(4), "and numbers are not used again");
}

#[test]
fn what_is_not_over_stays_whatever_its_age() {
    let at = Fixture::new();
    let asks = |id, state| put_request(InputRequest { state, ..request(id, id) });
    let states = [
        RequestState::Open,
        RequestState::Held,
        RequestState::Sending,
        RequestState::NotTaken,
        RequestState::Refused,
        RequestState::Unknown,
        RequestState::Answered,
        RequestState::Closed,
        RequestState::Orphaned,
    ];
    for (id, state) in (1..).zip(states) {
        at.put([put_call(ended(id, 1)), asks(id, state), payload(id, json("[1, 2, 3]"))]);
    }
    at.put([put_call(call(10)), payload(10, json("[1, 2, 3]"))]);
    // Its connection is gone, and so is whoever could say whether its answer arrived.
    let cut_off =
        InputRequest { closed_at: Some(Timestamp(1)), state: RequestState::Unknown, ..request(11, 11) };
    at.put([put_call(ended(11, 1)), put_request(cut_off), payload(11, json("[1, 2, 3]"))]);
    at.put([at_most(0)]);
    let payload = |id| at.store.reads().payload(CallId(id), PayloadKind::Result).unwrap();
    let kept: Vec<_> = (1..=11).filter(|&id| payload(id).is_some()).collect();
    assert_eq!(kept, [1, 2, 3, 4, 5, 6, 10], "payloads of what is not over stay, limit or not");
    at.put([before(NOW.0)]);
    assert_eq!(left(&at), [1, 2, 3, 4, 5, 6, 10]);
}

#[test]
fn payloads_go_the_oldest_first_until_the_rest_fits() {
    let at = Fixture::new();
    for (id, ended_at) in [(1, 40), (2, 10), (3, 30), (4, 20)] {
        at.put([put_call(ended(id, ended_at)), payload(id, large('a', 300))]);
    }
    at.put([put_call(ended(5, 5))]);
    let one = (300 << 10) + 2;
    at.put([at_most(2 * one)]);
    let reads = at.store.reads();
    assert_eq!(reads.payload_bytes(), Ok(2 * one));
    let dropped = |id| reads.payloads_dropped_at(CallId(id)).unwrap();
    assert_eq!([2, 4].map(dropped), [Some(NOW); 2], "it is said why they have no result");
    assert_eq!([1, 3, 5, 99].map(dropped), [None; 4], "also not of one that had none");
    assert_eq!(left(&at), [1, 2, 3, 4, 5], "the calls stay");
    assert_eq!(names(&at).len(), 2);
    at.put([at_most(2 * one)]);
    assert_eq!(reads.payload_bytes(), Ok(2 * one), "nothing more goes than must");
    assert_eq!(reads.call(CallId(2)).unwrap().unwrap().1, reads.call(CallId(4)).unwrap().unwrap().1);
}

#[test]
fn it_goes_in_portions_between_which_others_are_committed() {
    let at = Fixture::new();
    at.put((1..=1_000).flat_map(|id| [put_call(ended(id, i64::from(id))), payload(id, json("1"))]));
    let sweep = at.submit(BatchKind::Observed, [before(901), put_call(call(1_001))]);
    let wish = at.submit(BatchKind::Intent, [put_call(call(1_002))]);
    let (swept, wished) = (wait(&sweep).unwrap().seq, wait(&wish).unwrap().seq);
    assert!(
        swept >= wished + 3,
        "900 are five portions, and nobody waits for more than one: {wished}, {swept}"
    );
    assert_eq!(at.store.reads().seq(), Ok(swept), "answered when all is done");
    assert_eq!(left(&at).len(), 102);

    let seq = at.put([at_most(10)]);
    assert_eq!(at.store.reads().seq(), Ok(seq));
    assert_eq!(at.store.reads().payload_bytes(), Ok(10));
}

#[test]
fn questions_and_rounds_count_to_what_is_kept() {
    let at = Fixture::new();
    let raw = json(&format!(r#"{{"params":"{}"}}"#, "q".repeat(1_000)));
    let asks = |id, call, state| InputRequest {
        state,
        raw: raw.clone(),
        message: "Really?".to_owned(),
        ..request(id, call)
    };
    let round =
        |n| Write::PutRound { call: CallId(1), n, request_state: None, raw: raw.clone(), ttl_ms: None };
    let weighs = |at: &Fixture| at.store.reads().payload_bytes().unwrap();
    let each = raw.text().len() as u64;
    at.put([put_call(call(1)), round(1), round(2)]);
    assert_eq!(weighs(&at), 2 * each, "the answers that asked");
    at.put([Write::ShortenRounds { call: CallId(1), before: 2 }]);
    let rounds = at.store.reads().rounds(CallId(1)).unwrap();
    assert_eq!((rounds[0].raw.text(), &rounds[1].raw), ("null", &raw), "the one under way stays");
    assert_eq!(weighs(&at), each + 4);
    at.put([put_request(asks(1, 1, RequestState::Open)), put_request(asks(2, 1, RequestState::Open))]);
    assert_eq!(weighs(&at), each + 4, "what waits for a person is not weighed against anything");
    let typed = InputRequest { draft: Some(json("7")), ..asks(3, 1, RequestState::Closed) };
    at.put([put_request(asks(1, 1, RequestState::Closed)), put_request(typed)]);
    assert_eq!(weighs(&at), 3 * each + 4);
    at.put([put_request(asks(1, 1, RequestState::Open)), put_request(asks(1, 1, RequestState::Closed))]);
    assert_eq!(weighs(&at), 3 * each + 4, "asked again, and withdrawn again");
    at.put([at_most(0)]);
    assert_eq!(weighs(&at), 3 * each + 4, "its call has not ended");
    at.put([put_request(asks(2, 1, RequestState::Answered)), put_call(ended(1, 1)), at_most(0)]);
    let reads = at.store.reads();
    let kept = |id| reads.request(RequestId(id)).unwrap().unwrap().0;
    assert_eq!(
        (kept(1).raw.text(), kept(1).message.as_str()),
        ("null", "Really?"),
        "what it was about stays"
    );
    assert_eq!(kept(2).raw, raw, "what was decided on stays with its decision");
    assert_eq!(kept(3).raw, raw, "and what was typed with its question");
    assert_eq!(weighs(&at), each + 3 * 4);
    assert!(reads.payloads_dropped_at(CallId(1)).unwrap().is_some(), "it is said why");
    assert_eq!(reads.check(), Ok(vec![]));
    at.put([Write::ForgetCall(CallId(1))]);
    assert_eq!(weighs(&at), 0, "nothing is counted that is not there");
}

/// Bytes of the database and its log on the disk.
fn on_disk(at: &Fixture) -> u64 {
    let len = |name: &str| fs::metadata(at.dir.path().join(name)).map_or(0, |meta| meta.len());
    len("signalbox.db") + len("signalbox.db-wal")
}

/// A database that has 30 MiB of questions, which are about to be forgotten.
fn full_of_questions(at: &Fixture) {
    for id in 1..=30 {
        let asked = InputRequest { message: "x".repeat(1 << 20), ..request(id, 1) };
        at.put([put_call(call(1)), put_request(asked)]);
    }
    assert!(on_disk(at) > 30 << 20, "{}", on_disk(at));
}

#[test]
fn what_is_forgotten_goes_from_the_disk() {
    let at = Fixture::new();
    full_of_questions(&at);
    at.put([Write::ForgetCall(CallId(1))]);
    // What gives it back goes on behind what is queued.
    let mut commits = 0;
    while on_disk(&at) > 8 << 20 {
        at.put([put_call(call(2))]);
        commits += 1;
        assert!(commits < 1_000, "{} bytes stay on the disk", on_disk(&at));
    }
    assert_eq!(at.store.reads().check(), Ok(Vec::new()), "and what is left is sound");
}

#[test]
fn a_database_of_before_learns_to_shrink() {
    let dir = tempfile::tempdir().unwrap();
    let at = Fixture::at(dir);
    at.put([put_server(server(1)), put_call(call(1)), put_request(request(1, 1))]);
    let Fixture { store, dir } = at;
    store.close();
    let path = dir.path().join("signalbox.db");
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM").unwrap();
    let kind =
        |conn: &Connection| conn.pragma_query_value(None, "auto_vacuum", |row| row.get::<_, u32>(0)).unwrap();
    assert_eq!(kind(&conn), 0, "as earlier versions made it");
    drop(conn);
    let at = Fixture::at(dir);
    assert_eq!(kind(&Connection::open(&path).unwrap()), 2);
    assert!(at.store.reads().request(RequestId(1)).unwrap().is_some(), "with all that it had");
}

#[test]
fn a_store_that_closes_lets_the_rest_for_the_next_sweep() {
    let at = Fixture::new();
    at.put((1..=1_000).map(|id| put_call(ended(id, 1))));
    let sweep = at.submit(BatchKind::Observed, [before(2), put_call(call(1_001))]);
    let Fixture { store, dir } = at;
    store.close();
    assert!(wait(&sweep).is_ok(), "what is committed is not called a failure");
    let at = Fixture { store: Store::open(dir.path()).unwrap(), dir };
    assert!(left(&at).contains(&1_001));
    at.put([before(2)]);
    assert_eq!(left(&at), [1_001]);
}

#[test]
fn questions_without_a_call_go_once_they_are_over() {
    let at = Fixture::new();
    let stray = |id: u32, state, closed_at| {
        let identity = Identity::Wire { session: 1, rpc: id.to_string() };
        put_request(InputRequest { call: None, identity, state, closed_at, ..request(id, 1) })
    };
    at.put([
        stray(1, RequestState::Orphaned, Some(Timestamp(1))),
        stray(2, RequestState::Open, None),
        stray(3, RequestState::Orphaned, Some(Timestamp(200))),
        stray(4, RequestState::Unknown, Some(Timestamp(1))),
    ]);
    at.put([before(100)]);
    let there = |id| at.store.reads().request(RequestId(id)).unwrap().is_some();
    assert_eq!([1, 2, 3, 4].map(there), [false, true, true, false]);
}
