//! An intent that cannot be committed never was: nothing of it is sent, and memory is as before.

use signalbox_model::{CallId, RequestState as S};
use signalbox_store::CommitError;

use super::bench::*;
use crate::{Fate, Granted, Intent, Refusal, Tuning, schedule::SLOT, step::PATIENCE};

const FULL: Result<Granted, Refusal> = Err(Refusal::Storage(CommitError::Full));

/// Tries an intent on a full disk, and what must hold afterwards.
fn refused(bench: &mut Bench, intent: Intent) {
    let (flights, disk) = (bench.flights.clone(), bench.disk.writes);
    bench.full = true;
    let told = format!("{intent:?}");
    assert_eq!(bench.wish(intent), FULL, "{told}");
    bench.full = false;
    assert_eq!(bench.flights, flights, "nothing is sent: {told}");
    assert_eq!(bench.disk.writes, disk, "{told}");
}

fn start() -> Intent {
    Intent::Start { server: SERVER, tool: "t".to_owned(), arguments: json("{}"), ttl_ms: None }
}

#[test]
fn calls_and_handles_that_never_were() {
    let mut bench = Bench::new();
    refused(&mut bench, start());
    refused(&mut bench, Intent::Track { server: SERVER, task_id: "T".to_owned() });
    assert_eq!(bench.state.live_calls(), 0);
    bench.pass(100_000);
    assert_eq!(bench.flights, []);
    bench.wish(Intent::Track { server: SERVER, task_id: "T".to_owned() }).unwrap();
}

#[test]
fn answers_that_never_were() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a", "b", "c"]);
    bench.answer(ids[0], 0).unwrap();
    let answer = |id, hold_ms| Intent::Answer {
        request: id,
        action: signalbox_model::Action::Decline,
        content: None,
        hold_ms,
        seen: None,
        remark: None,
        asks: None,
    };
    // With an update of another answer on the wire, and without.
    refused(&mut bench, answer(ids[1], 0));
    refused(&mut bench, answer(ids[1], 5_000));
    bench.reply_update(call, Ok(json("{}")));
    refused(&mut bench, answer(ids[1], 0));
    assert_eq!(bench.states(call), [S::Answered, S::Open, S::Open]);
    bench.answer(ids[2], 5_000).unwrap();
    let undo = bench.undoes(ids[2]);
    refused(&mut bench, undo);
    refused(&mut bench, Intent::SaveDraft { request: ids[1], draft: Some(json("1")) });
    assert_eq!(bench.states(call), [S::Answered, S::Open, S::Held]);
    bench.pass(5_000);
    assert_eq!(bench.states(call)[2], S::Sending, "what could not be undone goes out");
    bench.reply_update(call, Ok(json("{}")));
    bench.answer(ids[1], 0).unwrap();
    assert_eq!(bench.updates(call)[0].len(), 1);
}

