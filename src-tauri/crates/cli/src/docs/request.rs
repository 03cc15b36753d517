//! The document of an input request.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::{Raw, RequestDetail, RequestEntry, RequestRow, UrlWarning};
use signalbox_forms::form_spec;
use signalbox_model::{
    Action, Attention, CallId, CloseReason, Identity, Mode, RequestId, RequestState, Snooze, Timestamp,
};

/// `id task server identity key method mode message schema url state reason openedAt expiresAt`, in `show` also `raw`,
/// `draft` and, where there are any, `earlierAnswers` (the last ones to the same question of the same tool) and `remark` (what
/// the person noted beside the answer); `visitedAt` once its page was opened, `visitingAt` while nobody knows whether it was;
/// `schemaTroubles` only where
/// there are any; `attention` while it waits for a person, and where that one has put it off `snoozed` (until when) and
/// `returnsAt`. Of a question by itself also `page`, where it names one.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request {
    id: RequestId,
    task: Option<CallId>,
    /// The person's name for it.
    server: String,
    identity: Identity,
    key: String,
    method: String,
    mode: Mode,
    message: String,
    schema: Option<Raw>,
    /// What of it is not understood, hence not checked here.
    schema_troubles: Option<Vec<String>>,
    url: Option<String>,
    page: Option<AskedPage>,
    state: RequestState,
    reason: Option<CloseReason>,
    opened_at: Timestamp,
    expires_at: Option<Timestamp>,
    visited_at: Option<Timestamp>,
    visiting_at: Option<Timestamp>,
    attention: Option<Attention>,
    snoozed: Option<Snooze>,
    returns_at: Option<Timestamp>,
    draft: Option<Raw>,
    raw: Option<Raw>,
    /// What the person noted beside the answer.
    remark: Option<String>,
    /// What was said before to the same question of the same tool.
    earlier_answers: Option<Vec<EarlierAnswer>>,
}

/// `request task action content decidedAt`.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EarlierAnswer {
    request: RequestId,
    task: Option<CallId>,
    action: Action,
    content: Option<Raw>,
    decided_at: Timestamp,
}

impl Request {
    /// A question as lists have it: without its draft and its raw JSON.
    pub(crate) fn brief(entry: RequestEntry) -> Self {
        let row = entry.row;
        let schema = entry.schema.as_ref().filter(|_| row.mode == Mode::Form);
        let troubles = schema.map(|schema| form_spec(schema.text()).troubles()).unwrap_or_default();
        Self {
            id: row.id,
            task: row.call,
            server: row.server_name,
            key: entry.identity.key().to_owned(),
            identity: entry.identity,
            method: row.method,
            mode: row.mode,
            message: row.message,
            schema: entry.schema.map(Raw),
            schema_troubles: Some(troubles).filter(|all| !all.is_empty()),
            url: entry.url,
            page: None,
            state: row.state,
            reason: row.reason,
            opened_at: row.opened_at,
            expires_at: row.expires_at,
            visited_at: row.visited_at,
            visiting_at: row.visiting_at,
            attention: Some(row.attention).filter(|attention| *attention != Attention::None),
            snoozed: row.snoozed,
            returns_at: row.returns_at,
            draft: None,
            raw: None,
            earlier_answers: None,
            remark: None,
        }
    }

    /// A question as `show` has it: with its draft and its raw JSON.
    pub(crate) fn whole(mut entry: RequestEntry) -> Self {
        // What was asked may not be kept any more.
        let raw = entry.raw.take().filter(|raw| raw.text() != "null");
        let draft = entry.draft.take();
        let remark = entry.row.answer.as_ref().and_then(|answer| answer.remark.clone());
        Self { raw: raw.map(Raw), draft: draft.map(Raw), remark, ..Self::brief(entry) }
    }

    /// The same with what was said before to the same question; nothing where there is none.
    pub(crate) fn answered_before(self, earlier: &[RequestRow]) -> Self {
        let given = earlier.iter().filter_map(|row| {
            let answer = row.answer.as_ref()?;
            Some(EarlierAnswer {
                request: row.id,
                task: row.call,
                action: answer.action,
                content: answer.content.clone().map(Raw),
                decided_at: answer.decided_at,
            })
        });
        let given: Vec<_> = given.collect();
        Self { earlier_answers: Some(given).filter(|given| !given.is_empty()), ..self }
    }

    /// A question by itself: as `show` has it, with what is known of its page.
    pub(crate) fn alone(detail: &RequestDetail) -> Self {
        Self { page: AskedPage::of(detail), ..Self::whole(detail.into()) }
    }
}

/// `web loopback asked`, where there is something to say `host` (as it is sent), `reads`, `scripts`, `serverHost` (where it is
/// another host), `warnings`. `asked` is how often the call has asked for a page at that host, this time included;
/// `askedBefore` has the times before.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AskedPage {
    web: bool,
    host: Option<String>,
    reads: Option<String>,
    scripts: Option<Vec<String>>,
    loopback: bool,
    server_host: Option<String>,
    warnings: Option<Vec<UrlWarning>>,
    asked: usize,
    asked_before: Option<Vec<Timestamp>>,
}

impl AskedPage {
    fn of(detail: &RequestDetail) -> Option<Self> {
        let url = detail.url.clone()?;
        let before = detail.asked_before.clone();
        Some(Self {
            web: url.web,
            host: Some(url.host).filter(|host| !host.is_empty()),
            reads: url.reads,
            scripts: Some(url.scripts).filter(|scripts| !scripts.is_empty()),
            loopback: url.loopback,
            server_host: url.server_host,
            warnings: Some(url.warnings).filter(|warnings| !warnings.is_empty()),
            asked: before.len() + 1,
            asked_before: Some(before).filter(|before| !before.is_empty()),
        })
    }
}
