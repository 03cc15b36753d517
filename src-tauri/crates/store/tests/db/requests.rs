//! Input requests: identity, the inbox's tabs and their order. Longer than most: a question's life decides all three.

use signalbox_model::{
    Action, Answer, Attention, Call, CallId, CloseReason, Hosted, Identity, InputRequest, Mode, Outcome,
    RequestId, RequestState, ServerId, Snooze, Snoozed, Task, Timestamp,
};
use signalbox_store::{CommitError, RequestQuery, Text, Undecided, WhichRequests, Write};

use crate::samples::{Fixture, call, json, put_call, put_request, put_server, request, server, task};

fn expiring(id: u32, at: Option<i64>) -> Call {
    Call { task: Some(Task { expires_at: at.map(Timestamp), ..task("x") }), ..call(id) }
}

fn ids(at: &Fixture, list: WhichRequests) -> (Vec<u32>, u64) {
    let page = at
        .store
        .reads()
        .requests_page(&RequestQuery { list, offset: 0, limit: 100, ..RequestQuery::default() })
        .unwrap();
    let rows: Vec<_> = page.rows.iter().map(|((line, _), _)| line.id).collect();
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
    assert_eq!(ids(&at, WhichRequests::All).1, 7, "the same number is the same question, changed");
}

#[test]
fn a_question_that_comes_without_what_it_asks_keeps_it() {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    let asked = InputRequest {
        schema: Some(json(r#"{"type":"object"}"#)),
        url: Some("https://a.example/".to_owned()),
        raw: json(r#"{"params":1}"#),
        ..request(1, 1)
    };
    let mut over =
        InputRequest { state: RequestState::Closed, closed_at: Some(Timestamp(9)), ..asked.clone() };
    at.put([put_request(asked)]);
    let whole = over.clone();
    over.strip();
    assert!(over.is_bare() && over.message.is_empty(), "{over:?}");
    at.put([put_request(over)]);
    let stored = || at.store.reads().request(RequestId(1)).unwrap().unwrap().0;
    assert_eq!(stored(), whole, "the row has what it asks");
    let anew = InputRequest { message: "Anew?".to_owned(), schema: None, url: None, ..whole };
    at.put([put_request(anew.clone())]);
    assert_eq!(stored(), anew, "what comes whole takes its place");
}

#[test]
fn a_start_takes_nothing_of_what_closed_into_memory_but_who_it_was() {
    let at = Fixture::new();
    let ended = Call { outcome: Some(Outcome::Ok), ended_at: Some(Timestamp(1)), ..call(2) };
    at.put([put_call(call(1)), put_call(ended)]);
    let closed = |id, call| InputRequest { state: RequestState::Closed, ..request(id, call) };
    let answered = InputRequest { state: RequestState::Answered, ..request(2, 1) };
    let typed = InputRequest { draft: Some(json("1")), ..closed(3, 1) };
    at.put([closed(1, 1), answered, typed, closed(4, 2), request(5, 1)].map(put_request));
    let live = at.store.reads().live().unwrap();
    let bare = live.requests.iter().map(|request| (request.id.0, request.is_bare()));
    assert_eq!(bare.collect::<Vec<_>>(), [(1, true), (2, false), (3, true), (5, false)]);
    let Identity::Task { key, .. } = &live.requests[0].identity else { panic!("as it was asked") };
    assert_eq!((key.as_str(), live.requests[0].state), ("key 1", RequestState::Closed));
    let bytes = ("key 1".len() + "Go on?".len() + "{}".len()) as u64;
    assert_eq!(live.undecided, [Undecided { request: RequestId(1), call: CallId(1), bytes }]);
}

#[test]
fn a_start_leaves_long_questions_to_the_store_and_knows_their_bytes() {
    let at = Fixture::new();
    let raw = json(&format!(r#"{{"params":"{}"}}"#, "q".repeat(10_000)));
    let long = |id| InputRequest { raw: raw.clone(), ..request(id, 1) };
    let page = InputRequest { mode: Mode::Url, url: Some("https://a.example/".to_owned()), ..long(2) };
    let on_wire = InputRequest { identity: Identity::Wire { session: 1, rpc: "7".to_owned() }, ..long(3) };
    let answer = Answer { taken_at: None, ..Answer::new(Action::Decline, Timestamp(5)) };
    let answered = InputRequest { state: RequestState::Answered, answer: Some(answer), ..long(4) };
    at.put([put_call(call(1))]);
    at.put([long(1), page, on_wire, answered, request(5, 1)].map(put_request));
    let live = at.store.reads().live().unwrap();
    let bare = live.requests.iter().map(|request| (request.id.0, request.is_bare()));
    let expected = [(1, true), (2, true), (3, false), (4, true), (5, false)];
    assert_eq!(
        bare.collect::<Vec<_>>(),
        expected,
        "what was asked on a connection tells what is asked again"
    );
    assert_eq!(live.requests[1].url.as_deref(), Some("https://a.example/"), "a page can be opened again");
    let bytes = (raw.text().len() + "Go on?".len()) as u64;
    let mut stored: Vec<_> = live.stored.into_iter().collect();
    stored.sort_unstable();
    assert!(stored.iter().all(|(_, of)| (bytes..bytes + 100).contains(of)), "{stored:?}, about {bytes} each");
    assert_eq!(stored.iter().map(|(id, _)| id.0).collect::<Vec<_>>(), [1, 2, 4]);
}

#[test]
fn only_what_closed_and_nobody_began_to_answer_is_let_go() {
    let at = Fixture::new();
    let before = at.put([put_call(call(1))]);
    let closed = |id| InputRequest { state: RequestState::Closed, ..request(id, 1) };
    let answer = Answer::new(Action::Decline, Timestamp(5));
    let all = [
        closed(1),
        request(2, 1),
        InputRequest { answer: Some(answer), ..closed(3) },
        InputRequest { draft: Some(json("1")), ..closed(4) },
        InputRequest { visited_at: Some(Timestamp(5)), ..closed(5) },
        InputRequest { state: RequestState::Orphaned, ..request(6, 1) },
        InputRequest { call: None, ..closed(7) },
    ];
    at.put(all.map(put_request));
    at.put((1..=7).map(|id| Write::DropRequest(RequestId(id))));
    let (mut left, n) = ids(&at, WhichRequests::All);
    left.sort_unstable();
    assert_eq!((left, n), (vec![2, 3, 4, 5, 6], 5), "and the count is right");
    assert!(
        at.store.reads().call(CallId(1)).unwrap().unwrap().1 > before + 1,
        "who looks at its task hears of it"
    );
}

#[test]
fn what_an_answered_one_asked_can_go_and_its_answer_stays() {
    let at = Fixture::new();
    let answer =
        Answer { content: Some(json(r#"{"roots":[]}"#)), ..Answer::new(Action::Accept, Timestamp(5)) };
    let answered =
        InputRequest { state: RequestState::Answered, answer: Some(answer.clone()), ..request(1, 1) };
    at.put([put_call(call(1)), put_request(answered), put_request(request(2, 1))]);
    at.put([Write::DropAsked(RequestId(1)), Write::DropAsked(RequestId(2))]);
    let read = |id| at.store.reads().request(RequestId(id)).unwrap().unwrap().0;
    assert_eq!((read(1).raw.text(), read(1).schema, read(1).answer), ("null", None, Some(answer)));
    assert_eq!(read(2).raw, request(2, 1).raw, "what waits for a person keeps its words");
}

#[test]
fn what_waits_comes_by_deadline_then_age() {
    let at = Fixture::new();
    at.put([expiring(1, None), expiring(2, Some(900)), expiring(3, Some(100))].map(put_call));
    let unassigned = InputRequest { call: None, ..request(5, 1) };
    let held = InputRequest { state: RequestState::Held, ..request(6, 3) };
    let waiting = [request(1, 1), request(2, 2), request(3, 3), request(4, 2), unassigned, held];
    at.put(waiting.map(put_request));
    assert_eq!(ids(&at, WhichRequests::Waiting), (vec![3, 6, 2, 4, 1, 5], 6));

    // The server moves the deadline of call 2 before that of call 3, and takes away that of call 3.
    at.put([expiring(2, Some(50)), expiring(3, None)].map(put_call));
    assert_eq!(ids(&at, WhichRequests::Waiting), (vec![2, 4, 1, 3, 5, 6], 6), "deadlines follow their task");

    // A question without a call is assigned to one.
    let moved = InputRequest { call: Some(CallId(2)), ..request(5, 1) };
    at.put([put_request(moved)]);
    assert_eq!(ids(&at, WhichRequests::Waiting), (vec![2, 4, 5, 1, 3, 6], 6));
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
    assert_eq!(ids(&at, WhichRequests::Answered), (vec![2, 3, 1], 3));
    assert_eq!(
        ids(&at, WhichRequests::Waiting),
        (vec![4, 5], 2),
        "an answer on its way stays where it was given"
    );
    assert_eq!(ids(&at, WhichRequests::All), (vec![5, 4, 3, 2, 1], 5));
    let page = at
        .store
        .reads()
        .requests_page(&RequestQuery {
            list: WhichRequests::All,
            offset: 1,
            limit: 2,
            ..RequestQuery::default()
        })
        .unwrap();
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
    assert_eq!(
        ids(&at, WhichRequests::Waiting),
        (vec![4, 5, 2, 3, 1], 5),
        "the oldest first, whatever its deadline"
    );
    assert_eq!(ids(&at, WhichRequests::NeedsYou), (vec![4, 5], 2), "it needs nobody");
    assert_eq!(ids(&at, WhichRequests::Answered), (vec![3, 2, 1], 3), "the newest first, by its number");
    let counts = at.store.reads().counts().unwrap();
    assert_eq!((counts.needs_you, counts.stranded, counts.settled), (2, 3, 0));
    let of_server: u64 = counts.servers.values().map(|share| share.requests).sum();
    assert_eq!(of_server, 2, "a badge counts what can be decided");
    for (offset, window) in [(0, vec![4, 5]), (1, vec![5, 2]), (2, vec![2, 3]), (4, vec![1]), (5, vec![])] {
        let query =
            RequestQuery { list: WhichRequests::Waiting, offset, limit: 2, ..RequestQuery::default() };
        let page = at.store.reads().requests_page(&query).unwrap();
        assert_eq!(
            (page.ids.iter().map(|id| id.0).collect::<Vec<_>>(), page.total),
            (window, 5),
            "from {offset}"
        );
    }
    let away = InputRequest { state: RequestState::Closed, reason: Some(CloseReason::PutAway), ..orphan };
    at.put([put_request(away)]);
    assert_eq!(
        (ids(&at, WhichRequests::Waiting), ids(&at, WhichRequests::Answered)),
        ((vec![4, 5, 3, 1], 4), (vec![3, 1, 2], 3)),
        "what was put away stands below the others"
    );
}

#[test]
fn what_is_put_off_stands_apart_and_is_counted_apart() {
    let at = Fixture::new();
    at.put([expiring(1, Some(100)), call(2)].map(put_call));
    let snoozed = Some(Snoozed { until: Snooze::At { at: Timestamp(7) }, task_seen_at: Some(Timestamp(3)) });
    let off = InputRequest { wants: Attention::Snoozed, snoozed, ..request(1, 1) };
    at.put([off.clone(), request(2, 2)].map(put_request));
    let reads = at.store.reads();
    let counts = || {
        let counts = reads.counts().unwrap();
        (counts.needs_you, counts.expiring, counts.snoozed, counts.on_the_way)
    };
    assert_eq!(ids(&at, WhichRequests::NeedsYou), (vec![2], 1));
    assert_eq!(ids(&at, WhichRequests::Waiting), (vec![2, 1], 2), "it waits all the same");
    assert_eq!(ids(&at, WhichRequests::All), (vec![2, 1], 2));
    assert_eq!(counts(), (1, 0, 1, 0));
    assert_eq!(reads.request(RequestId(1)).unwrap().unwrap().0, off, "it comes back as it was");
    let held = InputRequest { state: RequestState::Held, ..off.clone() };
    at.put([put_request(held)]);
    assert_eq!(counts(), (1, 0, 0, 1), "what is answered is put off no more, whatever it wanted before");
    assert_eq!(reads.request(RequestId(1)).unwrap().unwrap().0.attention(), Attention::None);
    at.put([put_request(InputRequest { wants: Attention::Expiring, ..off })]);
    assert_eq!((counts(), ids(&at, WhichRequests::NeedsYou)), ((2, 1, 0, 0), (vec![1, 2], 2)));
    assert_eq!(reads.check(), Ok(vec![]));
}

#[test]
fn the_earlier_one_of_two_deadlines_counts() {
    let at = Fixture::new();
    at.put([expiring(1, Some(500)), call(2)].map(put_call));
    let own = |id, of, at: i64| InputRequest { expires_at: Some(Timestamp(at)), ..request(id, of) };
    let ends = || -> Vec<Option<i64>> {
        let read = at.store.reads().request_briefs_of([1, 2, 3].map(RequestId)).unwrap();
        read.into_iter().map(|(brief, _)| brief.expires_at.map(|at| at.0)).collect()
    };
    at.put([own(1, 1, 300), own(2, 1, 700), own(3, 2, 400)].map(put_request));
    assert_eq!(ends(), [Some(300), Some(500), Some(400)]);
    at.put([put_call(expiring(1, Some(200)))]);
    assert_eq!(ends(), [Some(200), Some(200), Some(400)], "deadlines follow their task");
    at.put([put_call(expiring(1, None)), put_request(own(3, 2, 450))]);
    assert_eq!(ends(), [Some(300), Some(700), Some(450)]);
}

/// A call with 3,000 questions, of which the last 500 are open: so many are as a server asks under new keys all the time. Each
/// comes with much raw JSON.
fn flooded(call_id: u32, first: u32) -> Vec<Write> {
    let raw = json(&format!("\"{}\"", "r".repeat(10_000)));
    let asked = (first..first + 3_000).map(|id| {
        let closed = id < first + 2_500;
        // Not in the order in which they were asked.
        let closed_at = closed.then(|| Timestamp(10_000 - i64::from(id)));
        let state = if closed { RequestState::Closed } else { RequestState::Open };
        put_request(InputRequest { raw: raw.clone(), closed_at, state, ..request(id, call_id) })
    });
    std::iter::once(put_call(call(call_id))).chain(asked).collect()
}

#[test]
fn a_window_of_a_calls_questions_reads_no_row_beside_it() {
    let at = Fixture::new();
    at.put(flooded(1, 1));
    at.put(flooded(2, 5_001));
    let reads = at.store.reads();
    let window = |list, offset, limit, text| {
        let before = reads.rows_read();
        let query = RequestQuery { list, offset, limit, text, bytes: None };
        let page = reads.requests_page(&query).unwrap();
        (page, reads.rows_read() - before)
    };
    let numbers = |ids: &[RequestId]| ids.iter().map(|id| id.0).collect::<Vec<_>>();

    let (open, read) = window(WhichRequests::Open(CallId(1)), 0, 100, Text::Schema);
    assert_eq!((numbers(&open.ids), open.total), ((2_501..2_601).collect(), 500), "the oldest first");
    assert!(read < 250, "its ids, its rows and some counts: {read} rows");
    let (line, text) = &open.rows[0].0;
    assert_eq!((line.message.as_str(), &text.raw, &text.draft), ("Go on?", &None, &None), "nothing unasked");

    let (closed, read) = window(WhichRequests::Closed(CallId(2)), 10, 10, Text::All);
    assert_eq!(
        (numbers(&closed.ids), closed.total),
        ((5_011..5_021).collect(), 2_500),
        "the last closed first"
    );
    assert!(read < 40, "{read} rows");
    assert_eq!(closed.rows[0].0.1.raw.as_ref().unwrap().text().len(), 10_002);

    let (behind, read) = window(WhichRequests::Behind(RequestId(5_003)), 1, 3, Text::None);
    assert_eq!((numbers(&behind.ids), behind.total), (vec![5_001, 3_000, 2_999], 3_002), "the newest first");
    assert!(read < 20, "{read} rows");
    assert_eq!(window(WhichRequests::Behind(RequestId(9)), 0, 3, Text::None).0.ids, [8, 7, 6].map(RequestId));

    let before = reads.rows_read();
    assert_eq!(numbers(&reads.waiting_of(CallId(2), 3).unwrap()), [7_501, 7_502, 7_503]);
    assert_eq!(reads.rows_read() - before, 3);
}

#[test]
fn a_window_ends_where_its_texts_get_long() {
    let at = Fixture::new();
    at.put(flooded(1, 1));
    let query = RequestQuery { list: WhichRequests::Open(CallId(1)), limit: 100, ..RequestQuery::default() };
    let ids = |bytes, text| {
        at.store.reads().requests_page(&RequestQuery { bytes: Some(bytes), text, ..query }).unwrap().ids.len()
    };
    assert_eq!(ids(25_000, Text::All), 3, "with what is read of each");
    assert_eq!(ids(25_000, Text::None), 100);
    assert_eq!(ids(1, Text::None), 1, "one at least, or nobody could ever go on");
}

#[test]
fn what_waits_of_a_call_comes_before_what_is_on_its_way_and_what_is_stranded() {
    let at = Fixture::new();
    at.put([put_call(call(1))]);
    let stands = |id, state| put_request(InputRequest { state, ..request(id, 1) });
    at.put([
        stands(1, RequestState::Orphaned),
        stands(2, RequestState::Held),
        stands(3, RequestState::Refused),
        stands(4, RequestState::Answered),
        stands(5, RequestState::Open),
    ]);
    assert_eq!(ids(&at, WhichRequests::Open(CallId(1))), (vec![3, 5, 2, 1], 4));
    assert_eq!(ids(&at, WhichRequests::Closed(CallId(1))), (vec![4], 1));
    assert_eq!(at.store.reads().waiting_of(CallId(1), 9).unwrap(), [3, 5].map(RequestId));
}

#[test]
fn of_a_round_only_its_own_questions_are_read() {
    let at = Fixture::new();
    at.put(flooded(1, 1));
    let of_round = |id, n, state| {
        let identity = Identity::Round { call: CallId(1), n, key: format!("{}", 9_999 - id) };
        put_request(InputRequest { identity, state, ..request(id, 1) })
    };
    at.put([
        of_round(4_001, 1, RequestState::Answered),
        of_round(4_002, 2, RequestState::Held),
        of_round(4_003, 2, RequestState::Sending),
        of_round(4_004, 2, RequestState::Open),
    ]);
    let reads = at.store.reads();
    let before = reads.rows_read();
    let members = reads.members(CallId(1), 2).unwrap();
    let members: Vec<_> = members.iter().map(|member| (member.id.0, member.undecided())).collect();
    assert_eq!(members, [(4_002, true), (4_003, false), (4_004, true)], "in the server's order, not by key");
    assert_eq!(reads.rows_read() - before, 3);
}

#[test]
fn earlier_answers_to_the_same_question_are_found_the_last_one_first() {
    let at = Fixture::new();
    let of_tool = |id, tool: &str| put_call(Call { tool: tool.to_owned(), ..call(id) });
    at.put([of_tool(1, "deploy"), of_tool(2, "deploy"), of_tool(3, "build"), put_server(server(2))]);
    at.put([put_call(Call { tool: "deploy".to_owned(), server: ServerId(2), ..call(4) })]);
    let message = format!("{}{}", "Approve this deployment? ".repeat(4), "to production");
    let asked = |id, of| InputRequest { message: message.clone(), ..request(id, of) };
    let answered = |id, of: u32, closed_at| InputRequest {
        state: RequestState::Answered,
        closed_at: Some(Timestamp(closed_at)),
        answer: Some(Answer { content: Some(json("{}")), ..Answer::new(Action::Accept, Timestamp(1)) }),
        ..asked(id, of)
    };
    let open = asked(1, 1);
    let others = [
        open.clone(),
        answered(2, 1, 20),
        answered(3, 2, 30),
        answered(4, 3, 40),
        InputRequest { server: ServerId(2), ..answered(5, 4, 50) },
        InputRequest { message: message.replace("production", "staging"), ..answered(6, 1, 60) },
        InputRequest { method: "another/method".to_owned(), ..answered(7, 1, 70) },
        InputRequest { answer: None, state: RequestState::Closed, ..answered(8, 1, 80) },
        asked(9, 2),
    ];
    at.put(others.map(put_request));
    let found = |request: &InputRequest, limit, bytes| {
        let lines = at.store.reads().answered_alike(request, limit, bytes).unwrap();
        lines.into_iter().map(|line| line.id.0).collect::<Vec<_>>()
    };
    assert_eq!(found(&open, 5, 1 << 20), [3, 2], "of this server and tool alone, in the same words");
    assert_eq!(found(&answered(3, 2, 30), 5, 1 << 20), [2], "itself is no earlier one");
    assert_eq!(found(&open, 1, 1 << 20), [3]);
    assert_eq!(found(&open, 5, 1), [3], "however long they are");
    let line = at.store.reads().answered_alike(&open, 1, 1).unwrap().remove(0);
    assert_eq!(line.answer.and_then(|answer| answer.content), Some(json("{}")), "with what was said");
    let many = (20..3_020).map(|id| InputRequest { message: id.to_string(), ..answered(id, 1, id.into()) });
    at.put(many.map(put_request));
    let before = at.store.reads().rows_read();
    assert_eq!(found(&open, 5, 1 << 20), [3, 2]);
    assert!(at.store.reads().rows_read() - before < 9, "whatever else was answered");
}

#[test]
fn a_line_says_all_but_the_long_parts() {
    let at = Fixture::new();
    let raw = json(r#"{"params":{"task":{"ttl":60000}}}"#);
    let hosted = InputRequest {
        hosted: Some(Hosted::new("ours".to_owned())),
        draft: Some(json("{}")),
        schema: Some(json(r#"{"type":"object"}"#)),
        raw: raw.clone(),
        expires_at: Some(Timestamp(61_000)),
        ..request(1, 1)
    };
    let plain = InputRequest { hosted: None, draft: None, ..hosted.clone() };
    at.put([put_call(call(1)), put_request(hosted.clone())]);
    at.put([put_request(InputRequest { identity: request(2, 1).identity, id: RequestId(2), ..plain })]);
    let query = RequestQuery { list: WhichRequests::Open(CallId(1)), limit: 9, ..RequestQuery::default() };
    let read = |text| {
        let page = at.store.reads().requests_page(&RequestQuery { text, ..query }).unwrap();
        page.rows.into_iter().map(|(row, _)| row).collect::<Vec<_>>()
    };
    let [(first, none), (second, _)] = read(Text::None).try_into().unwrap();
    assert_eq!(first, (&hosted).into());
    assert_eq!((none.schema, none.raw, none.draft), (None, None, None));
    assert_eq!((first.expires_at, second.has_draft), (Some(Timestamp(61_000)), false));
    let (_, all) = read(Text::All).swap_remove(0);
    assert_eq!((all.schema, all.raw, all.draft), (hosted.schema, Some(raw), hosted.draft));
    let (_, brief) = read(Text::Schema).swap_remove(0);
    assert!(brief.schema.is_some() && brief.raw.is_none());
}

#[test]
fn a_row_of_a_list_has_the_beginning_of_its_message() {
    let at = Fixture::new();
    let long = "ä".repeat(321);
    let answered = InputRequest {
        message: long.clone(),
        answer: Some(Answer { content: Some(json("{}")), ..Answer::new(Action::Accept, Timestamp(5)) }),
        ..request(1, 1)
    };
    let short = InputRequest {
        message: "ä".repeat(320),
        id: RequestId(2),
        identity: request(2, 1).identity,
        ..request(1, 1)
    };
    // SQLite takes a NUL for the end where it counts characters.
    let odd = InputRequest {
        message: format!("a\0{}", "b".repeat(9_000)),
        id: RequestId(3),
        identity: request(3, 1).identity,
        ..request(1, 1)
    };
    at.put([put_call(call(1)), put_request(answered), put_request(short.clone()), put_request(odd)]);
    let all = [1, 2, 3].map(RequestId);
    let (rows, _) = at.store.reads().lines_of(&all, Text::Row, None).unwrap();
    let [((first, _), _), ((second, _), _), ((odd, _), _)] = rows.try_into().unwrap();
    assert!(odd.message.chars().count() <= 321 && odd.message.ends_with('…'), "{:?}", odd.message);
    assert_eq!(first.message, format!("{}…", "ä".repeat(320)));
    assert!(first.answer.is_some_and(|answer| answer.content.is_none() && answer.action == Action::Accept));
    assert_eq!(second, (&short).into(), "all of it is there");
}

#[test]
fn a_brief_changes_with_the_deadline_of_its_task() {
    let at = Fixture::new();
    at.put([put_call(Call { task: Some(task("a")), ..call(1) }), put_request(request(1, 1))]);
    let expiring = Task { expires_at: Some(Timestamp(9)), ..task("a") };
    let seq = at.put([put_call(Call { task: Some(expiring), ..call(1) })]);
    let briefs = at.store.reads().request_briefs_of([RequestId(1)]).unwrap();
    let found: Vec<_> = briefs.iter().map(|(brief, changed)| (brief.expires_at, *changed)).collect();
    assert_eq!(found, [(Some(Timestamp(9)), seq)], "whoever shows the old one is given it anew");
}
