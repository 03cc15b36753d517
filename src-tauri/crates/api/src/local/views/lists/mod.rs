//! Lists of questions: rows of the inbox, and questions in full, many at once.
//!
//! A view of a task has 100 questions of each kind and says how many more there are. A view of one question reads no
//! more of the others than their numbers, or where those of its round stand (`Reads::members`). Documents are made of
//! pages (`View::Requests`), which end at 500 questions or 1 MiB of text. Raw JSON is read only where it is shown
//! (`RequestLine` is a question without it).

use std::collections::{HashMap, hash_map::Entry};

use signalbox_catalogue::NarrowRequest;
use signalbox_model::{Call, CallId, RequestId, RequestLine, RequestText};
use signalbox_store::{ReadError, Reads, RequestQuery, Text, WhichRequests};

use super::{About, Had, MOST_ROWS, PAGE_BYTES, Sight, all_servers, heads, is_news, listed};
use crate::{
    ApiError, Code, Cursor, Head, InboxTab, ListOf, Page, RequestEntry, RequestList, RequestRow, ViewData,
    local::{
        Local,
        catalogue::{self, Window},
        kept, rows,
    },
};

impl Local {
    pub(super) async fn inbox(
        &self,
        tab: InboxTab,
        filter: (&str, &str),
        offset: u32,
        limit: u32,
        after: Option<Cursor>,
    ) -> Result<Sight, ApiError> {
        match self.filtered(Terms::of(tab), filter, false, (offset, limit), after).await? {
            Some(window) if window.news.is_empty() => Ok(seen(window, Vec::new())),
            Some(window) => self.read_at_once(move |reads| found(reads, window)).await,
            None => {
                let had = self.had(after);
                let list = of_index(tab).expect(ONLY_INDEXED);
                let sight = self.read_at_once(move |reads| indexed(reads, list, offset, limit, had)).await?;
                if let ViewData::Inbox { page } = &sight.data {
                    self.catalogue.gave(sight.shape, page.ids.iter().map(|id| id.0).collect());
                }
                Ok(sight)
            }
        }
    }

    /// A window (from an offset, up to a limit) of questions in full.
    pub(super) async fn requests(
        &self,
        list: RequestList,
        filter: &str,
        (offset, limit): (u32, u32),
        whole: bool,
        after: Option<Cursor>,
    ) -> Result<Sight, ApiError> {
        let since = after.map(|cursor| cursor.seq);
        let terms = match list {
            RequestList::Tab { tab } => Some(Terms::of(tab)),
            _ if filter.trim().is_empty() => None,
            RequestList::Waiting => Some(NOT_OVER),
            RequestList::All { after: None } => Some(Terms::of(InboxTab::All)),
            RequestList::All { after: Some(_) } | RequestList::Open { .. } | RequestList::Closed { .. } => {
                return Err(ApiError::new(Code::Usage, "This list of questions takes no filter"));
            }
        };
        let window = match terms {
            Some(terms) => self.filtered(terms, ("", filter), true, (offset, limit), after).await?,
            None => None,
        };
        self.read_at_once(move |reads| match window {
            Some(window) => chosen(reads, window, whole, since),
            None => requests(reads, list, offset, limit, whole, since),
        })
        .await
    }

    /// A window of a list, of the questions that a filter and one beside it show; none as of [`Self::window`].
    async fn filtered(
        &self,
        Terms { own, sort, group, is_indexed }: Terms,
        (within, filter): (&str, &str),
        whole: bool,
        window: (u32, u32),
        after: Option<Cursor>,
    ) -> Result<Option<Window<RequestId>>, ApiError> {
        let wanted = self.catalogue.query::<NarrowRequest>(&[own, within], filter, sort, group)?;
        let usual = within.trim().is_empty() && filter.trim().is_empty() && is_indexed;
        self.window::<NarrowRequest>(wanted, usual, whole, window, after).await
    }
}

