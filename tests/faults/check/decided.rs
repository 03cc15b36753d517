//! Of several who decide at once exactly one wins, everybody's decision stands in the log as they were told, and the servers
//! got what the log says. Judged by the log, which outlives what is forgotten.

use std::collections::BTreeMap;

use serde_json::Value;
use signalbox_model::Unsent;

use super::answers::questions;
use super::truth::carrying;
use super::{Law, Verdict};
use crate::evidence::{Decided, Evidence, Kept, Said, What};

/// What the log says of an answer that was taken back after it was to go, since that could not be tried.
const NEVER_LEFT: Unsent = Unsent::NothingLeft;
/// Of more sendings of the same answer not each is in the log.
const EVERY_SENDING: usize = 2;

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    let ever = evidence.ever();
    answered(evidence, &ever, verdict);
    one_wins(evidence, &ever, verdict);
    taken_back(evidence, &ever, verdict);
    forgotten(evidence, &ever, verdict);
}

/// Who was promised something about an answer finds that answer in the log.
fn answered(evidence: &Evidence, ever: &Kept, verdict: &mut Verdict) {
    for wish in evidence.wishes.iter().filter(|wish| wish.said.promised()) {
        let What::Answer { request, response, .. } = &wish.what else { continue };
        verdict.hold(Law::TruthTold, ever.has("answered", *request, response), || {
            format!("r{request}: {response} was said to be {:?}, and the log has no such answer", wish.said)
        });
    }
}

/// Another answer to the same question counts only after something that opens it again. Where nothing did, the answer that
/// was said to have arrived is the one that the server took.
fn one_wins(evidence: &Evidence, ever: &Kept, verdict: &mut Verdict) {
    let mut told: BTreeMap<u32, Vec<&Value>> = BTreeMap::new();
    for wish in &evidence.wishes {
        if let (What::Answer { request, response, held: false }, Said::Done(_)) = (&wish.what, &wish.said) {
            let told = told.entry(*request).or_default();
            if !told.contains(&response) {
                told.push(response);
            }
        }
    }
    for (id, told) in &told {
        verdict.hold(Law::OneWins, told.len() <= 1 + reopened(ever, *id), || {
            format!("r{id}: of each of these it was said that it counts: {told:?}")
        });
    }
    for (server, task, key, response) in evidence.taken() {
        // On the legacy wire there may be several under one key: which of them it was its connection knew.
        let [question] = questions(ever, evidence, server, task, key)[..] else { continue };
        let Some(told) = told.get(&question.id).filter(|_| reopened(ever, question.id) == 0) else {
            continue;
        };
        verdict.hold(Law::OneWins, *told == [response], || {
            format!("r{}: {} took {response}, and it was said of {told:?}", question.id, server.name)
        });
    }
}

/// How often a question that was answered could be answered anew.
fn reopened(ever: &Kept, request: u32) -> usize {
    const WAYS: [&str; 6] = ["not_taken", "refused", "unknown", "undone", "lapsed", "closed"];
    ever.log_of(request).filter(|entry| WAYS.contains(&entry.kind.as_str())).count()
}

/// An answer that was taken back had not gone out, and never does; and who took it back finds that in the log.
fn taken_back(evidence: &Evidence, ever: &Kept, verdict: &mut Verdict) {
    let mut told: BTreeMap<u32, usize> = BTreeMap::new();
    for wish in &evidence.wishes {
        if let (What::Undo { request }, Said::Done(_)) = (&wish.what, &wish.said) {
            *told.entry(*request).or_default() += 1;
        }
    }
    for (id, told) in told {
        let logged = ever.log_of(id).filter(|entry| entry.kind == "undone").count();
        verdict.hold(Law::WishesKept, told <= logged, || {
            format!(
                "r{id}: {told} were told that an answer is taken back, and the log says so {logged} times"
            )
        });
    }
    let mut requests: Vec<u32> = ever.log.iter().filter_map(|entry| entry.request).collect();
    requests.sort_unstable();
    requests.dedup();
    for id in requests {
        let log: Vec<&Decided> = ever.log_of(id).collect();
        for (n, undone) in log.iter().enumerate().filter(|(_, entry)| entry.kind == "undone") {
            let answered = log[..n].iter().rposition(|entry| entry.kind == "answered");
            let still = answered.is_some_and(|at| {
                let tried = log[at..n].iter().any(|entry| entry.kind == "sent");
                !tried || undone.text.as_deref() == Some(NEVER_LEFT.as_str())
            });
            verdict.hold(Law::WishesKept, still, || format!("r{id}: taken back after it went: {log:?}"));
            let Some(back) = answered.and_then(|at| log[at].json.as_ref()) else { continue };
            let (Some(request), Some(most)) = (ever.request(id), sendings(&log, back)) else { continue };
            let got = match request.identity.as_str() {
                "wire" => evidence.replies(request).filter(|sent| sent.params == *back).count(),
                // Of a task that was forgotten before a store was seen with its handle nobody can tell.
                _ => request
                    .call
                    .and_then(|call| ever.call(call))
                    .map_or(0, |call| carrying(evidence, call, request, back).count()),
            };
            verdict.hold(Law::WishesKept, got <= most, || {
                format!("r{id}: {back} was taken back, and it went {got} times, of {most} that the log knows")
            });
        }
    }
}

/// How often the log says that this answer to a question went, where it was not taken back: it may have been given once more.
/// None where the log need not have every time.
fn sendings(log: &[&Decided], response: &Value) -> Option<usize> {
    let decisions = log.chunk_by(|_, next| next.kind != "answered");
    let stands = decisions.filter(|decision| {
        decision[0].json.as_ref() == Some(response) && !decision.iter().any(|entry| entry.kind == "undone")
    });
    let sent = stands.map(|decision| decision.iter().filter(|entry| entry.kind == "sent").count());
    sent.map(|times| (times <= EVERY_SENDING).then_some(times)).sum()
}

/// What was forgotten stands in the log as such, and nothing is decided or sent for it afterwards.
fn forgotten(evidence: &Evidence, ever: &Kept, verdict: &mut Verdict) {
    for wish in &evidence.wishes {
        let (What::Forget { call }, Said::Done(_)) = (&wish.what, &wish.said) else { continue };
        let mut log = ever.log.iter().filter(|entry| entry.call == Some(*call));
        let logged = log.any(|entry| entry.kind == "forgotten");
        let late = log.find(|entry| entry.kind != "forgotten");
        verdict.hold(Law::WishesKept, logged && late.is_none(), || {
            format!("t{call} was forgotten; in the log: {logged}, and after it {late:?}")
        });
    }
}
