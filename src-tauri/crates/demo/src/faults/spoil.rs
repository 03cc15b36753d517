//! The faults that hit one message, and the message as it goes out under them.

use serde_json::{Value, json};

use super::{Fault, Style};
use crate::protocol::Refusal;

/// The faults that hit one message.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hits(pub(super) Vec<Fault>);

/// A message as bytes, with what else goes wrong on the way.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    pub(crate) bytes: Vec<u8>,
    pub(crate) html: bool,
    /// The connection ends after these bytes, which are half of the message.
    pub(crate) cut: bool,
    /// The message itself is not sent.
    pub(crate) silent: bool,
    pub(crate) junk: Vec<String>,
    /// Messages before it.
    pub(crate) before: Vec<Vec<u8>>,
    pub(crate) twice: bool,
    pub(crate) status: Option<u16>,
    pub(crate) style: Option<Style>,
    pub(crate) kind: Option<&'static str>,
    pub(crate) headers: Vec<(&'static str, &'static str)>,
}

impl Outgoing {
    /// Everything to be written for it, in order.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let times = if self.silent { 0 } else { 1 + usize::from(self.twice) };
        let before = self.before.iter().map(Vec::as_slice);
        before.chain(std::iter::repeat_n(self.bytes.as_slice(), times))
    }

    /// Whether it fits in a body of one JSON document.
    pub(crate) fn single(&self) -> bool {
        self.before.is_empty() && !self.twice && self.style.is_none()
    }
}

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

    /// The HTTP status and `Retry-After` to refuse with.
    pub(crate) fn refusal(&self) -> Option<(u16, Option<&str>)> {
        self.0.iter().find_map(|fault| match fault {
            Fault::Refuse { status, retry_after } => Some((*status, retry_after.as_deref())),
            _ => None,
        })
    }

    /// What headers a response has beside its own.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().filter_map(|fault| match fault {
            Fault::Header(name, value) => Some((*name, *value)),
            _ => None,
        })
    }

    /// The JSON-RPC error to answer with instead of doing anything.
    pub(crate) fn error(&self) -> Result<(), Refusal> {
        self.0.iter().try_for_each(|fault| match fault {
            Fault::Error(error) => Err(Refusal::Scripted(error.clone())),
            _ => Ok(()),
        })
    }

    pub(crate) fn loses_update(&self) -> bool {
        self.0.iter().any(|fault| matches!(fault, Fault::LoseUpdate))
    }

    pub(crate) fn refuses_ids(&self) -> bool {
        self.0.iter().any(|fault| matches!(fault, Fault::RefuseIds))
    }

    pub(crate) fn chatty(&self) -> bool {
        self.0.iter().any(|fault| matches!(fault, Fault::Chatty))
    }

    pub(crate) fn sends_back(&self) -> bool {
        self.0.iter().any(|fault| matches!(fault, Fault::ComeBack))
    }

    /// The id of a task, from the one it would have.
    pub(crate) fn task_id(&self, id: String) -> String {
        self.0.iter().fold(id, |id, fault| if let Fault::TaskId(name) = fault { name(&id) } else { id })
    }

    /// How many messages of a stream are written before its connection ends.
    pub(crate) fn hang_up(&self) -> Option<usize> {
        self.0.iter().find_map(|fault| if let Fault::HangUp(after) = fault { Some(*after) } else { None })
    }

    /// The message as it goes out.
    pub(crate) fn spoil(&self, mut message: Value) -> Outgoing {
        let id = message["id"].to_string();
        for fault in &self.0 {
            match fault {
                Fault::NoId => {
                    message =
                        json!({ "jsonrpc": "2.0", "error": { "code": -32603, "message": "Internal error" } });
                }
                Fault::Huge(bytes) => pad(&mut message, *bytes),
                Fault::Edit(edit) if message.get("error").is_none() => edit(&mut message),
                _ => {}
            }
        }
        let mut out = Outgoing { bytes: message.to_string().into_bytes(), ..Outgoing::default() };
        for fault in &self.0 {
            match fault {
                Fault::Garbage => out.bytes = b"{\"jsonrpc\":\"2.0\",\"result\":\xff\xfe{{{".to_vec(),
                Fault::HtmlPage => {
                    out.html = true;
                    out.bytes =
                        b"<!doctype html><title>Sign in</title><h1>Please sign in to the network</h1>"
                            .to_vec();
                }
                Fault::Say(text) => out.bytes = text.replace("$ID", &id).into_bytes(),
                Fault::Bytes(change) => out.bytes = change(out.bytes),
                Fault::Junk(line) => out.junk.push(line.clone()),
                Fault::Cut => out.cut = true,
                Fault::Silent => out.silent = true,
                Fault::Extra(extra) => out.before.push(extra.to_string().into_bytes()),
                Fault::Twice => out.twice = true,
                Fault::Status(status) => out.status = Some(*status),
                Fault::Kind(kind) => out.kind = Some(kind),
                Fault::Header(name, value) => out.headers.push((name, value)),
                Fault::Events(style) => out.style = Some(*style),
                _ => {}
            }
        }
        if out.cut {
            out.bytes.truncate(out.bytes.len() / 2);
        }
        out
    }
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
