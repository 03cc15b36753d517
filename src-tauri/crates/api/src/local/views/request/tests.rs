//! What hosts are shown of every kind of question there can be.

use signalbox_model::{
    Action, Answer, CallId, CloseReason, ELICITATION, Json, Origin, ROOTS, RequestState, SAMPLING, ServerId,
    Status, Timestamp,
};
use signalbox_store::{RequestQuery, WhichRequests, Write};

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
