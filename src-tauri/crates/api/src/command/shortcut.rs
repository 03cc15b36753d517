//! The system-wide shortcut that brings Signalbox forward.

use crate::ShortcutView;

commands! {
    /// Which key the person chose, and what became of it.
    ReadShortcut -> ShortcutView, Again

    /// Chooses a key, or none. Answered once whoever holds it has tried.
    SetShortcut -> ShortcutView, Again {
        /// Such as `Ctrl+Alt+S`; none for none.
        #[serde(default)]
        keys: Option<String>,
    }
}
