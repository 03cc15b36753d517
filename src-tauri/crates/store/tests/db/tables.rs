//! What hangs on servers and calls: tools, payloads, rounds, events, settings; and what forgetting takes along.

use signalbox_model::{CallId, Event, EventKind, PayloadKind, RequestId, ServerId, Timestamp};
use signalbox_store::{Round, StoredSession, Write};

use crate::samples::{Fixture, call, json, put_call, put_request, put_server, request, server};

fn payload(call: u32, kind: PayloadKind, text: &str) -> Write {
    Write::PutPayload { call: CallId(call), kind, json: json(text) }
}

fn event(call: u32, at: i64) -> Event {
    let (call, at) = (CallId(call), Timestamp(at));
    Event {
        call,
        at,
        kind: EventKind::Status,
        request: Some(RequestId(7)),
        text: Some("1 of 3".to_owned()),
        note: None,
    }
}

fn round(call: u32, n: u32, request_state: Option<&str>) -> Write {
    let request_state = request_state.map(str::to_owned);
    Write::PutRound {
        call: CallId(call),
        n,
        request_state,
        raw: json(r#"{ "resultType":"input_required" }"#),
        ttl_ms: Some(60_000 + n),
    }
}

#[test]
fn payloads_keep_their_bytes_and_say_their_size() {
    let at = Fixture::new();
    let text = r#"{ "ä": 12345678901234567890123, "b":60000.0 }"#;
    at.put([put_call(call(1)), payload(1, PayloadKind::Result, "1"), payload(1, PayloadKind::Result, text)]);
    let reads = at.store.reads();
    let read = reads.payload(CallId(1), PayloadKind::Result).unwrap().unwrap();
    assert_eq!(read.text(), text, "the last one, byte for byte");
    let size = reads.payload_size(CallId(1), PayloadKind::Result).unwrap();
    assert_eq!(size, Some(text.len() as u64), "bytes, not characters");

    let seq = at.put([Write::DropPayload { call: CallId(1), kind: PayloadKind::Result }]);
    assert_eq!(reads.payload(CallId(1), PayloadKind::Result).unwrap(), None);
    assert_eq!(reads.payload_size(CallId(1), PayloadKind::Result).unwrap(), None);
    assert_eq!(reads.call(CallId(1)).unwrap().unwrap().1, seq, "views of the call must see that it is gone");
}

#[test]
fn tools_and_settings_are_replaced() {
    let at = Fixture::new();
    let reads = at.store.reads();
    assert_eq!(reads.tools(ServerId(1)).unwrap(), None);
    let tools = |text| Write::PutTools { server: ServerId(1), tools: json(text) };
    let setting = |text| Write::PutSetting { key: "theme".to_owned(), value: json(text) };
    at.put([tools("[]"), setting("1")]);
    let seq = at.put([tools("[ ]"), setting("\"dark\"")]);
    assert_eq!(reads.tools(ServerId(1)).unwrap(), Some(json("[ ]")));
    assert_eq!(reads.setting("theme").unwrap(), Some(json("\"dark\"")));
    assert_eq!(reads.settings().unwrap(), [("theme".to_owned(), json("\"dark\""), seq)]);
    assert_eq!(reads.servers().unwrap()[0].1, seq, "a new list of tools changes what is shown of the server");
}

#[test]
fn of_a_removed_server_the_tools_and_the_session_go() {
    let at = Fixture::new();
    let session = |id, n| {
        let saved = Some((format!("session {n}"), json(r#"{"capabilities":{}}"#)));
        Write::PutSession(StoredSession { server: ServerId(id), n, saved })
    };
    let tools = |id| Write::PutTools { server: ServerId(id), tools: json("[]") };
    at.put([put_server(server(2)), tools(1), tools(2), session(1, 1), session(2, 2), put_call(call(1))]);
    let mut removed = server(1);
    removed.removed_at = Some(Timestamp(9));
    at.put([put_server(removed)]);
    let reads = at.store.reads();
    assert_eq!(reads.tools(ServerId(1)).unwrap(), None);
    assert_eq!(reads.tools(ServerId(2)).unwrap(), Some(json("[]")), "and of no other");
    let live = reads.live().unwrap();
    let left: Vec<_> = live.sessions.iter().map(|session| session.server).collect();
    assert_eq!(left, [ServerId(2)]);
    assert_eq!(reads.ids().unwrap().session, 3, "its number never comes again");
    assert_eq!(reads.servers().unwrap().len(), 2, "its calls keep its row");
}

#[test]
fn events_come_in_the_order_they_were_written() {
    let at = Fixture::new();
    at.put([put_call(call(1)), put_call(call(2))]);
    // Clocks go back: the order of writing counts.
    at.put([event(1, 30), event(2, 5), event(1, 20), event(1, 10)].map(Write::AddEvent));
    let reads = at.store.reads();
    assert_eq!(reads.events(CallId(1), 10, usize::MAX).unwrap(), [event(1, 30), event(1, 20), event(1, 10)]);
    assert_eq!(
        reads.events(CallId(1), 2, usize::MAX).unwrap(),
        [event(1, 20), event(1, 10)],
        "the last ones"
    );
    // Each has a text of six bytes.
    let of_length = |bytes| reads.events(CallId(1), 10, bytes).unwrap().len();
    assert_eq!([0, 1, 6, 7, 13].map(of_length), [0, 1, 1, 2, 3], "and no more once their texts are long");
}

#[test]
fn rounds_keep_the_request_state_byte_for_byte() {
    let at = Fixture::new();
    at.put([put_call(call(1)), round(1, 2, None), round(1, 1, Some("a\0b \u{1F600}"))]);
    let rounds = at.store.reads().rounds(CallId(1)).unwrap();
    let raw = json(r#"{ "resultType":"input_required" }"#);
    let first = Round { n: 1, request_state: Some("a\0b \u{1F600}".to_owned()), raw: raw.clone() };
    assert_eq!(rounds, [first, Round { n: 2, request_state: None, raw }]);
    let live = at.store.reads().live().unwrap();
    assert_eq!(live.rounds[0].ttl_ms, Some(60_002), "what was wished is there to go on with");
}

#[test]
fn what_hangs_on_a_call_changes_it() {
    let at = Fixture::new();
    at.put([put_call(call(1)), put_call(call(2))]);
    let untouched = at.store.reads().call(CallId(2)).unwrap();
    let writes = [
        payload(1, PayloadKind::Last, "{}"),
        put_request(request(1, 1)),
        Write::AddEvent(event(1, 1)),
        round(1, 1, None),
    ];
    for write in writes {
        let seq = at.put([write.clone()]);
        assert_eq!(at.store.reads().call(CallId(1)).unwrap().unwrap().1, seq, "{write:?}");
    }
    assert_eq!(at.store.reads().call(CallId(2)).unwrap(), untouched, "other calls have not changed");
}

#[test]
fn forgetting_takes_everything_along_and_gives_no_number_back() {
    let at = Fixture::new();
    let hanging = |id: u32| {
        [
            put_call(call(id)),
            payload(id, PayloadKind::Result, "{}"),
            put_request(request(id, id)),
            Write::AddEvent(event(id, 1)),
            round(id, 1, None),
        ]
    };
    at.put(hanging(1).into_iter().chain(hanging(2)));
    at.put([Write::ForgetCall(CallId(2))]);
    let at = at.reopen();
    let reads = at.store.reads();
    let left = |id: u32| {
        let call = CallId(id);
        [
            usize::from(reads.call(call).unwrap().is_some()),
            usize::from(reads.payload(call, PayloadKind::Result).unwrap().is_some()),
            reads.waiting_of(call, 9).unwrap().len(),
            usize::from(reads.request(RequestId(id)).unwrap().is_some()),
            reads.events(call, 9, usize::MAX).unwrap().len(),
            reads.rounds(call).unwrap().len(),
        ]
    };
    assert_eq!(left(1), [1; 6], "the other call keeps all of its own");
    assert_eq!(left(2), [0; 6]);
    let ids = reads.ids().unwrap();
    assert_eq!((ids.server, ids.call, ids.request), (ServerId(2), CallId(3), RequestId(3)));
}

#[test]
fn a_server_name_is_free_again_once_its_server_is_removed() {
    let at = Fixture::new();
    let twin = || signalbox_model::Server { name: "server 1".to_owned(), ..server(2) };
    assert!(at.wish([put_server(twin())]).is_err(), "two servers with one name cannot be told apart");
    let removed = signalbox_model::Server { removed_at: Some(Timestamp(9)), ..server(1) };
    at.put([put_server(removed), put_server(twin())]);
    assert_eq!(at.store.reads().servers().unwrap().len(), 2, "the removed one stays for its finished calls");
}
