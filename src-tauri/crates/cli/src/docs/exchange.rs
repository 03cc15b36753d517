//! The document of a request log.

use serde::Serialize;
use signalbox_api::Raw;
use signalbox_model::{Exchange, RequestLog, Timestamp, ToldState};

/// `since leftOut exchanges[]{method times firstAt at tookMs bytes brought{as,code,number}} states[]{at,raw}`. Nothing is known of
/// what was before `since`, and `leftOut` lines were let go. Exchanges that brought nothing (`"as": "same"`, and errors alike) are
/// counted in one.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Log {
    since: Timestamp,
    left_out: u32,
    exchanges: Vec<Exchange>,
    states: Vec<State>,
}

#[derive(Serialize)]
struct State {
    at: Timestamp,
    raw: Raw,
}

impl From<RequestLog> for Log {
    fn from(RequestLog { since, left_out, exchanges, states }: RequestLog) -> Self {
        let states = states.into_iter().map(|ToldState { at, json }| State { at, raw: Raw(json) }).collect();
        Self { since, left_out, exchanges, states }
    }
}
