//! What servers ask and people answer.

use signalbox_mcp::Error;
use signalbox_model::{Action, CloseReason, EventKind, Outcome, RequestState as S, Settled, Status};

use super::bench::*;
use crate::{Granted, Intent, NoticeKind, Refusal};

pub(super) fn ack() -> signalbox_model::Json {
    json("{}")
}

#[test]
fn a_question_is_shown_once() {
    let mut bench = Bench::new();
    let call = bench.task();
    for _ in 0..3 {
        bench.poll(call, Ok(asking(&["approval"])));
    }
    bench.poll(call, Ok(json(&asking(&["approval"]).text().replace("1000", "1001"))));
    assert_eq!(bench.questions(call).len(), 1, "the same key is the same question");
    assert_eq!((bench.row(call).status, bench.row(call).open_requests), (Status::InputRequired, 1));
    let told = bench.notices.iter().filter(|n| n.kind == NoticeKind::NeedsInput).count();
    assert_eq!(told, 1);
}

#[test]
fn a_question_keeps_its_words_while_it_stands() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    let asked = bench.question(ids[0]).raw.clone();
    bench.poll(call, Ok(json(&asking(&["a"]).text().replace("Really?", "Really, within 59 s?"))));
    assert_eq!(bench.question(ids[0]).raw, asked, "one key is one question: nobody's answer is pulled away");
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Ok(ack()));
}

#[test]
fn an_answer_is_for_what_was_seen_and_for_no_other_words() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    let id = ids[0];
    let asks = |bench: &Bench| crate::asks(&bench.question(id).raw);
    let no = |asks| Intent::Answer {
        request: id,
        action: Action::Decline,
        content: None,
        hold_ms: 60_000,
        seen: None,
        remark: None,
        asks: Some(asks),
    };
    let seen = asks(&bench);
    bench.poll(call, Ok(working("")));
    bench.poll(call, Ok(json(&asking(&["a"]).text().replace("Really?", "Destroy it?"))));
    assert_eq!(bench.states(call), [S::Open], "the same question, in other words");
    assert_eq!(bench.wish(no(seen)), Err(Refusal::ChangedMeanwhile), "nobody has answered this");
    assert_eq!(bench.states(call), [S::Open]);
    let now = asks(&bench);
    bench.wish(no(now)).unwrap();
    assert_eq!(bench.states(call), [S::Held]);
}

#[test]
fn several_questions_are_answered_in_any_order() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a", "b", "c"]);
    assert_eq!(bench.row(call).open_requests, 3);
    bench.answer(ids[2], 0).unwrap();
    assert_eq!(bench.updates(call)[0][0].0, "c");
    assert_eq!(
        bench.updates(call)[0][0].1.text(),
        r#"{"action":"accept","content":{ "n": 1.0 }}"#,
        "byte for byte"
    );
    bench.answer(ids[0], 0).unwrap();
    assert_eq!(bench.updates(call).len(), 1, "one update at a time");
    assert_eq!(bench.states(call), [S::Sending, S::Open, S::Sending]);
    bench.reply_update(call, Ok(ack()));
    assert_eq!(bench.states(call), [S::Sending, S::Open, S::Answered]);
    assert_eq!(bench.updates(call)[0][0].0, "a", "what was answered meanwhile goes now");
    bench.reply_update(call, Ok(ack()));
    bench.poll(call, Ok(asking(&["b"])));
    assert_eq!(bench.states(call), [S::Answered, S::Open, S::Answered]);
    assert!(bench.question(ids[0]).answer.as_ref().unwrap().taken_at.is_some(), "seen to be taken");
    assert_eq!(bench.row(call).open_requests, 1);
    assert_eq!(bench.answer(ids[0], 0), Err(Refusal::Settled(Settled::Answered)), "answered once");
}

#[test]
fn a_task_knows_since_when_its_oldest_question_waits() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    let first = bench.question(ids[0]).opened_at;
    assert_eq!(bench.row(call).waiting_since, Some(first));
    bench.pass(60_000);
    bench.poll(call, Ok(asking(&["a", "b"])));
    assert_eq!(bench.row(call).waiting_since, Some(first), "another one makes it no younger");
    bench.answer(ids[0], 0).unwrap();
    let since = bench.row(call).waiting_since.expect("the other one waits");
    assert!(since.ms_since(first) >= 60_000, "{since} after {first}");
    bench.reply_update(call, Ok(ack()));
    bench.poll(call, Ok(asking(&["c"])));
    assert_eq!(bench.row(call).open_requests, 1, "as many as before, and another one");
    assert!(bench.row(call).waiting_since > Some(since), "so that it waits since then");
    bench.poll(call, Ok(working("")));
    assert_eq!(bench.row(call).waiting_since, None, "nothing is asked any more");
}

