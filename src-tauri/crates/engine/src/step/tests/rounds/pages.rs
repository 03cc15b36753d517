//! URLs that older servers want visited before the call (-32042).

use signalbox_mcp::ServerNews;
use signalbox_model::Reason;

use super::*;

const PAGES: &str = r#"{"elicitations":[{"mode":"url","message":"Sign in","url":"https://a.example/","elicitationId":"e1"}]}"#;

fn pages(data: &str) -> Result<Called, Error> {
    let raw = format!(r#"{{"code":-32042,"message":"first","data":{data}}}"#);
    Err(Error::Rpc { code: -32042, message: "first".to_owned(), data: Some(json(data)), raw: json(&raw) })
}

/// A call that was refused before a page is visited.
fn paged_call(bench: &mut Bench) -> (CallId, RequestId) {
    let call = bench.call();
    bench.reply_call(call, pages(PAGES));
    let question = bench.questions(call)[0];
    assert_eq!(question.url.as_deref(), Some("https://a.example/"));
    (call, question.id)
}

#[test]
fn pages_that_older_servers_want_visited_first() {
    let mut bench = Bench::new();
    let (call, id) = paged_call(&mut bench);
    assert_eq!((bench.row(call).status, bench.row(call).outcome), (Status::InputRequired, None));
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
    assert!(bench.calling(call) && bench.retries(call).is_empty(), "the call as it was, with no round");
    // The person is not done there yet.
    let mut waits = Vec::new();
    for _ in 0..8 {
        bench.reply_call(call, pages(PAGES));
        assert_eq!((bench.states(call), bench.calling(call)), (vec![S::Sending], false), "not asked again");
        let began = bench.now.steady_ms;
        while !bench.calling(call) {
            bench.pass(100);
        }
        waits.push(bench.now.steady_ms - began);
    }
    assert!(waits.windows(2).all(|pair| pair[0] <= pair[1] + pair[1] / 5), "more and more seldom: {waits:?}");
    assert!(waits[0] >= 1_000 && (100_000..=150_000).contains(&waits[7]), "{waits:?}");
    bench.reply_call(call, pages(PAGES));
    bench.pass(3_600_000);
    assert_eq!(
        (bench.states(call), bench.calling(call)),
        (vec![S::Refused], false),
        "not for ever by itself"
    );
    assert_eq!(bench.row(call).note.as_ref().unwrap().reason, Reason::PagesNotVisited);
    let seen = bench.seen(id);
    bench
        .wish(Intent::Answer {
            request: id,
            action: Action::Accept,
            content: None,
            hold_ms: 0,
            seen,
            remark: None,
            asks: None,
        })
        .unwrap();
    bench.reply_call(call, pages(PAGES));
    assert_eq!(bench.states(call), [S::Sending], "it is tried anew");
    bench.wish(Intent::Refresh(call)).unwrap();
    bench.pass(0);
    assert!(bench.calling(call), "whoever says it is done there is believed");
    let mut bench = bench.restart(1_000, Follow::All);
    assert_eq!(bench.states(call), [S::Unknown], "under way when we ended");
    let seen = bench.seen(id);
    bench
        .wish(Intent::Answer {
            request: id,
            action: Action::Accept,
            content: None,
            hold_ms: 0,
            seen,
            remark: None,
            asks: None,
        })
        .unwrap();
    assert!(bench.calling(call) && bench.retries(call).is_empty());
    let other = PAGES.replace("e1", "e2");
    bench.reply_call(call, pages(&other));
    assert_eq!(bench.states(call), [S::Answered, S::Open], "another page is another question");
    let second = bench.questions(call)[1].id;
    bench
        .wish(Intent::Answer {
            request: second,
            action: Action::Accept,
            content: None,
            hold_ms: 0,
            seen: None,
            remark: None,
            asks: None,
        })
        .unwrap();
    bench.reply_call(call, result());
    assert_eq!((bench.row(call).outcome, bench.states(call)), (Some(Outcome::Ok), vec![S::Answered; 2]));
    assert!(bench.disk.decisions.iter().all(|entry| entry.kind != DecisionKind::Sent), "no answer was sent");
}

#[test]
fn a_page_that_is_not_visited_ends_the_call() {
    let mut bench = Bench::new();
    let (call, id) = paged_call(&mut bench);
    bench.decline(id, 0).unwrap();
    let (row, question) = (bench.row(call), bench.question(id));
    assert_eq!((row.outcome, question.reason), (Some(Outcome::Cancelled), Some(CloseReason::DeclinedByUs)));
    let none = bench.call();
    bench.reply_call(none, pages("{}"));
    assert_eq!(bench.row(none).outcome, Some(Outcome::ProtocolError), "no page is named");
}

const TWO_PAGES: &str = r#"{"elicitations":[
    {"mode":"url","message":"Sign in","url":"https://a.example/","elicitationId":"e1"},
    {"mode":"url","message":"Pay","url":"https://b.example/","elicitationId":"e2"}]}"#;

