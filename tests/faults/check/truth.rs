//! Everybody is told the truth about their own answer, also when several people answer the same question at once.

use serde_json::Value;

use super::answers::questions;
use super::{Law, Verdict};
use crate::evidence::{Call, Evidence, Kept, REPLY, Request, Said, Sent, What};
use crate::plan::Wire;

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    // Also what was forgotten since: who answered it was told something.
    let ever = evidence.ever();
    for wish in &evidence.wishes {
        let What::Answer { request: id, response, held: false } = &wish.what else { continue };
        let Some(request) = ever.request(*id) else { continue };
        match &wish.said {
            Said::Meanwhile(said) if is_only(evidence, request, response) => {
                verdict.hold(Law::TruthTold, !went_out(evidence, &ever, request, response), || {
                    format!("r{id}: nothing of {response} was sent, it was said ({said}), and it was")
                });
            }
            // An answer of a round is kept until the others are decided.
            Said::Done(_)
                if request.identity == "task" || request.identity == "wire" && all_seen(evidence) =>
            {
                verdict.hold(Law::TruthTold, went_out(evidence, &ever, request, response), || {
                    format!("r{id}: {response} was said to have arrived, and was never sent")
                });
            }
            _ => {}
        }
    }
    let forgotten = evidence.forgotten();
    for (server, task, key, response) in evidence.taken() {
        let asked = questions(&ever, evidence, server, task, key);
        if asked.is_empty() {
            // Asked and forgotten within one life: nobody can tell which it was.
            continue;
        }
        let over = |request: &Request| {
            request.state == "closed" || request.call.is_some_and(|call| forgotten.calls.contains(&call))
        };
        if waves_off(response) && asked.iter().any(|request| over(request)) {
            continue;
        }
        let holds = asked.iter().any(|request| ever.has("sent", request.id, response));
        verdict.hold(Law::TruthTold, holds, || {
            format!(
                "{} took {response}, and the log of decisions does not say that it went: {asked:?}",
                server.name
            )
        });
    }
}

/// Whether this is no answer of a person, but says that there will be none.
fn waves_off(response: &Value) -> bool {
    response["refused"]["message"] == "Nobody answers this any more"
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
pub(super) fn went_out(evidence: &Evidence, ever: &Kept, request: &Request, response: &Value) -> bool {
    if request.identity == "wire" {
        // What came in a session that its server did not know any more was taken by nobody.
        let went = |sent: &&Sent| sent.method == REPLY && !sent.refused && sent.params == *response;
        return evidence.sent.iter().any(|sent| went(&sent));
    }
    let Some(call) = request.call.and_then(|call| ever.call(call)) else { return false };
    if request.identity == "task" && call.task.is_none() {
        // It was forgotten before its handle was seen in a store: only the log still knows.
        return ever.has("sent", request.id, response);
    }
    carrying(evidence, call, request, response).next().is_some()
}

/// What left with this answer to a question of a task or of a round of this call.
pub(super) fn carrying<'a>(
    evidence: &'a Evidence,
    call: &'a Call,
    request: &'a Request,
    response: &'a Value,
) -> impl Iterator<Item = &'a Sent> {
    evidence.sent.iter().filter(move |sent| {
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
