//! Servers that are not there, not ours, or not what they were.

use signalbox_demo::Fault;
use signalbox_engine::Intent;
use signalbox_model::{Health, NoteCode, Outcome, Reason, RequestState, Secret, Server, Transport, Wire};

use crate::rig::{Rig, SERVER, patiently, server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_goes_and_comes_back() {
    let mut rig = Rig::new().await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    let addr = rig.unplug().await;
    rig.until_health("the outage", |health| matches!(health, Health::Unreachable { .. })).await;
    rig.wish(Rig::accept(&question)).await;
    assert_eq!(rig.question(call, RequestState::Sending).await.id, question.id, "kept until it is back");
    rig.plug(addr).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    assert_eq!(rig.demo.journal().taken().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_may_change_its_wire() {
    let rig = Rig::new().await;
    let wire = || rig.read(|reads| reads.servers().unwrap()[0].0.wire);
    rig.demo.faults().set_legacy_only(true);
    rig.wish(Intent::Check(SERVER)).await;
    assert_eq!(wire().await, Some(Wire::Legacy));
    let call = rig.call("echo", r#"{"text":"x"}"#).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    // It learns.
    rig.demo.faults().set_legacy_only(false);
    rig.demo.lose_sessions().unwrap();
    rig.wish(Intent::Check(SERVER)).await;
    let call = rig.call("echo", r#"{"text":"x"}"#).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok), "trying is how we know");
    assert_eq!(wire().await, Some(Wire::Modern));
    assert!(matches!(rig.health().await, Health::Ok { .. }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_variable_that_is_not_set_is_named() {
    let rig = Rig::new().await;
    let name = "SIGNALBOX_NEVER_SET".to_owned();
    let env = vec![("MYV".to_owned(), Secret::Env { var: name.clone() })];
    let transport = Transport::Stdio { command: "cat".to_owned(), args: Vec::new(), env, cwd: None };
    rig.wish(Intent::PutServer(Server { id: SERVER, ..server(transport) })).await;
    rig.wish(Intent::Check(SERVER)).await;
    let Health::Unreachable { note, .. } = rig.health().await else { panic!("no connection") };
    assert_eq!((note.code, note.reason), (NoteCode::SecretMissing, Reason::VariableNotSet { name }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_that_is_not_there_has_its_own_word() {
    let rig = Rig::new().await;
    let secret = Secret::File { path: rig.dir.path().join("token").to_str().unwrap().to_owned() };
    let url = rig.http.as_ref().unwrap().url();
    let transport = Transport::Http { url, headers: vec![("X-Token".to_owned(), secret)] };
    let mut changed = server(transport);
    changed.id = SERVER;
    rig.wish(Intent::PutServer(changed)).await;
    rig.wish(Intent::Check(SERVER)).await;
    let Health::Unreachable { note, .. } = rig.health().await else { panic!("no connection") };
    assert_eq!(note.code, NoteCode::SecretMissing);
    let call = rig.call("echo", r#"{"text":"x"}"#).await;
    assert_eq!(rig.ended(call).await.note.unwrap().code, NoteCode::SecretMissing);
    std::fs::write(rig.dir.path().join("token"), "s3cret\n").unwrap();
    let call = rig.call("echo", r#"{"text":"x"}"#).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok), "as soon as it is there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_answer_to_a_call_is_not_asked_for_again() {
    let rig = Rig::new().await;
    for (n, fault) in [Fault::Cut, Fault::Garbage, Fault::HtmlPage].into_iter().enumerate() {
        rig.demo.faults().next(1, "tools/call", fault.clone());
        let call = rig.call("echo", r#"{"text":"x"}"#).await;
        assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Unknown), "{fault:?}: the tool has run");
        assert_eq!(rig.requests("tools/call"), n + 1, "{fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_update_is_sent_again_only_while_it_is_asked_for() {
    for (fault, updates) in [(Fault::Cut, 1), (Fault::Refuse { status: 502, retry_after: None }, 2)] {
        let rig = Rig::new().await;
        let call = rig.call("deploy", r#"{"service":"api"}"#).await;
        let question = rig.question(call, RequestState::Open).await;
        rig.demo.faults().next(1, "tasks/update", fault.clone());
        rig.wish(Rig::accept(&question)).await;
        assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok), "{fault:?}");
        assert_eq!(rig.demo.journal().taken().len(), 1, "{fault:?}");
        assert_eq!(rig.requests("tasks/update"), updates, "{fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_the_server_forgot_is_lost() {
    let rig = Rig::new().await;
    let call = rig.call("forever", "{}").await;
    let handle = rig.handle(call).await;
    assert!(rig.demo.forget(&handle).unwrap());
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Lost));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_given_up_ends_its_request() {
    let rig = Rig::new().await;
    rig.wish(Intent::Check(SERVER)).await;
    let gate = rig.demo.faults().hold("tools/call");
    let call = rig.call("slow_plain", "{}").await;
    patiently(gate.reached(1)).await;
    rig.cancel(call).await;
    assert_eq!(rig.row(call).await.outcome, None, "it may be about to give us a handle");
    rig.cancel(call).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Cancelled));
    let gone = |entries: &[signalbox_demo::JournalEntry]| {
        entries.iter().any(|entry| matches!(entry, signalbox_demo::JournalEntry::Abandoned { .. }))
    };
    patiently(rig.demo.journal().until(gone)).await;
}
