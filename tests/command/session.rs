//! Starting with the session: `autostart`, and the file that it writes.

use std::fs;

use serde_json::json;
use signalbox_tests::{Machine, Stage, signalbox, soon, text, write_program};

#[tokio::test]
async fn the_session_starts_it_hidden_once_it_is_told_to() {
    let machine = Machine::new();
    let file = machine.path("config").join("autostart").join("signalbox.desktop");
    let off = json!({ "on": false, "file": file });
    assert_eq!(machine.run(&["autostart"]).await.ok(), off, "nobody asked for it");
    assert!(!file.exists());

    assert_eq!(machine.run(&["autostart", "on"]).await.ok(), json!({ "on": true, "file": file }));
    let written = fs::read_to_string(&file).unwrap();
    let exec = written.lines().find_map(|line| line.strip_prefix("Exec=")).expect("it starts something");
    assert!(exec.contains("/signalbox\" --home \""), "this is no usual data directory: {exec}");
    assert!(exec.ends_with("/data\" serve --tray --unless-owned"), "{exec}");
    assert!(machine.run_plain(&["autostart"]).await.exits(0).stdout.starts_with("on "));

    // What the person's desktop says of it counts.
    fs::write(&file, written.replace("enabled=true", "enabled=false")).unwrap();
    assert_eq!(machine.run(&["autostart"]).await.ok()["on"], false);
    fs::write(&file, "[Desktop Entry]\nType=Application\nExec=/opt/other --hidden\n").unwrap();
    assert_eq!(text(&machine.run(&["autostart"]).await.ok(), "other"), "/opt/other --hidden");
    let doctor = machine.run(&["doctor"]).await.exits(0).document();
    let mut checks = doctor["checks"].as_array().unwrap().iter();
    let found = checks.find(|check| check["name"] == "autostart").unwrap();
    let advice = "switch it on in Settings to start this one instead, or run `signalbox autostart on`, with --home if you gave it here";
    assert_eq!(text(found, "advice"), advice);

    assert_eq!(machine.run(&["autostart", "off"]).await.ok()["on"], false);
    assert!(file.exists(), "what is not ours is left");
    assert_eq!(machine.run(&["autostart", "on"]).await.ok()["on"], true, "unless it is to start this one");
    assert_eq!(machine.run(&["autostart", "off"]).await.ok(), off);
    assert!(!file.exists());
    assert_eq!(machine.run(&["autostart", "off"]).await.ok(), off, "off twice is off");
}

/// What the window's program was started with, once it was: it writes that down.
async fn started(file: &std::path::Path) -> String {
    let look = async {
        loop {
            match fs::read_to_string(file) {
                Ok(text) if text.ends_with('\n') => return text.trim_end().to_owned(),
                _ => tokio::task::yield_now().await,
            }
        }
    };
    let text = soon("the window to be started", look).await;
    fs::remove_file(file).unwrap();
    text
}

#[tokio::test]
async fn verbs_show_the_window_at_what_is_there() {
    let stage = Stage::served().await;
    let asked = stage.asks("deploy", r#"{"service":"web","version":"2.1"}"#).await;
    let (task, request) = (text(&asked, "id"), text(&asked["inputRequests"][0], "id"));
    let said = stage.machine.path("said");
    let program = stage.machine.path("bin").join("signalbox-desktop");
    fs::create_dir(program.parent().unwrap()).unwrap();
    let says = "$@${XDG_ACTIVATION_TOKEN+ by $XDG_ACTIVATION_TOKEN}";
    write_program(&program, &format!("#!/bin/sh\necho \"{says}\" > '{}'\n", said.display()));
    let path =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let run_by = async |token: Option<&str>, args: &[&str]| {
        // Of the two programs only the command is here: the window is the one on the search path.
        let command = stage.machine.path("alone").join("signalbox");
        if !command.exists() {
            fs::create_dir(command.parent().unwrap()).unwrap();
            fs::copy(signalbox(), &command).unwrap();
        }
        let mut command = stage.machine.command(&command);
        command.arg("--json").args(args).env("PATH", &path);
        if let Some(token) = token {
            command.env("XDG_ACTIVATION_TOKEN", token);
        }
        stage.machine.finish(command, "").await
    };
    let run = async |args: &[&str]| run_by(None, args).await;
    // Without a display no window comes.
    let failure = stage.machine.run(&["focus"]).await.failure(4, "spawn_failed");
    assert!(text(&failure, "message").contains("The window cannot be opened"), "{failure}");
    let home = fs::canonicalize(stage.machine.data()).unwrap();
    let line = |shown: &str| format!("--home {}{shown}", home.display());

    assert_eq!(run(&["open", task]).await.ok(), json!({ "shown": task }));
    assert_eq!(started(&said).await, line(&format!(" --open {task}")));
    let link = format!("signalbox://open/{request}");
    assert_eq!(run(&["open", &link]).await.ok(), json!({ "shown": request }));
    assert_eq!(started(&said).await, line(&format!(" --open {request}")));
    assert_eq!(run(&["next"]).await.ok(), json!({ "shown": request }), "it is the only one");
    assert_eq!(started(&said).await, line(&format!(" --open {request}")));
    assert_eq!(run(&["focus"]).await.ok(), json!({}));
    assert_eq!(started(&said).await, line(""));
    for args in [&["focus"][..], &["next"], &["open", task], &["open", "inbox"]] {
        let _ = run_by(Some("e3b0c442"), args).await.ok();
        let line = started(&said).await;
        assert!(line.ends_with(" by e3b0c442"), "{args:?} lets the window come forward: {line}");
    }
    let _ = run_by(Some("not\none"), &["focus"]).await.ok();
    assert_eq!(started(&said).await, line(""), "what cannot be a token is handed to nobody");
    let link = "signalbox://add?name=ci&url=https%3A%2F%2Fci.example.com%2Fmcp";
    assert_eq!(run(&["open", link]).await.ok(), json!({}));
    assert_eq!(started(&said).await, line(&format!(" --open {link}")));

    let _ = run(&["open", "t99"]).await.failure(6, "unknown_item");
    for (bad, why) in [
        ("s1", "Name a task"),
        ("signalbox://answer/r1", "leads nowhere"),
        ("signalbox://add?url=javascript%3A1", "leads nowhere"),
    ] {
        let failure = run(&["open", bad]).await.failure(2, "usage");
        assert!(text(&failure, "message").contains(why), "{bad}: {failure}");
    }
    let other = stage.machine.path("other").display().to_string();
    let _ = run(&["--home", &other, "open", "signalbox://open/t1"]).await.failure(2, "usage");
    let _ = stage.machine.run(&["answer", request, "--decline"]).await.ok();
    assert_eq!(run(&["next"]).await.ok(), json!({}), "nothing needs anybody");
    assert!(!said.exists(), "no window was started by any of these");
}
