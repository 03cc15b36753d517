//! Documents against fixed views.

use serde_json::{Value, json};
use signalbox_api::{ApiError, Code, Detail, Spent, Stretch, TaskDetail, UrlView};
use signalbox_model::{
    Action, Answer, CallId, CloseReason, Event, EventKind, Json, Mode, Outcome, PayloadKind, RequestId,
    RequestState,
};

use super::desk::{SCHEMA, Scripted, World, http, request, stdio, task};
use super::{Trial, at};
use crate::console::Place;
use crate::exit::Exit;

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn a_task_in_a_list() {
    let document = crate::docs::Task::brief(&(&task(1)).into(), task(1).arguments, Default::default());
    assert_eq!(
        text(&document),
        concat!(
            r#"{"id":"t1","server":"ci","wire":"modern","taskId":"task-1","tool":"deploy","#,
            r#""origin":"started","arguments":{"service": "web","n":12345678901234567890123},"status":"working","#,
            r#""tracking":"live","statusMessage":"building","createdAt":"2026-07-28T10:00:00.000Z","#,
            r#""lastUpdatedAt":"2026-07-28T10:00:04.500Z","ttlMs":null,"pollIntervalMs":1000,"inputRequests":[]}"#
        ),
        "absent is absent, unlimited is null, big numbers stay"
    );
}

#[test]
fn a_plain_call_has_no_handle() {
    let mut detail = task(2);
    detail.unlimited = false;
    (detail.row.has_task, detail.task_id, detail.last_updated_at) = (false, None, None);
    (detail.poll_interval_ms, detail.row.wire, detail.row.status_message) = (None, None, None);
    assert_eq!(
        text(&crate::docs::Task::brief(&(&detail).into(), None, Default::default())),
        concat!(
            r#"{"id":"t2","server":"ci","tool":"deploy","origin":"started","status":"working","tracking":"live","#,
            r#""createdAt":"2026-07-28T10:00:00.000Z","inputRequests":[]}"#
        )
    );
}

fn stretch(spent: Spent, from: &str, until: Option<&str>) -> Stretch {
    let time = |text| at(&format!("2026-07-28T{text}Z"));
    Stretch { spent, from: time(from), until: until.map(time) }
}

