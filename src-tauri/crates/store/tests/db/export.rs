//! Whole tables in portions: every row once, in its order, whatever the size of a portion.

use signalbox_model::{CallId, DecisionKind, Event, EventKind, Timestamp};
use signalbox_store::{Portion, ReadError, Write};

use crate::{
    decisions::{decide, decision},
    samples::{Fixture, call, put_call, put_request, request},
};

fn all<T>(limit: u32, read: impl Fn(u64, u32) -> Result<Portion<T>, ReadError>) -> Vec<T> {
    let (mut rows, mut after) = (Vec::new(), Some(0));
    while let Some(from) = after {
        let portion = read(from, limit).unwrap();
        assert!(portion.rows.len() <= limit as usize, "bounded");
        rows.extend(portion.rows);
        after = portion.next;
    }
    rows
}

#[test]
fn every_row_comes_once() {
    let at = Fixture::new();
    let event = |n| {
        let (call, at) = (CallId(n), Timestamp(100 - i64::from(n)));
        Write::AddEvent(Event { call, at, kind: EventKind::Called, request: None, text: None, note: None })
    };
    at.put((1..=9).map(call).map(put_call));
    at.put((1..=9).map(|n| put_request(request(n, n))));
    at.put((1..=9).map(event));
    at.put((1..=9).map(|n| decide(decision(DecisionKind::Called, n))));
    // A row in the middle of a portion, and the last one.
    at.tamper("UPDATE calls SET status = 'nonsense' WHERE id IN (5, 9)");
    let reads = at.store.reads();
    for limit in [1, 2, 3, 9, 10] {
        let calls = all(limit, |after, limit| reads.export_calls(after, limit));
        let numbers: Vec<_> = calls.iter().map(|call| call.id.0).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 6, 7, 8], "damaged rows end no export: {limit}");
        let requests = all(limit, |after, limit| reads.export_requests(after, limit));
        assert_eq!(requests.len(), 9);
        let events = all(limit, |after, limit| reads.export_events(after, limit));
        assert_eq!(events.iter().map(|event| event.call.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let decisions = all(limit, |after, limit| reads.decisions(after, limit));
        assert_eq!(decisions.iter().map(|entry| entry.n).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
    assert!(reads.skipped() > 0, "what was left out is counted");
}
