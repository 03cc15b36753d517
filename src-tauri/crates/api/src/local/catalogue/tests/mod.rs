//! The catalogue beside a store that changes: what lists say is what the store has.

mod changes;
mod export;
mod flood;
mod history;
mod hosts;
mod inbox;
mod palette;
#[path = "../../../../../catalogue/tests/slow/plain/mod.rs"]
mod plain;
mod quiet;
mod stacks;
mod stored;

use std::{path::Path, sync::mpsc, time::Duration};

use signalbox_engine::{Engine, EngineOptions, Follow};
use signalbox_model::{
    Call, CallId, Delivery, Identity, InputRequest, Json, Origin, Outcome, RequestId, Server, ServerId, Task,
    Timestamp, Transport,
};
use signalbox_signin::Secrets;
use signalbox_store::{Batch, BatchKind, Closed, CommitError, Committed, Store, Write};

use super::*;
use crate::{
    Changes, Cursor, DeskExt as _, Head, HeadOf, Home, InboxTab, Page, RequestRow, Settings, TaskRow, View,
    ViewData, look,
};

/// Hands writes to the store; the answer says that they are committed.
fn submit(store: &Store, writes: Vec<Write>) -> mpsc::Receiver<Result<Committed, CommitError>> {
    hand_in(|batch| store.submit(batch), writes)
}

fn hand_in(
    submit: impl Fn(Batch) -> Result<(), Closed>,
    writes: Vec<Write>,
) -> mpsc::Receiver<Result<Committed, CommitError>> {
    let (done, answer) = mpsc::channel();
    let done = Box::new(move |result| {
        let _ = done.send(result);
    });
    submit(Batch { writes, kind: BatchKind::Intent, done }).unwrap();
    answer
}

pub(super) fn commit(store: &Store, writes: Vec<Write>) {
    submit(store, writes).recv().unwrap().unwrap();
}

pub(super) fn server(id: u32, name: &str) -> Write {
    let transport = Transport::Http { url: "http://127.0.0.1:1/mcp".to_owned(), headers: vec![] };
    let server = Server::new(ServerId(id), name.to_owned(), transport);
    Write::PutServer(Server { enabled: false, ..server })
}

pub(super) fn call(id: u32, server: u32, tool: &str, outcome: Option<Outcome>) -> Call {
    Call {
        tool: tool.to_owned(),
        outcome,
        ended_at: outcome.map(|_| Timestamp(i64::from(id))),
        ..Call::new(CallId(id), ServerId(server), Origin::Started, Timestamp(i64::from(id)))
    }
}

/// A call whose task is under way: one without would have ended with the run that made it.
pub(super) fn going_on(id: u32) -> Call {
    let task = Task {
        task_id: format!("task-{id}"),
        status_message: None,
        created_at: None,
        last_updated_at: None,
        ttl_ms: None,
        unlimited: None,
        poll_interval_ms: None,
        expires_at: None,
        seen_at: Timestamp(1),
    };
    Call { delivery: Delivery::Answered, task: Some(task), ..call(id, 1, "deploy", None) }
}

pub(super) fn put(call: Call) -> Write {
    Write::PutCall(Box::new(call))
}

/// A desk on what was committed.
pub(super) async fn desk(dir: &Path, kind: crate::OwnerKind, writes: Vec<Write>) -> Local {
    desk_and_submit(dir, kind, writes).await.0
}

/// The same, and how more is committed beside it.
async fn desk_and_submit(
    dir: &Path,
    kind: crate::OwnerKind,
    writes: Vec<Write>,
) -> (Local, impl Fn(Batch) -> Result<(), Closed> + Send + Sync + use<>) {
    let home = Home::at(dir).unwrap();
    let store = Store::open(home.dir()).unwrap();
    commit(&store, writes);
    let submit = store.submitter();
    let settings = Settings::default();
    let options = EngineOptions {
        follow: Follow::Named,
        tuning: settings.tuning(),
        version: "0".into(),
        programs: None,
    };
    let secrets = Arc::new(Secrets::this_run("home"));
    let engine = Engine::start(store, Arc::clone(&secrets), options).await.unwrap();
    (Local::new(engine, secrets, home, kind, settings), submit)
}

pub(super) fn query(filter: &str, sort: &str, group: &str) -> ListQuery {
    ListQuery {
        filter: filter.to_owned(),
        within: Vec::new(),
        sort: sort.to_owned(),
        group: group.to_owned(),
    }
}

