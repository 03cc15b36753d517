//! `quit`: says what stops, and ends whoever follows everything.

use std::process::Stdio;

use signalbox_demo::{Demo, Speed, Wires};
use signalbox_tests::{Machine, Stage, example, soon, text};
use tokio::io::{AsyncBufReadExt as _, BufReader};

#[tokio::test]
async fn what_stops_is_said_and_needs_a_yes() {
    let mut stage = Stage::served().await;
    let serve = stage.owner.take().unwrap();
    let _ = stage.start("forever", "{}").await;

    let refused = stage.machine.run(&["quit"]).await;
    assert!(refused.stderr.contains("1 task goes on at its server"), "{refused}");
    let failure = refused.failure(3, "input_needed");
    assert!(text(&failure, "message").contains("--yes"), "{failure}");

    let pid = serve.pid();
    let ended = stage.machine.run(&["quit", "--yes"]).await.ok();
    assert_eq!((&ended["ended"], &ended["pid"]), (&true.into(), &pid.into()), "{ended}");
    assert_eq!(ended["stops"]["unfollowed"], 1, "{ended}");
    let _ = serve.end().await.exits(0);
    stage.serve().await;
    assert_ne!(stage.owner.as_ref().unwrap().pid(), pid, "the data directory was free");
}

#[tokio::test]
async fn where_nothing_stops_nobody_is_asked() {
    let mut stage = Stage::served().await;
    let serve = stage.owner.take().unwrap();
    let ended = stage.machine.run(&["quit"]).await.ok();
    assert_eq!(ended["ended"], true, "{ended}");
    let _ = serve.end().await.exits(0);
}

#[tokio::test]
async fn where_nobody_owns_it_says_so() {
    let machine = Machine::untouched();
    let done = machine.run_plain(&["quit"]).await.exits(0);
    assert!(done.stderr.contains("Signalbox is not running"), "{done}");
    assert_eq!(machine.run(&["quit", "--yes"]).await.ok()["ended"], false);
}

#[tokio::test]
async fn a_command_is_left_to_its_end() {
    let stage = Stage::alone().await;
    let task = stage.start("forever", "{}").await;
    let mut watch = stage.machine.start(&["watch", text(&task, "id")]);
    watch.line().await.expect("the command owns the data directory by now");
    let done = stage.machine.run(&["quit", "--yes"]).await;
    assert!(done.stderr.contains("a command"), "{done}");
    assert_eq!(done.ok()["ended"], false);
    let _ = watch.interrupt().await.exits(130);
}

#[cfg(unix)]
#[tokio::test]
async fn one_of_another_version_is_ended_although_it_can_be_asked_nothing() {
    let machine = Machine::untouched();
    let mut command = machine.command(&example("other-version"));
    command.arg(machine.data()).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut other = command.spawn().unwrap();
    let mut lines = BufReader::new(other.stdout.take().unwrap()).lines();
    assert_eq!(soon("that it owns it", lines.next_line()).await.unwrap().as_deref(), Some("ready"));

    let refused = machine.run(&["quit"]).await;
    assert!(refused.stderr.contains("It cannot be asked what would stop"), "{refused}");
    let _ = refused.failure(3, "input_needed");
    assert!(other.try_wait().unwrap().is_none(), "nobody agreed to that");
    assert_eq!(machine.run(&["quit", "--yes"]).await.ok()["ended"], true);
    let _ = soon("its end", other.wait()).await.unwrap();
    assert_eq!(machine.run(&["quit"]).await.ok()["ended"], false, "the data directory is free");
}

/// It has a question, but no task: the question goes with the connection.
#[tokio::test]
async fn a_call_that_waits_on_its_connection_is_lost_with_its_question() {
    let mut stage = Stage::of(Demo::builder().speed(Speed::INSTANT).wires(Wires::Legacy)).await;
    stage.serve().await;
    let serve = stage.owner.take().unwrap();
    let call = stage.asks("confirm", r#"{"volume":"tank"}"#).await;

    let refused = stage.machine.run(&["quit"]).await;
    assert!(refused.stderr.contains("1 call waits for its answer"), "{refused}");
    let _ = refused.failure(3, "input_needed");
    let ended = stage.machine.run(&["quit", "--yes"]).await.ok();
    assert_eq!(
        (&ended["stops"]["unknown"], &ended["stops"]["unfollowed"]),
        (&1.into(), &0.into()),
        "{ended}"
    );
    let _ = serve.end().await.exits(0);
    let after = stage.machine.run(&["show", text(&call, "id")]).await.ok();
    assert_eq!(after["outcome"], "unknown", "as was said: {after}");
}
