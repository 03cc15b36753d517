//! The desktop's own notifications.

#[cfg(all(unix, not(target_os = "macos")))]
mod bus;
#[cfg(not(all(unix, not(target_os = "macos"))))]
mod native;

#[cfg(all(unix, not(target_os = "macos")))]
pub use bus::Desktop;
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub use native::Desktop;
use notify_rust::Notification;

use crate::{Toast, text};

/// How many notifications can be activated at the same time; each holds a connection (or a thread).
const KEPT: usize = 16;

/// The action's id. A click on the notification itself is `default`.
const REVIEW: &str = "review";

fn notification(toast: &Toast, markup: bool) -> Notification {
    let mut notification = Notification::new();
    let body = if markup { text::escape(&toast.body) } else { toast.body.clone() };
    notification
        .appname("Signalbox")
        .icon("signalbox-desktop")
        .summary(&toast.title)
        .body(&body)
        .action("default", "Review")
        .action(REVIEW, "Review");
    notification
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In other clients a toast has a button that approves.
    #[test]
    fn a_toast_approves_nothing_it_can_only_be_reviewed() {
        let toast = Toast { title: "Approve?".into(), body: "Yes or no".into(), urgent: true, item: None };
        for markup in [true, false] {
            let shown = notification(&toast, markup);
            assert_eq!(
                shown.actions,
                ["default", "Review", REVIEW, "Review"],
                "each of them leads to the window"
            );
        }
    }
}
