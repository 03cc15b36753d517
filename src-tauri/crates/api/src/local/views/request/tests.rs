//! What hosts are shown of every kind of question there can be.

use signalbox_model::{
    Action, Actor, Answer, CallId, CloseReason, Decision, DecisionKind, ELICITATION, Json, Origin, ROOTS,
    RequestState, SAMPLING, ServerId, Status, Task, Timestamp,
};
use signalbox_store::{RequestQuery, Touched, WhichRequests, Write};

use super::*;
use crate::local::views::stored::stored;

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn call(id: CallId) -> Call {
    Call {
        delivery: Delivery::Answered,
        status: Status::InputRequired,
        ..Call::new(id, ServerId(1), Origin::Started, Timestamp(1))
    }
}

/// Its call, and the round it was asked in: the first of each is about pages, the second asks.
fn around_it(request: &InputRequest) -> Vec<Write> {
    let Some(id) = request.call else { return Vec::new() };
    let mut writes = vec![Write::PutCall(Box::new(call(id)))];
    if let Identity::Round { n, .. } = request.identity {
        let pages = r#"{"code":-32042,"message":"first","data":{"elicitations":[]}}"#;
        let questions = r#"{"resultType":"input_required","inputRequests":{"k":{}}}"#;
        let raw = json(if n == 1 { pages } else { questions });
        writes.push(Write::PutRound { call: id, n, request_state: None, raw, ttl_ms: None });
    }
    writes
}

