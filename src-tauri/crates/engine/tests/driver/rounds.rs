//! Questions on the call itself, at a server that wants its `requestState` back byte for byte.

use serde_json::json as value;
use signalbox_demo::{Fault, JournalEntry};
use signalbox_engine::{Follow, Intent};
use signalbox_model::{Action, Delivery, InputRequest, NoteCode, Outcome, PayloadKind, RequestState};

use crate::rig::{Rig, SERVER, json, patiently};

fn accept(request: &InputRequest, content: &str) -> Intent {
    Intent::Answer {
        request: request.id,
        action: Action::Accept,
        content: Some(json(content)),
        hold_ms: 0,
        seen: request.decided_at(),
        remark: None,
        asks: None,
    }
}

/// Whether each retry brought one of the server's own states, byte for byte.
fn retries(rig: &Rig) -> Vec<bool> {
    let exact = |entry: JournalEntry| match entry {
        JournalEntry::Retried { exact, .. } => Some(exact),
        _ => None,
    };
    rig.demo.journal().entries().into_iter().filter_map(exact).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_rounds_to_the_result() {
    let mut rig = Rig::new().await;
    let call = rig.call("confirm", r#"{"volume":"tank"}"#).await;
    let sure = rig.question(call, RequestState::Open).await;
    rig.wish(accept(&sure, r#"{"sure":true}"#)).await;
    let name = rig.question(call, RequestState::Open).await;
    assert_eq!(name.identity.key(), "name");
    rig.wish(accept(&name, r#"{"name":"tank"}"#)).await;
    // Half of it is kept over a restart, and only the whole is sent.
    rig.restart(Follow::All).await;
    let reason = rig.question(call, RequestState::Open).await;
    assert_eq!((reason.identity.key(), retries(&rig).len()), ("reason", 1));
    let before = rig.ids(Some("tools/call"));
    rig.wish(accept(&reason, r#"{"reason":"full"}"#)).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    assert_eq!(retries(&rig), [true, true], "byte for byte");
    let ids = rig.ids(Some("tools/call"));
    assert!(ids.last() > before.iter().max(), "no retry under an id of before: {ids:?}");
    assert!(ids.iter().all(|id| *id < 1 << 53), "every server can read it: {ids:?}");
    let taken: Vec<String> = rig.demo.journal().taken().into_iter().map(|(_, key, _)| key).collect();
    assert_eq!(taken.len(), 3, "each answered once: {taken:?}");
    let result = rig.read(move |reads| reads.payload(call, PayloadKind::Result).unwrap().unwrap()).await;
    assert!(result.text().contains("Volume tank is deleted."), "{}", result.text());
    let verified = rig.read(|reads| reads.verify_decisions().unwrap()).await;
    assert!(verified.holds(), "{verified:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_whose_answer_was_lost_is_the_persons_to_decide() {
    let mut rig = Rig::new().await;
    let call = rig.call("mrtr_question", "{}").await;
    let asked = rig.question(call, RequestState::Open).await;
    let gate = rig.demo.faults().hold("tools/call");
    rig.wish(accept(&asked, r#"{"environment":"staging"}"#)).await;
    patiently(gate.reached(1)).await;
    assert_eq!(rig.row(call).await.delivery, Delivery::Sent);
    rig.restart(Follow::All).await;
    rig.demo.faults().clear();
    let unknown = rig.question(call, RequestState::Unknown).await;
    assert!(
        rig.row(call).await.note.is_some_and(|note| note.code == NoteCode::Lost),
        "it says what happened"
    );
    assert_eq!(rig.requests("tools/call"), 2, "not by itself");
    rig.wish(accept(&unknown, r#"{"environment":"production"}"#)).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    let verified = rig.read(|reads| reads.verify_decisions().unwrap()).await;
    assert!(verified.holds(), "{verified:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_given_while_the_server_is_away_goes_when_it_is_back() {
    let mut rig = Rig::new().await;
    let call = rig.call("mrtr_question", "{}").await;
    let asked = rig.question(call, RequestState::Open).await;
    let addr = rig.unplug().await;
    rig.restart(Follow::All).await;
    rig.wish(accept(&asked, r#"{"environment":"staging"}"#)).await;
    rig.until("that it is known not to have left", move |reads| {
        reads.call(call).unwrap()?.0.note.filter(|note| note.code == NoteCode::Unreachable)
    })
    .await;
    assert_eq!(rig.question(call, RequestState::Sending).await.answer.unwrap().sent_at, None);
    rig.plug(addr).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    assert_eq!(retries(&rig), [true]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_asks_nothing_is_called_again_at_once() {
    let rig = Rig::new().await;
    rig.demo.faults().next(1, "tools/call", Fault::ComeBack);
    let call = rig.call("echo", r#"{"text":"x"}"#).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    assert_eq!(rig.requests("tools/call"), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_is_answered_for_and_roots_are_told() {
    let rig = Rig::new().await;
    let mut server = rig.read(|reads| reads.servers().unwrap()[0].0.clone()).await;
    server.roots = vec!["file:///srv".to_owned()];
    rig.wish(Intent::PutServer(server)).await;
    let roots = rig.call("list_roots", "{}").await;
    assert_eq!(rig.ended(roots).await.outcome, Some(Outcome::Ok));
    let call = rig.call("summarize", "{}").await;
    let asked = rig.question(call, RequestState::Open).await;
    assert!(asked.message.contains("in one sentence"), "shown in full: {}", asked.message);
    rig.wish(accept(&asked, r#"{"text":"All is well.","model":"me"}"#)).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    let taken: Vec<_> = rig.demo.journal().taken().into_iter().map(|(_, _, response)| response).collect();
    let said = value!({ "role": "assistant", "content": { "type": "text", "text": "All is well." }, "model": "me", "stopReason": "endTurn" });
    assert_eq!(taken, [value!({ "roots": [{ "uri": "file:///srv" }] }), said]);
    let verified = rig.read(|reads| reads.verify_decisions().unwrap()).await;
    assert!(verified.holds() && verified.answers == 2, "{verified:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_is_opened_in_a_round() {
    let rig = Rig::new().await;
    let call = rig.call("connect_account", "{}").await;
    let asked = rig.question(call, RequestState::Open).await;
    let open = Intent::Answer {
        request: asked.id,
        action: Action::Accept,
        content: None,
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    rig.wish(open).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_first_and_then_the_call_as_it_was() {
    let rig = Rig::new().await;
    let page = value!({ "code": -32042, "message": "first", "data": { "elicitations": [
        { "mode": "url", "elicitationId": "e", "url": "https://a.example/", "message": "Sign in" },
    ] } });
    // Once when it is called, and once more because the person is not done there.
    rig.demo.faults().next(2, "tools/call", Fault::Error(page));
    let call = rig.call("echo", r#"{"text":"x"}"#).await;
    let asked = rig.question(call, RequestState::Open).await;
    let open = Intent::Answer {
        request: asked.id,
        action: Action::Accept,
        content: None,
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    rig.wish(open).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    assert_eq!(rig.requests("tools/call"), 3);
    assert_eq!(rig.question(call, RequestState::Answered).await.id, asked.id, "asked once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_follow_the_tools_schema_and_its_changes() {
    let rig = Rig::new().await;
    let status = r#"{"region":"eu-west","detail":{"level":2,"verbose":true}}"#;
    // Nothing is known of the tools yet: refused, listed, and made again.
    let first = rig.call("region_status", status).await;
    assert_eq!(rig.ended(first).await.outcome, Some(Outcome::Ok));
    let pages = rig.requests("tools/list");
    assert!(pages > 0 && rig.requests("tools/call") == 2, "{pages}");
    let second = rig.call("region_status", status).await;
    assert_eq!(rig.ended(second).await.outcome, Some(Outcome::Ok));
    assert_eq!(rig.requests("tools/call"), 3, "what is known is sent at once");
    rig.demo.change_tools();
    let third = rig.call("region_status", status).await;
    assert_eq!(rig.ended(third).await.outcome, Some(Outcome::Ok));
    assert_eq!((rig.requests("tools/list"), rig.requests("tools/call")), (2 * pages, 5));
    assert!(rig.read(|reads| reads.tools(SERVER).unwrap()).await.unwrap().text().contains("Place"));
    // A server that says so for ever is asked once more, and not again.
    let odd = value!({ "code": -32020, "message": "no" });
    rig.demo.faults().next(9, "tools/call", Fault::Error(odd));
    let call = rig.call("region_status", status).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::ProtocolError));
    assert_eq!(rig.requests("tools/call"), 7);
}
