//! What a filter leaves of an export.

use signalbox_model::{Json, PayloadKind};

use super::*;
use crate::{
    ExportKind,
    command::{Export, ExportPortion},
};

async fn exported(desk: &Local, what: ExportKind, filter: &str) -> Result<Vec<String>, ApiError> {
    let (mut lines, mut after) = (Vec::new(), Some(0));
    while let Some(from) = after {
        let act = Export { what, after: from, with_handles: false, filter: filter.to_owned(), calls: vec![] };
        let ExportPortion { lines: more, next, left_out } = desk.act(act).await?;
        assert_eq!(left_out, 0);
        assert!(more.len() <= 200, "portions are bounded");
        lines.extend(more.iter().map(|line| {
            let line: serde_json::Value = serde_json::from_str(line.text()).unwrap();
            line.get("id").or(line.get("request")).unwrap().as_str().unwrap().to_owned()
        }));
        after = next;
    }
    Ok(lines)
}

#[tokio::test]
async fn only_what_a_filter_shows_is_exported_in_portions_by_number() {
    let dir = tempfile::tempdir().unwrap();
    let mut writes = vec![server(1, "ci"), server(2, "lab")];
    writes.extend((1..=600).map(|id| put(call(id, 1 + id % 2, "build", Some(Outcome::Ok)))));
    let json = Json::of(&"kestrel");
    writes.push(Write::PutPayload { call: CallId(7), kind: PayloadKind::Result, json });
    let desk = desk(dir.path(), crate::OwnerKind::Command, writes).await;
    let all = exported(&desk, ExportKind::Tasks, " ").await.unwrap();
    assert_eq!(all.len(), 600);
    let lab = exported(&desk, ExportKind::Tasks, "server:lab").await.unwrap();
    let odd: Vec<String> = (1..=600).filter(|id| id % 2 == 1).map(|id| format!("t{id}")).collect();
    assert_eq!(lab, odd);
    assert_eq!(exported(&desk, ExportKind::Tasks, "kestrel").await.unwrap(), ["t7"], "by its full text");
    assert_eq!(exported(&desk, ExportKind::Tasks, "tool:none").await.unwrap(), [""; 0]);
}

#[tokio::test]
async fn questions_and_answers_are_filtered_alike_and_the_log_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let asked = |id: u32, message: &str| {
        let identity = Identity::Task { call: CallId(1), key: message.to_owned() };
        let answer = signalbox_model::Answer::new(signalbox_model::Action::Decline, Timestamp(5));
        Write::PutRequest(Box::new(InputRequest {
            message: message.to_owned(),
            answer: Some(answer),
            ..InputRequest::new(RequestId(id), ServerId(1), identity, Timestamp(id.into()))
        }))
    };
    let writes = vec![server(1, "ci"), put(going_on(1)), asked(1, "Which ring"), asked(2, "Which canary")];
    let desk = desk(dir.path(), crate::OwnerKind::Command, writes).await;
    for what in [ExportKind::Requests, ExportKind::Answers] {
        assert_eq!(exported(&desk, what, "canary").await.unwrap(), ["r2"], "{what:?}");
        assert_eq!(exported(&desk, what, "").await.unwrap(), ["r1", "r2"], "{what:?}");
    }
    let refused = exported(&desk, ExportKind::Decisions, "canary").await.unwrap_err();
    assert_eq!(refused.code, Code::Usage, "{refused}");
    let unread = exported(&desk, ExportKind::Tasks, "status:lost").await.unwrap_err();
    assert!(unread.code == Code::Usage && unread.message.contains("status"), "{unread}");
}
