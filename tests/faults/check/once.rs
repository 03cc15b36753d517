//! Once, as far as the wire allows.

use std::collections::{BTreeMap, BTreeSet};

use super::{Law, Verdict};
use crate::answer::Answer;
use crate::evidence::{Evidence, Sent};

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
    for nonce in evidence.sent.iter().filter(|sent| !sent.goes_on()).filter_map(Sent::nonce) {
        *calls.entry(nonce).or_default() += 1;
    }
    for (nonce, times) in calls {
        verdict.hold(Law::SentOnce, times == 1, || format!("call {nonce} was sent {times} times"));
    }
    let tasks: BTreeSet<&str> = evidence.sent.iter().filter_map(Sent::task).collect();
    for task in tasks {
        answers(evidence, task, verdict);
    }
}

/// An answer goes out again only when a poll has come back since, and not when it was acknowledged. One that was refused
/// is over: what follows is another.
fn answers(evidence: &Evidence, task: &str, verdict: &mut Verdict) {
    let about: Vec<&Sent> = evidence.sent.iter().filter(|sent| sent.task() == Some(task)).collect();
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    for (n, sent) in about.iter().enumerate() {
        let Some(responses) = sent.params["inputResponses"].as_object() else { continue };
        for key in responses.keys() {
            let Some(before) = last.insert(key, n) else { continue };
            let told = about[before].passed.is_some_and(|at| at <= sent.at);
            let said =
                about[before].answer.as_deref().filter(|_| told).map(|body| Answer::read(body).granted);
            if said == Some(false) || about[before].refused {
                continue;
            }
            let polled = about[before..n].iter().any(|poll| {
                let told = poll.passed.is_some_and(|at| at <= sent.at);
                poll.method == "tasks/get" && (told || !evidence.servers[poll.server].proxied)
            });
            verdict.hold(Law::SentOnce, polled, || {
                format!("the answer to {key} of task {task} was sent again without a poll")
            });
            let again = said == Some(true) && about[before].life == sent.life;
            verdict.hold(Law::SentOnce, !again, || {
                format!("the answer to {key} of task {task} was sent again after its acknowledgement")
            });
        }
    }
}
