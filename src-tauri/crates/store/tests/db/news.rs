//! What commits tell: which rows are to be looked at again.

use std::collections::BTreeSet;

use signalbox_model::{Call, CallId, Event, EventKind, PayloadKind, RequestId, ServerId, Task, Timestamp};
use signalbox_store::{Batch, BatchKind, Committed, Touched, Write};

use crate::samples::{Fixture, call, json, put_call, put_request, put_server, request, server, task};

/// What commits behind transaction `seq` touched, together.
fn told(at: &Fixture, seq: u64) -> Touched {
    let all = at.store.news().since(seq).expect("nothing is forgotten yet");
    let mut sum = Touched::default();
    all.iter().for_each(|touched| sum.add(touched));
    sum
}

fn calls(ids: &[u32]) -> BTreeSet<CallId> {
    ids.iter().copied().map(CallId).collect()
}

fn requests(ids: &[u32]) -> BTreeSet<RequestId> {
    ids.iter().copied().map(RequestId).collect()
}

#[test]
fn a_commit_says_which_rows_it_touched() {
    let at = Fixture::new();
    let event = Event {
        call: CallId(1),
        at: Timestamp(1),
        kind: EventKind::Called,
        request: None,
        text: None,
        note: None,
    };
    let first = at.put([put_call(call(1)), put_call(call(2))]);
    let cases: Vec<(&str, Vec<Write>, Touched)> = vec![
        ("a call", vec![put_call(call(2))], Touched { calls: calls(&[2]), ..Touched::default() }),
        (
            "what hangs on a call touches it",
            vec![
                Write::AddEvent(event),
                Write::PutPayload { call: CallId(2), kind: PayloadKind::Last, json: json("{}") },
            ],
            Touched { calls: calls(&[1, 2]), ..Touched::default() },
        ),
        (
            "a question and its call",
            vec![put_request(request(1, 1))],
            Touched { calls: calls(&[1]), requests: requests(&[1]), counts: true, ..Touched::default() },
        ),
        (
            "a deadline is its question's, too: a trigger sets it",
            vec![put_call(Call {
                task: Some(Task { expires_at: Some(Timestamp(9)), ..task("a") }),
                ..call(1)
            })],
            Touched { calls: calls(&[1]), requests: requests(&[1]), ..Touched::default() },
        ),
        (
            "with a call go its questions: a foreign key takes them along",
            vec![Write::ForgetCall(CallId(1))],
            Touched { calls: calls(&[1]), requests: requests(&[1]), counts: true, ..Touched::default() },
        ),
        (
            "a server",
            vec![put_server(server(2))],
            Touched { servers: [ServerId(2)].into(), ..Touched::default() },
        ),
        (
            "a setting",
            vec![Write::PutSetting { key: "k".to_owned(), value: json("1") }],
            Touched { settings: ["k".to_owned()].into(), ..Touched::default() },
        ),
        ("nothing", vec![], Touched::default()),
    ];
    let mut before = first;
    for (what, writes, touched) in cases {
        let seq = at.put(writes);
        assert_eq!(told(&at, before), touched, "{what}");
        assert_eq!(*at.store.news().seq().borrow(), seq, "{what}");
        before = seq;
    }
}

#[test]
fn what_could_not_be_kept_is_not_told_with_the_next() {
    let at = Fixture::new();
    let before = at.put([put_call(call(1))]);
    at.store.limit_pages(1);
    let long = json(&format!("\"{}\"", "x".repeat(200_000)));
    let payload = Write::PutPayload { call: CallId(1), kind: PayloadKind::Last, json: long };
    at.wish([payload]).expect_err("there is no room");
    at.store.limit_pages(u32::MAX);
    at.put([put_server(server(2))]);
    assert_eq!(told(&at, before), Touched { servers: [ServerId(2)].into(), ..Touched::default() });
}

#[test]
fn who_answers_a_batch_can_read_it_and_was_told_before() {
    let at = Fixture::new();
    let (done, answer) = std::sync::mpsc::channel();
    let (reads, news) = (at.store.reads(), at.store.news());
    let done = Box::new(move |result: Result<Committed, _>| {
        let seq = result.expect("it is kept").seq;
        let told = *news.seq().borrow();
        let _ = done.send((seq, told, reads.call(CallId(1)).expect("it can be read").is_some()));
    });
    let batch = Batch { writes: vec![put_call(call(1))], kind: BatchKind::Intent, done };
    at.store.submit(batch).expect("the store is open");
    let (seq, told, readable) = answer.recv().expect("it is answered");
    assert_eq!((told, readable), (seq, true));
}
