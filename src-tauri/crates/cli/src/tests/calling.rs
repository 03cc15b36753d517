//! `call`, from start to end.

use serde_json::json;
use signalbox_api::{ApiError, Code, Command, Detail, Reply, RequestDetail, command};
use signalbox_model::{
    Action, Answer, CallId, Delivery, Json, Note, NoteCode, Outcome, RequestId, RequestState,
};

use super::Trial;
use super::desk::{SCHEMA, Scripted, World, http, request, stdio, task, tool};
use super::watching::full_for_a_while;
use crate::exit::{Exit, Failure};

/// A server whose call behaves as `then` says once it is started; answers settle their question.
fn desk(then: impl Fn(&mut World) + Send + 'static) -> Scripted {
    let world =
        World { servers: vec![http()], tools: vec![tool("{\"type\":\"object\"}")], ..World::default() };
    scripted(world, then)
}

fn scripted(world: World, then: impl Fn(&mut World) + Send + 'static) -> Scripted {
    Scripted::new(world, move |world, command| match command {
        Command::Tool(command::Tool { tool, .. }) => {
            let found = world.tools.iter().find(|known| known.name == *tool).cloned();
            let unknown = || ApiError::new(Code::UnknownTool, format!("no tool \"{tool}\""));
            found.map(|tool| Reply::Tool { tool: Box::new(tool) }).ok_or_else(unknown)
        }
        Command::Start(_) => {
            world.tasks.insert(CallId(1), task(1));
            then(world);
            Ok(Reply::Started { call: CallId(1) })
        }
        Command::Answer(command::Answer { request, content, .. }) => {
            if content.as_ref().is_some_and(|content| content.text().contains("false")) {
                return Err(ApiError::new(Code::ServerError, "the server refused: never say no"));
            }
            world.settle(*request, RequestState::Answered, None);
            world.end(CallId(1), Outcome::Ok, "deployed");
            Ok(Reply::Done)
        }
        other => Err(ApiError::new(Code::Internal, format!("not in the script: {other:?}"))),
    })
}

fn answers(desk: &Scripted) -> Vec<(RequestId, Action, Option<String>)> {
    let answer = |command: &Command| match command {
        Command::Answer(command::Answer { request, action, content, hold_ms, .. }) => {
            assert_eq!(*hold_ms, 0, "the undo window does not apply here");
            Some((*request, *action, content.as_ref().map(|content| content.text().to_owned())))
        }
        _ => None,
    };
    desk.world().commands.iter().filter_map(answer).collect()
}

