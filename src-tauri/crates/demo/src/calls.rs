//! The calls on record: tasks, and the open rounds of multi round-trip requests. In memory, and in a file if one is given.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;

use crate::DemoError;
use crate::journal::NotTaken;
use crate::log::Log;
use crate::script::{Given, Object};

/// One call that outlives its request. All times are ms since the epoch.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Call {
    /// The task id, or the `requestState` of a round.
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) arguments: Object,
    pub(crate) created_at: i64,
    /// None: unlimited.
    pub(crate) ttl_ms: Option<i64>,
    #[serde(default)]
    pub(crate) answers: Vec<Given>,
    #[serde(default)]
    pub(crate) cancel_asked: Option<i64>,
}

impl Call {
    fn expired(&self, now: i64) -> bool {
        self.ttl_ms.is_some_and(|ttl| now >= self.created_at.saturating_add(ttl))
    }
}

/// A line of the state file. `Header` is its first line and nothing else's.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event {
    Header { signalbox_demo_state: u32 },
    Opened(Call),
    Taken { id: String, answers: Vec<Given> },
    CancelAsked { id: String, at: i64 },
    Forgotten { id: String },
}

/// Every call on record. Each change is on the disk before it counts, hence before anybody is told of it.
#[derive(Debug)]
pub(crate) struct Calls {
    kept: Mutex<Kept>,
    changed: watch::Sender<()>,
    /// Keyed from the system's randomness: ids cannot be guessed from one another.
    ids: RandomState,
}

#[derive(Debug, Default)]
struct Kept {
    calls: HashMap<String, Call>,
    opened: u64,
    file: Option<Log>,
}

impl Kept {
    fn apply(&mut self, event: Event) {
        match event {
            Event::Header { .. } => {}
            Event::Opened(call) => {
                self.opened += 1;
                self.calls.insert(call.id.clone(), call);
            }
            Event::Taken { id, answers } => {
                if let Some(call) = self.calls.get_mut(&id) {
                    call.answers.extend(answers);
                }
            }
            Event::CancelAsked { id, at } => {
                if let Some(call) = self.calls.get_mut(&id) {
                    call.cancel_asked.get_or_insert(at);
                }
            }
            Event::Forgotten { id } => {
                self.calls.remove(&id);
            }
        }
    }

    fn record(&mut self, event: Event) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.append_durably(&event)?;
        }
        self.apply(event);
        Ok(())
    }
}

impl Calls {
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, DemoError> {
        let mut kept = Kept::default();
        if let Some(path) = path {
            let failed = |source| DemoError::File { path: path.into(), source };
            let mut file = Log::open(path).map_err(failed)?;
            let mut lines = file.replay::<Event>().map_err(failed)?.into_iter();
            match lines.next() {
                None => file.append_durably(&Event::Header { signalbox_demo_state: 1 }).map_err(failed)?,
                Some(Ok(Event::Header { signalbox_demo_state: 1 })) => {}
                Some(_) => return Err(DemoError::NotOurs(path.into())),
            }
            file.end_torn_line().map_err(failed)?;
            for line in lines {
                match line {
                    Ok(event) => kept.apply(event),
                    Err(error) => tracing::warn!(%error, "skipped a torn line of the state file"),
                }
            }
            kept.file = Some(file);
        }
        Ok(Self { kept: Mutex::new(kept), changed: watch::Sender::new(()), ids: RandomState::new() })
    }

    /// Put a call on record and return it with its id.
    pub(crate) fn begin(
        &self,
        tool: &str,
        arguments: Object,
        now: i64,
        ttl_ms: Option<i64>,
    ) -> io::Result<Call> {
        let mut kept = self.kept();
        if kept.opened.is_multiple_of(1024) {
            kept.calls.retain(|_, call| !call.expired(now));
        }
        let half = |n: u8| self.ids.hash_one((kept.opened, now, n));
        let id = format!("{:016x}{:016x}", half(0), half(1));
        let call = Call {
            id,
            tool: tool.into(),
            arguments,
            created_at: now,
            ttl_ms,
            answers: Vec::new(),
            cancel_asked: None,
        };
        kept.record(Event::Opened(call.clone()))?;
        Ok(call)
    }

    /// The call, unless it is unknown or its TTL has passed.
    pub(crate) fn get(&self, id: &str, now: i64) -> Option<Call> {
        let mut kept = self.kept();
        if kept.calls.get(id)?.expired(now) {
            kept.calls.remove(id);
        }
        kept.calls.get(id).cloned()
    }

    /// Take those responses whose key is outstanding, all in one write; returns each with why it was not taken.
    /// `outstanding` is asked under the lock, so that no key is ever taken twice.
    pub(crate) fn take(
        &self,
        id: &str,
        responses: Object,
        now: i64,
        outstanding: impl FnOnce(&Call) -> Object,
    ) -> io::Result<Vec<(String, Value, Option<NotTaken>)>> {
        let mut kept = self.kept();
        let Some(call) = kept.calls.get(id) else { return Ok(Vec::new()) };
        let open = outstanding(call);
        let why = |key: &String| {
            if call.answers.iter().any(|given| given.key == *key) {
                Some(NotTaken::AlreadyTaken)
            } else {
                (!open.contains_key(key)).then_some(NotTaken::NotOutstanding)
            }
        };
        let judged: Vec<_> =
            responses.into_iter().map(|(key, response)| (why(&key), key, response)).collect();
        let answers: Vec<Given> = judged
            .iter()
            .filter(|(why, ..)| why.is_none())
            .map(|(_, key, response)| Given { key: key.clone(), response: response.clone(), at: now })
            .collect();
        if !answers.is_empty() {
            kept.record(Event::Taken { id: id.into(), answers })?;
            self.changed.send_replace(());
        }
        Ok(judged.into_iter().map(|(why, key, response)| (key, response, why)).collect())
    }

    pub(crate) fn ask_to_cancel(&self, id: &str, now: i64) -> io::Result<()> {
        self.kept().record(Event::CancelAsked { id: id.into(), at: now })?;
        self.changed.send_replace(());
        Ok(())
    }

    pub(crate) fn forget(&self, id: &str) -> io::Result<bool> {
        let mut kept = self.kept();
        let known = kept.calls.contains_key(id);
        if known {
            kept.record(Event::Forgotten { id: id.into() })?;
            self.changed.send_replace(());
        }
        Ok(known)
    }

    /// Wakes when anything but time changed a call.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("BUG: nothing panics while it holds the calls")
    }
}
