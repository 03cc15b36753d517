//! What a person was promised holds; what was refused left no trace.

use super::{Law, Verdict};
use crate::evidence::{Entry, Evidence, Said, What};

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    let forgotten = evidence.forgotten();
    for wish in &evidence.wishes {
        match (&wish.what, &wish.said) {
            (What::Start { .. } | What::Track { .. }, Said::Done(Some(id)))
            | (What::Cancel { call: id }, _)
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
            (What::Cancel { call: id }, said) if said.promised() => {
                let call = evidence.last().call(*id);
                let holds = call.is_some_and(|call| call.outcome.is_some());
                verdict.hold(Law::WishesKept, holds, || format!("t{id} was to be cancelled: {call:?}"));
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
