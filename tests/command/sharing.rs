//! One data directory, one owner; others are its guests, and take over when it leaves.

use signalbox_demo::{Demo, JournalEntry, Speed, Wires};
use signalbox_tests::{Stage, said, soon, text};

#[tokio::test]
async fn a_second_serve_says_who_is_there() {
    let stage = Stage::served().await;
    let failure = stage.machine.run(&["serve"]).await.failure(7, "storage_in_use");
    let pid = stage.owner.as_ref().unwrap().pid().to_string();
    assert!(text(&failure, "message").contains(&pid), "{failure}");
    let done = stage.machine.run_plain(&["serve", "--tray", "--unless-owned"]).await.exits(0);
    assert!(done.stderr.contains(&pid), "it says why there is nothing to do: {done}");
}

#[tokio::test]
async fn a_serve_that_is_wanted_unless_there_is_one_follows_where_there_is_none() {
    let machine = signalbox_tests::Machine::new();
    let mut serve = machine.start(&["serve", "--unless-owned"]);
    assert_eq!(serve.line().await.expect("it owns the data directory")["ready"], true);
    let _ = serve.terminate().await.exits(0);
}

#[tokio::test]
async fn serve_waits_for_a_command_and_takes_over() {
    let stage = Stage::alone().await;
    let named = stage.start("forever", "{}").await;
    let other = stage.start("forever", "{}").await;
    let mut watch = stage.machine.start(&["watch", text(&named, "id")]);
    watch.line().await.expect("the command owns the data directory by now");

    let mut serve = stage.machine.start(&["serve"]);
    // The command follows everything for as long as somebody waits for that.
    let handle = text(&other, "taskId");
    let looked = |entry: &JournalEntry| matches!(entry, JournalEntry::Request { method, params, .. } if method == "tasks/get" && params["taskId"] == handle);
    let before = stage.demo.journal().entries().iter().filter(|entry| looked(entry)).count();
    let again = |entries: &[JournalEntry]| entries.iter().filter(|entry| looked(entry)).count() > before;
    soon("a look at the task that nobody named", stage.demo.journal().until(again)).await;

    let _ = watch.interrupt().await.exits(130);
    let ready = serve.line().await.expect("serve takes over");
    assert_eq!(ready["ready"], true, "{ready}");
    let done = serve.terminate().await.exits(0);
    assert!(done.stderr.contains("waiting for another command to finish"), "it says why it waits: {done}");
}

#[tokio::test]
async fn a_serve_that_waits_can_be_stopped() {
    let stage = Stage::alone().await;
    let task = stage.start("forever", "{}").await;
    let mut watch = stage.machine.start(&["watch", text(&task, "id")]);
    watch.line().await.expect("the command owns the data directory by now");
    let _ = stage.machine.run(&["serve", "--timeout", "0.5"]).await.exits(8);
    let _ = watch.interrupt().await.exits(130);
}

#[tokio::test]
async fn serve_ends_well_when_it_is_told_to() {
    let mut stage = Stage::served().await;
    let _ = stage.owner.take().unwrap().terminate().await.exits(0);
    stage.owner = Some(stage.machine.serve().await);
    let _ = stage.owner.take().unwrap().interrupt().await.exits(0);
    let _ = stage.machine.run(&["serve", "--timeout", "0.1"]).await.exits(8);
}

#[cfg(unix)]
#[tokio::test]
async fn a_window_can_end_serve_and_nobody_else() {
    let stage = Stage::served().await;
    let home = signalbox_api::Home::at(&stage.machine.data()).unwrap();
    signalbox_api::dismiss(&home).await.unwrap();
    let done = stage.owner.unwrap().end().await.exits(0);
    assert_eq!(done.stderr.matches("panicked").count(), 0, "it left with care: {done}");
    signalbox_api::dismiss(&home).await.expect("there is nobody to end any more");
    let own = signalbox_api::open(&home, signalbox_api::OwnerKind::Window).await.unwrap();
    let refused = signalbox_api::dismiss(&home).await.unwrap_err();
    assert_eq!(refused.code, signalbox_api::Code::NotPossible, "a window is its person's to close");
    own.close().await;
}

