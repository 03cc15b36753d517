//! What tells of a key wherever it is pressed: the display on X11, and what the window's program has on macOS and Windows.

use std::io;

use super::{Shortcut, ShortcutState};
use crate::Boxed;

/// Gives us keys, as the system does it.
pub trait Keyboard: Send + Sync {
    /// Whether this session gives a program any key.
    ///
    /// # Errors
    /// [`ShortcutState`]: what stands against it.
    fn allows(&self) -> Result<(), ShortcutState>;

    /// Takes one. Where this is no longer waited for, none is held.
    fn take(&self, keys: Shortcut) -> Boxed<'_, Result<Box<dyn Grip>, ShortcutState>>;
}

/// A key that is held. It is let go when this is dropped.
pub trait Grip: Send {
    /// Resolves once the person presses the key.
    fn pressed(&mut self) -> Boxed<'_, Result<(), Lost>>;
}

/// Why a key is no longer held.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// The keyboard is laid out otherwise now: the key may lie elsewhere.
    #[error("the keyboard was laid out anew")]
    Moved,
    /// What gave it went away.
    #[error(transparent)]
    Gone(#[from] io::Error),
}

/// Of a program that no system gives a key: on macOS and Windows only the window's own program hears of one.
#[derive(Debug, Clone, Copy)]
pub struct Deaf;

impl Keyboard for Deaf {
    fn allows(&self) -> Result<(), ShortcutState> {
        Err(ShortcutState::NotHere)
    }

    fn take(&self, _: Shortcut) -> Boxed<'_, Result<Box<dyn Grip>, ShortcutState>> {
        Box::pin(async { Err(ShortcutState::NotHere) })
    }
}
