//! The task that tells what was gathered, and remembers what became of it and what is wrong.

use std::{
    collections::VecDeque,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use signalbox_model::{ItemRef, RequestId, Timestamp};
use tokio::{
    sync::{Notify, mpsc, watch},
    task::AbortHandle,
    time::{self, Instant},
};

use crate::{
    Activation, DesktopNotice, Gather, Next, NoticeFate, NoticePress, NotifyError, NotifyRules, Now, Toast,
    text,
};

/// How long a notification service may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// So many notices are remembered with what became of them.
pub(crate) const REMEMBERED: usize = 200;

/// Shows notifications.
pub trait Backend: Send + Sync + 'static {
    /// Shows one. When the person activates it, `presses` gets what they pressed.
    fn show(
        &self,
        toast: Toast,
        presses: mpsc::Sender<NoticePress>,
    ) -> impl Future<Output = Result<Taken, NotifyError>> + Send;

    /// Who shows them.
    fn service(&self) -> impl Future<Output = Result<Service, NotifyError>> + Send;
}

/// The service has taken a notification.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Taken {
    /// It says that it does not show any at the moment: the person does not want to be disturbed.
    pub inhibited: bool,
}

/// A notification service, as it names itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Its name.
    pub name: String,
    /// Its version; empty where it says none.
    pub version: String,
    /// Whether its notifications can be pressed.
    pub actions: bool,
}

/// What is around notifications.
pub trait AroundNotices: Send + Sync + 'static {
    /// The wall clock, and where the person is.
    fn clock(&self) -> (Timestamp, TimeZone);

    /// Whether what was to be told is worth it still: a question that is answered by now is not.
    fn still_matters(&self, item: ItemRef) -> impl Future<Output = bool> + Send;
}

/// A notice with what became of it; or several that were told as one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PastNotice {
    /// When that was.
    pub at: Timestamp,
    /// What it was about: each of those that were told as one. None of those of which only the number is known.
    pub items: Vec<ItemRef>,
    /// Whether several were told as one.
    pub as_one: bool,
    /// One line: who and what; or how many of what.
    pub title: String,
    /// What became of it.
    pub fate: NoticeFate,
}

/// Tells a person. Stops when dropped.
pub struct Notifier<B, W> {
    shared: Arc<Shared<B, W>>,
    task: AbortHandle,
}

struct Shared<B, W> {
    backend: B,
    world: W,
    gather: Mutex<Gather>,
    changed: Notify,
    trouble: watch::Sender<Option<NotifyError>>,
    past: watch::Sender<VecDeque<PastNotice>>,
    untold: watch::Sender<Vec<RequestId>>,
    presses: mpsc::Sender<NoticePress>,
}

impl<B: Backend, W: AroundNotices> Notifier<B, W> {
    /// Starts on the current runtime. What the person presses comes out of the receiver.
    pub fn start(backend: B, world: W) -> (Self, mpsc::Receiver<NoticePress>) {
        let (presses, pressed) = mpsc::channel(16);
        let shared = Arc::new(Shared {
            backend,
            world,
            gather: Mutex::default(),
            changed: Notify::new(),
            trouble: watch::Sender::new(None),
            past: watch::Sender::default(),
            untold: watch::Sender::default(),
            presses,
        });
        let task = tokio::spawn(run(Arc::clone(&shared))).abort_handle();
        (Self { shared, task }, pressed)
    }

    /// Tells something: soon, together with what else comes, later or not at all.
    pub fn notice(&self, notice: DesktopNotice) {
        let now = self.shared.now();
        self.shared.with_gather(|gather| gather.add(notice, &now));
    }

    /// Tells what another owner of the data directory [had to tell](Self::untold): now, or later.
    pub fn take_up(&self, notice: DesktopNotice) {
        let now = self.shared.now();
        self.shared.with_gather(|gather| gather.take_up(notice, &now));
    }

    /// What the person looks at: nothing is said of it.
    pub fn set_front(&self, item: Option<ItemRef>) {
        self.shared.with_gather(|gather| gather.set_front(item));
    }

    /// What the person wants to be told, and until when nothing is.
    pub fn set_rules(&self, rules: NotifyRules, paused_until: Option<Timestamp>) {
        self.shared.with_gather(|gather| gather.set_rules(rules, paused_until));
    }

    /// What is wrong with the notification service; none when the last notification showed.
    #[must_use]
    pub fn trouble(&self) -> watch::Receiver<Option<NotifyError>> {
        self.shared.trouble.subscribe()
    }

    /// What became of the last notices: the newest first.
    #[must_use]
    pub fn past(&self) -> watch::Receiver<VecDeque<PastNotice>> {
        self.shared.past.subscribe()
    }

