//! Tags and notes of the person's own, and what is wished of several tasks at once.

use signalbox_api::{Code, DeskExt as _, ExportKind, ListQuery, View, ViewData, command};
use signalbox_model::{CallId, Tag};

use super::stage::Stage;

fn typed(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn filtered(filter: &str) -> View {
    let query = ListQuery { filter: filter.to_owned(), ..ListQuery::default() };
    View::Tasks { query, offset: 0, limit: 10 }
}

/// Waits until a filter shows these.
async fn shows(stage: &Stage, filter: &str, calls: &[CallId]) {
    stage
        .until(filtered(filter), |data| match data {
            ViewData::Tasks { page } if page.ids == calls => Some(()),
            _ => None,
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tags_and_a_note_find_their_task_and_stay_here() {
    let stage = Stage::set().await;
    let (one, other) = (stage.start("forever", "{}").await, stage.start("forever", "{}").await);
    let calls = vec![one, other, CallId(99)];
    let act = command::TagTasks { calls, add: typed(&["Release", "zonk"]), remove: vec![] };
    let outcomes = stage.act(act).await;
    let failures: Vec<_> =
        outcomes.iter().map(|of| (of.call, of.failure.as_ref().map(|error| error.code))).collect();
    assert_eq!(failures, [(one, None), (other, None), (CallId(99), Some(Code::UnknownItem))]);
    let act = command::TagTasks { calls: vec![other], add: vec![], remove: typed(&["zonk"]) };
    stage.act(act).await;
    shows(&stage, "tag:zonk", &[one]).await;
    shows(&stage, "tag:release -tag:zonk", &[other]).await;
    shows(&stage, "zonk", &[one]).await;

    let note = |text: &str, seen: &str| command::NoteTask {
        call: other,
        text: text.to_owned(),
        seen: seen.to_owned(),
    };
    stage.act(note(" ask Quentin first\n", "")).await;
    let task = stage.until_task(other, |task| task.remark.is_some()).await;
    let release: Tag = "release".parse().unwrap();
    assert_eq!((task.remark.as_deref(), task.row.tags), (Some("ask Quentin first"), vec![release]));
    shows(&stage, "quentin", &[other]).await;
    let refused = stage.opened.desk().act(note("ask nobody", "")).await.unwrap_err();
    assert_eq!(refused.code, Code::ChangedMeanwhile, "whoever wrote that saw no note: {refused}");
    let said = "ask Quentin first";
    stage.act(note(said, "")).await;
    stage.act(note("ask Ada", &format!("{said}\n"))).await;
    stage.until_task(other, |task| task.remark.as_deref() == Some("ask Ada")).await;
    stage.act(note(said, "ask Ada")).await;
    stage.until_task(other, |task| task.remark.as_deref() == Some(said)).await;
    let filter = String::new();
    let act = command::Export {
        what: ExportKind::Tasks,
        after: 0,
        with_handles: false,
        filter,
        calls: vec![one, other],
    };
    let lines: String = stage.act(act).await.lines.iter().map(|line| line.text().to_owned()).collect();
    assert!(lines.contains(r#""tags":["release"]"#) && lines.contains("ask Quentin first"), "{lines}");

    let sent = format!("{:?}", stage.demo.journal().entries());
    assert!(!sent.contains("release") && !sent.contains("Quentin"), "no server hears of them");
}

#[tokio::test(flavor = "multi_thread")]
async fn several_tasks_are_cancelled_and_forgotten_at_once_and_each_is_told() {
    let stage = Stage::set().await;
    let ended = stage.start("echo", r#"{"text":"hi"}"#).await;
    stage.ended(ended).await;
    let live = [stage.start("forever", "{}").await, stage.start("forever", "{}").await];
    for call in live {
        stage.until_task(call, |task| task.row.has_task).await;
    }
    let calls = vec![live[1], ended, live[0], live[0]];
    let outcomes = stage.act(command::CancelTasks { calls: calls.clone() }).await;
    let codes: Vec<_> =
        outcomes.iter().map(|of| (of.call, of.failure.as_ref().map(|error| error.code))).collect();
    assert_eq!(codes, [(ended, Some(Code::AlreadyClosed)), (live[0], None), (live[1], None)]);
    for call in live {
        stage.ended(call).await;
    }

    let outcomes = stage.act(command::ForgetTasks { calls: vec![ended, live[0]] }).await;
    assert!(outcomes.iter().all(|of| of.failure.is_none()), "{outcomes:?}");
    let rows = stage.act(command::ReadTasks { calls }).await;
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [live[1]], "only this one is left");

    let many: Vec<CallId> = (1..=1_001).map(CallId).collect();
    let error = stage.opened.desk().act(command::ForgetTasks { calls: many }).await.unwrap_err();
    assert_eq!(error.code, Code::Usage, "so many are no list that anybody has looked through");
    stage.until_task(live[1], |_| true).await;
}
