//! Texts of servers at a terminal: none acts there, none begins a line as if it were ours, in whichever command it shows.

use std::fmt::Display;

use signalbox_api::{
    ApiError, Code, Command, ContentPart, ListedTask, Listing, Reply, ResultView, ServerCheck, SignedIn,
    ToolView, UrlView, Verified, Withheld, command,
};
use signalbox_model::{
    CallId, Event, EventKind, Health, Json, Mode, Note, NoteCode, Outcome, Peer, Reason, RequestId,
    SamplingMessage, SamplingPart, SamplingView, Tracking,
};

use super::desk::{Scripted, World, http, request, task, tool};
use super::{Trial, at};
use crate::commands::doctor::{Findings, at_the_desk};

/// What a line must not begin with.
const POSING: &str = "t1 done";

/// Line ends of every kind, controls of both sets, and what reorders or hides.
fn hostile() -> String {
    let ends = ["\n", "\r\n", "\r", "\u{85}", "\u{b}", "\u{c}", "\u{2028}", "\u{2029}"];
    let posing: String = ends.iter().map(|end| format!("{end}{POSING}")).collect();
    format!(
        "{POSING} fine{posing} \u{1b}[2J\u{9b}31m\u{90}\u{202e}\u{2066}\u{200b}\u{feff}\u{7}\u{8}\u{7f}\u{e0041}"
    )
}

fn text() -> Option<String> {
    Some(hostile())
}

/// With raw line ends between its values, as a server may write it.
fn json() -> Json {
    let quoted = serde_json::Value::from(hostile()).to_string();
    Json::parse(format!("{{\n{quoted}\n:\n{quoted}\n}}")).unwrap()
}

fn schema() -> String {
    let text = serde_json::Value::from(hostile());
    serde_json::json!({
        "type": "object",
        "title": text,
        "description": text,
        "properties": {
            "which": { "title": text, "description": text, "enum": [text, "b"], "default": text },
            "name": { "type": "string", "title": text, "description": text, "default": text },
        },
        "required": ["name"],
    })
    .to_string()
}

