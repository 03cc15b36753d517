//! `mcp` 1.x (PyPI): the legacy wire as its reference implementation has it.

use serde_json::{Value, json};
use signalbox_tests::{said, text};

use super::Desk;
use crate::kit::{BOTH, Kind, Transport};

const SOME: [&str; 3] = ["--accept", "--content", r#"{"percent":25,"note":"carefully"}"#];

async fn desk(transport: Transport) -> Desk {
    Desk::new(Kind::Python, transport).await
}

fn heard(task: &Value) -> Value {
    serde_json::from_str(said(task)).unwrap()
}

#[tokio::test]
async fn it_is_listed() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let server = desk.machine.run(&["server", "check", "foreign"]).await.ok();
        assert_eq!((&server["wire"], &server["protocolVersion"]), (&json!("legacy"), &json!("2025-11-25")));
        assert!(desk.tools().await.contains(&"approve_as_task".to_owned()));
        let done = desk.machine.run(&["call", "foreign", "at_once"]).await.ok();
        assert_eq!((said(&done), done.get("taskId")), ("here it is", None));
    }
}

#[tokio::test]
async fn a_task_is_followed_to_its_result() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let task = desk.start("slow", "{}").await;
        desk.says(&task, "digging").await;
        desk.go_on().await;
        assert_eq!(said(&desk.ends_with(&task, "ok").await), "found it");
        assert_eq!(desk.foreign.journal.count("tools/call"), 2, "each call was made once");
    }
}

#[tokio::test]
async fn a_question_is_answered_once() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let (task, request) = desk.asks("approve", "{}").await;
        assert_eq!(request["message"], "Release to everybody?");
        desk.answer(&request, &SOME).await;
        let done = desk.ends_with(&task, "ok").await;
        assert_eq!(heard(&done)["content"], json!({"percent": 25, "note": "carefully"}));
        assert_eq!(desk.foreign.journal.answers().len(), 1, "one answer arrived");

        let (task, request) = desk.asks("approve", "{}").await;
        desk.answer(&request, &["--decline"]).await;
        assert_eq!(heard(&desk.ends_with(&task, "ok").await)["action"], "decline");
    }
}

#[tokio::test]
async fn one_question_after_the_other_and_two_tasks_that_ask() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let (first, one) = desk.asks("approve_twice", "{}").await;
        let (second, two) = desk.asks("approve", "{}").await;
        assert_eq!(desk.listed().await, ["open"; 2], "the same words, of two tasks");
        desk.answer(&two, &["--cancel"]).await;
        assert_eq!(heard(&desk.ends_with(&second, "ok").await)["action"], "cancel");
        desk.answer(&one, &SOME).await;
        let next = desk.asked(&first).await;
        assert_eq!(next["message"], "Are you sure?");
        desk.answer(&next, &["--decline"]).await;
        assert_eq!(said(&desk.ends_with(&first, "ok").await), "accept, decline");
        assert_eq!(desk.foreign.journal.answers().len(), 3);
    }
}

#[tokio::test]
async fn a_url_is_shown_and_accepted() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let (task, request) = desk.asks("visit", "{}").await;
        assert_eq!(
            (&request["mode"], &request["url"]),
            (&json!("url"), &json!("https://example.com/connect?state=1"))
        );
        desk.answer(&request, &["--accept"]).await;
        assert_eq!(heard(&desk.ends_with(&task, "ok").await)["action"], "accept");
    }
}

#[tokio::test]
async fn a_question_that_wants_a_task_of_ours_gets_one() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let (task, request) = desk.asks("approve_as_task", "{}").await;
        assert_eq!(request["message"], "Release, as a task?");
        desk.answer(&request, &SOME).await;
        let done = desk.ends_with(&task, "ok").await;
        assert_eq!(heard(&done)["content"], json!({"percent": 25, "note": "carefully"}));
        assert_eq!(desk.foreign.journal.count("tools/call"), 1);
    }
}

#[tokio::test]
async fn a_task_of_ours_outlives_us_for_a_server_that_never_asks_again() {
    let mut desk = desk(Transport::Http).await;
    let (task, request) = desk.asks("approve_as_task", "{}").await;
    desk.we_die().await;
    desk.answer(&request, &SOME).await;
    let done = desk.ends_with(&task, "ok").await;
    assert_eq!(heard(&done)["content"], json!({"percent": 25, "note": "carefully"}));
}

#[tokio::test]
async fn a_model_is_played_by_a_person() {
    for transport in BOTH {
        let desk = desk(transport).await;
        for tool in ["sample", "sample_as_task"] {
            let (task, request) = desk.asks(tool, "{}").await;
            assert_eq!(request["method"], "sampling/createMessage");
            assert!(
                text(&request, "message").contains("Which colour?"),
                "what a model would be asked: {request}"
            );
            desk.answer(&request, &["--accept", "--content", r#"{"text":"blue"}"#]).await;
            let heard = heard(&desk.ends_with(&task, "ok").await);
            assert_eq!((&heard["role"], &heard["content"]["text"]), (&json!("assistant"), &json!("blue")));
        }
    }
}

#[tokio::test]
async fn a_refused_request_for_a_model_fails_the_task() {
    for transport in BOTH {
        let desk = desk(transport).await;
        for tool in ["sample", "sample_as_task"] {
            let (task, request) = desk.asks(tool, "{}").await;
            let _ = desk.machine.run(&["answer", text(&request, "id"), "--decline"]).await.ok();
            // To its tool that is an exception; the result that we hold says nothing of it, only its status does.
            let _ = desk.machine.run(&["watch", &task]).await.exits(1);
            let refused = desk.machine.run(&["show", &task]).await.ok();
            assert_eq!(refused["status"], "failed", "{refused}");
            assert_eq!(desk.listed().await, [""; 0]);
        }
    }
}

#[tokio::test]
async fn a_call_without_a_task_can_ask() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let (call, request) = desk.asks("approve_now", "{}").await;
        assert_eq!(request["message"], "Right now?");
        desk.answer(&request, &SOME).await;
        let done = desk.ends_with(&call, "ok").await;
        assert!(done.get("taskId").is_none(), "{done}");
        assert_eq!(heard(&done)["content"]["percent"], 25);
    }
}