/// What the catalogue is asked for a list, and whether the store has an index of it, too.
struct Terms {
    own: &'static str,
    sort: &'static str,
    group: &'static str,
    is_indexed: bool,
}

/// What waits, for a person or on its way, and below that what is no longer asked.
const NOT_OVER: Terms = Terms { own: "-is:over", sort: "expires,started", group: "is", is_indexed: false };

impl Terms {
    fn of(tab: InboxTab) -> Self {
        let (own, sort, group) = match tab {
            InboxTab::NeedsYou => ("is:waiting -attention:snoozed", "expires,started", "none"),
            InboxTab::Expiring => ("attention:expiring", "expires,started", "none"),
            InboxTab::Snoozed => ("attention:snoozed", "expires,started", "none"),
            InboxTab::Answered => ("-is:waiting", "-ended", "is"),
            InboxTab::All => ("", "-started", "none"),
        };
        Self { own, sort, group, is_indexed: of_index(tab).is_some() }
    }
}

/// For any other tab the catalogue is waited for: another list must never be shown in its place.
const ONLY_INDEXED: &str = "BUG: a tab without an index is read from the catalogue alone";

/// The list of the store's index that a tab is; none where only the catalogue has it.
fn of_index(tab: InboxTab) -> Option<WhichRequests> {
    match tab {
        InboxTab::NeedsYou => Some(WhichRequests::NeedsYou),
        InboxTab::Expiring | InboxTab::Snoozed => None,
        InboxTab::Answered => Some(WhichRequests::Answered),
        InboxTab::All => Some(WhichRequests::All),
    }
}

/// The rows of a window that a host does not know as they are.
fn found(reads: &Reads, window: Window<RequestId>) -> Result<Sight, ReadError> {
    let servers = all_servers(reads)?;
    let mut calls = Calls { reads, read: HashMap::new() };
    let mut found = Vec::new();
    for ((line, _), _) in reads.lines_of(&window.news, Text::Row, None)?.0 {
        let server = servers.get(&line.server).map(|(server, _)| server);
        found.push(rows::request(&line, calls.of(&line)?.0, server));
    }
    Ok(seen(window, found))
}

fn seen(window: Window<RequestId>, rows: Vec<RequestRow>) -> Sight {
    listed(window, rows, |row| row.id, |page| ViewData::Inbox { page })
}

/// A tab out of the store's index: while the catalogue grows. The others are few, and it has them.
fn indexed(
    reads: &Reads,
    list: WhichRequests,
    offset: u32,
    limit: u32,
    had: Option<Had>,
) -> Result<Sight, ReadError> {
    // A window of rows is whole, however long their messages are.
    let query = RequestQuery {
        list,
        offset,
        limit: limit.min(MOST_ROWS),
        text: Text::Row,
        ..RequestQuery::default()
    };
    let heads = if list == WhichRequests::Answered {
        let counts = reads.counts()?;
        heads([("stranded", rows::count(counts.stranded)), ("over", rows::count(counts.settled))])
    } else {
        Vec::new()
    };
    let rows = reads.requests_page(&query)?;
    let is_news = |id: RequestId, changed| had.as_ref().is_none_or(|had| had.is_news(id.0, changed));
    shown(reads, rows, heads, is_news, |row, _, _| row, |page| ViewData::Inbox { page })
}

/// Questions in full that a filter shows.
fn chosen(
    reads: &Reads,
    window: Window<RequestId>,
    whole: bool,
    since: Option<u64>,
) -> Result<Sight, ReadError> {
    let (text, bytes) = in_full(whole);
    let (rows, looked_at) = reads.lines_of(&window.ids, text, Some(bytes))?;
    let ids = window.ids.into_iter().take(looked_at).collect();
    let page = signalbox_store::RowPage { seq: reads.seq()?, ids, rows, total: window.total.into() };
    let news = |_, changed| is_news(changed, since);
    let sight = shown(reads, page, Vec::new(), news, entry, |page| ViewData::Requests { page })?;
    Ok(Sight { about: About::List(window.listed), ..sight })
}

