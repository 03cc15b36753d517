//! `call`: to the end, to a question, or to whatever stops the waiting.

use serde_json::{Value, json};
use signalbox_tests::{Stage, each, said, soon, text};

#[tokio::test]
async fn a_plain_result_comes_at_once() {
    for stage in Stage::both().await {
        let done = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"hello"}"#]).await.ok();
        assert_eq!(said(&done), "hello");
        assert_eq!((&done["status"], &done["outcome"]), (&json!("completed"), &json!("ok")));
        for absent in ["taskId", "ttlMs", "pollIntervalMs", "expiresAt", "failure", "error"] {
            assert!(done.get(absent).is_none(), "{absent} has no place without a task: {done}");
        }
    }
}

#[tokio::test]
async fn deploy_from_call_to_question_to_answer_to_result() {
    for stage in Stage::both().await {
        let machine = &stage.machine;
        let asked = stage.asks("deploy", r#"{"service":"web","version":"2.1"}"#).await;
        assert_eq!(asked["status"], "input_required", "{asked}");
        assert_eq!(asked["failure"]["code"], "input_needed");
        assert_eq!(asked["arguments"], json!({ "service": "web", "version": "2.1" }));
        let request = &asked["inputRequests"][0];
        assert_eq!((&request["key"], &request["state"]), (&json!("approval"), &json!("open")));
        assert!(text(request, "message").contains("web 2.1"), "the server's own words: {request}");

        let inbox = machine.run(&["inbox"]).await.ok();
        assert_eq!(each(&inbox["requests"], "id"), [text(request, "id")]);

        let content = r#"{"approved":true,"rollout":"gradual","max_error_rate":1.5}"#;
        let answer = ["answer", text(request, "id"), "--accept", "--content", content];
        let answered = machine.run(&answer).await.ok();
        assert_eq!(answered["state"], "answered", "acknowledged: {answered}");

        let task = stage.ends_well(text(&asked, "id")).await;
        assert_eq!(said(&task), "Deployed web 2.1 to eu-west.");
        assert_eq!(task["result"]["structuredContent"]["maxErrorRate"], 1.5);
        assert_eq!(
            stage.demo.taken("approval"),
            [json!({
                "action": "accept",
                "content": { "approved": true, "rollout": "gradual", "max_error_rate": 1.5 },
            })]
        );
        assert_eq!(machine.run(&["inbox"]).await.ok(), json!({ "requests": [] }));
        let kinds = each(&task["timeline"], "kind");
        let expected = ["called", "task_created", "asked", "answered", "acknowledged", "taken", "ended"];
        let mut told = kinds.iter();
        for kind in expected {
            assert!(told.any(|told| *told == kind), "{kind} comes in its turn in {kinds:?}");
        }
    }
}

#[tokio::test]
async fn arguments_come_from_the_line_a_file_or_stdin() {
    let stage = Stage::served().await;
    let file = stage.machine.file("arguments.json", "{ \"text\" : \"from a file\" }\n");
    let ways = [(r#"{"text":"typed"}"#, "", "typed"), (&format!("@{file}"), "", "from a file")];
    for (given, input, expected) in ways.into_iter().chain([("-", r#"{"text":"piped"}"#, "piped")]) {
        let done = stage.machine.run_with(&["call", "demo", "echo", "--args", given], input).await.ok();
        assert_eq!(said(&done), expected);
    }
}

#[tokio::test]
async fn arguments_reach_the_server_as_they_were_typed() {
    let stage = Stage::served().await;
    let typed = r#"{"text":"z","big":12345678901234567890,"exact":1.10,"a":[]}"#;
    let done = stage.machine.run(&["call", "demo", "echo", "--args", typed]).await.exits(0);
    assert!(done.stdout.contains(typed), "neither order nor digits change: {done}");
    let received = serde_json::to_value(&stage.demo.journal().requests("tools/call")[0]).unwrap();
    assert_eq!(received["params"]["arguments"]["big"], 12_345_678_901_234_567_890_u64);
}

#[tokio::test]
async fn a_task_is_run_again_with_its_arguments_or_others() {
    for stage in Stage::both().await {
        let machine = &stage.machine;
        let sent = r#"{"text":"once","big":12345678901234567890,"exact":1.10}"#;
        let first = machine.run(&["call", "demo", "echo", "--args", sent]).await.ok();
        let again = machine.run(&["again", text(&first, "id")]).await.exits(0);
        assert!(again.stdout.contains(sent), "neither order nor digits change: {again}");
        let again = again.document();
        assert_ne!(again["id"], first["id"], "it is a task of its own");
        assert_eq!((&again["tool"], said(&again)), (&json!("echo"), "once"));
        let edited = ["again", text(&again, "id"), "--args", r#"{"text":"twice"}"#];
        assert_eq!(said(&machine.run(&edited).await.ok()), "twice");
        let unfit = ["again", text(&again, "id"), "--args", r#"{"text":1}"#];
        let failure = machine.run(&unfit).await.failure(2, "invalid_content");
        assert_eq!(each(&failure["detail"]["errors"], "field"), ["text"], "checked as of `call`: {failure}");
        assert_eq!(stage.demo.journal().requests("tools/call").len(), 3, "nothing else was called");
    }
}

#[tokio::test]
async fn missing_arguments_are_named() {
    for stage in Stage::both().await {
        let failure = stage.machine.run(&["call", "demo", "deploy"]).await.failure(2, "invalid_content");
        assert!(text(&failure, "message").contains("service"), "{failure}");
        let fields = each(&failure["detail"]["form"]["fields"], "name");
        assert_eq!(fields, ["service", "version", "region"], "the form comes with it");
        assert_eq!(stage.demo.journal().requests("tools/call"), [], "nothing was called");
    }
}

#[tokio::test]
async fn a_tool_that_is_not_there_is_named() {
    for stage in Stage::both().await {
        for line in [["call", "demo", "dance"].as_slice(), &["call", "demo", "dance", "--args", "{}"]] {
            let failure = stage.machine.run(line).await.failure(2, "unknown_tool");
            assert!(text(&failure, "message").contains("dance"), "{failure}");
        }
        assert_eq!(stage.demo.journal().requests("tools/call"), [], "nothing was called");
        assert_eq!(stage.machine.run(&["tasks"]).await.ok(), json!({ "tasks": [] }), "and nothing is kept");
    }
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_refused_before_anything_is_sent() {
    for stage in Stage::both().await {
        let call = ["call", "demo", "deploy", "--args", r#"{"service":"web","region":"the moon"}"#];
        let failure = stage.machine.run(&call).await.failure(2, "invalid_content");
        assert_eq!(each(&failure["detail"]["errors"], "field"), ["region"], "which field: {failure}");
        assert!(text(&failure, "message").contains("region"), "and for people: {failure}");
        assert_eq!(stage.demo.journal().requests("tools/call"), [], "nothing was called");
        assert_eq!(stage.machine.run(&["tasks"]).await.ok(), json!({ "tasks": [] }), "and nothing is kept");
    }
}

#[tokio::test]
async fn tools_are_listed_once_and_believed_as_long_as_calls_fit() {
    let stage = Stage::served().await;
    let pages = || stage.demo.journal().requests("tools/list").len();
    let echo = ["call", "demo", "echo", "--args", r#"{"text":"hello"}"#];
    let _ = stage.machine.run(&echo).await.ok();
    let once = pages();
    assert!(once > 0, "nothing was known before");
    let _ = stage.machine.run(&echo).await.ok();
    assert_eq!(pages(), once, "what was listed is kept");
    let _ = stage.machine.run(&["call", "demo", "dance"]).await.failure(2, "unknown_tool");
    assert_eq!(pages(), 2 * once, "before a call is refused the server is asked anew: it may have changed");
}

#[tokio::test]
async fn a_server_that_cannot_list_its_tools_is_called_all_the_same() {
    let stage = Stage::served().await;
    stage.demo.faults().next(1, "tools/list", signalbox_demo::Fault::NoId);
    let done = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"hello"}"#]).await.ok();
    assert_eq!(said(&done), "hello");
    assert_eq!(stage.demo.journal().requests("tools/list").len(), 1, "it was asked");
}

#[tokio::test]
async fn detached_work_is_left_to_the_owner() {
    let stage = Stage::served().await;
    let task = stage.start("deploy", r#"{"service":"web"}"#).await;
    assert!(task["taskId"].is_string(), "the handle is there when the command ends: {task}");
    let asked = stage.machine.start(&["watch", text(&task, "id")]);
    let mut asked = asked;
    asked.until("the owner sees the question", |line| line["request"]["state"] == "open").await;
}

#[tokio::test]
async fn work_goes_on_when_the_time_is_up() {
    let late = async |stage: Stage| {
        // Long enough for a busy machine to have started the work.
        let late = stage.machine.run(&["call", "demo", "forever", "--timeout", "3"]).await.exits(8);
        let task = late.document();
        let failure = &task["failure"];
        assert_eq!((&failure["code"], &failure["retry"]), (&json!("timed_out"), &json!("queued")), "{task}");
        assert!(task.get("outcome").is_none(), "it has not ended: {task}");
        assert_eq!(stage.demo.journal().requests("tasks/cancel"), [], "giving up waiting cancels nothing");
        let still = stage.machine.run(&["show", text(&task, "id")]).await.ok();
        assert_eq!((&still["status"], &still["tracking"]), (&json!("working"), &json!("live")));
    };
    let [served, alone] = Stage::both().await;
    tokio::join!(late(served), late(alone));
}

#[tokio::test]
async fn an_interrupt_ends_the_waiting_only() {
    for stage in Stage::both().await {
        let waiting = stage.machine.start(&["call", "demo", "forever"]);
        stage.demo.received("tasks/get", 1).await;
        let stopped = waiting.interrupt().await.exits(130);
        let task = stopped.document();
        assert!(task["taskId"].is_string(), "it prints how the work stands: {task}");
        assert!(stopped.stderr.contains("goes on"), "and says what becomes of it: {stopped}");
        assert_eq!(stage.demo.journal().requests("tasks/cancel"), []);
        let waiting = stage.machine.start(&["watch", text(&task, "id")]);
        stage.demo.received("tasks/get", 3).await;
        let _ = waiting.terminate().await.exits(130);
    }
}

#[tokio::test]
async fn both_ways_of_answering_over_http_are_read() {
    let builder = signalbox_demo::Demo::builder().speed(signalbox_demo::Speed::INSTANT).sse(true);
    let demo = signalbox_tests::DemoServer::of(builder).await;
    let machine = signalbox_tests::Machine::new();
    machine.add("demo", &demo.url()).await;
    let done = machine.run(&["call", "demo", "build"]).await.ok();
    assert_eq!(said(&done), "Built main: 120 units, no warnings.");
}

#[tokio::test]
async fn many_calls_at_once_are_all_followed() {
    let stage = Stage::served().await;
    let call = ["call", "demo", "build"];
    let all = soon("eight builds", async {
        let mut running: Vec<_> = (0..8).map(|_| stage.machine.start(&call)).collect();
        let mut ids = Vec::new();
        for running in running.drain(..) {
            ids.push(running.end().await.ok()["id"].clone());
        }
        ids
    });
    let ids: Vec<Value> = all.await;
    let distinct: std::collections::BTreeSet<String> = ids.iter().map(Value::to_string).collect();
    assert_eq!(distinct.len(), 8, "each is a call of its own: {ids:?}");
}
