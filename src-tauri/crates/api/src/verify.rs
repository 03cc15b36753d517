//! What checking the log of decisions brings; and checking it from exported lines, by whoever was given them, without a store.

use std::io::{self, BufRead, Read};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_with::skip_serializing_none;
use signalbox_model::RequestId;
use signalbox_store::{Break, Chain, Entry, Finding, Later, Verification};

/// No line of a log is longer, in bytes; what is, is none.
const LONGEST_LINE: u64 = 256 * 1024 * 1024;
/// Findings that are listed.
const LISTED: usize = 100;

/// What going through the log of decisions brought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The number of the entry; none where it is about no single one.
    pub entry: Option<u64>,
    /// The question whose answer it is about; none where it is about none.
    pub request: Option<RequestId>,
    /// What does not hold.
    pub message: String,
}

/// A line of an export, whatever it is of.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line {
    Decision {
        entry: Box<Entry>,
    },
    #[serde(rename = "task", alias = "request", alias = "answer")]
    Else,
}

/// A line that may be of the log, whatever its entry has.
#[derive(Deserialize)]
struct Loose<'a> {
    kind: String,
    #[serde(borrow)]
    entry: &'a RawValue,
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
        let followed = match serde_json::from_slice(&line) {
            Ok(Line::Decision { entry }) => chain.follow(&entry),
            Ok(Line::Else) => continue,
            Err(error) => match later(&line) {
                Some(entry) => chain.follow_later(&entry),
                None => {
                    let message = format!("line {n} is no line of an export: {error}");
                    verified.add(Found { entry: None, request: None, message });
                    continue;
                }
            },
        };
        verified.entries += 1;
        if let Err(at) = followed {
            verified.add(at.into());
        }
    }
    Ok(verified)
}

/// The entry of a later version in a line that cannot be one of this version.
fn later(line: &[u8]) -> Option<Later> {
    let Loose { kind, entry } = serde_json::from_slice(line).ok()?;
    if kind == "decision" { Later::read(entry.get()) } else { None }
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
    use signalbox_store::{Digest, How};

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
        let mut next = Entry { n: 20, format: Some(Entry::FORMAT), note: Some(note), ..(*last).clone() };
        next.hash = next.hash_behind(last.hash);
        let line = |entry: &Entry| format!(r#"{{"kind":"decision","entry":{}}}"#, Json::of(entry).text());
        let mixed = format!("{OF_BEFORE}{}\n", line(&next));
        let verified = verify_lines(mixed.as_bytes()).unwrap();
        assert_eq!((verified.entries, verified.count), (20, 0), "{verified:?}");
        next.format = None;
        let mixed = format!("{OF_BEFORE}{}\n", line(&next));
        assert_eq!(verify_lines(mixed.as_bytes()).unwrap().count, 1, "the format is sealed, too");
    }

    /// Entry 20, sealed behind those of before, with these members between its number and its seal.
    fn sealed(members: &str) -> (String, Digest) {
        let last = "e525ab55f06f5b99fd354fefb9e5c5ee7846fd3d879ffa4c51b03995f1f27037";
        let hash = Digest::of(format!(r#"{last}{}{{"n":20,{members}}}"#, "\n"));
        (format!(r#"{{"kind":"decision","entry":{{"n":20,{members},"hash":"{hash}"}}}}"#), hash)
    }

    fn found(lines: &str) -> Vec<(Option<u64>, String)> {
        let verified = verify_lines(lines.as_bytes()).unwrap();
        assert_eq!(verified.count, verified.findings.len() as u64);
        verified.findings.into_iter().map(|found| (found.entry, found.message)).collect()
    }

    #[test]
    fn what_a_later_version_wrote_is_no_damage() {
        let of_now = OF_BEFORE.lines().last().unwrap();
        let Ok(Line::Decision { entry: of_now }) = serde_json::from_str(of_now) else { panic!("an entry") };
        let members =
            r#""format":4,"at":"of another kind","by":"council","kind":"weighed","weights":[1.0,1e2]"#;
        let (later, hash) = sealed(members);
        let mut next = Entry { n: 21, format: Some(Entry::FORMAT), ..*of_now };
        next.hash = next.hash_behind(hash);
        let next = format!(r#"{{"kind":"decision","entry":{}}}"#, Json::of(&next).text());

        let log = format!("{OF_BEFORE}{later}\n{next}\n");
        let verified = verify_lines(log.as_bytes()).unwrap();
        assert_eq!(
            (verified.entries, verified.count),
            (21, 1),
            "it is an entry, and the chain goes on: {verified:?}"
        );
        let (entry, message) = found(&log).remove(0);
        assert_eq!(entry, Some(20));
        assert!(message.contains("written by a later version"), "{message}");

        let changed = found(&log.replace("council", "person"));
        assert_eq!(
            changed,
            [(Some(20), Break { n: 20, how: How::Changed }.to_string())],
            "it is sealed all the same"
        );
        let cut = found(&format!("{later}\n{next}\n"));
        assert_eq!(cut, [(Some(20), Break { n: 20, how: How::Gap { expected: 1 } }.to_string())]);
        let again = format!("{OF_BEFORE}{}\n", later.replace(":", ": "));
        assert_eq!(
            found(&again),
            [(Some(20), message)],
            "of a line that was printed anew nobody can tell more"
        );
    }

    #[test]
    fn a_damaged_line_of_a_format_that_is_known_stays_one() {
        for format in
            ["", r#""format":1,"#, r#""format":2,"#, r#""format":3,"#, r#""format":"4","#, r#""format":-4,"#]
        {
            let (line, _) = sealed(&format!(r#"{format}"approved":true"#));
            let (entry, message) = found(&format!("{OF_BEFORE}{line}\n")).remove(0);
            assert_eq!(entry, None, "{message}");
            assert!(message.starts_with("line 20 is no line of an export"), "{message}");
        }
        let (line, _) = sealed(r#""format":4"#);
        let unsealed = line.replace("hash", "seal");
        for line in [unsealed, line.replace("decision", "of_tomorrow"), line.replace(":20", r#":"20""#)] {
            let (_, message) = found(&format!("{OF_BEFORE}{line}\n")).remove(0);
            assert!(message.starts_with("line 20 is no line of an export"), "{message}");
        }
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
