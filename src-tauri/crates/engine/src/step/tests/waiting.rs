//! Whoever waits to hear what became of an answer, or of a wish to cancel, hears it once, and in time.

use signalbox_mcp::SessionReplied;
use signalbox_model::{Action, CallId, CloseReason, Health, RequestId, RequestState as S};

use super::{bench::*, legacy::asks};
use crate::{Fate, Granted, Input, Intent, Token, step::PATIENCE};

impl Bench {
    fn awaits(&mut self, request: RequestId) -> Token {
        let decided_at = self.seen(request).unwrap_or(self.now.wall);
        self.ask(Intent::AwaitAnswer { request, decided_at, once_out: false })
    }

    fn awaits_its_going_out(&mut self, request: RequestId) -> Token {
        let decided_at = self.seen(request).unwrap_or(self.now.wall);
        self.ask(Intent::AwaitAnswer { request, decided_at, once_out: true })
    }

    fn awaits_wish(&mut self, call: CallId) -> Token {
        self.ask(Intent::AwaitCancel(call))
    }

    /// The state that who waits was told, and how it is to be taken. None while they wait.
    fn heard_of_answer(&self, token: Token) -> Option<(S, Fate)> {
        self.replies.get(&token).map(|reply| match reply {
            Ok(Granted::Answer { request, fate }) => (request.state, fate.clone()),
            other => panic!("it should be told what became of the answer: {other:?}"),
        })
    }

    fn heard_of_wish(&self, token: Token) -> Option<Fate> {
        self.replies.get(&token).map(|reply| match reply {
            Ok(Granted::Wish { fate, .. }) => fate.clone(),
            other => panic!("it should be told what became of the wish: {other:?}"),
        })
    }
}

#[test]
fn an_acknowledgement_is_told_to_all_who_wait_for_it() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a", "b"]);
    bench.answer(ids[0], 0).unwrap();
    let (first, second) = (bench.awaits(ids[0]), bench.awaits_its_going_out(ids[0]));
    bench.answer(ids[1], 0).unwrap();
    let other = bench.awaits(ids[1]);
    assert_eq!(
        (bench.heard_of_answer(first), bench.heard_of_answer(second)),
        (None, None),
        "it is on its way"
    );
    bench.reply_update(call, Ok(json("{}")));
    assert_eq!(bench.heard_of_answer(first), Some((S::Answered, Fate::Known)));
    assert_eq!(bench.heard_of_answer(second), Some((S::Answered, Fate::Known)));
    assert_eq!(bench.heard_of_answer(other), None, "that one has only just gone");
    let late = bench.awaits(ids[0]);
    assert_eq!(
        bench.heard_of_answer(late),
        Some((S::Answered, Fate::Known)),
        "who comes later hears it at once"
    );
}

#[test]
fn a_refusal_is_told() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    let waits = bench.awaits(ids[0]);
    bench.reply_update(call, Err(rpc(-32602)));
    assert_eq!(bench.heard_of_answer(waits), Some((S::Refused, Fate::Known)));
}

#[test]
fn the_last_that_memory_has_of_a_question_is_told() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 5_000).unwrap();
    let waits = bench.awaits(ids[0]);
    bench.poll(call, Ok(done()));
    assert_eq!(bench.heard_of_answer(waits), Some((S::Closed, Fate::Known)), "with the end of its call");
    let after = bench.awaits(ids[0]);
    assert_eq!(bench.replies[&after], Ok(Granted::Done), "now only the store knows it");
}

#[test]
fn a_forgotten_question_is_waited_for_no_longer() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 5_000).unwrap();
    let (answer, wish) = (bench.awaits(ids[0]), {
        bench.wish(bench.cancels(call)).unwrap();
        bench.awaits_wish(call)
    });
    bench.forget(call).unwrap();
    assert_eq!(bench.heard_of_answer(answer), Some((S::Held, Fate::Forgotten)));
    assert_eq!(bench.heard_of_wish(wish), Some(Fate::Forgotten));
}

