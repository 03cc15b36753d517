//! A program that nobody has confirmed, such as one that was salvaged.

use std::{path::Path, sync::mpsc, time::Duration};

use signalbox_api::{
    Code, Desk, DeskExt as _, Detail, Home, NewSecret, NewTransport, OwnerKind, ServerView, View, ViewData,
    command::{self, Act},
    open, words,
};
use signalbox_model::{Health, Json, NoteCode, Secret, Server, ServerId, Transport};
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
    all(desk).await.pop().unwrap()
}

pub(super) async fn all(desk: &dyn Desk) -> Vec<ServerView> {
    match desk.changes(View::Overview, None, Duration::ZERO).await.unwrap().data {
        Some(ViewData::Overview { change }) => change.after(None).unwrap().servers,
        other => panic!("an overview was asked for: {other:?}"),
    }
}

async fn refused(desk: &dyn Desk, act: impl Act) {
    let error = desk.act(act).await.err().expect("it must be refused");
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

    let check = desk.act(command::CheckServer { server: server() }).await.unwrap();
    assert!(!check.server.trusted);
    assert!(
        matches!(&check.server.health, Health::Unusable { note, .. }
            if note.code == NoteCode::NotTrusted && words::note(note).contains("echo started")),
        "what would be run: {:?}",
        check.server.health
    );
    let arguments = || Json::parse("{}").unwrap();
    refused(desk, command::Tools { server: server() }).await;
    let start = command::Start { server: server(), tool: "x".into(), arguments: arguments(), ttl_ms: None };
    refused(desk, start).await;
    refused(desk, command::Track { server: server(), task_id: "x".into() }).await;
    let renamed = command::RenameServer { server: server(), name: "other".into() };
    desk.act(renamed).await.unwrap();
    assert!(!only(desk).await.trusted, "a new name is no confirmation");
    let shown = Transport::Stdio { command: "sh".into(), args: vec![], env: vec![], cwd: None };
    refused(desk, command::TrustServer { server: "other".into(), shown }).await;
    assert!(
        !only(desk).await.trusted && !mark.exists(),
        "what was shown is another command: it has never run"
    );

    desk.act(command::TrustServer { server: "other".into(), shown: transport }).await.unwrap();
    let confirmed = only(desk).await;
    assert_eq!((confirmed.trusted, confirmed.health), (true, Health::UNKNOWN));
    desk.act(command::CheckServer { server: "other".into() }).await.unwrap();
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
    let edit = |untrusted| command::EditServer {
        server: "local".into(),
        transport: transport.clone(),
        untrusted,
        shown: None,
    };
    desk.act(edit(true)).await.unwrap();
    assert!(!only(desk).await.trusted, "not all of it was typed");
    desk.act(edit(false)).await.unwrap();
    assert!(only(desk).await.trusted);
    desk.act(edit(true)).await.unwrap();
    assert!(only(desk).await.trusted, "what was confirmed stays so");
    desk.act(command::CheckServer { server: "local".into() }).await.unwrap();
    assert!(mark.exists());
    desk.act(command::RemoveServer { server: "local".into() }).await.unwrap();
    desk.act(command::AddServer { name: "new".into(), transport, untrusted: false }).await.unwrap();
    assert!(only(desk).await.trusted);
    opened.close().await;
}

fn program(mark: &Path, env: Vec<(String, NewSecret)>) -> NewTransport {
    let script = format!("echo \"$MODE\" >> '{}'", mark.display());
    NewTransport::Stdio { command: "sh".into(), args: vec!["-c".into(), script], env, cwd: None }
}

