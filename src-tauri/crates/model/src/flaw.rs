//! What is wrong with something that a server sent: a closed word with its values. It is kept in notes, so its words never
//! change.
//!
//! What each says in English is for logs and for whoever reads English from us; the window has words of its own.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

/// What of an answer is against the specification. The texts in it are the server's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "rule", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Breach {
    /// The result is no JSON object.
    NoObject,
    /// The result is of a type that nothing is known of.
    UnknownType,
    /// Where a list belongs there is none.
    NoList {
        /// The list that was asked for.
        of: Part,
    },
    /// The list does not end: a cursor is illegible, or comes again.
    EndlessList {
        /// The list that was asked for.
        of: Part,
    },
    /// The subscription ended before it began.
    SubscriptionEnded,
    /// The server speaks a version of MCP that is newer than ours.
    NewerVersion {
        /// The version that the server speaks.
        speaks: String,
        /// The version that we speak.
        ours: String,
    },
    /// The server names an older version, but does not take that version's first message.
    VersionRefused {
        /// The version that it names.
        version: String,
        /// The number of the error that it answered with; none where it answered with something else.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<i32>"))]
        error: Option<i64>,
        /// The message of that error.
        #[serde(skip_serializing_if = "Option::is_none")]
        said: Option<String>,
    },
    /// The event stream names an endpoint that is longer than any may be.
    LongEndpoint {
        /// How many bytes one may have.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit: u64,
    },
    /// The event stream names an endpoint at another origin than its own.
    ForeignEndpoint {
        /// The origin that it names.
        origin: String,
    },
    /// The event stream names an endpoint that is no address.
    NoEndpoint,
    /// What a later version wrote.
    #[serde(other)]
    Unknown,
}

/// Why something that came back is not the answer to what was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Stray {
    /// It answers another request.
    OtherRequest,
    /// It is no JSON-RPC message.
    NoMessage,
    /// The event stream had an illegible message, and no answer.
    IllegibleEvent,
    /// What a later version wrote.
    #[serde(other)]
    Unknown,
}

/// Something that a server sends, of which only so much is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Its list of tools.
    Tools,
    /// Its list of tasks.
    Tasks,
    /// What it says of itself.
    Statement,
    /// What a later version wrote.
    #[serde(other)]
    Unknown,
}

/// What the size of something is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// It is counted in pages of a list.
    Pages,
    /// It is counted in bytes.
    Bytes,
    /// What a later version wrote.
    #[serde(other)]
    Unknown,
}

impl Breach {
    /// The texts that the server wrote.
    pub(crate) fn texts(&mut self) -> Vec<&mut String> {
        match self {
            Self::NewerVersion { speaks: text, .. } | Self::ForeignEndpoint { origin: text } => vec![text],
            Self::VersionRefused { version, said, .. } => std::iter::once(version).chain(said).collect(),
            Self::NoObject
            | Self::UnknownType
            | Self::NoList { .. }
            | Self::EndlessList { .. }
            | Self::SubscriptionEnded
            | Self::LongEndpoint { .. }
            | Self::NoEndpoint
            | Self::Unknown => Vec::new(),
        }
    }
}

impl Display for Breach {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoObject => f.write_str("the result is not a JSON object"),
            Self::UnknownType => f.write_str("the result is of an unknown type"),
            Self::NoList { of } => write!(f, "{of} is not a list"),
            Self::EndlessList { of } => {
                write!(f, "{of} does not end, since a cursor in it is illegible or repeated")
            }
            Self::SubscriptionEnded => f.write_str("the subscription ended before it began"),
            Self::NewerVersion { speaks, ours } => write!(f, "the server speaks {speaks}, not {ours}"),
            Self::VersionRefused { version, error, said } => {
                write!(f, "it names version {version}, but does not take \"initialize\"")?;
                error.map_or(Ok(()), |error| write!(f, ": it answered with error {error}"))?;
                said.as_ref().map_or(Ok(()), |said| write!(f, ": {said}"))
            }
            Self::LongEndpoint { limit } => {
                let limit = Unit::Bytes.counted(*limit);
                write!(f, "its event stream names an endpoint that is longer than {limit}. {OWN_ORIGIN}")
            }
            Self::ForeignEndpoint { origin } => {
                write!(f, "its event stream names an endpoint at {origin}. {OWN_ORIGIN}")
            }
            Self::NoEndpoint => {
                write!(f, "its event stream names an endpoint that is no address. {OWN_ORIGIN}")
            }
            Self::Unknown => f.write_str("a newer version of Signalbox wrote down how"),
        }
    }
}

/// Why an endpoint that a server names is not just used.
const OWN_ORIGIN: &str = "Messages and what they carry go to its own origin only";

impl Display for Stray {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherRequest => "it answers another request",
            Self::NoMessage => "it is not a JSON-RPC message",
            Self::IllegibleEvent => "the event stream held an illegible message and no answer",
            Self::Unknown => "a newer version of Signalbox wrote down why",
        })
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tools => "its list of tools",
            Self::Tasks => "its list of tasks",
            Self::Statement => "what it says of itself",
            Self::Unknown => "something that it sends",
        })
    }
}

impl Unit {
    /// So many of it, in words.
    #[must_use]
    pub fn counted(self, count: u64) -> String {
        const KIB: u64 = 1024;
        const MIB: u64 = 1024 * KIB;
        match self {
            Self::Pages => format!("{count} pages"),
            Self::Bytes if count > 0 && count.is_multiple_of(MIB) => format!("{} MiB", count / MIB),
            Self::Bytes if count > 0 && count.is_multiple_of(KIB) => format!("{} KiB", count / KIB),
            Self::Bytes => format!("{count} bytes"),
            Self::Unknown => count.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_words_never_change() {
        let kept = [
            (Breach::NoObject, r#"{"rule":"no_object"}"#),
            (Breach::NoList { of: Part::Tools }, r#"{"rule":"no_list","of":"tools"}"#),
            (
                Breach::VersionRefused { version: "2025-06-18".to_owned(), error: Some(-32_601), said: None },
                r#"{"rule":"version_refused","version":"2025-06-18","error":-32601}"#,
            ),
        ];
        for (breach, json) in kept {
            assert_eq!(serde_json::to_string(&breach).unwrap(), json, "old databases have it");
            assert_eq!(serde_json::from_str::<Breach>(json).unwrap(), breach);
        }
    }

    #[test]
    fn what_a_later_version_wrote_is_read() {
        let breach: Breach = serde_json::from_str(r#"{"rule":"of_tomorrow","value":1}"#).unwrap();
        assert_eq!(breach, Breach::Unknown);
        let breach: Breach = serde_json::from_str(r#"{"rule":"no_list","of":"prompts"}"#).unwrap();
        assert_eq!(breach, Breach::NoList { of: Part::Unknown });
        assert_eq!(serde_json::from_str::<Stray>(r#""of_tomorrow""#).unwrap(), Stray::Unknown);
        assert_eq!(serde_json::from_str::<Unit>(r#""of_tomorrow""#).unwrap(), Unit::Unknown);
    }

    #[test]
    fn sizes_are_said_in_the_larger_unit_where_that_is_exact() {
        let said = [0, 1_000, 8 * 1024, 16 * 1024 * 1024].map(|count| Unit::Bytes.counted(count));
        assert_eq!(said, ["0 bytes", "1000 bytes", "8 KiB", "16 MiB"]);
    }
}
