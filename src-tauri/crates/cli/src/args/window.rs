//! What `open`, `autostart` and `shortcut` take.

use clap::Args;

use super::switch;

/// Show a task, a question or a place in the window, or where a link leads
///
/// The window is opened, or comes forward. Places are `inbox` and `tasks`. A link does nothing by itself:
/// `signalbox://open/t12` shows that task, `signalbox://open/tasks` the list,
/// `signalbox://add?name=ci&url=https%3A%2F%2F…` or `…?command=…` shows the server that it offers. A link always opens
/// the default data directory, so it cannot go with --home: $SIGNALBOX_HOME where your session sets it, else the
/// platform's own. Code 6: there is no such task or question.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  signalbox open t12
  signalbox open tasks
  signalbox open 'signalbox://open/r7'")]
pub(crate) struct Open {
    /// A short id (t12, or r7 for a question), a place (inbox, tasks), or a link
    #[arg(value_name = "ITEM|PLACE|LINK")]
    pub(crate) item: String,
}

/// Show whether your session starts Signalbox, or have it do so
///
/// It then starts hidden when you log in, and follows your tasks. On Linux a file in your configuration directory says so,
/// `autostart/signalbox.desktop`, on macOS the launch agent `app.signalbox.desktop`, on Windows a value of the registry's key
/// `Run`: for this data directory. If your system's own settings switch it off, it stays off; on macOS that is not seen here.
/// `off` leaves what starts something else, such as one for another data directory; `on` takes its place.
#[derive(Debug, Args)]
pub(crate) struct Autostart {
    /// Default: show how it stands
    #[arg(
        value_name = "STATE",
        value_parser = switch("Your session starts Signalbox, hidden", "Your session does not start Signalbox")
    )]
    pub(crate) on: Option<bool>,
}

/// Show the system-wide shortcut that brings Signalbox forward, and whether it is held; choose one
///
/// A press brings the window forward, or opens it, at the next question that needs you if there is one. On X11, macOS and
/// Windows the window has the key, on X11 `serve --tray` too. On Wayland Signalbox cannot have one: set a key in your
/// desktop's settings to run `signalbox next` or `signalbox focus`.
#[derive(Debug, Args)]
pub(crate) struct Shortcut {
    /// Such as Ctrl+Alt+S, with Super or two of Ctrl, Alt and Shift; or off. Default: show how it stands
    #[arg(value_name = "KEYS|off")]
    pub(crate) keys: Option<String>,
}
