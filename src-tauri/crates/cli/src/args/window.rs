//! What `open`, `autostart` and `shortcut` take.

use clap::Args;

use super::Switch;

/// Show a task, a question or a place in the window, or where a link leads
///
/// The window is opened, or comes forward. Places are `inbox` and `tasks`. A link does nothing by itself:
/// `signalbox://open/t12` shows that task, `signalbox://open/tasks` the list,
/// `signalbox://add?name=ci&url=https%3A%2F%2F…` or `…?command=…` shows the server that it offers. A link is for the
/// usual data directory alone, so never with --home: that of $SIGNALBOX_HOME where your session sets it, as the window that your desktop
/// starts for a link would use it, else the platform's. Code 6: there is no such task or question.
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
/// It then starts hidden when you log in, and follows your tasks. On Linux that is a file of yours for this data directory,
/// `autostart/signalbox.desktop` among your configuration; what your desktop says of it counts.
#[derive(Debug, Args)]
pub(crate) struct Autostart {
    /// Default: show how it stands
    #[arg(value_enum)]
    pub(crate) state: Option<Switch>,
}

/// Show the system-wide shortcut that brings Signalbox forward, and whether it is held; choose one
///
/// A press brings the window forward, or opens it, at the next question that needs you where one waits. On X11, macOS and
/// Windows the window holds it, on X11 also `serve --tray`. On Wayland Signalbox cannot: there, have a key of your desktop
/// run `signalbox next` or `signalbox focus`.
#[derive(Debug, Args)]
pub(crate) struct Shortcut {
    /// Such as Ctrl+Alt+S, with Super or two of Ctrl, Alt and Shift; or off. Default: show how it stands
    #[arg(value_name = "KEYS|off")]
    pub(crate) keys: Option<String>,
}
