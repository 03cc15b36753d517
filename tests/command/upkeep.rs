//! Looking after what is kept: `export`, `verify`, `backup`, `restore`, `salvage`, `doctor`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use signalbox_demo::Fault;
use signalbox_store::Digest;
use signalbox_tests::{Machine, Stage, text};

const YES: &str = r#"{"approved":true,"rollout":"gradual"}"#;

/// A task from call to question to answer to result; its document.
async fn deployed(stage: &Stage) -> Value {
    let asked = stage.asks("deploy", r#"{"service":"=cmd()","version":"2.1"}"#).await;
    let request = text(&asked["inputRequests"][0], "id");
    let _ = stage.machine.run(&["answer", request, "--accept", "--content", YES]).await.ok();
    stage.ends_well(text(&asked, "id")).await
}

#[tokio::test]
async fn everything_is_exported_and_no_handle_unless_asked_for() {
    for stage in Stage::both().await {
        let task = deployed(&stage).await;
        let done = stage.machine.run(&["export"]).await.exits(0);
        assert!(
            !done.stdout.contains(text(&task, "taskId")),
            "who has a handle can read and cancel the task: {done}"
        );
        let lines = done.documents();
        let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).collect::<Vec<_>>();
        let kinds: BTreeSet<&str> = lines.iter().map(|line| text(line, "kind")).collect();
        assert_eq!(kinds, BTreeSet::from(["answer", "decision", "request", "task"]));
        assert_eq!(of("task")[0]["result"], task["result"], "results as they came");
        assert_eq!(of("task")[0]["arguments"]["service"], "=cmd()");
        assert_eq!(of("answer")[0]["content"]["rollout"], "gradual");
        assert_eq!(of("request")[0]["state"], "answered");
        assert_eq!(of("decision")[0]["entry"]["kind"], "called");

        let one =
            stage.machine.run(&["export", "--what", "tasks", "--with-handles"]).await.exits(0).documents();
        assert_eq!((one.len(), &one[0]["taskId"]), (1, &task["taskId"]), "asked for, they are there");
    }
}

#[tokio::test]
async fn a_table_has_a_head_and_no_formulas() {
    let stage = Stage::served().await;
    let _ = deployed(&stage).await;
    let _ = stage.machine.run(&["server", "rename", "demo", "=1+1"]).await.ok();
    let table = ["export", "--format", "csv"];
    let _ = stage.machine.run(&table).await.failure(2, "usage");
    for (what, head, rows) in
        [("tasks", "id,server,", 1), ("answers", "request,task,", 1), ("decisions", "n,at,", 4)]
    {
        let done = stage.machine.run(&[table.as_slice(), &["--what", what]].concat()).await.exits(0);
        assert!(done.stdout.starts_with(head), "{done}");
        assert!(done.stdout.lines().count() > rows, "{done}");
        assert!(!done.stdout.contains(",=1+1"), "a spreadsheet would run it: {done}");
    }
}

#[tokio::test]
async fn an_export_goes_into_a_new_file_for_us_alone() {
    let stage = Stage::alone().await;
    let _ = deployed(&stage).await;
    let file = stage.machine.path("all.jsonl");
    let export = ["export", "--out", file.to_str().unwrap()];
    let done = stage.machine.run(&export).await.ok();
    let written = fs::read_to_string(&file).unwrap();
    assert_eq!(done["exported"]["lines"], written.lines().count());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    let _ = stage.machine.run(&export).await.failure(2, "usage");
    assert_eq!(fs::read_to_string(&file).unwrap(), written, "nothing is ever overwritten");
    let nowhere = stage.machine.path("missing/all.jsonl");
    let _ = stage.machine.run(&["export", "--out", nowhere.to_str().unwrap()]).await.failure(2, "usage");
}

