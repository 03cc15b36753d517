//! The session that a server of the legacy wire has with us, as far as it can be taken up again.

use std::sync::Arc;

use signalbox_mcp::SavedSession;
use signalbox_model::{Json, Transport, Wire};

use super::Station;

impl Station {
    /// What the last run kept of a session. Where another wire was found since, or nobody knows which, it goes on no more.
    pub(in crate::step) fn load_session(&mut self, saved: Option<(String, Json)>) {
        let saved = saved.filter(|_| self.server.wire == Some(Wire::Legacy));
        self.keep_session(saved.map(|(id, initialized)| SavedSession { id, initialized }));
    }

    /// From now on it goes on with this one.
    pub(in crate::step) fn keep_session(&mut self, saved: Option<SavedSession>) {
        self.saved_session = saved.map(Arc::new);
    }

    pub(in crate::step) fn forget_session(&mut self) {
        self.saved_session = None;
    }

    pub(in crate::step) fn is_session(&self, saved: Option<&SavedSession>) -> bool {
        self.saved_session.as_deref() == saved
    }

    /// Whether it has one that can be taken up again.
    pub(in crate::step) fn has_session(&self) -> bool {
        self.saved_session.is_some()
    }

    /// Its session as the store keeps it: its id, and what it answered to `initialize`.
    pub(in crate::step) fn stored_session(&self) -> Option<(String, Json)> {
        self.saved_session.as_deref().map(|saved| (saved.id.clone(), saved.initialized.clone()))
    }

    /// Whether all that goes to it and comes from it shares one channel.
    pub(in crate::step) fn has_one_channel(&self) -> bool {
        matches!(self.server.transport, Transport::Stdio { .. })
    }
}
