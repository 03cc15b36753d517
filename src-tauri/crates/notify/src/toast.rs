//! What is told, what is shown, and what a click means.

use signalbox_model::{ActivationToken, ItemRef, Outcome, RequestId, ServerId, Timestamp};

use crate::text;

/// Something a person wants to know of. Its texts may be a server's: they are cut and cleaned before they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DesktopNotice {
    /// What it is about.
    pub item: ItemRef,
    /// The server that it is about.
    pub server: ServerId,
    /// The tool that was called; empty for an adopted handle.
    pub tool: String,
    /// Why it is told.
    pub kind: DesktopNoticeKind,
    /// When a question expires; none where it does not, and of an end.
    pub expires_at: Option<Timestamp>,
    /// One line: who and what.
    pub title: String,
    /// What is asked, or what came of it, in the server's words. Up to four lines of it are shown, and only where the person wants
    /// that. Of what came of it the caller passes the first line only.
    pub body: String,
}

/// Why something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesktopNoticeKind {
    /// A server asks.
    NeedsInput,
    /// What a server asked expires soon.
    Expires,
    /// A task ended.
    Ended {
        /// How the task ended.
        outcome: Outcome,
    },
}

impl DesktopNoticeKind {
    /// Whether somebody waits for the person.
    pub(crate) fn asks(self) -> bool {
        !matches!(self, Self::Ended { .. })
    }
}

/// A notification as it is shown: plain text without control characters, of bounded length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// The title, one line.
    pub title: String,
    /// More; the backend escapes it where the platform reads markup.
    pub body: String,
    /// What a click on it means; none where it leads nowhere.
    pub press: Option<Activation>,
    /// The one question that it is about, where that can be put off.
    pub snooze: Option<RequestId>,
}

/// A press on a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticePress {
    /// What was pressed.
    pub activation: Activation,
    /// The right to bring a window to the front, where the desktop gave one for it.
    pub token: Option<ActivationToken>,
}

/// What the person pressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activation {
    /// The notification, or its "Review": it was about this one call or question.
    Item(ItemRef),
    /// The notification, or its "Review": it was about several things, these questions among them, the last one last. None
    /// where it is only known how many there were.
    Questions(Vec<RequestId>),
    /// The notification, or its "Review": it was about several tasks, all of which ended.
    Ends,
    /// "Snooze": the question is to be put off for an hour.
    Snooze(RequestId),
}

/// How many notices there were that are not kept.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct More {
    /// Of questions. One may have several of a question, and nobody looks whether it still needs the person.
    pub(crate) asks: usize,
    /// Tasks that ended.
    pub(crate) ended: usize,
}

impl More {
    pub(crate) fn add(&mut self, notice: &DesktopNotice) {
        if notice.kind.asks() {
            self.asks += 1;
        } else {
            self.ended += 1;
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.asks + self.ended == 0
    }
}

impl Toast {
    /// Several notices as one. One alone is shown as it is.
    pub(crate) fn of(notices: &[DesktopNotice], more: &More, contents: bool) -> Option<Self> {
        match notices {
            [] if more.is_none() => None,
            [notice] if more.is_none() => Some(Self {
                title: text::line(&notice.title),
                body: if contents { text::lines(&notice.body) } else { String::new() },
                press: Some(Activation::Item(notice.item)),
                snooze: match (notice.kind, notice.item) {
                    (DesktopNoticeKind::NeedsInput, ItemRef::Request(id)) => Some(id),
                    // One that expires soon cannot be put off.
                    _ => None,
                },
            }),
            many => {
                let titles: Vec<_> = many.iter().map(|notice| text::line(&notice.title)).collect();
                Some(Self {
                    title: headline(many, more),
                    body: text::lines(&titles.join("\n")),
                    press: Some(press(many, more)),
                    snooze: None,
                })
            }
        }
    }

    /// Whether it is about several things.
    pub(crate) fn is_several(&self) -> bool {
        !matches!(self.press, Some(Activation::Item(_)))
    }
}

/// Where several lead.
fn press(notices: &[DesktopNotice], more: &More) -> Activation {
    let asks = notices.iter().filter(|notice| notice.kind.asks());
    if more.asks == 0 && asks.clone().next().is_none() {
        return Activation::Ends;
    }
    Activation::Questions(questions(asks).collect())
}

/// The questions that they are about.
pub(crate) fn questions<'a>(
    notices: impl Iterator<Item = &'a DesktopNotice>,
) -> impl Iterator<Item = RequestId> {
    notices.filter_map(|notice| match notice.item {
        ItemRef::Request(question) => Some(question),
        ItemRef::Call(_) => None,
    })
}

/// Of notices that are not kept it is known that they came, not which question still needs anybody.
fn headline(notices: &[DesktopNotice], more: &More) -> String {
    let need = notices.iter().filter(|notice| notice.kind.asks()).count();
    let ended = notices.len() - need + more.ended;
    let parts = [
        (need, if need == 1 { "question needs you" } else { "questions need you" }),
        (more.asks, if more.asks == 1 { "earlier notification" } else { "earlier notifications" }),
        (ended, if ended == 1 { "task ended" } else { "tasks ended" }),
    ];
    let said = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    said.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use signalbox_model::CallId;

    use super::*;
    use crate::sample;

    const ASKED: &str = "Drop the users table?";

    fn notice(item: ItemRef, kind: DesktopNoticeKind, title: &str) -> DesktopNotice {
        DesktopNotice { kind, title: title.into(), body: ASKED.into(), ..sample::notice(item) }
    }

    #[test]
    fn without_contents_no_notification_has_a_servers_text() {
        let asks =
            notice(ItemRef::Request(RequestId(1)), DesktopNoticeKind::NeedsInput, "ci · deploy needs you");
        let expires = DesktopNotice { kind: DesktopNoticeKind::Expires, ..asks.clone() };
        let kind = DesktopNoticeKind::Ended { outcome: Outcome::ToolError };
        let ended = notice(ItemRef::Call(CallId(1)), kind, "ci · deploy failed");
        let with = Toast::of(std::slice::from_ref(&asks), &More::default(), true).unwrap();
        assert_eq!(with.body, ASKED, "it is there to be left out");
        let more = More { asks: 2, ended: 3 };
        let table = [
            (vec![asks.clone()], More::default(), "ci · deploy needs you", ""),
            (vec![expires], More::default(), "ci · deploy needs you", ""),
            (vec![ended.clone()], More::default(), "ci · deploy failed", ""),
            (
                vec![asks, ended],
                more,
                "1 question needs you, 2 earlier notifications, 4 tasks ended",
                "ci · deploy needs you\nci · deploy failed",
            ),
        ];
        for (notices, more, title, body) in table {
            let shown = Toast::of(&notices, &more, false).unwrap();
            assert_eq!((shown.title.as_str(), shown.body.as_str()), (title, body));
        }
    }
}
