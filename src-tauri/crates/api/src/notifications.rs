//! The owner's notifications: notices of the engine become OS notifications, clicks become wishes to come forward.

use std::sync::Arc;

use signalbox_engine as engine;
use signalbox_model::{ItemRef, Outcome};
use signalbox_notify::{Activation, Desktop, DesktopNotice, DesktopNoticeKind, Notifier};
use tokio::{sync::watch, task::JoinSet};

use crate::{ApiError, Code, Local, Trouble, words};

/// Raises notifications for as long as it is kept.
pub struct Notifications {
    notifier: Notifier<Desktop>,
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
        let (notifier, mut clicks) = Notifier::start(Desktop::default());
        let notifications = Arc::new(Self { notifier });
        local.set_notifications(Arc::clone(&notifications));
        let mut tasks = JoinSet::new();
        let (asked, last) = watch::channel(None);
        if let Some(mut notices) = local.engine().take_notices() {
            let notifications = Arc::clone(&notifications);
            let owner = Arc::downgrade(local);
            tasks.spawn(async move {
                while let Some(notice) = notices.recv().await {
                    let Some(local) = owner.upgrade() else { return };
                    let notice = local.worded(notice).await;
                    drop(local);
                    if asked.borrow().is_none() || !matches!(notice.kind, engine::NoticeKind::Ended(_)) {
                        asked.send_replace(Some(notice.item));
                    }
                    notifications.notifier.notice(toast(notice));
                }
            });
        }
        tasks.spawn(async move {
            while let Some(click) = clicks.recv().await {
                activate(match click {
                    Activation::Item(item) => Some(item),
                    Activation::Inbox => *last.borrow(),
                });
            }
        });
        tasks.spawn(local.end_pauses());
        let (mut front, mut settings, mut paused) = (local.front(), local.settings(), local.paused_until());
        let (mut trouble, owner) = (notifications.notifier.trouble(), Arc::downgrade(local));
        tasks.spawn(async move {
            loop {
                notifications.notifier.set_front(*front.borrow_and_update());
                let is_paused = paused.borrow_and_update().is_some();
                notifications.notifier.set_enabled(settings.borrow_and_update().notifications && !is_paused);
                let failed = trouble.borrow_and_update().clone();
                let Some(local) = owner.upgrade() else { return };
                // What nobody wants is no trouble.
                let failed = failed.filter(|_| settings.borrow().notifications);
                local.set_notification_trouble(failed.map(|error| Trouble {
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
        });
        tasks
    }

    pub(crate) async fn test(&self) -> Result<(), ApiError> {
        self.notifier
            .test()
            .await
            .map_err(|error| ApiError::new(Code::NotificationsFailed, error.to_string()))
    }
}

/// Who asks comes first and is the person's own name for the server: the rest is the server's text.
fn toast(notice: engine::Notice) -> DesktopNotice {
    let engine::Notice { item, server, tool, text, note, kind } = notice;
    let about = if tool.is_empty() { server.clone() } else { format!("{server} · {tool}") };
    let (kind, title) = match kind {
        engine::NoticeKind::NeedsInput => (DesktopNoticeKind::NeedsInput, format!("{about} needs you")),
        // How soon would be untrue by the time when somebody reads it.
        engine::NoticeKind::Expires => {
            (DesktopNoticeKind::NeedsInput, format!("{about} needs you: it expires soon"))
        }
        engine::NoticeKind::Ended(outcome) => {
            let word = match outcome {
                Outcome::Ok => "is done",
                Outcome::ToolError => "ended with a tool error",
                Outcome::ProtocolError => "failed",
                Outcome::Cancelled => "was cancelled",
                Outcome::Expired => "expired",
                Outcome::Lost => "was lost by its server",
                Outcome::Unknown => "may or may not have happened",
            };
            (DesktopNoticeKind::Ended { outcome }, format!("{about} {word}"))
        }
    };
    DesktopNotice { item, kind, title, body: note.as_ref().map_or(text, words::note) }
}
