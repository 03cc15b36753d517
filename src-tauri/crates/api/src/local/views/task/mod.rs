//! One task with all that is known of it.

use signalbox_model::{CallId, PayloadKind, RequestLine};
use signalbox_store::{ReadError, Reads, RequestQuery, WhichRequests};

use super::{About, PAGE_BYTES, Sight, all_servers, is_news};
use crate::{
    ApiError, PayloadInfo, Raw, TaskDetail, ViewData,
    error::read_failed,
    local::{
        Local, difference,
        kept::{self, INLINE},
        result, rows,
    },
    view::stretches,
};

/// Timeline entries in a view.
const TIMELINE: u32 = 500;
/// The most open questions in a view, and the most that are over.
const REQUESTS: u32 = 100;

const PAYLOADS: [PayloadKind; 5] =
    [PayloadKind::Arguments, PayloadKind::Create, PayloadKind::Last, PayloadKind::Result, PayloadKind::Error];

pub(super) fn task(reads: &Reads, id: CallId, since: Option<u64>) -> Result<Sight, ReadError> {
    let seq = reads.seq()?;
    let none = |about| Sight { seq, shape: 0, news: false, about, data: ViewData::Task { task: None } };
    let Some((call, changed)) = reads.call(id)? else { return Ok(none(About::Call(id, None))) };
    let about = About::Call(id, Some(call.server));
    let servers = all_servers(reads)?;
    let Some((server, server_changed)) = servers.get(&call.server) else { return Ok(none(about)) };
    // Most commits are about other tasks: those cost two look-ups here.
    if !is_news(changed.max(*server_changed), since) {
        return Ok(Sight { shape: 1, ..none(about) });
    }
    let (mut payloads, mut read) = (Vec::new(), None);
    for kind in PAYLOADS {
        let Some(info) = payload(reads, id, kind)? else { continue };
        // A long result is read on its own, see [`Local::with_long_result`].
        if let (PayloadKind::Result, Some(json)) = (kind, &info.json) {
            read = Some(result::view(reads, &call, json)?);
        }
        payloads.push(info);
    }
    let (mut requests, requests_more) = requests(reads, WhichRequests::Open(id))?;
    let (closed, requests_closed_more) = self::requests(reads, WhichRequests::Closed(id))?;
    requests.extend(closed);
    requests.sort_unstable_by_key(|request| request.id);
    let inline = |wanted| {
        payloads
            .iter()
            .find(|payload: &&PayloadInfo| payload.kind == wanted)
            .and_then(|payload| payload.json.clone())
    };
    let (arguments, error) = (
        inline(PayloadKind::Arguments),
        inline(PayloadKind::Error).filter(|error| !Raw(error.clone()).is_null()),
    );
    let run_before = match (call.ended_at, &arguments) {
        (Some(_), Some(arguments)) => difference::before(reads, &call, arguments)?.map(|(run, _)| run),
        _ => None,
    };
    let timeline = reads.events(id, TIMELINE, PAGE_BYTES)?;
    let open = requests.iter().filter(|one| one.state.needs_person(one.closed_at)).map(|one| one.id);
    let handle = call.task.as_ref();
    let tags = reads.tags_of([id])?.remove(&id).unwrap_or_default();
    let detail = TaskDetail {
        remark: reads.remark(id)?,
        place: server.place(),
        delivery: call.delivery,
        task_id: handle.map(|task| task.task_id.clone()),
        server_created_at: handle.and_then(|task| task.created_at),
        last_updated_at: handle.and_then(|task| task.last_updated_at),
        ttl_ms: handle.and_then(|task| task.ttl_ms),
        unlimited: kept::is_unlimited(reads, &call)?,
        poll_interval_ms: handle.and_then(|task| task.poll_interval_ms),
        secret_arguments: arguments
            .as_ref()
            .map_or(Ok(false), |json| kept::has_secret(reads, &call, json))?,
        arguments,
        result: read,
        error,
        run_before,
        payloads,
        stretches: stretches((call.created_at, call.ended_at), &timeline, open),
        timeline,
        requests: requests.iter().map(|request| rows::request(request, Some(&call), Some(server))).collect(),
        requests_more,
        requests_closed_more,
        row: rows::task(call, server, tags),
    };
    Ok(Sight { seq, shape: 1, news: true, about, data: ViewData::Task { task: Some(Box::new(detail)) } })
}

impl Local {
    /// A task with its result, where that is too long for the transaction in which all else was read: it takes its size in
    /// memory, so that one is read at a time, and others wait without holding a connection. What is kept of it never changes.
    pub(super) async fn with_long_result(&self, mut sight: Sight) -> Result<Sight, ApiError> {
        let ViewData::Task { task: Some(detail) } = &mut sight.data else { return Ok(sight) };
        let is_long =
            |payload: &&mut PayloadInfo| payload.kind == PayloadKind::Result && payload.bytes > INLINE;
        let Some(payload) = detail.payloads.iter_mut().find(is_long) else { return Ok(sight) };
        let _alone = self.long_result.lock().await;
        let id = detail.row.id;
        let read = move |reads: &Reads| match reads.call(id)? {
            Some((call, _)) => sound(result::result(reads, &call)),
            None => Ok(Ok(None)),
        };
        match self.read(read).await? {
            Ok(result) => detail.result = result,
            Err(fault) => payload.fault = Some(fault),
        }
        Ok(sight)
    }
}

/// The first questions of a list, and how many more there are.
fn requests(reads: &Reads, list: WhichRequests) -> Result<(Vec<RequestLine>, u32), ReadError> {
    let query = RequestQuery { list, limit: REQUESTS, bytes: Some(PAGE_BYTES), ..RequestQuery::default() };
    let page = reads.requests_page(&query)?;
    let more = rows::count(page.total.saturating_sub(page.ids.len() as u64));
    Ok((page.rows.into_iter().map(|((line, _), _)| line).collect(), more))
}

/// What is kept of this kind, with its JSON where that is short.
pub(super) fn payload(
    reads: &Reads,
    call: CallId,
    kind: PayloadKind,
) -> Result<Option<PayloadInfo>, ReadError> {
    let Some(bytes) = reads.payload_size(call, kind)? else { return Ok(None) };
    let read = if bytes <= INLINE { sound(reads.payload(call, kind))? } else { Ok(None) };
    let (json, fault) = read.map_or_else(|error| (None, Some(error)), |json| (json, None));
    Ok(Some(PayloadInfo { kind, bytes, json, fault }))
}

/// A payload, or what was read of it; or the error to show in its place when only what is kept of it is damaged.
pub(in crate::local) fn sound<T>(read: Result<T, ReadError>) -> Result<Result<T, ApiError>, ReadError> {
    match read {
        Ok(read) => Ok(Ok(read)),
        Err(error @ ReadError::PayloadFile { .. }) => Ok(Err(read_failed(&error))),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
