//! `inbox` and `answer`.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use signalbox_tests::{Stage, each, said, text};

const FULL: &str = r##"{"name":"Ada","nickname":"lace","ticket":"OPS-7","email":"ada@example.com",
    "homepage":"https://example.com/ada","birthday":"1815-12-10","meeting":"2026-01-31T09:00:00Z","seats":12,
    "budget":99.5,"newsletter":true,"size":"L","colour":"#0a0","shipping":"exp","toppings":["olives","basil"],
    "days":["mon","wed","fri"]}"##;
#[tokio::test]
async fn every_type_of_field_is_taken() {
    for stage in Stage::both().await {
        let asked = stage.asks("survey", "{}").await;
        let request = text(&asked["inputRequests"][0], "id");
        let _ = stage.machine.run(&["answer", request, "--accept", "--content", FULL]).await.ok();
        let task = stage.ends_well(text(&asked, "id")).await;
        let content: Value = serde_json::from_str(FULL).unwrap();
        assert_eq!(task["result"]["structuredContent"], content, "as it was filled in");
        assert_eq!(stage.demo.taken("survey"), [json!({ "action": "accept", "content": content })]);
    }
}

#[tokio::test]
async fn content_that_does_not_fit_is_refused_field_by_field_and_not_sent() {
    for stage in Stage::both().await {
        let asked = stage.asks("survey", "{}").await;
        let request = text(&asked["inputRequests"][0], "id");
        let wrong = [
            ("name", json!("")), // fits: no least length is asked for
            ("nickname", json!("x")),
            ("ticket", json!("ops")),
            ("email", json!("nobody")),
            ("homepage", json!("not a url")),
            ("birthday", json!("1815-13-40")),
            ("meeting", json!("tomorrow")),
            ("seats", json!(2.5)),
            ("budget", json!(0.4)),
            ("newsletter", json!("yes")),
            ("size", json!("XXL")),
            ("colour", json!("Red")),
            ("shipping", json!("Standard")),
            ("toppings", json!(["cheese", "olives", "basil"])),
            ("days", json!([])),
        ];
        let content: Value = wrong.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let answer = ["answer", request, "--accept", "--content", &content.to_string()];
        let failure = stage.machine.run(&answer).await.failure(2, "invalid_content");
        let fields: std::collections::BTreeSet<&str> =
            each(&failure["detail"]["errors"], "field").into_iter().collect();
        let expected = wrong.iter().skip(1).map(|(name, _)| *name).collect();
        assert_eq!(fields, expected, "each field that does not fit, and no other: {failure}");
        for error in failure["detail"]["errors"].as_array().unwrap() {
            assert!(!text(error, "message").is_empty(), "and why: {error}");
        }
        let missing = ["answer", request, "--accept", "--content", "{}"];
        let failure = stage.machine.run(&missing).await.failure(2, "invalid_content");
        assert_eq!(each(&failure["detail"]["errors"], "field"), ["name", "email", "seats", "size", "days"]);

        assert_eq!(stage.demo.journal().requests("tasks/update"), [], "nothing of it was sent");
        let inbox = stage.machine.run(&["inbox"]).await.ok();
        assert_eq!(each(&inbox["requests"], "id"), [request], "it still waits");
    }
}

#[tokio::test]
async fn content_that_is_missing_is_asked_for_with_the_form() {
    for stage in Stage::both().await {
        let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
        let request = text(&asked["inputRequests"][0], "id");
        let failure = stage.machine.run(&["answer", request, "--accept"]).await.failure(2, "invalid_content");
        let fields = each(&failure["detail"]["form"]["fields"], "name");
        assert_eq!(fields, ["approved", "rollout", "max_error_rate"], "{failure}");
    }
}

