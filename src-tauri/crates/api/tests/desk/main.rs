//! The desk of an owner, on a real store, against the scripted server.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails at once")]

mod answering;
mod background;
mod coming_forward;
mod disowned;
mod export;
mod hearing;
mod importing;
mod notifying;
mod pages;
mod people;
mod quitting;
mod secrets;
mod several;
mod stacking;
mod stage;
mod standing;
#[cfg(unix)]
mod trust;

use std::time::Duration;

use signalbox_api::{
    Code, Cursor, Desk as _, DeskExt as _, Detail, ExportKind, Home, InboxTab, ListQuery, NewSecret,
    NewTransport, Opened, OwnerKind, View, ViewData, command, open,
};
use signalbox_demo::{Fault, Oddity};
use signalbox_model::{
    Action, ItemRef, Json, Outcome, PayloadKind, RequestId, RequestState, Secret, Status, Tracking,
};

use stage::{APPROVAL, LIMIT, Stage, accept};

#[tokio::test(flavor = "multi_thread")]
async fn a_task_from_call_to_question_to_answer_to_result() {
    let stage = Stage::set().await;
    let call =
        stage.start("deploy", r#"{"service":"api-gateway","version":"4.18.2","region":"eu-west"}"#).await;
    let question = stage.question_of(call).await;
    assert_eq!(question.row.server_name, "demo", "the person's own name says who asks");
    assert_eq!(question.row.summary, "api-gateway 4.18.2 eu-west");
    let form = question.form.expect("an elicitation in form mode has a form");
    assert_eq!(
        form.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>(),
        ["approved", "rollout", "max_error_rate"]
    );

    stage.act(accept(question.row.id, APPROVAL)).await;
    let task = stage.ended(call).await;
    assert_eq!((task.row.status, task.row.outcome), (Status::Completed, Some(Outcome::Ok)));
    assert!(task.result.is_some_and(|result| !result.is_error), "the result must be kept");
    let taken = stage.demo.journal().taken();
    assert_eq!(taken.len(), 1, "the server must take the answer once: {taken:?}");
    let answered = stage.question(question.row.id).await;
    assert_eq!(answered.row.state, RequestState::Answered);
    assert!(
        answered.row.answer.is_some_and(|answer| answer.taken_at.is_some()),
        "and be seen to have taken it"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn content_is_checked_before_anything_is_sent() {
    let stage = Stage::set().await;
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    let question = stage.question_of(call).await.row.id;
    let bad = accept(question, r#"{"approved":true,"rollout":"gradual","max_error_rate":7.5}"#);
    let error = stage.opened.desk().act(bad).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidContent);
    let Some(Detail::Errors(errors)) = error.detail else { panic!("the fields must be named") };
    assert_eq!(errors[0].field.as_deref(), Some("max_error_rate"));

    let empty = command::Answer {
        request: question,
        action: Action::Accept,
        content: None,
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    assert_eq!(stage.opened.desk().act(empty).await.unwrap_err().code, Code::InputNeeded);
    assert!(stage.demo.journal().requests("tasks/update").is_empty(), "nothing may have been sent");
    assert_eq!(stage.question(question).await.row.state, RequestState::Open, "and it can still be answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_can_be_taken_back_within_its_window() {
    let stage = Stage::set().await;
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    let request = stage.question_of(call).await.row.id;
    let content = Some(Json::parse(APPROVAL).unwrap());
    stage
        .act(command::Answer {
            request,
            action: Action::Accept,
            content,
            hold_ms: 60_000,
            seen: None,
            remark: None,
            asks: None,
        })
        .await;
    assert_eq!(stage.question(request).await.row.state, RequestState::Held);
    let decided_at = stage.question(request).await.row.answer.unwrap().decided_at;
    stage.act(command::Undo { request, decided_at }).await;
    let question = stage.question(request).await;
    assert_eq!((question.row.state, question.row.answer), (RequestState::Open, None));
    assert!(stage.demo.journal().requests("tasks/update").is_empty(), "a held answer must not have left");
    stage
        .act(command::Answer {
            request,
            action: Action::Decline,
            content: None,
            hold_ms: 0,
            seen: None,
            remark: None,
            asks: None,
        })
        .await;
    assert_eq!(stage.ended(call).await.row.outcome, Some(Outcome::Ok));
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_hand_out_only_what_changed() {
    let stage = Stage::set().await;
    let first = stage.start("echo", r#"{"text":"one"}"#).await;
    stage.ended(first).await;
    let view = View::Tasks { query: ListQuery::default(), offset: 0, limit: 100 };
    let before = stage.changes(view.clone(), None, Duration::ZERO).await;
    let idle = stage.changes(view.clone(), Some(before.cursor), Duration::ZERO).await;
    assert!(idle.data.is_none(), "nothing happened, nothing may be handed out");

    let second = stage.start("echo", r#"{"text":"two"}"#).await;
    stage.ended(second).await;
    let after = stage.changes(view.clone(), Some(before.cursor), Duration::ZERO).await;
    let Some(ViewData::Tasks { page }) = after.data else { panic!("a new task must show") };
    assert_eq!(page.ids, [second, first], "the newest first");
    assert_eq!(
        page.rows.iter().map(|row| row.id).collect::<Vec<_>>(),
        [second],
        "the old row did not change"
    );
    assert_eq!(page.total, 2);

    let other_run = Cursor { epoch: after.cursor.epoch + 1, ..after.cursor };
    let fresh = stage.changes(view, Some(other_run), Duration::ZERO).await;
    let Some(ViewData::Tasks { page }) = fresh.data else { panic!("another epoch means a fresh view") };
    assert_eq!(page.rows.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_task_leaves_the_list() {
    let stage = Stage::set().await;
    let call = stage.start("echo", r#"{"text":"one"}"#).await;
    stage.ended(call).await;
    let view = View::Tasks { query: ListQuery::default(), offset: 0, limit: 100 };
    let before = stage.changes(view.clone(), None, Duration::ZERO).await.cursor;
    stage.act(command::Forget { call }).await;
    let Some(ViewData::Tasks { page }) = stage.changes(view, Some(before), LIMIT).await.data else {
        panic!("a row that is gone is a change")
    };
    assert_eq!((page.ids.len(), page.total), (0, 0));
    let gone = stage.changes(View::Task { call }, None, Duration::ZERO).await;
    assert!(matches!(gone.data, Some(ViewData::Task { task: None })), "its detail says that it is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_out_of_reach_is_said_once_and_its_tasks_go_on_later() {
    let stage = Stage::set().await;
    let call = stage.start("forever", "{}").await;
    stage.until_task(call, |task| task.task_id.is_some()).await;
    stage.demo.faults().next(100, "*", Fault::Refuse { status: 502, retry_after: None });
    let task = stage.until_task(call, |task| task.row.tracking == Tracking::Unreachable).await;
    assert_eq!(task.row.outcome, None, "out of reach is not the end");
    stage.demo.faults().clear();
    let task = stage.until_task(call, |task| task.row.tracking == Tracking::Live).await;
    assert_eq!(task.row.status, Status::Working);
    stage.act(command::Cancel { call, seen: None }).await;
    assert_eq!(stage.ended(call).await.row.outcome, Some(Outcome::Cancelled));
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_where_it_was_after_a_restart() {
    let stage = Stage::set().await;
    let call = stage.start("two_questions", "{}").await;
    let task = stage.until_task(call, |task| task.row.open_requests == 2).await;
    let request = task.requests[0].id;
    let draft = Json::parse(r#"{"note":"half typed"}"#).unwrap();
    stage.act(command::SaveDraft { request, draft: Some(draft.clone()) }).await;

    let Stage { opened, demo, server, dir } = stage;
    let before = opened.desk().changes(View::Overview, None, Duration::ZERO).await.unwrap().cursor;
    opened.close().await;
    let opened = open(&Home::at(&dir.path().join("home")).unwrap(), OwnerKind::Serve).await.unwrap();
    let stage = Stage { opened, demo, server, dir };
    let overview = stage.changes(View::Overview, Some(before), Duration::ZERO).await;
    let Some(ViewData::Overview { change }) = overview.data else { panic!("a new run means a fresh view") };
    let overview = change.after(None).expect("a new run means all of it");
    assert_eq!((overview.inbox, overview.tasks.needs_you), (2, 1));
    assert_eq!(stage.question(request).await.draft, Some(draft), "what was typed must not be lost");
    let inbox = View::Inbox {
        tab: InboxTab::NeedsYou,
        filter: String::new(),
        within: String::new(),
        offset: 0,
        limit: 10,
    };
    let Some(ViewData::Inbox { page }) = stage.changes(inbox, None, Duration::ZERO).await.data else {
        panic!("the inbox is a page")
    };
    for id in page.ids {
        stage
            .act(command::Answer {
                request: id,
                action: Action::Decline,
                content: None,
                hold_ms: 0,
                seen: None,
                remark: None,
                asks: None,
            })
            .await;
    }
    assert!(stage.ended(call).await.row.outcome.is_some());
    let keys: Vec<String> = stage.demo.journal().taken().into_iter().map(|(_, key, _)| key).collect();
    assert_eq!(keys.len(), 2, "each answer is taken once: {keys:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_are_named_once_and_kept_while_they_have_tasks() {
    let stage = Stage::set().await;
    let desk = stage.opened.desk();
    let transport = NewTransport::Http { url: stage.server.url(), headers: vec![] };
    let again = command::AddServer { name: "demo".into(), transport, untrusted: false };
    assert_eq!(desk.act(again).await.unwrap_err().code, Code::NameTaken);
    for url in ["ftp://example.com/", "no url", "https://user:pw@example.com/mcp"] {
        let transport = NewTransport::Http { url: url.into(), headers: vec![] };
        let error = desk
            .act(command::AddServer { name: "other".into(), transport, untrusted: false })
            .await
            .unwrap_err();
        assert_eq!(error.code, Code::Usage, "{url}");
        assert!(!error.message.contains("pw"), "a password is not repeated: {error}");
    }
    let secret = |path: &str| NewSecret::Reference { secret: Secret::File { path: path.into() } };
    let http =
        |path| NewTransport::Http { url: stage.server.url(), headers: vec![("Key".into(), secret(path))] };
    let stdio = |command: &str, cwd: Option<&str>| NewTransport::Stdio {
        command: command.into(),
        args: vec!["./x".into()],
        env: vec![],
        cwd: cwd.map(Into::into),
    };
    for transport in
        [http("key.txt"), http("~/key.txt"), stdio("./server", None), stdio("npx", Some("tools"))]
    {
        let error = desk
            .act(command::AddServer { name: "other".into(), transport, untrusted: false })
            .await
            .unwrap_err();
        assert_eq!(error.code, Code::Usage, "whoever connects may run in another folder");
        assert!(error.message.contains("the whole path"), "{error}");
    }
    for (name, transport) in [("file", http("/run/key")), ("program", stdio("npx", Some("/srv")))] {
        stage.act(command::AddServer { name: name.into(), transport, untrusted: false }).await;
    }
    let call = stage.start("forever", "{}").await;
    stage.until_task(call, |task| task.task_id.is_some()).await;
    let error = desk.act(command::RemoveServer { server: "demo".into() }).await.unwrap_err();
    assert_eq!((error.code, error.detail), (Code::LiveTasks, Some(Detail::Tasks(vec![call]))));
    let unknown = command::Tools { server: "nobody".into() };
    assert_eq!(desk.act(unknown).await.unwrap_err().code, Code::UnknownServer);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handle_made_elsewhere_is_adopted_only_if_it_is_known() {
    let stage = Stage::set().await;
    let call = stage.start("forever", "{}").await;
    let handle = stage.until_task(call, |task| task.task_id.is_some()).await.task_id.unwrap();
    let track = |task_id: &str| command::Track { server: "demo".into(), task_id: task_id.to_owned() };
    assert_eq!(stage.act(track(&handle)).await, call, "a handle that is followed already is the same task");
    let error = stage.opened.desk().act(track("no-such-task")).await.unwrap_err();
    assert_eq!(error.code, Code::UnknownItem);
    let calls = stage.act(command::Find { text: "no-such-task".into() }).await;
    assert_eq!(calls, [], "nothing is kept of it");
    stage.act(command::Forget { call }).await;
    let adopted = stage.act(track(&handle)).await;
    let task = stage.until_task(adopted, |task| task.row.status == Status::Working).await;
    assert_eq!(task.row.tool, "", "of an adopted handle the tool is not known");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_window_that_is_gone_had_in_front_is_in_front_no_more() {
    let stage = Stage::set().await;
    let home = Home::at(&stage.dir.path().join("home")).unwrap();
    let Opened::Guest(window) = open(&home, OwnerKind::Window).await.unwrap() else {
        panic!("there is an owner")
    };
    let mut front = stage.opened.local().unwrap().front();
    let item = ItemRef::Request(RequestId(1));
    window.act(command::SetFront { item: Some(item) }).await.unwrap();
    assert_eq!(*front.borrow_and_update(), Some(item));
    drop(window);
    tokio::time::timeout(LIMIT, front.wait_for(Option::is_none))
        .await
        .expect("notifications about it must come again")
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_joins_a_command_has_all_tasks_followed() {
    let stage = Stage::set().await;
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    stage.until_task(call, |task| task.task_id.is_some()).await;
    let Stage { opened, demo, server, dir } = stage;
    opened.close().await;
    let home = Home::at(&dir.path().join("home")).unwrap();
    let opened = open(&home, OwnerKind::Command).await.unwrap();
    let Opened::Guest(window) = open(&home, OwnerKind::Window).await.unwrap() else {
        panic!("there is an owner")
    };
    window.changes(View::Forward { raises: false }, None, Duration::ZERO).await.unwrap();
    let stage = Stage { opened, demo, server, dir };
    let question = stage.question_of(call).await;
    assert_eq!(question.row.state, RequestState::Open, "nobody named the task, and yet it is looked at");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payload_that_is_damaged_hides_nothing_else() {
    let stage = Stage::set().await;
    for times_over in [1, 5] {
        // A result that is pushed would not be as large as the one that is looked for.
        stage.demo.faults().odd(100, Oddity::named("push_refused").unwrap());
        stage.demo.faults().next(100, "tasks/get", Fault::Huge(times_over * 300 * 1024));
        let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
        stage.act(accept(stage.question_of(call).await.row.id, APPROVAL)).await;
        assert!(stage.ended(call).await.result.is_some(), "what is sound is shown");
        stage.demo.faults().clear();

        let payloads = stage.dir.path().join("home/payloads");
        let prefix = format!("{call}-result");
        let mut files = std::fs::read_dir(payloads).unwrap().map(|entry| entry.unwrap());
        let file = files.find(|file| file.file_name().to_string_lossy().starts_with(&prefix)).unwrap();
        std::fs::remove_file(file.path()).unwrap();

        let task = stage.ended(call).await;
        assert_eq!((task.row.outcome, &task.result), (Some(Outcome::Ok), &None), "the task itself is sound");
        let fault = task.fault(PayloadKind::Result).expect("the result's place says what became of it");
        assert_eq!(fault.code, Code::StorageDamaged);
        assert!(fault.message.contains("missing"), "{fault}");
        assert!(task.arguments.is_some() && task.fault(PayloadKind::Arguments).is_none(), "and only there");
        let (after, filter) = (u64::from(call.0) - 1, String::new());
        let export =
            command::Export { what: ExportKind::Tasks, after, with_handles: false, filter, calls: vec![] };
        let command::ExportPortion { lines, left_out, .. } = stage.act(export).await;
        assert_eq!(
            (lines.len(), left_out),
            (1, 1),
            "its line is exported, and it is said that not all is in it"
        );
    }
}
