//! Whether a system-wide shortcut can be held in this session of Linux at all, by what the session says of itself.

use std::ffi::OsString;

use super::ShortcutState;

/// # Errors
/// [`ShortcutState`]: what stands against it.
pub(super) fn can_hold(var: impl Fn(&str) -> Option<OsString>) -> Result<(), ShortcutState> {
    let is_set = |name| var(name).is_some_and(|value| !value.is_empty());
    // There is often an X11 display beside it. It hears only keys that are meant for its own windows: a key would seem held.
    if is_set("WAYLAND_DISPLAY") || var("XDG_SESSION_TYPE").is_some_and(|kind| kind == "wayland") {
        return Err(ShortcutState::Wayland);
    }
    if is_set("DISPLAY") { Ok(()) } else { Err(ShortcutState::NoDisplay) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_session_of_x11_lets_a_program_hold_a_key() {
        use ShortcutState::{NoDisplay, Wayland};
        type Vars = &'static [(&'static str, &'static str)];
        let said: [(Vars, Result<(), ShortcutState>); 7] = [
            (&[("DISPLAY", ":0")], Ok(())),
            (&[("DISPLAY", ":0"), ("XDG_SESSION_TYPE", "x11"), ("WAYLAND_DISPLAY", "")], Ok(())),
            (&[("DISPLAY", ":0"), ("WAYLAND_DISPLAY", "wayland-0")], Err(Wayland)),
            (&[("DISPLAY", ":0"), ("XDG_SESSION_TYPE", "wayland")], Err(Wayland)),
            (&[("WAYLAND_DISPLAY", "wayland-0")], Err(Wayland)),
            (&[("DISPLAY", "")], Err(NoDisplay)),
            (&[("XDG_SESSION_TYPE", "tty")], Err(NoDisplay)),
        ];
        for (vars, expected) in said {
            let var =
                |name: &str| vars.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
            assert_eq!(can_hold(var), expected, "{vars:?}");
        }
    }
}
