//! Terminal is terminal, and a result is kept as it came.

use std::borrow::Cow;

use super::{Law, TIME_TO_KEEP, Verdict};
use crate::answer::Answer;
use crate::evidence::{Call, Evidence, Sent};
use crate::plan::Wire;

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    unchanged(evidence, verdict);
    left_alone(evidence, verdict);
    results(evidence, verdict);
}

/// An end that was kept is the end.
fn unchanged(evidence: &Evidence, verdict: &mut Verdict) {
    let forgotten = evidence.forgotten();
    for pair in evidence.kept.windows(2) {
        let ended = pair[0].calls.iter().filter(|call| call.outcome.is_some());
        for before in ended.filter(|call| !forgotten.calls.contains(&call.id)) {
            let after = pair[1].call(before.id);
            let end = |call: &Call| {
                (call.outcome.clone(), call.status.clone(), call.result.clone(), call.error.clone())
            };
            let holds = after.is_some_and(|after| end(after) == end(before));
            verdict.hold(Law::EndedForGood, holds, || format!("{before:?} had ended, and became {after:?}"));
        }
    }
}

/// Nobody polls a task after its end was kept, nor in the life that learnt of it.
fn left_alone(evidence: &Evidence, verdict: &mut Verdict) {
    let polls: Vec<(&Sent, &str)> = evidence
        .sent
        .iter()
        .filter(|sent| sent.method == "tasks/get")
        .filter_map(|sent| Some((sent, sent.task()?)))
        .collect();
    for (life, kept) in evidence.kept.iter().enumerate() {
        for call in kept.calls.iter().filter(|call| call.outcome.is_some()) {
            let Some(task) = call.task.as_deref() else { continue };
            let late = polls.iter().find(|(poll, of)| *of == task && poll.life > life);
            verdict.hold(Law::EndedForGood, late.is_none(), || {
                format!("t{} had ended by the end of life {life}, and was polled again: {late:?}", call.id)
            });
        }
    }
    for end in ends(evidence) {
        let from = end.at + if end.by_look { 0 } else { TIME_TO_KEEP };
        let same =
            |late: &Sent| late.life == end.life && end.client.is_none_or(|told| client(late) == Some(told));
        let late = polls.iter().find(|(late, of)| *of == end.task && same(late) && late.at > from);
        verdict.hold(Law::EndedForGood, late.is_none(), || {
            format!("task {} was polled again after its end was told: {late:?}", end.task)
        });
    }
}

/// An owner was told how a task ended.
struct End<'a> {
    task: Cow<'a, str>,
    life: usize,
    /// The program that was told, where it asked: a command may own the data directory for a moment, and leave it before that
    /// is kept.
    client: Option<u64>,
    at: u64,
    /// By a poll: there is one at a time, so no other can be under way. Otherwise one may be.
    by_look: bool,
}

/// Which of our programs sent this. Each counts its requests from the time of its start, 1,000 to a ms.
fn client(sent: &Sent) -> Option<u64> {
    sent.id.as_u64().map(|id| id / 1_000)
}

/// All ends that were told. On the legacy wire a poll tells of most that there is a result to be fetched.
fn ends(evidence: &Evidence) -> impl Iterator<Item = End<'_>> {
    let answers = evidence.sent.iter().filter_map(|sent| {
        let (task, at) = (sent.task()?, sent.passed?);
        let answer = Answer::read(sent.answer.as_deref()?);
        let legacy = evidence.servers[sent.server].wire == Wire::Legacy;
        let by_look = sent.method == "tasks/get"
            && answer.ends()
            && (!legacy || answer.status.as_deref() == Some("cancelled"));
        let by_result = sent.method == "tasks/result" && answer.granted;
        let task = Cow::Borrowed(task);
        (by_look || by_result).then_some(End { task, life: sent.life, client: client(sent), at, by_look })
    });
    let pushes = evidence.told.iter().filter_map(|told| {
        let pushed = Answer::pushed(&told.message);
        let task = pushed.task.clone().filter(|_| pushed.ends() && pushed.result.is_some())?;
        Some(End { task: Cow::Owned(task), life: told.life, client: None, at: told.at, by_look: false })
    });
    answers.chain(pushes)
}

/// The bytes of a result are those that the server sent.
fn results(evidence: &Evidence, verdict: &mut Verdict) {
    for call in &evidence.last().calls {
        let good = matches!(call.outcome.as_deref(), Some("ok" | "tool_error"));
        if !good && call.result.is_none() {
            continue;
        }
        let proxied = evidence.servers.iter().any(|server| server.name == call.server && server.proxied);
        let holds = match &call.result {
            None => false,
            Some(_) if !proxied => true,
            Some(result) => came(evidence, call, result),
        };
        verdict.hold(Law::ResultsWhole, holds, || format!("no server sent the result of {call:?}"));
    }
}

/// Whether the owner had this result from the server: as an answer, or pushed.
fn came(evidence: &Evidence, call: &Call, result: &String) -> bool {
    let answered = evidence.sent.iter().any(|sent| {
        let ours = match &call.task {
            Some(task) => {
                ["tasks/get", "tasks/result"].contains(&sent.method.as_str()) && sent.task() == Some(task)
            }
            None => sent.nonce() == Some(&call.nonce),
        };
        let came = || Answer::read(sent.answer.as_deref()?).result;
        ours && sent.passed.is_some() && came().as_ref() == Some(result)
    });
    answered
        || evidence.told.iter().any(|told| {
            let pushed = Answer::pushed(&told.message);
            pushed.task.is_some() && pushed.task == call.task && pushed.result.as_ref() == Some(result)
        })
}
