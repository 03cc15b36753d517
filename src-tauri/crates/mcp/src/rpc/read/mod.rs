//! What servers send.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;
use signalbox_model::Json;

use crate::{
    error::Error,
    flight::{Arrived, Permit},
    view::{Elements, Fields, RpcError, integer, text as text_of},
};

/// Messages that one line, body or event may hold. A message of a few bytes costs many times that once it is read.
const MOST_TOGETHER: usize = 1_024;

/// Bytes of an error that names no request and is kept until another answer may come.
const LONGEST_PERHAPS: usize = 64 * 1024;

/// One message of the server.
#[derive(Debug)]
pub(crate) enum Message {
    /// An answer. The id is none where the server gives none that could be ours.
    Answer { id: Option<u64>, outcome: Result<Json, RpcError> },
    /// What the server sends of its own accord.
    Unasked(Unasked),
}

/// A request or a notification of the server.
#[derive(Debug)]
pub(crate) struct Unasked {
    /// A request's id as it stands there; none for a notification.
    pub(crate) id: Option<String>,
    /// The method, cut to a few letters: no method that means anything here is longer.
    pub(crate) method: String,
    /// The whole message.
    pub(crate) raw: Json,
    /// Its room in memory.
    pub(crate) permit: Option<Permit>,
}

impl Unasked {
    /// The subscription it belongs to, on the modern wire: the id of our request that opened it.
    pub(crate) fn subscription(&self) -> Option<u64> {
        let meta = Fields::lenient(self.raw.raw()).object("params").object("_meta");
        meta.some("io.modelcontextprotocol/subscriptionId").and_then(id_of)
    }
}

/// The bytes are no JSON-RPC message.
#[derive(Debug)]
pub(crate) struct Malformed;

/// The members that make a message, as they stand in the text. Of several with one name the last counts, as in
/// JavaScript.
#[derive(Default)]
struct Envelope<'a> {
    id: Option<&'a RawValue>,
    method: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
}

impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Envelope<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope<'de>, A::Error> {
                let mut envelope = Envelope::default();
                while let Some((name, value)) = map.next_entry::<Name, &RawValue>()? {
                    match name {
                        Name::Id => envelope.id = Some(value),
                        Name::Method => envelope.method = Some(value),
                        Name::Result => envelope.result = Some(value),
                        Name::Error => envelope.error = Some(value),
                        Name::Other => {}
                    }
                }
                Ok(envelope)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

enum Name {
    Id,
    Method,
    Result,
    Error,
    Other,
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_bytes<E>(self, name: &[u8]) -> Result<Name, E> {
                Ok(match name {
                    b"id" => Name::Id,
                    b"method" => Name::Method,
                    b"result" => Name::Result,
                    b"error" => Name::Error,
                    _ => Name::Other,
                })
            }
        }
        // As bytes: a lone surrogate, which no Rust string can hold, is no reason to refuse a message.
        deserializer.deserialize_bytes(Bytes)
    }
}

impl Message {
    /// Takes a message apart. `jsonrpc` may be missing; of a result and an error beside each other the error counts
    /// (servers that always write both leave the other one `null`), and either makes an answer of what names a method.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        Self::of(&legible(bytes))
    }

    fn of(text: &str) -> Result<Self, Malformed> {
        let envelope: Envelope<'_> = serde_json::from_str(text).map_err(|_| Malformed)?;
        let id = envelope.id.and_then(id_of);
        let error = envelope.error.filter(|raw| raw.get() != "null");
        let no_result = envelope.result.is_none_or(|raw| raw.get() == "null");
        match (error, envelope.result, envelope.method.and_then(text_of)) {
            (Some(error), ..) => Ok(Self::Answer { id, outcome: Err(RpcError::of(error)) }),
            (None, _, Some(method)) if no_result => Ok(Self::Unasked(Unasked {
                id: envelope.id.map(RawValue::get).filter(|id| *id != "null").map(str::to_owned),
                method: method.chars().take(64).collect(),
                raw: Json::parse(text.trim()).map_err(|_| Malformed)?,
                permit: None,
            })),
            (None, Some(result), _) => Ok(Self::Answer { id, outcome: Ok(result.to_owned().into()) }),
            (None, None, _) => Err(Malformed),
        }
    }
}

