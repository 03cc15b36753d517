//! The secrets in an answer: masked for everybody at once, and gone from the disk once they are delivered.

use std::fs;

use signalbox_model::{
    Action, Answer, DecisionKind, Earlier, Hosted, Identity, InputRequest, Masked, RequestId, RequestState,
    Timestamp,
};
use signalbox_store::{Digest, Text, TextOf, Texts, Write};

use crate::{
    decisions::{decide, decision},
    samples::{Fixture, call, json, put_call, put_request, request},
};

const SECRET: &str = "correct horse battery";
const SCHEMA: &str = r#"{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"},"pin":{"type":"string"}}}"#;

fn content() -> String {
    format!(r#"{{ "user":"ada", "password":"{SECRET}","pin":"0417", "n":1.0}}"#)
}

/// A question that was answered with secrets, in this state.
fn answered(state: RequestState) -> InputRequest {
    let answer = Answer {
        content: Some(json(&content())),
        ..Answer::new(Action::Accept, Timestamp(1_785_232_800_123))
    };
    InputRequest { schema: Some(json(SCHEMA)), answer: Some(answer), state, ..request(1, 1) }
}

fn kept() -> Vec<Masked> {
    let salt = "r1 2026-07-28T10:00:00.123Z";
    vec![
        Masked {
            path: "/password".to_owned(),
            length: 21,
            salt: Some(salt.to_owned()),
            sha256: Some(Digest::of(format!("{salt}\n{SECRET}")).to_string()),
        },
        Masked { path: "/pin".to_owned(), length: 4, salt: None, sha256: None },
    ]
}

fn fixture() -> Fixture {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    at
}

/// What a start would have to deliver.
fn to_deliver(at: &Fixture) -> Option<String> {
    let requests = at.store.reads().live().unwrap().requests;
    let one = requests.into_iter().find(|one| one.id == RequestId(1))?;
    Some(one.answer?.content?.text().to_owned())
}

/// Whether any file of the directory has these bytes.
fn is_on_disk(at: &Fixture, bytes: &str) -> bool {
    let files = fs::read_dir(at.dir.path()).unwrap().map(|file| file.unwrap().path());
    let mut files = files.filter(|file| file.is_file());
    files.any(|file| fs::read(file).unwrap().windows(bytes.len()).any(|window| window == bytes.as_bytes()))
}

#[test]
fn everybody_reads_a_masked_answer_and_a_start_alone_the_whole_one() {
    let at = fixture();
    at.put([put_request(answered(RequestState::Held))]);
    let reads = at.store.reads();
    let shown = json(r#"{ "user":"ada", "password":null,"pin":null, "n":1.0}"#);
    let expect = |answer: Option<Answer>, what: &str| {
        let answer = answer.expect(what);
        assert_eq!((answer.content, answer.masked), (Some(shown.clone()), kept()), "{what}");
    };
    expect(reads.request(RequestId(1)).unwrap().unwrap().0.answer, "one by one");
    expect(reads.export_requests(0, 9).unwrap().rows.remove(0).answer, "an export");
    let lines = reads.lines_of(&[RequestId(1)], Text::All, None).unwrap().0;
    expect(lines.into_iter().next().unwrap().0.0.answer, "a list");
    let texts = Texts::in_memory(&reads).unwrap();
    texts.take_in(TextOf::Requests, &[1]).unwrap();
    let found = ["ada", "horse"].map(|word| texts.find(TextOf::Requests, word).unwrap());
    assert_eq!(found, [vec![1], vec![]], "what words are looked for in");
    assert_eq!(to_deliver(&at), Some(content()), "byte for byte");
    let at = at.reopen();
    assert_eq!(to_deliver(&at), Some(content()), "also after a restart");
}

#[test]
fn what_is_delivered_is_on_the_disk_no_more() {
    let at = fixture();
    let long = |mut question: InputRequest| {
        // So that its row needs more than a page.
        question.raw = json(&format!("\"{}\"", "x".repeat(20_000)));
        question
    };
    at.put([put_request(long(answered(RequestState::Held)))]);
    at.put([put_request(long(answered(RequestState::Sending)))]);
    assert!(is_on_disk(&at, SECRET), "as long as it has to be delivered");
    let mut bare = answered(RequestState::Answered);
    bare.strip();
    at.put([put_request(bare)]);
    assert_eq!(at.store.reads().request(RequestId(1)).unwrap().unwrap().0.answer.unwrap().masked, kept());
    let at = at.reopen();
    assert!(!is_on_disk(&at, SECRET), "its bytes are overwritten, and the log is emptied");
    assert_eq!(to_deliver(&at), Some(r#"{ "user":"ada", "password":null,"pin":null, "n":1.0}"#.to_owned()));
}

/// Waits until what the group before left has been seen to: that is done before another is committed.
fn settle(at: &Fixture) {
    at.put([Write::PutSetting { key: "x".to_owned(), value: json("1") }]);
}

#[test]
fn what_is_delivered_is_gone_also_where_much_else_goes_with_it() {
    for large in [0, 100, 9_000_000] {
        let at = fixture();
        let payload = (large > 0).then(|| json(&format!("\"{}\"", "x".repeat(large))));
        let (call, kind) = (signalbox_model::CallId(1), signalbox_model::PayloadKind::Result);
        at.put(payload.map(|json| Write::PutPayload { call, kind, json }));
        at.put([put_request(answered(RequestState::Sending))]);
        settle(&at);
        assert!(is_on_disk(&at, SECRET), "as long as it has to be delivered");
        at.put([put_request(answered(RequestState::Answered)), Write::DropPayload { call, kind }]);
        settle(&at);
        assert!(!is_on_disk(&at, SECRET), "in no file, with {large} bytes that go in the same group");
    }
}

#[test]
fn with_a_call_the_secrets_go_that_were_still_to_be_delivered() {
    let ended = || signalbox_model::Call {
        outcome: Some(signalbox_model::Outcome::Ok),
        ended_at: Some(Timestamp(9)),
        ..call(1)
    };
    let sweep = Write::Sweep { at: Timestamp(99), ended_before: Some(Timestamp(10)), payload_bytes: None };
    for forget in [Write::ForgetCall(signalbox_model::CallId(1)), sweep] {
        let at = fixture();
        let mut question = answered(RequestState::Answered);
        question.hosted = Some(Hosted::new("ours".to_owned()));
        // So that its row needs more than a page.
        question.raw = json(&format!("\"{}\"", "x".repeat(20_000)));
        at.put([put_request(question), put_call(ended())]);
        assert!(is_on_disk(&at, SECRET), "as long as its server may fetch it");
        at.put([forget]);
        settle(&at);
        assert!(at.store.reads().request(RequestId(1)).unwrap().is_none(), "it went");
        assert!(!is_on_disk(&at, SECRET), "its bytes are overwritten, and the log is emptied");
    }
}

#[test]
fn nothing_that_cannot_be_sent_by_itself_is_kept() {
    use RequestState::{Answered, Closed, NotTaken, Refused, Unknown};
    for state in [Answered, Closed, NotTaken, Refused, Unknown] {
        let at = fixture();
        at.put([put_request(answered(RequestState::Sending))]);
        at.put([put_request(answered(state))]);
        let at = at.reopen();
        assert!(!is_on_disk(&at, SECRET), "{state:?}");
    }
}

#[test]
fn an_answer_that_is_taken_back_becomes_a_draft_without_its_secrets() {
    let at = fixture();
    at.put([put_request(answered(RequestState::Held))]);
    let open = InputRequest { answer: None, draft: Some(json(&content())), ..answered(RequestState::Open) };
    at.put([put_request(open)]);
    let kept = at.store.reads().request(RequestId(1)).unwrap().unwrap().0;
    assert_eq!(kept.draft, Some(json(r#"{"user":"ada","n":1.0}"#)));
    let at = at.reopen();
    assert!(!is_on_disk(&at, SECRET));
}

#[test]
fn what_a_server_may_fetch_again_is_kept_until_it_cannot() {
    let hosted = |state| InputRequest {
        hosted: Some(Hosted::new("ours".to_owned())),
        identity: Identity::Wire { session: 1, rpc: "1".to_owned() },
        earlier: Some(Box::new(Earlier {
            state: RequestState::Unknown,
            answer: answered(RequestState::Open).answer.unwrap(),
        })),
        call: Some(signalbox_model::CallId(1)),
        ..answered(state)
    };
    let at = fixture();
    at.put([put_request(hosted(RequestState::Answered))]);
    assert_eq!(to_deliver(&at), Some(content()), "a task of ours has it");
    let keeps = |at: &Fixture| at.store.reads().keeps_secrets(RequestId(1)).unwrap();
    assert!(keeps(&at), "and whoever looks at it is told so");
    let earlier = |at: &Fixture| at.store.reads().request(RequestId(1)).unwrap().unwrap().0.earlier.unwrap();
    assert_eq!(earlier(&at).answer.masked, kept(), "the answer before it is masked alike");
    let started = at.store.reads().live().unwrap().requests.remove(0).earlier.unwrap().answer;
    assert_eq!((started.content, started.masked), (Some(json(&content())), vec![]));
    let changed = |at: &Fixture| at.store.reads().request(RequestId(1)).unwrap().unwrap().1;
    let before = changed(&at);
    at.put([Write::DropUndelivered(RequestId(1))]);
    assert!(!keeps(&at) && changed(&at) > before, "who looks at it learns that they are gone");
    let at = at.reopen();
    assert!(!is_on_disk(&at, SECRET));

    at.put([put_request(hosted(RequestState::Answered))]);
    let mut ended = call(1);
    ended.outcome = Some(signalbox_model::Outcome::Ok);
    ended.ended_at = Some(Timestamp(9));
    at.put([put_call(ended)]);
    let at = at.reopen().reopen();
    assert!(!is_on_disk(&at, SECRET), "nor once its task has ended, if Signalbox ended before it knew");
}

#[test]
fn the_log_has_what_is_kept_of_secrets_and_a_remark_sealed() {
    let at = fixture();
    let response = json(&format!(r#"{{"action":"accept","content":{}}}"#, content()));
    let said = |kind| signalbox_model::Decision {
        request: Some(RequestId(1)),
        json: Some(response.clone()),
        remark: (kind == DecisionKind::Answered).then(|| "asked Ada".to_owned()),
        ..decision(kind, 1)
    };
    let mut sent = answered(RequestState::Sending);
    sent.answer.as_mut().unwrap().sent_at = Some(Timestamp(2));
    at.put([put_request(sent), decide(said(DecisionKind::Answered)), decide(said(DecisionKind::Sent))]);
    let entries = at.store.reads().decisions(0, 9).unwrap().rows;
    let within: Vec<_> =
        kept().into_iter().map(|one| Masked { path: format!("/content{}", one.path), ..one }).collect();
    for entry in &entries {
        assert_eq!(
            entry.json,
            Some(json(
                r#"{"action":"accept","content":{ "user":"ada", "password":null,"pin":null, "n":1.0}}"#
            )),
            "all else byte for byte"
        );
        assert_eq!(entry.masked.as_ref(), Some(&within), "the paths lead into the entry's own JSON");
        assert!(!entry.line().contains("horse"));
    }
    assert_eq!(entries[0].remark.as_deref(), Some("asked Ada"));
    assert_eq!(entries[1].remark, None, "it is said once");
    let verification = at.store.reads().verify_decisions().unwrap();
    assert!(verification.holds(), "{verification:?}");
    at.tamper("UPDATE requests SET masked = replace(masked, '21', '12')");
    assert_eq!(at.store.reads().verify_decisions().unwrap().count, 1, "another secret than was sent");
}

#[test]
fn where_a_question_has_no_schema_names_tell_what_is_secret() {
    let at = fixture();
    let asked = InputRequest { schema: None, ..answered(RequestState::Sending) };
    at.put([put_request(asked.clone())]);
    let shown = at.store.reads().request(RequestId(1)).unwrap().unwrap().0.answer.unwrap();
    assert_eq!((shown.content.is_some(), shown.masked), (true, kept()), "masked in its row");
    assert_eq!(to_deliver(&at), Some(content()), "and still to be delivered whole");
    at.put([put_request(InputRequest {
        state: RequestState::Closed,
        closed_at: Some(Timestamp(9)),
        ..asked
    })]);
    assert!(!to_deliver(&at).unwrap_or_default().contains(SECRET), "nothing of it goes out any more");
}
