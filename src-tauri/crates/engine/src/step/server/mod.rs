//! A server and the way to it: its record, whether it can be reached, who may ask it something now, how fast, and what it tells
//! by itself. This room knows no call and no question: calls are numbers to it.

mod gate;
mod hear;
pub(crate) mod hearing;
mod listen;
mod listening;
mod pace;
mod polls;
mod record;
mod session;
mod tools;

use std::{collections::BTreeSet, sync::Arc};

use signalbox_mcp::{Error, SavedSession, Tool};
use signalbox_model::{Access, CallId, Server, ServerId, Transport};

#[cfg(test)]
pub(crate) use self::tools::Tools as KnownTools;
use self::{hearing::Hearing, listening::Listening, pace::Pace, tools::Tools};
pub(super) use self::{listen::MOST_TASKS, record::await_trust};
use super::Turn;
use crate::{
    Line, Now, Token, Tuning,
    by_number::{ByNumber, Numbers},
    schedule::Schedule,
    shared::Errand,
};

/// Every server that we know, by its id.
#[derive(Debug, Default)]
pub(crate) struct Servers {
    pub(crate) all: ByNumber<ServerId, Station>,
}

/// A server with what goes on between it and us.
#[derive(Debug)]
pub(crate) struct Station {
    pub(crate) server: Server,
    pub(crate) transport: Arc<Transport>,
    pub(crate) access: Arc<Access>,
    /// The session that it had with us on the legacy wire at this address, to go on with. None where there is none, or it
    /// cannot be taken up again.
    saved_session: Option<Arc<SavedSession>>,
    /// The tools as last listed: equal bytes cause no write. None before they were.
    pub(crate) tools: Option<Tools>,
    pub(crate) reach: Reach,
    pub(crate) polls: Polls,
    pub(crate) errands: Errands,
    /// What has been made of when it last answered.
    pub(crate) hearing: Hearing,
    /// What it tells by itself.
    pub(crate) listening: Listening,
    /// How many of its questions are not taken now, since there is no room for them.
    left: u32,
    /// Who waits for a check.
    pub(crate) waiters: Vec<Token>,
}

/// Whether it can be reached.
#[derive(Debug)]
pub(crate) struct Reach {
    pub(crate) gate: Gate,
    /// The server asked for silence until then (steady ms).
    pub(crate) quiet_until: u64,
    /// Requests that were lost or timed out in a row.
    pub(crate) flaky: u32,
    /// How long its last answer to `server/discover` took, and how far its clock was ahead, both in ms.
    pub(crate) measured: (u32, Option<i64>),
    /// When it last said what it is (steady ms).
    pub(crate) vouched_at: Option<u64>,
    /// A probe is under way.
    pub(crate) probing: bool,
}

/// Polls of its tasks.
#[derive(Debug, Default)]
pub(crate) struct Polls {
    /// The calls whose task is being polled, each with what that poll is expected to cost ([`Pace::begin`]). Each takes one
    /// permit, and there are never more than [`Station::PERMITS`]. A permit comes back with the reply and in no other way, also
    /// when its call is over by then.
    pub(crate) under_way: ByNumber<CallId, u64>,
    /// Calls whose poll is due and waits for its turn: in the order in which they came, but before all others those
    /// whose TTL is about to pass.
    pub(crate) queue: Schedule<CallId>,
    /// How many of them begin in a second.
    pub(crate) pace: Pace,
}

/// What people want told to it.
#[derive(Debug, Default)]
pub(crate) struct Errands {
    /// One permit each, never more than [`Station::PERMITS`], so that a silence which the server asks for holds all the rest
    /// back. A permit comes back like that of a poll.
    pub(crate) under_way: Numbers<(CallId, Errand)>,
    /// Calls with something that could not go when it should have: it goes as soon as the server may be told.
    held_back: BTreeSet<CallId>,
}

/// Whether requests may go out to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Gate {
    /// Requests may go out.
    Open,
    /// It cannot be reached: one probe at a time, with backoff, whatever the number of its tasks.
    Down { failures: u32, since: signalbox_model::Timestamp },
    /// Not before a person has acted: disabled, removed or not confirmed, or what the server answered when it was asked
    /// (legacy, sign-in) or what the way to it did (a keychain that does not open).
    Shut {
        /// What a request came to that shut it; none where a person did, or has not acted yet.
        by: Option<Box<Error>>,
    },
}

impl Gate {
    /// Before anything is known of reaching the server.
    pub(crate) fn first(server: &Server) -> Self {
        let may_open = server.enabled && server.removed_at.is_none() && !server.awaits_trust();
        if may_open { Self::Open } else { Self::Shut { by: None } }
    }
}

