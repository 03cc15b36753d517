//! Questions on a call itself: asked, answered and sent with the call again, a whole round at a time.

mod models;
mod pages;

use signalbox_mcp::{Called, Error, Hint, RoundAnswers};
use signalbox_model::{
    Action, Actor, CallId, CloseReason, DecisionKind, EventKind, Identity, Outcome, PayloadKind, RequestId,
    RequestState as S, Settled, Status, Stray,
};

use super::bench::*;
use crate::{Follow, Granted, Intent, NoticeKind, Refusal};

const ACCEPTED: &str = r#"{"action":"accept","content":{ "n": 1.0 }}"#;

fn result() -> Result<Called, Error> {
    Ok(called(r#"{"content":[]}"#))
}

fn sent(bench: &Bench, call: CallId) -> Vec<(String, String)> {
    let retries = bench.retries(call);
    let [RoundAnswers { request_state, input_responses }] = retries.as_slice() else { panic!("{retries:?}") };
    assert_eq!(request_state.as_deref(), Some("opaque"), "byte for byte");
    input_responses.iter().map(|(key, json)| (key.clone(), json.text().to_owned())).collect()
}

/// A round with one question of this method.
fn round_of(method: &str, params: &str) -> Called {
    called(&format!(
        r#"{{"resultType":"input_required","inputRequests":{{"k":{{"method":"{method}","params":{params}}}}}}}"#
    ))
}

fn barred(status: u16) -> Error {
    Error::NotMcp { status: Some(status), content_type: None, hint: Hint::Page }
}

#[test]
fn a_round_is_answered_with_the_call_again() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_round(&["k"]);
    let row = bench.row(call);
    assert_eq!((row.status, row.outcome, row.open_requests), (Status::InputRequired, None, 1));
    assert_eq!(bench.disk.rounds[&call].request_state.as_deref(), Some("opaque"), "kept");
    bench.pass(1_000_000);
    assert!(!bench.calling(call), "a person has the time of the world");
    bench.answer(ids[0], 0).unwrap();
    assert_eq!(sent(&bench, call), [("k".to_owned(), ACCEPTED.to_owned())]);
    assert_eq!((bench.row(call).status, bench.states(call)), (Status::Working, vec![S::Sending]));
    assert_eq!(bench.answer(ids[0], 0), Err(Refusal::Settled(Settled::OnItsWay)), "once");
    bench.reply_call(call, result());
    assert_eq!((bench.row(call).outcome, bench.states(call)), (Some(Outcome::Ok), vec![S::Answered]));
    let answer = bench.question(ids[0]).answer.as_ref().unwrap();
    assert!(answer.sent_at.is_some() && answer.acknowledged_at.is_some() && answer.taken_at.is_some());
    use EventKind::{Acknowledged, Answered, Asked, Called, Ended, Taken};
    assert_eq!(bench.disk.story(call), [Called, Asked, Answered, Acknowledged, Taken, Ended]);
}

#[test]
fn a_round_goes_out_whole() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_round(&["a", "b"]);
    bench.answer(ids[1], 0).unwrap();
    assert_eq!((bench.calling(call), bench.states(call)), (false, vec![S::Open, S::Sending]));
    assert!(bench.question(ids[1]).answer.as_ref().unwrap().sent_at.is_none(), "kept, and not sent");
    bench.decline(ids[0], 5_000).unwrap();
    bench.pass(4_999);
    assert_eq!((bench.calling(call), bench.states(call)), (false, vec![S::Held, S::Sending]));
    bench.wish(bench.undoes(ids[0])).unwrap();
    bench.decline(ids[0], 5_000).unwrap();
    bench.pass(5_000);
    let no = r#"{"action":"decline"}"#;
    assert_eq!(sent(&bench, call), [("a".into(), no.into()), ("b".into(), ACCEPTED.into())]);
}