fn world() -> World {
    let mut server = http();
    server.peer = Some(Peer { name: hostile(), version: hostile() });
    server.protocol_version = text();
    server.capabilities = Some(json());
    server.signed_in = Some(SignedIn { issuer: hostile(), scopes: vec![hostile()] });
    server.withheld = Some(Withheld { names: vec![hostile()], more: 0, changed: vec![hostile()] });
    server.health = Health::Unreachable {
        note: Reason::Unreachable { said: hostile().into() }.into(),
        since: at("2026-07-28T10:00:00Z"),
        tried_at: None,
        retry_at: at("2026-07-28T10:01:00Z"),
    };
    let mut world = World { servers: vec![server], ..World::default() };
    for id in 1..=3 {
        let mut task = task(id);
        task.row.tool = hostile();
        task.row.status = signalbox_model::Status::Unknown;
        (task.row.status_text, task.row.status_message, task.task_id) = (text(), text(), text());
        task.row.note = Some(Note::said(NoteCode::ServerError, hostile()));
        task.arguments = Some(json());
        let event = |kind| Event {
            call: CallId(id),
            at: at("2026-07-28T10:00:05Z"),
            kind,
            request: None,
            text: text(),
            note: None,
        };
        let refused = Reason::ErrorAnswer { error: 1, said: hostile() };
        let trouble = Event { note: Some(refused.into()), ..event(EventKind::Trouble) };
        task.timeline = vec![event(EventKind::Status), trouble];
        world.tasks.insert(CallId(id), task);
    }
    let ended = world.tasks.get_mut(&CallId(2)).unwrap();
    (ended.row.outcome, ended.row.tracking) = (Some(Outcome::ToolError), Tracking::Done);
    let content = vec![
        ContentPart::Text { text: hostile(), bytes: 1 << 20, same: false },
        ContentPart::Link {
            uri: hostile(),
            name: Some(hostile()),
            description: None,
            mime_type: None,
            size: None,
        },
        ContentPart::Resource {
            uri: hostile(),
            mime_type: Some(hostile()),
            text: Some(hostile()),
            bytes: 1 << 20,
            blob: None,
        },
        ContentPart::Other { r#type: hostile(), json: Some(json()), bytes: 1 },
        ContentPart::Other { r#type: hostile(), json: None, bytes: 1 },
    ];
    ended.result =
        Some(ResultView { is_error: true, content, structured: Some(json()), ..ResultView::default() });
    let failed = world.tasks.get_mut(&CallId(3)).unwrap();
    (failed.row.outcome, failed.row.tracking) = (Some(Outcome::ProtocolError), Tracking::Done);
    failed.error = Some(json());
    for id in 1..=3 {
        let mut asked = request(id, 1, &schema());
        (asked.row.message, asked.row.tool) = (hostile(), hostile());
        (asked.raw, asked.draft, asked.arguments) = (json(), Some(json()), Some(json()));
        if id == 2 {
            let part = |text| SamplingPart::Text { text };
            let message = SamplingMessage { role: hostile(), parts: vec![part(hostile())] };
            asked.row.method = signalbox_model::SAMPLING.into();
            asked.sampling = Some(SamplingView {
                system_prompt: text(),
                messages: vec![message],
                model_hints: vec![hostile()],
                max_tokens: text(),
                ..SamplingView::default()
            });
        }
        if id == 3 {
            asked.row.mode = Mode::Url;
            let (full, host) = (hostile(), hostile());
            asked.url = Some(UrlView {
                full,
                before: hostile(),
                host,
                after: hostile(),
                web: true,
                reads: text(),
                scripts: vec![hostile()],
                server_host: text(),
                ..UrlView::default()
            });
        }
        world.requests.insert(RequestId(id), asked);
    }
    world.tools = vec![hostile_tool()];
    world
}

fn hostile_tool() -> ToolView {
    ToolView { name: hostile(), title: text(), description: text(), ..tool(&schema()) }
}

/// A desk that answers with hostile texts, or fails with one.
fn desk() -> Scripted {
    Scripted::new(world(), |world, command| match command {
        Command::Find(command::Find { text }) => {
            let named = |id: &&CallId| id.to_string() == *text;
            Ok(Reply::Found { calls: world.tasks.keys().filter(named).copied().collect() })
        }
        Command::Refresh(_) => Ok(Reply::Done),
        Command::Tools(_) => Ok(Reply::Tools { tools: world.tools.clone() }),
        Command::Tool(_) => Ok(Reply::Tool { tool: Box::new(hostile_tool()) }),
        Command::Start(_) => Ok(Reply::Started { call: CallId(2) }),
        Command::CheckServer(_) => {
            Ok(Reply::Check { check: ServerCheck { server: world.servers[0].clone(), tools: None } })
        }
        Command::CheckStore(_) => Ok(Reply::Problems(command::Problems { problems: vec![hostile()] })),
        Command::Verify(_) => {
            Ok(Reply::Verified { verified: Verified { entries: 0, answers: 0, count: 0, findings: vec![] } })
        }
        Command::Export(_) => {
            Ok(Reply::Portion(command::ExportPortion { lines: vec![json()], next: None, left_out: 0 }))
        }
        Command::ListTasks(_) => {
            let listed = ListedTask {
                task_id: hostile(),
                status: signalbox_model::Status::Working,
                status_message: text(),
                created_at: None,
            };
            Ok(Reply::Listed { listing: Some(Listing { tasks: vec![listed], complete: false, followed: 0 }) })
        }
        _ => Err(ApiError::new(Code::ServerError, format!("The server answered: {}", hostile()))),
    })
}

fn acts(c: char) -> bool {
    let hides = ['\u{2028}', '\u{2029}', '\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{e0041}'];
    (c.is_control() && c != '\n') || hides.contains(&c)
}

/// What was printed is safe, and there is something of the server in it.
fn is_safe(case: &dyn Display, trial: &Trial) {
    let (out, err) = (trial.out.text(), trial.err.text());
    assert!(format!("{out}{err}").contains("fine"), "{case} shows nothing of it: {out}{err}");
    for printed in [&out, &err] {
        let found = printed.chars().find(|&c| acts(c));
        assert_eq!(found, None, "{case}: {printed:?}");
        let posing = printed.lines().find(|line| line.starts_with(POSING));
        assert_eq!(posing, None, "{case}: {printed}");
    }
}

#[tokio::test]
async fn no_text_of_a_server_acts_or_poses_in_any_command() {
    let lines: [&[&str]; 23] = [
        &["tasks"],
        &["show", "t1"],
        &["show", "t2"],
        &["show", "t3"],
        &["show", "r1"],
        &["show", "r2"],
        &["show", "r3"],
        &["inbox"],
        &["inbox", "--all"],
        &["watch", "t2"],
        &["watch", "t3"],
        &["call", "ci", "deploy", "--args", "{}"],
        &["call", "ci", "deploy"],
        &["tools", "ci"],
        &["track", "ci"],
        &["server", "check", "ci"],
        &["server", "remove", "ci"],
        &["answer", "r1", "--decline"],
        &["answer", "r1", "--accept"],
        &["answer", "r2", "--accept"],
        &["answer", "r3", "--open"],
        &["cancel", "t1"],
        &["export", "--what", "tasks"],
    ];
    for line in lines {
        for as_documents in [false, true] {
            let trial = Trial::terminal(as_documents, &["x", "1", "-", "l", "l", "l"]);
            let desk = desk();
            if let Err(failure) = trial.run(&desk, line).await {
                trial.console.say(&failure.to_string());
            }
            is_safe(&format!("{line:?}, documents: {as_documents}"), &trial);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn no_text_of_a_server_acts_or_poses_in_a_form() {
    for (id, detail) in world().requests {
        let trial = Trial::terminal(false, &["?", "a", "x", "1", "", "", ""]);
        let mut note = None;
        let deciding = crate::ask::decide(&trial.console, &detail, &mut note);
        // What a model would say is asked for until it fits.
        let _ = tokio::time::timeout(std::time::Duration::from_millis(10), deciding).await;
        is_safe(&id, &trial);
        assert!(trial.err.text().contains("  │ "), "{id}: what it asks is marked: {}", trial.err.text());
    }
}

#[tokio::test]
async fn no_text_of_a_server_acts_or_poses_in_doctor() {
    let trial = Trial::terminal(false, &[]);
    let findings = Findings::on(&trial.console);
    at_the_desk(&desk(), false, None, &findings).await.unwrap();
    findings.end(None).unwrap();
    is_safe(&"doctor", &trial);
}

#[tokio::test]
async fn a_table_has_its_line_ends_off_a_terminal_and_marks_them_there() {
    let line = ["export", "--what", "tasks", "--format", "csv"];
    let json = serde_json::json!({ "id": "t1", "statusMessage": format!("a\n{POSING}\u{9b}") }).to_string();
    let desk = || {
        let lines = vec![Json::parse(json.clone()).unwrap()];
        Scripted::new(World::default(), move |_, _| {
            Ok(Reply::Portion(command::ExportPortion { lines: lines.clone(), next: None, left_out: 0 }))
        })
    };
    let trial = Trial::text();
    trial.run(&desk(), &line).await.unwrap();
    assert!(trial.out.text().contains(&format!("a\n{POSING}\u{9b}")), "to a program: {}", trial.out.text());
    let trial = Trial::terminal(false, &[]);
    trial.run(&desk(), &line).await.unwrap();
    assert!(trial.out.text().contains(&format!("a\n  │ {POSING}\\u{{9b}}")), "{}", trial.out.text());
}

#[tokio::test]
async fn an_export_is_exact_off_a_terminal_and_the_same_document_there() {
    let run = async |trial: Trial| {
        trial.run(&desk(), &["export", "--what", "tasks"]).await.unwrap();
        trial.out.text()
    };
    let exact = run(Trial::text()).await;
    assert_eq!(exact, format!("{}\n", json().text()), "every byte as it was");
    let shown = run(Trial::terminal(false, &[])).await;
    assert_eq!(shown.lines().count(), 1, "{shown}");
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(value(&shown), value(&exact));
}
