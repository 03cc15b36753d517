//! Rounds of questions without a task, and questions on the legacy wire: answered once for each time that a person
//! decided, since nobody can see whether an answer arrived.

use std::collections::BTreeMap;

use serde_json::Value;

use super::answers::questions;
use super::{Law, Verdict};
use crate::evidence::{Entry, Evidence, REPLY, Request, Said, What};

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    rounds(evidence, verdict);
    replies(evidence, verdict);
}

/// What somebody decided about this question each time, unless there was no room for it. Also what was refused: it may
/// have been the server that did, once it was sent.
pub(super) fn decisions<'a>(evidence: &'a Evidence, request: &Request) -> impl Iterator<Item = &'a Value> {
    evidence.wishes.iter().filter_map(|wish| match &wish.what {
        What::Answer { request: id, response, .. } if *id == request.id => {
            (wish.said != Said::NoRoom).then_some(response)
        }
        _ => None,
    })
}

/// How often that was.
pub(super) fn decided(evidence: &Evidence, request: &Request) -> usize {
    decisions(evidence, request).count()
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
        let asked = evidence.last().requests.iter().filter(|request| call.is_some() && request.call == call);
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

/// A reply goes to the question that a person decided about, with what they decided, and once for each decision. (What is
/// no answer, an error, only tells that nobody will give one.)
fn replies(evidence: &Evidence, verdict: &mut Verdict) {
    let forgotten = evidence.forgotten();
    let mut times: BTreeMap<(usize, &str, &str), usize> = BTreeMap::new();
    let replies = evidence.sent.iter().filter(|sent| sent.method == REPLY && !sent.params.is_null());
    for sent in replies.filter(|sent| !sent.refused) {
        let server = &evidence.servers[sent.server];
        let asked = server.journal.iter().find_map(|entry| match entry {
            Entry::Asked { session, id, task, key, .. } => {
                (Some(session) == sent.session.as_ref() && *id == sent.id).then_some((task, key))
            }
            _ => None,
        });
        if asked.is_some_and(|(task, _)| forgotten.tasks.contains(task)) {
            continue;
        }
        let theirs = asked
            .map(|(task, key)| questions(evidence.last(), evidence, server, task, key))
            .unwrap_or_default();
        let mut decided = theirs.iter().flat_map(|request| decisions(evidence, request));
        verdict.hold(Law::SentOnce, decided.any(|decided| *decided == sent.params), || {
            format!(
                "{} got {} for {asked:?}, and nobody decided so about {theirs:?}",
                server.name, sent.params
            )
        });
        if let Some((task, key)) = asked {
            *times.entry((sent.server, task, key)).or_default() += 1;
        }
    }
    for ((server, task, key), times) in times {
        let theirs = questions(evidence.last(), evidence, &evidence.servers[server], task, key);
        let most = theirs.iter().map(|request| decided(evidence, request)).sum();
        verdict.hold(Law::SentOnce, times <= most, || {
            format!("a reply to {theirs:?} was sent {times} times, and decided {most} times")
        });
    }
}
