//! The request log: what went between us and the servers, by call. It is in memory alone, and nothing is written for it.
//!
//! It looks on from the driver: `step` knows nothing of it, and nothing waits for it. Of most tasks it keeps little; a task
//! whose log or page somebody looks at is watched, and more of it is kept from then on.

mod log;
mod states;
#[cfg(test)]
mod tests;

use std::{
    hash::BuildHasher,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use foldhash::fast::RandomState;
use signalbox_mcp as mcp;
use signalbox_model::{Brought, CallId, Exchange, Json, RequestLog, TaskMethod, Timestamp};
use tokio::sync::watch;

use crate::{
    clock::{Clock, Now},
    note::note,
};
use log::Log;

/// What went between us and the servers. Clones share it.
#[derive(Clone)]
pub(crate) struct Exchanges {
    inner: Arc<Inner>,
}

struct Inner {
    clock: Clock,
    since: Timestamp,
    hash: RandomState,
    log: Mutex<Log>,
    /// Counts what came of watched tasks.
    moved: watch::Sender<u64>,
}

impl Exchanges {
    pub(crate) fn new(clock: Clock) -> Self {
        let (since, moved) = (clock.now().wall, watch::Sender::new(0));
        Self {
            inner: Arc::new(Inner {
                clock,
                since,
                hash: RandomState::default(),
                log: Mutex::default(),
                moved,
            }),
        }
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.inner.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request about a call is on its way.
    pub(crate) fn asks(&self, call: CallId, method: TaskMethod) -> Asking {
        Asking { exchanges: self.clone(), call, method, out: self.inner.clock.now() }
    }

    /// A server told the state of a task by itself.
    pub(crate) fn told(&self, call: CallId, state: &Json) {
        self.came(call, TaskMethod::Told, self.inner.clock.now().wall, None, Ok(state));
    }

    /// What is remembered of a call, which is watched from now on.
    pub(crate) fn of(&self, call: CallId) -> RequestLog {
        self.log().of(call, self.inner.since)
    }

    /// From now on more is kept of this call.
    pub(crate) fn watch(&self, call: CallId) {
        self.log().watch(call);
    }

    /// Changes whenever something came of a watched task.
    pub(crate) fn moved(&self) -> watch::Receiver<u64> {
        self.inner.moved.subscribe()
    }

    fn came(
        &self,
        call: CallId,
        method: TaskMethod,
        at: Timestamp,
        took_ms: Option<u32>,
        answer: Result<&Json, &mcp::Error>,
    ) {
        let line = |brought, bytes| Exchange { method, times: 1, first_at: at, at, took_ms, bytes, brought };
        let watched = match answer {
            Ok(json) if matches!(method, TaskMethod::Get | TaskMethod::Told) => {
                let digest = self.inner.hash.hash_one(json.text());
                self.log().state(call, line(Brought::News, size(json)), digest, json)
            }
            Ok(json) => self.log().add(call, line(Brought::News, size(json))),
            Err(error) => {
                let brought = Brought::Error { code: note(error).code, number: number(error) };
                self.log().add(call, line(brought, said(error)))
            }
        };
        if watched {
            self.inner.moved.send_modify(|moved| *moved += 1);
        }
    }
}

/// A request that is on its way.
pub(crate) struct Asking {
    exchanges: Exchanges,
    call: CallId,
    method: TaskMethod,
    out: Now,
}

impl Asking {
    /// It goes out now: what it waited for before was ours.
    pub(super) fn goes_out(&mut self) {
        self.out = self.exchanges.inner.clock.now();
    }

    /// It is over.
    pub(super) fn came(self, answer: Result<&Json, &mcp::Error>) {
        let took = self.exchanges.inner.clock.now().steady_ms.saturating_sub(self.out.steady_ms);
        let took = u32::try_from(took).unwrap_or(u32::MAX);
        self.exchanges.came(self.call, self.method, self.out.wall, Some(took), answer);
    }
}

fn size(json: &Json) -> Option<u32> {
    Some(u32::try_from(json.text().len()).unwrap_or(u32::MAX))
}

/// The bytes of an answer that is an error.
fn said(error: &mcp::Error) -> Option<u32> {
    match error {
        mcp::Error::Rpc { raw, .. }
        | mcp::Error::Protocol { raw: Some(raw), .. }
        | mcp::Error::Garbled { raw: Some(raw), .. } => size(raw),
        _ => None,
    }
}

/// The number that came with an error.
fn number(error: &mcp::Error) -> Option<i32> {
    match error {
        mcp::Error::Rpc { code, .. } => i32::try_from(*code).ok(),
        mcp::Error::SignInNeeded { status, .. } | mcp::Error::Throttled { status, .. } => {
            Some((*status).into())
        }
        mcp::Error::NotMcp { status, .. } => status.map(Into::into),
        _ => None,
    }
}