#[test]
fn a_server_that_says_nothing_is_late() {
    let mut bench = Bench::new();
    let (_, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    let waits = bench.awaits(ids[0]);
    bench.pass(PATIENCE - 1);
    assert_eq!(bench.heard_of_answer(waits), None);
    bench.pass(1);
    assert_eq!(bench.heard_of_answer(waits), Some((S::Sending, Fate::Late)));
}

#[test]
fn a_server_that_goes_away_is_told_at_once() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 10_000).unwrap();
    let waits = bench.awaits(ids[0]);
    bench.poll(call, Err(unreachable()));
    let told = bench.heard_of_answer(waits);
    assert!(matches!(&told, Some((S::Held, Fate::Waits(Health::Unreachable { .. })))), "{told:?}");
    let again = bench.awaits(ids[0]);
    assert!(bench.heard_of_answer(again).is_some(), "as who comes now is");
}

#[test]
fn an_answer_of_a_round_that_others_keep_back_is_kept() {
    let mut bench = Bench::new();
    let (_, ids) = bench.asked_round(&["a", "b"]);
    bench.answer(ids[0], 0).unwrap();
    let waits = bench.awaits(ids[0]);
    assert_eq!(bench.heard_of_answer(waits), Some((S::Sending, Fate::Kept)));
}

#[test]
fn of_a_round_it_can_be_enough_that_it_is_out() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_round(&["a"]);
    bench.answer(ids[0], 1_000).unwrap();
    let (out, settled) = (bench.awaits_its_going_out(ids[0]), bench.awaits(ids[0]));
    bench.pass(1_000);
    assert_eq!(bench.heard_of_answer(out), Some((S::Sending, Fate::Out)));
    bench.pass(10 * PATIENCE);
    assert_eq!(bench.heard_of_answer(settled), None, "its tool may work for hours");
    bench.reply_call(call, Err(lost()));
    assert_eq!(bench.heard_of_answer(settled), Some((S::Unknown, Fate::Known)));
}

#[test]
fn what_was_taken_back_is_told() {
    let mut bench = Bench::new();
    let (_, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 5_000).unwrap();
    let waits = bench.awaits(ids[0]);
    bench.wish(bench.undoes(ids[0])).unwrap();
    assert_eq!(bench.heard_of_answer(waits), Some((S::Open, Fate::TakenBack)));
}

#[test]
fn whoever_comes_to_wait_after_somebody_else_took_it_back_and_answered_is_not_told_of_that_answer() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a", "b"]);
    bench.answer(ids[1], 0).unwrap();
    bench.answer(ids[0], 0).unwrap();
    let first = bench.seen(ids[0]).unwrap();
    bench.wish(bench.undoes(ids[0])).unwrap();
    bench.pass(3);
    bench.decline(ids[0], 0).unwrap();
    let waits = bench.ask(Intent::AwaitAnswer { request: ids[0], decided_at: first, once_out: false });
    assert_eq!(bench.heard_of_answer(waits), Some((S::Sending, Fate::TakenBack)), "theirs is gone");
    bench.reply_update(call, Ok(json("{}")));
}

#[test]
fn an_answer_that_failed_before_another_was_given_is_told_as_it_failed() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a"]);
    bench.answer(ids[0], 0).unwrap();
    let first = bench.seen(ids[0]).unwrap();
    bench.reply_update(call, Err(rpc(-32602)));
    bench.pass(3);
    bench.decline(ids[0], 0).unwrap();
    let waits = bench.ask(Intent::AwaitAnswer { request: ids[0], decided_at: first, once_out: false });
    let Ok(Granted::Answer { request, fate: Fate::Known }) = &bench.replies[&waits] else { panic!("told") };
    let earlier = request.earlier.as_ref().unwrap();
    assert_eq!((earlier.state, earlier.answer.decided_at), (S::Refused, first), "the row has both");
}

#[test]
fn a_no_without_a_shape_is_told_as_declined() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(
        call,
        Ok(json(
            r#"{"status":"input_required","pollIntervalMs":1000,"ttlMs":null,"inputRequests":{"k":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}}}"#,
        )),
    );
    let id = bench.questions(call)[0].id;
    let seen = bench.seen(id);
    let no = Intent::Answer {
        request: id,
        action: Action::Decline,
        content: None,
        hold_ms: 1_000,
        seen,
        remark: None,
        asks: None,
    };
    bench.wish(no).unwrap();
    let waits = bench.awaits(id);
    bench.pass(1_000);
    assert_eq!(bench.heard_of_answer(waits), Some((S::Closed, Fate::Known)));
    assert_eq!(bench.question(id).reason, Some(CloseReason::DeclinedByUs));
}