fn visited(bench: &mut Bench, call: CallId) {
    for id in bench.questions(call).iter().map(|question| question.id).collect::<Vec<_>>() {
        let intent = Intent::Answer {
            request: id,
            action: Action::Accept,
            content: None,
            hold_ms: 0,
            seen: None,
            remark: None,
            asks: None,
        };
        bench.wish(intent).unwrap();
    }
}

fn page_done(bench: &mut Bench, id: &str) {
    bench.news(ServerNews::ElicitationComplete { elicitation_id: id.to_owned() });
    bench.pass(0);
}

#[test]
fn a_page_that_is_done_brings_its_call_forward() {
    let mut bench = Bench::legacy();
    let (call, other) = (bench.call(), bench.call());
    bench.reply_call(call, pages(TWO_PAGES));
    bench.reply_call(other, pages(&PAGES.replace("e1", "e3")));
    page_done(&mut bench, "e1");
    assert!(!bench.calling(call), "the person has not agreed to either");
    visited(&mut bench, call);
    visited(&mut bench, other);
    bench.reply_call(call, pages(TWO_PAGES));
    bench.reply_call(other, pages(&PAGES.replace("e1", "e3")));
    page_done(&mut bench, "nobody's");
    assert!(!bench.calling(call), "which is nobody's affair");
    page_done(&mut bench, "e1");
    assert!(bench.calling(call) && !bench.calling(other), "at once, and nobody else");
    bench.reply_call(call, pages(TWO_PAGES));
    page_done(&mut bench, "e1");
    assert!(!bench.calling(call), "it was told before, and the wait goes on");
    page_done(&mut bench, "e2");
    assert!(bench.calling(call));
    let left = TWO_PAGES.replace(
        r#"{"mode":"url","message":"Sign in","url":"https://a.example/","elicitationId":"e1"},"#,
        "",
    );
    bench.reply_call(call, pages(&left));
    assert_eq!(bench.states(call), [S::Sending; 2], "what was opened is not asked again");
    for _ in 0..100 {
        page_done(&mut bench, "e2");
    }
    assert!(
        !bench.calling(call),
        "once for each page: a server that is never content is not asked all the time"
    );
    bench.pass(400_000);
    bench.reply_call(call, result());
    assert_eq!((bench.row(call).outcome, bench.states(call)), (Some(Outcome::Ok), vec![S::Answered; 2]));
}

#[test]
fn only_calls_that_wait_for_pages_are_looked_through_for_one() {
    let mut bench = Bench::legacy();
    let paged = |bench: &Bench| bench.state.rooms.calls.paged_now(SERVER);
    for _ in 0..20 {
        bench.call();
    }
    let (call, _) = paged_call(&mut bench);
    assert_eq!(paged(&bench), [call], "of all that are under way");
    let mut bench = bench.restart(1_000, Follow::All);
    bench.connect(1, true);
    assert_eq!(paged(&bench), [call], "also after a restart");
    visited(&mut bench, call);
    bench.reply_call(call, result());
    page_done(&mut bench, "e1");
    assert_eq!(paged(&bench), [], "it waits for none any more");
    let (call, _) = paged_call(&mut bench);
    bench.full = true;
    bench.forget(call).unwrap_err();
    bench.full = false;
    assert_eq!(paged(&bench), [call], "also where it could not be forgotten");
    bench.forget(call).unwrap();
    assert_eq!(paged(&bench), []);
}

#[test]
fn a_page_that_is_done_while_the_call_is_under_way() {
    let mut bench = Bench::legacy();
    let call = bench.call();
    bench.reply_call(call, pages(PAGES));
    visited(&mut bench, call);
    assert!(bench.calling(call));
    page_done(&mut bench, "e1");
    bench.reply_call(call, pages(PAGES));
    assert!(bench.calling(call), "the answer may be of before");
    bench.reply_call(call, pages(PAGES));
    assert!(!bench.calling(call));
}

#[test]
fn a_call_is_made_again_with_all_that_was_wished() {
    let mut bench = Bench::legacy();
    let (server, arguments) = (SERVER, json("{}"));
    let start = Intent::Start { server, tool: "t".to_owned(), arguments, ttl_ms: Some(60_000) };
    let Ok(Granted::Call(call)) = bench.wish(start) else { panic!("the call should start") };
    bench.reply_call(call, pages(PAGES));
    visited(&mut bench, call);
    assert_eq!(bench.wished, [Some(60_000); 2]);
    bench.reply_call(call, Err(Error::Closed));
    let mut bench = bench.restart(1_000, Follow::All);
    bench.pass(1);
    assert_eq!(bench.wished, [Some(60_000)], "also after a restart");
}
