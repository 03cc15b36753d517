//! The desktop's own notifications.

#[cfg(all(unix, not(target_os = "macos")))]
mod bus;
#[cfg(windows)]
mod name;
#[cfg(not(all(unix, not(target_os = "macos"))))]
mod native;
#[cfg(all(unix, not(target_os = "macos")))]
mod shown;

#[cfg(all(unix, not(target_os = "macos")))]
pub use bus::Desktop;
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub use native::Desktop;
use notify_rust::{Notification, NotificationResponse};

use crate::{Activation, Toast, text};

/// How many notifications can be activated at the same time; each holds a connection (or a thread).
const KEPT: usize = 16;

/// The id of the action that leads to the window, and its button.
const REVIEW: [&str; 2] = ["review", "Review"];

/// The id of the action that puts a question off, and its button.
const SNOOZE: [&str; 2] = ["snooze", "Snooze 1 hour"];

/// The window's entry among the system's programs, which the packages name by the product (`tauri.conf.json`). Under it the
/// desktop lets the person allow and mute what we notify of, and shows the count of questions.
#[cfg(all(unix, not(target_os = "macos")))]
pub(crate) const ENTRY: &str = "Signalbox";

fn notification(toast: &Toast, markup: bool) -> Notification {
    let mut notification = Notification::new();
    let body = if markup { text::escape(&toast.body) } else { toast.body.clone() };
    notification.appname("Signalbox").icon("signalbox-desktop").summary(&toast.title).body(&body);
    if toast.press.is_some() {
        notification.action(REVIEW[0], REVIEW[1]);
    }
    if toast.snooze.is_some() {
        notification.action(SNOOZE[0], SNOOZE[1]);
    }
    #[cfg(windows)]
    if let Some(id) = name::id() {
        notification.app_id(id);
    }
    notification
}

/// What it means that the notification itself is pressed, or one of its buttons: macOS tells what stands on that.
fn activation(toast: &Toast, response: &NotificationResponse) -> Option<Activation> {
    match response {
        NotificationResponse::Default => toast.press.clone(),
        NotificationResponse::Action(action) if REVIEW.contains(&action.as_str()) => toast.press.clone(),
        NotificationResponse::Action(action) if SNOOZE.contains(&action.as_str()) => {
            toast.snooze.map(Activation::Snooze)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use notify_rust::CloseReason;
    use signalbox_model::{ItemRef, RequestId};

    use super::*;

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_desktop_knows_who_notifies_by_the_entry_that_the_packages_install() {
        let packages: serde_json::Value =
            serde_json::from_str(include_str!("../../../../tauri.conf.json")).unwrap();
        assert_eq!(packages["productName"], ENTRY, "they name its file by the product");
        let entry = include_str!("../../../../signalbox.desktop");
        assert!(entry.lines().any(|line| line == "X-GNOME-UsesNotifications=true"), "{entry}");
    }

    /// In other clients a toast has a button that approves.
    #[test]
    fn a_toast_approves_nothing_it_can_only_be_reviewed_or_put_off() {
        let id = RequestId(1);
        let (title, body) = ("Approve?".into(), "Yes or no".into());
        let several = Toast { title, body, press: Some(Activation::Questions(vec![id])), snooze: None };
        let press = Some(Activation::Item(ItemRef::Request(id)));
        let one = Toast { press, snooze: Some(id), ..several.clone() };
        for markup in [true, false] {
            let shown = notification(&several, markup);
            assert_eq!(shown.actions, REVIEW, "it leads to the window");
            let shown = notification(&one, markup);
            assert_eq!(shown.actions[2..], SNOOZE, "one question alone can be put off");
        }
        for (review, snooze) in REVIEW.into_iter().zip(SNOOZE) {
            assert_eq!(activation(&one, &review.into()), Some(Activation::Item(ItemRef::Request(id))));
            assert_eq!(activation(&one, &snooze.into()), Some(Activation::Snooze(id)));
            assert_eq!(
                activation(&several, &snooze.into()),
                None,
                "a service may send what it was never given"
            );
        }
        assert_eq!(activation(&several, &NotificationResponse::Default), several.press);
        let nowhere = Toast { press: None, ..several };
        assert!(notification(&nowhere, true).actions.is_empty(), "what leads nowhere has no button");
        assert_eq!(activation(&nowhere, &NotificationResponse::Default), None);
        for nothing in ["accept".into(), NotificationResponse::Closed(CloseReason::Dismissed)] {
            assert_eq!(activation(&one, &nothing), None);
        }
    }
}
