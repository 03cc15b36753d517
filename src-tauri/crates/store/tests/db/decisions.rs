//! The log of decisions: sealed at the commit, never changed, there when its call is gone.

use signalbox_model::{
    Action, Actor, Answer, CallId, Decision, DecisionKind, InputRequest, RequestId, RequestState, ServerId,
    Timestamp,
};
use signalbox_store::{Break, Chain, CommitError, Digest, Entry, Finding, How, Verification, Write};

use crate::samples::{Fixture, call, json, put_call, put_request, put_server, request, server};

pub(crate) fn decision(kind: DecisionKind, call: u32) -> Decision {
    Decision {
        at: Timestamp(1_785_232_800_000 + i64::from(call)),
        by: Actor::Person,
        kind,
        server: ServerId(1),
        call: Some(CallId(call)),
        request: None,
        schema: None,
        json: None,
        text: None,
        note: None,
        remark: None,
    }
}

pub(crate) fn decide(decision: Decision) -> Write {
    Write::AddDecision(Box::new(decision))
}

/// The decision and the row of a question that was answered and sent.
fn answered(id: u32, content: &str, logged: &str) -> [Write; 2] {
    let answer = Answer {
        action: Action::Accept,
        content: Some(json(content)),
        decided_at: Timestamp(1),
        send_at: Timestamp(1),
        sent_at: Some(Timestamp(2)),
        acknowledged_at: None,
        taken_at: None,
        refusal: None,
        masked: Vec::new(),
        remark: None,
    };
    let row = InputRequest { state: RequestState::Answered, answer: Some(answer), ..request(id, 1) };
    let decision = Decision {
        request: Some(RequestId(id)),
        schema: Some(json("{ }")),
        json: Some(json(logged)),
        ..decision(DecisionKind::Answered, 1)
    };
    [put_request(row), decide(decision)]
}

#[test]
fn the_schema_that_was_answered_is_that_of_the_row() {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    let asked = InputRequest { schema: Some(json("{ \"a\":1.0 }")), ..request(1, 1) };
    let mut bare = InputRequest { state: RequestState::Sending, ..asked.clone() };
    bare.strip();
    at.put([put_request(asked)]);
    let about =
        |kind, id| decide(Decision { request: Some(RequestId(id)), schema: None, ..decision(kind, 1) });
    at.put([put_request(bare), about(DecisionKind::Answered, 1), about(DecisionKind::Sent, 1)]);
    at.put([about(DecisionKind::Answered, 9)]);
    let digests: Vec<_> = entries(&at).iter().map(|entry| entry.schema_sha256).collect();
    let expected = Some(Digest::of("{ \"a\":1.0 }"));
    assert_eq!(digests, [expected, None, None], "the row is there, nothing else is said, and no row");
}

fn entries(at: &Fixture) -> Vec<Entry> {
    at.store.reads().decisions(0, 1_000).unwrap().rows
}

fn verify(at: &Fixture) -> Verification {
    at.store.reads().verify_decisions().unwrap()
}

fn chain_broken(at: &Fixture) -> Vec<Break> {
    let found = verify(at).findings.into_iter();
    found.filter_map(|finding| if let Finding::Chain(at) = finding { Some(at) } else { None }).collect()
}

/// A log of five entries.
fn logged() -> Fixture {
    let at = Fixture::new();
    at.put((1..=5).map(|n| decide(decision(DecisionKind::Called, n))));
    at
}

/// What only somebody else's program would do.
fn forge(at: &Fixture, sql: &str) {
    at.tamper(&format!(
        "DROP TRIGGER IF EXISTS decisions_never_change; DROP TRIGGER IF EXISTS decisions_never_go; {sql}"
    ));
}

