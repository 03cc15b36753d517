//! A task with 3,000 questions: every view of it is bounded, and says what it leaves out.

use signalbox_model::{Identity, InputRequest, Json, Origin, RequestState, ServerId, Task, Timestamp};
use signalbox_store::{Store, Write};

use super::*;
use crate::{
    TaskDetail,
    local::views::{self, stored::stored},
};

const CALL: CallId = CallId(1);
/// The last 500 of them are open.
const ALL: u32 = 3_000;
const OPEN: u32 = 500;

fn question(id: u32, message: &str) -> InputRequest {
    let identity = Identity::Task { call: CALL, key: format!("k{id}") };
    let is_open = id > ALL - OPEN;
    InputRequest {
        method: "elicitation/create".to_owned(),
        message: message.to_owned(),
        schema: Some(Json::parse(r#"{"type":"object"}"#).unwrap()),
        raw: Json::parse(format!(r#"{{"params":{{"message":"{message}"}}}}"#)).unwrap(),
        state: if is_open { RequestState::Open } else { RequestState::Closed },
        closed_at: (!is_open).then(|| Timestamp(i64::from(id))),
        ..InputRequest::new(RequestId(id), ServerId(1), identity, Timestamp(i64::from(id)))
    }
}

/// A store with a task that has asked all of these.
fn asked(message: &str) -> (tempfile::TempDir, Store) {
    let task = Task {
        task_id: "task".to_owned(),
        status_message: None,
        created_at: None,
        last_updated_at: None,
        ttl_ms: None,
        unlimited: Some(false),
        poll_interval_ms: None,
        expires_at: None,
        seen_at: Timestamp(1),
    };
    let call = Call {
        tool: "deploy".to_owned(),
        task: Some(task),
        open_requests: OPEN,
        ..Call::new(CALL, ServerId(1), Origin::Started, Timestamp(1))
    };
    let mut writes = vec![Write::PutCall(Box::new(call))];
    writes.extend((1..=ALL).map(|id| Write::PutRequest(Box::new(question(id, message)))));
    stored(writes)
}

fn page(
    reads: &Reads,
    list: RequestList,
    offset: u32,
    limit: u32,
    whole: bool,
) -> Page<RequestId, RequestEntry> {
    match super::requests(reads, list, offset, limit, whole, None).unwrap().data {
        ViewData::Requests { page } => page,
        other => panic!("no page of questions: {other:?}"),
    }
}

fn task(reads: &Reads) -> TaskDetail {
    match views::task::task(reads, CALL, None).unwrap().data {
        ViewData::Task { task: Some(task) } => *task,
        other => panic!("the task is there: {other:?}"),
    }
}

fn numbers(ids: &[RequestId]) -> Vec<u32> {
    ids.iter().map(|id| id.0).collect()
}

#[test]
fn a_task_with_thousands_of_questions_shows_some_and_says_how_many_more() {
    let (_dir, store) = asked("Go on?");
    let reads = store.reads();
    let before = reads.rows_read();
    let task = task(&reads);
    let ids: Vec<u32> = task.requests.iter().map(|row| row.id.0).collect();
    let wanted: Vec<u32> = (2_401..=2_600).collect();
    assert_eq!(ids, wanted, "the last that were closed, and the first that wait, oldest first");
    assert_eq!((task.requests_more, task.requests_closed_more), (400, 2_400));
    let read = reads.rows_read() - before;
    assert!(read < 500, "what is not shown is not read: {read} rows");
}

#[test]
fn a_question_is_shown_without_reading_all_others() {
    let (_dir, store) = asked("Go on?");
    let reads = store.reads();
    let before = reads.rows_read();
    let sight = views::request::request(&reads, RequestId(2_700), None).unwrap();
    let ViewData::Request { request: Some(detail) } = sight.data else { panic!("the question is there") };
    assert_eq!(detail.siblings.len(), 499, "all others that wait");
    assert!(!detail.siblings.contains(&RequestId(2_700)));
    let read = reads.rows_read() - before;
    assert!(read < 520, "their numbers alone: {read} rows");
}

#[test]
fn the_questions_of_a_task_come_in_pages() {
    let (_dir, store) = asked("Go on?");
    let reads = store.reads();
    let open = page(&reads, RequestList::Open { call: CALL }, 90, 10, false);
    assert_eq!((numbers(&open.ids), open.total), ((2_591..=2_600).collect(), OPEN));
    let entry = &open.rows[0];
    assert_eq!((entry.row.tool.as_str(), entry.row.server_name.as_str()), ("deploy", "ci"));
    assert_eq!(entry.schema.as_ref().map(Json::text), Some(r#"{"type":"object"}"#));
    assert_eq!((&entry.raw, &entry.draft), (&None, &None), "a list has no use for these");

    let closed = page(&reads, RequestList::Closed { call: CALL }, 0, 3, true);
    assert_eq!((numbers(&closed.ids), closed.total), (vec![2_500, 2_499, 2_498], ALL - OPEN));
    assert!(closed.rows[0].raw.is_some());

    let newest = page(&reads, RequestList::All { after: None }, 0, 2, false);
    assert_eq!((numbers(&newest.ids), newest.total), (vec![3_000, 2_999], ALL));
    let behind = page(&reads, RequestList::All { after: Some(RequestId(3)) }, 0, 9, false);
    assert_eq!((numbers(&behind.ids), behind.total), (vec![2, 1], 2));
    let waiting = page(&reads, RequestList::Waiting, 499, 9, false);
    assert_eq!((numbers(&waiting.ids), waiting.total), (vec![3_000], OPEN));
}

#[test]
fn of_long_messages_lists_have_the_beginning() {
    let (_dir, store) = asked(&"?".repeat(100 << 10));
    let reads = store.reads();
    let brief = page(&reads, RequestList::Open { call: CALL }, 0, 100, false);
    let whole = page(&reads, RequestList::Open { call: CALL }, 0, 100, true);
    assert_eq!(brief.ids.len(), 64, "one MiB, whatever a server says");
    assert_eq!((whole.ids.len(), whole.rows.len(), whole.total), (5, 5, OPEN), "the next page begins there");
    let carried = serde_json::to_string(&whole).unwrap().len();
    assert!(carried <= PAGE_BYTES, "a question in full has its message twice: {carried}");
    let task = task(&reads);
    let shown = u32::try_from(task.requests.len()).unwrap();
    assert_eq!((shown, task.requests_more, task.requests_closed_more), (128, OPEN - 64, ALL - OPEN - 64));
    assert!(whole.rows.iter().all(|entry| entry.row.message.len() == 100 << 10), "whole questions are whole");
    for row in brief.rows.iter().map(|entry| &entry.row).chain(&task.requests) {
        let beginning = row.message.strip_suffix('…').expect("what is cut says so");
        assert!("?".repeat(16 << 10).starts_with(beginning) && beginning.len() > 16_000);
    }
}
