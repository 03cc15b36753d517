//! Tasks as documents list them: what one of them keeps must not decide what a list takes.

use signalbox_model::{CallId, Json, Origin, ServerId, Timestamp};
use signalbox_store::{Store, Write};

use super::*;
use crate::local::views::stored::stored;

/// A store with a task for each of these arguments, so many bytes long, and a long result each.
fn kept(arguments: &[usize]) -> (tempfile::TempDir, Store) {
    let mut writes = Vec::new();
    let text = |bytes: usize| Json::of(&"x".repeat(bytes - 2));
    for (id, bytes) in (1..).zip(arguments) {
        let id = CallId(id);
        let call = Call::new(id, ServerId(1), Origin::Started, Timestamp(i64::from(id.0)));
        writes.push(Write::PutCall(Box::new(call)));
        for (kind, bytes) in [(PayloadKind::Arguments, *bytes), (PayloadKind::Result, 3 << 20)] {
            writes.push(Write::PutPayload { call: id, kind, json: text(bytes) });
        }
    }
    stored(writes)
}

fn page(reads: &Reads, offset: u32) -> Page<CallId, TaskEntry> {
    match super::entries(reads, None, offset, 500, None).unwrap().data {
        ViewData::TaskEntries { page } => page,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_page_has_no_more_rows_however_many_are_asked_for() {
    let writes = (1..=501).map(|id| {
        let call = Call::new(CallId(id), ServerId(1), Origin::Started, Timestamp(i64::from(id)));
        Write::PutCall(Box::new(call))
    });
    let (_dir, store) = stored(writes.collect());
    let sight = super::indexed(&store.reads(), 0, u32::MAX, None).unwrap();
    let ViewData::Tasks { page } = sight.data else { panic!("{:?}", sight.data) };
    assert_eq!((page.ids.len(), page.rows.len(), page.total), (500, 500, 501));
}

#[test]
fn long_arguments_make_small_pages_and_are_not_in_them_beyond_a_mebibyte() {
    let (_dir, store) = kept(&[10, 600 << 10, 10, 2 << 20, 600 << 10, 10]);
    let reads = store.reads();
    let first = page(&reads, 0);
    // The newest first.
    assert_eq!((first.ids.as_slice(), first.total), (&[6, 5, 4, 3, 2].map(CallId)[..], 6));
    let rest = page(&reads, 5);
    assert_eq!(rest.ids, [CallId(1)], "the next page begins where it ended");
    let arguments: Vec<_> = first
        .rows
        .iter()
        .map(|entry| entry.arguments.as_ref().map(|info| (info.bytes, info.json.is_some())).unwrap())
        .collect();
    assert_eq!(
        arguments,
        [(10, true), (600 << 10, true), (2 << 20, false), (10, true), (600 << 10, true)],
        "a long one says its size, and comes on its own"
    );
}

#[test]
fn what_a_task_gave_back_is_not_read_for_a_list() {
    let (dir, store) = kept(&[10; 40]);
    // Not one of the results could be read.
    std::fs::remove_dir_all(dir.path().join("payloads")).unwrap();
    let page = page(&store.reads(), 0);
    assert_eq!(page.rows.len(), 40);
    assert!(page.rows.iter().all(|entry| entry.arguments.as_ref().unwrap().fault.is_none()));
}