#[tokio::test]
async fn the_result_is_what_is_printed() {
    let desk = desk(|world| world.end(CallId(1), Outcome::Ok, "deployed"));
    let trial = Trial::text();
    assert_eq!(
        trial.run(&desk, &["call", "ci", "deploy", "--args", r#"{"a": 1.0}"#]).await.unwrap(),
        Exit::Done
    );
    assert_eq!(trial.out.text(), "deployed\n");
    let world = desk.world();
    let Command::Start(command::Start { arguments, .. }) = &world.commands[0] else {
        panic!("it is started at once")
    };
    assert_eq!(arguments.text(), r#"{"a": 1.0}"#, "arguments go out as they were typed");
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_call_hears_at_once_that_the_disk_is_full() {
    let (desk, trial) = (desk(|_| ()), Trial::text());
    let server = async {
        full_for_a_while(&desk, &trial).await;
        desk.happens(|world| world.end(CallId(1), Outcome::Ok, "deployed"));
    };
    let (exit, ()) = tokio::join!(trial.run(&desk, &["call", "ci", "deploy", "--args", "{}"]), server);
    assert_eq!(exit.unwrap(), Exit::Done, "what waited for room came in the end");
}

#[tokio::test]
async fn every_other_end_is_code_1() {
    for outcome in
        [Outcome::ToolError, Outcome::ProtocolError, Outcome::Cancelled, Outcome::Expired, Outcome::Lost]
    {
        let desk = desk(move |world| world.end(CallId(1), outcome, "no"));
        let trial = Trial::json();
        assert_eq!(trial.run(&desk, &["call", "ci", "deploy"]).await.unwrap(), Exit::Failed, "{outcome:?}");
        assert_eq!(trial.document()["outcome"], json!(outcome));
        assert!(trial.err.text().contains("t1 ended"), "{}", trial.err.text());
    }
}

#[tokio::test]
async fn a_call_that_never_got_there_exits_by_the_reason() {
    let table = [
        (NoteCode::Unreachable, Exit::Unreachable, Some("unreachable")),
        (NoteCode::SignInNeeded, Exit::SignInNeeded, Some("sign_in_needed")),
        (NoteCode::SecretMissing, Exit::Usage, Some("secret_missing")),
        (NoteCode::ServerError, Exit::Failed, None),
        (NoteCode::ProtocolError, Exit::Failed, None),
        (NoteCode::Unknown, Exit::Failed, None),
    ];
    for (code, exit, failure) in table {
        let desk = desk(move |world| {
            world.end(CallId(1), Outcome::ProtocolError, "");
            let note = Note::said(code, "why".to_owned());
            world.tasks.get_mut(&CallId(1)).unwrap().row.note = Some(note);
        });
        let trial = Trial::json();
        assert_eq!(trial.run(&desk, &["call", "ci", "deploy"]).await.unwrap(), exit, "{code:?}");
        assert_eq!(trial.document()["failure"]["code"].as_str(), failure, "{code:?}");
        assert!(trial.err.text().contains("why"), "{code:?}: {}", trial.err.text());
    }
}

#[tokio::test]
async fn off_a_terminal_a_question_ends_the_waiting_with_code_3() {
    let desk = desk(|world| world.ask(request(1, 1, SCHEMA)));
    let trial = Trial::json();
    assert_eq!(trial.run(&desk, &["call", "ci", "deploy"]).await.unwrap(), Exit::InputNeeded);
    let document = trial.document();
    assert_eq!(document["id"], "t1");
    assert_eq!(document["inputRequests"][0]["id"], "r1");
    assert_eq!(document["inputRequests"][0]["state"], "open");
    assert_eq!(document["failure"]["code"], "input_needed");
    assert!(answers(&desk).is_empty(), "nothing is answered for anybody");
}

#[tokio::test]
async fn no_input_never_asks() {
    let desk = desk(|world| world.ask(request(1, 1, SCHEMA)));
    let trial = Trial::person(&["a", "y", ""]);
    assert_eq!(trial.run(&desk, &["call", "ci", "deploy", "--no-input"]).await.unwrap(), Exit::InputNeeded);
    assert!(answers(&desk).is_empty());
}

#[tokio::test]
async fn at_a_terminal_the_question_is_asked_field_by_field() {
    let desk = desk(|world| world.ask(request(1, 1, SCHEMA)));
    // No choice, then a choice; no boolean, then one; too short, then long enough.
    let trial = Trial::person(&["what?", "accept", "perhaps", "yes", "ok", "looks good"]);
    assert_eq!(trial.run(&desk, &["call", "ci", "deploy"]).await.unwrap(), Exit::Done);
    assert_eq!(
        answers(&desk),
        [(RequestId(1), Action::Accept, Some(r#"{"approve":true,"reason":"looks good"}"#.to_owned()))]
    );
    assert_eq!(trial.out.text(), "deployed\n", "stdout has the result alone");
    let said = trial.err.text();
    assert!(said.contains("ci asks") && said.contains("https://ci.example.com:8443/mcp"), "who asks: {said}");
    assert!(said.contains("Deploy to production?"), "{said}");
}

#[tokio::test]
async fn a_refused_answer_is_asked_again() {
    let desk = desk(|world| world.ask(request(1, 1, SCHEMA)));
    let trial = Trial::person(&["a", "no", "", "a", "yes", ""]);
    assert_eq!(trial.run(&desk, &["call", "ci", "deploy"]).await.unwrap(), Exit::Done);
    let contents: Vec<_> = answers(&desk).into_iter().filter_map(|(_, _, content)| content).collect();
    assert_eq!(contents, [r#"{"approve":false}"#, r#"{"approve":true}"#]);
    assert!(trial.err.text().contains("never say no"), "{}", trial.err.text());
}

/// A question whose answer may have reached the server already.
pub(super) fn answered_once(state: RequestState) -> RequestDetail {
    let mut detail = request(1, 1, SCHEMA);
    detail.row.state = state;
    let content = Some(Json::parse(r#"{"approve":false}"#).unwrap());
    detail.row.answer = Some(Answer { content, ..Answer::new(Action::Accept, detail.row.opened_at) });
    detail
}

#[tokio::test]
async fn a_second_answer_is_sent_only_where_the_person_says_so() {
    for state in [RequestState::Unknown, RequestState::NotTaken] {
        for (typed, sent) in [("", 0), ("n", 0), ("y", 1)] {
            let desk = desk(move |world| world.ask(answered_once(state)));
            let trial = Trial::person(&["d", typed]);
            let elsewhere = async {
                while !trial.err.text().contains("signalbox answer r1") && answers(&desk).is_empty() {
                    tokio::task::yield_now().await;
                }
                desk.happens(|world| world.end(CallId(1), Outcome::Ok, "deployed"));
            };
            let (exit, ()) = tokio::join!(trial.run(&desk, &["call", "ci", "deploy"]), elsewhere);
            assert_eq!(exit.unwrap(), Exit::Done);
            assert_eq!(answers(&desk).len(), sent, "{state:?}, {typed:?}");
            let said = trial.err.text();
            assert!(said.contains("may get two") && said.contains(r#"{"approve":false}"#), "{said}");
        }
    }
}

#[tokio::test]
async fn declining_sends_no_content() {
    let desk = desk(|world| world.ask(request(1, 1, SCHEMA)));
    Trial::person(&["d"]).run(&desk, &["call", "ci", "deploy"]).await.unwrap();
    assert_eq!(answers(&desk), [(RequestId(1), Action::Decline, None)]);
}

#[tokio::test]
async fn the_end_of_input_answers_nothing() {
    let desk = desk(|world| world.ask(request(1, 1, SCHEMA)));
    let mut trial = Trial::person(&["a", "yes"]);
    (trial.typed, _) = tokio::sync::mpsc::channel(1);
    assert_eq!(trial.run(&desk, &["call", "ci", "deploy"]).await.unwrap(), Exit::InputNeeded);
    assert!(answers(&desk).is_empty(), "a half filled form is no answer");
}

#[tokio::test]
async fn a_question_that_is_answered_elsewhere_is_dropped() {
    let desk = desk(|world| world.ask(request(1, 1, SCHEMA)));
    let trial = Trial::person(&["a"]);
    let elsewhere = async {
        // The prompt for the first field is out: now somebody answers in the window.
        while !trial.err.text().contains("yes or no") {
            tokio::task::yield_now().await;
        }
        desk.happens(|world| world.settle(RequestId(1), RequestState::Answered, None));
        while !trial.err.text().contains("no answer is needed") {
            tokio::task::yield_now().await;
        }
        trial.typed.send("yes".into()).await.unwrap();
        desk.happens(|world| world.end(CallId(1), Outcome::Ok, "deployed"));
    };
    let (exit, ()) = tokio::join!(trial.run(&desk, &["call", "ci", "deploy"]), elsewhere);
    assert_eq!(exit.unwrap(), Exit::Done);
    assert!(answers(&desk).is_empty(), "what was typed into a dead question answers nothing");
}

#[tokio::test]
async fn a_note_that_is_typed_at_the_question_goes_with_what_is_decided() {
    let long = "x".repeat(2_001);
    for (typed, action, remark) in [
        (&["n", " asked Ada ", "d"][..], Action::Decline, Some("asked Ada")),
        (&["note", &long, "asked Ada", "m"], Action::Cancel, Some("asked Ada")),
        (&["n", "asked Ada", "a", "y", "", ""], Action::Accept, Some("asked Ada")),
        (&["n", "asked Ada", "n", "", "d"], Action::Decline, None),
    ] {
        let desk = desk(|world| world.ask(request(1, 1, SCHEMA)));
        let trial = Trial::person(typed);
        assert_eq!(trial.run(&desk, &["call", "ci", "deploy"]).await.unwrap(), Exit::Done, "{typed:?}");
        let last = noted(&desk).pop().expect("it is answered");
        assert_eq!((last.0, last.1.as_deref()), (action, remark), "{typed:?}: {}", trial.err.text());
    }
}

#[tokio::test]
async fn a_note_outlives_an_answer_that_was_refused_and_is_said_again() {
    let desk = desk(|world| world.ask(request(1, 1, SCHEMA)));
    let trial = Trial::person(&["n", "asked Ada", "a", "n", "", "a", "y", ""]);
    assert_eq!(trial.run(&desk, &["call", "ci", "deploy"]).await.unwrap(), Exit::Done);
    let ada = Some("asked Ada".to_owned());
    assert_eq!(noted(&desk), [(Action::Accept, ada.clone()), (Action::Accept, ada)]);
    assert!(trial.err.text().contains("Your note for your own log: asked Ada"), "{}", trial.err.text());
}

/// How each question was answered, and what was noted beside it.
fn noted(desk: &Scripted) -> Vec<(Action, Option<String>)> {
    let answer = |command: &Command| match command {
        Command::Answer(command::Answer { action, remark, .. }) => Some((*action, remark.clone())),
        _ => None,
    };
    desk.world().commands.iter().filter_map(answer).collect()
}

#[tokio::test]
async fn later_leaves_the_question_and_goes_on_waiting() {
    let desk = desk(|world| world.ask(request(1, 1, SCHEMA)));
    let trial = Trial::person(&["l"]);
    let elsewhere = async {
        while !trial.err.text().contains("signalbox answer r1") {
            tokio::task::yield_now().await;
        }
        desk.happens(|world| world.end(CallId(1), Outcome::Ok, "deployed"));
    };
    let (exit, ()) = tokio::join!(trial.run(&desk, &["call", "ci", "deploy"]), elsewhere);
    assert_eq!(exit.unwrap(), Exit::Done);
    assert!(answers(&desk).is_empty());
}

#[tokio::test]
async fn malformed_arguments_start_nothing() {
    let desk = desk(|_| {});
    for (args, told) in [("{\"a\":", "line 1 column 5"), ("[]", "must be a JSON object")] {
        let failure = Trial::text().run(&desk, &["call", "ci", "deploy", "--args", args]).await.unwrap_err();
        assert_eq!(failure.exit(), Exit::Usage);
        assert!(failure.to_string().contains(told), "{failure}");
    }
    assert!(desk.world().commands.is_empty());
}

const WANTS_SERVICE: &str = r#"{"type":"object","properties":{"service":{"type":"string"},"note":{"type":"string"}},"required":["service"]}"#;

#[tokio::test]
async fn missing_arguments_are_named_off_a_terminal() {
    let world = World { servers: vec![http()], tools: vec![tool(WANTS_SERVICE)], ..World::default() };
    let desk = scripted(world, |_| {});
    let Failure::Api(error) = Trial::json().run(&desk, &["call", "ci", "deploy"]).await.unwrap_err() else {
        panic!("it is from the closed list")
    };
    assert_eq!(Exit::from(error.code), Exit::Usage);
    let Some(Detail::Form(form)) = error.detail else { panic!("the fields are in the detail") };
    assert_eq!(form.fields[0].name, "service");
}

#[tokio::test]
async fn missing_arguments_are_asked_for_at_a_terminal() {
    let world = World { servers: vec![http()], tools: vec![tool(WANTS_SERVICE)], ..World::default() };
    let desk = scripted(world, |world| world.end(CallId(1), Outcome::Ok, "deployed"));
    let trial = Trial::person(&["", "web"]);
    assert_eq!(trial.run(&desk, &["call", "ci", "deploy"]).await.unwrap(), Exit::Done);
    let world = desk.world();
    let Some(Command::Start(command::Start { arguments, .. })) = world.commands.last() else {
        panic!("it is started")
    };
    assert_eq!(arguments.text(), r#"{"service":"web"}"#, "only what is required is asked for");
}

#[tokio::test]
async fn an_unknown_tool_is_code_2() {
    let failure = Trial::text().run(&desk(|_| {}), &["call", "ci", "fly"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Usage);
    assert!(failure.to_string().contains("\"fly\""), "{failure}");
}

#[tokio::test]
async fn detaching_from_a_program_needs_a_lasting_owner() {
    let world = World { servers: vec![stdio()], ..World::default() };
    let desk = scripted(world, |_| {});
    let line = ["call", "ci", "deploy", "--detach", "--args", "{}"];
    let failure = Trial::json().owner().run(&desk, &line).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Usage);
    assert!(failure.to_string().contains("signalbox serve"), "it says what to do: {failure}");
    assert!(desk.world().commands.is_empty(), "nothing was started");

    let trial = Trial::json();
    assert_eq!(trial.run(&desk, &line).await.unwrap(), Exit::Done, "somebody else owns the program then");
    assert_eq!(trial.document()["taskId"], "task-1");
}

#[tokio::test]
async fn an_owner_detaches_once_the_server_has_taken_the_call() {
    let desk = desk(|world| {
        let task = world.tasks.get_mut(&CallId(1)).unwrap();
        (task.delivery, task.row.has_task, task.task_id) = (Delivery::Sent, false, None);
    });
    let trial = Trial::json().owner();
    let taken = async {
        while desk.world().commands.is_empty() {
            tokio::task::yield_now().await;
        }
        desk.happens(|world| drop(world.tasks.insert(CallId(1), task(1))));
    };
    let (exit, ()) =
        tokio::join!(trial.run(&desk, &["call", "ci", "deploy", "--detach", "--args", "{}"]), taken);
    assert_eq!(exit.unwrap(), Exit::Done);
    assert_eq!(trial.document()["taskId"], "task-1", "leaving earlier would have lost the handle");
}

#[tokio::test]
async fn a_deadline_prints_how_it_stands() {
    let mut world = World { servers: vec![http()], ..World::default() };
    world.tasks.insert(CallId(1), task(1));
    let desk = Scripted::showing(world);
    let trial = Trial::json();
    let context = trial.context(&desk);
    context.waiting_for.set(Some(CallId(1)));
    assert_eq!(crate::run::early(&context, Exit::TimedOut, false).await.unwrap(), Exit::TimedOut);
    let document = trial.document();
    assert_eq!((&document["id"], &document["status"]), (&json!("t1"), &json!("working")));
    assert_eq!(
        (&document["failure"]["code"], &document["failure"]["retry"]),
        (&json!("timed_out"), &json!("queued"))
    );
    assert!(trial.err.text().contains("goes on"), "{}", trial.err.text());

    let trial = Trial::json();
    assert_eq!(crate::run::early(&trial.context(&desk), Exit::TimedOut, true).await.unwrap(), Exit::TimedOut);
    assert_eq!(trial.document()["failure"]["retry"], "queued", "a recorded answer must not be repeated");

    let trial = Trial::text();
    let line = crate::args::AtDesk::Tools { server: "ci".into() };
    let asked = crate::run::asked(&line, std::time::Duration::from_secs(4));
    let context = crate::commands::Context { asked, ..trial.context(&desk) };
    assert_eq!(crate::run::early(&context, Exit::TimedOut, false).await.unwrap(), Exit::TimedOut);
    let said = trial.err.text();
    assert!(said.contains(r#"the time was up: "ci" had not answered within 4 s. Give a longer"#), "{said}");
}

#[tokio::test]
async fn what_becomes_of_the_work_is_said_by_who_owns_it_now() {
    let mut world = World { servers: vec![http()], ..World::default() };
    world.tasks.insert(CallId(1), task(1));
    let desk = Scripted::showing(world);
    let trial = Trial::text();
    let context = trial.context(&desk);
    context.waiting_for.set(Some(CallId(1)));
    // The owner left, and this command took over while it waited.
    trial.owner.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(crate::run::early(&context, Exit::Interrupted, false).await.unwrap(), Exit::Interrupted);
    let said = trial.err.text();
    assert!(said.contains("goes on at the server"), "nobody here follows it any more: {said}");
}
