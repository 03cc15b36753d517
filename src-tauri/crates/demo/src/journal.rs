//! What the server received, asked and took, for tests to wait for and people to read.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::watch;

use crate::log::Log;
use crate::{Clock, DemoError, DemoWire};

/// Entries kept in memory; the file keeps all.
const KEPT: usize = 100_000;

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum JournalEntry {
    /// A request arrived, whatever became of it.
    Request {
        /// When the request arrived, by our clock.
        at: Timestamp,
        /// The legacy session it came in, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<String>,
        /// Its JSON-RPC id.
        id: Value,
        /// The method of the request.
        method: String,
        /// Its params as received, null if absent.
        params: Value,
    },
    /// A notification arrived.
    Notification {
        /// When the notification arrived, by our clock.
        at: Timestamp,
        /// The legacy session it came in, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<String>,
        /// The method of the notification.
        method: String,
        /// Its params as received, null if absent.
        params: Value,
    },
    /// A client's response to a request of ours arrived (legacy).
    Reply {
        /// When the response arrived, by our clock.
        at: Timestamp,
        /// The session it came in.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<String>,
        /// The id of our request.
        id: Value,
        /// The result; none for an error.
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<Value>,
        /// The error; none for a result.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Value>,
    },
    /// Something arrived that is none of these.
    Malformed {
        /// When it arrived, by our clock.
        at: Timestamp,
        /// The beginning of it.
        text: String,
    },
    /// A legacy session began, or began anew with another `initialize`.
    SessionOpened {
        /// When the session began, by our clock.
        at: Timestamp,
        /// Its id; on stdio one that no client sees.
        session: String,
    },
    /// A legacy session is over: its id is unknown from here on.
    SessionClosed {
        /// When the session ended, by our clock.
        at: Timestamp,
        /// The id of the session.
        session: String,
        /// `deleted` (by the client), `lost` (by us) or `gone` (with its connection).
        why: &'static str,
    },
    /// A client opened or resumed an event stream by GET (legacy).
    Listening {
        /// When the stream was asked for, by our clock.
        at: Timestamp,
        /// The session that the stream belongs to.
        session: String,
        /// The `Last-Event-ID` it gave.
        #[serde(skip_serializing_if = "Option::is_none")]
        last_event_id: Option<String>,
    },
    /// A task was made, before the answer that names it was sent.
    Created {
        /// When the task was made, by our clock.
        at: Timestamp,
        /// The task id.
        call: String,
        /// The wire it was made on, and the only one that knows it.
        wire: DemoWire,
        /// The legacy session that made it, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<String>,
        /// The tool that was called.
        tool: String,
    },
    /// `tools/call` was answered with `input_required` (modern).
    Round {
        /// When the call was answered, by our clock.
        at: Timestamp,
        /// The call, which every `requestState` of it begins with.
        call: String,
        /// The `requestState`, byte for byte as sent.
        state: String,
        /// The keys asked for.
        keys: Vec<String>,
    },
    /// `tools/call` was sent again after a round (modern).
    Retried {
        /// When the call came again, by our clock.
        at: Timestamp,
        /// The call; none if the `requestState` was none of ours.
        #[serde(skip_serializing_if = "Option::is_none")]
        call: Option<String>,
        /// The `requestState` as received; none if there was none.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<String>,
        /// Whether it was one of ours, byte for byte, and the request the same.
        exact: bool,
    },
    /// We sent a request to the client (legacy).
    Asked {
        /// When the request was sent, by our clock.
        at: Timestamp,
        /// The session in which it was sent.
        session: String,
        /// The id of our request, unique in the session.
        id: Value,
        /// Unlike that of any other request of ours, in whichever session of whichever run. Only the client of a server
        /// that is [`Legacy::named`](crate::Legacy::named) sees it.
        ask: String,
        /// The method of the request.
        method: String,
        /// The task id, or the id of a plain call, which no client sees.
        call: String,
        /// The key of the input request, unique in the call.
        key: String,
    },
    /// We told the client that a request of ours needs no answer any more (legacy).
    Withdrawn {
        /// When the client was told, by our clock.
        at: Timestamp,
        /// The session in which the client was told.
        session: String,
        /// The id of our request.
        id: Value,
    },
    /// The client made a task of a request of ours, which we follow there (legacy).
    Hosted {
        /// When the client's task was made, by our clock.
        at: Timestamp,
        /// The session in which the client made it.
        session: String,
        /// Our task's id, or the id of the plain call.
        call: String,
        /// The key of the input request.
        key: String,
        /// The client's task id.
        task: Value,
    },
    /// A response to an input request was taken. Never happens twice for one key of one call.
    Taken {
        /// When the response was taken, by our clock.
        at: Timestamp,
        /// The task id, or the id of a plain call.
        call: String,
        /// The key of the input request.
        key: String,
        /// The response as received.
        response: Value,
    },
    /// A response to an input request was not taken.
    NotTaken {
        /// When the response came, by our clock.
        at: Timestamp,
        /// The task id, or the id of a plain call.
        call: String,
        /// The key of the input request.
        key: String,
        /// The response as received.
        response: Value,
        /// Why the response was not taken.
        why: NotTaken,
    },
    /// The client went away, or sent `notifications/cancelled`, before this request was answered.
    Abandoned {
        /// When the request was given up, by our clock.
        at: Timestamp,
        /// Its JSON-RPC id.
        id: Value,
        /// The method of the request.
        method: String,
    },
}

