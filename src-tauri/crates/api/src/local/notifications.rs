//! What a person says of notifications: none for a while, and a test.

use std::{
    collections::VecDeque,
    sync::{Arc, PoisonError},
    time::Duration,
};

use signalbox_engine::{Intent, wall};
use signalbox_model::{Json, ServerId, Timestamp};
use signalbox_notify::PastNotice;
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

use super::Local;
use crate::{
    ApiError, Code,
    command::{CarryOut, NotificationTested, PauseNotifications, SetSettings, TestNotification},
    notifications::Notifications,
};

/// The name of the setting that says until when notifications are paused. Not among [`Settings`](crate::Settings): a window
/// that saves those as it knew them must not end a pause.
pub(crate) const PAUSE: &str = "notificationsPausedUntil";

/// What became of the last notices: the newest first.
pub(crate) type Past = VecDeque<PastNotice>;

/// A wall clock may be set, and a steady one stands still while the machine sleeps: who waits for a time of the calendar looks
/// at it this often.
const LOOK_AGAIN: Duration = Duration::from_secs(60);

impl CarryOut<PauseNotifications> for Local {
    async fn carry_out(&self, PauseNotifications { until }: PauseNotifications) -> Result<(), ApiError> {
        if until.is_some_and(|until| until <= wall()) {
            return Err(ApiError::new(
                Code::Usage,
                "Notifications can be paused until a time that is to come",
            ));
        }
        // Who comes second is in force at last, here as in the store.
        let _alone = self.setting.lock().await;
        self.intent(Intent::PutPreference { key: PAUSE.to_owned(), value: Json::of(&until) }).await?;
        self.pause(until);
        Ok(())
    }
}

impl CarryOut<TestNotification> for Local {
    async fn carry_out(&self, _: TestNotification) -> Result<NotificationTested, ApiError> {
        let Some(notifications) = self.notifications() else {
            let message = "Only the window and what runs in the background raise notifications, and neither owns the data directory now";
            return Err(ApiError::new(Code::NeedsOwner, message));
        };
        notifications.test().await
    }
}

impl Local {
    pub(crate) fn set_notifications(&self, notifications: Arc<Notifications>) {
        *self.notifications.lock().unwrap_or_else(PoisonError::into_inner) = Some(notifications);
    }

    fn notifications(&self) -> Option<Arc<Notifications>> {
        self.notifications.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says by a notification that the window, which the person has just asked for, did not come, and why: in words that others may
    /// see.
    pub async fn no_window(&self, why: &str) {
        if let Some(notifications) = self.notifications() {
            notifications.no_window(why).await;
        }
    }

    /// What became of the last notices, as it changes. Where nobody raises notifications that is nothing.
    pub(super) fn past_notices(&self) -> watch::Receiver<Past> {
        self.notifications().map_or_else(|| watch::channel(Past::new()).1, |raised| raised.past())
    }

    /// What is told of a server that was removed needs no rules any more.
    pub(super) async fn forget_rules(&self, server: ServerId) {
        let mut settings = self.settings.borrow().clone();
        let before = settings.notifications.rules.len();
        settings.notifications.rules.retain(|rule| rule.server != server);
        if settings.notifications.rules.len() < before
            && let Err(error) = self.carry_out(SetSettings { settings }).await
        {
            // They are of no effect: no other server gets its number.
            tracing::warn!(%error, "the notification rules of a removed server stay");
        }
    }

    /// No notification is shown until then: as it is kept already.
    pub(crate) fn pause(&self, until: Option<Timestamp>) {
        self.paused_until.send_replace(until);
    }

    /// Until when no notification is shown, as it changes. What has passed may still stand there.
    pub(crate) fn paused_until(&self) -> watch::Receiver<Option<Timestamp>> {
        self.paused_until.subscribe()
    }

    /// Ends each pause at its time, so that whoever looks learns of it. Never ends by itself.
    pub(crate) fn end_pauses(&self) -> impl Future<Output = ()> + Send + use<> {
        end_pauses(self.paused_until.clone())
    }
}

async fn end_pauses(paused: watch::Sender<Option<Timestamp>>) {
    let mut changes = paused.subscribe();
    loop {
        let until = *changes.borrow_and_update();
        let left = until.map(left);
        if left == Some(Duration::ZERO) {
            paused.send_if_modified(|now| *now == until && now.take().is_some());
            continue;
        }
        let look = left.map(|left| Instant::now() + left.min(LOOK_AGAIN));
        tokio::select! {
            // The sender is ours: it does not go.
            _ = changes.changed() => {}
            () = sleep_until(look.unwrap_or_else(Instant::now)), if look.is_some() => {}
        }
    }
}

/// How long until then by the wall clock.
fn left(until: Timestamp) -> Duration {
    Duration::from_millis(u64::try_from(until.ms_since(wall())).unwrap_or(0))
}
