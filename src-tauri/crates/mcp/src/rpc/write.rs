//! What we send.

use http::{HeaderName, HeaderValue};
use signalbox_model::Json;

use crate::verbatim;

/// One request, ready for a transport.
pub(crate) struct Request<'a> {
    /// Fresh for every request of a client.
    pub(crate) id: u64,
    /// The JSON-RPC method.
    pub(crate) method: &'static str,
    /// What `Mcp-Name` mirrors: a tool's name or a task's id.
    pub(crate) name: Option<&'a str>,
    /// Arguments mirrored into headers (`x-mcp-header`).
    pub(crate) mirrored: Vec<(HeaderName, HeaderValue)>,
    /// Whether it is made only once: then an answer counts that comes with a status that asks to wait (429, 503). For
    /// what is asked again the wish counts, and nothing that comes with it.
    pub(crate) once: bool,
    /// Bytes that the answer may have, where that is less than any message may.
    pub(crate) most: Option<usize>,
    /// The whole JSON-RPC message.
    pub(crate) body: Vec<u8>,
}

/// Writes one request's `params` member by member.
pub(crate) struct Params(Vec<u8>);

impl Params {
    /// Begins a request without parameters so far.
    pub(crate) fn new(id: u64, method: &'static str) -> Self {
        let mut out = Vec::with_capacity(1024);
        out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        write_json(&mut out, &id);
        out.extend_from_slice(br#","method":""#);
        out.extend_from_slice(method.as_bytes());
        out.extend_from_slice(br#"","params":{"#);
        Self(out)
    }

    /// JSON of ours, already serialised.
    pub(crate) fn ready(mut self, key: &'static str, json: &str) -> Self {
        self.key(key);
        self.0.extend_from_slice(json.as_bytes());
        self
    }

    pub(crate) fn text(mut self, key: &'static str, value: &str) -> Self {
        self.key(key);
        write_json(&mut self.0, value);
        self
    }

    /// Where a list goes on; nothing at its beginning.
    pub(crate) fn cursor(self, cursor: Option<&str>) -> Self {
        match cursor {
            Some(cursor) => self.text("cursor", cursor),
            None => self,
        }
    }

    /// A text that came from the server.
    pub(crate) fn verbatim(self, key: &'static str, kept: &str) -> Self {
        self.ready(key, &verbatim::json(kept))
    }

    pub(crate) fn json(self, key: &'static str, value: &Json) -> Self {
        self.ready(key, value.text())
    }

    /// JSON by names that came from the server.
    pub(crate) fn map(mut self, key: &'static str, entries: &[(String, Json)]) -> Self {
        self.key(key);
        for (n, (name, value)) in entries.iter().enumerate() {
            self.0.push(if n == 0 { b'{' } else { b',' });
            self.0.extend_from_slice(verbatim::json(name).as_bytes());
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
        if self.0.last() != Some(&b'{') {
            self.0.push(b',');
        }
        self.0.push(b'"');
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
    }
}

fn write_json<T: serde::Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(out, value).expect("BUG: text and numbers serialise into memory");
}

/// The notice that we do not wait for a request any more.
pub(crate) fn cancelled(id: u64) -> Vec<u8> {
    notification("notifications/cancelled", &format!(r#"{{"requestId":{id}}}"#))
}

/// A notification of ours; `params` is JSON.
pub(crate) fn notification(method: &str, params: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#).into()
}

/// Our answer to a request of the server, whose id goes back as it came.
pub(crate) fn response(id: &str, result: &Json) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{}}}"#, result.text()).into()
}

/// Our refusal of a request of the server.
pub(crate) fn refusal(id: &str, code: i64, message: &str) -> Vec<u8> {
    let error = serde_json::json!({"code": code, "message": message});
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into()
}

/// A message as one line. Line ends can only be blanks between the tokens of embedded JSON: strings hold them escaped.
pub(crate) fn one_line(mut body: Vec<u8>) -> Vec<u8> {
    body.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    body.push(b'\n');
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_requests_that_read_back() {
        let key = "a \"key\"\n\u{1F600}";
        let body = Params::new(7, "tasks/update")
            .ready("_meta", r#"{"m":1}"#)
            .text("taskId", key)
            .json("raw", &Json::parse("{ \"big\": 12345678901234567890.0 }").unwrap())
            .map("inputResponses", &[(key.into(), Json::of(&1)), ("b".into(), Json::of(&2))])
            .map("empty", &[])
            .finish();
        let text = String::from_utf8(body).unwrap();
        assert!(text.contains(r#""raw":{ "big": 12345678901234567890.0 }"#), "raw JSON goes out as it is");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let params = serde_json::json!({
            "_meta": {"m": 1}, "taskId": key, "raw": {"big": 12345678901234567890.0},
            "inputResponses": {key: 1, "b": 2}, "empty": {},
        });
        let request =
            serde_json::json!({"jsonrpc": "2.0", "id": 7, "method": "tasks/update", "params": params});
        assert_eq!(value, request);
    }
}
