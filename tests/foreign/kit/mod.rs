//! The servers as programs, and what arrived at them.

mod journal;
mod program;

pub(crate) use journal::Journal;
pub(crate) use program::{BOTH, Foreign, Http, Kind, Transport};
