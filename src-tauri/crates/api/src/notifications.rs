//! The owner's notifications: notices of the engine become OS notifications, and what is pressed becomes wishes to come forward
//! or to put a question off.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use jiff::tz::TimeZone;
use signalbox_engine::wall;
use signalbox_model::{ActivationToken, ItemRef, RequestId, Snooze, Timestamp};
use signalbox_notify::{Activation, AroundNotices, Desktop, Launcher, NoticePress, Notifier};
use signalbox_store::News;
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
    time::{Instant, sleep_until},
};

use crate::{ApiError, Code, DeskExt as _, LedPlace, Local, Trouble, command, local::Past};

/// "Snooze" puts a question off for so long, in ms.
const SNOOZE: i64 = 3_600_000;

/// What the store could not do is tried again after so long.
const TRY_AGAIN: Duration = Duration::from_secs(60);

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
    /// Starts the notifications of an owner: `show` is called with what the person clicked at. For a notification that gathers
    /// many that is the last question among them that still waits; where there is none, their list.
    ///
    /// The returned tasks raise them; they end when they are dropped.
    pub fn start(
        local: &Arc<Local>,
        show: impl Fn(command::BringForward) + Send + Sync + 'static,
    ) -> JoinSet<()> {
        let (notifier, pressed) = Notifier::start(Desktop::default(), Around(Arc::downgrade(local)));
        // Before anything is told: a pause outlives a restart.
        notifier.set_rules(local.settings().borrow().notifications.clone(), *local.paused_until().borrow());
        let notifications = Arc::new(Self { notifier });
        local.set_notifications(Arc::clone(&notifications));
        let mut tasks = JoinSet::new();
        tasks.spawn(Arc::clone(&notifications).tell(Arc::downgrade(local)));
        tasks.spawn(Arc::clone(&notifications).remember_untold(Arc::downgrade(local)));
        tasks.spawn(press(Arc::downgrade(local), pressed, show));
        tasks.spawn(notifications.follow(local));
        tasks.spawn(local.end_pauses());
        tasks.spawn(count_at_launcher(Arc::downgrade(local)));
        tasks
    }

    /// Tells what the engine notices.
    async fn tell(self: Arc<Self>, owner: Weak<Local>) {
        let Some(mut notices) = owner.upgrade().and_then(|local| local.engine().take_notices()) else {
            return;
        };
        while let Some(notice) = notices.recv().await {
            let Some(local) = owner.upgrade() else { return };
            let notice = local.noticed(notice).await;
            drop(local);
            self.notifier.notice(notice);
        }
    }

    /// Takes up what the last owner had to tell, and has what this one has to tell outlive it.
    async fn remember_untold(self: Arc<Self>, owner: Weak<Local>) {
        let (mut kept, notices) = loop {
            let Some(local) = owner.upgrade() else { return };
            match local.untold().await {
                Ok(found) => break found,
                Err(error) => tracing::warn!(%error, "which notifications were not shown yet cannot be read"),
            }
            drop(local);
            sleep_until(Instant::now() + TRY_AGAIN).await;
        };
        notices.into_iter().for_each(|notice| self.notifier.take_up(notice));
        let mut untold = self.notifier.untold();
        loop {
            let now = untold.borrow_and_update().clone();
            if now != kept {
                let Some(local) = owner.upgrade() else { return };
                match local.keep_untold(&now).await {
                    Ok(()) => kept.clone_from(&now),
                    Err(error) => {
                        tracing::warn!(%error, "which notifications are not shown yet cannot be kept")
                    }
                }
            }
            tokio::select! {
                changed = untold.changed() => if changed.is_err() {
                    return;
                },
                () = sleep_until(Instant::now() + TRY_AGAIN), if now != kept => {}
            }
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

    /// Says that the window, which the person has just asked for, did not come, and why.
    pub(crate) async fn no_window(&self, why: &str) {
        // That this does not show is kept as trouble.
        let _ = self.notifier.say("Signalbox's window did not come", why).await;
    }

    /// What became of the last notices.
    pub(crate) fn past(&self) -> watch::Receiver<Past> {
        self.notifier.past()
    }
}

/// Does what is pressed.
async fn press(
    owner: Weak<Local>,
    mut pressed: mpsc::Receiver<NoticePress>,
    show: impl Fn(command::BringForward) + Send + Sync + 'static,
) {
    while let Some(NoticePress { activation, token }) = pressed.recv().await {
        match activation {
            Activation::Item(item) => show(at(item, token)),
            Activation::Questions(questions) => {
                let Some(local) = owner.upgrade() else { return };
                show(last_that_waits(&local, questions, token).await);
            }
            Activation::Ends => show(place(LedPlace::Tasks, token)),
            Activation::Snooze(request) => {
                let Some(local) = owner.upgrade() else { return };
                let until = Some(Snooze::At { at: wall().plus_ms(SNOOZE) });
                if let Err(error) = local.act(command::Snooze { request, until }).await {
                    // Answered meanwhile, or soon over. Whoever pressed it is to see that.
                    tracing::info!(%error, "a question was not put off from its notification");
                    show(at(ItemRef::Request(request), token));
                }
            }
        }
    }
}

async fn last_that_waits(
    local: &Local,
    questions: Vec<RequestId>,
    token: Option<ActivationToken>,
) -> command::BringForward {
    for question in questions.into_iter().rev().map(ItemRef::Request) {
        if local.still_matters(question).await {
            return at(question, token);
        }
    }
    place(LedPlace::Inbox, token)
}

fn at(item: ItemRef, token: Option<ActivationToken>) -> command::BringForward {
    command::BringForward { item: Some(item), link: None, token }
}

fn place(place: LedPlace, token: Option<ActivationToken>) -> command::BringForward {
    command::BringForward { item: None, link: Some(place.link()), token }
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
        tokio::select! {
            biased;
            // Started after us, as at a login.
            () = launcher.dock_comes() => shown = None,
            lives = counts_change(&news, &mut seq, now) => if !lives {
                return;
            },
        }
    }
}

