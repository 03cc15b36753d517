//! Secrets and sensitive handles stay where they belong.

use std::fs;
use std::path::Path;

use serde_json::json;
use signalbox_tests::{Stage, each, text};

const SECRET: &str = "hunter2-hunter2-hunter2";

/// The files below a folder that hold this text.
fn holding(folder: &Path, needle: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, needle));
        } else {
            let bytes = fs::read(&path).unwrap_or_default();
            if bytes.windows(needle.len()).any(|window| window == needle.as_bytes()) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[tokio::test]
async fn a_literal_value_without_a_keychain_is_refused_with_advice() {
    for stage in Stage::both().await {
        let machine = &stage.machine;
        let url = stage.demo.url();
        let header = format!("Authorization=Bearer {SECRET}");
        let adds: [&[&str]; 2] = [
            &["server", "add", "ci", "--url", &url, "--header", &header],
            &["server", "add", "ci", "--env", &header, "--", "true"],
        ];
        for add in adds {
            let done = machine.run(add).await;
            assert!(
                !done.stdout.contains(SECRET) && !done.stderr.contains(SECRET),
                "it is not repeated: {done:?}"
            );
            let failure = done.failure(2, "no_keychain");
            let message = text(&failure, "message");
            for advice in ["env:", "@FILE", "signalbox secrets keep"] {
                assert!(message.contains(advice), "what to do instead: {message}");
            }
        }
        let listed = machine.run(&["server", "list"]).await.ok();
        assert_eq!(each(&listed["servers"], "name"), ["demo"], "nothing is registered without it");
        assert_eq!(holding(&machine.data(), SECRET), [""; 0], "and nothing of it is on the disk");
    }
}

#[tokio::test]
async fn a_damaged_file_of_secrets_keeps_nobody_from_the_rest() {
    let stage = Stage::alone().await;
    let machine = &stage.machine;
    let passphrase = machine.file("passphrase", "correct horse");
    let with = async |args: &[&str]| {
        machine.run(&[args, &["--passphrase-file", passphrase.as_str()]].concat()).await
    };
    let _ = with(&["secrets", "keep", "file"]).await.ok();
    let file = machine.data().join("secrets");
    let whole = fs::read(&file).unwrap();
    for damaged in [Some(&whole[..whole.len() - 1]), Some(&b"somebody's own"[..]), Some(&[]), None] {
        match damaged {
            Some(bytes) => fs::write(&file, bytes).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let _ = with(&["call", "demo", "build"]).await.ok();
        let refused = with(&["secrets", "unlock"]).await.failure(2, "no_keychain");
        assert!(text(&refused, "message").contains("data/secrets"), "which file: {refused}");
        assert_eq!(fs::read(&file).ok().as_deref(), damaged, "what may still be rescued is left as it is");
        let doctor = with(&["doctor"]).await.exits(0).document();
        let secrets =
            doctor["checks"].as_array().unwrap().iter().find(|check| check["name"] == "secrets").unwrap();
        assert_eq!(secrets["state"], "warning", "{secrets}");
    }
    let _ = with(&["secrets", "keep", "file"]).await.ok();
    assert!(file.is_file(), "where there is none another one can be made");
}

#[tokio::test]
async fn referenced_values_are_used_and_never_kept() {
    let stage = Stage::alone().await;
    let machine = stage.machine.with("CI_TOKEN", SECRET);
    let url = stage.demo.url();
    let add = ["server", "add", "ci", "--url", &url, "--header", "Authorization=env:CI_TOKEN"];
    let _ = machine.run(&add).await.ok();
    let owner = machine.serve().await;
    let _ = machine.run(&["call", "ci", "build"]).await.ok();
    let _ = owner.terminate().await.exits(0);
    assert_eq!(holding(&machine.data(), SECRET), [""; 0]);
}

#[tokio::test]
async fn a_secret_that_is_not_there_is_named() {
    for with_owner in [false, true] {
        let stage = Stage::alone().await;
        let (machine, url) = (&stage.machine, stage.demo.url());
        let missing = machine.path("no such file");
        let file = format!("X-Key=@{}", missing.display());
        let add = |name: &'static str, value: String| {
            let url = url.clone();
            async move { machine.run(&["server", "add", name, "--url", &url, "--header", &value]).await.ok() }
        };
        add("variable", "X-Key=env:NOT_SET_ANYWHERE".into()).await;
        add("file", file).await;
        let owner = if with_owner { Some(machine.serve().await) } else { None };
        for (server, hint) in [("variable", "NOT_SET_ANYWHERE"), ("file", "no such file")] {
            let failed = machine.run(&["tools", server]).await;
            assert_ne!(failed.code, Some(0), "{failed}");
            assert!(failed.stderr.contains(hint), "which one: {failed}");
        }
        assert_eq!(stage.demo.journal().entries(), [], "nothing was sent without it");
        drop(owner);
    }
}

#[tokio::test]
async fn handles_and_answers_stay_out_of_the_logs() {
    let stage = Stage::served().await;
    let asked = stage.asks("survey", "{}").await;
    let content =
        json!({ "name": SECRET, "email": "a@example.com", "seats": 1, "size": "S", "days": ["mon"] });
    let answer =
        ["answer", text(&asked["inputRequests"][0], "id"), "--accept", "--content", &content.to_string()];
    let _ = stage.machine.run(&answer).await.ok();
    let _ = stage.ends_well(text(&asked, "id")).await;
    let logs = stage.machine.data().join("logs");
    assert!(logs.is_dir(), "there are logs to look at");
    assert_eq!(holding(&logs, text(&asked, "taskId")), [""; 0], "a task id is a handle to the work");
    assert_eq!(holding(&logs, SECRET), [""; 0], "what people answer is theirs");
    assert_ne!(holding(&stage.machine.data(), SECRET), [""; 0], "while the store keeps it");
}
