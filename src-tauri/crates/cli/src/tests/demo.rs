//! `demo start` and `demo remove`.

use signalbox_api::{ApiError, Code, Command, Reply, ServerView, command};
use signalbox_model::CallId;

use super::Trial;
use super::desk::{Scripted, World, stdio};
use crate::exit::Exit;

/// A desk where the demo is at work from the first start on.
fn desk() -> Scripted {
    let mut is_at_work = false;
    Scripted::new(World::default(), move |_, command| match command {
        Command::StartDemo(_) => {
            let calls = if is_at_work { Vec::new() } else { vec![CallId(1), CallId(2)] };
            is_at_work = true;
            let server = ServerView { name: "demo 2".into(), demo: true, ..stdio() };
            Ok(Reply::DemoStarted(command::DemoStarted { server, calls }))
        }
        Command::RemoveDemo(_) => {
            Ok(Reply::DemoRemoved(command::DemoRemoved { tasks: if is_at_work { 2 } else { 0 } }))
        }
        other => Err(ApiError::new(Code::Internal, format!("not in the script: {other:?}"))),
    })
}

#[tokio::test]
async fn a_start_says_under_which_name_and_what_comes_next() {
    let (desk, trial) = (desk(), Trial::text());
    assert_eq!(trial.run(&desk, &["demo", "start"]).await.unwrap(), Exit::Done);
    assert_eq!(
        trial.out.text(),
        "The demo server \"demo 2\" is at work. `signalbox inbox` shows its question, a few seconds after its start.\n"
    );
    assert!(trial.err.text().is_empty(), "somebody else owns the directory, and follows it");
    let again = Trial::text();
    again.run(&desk, &["demo", "start"]).await.unwrap();
    assert_eq!(
        again.out.text(),
        "The demo server \"demo 2\" is at work already. `signalbox inbox` shows its question, a few seconds after its \
         start.\n"
    );
}

#[tokio::test]
async fn a_start_without_an_owner_says_that_nobody_follows() {
    let trial = Trial::text().owner();
    trial.run(&desk(), &["demo", "start"]).await.unwrap();
    assert!(trial.err.text().contains("signalbox serve"), "{}", trial.err.text());
}

#[tokio::test]
async fn documents_say_what_was_started_and_what_went() {
    let (desk, trial) = (desk(), Trial::json());
    trial.run(&desk, &["demo", "start"]).await.unwrap();
    let document = trial.document();
    assert_eq!(
        (&document["server"]["name"], &document["started"]),
        (&"demo 2".into(), &serde_json::json!(["t1", "t2"]))
    );
    let trial = Trial::json();
    assert_eq!(trial.run(&desk, &["demo", "remove"]).await.unwrap(), Exit::Done);
    assert_eq!(trial.document(), serde_json::json!({ "removed": { "tasks": 2 } }));
}

#[tokio::test]
async fn removing_says_what_went_also_where_there_was_nothing() {
    let empty = Trial::text();
    assert_eq!(empty.run(&desk(), &["demo", "remove"]).await.unwrap(), Exit::Done);
    assert_eq!(empty.out.text(), "Nothing of the demo is left.\n");
    let (desk, trial) = (desk(), Trial::text());
    Trial::text().run(&desk, &["demo", "start"]).await.unwrap();
    trial.run(&desk, &["demo", "remove"]).await.unwrap();
    assert_eq!(trial.out.text(), "Nothing of the demo is left. 2 tasks went with it.\n");
}

#[tokio::test(start_paused = true)]
async fn a_demo_server_ends_in_its_time() {
    let trial = Trial::text();
    let line = ["--timeout", "3600", "demo", "http"];
    assert_eq!(crate::run::run(&trial.console, super::args(&line)).await, Exit::TimedOut);
    assert!(trial.err.text().contains("listens on"), "{}", trial.err.text());
}