/// Every identity, method, mode and state; rounds as questions and as pages before a call; answered, sent and cut off, or not.
fn all() -> Vec<InputRequest> {
    let identities: [fn(CallId) -> Identity; 4] = [
        |call| Identity::Task { call, key: "k".to_owned() },
        |call| Identity::Round { call, n: 1, key: "k".to_owned() },
        |call| Identity::Round { call, n: 2, key: "k".to_owned() },
        |call| Identity::Wire { session: 1, rpc: call.to_string() },
    ];
    let mut all = Vec::new();
    for identity in identities {
        for method in [ELICITATION, SAMPLING, ROOTS, "future/ask"] {
            for mode in [Mode::Form, Mode::Url, Mode::Other] {
                for state in RequestState::ALL {
                    for (sent, closed) in [(false, false), (true, false), (true, true)] {
                        let id = u32::try_from(all.len()).unwrap() + 1;
                        let mut answer = Answer::new(Action::Accept, Timestamp(2));
                        answer.sent_at = sent.then_some(Timestamp(3));
                        let answered = !matches!(state, RequestState::Open | RequestState::Orphaned);
                        let identity = identity(CallId(id));
                        all.push(InputRequest {
                            call: Some(CallId(id)),
                            method: method.to_owned(),
                            mode,
                            url: (mode == Mode::Url).then(|| "https://a.example/".to_owned()),
                            raw: json(&format!(r#"{{"method":"{method}","params":{{"messages":["?"]}}}}"#)),
                            state,
                            reason: (state == RequestState::Closed).then_some(CloseReason::TaskEnded),
                            closed_at: closed.then_some(Timestamp(4)),
                            answer: answered.then_some(answer),
                            ..InputRequest::new(RequestId(id), ServerId(1), identity, Timestamp(1))
                        });
                    }
                }
            }
        }
    }
    all
}

fn detail(reads: &Reads, id: RequestId) -> RequestDetail {
    match super::request(reads, id, None).unwrap().data {
        ViewData::Request { request: Some(detail) } => *detail,
        other => panic!("the question is not there: {other:?}"),
    }
}

#[test]
fn to_every_question_in_view_something_can_be_done_or_there_is_a_reason_in_words() {
    let all = all();
    let mut writes: Vec<_> = all.iter().flat_map(around_it).collect();
    writes.extend(all.iter().cloned().map(|request| Write::PutRequest(Box::new(request))));
    let (_dir, store) = stored(writes);
    let reads = store.reads();
    let (mut decidable, mut listed) = (0, Vec::new());
    for request in &all {
        let detail = detail(&reads, request.id);
        let ways = detail.ways;
        let can_decide = ways.accept.is_some() || ways.decline.is_some() || ways.dismiss.is_some();
        let why = ways.settled.map(|settled| settled.text());
        assert!(can_decide != why.is_some(), "one of the two: {request:?}");
        assert!(why.is_none_or(|why| why.len() > 5), "in words: {request:?}");
        assert!(ways.decline.is_none_or(|no| no.text().len() > 5), "{request:?}");
        let paged = matches!(request.identity, Identity::Round { n: 1, .. }) && request.mode == Mode::Url;
        assert_eq!(detail.round.is_some_and(|round| round.paged), paged, "{request:?}");
        let sampling = request.method == SAMPLING;
        assert_eq!(detail.sampling.is_some(), sampling, "all that a model would be asked: {request:?}");
        assert_eq!(detail.row.stranded, ways.put_away, "below the others, and can be put away: {request:?}");
        decidable += u64::from(can_decide);
        if !matches!(request.state, RequestState::Answered | RequestState::Closed) {
            listed.push(request.id);
        }
    }
    let counts = reads.counts().unwrap();
    assert_eq!(counts.needs_you, decidable, "a badge of N means N questions that can be acted on");
    let all = RequestQuery { list: WhichRequests::Waiting, limit: 10_000, ..RequestQuery::default() };
    let page = reads.requests_page(&all).unwrap();
    let mut ids = page.ids.clone();
    ids.sort_unstable();
    assert_eq!(ids, listed, "all that is not over is listed");
    let stranded: Vec<bool> = page.rows.iter().map(|((line, _), _)| line.stranded()).collect();
    assert!(stranded.is_sorted(), "what is stranded stands below the others");
}

#[test]
fn a_question_can_wait_for_its_task_from_the_moment_there_is_one() {
    let asked = InputRequest {
        call: Some(CallId(1)),
        ..InputRequest::new(
            RequestId(1),
            ServerId(1),
            Identity::Wire { session: 1, rpc: "1".to_owned() },
            Timestamp(1),
        )
    };
    let without = vec![Write::PutCall(Box::new(call(CallId(1)))), Write::PutRequest(Box::new(asked))];
    let (_dir, store) = stored(without.clone());
    let shown = super::request(&store.reads(), RequestId(1), None).unwrap();
    assert!(!detail(&store.reads(), RequestId(1)).has_task, "of a call without a task nothing is told");
    let task = Task {
        task_id: "build-1".to_owned(),
        status_message: None,
        created_at: None,
        last_updated_at: None,
        ttl_ms: None,
        unlimited: None,
        poll_interval_ms: None,
        expires_at: None,
        seen_at: Timestamp(2),
    };
    let came = Write::PutCall(Box::new(Call { task: Some(task), ..call(CallId(1)) }));
    let (_dir, store) = stored([without, vec![came]].concat());
    assert!(detail(&store.reads(), RequestId(1)).has_task);
    let touched = Touched { calls: [CallId(1)].into(), ..Touched::default() };
    assert!(shown.about.is_touched(&touched), "and whoever looks at the question hears of it");
}

#[test]
fn who_decided_is_said() {
    let by_rule =
        all().into_iter().find(|request| request.method == ROOTS && request.answer.is_some()).unwrap();
    let declined =
        InputRequest { answer: Some(Answer::new(Action::Decline, Timestamp(2))), ..by_rule.clone() };
    let by_person = InputRequest { method: ELICITATION.to_owned(), ..by_rule.clone() };
    let open = InputRequest { answer: None, ..by_rule.clone() };
    let by = |request: &InputRequest| rows::request(&request.into(), None, None).decided_by;
    use signalbox_model::Actor::{Person, Signalbox};
    let all = [&by_rule, &declined, &by_person, &open].map(by);
    assert_eq!(all, [Some(Signalbox), Some(Person), Some(Person), None]);
}

/// A page that call 1 asked for; decided on then.
fn page(id: u32, url: &str, opened_at: i64, decided_at: Option<i64>) -> InputRequest {
    let identity = Identity::Task { call: CallId(1), key: id.to_string() };
    InputRequest {
        call: Some(CallId(1)),
        method: ELICITATION.to_owned(),
        mode: Mode::Url,
        url: Some(url.to_owned()),
        state: if decided_at.is_some() { RequestState::Answered } else { RequestState::Open },
        closed_at: decided_at.map(Timestamp),
        answer: decided_at.map(|at| Answer::new(Action::Accept, Timestamp(at))),
        ..InputRequest::new(RequestId(id), ServerId(1), identity, Timestamp(opened_at))
    }
}

/// When pages at the host of this question were asked for before.
fn asked_before(pages: Vec<InputRequest>, id: u32) -> Vec<i64> {
    let mut writes = vec![Write::PutCall(Box::new(call(CallId(1))))];
    writes.extend(pages.into_iter().map(|request| Write::PutRequest(Box::new(request))));
    let (_dir, store) = stored(writes);
    detail(&store.reads(), RequestId(id)).asked_before.into_iter().map(|at| at.0).collect()
}

#[test]
fn a_page_that_is_asked_for_again_is_counted_whatever_else_its_address_says() {
    let pages = vec![
        page(1, "https://evil.example/a?n=1", 1, Some(2)),
        page(2, "https://other.example/a", 3, Some(4)),
        page(3, "https://evil.example/a?n=2", 5, None),
        InputRequest { mode: Mode::Form, url: None, ..page(4, "", 5, Some(6)) },
        page(5, "http://u@EVIL.example.:81/b#c", 7, Some(9)),
        InputRequest { visited_at: Some(Timestamp(9)), ..page(6, "https://evil.example/d", 8, None) },
        page(7, "https://evil.example/a?n=3", 10, None),
    ];
    assert_eq!(asked_before(pages.clone(), 1), [] as [i64; 0], "the first time");
    assert_eq!(asked_before(pages.clone(), 2), [] as [i64; 0], "another host");
    assert_eq!(asked_before(pages.clone(), 3), [1]);
    assert_eq!(asked_before(pages.clone(), 6), [1], "what was asked at the same time is not again");
    assert_eq!(asked_before(pages, 7), [1, 7, 8], "what was answered or opened, the oldest first");
}

#[test]
fn a_page_that_is_asked_for_again_by_the_same_key_is_counted_as_well() {
    let not_taken = |at: i64| {
        Write::AddDecision(Box::new(Decision {
            at: Timestamp(at),
            by: Actor::Signalbox,
            kind: DecisionKind::NotTaken,
            server: ServerId(1),
            call: Some(CallId(1)),
            request: Some(RequestId(2)),
            schema: None,
            json: None,
            text: None,
            note: None,
            remark: None,
        }))
    };
    let asked = |opened_at: i64| {
        let pages =
            [page(1, "https://evil.example/", 1, Some(2)), page(2, "https://evil.example/", opened_at, None)];
        let mut writes = vec![Write::PutCall(Box::new(call(CallId(1))))];
        writes.extend(pages.into_iter().map(|request| Write::PutRequest(Box::new(request))));
        writes.extend([5, 7, 9].map(not_taken));
        let (_dir, store) = stored(writes);
        detail(&store.reads(), RequestId(2)).asked_before.into_iter().map(|at| at.0).collect::<Vec<_>>()
    };
    assert_eq!(asked(3), [1, 3, 5, 7], "each time but the last, which is now");
    assert_eq!(asked(7), [1, 7], "only since it asks for a page at this host");
}

#[test]
fn of_very_many_times_before_the_last_are_told() {
    let most = i64::try_from(PAGES).unwrap();
    let id = |n: i64| u32::try_from(n).unwrap();
    let mut pages: Vec<_> =
        (1..=most + 1).map(|n| page(id(n), "https://evil.example/", n, Some(n))).collect();
    pages.push(page(id(most + 2), "https://evil.example/", most + 2, None));
    let before = asked_before(pages, id(most + 2));
    assert_eq!((before.len(), before.first()), (PAGES, Some(&2)));
}
