//! Filters by words that only full texts have.

use signalbox_model::{
    Call, CallId, Identity, InputRequest, Json, PayloadKind, RequestId, ServerId, Timestamp,
};
use signalbox_store::{Store, Write};

use super::super::tests::{call, commit, going_on, put, query, server};
use super::super::*;
use crate::Home;

fn arguments(id: u32, text: &str) -> Write {
    Write::PutPayload { call: CallId(id), kind: PayloadKind::Arguments, json: Json::of(&text) }
}

/// A store with tasks of these arguments, and a catalogue of it.
fn begun(dir: &std::path::Path, arguments_of: &[&str]) -> (Store, Catalogue) {
    let mut writes = vec![server(1, "ci")];
    for (id, text) in (1..).zip(arguments_of) {
        writes.extend([put(call(id, 1, "deploy", None)), arguments(id, text)]);
    }
    let home = Home::at(dir).unwrap();
    let store = Store::open(home.dir()).unwrap();
    commit(&store, writes);
    let catalogue = Catalogue::default();
    catalogue.begin(store.reads(), store.news());
    (store, catalogue)
}

/// The tasks that a filter shows, once the list is whole.
async fn found(catalogue: &Catalogue, filter: &str) -> Vec<u32> {
    let query = catalogue.tasks(&query(filter, "started", "none")).unwrap();
    catalogue.completed::<NarrowTask>(&query).await.unwrap();
    let window = catalogue.window::<NarrowTask>(&query, 0, 500, None).unwrap();
    assert!(window.complete);
    window.ids.iter().map(|id| id.0).collect()
}

#[tokio::test]
async fn a_word_far_behind_the_beginning_of_a_text_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let long = format!("{} kestrel", "x ".repeat(1_000));
    let (_store, catalogue) = begun(dir.path(), &["short", &long, "kestrel at once"]);
    assert_eq!(found(&catalogue, "kestrel").await, [2, 3]);
    assert_eq!(found(&catalogue, "KESTREL is:working").await, [2, 3]);
    assert_eq!(found(&catalogue, "-kestrel").await, [1]);
    assert_eq!(found(&catalogue, "\"kestrel at\"").await, [3]);
    assert_eq!(
        found(&catalogue, "estrel").await,
        [] as [u32; 0],
        "of a full text a word is found from its beginning"
    );
    assert_eq!(found(&catalogue, "ke").await, [] as [u32; 0], "two letters are in most of them");
}

#[tokio::test]
async fn first_come_the_rows_that_have_it_at_hand_and_the_list_says_that_others_may() {
    let dir = tempfile::tempdir().unwrap();
    let (store, catalogue) = begun(dir.path(), &["a kestrel"]);
    commit(&store, vec![put(Call { summary: "kestrel".to_owned(), ..call(2, 1, "deploy", None) })]);
    tests::whole(&catalogue).await;
    let query = catalogue.tasks(&query("kestrel", "started", "none")).unwrap();
    let mut moved = catalogue.moved();
    let first = catalogue.window::<NarrowTask>(&query, 0, 500, None).unwrap();
    assert_eq!((first.ids.as_slice(), first.complete), (&[CallId(2)][..], false));
    let mut last = first;
    while !last.complete {
        catalogue.has_changed(last.listed, &mut moved).await;
        last = catalogue.window::<NarrowTask>(&query, 0, 500, None).unwrap();
    }
    assert_eq!(last.ids, [1, 2].map(CallId));
}

#[tokio::test]
async fn what_is_committed_is_looked_through_too() {
    let dir = tempfile::tempdir().unwrap();
    let (store, catalogue) = begun(dir.path(), &["kestrel", "kestrel", "none"]);
    assert_eq!(found(&catalogue, "kestrel").await, [1, 2]);
    let query = catalogue.tasks(&query("kestrel", "started", "none")).unwrap();
    let mut moved = catalogue.moved();
    commit(
        &store,
        vec![
            arguments(1, "other"),
            Write::ForgetCall(CallId(2)),
            arguments(3, "kestrel"),
            put(call(4, 1, "deploy", None)),
            arguments(4, "kestrel"),
        ],
    );
    let now = || {
        let window = catalogue.window::<NarrowTask>(&query, 0, 500, None).unwrap();
        (window.ids.iter().map(|id| id.0).collect::<Vec<_>>(), window.listed)
    };
    let (mut ids, mut listed) = now();
    while ids != [3, 4] {
        catalogue.has_changed(listed, &mut moved).await;
        (ids, listed) = now();
    }
}

