//! What a person was promised holds; what was refused left no trace.

use super::{Law, Verdict};
use crate::answer::Answer;
use crate::evidence::{Entry, Evidence, Kept, Said, Sent, What};

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    cancelled(evidence, verdict);
    let forgotten = evidence.forgotten();
    for wish in &evidence.wishes {
        match (&wish.what, &wish.said) {
            (What::Start { .. } | What::Track { .. }, Said::Done(Some(id)))
                if forgotten.calls.contains(id) => {}
            (What::Track { task }, Said::Done(Some(id))) => {
                let mut since = evidence.kept.iter().skip(wish.life);
                let holds =
                    since.all(|kept| kept.call(*id).is_some_and(|call| call.task.as_ref() == Some(task)));
                verdict.hold(Law::HandlesKept, holds, || {
                    format!("task {task} was adopted as t{id} in life {}, and was not kept", wish.life)
                });
            }
            (What::Track { task }, Said::NoRoom) => {
                let kept = evidence.last().of_task(task);
                verdict.hold(Law::WishesKept, kept.is_none(), || {
                    format!(
                        "task {task} was refused for want of room, and was adopted all the same: {kept:?}"
                    )
                });
            }
            (What::Start { nonce, .. }, Said::Done(Some(id))) => {
                let mut since = evidence.kept.iter().skip(wish.life);
                let holds = since.all(|kept| kept.call(*id).is_some_and(|call| call.nonce == *nonce));
                verdict.hold(Law::WishesKept, holds, || {
                    format!("call {nonce} was begun as t{id} in life {}, and was not kept", wish.life)
                });
            }
            (What::Start { nonce, .. }, Said::NoRoom) => {
                let trace = evidence.arrivals(nonce) > 0 || evidence.last().of_nonce(nonce).is_some();
                verdict.hold(Law::WishesKept, !trace, || {
                    format!("call {nonce} was refused for want of room, and was made all the same")
                });
            }
            _ => {}
        }
    }
    // The wish is kept before it is sent: what a server received is there, whatever the person was told.
    for server in &evidence.servers {
        for entry in &server.journal {
            let Entry::Request { method, params } = entry else { continue };
            if method != "tools/call" {
                continue;
            }
            let nonce = params["arguments"]["nonce"].as_str().unwrap_or_default();
            if forgotten.nonces.contains(nonce) || evidence.elsewhere.iter().any(|made| made == nonce) {
                continue;
            }
            let holds = evidence.last().of_nonce(nonce).is_some();
            verdict.hold(Law::DurableFirst, holds, || {
                format!("{} received call {nonce}, and no such call is kept", server.name)
            });
        }
    }
}

/// A wish to cancel is kept before anything else is done for it, and it is done when the server took note of it, or when the
/// call was given up. That a task ended by itself is not what was wished: whoever is told so had nothing sent that counted.
fn cancelled(evidence: &Evidence, verdict: &mut Verdict) {
    let ever = evidence.ever();
    for wish in &evidence.wishes {
        let What::Cancel { call: id } = &wish.what else { continue };
        let logged = ever.has_of_call("cancel_requested", *id);
        if wish.said.promised() {
            verdict.hold(Law::WishesKept, logged, || {
                format!("t{id}: a wish to cancel was said to be {:?}, and the log has none", wish.said)
            });
        }
        let call = ever.call(*id);
        match &wish.said {
            Said::Done(_) => {
                let since = evidence.kept.iter().skip(wish.life).rev().find_map(|kept| kept.call(*id));
                let given_up = match since {
                    Some(call) => call.outcome.as_deref() == Some("cancelled"),
                    // It was forgotten before a store was seen with what came of the wish: then the log tells whether a server
                    // was asked.
                    None => !ever.log.iter().any(|entry| entry.sends_for_call(*id)),
                };
                let holds = given_up || noted(evidence, &ever, *id);
                verdict.hold(Law::WishesKept, holds, || {
                    format!("t{id}: its server took note of the wish to cancel, it was said, and it did not: {call:?}")
                });
            }
            Said::Refused(why) if why.starts_with("already_closed") && is_only(evidence, *id) => {
                let noted = ever.has_of_call("cancel_acknowledged", *id);
                verdict.hold(Law::WishesKept, !noted, || {
                    format!("t{id}: it had ended before, it was said ({why}), and its server took note of the wish")
                });
                let cancelled = call.is_some_and(|call| call.cancel_wished && call.given_up());
                verdict.hold(Law::WishesKept, !cancelled, || {
                    format!(
                        "t{id}: it had ended before, it was said ({why}), and it ended by the wish: {call:?}"
                    )
                });
            }
            Said::Refused(why) if why.starts_with("cancelled_meanwhile") => {
                verdict.hold(Law::WishesKept, !is_only(evidence, *id), || {
                    format!("t{id}: somebody else asked to cancel it, it was said ({why}), and nobody did")
                });
            }
            _ => {}
        }
        if wish.said.promised() && !evidence.forgotten().calls.contains(id) {
            let holds = evidence.last().call(*id).is_some_and(|call| call.outcome.is_some());
            verdict.hold(Law::WishesKept, holds, || format!("t{id} was to be cancelled: {call:?}"));
        }
    }
}

/// Whether a wish to cancel reached the task's server and was answered, as the log says, too.
fn noted(evidence: &Evidence, ever: &Kept, id: u32) -> bool {
    let task = ever.call(id).and_then(|call| call.task.as_deref());
    let answered = |sent: &Sent| {
        let answer = sent.answer.as_deref().is_some_and(|body| Answer::read(body).granted);
        sent.arrived > 0 && (answer || !evidence.servers[sent.server].proxied)
    };
    let here = |sent: &&Sent| sent.method == "tasks/cancel" && sent.task() == task && answered(sent);
    // Of one that was forgotten before a store was seen with its handle only the log still knows.
    let reached = task.is_none() || evidence.sent.iter().any(|sent| here(&sent));
    reached && ever.has_of_call("cancel_acknowledged", id)
}

/// Whether nobody else wished the same.
fn is_only(evidence: &Evidence, id: u32) -> bool {
    let same = evidence.wishes.iter().filter(|wish| wish.what == What::Cancel { call: id });
    same.count() == 1
}