#[test]
fn wishes_to_cancel_that_never_were() {
    let mut bench = Bench::new();
    let task = bench.task();
    let wish = bench.cancels(task);
    refused(&mut bench, wish);
    assert_eq!(bench.row(task).cancel, None);
    let call = bench.call();
    bench.wish(bench.cancels(call)).unwrap();
    // The second one would have ended it: its handle must still find it.
    let again = bench.cancels(call);
    refused(&mut bench, again);
    bench.reply_call(call, Ok(called(r#"{"resultType":"task","taskId":"T","status":"working"}"#)));
    bench.reply_cancel(call, Ok(json("{}")));
    bench.poll(call, Ok(done()));
}

#[test]
fn forgetting_that_never_was() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a", "b"]);
    bench.answer(ids[0], 4_000).unwrap();
    bench.until_polled(call);
    refused(&mut bench, forgetting(call));
    bench.reply_poll(call, Ok(asking(&["a", "b"])));
    bench.pass(4_000);
    bench.reply_update(call, Ok(json("{}")));
    bench.poll(call, Ok(done()));
    assert_eq!(bench.states(call), [S::Answered, S::Closed]);
}

#[test]
fn servers_and_settings_that_never_were() {
    let mut bench = Bench::new();
    refused(&mut bench, Intent::AddServer(server(2)));
    let call = bench.task();
    let mut changed = server(1);
    changed.enabled = false;
    refused(&mut bench, Intent::PutServer(changed.clone()));
    changed.enabled = true;
    changed.transport =
        signalbox_model::Transport::Http { url: "http://127.0.0.1:9/".to_owned(), headers: Vec::new() };
    refused(&mut bench, Intent::PutServer(changed));
    let line = bench.state.rooms.servers.all[&SERVER].line(&Tuning::default());
    assert_eq!(*line.transport, server(1).transport, "requests still go where they went");
    let tuning = Tuning { poll_floor_ms: 60_000, ..Tuning::default() };
    refused(&mut bench, Intent::PutSetting { key: "k".to_owned(), value: json("1"), tuning });
    // Spreading its one poll gives it one slot more.
    assert!(bench.until_polled(call) <= LATEST + SLOT, "the old floor holds");
}

#[test]
fn who_waits_for_the_fate_of_an_answer_hears_nothing_of_forgetting_that_never_was() {
    let mut bench = Bench::new();
    let (call, ids) = bench.asked_task(&["a", "b"]);
    let mut waiters = Vec::new();
    for id in ids {
        bench.answer(id, 0).unwrap();
        let decided_at = bench.seen(id).unwrap();
        waiters.push(bench.ask(Intent::AwaitAnswer { request: id, decided_at, once_out: false }));
    }
    refused(&mut bench, forgetting(call));
    let told = |bench: &Bench, of: usize| bench.replies.get(&waiters[of]).cloned();
    assert_eq!((told(&bench, 0), told(&bench, 1)), (None, None), "their answers are kept, and on their way");
    bench.reply_update(call, Ok(json("{}")));
    let first = told(&bench, 0);
    assert!(matches!(first, Some(Ok(Granted::Answer { fate: Fate::Known, .. }))), "{first:?}");
    bench.pass(PATIENCE);
    let second = told(&bench, 1);
    assert!(matches!(second, Some(Ok(Granted::Answer { fate: Fate::Late, .. }))), "in time: {second:?}");
}

#[test]
fn who_waits_for_calls_hears_nothing_of_one_given_up_that_never_was() {
    let mut bench = Bench::new();
    let call = bench.call();
    let waits = bench.ask(Intent::AwaitCalls);
    refused(&mut bench, forgetting(call));
    assert_eq!(bench.replies.get(&waits), None, "it is under way");
    bench.reply_call(call, Ok(called(r#"{"content":[]}"#)));
    assert_eq!(bench.replies.get(&waits), Some(&Ok(Granted::Done)));
}

#[test]
fn who_waits_for_a_poll_waits_on_after_a_wish_that_never_was() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.until_polled(call);
    let waits = bench.ask(Intent::Refresh(call));
    refused(&mut bench, forgetting(call));
    let mut disabled = server(1);
    disabled.enabled = false;
    refused(&mut bench, Intent::PutServer(disabled));
    assert_eq!(bench.replies.get(&waits), None, "the poll is under way");
    bench.reply_poll(call, Ok(done()));
    assert_eq!(bench.replies.get(&waits), Some(&Ok(Granted::Done)));
}

#[test]
fn what_is_due_does_not_share_the_fate_of_an_intent() {
    let mut bench = Bench::new();
    let call = bench.task();
    // A poll is due at the very moment of an intent that fails.
    bench.now = bench.now.plus_ms(A_WHILE);
    bench.full = true;
    assert_eq!(bench.wish(start()), FULL);
    bench.full = false;
    bench.pass(0);
    bench.reply_poll(call, Ok(done()));
    assert_eq!(bench.row(call).outcome, Some(signalbox_model::Outcome::Ok));
}

#[test]
fn a_task_that_two_calls_follow_is_followed_as_long_as_one_is_left() {
    let mut bench = Bench::new();
    let calls: Vec<CallId> = (0..2).map(|_| bench.call()).collect();
    let made =
        r#"{"resultType":"task","taskId":"same","status":"working","pollIntervalMs":1000,"ttlMs":null}"#;
    calls.iter().for_each(|call| bench.reply_call(*call, Ok(called(made))));
    bench.forget(calls[1]).unwrap();
    let track = Intent::Track { server: SERVER, task_id: "same".to_owned() };
    assert_eq!(bench.wish(track), Err(Refusal::Followed(calls[0])));
}
