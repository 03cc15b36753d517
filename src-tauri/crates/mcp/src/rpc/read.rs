//! What servers send.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use signalbox_model::Json;

use crate::{
    error::Error,
    view::{Fields, RpcError, integer, text},
};

/// One message of the server.
#[derive(Debug)]
pub(crate) enum Message {
    /// An answer. The id is none where the server gives none that could be ours.
    Answer { id: Option<u64>, outcome: Result<Json, RpcError> },
    /// What the server sends of its own accord.
    Unasked(Unasked),
}

/// A request or a notification of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unasked {
    /// A request's id as it stands there; none for a notification.
    pub(crate) id: Option<String>,
    /// The method, cut to a few letters: no method that means anything here is longer.
    pub(crate) method: String,
    /// The whole message.
    pub(crate) raw: Json,
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
            (None, _, Some(method)) => Ok(Self::Unasked(Unasked {
                id: envelope.id.map(RawValue::get).filter(|id| *id != "null").map(str::to_owned),
                method: method.chars().take(64).collect(),
                raw: serde_json::from_slice::<Box<RawValue>>(bytes).map_err(|_| Malformed)?.into(),
            })),
            (None, Some(result), None) => Ok(Self::Answer { id, outcome: Ok(result.to_owned().into()) }),
            (None, None, None) => Err(Malformed),
        }
    }
}

/// The messages in what a server of the legacy wire sends at a time: one, or the list that versions before 2025-06-18
/// allow.
pub(crate) fn parts(bytes: &[u8]) -> Vec<Result<Message, Malformed>> {
    if bytes.trim_ascii_start().first() != Some(&b'[') {
        return vec![Message::read(bytes)];
    }
    match serde_json::from_slice::<Vec<&RawValue>>(bytes) {
        Ok(list) => list.into_iter().map(|raw| Message::read(raw.get().as_bytes())).collect(),
        Err(_) => vec![Err(Malformed)],
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
        let rest = after_key[values.byte_offset()..].trim_start();
        if key == "\"id\"" {
            // Where nothing follows, more digits might have.
            return id_of(value).filter(|_| rest.starts_with([',', '}']));
        }
        members = rest.strip_prefix(',')?;
    }
}

/// The outcome of the request that alone can be meant on a connection of its own: an error without a legible id is
/// its answer, another request's answer is not.
pub(crate) fn own_answer(message: Message, id: u64) -> Option<Result<Json, Error>> {
    match message {
        Message::Answer { id: Some(other), .. } if other != id => None,
        Message::Answer { outcome, .. } => Some(outcome.map_err(Error::from)),
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
            (r#"{"id":1,"r\u0065sult":true}"#, "Some(1) ok true"),
            (r#"{"id":1,"result":"\ud800 alone"}"#, r#"Some(1) ok "\ud800 alone""#),
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
        assert_eq!(describe(b"{\"id\":1,\"result\":\"\xFF\"}"), "malformed", "no UTF-8");
    }

    #[test]
    fn a_list_is_its_messages() {
        let describe =
            |text: &str| -> Vec<bool> { parts(text.as_bytes()).iter().map(Result::is_ok).collect() };
        assert_eq!(describe(r#" [{"id":1,"result":{}},{"method":"x"},7,[]]"#), [true, true, false, false]);
        assert_eq!(describe(r#"{"id":1,"result":{}}"#), [true]);
        assert_eq!(describe("[{"), [false]);
        assert_eq!(describe("[]"), [false; 0]);
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
