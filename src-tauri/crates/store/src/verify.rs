//! Whether the log of decisions is what was written, and whether what was answered is in it.

use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;
use signalbox_model::{Action, Json, Masked, RequestId};

use crate::{
    Break, Chain, ReadError, Reads, column, secrets,
    snapshot::Snapshot,
    table::{
        decisions::{self, LoggedAnswer, Undecoded},
        meta,
        requests::{self, SentAnswer},
    },
};

/// Entries and answers in the memory at once.
const PORTION: u32 = 200;
/// Findings that are listed.
const LISTED: usize = 100;

/// What going through the log of decisions brought.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    /// How many entries there are.
    pub entries: u64,
    /// How many sent answers were compared with them.
    pub answers: u64,
    /// How many findings there are; 0 when all holds.
    pub count: u64,
    /// The first 100 of them.
    pub findings: Vec<Finding>,
}

/// Something that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The chain of entries is broken.
    Chain(Break),
    /// An answer was sent, and the log has no entry of it.
    NotLogged(RequestId),
    /// An answer was sent, and this entry of the log has another.
    Differs {
        /// The question that was answered.
        request: RequestId,
        /// The number of the entry.
        n: u64,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain(at) => at.fmt(f),
            Self::NotLogged(request) => write!(f, "{request}: its answer was sent, and is in no entry"),
            Self::Differs { request, n } => {
                write!(f, "{request}: entry {n} has another answer than was sent")
            }
        }
    }
}

impl Verification {
    /// Whether all holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.count == 0
    }

    fn found(&mut self, finding: Finding) {
        self.count += 1;
        if self.findings.len() < LISTED {
            self.findings.push(finding);
        }
    }

    fn follow(&mut self, outcome: Result<(), Break>) {
        if let Err(at) = outcome {
            self.found(Finding::Chain(at));
        }
    }
}

impl Reads {
    /// Goes through the whole log of decisions, compares its end with what was noted when it was last written, and every
    /// answer that was sent with its entry. In portions, beside the writer; blocks for a while.
    ///
    /// # Errors
    /// When the database cannot be read. That the log does not hold is no error but a finding.
    pub fn verify_decisions(&self) -> Result<Verification, ReadError> {
        let mut verification = Verification::default();
        let head = self.read(|at| Ok(meta::read(at.conn)?.head))?;
        let mut chain = Chain::default();
        // What is written meanwhile is not looked at: the noted end would not be its.
        while chain.last() < head.n {
            let limit = PORTION.min(u32::try_from(head.n - chain.last()).unwrap_or(u32::MAX));
            let entries = self.read(|at| decisions::behind(at, chain.last(), limit))?;
            if entries.is_empty() {
                break;
            }
            for entry in entries {
                if entry.as_ref().map_or_else(|odd| odd.n, |entry| entry.n) > head.n {
                    break;
                }
                verification.entries += 1;
                verification.follow(match entry {
                    Ok(entry) => chain.follow(&entry),
                    Err(Undecoded { later: Some(later), .. }) => chain.follow_later(&later),
                    Err(Undecoded { n, later: None }) => chain.follow_unreadable(n),
                });
            }
        }
        verification.follow(chain.ends_at(head.n, head.hash));
        let mut after = Some(0);
        while let Some(from) = after {
            after = self.read(|at| compare(at, from, &mut verification))?;
        }
        Ok(verification)
    }
}

/// Compares a portion of the answers that were sent with their entries. Where the next one begins.
fn compare(at: &Snapshot<'_>, after: u32, verification: &mut Verification) -> rusqlite::Result<Option<u32>> {
    let answers = requests::sent_answers(at, after, PORTION)?;
    let mut last = None;
    if answers.len() == PORTION as usize {
        last = answers.last().map(|answer| answer.as_ref().map_or_else(|id| id.0, |answer| answer.request.0));
    }
    // A damaged row is no matter of the log.
    for answer in answers.into_iter().flatten() {
        let request = answer.request;
        verification.answers += 1;
        match decisions::answer(at, request) {
            Ok(Some(LoggedAnswer { json: Some(json), masked, .. })) if same(&answer, &json, &masked) => {}
            Ok(Some(LoggedAnswer { n, .. })) => verification.found(Finding::Differs { request, n }),
            Ok(None) if answer.logged => verification.found(Finding::NotLogged(request)),
            Ok(None) => {}
            // The chain has said so.
            Err(error) if column::undecodable(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(last)
}

/// Whether the response in the log is that of this answer, byte for byte; and what is kept of its secrets is the same.
fn same(answer: &SentAnswer, json: &Json, masked: &[Masked]) -> bool {
    #[derive(Deserialize)]
    struct Response<'a> {
        action: Action,
        #[serde(borrow)]
        content: Option<&'a RawValue>,
    }
    // A null is read as nothing.
    let content = answer.content.as_ref().map(Json::text).filter(|content| *content != "null");
    match json.read::<Response<'_>>() {
        Ok(response) if masked.is_empty() && !answer.masked.is_empty() => {
            // The entry is of a version that masked nothing, and stays as it was sealed.
            let logged = response.content.is_some_and(|logged| {
                secrets::is_masked_to(logged.get(), content.unwrap_or_default(), &answer.masked)
            });
            response.action == answer.action && logged
        }
        Ok(response) => {
            let within = |masked: Masked| Masked {
                path: masked.path.strip_prefix(secrets::CONTENT).unwrap_or_default().to_owned(),
                ..masked
            };
            response.action == answer.action
                && response.content.map(RawValue::get) == content
                && masked.iter().cloned().map(within).eq(answer.masked.iter().cloned())
        }
        // What is no elicitation's response is its own content.
        Err(_) => content == Some(json.text()),
    }
}
