//! Servers that ask to wait, in seconds or by a date: they get their wait, and whoever asks is told.

use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use signalbox_demo::{Fault, JournalEntry};
use signalbox_tests::{DemoServer, text};

use crate::beside::Beside;

/// How long from now, in both forms of `Retry-After`.
fn forms(seconds: i64) -> [String; 2] {
    // Dates are whole seconds: one more, so that it is never less.
    let until = Timestamp::now() + SignedDuration::from_secs(seconds + 1);
    [seconds.to_string(), until.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()]
}

fn refuse(status: u16, after: &str) -> Fault {
    Fault::Refuse { status, retry_after: Some(after.to_owned()) }
}

#[tokio::test]
async fn a_server_that_is_busy_from_the_start_says_until_when() {
    for (status, form) in [(429, 0), (429, 1), (503, 0), (503, 1)] {
        let demo = DemoServer::start().await;
        let beside = Beside::with(&["--url", &demo.url()]).await;
        demo.faults().next(usize::MAX, "*", refuse(status, &forms(600)[form]));
        let before = Timestamp::now();
        beside.fails(4, "unreachable", &["slow down", &status.to_string()]).await;
        let listed = beside.machine.run(&["server", "list"]).await.ok();
        let health = &listed["servers"][1]["health"];
        let retry: Timestamp = text(health, "retryAt").parse().unwrap();
        let wait = retry.duration_since(before).as_secs();
        assert!((595..=700).contains(&wait), "{status}: it gets its ten minutes: {health}");
        demo.faults().clear();
        let _ = beside.check().await.ok();
        beside.ends().await;
    }
}

#[tokio::test]
async fn a_server_that_gets_busy_is_not_asked_before_its_time() {
    join_all([(429, 0), (503, 1)].map(|(status, form)| async move {
        let demo = DemoServer::start().await;
        demo.faults().next(
            usize::MAX,
            "subscriptions/listen",
            Fault::Refuse { status: 405, retry_after: None },
        );
        let beside = Beside::with(&["--url", &demo.url()]).await;
        let asked = ["call", "odd", "deploy", "--args", r#"{"service":"web"}"#, "--no-input"];
        let asked = beside.machine.run(&asked).await.exits(3).document();
        let calm = demo.journal().requests("tasks/get").len();
        demo.faults().next(1, "tasks/get", refuse(status, &forms(2)[form]));
        beside.meanwhile(demo.received("tasks/get", calm + 3)).await;
        let at: Vec<Timestamp> = demo.journal().requests("tasks/get")[calm..].iter().map(moment).collect();
        let longest = at.windows(2).map(|pair| pair[1].duration_since(pair[0]).as_millis()).max();
        assert!(longest >= Some(2_000), "{status}: looks at {at:?}");
        let answer = ["answer", text(&asked["inputRequests"][0], "id"), "--accept", "--content"];
        let content = [r#"{"approved":true,"rollout":"gradual"}"#];
        let _ = beside.machine.run(&[answer.as_slice(), &content].concat()).await.ok();
        let _ = beside.machine.run(&["watch", text(&asked, "id")]).await.exits(0);
    }))
    .await;
}

fn moment(entry: &JournalEntry) -> Timestamp {
    match entry {
        JournalEntry::Request { at, .. } => *at,
        other => panic!("a request: {other:?}"),
    }
}