/// A list once it is whole.
async fn list(desk: &Local, query: &ListQuery) -> Page<CallId, TaskRow> {
    let mut after = None;
    loop {
        let tasks = look::Tasks { query: query.clone(), offset: 0, limit: 500 };
        let (cursor, page) = desk.look(tasks.into(), after, Duration::from_secs(30)).await.map(seen).unwrap();
        match page {
            Some(page) if page.complete => return page,
            _ => after = Some(cursor),
        }
    }
}

fn seen(changes: Changes) -> (Cursor, Option<Page<CallId, TaskRow>>) {
    let page = changes.data.map(|data| match data {
        ViewData::Tasks { page } => page,
        other => panic!("{other:?}"),
    });
    (changes.cursor, page)
}

fn numbers(page: &Page<CallId, TaskRow>) -> Vec<u32> {
    page.ids.iter().map(|id| id.0).collect()
}

/// Waits until all rows are there.
pub(super) async fn whole(catalogue: &Catalogue) {
    catalogue.completed::<NarrowTask>(&Query::default()).await.unwrap();
}

/// A list once it is whole.
async fn whole_window<L: Listed>(catalogue: &Catalogue, query: &Query) -> Window<L::Id> {
    loop {
        catalogue.completed::<L>(query).await.unwrap();
        let window = catalogue.window::<L>(query, 0, 500, None).unwrap();
        if window.complete {
            return window;
        }
    }
}

/// A runtime whose clock goes on by itself where nothing is left to do: no test waits.
fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap()
}

#[tokio::test]
async fn a_list_is_the_same_out_of_the_index_and_out_of_the_catalogue() {
    let dir = tempfile::tempdir().unwrap();
    let ended = |id| (id % 3 == 0).then_some(Outcome::Ok);
    let mut writes = vec![server(1, "ci"), server(2, "dev")];
    writes.extend((1..=1_200).map(|id| put(call(id, 1 + id % 2, "build", ended(id)))));
    let desk = desk(dir.path(), crate::OwnerKind::Serve, writes).await;
    let look = || View::Tasks { query: ListQuery::default(), offset: 100, limit: 500 };
    let wait = Duration::ZERO;
    let (cursor, indexed) = seen(desk.look(look(), None, wait).await.unwrap());
    whole(&desk.catalogue).await;
    let (_, listed) = seen(desk.look(look(), None, wait).await.unwrap());
    let (indexed, listed) = (indexed.unwrap(), listed.unwrap());
    assert_eq!((indexed.ids.len(), indexed.total), (500, 1_200));
    assert_eq!(indexed.ids, listed.ids);
    assert_eq!(
        (indexed.total, &indexed.heads, indexed.complete),
        (listed.total, &listed.heads, listed.complete)
    );
    assert_eq!(indexed.rows.len(), listed.rows.len());
    let again = desk.look(look(), Some(cursor), wait).await.unwrap();
    assert_eq!(again.cursor.shape, cursor.shape, "where the list comes from is no news");
}

#[tokio::test]
async fn what_is_filtered_sorted_and_grouped_is_as_it_says() {
    let dir = tempfile::tempdir().unwrap();
    let writes = vec![
        server(1, "ci"),
        server(2, "dev"),
        put(going_on(1)),
        put(call(2, 2, "build", Some(Outcome::ToolError))),
        put(call(3, 1, "build", Some(Outcome::ProtocolError))),
        put(call(4, 2, "deploy", Some(Outcome::Ok))),
    ];
    let desk = desk(dir.path(), crate::OwnerKind::Serve, writes).await;
    let failed = list(&desk, &query("failed", "ended", "server")).await;
    assert_eq!((numbers(&failed), failed.total), (vec![3, 2], 2));
    let head =
        |id, name: &str| Head { of: HeadOf::Server { server: ServerId(id), name: name.into() }, count: 1 };
    assert_eq!(failed.heads, [head(1, "ci"), head(2, "dev")]);
    let usual = list(&desk, &ListQuery::default()).await;
    assert_eq!(numbers(&usual), [1, 4, 3, 2], "what is under way stands first");

    let refused = |query: ListQuery| {
        let desk = &desk;
        async move { desk.see(look::Tasks { query, offset: 0, limit: 1 }).await.unwrap_err() }
    };
    let error = refused(query("status:wrking", "", "")).await;
    assert_eq!(error.code, Code::Usage);
    assert!(error.message.contains("no status `wrking`"), "{error}");
    let error = refused(query("", "colour", "")).await;
    assert!(error.message.contains("nothing sorts by \"colour\""), "{error}");
    let error = refused(query("", "", "mode")).await;
    assert!(error.message.contains("nothing groups by \"mode\""), "{error}");
}

