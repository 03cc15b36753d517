//! No handle is lost.

use super::{Law, Verdict};
use crate::answer::Answer;
use crate::evidence::Evidence;

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    made(evidence, verdict);
    passed(evidence, verdict);
    durable_first(evidence, verdict);
    stays(evidence, verdict);
}

/// Every task that a server made belongs to a call that is kept: with its handle, or as unknown.
fn made(evidence: &Evidence, verdict: &mut Verdict) {
    let forgotten = evidence.forgotten();
    for (server, made) in evidence.made() {
        if forgotten.nonces.contains(&made.nonce) || evidence.elsewhere.contains(&made.nonce) {
            continue;
        }
        let call = evidence.last().of_nonce(&made.nonce);
        // A request that was doubled on the way made two tasks; the owner was told of one.
        let theirs = |task: &String| {
            evidence.made().any(|(_, other)| other.nonce == made.nonce && other.task == *task)
        };
        let holds = call.is_some_and(|call| match &call.task {
            Some(task) => theirs(task),
            None => call.is_unknown() || call.given_up(),
        });
        verdict.hold(Law::HandlesKept, holds, || {
            format!(
                "{} made task {} for call {}, which is kept as {call:?}",
                server.name, made.task, made.nonce
            )
        });
    }
}

/// A handle that reached an owner with time to keep it is kept.
fn passed(evidence: &Evidence, verdict: &mut Verdict) {
    let forgotten = evidence.forgotten();
    for sent in evidence.sent.iter().filter(|sent| evidence.could_keep(sent)) {
        let (Some(nonce), Some(answer)) = (sent.nonce(), sent.answer.as_deref()) else { continue };
        if forgotten.nonces.contains(nonce) {
            continue;
        }
        let Some(task) = Answer::read(answer).task else { continue };
        let call = evidence.last().of_nonce(nonce);
        let holds = call.is_some_and(|call| call.task.as_ref() == Some(&task) || call.given_up());
        verdict.hold(Law::HandlesKept, holds, || {
            format!("the owner was told of task {task} for call {nonce} in time, and keeps {call:?}")
        });
    }
}

/// What an owner asked about, or showed to anybody, is kept whatever happened to it afterwards.
fn durable_first(evidence: &Evidence, verdict: &mut Verdict) {
    let forgotten = evidence.forgotten();
    for sent in &evidence.sent {
        for task in sent.tasks().filter(|task| !forgotten.tasks.contains(*task)) {
            let mut since = evidence.kept.iter().skip(sent.life);
            let holds = since.all(|kept| kept.of_task(task).is_some());
            verdict.hold(Law::DurableFirst, holds, || {
                format!("{} for task {task} was sent in life {}, and it was not kept", sent.method, sent.life)
            });
        }
    }
    for (life, call) in evidence.shown.iter().filter(|(_, call)| !forgotten.calls.contains(call)) {
        let mut since = evidence.kept.iter().skip(*life);
        let holds = since.all(|kept| kept.call(*call).is_some_and(|call| call.task.is_some()));
        verdict.hold(Law::DurableFirst, holds, || {
            format!("t{call} was shown with a task in life {life}, and that was not kept")
        });
    }
}

/// From owner to owner no call and no handle goes missing.
fn stays(evidence: &Evidence, verdict: &mut Verdict) {
    let forgotten = evidence.forgotten();
    for (life, pair) in evidence.kept.windows(2).enumerate() {
        for before in pair[0].calls.iter().filter(|call| !forgotten.calls.contains(&call.id)) {
            let after = pair[1].call(before.id);
            let holds = after.is_some_and(|after| before.task.is_none() || before.task == after.task);
            verdict.hold(Law::HandlesKept, holds, || {
                format!("after life {life} there was {before:?}, after the next {after:?}")
            });
        }
    }
}
