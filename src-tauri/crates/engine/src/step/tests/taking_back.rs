//! Answers that are taken back before anything of them has left: on each of the wires.

use signalbox_model::{Action, CloseReason, RequestState as S};

use super::{bench::*, legacy::asks};
use crate::{Follow, Intent, Refusal};

const SAID: &str = r#"{ "n": 1.0 }"#;

#[test]
fn an_answer_that_is_kept_for_its_round_is_taken_back_and_changed() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_round(&["a", "b"]);
    bench.answer(ids[0], 0).unwrap();
    assert_eq!((bench.states(call), bench.row(call).open_requests), (vec![S::Sending, S::Open], 1));
    bench.wish(bench.undoes(ids[0])).unwrap();
    let row = bench.question(ids[0]);
    assert_eq!((row.state, &row.answer, &row.draft), (S::Open, &None, &Some(json(SAID))), "to be changed");
    assert_eq!(bench.row(call).open_requests, 2);
    assert_eq!(bench.wish(bench.undoes(ids[0])), Err(Refusal::NothingToTakeBack), "once");
    bench.answer(ids[1], 0).unwrap();
    assert!(!bench.calling(call), "a round goes out whole");
    bench.decline(ids[0], 0).unwrap();
    let said = bench.retries(call)[0].input_responses[0].1.text().to_owned();
    assert_eq!(said, r#"{"action":"decline"}"#, "only what was said last is sent");
    for id in ids {
        assert_eq!(bench.wish(bench.undoes(id)), Err(Refusal::NothingToTakeBack), "it is going out");
    }
}

#[test]
fn a_round_that_never_left_can_be_taken_back_before_it_goes_again() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_round(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_call(call, Err(unreachable()));
    assert_eq!(bench.states(call), [S::Sending]);
    assert!(bench.row(call).note.is_some());
    bench.wish(bench.undoes(ids[0])).unwrap();
    assert_eq!(bench.row(call).note, None, "nothing goes again by itself");
    bench.pass(100_000);
    assert!(!bench.calling(call));
}

#[test]
fn an_answer_of_a_task_is_taken_back_while_it_has_certainly_not_left() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a", "b"]);
    bench.answer(ids[0], 0).unwrap();
    assert_eq!(bench.wish(bench.undoes(ids[0])), Err(Refusal::NothingToTakeBack), "it is going out");
    bench.answer(ids[1], 0).unwrap();
    // What waits for the first one to be through has not left.
    bench.wish(bench.undoes(ids[1])).unwrap();
    bench.reply_update(call, Err(unreachable()));
    assert_eq!(bench.states(call), [S::Sending, S::Open]);
    bench.wish(bench.undoes(ids[0])).unwrap();
    assert_eq!(bench.states(call), [S::Open, S::Open]);
    bench.pass(2_000);
    bench.reply_discover(Ok(found()));
    bench.poll(call, Ok(asking(&["a", "b"])));
    assert!(bench.updates(call).is_empty(), "nothing goes out");
}

#[test]
fn what_may_have_left_once_is_not_taken_back() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Err(lost()));
    assert_eq!(bench.wish(bench.undoes(ids[0])), Err(Refusal::NothingToTakeBack));
    bench.poll(call, Ok(asking(&["a"])));
    bench.reply_update(call, Err(unreachable()));
    assert_eq!(bench.wish(bench.undoes(ids[0])), Err(Refusal::NothingToTakeBack), "the first one may have");
}

