//! What nobody can know is shown as unknown, and what can be known is not.

use super::{Law, Verdict};
use crate::evidence::{Call, Evidence};

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    for call in &evidence.last().calls {
        verdict.hold(Law::UnknownSaid, call.outcome.is_some(), || {
            format!("everything has settled, and this has not: {call:?}")
        });
        if call.is_unknown() {
            let said = call.status == "unknown" && call.note.is_some() && call.task.is_none();
            verdict.hold(Law::UnknownSaid, said, || format!("unknown, and does not say so: {call:?}"));
            // Whatever went before, the last word is what became of it.
            let last = evidence.sent.iter().rfind(|sent| sent.nonce() == Some(&call.nonce));
            let known = last.filter(|sent| sent.answer.is_some() && evidence.could_keep(sent));
            verdict.hold(Law::UnknownSaid, known.is_none(), || {
                format!("unknown, although its answer came in time: {call:?}, {known:?}")
            });
        } else if call.task.is_none() && !call.answered && call.error.is_none() && !call.given_up() {
            // It claims that the call never left.
            let arrivals = evidence.arrivals(&call.nonce);
            verdict.hold(Law::UnknownSaid, arrivals == 0, || {
                format!(
                    "not unknown, although the server had it {arrivals} times and no answer came: {call:?}"
                )
            });
        }
        if matches!(call.outcome.as_deref(), Some("lost" | "expired")) {
            verdict.hold(Law::UnknownSaid, gone(evidence, call), || {
                format!("over, although the server has it: {call:?}")
            });
        }
    }
}

/// Whether the server forgot the task: its time to live is short, or the server lost the memory it was in.
fn gone(evidence: &Evidence, call: &Call) -> bool {
    let server = evidence.servers.iter().find(|server| server.name == call.server);
    let remembered = server.and_then(|server| server.made.last());
    let remembers =
        remembered.is_some_and(|made| made.iter().any(|made| Some(&made.task) == call.task.as_ref()));
    call.tool == "short_lived" || !remembers
}
