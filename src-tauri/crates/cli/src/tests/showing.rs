//! `show` for people: what it says of a task, and that it says each thing once.

use signalbox_api::{Progress, TaskDetail};
use signalbox_model::{CallId, Event, EventKind, Json, Note, Outcome, Reason, Status, Tracking};

use super::desk::{Scripted, World, task};
use super::{Trial, at};

async fn shown(detail: TaskDetail) -> String {
    let world = World { tasks: [(CallId(1), detail)].into(), ..World::default() };
    let trial = Trial::text();
    trial.run(&Scripted::showing(world), &["show", "t1"]).await.unwrap();
    trial.out.text()
}

fn event(time: &str, kind: EventKind, text: Option<&str>, note: Option<&Note>) -> Event {
    let at = at(&format!("2026-07-28T{time}Z"));
    Event { call: CallId(1), at, kind, request: None, text: text.map(str::to_owned), note: note.cloned() }
}

/// One that its server answered with an error.
fn refused(error: &str) -> TaskDetail {
    let mut detail = task(1);
    let note = Note::from(Reason::ErrorAnswer { error: -32_000, said: "no room left".into() });
    detail.timeline = vec![
        event("10:00:00.100", EventKind::Called, None, None),
        event("10:00:05.100", EventKind::Status, Some("failed"), None),
        event("10:00:05.900", EventKind::Ended, None, Some(&note)),
    ];
    (detail.row.status, detail.row.outcome) = (Status::Failed, Some(Outcome::ProtocolError));
    (detail.row.tracking, detail.row.note) = (Tracking::Done, Some(note));
    (detail.row.status_message, detail.error) = (Some("no room left".into()), Json::parse(error).ok());
    detail
}

#[tokio::test]
async fn a_failure_is_said_once_with_what_can_be_done() {
    let text = shown(refused(r#"{"code":-32000,"message":"no room left"}"#)).await;
    for (said, times) in [("no room left", 1), ("failed", 1), ("protocol", 0), ("`signalbox again t1`", 1)] {
        assert_eq!(text.matches(said).count(), times, "{said}: {text}");
    }
    assert!(text.contains("tell whoever runs the server"), "{text}");

    let more = shown(refused(r#"{"code":-32000,"message":"no room left","data":{"disk":1.0}}"#)).await;
    assert!(more.ends_with("error data\n  │ {\"disk\":1.0}\n"), "what is said nowhere else is shown: {more}");
    assert_eq!(more.matches("no room left").count(), 1, "{more}");
    let other = shown(refused(r#"{"code":-32001,"message":"no room left"}"#)).await;
    assert!(other.contains("-32001"), "an error that is not the one above is shown whole: {other}");
}

#[tokio::test]
async fn what_its_tool_reported_is_read_in_its_result() {
    let mut world = World { tasks: [(CallId(1), task(1))].into(), ..World::default() };
    world.end(CallId(1), Outcome::ToolError, "the disk is full");
    let mut detail = world.tasks.remove(&CallId(1)).unwrap();
    let note = Note::from(Reason::TaskFailed { said: "the disk is full".into() });
    detail.timeline = vec![event("10:00:05.900", EventKind::Ended, None, Some(&note))];
    (detail.row.note, detail.row.status_message) = (Some(note), Some("the disk is full".into()));
    let text = shown(detail.clone()).await;
    assert_eq!(text.matches("the disk is full").count(), 1, "{text}");
    assert!(
        text.contains("Read what the tool says below") && text.contains("again t1 --args JSON"),
        "{text}"
    );

    detail.row.tool.clear();
    let adopted = shown(detail).await;
    assert!(!adopted.contains("signalbox again"), "nobody knows its tool: {adopted}");
}

#[tokio::test]
async fn what_happened_in_one_moment_is_one_line() {
    let text = shown(refused("{}")).await;
    let lines: Vec<_> = text.lines().filter(|line| line.trim_start().starts_with("2026-")).collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[1].ends_with("  ended"), "{text}");
    let mut detail = task(1);
    detail.timeline = vec![
        event("10:00:05.000", EventKind::TaskCreated, None, None),
        event("10:00:05.999", EventKind::Status, Some("building"), None),
        event("10:00:06.000", EventKind::Status, Some("testing"), None),
    ];
    let text = shown(detail).await;
    assert!(text.contains("task created · status  building\n"), "{text}");
    assert!(text.contains("  status  testing\n"), "the next second is another moment: {text}");
}

#[test]
fn only_the_whole_is_a_hundred_percent_and_only_nothing_is_none() {
    let said = [0.0, 0.0001, 0.01, 0.29, 0.996, 1.0].map(crate::text::task::part);
    assert_eq!(said, ["0 %", "under 1 %", "1 %", "29 %", "99 %", "100 %"]);
}

#[tokio::test]
async fn progress_is_said_as_what_its_server_reports() {
    let mut detail = task(1);
    assert!(!shown(detail.clone()).await.contains("progress"), "it reports none");
    detail.row.progress = Some(Progress { fraction: 0.37 });
    let text = shown(detail.clone()).await;
    assert!(text.contains("37 %, as its server reports"), "{text}");
    let document = crate::docs::Task::brief(&(&detail).into(), None, Default::default());
    let document = serde_json::to_value(document).unwrap();
    assert_eq!(document["progress"], serde_json::json!({"fraction": 0.37}));
}
