//! No answer is lost, and none is taken twice.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Law, Verdict};
use crate::answer::Answer;
use crate::evidence::{Call, Evidence, Kept, Request, Said, What, Wish};

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    taken_once(evidence, verdict);
    shown(evidence, verdict);
    promised(evidence, verdict);
    undone(evidence, verdict);
}

fn taken_once(evidence: &Evidence, verdict: &mut Verdict) {
    let mut taken: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for (server, task, key, _) in evidence.taken() {
        *taken.entry((&server.name, task, key)).or_default() += 1;
    }
    for ((server, task, key), times) in taken {
        verdict.hold(Law::TakenOnce, times == 1, || {
            format!("{server} took the answer to {key} of task {task} {times} times")
        });
    }
}

/// The call and the question that a task's key stands for.
fn question<'a>(kept: &'a Kept, task: &str, key: &str) -> Option<(&'a Call, &'a Request)> {
    let call = kept.of_task(task)?;
    let request = kept.requests.iter().find(|request| request.call == call.id && request.key == key)?;
    Some((call, request))
}

/// What was taken is shown so, and what is shown so was taken.
fn shown(evidence: &Evidence, verdict: &mut Verdict) {
    let last = evidence.last();
    for (server, task, key, response) in evidence.taken() {
        let shown = question(last, task, key);
        let holds = shown.is_some_and(|(call, request)| {
            // Nobody can tell after a task that came to no result.
            let over =
                request.state == "closed" && !matches!(call.outcome.as_deref(), Some("ok" | "tool_error"));
            request.response.as_ref() == Some(response) && (request.state == "answered" || over)
        });
        verdict.hold(Law::AnswersKept, holds, || {
            format!("{} took {response} for {key} of task {task}, which is shown as {shown:?}", server.name)
        });
    }
    for request in &last.requests {
        let task = last.call(request.call).and_then(|call| call.task.as_deref());
        let was_taken = |response: &Value| {
            evidence.taken().any(|(_, t, k, r)| Some(t) == task && k == request.key && r == response)
        };
        verdict.hold(
            Law::AnswersKept,
            !request.taken || request.response.as_ref().is_some_and(was_taken),
            || format!("said to be taken, and no server took it: {request:?} of task {task:?}"),
        );
        let holds = match request.state.as_str() {
            "answered" => request.response.as_ref().is_some_and(|response| {
                was_taken(response) || acknowledged(evidence, task, &request.key, response)
            }),
            "closed" => request.reason.is_some(),
            "refused" | "not_taken" | "unknown" | "orphaned" => true,
            // Everything has settled: nothing is on its way, and nobody is asked any more.
            _ => false,
        };
        verdict.hold(Law::AnswersKept, holds, || format!("in the end there is {request:?} of task {task:?}"));
    }
}

/// Whether a server said that it got this response. It may have had no use for it any more.
fn acknowledged(evidence: &Evidence, task: Option<&str>, key: &str, response: &Value) -> bool {
    evidence.sent.iter().any(|sent| {
        let granted = sent.answer.as_deref().is_some_and(|body| Answer::read(body).granted);
        let said = sent.passed.is_some() && granted || !evidence.servers[sent.server].proxied;
        said && sent.task() == task && sent.response(key) == Some(response)
    })
}

fn answers(evidence: &Evidence) -> impl Iterator<Item = (&Wish, u32, &Value)> {
    evidence.wishes.iter().filter_map(|wish| match &wish.what {
        What::Answer { request, response, .. } => Some((wish, *request, response)),
        _ => None,
    })
}

/// Whether the answer may have been taken back or replaced since.
fn replaced(evidence: &Evidence, wish: &Wish, id: u32) -> bool {
    evidence.wishes.iter().any(|other| match &other.what {
        What::Answer { request, .. } => *request == id && !std::ptr::eq(other, wish),
        What::Undo { request } => *request == id,
        _ => false,
    })
}

/// An answer that a person was promised is there from then on.
fn promised(evidence: &Evidence, verdict: &mut Verdict) {
    for (wish, id, response) in answers(evidence).filter(|(wish, ..)| wish.said.promised()) {
        if replaced(evidence, wish, id) {
            continue;
        }
        for (life, kept) in evidence.kept.iter().enumerate().skip(wish.life) {
            let shown = kept.request(id);
            let holds = shown.is_some_and(|request| {
                request.response.as_ref() == Some(response) && request.state != "open"
            });
            verdict.hold(Law::AnswersKept, holds, || {
                format!("r{id} was answered with {response}; after life {life} there is {shown:?}")
            });
        }
    }
}

/// An answer that was taken back within its undo window is never sent.
fn undone(evidence: &Evidence, verdict: &mut Verdict) {
    for wish in &evidence.wishes {
        let (What::Undo { request: id }, Said::Done(_)) = (&wish.what, &wish.said) else { continue };
        let given: Vec<&Value> =
            answers(evidence).filter(|(_, r, _)| r == id).map(|(.., given)| given).collect();
        let last = evidence.last();
        let Some(request) = last.request(*id) else { continue };
        let task = last.call(request.call).and_then(|call| call.task.as_deref());
        // Only the first can be told from what was answered afterwards.
        let Some((first, later)) = given.split_first() else { continue };
        if later.contains(first) {
            continue;
        }
        let went = evidence
            .sent
            .iter()
            .any(|sent| sent.task() == task && sent.response(&request.key) == Some(first));
        verdict.hold(Law::WishesKept, !went, || format!("r{id}: {first} was taken back, and was sent"));
    }
}
