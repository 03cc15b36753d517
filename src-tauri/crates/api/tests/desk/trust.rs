//! A program that nobody has confirmed, such as one that was salvaged.

use std::{path::Path, sync::mpsc, time::Duration};

use signalbox_api::{
    Code, Command, Desk, Home, NewTransport, OwnerKind, Reply, ServerView, View, ViewData, open,
};
use signalbox_model::{Health, Json, Server, ServerId, Transport};
use signalbox_store::{Batch, BatchKind, Store, Write};

/// Leaves a mark where it was started.
fn marking(mark: &Path) -> (String, Vec<String>) {
    ("sh".to_owned(), vec!["-c".to_owned(), format!("echo started >> '{}'", mark.display())])
}

fn keep(home: &Home, server: Server) {
    let store = Store::open(home.dir()).unwrap();
    let (done, committed) = mpsc::channel();
    let done = Box::new(move |result| done.send(result).unwrap());
    store.submit(Batch { writes: vec![Write::PutServer(server)], kind: BatchKind::Intent, done }).unwrap();
    committed.recv().unwrap().unwrap();
    store.close();
}

async fn only(desk: &dyn Desk) -> ServerView {
    match desk.changes(View::Overview, None, Duration::ZERO).await.unwrap().data {
        Some(ViewData::Overview { mut overview }) => overview.servers.pop().unwrap(),
        other => panic!("an overview was asked for: {other:?}"),
    }
}

async fn refused(desk: &dyn Desk, command: Command) {
    let error = desk.call(command).await.unwrap_err();
    assert_eq!(error.code, Code::NotTrusted, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_runs_after_what_was_shown_was_confirmed_and_not_before() {
    let dir = tempfile::tempdir().unwrap();
    let (home, mark) = (Home::at(&dir.path().join("home")).unwrap(), dir.path().join("mark"));
    let (command, args) = marking(&mark);
    let transport = Transport::Stdio { command, args, env: Vec::new(), cwd: None };
    keep(&home, Server { trusted: false, ..Server::new(ServerId(1), "local", transport.clone()) });
    let opened = open(&home, OwnerKind::Serve).await.unwrap();
    let (desk, server) = (&*opened.desk(), || "local".to_owned());

    let Reply::Check { check } = desk.call(Command::CheckServer { server: server() }).await.unwrap() else {
        panic!("a check reports")
    };
    assert!(!check.server.trusted);
    assert!(
        matches!(&check.server.health, Health::Unusable { code, message, .. }
            if code == "not_trusted" && message.contains("echo started")),
        "what would be run: {:?}",
        check.server.health
    );
    let arguments = || Json::parse("{}").unwrap();
    refused(desk, Command::Tools { server: server() }).await;
    let start = Command::Start { server: server(), tool: "x".into(), arguments: arguments(), ttl_ms: None };
    refused(desk, start).await;
    refused(desk, Command::Track { server: server(), task_id: "x".into() }).await;
    let renamed = Command::RenameServer { server: server(), name: "other".into() };
    desk.call(renamed).await.unwrap();
    assert!(!only(desk).await.trusted, "a new name is no confirmation");
    let shown = Transport::Stdio { command: "sh".into(), args: vec![], env: vec![], cwd: None };
    refused(desk, Command::TrustServer { server: "other".into(), shown }).await;
    assert!(
        !only(desk).await.trusted && !mark.exists(),
        "what was shown is another command: it has never run"
    );

    desk.call(Command::TrustServer { server: "other".into(), shown: transport }).await.unwrap();
    let confirmed = only(desk).await;
    assert_eq!((confirmed.trusted, confirmed.health), (true, Health::UNKNOWN));
    desk.call(Command::CheckServer { server: "other".into() }).await.unwrap();
    assert!(mark.exists(), "now it runs");
    opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typing_a_command_is_consent_to_it() {
    let dir = tempfile::tempdir().unwrap();
    let (home, mark) = (Home::at(&dir.path().join("home")).unwrap(), dir.path().join("mark"));
    let old = Transport::Stdio { command: "false".into(), args: Vec::new(), env: Vec::new(), cwd: None };
    keep(&home, Server { trusted: false, ..Server::new(ServerId(1), "local", old) });
    let opened = open(&home, OwnerKind::Serve).await.unwrap();
    let desk = &*opened.desk();
    let (command, args) = marking(&mark);
    let transport = NewTransport::Stdio { command, args, env: Vec::new(), cwd: None };
    desk.call(Command::EditServer { server: "local".into(), transport: transport.clone() }).await.unwrap();
    assert!(only(desk).await.trusted);
    desk.call(Command::CheckServer { server: "local".into() }).await.unwrap();
    assert!(mark.exists());
    desk.call(Command::RemoveServer { server: "local".into() }).await.unwrap();
    desk.call(Command::AddServer { name: "new".into(), transport, untrusted: false }).await.unwrap();
    assert!(only(desk).await.trusted);
    opened.close().await;
}
