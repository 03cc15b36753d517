//! What is done with every message before a wire looks at it.

use serde_json::{Value, json};

use crate::journal::JournalEntry;
use crate::protocol::{Incoming, Message, Refusal, Reply};
use crate::{Demo, Wires, tools};

impl Demo {
    /// Which wires are spoken just now.
    pub(crate) fn wires(&self) -> Wires {
        if self.faults().legacy_only() { Wires::Legacy } else { self.0.options.wires }
    }

    /// Read a message and put it on record.
    pub(crate) fn receive(&self, bytes: &[u8], session: Option<&str>) -> Result<Incoming, Refusal> {
        let incoming = Incoming::parse(bytes);
        let session = session.map(str::to_owned);
        self.journal().write(|at| match &incoming {
            Ok(Incoming::Message(Message { id: Some(id), method, params })) => JournalEntry::Request {
                at,
                session,
                id: id.clone(),
                method: method.clone(),
                params: params.clone(),
            },
            Ok(Incoming::Message(Message { id: None, method, params })) => {
                JournalEntry::Notification { at, session, method: method.clone(), params: params.clone() }
            }
            Ok(Incoming::Reply(Reply { id, outcome })) => JournalEntry::Reply {
                at,
                session,
                id: id.clone(),
                result: outcome.as_ref().ok().cloned(),
                error: outcome.as_ref().err().cloned(),
            },
            Err(_) => JournalEntry::Malformed {
                at,
                text: String::from_utf8_lossy(&bytes[..bytes.len().min(1000)]).into(),
            },
        });
        incoming
    }

    /// A page of `tools/list`; `add` is what a wire adds to each definition.
    pub(crate) fn list(&self, params: &Value, add: fn(&tools::Tool, &mut Value)) -> Result<Value, Refusal> {
        let cursor = params["cursor"].as_str();
        let (tools, next) = tools::page(cursor).ok_or_else(|| Refusal::Params("unknown cursor".into()))?;
        let edition = *self.0.edition.borrow();
        let define = |tool: &tools::Tool| {
            let mut definition = tool.definition(edition);
            add(tool, &mut definition);
            definition
        };
        let mut page = json!({ "tools": tools.map(define).collect::<Vec<_>>() });
        if let Some(next) = next {
            page["nextCursor"] = next.into();
        }
        Ok(page)
    }
}

/// Notes in the journal when a request is dropped before it was answered.
pub(crate) struct Pending<'a> {
    demo: &'a Demo,
    message: &'a Message,
    answered: bool,
}

impl<'a> Pending<'a> {
    pub(crate) fn new(demo: &'a Demo, message: &'a Message) -> Self {
        Self { demo, message, answered: false }
    }

    pub(crate) fn answered(mut self) {
        self.answered = true;
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if let (false, Some(id)) = (self.answered, &self.message.id) {
            let (id, method) = (id.clone(), self.message.method.clone());
            self.demo.journal().write(|at| JournalEntry::Abandoned { at, id, method });
        }
    }
}