#[tokio::test]
async fn a_guest_takes_over_when_the_owner_dies() {
    let mut stage = Stage::served().await;
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let mut watch = stage.machine.start(&["watch", text(&asked, "id")]);
    let before = watch.line().await.unwrap()["epoch"].as_u64().unwrap();
    stage.owner.take().unwrap().kill().await;
    // Whoever answers now finds the watcher as the owner, or becomes it.
    let answer = ["answer", text(&asked["inputRequests"][0], "id"), "--decline"];
    let _ = stage.machine.run(&answer).await.ok();
    let ended = watch.until("the end", |line| line["task"]["outcome"] == "ok").await;
    assert!(ended["epoch"].as_u64().unwrap() > before, "a new owner, a new epoch: {ended}");
    let _ = watch.end().await.exits(0);
    assert_eq!(stage.demo.taken("approval").len(), 1);
}

#[tokio::test]
async fn an_owner_stays_for_the_calls_of_its_guests() {
    let stage = Stage::alone().await;
    let forever = stage.start("forever", "{}").await;
    let mut owner = stage.machine.start(&["watch", text(&forever, "id")]);
    let _ = owner.line().await.unwrap();
    let gate = stage.demo.faults().hold_reply("tools/call");
    let guest = stage.machine.start(&["call", "demo", "echo", "--args", r#"{"text":"for me"}"#]);
    stage.demo.held(&gate, 1).await;
    let _ = stage.machine.run(&["cancel", text(&forever, "id")]).await.ok();
    let stays = owner.says("that it stays", |line| line.contains("tool calls that wait")).await;
    assert!(stays.contains("Ctrl-C"), "with a way out: {stays}");
    gate.open();
    assert_eq!(said(&guest.end().await.ok()), "for me");
    let _ = owner.end().await.exits(1);
}

#[tokio::test]
async fn an_owner_does_not_stay_for_a_call_that_waits_for_its_person() {
    let stage = Stage::of(Demo::builder().speed(Speed::INSTANT).wires(Wires::Legacy)).await;
    let line = ["call", "demo", "confirm", "--args", r#"{"volume":"tank"}"#, "--no-input"];
    let asked = stage.machine.run(&line).await.exits(3).document();
    assert_eq!(asked["inputRequests"][0]["identity"]["kind"], "wire", "{asked}");
}

#[tokio::test]
async fn commands_one_after_the_other_need_no_owner_between_them() {
    let stage = Stage::alone().await;
    let task = stage.start("build", "{}").await;
    let polls = stage.demo.journal().requests("tasks/get").len();
    let _ = stage.machine.run(&["server", "list"]).await.ok();
    assert_eq!(
        stage.demo.journal().requests("tasks/get").len(),
        polls,
        "a command polls at what it names and at nothing else"
    );
    let _ = stage.machine.run(&["watch", text(&task, "id")]).await.exits(0);
    assert!(
        !stage
            .machine
            .path("run")
            .join("signalbox")
            .read_dir()
            .unwrap()
            .any(|entry| { entry.unwrap().file_name().to_string_lossy().ends_with(".sock") }),
        "nobody's socket is left"
    );
}

#[tokio::test]
async fn a_data_directory_is_named_by_flag_or_environment() {
    let stage = Stage::alone().await;
    let other = stage.machine.path("other home");
    let flag = ["server", "list", "--home", other.to_str().unwrap()];
    assert_eq!(stage.machine.run(&flag).await.ok()["servers"].as_array().unwrap().len(), 0, "the flag wins");
    let listed = stage.machine.run(&["server", "list"]).await.ok();
    assert_eq!(listed["servers"].as_array().unwrap().len(), 1, "$SIGNALBOX_HOME");
    let machine = stage.machine.with("SIGNALBOX_HOME", "");
    assert_eq!(machine.run(&["server", "list"]).await.ok()["servers"].as_array().unwrap().len(), 0);
    let platform = machine.path("share").join("signalbox/signalbox.db");
    assert!(platform.is_file(), "the platform's place for such data: {}", platform.display());
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_kept_is_readable_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;

    let stage = Stage::alone().await;
    let machine = signalbox_tests::Machine::untouched();
    machine.add("demo", &stage.demo.url()).await;
    let mut folders = vec![machine.data()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        let mode = folder.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{} is open to others", folder.display());
        for entry in folder.read_dir().unwrap() {
            let (path, meta) = entry.map(|entry| (entry.path(), entry.metadata().unwrap())).unwrap();
            if meta.is_dir() {
                folders.push(path);
            } else {
                seen += 1;
                assert_eq!(meta.permissions().mode() & 0o077, 0, "{} is open to others", path.display());
            }
        }
    }
    assert!(seen > 1, "there are files to look at");
}
