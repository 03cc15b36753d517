//! Safe graphics: the page is drawn by the processor alone. A driver that is broken, or at odds with WebKit for GTK, can end
//! the page's process before it shows anything. The program then starts itself again, once, in a way that needs no driver;
//! `--safe-graphics` does so from the beginning, for a window that stays empty though its page lives.
//!
//! It is not remembered that they were needed: that would outlive its reason, and a start that tries the driver in vain costs
//! a second. Whoever wants to save that has the option.

#[cfg(target_os = "linux")]
mod launch;

use std::env;

use serde::Serialize;

#[cfg(target_os = "linux")]
pub(crate) use self::launch::Launch;

/// Says to the program that it was started again, why, and as which process: it means nothing to others.
/// As long as it is there no page's end starts the program once more.
const MARKER: &str = "SIGNALBOX_SAFE_GRAPHICS";

/// What makes WebKit draw without the driver: it composes nothing by GL and shares no buffers with the card, and Mesa does
/// in software what asks for GL all the same.
#[cfg(target_os = "linux")]
const VARIABLES: [&str; 3] =
    ["WEBKIT_DISABLE_COMPOSITING_MODE", "WEBKIT_DISABLE_DMABUF_RENDERER", "LIBGL_ALWAYS_SOFTWARE"];

/// Why the page is drawn with safe graphics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Why {
    /// The person asked for it.
    Asked,
    /// The page's process ended before it showed anything.
    Failed,
}

/// Why this program draws with safe graphics, if it does.
pub(crate) fn why() -> Option<Why> {
    [Why::Asked, Why::Failed]
        .into_iter()
        .find(|why| env::var(MARKER).is_ok_and(|marker| marker == why.marker()))
}

/// What no program must inherit that this window starts: `serve` opens the next window, and a browser draws by itself. Nothing
/// where the person asked for safe graphics, or where there are none.
#[cfg(target_os = "linux")]
pub(crate) fn not_inherited() -> &'static [&'static str] {
    const ALL: [&str; 4] = [MARKER, VARIABLES[0], VARIABLES[1], VARIABLES[2]];
    if why() == Some(Why::Failed) { &ALL } else { &[] }
}

impl Why {
    /// That of this process, which stays the same one (`exec`).
    fn marker(self) -> String {
        let word = match self {
            Self::Asked => "asked",
            Self::Failed => "failed",
        };
        format!("{word} {}", std::process::id())
    }
}
