//! The owner's notifications: notices of the engine become OS notifications, and what is pressed becomes wishes to come forward
//! or to put a question off.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use jiff::tz::TimeZone;
use signalbox_engine::wall;
use signalbox_model::{ItemRef, Snooze, Timestamp};
use signalbox_notify::{Activation, AroundNotices, Desktop, DesktopNoticeKind, Launcher, Notifier};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
    time::{Instant, sleep_until},
};

use crate::{ApiError, Code, DeskExt as _, Local, Trouble, command, local::Past};

/// "Snooze" puts a question off for so long, in ms.
const SNOOZE: i64 = 3_600_000;

/// The number at the launcher changes at most this often.
const LAUNCHER_REST: Duration = Duration::from_secs(1);

/// Raises notifications for as long as it is kept.
pub struct Notifications {
    notifier: Notifier<Desktop, Around>,
}

/// What is around the notifications of an owner.
struct Around(Weak<Local>);

impl AroundNotices for Around {
    fn clock(&self) -> (Timestamp, TimeZone) {
        (wall(), TimeZone::system())
    }

    async fn still_matters(&self, item: ItemRef) -> bool {
        match self.0.upgrade() {
            Some(local) => local.still_matters(item).await,
            None => false,
        }
    }
}

impl Notifications {
    /// Starts the notifications of an owner: `activate` is called with what the person clicked at. For a notification that
    /// gathers many that is the last question among them.
    ///
    /// The returned tasks raise them; they end when they are dropped.
    pub fn start(
        local: &Arc<Local>,
        activate: impl Fn(Option<ItemRef>) + Send + Sync + 'static,
    ) -> JoinSet<()> {
        let (notifier, pressed) = Notifier::start(Desktop::default(), Around(Arc::downgrade(local)));
        // Before anything is told: a pause outlives a restart.
        notifier.set_rules(local.settings().borrow().notifications.clone(), *local.paused_until().borrow());
        let notifications = Arc::new(Self { notifier });
        local.set_notifications(Arc::clone(&notifications));
        let mut tasks = JoinSet::new();
        let asked = watch::Sender::new(None);
        let last = asked.subscribe();
        tasks.spawn(Arc::clone(&notifications).tell(Arc::downgrade(local), asked));
        tasks.spawn(press(Arc::downgrade(local), pressed, last, activate));
        tasks.spawn(notifications.follow(local));
        tasks.spawn(local.end_pauses());
        tasks.spawn(count_at_launcher(Arc::downgrade(local)));
        tasks
    }

    /// Tells what the engine notices. `asked` becomes the last question.
    async fn tell(self: Arc<Self>, owner: Weak<Local>, asked: watch::Sender<Option<ItemRef>>) {
        let Some(mut notices) = owner.upgrade().and_then(|local| local.engine().take_notices()) else {
            return;
        };
        while let Some(notice) = notices.recv().await {
            let Some(local) = owner.upgrade() else { return };
            let notice = local.noticed(notice).await;
            drop(local);
            if asked.borrow().is_none() || !matches!(notice.kind, DesktopNoticeKind::Ended { .. }) {
                asked.send_replace(Some(notice.item));
            }
            self.notifier.notice(notice);
        }
    }

    /// Has what the person wants and looks at in force as it changes, and shows what is wrong.
    fn follow(self: Arc<Self>, local: &Arc<Local>) -> impl Future<Output = ()> + Send + use<> {
        let (mut front, mut settings, mut paused) = (local.front(), local.settings(), local.paused_until());
        let (mut trouble, owner) = (self.notifier.trouble(), Arc::downgrade(local));
        async move {
            loop {
                self.notifier.set_front(*front.borrow_and_update());
                let rules = settings.borrow_and_update().notifications.clone();
                let is_wanted = rules.tells_anything();
                self.notifier.set_rules(rules, *paused.borrow_and_update());
                let failed = trouble.borrow_and_update().clone();
                let Some(local) = owner.upgrade() else { return };
                // What nobody wants is no trouble.
                local.set_notification_trouble(failed.filter(|_| is_wanted).map(|error| Trouble {
                    code: Code::NotificationsFailed,
                    message: error.to_string(),
                    detail: error.detail().map(str::to_owned),
                }));
                drop(local);
                tokio::select! {
                    Ok(()) = front.changed() => {}
                    Ok(()) = settings.changed() => {}
                    Ok(()) = trouble.changed() => {}
                    Ok(()) = paused.changed() => {}
                    else => return,
                }
            }
        }
    }

    pub(crate) async fn test(&self) -> Result<command::NotificationTested, ApiError> {
        let tested = self.notifier.test().await;
        let (service, taken) =
            tested.map_err(|error| ApiError::new(Code::NotificationsFailed, error.to_string()))?;
        let version = Some(service.version).filter(|version| !version.is_empty());
        Ok(command::NotificationTested {
            service: service.name,
            version,
            actions: service.actions,
            inhibited: taken.inhibited,
        })
    }

    /// What became of the last notices.
    pub(crate) fn past(&self) -> watch::Receiver<Past> {
        self.notifier.past()
    }
}

/// Does what is pressed. Of several things the last question comes forward.
async fn press(
    owner: Weak<Local>,
    mut pressed: mpsc::Receiver<Activation>,
    last: watch::Receiver<Option<ItemRef>>,
    activate: impl Fn(Option<ItemRef>) + Send + Sync + 'static,
) {
    while let Some(press) = pressed.recv().await {
        match press {
            Activation::Item(item) => activate(Some(item)),
            Activation::Inbox => activate(*last.borrow()),
            Activation::Snooze(request) => {
                let Some(local) = owner.upgrade() else { return };
                let until = Some(Snooze::At { at: wall().plus_ms(SNOOZE) });
                if let Err(error) = local.act(command::Snooze { request, until }).await {
                    // Answered meanwhile, or soon over. Whoever pressed it is to see that.
                    tracing::info!(%error, "a question was not put off from its notification");
                    activate(Some(ItemRef::Request(request)));
                }
            }
        }
    }
}

/// Shows at the launcher how many questions need the person.
async fn count_at_launcher(owner: Weak<Local>) {
    let Some(news) = owner.upgrade().map(|local| local.engine().news()) else { return };
    let (mut seq, mut launcher, mut shown) = (news.seq(), Launcher::default(), None);
    loop {
        let now = *seq.borrow_and_update();
        let Some(local) = owner.upgrade() else { return };
        let count = local.needs_you().await;
        drop(local);
        // What cannot be read is said elsewhere.
        if let Ok(count) = count
            && shown != Some(count)
        {
            launcher.show(count).await;
            shown = Some(count);
        }
        sleep_until(Instant::now() + LAUNCHER_REST).await;
        while !news.since(now).is_none_or(|all| all.iter().any(|touched| touched.counts)) {
            if seq.changed().await.is_err() {
                return;
            }
        }
    }
}