#[tokio::test]
async fn the_log_of_decisions_is_verified_where_it_is_and_where_it_was_sent() {
    for stage in Stage::both().await {
        let _ = deployed(&stage).await;
        let verified = stage.machine.run(&["verify"]).await.ok();
        assert_eq!((&verified["count"], &verified["answers"]), (&0.into(), &1.into()), "{verified}");
        let entries = verified["entries"].as_u64().unwrap();
        assert!(entries >= 4, "called, answered, sent, acknowledged: {verified}");

        let file = stage.machine.path("all.jsonl");
        let _ = stage.machine.run(&["export", "--out", file.to_str().unwrap()]).await.ok();
        let elsewhere = Machine::untouched();
        let of_file = ["verify", file.to_str().unwrap()];
        assert_eq!(elsewhere.run(&of_file).await.ok()["entries"], entries, "without the data directory");

        let honest = fs::read_to_string(&file).unwrap();
        fs::write(&file, honest.replacen(r#"\"gradual\""#, r#"\"all_at_once\""#, 1)).unwrap();
        let forged = elsewhere.run(&of_file).await.exits(1);
        let found = &forged.document()["findings"][0];
        assert!(found["entry"].is_u64(), "it is named: {found}");
        assert!(forged.stderr.contains("does not verify"), "{forged}");
        let shorter: Vec<&str> = honest.lines().filter(|line| !line.contains(r#""n":2,"#)).collect();
        fs::write(&file, shorter.join("\n")).unwrap();
        let cut = elsewhere.run(&of_file).await.exits(1).document();
        assert_eq!(cut["findings"][0]["entry"], 3, "what is missing shows at what follows: {cut}");

        fs::write(&file, format!("{honest}{}\n", of_tomorrow(&honest))).unwrap();
        let later = elsewhere.run(&of_file).await.exits(1).document();
        assert_eq!((&later["entries"], &later["count"]), (&(entries + 1).into(), &1.into()), "{later}");
        let found = &later["findings"][0];
        assert_eq!(found["entry"], entries + 1, "{found}");
        assert!(text(found, "message").contains("written by a later version"), "no damage: {found}");
    }
}

/// The next entry of an exported log, as a later version might seal it.
fn of_tomorrow(exported: &str) -> String {
    let mut lines = exported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let last = lines.rfind(|line| line["kind"] == "decision").unwrap();
    let (n, hash) = (last["entry"]["n"].as_u64().unwrap(), text(&last["entry"], "hash"));
    let members = format!(r#""n":{},"format":4,"by":"council""#, n + 1);
    let hash = Digest::of(format!("{hash}\n{{{members}}}"));
    format!(r#"{{"kind":"decision","entry":{{{members},"hash":"{hash}"}}}}"#)
}

#[tokio::test]
async fn a_log_that_was_changed_in_the_database_does_not_verify() {
    let stage = Stage::alone().await;
    let _ = deployed(&stage).await;
    let db = rusqlite::Connection::open(stage.machine.data().join("signalbox.db")).unwrap();
    db.execute_batch(
        "DROP TRIGGER decisions_never_change; UPDATE decisions SET actor = 'server' WHERE n = 2;",
    )
    .unwrap();
    db.close().unwrap();
    let forged = stage.machine.run(&["verify"]).await.exits(1).document();
    assert_eq!(forged["findings"][0]["entry"], 2, "{forged}");
    let doctor = stage.machine.run(&["doctor"]).await.exits(1).document();
    assert_eq!(check(&doctor, "decisions")["state"], "problem", "{doctor}");
}

#[tokio::test]
async fn a_backup_is_made_beside_the_owner_and_put_back_without_one() {
    let mut stage = Stage::served().await;
    let kept = deployed(&stage).await;
    let file = stage.machine.path("backup.db");
    let backup = ["backup", file.to_str().unwrap()];
    let made = stage.machine.run(&backup).await.ok();
    assert_eq!(made["backup"]["bytes"], file.metadata().unwrap().len());
    let _ = stage.machine.run(&backup).await.failure(2, "usage");

    let restore = ["restore", file.to_str().unwrap()];
    let failure = stage.machine.run(&restore).await.failure(7, "storage_in_use");
    let pid = stage.owner.as_ref().unwrap().pid().to_string();
    assert!(text(&failure, "message").contains(&pid), "who has it: {failure}");
    let _ = stage.machine.run(&["salvage"]).await.failure(7, "storage_in_use");

    let later = stage.start("echo", r#"{"text":"later"}"#).await;
    let _ = stage.owner.take().unwrap().terminate().await.exits(0);
    let restored = stage.machine.run(&restore).await.ok();
    assert!(
        restored["restored"]["logAdded"].as_u64() > Some(0),
        "what was decided since is kept: {restored}"
    );
    let aside = text(&restored["restored"], "aside").to_owned();
    assert!(
        Path::new(&aside).join("signalbox.db").is_file(),
        "what was there is moved, not deleted: {restored}"
    );
    assert_eq!(stage.machine.run(&["show", text(&kept, "id")]).await.ok()["result"], kept["result"]);
    let _ = stage.machine.run(&["show", text(&later, "id")]).await.failure(6, "unknown_item");
    let next = stage.start("echo", r#"{"text":"next"}"#).await;
    assert_ne!(next["id"], later["id"], "an id is never given out twice");
    for wrong in [["restore", "/no/such/file"], ["restore", "/"], ["backup", "/no/such/directory/b"]] {
        let _ = stage.machine.run(&wrong).await.failure(2, "usage");
    }
}

#[tokio::test]
async fn what_can_be_had_from_a_damaged_store_is_had() {
    let stage = Stage::alone().await;
    let kept = deployed(&stage).await;
    let db = stage.machine.data().join("signalbox.db");
    let mut bytes = fs::read(&db).unwrap();
    let last = bytes.len() - 4096..bytes.len();
    bytes[last].fill(0xa5);
    fs::write(&db, bytes).unwrap();
    let _ = stage.machine.run(&["tasks"]).await.failure(7, "storage_damaged");

    let doctor = stage.machine.run(&["doctor"]).await.exits(1).document();
    let store = check(&doctor, "store");
    assert_eq!(store["state"], "problem", "doctor works when nothing else does: {doctor}");
    assert!(text(store, "advice").contains("signalbox salvage"), "and says what to do: {store}");
    assert_eq!(check(&doctor, "free_space")["state"], "ok");

    let ended = stage.machine.run(&["salvage"]).await;
    let salvaged = ended.document();
    let tables = salvaged["salvaged"]["tables"].as_array().unwrap();
    assert!(tables.len() > 5, "{salvaged}");
    let all = tables.iter().all(|table| table["lost"] == 0);
    let _ = ended.exits(if all { 0 } else { 1 });
    assert!(Path::new(text(&salvaged["salvaged"], "aside")).is_dir(), "the damaged one is moved aside");
    let tasks = stage.machine.run(&["tasks"]).await.ok();
    assert!(tasks["tasks"].is_array(), "it opens again: {tasks}, with {}", kept["id"]);
}

#[tokio::test]
async fn a_store_that_lost_its_end_gives_its_tasks() {
    let stage = Stage::alone().await;
    for n in 0..30 {
        let _ = stage
            .machine
            .run(&["call", "demo", "echo", "--args", &format!(r#"{{"text":"{n}"}}"#)])
            .await
            .ok();
    }
    let db = stage.machine.data().join("signalbox.db");
    let bytes = fs::read(&db).unwrap();
    let left = &bytes[..bytes.len() / 100 * 99];
    fs::write(&db, left).unwrap();
    let _ = stage.machine.run(&["tasks"]).await.failure(7, "storage_damaged");
    let salvaged = stage.machine.run(&["salvage"]).await.document();
    let tasks = stage.machine.run(&["tasks"]).await.ok();
    assert_eq!(tasks["tasks"].as_array().unwrap().len(), 30, "{salvaged}");
    let aside = Path::new(text(&salvaged["salvaged"], "aside")).join("signalbox.db");
    assert!(fs::read(aside).unwrap() == left, "what was there is as it was");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn logs_lie_where_the_system_wants_them_but_for_a_directory_that_somebody_named() {
    use std::os::unix::fs::PermissionsExt as _;

    let machine = Machine::untouched().with("SIGNALBOX_HOME", "");
    let (usual, logs) = (machine.path("share/signalbox"), machine.path("state/signalbox/logs"));
    let doctor = machine.run(&["doctor"]).await.exits(0).document();
    assert!(logs.join("signalbox.log").is_file());
    assert_eq!(fs::metadata(&logs).unwrap().permissions().mode() & 0o777, 0o700, "ours alone");
    assert!(!usual.join("logs").exists());
    let named = machine.run(&["doctor", "--home", usual.to_str().unwrap()]).await.exits(0).document();
    for doctor in [doctor, named] {
        let said = text(check(&doctor, "logs"), "message");
        assert!(said.ends_with(&format!(" in {}", logs.display())), "one directory, one log: {said}");
    }
    let other = machine.path("other");
    drop(machine.run(&["doctor", "--home", other.to_str().unwrap()]).await.exits(0));
    assert!(other.join("logs/signalbox.log").is_file(), "all of it is where somebody wanted it");
}

#[tokio::test]
async fn doctor_looks_at_everything_with_and_without_an_owner() {
    for stage in Stage::both().await {
        let doctor = stage.machine.run(&["doctor"]).await.exits(0).document();
        for name in [
            "data_directory",
            "free_space",
            "owner",
            "store",
            "decisions",
            "logs",
            "server:demo",
            "tray",
            "portal",
            "autostart",
            "shortcut",
            "links",
        ] {
            assert_eq!(check(&doctor, name)["state"], "ok", "{name} of {doctor}");
        }
        for name in ["secrets", "notifications"] {
            assert_eq!(check(&doctor, name)["state"], "warning", "there is no session bus: {doctor}");
            assert!(check(&doctor, name)["advice"].is_string(), "{doctor}");
        }
        let owner = text(check(&doctor, "owner"), "message");
        assert_eq!(owner.contains("serve"), stage.owner.is_some(), "{owner}");

        stage.demo.faults().next(usize::MAX, "*", Fault::Refuse { status: 502, retry_after: None });
        let doctor = stage.machine.run(&["doctor"]).await.exits(1).document();
        let server = check(&doctor, "server:demo");
        assert_eq!(server["state"], "problem", "{server}");
        assert!(server["advice"].is_string(), "{server}");
        let plain = stage.machine.run_plain(&["doctor"]).await.exits(1);
        assert!(plain.stdout.contains("problem  server:demo"), "for people, too: {plain}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn doctor_says_who_could_read_it_and_what_cannot_be_used() {
    use std::os::unix::fs::PermissionsExt;

    let stage = Stage::alone().await;
    let data = stage.machine.data();
    let chmod = |mode| fs::set_permissions(&data, fs::Permissions::from_mode(mode)).unwrap();
    chmod(0o755);
    let doctor = stage.machine.run(&["doctor"]).await.exits(0).document();
    assert_eq!(check(&doctor, "data_directory")["state"], "warning", "{doctor}");
    chmod(0o707);
    let doctor = stage.machine.run(&["doctor"]).await.exits(1).document();
    assert_eq!(check(&doctor, "data_directory")["state"], "problem", "others may put files there: {doctor}");
}

fn check<'a>(doctor: &'a Value, name: &str) -> &'a Value {
    let checks = doctor["checks"].as_array().unwrap();
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name} of {doctor}"))
}

#[tokio::test]
async fn a_restore_and_a_backup_that_are_stopped_leave_everything_as_it_was() {
    let stage = Stage::alone().await;
    let machine = &stage.machine;
    let _ = machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
    let (whole, late) = (machine.path("whole.db"), machine.path("late.db"));
    let (whole, late) = (whole.to_str().unwrap(), late.to_str().unwrap());
    let _ = machine.run(&["backup", whole]).await.ok();
    let _ = machine.run(&["call", "demo", "echo", "--args", r#"{"text":"since"}"#]).await.ok();

    let _ = machine.run(&["restore", whole, "--timeout", "0"]).await.failure(8, "timed_out");
    assert!(!machine.data().join("replaced-1").exists(), "nothing was moved");
    let tasks = machine.run(&["tasks"]).await.ok();
    assert_eq!(tasks["tasks"].as_array().unwrap().len(), 2, "what came since is there: {tasks}");
    let _ = machine.run(&["backup", late, "--timeout", "0"]).await.failure(8, "timed_out");
    for left in ["late.db", "late.db.part"] {
        assert!(!machine.path(left).exists(), "{left} is left");
    }
    let parts = std::fs::read_dir(machine.data()).unwrap();
    let mut parts =
        parts.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".part"));
    assert!(parts.next().is_none(), "half a copy is left");
}

#[tokio::test]
async fn a_test_of_notifications_needs_somebody_who_raises_them() {
    let machine = Machine::new();
    let refused = machine.run(&["notifications", "test"]).await;
    assert!(refused.stderr.contains("Start `signalbox serve` or the window first"), "{refused}");
    let _ = refused.failure(2, "needs_owner");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn without_a_desktop_session_nobody_is_said_to_refuse_notifications() {
    let machine = Machine::new().with("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/at-all");
    let said = machine.run_plain(&["doctor"]).await.stdout;
    assert!(said.contains("there is no desktop session here"), "{said}");
    assert!(!said.contains("refuses"), "{said}");
}