/// Why a response was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NotTaken {
    /// A response to this key was taken before.
    AlreadyTaken,
    /// The key is not outstanding: never asked, not yet asked, or the task has ended.
    NotOutstanding,
    /// [`Fault::LoseUpdate`](crate::Fault::LoseUpdate): acknowledged and dropped.
    Lost,
    /// It is no answer to what was asked.
    Malformed,
}

impl JournalEntry {
    /// Whether this is a request of `method`.
    #[must_use]
    pub fn is_request(&self, method: &str) -> bool {
        matches!(self, Self::Request { method: m, .. } if m == method)
    }

    /// Whether this is the taking of `key`, of whichever call.
    #[must_use]
    pub fn is_taken(&self, key: &str) -> bool {
        matches!(self, Self::Taken { key: k, .. } if k == key)
    }
}

/// The record of everything received and taken. In memory the newest 100,000 entries, in the file all.
#[derive(Debug)]
pub struct Journal {
    clock: Clock,
    kept: Mutex<Kept>,
    /// How many entries in all, also those dropped from memory.
    written: watch::Sender<u64>,
}

#[derive(Debug)]
struct Kept {
    entries: VecDeque<JournalEntry>,
    file: Option<Log>,
}

impl Journal {
    pub(crate) fn open(clock: Clock, path: Option<&Path>) -> Result<Self, DemoError> {
        let open =
            |path: &Path| Log::open(path).map_err(|source| DemoError::File { path: path.into(), source });
        let kept = Mutex::new(Kept { entries: VecDeque::new(), file: path.map(open).transpose()? });
        Ok(Self { clock, kept, written: watch::Sender::new(0) })
    }

    /// All entries in memory, oldest first.
    #[must_use]
    pub fn entries(&self) -> Vec<JournalEntry> {
        self.kept().entries.iter().cloned().collect()
    }

    /// How many entries were ever written.
    #[must_use]
    pub fn written(&self) -> u64 {
        *self.written.borrow()
    }

    /// The requests of one method, oldest first.
    #[must_use]
    pub fn requests(&self, method: &str) -> Vec<JournalEntry> {
        self.kept().entries.iter().filter(|entry| entry.is_request(method)).cloned().collect()
    }

    /// Every answer taken, oldest first: call, key, response.
    #[must_use]
    pub fn taken(&self) -> Vec<(String, String, Value)> {
        let taken = |entry: &JournalEntry| match entry {
            JournalEntry::Taken { call, key, response, .. } => {
                Some((call.clone(), key.clone(), response.clone()))
            }
            _ => None,
        };
        self.kept().entries.iter().filter_map(taken).collect()
    }

    /// Returns the entries as soon as they satisfy `predicate`; without a limit of its own.
    pub async fn until(&self, predicate: impl Fn(&[JournalEntry]) -> bool) -> Vec<JournalEntry> {
        let mut written = self.written.subscribe();
        loop {
            written.borrow_and_update();
            if predicate(self.kept().entries.make_contiguous()) {
                return self.entries();
            }
            // The sender lives in `self`, so this can only end with a new entry.
            let _ = written.changed().await;
        }
    }

    pub(crate) fn write(&self, entry: impl FnOnce(Timestamp) -> JournalEntry) {
        let mut kept = self.kept();
        let entry = entry(self.clock.now());
        if let Some(Err(error)) = kept.file.as_mut().map(|file| file.append(&entry)) {
            tracing::error!(%error, "the journal file could not be written");
        }
        if kept.entries.len() == KEPT {
            kept.entries.pop_front();
        }
        kept.entries.push_back(entry);
        drop(kept);
        self.written.send_modify(|written| *written += 1);
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("BUG: nothing panics while it holds the journal")
    }
}
