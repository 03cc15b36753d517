//! One task with all that is known of it.

use signalbox_model::{CallId, Json, PayloadKind, RequestLine};
use signalbox_store::{ReadError, Reads, RequestList, RequestQuery};

use super::{PAGE_BYTES, Sight, all_servers, is_news};
use crate::{
    ApiError, PayloadInfo, Raw, TaskDetail, ViewData,
    error::read_failed,
    local::{kept, rows},
};

/// Payloads over this many bytes come on demand only.
const INLINE: u64 = 1024 * 1024;
/// Timeline entries in a view.
const TIMELINE: u32 = 500;
/// The most open questions in a view, and the most that are over.
const REQUESTS: u32 = 100;

const PAYLOADS: [PayloadKind; 5] =
    [PayloadKind::Arguments, PayloadKind::Create, PayloadKind::Last, PayloadKind::Result, PayloadKind::Error];

pub(super) fn task(reads: &Reads, id: CallId, since: Option<u64>) -> Result<Sight, ReadError> {
    let seq = reads.seq()?;
    let none = Sight { seq, shape: 0, news: false, data: ViewData::Task { task: None } };
    let Some((call, changed)) = reads.call(id)? else { return Ok(none) };
    let servers = all_servers(reads)?;
    let Some((server, server_changed)) = servers.get(&call.server) else { return Ok(none) };
    // Most commits are about other tasks: those cost two look-ups here.
    if !is_news(changed.max(*server_changed), since) {
        return Ok(Sight { shape: 1, ..none });
    }
    let (mut payloads, mut result) = (Vec::new(), None);
    for kind in PAYLOADS {
        let Some(bytes) = reads.payload_size(id, kind)? else { continue };
        let (mut json, mut fault) = (None, None);
        if bytes <= INLINE || kind == PayloadKind::Result {
            (json, fault) = match sound(reads.payload(id, kind))? {
                Ok(json) => (json, None),
                Err(error) => (None, Some(error)),
            };
        }
        if kind == PayloadKind::Result {
            result = match &json {
                Some(json) => Some(kept::result(reads, &call, json)?),
                None => None,
            };
        }
        payloads.push(PayloadInfo { kind, bytes, json: json.filter(|_| bytes <= INLINE), fault });
    }
    let (mut requests, requests_more) = requests(reads, RequestList::Open(id))?;
    let (closed, requests_closed_more) = self::requests(reads, RequestList::Closed(id))?;
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
    let handle = call.task.as_ref();
    let detail = TaskDetail {
        place: server.place(),
        origin: call.origin,
        delivery: call.delivery,
        task_id: handle.map(|task| task.task_id.clone()),
        server_created_at: handle.and_then(|task| task.created_at),
        last_updated_at: handle.and_then(|task| task.last_updated_at),
        ttl_ms: handle.and_then(|task| task.ttl_ms),
        unlimited: kept::is_unlimited(reads, &call)?,
        poll_interval_ms: handle.and_then(|task| task.poll_interval_ms),
        arguments,
        result,
        error,
        payloads,
        timeline: reads.events(id, TIMELINE, PAGE_BYTES)?,
        requests: requests.iter().map(|request| rows::request(request, Some(&call), Some(server))).collect(),
        requests_more,
        requests_closed_more,
        row: rows::task(call, server),
    };
    Ok(Sight { seq, shape: 1, news: true, data: ViewData::Task { task: Some(Box::new(detail)) } })
}

/// The first questions of a list, and how many more there are.
fn requests(reads: &Reads, list: RequestList) -> Result<(Vec<RequestLine>, u32), ReadError> {
    let query = RequestQuery { list, limit: REQUESTS, bytes: Some(PAGE_BYTES), ..RequestQuery::default() };
    let page = reads.requests_page(&query)?;
    let more = rows::count(page.total.saturating_sub(page.ids.len() as u64));
    Ok((page.rows.into_iter().map(|((line, _), _)| line).collect(), more))
}

/// A payload, or the error to show in its place when only what is kept of it is damaged.
pub(super) fn sound(
    read: Result<Option<Json>, ReadError>,
) -> Result<Result<Option<Json>, ApiError>, ReadError> {
    match read {
        Ok(json) => Ok(Ok(json)),
        Err(error @ ReadError::PayloadFile { .. }) => Ok(Err(read_failed(&error))),
        Err(error) => Err(error),
    }
}
