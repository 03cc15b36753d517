//! A person's journeys with the `signalbox` command: each server listed, called, followed, answered, cancelled; we die
//! and come back, it dies and comes back.

mod everything;
mod python;
mod script;

use serde_json::Value;
use signalbox_tests::{Machine, Running, each, text};

use crate::kit::{Foreign, Http, Kind, Transport};

/// A server named `foreign`, a machine that knows it, and `serve` on that.
struct Desk {
    foreign: Foreign,
    http: Option<Http>,
    machine: Machine,
    owner: Option<Running>,
}

impl Desk {
    async fn new(kind: Kind, transport: Transport) -> Self {
        let foreign = Foreign::new(kind);
        let machine = Machine::new();
        let http = foreign.register(&machine, transport).await;
        let owner = Some(machine.serve().await);
        Self { foreign, http, machine, owner }
    }

    /// Signalbox dies (kill -9) and is started again, once no server is left that was on its pipes.
    async fn we_die(&mut self) {
        self.owner.take().unwrap().kill().await;
        self.foreign.alive.gone().await;
        self.owner = Some(self.machine.serve().await);
    }

    /// The server dies (kill -9) and listens again where it did; we are in contact with it again.
    async fn it_dies(&mut self) {
        let port = self.http.take().expect("a server that listens").kill().await;
        self.http = Some(self.foreign.listen_at(port).await);
        let _ = self.machine.run(&["server", "check", "foreign"]).await.ok();
    }

    /// Starts a call that makes a task; its short id.
    async fn start(&self, tool: &str, arguments: &str) -> String {
        let call = ["call", "foreign", tool, "--args", arguments, "--detach"];
        // It may have failed by now, which is its end and not that of the start.
        let task = self.machine.run(&call).await.document();
        assert!(task["taskId"].is_string(), "a task was made: {task}");
        text(&task, "id").to_owned()
    }

    /// Starts a call and waits until it asks; its short id, and the question.
    async fn asks(&self, tool: &str, arguments: &str) -> (String, Value) {
        let call = ["call", "foreign", tool, "--args", arguments, "--no-input"];
        let task = self.machine.run(&call).await.exits(3).document();
        (text(&task, "id").to_owned(), task["inputRequests"][0].clone())
    }

    /// Waits until a task asks something that can be answered; that question.
    async fn asked(&self, task: &str) -> Value {
        let mut watch = self.machine.start(&["watch", task]);
        let line = watch.until("its question", |line| line["request"]["state"] == "open").await;
        line["request"].clone()
    }

    /// Answers a question, which is then delivered and acknowledged.
    async fn answer(&self, request: &Value, answer: &[&str]) {
        let args = [&["answer", text(request, "id")], answer].concat();
        let answered = self.machine.run(&args).await.ok();
        assert_eq!(answered["state"], "answered", "{answered}");
    }

    /// Waits for a status message.
    async fn says(&self, task: &str, message: &str) {
        let mut watch = self.machine.start(&["watch", task]);
        watch.until(message, |line| line["task"]["statusMessage"] == message).await;
    }

    /// Lets the tasks of the tool `slow` come to their ends.
    async fn go_on(&self) {
        let done = self.machine.run(&["call", "foreign", "go_on"]).await.ok();
        assert!(done.get("taskId").is_none(), "a call without a task: {done}");
    }

    /// Waits for a task's end and checks its outcome; the whole task.
    async fn ends_with(&self, task: &str, outcome: &str) -> Value {
        let code = if outcome == "ok" { 0 } else { 1 };
        let _ = self.machine.run(&["watch", task]).await.exits(code);
        let task = self.machine.run(&["show", task]).await.ok();
        assert_eq!(task["outcome"], outcome, "{task}");
        task
    }

    async fn tools(&self) -> Vec<String> {
        let tools = self.machine.run(&["tools", "foreign"]).await.ok();
        tools["tools"].as_array().unwrap().iter().map(|tool| text(tool, "name").to_owned()).collect()
    }

    /// Where the questions stand that the inbox lists.
    async fn listed(&self) -> Vec<String> {
        let inbox = self.machine.run(&["inbox"]).await.ok();
        each(&inbox["requests"], "state").into_iter().map(str::to_owned).collect()
    }
}
