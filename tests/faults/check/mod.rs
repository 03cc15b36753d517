//! The independent checker: laws that hold between what the servers wrote down, what went over the wire, what the store
//! held and what people were told. Each law is a room of its own; `tests` shows for each that it can be broken.

mod answers;
mod decided;
mod ended;
mod forgotten;
mod handles;
mod once;
mod rounds;
#[cfg(test)]
mod tests;
mod truth;
mod unknown;
mod wishes;

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::evidence::{Call, Entry, Evidence, REPLY, Request, Sent, Server};

/// What must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Law {
    /// Every task that a server made for a call of ours is kept with that call, or the call is unknown.
    HandlesKept,
    /// What was asked about, or shown, was kept before.
    DurableFirst,
    /// A `tools/call` is sent once; an answer is sent again only after a poll, and not after its acknowledgement. The
    /// answers of a round, and a reply on the legacy wire, are sent once for each time that a person decided.
    SentOnce,
    /// No answer is taken twice.
    TakenOnce,
    /// An answer that was promised is taken, or shown with what became of it; one that was taken is shown so.
    AnswersKept,
    /// What has ended stays as it ended, and is not asked about again.
    EndedForGood,
    /// Results are kept byte for byte.
    ResultsWhole,
    /// What nobody can know is shown as unknown, and nothing else is.
    UnknownSaid,
    /// What a person was promised is kept; what was refused left no trace.
    WishesKept,
    /// What a person was told about their answer is so: one that arrived was sent, of one that came too late nothing was. The
    /// log of decisions has what a server took.
    TruthTold,
    /// Of several who answer a question at once one is told that their answer counts, and that is the one that the server took.
    OneWins,
    /// The product finds nothing wrong with its log of decisions.
    LogHolds,
    /// The owner lives until it is ended.
    OwnerLives,
}

impl Law {
    pub(crate) const ALL: [Self; 13] = [
        Self::HandlesKept,
        Self::DurableFirst,
        Self::SentOnce,
        Self::TakenOnce,
        Self::AnswersKept,
        Self::EndedForGood,
        Self::ResultsWhole,
        Self::UnknownSaid,
        Self::WishesKept,
        Self::TruthTold,
        Self::OneWins,
        Self::LogHolds,
        Self::OwnerLives,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::HandlesKept => "handles kept",
            Self::DurableFirst => "durable first",
            Self::SentOnce => "sent once",
            Self::TakenOnce => "taken once",
            Self::AnswersKept => "answers kept",
            Self::EndedForGood => "ended for good",
            Self::ResultsWhole => "results whole",
            Self::UnknownSaid => "unknown said",
            Self::WishesKept => "wishes kept",
            Self::TruthTold => "truth told",
            Self::OneWins => "one wins",
            Self::LogHolds => "log holds",
            Self::OwnerLives => "owner lives",
        }
    }
}

/// What a check came to.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// What breaks a law.
    pub(crate) findings: Vec<Finding>,
    /// How many things each law was held against: a law that was held against nothing has shown nothing.
    pub(crate) looked: BTreeMap<Law, u64>,
}

/// Something that breaks a law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) law: Law,
    pub(crate) what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.law.name(), self.what)
    }
}

impl Verdict {
    /// Holds one thing against a law.
    fn hold(&mut self, law: Law, holds: bool, otherwise: impl FnOnce() -> String) {
        *self.looked.entry(law).or_default() += 1;
        if !holds {
            self.findings.push(Finding { law, what: otherwise() });
        }
    }
}

/// Holds a round against all laws.
pub(crate) fn check(evidence: &Evidence) -> Verdict {
    let mut verdict = Verdict::default();
    let rules = [
        handles::check,
        once::check,
        rounds::check,
        answers::check,
        ended::check,
        unknown::check,
        wishes::check,
        truth::check,
        decided::check,
        forgotten::check,
    ];
    for rule in rules {
        rule(evidence, &mut verdict);
    }
    verdict.hold(Law::LogHolds, evidence.log.is_empty(), || evidence.log.join("; "));
    for (n, life) in evidence.lives.iter().enumerate() {
        verdict.hold(Law::OwnerLives, !life.by_itself, || format!("owner {n} ended by itself"));
    }
    verdict
}

/// An owner that lives for so long after an answer has come (ms) must have kept it. Machines that test are busy.
const TIME_TO_KEEP: u64 = 1_500;

impl Evidence {
    /// Whether the owner had the whole answer, and all the time and room it takes to keep it.
    fn could_keep(&self, sent: &Sent) -> bool {
        let (Some(passed), Some(life)) = (sent.passed, self.lives.get(sent.life)) else { return false };
        // The last owner was ended only when everything had settled.
        let last = sent.life + 1 == self.lives.len();
        life.full.is_none() && (last || passed + TIME_TO_KEEP < life.ended)
    }

    /// How often the servers were handed the call, and not in a session that they did not know.
    fn arrivals(&self, nonce: &str) -> usize {
        let calls = |entry: &&Entry| match entry {
            Entry::Request { method, params } => {
                method == "tools/call" && params["arguments"]["nonce"] == nonce
            }
            _ => false,
        };
        let handed: usize =
            self.servers.iter().map(|server| server.journal.iter().filter(calls).count()).sum();
        let refused = self.sent.iter().filter(|sent| sent.refused && sent.nonce() == Some(nonce));
        handed.saturating_sub(refused.map(|sent| sent.arrived).sum())
    }

    /// The replies that went out to a question of the legacy wire as it was asked last.
    fn replies(&self, request: &Request) -> impl Iterator<Item = &Sent> {
        let of_server = |(n, server): (usize, &Server)| {
            let (session, id) = server.asked(request.ask.as_deref()?)?;
            Some((n, session.to_owned(), id.clone()))
        };
        let asked = self.servers.iter().enumerate().find_map(of_server);
        self.sent.iter().filter(move |sent| {
            let Some((server, session, id)) = &asked else { return false };
            let here = sent.server == *server && sent.session.as_ref() == Some(session);
            sent.method == REPLY && here && sent.id == *id
        })
    }
}

impl Server {
    /// The request of the server's that it calls so: its session and its id.
    fn asked(&self, name: &str) -> Option<(&str, &Value)> {
        self.journal.iter().find_map(|entry| match entry {
            Entry::Asked { session, id, ask, .. } if ask == name => Some((session.as_str(), id)),
            _ => None,
        })
    }

    /// Its names for a question, one for each time that it asked it.
    fn asks<'a>(&'a self, task: &str, key: &str) -> Vec<&'a str> {
        let asks = self.journal.iter().filter_map(|entry| match entry {
            Entry::Asked { ask, task: of, key: asked, .. } => {
                (of == task && asked == key).then_some(ask.as_str())
            }
            _ => None,
        });
        asks.collect()
    }
}

impl Call {
    fn is_unknown(&self) -> bool {
        self.outcome.as_deref() == Some("unknown")
    }

    /// A person stopped waiting for its answer.
    fn given_up(&self) -> bool {
        self.outcome.as_deref() == Some("cancelled") && self.cancel_wished
    }
}
