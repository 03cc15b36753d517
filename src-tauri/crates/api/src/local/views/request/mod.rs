//! One question with all that is known of it, and what can be said to it.

use signalbox_engine::asks;
use signalbox_mcp::{CallReply, QuestionView};
use signalbox_model::{
    Around, Call, Delivery, Identity, InputRequest, Json, Mode, PayloadKind, RequestId, Server, Timestamp,
    Ways,
};
use signalbox_store::{ReadError, Reads};

use super::{About, Sight, all_servers, call_of, is_news, task::sound};
use crate::{
    RequestDetail, RequestRow, RoundView, ViewData,
    local::{kept, rows, tools},
    url,
};

/// The most other questions of a task that are named with one of them.
const SIBLINGS: u32 = 500;
/// The most times before at which a call asked for a page at the same host.
const PAGES: usize = 500;

pub(super) fn request(reads: &Reads, id: RequestId, since: Option<u64>) -> Result<Sight, ReadError> {
    let seq = reads.seq()?;
    let none = |about| Sight { seq, shape: 0, news: false, about, data: ViewData::Request { request: None } };
    let Some((request, changed)) = reads.request(id)? else {
        return Ok(none(About::Request(id, None, None)));
    };
    let known = Sight { shape: 1, ..none(About::Request(id, request.call, Some(request.server))) };
    let (call, call_changed) = call_of(reads, &request)?;
    let servers = all_servers(reads)?;
    let found = servers.get(&request.server);
    let server_changed = found.map_or(0, |(_, changed)| *changed);
    if !is_news(changed.max(call_changed).max(server_changed), since) {
        return Ok(known);
    }
    let detail = detail(reads, &request, call.as_ref(), found.map(|(server, _)| server))?;
    Ok(Sight { news: true, data: ViewData::Request { request: Some(Box::new(detail)) }, ..known })
}

/// All that is known of a question, out of its own row and those of its call and its server.
fn detail(
    reads: &Reads,
    request: &InputRequest,
    call: Option<&Call>,
    server: Option<&Server>,
) -> Result<RequestDetail, ReadError> {
    let round = round_of(reads, request)?;
    let task = call.and_then(|call| call.task.as_ref());
    let has_secrets = request.answer.as_ref().is_some_and(|answer| !answer.masked.is_empty());
    let said = match call.filter(|call| !call.tool.is_empty()) {
        Some(call) => tools::listed_destructive(reads, request.server, &call.tool)?,
        // Where no tool is known there is none to ask about.
        None => Some(false),
    };
    Ok(RequestDetail {
        row: RequestRow {
            message: kept::message(&request.raw, &request.message),
            ..rows::request(&request.into(), call, server)
        },
        place: server.map(Server::place).unwrap_or_default(),
        protocol_version: server.and_then(|server| server.protocol_version.clone()),
        identity: request.identity.clone(),
        call_created_at: call.map(|call| call.created_at),
        has_task: task.is_some(),
        ttl_ms: task.and_then(|task| task.ttl_ms),
        status_message: task.and_then(|task| task.status_message.clone()),
        arguments: arguments(reads, request)?,
        form: (request.mode == Mode::Form).then(|| signalbox_forms::form_spec(request.schema_text())),
        schema: request.schema.clone(),
        sampling: QuestionView::sampling(&request.raw),
        url: request.url.as_deref().map(|url| url::taken_apart(url, server.and_then(Server::url))),
        asked_before: asked_before(reads, request)?,
        raw: request.raw.clone(),
        asks: asks(&request.raw).to_string(),
        ways: Ways::of(request, around(call, round.as_ref())),
        destructive: said == Some(true),
        unlisted: said.is_none(),
        keeps_secrets: has_secrets && reads.keeps_secrets(request.id)?,
        draft: request.draft.clone(),
        siblings: siblings(reads, request)?,
        round,
    })
}

/// The arguments of its call. The question can be answered without them: where they are damaged the task's own view says so.
fn arguments(reads: &Reads, request: &InputRequest) -> Result<Option<Json>, ReadError> {
    let Some(call) = request.call else { return Ok(None) };
    Ok(sound(reads.payload(call, PayloadKind::Arguments))?.unwrap_or_default())
}

/// The other questions of its call that wait.
fn siblings(reads: &Reads, request: &InputRequest) -> Result<Vec<RequestId>, ReadError> {
    let Some(call) = request.call else { return Ok(Vec::new()) };
    let mut waiting = reads.waiting_of(call, SIBLINGS)?;
    waiting.retain(|id| *id != request.id);
    Ok(waiting)
}

/// When its call asked for a page at the same host before: a server that asks again after each answer goes round in a circle,
/// however it changes the rest of the address.
fn asked_before(reads: &Reads, request: &InputRequest) -> Result<Vec<Timestamp>, ReadError> {
    let (Some(call), Some(page)) = (request.call, &request.url) else { return Ok(Vec::new()) };
    let mut before = reads.pages_before(call, request, |url| url::have_same_host(url, page))?;
    before.drain(..before.len().saturating_sub(PAGES));
    Ok(before)
}

/// What of its call matters to what can be said to a question.
fn around(call: Option<&Call>, round: Option<&RoundView>) -> Around {
    let is_out = call.is_some_and(|call| call.delivery != Delivery::Answered);
    Around { paged: round.is_some_and(|round| round.paged), under_way: round.is_some() && is_out }
}

/// The round of a question: of the other questions only those of the same round are read, and only where they stand.
fn round_of(reads: &Reads, request: &InputRequest) -> Result<Option<RoundView>, ReadError> {
    let Identity::Round { call, n, .. } = request.identity else { return Ok(None) };
    let members = reads.members(call, n)?;
    // Only pages are wanted before a call: of other questions the round need not be read.
    let round = if request.mode == Mode::Url { reads.round(call, n)? } else { None };
    Ok(Some(RoundView {
        n,
        requests: members.iter().map(|member| member.id).collect(),
        undecided: members.iter().filter(|member| member.undecided()).map(|member| member.id).collect(),
        paged: round.is_some_and(|round| !CallReply::is_round(&round.raw)),
    }))
}

#[cfg(test)]
mod tests;