#[test]
fn entries_keep_every_byte_and_the_name_of_then() {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    at.put(answered(1, r#"{ "n":1.0}"#, r#"{"action":"accept","content":{ "n":1.0}}"#));
    at.put([put_server(signalbox_model::Server { name: "renamed".to_owned(), ..server(1) })]);
    at.put([decide(decision(DecisionKind::Forgotten, 1)), Write::ForgetCall(CallId(1))]);
    let at = at.reopen();
    let entries = entries(&at);
    assert_eq!(entries.iter().map(|entry| entry.n).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(entries[0].server_name, "server 1", "the name when it was decided");
    assert_eq!(entries[1].server_name, "renamed");
    assert_eq!(entries[0].json, Some(json(r#"{"action":"accept","content":{ "n":1.0}}"#)));
    assert_eq!(entries[0].schema_sha256, Some(signalbox_store::Digest::of("{ }")));
    let verification = verify(&at);
    assert!(verification.holds(), "a forgotten call leaves its decisions: {verification:?}");
    assert_eq!(verification.entries, 2);
}

#[test]
fn an_answer_that_stands_again_is_compared_with_its_own_entry() {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    at.put(answered(1, "1", r#"{"action":"accept","content":1}"#));
    let of = |kind, json| Decision { request: Some(RequestId(1)), json, ..decision(kind, 1) };
    let again = || of(DecisionKind::Answered, Some(json(r#"{"action":"accept","content":2}"#)));
    for end in [DecisionKind::Undone, DecisionKind::Lapsed] {
        at.put([decide(again()), decide(of(end, None))]);
        assert!(verify(&at).holds(), "what was taken back is not what the row has: {end:?}");
    }
    at.put([decide(again())]);
    assert!(!verify(&at).holds(), "what was not taken back is");
}

#[test]
fn a_batch_that_is_refused_leaves_no_gap() {
    let at = logged();
    let nobodys = Decision { server: ServerId(9), ..decision(DecisionKind::Called, 6) };
    let batch = [decide(decision(DecisionKind::Called, 6)), decide(nobodys)];
    assert!(matches!(at.wish(batch), Err(CommitError::Other(_))), "an entry names a server that is there");
    at.put([decide(decision(DecisionKind::Called, 7))]);
    assert_eq!(entries(&at).last().map(|entry| (entry.n, entry.call)), Some((6, Some(CallId(7)))));
    assert!(verify(&at).holds());
}

#[test]
fn nothing_of_ours_can_change_or_delete_an_entry() {
    let at = logged();
    let conn = rusqlite::Connection::open(at.path()).unwrap();
    for sql in ["UPDATE decisions SET text = 'x'", "DELETE FROM decisions WHERE n = 5"] {
        assert!(conn.execute(sql, []).is_err(), "{sql}");
    }
    assert_eq!(entries(&at).len(), 5);
}

#[test]
fn forgeries_in_the_file_show() {
    let changed = |n| vec![Break { n, how: How::Changed }];
    let cases = [
        ("UPDATE decisions SET text = 'x' WHERE n = 3", changed(3)),
        ("UPDATE decisions SET at = at + 1 WHERE n = 1", changed(1)),
        ("DELETE FROM decisions WHERE n = 2", vec![Break { n: 3, how: How::Gap { expected: 2 } }]),
        ("DELETE FROM decisions WHERE n > 3", vec![Break { n: 3, how: How::CutShort { head: 5 } }]),
        ("DELETE FROM decisions", vec![Break { n: 0, how: How::CutShort { head: 5 } }]),
        ("UPDATE decisions SET kind = 'nonsense' WHERE n = 2", vec![Break { n: 2, how: How::Unreadable }]),
        ("UPDATE meta SET decisions_hash = printf('%064d', 7)", vec![Break { n: 5, how: How::OtherHead }]),
    ];
    for (sql, breaks) in cases {
        let at = logged();
        forge(&at, sql);
        assert_eq!(chain_broken(&at), breaks, "{sql}");
    }
}

#[test]
fn a_sentence_that_an_earlier_version_sealed_stays_as_it_is() {
    let at = logged();
    let before = entries(&at).pop().unwrap().hash;
    let text = "a backup was restored; where the log ended that was there before cannot be read";
    let line = format!(
        r#"{{"n":6,"format":2,"at":"2026-07-28T10:00:00.123Z","by":"signalbox","kind":"restored","server":"s0","serverName":"","text":"{text}"}}"#
    );
    let hash = Digest::of(format!("{before}\n{line}"));
    at.tamper(&format!(
        "INSERT INTO decisions (n, format, at, actor, kind, server, server_name, text, hash)
             VALUES (6, 2, 1785232800123, 'signalbox', 'restored', 0, '', '{text}', '{hash}');
         UPDATE meta SET decisions = 6, decisions_hash = '{hash}'"
    ));
    assert!(verify(&at).holds());
    let exported = serde_json::to_string(&entries(&at)[5]).unwrap();
    assert_eq!(exported, format!(r#"{},"hash":"{hash}"}}"#, line.trim_end_matches('}')));
}

#[test]
fn an_entry_with_words_of_a_later_version_is_said_to_be_one() {
    let at = logged();
    forge(&at, "UPDATE decisions SET kind = 'of_tomorrow', format = 4 WHERE n = 2");
    let later = Break { n: 2, how: How::Later { format: 4 } };
    assert_eq!(chain_broken(&at), [later], "and those behind it follow it");
    forge(&at, "UPDATE decisions SET hash = printf('%064d', 7) WHERE n = 2");
    assert_eq!(chain_broken(&at), [later, Break { n: 3, how: How::Changed }]);
    forge(&at, "DELETE FROM decisions WHERE n = 1");
    assert_eq!(chain_broken(&at)[0], Break { n: 2, how: How::Gap { expected: 1 } });
}

#[test]
fn a_log_whose_end_was_taken_back_can_still_grow() {
    let at = logged();
    at.tamper("UPDATE meta SET decisions = 2, decisions_hash = NULL");
    let at = at.reopen();
    at.put([decide(decision(DecisionKind::Called, 6))]);
    assert_eq!(entries(&at).len(), 6, "answering must go on");
    assert!(verify(&at).holds(), "all entries are there, in their chain");
}

#[test]
fn an_end_that_is_no_hash_shows_and_stops_nobody() {
    let at = logged();
    at.tamper("UPDATE meta SET decisions_hash = 'nonsense'");
    assert_eq!(chain_broken(&at), [Break { n: 5, how: How::OtherHead }]);
    let at = at.reopen();
    at.put([decide(decision(DecisionKind::Called, 6))]);
    assert_eq!(chain_broken(&at), [Break { n: 6, how: How::Changed }], "and goes on showing");
}

#[test]
fn an_answer_that_was_sent_is_in_the_log_byte_for_byte() {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    at.put(answered(1, r#"{"a":1}"#, r#"{"action":"accept","content":{"a":1}}"#));
    at.put(answered(2, r#"{"a":1}"#, r#"{"action":"accept","content":{"a":1.0}}"#));
    at.put(answered(3, r#"{"a":1}"#, r#"{"action":"decline","content":{"a":1}}"#));
    let [row, _] = answered(4, r#"{"a":1}"#, "{}");
    at.put([row]);
    at.put(answered(5, r#"[1, 2]"#, r#"[1, 2]"#));
    let verification = verify(&at);
    let differs = |request, n| Finding::Differs { request: RequestId(request), n };
    assert_eq!(
        verification.findings,
        [differs(2, 2), differs(3, 3), Finding::NotLogged(RequestId(4))],
        "1 is the same, and 5 is a response of its own shape"
    );
    assert_eq!((verification.answers, verification.count, verification.holds()), (5, 3, false));
    for finding in verification.findings {
        assert!(finding.to_string().contains('r'), "says which question: {finding}");
    }
}

#[test]
fn an_exported_log_verifies_without_the_database() {
    let at = logged();
    let lines: Vec<_> = entries(&at).iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
    let check = |lines: &[String]| {
        let mut chain = Chain::default();
        lines.iter().try_for_each(|line| chain.follow(&serde_json::from_str(line).unwrap()))
    };
    assert_eq!(check(&lines), Ok(()));
    let mut forged = lines.clone();
    forged[2] = forged[2].replace("\"person\"", "\"server\"");
    assert_eq!(check(&forged), Err(Break { n: 3, how: How::Changed }));
}

#[test]
fn a_long_log_is_verified_in_portions() {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    at.put((0..1_234).map(|_| decide(decision(DecisionKind::Sent, 1))));
    at.put((1..=600).flat_map(|id| answered(id, "1", r#"{"action":"accept","content":1}"#)));
    let verification = verify(&at);
    assert!(verification.holds(), "{verification:?}");
    assert_eq!((verification.entries, verification.answers), (1_834, 600));
    forge(&at, "UPDATE decisions SET text = 'x' WHERE n IN (500, 501, 1001)");
    let at_n: Vec<_> = chain_broken(&at).iter().map(|at| at.n).collect();
    assert_eq!(at_n, [500, 501, 1001], "each change is one break, also where portions meet");
}