#[tokio::test]
async fn what_a_task_s_time_went_into_is_said_for_people() {
    let shown = async |stretches| {
        let mut world = World::default();
        world.tasks.insert(CallId(1), signalbox_api::TaskDetail { stretches, ..task(1) });
        let desk = Scripted::new(world, |_, command| match command {
            signalbox_api::Command::Find(_) => Ok(signalbox_api::Reply::Found { calls: vec![CallId(1)] }),
            other => panic!("show has no reason for {other:?}"),
        });
        let trial = Trial::text();
        trial.run(&desk, &["show", "t1"]).await.unwrap();
        let said = trial.out.text();
        let lines = said
            .lines()
            .filter(|line| ["worked", "waited", "not known"].iter().any(|what| line.contains(what)));
        lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    let both = vec![
        stretch(Spent::Working, "09:00:00", Some("09:04:10")),
        stretch(Spent::Waiting, "09:04:10", Some("09:05:30")),
    ];
    assert_eq!(shown(both).await, ["worked 4 min 10 s", "waited 1 min 20 s for a person"]);
    let cut =
        vec![stretch(Spent::Unseen, "09:00:00", Some("09:01:00")), stretch(Spent::Working, "10:00:10", None)];
    let lost = "not known 1 min, since the timeline has lost its beginning";
    assert_eq!(shown(cut).await, [lost], "what took no time is not said");
}

#[tokio::test]
async fn show_prints_all_of_a_task() {
    let mut world = World::default();
    let mut detail = task(1);
    detail.row.expires_at = Some(at("2026-07-28T11:00:00Z"));
    detail.ttl_ms = Some(3_600_000);
    detail.timeline = vec![
        Event {
            call: CallId(1),
            at: at("2026-07-28T10:00:00Z"),
            kind: EventKind::Called,
            request: None,
            text: None,
            note: None,
        },
        Event {
            call: CallId(1),
            at: at("2026-07-28T10:00:05Z"),
            kind: EventKind::Asked,
            request: Some(RequestId(1)),
            text: Some("Deploy?".into()),
            note: None,
        },
    ];
    let payload = |kind, text: Option<&str>| signalbox_api::PayloadInfo {
        kind,
        bytes: 3,
        json: text.map(|text| Json::parse(text).unwrap()),
        fault: None,
    };
    detail.payloads = vec![
        payload(PayloadKind::Create, Some("{\n \"resultType\": \"task\",\n \"x\": 1.0\n}")),
        payload(PayloadKind::Result, None),
    ];
    detail.row.outcome = Some(Outcome::Ok);
    detail.stretches = vec![
        stretch(Spent::Working, "10:00:00", Some("10:00:05")),
        stretch(Spent::Waiting, "10:00:05", None),
    ];
    world.tasks.insert(CallId(1), detail);
    world.ask(request(1, 1, SCHEMA));
    let desk = Scripted::new(world, |_, command| match command {
        signalbox_api::Command::Find(_) => Ok(signalbox_api::Reply::Found { calls: vec![CallId(1)] }),
        signalbox_api::Command::Payload(signalbox_api::command::Payload {
            kind: PayloadKind::Result,
            ..
        }) => Ok(signalbox_api::Reply::Payload { json: Json::parse(r#"{"content":[]}"#).ok() }),
        other => panic!("show has no reason for {other:?}"),
    });
    let trial = Trial::json();
    assert_eq!(trial.run(&desk, &["show", "t1"]).await.unwrap(), Exit::Done);
    assert_eq!(trial.out.text().lines().count(), 1, "a document is one line");
    let document = trial.document();
    assert_eq!(document["result"], json!({"content": []}), "payloads over 1 MiB are fetched");
    assert_eq!(
        document["raw"],
        json!({"create": {"resultType": "task", "x": 1.0}, "result": {"content": []}})
    );
    assert_eq!(
        document["timeline"],
        json!([
            {"at": "2026-07-28T10:00:00.000Z", "kind": "called"},
            {"at": "2026-07-28T10:00:05.000Z", "kind": "asked", "request": "r1", "text": "Deploy?"}
        ])
    );
    let spent = (&document["workedMs"], &document["waitedMs"], document.get("unseenMs"));
    assert_eq!(spent, (&json!(5_000), &json!(5_000), None), "to this moment, which is 10:00:10");
    assert_eq!(document["ttlMs"], 3_600_000);
    assert_eq!(document["expiresAt"], "2026-07-28T11:00:00.000Z");
    assert_eq!(document["inputRequests"][0]["raw"], json!({"method": "elicitation/create"}));
    assert_eq!(document.get("error"), None::<&Value>);
}

#[tokio::test]
async fn show_says_to_somebody_at_a_terminal_what_else_can_be_asked_of_an_ended_task() {
    let alone = "`signalbox show t1 --result` gives the result alone.";
    let compared = "`signalbox diff t1` compares it with t9, the run before.";
    let table = [
        (None, None, String::new()),
        (Some(Outcome::Ok), None, format!("{alone}\n")),
        (Some(Outcome::Ok), Some(CallId(9)), format!("{alone} {compared}\n")),
        (Some(Outcome::Lost), Some(CallId(9)), format!("{compared}\n")),
    ];
    for (outcome, run_before, hint) in table {
        let mut world = World::default();
        world.tasks.insert(CallId(1), TaskDetail { run_before, ..task(1) });
        if let Some(outcome) = outcome {
            world.end(CallId(1), outcome, "built");
        }
        if outcome == Some(Outcome::Lost) {
            world.tasks.get_mut(&CallId(1)).unwrap().result = None;
        }
        let desk = Scripted::showing(world);
        for (lively, json, wanted) in [(true, false, hint.as_str()), (false, false, ""), (true, true, "")] {
            let (typed, lines) = tokio::sync::mpsc::channel(1);
            let trial = Trial::placed(json, Place { lively, ..Place::default() }, typed, lines);
            assert_eq!(trial.run(&desk, &["show", "t1"]).await.unwrap(), Exit::Done);
            assert_eq!(trial.err.text(), wanted, "{outcome:?} {lively} {json}");
            assert!(!trial.out.text().contains("--result"), "what is printed for programs is as it was");
        }
    }
}

#[tokio::test]
async fn a_damaged_result_hides_nothing_else_of_its_task() {
    let mut world = World::default();
    let mut detail = task(1);
    detail.row.outcome = Some(Outcome::Ok);
    let fault = ApiError::new(Code::StorageDamaged, "the file payloads/t1-result.json is damaged");
    let (kind, fault) = (PayloadKind::Result, Some(fault));
    detail.payloads.push(signalbox_api::PayloadInfo { kind, bytes: 300_000, json: None, fault });
    world.tasks.insert(CallId(1), detail);
    let desk = Scripted::showing(world);

    let trial = Trial::json();
    assert_eq!(trial.run(&desk, &["show", "t1"]).await.unwrap(), Exit::Done);
    let document = trial.document();
    assert_eq!(document["outcome"], "ok");
    assert_eq!(
        document["resultError"],
        json!({"code": "storage_damaged", "message": "the file payloads/t1-result.json is damaged"})
    );
    assert_eq!((document.get("result"), &document["raw"]), (None, &json!({})));

    let trial = Trial::text();
    assert_eq!(trial.run(&desk, &["show", "t1"]).await.unwrap(), Exit::Done);
    let text = trial.out.text();
    assert!(
        text.contains("building") && text.contains("result cannot be shown  the file payloads/"),
        "{text}"
    );
}

#[tokio::test]
async fn a_damaged_large_payload_is_left_out_too() {
    let mut world = World::default();
    let mut detail = task(1);
    let (kind, fault) = (PayloadKind::Create, None);
    detail.payloads.push(signalbox_api::PayloadInfo { kind, bytes: 3_000_000, json: None, fault });
    world.tasks.insert(CallId(1), detail);
    let desk = Scripted::new(world, |_, command| match command {
        signalbox_api::Command::Find(_) => Ok(signalbox_api::Reply::Found { calls: vec![CallId(1)] }),
        signalbox_api::Command::Payload(_) => Err(ApiError::new(Code::StorageDamaged, "it is missing")),
        _ => Ok(signalbox_api::Reply::Done),
    });
    let trial = Trial::json();
    assert_eq!(trial.run(&desk, &["show", "t1"]).await.unwrap(), Exit::Done);
    assert_eq!((&trial.document()["id"], &trial.document()["raw"]), (&json!("t1"), &json!({})));
}

#[tokio::test]
async fn an_answer_that_says_nothing_is_no_error_and_no_result() {
    let mut detail = task(1);
    detail.row.outcome = Some(Outcome::Unknown);
    let nothing = |kind| signalbox_api::PayloadInfo {
        kind,
        bytes: 4,
        json: Some(Json::parse("null").unwrap()),
        fault: None,
    };
    detail.payloads = [PayloadKind::Error, PayloadKind::Result].map(nothing).into();
    let desk = Scripted::showing(World { tasks: [(CallId(1), detail)].into(), ..World::default() });
    let trial = Trial::json();
    assert_eq!(trial.run(&desk, &["show", "t1"]).await.unwrap(), Exit::Done);
    let document = trial.document();
    assert_eq!((document.get("error"), document.get("result")), (None, None), "{document}");
    assert_eq!(document["raw"], json!({"result": null}), "as received");
}

#[tokio::test]
async fn an_export_that_is_not_all_there_is_no_success() {
    for (left_out, exit) in [(0, Exit::Done), (2, Exit::Failed)] {
        let desk = Scripted::new(World::default(), move |_, _| {
            let lines = vec![Json::parse(r#"{"kind":"task"}"#).unwrap()];
            Ok(signalbox_api::Reply::Portion(signalbox_api::command::ExportPortion {
                lines,
                next: None,
                left_out,
            }))
        });
        let trial = Trial::text();
        assert_eq!(trial.run(&desk, &["export", "--what", "tasks"]).await.unwrap(), exit);
        assert_eq!(trial.out.text(), "{\"kind\":\"task\"}\n", "what there is, is exported");
        assert_eq!(trial.err.text().contains("2 damaged items"), left_out == 2, "{}", trial.err.text());

        let dir = tempfile::tempdir().unwrap();
        let (trial, file) = (Trial::json(), dir.path().join("all.jsonl"));
        let line = ["export", "--what", "tasks", "--out", file.to_str().unwrap()];
        assert_eq!(trial.run(&desk, &line).await.unwrap(), exit);
        let missing = trial.document()["exported"].get("missing").cloned();
        assert_eq!(missing, (left_out > 0).then(|| json!(left_out)), "for scripts, too");
    }
}

#[test]
fn a_question_in_a_list() {
    assert_eq!(
        serde_json::to_value(crate::docs::Request::brief((&request(3, 1, SCHEMA)).into())).unwrap(),
        json!({
            "id": "r3", "task": "t1", "server": "ci",
            "identity": {"kind": "task", "call": "t1", "key": "approval"}, "key": "approval",
            "method": "elicitation/create", "mode": "form", "message": "Deploy to production?",
            "schema": serde_json::from_str::<Value>(SCHEMA).unwrap(),
            "state": "open", "openedAt": "2026-07-28T10:00:05.000Z", "attention": "needs_you"
        })
    );
}

/// A task that has asked 3,000 questions, of which the last 500 are open.
fn flooded() -> Scripted {
    let mut world = World::default();
    world.tasks.insert(CallId(1), task(1));
    world.ask(request(1, 1, SCHEMA));
    for id in 1..=3_000 {
        let mut detail = request(id, 1, SCHEMA);
        if id <= 2_500 {
            (detail.row.state, detail.row.reason) = (RequestState::Closed, Some(CloseReason::Superseded));
        }
        world.requests.insert(RequestId(id), detail);
    }
    Scripted::showing(world)
}

async fn printed(desk: &Scripted, line: &[&str]) -> Value {
    let trial = Trial::json();
    assert_eq!(trial.run(desk, line).await.unwrap(), Exit::Done);
    trial.document()
}

fn ids(list: &Value) -> Vec<u32> {
    let id = |request: &Value| request["id"].as_str().unwrap().trim_start_matches('r').parse().unwrap();
    list.as_array().unwrap().iter().map(id).collect()
}

#[tokio::test]
async fn a_list_has_a_hundred_open_questions_of_a_task_and_says_how_many_more() {
    let task = &printed(&flooded(), &["tasks"]).await["tasks"][0];
    assert_eq!(ids(&task["inputRequests"]), (2_501..=2_600).collect::<Vec<_>>());
    assert_eq!(task["inputRequestsMore"], 400);
    assert_eq!(task.get("inputRequestsClosedMore"), None, "lists know nothing of what is over");
    assert_eq!(task["inputRequests"][0].get("raw"), None);
}

#[tokio::test]
async fn show_has_all_open_questions_and_the_last_thousand_that_are_over() {
    let task = printed(&flooded(), &["show", "t1"]).await;
    let wanted: Vec<u32> = (2_501..=3_000).chain(1_501..=2_500).collect();
    assert_eq!(ids(&task["inputRequests"]), wanted, "open ones first, each kind oldest first");
    assert_eq!(task.get("inputRequestsMore"), None);
    assert_eq!(task["inputRequestsClosedMore"], 1_500);
    assert_eq!(task["inputRequests"][700]["raw"], json!({"method": "elicitation/create"}));
}

#[tokio::test]
async fn the_inbox_lists_all_that_waits_and_of_all_a_window() {
    let desk = flooded();
    let waiting = printed(&desk, &["inbox"]).await;
    assert_eq!(ids(&waiting["requests"]), (2_501..=3_000).collect::<Vec<_>>());
    assert_eq!(waiting.get("requestsMore"), None);

    let all = printed(&desk, &["inbox", "--all"]).await;
    assert_eq!(ids(&all["requests"]), (2_001..=3_000).rev().collect::<Vec<_>>());
    assert_eq!(all["requestsMore"], 2_000);
    let behind = printed(&desk, &["inbox", "--all", "--limit", "3", "--after", "r2001"]).await;
    assert_eq!(
        (ids(&behind["requests"]), &behind["requestsMore"]),
        (vec![2_000, 1_999, 1_998], &json!(1_997))
    );
    let last = printed(&desk, &["inbox", "--all", "--after", "r3"]).await;
    assert_eq!((ids(&last["requests"]), last.get("requestsMore")), (vec![2, 1], None));

    let trial = Trial::text();
    trial.run(&desk, &["inbox", "--all", "--limit", "2"]).await.unwrap();
    assert!(
        trial.err.text().contains("2998 more: `signalbox inbox --all --after r2999`"),
        "{}",
        trial.err.text()
    );
    let unknown = Trial::json().run(&desk, &["inbox", "--all", "--after", "r9999"]).await.unwrap_err();
    assert_eq!(unknown.exit(), Exit::Gone, "nobody is told that this was the end");
}

#[test]
fn a_closed_question_with_a_url() {
    let mut detail = request(3, 1, SCHEMA);
    (detail.schema, detail.form, detail.row.mode) = (None, None, Mode::Url);
    (detail.row.state, detail.row.reason) = (RequestState::Closed, Some(CloseReason::TaskEnded));
    detail.row.expires_at = Some(at("2026-07-28T11:00:00Z"));
    detail.url = Some(UrlView {
        full: "https://e.com/sign".into(),
        before: "https://".into(),
        host: "e.com".into(),
        after: "/sign".into(),
        web: true,
        server_host: Some("ci.example.com".into()),
        ..UrlView::default()
    });
    let document = serde_json::to_value(crate::docs::Request::alone(&detail)).unwrap();
    assert_eq!(document["url"], "https://e.com/sign");
    assert_eq!((&document["state"], &document["reason"]), (&json!("closed"), &json!("task_ended")));
    assert_eq!(document["expiresAt"], "2026-07-28T11:00:00.000Z");
    assert_eq!(document["raw"], json!({"method": "elicitation/create"}));
    let page =
        json!({"web": true, "host": "e.com", "loopback": false, "serverHost": "ci.example.com", "asked": 1});
    assert_eq!(document["page"], page, "what is absent is not said");
}

#[test]
fn servers_by_origin_or_command() {
    assert_eq!(
        serde_json::to_value(crate::docs::Server::from(&http())).unwrap(),
        json!({
            "id": "s1", "name": "ci", "origin": "https://ci.example.com:8443", "wire": "modern",
            "protocolVersion": "2026-07-28", "health": {"state": "ok", "latencyMs": 3},
            "capabilities": {"tools": {}}, "supportsTasks": true
        })
    );
    let mut disabled = stdio();
    disabled.enabled = false;
    let document = serde_json::to_value(crate::docs::Server::from(&disabled)).unwrap();
    assert_eq!((&document["command"], &document["enabled"]), (&json!("demo"), &json!(false)));
    assert_eq!(document.get("origin"), None);
}

#[test]
fn what_somebody_else_said_is_embedded_as_it_came() {
    let content = r#"{ "n": 12345678901234567890123 }"#;
    let answer = Answer {
        content: Some(Json::parse(content).unwrap()),
        ..Answer::new(Action::Accept, at("2026-07-28T10:00:06Z"))
    };
    let error = ApiError::new(Code::AnsweredMeanwhile, "so it is").with(Detail::from(&answer));
    let document = serde_json::to_string(&crate::docs::Failed { failure: (&error).into() }).unwrap();
    let detail = format!(
        r#""detail":{{"answer":{{"action":"accept","content":{content},"decidedAt":"2026-07-28T10:00:06.000Z"}}}}"#
    );
    assert!(document.contains(&detail), "{document}");
}

#[tokio::test]
async fn several_candidates_are_named() {
    let mut world = World::default();
    for id in [1, 2] {
        let mut detail = task(id);
        detail.task_id = Some("same".into());
        world.tasks.insert(CallId(id), detail);
    }
    let desk = Scripted::showing(world);
    let failure = Trial::json().run(&desk, &["show", "same"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Usage);
    let crate::exit::Failure::Api(error) = failure else { panic!("it is the desk's") };
    assert_eq!(error.detail, Some(Detail::Tasks(vec![CallId(1), CallId(2)])));
    assert_eq!(
        serde_json::to_value(crate::docs::Failed { failure: (&error).into() }).unwrap()["failure"]["detail"],
        json!({"tasks": ["t1", "t2"]})
    );
    let unknown = Trial::json().run(&desk, &["show", "other"]).await.unwrap_err();
    assert_eq!(unknown.exit(), Exit::Gone);
}
