//! Everybody is told the truth about their own answer, also when several people answer the same question at once.

use serde_json::Value;

use super::{Law, Verdict};
use crate::evidence::{Evidence, Kept, REPLY, Request, Said, What};
use crate::plan::Wire;

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    let forgotten = evidence.forgotten();
    for wish in &evidence.wishes {
        let What::Answer { request: id, response, held: false } = &wish.what else { continue };
        if forgotten.requests.contains(id) {
            continue;
        }
        let Some(request) = evidence.kept.iter().rev().find_map(|kept| kept.request(*id)) else { continue };
        match &wish.said {
            Said::Meanwhile(said) if is_only(evidence, request, response) => {
                verdict.hold(Law::TruthTold, !went_out(evidence, request, response), || {
                    format!("r{id}: nothing of {response} was sent, it was said ({said}), and it was")
                });
            }
            // An answer of a round is kept until the others are decided.
            Said::Done(_)
                if request.identity == "task" || request.identity == "wire" && all_seen(evidence) =>
            {
                verdict.hold(Law::TruthTold, went_out(evidence, request, response), || {
                    format!("r{id}: {response} was said to have arrived, and was never sent")
                });
            }
            _ => {}
        }
    }
    for (server, task, key, response) in evidence.taken() {
        if forgotten.tasks.contains(task) {
            continue;
        }
        let last = evidence.last();
        // Without a task, and on the legacy wire, the server's names for it are not ours.
        let asked = last
            .of_task(task)
            .and_then(|call| last.requests.iter().find(|r| r.call == Some(call.id) && r.key == key));
        let Some(request) = asked.filter(|request| request.identity == "task") else { continue };
        verdict.hold(Law::TruthTold, logged(last, request, response), || {
            format!(
                "{} took {response} for r{}, and the log of decisions does not say that it went",
                server.name, request.id
            )
        });
    }
}

/// Whether nobody else said the same: on the legacy wire about no question, since a reply does not say which it is about.
fn is_only(evidence: &Evidence, request: &Request, response: &Value) -> bool {
    let any = request.identity == "wire";
    let same = evidence.wishes.iter().filter(|wish| match &wish.what {
        What::Answer { request: id, response: other, .. } => (any || *id == request.id) && other == response,
        _ => false,
    });
    same.count() == 1
}

/// Whether this answer left for this question, as far as anybody saw.
fn went_out(evidence: &Evidence, request: &Request, response: &Value) -> bool {
    if request.identity == "wire" {
        return evidence.sent.iter().any(|sent| sent.method == REPLY && sent.params == *response);
    }
    let call = evidence.kept.iter().rev().find_map(|kept| request.call.and_then(|call| kept.call(call)));
    let Some(call) = call else { return false };
    evidence.sent.iter().any(|sent| {
        let here = if request.identity == "task" {
            sent.task().is_some() && sent.task() == call.task.as_deref()
        } else {
            sent.nonce() == Some(call.nonce.as_str())
        };
        here && sent.response(&request.key) == Some(response)
    })
}

/// Whether every reply on the legacy wire was seen on its way. What a program of ours did not read before it ended nobody saw.
fn all_seen(evidence: &Evidence) -> bool {
    evidence.servers.iter().all(|server| server.proxied || server.wire != Wire::Legacy)
}

fn logged(kept: &Kept, request: &Request, response: &Value) -> bool {
    kept.sent.iter().any(|(id, sent)| *id == request.id && sent == response)
}
