//! Terminal is terminal, and a result is kept as it came.

use super::{Law, Verdict};
use crate::answer::Answer;
use crate::evidence::{Call, Evidence, Sent};

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

/// Nobody looks at a task after its end was kept, nor in the life that learnt of it.
fn left_alone(evidence: &Evidence, verdict: &mut Verdict) {
    let looks: Vec<(&Sent, &str)> = evidence
        .sent
        .iter()
        .filter(|sent| sent.method == "tasks/get")
        .filter_map(|sent| Some((sent, sent.task()?)))
        .collect();
    for (life, kept) in evidence.kept.iter().enumerate() {
        for call in kept.calls.iter().filter(|call| call.outcome.is_some()) {
            let Some(task) = call.task.as_deref() else { continue };
            let late = looks.iter().find(|(look, of)| *of == task && look.life > life);
            verdict.hold(Law::EndedForGood, late.is_none(), || {
                format!("t{} had ended by the end of life {life}, and was looked at again: {late:?}", call.id)
            });
        }
    }
    for (n, (look, task)) in looks.iter().enumerate() {
        let Some(told) = look.passed else { continue };
        if !look.answer.as_deref().is_some_and(|body| Answer::read(body).ends()) {
            continue;
        }
        let late =
            looks[n + 1..].iter().find(|(late, of)| of == task && late.life == look.life && late.at > told);
        verdict.hold(Law::EndedForGood, late.is_none(), || {
            format!("task {task} was looked at again after its end was told: {late:?}")
        });
    }
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
            Some(result) => evidence.sent.iter().any(|sent| {
                let ours = match &call.task {
                    Some(task) => sent.method == "tasks/get" && sent.task() == Some(task),
                    None => sent.nonce() == Some(&call.nonce),
                };
                ours && sent.passed.is_some()
                    && sent.answer.as_deref().and_then(|body| Answer::read(body).result).as_ref()
                        == Some(result)
            }),
        };
        verdict.hold(Law::ResultsWhole, holds, || format!("no server sent the result of {call:?}"));
    }
}