#[tokio::test]
async fn failures_are_told_apart() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let task = desk.start("fail", "{}").await;
        let _ = desk.machine.run(&["watch", &task]).await.exits(1);
        let failed = desk.machine.run(&["show", &task]).await.ok();
        assert_eq!(
            (&failed["status"], &failed["statusMessage"]),
            (&json!("failed"), &json!("it broke")),
            "{failed}"
        );
        let task = desk.start("refuse", "{}").await;
        assert_eq!(said(&desk.ends_with(&task, "tool_error").await), "not today");
    }
}

#[tokio::test]
async fn tasks_are_cancelled_for_good() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let slow = desk.start("slow", "{}").await;
        let (asking, _) = desk.asks("approve", "{}").await;
        for task in [&slow, &asking] {
            let _ = desk.machine.run(&["cancel", task]).await.ok();
            assert_eq!(desk.ends_with(task, "cancelled").await["status"], "cancelled");
        }
        assert_eq!(desk.listed().await, [""; 0], "nobody is asked for a task that has ended");
    }
}

#[tokio::test]
async fn our_death_costs_nothing_where_the_server_lives_on() {
    let mut desk = desk(Transport::Http).await;
    let slow = desk.start("slow", "{}").await;
    let (asking, request) = desk.asks("approve", "{}").await;
    desk.we_die().await;
    let open = desk.asked(&asking).await;
    assert_eq!(open["id"], request["id"], "the same question: the session is the same");
    desk.answer(&open, &SOME).await;
    assert_eq!(heard(&desk.ends_with(&asking, "ok").await)["content"]["percent"], 25);
    desk.go_on().await;
    assert_eq!(said(&desk.ends_with(&slow, "ok").await), "found it");
    assert_eq!(desk.foreign.journal.count("initialize"), 1, "one session all along");
    assert_eq!(desk.foreign.journal.answers().len(), 1);
}

#[tokio::test]
async fn our_death_ends_a_server_on_our_pipes_and_its_tasks_are_lost() {
    let mut desk = desk(Transport::Stdio).await;
    let slow = desk.start("slow", "{}").await;
    let (asking, request) = desk.asks("approve", "{}").await;
    desk.we_die().await;
    for task in [&slow, &asking] {
        desk.ends_with(task, "lost").await;
    }
    assert_eq!(desk.listed().await, [""; 0], "nobody could be told");
    let failure = desk.machine.run(&["answer", text(&request, "id"), "--decline"]).await;
    assert_eq!(failure.exits(6).document()["failure"]["retry"], "never");
    let again = desk.start("slow", "{}").await;
    desk.says(&again, "digging").await;
}

#[tokio::test]
async fn its_death_loses_its_tasks_and_the_next_ones_go_on() {
    let mut desk = desk(Transport::Http).await;
    let slow = desk.start("slow", "{}").await;
    let (asking, _) = desk.asks("approve", "{}").await;
    desk.it_dies().await;
    for task in [&slow, &asking] {
        desk.ends_with(task, "lost").await;
    }
    assert_eq!(desk.listed().await, [""; 0]);
    let (task, request) = desk.asks("approve", "{}").await;
    desk.answer(&request, &["--decline"]).await;
    desk.ends_with(&task, "ok").await;
}

#[tokio::test]
async fn a_call_that_asks_ends_with_its_connection() {
    let mut desk = desk(Transport::Http).await;
    let (call, request) = desk.asks("approve_now", "{}").await;
    desk.we_die().await;
    desk.ends_with(&call, "unknown").await;
    assert_eq!(desk.listed().await, [""; 0], "nobody waits for its answer");
    let answer = desk.machine.run(&["answer", text(&request, "id"), "--decline"]).await;
    assert_eq!(answer.exits(6).document()["failure"]["retry"], "never");

    let (call, _) = desk.asks("approve_now", "{}").await;
    desk.it_dies().await;
    desk.ends_with(&call, "unknown").await;
    // That it was this call's was a guess: its server may ask it again. Until then it can be put away.
    assert_eq!(desk.listed().await, ["orphaned"]);
    assert_eq!(desk.foreign.journal.count("tools/call"), 2, "no call was made again");
}

#[tokio::test]
async fn a_session_that_breaks_down_takes_its_tasks_along_and_no_more() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let cancelled = desk.start("slow", "{}").await;
        let other = desk.start("slow", "{}").await;
        let (asking, _) = desk.asks("approve", "{}").await;
        let _ = desk.machine.run(&["cancel", &cancelled]).await.ok();
        desk.ends_with(&cancelled, "cancelled").await;
        // The end of work that was cancelled is more than this server takes; over stdio it does not even answer.
        let mut go_on = desk.machine.start(&["call", "foreign", "go_on"]);
        for task in [&other, &asking] {
            desk.ends_with(task, "lost").await;
        }
        while go_on.line().await.is_some() {}
        assert_eq!(desk.listed().await, [""; 0]);
        let (task, request) = desk.asks("approve", "{}").await;
        desk.answer(&request, &SOME).await;
        desk.ends_with(&task, "ok").await;
    }
}
