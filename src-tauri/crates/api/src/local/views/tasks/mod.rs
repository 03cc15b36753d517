//! Lists of tasks: rows, and what documents say of them, many at once.

use std::collections::HashSet;

use signalbox_catalogue::NarrowTask;
use signalbox_model::{Call, CallId, Note, PayloadKind, Server};
use signalbox_store::{CallQuery, ReadError, Reads, RequestQuery, WhichRequests};

use super::{About, Had, MOST_ROWS, PAGE_BYTES, Sight, all_servers, heads, is_news, listed, task};
use crate::{
    ApiError, Counts, Cursor, ListOf, ListQuery, Page, TaskEntry, TaskRow, ViewData,
    local::{
        Local,
        catalogue::{self, Window},
        kept, rows,
    },
};

impl Local {
    pub(super) async fn tasks(
        &self,
        query: &ListQuery,
        offset: u32,
        limit: u32,
        after: Option<Cursor>,
    ) -> Result<Sight, ApiError> {
        match self.chosen(query, false, (offset, limit), after).await? {
            Some(window) if window.news.is_empty() => Ok(seen(window, Vec::new())),
            Some(window) => self.read_at_once(move |reads| found(reads, window)).await,
            None => {
                let had = self.had(after);
                let sight = self.read_at_once(move |reads| indexed(reads, offset, limit, had)).await?;
                if let ViewData::Tasks { page } = &sight.data {
                    self.catalogue.gave(sight.shape, page.ids.iter().map(|id| id.0).collect());
                }
                Ok(sight)
            }
        }
    }

    pub(super) async fn task_entries(
        &self,
        query: &ListQuery,
        offset: u32,
        limit: u32,
        after: Option<Cursor>,
    ) -> Result<Sight, ApiError> {
        let window = self.chosen(query, true, (offset, limit), after).await?;
        let since = after.map(|cursor| cursor.seq);
        self.read_at_once(move |reads| entries(reads, window, offset, limit, since)).await
    }

    /// A window of the tasks that a query asks for; none as of [`Self::window`].
    async fn chosen(
        &self,
        query: &ListQuery,
        whole: bool,
        window: (u32, u32),
        after: Option<Cursor>,
    ) -> Result<Option<Window<CallId>>, ApiError> {
        let wanted = self.catalogue.tasks(query)?;
        self.window::<NarrowTask>(wanted, catalogue::is_usual(query), whole, window, after).await
    }
}

/// The rows of a window that a host does not know as they are.
fn found(reads: &Reads, window: Window<CallId>) -> Result<Sight, ReadError> {
    let servers = all_servers(reads)?;
    let calls = reads.calls_of(&window.news)?;
    let mut tags = reads.tags_of(window.news.iter().copied())?;
    let row = |(call, _): (Call, u64)| {
        let (server, _) = servers.get(&call.server)?;
        let tags = tags.remove(&call.id).unwrap_or_default();
        Some(rows::task(call, server, tags))
    };
    Ok(seen(window, calls.into_iter().filter_map(row).collect()))
}

fn seen(window: Window<CallId>, rows: Vec<TaskRow>) -> Sight {
    listed(window, rows, |row| row.id, |page| ViewData::Tasks { page })
}

