//! What leaves with an export, and what stays.

use serde_json::Value;
use signalbox_api::{ExportKind, command};
use signalbox_demo::Fault;

use super::stage::{APPROVAL, Stage, accept};

/// A server that names its task wherever it can.
fn talkative(message: &mut Value) {
    let task = &mut message["result"];
    let Some(id) = task["taskId"].as_str().map(str::to_owned) else { return };
    task["statusMessage"] = format!("job {id} runs").into();
    for (_, question) in task["inputRequests"].as_object_mut().into_iter().flatten() {
        let asked = question["params"]["message"].as_str().unwrap_or_default();
        question["params"]["message"] = format!("{asked} ({id})").into();
    }
    if let Some(result) = task["result"].as_object_mut() {
        result.insert(
            "structuredContent".into(),
            serde_json::json!({ "log": format!("/jobs/{id}.log"), &id: 1 }),
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_id_leaves_only_when_it_is_asked_for() {
    let stage = Stage::set().await;
    stage.demo.faults().next(10_000, "tasks/get", Fault::Edit(talkative));
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    let question = stage.question_of(call).await;
    stage.act(accept(question.row.id, APPROVAL)).await;
    let task = stage.ended(call).await;
    let id = task.task_id.unwrap();
    assert!(question.row.message.contains(&id), "a person sees the question as it was asked");

    for what in [ExportKind::Tasks, ExportKind::Requests, ExportKind::Answers, ExportKind::Decisions] {
        let exported = async |with_handles| {
            let portion = stage
                .act(command::Export { what, after: 0, with_handles, filter: String::new(), calls: vec![] })
                .await;
            portion.lines.iter().map(|line| line.text().to_owned()).collect::<String>()
        };
        let text = exported(false).await;
        assert!(text.contains(&call.to_string()), "{what:?}: {text}");
        assert!(!text.contains(&id), "{what:?} must not carry the task id: {text}");
        if matches!(what, ExportKind::Tasks | ExportKind::Requests) {
            assert!(text.contains(&format!("{call}")) && exported(true).await.contains(&id), "{what:?}");
        }
    }
}
