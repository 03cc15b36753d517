//! Lists of questions: rows of the inbox, and questions in full, many at once.
//!
//! A view of a task has 100 questions of each kind and says how many more there are. A view of one question reads no
//! more of the others than their numbers, or where those of its round stand (`Reads::members`). Documents are made of
//! pages (`View::Requests`), which end at 500 questions or 1 MiB of text. Raw JSON is read only where it is shown
//! (`RequestLine` is a question without it).

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{DefaultHasher, Hash, Hasher},
};

use signalbox_model::{Call, CallId, RequestId, RequestLine, RequestText};
use signalbox_store::{ReadError, Reads, RequestQuery, Text};

use super::{About, MOST_ROWS, PAGE_BYTES, Sight, all_servers, is_news};
use crate::{
    InboxTab, Page, RequestEntry, RequestList, RequestRow, ViewData,
    local::{kept, rows},
};

pub(super) fn inbox(
    reads: &Reads,
    tab: InboxTab,
    offset: u32,
    limit: u32,
    since: Option<u64>,
) -> Result<Sight, ReadError> {
    let list = match tab {
        InboxTab::NeedsYou => signalbox_store::RequestList::NeedsYou,
        InboxTab::Answered => signalbox_store::RequestList::Answered,
        InboxTab::All => signalbox_store::RequestList::All,
    };
    // A window of rows is whole, however long their messages are.
    let query = RequestQuery { list, offset, limit: limit.min(MOST_ROWS), ..RequestQuery::default() };
    listed(reads, &query, since, |row, _, _| row, |page| ViewData::Inbox { page })
}

pub(super) fn requests(
    reads: &Reads,
    list: RequestList,
    offset: u32,
    limit: u32,
    whole: bool,
    since: Option<u64>,
) -> Result<Sight, ReadError> {
    let list = match list {
        RequestList::Waiting => signalbox_store::RequestList::NeedsYou,
        RequestList::All { after: None } => signalbox_store::RequestList::All,
        RequestList::All { after: Some(request) } => signalbox_store::RequestList::Behind(request),
        RequestList::Open { call } => signalbox_store::RequestList::Open(call),
        RequestList::Closed { call } => signalbox_store::RequestList::Closed(call),
    };
    // In full a message stands in its row and in the raw JSON.
    let (text, bytes) = if whole { (Text::All, PAGE_BYTES / 2) } else { (Text::Schema, PAGE_BYTES) };
    let query = RequestQuery { list, offset, limit: limit.min(MOST_ROWS), bytes: Some(bytes), text };
    let entry = |mut row: RequestRow, line: RequestLine, text: RequestText| {
        if let Some(raw) = &text.raw {
            row.message = kept::message(raw, &row.message);
        }
        let RequestLine { identity, url, .. } = line;
        let RequestText { schema, raw, draft } = text;
        RequestEntry { row, identity, url, schema, raw, draft }
    };
    listed(reads, &query, since, entry, |page| ViewData::Requests { page })
}

/// A window of a list, as a view of it. `entry` says what hosts are given of a question.
fn listed<R>(
    reads: &Reads,
    query: &RequestQuery,
    since: Option<u64>,
    entry: impl Fn(RequestRow, RequestLine, RequestText) -> R,
    view: impl FnOnce(Page<RequestId, R>) -> ViewData,
) -> Result<Sight, ReadError> {
    let seq = reads.seq()?;
    let servers = all_servers(reads)?;
    let page = reads.requests_page(query)?;
    let mut hasher = DefaultHasher::new();
    (&page.ids, page.total).hash(&mut hasher);
    let mut calls = Calls { reads, read: HashMap::new() };
    let mut changed_rows = Vec::new();
    for ((line, text), changed) in page.rows {
        let (call, call_changed) = calls.of(&line)?;
        let server = servers.get(&line.server);
        let server_changed = server.map_or(0, |(_, changed)| *changed);
        if is_news(changed.max(call_changed).max(server_changed), since) {
            let row = rows::request(&line, call, server.map(|(server, _)| server));
            changed_rows.push(entry(row, line, text));
        }
    }
    let news = !changed_rows.is_empty();
    let page = Page { ids: page.ids, rows: changed_rows, total: rows::count(page.total), groups: None };
    Ok(Sight { seq, shape: hasher.finish(), news, about: About::Requests, data: view(page) })
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
