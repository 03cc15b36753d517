//! Holds a key on macOS and Windows, by `global-hotkey`. Both give keys to the thread of the windows alone, so all is done there.
//!
//! It was type-checked against the library, whose interface is the same everywhere, and not yet tried on either system. On macOS
//! a letter is the key that lies where an American keyboard has it; on Windows it is where the person's keyboard has it. macOS
//! does not say why it refuses a key that exists: it counts as another program's.

use std::{cell::RefCell, io, sync::LazyLock};

use global_hotkey::{
    Error, GlobalHotKeyEvent, GlobalHotKeyManager, HotKeyState,
    hotkey::{Code, HotKey, Modifiers},
};
use signalbox_api::{Boxed, Grip, Keyboard, Lost, Shortcut, ShortcutState};
use tauri::AppHandle;
use tokio::sync::{broadcast, oneshot};

/// The presses of keys that are held, by the key. The library has one place for a listener, and forever.
static PRESSES: LazyLock<broadcast::Sender<u32>> = LazyLock::new(|| {
    // Presses while one is answered are one.
    let presses = broadcast::Sender::new(1);
    let hears = presses.clone();
    GlobalHotKeyEvent::set_event_handler(Some(move |event: GlobalHotKeyEvent| {
        if event.state == HotKeyState::Pressed {
            let _ = hears.send(event.id);
        }
    }));
    presses
});

thread_local! {
    /// The key that is held, in the thread of the windows. There is one at most.
    static HELD: RefCell<Option<Key>> = const { RefCell::new(None) };
}

/// The keyboard of the system, as the window's program hears it.
pub(super) struct Native(AppHandle);

impl Native {
    pub(super) fn of(app: &AppHandle) -> Self {
        Self(app.clone())
    }
}

impl Keyboard for Native {
    fn allows(&self) -> Result<(), ShortcutState> {
        Ok(())
    }

    fn take(&self, keys: Shortcut) -> Boxed<'_, Result<Box<dyn Grip>, ShortcutState>> {
        let (answer, answered) = oneshot::channel();
        let app = self.0.clone();
        let asked = self.0.run_on_main_thread(move || {
            // Where nobody waits for the answer any more, the key is let go with it.
            let _ = answer.send(register(app, keys));
        });
        Box::pin(async move {
            if let Err(error) = asked {
                tracing::warn!(%error, "no key can be held without windows");
            }
            let taken = answered.await.unwrap_or(Err(ShortcutState::NotHere))?;
            Ok(Box::new(taken) as Box<dyn Grip>)
        })
    }
}

/// A key that is held. The thread of the windows lets it go once this is dropped.
struct Taken {
    app: AppHandle,
    id: u32,
    presses: broadcast::Receiver<u32>,
}

impl Grip for Taken {
    fn pressed(&mut self) -> Boxed<'_, Result<(), Lost>> {
        Box::pin(async {
            loop {
                match self.presses.recv().await {
                    Ok(id) if id == self.id => return Ok(()),
                    Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(error @ broadcast::error::RecvError::Closed) => {
                        return Err(io::Error::other(error).into());
                    }
                }
            }
        })
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        // Without that thread the program ends, and its keys with it.
        let id = self.id;
        let _ = self.app.run_on_main_thread(move || {
            // Another one may be held by now.
            drop(HELD.with_borrow_mut(|held| held.take_if(|held| held.key.id() == id)));
        });
    }
}

/// A key as the library holds it, and what gave it.
struct Key {
    gave: GlobalHotKeyManager,
    key: HotKey,
}

impl Drop for Key {
    fn drop(&mut self) {
        if let Err(error) = self.gave.unregister(self.key) {
            tracing::warn!(%error, "a key was not let go");
        }
    }
}

/// Only in the thread of the windows.
fn register(app: AppHandle, keys: Shortcut) -> Result<Taken, ShortcutState> {
    let key = key(keys).ok_or(ShortcutState::NoSuchKey)?;
    let presses = PRESSES.subscribe();
    let gave = GlobalHotKeyManager::new().map_err(|error| why(&error, key))?;
    gave.register(key).map_err(|error| why(&error, key))?;
    HELD.set(Some(Key { gave, key }));
    Ok(Taken { app, id: key.id(), presses })
}

fn key(keys: Shortcut) -> Option<HotKey> {
    let all = [Modifiers::CONTROL, Modifiers::ALT, Modifiers::SHIFT, Modifiers::META];
    let held = all.into_iter().zip(keys.held()).filter(|(_, held)| *held).map(|(modifier, _)| modifier);
    Some(HotKey::new(Some(held.collect()), keys.code().parse().ok()?))
}

fn why(error: &Error, key: HotKey) -> ShortcutState {
    // It is tried again and again: what is shown says it.
    tracing::debug!(%error, "the system gives us no key");
    match error {
        // Keys that no Mac has. Windows knows them all.
        Error::FailedToRegister(_)
            if matches!(key.key, Code::Pause | Code::F21 | Code::F22 | Code::F23 | Code::F24) =>
        {
            ShortcutState::NoSuchKey
        }
        // Windows has one error for every reason but one.
        Error::FailedToRegister(_) | Error::AlreadyRegistered(_) | Error::OsError(_) => ShortcutState::Taken,
        _ => ShortcutState::NotHere,
    }
}
