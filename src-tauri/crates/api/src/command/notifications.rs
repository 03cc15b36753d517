//! Notifications: to have none for a while, and to see whether they work.

use signalbox_model::Timestamp;

use super::NotificationTested;

commands! {
    /// Shows no notifications until then. Questions and ends are in the inbox all the same.
    PauseNotifications -> (), Once {
        /// Until when; none to go on at once.
        until: Option<Timestamp>,
    }

    /// Shows a notification to see whether the service works.
    TestNotification -> NotificationTested, Once
}
