//! Rounds of questions without a task, and questions on the legacy wire: answered once for each time that a person
//! decided, since nobody can look whether an answer arrived.

use std::collections::BTreeMap;

use super::{Law, Verdict};
use crate::evidence::{Entry, Evidence, Request, Said, What};

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    rounds(evidence, verdict);
    replies(evidence, verdict);
}

/// How often somebody decided about this question, and was not refused.
pub(super) fn decided(evidence: &Evidence, request: &Request) -> usize {
    let about = |what: &What| matches!(what, What::Answer { request: id, .. } if *id == request.id);
    let wishes = evidence.wishes.iter().filter(|wish| about(&wish.what));
    wishes
        .filter(|wish| {
            wish.said.promised() || wish.said == Said::Unsure || matches!(wish.said, Said::Refused(_))
        })
        .count()
}

fn rounds(evidence: &Evidence, verdict: &mut Verdict) {
    let forgotten = evidence.forgotten();
    /// The call and the state that went back; how often, and for which keys.
    type Rounds<'a> = BTreeMap<(&'a str, Option<&'a str>), (usize, Vec<&'a str>)>;
    let mut times = Rounds::new();
    for sent in evidence.sent.iter().filter(|sent| sent.goes_on()) {
        let (Some(nonce), Some(responses)) = (sent.nonce(), sent.params["inputResponses"].as_object()) else {
            continue;
        };
        let round = times.entry((nonce, sent.params["requestState"].as_str())).or_default();
        round.0 += 1;
        round.1 = responses.keys().map(String::as_str).collect();
    }
    for ((nonce, state), (times, keys)) in times {
        if forgotten.nonces.contains(nonce) {
            continue;
        }
        let call = evidence.last().of_nonce(nonce).map(|call| call.id);
        let asked = evidence.last().requests.iter().filter(|request| Some(request.call) == call);
        let asked = asked.filter(|request| keys.contains(&request.key.as_str()));
        let most = asked.map(|request| decided(evidence, request)).max().unwrap_or(0);
        verdict.hold(Law::SentOnce, times <= most, || {
            format!("the answers of round {state:?} of call {nonce} were sent {times} times, and decided {most} times")
        });
    }
    for server in &evidence.servers {
        for entry in &server.journal {
            if let Entry::Retried { state: back } = entry {
                let given = |entry: &Entry| matches!(entry, Entry::Round { state, .. } if state == back);
                verdict.hold(Law::SentOnce, server.journal.iter().any(given), || {
                    format!("{} was sent answers with a state that it never gave out", server.name)
                });
            }
        }
    }
}

fn replies(evidence: &Evidence, verdict: &mut Verdict) {
    for server in &evidence.servers {
        let mut times: BTreeMap<(&str, String), usize> = BTreeMap::new();
        for entry in &server.journal {
            if let Entry::Reply { session, id } = entry {
                *times.entry((session, id.to_string())).or_default() += 1;
            }
        }
        for ((session, id), times) in times {
            verdict.hold(Law::SentOnce, times == 1, || {
                format!("{} got {times} replies to its request {id} of session {session}", server.name)
            });
        }
    }
}
