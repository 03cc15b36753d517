//! The JSON-RPC envelope: requests are written straight into a buffer, answers are taken apart without parsing what
//! they carry.

use http::{HeaderName, HeaderValue};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use signalbox_model::Json;

use crate::{
    error::Error,
    view::{RpcError, integer, text},
};

/// One request, ready for a transport.
pub(crate) struct Request<'a> {
    /// Fresh for every request of a client.
    pub(crate) id: u64,
    /// The method.
    pub(crate) method: &'static str,
    /// What `Mcp-Name` mirrors: a tool's name or a task's id.
    pub(crate) name: Option<&'a str>,
    /// Arguments mirrored into headers (`x-mcp-header`).
    pub(crate) mirrored: Vec<(HeaderName, HeaderValue)>,
    /// The whole JSON-RPC message.
    pub(crate) body: Vec<u8>,
}

/// Writes one request's `params` member by member.
pub(crate) struct Params(Vec<u8>);

impl Params {
    /// Begins a request whose params start with an already serialised `_meta`.
    pub(crate) fn new(id: u64, method: &'static str, meta: &str) -> Self {
        let mut out = Vec::with_capacity(meta.len() + 256);
        out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        write_json(&mut out, &id);
        out.extend_from_slice(br#","method":""#);
        out.extend_from_slice(method.as_bytes());
        out.extend_from_slice(br#"","params":{"_meta":"#);
        out.extend_from_slice(meta.as_bytes());
        Self(out)
    }

    pub(crate) fn text(mut self, key: &'static str, value: &str) -> Self {
        self.key(key);
        write_json(&mut self.0, value);
        self
    }

    pub(crate) fn json(mut self, key: &'static str, value: &Json) -> Self {
        self.key(key);
        self.0.extend_from_slice(value.text().as_bytes());
        self
    }

    pub(crate) fn map(mut self, key: &'static str, entries: &[(String, Json)]) -> Self {
        self.key(key);
        for (n, (name, value)) in entries.iter().enumerate() {
            self.0.push(if n == 0 { b'{' } else { b',' });
            write_json(&mut self.0, name);
            self.0.push(b':');
            self.0.extend_from_slice(value.text().as_bytes());
        }
        self.0.extend_from_slice(if entries.is_empty() { b"{}" } else { b"}" });
        self
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.0.extend_from_slice(b"}}");
        self.0
    }

    fn key(&mut self, key: &'static str) {
        self.0.extend_from_slice(b",\"");
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
    }
}

fn write_json<T: serde::Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(out, value).expect("BUG: text and numbers serialise into memory");
}

/// The notice that we do not wait for a request any more.
pub(crate) fn cancelled(id: u64) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#).into()
}

/// One message of the server.
#[derive(Debug)]
pub(crate) enum Message {
    /// An answer. The id is none where the server gives none that could be ours.
    Answer { id: Option<u64>, outcome: Result<Json, RpcError> },
    /// A notification, or a request (which no modern server may send).
    Other { method: String },
}

/// The bytes are no JSON-RPC message.
#[derive(Debug)]
pub(crate) struct Malformed;

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, deserialize_with = "as_it_stands")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "as_it_stands")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "as_it_stands")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "as_it_stands")]
    error: Option<&'a RawValue>,
}

/// `null` is something that stands there, unlike with `Option` alone.
fn as_it_stands<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl Message {
    /// Takes a message apart. `jsonrpc` may be missing; of a result and an error beside each other the error counts
    /// (servers that always write both leave the other one `null`).
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let envelope: Envelope<'_> = serde_json::from_slice(bytes).map_err(|_| Malformed)?;
        let id = envelope.id.and_then(id_of);
        let error = envelope.error.filter(|raw| raw.get() != "null");
        match (error, envelope.result, envelope.method.and_then(text)) {
            (Some(error), ..) => Ok(Self::Answer { id, outcome: Err(RpcError::of(error)) }),
            (None, _, Some(method)) => Ok(Self::Other { method }),
            (None, Some(result), None) => Ok(Self::Answer { id, outcome: Ok(result.to_owned().into()) }),
            (None, None, None) => Err(Malformed),
        }
    }
}

fn id_of(raw: &RawValue) -> Option<u64> {
    integer(raw).and_then(|id| id.try_into().ok())
}

/// The id of an answer of which only the beginning is there.
pub(crate) fn early_id(prefix: &[u8]) -> Option<u64> {
    let text = match std::str::from_utf8(prefix) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&prefix[..error.valid_up_to()]).ok()?,
    };
    let rest = text.trim_start().strip_prefix('{')?;
    let mut members = rest;
    loop {
        let mut keys = serde_json::Deserializer::from_str(members).into_iter::<&RawValue>();
        let key = keys.next()?.ok()?.get();
        let after_key = members[keys.byte_offset()..].trim_start().strip_prefix(':')?;
        let mut values = serde_json::Deserializer::from_str(after_key).into_iter::<&RawValue>();
        let value = values.next()?.ok()?;
        if key == "\"id\"" {
            return id_of(value);
        }
        members = after_key[values.byte_offset()..].trim_start().strip_prefix(',')?;
    }
}

/// The outcome of the request that alone can be meant on a connection of its own: an error without a legible id is
/// its answer, another request's answer is not.
pub(crate) fn own_answer(message: Message, id: u64) -> Option<Result<Json, Error>> {
    match message {
        Message::Answer { id: Some(other), .. } if other != id => None,
        Message::Answer { outcome, .. } => Some(outcome.map_err(Error::from)),
        Message::Other { .. } => None,
    }
}
