//! Holds the person's key for an owner that has a face, follows what they choose, and says what became of it.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use signalbox_model::ItemRef;
use tokio::time::{Instant, sleep_until};

use super::{Keyboard, Lost, Shortcut, ShortcutState};
use crate::{Local, next_question};

/// How long until a key is tried again that could not be had: an owner that has just left may still hold it, and whoever has
/// taken it may let it go.
const TRY_AGAIN: Duration = Duration::from_secs(5);

/// Holds the key that the person chose, on this keyboard, for as long as this is polled. `show` is called at each press, with the
/// next question that needs them, where there is one.
pub fn hold_shortcut<F>(
    local: &Arc<Local>,
    keyboard: Arc<dyn Keyboard>,
    show: F,
) -> impl Future<Output = ()> + Send + use<F>
where
    F: Fn(Option<ItemRef>) + Send + Sync + 'static,
{
    let (owner, mut settings) = (Arc::downgrade(local), local.settings());
    async move {
        let _telling = Telling(owner.clone());
        let mut tried = None;
        loop {
            let keys = settings.borrow_and_update().shortcut;
            // Not each time that it is tried again: why it is not held stands.
            if tried.replace(keys) != Some(keys)
                && let Some(local) = owner.upgrade()
            {
                local.tell_shortcut(Some((keys, ShortcutState::Trying)));
            }
            tokio::select! {
                () = hold(&owner, &*keyboard, keys, &show) => {}
                other = settings.wait_for(|settings| settings.shortcut != keys) => {
                    if other.is_err() {
                        return;
                    }
                }
            }
        }
    }
}

/// Nobody holds it any more once this is dropped.
struct Telling(Weak<Local>);

impl Drop for Telling {
    fn drop(&mut self) {
        if let Some(local) = self.0.upgrade() {
            local.tell_shortcut(None);
        }
    }
}

/// Tries once, and holds the key while it can be held. Returns when it is time to try again.
async fn hold(
    owner: &Weak<Local>,
    keyboard: &dyn Keyboard,
    keys: Option<Shortcut>,
    show: &(dyn Fn(Option<ItemRef>) + Send + Sync),
) {
    let tell = |state| {
        if let Some(local) = owner.upgrade() {
            local.tell_shortcut(Some((keys, state)));
        }
    };
    let why_not = match (keyboard.allows(), keys) {
        (Err(why), _) => why,
        (Ok(()), None) => ShortcutState::Off,
        (Ok(()), Some(keys)) => match held(owner, keyboard, keys, show, &tell).await {
            Some(why) => why,
            None => return,
        },
    };
    tell(why_not);
    match why_not {
        // Nothing but another choice changes that.
        ShortcutState::Off | ShortcutState::Wayland | ShortcutState::NotHere => std::future::pending().await,
        _ => sleep_until(Instant::now() + TRY_AGAIN).await,
    }
}

/// Holds a key. Returns why it is not held, or nothing where it may be had again at once.
async fn held(
    owner: &Weak<Local>,
    keyboard: &dyn Keyboard,
    keys: Shortcut,
    show: &(dyn Fn(Option<ItemRef>) + Send + Sync),
    tell: &(dyn Fn(ShortcutState) + Send + Sync),
) -> Option<ShortcutState> {
    let mut grip = match keyboard.take(keys).await {
        Ok(grip) => grip,
        Err(why) => return Some(why),
    };
    tell(ShortcutState::Held);
    loop {
        match grip.pressed().await {
            Ok(()) => {
                let local = owner.upgrade()?;
                // Where that cannot be read, the window says why.
                show(next_question(&*local).await.ok().flatten().map(ItemRef::Request));
            }
            Err(Lost::Moved) => return None,
            Err(error @ Lost::Gone(_)) => {
                tracing::warn!(%error, "what gave us our key is gone");
                return Some(ShortcutState::NoDisplay);
            }
        }
    }
}

#[cfg(test)]
mod tests;