#[tokio::test]
async fn a_command_waits_until_its_filter_has_seen_all() {
    let dir = tempfile::tempdir().unwrap();
    let mut writes = vec![server(1, "ci")];
    writes.extend((1..=3_000).map(|id| put(call(id, 1, if id == 3_000 { "deploy" } else { "build" }, None))));
    let desk = desk(dir.path(), crate::OwnerKind::Command, writes).await;
    let usual = look::Tasks { query: ListQuery::default(), offset: 0, limit: 1 };
    desk.see(usual).await.unwrap();
    assert!(!desk.catalogue.is_begun(), "what the index knows costs no more");
    let one = look::Tasks { query: query("tool:deploy", "", ""), offset: 0, limit: 10 };
    let page = desk.see(one).await.unwrap();
    assert_eq!((numbers(&page), page.complete), (vec![3_000], true));
}

#[tokio::test]
async fn what_a_list_does_not_show_costs_it_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let writes = vec![
        server(1, "ci"),
        put(call(1, 1, "deploy", None)),
        put(call(2, 1, "build", None)),
        Write::PutRequest(Box::new(InputRequest::new(
            RequestId(1),
            ServerId(1),
            Identity::Task { call: CallId(1), key: "k".to_owned() },
            Timestamp(1),
        ))),
    ];
    let home = Home::at(dir.path()).unwrap();
    let store = Store::open(home.dir()).unwrap();
    commit(&store, writes);
    let news = store.news();
    let catalogue = Catalogue::default();
    catalogue.begin(store.reads(), news.clone());
    whole(&catalogue).await;
    let deploys = catalogue.tasks(&query("tool:deploy", "", "")).unwrap();
    let questions = catalogue.query::<NarrowRequest>(&[], "", "started", "none").unwrap();
    let tasks = catalogue.window::<NarrowTask>(&deploys, 0, 500, None).unwrap();
    let inbox = catalogue.window::<NarrowRequest>(&questions, 0, 500, None).unwrap();
    let mut moved = catalogue.moved();
    let mut last = None;
    for n in 0..10_000 {
        let other = Call { summary: format!("{n}"), ..call(2, 1, "build", None) };
        last = Some(submit(&store, vec![put(other)]));
    }
    last.unwrap().recv().unwrap().unwrap();
    // All of them are taken in.
    let last = *news.seq().borrow();
    while catalogue.0.kept().seq < last {
        moved.changed().await.unwrap();
    }
    assert!(catalogue.is_as(tasks.listed) && catalogue.is_as(inbox.listed), "nobody looks at them again");
    commit(&store, vec![put(Call { summary: "new".to_owned(), ..call(1, 1, "deploy", None) })]);
    let began = tokio::time::Instant::now();
    catalogue.has_changed(tasks.listed, &mut moved).await;
    assert!(began.elapsed() < Duration::from_secs(30));
    assert!(catalogue.is_as(inbox.listed));
}

#[tokio::test]
async fn a_host_is_given_the_rows_that_it_has_not() {
    let dir = tempfile::tempdir().unwrap();
    let mut writes = vec![server(1, "ci")];
    writes.extend((1..=5).map(|id| put(call(id, 1, "build", None))));
    let home = Home::at(dir.path()).unwrap();
    let store = Store::open(home.dir()).unwrap();
    commit(&store, writes);
    let catalogue = Catalogue::default();
    catalogue.begin(store.reads(), store.news());
    whole(&catalogue).await;
    let all = catalogue.tasks(&ListQuery::default()).unwrap();
    let window = |after: Option<Cursor>| catalogue.window::<NarrowTask>(&all, 0, 3, after).unwrap();
    let cursor = |window: &Window<CallId>| Some(Cursor { epoch: 1, seq: window.seq, shape: window.shape });
    let first = window(None);
    assert_eq!((first.ids.as_slice(), first.news.len()), (&[5, 4, 3].map(CallId)[..], 3));
    let same = window(cursor(&first));
    assert!(same.news.is_empty() && same.shape == first.shape);
    let mut moved = catalogue.moved();
    commit(&store, vec![put(call(5, 1, "build", Some(Outcome::Ok)))]);
    catalogue.has_changed(first.listed, &mut moved).await;
    let next = window(cursor(&first));
    assert_eq!(next.ids, [4, 3, 2].map(CallId));
    assert_eq!(next.news, [CallId(2)], "it came into sight, and never changed");
}
