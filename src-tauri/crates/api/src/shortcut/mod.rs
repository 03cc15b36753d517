//! A system-wide shortcut that brings Signalbox forward, at the next question where one waits. The person chooses it; there is
//! none at first.
//!
//! One process holds it: the owner, where it has a face (the window's own process, or `serve --tray` on Linux), on a [`Keyboard`]
//! that it brings. It is a setting, so that it moves with the ownership. What became of it `hold` tells the owner's desk, and every host shows that.

mod hold;
mod keyboard;
mod keys;
#[cfg(target_os = "linux")]
mod session;
#[cfg(target_os = "linux")]
mod x11;

use serde::{Deserialize, Serialize};

pub use hold::hold_shortcut;
pub use keyboard::{Deaf, Grip, Keyboard, Lost};
pub use keys::{BadShortcut, Shortcut};
#[cfg(target_os = "linux")]
pub use x11::Display;

/// What becomes of such a key here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ShortcutState {
    /// None is chosen. One could be held.
    Off,
    /// It was chosen just now: whoever would hold it tries.
    Trying,
    /// It is held: a press is heard.
    Held,
    /// Another program holds it. It is tried again and again.
    Taken,
    /// The keyboard has no such key, as it is laid out now.
    NoSuchKey,
    /// The session is one of Wayland, where Signalbox hears no keys that are not meant for it.
    Wayland,
    /// There is no display, or it does not answer.
    NoDisplay,
    /// The owner is a program that is given no keys on this system.
    NotHere,
    /// Nobody holds it: no owner that has a face runs.
    Nobody,
}
