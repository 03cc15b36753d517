//! What is told, what is shown, and what a click means.

use signalbox_model::{ItemRef, Outcome};

use crate::text;

/// Something a person wants to know of. Its texts may be a server's: they are cut and cleaned before they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DesktopNotice {
    /// What it is about.
    pub item: ItemRef,
    /// Why it is told.
    pub kind: DesktopNoticeKind,
    /// One line: who and what.
    pub title: String,
    /// More, as plain text.
    pub body: String,
}

/// Why something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesktopNoticeKind {
    /// A server asks.
    NeedsInput,
    /// A task ended.
    Ended {
        /// How the task ended.
        outcome: Outcome,
    },
}

/// A notification as it is shown: plain text without control characters, of bounded length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// The title, one line.
    pub title: String,
    /// More; the backend escapes it where the platform reads markup.
    pub body: String,
    /// Whether somebody waits for the person.
    pub urgent: bool,
    /// What a click leads to; none for the inbox.
    pub item: Option<ItemRef>,
}

/// The person clicked a notification, or its action "Review".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// The notification was about this one call or question.
    Item(ItemRef),
    /// The notification was about several things: the inbox shows them.
    Inbox,
}

/// How many notices there were that are not kept.
#[derive(Debug, Default)]
pub(crate) struct More {
    asks: usize,
    ended: usize,
}

impl More {
    pub(crate) fn add(&mut self, notice: &DesktopNotice) {
        match notice.kind {
            DesktopNoticeKind::NeedsInput => self.asks += 1,
            DesktopNoticeKind::Ended { .. } => self.ended += 1,
        }
    }
}

impl Toast {
    /// Several notices as one. One alone is shown as it is.
    pub(crate) fn of(notices: &[DesktopNotice], more: More) -> Option<Self> {
        match notices {
            [] => None,
            [notice] if more.asks + more.ended == 0 => Some(Self {
                title: text::line(&notice.title),
                body: text::lines(&notice.body),
                urgent: notice.kind == DesktopNoticeKind::NeedsInput,
                item: Some(notice.item),
            }),
            many => {
                let mut all = more;
                many.iter().for_each(|notice| all.add(notice));
                let titles: Vec<_> = many.iter().map(|notice| text::line(&notice.title)).collect();
                Some(Self {
                    title: headline(all.asks, all.ended),
                    body: text::lines(&titles.join("\n")),
                    urgent: all.asks > 0,
                    item: None,
                })
            }
        }
    }

    /// What a click on it means.
    #[must_use]
    pub fn activation(&self) -> Activation {
        self.item.map_or(Activation::Inbox, Activation::Item)
    }
}

fn headline(asks: usize, ended: usize) -> String {
    let need =
        if asks == 1 { "1 question needs you".to_owned() } else { format!("{asks} questions need you") };
    let over = if ended == 1 { "1 task ended".to_owned() } else { format!("{ended} tasks ended") };
    match (asks, ended) {
        (_, 0) => need,
        (0, _) => over,
        _ => format!("{need}, {over}"),
    }
}