impl Station {
    /// Polls of one server at the same time; and errands of people to it.
    pub(crate) const PERMITS: usize = 8;

    pub(crate) fn new(server: Server) -> Self {
        Self {
            transport: Arc::new(server.transport.clone()),
            access: Arc::new(server.access.clone()),
            saved_session: None,
            tools: None,
            reach: Reach {
                gate: Gate::first(&server),
                quiet_until: 0,
                flaky: 0,
                measured: (0, None),
                vouched_at: None,
                probing: false,
            },
            polls: Polls::default(),
            errands: Errands::default(),
            hearing: Hearing { kept: server.heard_at, ..Hearing::default() },
            listening: Listening::default(),
            left: 0,
            waiters: Vec::new(),
            server,
        }
    }

    pub(crate) fn id(&self) -> ServerId {
        self.server.id
    }

    /// Whether requests may go out to it, but for a silence that it asked for.
    pub(crate) fn is_open(&self) -> bool {
        self.reach.gate == Gate::Open
    }

    /// Whether it asked for silence.
    pub(crate) fn is_quiet(&self, now: Now) -> bool {
        self.reach.quiet_until > now.steady_ms
    }

    /// Whether a request may go out to it now.
    pub(crate) fn may_be_asked(&self, now: Now) -> bool {
        self.is_open() && !self.is_quiet(now)
    }

    /// Whether an errand may go out to it now.
    pub(crate) fn may_be_told(&self, now: Now) -> bool {
        self.may_be_asked(now) && self.errands.under_way.len() < Self::PERMITS
    }

    pub(crate) fn line(&self, tuning: &Tuning) -> Line {
        Line {
            server: self.server.id,
            transport: Arc::clone(&self.transport),
            access: Arc::clone(&self.access),
            wire: self.server.wire,
            session: self.saved_session.clone(),
            message_limit: tuning.message_limit,
        }
    }

    /// A permit for an errand, and the way that it goes; without one it waits.
    pub(super) fn send(&mut self, turn: &Turn<'_>, call: CallId, errand: Errand) -> Option<Line> {
        if !self.may_be_told(turn.now) {
            self.hold_back(call);
            return None;
        }
        self.errands.under_way.insert((call, errand));
        Some(self.line(turn.tuning))
    }

    /// Something to be told of a call cannot go now.
    pub(super) fn hold_back(&mut self, call: CallId) {
        self.errands.held_back.insert(call);
    }

    /// The next call of which something was held back, once it may go.
    pub(super) fn next_held_back(&mut self, now: Now) -> Option<CallId> {
        if self.may_be_told(now) { self.errands.held_back.pop_first() } else { None }
    }

    /// An errand is over, and its permit is back; false when it was none of ours.
    pub(super) fn sent(&mut self, call: CallId, errand: Errand) -> bool {
        self.errands.under_way.remove(&(call, errand))
    }

    /// Forgets what was to be told or asked of a call. A poll that is under way keeps its permit until the reply.
    pub(super) fn forget(&mut self, call: CallId) {
        self.polls.queue.clear(call);
        self.errands.held_back.remove(&call);
    }

    /// So many more of its questions are not taken now (fewer, where negative). Says how many that are in all.
    pub(super) fn count_left(&mut self, more: i64) -> u32 {
        let left = i64::from(self.left).saturating_add(more).max(0);
        self.left = u32::try_from(left).unwrap_or(u32::MAX);
        self.left
    }

    /// The tool of this name, if it is known.
    pub(super) fn tool(&self, name: &str) -> Option<Tool> {
        self.tools.as_ref()?.named(name)
    }
}

#[cfg(test)]
impl Station {
    pub(super) fn left(&self) -> u32 {
        self.left
    }

    pub(super) fn holds_back(&self, call: CallId) -> bool {
        self.errands.held_back.contains(&call)
    }

    pub(super) fn has_no_errands(&self) -> bool {
        self.errands.held_back.is_empty() && self.errands.under_way.is_empty()
    }
}

impl Servers {
    pub(crate) fn get(&self, id: ServerId) -> Option<&Station> {
        self.all.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: ServerId) -> Option<&mut Station> {
        self.all.get_mut(&id)
    }

    /// All of them, in the order of their numbers: the order of a map is not part of what step was given.
    pub(crate) fn ids(&self) -> Vec<ServerId> {
        let mut ids: Vec<ServerId> = self.all.keys().copied().collect();
        ids.sort_unstable();
        ids
    }
}
