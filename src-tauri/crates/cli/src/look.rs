//! Questions to the desk: views fetched whole, names and ids resolved.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::iter::repeat_n;

use futures_util::{StreamExt, TryStreamExt, stream};
use signalbox_api::{
    ApiError, Code, Desk, DeskExt as _, Detail, HeadOf, ListQuery, Overview, Page, PayloadInfo, Raw,
    RequestDetail, RequestEntry, RequestList, SAVED_VIEWS, SavedView, ServerView, TaskDetail, TaskEntry,
    TaskRow, ToolView, command, look,
};
use signalbox_model::{CallId, Json, PayloadKind, RequestId, Timestamp};

use crate::docs::{self, Payloads, Questions};

/// How many rows are asked for at once: the most a view gives.
pub(crate) const PAGE: u32 = 500;
/// The most open questions of a task in a list.
const LISTED: u32 = 100;
/// The most open questions of a task by itself, and the most that are over.
const SHOWN: u32 = 1_000;
/// How many details are asked for side by side.
const SIDE_BY_SIDE: usize = 16;

pub(crate) async fn overview(desk: &dyn Desk) -> Result<Overview, ApiError> {
    let seen = desk.see(look::Overview {}).await?.after(None);
    seen.ok_or_else(incomplete)
}

pub(crate) fn incomplete() -> ApiError {
    ApiError::new(Code::Internal, "an overview came without all of its parts")
}

/// A server by its name or id.
pub(crate) async fn server(desk: &dyn Desk, name: &str) -> Result<ServerView, ApiError> {
    let servers = overview(desk).await?.servers;
    let by_name = servers.iter().find(|server| server.name == name);
    let found = by_name.or_else(|| servers.iter().find(|server| server.id.to_string() == name));
    found
        .cloned()
        .ok_or_else(|| ApiError::new(Code::UnknownServer, format!("there is no server named \"{name}\"")))
}

/// What the task list shows under a name. Of a server that was removed meanwhile nothing is asked.
pub(crate) async fn view(desk: &dyn Desk, name: &str) -> Result<ListQuery, ApiError> {
    let kept = desk.see(look::Preference { key: SAVED_VIEWS.to_owned() }).await?;
    let mut views = SavedView::all(kept.as_ref());
    let Some(at) = views.iter().position(|view| view.name == name) else {
        let names: Vec<_> = views.iter().map(|view| format!("\"{}\"", view.name)).collect();
        let others = match names.as_slice() {
            [] => "no view is saved yet: the window's list of tasks saves them".to_owned(),
            _ => format!("there is {}", names.join(", ")),
        };
        return Err(ApiError::new(Code::Usage, format!("there is no view named \"{name}\"; {others}")));
    };
    let SavedView { mut query, server, .. } = views.swap_remove(at);
    if let Some(id) = server {
        let is_there = overview(desk).await?.servers.iter().any(|server| server.id == id);
        query.within.extend(is_there.then(|| format!("server:{id}")));
    }
    Ok(query)
}

pub(crate) async fn tools(desk: &dyn Desk, server: &str) -> Result<Vec<ToolView>, ApiError> {
    desk.act(command::Tools { server: server.to_owned() }).await
}

/// One tool, as it was listed last where it was.
pub(crate) async fn tool(desk: &dyn Desk, server: &str, tool: &str) -> Result<ToolView, ApiError> {
    Ok(*desk.act(command::Tool { server: server.to_owned(), tool: tool.to_owned() }).await?)
}

pub(crate) async fn task(desk: &dyn Desk, call: CallId) -> Result<TaskDetail, ApiError> {
    let task = desk.see(look::Task { call }).await?;
    task.map(|task| *task).ok_or_else(|| unknown_task(&call.to_string()))
}

pub(crate) fn unknown_task(text: &str) -> ApiError {
    ApiError::new(Code::UnknownItem, format!("there is no task \"{text}\"; `signalbox tasks` lists all"))
}

pub(crate) async fn request(desk: &dyn Desk, request: RequestId) -> Result<RequestDetail, ApiError> {
    desk.see(look::Request { request }).await?.map(|detail| *detail).ok_or_else(|| {
        let advice = "`signalbox inbox --all` lists all";
        ApiError::new(Code::UnknownItem, format!("there is no question {request}; {advice}"))
    })
}

/// The one task that a short id or a server's task id means.
pub(crate) async fn find(desk: &dyn Desk, text: &str) -> Result<CallId, ApiError> {
    let calls = desk.act(command::Find { text: text.to_owned() }).await?;
    match calls.as_slice() {
        [] => Err(unknown_task(text)),
        [call] => Ok(*call),
        several => {
            let names: Vec<_> = several.iter().map(CallId::to_string).collect();
            let message = format!("\"{text}\" may mean {}: say which", names.join(", "));
            Err(ApiError::new(Code::Ambiguous, message).with(Detail::Tasks(calls)))
        }
    }
}

