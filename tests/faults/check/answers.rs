//! No answer is lost, and none is taken twice.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Law, Verdict, rounds::decided};
use crate::answer::Answer;
use crate::evidence::{Call, Entry, Evidence, Request, Said, Server, What, Wish};

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

/// The call and the question that a key of a server's task, or of its call without one, stands for.
fn question<'a>(
    evidence: &'a Evidence,
    server: &'a Server,
    task: &str,
    key: &str,
) -> Option<(&'a Call, &'a Request)> {
    let kept = evidence.last();
    let call = kept.of_task(task).or_else(|| kept.of_nonce(nonce(evidence, server, task)?))?;
    // On the legacy wire the server's own requests are what is known of its questions.
    let asked = |request: &Request| {
        server.journal.iter().any(|entry| match entry {
            Entry::Asked { task: of, key: asked, id, .. } => {
                of == task
                    && asked == key
                    && id.to_string().trim_matches('"') == request.key.trim_matches('"')
            }
            _ => false,
        })
    };
    let mut theirs = kept.requests.iter().filter(|request| request.call == call.id);
    let request = theirs.rfind(|request| request.key == key || asked(request))?;
    Some((call, request))
}

/// Which call of the workload a server's call without a task is: its state went out with the answer to that.
fn nonce<'a>(evidence: &'a Evidence, server: &'a Server, call: &str) -> Option<&'a str> {
    if let Some((_, nonce)) = server.plain.iter().find(|(id, _)| id == call) {
        return Some(nonce);
    }
    let states = server.journal.iter().filter_map(|entry| match entry {
        Entry::Round { call: of, state } if of == call => Some(state),
        _ => None,
    });
    let states: Vec<&String> = states.collect();
    evidence.sent.iter().find_map(|sent| {
        let back = sent.params["requestState"].as_str()?;
        states.iter().any(|state| *state == back).then(|| sent.nonce()).flatten()
    })
}

/// What was taken is shown so, and what is shown so was taken.
fn shown(evidence: &Evidence, verdict: &mut Verdict) {
    let (last, forgotten) = (evidence.last(), evidence.forgotten());
    for (server, task, key, response) in evidence.taken() {
        let shown = question(evidence, server, task, key);
        let known = nonce(evidence, server, task);
        if forgotten.tasks.contains(task) || known.is_some_and(|nonce| forgotten.nonces.contains(nonce)) {
            continue;
        }
        let holds = shown.is_some_and(|(call, request)| {
            // Where nobody can look, it may be unknown whether it was taken.
            if request.identity != "task" && (request.state == "unknown" || decided(evidence, request) > 1) {
                return true;
            }
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
            evidence.taken().any(|(server, t, k, r)| {
                let ours = question(evidence, server, t, k).is_some_and(|(_, known)| known.id == request.id);
                r == response && (ours || Some(t) == task && k == request.key)
            })
        };
        verdict.hold(
            Law::AnswersKept,
            !request.taken
                // Which of several the server took, nobody who cannot look is told.
                || request.identity == "round" && decided(evidence, request) > 1
                || request.response.as_ref().is_some_and(was_taken),
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
    let forgotten = evidence.forgotten();
    for (wish, id, response) in answers(evidence).filter(|(wish, ..)| wish.said.promised()) {
        if replaced(evidence, wish, id) || forgotten.requests.contains(&id) {
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
        let all = || answers(evidence).filter(|(_, r, _)| r == id);
        let held = all().find(|(wish, ..)| matches!(wish.what, What::Answer { held: true, .. }));
        let Some((of, _, first)) = held else { continue };
        let last = evidence.last();
        let Some(request) = last.request(*id) else { continue };
        let call = last.call(request.call);
        let task = call.and_then(|call| call.task.as_deref());
        // Only the first that was held back can be told from others, and only where it is like none of them.
        if all().any(|(wish, _, given)| !std::ptr::eq(wish, of) && given == first) {
            continue;
        }
        let went = evidence
            .sent
            .iter()
            // Without a task it is the call that tells one question from another of the same key.
            .filter(|sent| task.is_some() || sent.nonce() == call.map(|call| call.nonce.as_str()))
            .any(|sent| sent.task() == task && sent.response(&request.key) == Some(first));
        verdict.hold(Law::WishesKept, !went, || format!("r{id}: {first} was taken back, and was sent"));
    }
}
