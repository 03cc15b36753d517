//! A task that asks far more than anybody can answer: what can be shown is shown, and everything else goes on.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::value::RawValue;
use signalbox_tests::{DemoServer, Stage, each, said, text};

use crate::floods::{MB, behind, peak};
use crate::front::{Answer, Front};

const FLOOD: usize = 100_000;
/// More questions than this of one task do not wait at a time.
const SHOWN: usize = 500;

/// Many questions more behind those of a task.
fn with_flood(answer: &str, flood: &str) -> Option<String> {
    let envelope: BTreeMap<String, Box<RawValue>> = serde_json::from_str(answer).ok()?;
    let task: BTreeMap<String, Box<RawValue>> = serde_json::from_str(envelope.get("result")?.get()).ok()?;
    let asked = task.get("inputRequests")?.get();
    Some(answer.replacen(asked, &format!("{}{flood}}}", asked.strip_suffix('}')?), 1))
}

#[tokio::test]
async fn a_hundred_thousand_questions_of_one_task() {
    let demo = DemoServer::start().await;
    let flood = (0..FLOOD).fold(String::new(), |mut flood, n| {
        write!(flood, r#","more-{n}":{{"method":"elicitation/create"}}"#).unwrap();
        flood
    });
    let size = flood.len() as u64;
    let flooded = move |_: &str, answer: String| {
        let more = with_flood(&answer, &flood);
        Answer::Text(more.unwrap_or(answer))
    };
    let front = Front::before(&demo, |request| request, flooded).await;
    let (machine, owner) = behind(&front, 64 * MB).await;
    let stage = Stage { demo, machine, owner: Some(owner) };

    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let shown = asked["inputRequests"].as_array().unwrap();
    assert_eq!(shown.len(), SHOWN, "bounded");
    assert_eq!(shown[0]["key"], "approval", "what came first is there");
    let note = asked["timeline"].as_array().unwrap().iter().find(|event| event["kind"] == "trouble");
    assert!(text(note.unwrap(), "text").contains("more than can be shown"), "the rest is noted: {note:?}");
    let inbox = stage.machine.run(&["inbox"]).await.ok();
    assert_eq!(inbox["requests"].as_array().unwrap().len(), SHOWN, "and nothing hides behind");

    // Everything else goes on, and so does this task.
    let echo = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"still here"}"#]).await.ok();
    assert_eq!(said(&echo), "still here");
    let content = r#"{"approved":true,"rollout":"gradual"}"#;
    let answer = ["answer", text(&shown[0], "id"), "--accept", "--content", content];
    let _ = stage.machine.run(&answer).await.ok();
    let done = stage.ends_well(text(&asked, "id")).await;
    assert_eq!(said(&done), "Deployed web latest to eu-west.");
    let states = each(&done["inputRequests"], "state");
    assert!(states.len() <= SHOWN + 1, "an answer makes room for one more: {}", states.len());
    let open = states.iter().filter(|state| !["closed", "answered"].contains(state)).count();
    assert_eq!(open, 0, "over with their task");
    let peak = peak(stage.owner.as_ref().unwrap());
    assert!(peak < 90 * MB + 12 * size, "{} MB for an answer of {} MB", peak / MB, size / MB);
}
