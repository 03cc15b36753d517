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

use crate::{Activation, Toast, text};

/// How many notifications can be activated at the same time; each holds a connection (or a thread).
const KEPT: usize = 16;

/// The action's id. A click on the notification itself is `default`.
const REVIEW: &str = "review";

/// The id of the action that puts a question off.
const SNOOZE: &str = "snooze";

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
    if toast.snooze.is_some() {
        notification.action(SNOOZE, "Snooze 1 hour");
    }
    notification
}

/// What pressing an action means.
fn activation(toast: &Toast, action: &str) -> Option<Activation> {
    match action {
        "default" | REVIEW => Some(toast.press.clone()),
        SNOOZE => toast.snooze.map(Activation::Snooze),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use signalbox_model::{ItemRef, RequestId};

    use super::*;

    /// In other clients a toast has a button that approves.
    #[test]
    fn a_toast_approves_nothing_it_can_only_be_reviewed_or_put_off() {
        let id = RequestId(1);
        let (title, body) = ("Approve?".into(), "Yes or no".into());
        let several = Toast { title, body, press: Activation::Questions(vec![id]), snooze: None };
        let press = Activation::Item(ItemRef::Request(id));
        let one = Toast { press, snooze: Some(id), ..several.clone() };
        for markup in [true, false] {
            let shown = notification(&several, markup);
            assert_eq!(shown.actions, ["default", "Review", REVIEW, "Review"], "each leads to the window");
            let shown = notification(&one, markup);
            assert_eq!(shown.actions[4..], [SNOOZE, "Snooze 1 hour"], "one question alone can be put off");
        }
        assert_eq!(activation(&one, REVIEW), Some(Activation::Item(ItemRef::Request(id))));
        assert_eq!(activation(&one, SNOOZE), Some(Activation::Snooze(id)));
        assert_eq!(activation(&several, "default"), Some(several.press.clone()));
        assert_eq!(activation(&several, SNOOZE), None, "a service may send what it was never given");
        assert_eq!(activation(&one, "accept"), None);
    }
}
