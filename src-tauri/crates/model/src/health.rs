//! How a server was last seen.

use serde::{Deserialize, Serialize};

use crate::{Note, Timestamp, Tracking};

/// How a server was last seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Health {
    /// Not tried since the start.
    Unknown {
        /// What came of the last try of an earlier run, where that did not reach it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        missed: Option<Missed>,
    },
    /// The server answers.
    Ok {
        /// Round trip of the last discovery in ms.
        latency_ms: u32,
        /// How far its clock is ahead of ours in ms, to a second and the round trip; none where it does not show.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        clock_ahead_ms: Option<i64>,
    },
    /// It could not be reached.
    Unreachable {
        /// Why the last try did not reach the server.
        #[serde(flatten)]
        note: Note,
        /// When it was first found unreachable, by our clock. Later failed tries do not move this.
        since: Timestamp,
        /// When it was last tried; none where an earlier version did not write that down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        tried_at: Option<Timestamp>,
        /// When it is tried again, if something waits for it then.
        retry_at: Timestamp,
    },
    /// It wants a sign-in first.
    SignInNeeded {
        /// When it first asked for a sign-in, by our clock.
        since: Timestamp,
    },
    /// It answers, but not in a way we can use (legacy only, no MCP at all).
    Unusable {
        /// Why its answer is of no use.
        #[serde(flatten)]
        note: Note,
        /// When that came out; none where nothing was tried.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        tried_at: Option<Timestamp>,
    },
}

impl Health {
    /// Nothing is known of reaching it.
    pub const UNKNOWN: Self = Self::Unknown { missed: None };

    /// What it says of following all tasks of the server that have not ended; none where each has its own.
    #[must_use]
    pub fn tracking(&self) -> Option<Tracking> {
        match self {
            Self::Unreachable { .. } | Self::Unusable { .. } => Some(Tracking::Unreachable),
            Self::SignInNeeded { .. } => Some(Tracking::SignInNeeded),
            Self::Ok { .. } | Self::Unknown { .. } => None,
        }
    }

    /// What is left of it in the next run: that it could not be reached then says nothing of now.
    #[must_use]
    pub fn as_of_last_run(self) -> Self {
        match self {
            Self::Unreachable { note, since, tried_at, .. } => {
                Self::Unknown { missed: Some(Missed { note, at: tried_at.unwrap_or(since) }) }
            }
            other => other,
        }
    }
}

/// A try that did not reach a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Missed {
    /// Why the try failed.
    #[serde(flatten)]
    pub note: Note,
    /// When the server was tried, by our clock.
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoteCode, Reason};

    #[test]
    fn a_health_of_an_earlier_version_reads_as_it_was() {
        let json = r#"{"state":"unreachable","code":"timed_out","message":"no","since":"2026-01-01T00:00:00.000Z","retryAt":"2026-01-01T00:00:00.000Z"}"#;
        let Health::Unreachable { note, .. } = serde_json::from_str(json).unwrap() else {
            panic!("its state")
        };
        assert_eq!(note, Note::said(NoteCode::TimedOut, "no".to_owned()));
        let now = Health::Unusable { note: Reason::Closed.into(), tried_at: None };
        let json = r#"{"state":"unusable","code":"unreachable","reason":{"kind":"closed"}}"#;
        assert_eq!(serde_json::to_string(&now).unwrap(), json);
        assert_eq!(serde_json::from_str::<Health>(json).unwrap(), now);
        let missed =
            Health::Unknown { missed: Some(Missed { note: Reason::Closed.into(), at: Timestamp(1) }) };
        assert_eq!(serde_json::from_value::<Health>(serde_json::to_value(&missed).unwrap()).unwrap(), missed);
    }
}
