//! What a window tells the owner, and its settings.

use signalbox_model::ItemRef;

use crate::Settings;

commands! {
    /// Changes the settings.
    SetSettings -> (), Once {
        /// All of them.
        settings: Settings,
    }

    /// What the window shows in front, so that no notification speaks of it.
    SetFront -> (), Once {
        /// The item; none when the window is hidden, minimised or elsewhere.
        item: Option<ItemRef>,
    }

    /// Brings the window of this data directory to the front, at an item.
    BringForward -> (), Once {
        /// The item to show.
        item: Option<ItemRef>,
    }

    /// Shows a notification to see whether the service works.
    TestNotification -> (), Once
}
