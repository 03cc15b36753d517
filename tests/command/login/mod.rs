//! Signing in: the command beside a server that wants it and the authorization server that it relies on.

mod site;
mod trouble;

use std::fs;

use serde_json::{Value, json};
use signalbox_tests::{Machine, said, text};

use self::site::{Site, browse};

const APPROVAL: &str = r#"{"approved":true,"rollout":"gradual"}"#;

/// Calls a tool that answers at once.
const ECHO: [&str; 5] = ["call", "demo", "echo", "--args", r#"{"text":"x"}"#];

/// Waits until the task is like this.
async fn tracked(machine: &Machine, task: &Value, tracking: &str) {
    let mut watch = machine.start(&["watch", text(task, "id")]);
    watch.until(tracking, |line| line["task"]["tracking"] == tracking).await;
}

#[tokio::test]
async fn tasks_wait_for_a_person_and_go_on_by_themselves() {
    let site = Site::open().await;
    let machine = &site.machine;
    let call = ["call", "demo", "deploy", "--args", r#"{"service":"web"}"#, "--no-input"];
    let asked = machine.run(&call).await.exits(3).document();

    site.authority.script().open = false;
    let answer = ["answer", text(&asked["inputRequests"][0], "id"), "--accept", "--content", APPROVAL];
    let _ = machine.run(&answer).await.failure(5, "sign_in_needed");
    tracked(machine, &asked, "sign_in_needed").await;
    let tasks = machine.run(&["tasks"]).await.ok();
    assert_eq!(tasks["tasks"][0]["tracking"], "sign_in_needed", "{tasks}");
    let _ = machine.run(&ECHO).await.failure(5, "sign_in_needed");
    let checked = machine.run(&["server", "check", "demo"]).await.failure(5, "sign_in_needed");
    assert_eq!(checked["retry"], "after_fix", "{checked}");
    assert!(site.authority.asked("/authorize").is_empty(), "nobody is sent to a browser unasked");

    let server = site.sign_in().await.ok();
    assert_eq!((&server["health"]["state"], &server["tools"]), (&json!("ok"), &json!(19)), "{server}");
    let _ = machine.run(&["watch", text(&asked, "id")]).await.exits(0);
    let task = machine.run(&["show", text(&asked, "id")]).await.ok();
    assert_eq!(said(&task), "Deployed web latest to eu-west.", "the answer went by itself");
    assert_eq!(site.demo.journal().taken().len(), 1, "once");
    let _ = machine.run(&ECHO).await.ok();

    let registered = &site.authority.asked("/register")[0];
    assert_eq!(registered["application_type"], "native", "{registered:?}");
    site.keeps_no_token_in_the_clear();
}

#[tokio::test]
async fn who_signs_out_is_forgotten_here_and_there() {
    let site = Site::start().await;
    let machine = &site.machine;
    let check = ["server", "check", "demo"];
    let signed_in = site.sign_in().await.ok();
    let checked = machine.run(&check).await.ok();
    let issuer = text(&checked["signedIn"], "issuer");
    assert_eq!(site.authority.url("/").origin(), issuer.parse::<url::Url>().unwrap().origin(), "{checked}");
    assert_eq!(signed_in["signedIn"], checked["signedIn"], "{signed_in}");
    let shown = machine.run_plain(&check).await.exits(0).stdout;
    assert!(shown.contains(&format!("at {issuer}")), "{shown}");
    let _ = machine.run(&["server", "logout", "demo"]).await.ok();
    let revoked: Vec<_> =
        site.authority.asked("/revoke").iter().map(|asked| asked["token"].clone()).collect();
    assert_eq!(revoked, ["refre5h-1", "acce55-1"], "what renews it goes first");
    let _ = machine.run(&check).await.failure(5, "sign_in_needed");
    let listed = machine.run(&["server", "list"]).await.ok();
    assert_eq!(listed["servers"][0]["signedIn"], Value::Null, "{listed}");

    let _ = machine.run(&["server", "logout", "demo"]).await.ok();
    assert_eq!(site.authority.asked("/revoke").len(), 2, "there is nothing left to take back");
    let _ = site.sign_in().await.ok();
    site.authority.script().metadata = json!({ "revocation_endpoint": null });
    let done = machine.run(&["server", "logout", "demo"]).await.exits(0);
    assert!(done.stderr.contains("stays valid"), "that nobody takes it back is said: {done}");
}

#[tokio::test]
async fn a_token_is_renewed_without_a_person_until_it_is_taken_back() {
    let site = Site::start().await;
    let machine = &site.machine;
    // Each is about to expire as soon as it is given.
    site.authority.script().expires_in = 1;
    let _ = site.sign_in().await.ok();
    let _ = machine.run(&ECHO).await.ok();
    let renewals = site.authority.asked("/token");
    let renewals: Vec<_> = renewals.iter().filter(|asked| asked["grant_type"] == "refresh_token").collect();
    assert_eq!(renewals[0]["refresh_token"], "refre5h-1");
    assert_eq!(site.authority.asked("/authorize").len(), 1, "nobody was asked again");
    let task = machine.run(&["call", "demo", "forever", "--detach"]).await.ok();

    site.authority.expire();
    site.authority.script().token_error = Some((400, json!({ "error": "invalid_grant" })));
    tracked(machine, &task, "sign_in_needed").await;
    let _ = machine.run(&ECHO).await.failure(5, "sign_in_needed");

    site.authority.script().token_error = None;
    site.authority.script().expires_in = 3600;
    let _ = site.sign_in().await.ok();
    tracked(machine, &task, "live").await;
}

#[tokio::test]
async fn a_sign_in_is_kept_from_one_command_to_the_next_in_an_encrypted_file() {
    let site = Site::in_a_file().await;
    let _ = site.run(&ECHO).await.failure(5, "sign_in_needed");
    let _ = site.sign_in().await.ok();
    let _ = site.run(&ECHO).await.ok();
    assert_eq!(site.authority.asked("/token").len(), 1, "the next command has the token");

    site.authority.expire();
    let _ = site.run(&ECHO).await.ok();
    let _ = site.run(&ECHO).await.ok();
    let granted = site.authority.asked("/token");
    assert_eq!(granted.len(), 2, "the one that replaced it is kept, too");
    assert_eq!(
        (granted[1]["grant_type"].as_str(), granted[1]["refresh_token"].as_str()),
        ("refresh_token", "refre5h-1")
    );
    site.keeps_no_token_in_the_clear();

    let _ = site.run(&["server", "logout", "demo"]).await.ok();
    let revoked: Vec<_> =
        site.authority.asked("/revoke").iter().map(|asked| asked["token"].clone()).collect();
    assert_eq!(revoked, ["refre5h-2", "acce55-2"], "what is good now");
    let _ = site.run(&ECHO).await.failure(5, "sign_in_needed");
}

#[tokio::test]
async fn a_machine_needs_no_person() {
    let site = Site::with(Machine::new().with("CI_SECRET", "s3cret-of-the-robot")).await;
    let machine = &site.machine;
    let _ = machine.run(&ECHO).await.failure(5, "sign_in_needed");
    let edit = ["server", "edit", "demo", "--client-id", "r0bot", "--client-secret", "env:CI_SECRET"];
    let edit = [edit.as_slice(), &["--scope", "run", "--machine"]].concat();
    let edited = machine.run(&edit).await.ok();
    assert_eq!(edited["access"]["signIn"]["machine"], true, "{edited}");
    let _ = machine.run(&ECHO).await.ok();
    let login = machine.run(&["server", "login", "demo"]).await;
    assert!(!login.stderr.contains("http://"), "there is no page to show: {login}");
    let _ = login.ok();

    let granted = &site.authority.asked("/token")[0];
    assert_eq!((granted["grant_type"].as_str(), granted["scope"].as_str()), ("client_credentials", "run"));
    assert!(granted["Authorization"].starts_with("Basic "), "it proves itself: {granted:?}");
    assert!(site.authority.asked("/authorize").is_empty());
    site.keeps_no_token_in_the_clear();
}

#[tokio::test]
async fn a_token_goes_to_no_other_origin() {
    let (site, elsewhere) = (Site::start().await, Site::start().await);
    let _ = site.sign_in().await.ok();
    site.authority.script().elsewhere = Some(elsewhere.authority.url("/mcp").into());
    let failure = site.machine.run(&ECHO).await;
    assert!(
        failure.stderr.contains(elsewhere.authority.url("/").as_str().trim_end_matches('/')),
        "{failure}"
    );
    assert_eq!(failure.code, Some(4), "it is said where the URL leads: {failure}");
    assert_eq!(elsewhere.authority.requests(), 0, "nobody goes there by himself");
}

#[tokio::test]
async fn a_second_login_takes_the_place_of_the_first() {
    let site = Site::start().await;
    let mut first = site.machine.start(&["server", "login", "demo"]);
    let abandoned = first.says("the address", |line| line.starts_with("http")).await;
    let _ = site.sign_in().await.ok();
    let failure = first.end().await.failure(5, "sign_in_needed");
    assert!(text(&failure, "message").contains("took the place"), "{failure}");
    assert_eq!(browse(&abandoned).await, None, "nobody waits there any more");
}

impl Site {
    /// Neither in the data directory, which is copied and backed up, nor in a log.
    fn keeps_no_token_in_the_clear(&self) {
        let mut folders = vec![self.machine.path("")];
        let mut looked_at = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let kind = entry.file_type().unwrap();
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if kind.is_file() {
                    looked_at += 1;
                    let bytes = fs::read(entry.path()).unwrap();
                    for secret in ["acce55-", "refre5h-", "1dent1ty", "s3cret-of-the-robot"] {
                        let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
                        assert!(!found, "{secret} in {}", entry.path().display());
                    }
                }
            }
        }
        assert!(looked_at > 1, "there is something to look at");
    }
}
