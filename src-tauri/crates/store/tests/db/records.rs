//! Whatever the vocabulary can say comes back as it went in.

use proptest::{collection::vec, option, prelude::*};
use signalbox_model::{
    Action, Answer, Attention, Call, CallId, Cancel, CloseReason, Delivery, Earlier, Health, Hosted,
    Identity, InputRequest, Json, Mode, Note, NoteCode, Origin, Outcome, Peer, ProgressReport, Reason,
    RequestId, RequestState, Secret, Server, ServerId, Snooze, Snoozed, Status, Task, Timestamp, Tracking,
    Transport, Wire,
};

use crate::samples::{Fixture, call, put_call, put_request, put_server};

fn time() -> impl Strategy<Value = Timestamp> {
    any::<i64>().prop_map(Timestamp)
}

fn one_of<T: Copy + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    proptest::sample::select(all)
}

/// Any JSON text, odd spaces and numbers included: bytes must survive.
fn json() -> impl Strategy<Value = Json> {
    let number = "-?[1-9][0-9]{0,30}(\\.[0-9]{1,3})?";
    let text = any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap());
    prop_oneof![
        number.prop_map(|text| text),
        text.prop_map(|text| format!("{{ \"a\":{text},  \"a\" : null}}")),
    ]
    .prop_map(|text| Json::parse(text).unwrap())
}

fn task() -> impl Strategy<Value = Task> {
    (
        any::<String>(),
        option::of(any::<String>()),
        option::of(time()),
        option::of(time()),
        (option::of(any::<i64>()), option::of(any::<bool>())),
        option::of(any::<i64>()),
        option::of(time()),
        time(),
    )
        .prop_map(
            |(
                task_id,
                status_message,
                created_at,
                last_updated_at,
                (ttl_ms, unlimited),
                poll_interval_ms,
                expires_at,
                seen_at,
            )| {
                Task {
                    task_id,
                    status_message,
                    created_at,
                    last_updated_at,
                    ttl_ms,
                    unlimited,
                    poll_interval_ms,
                    expires_at,
                    seen_at,
                }
            },
        )
}

const CODES: &[NoteCode] = &[
    NoteCode::Unreachable,
    NoteCode::SpawnFailed,
    NoteCode::NotMcp,
    NoteCode::LegacyOnly,
    NoteCode::SignInNeeded,
    NoteCode::Throttled,
    NoteCode::TimedOut,
    NoteCode::Lost,
    NoteCode::ServerError,
    NoteCode::ProtocolError,
    NoteCode::TooLarge,
    NoteCode::AsksTooMuch,
    NoteCode::InputNeeded,
    NoteCode::UnknownItem,
    NoteCode::NotTrusted,
    NoteCode::NoKeychain,
    NoteCode::SecretsLocked,
    NoteCode::SecretMissing,
    NoteCode::StorageDamaged,
    NoteCode::Unknown,
];

fn any_call() -> impl Strategy<Value = Call> {
    use Outcome as O;
    use Status as S;
    use Tracking as T;
    let words = (
        option::of(one_of(&[Wire::Modern, Wire::Legacy])),
        one_of(&[Origin::Started, Origin::Adopted]),
        one_of(&[Delivery::Queued, Delivery::Sent, Delivery::Answered]),
        one_of(&[S::Working, S::InputRequired, S::Completed, S::Failed, S::Cancelled, S::Unknown]),
        option::of(one_of(&[
            O::Ok,
            O::ToolError,
            O::ProtocolError,
            O::Cancelled,
            O::Expired,
            O::Lost,
            O::Unknown,
        ])),
        one_of(&[T::Live, T::Stalled, T::Unreachable, T::SignInNeeded, T::Expired, T::NotFound, T::Done]),
    );
    let texts = (any::<String>(), any::<String>(), option::of(any::<String>()));
    let note = option::of((one_of(CODES), any::<String>()));
    let cancel = option::of((time(), option::of(time())));
    let times = (time(), option::of(time()), option::of(time()), option::of(time()));
    (words, texts, note, cancel, times, option::of(task()), any::<u32>()).prop_map(
        |(words, texts, note, cancel, times, task, open_requests)| {
            let (wire, origin, delivery, status, outcome, tracking) = words;
            let (tool, summary, status_text) = texts;
            let (created_at, ended_at, next_poll_at, waiting_since) = times;
            let message = status_text.clone();
            let progress = message.is_some().then(|| ProgressReport {
                progress: Some(Json::parse("1.0").unwrap()),
                total: None,
                message,
            });
            Call {
                id: CallId(1),
                server: ServerId(1),
                wire,
                tool,
                summary,
                origin,
                created_at,
                delivery,
                status,
                status_text,
                outcome,
                tracking,
                note: note.map(|(code, message)| Note::said(code, message)),
                task,
                cancel: cancel
                    .map(|(requested_at, acknowledged_at)| Cancel { requested_at, acknowledged_at }),
                ended_at,
                next_poll_at,
                open_requests,
                waiting_since,
                progress,
            }
        },
    )
}

