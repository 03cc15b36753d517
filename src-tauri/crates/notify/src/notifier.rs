//! The task that shows what was gathered, and remembers what is wrong.

use std::{
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use signalbox_model::ItemRef;
use tokio::{
    sync::{Notify, mpsc, watch},
    task::AbortHandle,
    time::{self, Instant},
};

use crate::{Activation, DesktopNotice, Gather, Next, NotifyError, Toast};

/// How long a notification service may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Shows notifications.
pub trait Backend: Send + Sync + 'static {
    /// Shows one. When the person activates it, `activations` gets [`Toast::activation`].
    fn show(
        &self,
        toast: Toast,
        activations: mpsc::Sender<Activation>,
    ) -> impl Future<Output = Result<(), NotifyError>> + Send;
}

/// Tells a person. Stops when dropped.
pub struct Notifier<B> {
    shared: Arc<Shared<B>>,
    task: AbortHandle,
}

struct Shared<B> {
    backend: B,
    gather: Mutex<Gather>,
    changed: Notify,
    trouble: watch::Sender<Option<NotifyError>>,
    activations: mpsc::Sender<Activation>,
}

impl<B: Backend> Notifier<B> {
    /// Starts on the current runtime. What the person clicks comes out of the receiver.
    pub fn start(backend: B) -> (Self, mpsc::Receiver<Activation>) {
        let (activations, clicks) = mpsc::channel(16);
        let shared = Arc::new(Shared {
            backend,
            gather: Mutex::default(),
            changed: Notify::new(),
            trouble: watch::Sender::new(None),
            activations,
        });
        let task = tokio::spawn(run(Arc::clone(&shared))).abort_handle();
        (Self { shared, task }, clicks)
    }

    /// Tells something, now or together with what else comes.
    pub fn notice(&self, notice: DesktopNotice) {
        self.shared.gather().add(notice);
        self.shared.changed.notify_one();
    }

    /// What the person looks at: nothing is said of it.
    pub fn set_front(&self, item: Option<ItemRef>) {
        self.shared.gather().set_front(item);
    }

    /// Whether anything is shown at all.
    pub fn set_enabled(&self, enabled: bool) {
        self.shared.gather().set_enabled(enabled);
    }

    /// What is wrong with the notification service; none when the last notification showed.
    #[must_use]
    pub fn trouble(&self) -> watch::Receiver<Option<NotifyError>> {
        self.shared.trouble.subscribe()
    }

    /// Shows a notification at once, whatever the settings, to see whether the service works.
    ///
    /// # Errors
    /// When it does not.
    pub async fn test(&self) -> Result<(), NotifyError> {
        let toast = Toast {
            title: "Signalbox can reach you".into(),
            body: "Notifications work.".into(),
            urgent: false,
            item: None,
        };
        self.shared.show(toast).await
    }
}

impl<B> Drop for Notifier<B> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl<B: Backend> Shared<B> {
    fn gather(&self) -> MutexGuard<'_, Gather> {
        self.gather.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn show(&self, toast: Toast) -> Result<(), NotifyError> {
        let show = self.backend.show(toast, self.activations.clone());
        let result = time::timeout(PATIENCE, show).await.unwrap_or(Err(NotifyError::TimedOut));
        let trouble = result.as_ref().err().cloned();
        self.trouble.send_if_modified(|known| {
            let changed = *known != trouble;
            if let (true, Some(error)) = (changed, &trouble) {
                tracing::warn!(%error, "notifications do not show");
            }
            *known = trouble;
            changed
        });
        result
    }
}

async fn run<B: Backend>(shared: Arc<Shared<B>>) {
    loop {
        let next = shared.gather().next(Instant::now());
        match next {
            // The error is kept in `trouble`, where Settings shows it.
            Next::Show(toast) => drop(shared.show(toast).await),
            Next::At(time) => time::sleep_until(time).await,
            Next::Idle => shared.changed.notified().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use signalbox_model::RequestId;

    use super::*;
    use crate::{DesktopNoticeKind, QUIET};

    /// Hands out what is shown, and fails or hangs while told to.
    struct Recorder {
        shown: mpsc::UnboundedSender<Toast>,
        health: watch::Receiver<Health>,
    }

    #[derive(Clone, Copy)]
    enum Health {
        Fine,
        Broken,
        Hangs,
    }

    impl Backend for Recorder {
        async fn show(&self, toast: Toast, clicks: mpsc::Sender<Activation>) -> Result<(), NotifyError> {
            let health = *self.health.borrow();
            match health {
                Health::Fine => {
                    clicks.send(toast.activation()).await.unwrap();
                    self.shown.send(toast).unwrap();
                    Ok(())
                }
                Health::Broken => Err(NotifyError::Failed { why: "no service".into() }),
                Health::Hangs => std::future::pending().await,
            }
        }
    }

    fn start()
    -> (Notifier<Recorder>, mpsc::Receiver<Activation>, mpsc::UnboundedReceiver<Toast>, watch::Sender<Health>)
    {
        let (shown, toasts) = mpsc::unbounded_channel();
        let (health, seen) = watch::channel(Health::Fine);
        let (notifier, clicks) = Notifier::start(Recorder { shown, health: seen });
        (notifier, clicks, toasts, health)
    }

    fn asks(id: u32) -> DesktopNotice {
        let item = ItemRef::Request(RequestId(id));
        DesktopNotice {
            item,
            kind: DesktopNoticeKind::NeedsInput,
            title: format!("q{id}"),
            body: String::new(),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_takes_two_notifications() {
        let (notifier, mut clicks, mut toasts, _health) = start();
        let started = Instant::now();
        notifier.notice(asks(1));
        assert_eq!(toasts.recv().await.unwrap().title, "q1");
        assert_eq!(started.elapsed(), Duration::ZERO, "the first is shown at once");
        for id in 2..7 {
            notifier.notice(asks(id));
        }
        assert_eq!(toasts.recv().await.unwrap().title, "5 questions need you");
        assert_eq!(started.elapsed(), QUIET);
        assert_eq!(clicks.recv().await, Some(Activation::Item(asks(1).item)));
        assert_eq!(clicks.recv().await, Some(Activation::Inbox));
    }

    #[tokio::test(start_paused = true)]
    async fn trouble_is_told_and_goes_away() {
        let (notifier, _clicks, mut toasts, health) = start();
        let mut trouble = notifier.trouble();
        health.send_replace(Health::Broken);
        notifier.notice(asks(1));
        let told = trouble.wait_for(Option::is_some).await.unwrap().clone();
        assert_eq!(told, Some(NotifyError::Failed { why: "no service".into() }));
        health.send_replace(Health::Hangs);
        notifier.notice(asks(2));
        trouble.wait_for(|t| *t == Some(NotifyError::TimedOut)).await.unwrap();
        health.send_replace(Health::Fine);
        notifier.notice(asks(3));
        assert_eq!(toasts.recv().await.unwrap().title, "q3");
        trouble.wait_for(Option::is_none).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_test_shows_even_when_switched_off() {
        let (notifier, _clicks, mut toasts, health) = start();
        notifier.set_enabled(false);
        notifier.test().await.unwrap();
        assert_eq!(toasts.recv().await.unwrap().title, "Signalbox can reach you");
        health.send_replace(Health::Broken);
        notifier.test().await.unwrap_err();
        assert!(notifier.trouble().borrow().is_some(), "a failed test is shown in Settings too");
    }
}
