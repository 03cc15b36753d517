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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn describe(bytes: &[u8]) -> String {
        match Message::read(bytes) {
            Ok(Message::Answer { id, outcome: Ok(result) }) => format!("{id:?} ok {}", result.text()),
            Ok(Message::Answer { id, outcome: Err(error) }) => {
                format!("{id:?} error {} {}", error.code, error.message)
            }
            Ok(Message::Unasked(Unasked { id: Some(id), method, .. })) => format!("request {id} {method}"),
            Ok(Message::Unasked(Unasked { id: None, method, .. })) => format!("notification {method}"),
            Err(Malformed) => "malformed".into(),
        }
    }

    #[test]
    fn takes_answers_apart_however_they_are_written() {
        let cases = [
            (r#"{"jsonrpc":"2.0","id":1,"result":{"a":60000.0}}"#, r#"Some(1) ok {"a":60000.0}"#),
            (r#"{"result":{},"id":1}"#, "Some(1) ok {}"),
            (r#"{"id":"7","result":{}}"#, "Some(7) ok {}"),
            (r#"{"id":7.0,"result":{}}"#, "Some(7) ok {}"),
            (r#"{"id":-7,"result":{}}"#, "None ok {}"),
            (r#"{"id":1,"result":null}"#, "Some(1) ok null"),
            (r#"{"id":1,"result":{"x":1},"error":null}"#, r#"Some(1) ok {"x":1}"#),
            (r#"{"id":1,"result":null,"error":{"code":-32602,"message":"no"}}"#, "Some(1) error -32602 no"),
            (r#"{"id":1,"result":{},"error":{"code":-32602.0,"message":"no"}}"#, "Some(1) error -32602 no"),
            (r#"{"id":null,"error":{"code":-32700,"message":"parse"}}"#, "None error -32700 parse"),
            (r#"{"error":{"code":"-32600"}}"#, "None error -32600 "),
            (r#"{"id":1,"error":"just text"}"#, "Some(1) error 0 just text"),
            (r#"{"id":1,"error":[]}"#, "Some(1) error 0 "),
            (r#"{"method":"notifications/progress","params":{}}"#, "notification notifications/progress"),
            (r#"{"id":3,"method":"ping"}"#, "request 3 ping"),
            (r#"{"id":"a\"b","method":"ping"}"#, r#"request "a\"b" ping"#),
            (r#"{"id":null,"method":"ping"}"#, "notification ping"),
            (r#"{"id":3,"method":"ping","result":null,"error":null}"#, "request 3 ping"),
            (r#"{"id":3,"method":"ping","result":{}}"#, "Some(3) ok {}"),
            (r#"{"id":1,"r\u0065sult":true}"#, "Some(1) ok true"),
            (r#"{"id":1,"result":"\ud800 alone"}"#, r#"Some(1) ok "\ud800 alone""#),
            (r#"{"id":1,"\ud800":0,"result":{}}"#, "Some(1) ok {}"),
            (r#"{"id":9,"id":1,"result":false,"result":{}}"#, "Some(1) ok {}"),
            (
                r#"{"jsonrpc":"2.0","id":1,"jsonrpc":"2.0","error":{},"error":null,"result":{}}"#,
                "Some(1) ok {}",
            ),
            (r#"{"id":1}"#, "malformed"),
            ("{}", "malformed"),
            ("[]", "malformed"),
            ("", "malformed"),
            (r#"{"id":1,"result":{"#, "malformed"),
            ("Server listening on port 3000", "malformed"),
        ];
        for (text, expected) in cases {
            assert_eq!(describe(text.as_bytes()), expected, "{text}");
        }
        let no_utf8 = b"\xEF\xBB\xBF {\"id\":1,\"result\":\"\xFF\"}\r";
        assert_eq!(describe(no_utf8), "Some(1) ok \"\u{FFFD}\"", "one broken character costs no answer");
    }

    #[test]
    fn a_list_is_its_messages() {
        let describe =
            |text: &str| -> Vec<bool> { parts(text.as_bytes()).iter().map(Result::is_ok).collect() };
        assert_eq!(describe(r#" [{"id":1,"result":{}},{"method":"x"},7,[]]"#), [true, true, false, false]);
        assert_eq!(describe(r#"{"id":1,"result":{}}"#), [true]);
        assert_eq!(describe("[{"), [false]);
        assert_eq!(describe("[]"), [false; 0]);
        assert_eq!(describe("\u{FEFF}[{\"method\":\"x\"}]"), [true]);
        assert_eq!(describe(r#"{"id":1,"result":{}}{"id":2,"result":{}} {"id":"#), [true, true, false]);
        assert_eq!(describe(r#"{"id":1}"#), [false]);
        assert_eq!(describe(""), [false]);
    }

    #[test]
    fn a_list_of_very_many_is_cut() {
        let message = r#"{"method":"x"}"#;
        let list = format!("[{}]", vec![message; 100_000].join(","));
        for many in [list, message.repeat(100_000), format!("[{}]", vec!["0"; 100_000].join(","))] {
            let parts = parts(many.as_bytes());
            assert!((MOST_TOGETHER..=MOST_TOGETHER + 1).contains(&parts.len()), "{} messages", parts.len());
        }
        let all = format!("[{}]", vec![message; MOST_TOGETHER].join(","));
        assert!(parts(all.as_bytes()).iter().all(Result::is_ok), "as many as are read");
    }

    #[test]
    fn an_error_without_an_id_is_kept_only_if_it_is_short() {
        let own = |length: usize| {
            let error = format!(r#"{{"error":{{"code":-32600,"message":"{}"}}}}"#, "x".repeat(length));
            own_answer_in(error.as_bytes(), 1).unwrap().unwrap()
        };
        assert!(!own(9).named, "whose it is it does not say");
        assert!(own(9).perhaps().is_some_and(|own| own.permit.is_none()), "who waits has no room");
        assert!(own(LONGEST_PERHAPS).perhaps().is_none());
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        let answer = format!(r#"{{"id":1,"result":{deep}}}"#);
        assert_eq!(describe(answer.as_bytes()), format!("Some(1) ok {deep}"));
        let unclosed = format!(r#"{{"id":1,"result":{}"#, "[".repeat(1_000_000));
        assert_eq!(describe(unclosed.as_bytes()), "malformed");
    }

    #[test]
    fn finds_the_id_in_a_beginning() {
        let cases = [
            (r#"{"jsonrpc":"2.0","id":12,"result":{"content":["#, Some(12)),
            (r#" { "id" : "12" , "result""#, Some(12)),
            (r#"{"result":{},"id":12,"#, Some(12)),
            (r#"{"jsonrpc":"2.0","result":{"content":["#, None),
            (r#"{"id":12"#, None),
            (r#"{"jsonrpc":"2.0""#, None),
            ("junk", None),
            ("", None),
        ];
        for (prefix, id) in cases {
            assert_eq!(early_id(prefix.as_bytes()), id, "{prefix}");
        }
        let cut_inside_a_character = &r#"{"id":1,"result":"é"#.as_bytes()[..19];
        assert_eq!(early_id(cut_inside_a_character), Some(1));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let _ = Message::read(&bytes);
            let _ = early_id(&bytes);
        }

        #[test]
        fn no_cut_makes_it_panic_or_lie(cut in 0_usize..80, junk in "\\PC{0,8}") {
            let text = r#"{"jsonrpc":"2.0","id":12,"result":{"content":[{"type":"text","text":"é\n"}]}}"#;
            let cut = (0..=cut.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let broken = format!("{}{junk}", &text[..cut]);
            if let Some(id) = early_id(broken.as_bytes()) {
                prop_assert!(cut >= 22, "an id was found before it stood there: {} in {}", id, broken);
            }
            let _ = Message::read(broken.as_bytes());
        }
    }
}