fn plain(name: &str, value: &str, sure: bool) -> (String, NewSecret) {
    (name.to_owned(), NewSecret::Plain { value: value.to_owned(), sure })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_variable_is_kept_shown_and_given_and_part_of_what_is_confirmed() {
    let dir = tempfile::tempdir().unwrap();
    let (home, mark) = (Home::at(&dir.path().join("home")).unwrap(), dir.path().join("mark"));
    let opened = open(&home, OwnerKind::Serve).await.unwrap();
    let desk = &*opened.desk();
    let add = |env, untrusted| command::AddServer {
        name: "local".into(),
        transport: program(&mark, env),
        untrusted,
    };
    let refused = desk.act(add(vec![plain("API_KEY", "x", false)], false)).await.unwrap_err();
    assert_eq!(refused.code, Code::Usage, "a name that sounds like a secret takes a second word: {refused}");
    assert_eq!(refused.detail, Some(Detail::Values(vec!["API_KEY".into()])));
    let long = "x".repeat(32 * 1024 + 1);
    assert_eq!(desk.act(add(vec![plain("A", &long, false)], false)).await.unwrap_err().code, Code::Usage);

    let env = vec![plain("MODE", "/lib/évil.so", false), plain("MY_KEY", "known", true)];
    desk.act(add(env, true)).await.unwrap();
    let server = only(desk).await;
    let Transport::Stdio { env, .. } = &server.transport else { panic!("it is a program") };
    assert_eq!(env[0].1, Secret::Plain { value: "/lib/évil.so".into() }, "no keychain is needed for it");
    let Health::Unusable { note, .. } = &server.health else { panic!("it waits for consent: {server:?}") };
    let message = words::note(note);
    assert!(message.contains(r#""MODE" = "/lib/évil.so""#), "its value is shown before trust: {message}");

    let Transport::Stdio { command, args, cwd, .. } = server.transport.clone() else {
        panic!("it is a program")
    };
    let other = vec![("MODE".to_owned(), Secret::Plain { value: "/lib/fine.so".into() }), env[1].clone()];
    let shown = Transport::Stdio { command, args, env: other, cwd };
    refused_trust(desk, shown).await;
    desk.act(command::TrustServer { server: "local".into(), shown: server.transport }).await.unwrap();
    desk.act(command::CheckServer { server: "local".into() }).await.unwrap();
    assert!(std::fs::read_to_string(&mark).unwrap().starts_with("/lib/évil.so"), "the program gets it");
    opened.close().await;

    let opened = open(&home, OwnerKind::Serve).await.unwrap();
    let Transport::Stdio { env, .. } = only(&*opened.desk()).await.transport else {
        panic!("it is a program")
    };
    assert_eq!(env[0].1, Secret::Plain { value: "/lib/évil.so".into() }, "it is kept with the server");
    opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variable_that_is_passed_is_no_consent_and_part_of_what_is_confirmed() {
    let dir = tempfile::tempdir().unwrap();
    let (home, mark) = (Home::at(&dir.path().join("home")).unwrap(), dir.path().join("mark"));
    let opened = open(&home, OwnerKind::Serve).await.unwrap();
    let desk = &*opened.desk();
    let transport = program(&mark, vec![plain("MODE", "fast", false)]);
    desk.act(command::AddServer { name: "local".into(), transport, untrusted: true }).await.unwrap();
    let before = only(desk).await.transport;
    let pass = |names: &[&str]| command::PassVariables {
        server: "local".into(),
        names: names.iter().map(|&name| name.to_owned()).collect(),
    };
    for bad in ["", "A=b", "A\0"] {
        assert_eq!(desk.act(pass(&[bad])).await.unwrap_err().code, Code::Usage, "{bad:?}");
    }
    desk.act(pass(&["PYTHONPATH", "PYTHONPATH"])).await.unwrap();
    let server = only(desk).await;
    assert!(!server.trusted, "nobody has seen its command");
    let Transport::Stdio { env, .. } = &server.transport else { panic!("it is a program") };
    let passed = ("PYTHONPATH".to_owned(), Secret::Env { var: "PYTHONPATH".into() });
    assert_eq!(env[1..], [passed], "once, beside what it had");
    refused_trust(desk, before).await;
    desk.act(command::TrustServer { server: "local".into(), shown: server.transport }).await.unwrap();
    desk.act(pass(&["LANGUAGE"])).await.unwrap();
    assert!(only(desk).await.trusted, "who passes a variable of their own has not said another command");
    opened.close().await;
}

async fn refused_trust(desk: &dyn Desk, shown: Transport) {
    refused(desk, command::TrustServer { server: "local".into(), shown }).await;
    assert!(!only(desk).await.trusted, "another value is another command");
}
