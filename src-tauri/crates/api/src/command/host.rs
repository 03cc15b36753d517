//! What a window tells the owner, and its settings.

use signalbox_model::{ActivationToken, ItemRef, Json};

use crate::Settings;

commands! {
    /// Changes the settings.
    SetSettings -> (), Once {
        /// All of them.
        settings: Settings,
    }

    /// Keeps what a window remembers: how a list stands, which columns it has. The engine follows none of it.
    SetPreference -> (), Once {
        /// Its name: up to 64 small letters, digits, dots and dashes.
        key: String,
        /// Any JSON, up to 64 KiB; `null` forgets it.
        value: Json,
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
        /// A link that it is to follow instead, as it came: it leads to an item, or to a dialog, and does nothing.
        link: Option<String>,
        /// The right to come to the front, where the desktop gave one for it. The page learns nothing of it.
        token: Option<ActivationToken>,
    }
}
