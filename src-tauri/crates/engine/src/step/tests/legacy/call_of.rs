//! Questions that do not say whose they are: what is guessed does no harm, and is mended.

use super::*;

impl Bench {
    /// A question that names no task, on the stream on which the server can speak at any time.
    fn asked_by_nobody(&mut self, rpc: &str, message: &str) -> RequestId {
        self.hear(asks(rpc, message, None));
        self.last().id
    }

    /// What a poll shows: a task that says what it asks.
    fn shows(&mut self, call: CallId, status: &str, message: &str) {
        self.poll(call, Ok(state(status, &format!(r#","statusMessage":"{message}""#))));
    }

    pub(super) fn completes(&mut self, call: CallId) {
        self.shows(call, "completed", "done");
        self.result(call, Ok(json(r#"{"content":[]}"#)));
        assert_eq!(self.row(call).outcome, Some(Outcome::Ok));
    }

    fn is_answered(&mut self, id: RequestId) {
        self.answer(id, 0).unwrap();
        assert_eq!(self.replies_to(id).len(), 1);
        self.replied(id, Ok(SessionReplied::Delivered));
        assert_eq!(self.question(id).state, RequestState::Answered);
    }

    fn call_of(&self, id: RequestId) -> Option<CallId> {
        self.question(id).call
    }
}

#[test]
fn a_task_with_a_question_of_its_own_is_not_given_another_ones() {
    let mut bench = Bench::legacy();
    let t1 = bench.task();
    bench.shows(t1, "input_required", "first");
    let r1 = bench.asked_by_nobody("1", "first");
    let t2 = bench.task();
    let r2 = bench.asked_by_nobody("2", "second");
    assert_eq!((bench.call_of(r1), bench.call_of(r2)), (Some(t1), None), "the other may have asked as well");
    bench.is_answered(r1);
    bench.completes(t1);
    assert_eq!(bench.question(r2).state, RequestState::Open);
    bench.shows(t2, "input_required", "second");
    bench.pass(1_000);
    assert_eq!(bench.call_of(r2), Some(t2), "a poll has made it clear");
    assert_eq!(bench.row(t2).open_requests, 1);
    bench.is_answered(r2);
    assert_eq!(bench.row(t2).open_requests, 0);
}

#[test]
fn a_guess_is_corrected_by_a_poll() {
    let mut bench = Bench::legacy();
    let t1 = bench.task();
    bench.shows(t1, "input_required", "begun");
    let t2 = bench.task();
    let id = bench.asked_by_nobody("1", "second");
    assert_eq!(bench.call_of(id), Some(t1), "the only one that needs input");
    bench.shows(t2, "input_required", "second");
    bench.pass(1_000);
    assert_eq!(bench.call_of(id), Some(t2));
    assert_eq!((bench.row(t1).open_requests, bench.row(t2).open_requests), (0, 1));
    bench.shows(t1, "input_required", "second");
    bench.shows(t2, "working", "still there");
    bench.pass(1_000);
    assert_eq!(bench.call_of(id), Some(t2), "what was clear once stays");
}

#[test]
fn a_status_that_is_told_makes_it_clear_at_once() {
    let mut bench = Bench::legacy();
    bench.task();
    let t2 = bench.task();
    let id = bench.asked_by_nobody("1", "second");
    assert_eq!(bench.call_of(id), None);
    let told = format!(r#"{{"taskId":"task-{}","status":"input_required","statusMessage":"second"}}"#, t2.0);
    bench.news(ServerNews::TaskStatus(TaskView::read_legacy(&json(&told))));
    assert_eq!(bench.call_of(id), Some(t2));
}

#[test]
fn the_end_of_a_task_that_was_guessed_refuses_nothing() {
    for hold_ms in [None, Some(60_000)] {
        let mut bench = Bench::legacy();
        let (t1, r1) = (bench.task(), bench.asked_by_nobody("1", "second"));
        assert_eq!(bench.call_of(r1), Some(t1));
        bench.wish(Intent::SaveDraft { request: r1, draft: Some(json("1")) }).unwrap();
        if let Some(hold_ms) = hold_ms {
            bench.answer(r1, hold_ms).unwrap();
        }
        let before = bench.question(r1).state;
        bench.completes(t1);
        assert_eq!((bench.question(r1).state, bench.call_of(r1)), (before, None));
        assert_eq!(bench.question(r1).draft, Some(json("1")));
        assert_eq!(bench.wire_replies, [], "another task may wait for it");
        let mut bench = bench.restart(1_000, Follow::All);
        bench.connect(1, true);
        if hold_ms.is_none() {
            bench.is_answered(r1);
        }
        bench.pass(60_000);
        assert_eq!(bench.replies_to(r1).len(), 1);
    }
}

#[test]
fn what_has_gone_out_stays_with_the_task_that_was_guessed() {
    let mut bench = Bench::legacy();
    let (t1, id) = (bench.task(), bench.asked_by_nobody("1", "Well?"));
    bench.answer(id, 0).unwrap();
    bench.completes(t1);
    assert_eq!(bench.call_of(id), Some(t1), "its receipt says for what it was");
    bench.replied(id, Ok(SessionReplied::Delivered));
    assert_eq!((bench.question(id).state, bench.call_of(id)), (RequestState::Answered, Some(t1)));
}

#[test]
fn what_may_not_have_arrived_is_let_go_when_that_task_has_ended() {
    for (reply, state) in [(unreachable(), RequestState::Sending), (lost(), RequestState::Unknown)] {
        let mut bench = Bench::legacy();
        let (t1, id) = (bench.task(), bench.asked_by_nobody("1", "Well?"));
        bench.answer(id, 0).unwrap();
        bench.completes(t1);
        bench.replied(id, Err(reply));
        assert_eq!((bench.question(id).state, bench.call_of(id)), (state, None), "another may wait for it");
    }
}

#[test]
fn what_names_its_task_ends_with_it() {
    let (mut bench, call, id) = asked();
    bench.completes(call);
    assert_eq!(bench.question(id).reason, Some(CloseReason::TaskEnded));
    assert_eq!(bench.wire_replies.len(), 1, "the server may hold it for ever");
}

#[test]
fn the_same_words_twice_make_nothing_clear() {
    let mut bench = Bench::legacy();
    let (t1, t2) = (bench.task(), bench.task());
    let (r1, r2) = (bench.asked_by_nobody("1", "Approve?"), bench.asked_by_nobody("2", "Approve?"));
    bench.shows(t1, "working", "Approve?");
    bench.pass(1_000);
    assert_eq!(
        (bench.call_of(r1), bench.call_of(r2)),
        (None, None),
        "it asked one of them, and who knows which"
    );
    bench.shows(t2, "working", "Approve?");
    bench.pass(1_000);
    assert_eq!((bench.call_of(r1), bench.call_of(r2)), (None, None));
    bench.is_answered(r1);
    bench.is_answered(r2);
}

#[test]
fn of_two_that_say_it_the_one_that_has_not_asked_yet_does() {
    let mut bench = Bench::legacy();
    let (t1, t2) = (bench.task(), bench.task());
    bench.shows(t1, "input_required", "Approve?");
    let r1 = bench.asked_by_nobody("1", "Approve?");
    bench.shows(t2, "input_required", "Approve?");
    let r2 = bench.asked_by_nobody("2", "Approve?");
    assert_eq!((bench.call_of(r1), bench.call_of(r2)), (Some(t1), Some(t2)));
}

#[test]
fn the_only_one_that_comes_to_need_input_has_asked() {
    let mut bench = Bench::legacy();
    let (_, t2) = (bench.task(), bench.task());
    let id = bench.asked_by_nobody("1", "Well?");
    bench.shows(t2, "input_required", "waiting for a person");
    bench.pass(1_000);
    assert_eq!(bench.call_of(id), Some(t2));
}

#[test]
fn a_question_that_comes_again_with_its_task_is_its_tasks() {
    let mut bench = Bench::legacy();
    let (t1, t2) = (bench.task(), bench.task());
    let id = bench.asked_by_nobody("1", "Well?");
    assert_eq!(bench.call_of(id), None);
    let task_id = Some(format!("task-{}", t2.0));
    let channel = Channel::Response { method: "tasks/result", task_id };
    bench.hear(ServerRequest { channel, ..asks("1", "Well?", None) });
    assert_eq!((bench.call_of(id), bench.disk.requests.len()), (Some(t2), 1));
    assert_eq!(bench.row(t2).open_requests, 1);
    bench.completes(t1);
    bench.completes(t2);
    assert_eq!(bench.question(id).reason, Some(CloseReason::TaskEnded), "it is no guess any more");
}

#[test]
fn a_question_of_a_task_that_has_ended_waits_for_an_answer_and_belongs_to_none() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.completes(call);
    let other = bench.task();
    bench.hear(asks("1", "Too late?", Some("task-1")));
    let id = bench.last().id;
    assert_eq!((bench.question(id).state, bench.call_of(id)), (RequestState::Open, None));
    bench.shows(other, "input_required", "Too late?");
    bench.pass(1_000);
    assert_eq!(bench.call_of(id), None, "it says itself whose it is");
    bench.is_answered(id);
}