#[test]
fn an_undo_window_holds_the_answer_back() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a", "b"]);
    bench.answer(ids[0], 5_000).unwrap();
    bench.answer(ids[1], 8_000).unwrap();
    assert_eq!((bench.states(call), bench.row(call).open_requests), (vec![S::Held, S::Held], 0));
    bench.pass(4_999);
    assert!(bench.updates(call).is_empty());
    assert_eq!(bench.wish(bench.undoes(ids[0])), Ok(Granted::Done));
    assert_eq!(bench.wish(bench.undoes(ids[0])), Err(Refusal::NothingToTakeBack));
    assert!(bench.question(ids[0]).answer.is_none());
    bench.pass(3_001);
    assert_eq!(bench.states(call), [S::Open, S::Sending], "each has a window of its own");
    assert_eq!(bench.updates(call)[0].len(), 1);
    assert_eq!(bench.wish(bench.undoes(ids[1])), Err(Refusal::NothingToTakeBack), "it is gone");
}

#[test]
fn a_wall_clock_that_jumps_back_holds_nothing_longer() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 5_000).unwrap();
    bench.now.wall = bench.now.wall.plus_ms(-86_400_000);
    bench.pass(5_000);
    assert_eq!(bench.updates(call).len(), 1);
    bench.reply_update(call, Ok(ack()));
}

#[test]
fn an_acknowledged_answer_that_is_still_asked_for_is_not_taken() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Ok(ack()));
    let began = bench.now.steady_ms;
    let mut polls = 0;
    while bench.question(ids[0]).state == S::Answered {
        bench.poll(call, Ok(asking(&["a"])));
        polls += 1;
    }
    assert!(polls >= 3 && bench.now.steady_ms - began >= 30_000, "{polls} polls");
    assert_eq!(bench.question(ids[0]).state, S::NotTaken);
    assert_eq!((bench.question(ids[0]).closed_at, bench.row(call).open_requests), (None, 1));
    assert_eq!(bench.notices.iter().filter(|n| n.kind == NoticeKind::NeedsInput).count(), 2, "told again");
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Ok(ack()));
    bench.poll(call, Ok(working("")));
    assert_eq!(bench.question(ids[0]).state, S::Answered);
}

#[test]
fn three_slow_polls_are_needed_and_thirty_seconds() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    let slow = json(&asking(&["a"]).text().replace("1000", "60000"));
    bench.poll(call, Ok(slow.clone()));
    bench.until_polled(call);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Ok(ack()));
    // This poll was sent before the answer was through: it says nothing about it.
    bench.reply_poll(call, Ok(slow.clone()));
    for _ in 0..2 {
        bench.poll(call, Ok(slow.clone()));
        assert_eq!(bench.question(ids[0]).state, S::Answered);
    }
    bench.poll(call, Ok(slow));
    assert_eq!(bench.question(ids[0]).state, S::NotTaken);
}

#[test]
fn an_answer_that_was_taken_late_was_taken() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Ok(ack()));
    while bench.question(ids[0]).state == S::Answered {
        bench.poll(call, Ok(asking(&["a"])));
    }
    bench.poll(call, Ok(working("")));
    assert_eq!(bench.question(ids[0]).state, S::Answered, "nobody else answered it");
}

#[test]
fn a_lost_acknowledgement_is_settled_by_a_poll() {
    let errors = [lost(), Error::Timeout { ms: 1 }, exited(), unreachable()];
    for error in errors {
        for (after, expected) in [(working(""), S::Answered), (asking(&["a"]), S::Sending)] {
            let mut bench = Bench::new();
            let (call, ids) = bench.asked_task(&["a"]);
            bench.answer(ids[0], 0).unwrap();
            let first = bench.updates(call);
            bench.reply_update(call, Err(error.clone()));
            assert!(bench.updates(call).is_empty(), "not again before a poll: {error:?}");
            bench.pass(2_000);
            if bench.flights.contains(&Flight::Discover { server: SERVER }) {
                bench.reply_discover(Ok(found()));
            }
            bench.poll(call, Ok(after.clone()));
            let unsent = error.sent() == signalbox_mcp::Sent::No;
            let expected = if unsent && expected == S::Answered { S::Closed } else { expected };
            assert_eq!(bench.question(ids[0]).state, expected, "{error:?}");
            if expected == S::Sending {
                assert_eq!(bench.updates(call), first, "the same again");
                bench.reply_update(call, Ok(ack()));
                assert_eq!(bench.question(ids[0]).state, S::Answered);
            } else {
                assert!(bench.updates(call).is_empty(), "{error:?}");
            }
        }
    }
}

