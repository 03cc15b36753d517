//! The heart: what happens goes into [`State::step`] as an [`Input`], and comes out as writes and effects.
//!
//! ```text
//! Intent, reply, time ─▶ step(now, seed, input) ─▶ { writes, after_commit } ─▶ one transaction ─▶ effects, bus
//! ```
//!
//! `step` is pure and synchronous: it never awaits, reads no clock, invents no ids and no randomness. The driver owns
//! the state, the connections and the clock, and does nothing before its commit.
//!
//! A poll that brings nothing new costs one request, a comparison of bytes and one change in an ordered set. No row is
//! written and nothing is published. What concerns a whole server (an outage, its end, a silence) is kept at the
//! server. Only an outage, its end, a start and a sleep touch all tasks, once each, to spread their polls. What one
//! server gets is bounded by intervals, permits and a pace, and no server waits for another. In memory a followed task takes at
//! most 2.2 KB with all that finds it (`tests/memory`).

mod by_number;
mod clock;
mod driver;
mod effect;
mod granted;
mod input;
mod note;
mod room;
mod schedule;
mod shared;
mod state;
mod step;
mod summary;
mod task_state;

pub use clock::{Now, wall};
pub use driver::{Engine, EngineOptions, Follow, SignInFailed, StartError};
pub use effect::{Effect, Line, Notice, NoticeKind, Output};
pub use granted::{Fate, Granted, Refusal};
pub use input::{Input, Intent, List, PushedNews, Token, Tuning, Undo};
pub use note::{not_trusted, note};
pub use state::State;
pub use step::server::hearing::HEARD_MS;
pub use step::{asks, response_to};
pub use summary::summary;
pub use task_state::TaskState;