#[test]
fn the_next_round_asks_anew() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_round(&["k"]);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_call(call, Ok(round(&["k"])));
    assert_eq!(bench.states(call), [S::Answered, S::Open], "the same key is another question");
    let second = bench.questions(call)[1].id;
    assert_eq!(bench.question(second).identity, Identity::Round { call, n: 2, key: "k".to_owned() });
    assert_eq!(bench.disk.shortened.get(&call), Some(&2), "of the answers that asked the last is kept whole");
    bench.answer(second, 0).unwrap();
    assert_eq!(sent(&bench, call).len(), 1, "only the last round is sent");
    bench.reply_call(call, Ok(called(r#"{"resultType":"task","taskId":"T","status":"working"}"#)));
    assert!(bench.row(call).task.is_some(), "a task can come of it, too");
    bench.poll(call, Ok(asking(&["k"])));
    let third = bench.questions(call)[2].id;
    bench.answer(third, 0).unwrap();
    assert_eq!(bench.updates(call).len(), 1, "which is asked and answered by itself");
    bench.reply_update(call, Ok(json("{}")));
    bench.poll(call, Ok(done()));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
}

#[test]
fn rounds_have_an_end() {
    let mut bench = Bench::new();
    let call = bench.call();
    let empty = || Ok(called(r#"{"resultType":"input_required"}"#));
    bench.reply_call(call, empty());
    for _ in 0..7 {
        assert!(sent(&bench, call).is_empty(), "at once, with the state and nothing else");
        bench.reply_call(call, empty());
    }
    bench.reply_call(call, empty());
    let row = bench.row(call);
    assert_eq!(
        (row.outcome, row.note.as_ref().unwrap().code),
        (Some(Outcome::ProtocolError), NoteCode::ProtocolError)
    );
    assert!(bench.disk.payloads.contains_key(&(call, PayloadKind::Create)), "kept as received");

    let (endless, _) = bench.asked_round(&["0"]);
    for n in 1..=64 {
        let asked = bench.questions(endless).last().unwrap().id;
        bench.answer(asked, 0).unwrap();
        bench.reply_call(endless, Ok(round(&[&n.to_string()])));
    }
    assert_eq!(bench.row(endless).outcome, Some(Outcome::ProtocolError));
    assert_eq!(bench.questions(endless).len(), 64);

    let flood = bench.call();
    let keys: Vec<String> = (0..501).map(|n| n.to_string()).collect();
    bench.reply_call(flood, Ok(round(&keys.iter().map(String::as_str).collect::<Vec<_>>())));
    assert_eq!(bench.row(flood).outcome, Some(Outcome::ProtocolError), "it could never go out whole");
}

#[test]
fn whoever_waits_for_calls_waits_for_retries_that_go_by_themselves() {
    let mut bench = Bench::new();
    let nobody = bench.ask(Intent::AwaitCalls);
    assert_eq!(bench.replies.get(&nobody), Some(&Ok(Granted::Done)), "there is nothing to wait for");
    let (call, ids) = bench.asked_round(&["k"]);
    let question = bench.ask(Intent::AwaitCalls);
    assert!(bench.replies.contains_key(&question), "a person may take as long as they like");
    bench.answer(ids[0], 0).unwrap();
    let leaving = bench.ask(Intent::AwaitCalls);
    bench.reply_call(call, Ok(called(r#"{"resultType":"input_required","requestState":"more"}"#)));
    assert!(!bench.replies.contains_key(&leaving), "it goes on at once");
    bench.reply_call(call, result());
    assert_eq!(bench.replies.get(&leaving), Some(&Ok(Granted::Done)));
}

#[test]
fn what_becomes_of_a_retry_without_a_result() {
    let garbled = Error::Garbled { stray: Stray::OtherRequest, raw: Some(json("[2]")) };
    let throttled = Error::Throttled { status: 429, retry_after: None };
    // Whether it goes on, in which state its question is then, and whether it goes again by itself.
    let cases: Vec<(Error, Option<Outcome>, S, bool)> = vec![
        (rpc(-32603), Some(Outcome::ProtocolError), S::Closed, false),
        (Error::TooLarge { limit: 9 }, Some(Outcome::Unknown), S::Closed, false),
        (lost(), None, S::Unknown, false),
        (Error::Timeout { ms: 9 }, None, S::Unknown, false),
        (exited(), None, S::Unknown, false),
        (garbled, None, S::Unknown, false),
        (barred(413), None, S::Refused, false),
        (barred(404), None, S::Sending, true),
        (throttled, None, S::Sending, true),
        (Error::Closed, None, S::Sending, true),
    ];
    for (error, outcome, state, again) in cases {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_round(&["k"]);
        bench.answer(ids[0], 0).unwrap();
        let told = format!("{error:?}");
        bench.reply_call(call, Err(error));
        assert_eq!((bench.row(call).outcome, bench.states(call)), (outcome, vec![state]), "{told}");
        assert!(bench.row(call).note.is_some(), "it is said why: {told}");
        assert!(!bench.calling(call), "not at once: {told}");
        bench.pass(4_000_000);
        assert_eq!(bench.calling(call), again, "{told}");
        assert_eq!(bench.row(call).open_requests, u32::from(bench.question(ids[0]).needs_person()), "{told}");
        while bench.flights.contains(&Flight::Discover { server: SERVER }) {
            bench.reply_discover(Ok(found()));
        }
        if outcome.is_none() && !again {
            bench.answer(ids[0], 0).unwrap();
            assert_eq!(sent(&bench, call).len(), 1, "the person's word sends it once more: {told}");
            bench.reply_call(call, result());
            assert_eq!(bench.states(call), [S::Answered], "{told}");
        }
    }
}

#[test]
fn what_never_left_waits_for_the_server() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_round(&["k"]);
    bench.answer(ids[0], 0).unwrap();
    bench.land("tools/call", |flight| matches!(flight, Flight::Call { .. }));
    bench.feed(crate::Input::NotSent { call, error: unreachable() });
    assert!(bench.question(ids[0]).answer.as_ref().unwrap().sent_at.is_none());
    let probes = bench.serve_down(600_000);
    assert!((5..30).contains(&probes) && !bench.calling(call), "nothing goes to a server that is down");
    while !bench.flights.contains(&Flight::Discover { server: SERVER }) {
        bench.pass(1_000);
    }
    bench.reply_discover(Ok(found()));
    assert_eq!(sent(&bench, call).len(), 1);
    bench.reply_call(call, result());
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
}

#[test]
fn a_call_that_is_cancelled_sends_no_answer() {
    let mut bench = Bench::new();
    let (open, _) = bench.asked_round(&["k"]);
    assert_eq!(bench.wish(bench.cancels(open)), Ok(Granted::Done), "nobody waits for anything there");
    assert_eq!((bench.row(open).outcome, bench.states(open)), (Some(Outcome::Cancelled), vec![S::Closed]));
    for (reply, outcome) in [
        (Ok(round(&["k"])), Outcome::Cancelled),
        (result(), Outcome::Ok),
        (Err(Error::Closed), Outcome::Cancelled),
        (Err(lost()), Outcome::Unknown),
    ] {
        let (call, ids) = bench.asked_round(&["k"]);
        bench.answer(ids[0], 0).unwrap();
        bench.wish(bench.cancels(call)).unwrap();
        assert_eq!(bench.row(call).outcome, None, "a handle may be on its way");
        bench.reply_call(call, reply);
        assert_eq!(bench.row(call).outcome, Some(outcome));
        assert!(!bench.questions(call).iter().any(|question| question.needs_person()));
    }
}

#[test]
fn a_round_outlives_a_restart() {
    let mut bench = Bench::new();
    let (open, open_ids) = bench.asked_round(&["k"]);
    let (held, held_ids) = bench.asked_round(&["k"]);
    let (away, away_ids) = bench.asked_round(&["k"]);
    let plain = bench.call();
    bench.answer(held_ids[0], 3_000).unwrap();
    bench.answer(away_ids[0], 0).unwrap();
    let mut bench = bench.restart(1_000, Follow::Named);
    assert_eq!((bench.states(open), bench.states(held)), (vec![S::Open], vec![S::Held]));
    assert_eq!(bench.row(plain).outcome, Some(Outcome::Unknown));
    assert_eq!((bench.row(away).outcome, bench.states(away)), (None, vec![S::Unknown]), "the person decides");
    assert!(bench.flights.is_empty(), "nothing is sent twice");
    bench.pass(2_000);
    bench.answer(open_ids[0], 0).unwrap();
    bench.answer(away_ids[0], 0).unwrap();
    for call in [open, held, away] {
        assert_eq!(sent(&bench, call), [("k".to_owned(), ACCEPTED.to_owned())]);
        bench.reply_call(call, result());
        assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
    }
}

#[test]
fn whoever_saw_it_unanswered_does_not_answer_it_again() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_round(&["k"]);
    let decline = |seen| Intent::Answer {
        request: ids[0],
        action: Action::Decline,
        content: None,
        hold_ms: 0,
        seen,
        remark: None,
        asks: None,
    };
    bench.answer(ids[0], 0).unwrap();
    bench.reply_call(call, Err(Error::Timeout { ms: 9 }));
    assert_eq!(bench.states(call), [S::Unknown]);
    assert_eq!(bench.wish(decline(None)), Err(Refusal::AnsweredMeanwhile));
    assert!(!bench.calling(call), "the server may have the first answer: no other follows by accident");
    let seen = bench.seen(ids[0]);
    bench.wish(decline(seen)).unwrap();
    assert!(bench.calling(call), "whoever saw the first one decides");
}

#[test]
fn a_decided_round_that_never_went_out_goes_after_a_restart() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_round(&["k"]);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_call(call, Err(Error::Closed));
    let mut bench = bench.restart(10, Follow::Named);
    assert!(!bench.calling(call));
    bench.pass(1);
    assert_eq!(sent(&bench, call).len(), 1, "it was certainly not sent before");
}

#[test]
fn an_answer_that_cannot_be_kept_is_not_sent() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_round(&["k"]);
    bench.full = true;
    assert!(matches!(bench.answer(ids[0], 0), Err(Refusal::Storage(_))));
    assert_eq!((bench.calling(call), bench.states(call)), (false, vec![S::Open]));
    bench.full = false;
    bench.answer(ids[0], 0).unwrap();
    assert_eq!(sent(&bench, call).len(), 1);
}