#[test]
fn a_poll_that_was_sent_before_the_loss_does_not_make_us_send_again() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.until_polled(call);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Err(lost()));
    bench.reply_poll(call, Ok(asking(&["a"])));
    assert!(bench.updates(call).is_empty(), "the server may have taken it after it answered this poll");
    bench.poll(call, Ok(working("")));
    assert_eq!(bench.question(ids[0]).state, S::Answered);
}

#[test]
fn a_refused_answer_can_be_given_again() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Err(rpc(-32602)));
    let question = bench.question(ids[0]);
    assert_eq!(question.state, S::Refused);
    assert!(question.answer.as_ref().unwrap().refusal.is_some(), "the server's words are kept");
    assert_eq!(bench.row(call).open_requests, 1);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Ok(ack()));
    assert_eq!(bench.question(ids[0]).state, S::Answered);
}

#[test]
fn a_question_somebody_else_answered_closes_and_may_come_back() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a", "b"]);
    bench.answer(ids[1], 60_000).unwrap();
    bench.poll(call, Ok(working("")));
    assert_eq!(bench.states(call), [S::Closed, S::Closed]);
    assert_eq!(bench.question(ids[0]).reason, Some(CloseReason::AnsweredElsewhere));
    assert_eq!(bench.answer(ids[0], 0), Err(Refusal::Settled(Settled::Closed)));
    bench.pass(60_000);
    assert!(bench.updates(call).is_empty(), "what was held is not sent to a question that is gone");
    let told = bench.notices.len();
    bench.poll(call, Ok(asking(&["a"])));
    assert_eq!(bench.states(call), [S::Open, S::Closed], "asked again: the same question");
    assert_eq!(bench.notices.len(), told + 1, "and the person is told");
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Ok(ack()));
}