#[tokio::test]
async fn questions_are_looked_through_for_their_own_words() {
    let dir = tempfile::tempdir().unwrap();
    let (store, catalogue) = begun(dir.path(), &["kestrel"]);
    let identity = |key: &str| Identity::Task { call: CallId(9), key: key.to_owned() };
    let asked = |id: u32, key: &str, title: &str| InputRequest {
        raw: Json::of(&serde_json::json!({"params": {"requestedSchema": {"title": title}}})),
        ..InputRequest::new(RequestId(id), ServerId(1), identity(key), Timestamp(id.into()))
    };
    commit(
        &store,
        vec![
            put(going_on(9)),
            Write::PutRequest(Box::new(asked(1, "a", "Which kestrel"))),
            Write::PutRequest(Box::new(asked(2, "b", "Which ring"))),
        ],
    );
    let query = catalogue.query::<NarrowRequest>(&[], "kestrel", "started", "none").unwrap();
    catalogue.completed::<NarrowRequest>(&query).await.unwrap();
    let window = catalogue.window::<NarrowRequest>(&query, 0, 500, None).unwrap();
    assert_eq!(window.ids, [RequestId(1)]);
    assert_eq!(found(&catalogue, "kestrel").await, [1]);
}

#[tokio::test]
async fn more_words_than_are_kept_make_room_for_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, catalogue) = begun(dir.path(), &["kestrel"]);
    assert_eq!(found(&catalogue, "kestrel").await, [1]);
    for n in 0..super::words::MOST {
        assert_eq!(found(&catalogue, &format!("word{n}")).await, [] as [u32; 0]);
    }
    {
        let kept = catalogue.0.kept();
        assert_eq!(kept.words.len(), super::words::MOST);
        let first = kept.words.followed(ListOf::Tasks).into_iter().find(|sought| sought.words == "kestrel");
        assert_eq!(first, None, "it was asked for longest ago");
    }
    assert_eq!(found(&catalogue, "kestrel").await, [1], "and is looked for again");
}

#[tokio::test(start_paused = true)]
async fn words_that_nobody_asks_for_are_let_go() {
    let dir = tempfile::tempdir().unwrap();
    let (store, catalogue) = begun(dir.path(), &["kestrel"]);
    assert_eq!(found(&catalogue, "kestrel").await, [1]);
    let mut moved = catalogue.moved();
    while !catalogue.0.kept().words.is_empty() {
        moved.changed().await.unwrap();
    }
    commit(&store, vec![arguments(1, "other"), put(call(2, 1, "deploy", None)), arguments(2, "kestrel")]);
    assert_eq!(found(&catalogue, "kestrel").await, [2], "what was committed meanwhile is there");
}

#[tokio::test]
async fn what_was_committed_before_somebody_asks_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let (store, catalogue) = begun(dir.path(), &["kestrel"]);
    assert_eq!(found(&catalogue, "kestrel").await, [1]);
    for id in 2..40 {
        commit(&store, vec![put(call(id, 1, "deploy", None)), arguments(id, "kestrel")]);
        assert_eq!(found(&catalogue, "kestrel").await.len(), id as usize, "no look is needed in between");
    }
}

#[tokio::test]
async fn when_all_rows_are_read_anew_words_are_looked_for_anew() {
    let dir = tempfile::tempdir().unwrap();
    let (store, catalogue) = begun(dir.path(), &["kestrel", "none"]);
    assert_eq!(found(&catalogue, "kestrel").await, [1]);
    // More than is remembered by number.
    let flood =
        (0..80_u32).map(|n| (0..1_000).map(|m| put(call(10 + n * 1_000 + m, 1, "build", None))).collect());
    flood.for_each(|writes: Vec<Write>| commit(&store, writes));
    commit(&store, vec![arguments(2, "kestrel")]);
    assert_eq!(found(&catalogue, "kestrel -tool:build").await, [1, 2]);
}

#[tokio::test(start_paused = true)]
async fn where_texts_cannot_be_looked_through_it_is_said_and_tried_again() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, catalogue) = begun(dir.path(), &["kestrel"]);
    tests::whole(&catalogue).await;
    let query = catalogue.tasks(&query("kestrel", "started", "none")).unwrap();
    catalogue.0.kept().words.fault = Some(ReadError::TextsFull);
    assert_eq!(
        catalogue.completed::<NarrowTask>(&query).await,
        Err(ReadError::TextsFull),
        "nobody waits for ever"
    );
    let mut moved = catalogue.moved();
    while catalogue.0.kept().words.fault.is_some() {
        moved.changed().await.unwrap();
    }
    assert_eq!(found(&catalogue, "kestrel").await, [1]);
}

#[tokio::test(start_paused = true)]
async fn a_search_that_is_done_before_the_rows_are_read_holds_nobody_up() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, catalogue) = begun(dir.path(), &["kestrel"]);
    tests::whole(&catalogue).await;
    catalogue.0.kept().state = State::Growing;
    let query = catalogue.tasks(&query("kestrel", "started", "none")).unwrap();
    let mut moved = catalogue.moved();
    assert!(!catalogue.window::<NarrowTask>(&query, 0, 500, None).unwrap().complete);
    while !catalogue.0.kept().words.are_whole(ListOf::Tasks, &query.filter) {
        moved.changed().await.unwrap();
    }
    let began = Instant::now();
    catalogue.0.kept().state = State::Complete;
    assert_eq!(found(&catalogue, "kestrel").await, [1]);
    assert!(began.elapsed() < std::time::Duration::from_secs(1), "all of it is known");
}