#[test]
fn an_answer_in_the_place_of_a_model_comes_back_as_it_was_entered() {
    let mut bench = Bench::new();
    let call = bench.call();
    let sampling =
        r#"{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":"?"}]}}"#;
    let asked = format!(
        r#"{{"resultType":"input_required","inputRequests":{{"a":{sampling},"b":{{"method":"x/y"}}}}}}"#
    );
    bench.reply_call(call, Ok(called(&asked)));
    let ids: Vec<_> = bench.questions(call).iter().map(|question| question.id).collect();
    let answer = |action, content: Option<&str>| Intent::Answer {
        request: ids[0],
        action,
        content: content.map(json),
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    assert_eq!(bench.wish(answer(Action::Accept, Some("{}"))), Err(Refusal::NoModelAnswer));
    assert_eq!(bench.wish(answer(Action::Cancel, None)), Err(Refusal::NoDismiss));
    bench.wish(answer(Action::Accept, Some(r#"{"text":"yes"}"#))).unwrap();
    bench.wish(bench.undoes(ids[0])).unwrap();
    assert_eq!(bench.question(ids[0]).draft, Some(json(r#"{"text":"yes"}"#)));
    let own = r#"{"role":"assistant","content":[{"type":"text","text":"yes"}],"model":"m"}"#;
    bench.wish(answer(Action::Accept, Some(own))).unwrap();
    assert_eq!(bench.question(ids[0]).answer.as_ref().unwrap().content, Some(json(own)), "as it was given");
    bench.wish(bench.undoes(ids[0])).unwrap();
    assert_eq!(bench.question(ids[0]).draft, Some(json(own)));
    let unknown = |action| Intent::Answer {
        request: ids[1],
        action,
        content: None,
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    assert_eq!(bench.wish(unknown(Action::Accept)), Err(Refusal::NoAccept));
    bench.wish(unknown(Action::Decline)).unwrap();
    assert!(bench.row(call).ended(), "the only no there is gives the call up");
}

#[test]
fn what_an_earlier_answer_came_to_is_not_forgotten_by_taking_another_back() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_round(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_call(call, Err(lost()));
    let before = bench.question(ids[0]).clone();
    assert_eq!(before.state, S::Unknown, "it may have arrived");

    bench.decline(ids[0], 5_000).unwrap();
    assert_eq!(bench.question(ids[0]).state, S::Held);
    let mut bench = bench.restart(1_000, Follow::All);
    bench.wish(bench.undoes(ids[0])).unwrap();
    let after = bench.question(ids[0]);
    assert_eq!((after.state, &after.answer), (S::Unknown, &before.answer), "as it stood before");

    bench.decline(ids[0], 5_000).unwrap();
    bench.wish(Intent::TakeBackHeld).unwrap();
    let after = bench.question(ids[0]);
    assert_eq!((after.state, &after.answer), (S::Unknown, &before.answer), "nor by a clean end");
    assert_eq!(after.reason, Some(CloseReason::Lapsed));
}

#[test]
fn a_refused_answer_stands_again_when_the_next_one_is_taken_back() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Err(rpc(-32602)));
    assert_eq!(bench.states(call), [S::Refused]);
    let again = |seen| Intent::Answer {
        request: ids[0],
        action: Action::Accept,
        content: Some(json(r#"{"n":2}"#)),
        hold_ms: 5_000,
        seen,
        remark: None,
        asks: None,
    };
    assert_eq!(
        bench.wish(again(None)),
        Err(Refusal::AnsweredMeanwhile),
        "whoever saw it without an answer would decide something else"
    );
    let seen = bench.seen(ids[0]);
    bench.wish(again(seen)).unwrap();
    bench.wish(bench.undoes(ids[0])).unwrap();
    let row = bench.question(ids[0]);
    assert_eq!((row.state, &row.draft), (S::Refused, &Some(json(r#"{"n":2}"#))), "with what was typed last");
    assert!(row.answer.as_ref().is_some_and(|answer| answer.refusal.is_some()), "and why it was refused");
    bench.decline(ids[0], 0).unwrap();
    bench.reply_update(call, Ok(json("{}")));
    assert_eq!(bench.states(call), [S::Answered]);
}

#[test]
fn an_answer_that_was_taken_after_all_is_the_one_that_counts() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Ok(json("{}")));
    let before = bench.question(ids[0]).answer.clone();
    for _ in 0..9 {
        bench.pass(10_000);
        bench.poll(call, Ok(asking(&["a"])));
    }
    assert_eq!(bench.question(ids[0]).state, S::NotTaken);
    bench.decline(ids[0], 60_000).unwrap();
    bench.poll(call, Ok(working("")));
    let row = bench.question(ids[0]);
    assert_eq!(row.state, S::Answered, "it was taken before the other one went");
    assert_eq!(row.answer.as_ref().map(|answer| answer.action), before.map(|answer| answer.action));
}

#[test]
fn only_the_answer_that_is_meant_is_taken_back() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 5_000).unwrap();
    let (mine, theirs) = (bench.undoes(ids[0]), bench.undoes(ids[0]));
    bench.wish(theirs).unwrap();
    assert_eq!(bench.wish(mine.clone()), Err(Refusal::NothingToTakeBack), "there is none now");
    bench.pass(1_000);
    bench.answer(ids[0], 5_000).unwrap();
    assert_eq!(bench.wish(mine), Err(Refusal::AnsweredMeanwhile), "another was given since");
    assert_eq!(bench.states(call), [S::Held], "which stands");
}

#[test]
fn on_the_wire_of_old_only_the_answer_that_is_meant_is_taken_back() {
    let mut bench = Bench::legacy();
    bench.task();
    bench.hear(asks("7", "Really?", Some("task-1")));
    let id = bench.disk.requests.values().last().expect("it asked").id;
    bench.answer(id, 5_000).unwrap();
    let mine = bench.undoes(id);
    bench.wish(bench.undoes(id)).unwrap();
    bench.pass(1_000);
    bench.answer(id, 5_000).unwrap();
    assert_eq!(bench.wish(mine), Err(Refusal::AnsweredMeanwhile));
    assert_eq!(bench.question(id).state, S::Held);
}
