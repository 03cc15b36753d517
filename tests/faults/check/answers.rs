//! No answer is lost, and none is taken twice.

use std::collections::BTreeMap;

use serde_json::Value;

use super::rounds::{decided, decisions};
use super::{Law, Verdict};
use crate::answer::Answer;
use crate::evidence::{Entry, Evidence, Kept, Request, Said, Server, What, Wish};
use crate::plan::Wire;

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

/// The questions that a key of a server's task, or of its call without one, stands for: one; on the legacy wire there may
/// be more, since what was asked again over another connection is another where the first may have been answered.
pub(super) fn questions<'a>(
    kept: &'a Kept,
    evidence: &Evidence,
    server: &Server,
    task: &str,
    key: &str,
) -> Vec<&'a Request> {
    if server.wire == Wire::Legacy {
        let asks = server.asks(task, key);
        let theirs = |request: &&Request| request.ask.as_deref().is_some_and(|ask| asks.contains(&ask));
        return kept.requests.iter().filter(theirs).collect();
    }
    let call = kept.of_task(task).or_else(|| kept.of_nonce(nonce(evidence, server, task)?));
    let theirs = |request: &&Request| request.key == key && request.call == call.map(|call| call.id);
    call.and_then(|_| kept.requests.iter().rfind(theirs)).into_iter().collect()
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
        let shown = questions(last, evidence, server, task, key);
        let known = nonce(evidence, server, task);
        if forgotten.tasks.contains(task) || known.is_some_and(|nonce| forgotten.nonces.contains(nonce)) {
            continue;
        }
        let holds = shown.iter().any(|request| {
            if untellable(evidence, request) {
                return decisions(evidence, request).any(|decided| decided == response);
            }
            // Nobody can tell after a task that came to no result.
            let call = request.call.and_then(|call| last.call(call));
            let good = call.is_some_and(|call| matches!(call.outcome.as_deref(), Some("ok" | "tool_error")));
            let over = request.state == "closed" && !good;
            request.response.as_ref() == Some(response) && (request.state == "answered" || over)
        });
        verdict.hold(Law::AnswersKept, holds, || {
            format!("{} took {response} for {key} of task {task}, which is shown as {shown:?}", server.name)
        });
    }
    for request in &last.requests {
        let task = request.call.and_then(|call| last.call(call)?.task.as_deref());
        let was_taken = |response: &Value| {
            evidence.taken().any(|(server, t, k, r)| {
                let ours = questions(last, evidence, server, t, k).iter().any(|known| known.id == request.id);
                r == response && (ours || server.wire == Wire::Modern && Some(t) == task && k == request.key)
            })
        };
        let said = || match untellable(evidence, request) {
            true => decisions(evidence, request).any(was_taken),
            false => request.response.as_ref().is_some_and(was_taken),
        };
        verdict.hold(Law::AnswersKept, !request.taken || said(), || {
            format!("said to be taken, and no server took it: {request:?} of task {task:?}")
        });
        let holds = match request.state.as_str() {
            "answered" => request.response.as_ref().is_some_and(|response| {
                was_taken(response) || acknowledged(evidence, task, request, response)
            }),
            "closed" => request.reason.is_some(),
            "refused" | "not_taken" | "unknown" | "orphaned" => true,
            // Everything has settled: nothing is on its way, and nobody is asked any more.
            _ => false,
        };
        verdict.hold(Law::AnswersKept, holds, || format!("in the end there is {request:?} of task {task:?}"));
    }
}

/// Whether it cannot be told which of the decisions about a question the server took, if any. Nobody can look at what
/// became of a round's answers or of a reply: when their acknowledgement is lost they are unknown until their call is
/// over, and a person who answers again has them sent once more. The server takes the first that arrives, which may be
/// the one that seemed lost; what is shown is the last. That is all that is put up with: it took one of them, and only
/// while one of them is unknown or there were several. How often each was sent is held against the decisions in `rounds`.
fn untellable(evidence: &Evidence, request: &Request) -> bool {
    if request.identity == "task" {
        return lost_before(evidence, request);
    }
    let lost = || evidence.replies(request).any(|sent| !evidence.could_keep(sent));
    let unknown = request.state == "unknown" || request.state == "closed" && lost();
    unknown || decided(evidence, request) > 1
}

/// Whether another answer to this question of a task had reached its server, and nobody was told so. It may have arrived after
/// the polls that still showed the question, and before the answer that is shown.
fn lost_before(evidence: &Evidence, request: &Request) -> bool {
    let task = request.call.and_then(|call| evidence.last().call(call)?.task.as_deref());
    evidence.sent.iter().filter(|sent| task.is_some() && sent.task() == task).any(|sent| {
        let other =
            sent.response(&request.key).filter(|response| Some(*response) != request.response.as_ref());
        other.is_some() && sent.arrived > 0 && sent.passed.is_none()
    })
}