/// The list of tasks as it always is, of those that this filter shows.
pub(crate) fn of(filter: String) -> ListQuery {
    ListQuery { filter, ..ListQuery::default() }
}

/// The tasks that have not ended, of those that this filter shows.
pub(crate) async fn live(desk: &dyn Desk, filter: String) -> Result<Vec<CallId>, ApiError> {
    let query = of(filter);
    whole_list(desk, &query).await?;
    let mut all = Rows::default();
    loop {
        let page = desk.see(look::Tasks { query: query.clone(), offset: all.asked, limit: PAGE }).await?;
        let more = all.take(page, |row: &TaskRow| row.id);
        // They stand before those that have.
        if !more || all.rows.last().is_some_and(|row| row.outcome.is_some()) {
            break;
        }
    }
    Ok(all.rows.into_iter().filter(|row| row.outcome.is_none()).map(|row| row.id).collect())
}

/// Rows come as far as they are found. Documents wait until all are, or say why they cannot be.
async fn whole_list(desk: &dyn Desk, query: &ListQuery) -> Result<(), ApiError> {
    if *query != ListQuery::default() {
        desk.see(look::TaskEntries { query: query.clone(), offset: 0, limit: 0 }).await?;
    }
    Ok(())
}

/// Tasks under one head; under none where a list has no heads.
pub(crate) type Group = (Option<HeadOf>, Vec<TaskRow>);

/// All rows of a task list by their heads, once the list is whole.
pub(crate) async fn tasks(desk: &dyn Desk, query: &ListQuery) -> Result<Vec<Group>, ApiError> {
    whole_list(desk, query).await?;
    let page = async |offset, limit| {
        Ok(under_heads(desk.see(look::Tasks { query: query.clone(), offset, limit }).await?, offset))
    };
    let (rows, _) = first(u32::MAX, page, |(_, row)| row.id).await?;
    let mut groups: Vec<Group> = Vec::new();
    for (head, row) in rows {
        match groups.iter_mut().find(|(known, _)| *known == head) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((head, vec![row])),
        }
    }
    Ok(groups)
}

/// The first `most` tasks of a list, once it is whole, and how many more there are.
pub(crate) async fn rows(
    desk: &dyn Desk,
    query: &ListQuery,
    most: u32,
) -> Result<(Vec<TaskRow>, u32), ApiError> {
    whole_list(desk, query).await?;
    let page = async |offset, limit| desk.see(look::Tasks { query: query.clone(), offset, limit }).await;
    first(most, page, |row| row.id).await
}

/// Each row with the head under which it stands in its own page: the list may move between two pages.
fn under_heads(page: Page<CallId, TaskRow>, offset: u32) -> Page<CallId, (Option<HeadOf>, TaskRow)> {
    let Page { ids, rows, total, heads, complete, fault, .. } = page;
    let all = heads.iter().flat_map(|head| repeat_n(&head.of, head.count as usize));
    let of: HashMap<CallId, &HeadOf> = ids.iter().copied().zip(all.skip(offset as usize)).collect();
    let rows = rows.into_iter().map(|row| (of.get(&row.id).copied().cloned(), row)).collect();
    Page { heads, complete, fault, ..Page::of(ids, rows, total) }
}

/// Tasks as documents list them.
pub(crate) async fn entries(desk: &dyn Desk, query: &ListQuery) -> Result<Vec<TaskEntry>, ApiError> {
    let page =
        async |offset, limit| desk.see(look::TaskEntries { query: query.clone(), offset, limit }).await;
    Ok(first(u32::MAX, page, |entry| entry.row.id).await?.0)
}

/// The first `most` questions of a list that a filter shows, and how many more there are. `whole`: with all that was received
/// and typed.
pub(crate) async fn requests(
    desk: &dyn Desk,
    list: RequestList,
    filter: &str,
    most: u32,
    whole: bool,
) -> Result<(Vec<RequestEntry>, u32), ApiError> {
    let page = async |offset, limit| {
        desk.see(look::Requests { list, filter: filter.to_owned(), offset, limit, whole }).await
    };
    first(most, page, |entry| entry.row.id).await
}

/// The first `most` rows of a list, which comes page by page (from an offset, up to a limit), and how many more there are.
async fn first<I: Copy + Eq + Hash, R>(
    most: u32,
    page: impl AsyncFn(u32, u32) -> Result<Page<I, R>, ApiError>,
    id: impl Fn(&R) -> I,
) -> Result<(Vec<R>, u32), ApiError> {
    let mut all = Rows::default();
    loop {
        let page = page(all.asked, PAGE.min(most.saturating_sub(all.asked))).await?;
        let total = page.total;
        if !all.take(page, &id) || all.asked >= most {
            return Ok((all.rows, total.saturating_sub(all.asked)));
        }
    }
}

