//! `notifications`: what is told, when, and what became of it.

use serde_json::json;
use signalbox_api::{Command, NoticeFate, PastNotice, Reply, command};
use signalbox_model::{CallId, ItemRef, RequestId, Timestamp, Transport};

use super::Trial;
use super::desk::{Scripted, World, server};
use crate::exit::Exit;

/// A desk that keeps settings and a pause, with one server.
fn desk() -> Scripted {
    let transport = Transport::Http { url: "http://ci/mcp".into(), headers: vec![] };
    let title = "ci · deploy needs you\u{1b}[31m".to_owned();
    let past = vec![
        PastNotice {
            at: Timestamp(7_000),
            items: vec![ItemRef::Request(RequestId(3))],
            as_one: false,
            title,
            fate: NoticeFate::QuietHours,
        },
        PastNotice {
            at: Timestamp(5_000),
            items: vec![ItemRef::Call(CallId(1))],
            as_one: false,
            title: "ci · deploy is done".into(),
            fate: NoticeFate::Shown,
        },
        PastNotice {
            at: Timestamp(3_000),
            items: vec![ItemRef::Call(CallId(5)), ItemRef::Call(CallId(6)), ItemRef::Request(RequestId(2))],
            as_one: true,
            title: "1 question needs you, 2 tasks ended".into(),
            fate: NoticeFate::Shown,
        },
        PastNotice {
            at: Timestamp(1_000),
            items: vec![],
            as_one: true,
            title: "37 earlier notifications".into(),
            fate: NoticeFate::Inhibited,
        },
    ];
    let world = World { servers: vec![server(transport)], past, ..World::default() };
    Scripted::new(world, |world, command| match command {
        Command::SetSettings(command::SetSettings { settings }) => {
            world.settings = settings.clone();
            Ok(Reply::Done)
        }
        Command::PauseNotifications(command::PauseNotifications { until }) => {
            world.paused_until = *until;
            Ok(Reply::Done)
        }
        Command::TestNotification(_) => Ok(Reply::NotificationTested(command::NotificationTested {
            service: "gnome-shell".into(),
            version: Some("47".into()),
            actions: false,
            inhibited: true,
        })),
        other => panic!("{other:?}"),
    })
}

async fn document(desk: &Scripted, args: &[&str]) -> serde_json::Value {
    let trial = Trial::json();
    trial.run(desk, args).await.unwrap();
    trial.document()
}

#[tokio::test]
async fn levels_are_set_for_all_for_a_server_and_for_a_tool_and_taken_back() {
    let desk = desk();
    let of = ["notifications", "level"];
    document(&desk, &[&of[..], &["needs_me"]].concat()).await;
    document(&desk, &[&of[..], &["nothing", "ci"]].concat()).await;
    let told = document(&desk, &[&of[..], &["needs_me_and_bad_ends", "ci", "deploy"]].concat()).await;
    assert_eq!(told["level"], "needs_me");
    let rules = json!([
        {"server": "ci", "level": "nothing"},
        {"server": "ci", "tool": "deploy", "level": "needs_me_and_bad_ends"},
    ]);
    assert_eq!(told["rules"], rules);
    let told = document(&desk, &[&of[..], &["default", "ci"]].concat()).await;
    assert_eq!(told["rules"].as_array().unwrap().len(), 1, "the tool keeps its own");
    let told = document(&desk, &[&of[..], &["default"]].concat()).await;
    assert_eq!(told["level"], "everything");
    let unknown = Trial::json().run(&desk, &["notifications", "level", "nothing", "lab"]).await;
    assert!(unknown.is_err(), "a rule for a server that is not there is a slip");
}

#[tokio::test]
async fn quiet_hours_contents_and_a_pause_are_set_and_shown() {
    let desk = desk();
    let told = document(&desk, &["notifications", "quiet", "22:00-7:00"]).await;
    assert_eq!(told["quiet"], json!({"from": "22:00", "to": "07:00"}));
    let told = document(&desk, &["notifications", "contents", "off"]).await;
    assert_eq!(told["contents"], false);
    let told = document(&desk, &["notifications", "pause", "2030-01-01T09:00:00Z"]).await;
    assert_eq!(told["pausedUntil"], "2030-01-01T09:00:00.000Z");
    let trial = Trial::text();
    trial.run(&desk, &["notifications"]).await.unwrap();
    let text = trial.out.text();
    for line in [
        "Notify about: everything",
        "Quiet hours: 22:00 to 07:00",
        "Contents: not shown",
        "Paused: no notification until",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let told = document(&desk, &["notifications", "pause", "off"]).await;
    assert_eq!(told.get("pausedUntil"), None);
    let told = document(&desk, &["notifications", "quiet", "off"]).await;
    assert_eq!(told.get("quiet"), None);
}

#[tokio::test]
async fn what_became_of_the_last_notices_is_shown_with_its_reason() {
    let desk = desk();
    let told = document(&desk, &["notifications"]).await;
    assert_eq!(
        (&told["history"][0]["item"], &told["history"][0]["fate"], &told["history"][1]["fate"]),
        (&json!("r3"), &json!("quiet_hours"), &json!("shown"))
    );
    let (single, several, unknown) = (&told["history"][0], &told["history"][2], &told["history"][3]);
    assert_eq!((single.get("items"), several.get("item")), (None, None), "one or several");
    assert_eq!((&several["items"], &unknown["items"]), (&json!(["t5", "t6", "r2"]), &json!([])));
    let trial = Trial::text();
    trial.run(&desk, &["notifications"]).await.unwrap();
    let text = trial.out.text();
    assert!(text.contains("r3") && text.contains("held back: quiet hours"), "{text}");
    assert!(text.contains("t5 and 2 more"), "what was told as one is one line: {text}");
    assert!(text.contains("1 question needs you, 2 tasks ended (combined into one)"), "{text}");
    assert!(text.contains("sent; the service showed none then (do not disturb)"), "{text}");
    assert!(!text.contains('\u{1b}'), "a server's text does not act: {text}");
}

#[tokio::test]
async fn a_test_says_what_the_system_did() {
    let desk = desk();
    let told = document(&desk, &["notifications", "test"]).await;
    assert_eq!(told, json!({"service": "gnome-shell", "version": "47", "actions": false, "inhibited": true}));
    let trial = Trial::text();
    assert_eq!(trial.run(&desk, &["notifications", "test"]).await.unwrap(), Exit::Done);
    let text = trial.out.text();
    for part in ["gnome-shell 47", "it shows none now (do not disturb)", "no buttons"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
