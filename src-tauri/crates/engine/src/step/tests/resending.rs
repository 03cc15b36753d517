//! What does not come through is sent again more and more seldom, and what is refused is not.

use signalbox_mcp::{Error, Hint};
use signalbox_model::{DecisionKind as D, Reason, RequestState as S, Stray, Then};

use super::bench::*;

fn barred(status: u16) -> Error {
    Error::NotMcp { status: Some(status), content_type: Some("text/html".to_owned()), hint: Hint::Page }
}

#[test]
fn answers_that_never_come_through_are_sent_more_and_more_seldom_and_the_log_stays_short() {
    for error in [lost(), Error::Garbled { stray: Stray::NoMessage, raw: None }] {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_task(&["a"]);
        bench.answer(ids[0], 0).unwrap();
        let (began, mut sendings) = (bench.now.steady_ms, Vec::new());
        while bench.now.steady_ms - began < 3_600_000 {
            if !bench.updates(call).is_empty() {
                sendings.push(bench.now.steady_ms - began);
                bench.reply_update(call, Err(error.clone()));
            }
            bench.poll(call, Ok(asking(&["a"])));
        }
        let in_a_minute = sendings.iter().filter(|at| **at < 60_000).count();
        assert!((5..=8).contains(&in_a_minute), "{sendings:?}");
        assert!((15..=25).contains(&sendings.len()), "{sendings:?}");
        let last = sendings.windows(2).next_back().unwrap();
        assert!(last[1] - last[0] <= 340_000, "but never given up: {sendings:?}");
        let entries: Vec<_> = bench.disk.decisions.iter().filter(|entry| entry.kind == D::Sent).collect();
        assert!(entries.len() <= 7, "the log is kept for ever: {}", entries.len());
        assert!(entries[0].json.is_some() && entries[1..].iter().all(|entry| entry.json.is_none()));
        let note = bench.row(call).note.as_ref().expect("the person is told");
        assert_eq!(note.then, Some(Then::AnswersDelayed), "{note:?}");

        // And when it comes through all of that is over.
        while bench.updates(call).is_empty() {
            bench.poll(call, Ok(asking(&["a"])));
        }
        bench.reply_update(call, Ok(json("{}")));
        assert_eq!((bench.question(ids[0]).state, &bench.row(call).note), (S::Answered, &None));
    }
}

#[test]
fn an_answer_that_a_server_cannot_take_keeps_no_other_from_it() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["poison", "b", "c"]);
    bench.answer(ids[0], 0).unwrap();
    bench.reply_update(call, Err(lost()));
    bench.answer(ids[1], 0).unwrap();
    bench.poll(call, Ok(asking(&["poison", "b", "c"])));
    let went = |bench: &Bench| -> Vec<String> {
        bench.updates(call).into_iter().flatten().map(|(key, _)| key).collect()
    };
    assert_eq!(went(&bench), ["b"], "what is new goes first, and alone");
    bench.reply_update(call, Err(lost()));
    let mut alone = Vec::new();
    while bench.question(ids[1]).state == S::Sending {
        bench.poll(call, Ok(asking(&["poison", "b", "c"])));
        let keys = went(&bench);
        if !keys.is_empty() {
            bench.reply_update(call, if keys == ["b"] { Ok(json("{}")) } else { Err(lost()) });
            alone.push(keys);
        }
    }
    assert!(alone.iter().all(|keys| keys.len() == 1), "one by one: {alone:?}");
    assert!(alone.len() <= 2, "each in its turn: {alone:?}");
}

#[test]
fn a_question_that_is_gone_ends_the_trouble() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    while bench.row(call).note.is_none() {
        while bench.updates(call).is_empty() {
            bench.poll(call, Ok(asking(&["a"])));
        }
        bench.reply_update(call, Err(lost()));
        bench.poll(call, Ok(asking(&["a"])));
    }
    bench.poll(call, Ok(working("")));
    assert_eq!((bench.question(ids[0]).state, &bench.row(call).note), (S::Answered, &None));
}

#[test]
fn a_new_answer_does_not_wait_for_an_old_one_that_fails() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a", "b"]);
    bench.answer(ids[0], 0).unwrap();
    for _ in 0..8 {
        while bench.updates(call).is_empty() {
            bench.poll(call, Ok(asking(&["a", "b"])));
        }
        bench.reply_update(call, Err(lost()));
    }
    bench.poll(call, Ok(asking(&["a", "b"])));
    assert!(bench.updates(call).is_empty(), "the old one waits");
    bench.answer(ids[1], 0).unwrap();
    bench.poll(call, Ok(asking(&["a", "b"])));
    assert_eq!(bench.updates(call).len(), 1);
}

#[test]
fn what_the_door_refuses_is_refused_and_can_be_answered_again() {
    for status in [400, 413, 422, 431] {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_task(&["a"]);
        bench.answer(ids[0], 0).unwrap();
        bench.reply_update(call, Err(barred(status)));
        let question = bench.question(ids[0]);
        assert_eq!(question.state, S::Refused, "{status}");
        let refusal = question.answer.as_ref().unwrap().refusal.as_ref().unwrap();
        assert!(
            matches!(refusal.reason, Reason::NotMcp { status: Some(said), .. } if said == status),
            "{refusal:?}"
        );
        bench.answer(ids[0], 0).unwrap();
        while bench.updates(call).is_empty() {
            let due = bench.state.next_due().expect("it goes");
            bench.pass(due - bench.now.steady_ms);
            if bench.flights.contains(&Flight::Discover { server: SERVER }) {
                bench.reply_discover(Ok(found()));
            }
        }
        bench.reply_update(call, Ok(json("{}")));
        assert_eq!(bench.question(ids[0]).state, S::Answered);
    }
    // What may be about the address, or is no more than a lost way, is not the answer's fault.
    for status in [302, 404] {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_task(&["a"]);
        bench.answer(ids[0], 0).unwrap();
        bench.reply_update(call, Err(barred(status)));
        assert_eq!(bench.question(ids[0]).state, S::Sending, "{status}");
    }
}

#[test]
fn what_is_refused_when_it_goes_again_may_have_arrived_before() {
    for seen in [Some(working("")), Some(done()), None] {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_task(&["a"]);
        bench.answer(ids[0], 0).unwrap();
        bench.reply_update(call, Err(lost()));
        bench.poll(call, Ok(asking(&["a"])));
        bench.reply_update(call, Err(barred(409)));
        let question = bench.question(ids[0]);
        assert_eq!(
            question.state,
            S::Unknown,
            "the first may be on its way for longer than it takes to poll"
        );
        assert!(
            question.answer.as_ref().unwrap().refusal.is_some(),
            "and what was said to the second is kept"
        );
        if let Some(state) = seen {
            bench.poll(call, Ok(state));
            assert_eq!(
                bench.question(ids[0]).state,
                S::Answered,
                "it is asked no more, and the task went on"
            );
        } else {
            bench.poll(call, Ok(asking(&["a"])));
            assert_eq!(bench.question(ids[0]).state, S::Unknown, "a person decides");
            bench.answer(ids[0], 0).unwrap();
            bench.reply_update(call, Ok(json("{}")));
            assert_eq!(bench.question(ids[0]).state, S::Answered);
        }
    }
}
