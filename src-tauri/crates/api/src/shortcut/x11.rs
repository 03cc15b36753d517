//! Holds a key on an X11 display, over a connection of its own: the key is let go with it.
//!
//! Nothing runs while nothing is pressed. `global-hotkey`, by which the window has keys on macOS and Windows, here looks twenty
//! times a second, and calls a key held where there is no display.

use std::{io, os::fd::AsFd as _, os::unix::net::UnixStream as Socket, time::Duration};

use tokio::{io::Interest, net::UnixStream, sync::Semaphore, task::spawn_blocking, time::timeout};
use x11rb::{
    connection::Connection as _,
    errors::ReplyError,
    protocol::{
        ErrorKind, Event,
        xproto::{ConnectionExt as _, GrabMode, KeyButMask, Keycode, ModMask},
    },
    rust_connection::RustConnection,
};

use super::{Grip, Keyboard, Lost, Shortcut, ShortcutState, session};
use crate::Boxed;

/// How long the display may take to give us the key.
const PATIENCE: Duration = Duration::from_secs(2);
/// So many threads at a time ask it: where it hangs, no second one waits with the first.
const THREADS: usize = 1;
/// A permit for each of them.
static ASKING: Semaphore = Semaphore::const_new(THREADS);
/// Caps Lock and Num Lock are modifiers to the display, and change nothing about our key.
const LOCKS: [u16; 4] = [0, 1 << 1, 1 << 4, 1 << 1 | 1 << 4];
/// While a key is held down, the display tells again and again that it was let go and pressed, both at one moment. So many ms
/// pass between two presses of a person.
const REPEATS_WITHIN: u32 = 5;

/// The person's display.
#[derive(Debug, Clone, Copy)]
pub struct Display;

impl Keyboard for Display {
    fn allows(&self) -> Result<(), ShortcutState> {
        session::can_hold(|name| std::env::var_os(name))
    }

    fn take(&self, keys: Shortcut) -> Boxed<'_, Result<Box<dyn Grip>, ShortcutState>> {
        Box::pin(async move { take(keys).await.map(|grabbed| Box::new(grabbed) as Box<dyn Grip>) })
    }
}

/// A key that is held. It is let go with the connection.
struct Grabbed {
    display: RustConnection,
    /// The same socket, for whoever waits until something comes; it is read through `display` alone.
    wakes: UnixStream,
    /// When the key was let go last.
    released_at: Option<u32>,
}

/// Takes the key from the display.
///
/// # Errors
/// [`ShortcutState`]: what stands against it.
async fn take(shortcut: Shortcut) -> Result<Grabbed, ShortcutState> {
    let taking = async {
        let alone = ASKING.acquire().await.expect("BUG: nobody closes it");
        let grabbing = spawn_blocking(move || {
            let _alone = alone;
            grab(shortcut)
        });
        grabbing.await.unwrap_or(Err(ShortcutState::NoDisplay))
    };
    let display = timeout(PATIENCE, taking).await.unwrap_or(Err(ShortcutState::NoDisplay))?;
    let wakes = display.stream().as_fd().try_clone_to_owned().map(Socket::from);
    let wakes = wakes.and_then(UnixStream::from_std).map_err(|error| gone(&error))?;
    Ok(Grabbed { display, wakes, released_at: None })
}

impl Grip for Grabbed {
    fn pressed(&mut self) -> Boxed<'_, Result<(), Lost>> {
        Box::pin(self.press())
    }
}

impl Grabbed {
    async fn press(&mut self) -> Result<(), Lost> {
        loop {
            match self.event().await? {
                Event::KeyPress(event) if is_fresh(self.released_at, event.time) => return Ok(()),
                Event::KeyRelease(event) => self.released_at = Some(event.time),
                Event::MappingNotify(_) => return Err(Lost::Moved),
                _ => {}
            }
        }
    }

    async fn event(&self) -> io::Result<Event> {
        let read = || self.display.poll_for_event().map_err(io::Error::other);
        // What came with an answer is here already, and wakes nobody.
        if let Some(event) = read()? {
            return Ok(event);
        }
        let come = || read()?.ok_or_else(|| io::ErrorKind::WouldBlock.into());
        self.wakes.async_io(Interest::READABLE, come).await
    }
}

/// Whether a press at this time is a person's, and no repetition. Both times are the display's, which begin anew after 49 days.
const fn is_fresh(released_at: Option<u32>, pressed_at: u32) -> bool {
    match released_at {
        Some(released_at) => pressed_at.wrapping_sub(released_at) > REPEATS_WITHIN,
        None => true,
    }
}

fn grab(shortcut: Shortcut) -> Result<RustConnection, ShortcutState> {
    let (display, screen) = x11rb::connect(None).map_err(|error| gone(&error))?;
    let root = display.setup().roots.get(screen).map(|screen| screen.root).ok_or(ShortcutState::NoDisplay)?;
    let key = keycode(&display, shortcut.keysym())?.ok_or(ShortcutState::NoSuchKey)?;
    for locks in LOCKS {
        let modifiers = ModMask::from(modifiers(shortcut) | locks);
        let grabbed = display.grab_key(false, root, modifiers, key, GrabMode::ASYNC, GrabMode::ASYNC);
        // Those that we have already are let go with the connection.
        match grabbed.map_err(|error| gone(&error))?.check() {
            Ok(()) => {}
            Err(ReplyError::X11Error(error)) if error.error_kind == ErrorKind::Access => {
                return Err(ShortcutState::Taken);
            }
            Err(error) => return Err(gone(&error)),
        }
    }
    Ok(display)
}

/// Where the key lies; rather without Shift than with it.
fn keycode(display: &RustConnection, keysym: u32) -> Result<Option<Keycode>, ShortcutState> {
    let (first, last) = (display.setup().min_keycode, display.setup().max_keycode);
    let asked = display.get_keyboard_mapping(first, (last - first).saturating_add(1));
    let layout = asked.map_err(|error| gone(&error))?.reply().map_err(|error| gone(&error))?;
    let columns = usize::from(layout.keysyms_per_keycode).max(1);
    let keys = || layout.keysyms.chunks(columns).zip(first..=last);
    let lies = |column| keys().find(|(keysyms, _)| keysyms.get(column) == Some(&keysym));
    Ok((0..columns).find_map(lies).map(|(_, code)| code))
}

fn modifiers(shortcut: Shortcut) -> u16 {
    let of_x11 = [KeyButMask::CONTROL, KeyButMask::MOD1, KeyButMask::SHIFT, KeyButMask::MOD4];
    let held = of_x11.into_iter().zip(shortcut.held()).filter(|(_, held)| *held);
    held.fold(0, |all, (modifier, _)| all | u16::from(modifier))
}

fn gone(error: &dyn std::error::Error) -> ShortcutState {
    // It is tried again and again: what is shown says it.
    tracing::debug!(%error, "the display gives us no key");
    ShortcutState::NoDisplay
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_held_down_is_pressed_once() {
        assert!(is_fresh(None, 7), "the first press");
        assert!(!is_fresh(Some(700), 700), "a repetition");
        assert!(is_fresh(Some(700), 760), "a person's second press, as fast as can be");
        assert!(!is_fresh(Some(u32::MAX), 1), "a repetition while the display's clock begins anew");
    }

    #[test]
    fn modifiers_have_the_bits_of_x11() {
        assert_eq!(modifiers("Ctrl+Alt+S".parse().unwrap()), 0b1100);
        assert_eq!(modifiers("Shift+Super+S".parse().unwrap()), 0b100_0001);
    }
}