/// Waits until a number may be another one than it was then. Whether that can still be.
async fn counts_change(news: &News, seq: &mut watch::Receiver<u64>, then: u64) -> bool {
    while !news.since(then).is_none_or(|all| all.iter().any(|touched| touched.counts)) {
        if seq.changed().await.is_err() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use signalbox_demo::{Demo, Speed};
    use signalbox_model::{Action, CallId, Json};
    use tempfile::TempDir;

    use super::*;
    use crate::{Desk as _, Home, InboxTab, NewTransport, OwnerKind, View, ViewData, open};

    #[tokio::test(flavor = "multi_thread")]
    async fn a_press_leads_to_the_last_question_that_still_waits_or_to_the_list() {
        let dir = TempDir::new().unwrap();
        let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
        let server = demo.serve_http(([127, 0, 0, 1], 0).into()).await.unwrap();
        let opened = open(&Home::at(&dir.path().join("home")).unwrap(), OwnerKind::Serve).await.unwrap();
        let local = opened.local().unwrap();
        let transport = NewTransport::Http { url: server.url(), headers: vec![] };
        local.act(command::AddServer { name: "ci".into(), transport, untrusted: false }).await.unwrap();
        for _ in 0..2 {
            let arguments = Json::parse(r#"{"service":"a","version":"1","region":"eu-west"}"#).unwrap();
            let start =
                command::Start { server: "ci".into(), tool: "deploy".into(), arguments, ttl_ms: None };
            local.act(start).await.unwrap();
        }
        let questions = two_questions(local).await;

        let (press, pressed) = mpsc::channel(1);
        let (show, mut shown) = mpsc::unbounded_channel();
        let listening = tokio::spawn(super::press(Arc::downgrade(local), pressed, move |bring| {
            show.send(bring).unwrap();
        }));
        let token = || ActivationToken::try_from("e3b0c442".to_owned()).ok();
        let parts = |bring: command::BringForward| {
            assert_eq!(bring.token, token(), "the press lets the window come forward");
            (bring.item, bring.link)
        };
        let mut shown_by = async |activation| {
            press.send(NoticePress { activation, token: token() }).await.unwrap();
            parts(shown.recv().await.unwrap())
        };
        let (at, place) = (|item| parts(at(item, token())), |list| parts(place(list, token())));
        let several = || Activation::Questions(questions.clone());
        for last in questions.iter().rev() {
            assert_eq!(
                shown_by(several()).await,
                at(ItemRef::Request(*last)),
                "one that is answered is over"
            );
            let answer = command::Answer {
                request: *last,
                action: Action::Decline,
                content: None,
                hold_ms: 0,
                seen: None,
                remark: None,
                asks: None,
            };
            local.act(answer).await.unwrap();
        }
        assert_eq!(shown_by(several()).await, place(LedPlace::Inbox), "no question waits any more");
        assert_eq!(shown_by(Activation::Ends).await, place(LedPlace::Tasks), "only ends were told");
        let item = ItemRef::Call(CallId(1));
        assert_eq!(shown_by(Activation::Item(item)).await, at(item));
        listening.abort();
        opened.close().await;
    }

    async fn two_questions(local: &Local) -> Vec<RequestId> {
        let (filter, within) = (String::new(), String::new());
        let view = View::Inbox { tab: InboxTab::NeedsYou, filter, within, offset: 0, limit: 2 };
        let mut after = None;
        loop {
            let changes = local.changes(view.clone(), after, Duration::from_secs(20)).await.unwrap();
            after = Some(changes.cursor);
            if let Some(ViewData::Inbox { page }) = changes.data
                && page.ids.len() == 2
            {
                return page.ids;
            }
        }
    }
}
