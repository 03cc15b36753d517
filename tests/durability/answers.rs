//! Answers are delivered once, whatever dies in between.

use serde_json::{Value, json};
use signalbox_demo::{Fault, Gate};
use signalbox_tests::{Stage, soon, text};

const YES: &str = r#"{"approved":true,"rollout":"gradual"}"#;

/// How often an answer was sent, and the answers that were taken.
fn delivered(stage: &Stage) -> (usize, Vec<Value>) {
    (stage.demo.journal().requests("tasks/update").len(), stage.demo.taken("approval"))
}

/// A task that asks, with the id of its question.
async fn asked(stage: &Stage) -> (String, String) {
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    (text(&asked, "id").to_owned(), text(&asked["inputRequests"][0], "id").to_owned())
}

/// Waits until the server has noticed that nobody waits for its answer any more.
async fn abandoned(stage: &Stage) {
    let gone = |entry: &signalbox_demo::JournalEntry| {
        matches!(entry, signalbox_demo::JournalEntry::Abandoned { .. })
    };
    soon("the server notices", stage.demo.journal().until(|entries| entries.iter().any(gone))).await;
}

/// Answers through `serve`, which dies while the server holds the answer at the gate. Whoever asked takes over, and
/// waits on.
async fn dies_at(stage: &mut Stage, gate: &Gate, request: &str) {
    let answering = stage.machine.start(&["answer", request, "--accept", "--content", YES]);
    stage.demo.held(gate, 1).await;
    stage.kill_owner().await;
    abandoned(stage).await;
    stage.demo.faults().clear();
    let answered = answering.end().await.ok();
    assert_eq!(answered["state"], "answered", "{answered}");
}

async fn ends_well_with_one_answer(stage: &Stage, task: &str, sent: usize) {
    let done = stage.ends_well(task).await;
    assert_eq!(done["result"]["structuredContent"]["decision"], "approved", "{done}");
    let (updates, taken) = delivered(stage);
    assert_eq!(taken, [json!({ "action": "accept", "content": { "approved": true, "rollout": "gradual" } })]);
    assert_eq!(updates, sent, "how often it was sent");
    assert_eq!(stage.machine.run(&["inbox"]).await.ok(), json!({ "requests": [] }), "nobody is asked again");
}

#[tokio::test]
async fn the_owner_dies_between_the_commit_and_the_delivery() {
    let mut stage = Stage::served().await;
    let (task, request) = asked(&stage).await;
    let gate = stage.demo.faults().hold("tasks/update");
    dies_at(&mut stage, &gate, &request).await;
    stage.serve().await;
    ends_well_with_one_answer(&stage, &task, 2).await;
}

#[tokio::test]
async fn the_owner_dies_when_the_server_has_taken_the_answer_and_not_said_so() {
    let mut stage = Stage::served().await;
    let (task, request) = asked(&stage).await;
    let gate = stage.demo.faults().hold_reply("tasks/update");
    dies_at(&mut stage, &gate, &request).await;
    stage.serve().await;
    // A look shows that it is not asked any more: nothing is sent again.
    ends_well_with_one_answer(&stage, &task, 1).await;
}

#[tokio::test]
async fn whoever_takes_over_and_cannot_deliver_says_that_it_is_queued() {
    let mut stage = Stage::served().await;
    let (task, request) = asked(&stage).await;
    let gate = stage.demo.faults().hold("tasks/update");
    let answering = stage.machine.start(&["answer", &request, "--accept", "--content", YES]);
    stage.demo.held(&gate, 1).await;
    // The next owner finds nobody to deliver to.
    stage.demo.faults().next(usize::MAX, "*", Fault::Refuse { status: 502, retry_after: None });
    stage.kill_owner().await;
    let failure = answering.end().await.failure(4, "unreachable");
    assert_eq!(failure["retry"], "queued", "it goes on by itself: {failure}");
    stage.demo.faults().clear();
    let _ = stage.machine.run(&["watch", &task]).await.exits(0);
    assert_eq!(stage.demo.taken("approval").len(), 1);
}

#[tokio::test]
async fn a_command_that_is_the_owner_dies_and_the_next_one_delivers() {
    let stage = Stage::alone().await;
    let (task, request) = asked(&stage).await;
    let gate = stage.demo.faults().hold("tasks/update");
    let answering = stage.machine.start(&["answer", &request, "--accept", "--content", YES]);
    stage.demo.held(&gate, 1).await;
    answering.kill().await;
    abandoned(&stage).await;
    stage.demo.faults().clear();
    ends_well_with_one_answer(&stage, &task, 2).await;
}

#[tokio::test]
async fn an_answer_that_was_queued_says_so_and_arrives_once() {
    let stage = Stage::alone().await;
    let (task, request) = asked(&stage).await;
    let gate = stage.demo.faults().hold("tasks/update");
    let late = ["answer", &request, "--accept", "--content", YES, "--timeout", "3"];
    let failure = stage.machine.run(&late).await.failure(8, "timed_out");
    assert_eq!(failure["retry"], "queued", "do not repeat it: {failure}");
    stage.demo.held(&gate, 1).await;
    stage.demo.faults().clear();
    let again = stage.machine.run(&["answer", &request, "--decline"]).await;
    let _ = again.failure(6, "already_closed");
    let _ = stage.machine.run(&["watch", &task]).await.exits(0);
    assert_eq!(stage.demo.taken("approval").len(), 1);
}

#[tokio::test]
async fn partial_answers_survive_a_restart_in_between() {
    let mut stage = Stage::served().await;
    let asked = stage.asks("two_questions", "{}").await;
    let [first, second] = [0, 1].map(|n| text(&asked["inputRequests"][n], "id").to_owned());
    let _ = stage.machine.run(&["answer", &first, "--decline"]).await.ok();
    stage.kill_owner().await;
    stage.serve().await;
    let inbox = stage.machine.run(&["inbox"]).await.ok();
    assert_eq!(signalbox_tests::each(&inbox["requests"], "id"), [&second], "the other one is where it was");
    let _ = stage.machine.run(&["answer", &second, "--decline"]).await.ok();
    let _ = stage.ends_well(text(&asked, "id")).await;
    assert_eq!(stage.demo.journal().taken().len(), 2);
}