/// Rows of consecutive pages. The list may move between two pages: no row comes twice.
struct Rows<I, R> {
    rows: Vec<R>,
    known: HashSet<I>,
    asked: u32,
}

impl<I, R> Default for Rows<I, R> {
    fn default() -> Self {
        Self { rows: Vec::new(), known: HashSet::new(), asked: 0 }
    }
}

impl<I: Copy + Eq + Hash, R> Rows<I, R> {
    /// Takes a page's rows in the page's order. Whether there is more.
    fn take(&mut self, page: Page<I, R>, id: impl Fn(&R) -> I) -> bool {
        let mut by_id: HashMap<I, R> = page.rows.into_iter().map(|row| (id(&row), row)).collect();
        let fresh =
            page.ids.iter().filter_map(|id| self.known.insert(*id).then(|| by_id.remove(id)).flatten());
        self.rows.extend(fresh);
        // Some pages end before they are full.
        self.asked += u32::try_from(page.ids.len()).unwrap_or(PAGE);
        !page.ids.is_empty() && self.asked < page.total
    }
}

/// A payload whole, whatever its size. None also for one that is damaged: the task is shown without it.
async fn whole_payload(
    desk: &dyn Desk,
    call: CallId,
    info: Option<&PayloadInfo>,
) -> Result<Option<Json>, ApiError> {
    let Some(info) = info else { return Ok(None) };
    if info.json.is_some() || info.fault.is_some() {
        return Ok(info.json.clone());
    }
    match desk.act(command::Payload { call, kind: info.kind }).await {
        Err(error) if error.code == Code::StorageDamaged => Ok(None),
        payload => payload,
    }
}

/// The arguments of a task whole. None also where what is kept of them is damaged.
pub(crate) async fn arguments(desk: &dyn Desk, entry: &TaskEntry) -> Result<Option<Json>, ApiError> {
    whole_payload(desk, entry.row.id, entry.arguments.as_ref()).await
}

/// The document of a task for lists and `watch`.
pub(crate) async fn brief(desk: &dyn Desk, entry: &TaskEntry) -> Result<docs::Task, ApiError> {
    let mut questions = Questions::default();
    if entry.requests > 0 {
        let open = RequestList::Open { call: entry.row.id };
        (questions.open, questions.open_more) = requests(desk, open, "", LISTED, false).await?;
    }
    Ok(docs::Task::brief(entry, arguments(desk, entry).await?, questions))
}

/// The document of a task for `show` and `call`, at this moment.
pub(crate) async fn whole(
    desk: &dyn Desk,
    detail: &TaskDetail,
    now: Timestamp,
) -> Result<docs::Task, ApiError> {
    let (call, mut questions) = (detail.row.id, Questions::default());
    if !detail.requests.is_empty() {
        let (open, closed) = (RequestList::Open { call }, RequestList::Closed { call });
        (questions.open, questions.open_more) = requests(desk, open, "", SHOWN, true).await?;
        (questions.closed, questions.closed_more) = requests(desk, closed, "", SHOWN, true).await?;
        // One may have been closed between the two looks.
        let over: HashSet<_> = questions.closed.iter().map(|entry| entry.row.id).collect();
        questions.open.retain(|entry| !over.contains(&entry.row.id));
        questions.closed.sort_unstable_by_key(|entry| entry.row.id);
    }
    let raw = async |kind| {
        let info = detail.payloads.iter().find(|info| info.kind == kind);
        Ok::<_, ApiError>(whole_payload(desk, call, info).await?.map(Raw))
    };
    let payloads = Payloads {
        create: raw(PayloadKind::Create).await?,
        last: raw(PayloadKind::Last).await?,
        result: raw(PayloadKind::Result).await?,
        error: detail.error.clone().map(Raw).or(raw(PayloadKind::Error).await?),
    };
    let arguments = arguments(desk, &detail.into()).await?;
    Ok(docs::Task::whole(detail, now, arguments, questions, payloads))
}

/// The documents of many tasks, in their order. Several are made side by side.
pub(crate) async fn briefs(desk: &dyn Desk, entries: &[TaskEntry]) -> Result<Vec<docs::Task>, ApiError> {
    stream::iter(entries).map(|entry| brief(desk, entry)).buffered(SIDE_BY_SIDE).try_collect().await
}

/// The document of a question for `watch`; none when it was forgotten meanwhile.
pub(crate) async fn request_brief(desk: &dyn Desk, id: RequestId) -> Result<Option<docs::Request>, ApiError> {
    match request(desk, id).await {
        Ok(detail) => Ok(Some(docs::Request::brief((&detail).into()))),
        Err(error) if error.code == Code::UnknownItem => Ok(None),
        Err(error) => Err(error),
    }
}
