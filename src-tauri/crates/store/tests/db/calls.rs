//! The list of calls: order, filters, windows, totals, damaged rows.

use signalbox_model::{Call, CallId, EventKind, Outcome, ServerId, Status, Timestamp};
use signalbox_store::{CallQuery, ReadError, Write};

use crate::samples::{Fixture, call, put_call, put_request, put_server, request, server, task};

/// Calls in every bucket on two servers; `ids` of the list are 6 4 | 5 1 | 3 2.
fn listed() -> Fixture {
    let at = Fixture::new();
    let ended = |id| Call { status: Status::Completed, outcome: Some(Outcome::Ok), ..call(id) };
    let two = ServerId(2);
    let calls = [
        Call { tool: "build".to_owned(), ..call(1) },
        ended(2),
        Call { server: two, open_requests: 3, ..ended(3) },
        Call { open_requests: 1, task: Some(task("same")), ..call(4) },
        Call { server: two, created_at: Timestamp(1), summary: "100%".to_owned(), ..call(5) },
        Call {
            server: two,
            status: Status::InputRequired,
            open_requests: 1,
            task: Some(task("same")),
            ..call(6)
        },
    ];
    at.put([put_server(server(2))].into_iter().chain(calls.map(put_call)));
    at
}

fn ids(at: &Fixture, query: &CallQuery) -> (Vec<u32>, u64) {
    let page = at.store.reads().calls_page(query).unwrap();
    let rows: Vec<_> = page.rows.iter().map(|(call, _)| call.id).collect();
    assert_eq!(rows, page.ids, "the rows are those of the ids, in their order");
    assert_eq!(page.seq, at.store.reads().seq().unwrap());
    (page.ids.iter().map(|id| id.0).collect(), page.total)
}

fn all() -> CallQuery {
    CallQuery { limit: 100, ..CallQuery::default() }
}

#[test]
fn needing_a_person_first_then_working_then_ended_the_newest_first() {
    assert_eq!(ids(&listed(), &all()), (vec![6, 4, 5, 1, 3, 2], 6), "same time: the higher number is newer");
}

#[test]
fn windows_cut_the_same_list_and_keep_the_total() {
    let at = listed();
    assert_eq!(ids(&at, &CallQuery { offset: 1, limit: 3, ..all() }), (vec![4, 5, 1], 6));
    assert_eq!(ids(&at, &CallQuery { offset: 5, limit: 3, ..all() }), (vec![2], 6));
    assert_eq!(ids(&at, &CallQuery { offset: 9, limit: 3, ..all() }), (vec![], 6));
    assert_eq!(ids(&at, &CallQuery { limit: 0, ..all() }), (vec![], 6));
}

#[test]
fn of_one_server_in_the_same_order() {
    let at = listed();
    for (server, expected) in [(1, vec![4, 1, 2]), (2, vec![6, 5, 3]), (9, vec![])] {
        let total = expected.len() as u64;
        let query = CallQuery { server: Some(ServerId(server)), ..all() };
        assert_eq!(ids(&at, &query), (expected, total), "{query:?}");
    }
}

#[test]
fn a_list_can_leave_out_rows_that_did_not_change() {
    let at = listed();
    let seq = at.store.reads().seq().unwrap();
    let since = |since| at.store.reads().calls_page(&CallQuery { since: Some(since), ..all() }).unwrap();
    assert_eq!((since(seq).rows.len(), since(seq).ids.len()), (0, 6), "all ids, and no row that is known");
    assert_eq!(since(0).rows.len(), 6);
    let moved = Call { task: Some(task("t55")), ..call(5) };
    at.put([put_call(moved.clone())]);
    assert_eq!(since(seq).rows, [(moved.clone(), seq + 1)]);
    let told = Call { summary: "in other words".to_owned(), ..moved };
    at.put([put_call(told.clone())]);
    assert_eq!(since(seq).rows, [(told, seq + 2)]);
    assert_eq!(since(seq + 2).rows, []);
}

#[test]
fn calls_are_found_by_either_id() {
    let at = listed();
    let reads = at.store.reads();
    assert_eq!(reads.find_calls("t5").unwrap(), [CallId(5)]);
    assert_eq!(reads.find_calls("same").unwrap(), [CallId(4), CallId(6)], "ambiguous: both are candidates");
    let hidden = Call { task: Some(task("t5")), ..call(7) };
    at.put([put_call(hidden)]);
    assert_eq!(reads.find_calls("t5").unwrap(), [CallId(5)], "no server takes the name of a task of ours");
    assert_eq!(reads.find_calls("sam").unwrap(), [], "exactly");
    assert_eq!(reads.find_calls("").unwrap(), []);
}

#[test]
fn the_engine_starts_from_what_has_not_ended() {
    let at = listed();
    let closed = |id, call| signalbox_model::InputRequest {
        state: signalbox_model::RequestState::Closed,
        ..request(id, call)
    };
    // Of a call that goes on: all. Of one that ended: what is not over.
    at.put([closed(1, 1), request(2, 1), closed(3, 2), request(4, 2)].map(put_request));
    let tools = signalbox_model::Json::parse("[7]").unwrap();
    let told = |at, kind| signalbox_model::Event {
        call: CallId(1),
        at,
        kind,
        request: None,
        text: None,
        note: None,
    };
    at.put([
        Write::PutTools { server: ServerId(2), tools: tools.clone() },
        Write::AddEvent(told(Timestamp(9_999_999_999_999), EventKind::Asked)),
        Write::AddEvent(told(Timestamp(5), EventKind::Ended)),
    ]);
    let at = at.reopen();
    let live = at.store.reads().live().unwrap();
    let calls: Vec<_> = live.calls.iter().map(|call| call.id.0).collect();
    assert_eq!(calls, [6, 4, 5, 1]);
    let requests: Vec<_> = live.requests.iter().map(|request| request.id.0).collect();
    assert_eq!(requests, [1, 2, 4]);
    assert_eq!(live.servers.len(), 2);
    assert_eq!(live.tools, [(ServerId(2), tools)]);
    assert_eq!(live.newest, Some(Timestamp(5)), "the last, whatever clock wrote those before it");
    assert_eq!((live.seq, live.ids), (at.store.reads().seq().unwrap(), at.store.reads().ids().unwrap()));
}

#[test]
fn a_damaged_row_hides_only_itself() {
    let at = listed();
    at.tamper(
        "UPDATE calls SET tracking = 'sideways' WHERE id = 4; UPDATE calls SET seen_at = NULL WHERE id = 6",
    );
    let reads = at.store.reads();
    let page = reads.calls_page(&all()).unwrap();
    assert_eq!((page.ids.len(), page.rows.len()), (6, 4));
    assert_eq!(reads.skipped(), 2, "what is left out is counted");
    assert_eq!(reads.live().unwrap().calls.len(), 2);
    assert!(matches!(reads.call(CallId(4)), Err(ReadError::Damaged(_))), "asked for alone, it is an error");
}
