//! Which program opens our links, as the system itself would find it.

use super::Check;

const NAME: &str = "links";
const OURS: &str = "signalbox: links open Signalbox";

fn by_another(other: &str, advice: String) -> Check {
    Check::warning(NAME, format!("signalbox: links are opened by {other}"), advice)
}

/// As the desktop would ask.
#[cfg(not(windows))]
pub(super) async fn check() -> Check {
    use std::path::Path;

    use super::session::said_by;
    use crate::LINK_SCHEME;

    /// As files of `/usr/share/applications` are named.
    const FILE: &str = "signalbox.desktop";

    let asked = ["query", "default", &format!("x-scheme-handler/{LINK_SCHEME}")];
    match said_by(Path::new("xdg-mime"), &asked).await {
        None => Check::ok(NAME, "it is not known which program opens signalbox: links on this system"),
        Some(none) if none.is_empty() => Check::ok(
            NAME,
            "no program is registered for signalbox: links; installing Signalbox from a package registers it",
        ),
        Some(ours) if ours.to_ascii_lowercase().ends_with(FILE) => Check::ok(NAME, OURS),
        Some(other) => by_another(
            &other,
            format!("`xdg-mime default Signalbox.desktop x-scheme-handler/{LINK_SCHEME}` makes it this one"),
        ),
    }
}

/// As the registry has it.
#[cfg(windows)]
#[expect(clippy::unused_async, reason = "elsewhere another program is asked")]
pub(super) async fn check() -> Check {
    use crate::link_key::{LinkKey, LinkProgram};

    let Some(key) = LinkKey::of() else {
        return Check::ok(NAME, "the window's program is not there to open signalbox: links");
    };
    match key.read() {
        LinkProgram::Ours => Check::ok(NAME, OURS),
        LinkProgram::Nobody => Check::ok(
            NAME,
            "no program is registered for signalbox: links; the window's program registers itself when it starts",
        ),
        LinkProgram::Other(line) => by_another(
            &line,
            format!("delete the key {} from the registry, and start Signalbox again", key.place()),
        ),
    }
}
