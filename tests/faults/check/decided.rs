//! Of several who decide at once exactly one wins, everybody's decision stands in the log as they were told, and the servers
//! got what the log says. Judged by the log, which outlives what is forgotten.

use std::collections::BTreeMap;

use serde_json::Value;

use super::answers::questions;
use super::truth::went_out;
use super::{Law, Verdict};
use crate::evidence::{Decided, Evidence, Kept, Said, What};

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
        let is = |kind: &'static str| move |entry: &&&Decided| entry.kind == kind;
        for (n, _) in log.iter().enumerate().filter(|(_, entry)| entry.kind == "undone") {
            let answered = log[..n].iter().rposition(|entry| entry.kind == "answered");
            let still = answered.is_some_and(|at| !log[at..n].iter().any(|entry| entry.kind == "sent"));
            verdict.hold(Law::WishesKept, still, || format!("r{id}: taken back after it went: {log:?}"));
            let Some(back) = answered.and_then(|at| log[at].json.as_ref()) else { continue };
            let same = log.iter().filter(is("answered")).filter(|entry| entry.json.as_ref() == Some(back));
            // Given once more, it may go.
            let (1, Some(request)) = (same.count(), ever.request(id)) else { continue };
            let got = match request.identity.as_str() {
                "wire" => evidence.replies(request).any(|sent| sent.params == *back),
                _ => went_out(evidence, ever, request, back),
            };
            verdict
                .hold(Law::WishesKept, !got, || format!("r{id}: {back} was taken back, and a server got it"));
        }
    }
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