fn identity() -> impl Strategy<Value = Identity> {
    prop_oneof![
        any::<String>().prop_map(|key| Identity::Task { call: CallId(1), key }),
        (any::<u32>(), any::<String>()).prop_map(|(n, key)| Identity::Round { call: CallId(1), n, key }),
        (any::<u32>(), any::<String>()).prop_map(|(session, rpc)| Identity::Wire { session, rpc }),
    ]
}

fn answer() -> impl Strategy<Value = Answer> {
    (
        one_of(&[Action::Accept, Action::Decline, Action::Cancel]),
        option::of(json()),
        (time(), time()),
        (option::of(time()), option::of(time()), option::of(time())),
        option::of(any::<String>()),
        option::of(any::<String>()),
    )
        .prop_map(
            |(
                action,
                content,
                (decided_at, send_at),
                (sent_at, acknowledged_at, taken_at),
                refusal,
                remark,
            )| {
                let refusal = refusal.map(|said| Reason::ErrorAnswer { error: -1, said }.into());
                Answer {
                    action,
                    content,
                    decided_at,
                    send_at,
                    sent_at,
                    acknowledged_at,
                    taken_at,
                    refusal,
                    masked: Vec::new(),
                    remark,
                }
            },
        )
}

fn any_request() -> impl Strategy<Value = InputRequest> {
    use CloseReason as C;
    use RequestState as R;
    let words = (
        one_of(&[Mode::Form, Mode::Url, Mode::Other]),
        one_of(&[
            R::Open,
            R::Held,
            R::Sending,
            R::Answered,
            R::NotTaken,
            R::Refused,
            R::Closed,
            R::Orphaned,
            R::Unknown,
        ]),
        option::of(one_of(&[C::TaskEnded, C::AnsweredElsewhere, C::Superseded, C::DeclinedByUs])),
    );
    let texts = (any::<String>(), any::<String>(), option::of(any::<String>()));
    let raws = (json(), option::of(json()), option::of(json()));
    let times = (time(), option::of(time()));
    (words, texts, raws, times, identity(), option::of(answer()), any::<bool>()).prop_map(
        |(
            (mode, state, reason),
            (method, message, url),
            (raw, schema, draft),
            times,
            identity,
            answer,
            assigned,
        )| {
            let (opened_at, closed_at) = times;
            let (visited_at, visiting_at) = (closed_at, closed_at);
            let hosted = url.clone().map(|task_id| Hosted {
                task_id,
                before: vec![message.clone()],
                waiting: vec![method.clone()],
            });
            // It is kept as JSON, whose times end with the calendar.
            let earlier = answer.clone().map(|Answer { action, content, refusal, .. }| {
                let answer = Answer { content, refusal, ..Answer::new(action, Timestamp(1)) };
                Box::new(Earlier { state, answer })
            });
            InputRequest {
                id: RequestId(1),
                server: ServerId(1),
                call: assigned.then_some(CallId(1)),
                identity,
                method,
                mode,
                message,
                schema,
                url,
                raw,
                state,
                reason,
                opened_at,
                closed_at,
                answer,
                draft,
                hosted,
                visited_at,
                visiting_at,
                earlier,
                expires_at: closed_at,
                snoozed: assigned
                    .then_some(Snoozed { until: Snooze::At { at: Timestamp(1) }, task_seen_at: None }),
                wants: if state.needs_person(closed_at) { Attention::Snoozed } else { Attention::NeedsYou },
                reminded_of: closed_at,
            }
        },
    )
}

