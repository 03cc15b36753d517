//! Starting with the person's session.

use crate::Autostart;

commands! {
    /// Whether the session starts Signalbox for this data directory.
    ReadAutostart -> Autostart, Again

    /// Has the session start it, hidden, or no longer; a file of the person says so.
    SetAutostart -> Autostart, Again {
        /// Whether it is to be started.
        on: bool,
    }
}
