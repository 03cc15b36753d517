//! What goes wrong on demand: a table of rules, each for the next N requests of a method.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tokio::sync::watch;

/// One thing that can go wrong. Several rules may hit one request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// HTTP: answered with this status and no JSON-RPC body, before anything is done. Not on stdio.
    Refuse {
        /// The HTTP status.
        status: u16,
        /// The `Retry-After` header: seconds or a date.
        retry_after: Option<String>,
    },
    /// The request waits here before anything is done.
    Hold(Gate),
    /// Everything is done, and the answer waits here.
    HoldReply(Gate),
    /// `tasks/update` is acknowledged and its responses are dropped.
    LoseUpdate,
    /// Everything is done; the answer breaks off in the middle. HTTP: the connection is cut. Stdio: the server ends.
    Cut,
    /// Everything is done; the answer is replaced by bytes that are no JSON.
    Garbage,
    /// Everything is done; the answer is replaced by an HTML page, with HTTP status 200.
    HtmlPage,
    /// Everything is done; the answer is replaced by an error without an id.
    NoId,
    /// The result's content gets a text block of this many bytes more.
    Huge(usize),
    /// Stdio: this line is written before the answer. Not on HTTP.
    Junk(String),
}

/// What is to go wrong, set while the server runs.
#[derive(Debug, Default)]
pub struct Faults {
    rules: Mutex<Vec<Rule>>,
    legacy_only: AtomicBool,
}

#[derive(Debug)]
struct Rule {
    method: String,
    left: usize,
    fault: Fault,
}

impl Faults {
    /// `fault` for the next `times` requests of `method`; `"*"` is every method.
    pub fn next(&self, times: usize, method: &str, fault: Fault) {
        self.rules().push(Rule { method: method.into(), left: times, fault });
    }

    /// Hold every request of `method` before anything is done, until the gate is opened.
    pub fn hold(&self, method: &str) -> Gate {
        let gate = Gate::default();
        self.next(usize::MAX, method, Fault::Hold(gate.clone()));
        gate
    }

    /// Do what requests of `method` ask, and hold the answers until the gate is opened.
    pub fn hold_reply(&self, method: &str) -> Gate {
        let gate = Gate::default();
        self.next(usize::MAX, method, Fault::HoldReply(gate.clone()));
        gate
    }

    /// Be a server that speaks only 2025-11-25: `initialize` says so, everything modern is an unknown method.
    pub fn set_legacy_only(&self, legacy: bool) {
        self.legacy_only.store(legacy, Ordering::SeqCst);
    }

    /// Nothing more goes wrong, and everything held goes on.
    pub fn clear(&self) {
        self.set_legacy_only(false);
        for rule in self.rules().drain(..) {
            if let Fault::Hold(gate) | Fault::HoldReply(gate) = rule.fault {
                gate.open();
            }
        }
    }

    pub(crate) fn legacy_only(&self) -> bool {
        self.legacy_only.load(Ordering::SeqCst)
    }

    /// The faults of this request; each rule that hits is used up by one.
    pub(crate) fn take(&self, method: &str) -> Hits {
        let mut hits = Vec::new();
        self.rules().retain_mut(|rule| {
            if matches!(&rule.fault, Fault::Hold(gate) | Fault::HoldReply(gate) if gate.is_open()) {
                return false;
            }
            if rule.left > 0 && (rule.method == "*" || rule.method == method) {
                rule.left -= 1;
                hits.push(rule.fault.clone());
            }
            rule.left > 0
        });
        Hits(hits)
    }

    fn rules(&self) -> std::sync::MutexGuard<'_, Vec<Rule>> {
        self.rules.lock().expect("BUG: nothing panics while it holds the rules")
    }
}

/// The faults that hit one request.
#[derive(Debug)]
pub(crate) struct Hits(Vec<Fault>);

impl Hits {
    pub(crate) async fn hold(&self) {
        for fault in &self.0 {
            if let Fault::Hold(gate) = fault {
                gate.wait().await;
            }
        }
    }

    pub(crate) async fn hold_reply(&self) {
        for fault in &self.0 {
            if let Fault::HoldReply(gate) = fault {
                gate.wait().await;
            }
        }
    }

    pub(crate) fn refusal(&self) -> Option<(u16, Option<&str>)> {
        self.0.iter().find_map(|fault| match fault {
            Fault::Refuse { status, retry_after } => Some((*status, retry_after.as_deref())),
            _ => None,
        })
    }

    pub(crate) fn loses_update(&self) -> bool {
        self.0.iter().any(|fault| matches!(fault, Fault::LoseUpdate))
    }

    /// The response as it goes out.
    pub(crate) fn spoil(&self, mut response: Value) -> Outgoing {
        for fault in &self.0 {
            match fault {
                Fault::NoId => {
                    response =
                        json!({ "jsonrpc": "2.0", "error": { "code": -32603, "message": "Internal error" } });
                }
                Fault::Huge(bytes) => pad(&mut response, *bytes),
                _ => {}
            }
        }
        let mut out =
            Outgoing { bytes: response.to_string().into_bytes(), html: false, cut: false, junk: Vec::new() };
        for fault in &self.0 {
            match fault {
                Fault::Garbage => out.bytes = b"{\"jsonrpc\":\"2.0\",\"result\":\xff\xfe{{{".to_vec(),
                Fault::HtmlPage => {
                    out.html = true;
                    out.bytes =
                        b"<!doctype html><title>Sign in</title><h1>Please sign in to the network</h1>"
                            .to_vec();
                }
                Fault::Junk(line) => out.junk.push(line.clone()),
                Fault::Cut => out.cut = true,
                _ => {}
            }
        }
        if out.cut {
            out.bytes.truncate(out.bytes.len() / 2);
        }
        out
    }
}

/// An answer as bytes, with what else goes wrong on the way.
pub(crate) struct Outgoing {
    pub(crate) bytes: Vec<u8>,
    pub(crate) html: bool,
    /// The connection ends after these bytes, which are half of the answer.
    pub(crate) cut: bool,
    pub(crate) junk: Vec<String>,
}

fn pad(response: &mut Value, bytes: usize) {
    let block = json!({ "type": "text", "text": "x".repeat(bytes) });
    let outer = &mut response["result"];
    // The result of a task that completed is one level further in.
    let result = if outer["result"].is_object() { &mut outer["result"] } else { outer };
    match result.get_mut("content") {
        Some(Value::Array(content)) => content.push(block),
        _ => result["content"] = json!([block]),
    }
}

/// Holds requests until it is opened. Clones are the same gate; one that is never opened holds for ever.
#[derive(Debug, Clone)]
pub struct Gate {
    arrived: watch::Sender<usize>,
    open: watch::Sender<bool>,
}

impl Default for Gate {
    fn default() -> Self {
        Self { arrived: watch::Sender::new(0), open: watch::Sender::new(false) }
    }
}

impl Gate {
    /// Let everything through, now and later.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    /// Returns once `count` requests in all have arrived here.
    pub async fn reached(&self, count: usize) {
        // The sender lives in `self`, so this can only end with the count.
        let _ = self.arrived.subscribe().wait_for(|arrived| *arrived >= count).await;
    }

    fn is_open(&self) -> bool {
        *self.open.borrow()
    }

    async fn wait(&self) {
        self.arrived.send_modify(|arrived| *arrived += 1);
        let _ = self.open.subscribe().wait_for(|open| *open).await;
    }
}
