//! Input requests as requests of ours: asked on a stream, taken when the client replies.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::session::{Client, lock};
use super::task::related;
use super::{Session, hosted};
use crate::Demo;
use crate::calls::Call;
use crate::journal::{JournalEntry, NotTaken};
use crate::outbox::Outbox;
use crate::protocol::{META_ASK, Refusal, notification};
use crate::script::Object;
use crate::tools::Tool;
use crate::work::{mismatch, refused};

/// How long a client is asked to keep a task that it hosts for us (ms).
const HOSTED_MS: i64 = 600_000;

impl Client {
    /// Refuse a client that cannot be asked this.
    pub(super) fn can(self, request: &Value) -> Result<(), Refusal> {
        let (declared, what) = match request["method"].as_str() {
            Some("sampling/createMessage") => (self.sampling, "sampling"),
            Some("roots/list") => (self.roots, "roots"),
            _ if request["params"]["mode"] == "url" => (self.url, "elicitation.url"),
            _ => (self.form, "elicitation.form"),
        };
        if declared { Ok(()) } else { Err(Refusal::CannotAsk(what)) }
    }

    fn hosts(self, method: &str) -> bool {
        match method {
            "elicitation/create" => self.hosts_elicitation,
            "sampling/createMessage" => self.hosts_sampling,
            _ => false,
        }
    }
}

/// Asks on one stream for as long as it lives; a question that died with its stream is asked again on the next.
pub(super) struct Asking<'a> {
    demo: &'a Demo,
    session: &'a Arc<Session>,
    out: &'a Arc<Outbox>,
    /// What it asked, by call and key: others may ask on the same stream.
    own: Mutex<HashSet<(String, String)>>,
}

impl<'a> Asking<'a> {
    pub(super) fn new(demo: &'a Demo, session: &'a Arc<Session>, out: &'a Arc<Outbox>) -> Self {
        Self { demo, session, out, own: Mutex::default() }
    }

    /// Ask, unless it was asked here before, or is asked on a stream that somebody reads.
    pub(super) fn ask(&self, call: &Call, tool: &'static Tool, key: &str, request: &Value) {
        let question = (call.id.clone(), key.to_owned());
        let mut asked = lock(&self.session.asked);
        if asked.get(&question).is_some_and(|on| Arc::ptr_eq(on, self.out) || on.is_read()) {
            return;
        }
        lock(&self.own).insert(question.clone());
        asked.insert(question, self.out.clone());
        let posed = Posed {
            demo: self.demo.clone(),
            session: self.session.clone(),
            out: self.out.clone(),
            call: call.clone(),
            tool,
            key: key.to_owned(),
            request: request.clone(),
        };
        tokio::spawn(posed.pose());
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let own = lock(&self.own);
        lock(&self.session.asked)
            .retain(|question, on| !(own.contains(question) && Arc::ptr_eq(on, self.out)));
    }
}

/// One question on its way.
pub(super) struct Posed {
    pub(super) demo: Demo,
    pub(super) session: Arc<Session>,
    out: Arc<Outbox>,
    pub(super) call: Call,
    tool: &'static Tool,
    pub(super) key: String,
    request: Value,
}

impl Posed {
    async fn pose(self) {
        let legacy = self.demo.0.options.legacy;
        let method = self.request["method"].as_str().unwrap_or_default();
        let mut params = self.request["params"].clone();
        let url = params["mode"] == "url";
        if url {
            params["elicitationId"] = elicitation_id(&self.call, &self.key).into();
        }
        if legacy.related && !self.call.origin.plain {
            params = related(params, &self.call.id);
        }
        let hosts = legacy.hosted && self.session.client().hosts(method);
        if hosts {
            params["task"] = json!({ "ttl": HOSTED_MS });
        }
        let Some(mut outcome) = self.send(method, params).await else { return };
        if let Ok(created) = &outcome
            && hosts
            && created["task"]["taskId"].is_string()
        {
            let Some(fetched) = hosted::fetch(&self, &created["task"]).await else { return };
            outcome = fetched;
        }
        if url && outcome.as_ref().is_ok_and(|response| response["action"] == "accept") {
            self.demo.page_done(&self.session, &self.call, &self.key);
        }
        self.take(outcome);
    }

    /// Send a request and wait for its outcome; none if the question needs no answer any more, or nobody can give one.
    pub(super) async fn send(&self, method: &str, mut params: Value) -> Option<Result<Value, Value>> {
        let (id, outcome) = self.session.expect();
        let ask = self.demo.0.calls.fresh_id();
        if self.demo.0.options.legacy.named {
            params["_meta"][META_ASK] = ask.clone().into();
        }
        let session = self.session.id.clone();
        let (call, key) = (self.call.id.clone(), self.key.clone());
        self.demo.journal().write(|at| {
            let (id, method) = (id.clone(), method.to_owned());
            JournalEntry::Asked { at, session, id, ask, method, call, key }
        });
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.stream().send(request, self.demo.faults().take(method));
        tokio::select! {
            outcome = outcome => outcome.ok(),
            () = self.needless() => {
                self.session.gives_up(&id);
                let reason = json!({ "requestId": id, "reason": "no longer needed" });
                self.tell("notifications/cancelled", reason);
                let session = self.session.id.clone();
                self.demo.journal().write(|at| JournalEntry::Withdrawn { at, session, id });
                None
            }
            () = self.session.closed() => None,
        }
    }

    pub(super) fn tell(&self, method: &str, params: Value) {
        self.stream().send(notification(method, params), self.demo.faults().take(method));
    }

    /// A client that left the stream may still be there on the other.
    fn stream(&self) -> &Outbox {
        if self.out.is_read() { &self.out } else { &self.session.general }
    }

    /// Returns once the question is open no more.
    async fn needless(&self) {
        let mut changes = self.demo.0.calls.changes();
        let expiry = self.call.ttl_ms.map_or(i64::MAX, |ttl| self.call.created_at.saturating_add(ttl));
        loop {
            changes.borrow_and_update();
            let open = self
                .demo
                .call_on_record(&self.call.id)
                .is_some_and(|(call, tool)| self.demo.outstanding(&call, tool).contains_key(&self.key));
            if !open {
                return;
            }
            tokio::select! {
                _ = changes.changed() => {}
                () = self.demo.0.clock.until(expiry) => {}
            }
        }
    }

    fn take(self, outcome: Result<Value, Value>) {
        let response = outcome.unwrap_or_else(|error| refused(&error));
        let answers = response.get("refused").is_some() || mismatch(&self.request, &response).is_none();
        if !answers {
            lock(&self.session.asked).remove(&(self.call.id.clone(), self.key.clone()));
            self.demo.not_taken(&self.call.id, self.key, response, NotTaken::Malformed);
            return;
        }
        let responses = Object::from_iter([(self.key, response)]);
        if let Err(error) = self.demo.take_as_it_is(&self.call, self.tool, responses) {
            tracing::error!(%error, "an answer could not be taken");
        }
    }
}

pub(super) fn elicitation_id(call: &Call, key: &str) -> String {
    format!("{}.{key}", call.id)
}

impl Demo {
    /// What a page was opened for is done.
    pub(super) fn page_done(&self, session: &Session, call: &Call, key: &str) {
        let method = "notifications/elicitation/complete";
        let done = notification(method, json!({ "elicitationId": elicitation_id(call, key) }));
        session.general.send(done, self.faults().take(method));
    }
}
