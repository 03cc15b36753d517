//! The calls on record: tasks, and plain calls that ask. And the legacy sessions to be kept. In memory, and in a file if
//! one is given.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;

use crate::journal::NotTaken;
use crate::log::Log;
use crate::script::{Given, Object};
use crate::{DemoError, DemoWire};

/// One call that outlives its request. All times are ms since the epoch.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Call {
    /// The task id; of a plain call, nobody's but ours.
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) origin: Origin,
    pub(crate) tool: String,
    pub(crate) arguments: Object,
    pub(crate) created_at: i64,
    /// How long the task is kept, in ms; none for ever.
    pub(crate) ttl_ms: Option<i64>,
    #[serde(default)]
    pub(crate) answers: Vec<Given>,
    #[serde(default)]
    pub(crate) cancel_asked: Option<i64>,
}

impl Call {
    /// One that ends with its request, and needs no record.
    pub(crate) fn passing(tool: &str, arguments: Object, origin: Origin, now: i64) -> Self {
        Self {
            id: String::new(),
            origin,
            tool: tool.into(),
            arguments,
            created_at: now,
            ttl_ms: None,
            answers: Vec::new(),
            cancel_asked: None,
        }
    }

    fn expired(&self, now: i64) -> bool {
        self.ttl_ms.is_some_and(|ttl| now >= self.created_at.saturating_add(ttl))
    }
}

/// Where a call came from.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Origin {
    #[serde(default)]
    pub(crate) wire: DemoWire,
    /// The legacy session.
    #[serde(default)]
    pub(crate) session: Option<String>,
    /// A plain call is no task: it has no handle.
    #[serde(default)]
    pub(crate) plain: bool,
    /// By which progress is told (legacy; in the modern wire tasks have none).
    #[serde(default)]
    pub(crate) progress_token: Option<Value>,
}

/// A line of the state file. `Header` is its first line and nothing else's.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event {
    Header {
        signalbox_demo_state: u32,
    },
    Opened(Call),
    Taken {
        id: String,
        answers: Vec<Given>,
    },
    CancelAsked {
        id: String,
        at: i64,
    },
    Forgotten {
        id: String,
    },
    /// A legacy session and the params of its `initialize`.
    SessionKept {
        id: String,
        params: Value,
    },
    SessionDropped {
        id: String,
    },
}

/// Every call on record. Each change is on the disk before it counts, hence before anybody is told of it.
#[derive(Debug)]
pub(crate) struct Calls {
    kept: Mutex<Kept>,
    changed: watch::Sender<()>,
    began: watch::Sender<()>,
    /// Keyed from the system's randomness: ids cannot be guessed from one another.
    ids: RandomState,
}

#[derive(Debug, Default)]
struct Kept {
    calls: HashMap<String, Call>,
    sessions: HashMap<String, Value>,
    /// How many ids were given out.
    ids: u64,
    file: Option<Log>,
}

impl Kept {
    fn apply(&mut self, event: Event) {
        match event {
            Event::Header { .. } => {}
            Event::Opened(call) => {
                self.ids += 1;
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
            Event::SessionKept { id, params } => {
                self.ids += 1;
                self.sessions.insert(id, params);
            }
            Event::SessionDropped { id } => {
                self.sessions.remove(&id);
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
        let (changed, began) = (watch::Sender::new(()), watch::Sender::new(()));
        Ok(Self { kept: Mutex::new(kept), changed, began, ids: RandomState::new() })
    }

    /// Put a call on record and return it with its id, which `name` may change.
    pub(crate) fn begin(
        &self,
        tool: &str,
        arguments: Object,
        origin: Origin,
        now: i64,
        ttl_ms: Option<i64>,
        name: impl FnOnce(String) -> String,
    ) -> io::Result<Call> {
        let mut kept = self.kept();
        if kept.ids.is_multiple_of(1024) {
            kept.calls.retain(|_, call| !call.expired(now));
        }
        let id = name(self.id(kept.ids));
        let call = Call { id, ttl_ms, ..Call::passing(tool, arguments, origin, now) };
        kept.record(Event::Opened(call.clone()))?;
        self.began.send_replace(());
        Ok(call)
    }

    /// An id that nobody can guess, for something that is no call.
    pub(crate) fn fresh_id(&self) -> String {
        let mut kept = self.kept();
        let id = self.id(kept.ids);
        kept.ids += 1;
        id
    }

    fn id(&self, nth: u64) -> String {
        let half = |n: u8| self.ids.hash_one((nth, n));
        format!("{:016x}{:016x}", half(0), half(1))
    }

    /// All calls still kept that satisfy `wanted`, oldest first.
    pub(crate) fn all(&self, now: i64, wanted: impl Fn(&Call) -> bool) -> Vec<Call> {
        let kept = self.kept();
        let mut calls: Vec<Call> =
            kept.calls.values().filter(|call| !call.expired(now) && wanted(call)).cloned().collect();
        calls.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        calls
    }

    pub(crate) fn keep_session(&self, id: &str, params: &Value) -> io::Result<()> {
        self.kept().record(Event::SessionKept { id: id.into(), params: params.clone() })
    }

    /// The params by which a kept session began.
    pub(crate) fn kept_session(&self, id: &str) -> Option<Value> {
        self.kept().sessions.get(id).cloned()
    }

    pub(crate) fn kept_sessions(&self) -> Vec<String> {
        self.kept().sessions.keys().cloned().collect()
    }

    pub(crate) fn drop_session(&self, id: &str) -> io::Result<()> {
        let mut kept = self.kept();
        if kept.sessions.contains_key(id) {
            kept.record(Event::SessionDropped { id: id.into() })?;
        }
        Ok(())
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

    /// Wakes when a call was put on record.
    pub(crate) fn beginnings(&self) -> watch::Receiver<()> {
        self.began.subscribe()
    }

    /// Wakes when anything but time changed a call.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("BUG: nothing panics while it holds the calls")
    }
}
