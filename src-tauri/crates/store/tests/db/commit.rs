//! The writer: groups, numbers, order, refusals, endings.

use std::{
    collections::BTreeSet,
    sync::{Arc, mpsc},
    thread,
};

use signalbox_model::{Call, CallId, Event, EventKind, PayloadKind, Timestamp};
use signalbox_store::{Batch, BatchKind, Closed, CommitError, Store, Write};

use crate::samples::{Fixture, PATIENCE, call, json, put_call, put_request, request, wait};

fn setting(key: &str, value: u32) -> Write {
    Write::PutSetting { key: key.to_owned(), value: json(&value.to_string()) }
}

#[test]
fn what_is_queued_meanwhile_shares_one_transaction() {
    let at = Fixture::new();
    // The first batch holds the writer in `done` until the others are queued.
    let (entered, is_in) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let done = Box::new(move |_| {
        entered.send(()).unwrap();
        released.recv().unwrap();
    });
    at.store.submit(Batch { writes: vec![], kind: BatchKind::Intent, done }).unwrap();
    is_in.recv().unwrap();
    let answers: Vec<_> = (0..100).map(|n| at.submit(BatchKind::Observed, [setting("n", n)])).collect();
    release.send(()).unwrap();
    let seqs: BTreeSet<_> = answers.iter().map(|answer| wait(answer).unwrap().seq).collect();
    assert_eq!(seqs.len(), 1, "100 batches, one transaction, one fsync");
    assert_eq!(at.store.reads().setting("n").unwrap(), Some(json("99")), "in the order of submission");
}

#[test]
fn numbers_grow_for_ever() {
    let mut at = Fixture::new();
    let (mut last, mut epoch) = (0, at.store.epoch());
    for _ in 0..3 {
        for n in 0..3 {
            let seq = at.put([setting("n", n)]);
            assert!(seq > last, "{seq} after {last}");
            last = seq;
            assert_eq!(at.store.reads().seq().unwrap(), seq);
        }
        at = at.reopen();
        assert!(at.store.epoch() > epoch);
        epoch = at.store.epoch();
    }
}

#[test]
fn a_batch_is_stored_wholly_or_not_at_all() {
    let at = Fixture::new();
    let nobodys = Write::PutPayload { call: CallId(9), kind: PayloadKind::Last, json: json("{}") };
    for kind in [BatchKind::Intent, BatchKind::Observed] {
        let before = at.submit(kind, [setting("before", 1)]);
        let bad = at.submit(kind, [put_call(call(1)), nobodys.clone(), setting("bad", 1)]);
        let after = at.submit(kind, [setting("after", 1)]);
        assert!(matches!(wait(&bad), Err(CommitError::Other(_))), "what can never be stored is answered");
        assert!(wait(&before).is_ok() && wait(&after).is_ok(), "its neighbours are stored");
    }
    let reads = at.store.reads();
    assert_eq!(reads.call(CallId(1)).unwrap(), None);
    assert_eq!(reads.settings().unwrap().len(), 2);
    assert_eq!(*at.store.trouble().borrow(), None, "a refused batch does not wait");
}

#[test]
fn a_large_batch_ends() {
    let at = Fixture::new();
    let ids = 1..=100_000;
    at.put(ids.clone().map(|id| put_call(call(id))));
    // While a batch had a savepoint of its own, either of these took minutes.
    let seen = |id| Call { next_poll_at: Some(Timestamp(1)), ..call(id) };
    at.put(ids.clone().map(|id| put_call(seen(id))));
    assert_eq!(at.store.reads().call(CallId(70_000)).unwrap().map(|(call, _)| call), Some(seen(70_000)));
    at.put(ids.map(|id| Write::ForgetCall(CallId(id))));
    assert!(at.store.reads().live().unwrap().calls.is_empty());
}

#[test]
fn an_event_of_no_call_is_refused() {
    let at = Fixture::new();
    let event = Event {
        call: CallId(1),
        at: Timestamp(1),
        kind: EventKind::Called,
        request: None,
        text: None,
        note: None,
    };
    assert!(at.wish([Write::AddEvent(event)]).is_err());
}

