//! How a server was last seen, in documents.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::words::Worded;
use signalbox_model::{Health as Seen, Missed as SeenMissed, Timestamp};

/// `state`, and by that: `latencyMs clockAheadMs`, `code reason then message` with `since triedAt retryAt`, `since`, or `missed`
/// (`code reason message at`). `message` is the sentence for the others.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(tag = "state", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(super) enum Health {
    Unknown {
        missed: Option<Missed>,
    },
    Ok {
        latency_ms: u32,
        clock_ahead_ms: Option<i64>,
    },
    Unreachable {
        #[serde(flatten)]
        note: Worded,
        since: Timestamp,
        tried_at: Option<Timestamp>,
        retry_at: Timestamp,
    },
    SignInNeeded {
        since: Timestamp,
    },
    Unusable {
        #[serde(flatten)]
        note: Worded,
        tried_at: Option<Timestamp>,
    },
}

#[derive(Serialize)]
pub(super) struct Missed {
    #[serde(flatten)]
    note: Worded,
    at: Timestamp,
}

impl From<&Seen> for Health {
    fn from(seen: &Seen) -> Self {
        match seen.clone() {
            Seen::Unknown { missed } => {
                let of = |SeenMissed { note, at }| Missed { note: note.into(), at };
                Self::Unknown { missed: missed.map(of) }
            }
            Seen::Ok { latency_ms, clock_ahead_ms } => Self::Ok { latency_ms, clock_ahead_ms },
            Seen::Unreachable { note, since, tried_at, retry_at } => {
                Self::Unreachable { note: note.into(), since, tried_at, retry_at }
            }
            Seen::SignInNeeded { since } => Self::SignInNeeded { since },
            Seen::Unusable { note, tried_at } => Self::Unusable { note: note.into(), tried_at },
        }
    }
}
