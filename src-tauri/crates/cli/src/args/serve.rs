//! What `serve` takes.

use clap::Args;

/// Follow everything without a window, until stopped
///
/// It owns the data directory while it runs. If a command owns it, `serve` waits until that command ends. If another `serve` or a
/// window owns it, `serve` ends with code 7, or with code 0 if --unless-owned is given.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Show an icon in the tray: what needs you, what runs, and the way to the window
    ///
    /// The window starts `serve --tray` by itself where the desktop has a tray, so that closing the window stops nothing. Without a
    /// desktop it is `serve`. Only on Linux: elsewhere the window's own program has the icon.
    #[arg(long)]
    pub(crate) tray: bool,
    /// End with code 0 if another `serve` or a window owns the data directory: everything is followed, for as long as that one runs
    #[arg(long)]
    pub(crate) unless_owned: bool,
}
