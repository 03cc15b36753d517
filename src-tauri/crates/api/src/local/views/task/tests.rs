//! A task that has much: its view has a bound.

use signalbox_model::{Call, Event, EventKind, Json, Origin, ServerId, Timestamp};
use signalbox_store::{Store, Write};

use super::*;
use crate::local::views::stored::stored;

const CALL: CallId = CallId(1);

fn kept(writes: impl IntoIterator<Item = Write>) -> (tempfile::TempDir, Store) {
    let call = Call::new(CALL, ServerId(1), Origin::Started, Timestamp(1));
    stored([Write::PutCall(Box::new(call))].into_iter().chain(writes).collect())
}

fn seen(store: &Store) -> TaskDetail {
    match task(&store.reads(), CALL, None).unwrap().data {
        ViewData::Task { task: Some(task) } => *task,
        other => panic!("{other:?}"),
    }
}

#[test]
fn of_payloads_those_that_are_short_come_with_it() {
    let bytes = usize::try_from(INLINE).unwrap();
    let put =
        |kind, bytes: usize| Write::PutPayload { call: CALL, kind, json: Json::of(&"x".repeat(bytes - 2)) };
    let (_dir, store) = kept([put(PayloadKind::Create, bytes), put(PayloadKind::Last, bytes + 1)]);
    let payloads: Vec<_> =
        seen(&store).payloads.iter().map(|info| (info.bytes, info.json.is_some())).collect();
    assert_eq!(payloads, [(1 << 20, true), ((1 << 20) + 1, false)], "the size of both is known");
}

#[test]
fn of_a_timeline_the_last_lines_come_with_it() {
    let event = |n: i64| {
        let text = Some(n.to_string());
        Write::AddEvent(Event {
            call: CALL,
            at: Timestamp(n),
            kind: EventKind::Status,
            request: None,
            text,
            note: None,
        })
    };
    let (_dir, store) = kept((1..=501).map(event));
    let timeline = seen(&store).timeline;
    assert_eq!((timeline.len(), timeline[0].at, timeline[499].at), (500, Timestamp(2), Timestamp(501)));
}
