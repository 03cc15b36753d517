//! Statuses, refusals, streams that end, and how a connection begins.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::super::Fault;
use super::Carrier::Http;
use super::Leaves::{Doubt, Everything, Nothing, Refusal};
use super::{Oddity, remove};
use crate::DemoWire::{Legacy, Modern};

const GET: &str = "tasks/get";
const LISTEN: &str = "subscriptions/listen";

pub(super) static ALL: &[Oddity] = &[
    Oddity::faults_of("busy_seconds", GET, Nothing, |_| busy(429, Some("1".into()))).over(Http),
    Oddity::faults_of("busy_date", GET, Nothing, |now| busy(503, Some(date(now)))).over(Http),
    Oddity::faults_of("busy_past_date", GET, Nothing, |_| {
        busy(503, Some("Wed, 21 Oct 2015 07:28:00 GMT".into()))
    })
    .over(Http),
    Oddity::faults_of("busy_without_time", GET, Nothing, |_| busy(503, None)).over(Http),
    Oddity::faults_of("busy_nonsense", GET, Nothing, |_| busy(429, Some("soon".into()))).over(Http),
    Oddity::faults_of("busy_negative", GET, Nothing, |_| busy(429, Some("-5".into()))).over(Http),
    Oddity::faults_of("bad_gateway", GET, Nothing, |_| busy(502, None)).over(Http),
    Oddity::faults_of("error_with_200", GET, Refusal, |_| error_with(200)).over(Http),
    Oddity::faults_of("error_with_400", GET, Refusal, |_| error_with(400)).over(Http),
    Oddity::faults_of("error_with_404", GET, Refusal, |_| error_with(404)).over(Http),
    Oddity::faults_of("error_with_500", GET, Refusal, |_| error_with(500)).over(Http),
    Oddity::faults_of("result_with_201", GET, Everything, |_| vec![Fault::Status(201)]).over(Http),
    Oddity::faults_of("result_with_202", GET, Doubt, |_| vec![Fault::Status(202)]).over(Http),
    Oddity::faults_of("session_gone", GET, Nothing, |_| busy(404, None)).on(Legacy).over(Http),
    Oddity::faults_of("post_stream_closed", "tasks/result", Everything, |_| vec![Fault::HangUp(0)])
        .on(Legacy)
        .over(Http),
    Oddity::faults_of("get_stream_closed", "GET", Everything, |_| vec![Fault::HangUp(0)])
        .on(Legacy)
        .over(Http),
    Oddity::faults_of("get_not_offered", "GET", Everything, |_| busy(405, None)).on(Legacy).over(Http),
    Oddity::faults_of("delete_not_offered", "DELETE", Everything, |_| busy(405, None)).on(Legacy).over(Http),
    Oddity::edit("no_capabilities", "initialize", Doubt, |message| {
        remove(&mut message["result"], "capabilities");
    })
    .on(Legacy),
    Oddity::edit("no_server_info", "initialize", Everything, |message| {
        remove(&mut message["result"], "serverInfo");
    })
    .on(Legacy),
    Oddity::edit("unknown_version", "initialize", Refusal, |message| {
        message["result"]["protocolVersion"] = "2031-01-01".into();
    })
    .on(Legacy),
    Oddity::edit("version_is_a_number", "initialize", Refusal, |message| {
        message["result"]["protocolVersion"] = 2025.into();
    })
    .on(Legacy),
    Oddity::edit("no_supported_versions", "server/discover", Doubt, |message| {
        remove(&mut message["result"], "supportedVersions");
    })
    .on(Modern),
    Oddity::edit("more_supported_versions", "server/discover", Everything, |message| {
        message["result"]["supportedVersions"] = json!(["2031-01-01", 7, "2026-07-28"]);
    })
    .on(Modern),
    Oddity::faults_of("version_refused", GET, Nothing, |_| {
        let data = json!({ "supported": ["2026-07-28"], "requested": "2026-07-28" });
        error(-32022, "Unsupported protocol version", data)
    })
    .on(Modern),
    Oddity::faults_of("header_mismatch", "tools/call", Nothing, |_| {
        error(-32020, "Header mismatch: Mcp-Param-Region", json!(null))
    })
    .on(Modern),
    Oddity::faults_of("capability_missing", "tools/call", Refusal, |_| {
        let data = json!({ "requiredCapabilities": { "sampling": {} } });
        error(-32021, "Missing required client capability", data)
    })
    .on(Modern),
    Oddity::faults_of("capability_missing_in_drafts", "tools/call", Refusal, |_| {
        let data = json!({ "requiredCapabilities": { "sampling": {} } });
        error(-32003, "Missing required client capability", data)
    })
    .on(Modern),
    Oddity::faults_of("push_without_ids", LISTEN, Everything, |_| vec![Fault::RefuseIds]).on(Modern),
    Oddity::faults_of("push_refused", LISTEN, Everything, |_| {
        error(-32601, "Method not found: subscriptions/listen", json!(null))
    })
    .on(Modern),
    Oddity::faults_of("push_cut", LISTEN, Everything, |_| vec![Fault::HangUp(1)]).on(Modern),
    Oddity::faults_of("push_cut_at_once", LISTEN, Everything, |_| vec![Fault::HangUp(0)]).on(Modern),
    Oddity::edit("push_of_somebody_else", LISTEN, Everything, |message| {
        message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] = "another".into();
    })
    .on(Modern),
    Oddity::edit("push_without_id", LISTEN, Everything, |message| remove(&mut message["params"], "_meta"))
        .on(Modern),
];

fn busy(status: u16, retry_after: Option<String>) -> Vec<Fault> {
    vec![Fault::Refuse { status, retry_after }]
}

/// A second from now, as HTTP writes dates.
fn date(now: Timestamp) -> String {
    let then = now.saturating_add(SignedDuration::from_secs(1)).unwrap_or(now);
    then.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

fn error(code: i64, message: &str, data: serde_json::Value) -> Vec<Fault> {
    vec![Fault::Error(json!({ "code": code, "message": message, "data": data }))]
}

fn error_with(status: u16) -> Vec<Fault> {
    let mut faults = error(-32603, "The database is away", json!({ "retry": true }));
    faults.push(Fault::Status(status));
    faults
}
