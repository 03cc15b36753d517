//! JSON that is allowed and that few programs can hold: ten thousand levels, and halves of surrogate pairs, as servers in
//! JavaScript can write them.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use signalbox_tests::{DemoServer, Done, Machine, Running};

use crate::front::{Answer, Front};

const CONTENT: &str = r#"{"approved":true,"rollout":"gradual"}"#;

/// A server some of whose texts are written otherwise, both ways, and an owner that knows it.
struct Odd {
    demo: DemoServer,
    machine: Machine,
    _front: Front,
    _owner: Running,
}

impl Odd {
    /// Each text of the server, and what stands there instead. What is said of it to the server must be the same, byte
    /// for byte.
    async fn with(instead: Vec<(String, String)>) -> Self {
        let demo = DemoServer::start().await;
        let back = instead.clone();
        let there = move |request: String| {
            instead.iter().fold(request, |request, (plain, odd)| request.replace(odd.as_str(), plain))
        };
        let back = move |_: &str, answer: String| {
            Answer::Text(back.iter().fold(answer, |answer, (plain, odd)| answer.replace(plain.as_str(), odd)))
        };
        let front = Front::before(&demo, there, back).await;
        let machine = Machine::new();
        machine.add("demo", &front.url).await;
        let owner = machine.serve().await;
        Self { demo, machine, _front: front, _owner: owner }
    }

    async fn run(&self, args: &[&str]) -> Done {
        self.machine.run(args).await
    }

    /// A call that asks: its document and its question's, members unread.
    async fn asks(&self) -> (Members, Members) {
        let line = ["call", "demo", "deploy", "--args", r#"{"service":"web"}"#, "--no-input"];
        let task = members(&self.run(&line).await.exits(3).stdout);
        let requests: Vec<Box<RawValue>> = serde_json::from_str(task["inputRequests"].get()).unwrap();
        let id = members(requests[0].get());
        let request = self.run(&["show", string(&id, "id")]).await.exits(0).stdout;
        (task, members(&request))
    }

    /// Answers, and follows the task to its end; its document.
    async fn ends(&self, task: &Members, request: &Members) -> Members {
        let answer = ["answer", string(request, "id"), "--accept", "--content", CONTENT];
        let _ = self.run(&answer).await.exits(0);
        let _ = self.run(&["watch", string(task, "id")]).await.exits(0);
        assert_eq!(self.demo.taken("approval").len(), 1, "the answer found its question");
        members(&self.run(&["show", string(task, "id")]).await.exits(0).stdout)
    }
}

type Members = BTreeMap<String, Box<RawValue>>;

/// Members as they stand there: what is in them, many readers refuse.
fn members(json: &str) -> Members {
    serde_json::from_str(json).unwrap()
}

fn string<'a>(members: &'a Members, name: &str) -> &'a str {
    let quoted = members[name].get();
    quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap()
}

#[tokio::test]
async fn ten_thousand_levels() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let instead = [
        // In a result, a question, its schema, a task's state and a tool.
        (r#""isError":false"#, format!(r#""isError":false,"deep":{deep}"#)),
        (r#""mode":"form""#, format!(r#""mode":"form","deep":{deep}"#)),
        (r#""title":"Approve""#, format!(r#""title":"Approve","x-deep":{deep}"#)),
        (r#""pollIntervalMs":"#, format!(r#""odd":{deep},"pollIntervalMs":"#)),
        (r#""title":"Deploy a service""#, format!(r#""title":"Deploy a service","annotations":{deep}"#)),
    ];
    let odd = Odd::with(instead.map(|(plain, odd)| (plain.to_owned(), odd)).to_vec()).await;
    let _ = odd.run(&["tools", "demo"]).await.exits(0);
    let (task, request) = odd.asks().await;
    assert!(request["raw"].get().contains(&deep), "it is kept and shown as it came");
    let done = odd.ends(&task, &request).await;
    assert_eq!(string(&done, "outcome"), "ok");
    assert!(done["result"].get().contains(&deep), "and so is the result");
    // Nothing else suffers from it being there.
    for line in [["tasks"].as_slice(), &["inbox", "--all"], &["export"], &["verify"]] {
        let _ = odd.run(line).await.exits(0);
    }
    let _ = odd.machine.run_plain(&["show", string(&task, "id")]).await.exits(0);
}

#[tokio::test]
async fn halves_of_surrogate_pairs() {
    let instead = [
        // A message, a title in a schema, a result, a task's message, the key of a question.
        ("Approve deployment", r"Approve \ud800 deployment"),
        (r#""title":"Approve""#, r#""title":"Approve \udfff""#),
        ("Deployed web", r"\uDC00 Deployed web"),
        ("waiting for approval", r"waiting \ud83d for approval"),
        (r#""approval":"#, r#""\ud800 approval":"#),
    ];
    let odd = Odd::with(instead.map(|(plain, odd)| (plain.to_owned(), odd.to_owned())).to_vec()).await;
    let (task, request) = odd.asks().await;
    let message = string(&request, "message");
    assert!(message.starts_with("Approve \u{fffd} deployment"), "shown as text: {message}");
    assert!(request["raw"].get().contains(r"Approve \ud800 deployment"), "and kept as it came");
    assert_eq!(
        request["key"].get(),
        r#""\"\\ud800 approval\"""#,
        "a key that is no text is shown as its JSON"
    );
    let done = odd.ends(&task, &request).await;
    assert!(done["result"].get().contains(r"\uDC00 Deployed web"), "{}", done["result"]);
    for line in [["tasks"].as_slice(), &["inbox", "--all"], &["export"], &["verify"]] {
        let _ = odd.run(line).await.exits(0);
    }
    let shown = odd.machine.run_plain(&["show", string(&task, "id")]).await.exits(0);
    assert!(shown.stdout.contains("\u{fffd} Deployed web"), "people read the rest of it: {shown}");
    let exported = odd.run(&["export"]).await.exits(0);
    for line in exported.stdout.lines() {
        assert!(!string(&members(line), "kind").is_empty());
    }
}
