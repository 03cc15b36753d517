//! Bytes: encodings, sizes, bodies and events that break off, event streams written in every allowed way.

use super::super::{Fault, Style};
use super::Carrier::{Http, Stdio};
use super::Leaves::{Doubt, Everything, Nothing};
use super::Oddity;

const GET: &str = "tasks/get";

pub(super) static ALL: &[Oddity] = &[
    Oddity::faults_of("huge_result", "tools/call", Everything, |_| vec![Fault::Huge(20_000_000)]),
    Oddity::faults_of("huge_task", GET, Everything, |_| vec![Fault::Huge(20_000_000)]),
    Oddity::faults_of("garbage", GET, Nothing, |_| vec![Fault::Garbage]),
    Oddity::faults_of("cut", GET, Nothing, |_| vec![Fault::Cut]),
    Oddity::faults_of("cut_event", GET, Nothing, |_| vec![Fault::Events(Style::Plain), Fault::Cut])
        .over(Http),
    Oddity::faults_of("silent", GET, Nothing, |_| vec![Fault::Silent]),
    Oddity::faults_of("events_without_answer", GET, Nothing, |_| {
        vec![Fault::Events(Style::Plain), Fault::Silent]
    })
    .over(Http),
    Oddity::faults_of("web_page", GET, Nothing, |_| vec![Fault::HtmlPage]).over(Http),
    Oddity::faults_of("json_as_plain_text", GET, Doubt, |_| vec![Fault::Kind("text/plain")]).over(Http),
    Oddity::faults_of("json_with_charset", GET, Everything, |_| {
        vec![Fault::Kind("application/json; charset=UTF-8")]
    })
    .over(Http),
    Oddity::faults_of("events_crlf", GET, Everything, |_| vec![Fault::Events(Style::CrLf)]).over(Http),
    Oddity::faults_of("events_cr", GET, Everything, |_| vec![Fault::Events(Style::Cr)]).over(Http),
    Oddity::faults_of("events_bare", GET, Everything, |_| vec![Fault::Events(Style::Bare)]).over(Http),
    Oddity::faults_of("events_comments", GET, Everything, |_| vec![Fault::Events(Style::Comments)])
        .over(Http),
    Oddity::faults_of("events_many_lines", GET, Everything, |_| vec![Fault::Events(Style::ManyLines)])
        .over(Http),
    Oddity::bytes("byte_order_mark", GET, Everything, |bytes| [b"\xef\xbb\xbf", bytes.as_slice()].concat()),
    Oddity::bytes("white_space", GET, Everything, |bytes| [b" \t ", bytes.as_slice(), b"\t  "].concat()),
    Oddity::bytes("carriage_return", GET, Everything, |bytes| [bytes.as_slice(), b"\r"].concat()).over(Stdio),
    Oddity::bytes("pretty", GET, Everything, |bytes| {
        let value: Option<serde_json::Value> = serde_json::from_slice(&bytes).ok();
        value.and_then(|value| serde_json::to_vec_pretty(&value).ok()).unwrap_or(bytes)
    })
    .over(Http),
    Oddity::bytes("escaped", GET, Everything, |bytes| {
        // The same text, written with escapes that nobody needs.
        String::from_utf8_lossy(&bytes).replace("status", "\\u0073tatus").into_bytes()
    }),
    Oddity::bytes("member_twice", GET, Everything, |bytes| with_member(&bytes, "\"jsonrpc\":\"2.0\"")),
    Oddity::bytes("not_utf8", GET, Doubt, |bytes| {
        let mut bytes = with_member(&bytes, "\"odd\":\"?\"");
        if let Some(byte) = bytes.iter_mut().find(|byte| **byte == b'?') {
            *byte = 0xff;
        }
        bytes
    }),
    Oddity::bytes("lone_surrogate", GET, Doubt, |bytes| with_member(&bytes, "\"odd\":\"\\ud800\"")),
    Oddity::bytes("nul_character", GET, Doubt, |bytes| with_member(&bytes, "\"odd\":\"\\u0000\"")),
    Oddity::bytes("deep", GET, Doubt, |bytes| {
        let nested = format!("\"odd\":{}{}", "[".repeat(10_000), "]".repeat(10_000));
        with_member(&bytes, &nested)
    }),
    Oddity::bytes("number_too_big", GET, Doubt, |bytes| with_member(&bytes, "\"odd\":1e999")),
    Oddity::bytes("array_around", GET, Doubt, |bytes| [b"[", bytes.as_slice(), b"]"].concat()),
    Oddity::bytes("empty_array", GET, Nothing, |_| b"[]".to_vec()),
    Oddity::bytes("null", GET, Nothing, |_| b"null".to_vec()),
];

/// The document with another member before its first.
fn with_member(bytes: &[u8], member: &str) -> Vec<u8> {
    let rest = bytes.strip_prefix(b"{").unwrap_or(bytes);
    [b"{", member.as_bytes(), b",", rest].concat()
}
