//! Lists of tasks: rows, and what documents say of them, many at once.

use std::hash::{DefaultHasher, Hash, Hasher};

use signalbox_model::{Call, Note, PayloadKind, Server};
use signalbox_store::{Bucket, CallQuery, ReadError, Reads, RequestList, RequestQuery};

use super::{About, MOST_ROWS, PAGE_BYTES, Servers, Sight, all_servers, is_news, task};
use crate::{
    Counts, Page, TaskEntry, TaskFilter, TaskGroup, ViewData,
    local::{kept, rows},
};

pub(super) fn rows(
    reads: &Reads,
    filter: &TaskFilter,
    offset: u32,
    limit: u32,
    since: Option<u64>,
) -> Result<Sight, ReadError> {
    let seq = reads.seq()?;
    let servers = all_servers(reads)?;
    let page = reads.calls_page(&query(&servers, filter, offset, limit, since))?;
    let plain = filter.status.is_none() && filter.text.is_none() && filter.group.is_none();
    let groups = if plain {
        let counts = reads.counts()?;
        let wanted =
            counts.servers.iter().filter(|(id, _)| filter.servers.is_empty() || filter.servers.contains(id));
        Some(wanted.map(|(_, own)| rows::counts(own)).fold(Counts::default(), rows::sum))
    } else {
        None
    };
    let mut hasher = DefaultHasher::new();
    (&page.ids, page.total, groups).hash(&mut hasher);
    let mut changed_rows = Vec::new();
    for (call, changed) in page.rows {
        let Some((server, server_changed)) = servers.get(&call.server) else { continue };
        if is_news(changed.max(*server_changed), since) {
            changed_rows.push(rows::task(call, server));
        }
    }
    let news = !changed_rows.is_empty();
    let page = Page { ids: page.ids, rows: changed_rows, total: rows::count(page.total), groups };
    Ok(Sight { seq, shape: hasher.finish(), news, about: About::Calls, data: ViewData::Tasks { page } })
}

/// All entries of the window, whether they changed or not: an entry changes with its questions, too. It ends where they have
/// [`PAGE_BYTES`] together.
pub(super) fn entries(
    reads: &Reads,
    filter: &TaskFilter,
    offset: u32,
    limit: u32,
    since: Option<u64>,
) -> Result<Sight, ReadError> {
    let seq = reads.seq()?;
    let servers = all_servers(reads)?;
    let calls = reads.calls_page(&query(&servers, filter, offset, limit, None))?;
    let mut hasher = DefaultHasher::new();
    calls.total.hash(&mut hasher);
    let mut page = Page { ids: Vec::new(), rows: Vec::new(), total: rows::count(calls.total), groups: None };
    let (mut size, mut news) = (0, false);
    for (call, changed) in calls.rows {
        let Some((server, server_changed)) = servers.get(&call.server) else { continue };
        let entry = entry(reads, call, server)?;
        news |= is_news(changed.max(*server_changed), since);
        (entry.row.id, entry.requests).hash(&mut hasher);
        size += long(&entry);
        page.ids.push(entry.row.id);
        page.rows.push(entry);
        if size >= PAGE_BYTES {
            break;
        }
    }
    Ok(Sight { seq, shape: hasher.finish(), news, about: About::Calls, data: ViewData::TaskEntries { page } })
}

fn entry(reads: &Reads, call: Call, server: &Server) -> Result<TaskEntry, ReadError> {
    let open = RequestQuery { list: RequestList::Open(call.id), limit: 0, ..RequestQuery::default() };
    let requests = rows::count(reads.requests_page(&open)?.total);
    let handle = call.task.as_ref();
    Ok(TaskEntry {
        task_id: handle.map(|task| task.task_id.clone()),
        last_updated_at: handle.and_then(|task| task.last_updated_at),
        ttl_ms: handle.and_then(|task| task.ttl_ms),
        unlimited: kept::is_unlimited(reads, &call)?,
        poll_interval_ms: handle.and_then(|task| task.poll_interval_ms),
        arguments: task::payload(reads, call.id, PayloadKind::Arguments)?,
        requests,
        row: rows::task(call, server),
    })
}

/// How long an entry is, in bytes: the parts that can be long.
fn long(entry: &TaskEntry) -> usize {
    let TaskEntry { row, task_id, arguments, .. } = entry;
    let note = row.note.as_ref().map_or(0, Note::size);
    let texts = [row.status_text.as_ref(), row.status_message.as_ref(), task_id.as_ref()];
    let json = arguments.as_ref().and_then(|info| info.json.as_ref()).map_or(0, |json| json.text().len());
    row.tool.len() + note + texts.into_iter().flatten().map(String::len).sum::<usize>() + json
}

fn query(servers: &Servers, filter: &TaskFilter, offset: u32, limit: u32, since: Option<u64>) -> CallQuery {
    CallQuery {
        servers: (!filter.servers.is_empty()).then(|| filter.servers.clone()),
        bucket: filter.group.map(bucket),
        status: filter.status,
        text: filter.text.clone(),
        offset,
        limit: limit.min(MOST_ROWS),
        // A row shows its server, too.
        since: since.filter(|since| servers.values().all(|(_, changed)| changed <= since)),
    }
}

fn bucket(group: TaskGroup) -> Bucket {
    match group {
        TaskGroup::NeedsYou => Bucket::NeedsYou,
        TaskGroup::Working => Bucket::Working,
        TaskGroup::Ended => Bucket::Ended,
    }
}

#[cfg(test)]
mod tests;