    /// The questions that are to be told and are not yet: some wait for moments, others for a pause or quiet hours to end.
    #[must_use]
    pub fn untold(&self) -> watch::Receiver<Vec<RequestId>> {
        self.shared.untold.subscribe()
    }

    /// Says something of our own at once, whatever is wanted: it answers what the person has just done. It leads nowhere.
    ///
    /// # Errors
    /// When it does not show.
    pub async fn say(&self, title: &str, body: &str) -> Result<Taken, NotifyError> {
        self.say_with(title, body, None).await
    }

    async fn say_with(
        &self,
        title: &str,
        body: &str,
        press: Option<Activation>,
    ) -> Result<Taken, NotifyError> {
        let (title, body) = (text::line(title), text::lines(body));
        self.shared.show(Toast { title, body, press, snooze: None }).await
    }

    /// Shows a notification at once, whatever is wanted, to see whether the service works, and which it is.
    ///
    /// # Errors
    /// When it does not.
    pub async fn test(&self) -> Result<(Service, Taken), NotifyError> {
        let inbox = Some(Activation::Questions(Vec::new()));
        let taken = self.say_with("Signalbox can reach you", "Notifications work.", inbox).await?;
        let service = time::timeout(PATIENCE, self.shared.backend.service()).await;
        Ok((service.unwrap_or(Err(NotifyError::TimedOut))?, taken))
    }
}

impl<B, W> Drop for Notifier<B, W> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl<B: Backend, W: AroundNotices> Shared<B, W> {
    fn now(&self) -> Now {
        let (wall, zone) = self.world.clock();
        Now { wall, zone, steady: Instant::now() }
    }

    fn gather(&self) -> MutexGuard<'_, Gather> {
        self.gather.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with what waits, and has it looked at anew.
    fn with_gather(&self, act: impl FnOnce(&mut Gather)) {
        self.with_gather_alone(act);
        self.changed.notify_one();
    }

    /// Does something with what waits. Remembers what is to be told, and what became of the rest.
    fn with_gather_alone<T>(&self, act: impl FnOnce(&mut Gather) -> T) -> T {
        let mut gather = self.gather();
        let done = act(&mut gather);
        let (fates, untold) = (gather.take_fates(), gather.untold());
        drop(gather);
        self.untold.send_if_modified(|known| {
            let changed = *known != untold;
            *known = untold;
            changed
        });
        self.remember_each(fates);
        done
    }

    fn remember_each(&self, fates: Vec<(DesktopNotice, NoticeFate)>) {
        for (notice, fate) in fates {
            self.remember(vec![notice.item], false, text::line(&notice.title), fate);
        }
    }

    fn remember(&self, items: Vec<ItemRef>, as_one: bool, title: String, fate: NoticeFate) {
        let past = PastNotice { at: self.world.clock().0, items, as_one, title, fate };
        self.past.send_modify(|all| {
            all.push_front(past);
            all.truncate(REMEMBERED);
        });
    }

    async fn show(&self, toast: Toast) -> Result<Taken, NotifyError> {
        let show = self.backend.show(toast, self.presses.clone());
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

    /// Shows those that still matter as one.
    async fn tell(&self, more: crate::toast::More, notices: Vec<DesktopNotice>) {
        let mut told = Vec::with_capacity(notices.len());
        for notice in notices {
            if self.world.still_matters(notice.item).await {
                told.push(notice);
            } else {
                self.remember_each(vec![(notice, NoticeFate::Settled)]);
            }
        }
        let contents = self.gather().contents();
        let Some(toast) = Toast::of(&told, &more, contents) else { return };
        let (title, as_one) = (toast.title.clone(), toast.is_several());
        self.gather().shown(Instant::now());
        // The error is kept in `trouble`, where Settings shows it.
        let fate = match self.show(toast).await {
            Ok(Taken { inhibited: false }) => NoticeFate::Shown,
            Ok(Taken { inhibited: true }) => NoticeFate::Inhibited,
            Err(_) => NoticeFate::Failed,
        };
        // What was one for the person is one here.
        self.remember(told.iter().map(|notice| notice.item).collect(), as_one, title, fate);
    }
}

async fn run<B: Backend, W: AroundNotices>(shared: Arc<Shared<B, W>>) {
    loop {
        let now = shared.now();
        let next = shared.with_gather_alone(|gather| gather.next(&now));
        let at = match next {
            Next::Tell(more, notices) => {
                shared.tell(more, notices).await;
                shared.with_gather_alone(Gather::told);
                continue;
            }
            Next::At(at) => Some(at),
            Next::Idle => None,
        };
        tokio::select! {
            () = shared.changed.notified() => {}
            () = time::sleep_until(at.unwrap_or(now.steady)), if at.is_some() => {}
        }
    }
}

#[cfg(test)]
mod tests;
