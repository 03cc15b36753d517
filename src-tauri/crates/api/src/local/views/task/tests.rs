//! A task that has much: its view has a bound.

use signalbox_model::{Call, Event, EventKind, Json, Origin, Outcome, ServerId, Status, Timestamp};
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

/// A call of this tool with these arguments, of the same summary; it has ended.
fn ran(id: u32, tool: &str, arguments: &str) -> [Write; 2] {
    let call = Call {
        tool: tool.to_owned(),
        summary: "main".to_owned(),
        status: Status::Completed,
        outcome: Some(Outcome::Ok),
        ended_at: Some(Timestamp(i64::from(id) + 1)),
        ..Call::new(CallId(id), ServerId(1), Origin::Started, Timestamp(i64::from(id)))
    };
    let json = Json::parse(arguments).unwrap();
    [
        Write::PutCall(Box::new(call)),
        Write::PutPayload { call: CallId(id), kind: PayloadKind::Arguments, json },
    ]
}

fn run_before(store: &Store, id: u32) -> Option<CallId> {
    match task(&store.reads(), CallId(id), None).unwrap().data {
        ViewData::Task { task: Some(task) } => task.run_before,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_run_before_is_the_last_one_with_the_same_arguments() {
    let (main, other) = (r#"{"ref":"main"}"#, r#"{"ref":"mine"}"#);
    let [mut live, with] = ran(9, "build", main);
    if let Write::PutCall(call) = &mut live {
        (call.status, call.outcome, call.ended_at) = (Status::Working, None, None);
    }
    let runs = [
        ran(2, "build", main),
        ran(3, "build", main),
        ran(4, "build", other),
        ran(5, "deploy", main),
        ran(6, "build", main),
    ];
    let (_dir, store) = kept(runs.into_iter().flatten().chain([live, with]));
    let known = [(2, None), (3, Some(2)), (4, None), (5, None), (6, Some(3))];
    for (id, before) in known {
        assert_eq!(run_before(&store, id), before.map(CallId), "of t{id}");
    }
    assert_eq!(run_before(&store, 9), None, "while it is under way there is nothing to compare");
    assert_eq!(run_before(&store, 1), None, "nobody knows with which arguments it was called");
}

#[test]
fn the_run_before_may_have_its_arguments_in_other_blanks_and_another_order() {
    let long = "x".repeat(300);
    let of = |id: u32, summary: &str, arguments: &str| {
        let [mut put, with] = ran(id, "build", arguments);
        if let Write::PutCall(call) = &mut put {
            summary.clone_into(&mut call.summary);
        }
        [put, with]
    };
    let cut = |of: &str| format!("{}…", &of[..199]);
    let runs = [
        of(2, "1 2", r#"{"a": "1", "b": "2"}"#),
        of(3, "2 1", r#"{"b":"2","a":"1"}"#),
        of(4, "1 2", r#"{"a":"1","b":"2"}"#),
        of(5, "2 1", r#"{"a":"2","b":"1"}"#),
        of(6, "1 2", r#"{"a":1,"b":2}"#),
        of(7, &cut(&format!("1 {long}")), &format!(r#"{{"a":1,"b":"{long}"}}"#)),
        of(8, &cut(&long), &format!(r#"{{"b":"{long}","a": 1}}"#)),
    ];
    let (_dir, store) = kept(runs.into_iter().flatten());
    let known = [(3, Some(2)), (4, Some(3)), (5, None), (6, None), (8, Some(7))];
    for (id, before) in known {
        assert_eq!(run_before(&store, id), before.map(CallId), "of t{id}");
    }
}

#[test]
fn of_a_run_before_no_more_arguments_are_read_than_there_is_room_for() {
    // As long as what is looked for, and none of them it.
    let of = |id: u32, fill: &str| ran(id, "build", &format!(r#"{{"ref":"{}"}}"#, fill.repeat(1 << 19)));
    let runs = (3..20).map(|id| of(id, "x")).chain([of(2, "y"), of(20, "y")]);
    let (_dir, store) = kept(runs.flatten());
    assert_eq!(run_before(&store, 20), None, "behind more than 4 MiB of others");
    assert_eq!(run_before(&store, 19), Some(CallId(18)));
}

#[test]
fn a_run_before_is_not_looked_for_among_all_that_ever_ended() {
    let arguments = r#"{"ref":"main"}"#;
    let others = |n: u32| (3..3 + n).flat_map(|id| ran(id, "poll", "{}"));
    for (between, before) in [(1_999, Some(CallId(2))), (2_000, None)] {
        let last = 3 + between;
        let all = ran(2, "build", arguments)
            .into_iter()
            .chain(others(between))
            .chain(ran(last, "build", arguments));
        let (_dir, store) = kept(all);
        assert_eq!(run_before(&store, last), before, "behind {between} others");
        let reads = store.reads();
        let read = reads.rows_read();
        task(&reads, CallId(last), None).unwrap();
        let read = reads.rows_read() - read;
        assert!(read < 100, "those of other tools are not taken: {read} rows");
    }
}
