//! A full disk: a person's wish is answered, what a server said waits, in order.

use signalbox_model::{CallId, PayloadKind};
use signalbox_store::{BatchKind, CommitError, Write};

use crate::samples::{Fixture, PATIENCE, call, json, put_call, wait};

/// Far more than a database limited to its present size can take.
fn large(call: u32, letter: char) -> Write {
    let text = format!("\"{}\"", letter.to_string().repeat(300_000));
    Write::PutPayload { call: CallId(call), kind: PayloadKind::Result, json: json(&text) }
}

fn full() -> Fixture {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    at.store.limit_pages(1);
    at
}

#[test]
fn a_wish_fails_at_once_and_leaves_nothing() {
    let at = full();
    assert_eq!(at.wish([put_call(call(2)), large(2, 'x')]), Err(CommitError::Full));
    assert_eq!(at.store.reads().call(CallId(2)).unwrap(), None);
    assert_eq!(*at.store.trouble().borrow(), None, "nothing waits");
    at.store.limit_pages(u32::MAX);
    at.put([put_call(call(2)), large(2, 'x')]);
}

#[test]
fn what_a_server_said_waits_and_is_stored_in_order() {
    let at = full();
    let mut trouble = at.store.trouble();
    let first = at.submit(BatchKind::Observed, [large(1, 'a')]);
    let second = at.submit(BatchKind::Observed, [large(1, 'b')]);
    // A small wish that would fit must not overtake what it may build on.
    let wish = at.submit(BatchKind::Intent, [put_call(call(2))]);
    assert_eq!(wait(&wish), Err(CommitError::Full));
    assert_eq!(*trouble.borrow_and_update(), Some(CommitError::Full), "the reason is told while they wait");
    assert!(first.try_recv().is_err() && second.try_recv().is_err(), "waiting is no answer");
    assert_eq!(at.store.reads().call(CallId(2)).unwrap(), None);

    at.store.limit_pages(u32::MAX);
    // Nothing is submitted: the writer tries again by itself.
    let (first, second) = (wait(&first).unwrap().seq, wait(&second).unwrap().seq);
    assert!(first <= second);
    let stored = at.store.reads().payload(CallId(1), PayloadKind::Result).unwrap().unwrap();
    assert!(stored.text().starts_with("\"b"), "the later one won, as it was said");
    assert_eq!(*trouble.borrow_and_update(), None, "the trouble is over");
}

#[test]
fn a_new_batch_is_a_new_try() {
    let at = full();
    let waiting = at.submit(BatchKind::Observed, [large(1, 'a')]);
    wait(&at.submit(BatchKind::Intent, [])).expect_err("fails behind what waits");
    at.store.limit_pages(u32::MAX);
    at.put([put_call(call(2))]);
    assert!(
        waiting.try_recv().is_ok_and(|answer| answer.is_ok()),
        "committed before the wish that came later"
    );
}

#[test]
fn one_that_is_too_large_does_not_take_its_neighbours_along() {
    let at = full();
    let before: Vec<_> = (0..20).map(|_| at.submit(BatchKind::Observed, [put_call(call(1))])).collect();
    let large = at.submit(BatchKind::Observed, [large(1, 'a')]);
    for answer in before {
        assert!(wait(&answer).is_ok(), "what fits is stored");
    }
    let mut trouble = at.store.trouble();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let told = async { trouble.wait_for(Option::is_some).await.map(|_| ()) };
    runtime.block_on(async { tokio::time::timeout(PATIENCE, told).await }).unwrap().unwrap();
    let path = at.dir.path().to_owned();
    let Fixture { store, dir: _dir } = at;
    store.close();
    assert_eq!(wait(&large), Err(CommitError::Full), "closing does not wait for room");
    assert!(signalbox_store::Store::open(&path).is_ok());
}
