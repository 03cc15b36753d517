//! Pages that people open (URL mode): the wish is kept, then a browser is started, and only then anything is sent.

use signalbox_mcp::{Error, QuestionView, ServerAsk, ServerRequest, SessionReply};
use signalbox_model::{Action, CallId, DecisionKind, Outcome, RequestId, RequestState as S};
use signalbox_store::CommitError;

use super::{bench::*, questions::ack};
use crate::{Follow, Granted, Intent, Refusal};

const PAGE: &str = "https://signing.example.com/doc?id=7";
const PARAMS: &str =
    r#"{"mode":"url","message":"Sign","url":"https://signing.example.com/doc?id=7","elicitationId":"e1"}"#;

/// Who asks for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    Task,
    Wire,
    /// A round of one.
    Round,
    /// A call that was refused before pages are visited.
    Paged,
}

use self::From::{Paged, Round, Task, Wire};

const ALL: [From; 4] = [Task, Wire, Round, Paged];

fn entry(key: &str, params: &str) -> String {
    format!(r#""{key}":{{"method":"elicitation/create","params":{params}}}"#)
}

fn wanted() -> Error {
    let data = format!(r#"{{"elicitations":[{PARAMS}]}}"#);
    let raw = format!(r#"{{"code":-32042,"message":"first","data":{data}}}"#);
    Error::Rpc { code: -32042, message: "first".to_owned(), data: Some(json(&data)), raw: json(&raw) }
}

fn asked(from: From, params: &str) -> (Bench, CallId, RequestId) {
    let mut bench = if from == Wire { Bench::legacy() } else { Bench::new() };
    let asked = entry("k", params);
    let call = match from {
        Task => {
            let call = bench.task();
            let poll = format!(r#"{{"status":"input_required","ttlMs":null,"inputRequests":{{{asked}}}}}"#);
            bench.poll(call, Ok(json(&poll)));
            call
        }
        Wire => {
            let call = bench.task();
            let raw =
                format!(r#"{{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{params}}}"#);
            let (raw, plain) = (json(&raw), super::legacy::asks("7", "", Some("task-1")));
            let ask = ServerAsk::Elicitation(QuestionView::read(&raw));
            bench.hear(ServerRequest { ask, raw, ..plain });
            call
        }
        Round => {
            let call = bench.call();
            let round = format!(
                r#"{{"resultType":"input_required","requestState":"s","inputRequests":{{{asked}}}}}"#
            );
            bench.reply_call(call, Ok(called(&round)));
            call
        }
        Paged => {
            let call = bench.call();
            bench.reply_call(call, Err(wanted()));
            call
        }
    };
    let id = *bench.disk.requests.keys().last().expect("a question");
    (bench, call, id)
}

fn begin(bench: &mut Bench, id: RequestId) -> Result<Granted, Refusal> {
    let seen = bench.seen(id);
    bench.wish(Intent::BeginVisit { request: id, seen, asks: None })
}

fn end(bench: &mut Bench, request: RequestId, opened: bool) -> Result<Granted, Refusal> {
    let seen = bench.seen(request);
    bench.wish(Intent::EndVisit { request, opened, seen, remark: Some("asked Ada".to_owned()), asks: None })
}

fn page() -> Result<Granted, Refusal> {
    Ok(Granted::Page(PAGE.to_owned()))
}

/// How often an answer has gone out, or the call again.
fn gone(bench: &Bench, call: CallId) -> usize {
    bench.updates(call).len() + bench.wire_replies.len() + usize::from(bench.calling(call))
}

#[test]
fn nothing_goes_before_a_browser_was_started_and_the_accept_goes_then() {
    for from in ALL {
        let (mut bench, call, id) = asked(from, PARAMS);
        assert_eq!(begin(&mut bench, id), page(), "{from:?}");
        let question = bench.question(id);
        assert_eq!((question.state, question.visiting_at), (S::Open, Some(bench.now.wall)), "kept: {from:?}");
        assert_eq!(question.visited_at, None, "nobody knows yet: {from:?}");
        let began = bench.now.wall;
        bench.pass(60_000);
        assert_eq!(gone(&bench, call), 0, "however long it takes: {from:?}");
        // A page that the call waits for is not accepted by being opened.
        let granted = if from == Paged { Granted::Done } else { Granted::Decided(bench.now.wall) };
        assert_eq!(end(&mut bench, id, true), Ok(granted), "{from:?}");
        let question = bench.question(id);
        assert_eq!((question.visited_at, question.visiting_at), (Some(began), None), "{from:?}");
        if from == Paged {
            bench.pass(60_000);
            assert_eq!(
                (bench.question(id).state, gone(&bench, call)),
                (S::Open, 0),
                "not before they are done"
            );
            bench
                .wish(Intent::Answer {
                    request: id,
                    action: Action::Accept,
                    content: None,
                    hold_ms: 5_000,
                    seen: None,
                    remark: None,
                    asks: None,
                })
                .unwrap();
        }
        assert_eq!((bench.question(id).state, gone(&bench, call)), (S::Sending, 1), "at once: {from:?}");
        let answer = bench.question(id).answer.clone().unwrap();
        assert_eq!(
            (answer.action, answer.content, answer.send_at),
            (Action::Accept, None, answer.decided_at)
        );
        match from {
            Task => assert_eq!(bench.updates(call)[0][0].1.text(), r#"{"action":"accept"}"#),
            Wire => assert!(
                matches!(&bench.wire_replies[0].1, SessionReply::Result(json) if json.text() == r#"{"action":"accept"}"#)
            ),
            Round => assert_eq!(bench.retries(call)[0].input_responses[0].1.text(), r#"{"action":"accept"}"#),
            Paged => assert!(bench.retries(call).is_empty(), "the call as it was"),
        }
        assert_eq!(end(&mut bench, id, true), Ok(Granted::Done), "once");
        assert_eq!(gone(&bench, call), 1, "{from:?}");
    }
}

#[test]
fn what_is_noted_beside_a_consent_is_in_its_sealed_entry() {
    for from in ALL {
        let (mut bench, _, id) = asked(from, PARAMS);
        begin(&mut bench, id).unwrap();
        end(&mut bench, id, true).unwrap();
        let answered = bench.disk.decisions.iter().filter(|entry| entry.kind == DecisionKind::Answered);
        let noted: Vec<_> = answered.map(|entry| entry.remark.as_deref()).collect();
        let kept = bench.question(id).answer.as_ref().and_then(|answer| answer.remark.as_deref());
        if from == Paged {
            assert!(noted.is_empty() && kept.is_none(), "opening decides nothing there: {noted:?}");
            continue;
        }
        assert_eq!((noted, kept), (vec![Some("asked Ada")], Some("asked Ada")), "{from:?}");
    }
}

#[test]
fn a_browser_that_fails_sends_nothing_and_leaves_no_trace() {
    for from in ALL {
        let (mut bench, call, id) = asked(from, PARAMS);
        begin(&mut bench, id).unwrap();
        assert_eq!(end(&mut bench, id, false), Ok(Granted::Done));
        bench.pass(60_000);
        let question = bench.question(id);
        assert_eq!((question.state, gone(&bench, call)), (S::Open, 0), "{from:?}");
        assert_eq!((question.visited_at, question.visiting_at), (None, None), "{from:?}");
        // The second time it works, and the third time, once more, it does not.
        begin(&mut bench, id).unwrap();
        let opened = bench.question(id).visiting_at;
        end(&mut bench, id, true).unwrap();
        bench.pass(1_000);
        begin(&mut bench, id).unwrap();
        assert_ne!(bench.question(id).visiting_at, opened);
        end(&mut bench, id, false).unwrap();
        let question = bench.question(id);
        assert_eq!(question.visited_at, opened, "when it was opened last: {from:?}");
        assert_eq!(question.visiting_at, None, "{from:?}");
    }
}

#[test]
fn a_crash_in_between_leaves_it_open_and_says_that_it_may_have_been_opened() {
    for from in ALL {
        let (mut bench, call, id) = asked(from, PARAMS);
        begin(&mut bench, id).unwrap();
        let at = bench.now.wall;
        let mut bench = bench.restart(1_000, Follow::All);
        if from == Wire {
            bench.connect(1, true);
        }
        bench.pass(0);
        let question = bench.question(id);
        assert_eq!((question.state, question.visiting_at), (S::Open, Some(at)), "{from:?}");
        assert_eq!(question.visited_at, None, "it is not said to be open: {from:?}");
        assert_eq!(gone(&bench, call), 0, "nothing was sent: {from:?}");
        assert_eq!(begin(&mut bench, id), page(), "it can be opened again: {from:?}");
        end(&mut bench, id, false).unwrap();
        assert_eq!(bench.question(id).visiting_at, Some(at), "that the first may be open is not forgotten");
    }
}

#[test]
fn what_cannot_be_kept_is_not_opened() {
    for from in ALL {
        let (mut bench, call, id) = asked(from, PARAMS);
        bench.full = true;
        assert_eq!(begin(&mut bench, id), Err(Refusal::Storage(CommitError::Full)), "{from:?}");
        bench.full = false;
        assert_eq!(bench.question(id).visiting_at, None);
        assert_eq!(end(&mut bench, id, false), Ok(Granted::Done), "as if it had never been wished");
        assert_eq!(bench.question(id).visiting_at, None);
        begin(&mut bench, id).unwrap();
        bench.full = true;
        let told = end(&mut bench, id, true);
        bench.full = false;
        assert_eq!(told, Err(Refusal::Storage(CommitError::Full)), "it is an intent, too: {from:?}");
        assert_eq!((bench.question(id).state, gone(&bench, call)), (S::Open, 0), "{from:?}");
        let question = bench.question(id);
        let known = question.visited_at.or(question.visiting_at);
        assert!(known.is_some(), "the page is open all the same");
    }
}

#[test]
fn in_a_round_it_counts_as_decided_and_goes_with_the_others() {
    let mut bench = Bench::new();
    let call = bench.call();
    let form = r#"{"message":"?","requestedSchema":{"type":"object"}}"#;
    let both = format!("{},{}", entry("page", PARAMS), entry("form", form));
    bench.reply_call(
        call,
        Ok(called(&format!(r#"{{"resultType":"input_required","inputRequests":{{{both}}}}}"#))),
    );
    let ids: Vec<RequestId> = bench.questions(call).iter().map(|question| question.id).collect();
    begin(&mut bench, ids[0]).unwrap();
    end(&mut bench, ids[0], true).unwrap();
    assert_eq!((bench.states(call), bench.calling(call)), (vec![S::Sending, S::Open], false), "kept");
    begin(&mut bench, ids[0]).unwrap();
    end(&mut bench, ids[0], true).unwrap();
    assert_eq!(bench.states(call), [S::Sending, S::Open], "open again decides nothing anew");
    bench.decline(ids[1], 0).unwrap();
    let retries = bench.retries(call);
    let sent: Vec<_> =
        retries[0].input_responses.iter().map(|(key, json)| (key.as_str(), json.text())).collect();
    assert_eq!(sent, [("page", r#"{"action":"accept"}"#), ("form", r#"{"action":"decline"}"#)]);
}

#[test]
fn it_can_be_opened_again_as_long_as_its_task_lives() {
    let (mut bench, call, id) = asked(Task, PARAMS);
    begin(&mut bench, id).unwrap();
    end(&mut bench, id, true).unwrap();
    assert_eq!(begin(&mut bench, id), page(), "on its way");
    bench.reply_update(call, Ok(json("{}")));
    assert_eq!(begin(&mut bench, id), page(), "and when the server has it");
    assert_eq!(end(&mut bench, id, true), Ok(Granted::Done));
    assert!(bench.updates(call).is_empty(), "which sends nothing");
    bench.poll(call, Ok(done()));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
    assert!(begin(&mut bench, id).is_err());
    let visited_at = bench.question(id).visited_at;
    assert!(visited_at.is_some(), "when it was opened is kept");

    let (mut bench, _, id) = asked(Task, PARAMS);
    bench.decline(id, 0).unwrap();
    assert_eq!(begin(&mut bench, id), Err(Refusal::Closed), "what was declined is not opened");
    let (mut bench, call, id) = asked(Task, PARAMS);
    begin(&mut bench, id).unwrap();
    bench.until_polled(call);
    bench.reply_poll(call, Ok(working("")));
    assert_eq!(end(&mut bench, id, true), Err(Refusal::Closed), "over while the browser was starting");
}

#[test]
fn only_pages_of_the_web_are_opened() {
    for url in [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "ssh://host",
        "-version",
        "example.com",
        "",
        "tauri://localhost",
    ] {
        let (mut bench, call, id) = asked(Task, &PARAMS.replace(PAGE, url));
        assert_eq!(begin(&mut bench, id), Err(Refusal::NotOfTheWeb), "{url:?}");
        assert_eq!(bench.question(id).visiting_at, None);
        bench
            .wish(Intent::Answer {
                request: id,
                action: Action::Accept,
                content: None,
                hold_ms: 0,
                seen: None,
                remark: None,
                asks: None,
            })
            .unwrap();
        assert_eq!(bench.updates(call).len(), 1, "who opened it elsewhere accepts: {url:?}");
        bench.reply_update(call, Ok(json("{}")));
    }
    let (mut bench, _, id) = asked(Task, r#"{"message":"?","requestedSchema":{"type":"object"}}"#);
    assert_eq!(begin(&mut bench, id), Err(Refusal::NoPage), "a form has no page");
    let (mut bench, _, id) = asked(Task, &PARAMS.replace(PAGE, "https://a.example/\\n--new-window"));
    let Ok(Granted::Page(page)) = begin(&mut bench, id) else { panic!("it is a page") };
    assert!(page.starts_with("https://a.example/") && !page.contains(char::is_whitespace), "{page}");
}

#[test]
fn an_accept_of_a_page_is_never_held_and_a_no_may_be() {
    for from in [Task, Wire, Round] {
        let (mut bench, call, id) = asked(from, PARAMS);
        bench
            .wish(Intent::Answer {
                request: id,
                action: Action::Accept,
                content: None,
                hold_ms: 60_000,
                seen: None,
                remark: None,
                asks: None,
            })
            .unwrap();
        assert_eq!((bench.question(id).state, gone(&bench, call)), (S::Sending, 1), "{from:?}");
        let (mut bench, _, id) = asked(from, PARAMS);
        bench.decline(id, 5_000).unwrap();
        assert_eq!(bench.question(id).state, S::Held, "{from:?}");
    }
}

#[test]
fn whoever_saw_it_unanswered_opens_no_page_that_may_be_accepted_already() {
    let (mut bench, call, id) = asked(Round, PARAMS);
    bench
        .wish(Intent::Answer {
            request: id,
            action: Action::Accept,
            content: None,
            hold_ms: 0,
            seen: None,
            remark: None,
            asks: None,
        })
        .unwrap();
    bench.reply_call(call, Err(signalbox_mcp::Error::Timeout { ms: 9 }));
    assert_eq!(bench.question(id).state, S::Unknown);
    let stale = Intent::BeginVisit { request: id, seen: None, asks: None };
    assert_eq!(bench.wish(stale), Err(Refusal::AnsweredMeanwhile));
    assert_eq!(begin(&mut bench, id), page(), "who knows of it decides");
    let stale = Intent::EndVisit { request: id, opened: true, seen: None, remark: None, asks: None };
    assert_eq!(bench.wish(stale), Err(Refusal::AnsweredMeanwhile));
    assert!(!bench.calling(call), "no second accept goes by accident");
}

/// Task `call` still wants a page, by the key of before.
fn wants(address: &str) -> signalbox_model::Json {
    let params = PARAMS.replace(PAGE, address);
    json(&format!(
        r#"{{"status":"input_required","ttlMs":null,"inputRequests":{{{}}}}}"#,
        entry("k", &params)
    ))
}

#[test]
fn another_page_that_is_asked_for_by_the_same_key_was_not_visited() {
    let pages = [
        (PAGE, true, true),
        ("https://signing.example.com./doc?id=8", false, true),
        ("https://other.example.com/doc?id=7", false, false),
    ];
    for (address, visited, same_host) in pages {
        let (mut bench, call, id) = asked(Task, PARAMS);
        let opened_at = bench.question(id).opened_at;
        begin(&mut bench, id).unwrap();
        end(&mut bench, id, true).unwrap();
        bench.reply_update(call, Ok(ack()));
        while bench.question(id).state == S::Answered {
            bench.poll(call, Ok(wants(address)));
        }
        let question = bench.question(id);
        assert_eq!((question.state, question.url.as_deref()), (S::NotTaken, Some(address)));
        assert_eq!(question.visited_at.is_some(), visited, "not taken: {address}");
        assert_eq!(
            question.opened_at == opened_at,
            same_host,
            "since when it asks for a page there: {address}"
        );

        let (mut bench, call, id) = asked(Task, PARAMS);
        begin(&mut bench, id).unwrap();
        bench.poll(call, Ok(working("")));
        assert_eq!(bench.question(id).state, S::Closed, "withdrawn while a browser starts");
        bench.poll(call, Ok(wants(address)));
        let question = bench.question(id);
        assert_eq!((question.state, question.url.as_deref()), (S::Open, Some(address)));
        assert_eq!(question.visiting_at.is_some(), visited, "withdrawn: {address}");
        let opened = end(&mut bench, id, true);
        let accepted = if visited { Ok(Granted::Decided(bench.now.wall)) } else { Err(Refusal::Closed) };
        assert_eq!(opened, accepted, "only what was opened is agreed to: {address}");
        assert_eq!(bench.question(id).visited_at.is_some(), visited, "opened: {address}");
    }
}

#[test]
fn a_page_that_is_asked_for_in_other_words_gets_no_consent_that_was_meant_for_the_former_ones() {
    let (mut bench, call, id) = asked(Task, PARAMS);
    let asks = |bench: &Bench| Some(crate::asks(&bench.question(id).raw));
    let begin = |asks| Intent::BeginVisit { request: id, seen: None, asks };
    let end = |asks| Intent::EndVisit { request: id, opened: true, seen: None, remark: None, asks };
    let seen = asks(&bench);
    assert_eq!(bench.wish(begin(seen)), page());
    bench.poll(call, Ok(working("")));
    bench.poll(call, Ok(json(&wants(PAGE).text().replace("Sign", "Sign it away"))));
    assert_eq!(bench.question(id).state, S::Open, "the same page, in other words");
    assert_eq!(bench.wish(end(seen)), Err(Refusal::ChangedMeanwhile), "they agreed to sign, and to no more");
    assert_eq!(
        bench.wish(begin(seen)),
        Err(Refusal::ChangedMeanwhile),
        "nor does it open for the former words"
    );
    assert_eq!((bench.question(id).state, gone(&bench, call)), (S::Open, 0), "nothing went out");
    let now = asks(&bench);
    assert_eq!(bench.wish(begin(now)), page());
    bench.wish(end(now)).unwrap();
    assert_eq!(gone(&bench, call), 1, "who read it as it stands agrees to it");
}
