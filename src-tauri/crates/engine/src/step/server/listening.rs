//! What `step` knows of the one subscription to a server.

use signalbox_model::CallId;

use crate::by_number::Numbers;

/// The subscription to one server: at most one stream that is open, and one that shall take its place.
///
/// Streams are numbered, so that what comes late of an old one is told apart. A number is never used twice in a run.
#[derive(Debug, Default)]
pub(crate) struct Listening {
    /// The number of the last stream that was asked for.
    pub(crate) last: u64,
    /// The one that is asked for, and for whose tasks.
    pub(crate) opening: Option<(u64, Numbers<CallId>)>,
    /// The one that is acknowledged.
    pub(crate) open: Option<Stream>,
    /// In this run the server has said what it is: a subscription is not what connects to it first.
    pub(crate) met: bool,
    /// It pushes nothing; asked again by the next connection, or at `rest_until`.
    pub(crate) refused: bool,
    /// No stream is asked for before this (steady ms).
    pub(crate) rest_until: u64,
    /// Streams that were cut in a row without having lived for long.
    pub(crate) cuts: u32,
    /// The tools have been asked for because they had changed: at this time (steady ms).
    pub(crate) tools_at: Option<u64>,
}

/// A stream that is acknowledged.
#[derive(Debug)]
pub(crate) struct Stream {
    pub(crate) number: u64,
    /// Of whose tasks it was asked to tell.
    pub(crate) asked: Numbers<CallId>,
    /// Of whose tasks it tells.
    pub(crate) granted: Numbers<CallId>,
    /// Since when (steady ms).
    pub(crate) since: u64,
}

impl Listening {
    /// Whether the server tells by itself how this call's task fares.
    pub(crate) fn tells_of(&self, call: CallId) -> bool {
        self.open.as_ref().is_some_and(|stream| stream.granted.contains(&call))
    }

    /// Whether it was asked for this call already, whatever came of it.
    pub(crate) fn asked_for(&self, call: CallId) -> bool {
        let by_opening = self.opening.as_ref().is_some_and(|(_, asked)| asked.contains(&call));
        by_opening || self.open.as_ref().is_some_and(|stream| stream.asked.contains(&call))
    }
}
