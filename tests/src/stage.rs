//! What most journeys start from: a scripted server, a machine that knows it, and maybe an owner.

use serde_json::Value;
use signalbox_demo::{Builder, Demo, Speed};

use crate::{DemoServer, Machine, Running};

/// The server `demo`, a machine that knows it, and maybe an owner.
#[derive(Debug)]
pub struct Stage {
    /// The demo server.
    pub demo: DemoServer,
    /// The machine with its data directory and programs.
    pub machine: Machine,
    /// `serve`, where it runs.
    pub owner: Option<Running>,
}

impl Stage {
    /// With and without an owner: what holds for one must hold for the other.
    pub async fn both() -> [Self; 2] {
        [Self::served().await, Self::alone().await]
    }

    /// With `serve` running.
    pub async fn served() -> Self {
        let mut stage = Self::alone().await;
        stage.owner = Some(stage.machine.serve().await);
        stage
    }

    /// Without an owner: each command is one while it runs.
    pub async fn alone() -> Self {
        Self::of(Demo::builder().speed(Speed::INSTANT)).await
    }

    /// The same, around a server as set up.
    pub async fn of(builder: Builder) -> Self {
        let (demo, machine) = (DemoServer::of(builder).await, Machine::new());
        machine.add("demo", &demo.url()).await;
        Self { demo, machine, owner: None }
    }

    /// The owner dies (kill -9) and leaves no time for anything.
    ///
    /// # Panics
    /// When there is none.
    pub async fn kill_owner(&mut self) {
        self.owner.take().expect("somebody owns the data directory").kill().await;
    }

    /// A new owner, after the last one is gone.
    pub async fn serve(&mut self) {
        self.owner = Some(self.machine.serve().await);
    }

    /// Starts a call that goes on by itself; its document.
    pub async fn start(&self, tool: &str, arguments: &str) -> Value {
        self.machine.run(&["call", "demo", tool, "--args", arguments, "--detach"]).await.ok()
    }

    /// Starts a call and waits until it asks; its document.
    pub async fn asks(&self, tool: &str, arguments: &str) -> Value {
        let call = ["call", "demo", tool, "--args", arguments, "--no-input"];
        self.machine.run(&call).await.exits(3).document()
    }

    /// Follows a task to its end, which is good.
    pub async fn ends_well(&self, task: &str) -> Value {
        let _ = self.machine.run(&["watch", task]).await.exits(0);
        self.machine.run(&["show", task]).await.ok()
    }
}

/// A member that is a text.
///
/// # Panics
/// When it is not.
#[must_use]
pub fn text<'a>(document: &'a Value, member: &str) -> &'a str {
    document[member].as_str().unwrap_or_else(|| panic!("{member} of {document}"))
}

/// The text of the result's first content block.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn said(task: &Value) -> &str {
    task["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("a result in {task}"))
}

/// One member of every element of a list.
///
/// # Panics
/// When it is no list of objects with it.
#[must_use]
pub fn each<'a>(list: &'a Value, member: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|element| text(element, member)).collect()
}