/// The list as it always is, out of the store's index: while the catalogue grows.
fn indexed(reads: &Reads, offset: u32, limit: u32, had: Option<Had>) -> Result<Sight, ReadError> {
    let seq = reads.seq()?;
    let since = had.as_ref().map(|had| had.seq);
    let servers = all_servers(reads)?;
    let mut page = reads.calls_page(&CallQuery {
        offset,
        limit: limit.min(MOST_ROWS),
        // A row shows its server, too.
        since: since.filter(|since| servers.values().all(|(_, changed)| changed <= since)),
        ..CallQuery::default()
    })?;
    if let Some(had) = &had {
        let read: HashSet<CallId> = page.rows.iter().map(|(call, _)| call.id).collect();
        let came = page.ids.iter().copied().filter(|id| had.lacks(id.0) && !read.contains(id));
        page.rows.extend(reads.calls_of(&came.collect::<Vec<_>>())?);
    }
    let counts = reads.counts()?;
    let counts = counts.servers.values().map(rows::counts).fold(Counts::default(), rows::sum);
    let heads =
        heads([("needs_you", counts.needs_you), ("working", counts.working), ("ended", counts.ended)]);
    let total = rows::count(page.total);
    let shape = catalogue::shape(ListOf::Tasks, &page.ids, &[], total, &heads, true, None);
    let mut tags = reads.tags_of(page.rows.iter().map(|(call, _)| call.id))?;
    let mut changed_rows = Vec::new();
    for (call, changed) in page.rows {
        let Some((server, server_changed)) = servers.get(&call.server) else { continue };
        let changed = changed.max(*server_changed);
        if had.as_ref().is_none_or(|had| had.is_news(call.id.0, changed)) {
            let tags = tags.remove(&call.id).unwrap_or_default();
            changed_rows.push(rows::task(call, server, tags));
        }
    }
    let news = !changed_rows.is_empty();
    let page = Page { heads, ..Page::of(page.ids, changed_rows, total) };
    Ok(Sight { seq, shape, news, about: About::Calls, data: ViewData::Tasks { page } })
}

/// All entries of the window, whether they changed or not: an entry changes with its questions, too. It ends where they have
/// [`PAGE_BYTES`] together.
fn entries(
    reads: &Reads,
    window: Option<Window<CallId>>,
    offset: u32,
    limit: u32,
    since: Option<u64>,
) -> Result<Sight, ReadError> {
    let seq = reads.seq()?;
    let servers = all_servers(reads)?;
    let (calls, total, complete, about) = match window {
        Some(window) => {
            let read = reads.calls_of(&window.ids)?;
            (read, window.total, window.complete, About::List(window.listed))
        }
        None => {
            let page = reads.calls_page(&CallQuery {
                offset,
                limit: limit.min(MOST_ROWS),
                ..CallQuery::default()
            })?;
            (page.rows, rows::count(page.total), true, About::Calls)
        }
    };
    let mut page = Page { complete, ..Page::of(Vec::new(), Vec::new(), total) };
    let (mut size, mut news, mut open) = (0, false, Vec::new());
    for (call, changed) in calls {
        let Some((server, server_changed)) = servers.get(&call.server) else { continue };
        let entry = entry(reads, call, server)?;
        news |= is_news(changed.max(*server_changed), since);
        open.push((entry.row.id, entry.requests));
        size += long(&entry);
        page.ids.push(entry.row.id);
        page.rows.push(entry);
        if size >= PAGE_BYTES {
            break;
        }
    }
    let shape = catalogue::shape(ListOf::Tasks, &open, &[], total, &[], complete, None);
    Ok(Sight { seq, shape, news, about, data: ViewData::TaskEntries { page } })
}

fn entry(reads: &Reads, call: Call, server: &Server) -> Result<TaskEntry, ReadError> {
    let open = RequestQuery { list: WhichRequests::Open(call.id), limit: 0, ..RequestQuery::default() };
    let requests = rows::count(reads.requests_page(&open)?.total);
    let tags = reads.tags_of([call.id])?.remove(&call.id).unwrap_or_default();
    let handle = call.task.as_ref();
    Ok(TaskEntry {
        task_id: handle.map(|task| task.task_id.clone()),
        last_updated_at: handle.and_then(|task| task.last_updated_at),
        ttl_ms: handle.and_then(|task| task.ttl_ms),
        unlimited: kept::is_unlimited(reads, &call)?,
        poll_interval_ms: handle.and_then(|task| task.poll_interval_ms),
        arguments: task::payload(reads, call.id, PayloadKind::Arguments)?,
        requests,
        row: rows::task(call, server, tags),
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

#[cfg(test)]
mod tests;