proptest! {
    // Each case is a commit with its fsync: batches of records instead of many cases.
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn calls_come_back_as_they_went_in(calls in vec(any_call(), 1..40)) {
        let at = Fixture::new();
        let numbered = (10..).zip(calls).map(|(id, call)| Call { id: CallId(id), ..call });
        let calls: Vec<_> = numbered.collect();
        let seq = at.put(calls.iter().cloned().map(put_call));
        for call in calls {
            let read = at.store.reads().call(call.id).unwrap();
            prop_assert_eq!(read, Some((call, seq)));
        }
    }

    #[test]
    fn requests_come_back_as_they_went_in(requests in vec(any_request(), 1..40)) {
        let at = Fixture::new();
        at.put([put_call(call(1))]);
        for request in requests {
            // The same id again: also what was there before must be replaced wholly.
            let seq = at.put([put_request(request.clone())]);
            let read = at.store.reads().request(request.id).unwrap();
            prop_assert_eq!(read, Some((request, seq)));
        }
    }
}

#[test]
fn servers_come_back_as_they_went_in() {
    let at = Fixture::new();
    let reference = |var: &str| Secret::Env { var: var.to_owned() };
    let full = Server {
        id: ServerId(2),
        name: "büro \0 x".to_owned(),
        transport: Transport::Stdio {
            command: "node".to_owned(),
            args: vec![String::new(), "a b".to_owned()],
            env: vec![
                ("TOKEN".to_owned(), reference("T")),
                ("TOKEN".to_owned(), reference("U")),
                ("MODE".to_owned(), Secret::Plain { value: "clear \0 ünd \"so\"".to_owned() }),
            ],
            cwd: Some("/srv".to_owned()),
        },
        enabled: false,
        removed_at: Some(Timestamp(5)),
        wire: Some(Wire::Legacy),
        protocol_version: Some("2025-11-25".to_owned()),
        peer: Some(Peer { name: "<b>".to_owned(), version: String::new() }),
        capabilities: Some(Json::parse(r#"{ "n": 1.0 }"#).unwrap()),
        tasks: true,
        health: Health::Unreachable {
            note: Reason::Unreachable { said: "no".into() }.into(),
            since: Timestamp(1_000),
            tried_at: Some(Timestamp(1_500)),
            retry_at: Timestamp(2_000),
        },
        ..crate::samples::server(2)
    };
    let seq = at.put([put_server(full.clone())]);
    let servers = at.store.reads().servers().unwrap();
    assert_eq!(servers, [(crate::samples::server(1), 1), (full, seq)]);
}

/// As when this program is older than the one that wrote: what it knows of the row is more than the word.
#[test]
fn a_code_of_a_later_version_costs_no_row() {
    let at = Fixture::new();
    let message = "what only a later version can say".to_owned();
    let noted = Call { note: Some(Note::said(NoteCode::Lost, message.clone())), ..call(1) };
    let health = Health::Unusable { note: Note::said(NoteCode::NotMcp, message.clone()), tried_at: None };
    at.put([
        put_call(noted.clone()),
        put_server(Server { health: health.clone(), ..crate::samples::server(1) }),
    ]);
    at.tamper(
        r#"UPDATE calls SET note = replace(note, '"lost"', '"of_tomorrow"');
         UPDATE servers SET health = replace(health, '"not_mcp"', '"of_tomorrow"');"#,
    );
    let (read, _) = at.store.reads().call(CallId(1)).unwrap().unwrap();
    assert_eq!(read.note, Some(Note::said(NoteCode::Unknown, message.clone())));
    let servers = at.store.reads().servers().unwrap();
    let note = Note::said(NoteCode::Unknown, message);
    assert_eq!(servers[0].0.health, Health::Unusable { note, tried_at: None });
}

#[test]
fn a_code_is_the_same_word_in_a_column_and_in_json() {
    let at = Fixture::new();
    for (id, &code) in (10..).zip(CODES) {
        let note = Some(Note::said(code, String::new()));
        at.put([put_call(Call { note, ..call(id) })]);
        let word = serde_json::to_value(code).unwrap();
        let sql = "SELECT json_extract(note, '$.code') FROM calls WHERE id = ?1";
        let conn = rusqlite::Connection::open(at.path()).unwrap();
        let kept: String = conn.query_row(sql, [id], |row| row.get(0)).unwrap();
        assert_eq!(word, kept.as_str(), "{code:?}");
    }
}