#[test]
fn the_end_of_a_task_closes_its_questions() {
    for (state, went_on) in [(done(), true), (json(r#"{"status":"cancelled"}"#), false)] {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_task(&["open", "held", "lost", "answered"]);
        bench.answer(ids[3], 0).unwrap();
        bench.reply_update(call, Ok(ack()));
        bench.answer(ids[2], 0).unwrap();
        bench.reply_update(call, Err(lost()));
        bench.answer(ids[1], 60_000).unwrap();
        bench.poll(call, Ok(state));
        let lost = if went_on { S::Answered } else { S::Closed };
        assert_eq!(bench.states(call), [S::Closed, S::Closed, lost, S::Answered]);
        assert_eq!(bench.question(ids[0]).reason, Some(CloseReason::TaskEnded), "nobody else answered it");
        let taken = bench.question(ids[3]).answer.as_ref().unwrap().taken_at.is_some();
        assert_eq!(
            taken, went_on,
            "an acknowledged answer was taken for certain only where a result came of it"
        );
        bench.pass(100_000);
        assert!(bench.flights.is_empty(), "nothing goes to a task that is over");
    }
}

#[test]
fn an_acknowledgement_that_comes_after_the_end_still_counts() {
    // Lost or not: a task that came to a result got what it asked for.
    for (reply, expected) in [(Ok(ack()), S::Answered), (Err(lost()), S::Answered), (Err(rpc(-1)), S::Closed)]
    {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_task(&["a"]);
        bench.until_polled(call);
        bench.answer(ids[0], 0).unwrap();
        bench.reply_poll(call, Ok(done()));
        assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
        assert_eq!(bench.question(ids[0]).state, S::Sending, "its acknowledgement decides");
        bench.reply_update(call, reply);
        assert_eq!(bench.question(ids[0]).state, expected);
        assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
    }
}

#[test]
fn drafts_are_kept() {
    let mut bench = Bench::new();
    let (_, ids) = bench.asked_task(&["a"]);
    let draft = |draft| Intent::SaveDraft { request: ids[0], draft };
    bench.wish(draft(Some(json(r#"{"n":1}"#)))).unwrap();
    assert_eq!(bench.question(ids[0]).draft, Some(json(r#"{"n":1}"#)));
    bench.wish(draft(None)).unwrap();
    assert_eq!(bench.question(ids[0]).draft, None);
}

#[test]
fn what_was_typed_outlives_the_end_of_its_question_unless_it_was_answered() {
    let (state, other) = (asking(&["other"]), json(r#"{"status":"cancelled"}"#));
    for end in [state, done(), other] {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_task(&["taken", "left", "undone"]);
        let draft = Some(json(r#"{"note":"half typed"}"#));
        for id in &ids {
            bench.wish(Intent::SaveDraft { request: *id, draft: draft.clone() }).unwrap();
        }
        bench.answer(ids[2], 5_000).unwrap();
        bench.wish(bench.undoes(ids[2])).unwrap();
        bench.answer(ids[0], 0).unwrap();
        bench.reply_update(call, Ok(ack()));
        bench.poll(call, Ok(end));
        assert_eq!(bench.question(ids[0]).draft, None, "it was answered, and the answer is kept");
        assert_eq!(bench.question(ids[1]).draft, draft, "nothing that was typed is lost: it can be read");
        assert!(bench.question(ids[2]).draft.is_some(), "nor what was taken back");
        assert_eq!(bench.question(ids[1]).state, S::Closed);
    }
}

#[test]
fn what_was_sent_is_not_kept_as_something_that_was_not() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.wish(Intent::SaveDraft { request: ids[0], draft: Some(json(r#"{"n":1}"#)) }).unwrap();
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Err(rpc(-32602)));
    assert_eq!(bench.question(ids[0]).state, S::Refused);
    assert!(bench.question(ids[0]).draft.is_some(), "one goes on from it");
    bench.poll(call, Ok(done()));
    assert_eq!((bench.question(ids[0]).state, &bench.question(ids[0]).draft), (S::Closed, &None));
}

#[test]
fn what_nobody_knows_is_shown_and_can_only_be_declined() {
    let mut bench = Bench::new();
    let call = bench.task();
    let state = r#"{"status":"input_required","inputRequests":{"s":{"method":"weather/ask"},"x":7}}"#;
    bench.poll(call, Ok(json(state)));
    let ids: Vec<_> = bench.questions(call).iter().map(|request| request.id).collect();
    assert_eq!(ids.len(), 2, "also what is no object is kept");
    for id in ids {
        assert_eq!(bench.answer(id, 0), Err(Refusal::NoAccept));
        bench.decline(id, 0).unwrap();
        let row = bench.question(id);
        assert_eq!((row.state, row.reason), (S::Closed, Some(CloseReason::DeclinedByUs)));
    }
    bench.poll(call, Ok(json(state)));
    assert_eq!(bench.states(call), [S::Closed, S::Closed], "not asked again, though it is");
    assert!(bench.updates(call).is_empty(), "there is no shape for that no");
}

#[test]
fn a_flood_of_questions_is_bounded() {
    let mut bench = Bench::new();
    let call = bench.task();
    let keys: Vec<String> = (0..600).map(|n| n.to_string()).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    bench.poll(call, Ok(asking(&keys)));
    assert_eq!(bench.questions(call).len(), 500);
    let story = bench.disk.story(call);
    assert_eq!(story.iter().filter(|kind| **kind == EventKind::Asked).count(), 500);
    assert_eq!(story.iter().filter(|kind| **kind == EventKind::LeftOut).count(), 1, "and it is said, once");
}

#[test]
fn what_is_asked_again_is_no_more_than_may_wait() {
    let mut bench = Bench::new();
    let call = bench.task();
    let keys: Vec<String> = (0..1_000).map(|n| n.to_string()).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    for half in keys.chunks(500) {
        bench.poll(call, Ok(asking(half)));
        bench.poll(call, Ok(working("")));
    }
    assert_eq!(bench.row(call).open_requests, 0, "all of it was withdrawn");
    bench.poll(call, Ok(asking(&keys)));
    assert_eq!(bench.row(call).open_requests, 500, "as many as of new ones");
    assert_eq!(bench.row(call).note.as_ref().map(|note| note.code), Some(NoteCode::AsksTooMuch));
    bench.poll(call, Ok(asking(&keys[..10])));
    assert_eq!((bench.row(call).open_requests, &bench.row(call).note), (10, &None), "there is room again");
}

#[test]
fn a_task_asks_no_more_than_ten_thousand_questions_in_a_run() {
    let mut bench = Bench::new();
    let call = bench.task();
    for round in 0..21 {
        let keys: Vec<String> = (0..500).map(|n| format!("{round}/{n}")).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        bench.poll(call, Ok(asking(&keys)));
    }
    assert_eq!(bench.state.rooms.calls.live[&call].questions.len(), 10_000);
    assert_eq!(bench.row(call).open_requests, 0, "none of the last five hundred was taken");
    assert_eq!(bench.row(call).note.as_ref().map(|note| note.code), Some(NoteCode::AsksTooMuch));
}

#[test]
fn a_task_may_ask_more_over_its_life_than_at_once() {
    let mut bench = Bench::new();
    let call = bench.task();
    for round in 0..20 {
        let keys: Vec<String> = (0..50).map(|n| format!("{round}/{n}")).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        bench.poll(call, Ok(asking(&keys)));
    }
    assert_eq!(bench.questions(call).len(), 1_000, "questions that are over make room for new ones");
}