/// The bytes as text, without a byte order mark. What is no UTF-8 becomes U+FFFD: better one character that is shown
/// wrong than an answer that is lost.
fn legible(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    // Asked first, which is far faster for all that is as it should be.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The messages in what a server sends at a time: one; the list that versions before 2025-06-18 allow; or several
/// where a line end got lost between them. Of very many only the first are read.
pub(crate) fn parts(bytes: &[u8]) -> Vec<Result<Message, Malformed>> {
    let text = legible(bytes);
    if text.trim_start().starts_with('[') {
        return match serde_json::from_str::<Elements<'_, MOST_TOGETHER>>(&text) {
            Ok(Elements { list, more }) => {
                let messages = list.into_iter().map(|raw| Message::of(raw.get()));
                messages.chain(more.then_some(Err(Malformed))).collect()
            }
            Err(_) => vec![Err(Malformed)],
        };
    }
    if let Ok(message) = Message::of(&text) {
        return vec![Ok(message)];
    }
    let documents = serde_json::Deserializer::from_str(&text).into_iter::<&RawValue>();
    let parts: Vec<_> = documents
        .take(MOST_TOGETHER)
        .map(|raw| raw.map_or(Err(Malformed), |raw| Message::of(raw.get())))
        .collect();
    if parts.is_empty() { vec![Err(Malformed)] } else { parts }
}

/// The messages in what has come, each with its room.
pub(crate) async fn parts_of(arrived: Arrived) -> Vec<Result<Message, Malformed>> {
    let mut parts = arrived.turn().await.read(parts);
    for part in &mut parts {
        if let Ok(Message::Unasked(message)) = part {
            message.permit = Some(arrived.permit());
        }
    }
    parts
}

/// What answers a request that alone can be meant on a connection of its own.
pub(crate) struct Own {
    /// Whether it names the request. An error without a legible id does not: it is the answer where none follows.
    pub(crate) named: bool,
    pub(crate) outcome: Result<Json, Error>,
    /// Its room in memory.
    pub(crate) permit: Option<Permit>,
}

impl Own {
    /// The one of two that counts.
    pub(crate) fn or(former: Option<Self>, latter: Option<Self>) -> Option<Self> {
        if latter.as_ref().is_some_and(|own| own.named) { latter } else { former.or(latter) }
    }

    /// What may be the answer where no other follows, while others are waited for: without room, and so only what has
    /// next to no bytes.
    pub(crate) fn perhaps(self) -> Option<Self> {
        let raw = match &self.outcome {
            Ok(raw) | Err(Error::Rpc { raw, .. }) => Some(raw),
            Err(_) => None,
        };
        let is_small = raw.is_none_or(|raw| raw.text().len() <= LONGEST_PERHAPS);
        is_small.then_some(Self { permit: None, ..self })
    }

    /// Hands the answer out.
    pub(crate) fn hand_over(self) -> Result<Json, Error> {
        Permit::hand_over(self.permit);
        self.outcome
    }
}

/// The answer to request `id` in what came on a connection of its own; none where other messages came.
pub(crate) fn own_answer_in(bytes: &[u8], id: u64) -> Result<Option<Own>, Malformed> {
    let (mut own, mut malformed) = (None, None);
    for message in parts(bytes) {
        match message {
            Ok(Message::Unasked(message)) => tracing::debug!(message.method, "message before the answer"),
            Ok(message) => own = Own::or(own, own_answer(message, id)),
            Err(error) => malformed = Some(error),
        }
    }
    match (own, malformed) {
        (None, Some(error)) => Err(error),
        (own, _) => Ok(own),
    }
}

fn id_of(raw: &RawValue) -> Option<u64> {
    integer(raw).and_then(|id| id.try_into().ok())
}

/// The id of an answer of which only the beginning is there.
pub(crate) fn early_id(prefix: &[u8]) -> Option<u64> {
    let text = legible(prefix);
    let mut members = text.trim_start().strip_prefix('{')?;
    loop {
        let mut keys = serde_json::Deserializer::from_str(members).into_iter::<&RawValue>();
        let key = keys.next()?.ok()?.get();
        let after_key = members[keys.byte_offset()..].trim_start().strip_prefix(':')?;
        let mut values = serde_json::Deserializer::from_str(after_key).into_iter::<&RawValue>();
        let value = values.next()?.ok()?;
        let rest = after_key[values.byte_offset()..].trim_start();
        if key == "\"id\"" {
            // Where nothing follows, more digits might have.
            return id_of(value).filter(|_| rest.starts_with([',', '}']));
        }
        members = rest.strip_prefix(',')?;
    }
}

/// The answer that a message is on a connection of request `id` alone: another request's answer is none.
pub(crate) fn own_answer(message: Message, id: u64) -> Option<Own> {
    match message {
        Message::Answer { id: Some(other), .. } if other != id => None,
        Message::Answer { id, outcome } => {
            Some(Own { named: id.is_some(), outcome: outcome.map_err(Error::from), permit: None })
        }
        Message::Unasked(_) => None,
    }
}

#[cfg(test)]
mod tests;