/// Whether a server said that it got this response. It may have had no use for it any more.
fn acknowledged(evidence: &Evidence, task: Option<&str>, request: &Request, response: &Value) -> bool {
    if request.identity == "wire" {
        return heard(evidence, request, response);
    }
    evidence.sent.iter().any(|sent| {
        let granted = sent.answer.as_deref().is_some_and(|body| Answer::read(body).granted);
        let said = sent.passed.is_some() && granted || !evidence.servers[sent.server].proxied;
        said && sent.task() == task && sent.response(&request.key) == Some(response)
    })
}

/// Whether the server heard this reply. A program takes it by its input: one that ended just then has not read it, and
/// asked the next time that it was started, if its task went on.
fn heard(evidence: &Evidence, request: &Request, response: &Value) -> bool {
    if evidence.replies(request).any(|sent| sent.arrived > 0 && sent.params == *response) {
        return true;
    }
    let ask = request.ask.as_deref().unwrap_or_default();
    let Some(server) = evidence.servers.iter().find(|server| server.asked(ask).is_some()) else {
        return false;
    };
    let asked = server.journal.iter().filter_map(|entry| match entry {
        Entry::Asked { session, ask, task, key, .. } => Some((ask, session, (task, key))),
        _ => None,
    });
    let this = asked.clone().find(|(of, ..)| *of == ask);
    let again = this.is_some_and(|(_, session, question)| {
        asked.clone().any(|(_, other, asked)| other != session && asked == question)
    });
    let call = request.call.and_then(|call| evidence.last().call(call));
    let went_on = call.is_some_and(|call| matches!(call.outcome.as_deref(), Some("ok" | "tool_error")));
    !server.proxied && (again || !went_on)
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
                let there = request.response.as_ref() == Some(response) && request.state != "open";
                let held = matches!(wish.what, What::Answer { held: true, .. });
                there
                    || given_back(request, response)
                    || held && evidence.slept && is_draft(request, response)
            });
            verdict.hold(Law::AnswersKept, holds, || {
                format!("r{id} was answered with {response}; after life {life} there is {shown:?}")
            });
        }
    }
}

/// Whether an answer could not go because the connection was gone on which the question was asked (legacy): what was
/// filled in is kept for when the server asks again, until its task needs it no more.
fn given_back(request: &Request, response: &Value) -> bool {
    let waits = matches!(request.state.as_str(), "orphaned" | "open");
    let kept = response.get("content").is_none_or(|content| request.draft.as_ref() == Some(content));
    request.identity == "wire" && request.response.is_none() && (waits && kept || request.state == "closed")
}

/// Whether an answer is a draft again. That is what becomes of one that was held back when its moment is over for long.
fn is_draft(request: &Request, response: &Value) -> bool {
    request.response.is_none() && request.draft.as_ref() == response.get("content")
}

/// Whether an answer may have been kept for a while before it went out: for its undo window, or for want of a connection.
fn may_have_waited(answer: &Wish) -> bool {
    let held = matches!(answer.what, What::Answer { held: true, .. });
    match answer.said {
        Said::NoRoom | Said::Meanwhile(_) => false,
        // Whoever is told that it is done has it from the server, but for one that is held back.
        Said::Done(_) => held,
        Said::Queued | Said::Refused(_) | Said::Unsure => true,
    }
}

/// An answer that was taken back before it had gone out is never sent.
fn undone(evidence: &Evidence, verdict: &mut Verdict) {
    for wish in &evidence.wishes {
        let (What::Undo { request: id }, Said::Done(_)) = (&wish.what, &wish.said) else { continue };
        let all = || answers(evidence).filter(|(_, r, _)| r == id);
        // Of several nobody can tell which it was: the others may have gone before.
        let waited = || all().filter(|(wish, ..)| may_have_waited(wish));
        let Some((of, _, first)) = waited().next().filter(|_| waited().count() == 1) else { continue };
        let last = evidence.last();
        let Some(request) = last.request(*id) else { continue };
        let call = request.call.and_then(|call| last.call(call));
        let task = call.and_then(|call| call.task.as_deref());
        // And only where it is like none of the others.
        if all().any(|(wish, _, given)| !std::ptr::eq(wish, of) && given == first) {
            continue;
        }
        let went = evidence
            .sent
            .iter()
            // Without a task it is the call that tells one question from another of the same key.
            .filter(|sent| task.is_some() || sent.nonce() == call.map(|call| call.nonce.as_str()))
            .any(|sent| sent.task() == task && sent.response(&request.key) == Some(first))
            || evidence.replies(request).any(|sent| sent.params == *first);
        verdict.hold(Law::WishesKept, !went, || format!("r{id}: {first} was taken back, and was sent"));
    }
}