#[test]
fn reads_go_on_while_the_writer_writes() {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    let reads = at.store.reads();
    thread::scope(|scope| {
        let answers: Vec<_> = (0..50)
            .map(|n| {
                let both = [setting("a", n), setting("b", n)];
                at.submit(BatchKind::Observed, both)
            })
            .collect();
        // More readers than connections.
        for _ in 0..8 {
            let reads = reads.clone();
            scope.spawn(move || {
                let mut last = 0;
                for _ in 0..50 {
                    let settings = reads.settings().unwrap();
                    assert!(settings.windows(2).all(|pair| pair[0].1 == pair[1].1), "never half a batch");
                    let seq = reads.live().unwrap().seq;
                    assert!(seq >= last, "reads never go back");
                    last = seq;
                }
            });
        }
        answers.iter().for_each(|answer| assert!(wait(answer).is_ok()));
    });
}

#[test]
fn closing_commits_what_is_queued_and_leaves_one_file() {
    let at = Fixture::new();
    let answers: Vec<_> = (0..1_000).map(|n| at.submit(BatchKind::Intent, [setting("n", n)])).collect();
    let path = at.path();
    let Fixture { store, dir } = at;
    store.close();
    assert!(answers.iter().all(|answer| wait(answer).is_ok()));
    let log = path.with_extension("db-wal");
    assert!(
        std::fs::metadata(log).is_ok_and(|log| log.len() == 0) || !path.with_extension("db-wal").exists()
    );
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(store.reads().setting("n").unwrap(), Some(json("999")));
}

#[test]
fn what_was_answered_survives_a_kill() {
    let at = Fixture::new();
    let seq = at.put([put_call(call(7)), setting("n", 1)]);
    // The files as a killed process leaves them: no checkpoint, nothing flushed by us.
    let copy = tempfile::tempdir().unwrap();
    for file in ["signalbox.db", "signalbox.db-wal"] {
        std::fs::copy(at.dir.path().join(file), copy.path().join(file)).unwrap();
    }
    let store = Store::open(copy.path()).unwrap();
    assert_eq!(store.reads().call(CallId(7)).unwrap(), Some((call(7), seq)));
    assert_eq!(store.reads().seq().unwrap(), seq);
    assert_eq!(store.epoch(), at.store.epoch() + 1);
}

#[test]
fn the_last_handle_may_go_within_an_answer() {
    let Fixture { store, dir: _dir } = Fixture::new();
    let store = Arc::new(store);
    let (told, tell) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let own = Arc::clone(&store);
    let done = Box::new(move |_| {
        released.recv().unwrap();
        drop(own);
        told.send(()).unwrap();
    });
    store.submit(Batch { writes: vec![], kind: BatchKind::Intent, done }).unwrap();
    drop(store);
    release.send(()).unwrap();
    tell.recv_timeout(PATIENCE).expect("the writer does not wait for itself");
}

#[test]
fn nobody_waits_for_a_writer_that_died() {
    let at = Fixture::new();
    let (release, released) = mpsc::channel::<()>();
    let done = Box::new(move |_| {
        released.recv().unwrap();
        panic!("on purpose");
    });
    at.store.submit(Batch { writes: vec![], kind: BatchKind::Intent, done }).unwrap();
    let behind = at.submit(BatchKind::Observed, [setting("n", 1)]);
    release.send(()).unwrap();
    let answer = behind.recv_timeout(PATIENCE);
    assert_eq!(answer, Err(mpsc::RecvTimeoutError::Disconnected), "dropped, which can be noticed");
    let late = Batch { writes: vec![], kind: BatchKind::Intent, done: Box::new(|_| ()) };
    assert_eq!(at.store.submit(late), Err(Closed));
}

#[test]
fn reads_at_once_see_one_transaction() {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    let reads = at.store.reads();
    let (before, after) = reads
        .at_once(|reads| {
            let before = (reads.seq()?, reads.call(CallId(2))?);
            at.put([put_call(call(2)), put_request(request(1, 2))]);
            Ok((before, (reads.seq()?, reads.call(CallId(2))?)))
        })
        .unwrap();
    assert_eq!(before, after, "what was committed between two reads is in neither");
    assert!(reads.call(CallId(2)).unwrap().is_some(), "the next look sees it");
    let kept = reads.at_once(|reads| Ok(reads.clone())).unwrap();
    assert_eq!(kept.seq().unwrap(), reads.seq().unwrap(), "a clone that was kept still reads");
}
