//! Input requests: identity, the inbox's tabs and their order.

use signalbox_model::{
    Call, CallId, CloseReason, Identity, InputRequest, RequestId, RequestState, Task, Timestamp,
};
use signalbox_store::{CommitError, RequestQuery, Tab};

use crate::samples::{Fixture, call, put_call, put_request, request, task};

fn expiring(id: u32, at: Option<i64>) -> Call {
    Call { task: Some(Task { expires_at: at.map(Timestamp), ..task("x") }), ..call(id) }
}

fn tab(at: &Fixture, tab: Tab) -> (Vec<u32>, u64) {
    let page = at.store.reads().requests_page(&RequestQuery { tab, offset: 0, limit: 100 }).unwrap();
    let rows: Vec<_> = page.rows.iter().map(|(request, _)| request.id).collect();
    assert_eq!(rows, page.ids);
    (page.ids.iter().map(|id| id.0).collect(), page.total)
}

#[test]
fn the_same_question_is_stored_once() {
    let at = Fixture::new();
    at.put([put_call(call(1)), put_call(call(2))]);
    let identities = [
        Identity::Task { call: CallId(1), key: "k".to_owned() },
        Identity::Task { call: CallId(2), key: "k".to_owned() },
        Identity::Task { call: CallId(1), key: "K".to_owned() },
        Identity::Task { call: CallId(1), key: "k".repeat(100_000) },
        Identity::Round { call: CallId(1), n: 1, key: "k".to_owned() },
        Identity::Round { call: CallId(1), n: 2, key: "k".to_owned() },
        Identity::Wire { session: 1, rpc: "k".to_owned() },
    ];
    let of =
        |id, identity: &Identity| put_request(InputRequest { identity: identity.clone(), ..request(id, 1) });
    for (id, identity) in (1..).zip(&identities) {
        at.put([of(id, identity)]);
    }
    for identity in &identities {
        let twice = at.wish([of(99, identity)]);
        assert!(matches!(twice, Err(CommitError::Other(_))), "under another number: {identity:?}");
    }
    assert_eq!(at.store.reads().request(RequestId(99)).unwrap(), None);
    at.put([of(1, &identities[0])]);
    assert_eq!(tab(&at, Tab::All).1, 7, "the same number is the same question, changed");
}

#[test]
fn what_waits_comes_by_deadline_then_age() {
    let at = Fixture::new();
    at.put([expiring(1, None), expiring(2, Some(900)), expiring(3, Some(100))].map(put_call));
    let unassigned = InputRequest { call: None, ..request(5, 1) };
    let held = InputRequest { state: RequestState::Held, ..request(6, 3) };
    let waiting = [request(1, 1), request(2, 2), request(3, 3), request(4, 2), unassigned, held];
    at.put(waiting.map(put_request));
    assert_eq!(tab(&at, Tab::NeedsYou), (vec![3, 6, 2, 4, 1, 5], 6));

    // The server moves the deadline of call 2 before that of call 3, and takes away that of call 3.
    at.put([expiring(2, Some(50)), expiring(3, None)].map(put_call));
    assert_eq!(tab(&at, Tab::NeedsYou), (vec![2, 4, 1, 3, 5, 6], 6), "deadlines follow their task");

    // A question without a call is assigned to one.
    let moved = InputRequest { call: Some(CallId(2)), ..request(5, 1) };
    at.put([put_request(moved)]);
    assert_eq!(tab(&at, Tab::NeedsYou), (vec![2, 4, 5, 1, 3, 6], 6));
}

#[test]
fn what_is_over_comes_the_last_closed_first() {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    let over = |id, state, closed_at: i64| InputRequest {
        state,
        closed_at: Some(Timestamp(closed_at)),
        ..request(id, 1)
    };
    let requests = [
        over(1, RequestState::Answered, 10),
        over(2, RequestState::Closed, 30),
        over(3, RequestState::Answered, 20),
        request(4, 1),
        InputRequest { state: RequestState::Sending, ..request(5, 1) },
    ];
    at.put(requests.map(put_request));
    assert_eq!(tab(&at, Tab::Answered), (vec![2, 3, 1], 3));
    assert_eq!(tab(&at, Tab::NeedsYou), (vec![4, 5], 2), "an answer on its way stays where it was given");
    assert_eq!(tab(&at, Tab::All), (vec![5, 4, 3, 2, 1], 5));
    let page = at.store.reads().requests_page(&RequestQuery { tab: Tab::All, offset: 1, limit: 2 }).unwrap();
    assert_eq!((page.ids, page.total), (vec![RequestId(4), RequestId(3)], 5));
}

#[test]
fn what_is_stranded_stands_below_what_waits_until_it_is_put_away() {
    let at = Fixture::new();
    at.put([expiring(1, Some(100)), call(2)].map(put_call));
    let stranded = |id, state, of: u32, opened_at: i64| InputRequest {
        state,
        opened_at: Timestamp(opened_at),
        closed_at: Some(Timestamp(99)),
        ..request(id, of)
    };
    let cut_off = stranded(3, RequestState::Unknown, 1, 20);
    let orphan = stranded(2, RequestState::Orphaned, 1, 10);
    let newer = stranded(1, RequestState::Orphaned, 2, 30);
    let unsure = InputRequest { state: RequestState::Unknown, ..request(5, 2) };
    at.put([cut_off, orphan.clone(), newer, request(4, 2), unsure].map(put_request));
    assert_eq!(tab(&at, Tab::NeedsYou), (vec![4, 5, 2, 3, 1], 5), "the oldest first, whatever its deadline");
    assert_eq!(tab(&at, Tab::Answered), (vec![], 0));
    let counts = at.store.reads().counts().unwrap();
    assert_eq!((counts.needs_you, counts.stranded, counts.settled), (2, 3, 0));
    let of_server: u64 = counts.servers.values().map(|share| share.requests).sum();
    assert_eq!(of_server, 2, "a badge counts what can be decided");
    for (offset, window) in [(0, vec![4, 5]), (1, vec![5, 2]), (2, vec![2, 3]), (4, vec![1]), (5, vec![])] {
        let query = RequestQuery { tab: Tab::NeedsYou, offset, limit: 2 };
        let page = at.store.reads().requests_page(&query).unwrap();
        assert_eq!(
            (page.ids.iter().map(|id| id.0).collect::<Vec<_>>(), page.total),
            (window, 5),
            "from {offset}"
        );
    }
    let away = InputRequest { state: RequestState::Closed, reason: Some(CloseReason::PutAway), ..orphan };
    at.put([put_request(away)]);
    assert_eq!((tab(&at, Tab::NeedsYou), tab(&at, Tab::Answered)), ((vec![4, 5, 3, 1], 4), (vec![2], 1)));
}