fn requests(
    reads: &Reads,
    list: RequestList,
    offset: u32,
    limit: u32,
    whole: bool,
    since: Option<u64>,
) -> Result<Sight, ReadError> {
    let list = match list {
        RequestList::Waiting => WhichRequests::Waiting,
        RequestList::Tab { tab } => of_index(tab).expect(ONLY_INDEXED),
        RequestList::All { after: None } => WhichRequests::All,
        RequestList::All { after: Some(request) } => WhichRequests::Behind(request),
        RequestList::Open { call } => WhichRequests::Open(call),
        RequestList::Closed { call } => WhichRequests::Closed(call),
    };
    let (text, bytes) = in_full(whole);
    let limit = limit.min(MOST_ROWS);
    let page = reads.requests_page(&RequestQuery { list, offset, limit, bytes: Some(bytes), text })?;
    let news = |_, changed| is_news(changed, since);
    shown(reads, page, Vec::new(), news, entry, |page| ViewData::Requests { page })
}

/// Which long parts are read of questions in full, and how long a page of them may be.
fn in_full(whole: bool) -> (Text, usize) {
    // In full a message stands in its row and in the raw JSON.
    if whole { (Text::All, PAGE_BYTES / 2) } else { (Text::Schema, PAGE_BYTES) }
}

fn entry(mut row: RequestRow, line: RequestLine, text: RequestText) -> RequestEntry {
    if let Some(raw) = &text.raw {
        row.message = kept::message(raw, &row.message);
    }
    let RequestLine { identity, url, .. } = line;
    let RequestText { schema, raw, draft } = text;
    RequestEntry { row, identity, url, schema, raw, draft }
}

/// A page of the store, as a view of it. `is_news` says whether a host has not seen a question as a transaction left it, and
/// `entry` what it is given of one.
fn shown<R>(
    reads: &Reads,
    page: signalbox_store::RowPage<RequestId, (RequestLine, RequestText)>,
    heads: Vec<Head>,
    is_news: impl Fn(RequestId, u64) -> bool,
    entry: impl Fn(RequestRow, RequestLine, RequestText) -> R,
    view: impl FnOnce(Page<RequestId, R>) -> ViewData,
) -> Result<Sight, ReadError> {
    let seq = reads.seq()?;
    let servers = all_servers(reads)?;
    let total = rows::count(page.total);
    let shape = catalogue::shape(ListOf::Inbox, &page.ids, &[], total, &heads, true, None);
    let mut calls = Calls { reads, read: HashMap::new() };
    let mut changed_rows = Vec::new();
    for ((line, text), changed) in page.rows {
        let (call, call_changed) = calls.of(&line)?;
        let server = servers.get(&line.server);
        let server_changed = server.map_or(0, |(_, changed)| *changed);
        if is_news(line.id, changed.max(call_changed).max(server_changed)) {
            let row = rows::request(&line, call, server.map(|(server, _)| server));
            changed_rows.push(entry(row, line, text));
        }
    }
    let news = !changed_rows.is_empty();
    let page = Page { heads, ..Page::of(page.ids, changed_rows, total) };
    Ok(Sight { seq, shape, news, about: About::Requests, data: view(page) })
}

/// The calls of a window's questions: many questions may be of one call, which is read once.
struct Calls<'a> {
    reads: &'a Reads,
    read: HashMap<CallId, Option<(Call, u64)>>,
}

impl Calls<'_> {
    fn of(&mut self, line: &RequestLine) -> Result<(Option<&Call>, u64), ReadError> {
        let Some(id) = line.call else { return Ok((None, 0)) };
        let call = match self.read.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(self.reads.call(id)?),
        };
        Ok(call.as_ref().map_or((None, 0), |(call, changed)| (Some(call), *changed)))
    }
}

#[cfg(test)]
mod tests;
