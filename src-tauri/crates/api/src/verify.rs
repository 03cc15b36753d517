//! What checking the log of decisions brings; and checking it from exported lines, by whoever was given them, without a store.

use std::io::{self, BufRead, Read};

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::RequestId;
use signalbox_store::{Break, Chain, Entry, Finding, Verification};
use ts_rs::TS;

/// No line of a log is longer, in bytes; what is, is none.
const LONGEST_LINE: u64 = 256 * 1024 * 1024;
/// Findings that are listed.
const LISTED: usize = 100;

/// What going through the log of decisions brought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    /// How many entries there are.
    pub entries: u64,
    /// How many sent answers were compared with them.
    pub answers: u64,
    /// How many findings there are; 0 when all holds.
    pub count: u64,
    /// The first 100 of them.
    pub findings: Vec<Found>,
}

/// Something in the log of decisions that does not hold.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// At which entry.
    pub entry: Option<u64>,
    /// At which question.
    pub request: Option<RequestId>,
    /// What does not hold.
    pub message: String,
}

/// A line of an export, whatever it is of.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line {
    Decision {
        entry: Entry,
    },
    #[serde(rename = "task", alias = "request", alias = "answer")]
    Else,
}

/// Checks the log of decisions in exported lines, which may hold tasks, questions and answers as well.
///
/// # Errors
/// When the lines cannot be read. That the log does not hold is no error but a finding.
pub fn verify_lines(mut lines: impl BufRead) -> io::Result<Verified> {
    let (mut verified, mut chain) = (Verified::default(), Chain::default());
    let mut line = Vec::new();
    for n in 1_u64.. {
        line.clear();
        if lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(&line) {
            Ok(Line::Decision { entry }) => {
                verified.entries += 1;
                if let Err(at) = chain.follow(&entry) {
                    verified.add(at.into());
                }
            }
            Ok(Line::Else) => {}
            Err(error) => {
                let message = format!("line {n} is no line of an export: {error}");
                verified.add(Found { entry: None, request: None, message });
            }
        }
    }
    Ok(verified)
}

impl Verified {
    fn add(&mut self, found: Found) {
        self.count += 1;
        if self.findings.len() < LISTED {
            self.findings.push(found);
        }
    }
}

impl From<Break> for Found {
    fn from(at: Break) -> Self {
        Self { entry: Some(at.n), request: None, message: at.to_string() }
    }
}

impl From<Finding> for Found {
    fn from(finding: Finding) -> Self {
        let message = finding.to_string();
        match finding {
            Finding::Chain(at) => at.into(),
            Finding::NotLogged(request) => Self { entry: None, request: Some(request), message },
            Finding::Differs { request, n } => Self { entry: Some(n), request: Some(request), message },
        }
    }
}

impl From<Verification> for Verified {
    fn from(of: Verification) -> Self {
        let findings = of.findings.into_iter().map(Found::from).collect();
        Self { entries: of.entries, answers: of.answers, count: of.count, findings }
    }
}

#[cfg(test)]
mod tests {
    use signalbox_model::{Json, Note, Reason};

    use super::*;

    /// An export of the version before entries had a format, with sentences in their texts.
    const OF_BEFORE: &str = include_str!("../tests/fixtures/decisions-1.jsonl");

    #[test]
    fn an_export_of_before_holds_and_so_does_one_that_goes_on_in_the_format_of_now() {
        let verified = verify_lines(OF_BEFORE.as_bytes()).unwrap();
        assert_eq!((verified.entries, verified.count), (19, 0), "{verified:?}");
        let sentence = "The server answered with error -32602: Failed to retrieve task: Task not found";
        assert!(OF_BEFORE.contains(sentence));
        let forged = OF_BEFORE.replace(sentence, "The server answered with error -32602: no");
        assert_eq!(verify_lines(forged.as_bytes()).unwrap().count, 1, "its sentences are sealed");

        let last: Line = serde_json::from_str(OF_BEFORE.lines().last().unwrap()).unwrap();
        let Line::Decision { entry: last } = last else { panic!("it is an entry") };
        let note = Json::of(&Note::from(Reason::Closed));
        let mut next = Entry { n: 20, format: Some(Entry::FORMAT), note: Some(note), ..last.clone() };
        next.hash = next.hash_behind(last.hash);
        let line = |entry: &Entry| format!(r#"{{"kind":"decision","entry":{}}}"#, Json::of(entry).text());
        let mixed = format!("{OF_BEFORE}{}\n", line(&next));
        let verified = verify_lines(mixed.as_bytes()).unwrap();
        assert_eq!((verified.entries, verified.count), (20, 0), "{verified:?}");
        next.format = None;
        let mixed = format!("{OF_BEFORE}{}\n", line(&next));
        assert_eq!(verify_lines(mixed.as_bytes()).unwrap().count, 1, "the format is sealed, too");
    }

    #[test]
    fn a_line_without_an_end_is_given_up() {
        let line = io::BufReader::with_capacity(1 << 20, io::repeat(b'x').take(LONGEST_LINE + 1));
        let verified = verify_lines(line).unwrap();
        let found: Vec<_> = verified.findings.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(
            (verified.count, verified.entries),
            (2, 0),
            "what comes behind is another line: {found:?}"
        );
        assert!(found[1].starts_with("line 2 is no line of an export"), "{found:?}");
    }
}
