//! A server that goes wrong, and beside it one that does not: whatever becomes of the one, the other's work gets done.

use serde_json::Value;
use signalbox_tests::{DemoServer, Done, Machine, Running, said, text};

/// The servers `odd` and `good`, a machine that knows both, and its owner.
pub(crate) struct Beside {
    pub(crate) machine: Machine,
    pub(crate) owner: Running,
    _good: DemoServer,
}

impl Beside {
    /// With `odd` reached like this.
    pub(crate) async fn with(reach: &[&str]) -> Self {
        Self::on(Machine::new(), reach).await
    }

    /// The same, on a machine as set up.
    pub(crate) async fn on(machine: Machine, reach: &[&str]) -> Self {
        let good = DemoServer::start().await;
        machine.add("good", &good.url()).await;
        let _ = machine.run(&[&["server", "add", "odd"], reach].concat()).await.ok();
        let owner = machine.serve().await;
        Self { machine, owner, _good: good }
    }

    /// Waits for this while the good server is given work, asks, is answered, and comes to the end of it.
    pub(crate) async fn meanwhile<T>(&self, happens: impl Future<Output = T>) -> T {
        let (happened, ()) = tokio::join!(happens, Box::pin(self.good_works()));
        happened
    }

    /// The good server's work gets done.
    pub(crate) async fn good_works(&self) {
        let deploy = ["call", "good", "deploy", "--args", r#"{"service":"web"}"#, "--no-input"];
        let asked = self.machine.run(&deploy).await.exits(3).document();
        let content = r#"{"approved":true,"rollout":"gradual"}"#;
        let answer = ["answer", text(&asked["inputRequests"][0], "id"), "--accept", "--content", content];
        let _ = self.machine.run(&answer).await.ok();
        let _ = self.machine.run(&["watch", text(&asked, "id")]).await.exits(0);
        let done = self.machine.run(&["show", text(&asked, "id")]).await.ok();
        assert_eq!(said(&done), "Deployed web latest to eu-west.");
    }

    pub(crate) async fn check(&self) -> Done {
        self.machine.run(&["server", "check", "odd"]).await
    }

    /// A check that fails with this exit code and word, and with all of these in its text, while the good server works.
    pub(crate) async fn fails(&self, exit: i32, word: &str, hints: &[&str]) -> Value {
        let failure = self.meanwhile(self.check()).await.failure(exit, word);
        for hint in hints {
            assert!(text(&failure, "message").contains(hint), "{hint:?} belongs into {failure}");
        }
        failure
    }

    /// Whoever will not wait that long for `odd` is told so in time, while the good server works and the owner goes on.
    pub(crate) async fn keeps_waiting(&self) {
        let check = ["server", "check", "odd", "--timeout", "1"];
        let call = ["call", "odd", "echo", "--args", r#"{"text":"x"}"#, "--timeout", "1"];
        let both = async { tokio::join!(self.machine.run(&check), self.machine.run(&call)) };
        let (checked, called) = self.meanwhile(Box::pin(both)).await;
        for done in [checked.exits(8), called.exits(8)] {
            assert!(!done.stderr.trim().is_empty(), "a person is told: {done}");
        }
    }

    /// The owner ends well when it is told to, whatever is under way.
    pub(crate) async fn ends(self) -> Machine {
        let _ = self.owner.terminate().await.exits(0);
        self.machine
    }
}