#[tokio::test]
async fn two_questions_are_answered_in_any_order() {
    let strategy = ("strategy", r#"{"strategy":"online"}"#);
    let window = ("window", r#"{"start":"2026-01-31T22:00:00Z","minutes":45}"#);
    for (stage, order) in Stage::both().await.into_iter().zip([[strategy, window], [window, strategy]]) {
        let asked = stage.asks("two_questions", "{}").await;
        let requests = asked["inputRequests"].as_array().unwrap();
        assert_eq!(requests.len(), 2, "both are there at once: {asked}");
        for (n, (key, content)) in order.into_iter().enumerate() {
            let request = requests.iter().find(|request| request["key"] == key).unwrap();
            let answer = ["answer", text(request, "id"), "--accept", "--content", content];
            assert_eq!(stage.machine.run(&answer).await.ok()["state"], "answered");
            assert_eq!(stage.demo.taken(key).len(), 1, "{key} is taken");
            let inbox = stage.machine.run(&["inbox"]).await.ok();
            assert_eq!(inbox["requests"].as_array().unwrap().len(), 1 - n, "the other one stays open");
        }
        let task = stage.ends_well(text(&asked, "id")).await;
        assert_eq!(said(&task), "Planned. Strategy: accept. Window: accept.");
        let all = stage.machine.run(&["inbox", "--all"]).await.ok();
        assert_eq!(each(&all["requests"], "state"), ["answered", "answered"]);
    }
}

#[tokio::test]
async fn a_yes_to_a_tool_that_may_destroy_something_takes_a_second_word() {
    for stage in Stage::both().await {
        let asked = stage.asks("drop_database", r#"{"database":"orders"}"#).await;
        let other = stage.asks("drop_database", r#"{"database":"invoices"}"#).await;
        let request = text(&asked["inputRequests"][0], "id");
        let answer = ["answer", request, "--accept", "--content", r#"{"sure":true}"#];
        let failure = stage.machine.run(&answer).await.failure(3, "input_needed");
        let message = text(&failure, "message");
        for part in ["the tool says that it may destroy something", "--destructive accepts it"] {
            assert!(message.contains(part), "{part:?} in {message}");
        }
        let together = [&answer[..], &["--same", "--yes"]].concat();
        let _ = stage.machine.run(&together).await.failure(2, "not_possible");
        assert_eq!(stage.demo.taken("drop"), [] as [Value; 0], "nothing was sent");

        let answered = stage.machine.run(&[&answer[..], &["--destructive"]].concat()).await.ok();
        assert_eq!(answered["state"], "answered", "{answered}");
        assert_eq!(said(&stage.ends_well(text(&asked, "id")).await), "Database orders is dropped.");
        let no = ["answer", text(&other["inputRequests"][0], "id"), "--decline"];
        let _ = stage.machine.run(&no).await.exits(0);
        let accepted = json!({ "action": "accept", "content": { "sure": true } });
        assert_eq!(
            stage.demo.taken("drop"),
            [accepted, json!({ "action": "decline" })],
            "a no takes no second word"
        );
    }
}

#[tokio::test]
async fn a_page_to_open_is_shown_whole_and_accepted_without_content() {
    for stage in Stage::both().await {
        let asked = stage.asks("sign", r#"{"release":"3.0"}"#).await;
        let request = &asked["inputRequests"][0];
        assert_eq!(request["mode"], "url");
        assert_eq!(request["url"], "https://signing.example.com/requests/7f3a?purpose=release");
        assert!(request.get("schema").is_none(), "{request}");
        let _ = stage.machine.run(&["answer", text(request, "id"), "--accept"]).await.ok();
        assert_eq!(said(&stage.ends_well(text(&asked, "id")).await), "Release 3.0 is signed.");
        assert_eq!(
            stage.demo.taken("signature"),
            [json!({ "action": "accept" })],
            "consent carries no content"
        );
    }
}

#[tokio::test]
async fn a_page_to_open_takes_no_content() {
    for stage in Stage::both().await {
        let asked = stage.asks("sign", r#"{"release":"3.0"}"#).await;
        let request = text(&asked["inputRequests"][0], "id");
        let answer = ["answer", request, "--accept", "--content", r#"{"signed":true}"#];
        let failure = stage.machine.run(&answer).await.failure(2, "invalid_content");
        assert!(text(&failure, "message").contains("takes no content"), "{failure}");
        assert_eq!(stage.demo.taken("signature"), [] as [Value; 0], "nothing was sent");
        assert_eq!(stage.machine.run(&["show", request]).await.ok()["state"], "open");
    }
}

#[tokio::test]
async fn a_question_that_is_over_is_over_with_and_without_content() {
    for stage in Stage::both().await {
        let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
        let request = text(&asked["inputRequests"][0], "id");
        let _ = stage.machine.run(&["answer", request, "--decline"]).await.ok();
        let content = r#"{"approved":true,"rollout":"gradual"}"#;
        for answer in [&["--accept"][..], &["--accept", "--content", content], &["--decline"]] {
            let line = [&["answer", request][..], answer].concat();
            let _ = stage.machine.run(&line).await.failure(6, "already_closed");
        }
    }
}

#[tokio::test]
async fn a_task_that_the_server_has_forgotten_takes_no_answer() {
    for stage in Stage::both().await {
        let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
        let request = text(&asked["inputRequests"][0], "id");
        assert!(stage.demo.demo().forget(text(&asked, "taskId")).unwrap());
        let content = r#"{"approved":true,"rollout":"gradual"}"#;
        let answer = ["answer", request, "--accept", "--content", content];
        let failure = stage.machine.run(&answer).await.failure(6, "unknown_item");
        assert!(text(&failure, "message").contains("-32602"), "and what it said: {failure}");
    }
}

#[tokio::test]
async fn decline_and_cancel_are_two_answers() {
    for stage in Stage::both().await {
        let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
        let request = text(&asked["inputRequests"][0], "id");
        let declined = stage.machine.run(&["answer", request, "--decline"]).await.ok();
        assert_eq!(declined["state"], "answered", "a no is an answer: {declined}");
        let task = stage.ends_well(text(&asked, "id")).await;
        assert_eq!(task["result"]["structuredContent"]["decision"], "declined");

        let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
        let request = text(&asked["inputRequests"][0], "id");
        let _ = stage.machine.run(&["answer", request, "--cancel"]).await.ok();
        let watched = stage.machine.run(&["watch", text(&asked, "id")]).await.exits(1);
        assert_eq!(watched.documents().last().unwrap()["task"]["outcome"], "cancelled");
        let answers = stage.demo.taken("approval");
        assert_eq!(answers, [json!({ "action": "decline" }), json!({ "action": "cancel" })]);
    }
}

#[tokio::test]
async fn nothing_is_answered_twice() {
    for stage in Stage::both().await {
        let asked = stage.asks("two_questions", "{}").await;
        let request = text(&asked["inputRequests"][0], "id");
        let answer = ["answer", request, "--decline"];
        let _ = stage.machine.run(&answer).await.ok();
        let _ = stage.machine.run(&answer).await.failure(6, "already_closed");
        assert_eq!(
            stage.demo.journal().requests("tasks/update").len(),
            1,
            "it did not reach the server again"
        );
    }
}

#[tokio::test]
async fn of_two_who_answer_at_the_same_moment_one_is_heard() {
    let stage = Stage::served().await;
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let request = text(&asked["inputRequests"][0], "id");
    let content = r#"{"approved":true,"rollout":"gradual"}"#;
    let yes = stage.machine.start(&["answer", request, "--accept", "--content", content]);
    let no = stage.machine.start(&["answer", request, "--decline"]);
    let mut codes = [yes.end().await.code, no.end().await.code];
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(6)], "one is acknowledged, the other told that it came too late");
    assert_eq!(stage.demo.taken("approval").len(), 1);
}

#[tokio::test]
async fn an_answer_by_another_program_is_seen_by_who_watches() {
    let stage = Stage::served().await;
    let waiting =
        stage.machine.start(&["call", "demo", "deploy", "--args", r#"{"service":"web"}"#, "--detach"]);
    let task = waiting.end().await.ok();
    let mut watch = stage.machine.start(&["watch", text(&task, "id")]);
    let asked = watch.until("the question", |line| line["request"]["state"] == "open").await;
    let _ = stage.machine.run(&["answer", text(&asked["request"], "id"), "--decline"]).await.ok();
    watch.until("the answer", |line| line["request"]["state"] == "answered").await;
    watch.until("the end", |line| line["task"]["outcome"] == "ok").await;
    let _ = watch.end().await.exits(0);
}

#[tokio::test]
async fn show_knows_questions_too() {
    for stage in Stage::both().await {
        let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
        let request = text(&asked["inputRequests"][0], "id");
        let shown = stage.machine.run(&["show", request]).await.ok();
        assert_eq!(shown["raw"]["method"], "elicitation/create", "as received: {shown}");
        assert_eq!(shown["schema"], shown["raw"]["params"]["requestedSchema"]);
        let _ = stage.machine.run(&["show", "r99"]).await.failure(6, "unknown_item");
        let _ = stage.machine.run(&["answer", "r99", "--decline"]).await.failure(6, "unknown_item");
    }
}

#[tokio::test]
async fn alike_questions_are_answered_together() {
    for stage in Stage::both().await {
        let mut asked = Vec::new();
        for service in ["web", "api", "db"] {
            asked.push(stage.asks("deploy", &json!({ "service": service }).to_string()).await);
        }
        let other = stage.asks("survey", "{}").await;
        let ids: Vec<&str> = asked.iter().map(|task| text(&task["inputRequests"][0], "id")).collect();
        let content = r#"{"approved":true,"rollout":"gradual"}"#;
        let answer = ["answer", "--same", ids[1], "--accept", "--content", content];
        let failure = stage.machine.run(&answer).await.failure(3, "input_needed");
        assert!(text(&failure, "message").contains("--yes"), "{failure}");
        assert_eq!(stage.demo.journal().requests("tasks/update"), [], "nothing was sent");

        let done = stage.machine.run(&[&answer[..], &["--yes"]].concat()).await;
        assert!(done.stderr.contains(r#"service "db""#), "in what they differ: {}", done.stderr);
        let document = done.ok();
        assert_eq!(
            each(&document["requests"], "id"),
            [ids[1], ids[0], ids[2]],
            "the one that was named first"
        );
        assert_eq!(each(&document["requests"], "state"), ["answered"; 3]);
        assert_eq!(document["failures"], json!([]));
        for task in &asked {
            let _ = stage.ends_well(text(task, "id")).await;
        }
        let content: Value = serde_json::from_str(content).unwrap();
        assert_eq!(stage.demo.taken("approval"), vec![json!({ "action": "accept", "content": content }); 3]);
        let inbox = stage.machine.run(&["inbox"]).await.ok();
        assert_eq!(
            each(&inbox["requests"], "id"),
            [text(&other["inputRequests"][0], "id")],
            "another question waits"
        );
    }
}

#[tokio::test]
async fn a_question_that_is_like_no_other_is_answered_by_itself() {
    let stage = Stage::served().await;
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let page = stage.asks("sign", r#"{"release":"3.0"}"#).await;
    let _ = stage.asks("sign", r#"{"release":"3.0"}"#).await;
    for task in [&asked, &page] {
        let request = text(&task["inputRequests"][0], "id");
        let answer = ["answer", "--same", request, "--decline", "--yes"];
        let failure = stage.machine.run(&answer).await.failure(2, "not_possible");
        assert!(text(&failure, "message").contains("without --same"), "{failure}");
    }
}

#[tokio::test]
async fn a_question_is_put_off_until_tomorrow_or_its_last_minutes_and_answered_ones_have_a_tab() {
    for Stage { demo, machine, owner } in Stage::both().await {
        let stage = Stage { demo, machine: machine.with("TZ", "UTC"), owner };
        let machine = &stage.machine;
        let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
        let request = text(&asked["inputRequests"][0], "id");
        let expires = instant(&asked["inputRequests"][0]["expiresAt"]);

        let put_off = machine.run(&["snooze", request, "before-expiry"]).await.ok();
        assert_eq!(put_off["snoozed"]["until"], "before_expiry", "{put_off}");
        assert_eq!(
            instant(&put_off["returnsAt"]),
            expires - SignedDuration::from_mins(5),
            "five minutes before: {put_off}"
        );

        let put_off = machine.run(&["snooze", request, "tomorrow"]).await.ok();
        let (wished, ahead) = (text(&put_off["snoozed"], "at"), SignedDuration::from_hours(9 + 24));
        assert!(
            wished.ends_with("T09:00:00.000Z"),
            "in the morning, as the clock on the wall has it: {put_off}"
        );
        let left = instant(&put_off["snoozed"]["at"]).duration_since(Timestamp::now());
        assert!(left.is_positive() && left <= ahead, "of the day after this one: {put_off}");
        assert!(instant(&put_off["returnsAt"]) < expires, "but never after its deadline: {put_off}");

        let tab = async |tab: &str| {
            let list = machine.run(&["inbox", "--tab", tab]).await.ok();
            let ids = list["requests"].as_array().unwrap().iter().map(|row| text(row, "id").to_owned());
            ids.collect::<Vec<_>>()
        };
        assert_eq!((tab("snoozed").await, tab("answered").await), (vec![request.to_owned()], vec![]));
        let _ = machine.run(&["answer", request, "--decline"]).await.exits(0);
        assert_eq!((tab("snoozed").await, tab("answered").await), (vec![], vec![request.to_owned()]));
        let plain = machine.run_plain(&["inbox", "--tab", "answered"]).await.exits(0);
        assert!(plain.stdout.contains(request), "{plain}");
    }
}

fn instant(value: &Value) -> Timestamp {
    value.as_str().unwrap().parse().unwrap()
}