#[test]
fn what_became_of_a_wish_to_cancel_is_told() {
    let mut bench = Bench::new();
    let taken = bench.task();
    bench.wish(bench.cancels(taken)).unwrap();
    let waits = bench.awaits_wish(taken);
    assert_eq!(bench.heard_of_wish(waits), None, "it is on its way");
    bench.reply_cancel(taken, Ok(json("{}")));
    assert_eq!(bench.heard_of_wish(waits), Some(Fate::Known));

    let refused = bench.task();
    bench.wish(bench.cancels(refused)).unwrap();
    let waits = bench.awaits_wish(refused);
    bench.reply_cancel(refused, Err(rpc(-32602)));
    let Ok(Granted::Wish { call, fate: Fate::Known }) = &bench.replies[&waits] else { panic!("told") };
    assert_eq!((call.cancel.clone(), call.note.is_some()), (None, true), "with the row that says why");

    let silent = bench.task();
    bench.wish(bench.cancels(silent)).unwrap();
    let waits = bench.awaits_wish(silent);
    bench.pass(PATIENCE);
    assert_eq!(bench.heard_of_wish(waits), Some(Fate::Late));
}

#[test]
fn a_wish_and_its_waiter_end_with_the_task() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.wish(bench.cancels(call)).unwrap();
    let waits = bench.awaits_wish(call);
    bench.poll(call, Ok(json(r#"{"status":"cancelled"}"#)));
    assert_eq!(bench.heard_of_wish(waits), Some(Fate::Known));
}

#[test]
fn an_answer_on_the_wire_of_old_is_told() {
    let mut bench = Bench::legacy();
    bench.task();
    bench.hear(asks("7", "Really?", Some("task-1")));
    let id = bench.disk.requests.values().last().expect("it asked").id;
    bench.answer(id, 0).unwrap();
    let waits = bench.awaits(id);
    assert_eq!(bench.heard_of_answer(waits), None, "it is on its way");
    bench.feed(Input::Replied { server: SERVER, request: id, reply: Ok(SessionReplied::Delivered) });
    assert_eq!(bench.heard_of_answer(waits), Some((S::Answered, Fate::Known)));
}

#[test]
fn who_waits_for_what_was_forgotten_is_told_how_far_it_had_come() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a", "b"]);
    bench.answer(ids[0], 0).unwrap();
    bench.answer(ids[1], 60_000).unwrap();
    bench.wish(bench.cancels(call)).unwrap();
    let (sent, held, wish) = (bench.awaits(ids[0]), bench.awaits(ids[1]), bench.awaits_wish(call));
    bench.forget(call).unwrap();
    let told = |token| match &bench.replies[&token] {
        Ok(Granted::Answer { request, fate: Fate::Forgotten }) => request.sent(),
        other => panic!("it should be told that its task was forgotten: {other:?}"),
    };
    assert_eq!((told(sent), told(held)), (true, false), "one may have arrived, the other never left");
    assert_eq!(bench.heard_of_wish(wish), Some(Fate::Forgotten));
}

#[test]
fn on_the_wire_of_old_who_waits_for_what_was_forgotten_is_told_too() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.hear(asks("7", "Really?", Some("task-1")));
    let id = bench.disk.requests.values().last().expect("it asked").id;
    bench.answer(id, 0).unwrap();
    let waits = bench.awaits(id);
    bench.forget(call).unwrap();
    assert_eq!(bench.heard_of_answer(waits), Some((S::Sending, Fate::Forgotten)));
}

#[test]
fn what_is_forgotten_tells_nobody_who_waits_for_something_else() {
    let mut bench = Bench::new();
    let ((call, ids), (gone, _)) = (bench.asked_task(&["a"]), bench.asked_task(&["b"]));
    bench.answer(ids[0], 0).unwrap();
    let waits = bench.awaits(ids[0]);
    bench.forget(gone).unwrap();
    assert_eq!(bench.heard_of_answer(waits), None, "its own is on its way");
    bench.reply_update(call, Ok(json("{}")));
    assert_eq!(bench.heard_of_answer(waits), Some((S::Answered, Fate::Known)));
}
