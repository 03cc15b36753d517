//! Pages that a server of bad intent names: shown as text, and opened by nothing but what the person asks for.

use std::fs;

use serde_json::Value;
use signalbox_demo::Fault;
use signalbox_tests::{DemoServer, HostilePage, Machine, Unvisited, each, hostile_pages, text, with_browser};

/// A browser that writes down what it was started with, and opens nothing.
const NOTES: &str = "#!/bin/sh\nprintf '%s\\n' \"$1\" >>\"$HOME/pages\"\n";

#[tokio::test]
async fn hostile_pages_are_shown_and_neither_fetched_nor_opened() {
    let (listener, proxy) = (Unvisited::listen().await, Unvisited::listen().await);
    let machine = proxy.before(with_browser(Machine::new(), NOTES));
    let demo = DemoServer::start().await;
    machine.add("odd", &demo.url()).await;
    let owner = machine.serve().await;
    let opened = || fs::read_to_string(machine.path("home").join("pages")).unwrap_or_default();
    let mut last = String::new();
    for page in hostile_pages(&listener.url()) {
        demo.faults().next(1, "tools/call", Fault::Say(page.asked_for()));
        let call = ["call", "odd", "echo", "--args", r#"{"text":"x"}"#, "--no-input"];
        let asked = machine.run(&call).await.exits(3).document();
        let request = text(&asked["inputRequests"][0], "id").to_owned();
        let shown = machine.run(&["show", &request]).await.ok();
        assert_eq!(
            (&shown["url"], &shown["page"]["web"]),
            (&page.url.into(), &page.web.into()),
            "{}",
            page.title
        );
        let plain = machine.run_plain(&["show", &request]).await.exits(0).stdout;
        assert!(plain.contains(&page.shows), "{} stands there as text", page.title);
        assert_eq!(plain.contains("its host is"), page.web, "{plain:.2000}");
        assert_eq!(plain.contains("--open"), page.web, "only what can be opened is offered: {plain:.2000}");
        if !page.web {
            let refused = machine.run(&["answer", &request, "--open"]).await;
            let _ = refused.failure(2, "no_page");
        }
        last = request;
    }
    let _ = machine.run(&["inbox"]).await.ok();
    assert_eq!(opened(), "", "nobody asked for one to be opened");
    let _ = machine.run(&["answer", &last, "--open"]).await;
    assert_eq!(opened(), "https://evil.example:8443/\n", "what was asked for, and nothing else");
    drop(owner);
    listener.has_been_left_alone().await;
    proxy.has_been_left_alone().await;
}

#[tokio::test]
async fn a_page_that_is_asked_for_without_an_end_takes_a_second_word() {
    let (demo, machine) = (DemoServer::start().await, Machine::new());
    machine.add("odd", &demo.url()).await;
    let owner = machine.serve().await;
    let asks_for = |url: &str| {
        let page = HostilePage { url: url.to_owned(), ..hostile_pages("http://here.example")[0].clone() };
        demo.faults().next(1, "tools/call", Fault::Say(page.asked_for()));
    };
    asks_for("https://evil.example/confirm?n=1");
    let call = ["call", "odd", "echo", "--args", r#"{"text":"x"}"#, "--no-input"];
    let task = machine.run(&call).await.exits(3).document();
    let again = ["https://evil.example/confirm?n=2", "https://u@EVIL.example.:81/other#3"];
    for (before, next) in again.into_iter().enumerate() {
        let question = asked(&machine, text(&task, "id")).await;
        assert_eq!(question["page"]["asked"], before + 1, "{question}");
        asks_for(next);
        let _ = machine.run(&["answer", text(&question, "id"), "--accept"]).await.ok();
    }
    let question = asked(&machine, text(&task, "id")).await;
    let page = &question["page"];
    assert_eq!((&page["asked"], page["askedBefore"].as_array().unwrap().len()), (&3.into(), 2), "{question}");
    let accept = ["answer", text(&question, "id"), "--accept", "--again"];
    let refused = machine.run(&accept[..3]).await.failure(3, "input_needed");
    assert!(text(&refused, "message").contains("3 times"), "{refused}");
    let _ = machine.run(&accept).await.ok();
    let _ = machine.run(&["watch", text(&task, "id")]).await;
    let questions = machine.run(&["show", text(&task, "id")]).await.ok()["inputRequests"].clone();
    assert_eq!(each(&questions, "state"), ["answered"; 3], "nothing was answered but by those words");
    drop(owner);
}

/// The question that waits for its person, by itself.
async fn asked(machine: &Machine, task: &str) -> Value {
    let waiting = machine.run(&["inbox"]).await.ok();
    let question = waiting["requests"].as_array().unwrap().iter().find(|request| request["task"] == task);
    machine.run(&["show", text(question.expect("it asks"), "id")]).await.ok()
}
