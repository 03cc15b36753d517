//! Through `org.freedesktop.Notifications` on the session bus.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use notify_rust::NotificationResponse;
use tokio::{sync::mpsc, task::AbortHandle};
use zbus::{Connection, Proxy};

use super::{KEPT, REVIEW, activation, notification, shown::Shown};
use crate::{Backend, NoticePress, NotifyError, Service, Taken, Toast, notifier::PATIENCE};

/// The service, by its names on the bus.
pub(super) const NAME: &str = "org.freedesktop.Notifications";
pub(super) const PATH: &str = "/org/freedesktop/Notifications";

/// The session bus's notification service.
#[derive(Default)]
pub struct Desktop {
    /// Tasks that wait for a click. Some services take a notification back when its connection goes away, so that the
    /// task keeps that; beyond [`KEPT`] the oldest is given up.
    waiting: Mutex<VecDeque<AbortHandle>>,
}

impl Desktop {
    /// What the service says of itself, as a sentence. Nothing is shown.
    ///
    /// # Errors
    /// When there is none, or it does not answer within 10 s; a session bus that hangs takes as long once more.
    pub async fn probe() -> Result<String, NotifyError> {
        Ok(format!("{} answers", named().await?.0))
    }
}

/// Its name and its version.
async fn named() -> Result<(String, String), NotifyError> {
    asked(|| notify_rust::get_server_information().map(|service| (service.name, service.version))).await
}

/// Asks the service something, whose client blocks.
async fn asked<T: Send + 'static>(
    ask: impl FnOnce() -> notify_rust::error::Result<T> + Send + 'static,
) -> Result<T, NotifyError> {
    match tokio::time::timeout(PATIENCE, tokio::task::spawn_blocking(ask)).await {
        Ok(Ok(Ok(answer))) => Ok(answer),
        Ok(Ok(Err(error))) => Err(failed(error.to_string()).await),
        Ok(Err(error)) => Err(NotifyError::Failed { why: error.to_string() }),
        Err(_) => Err(NotifyError::TimedOut),
    }
}

/// Whether the service says that it shows nothing at the moment. Not many say it; one that does not is taken to show all.
async fn is_inhibited(bus: &Connection) -> bool {
    let asked = async { Proxy::new(bus, NAME, PATH, NAME).await?.get_property("Inhibited").await };
    let answer: Result<zbus::Result<bool>, _> = tokio::time::timeout(PATIENCE, asked).await;
    answer.is_ok_and(|answer| answer.unwrap_or(false))
}

async fn failed(why: String) -> NotifyError {
    // That nobody owns the service's name is said by the bus in a word of its protocol.
    if why.contains("org.freedesktop.DBus.Error.ServiceUnknown") {
        return NotifyError::NoService { why };
    }
    match tokio::time::timeout(PATIENCE, Connection::session()).await {
        Ok(Ok(_)) => NotifyError::Failed { why },
        Ok(Err(_)) => NotifyError::NoBus { why },
        Err(_) => NotifyError::TimedOut,
    }
}

impl Backend for Desktop {
    async fn show(&self, toast: Toast, presses: mpsc::Sender<NoticePress>) -> Result<Taken, NotifyError> {
        let mut notification = notification(&toast, true);
        if toast.press.is_some() {
            // A press on the notification itself.
            notification.action("default", REVIEW[1]);
        }
        let shown = match Shown::new(&notification).await {
            Ok(shown) => shown,
            Err(error) => return Err(failed(error.to_string()).await),
        };
        let bus = shown.bus().clone();
        let task = tokio::spawn(wait(shown, toast, presses)).abort_handle();
        keep(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner), task);
        Ok(Taken { inhibited: is_inhibited(&bus).await })
    }

    async fn service(&self) -> Result<Service, NotifyError> {
        let (name, version) = named().await?;
        let actions = asked(notify_rust::get_capabilities).await?.iter().any(|able| able == "actions");
        Ok(Service { name, version, actions })
    }
}

/// One more that waits for a click. Of too many the oldest is given up.
fn keep(waiting: &mut VecDeque<AbortHandle>, task: AbortHandle) {
    waiting.retain(|task| !task.is_finished());
    if waiting.len() == KEPT
        && let Some(oldest) = waiting.pop_front()
    {
        oldest.abort();
    }
    waiting.push_back(task);
}

impl Drop for Desktop {
    fn drop(&mut self) {
        let waiting = self.waiting.get_mut().unwrap_or_else(PoisonError::into_inner);
        for task in waiting.drain(..) {
            task.abort();
        }
    }
}

async fn wait(mut shown: Shown, toast: Toast, presses: mpsc::Sender<NoticePress>) {
    let Some((action, token)) = shown.pressed().await else { return };
    if let Some(activation) = activation(&toast, &response(action)) {
        // A host that does not listen any more is going away.
        let _ = presses.send(NoticePress { activation, token }).await;
        // Not every service takes a notification away once its action was used.
        shown.close().await;
    }
}

/// As notify-rust says it, which knows other systems, too.
fn response(action: String) -> NotificationResponse {
    if action == "default" { NotificationResponse::Default } else { NotificationResponse::Action(action) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn of_very_many_that_wait_for_a_click_the_oldest_is_given_up() {
        let mut waiting = VecDeque::new();
        let mut tasks = Vec::new();
        for _ in 0..17 {
            let task = tokio::spawn(std::future::pending::<()>());
            keep(&mut waiting, task.abort_handle());
            tasks.push(task);
        }
        assert_eq!(waiting.len(), 16);
        assert!(tasks.remove(0).await.unwrap_err().is_cancelled());
        assert!(tasks.iter().all(|task| !task.is_finished()), "the others wait on");
        tasks[3].abort();
        while !tasks[3].is_finished() {
            tokio::task::yield_now().await;
        }
        keep(&mut waiting, tokio::spawn(std::future::pending::<()>()).abort_handle());
        assert_eq!(waiting.len(), 16, "one that is over has made room");
        tokio::task::yield_now().await;
        assert!(!tasks[0].is_finished());
    }
}
