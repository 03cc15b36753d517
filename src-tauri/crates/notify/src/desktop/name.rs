//! The name under which Windows shows what we notify of, and has its switches for that. Programs get one by their package; without
//! one, by the person's part of the registry.

use std::sync::OnceLock;

use windows_registry::{CURRENT_USER, Result};

/// As the window's bundle is called (`tauri.conf.json`).
const ID: &str = "app.signalbox.desktop";
const NAMES: &str = r"Software\Classes\AppUserModelId";

/// The id that has our name. None where the registry does not take it: Windows shows nothing of an id that it does not know.
pub(super) fn id() -> Option<&'static str> {
    static IS_KNOWN: OnceLock<bool> = OnceLock::new();
    let known = || {
        register(&format!(r"{NAMES}\{ID}"))
            .inspect_err(|error| tracing::warn!(%error, "notifications come under another program's name"))
            .is_ok()
    };
    IS_KNOWN.get_or_init(known).then_some(ID)
}

fn register(key: &str) -> Result<()> {
    CURRENT_USER.create(key)?.set_string("DisplayName", "Signalbox")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_given_as_often_as_we_start() {
        let key = format!(r"Software\Signalbox test of names {}", std::process::id());
        for _ in 0..2 {
            register(&key).unwrap();
            assert_eq!(CURRENT_USER.open(&key).unwrap().get_string("DisplayName").unwrap(), "Signalbox");
        }
        CURRENT_USER.remove_tree(key).unwrap();
    }
}
