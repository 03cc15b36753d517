//! The system-wide shortcut that brings Signalbox forward.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::doctor::Check;
use signalbox_api::{Overview, Shortcut, ShortcutState};

/// What to do where no key can be held.
const ELSEWHERE: &str = "have a key of your desktop's own settings run `signalbox next` or `signalbox focus`";

/// What `signalbox shortcut --json` prints: `{"keys": "Ctrl+Alt+S", "state": "held"}`; no keys where none are chosen.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct ShortcutDocument {
    keys: Option<Shortcut>,
    state: ShortcutState,
}

impl ShortcutDocument {
    pub(crate) fn of(overview: &Overview) -> Self {
        Self { keys: overview.settings.shortcut, state: overview.shortcut }
    }
}

/// What `signalbox shortcut` prints.
pub(crate) fn line(view: ShortcutDocument) -> String {
    let keys = view.keys.map_or_else(|| "off".to_owned(), |keys| keys.to_string());
    match (words(view), advice(view)) {
        (words, Some(advice)) => format!("{keys}  {words}: {advice}."),
        (words, None) => format!("{keys}  {words}."),
    }
}

/// What `doctor` finds. A key that was chosen and is not held is only a warning: all else works without it.
pub(crate) fn check(view: ShortcutDocument) -> Check {
    const NAME: &str = "shortcut";
    let words = match view.keys {
        Some(keys) => format!("{keys}: {}", words(view)),
        None => words(view).to_owned(),
    };
    match (view.keys, advice(view)) {
        (Some(_), Some(advice)) if view.state != ShortcutState::Nobody => Check::warning(NAME, words, advice),
        _ => Check::ok(NAME, words),
    }
}

fn words(view: ShortcutDocument) -> &'static str {
    match view.state {
        ShortcutState::Held => "a press anywhere brings Signalbox forward",
        ShortcutState::Trying if view.keys.is_some() => "it is not known yet whether this key can be had",
        ShortcutState::Taken => "another program uses this key",
        ShortcutState::NoSuchKey => "your keyboard layout has no such key",
        ShortcutState::Wayland => "on Wayland Signalbox cannot have a system-wide shortcut",
        ShortcutState::NoDisplay => "there is no X11 display here that could tell of a key",
        ShortcutState::NotHere => {
            "on this system only the window's own program can have a system-wide shortcut, and it does not follow the tasks now"
        }
        ShortcutState::Nobody if view.keys.is_some() => "nothing that could have this key runs now",
        ShortcutState::Off | ShortcutState::Trying | ShortcutState::Nobody => {
            "no system-wide shortcut is chosen"
        }
    }
}

fn advice(view: ShortcutDocument) -> Option<&'static str> {
    match view.state {
        ShortcutState::Off | ShortcutState::Trying | ShortcutState::Held => None,
        ShortcutState::Nobody if view.keys.is_none() => None,
        ShortcutState::Taken => Some("choose another, or have that program let it go"),
        ShortcutState::NoSuchKey => Some("choose another"),
        ShortcutState::Wayland | ShortcutState::NoDisplay | ShortcutState::NotHere => Some(ELSEWHERE),
        ShortcutState::Nobody => {
            Some("the window has it while it follows the tasks, and so has `signalbox serve --tray`")
        }
    }
}
