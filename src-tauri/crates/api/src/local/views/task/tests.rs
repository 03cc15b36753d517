//! A task that has much: its view has a bound.

use signalbox_model::{Call, Event, EventKind, Json, Origin, ServerId, Timestamp};
use signalbox_store::{Store, Write};

use super::*;
use crate::Spent;
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
    let TaskDetail { timeline, stretches, .. } = seen(&store);
    let spent: Vec<_> = stretches.iter().map(|stretch| (stretch.spent, stretch.from)).collect();
    let known = [(Spent::Unseen, Timestamp(1)), (Spent::Working, Timestamp(2))];
    assert_eq!(spent, known, "and what was before them is not said to be known");
    assert_eq!((timeline.len(), timeline[0].at, timeline[499].at), (500, Timestamp(2), Timestamp(501)));
}

#[test]
fn arguments_say_whether_they_hold_a_secret() {
    let json = |text| Json::parse(text).unwrap();
    let put = |text| Write::PutPayload { call: CALL, kind: PayloadKind::Arguments, json: json(text) };
    for (arguments, is_secret) in [(r#"{"ref":"main"}"#, false), (r#"{"db":{"password":"hunter2"}}"#, true)] {
        let (_dir, store) = kept([put(arguments)]);
        assert_eq!(seen(&store).secret_arguments, is_secret, "{arguments}");
    }
    let (_dir, store) = kept([]);
    assert!(!seen(&store).secret_arguments, "nothing is known of an adopted task");
}
