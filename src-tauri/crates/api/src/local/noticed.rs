//! What is told of what the engine notices: who asks, or what ended and how, and in the server's words what.

use signalbox_engine as engine;
use signalbox_model::{Call, InputRequest, ItemRef, Outcome, Timestamp, cut};
use signalbox_notify::{DesktopNotice, DesktopNoticeKind};

use super::{Local, views};
use crate::{ApiError, logging::redact, words};

/// The longest text of a server that a notice is given, in bytes.
pub(super) const LONGEST: usize = 1_024;

/// Words that say no more of an end than that it is one.
const EMPTY: [&str; 10] =
    ["done", "ok", "okay", "success", "succeeded", "completed", "finished", "failed", "failure", "error"];

impl Local {
    /// A notice of the engine, as it is told.
    pub(crate) async fn noticed(&self, notice: engine::Notice) -> DesktopNotice {
        let (line, expires_at) = self.asked(notice.item).await.unwrap_or_default();
        let text = if notice.text.is_empty() { line } else { notice.text };
        told(engine::Notice { text, ..notice }, expires_at)
    }

    /// The first line of a question, and when it expires. The engine leaves long ones to the store.
    async fn asked(&self, item: ItemRef) -> Option<(String, Option<Timestamp>)> {
        let ItemRef::Request(id) = item else { return None };
        let asked = self.read(move |reads| {
            let Some((request, _)) = reads.request(id)? else { return Ok(None) };
            let (call, _) = views::call_of(reads, &request)?;
            let line = request.message.lines().map(str::trim).find(|line| !line.is_empty());
            let line = line.unwrap_or_default();
            // A task's id must not show on a locked screen.
            let line = call.as_ref().map_or_else(|| line.to_owned(), |call| call.without_handle(line));
            Ok(Some((cut(line, LONGEST), expires_at(&request, call.as_ref()))))
        });
        asked.await.ok().flatten()
    }

    /// Whether what was noticed is worth a notification still: a question that is answered or put off by now is not.
    pub(crate) async fn still_matters(&self, item: ItemRef) -> bool {
        let ItemRef::Request(id) = item else { return true };
        match self.read(move |reads| reads.request(id)).await {
            Ok(found) => found.is_some_and(|(request, _)| request.wants_person()),
            // Rather told once too often than not at all.
            Err(_) => true,
        }
    }

    /// How many questions need the person.
    pub(crate) async fn needs_you(&self) -> Result<u32, ApiError> {
        Ok(super::rows::count(self.read(signalbox_store::Reads::counts).await?.needs_you))
    }
}

/// When a question is over: with its task, or before it.
pub(super) fn expires_at(request: &InputRequest, call: Option<&Call>) -> Option<Timestamp> {
    let of_call = call.and_then(|call| call.task.as_ref()?.expires_at);
    of_call.into_iter().chain(request.expires_at).min()
}

/// Who asks comes first and is the person's own name for the server: the rest is the server's text.
pub(super) fn told(notice: engine::Notice, expires_at: Option<Timestamp>) -> DesktopNotice {
    let engine::Notice { item, server, server_name, tool, text, note, kind } = notice;
    let is_end = matches!(kind, engine::NoticeKind::Ended(_));
    let about = if tool.is_empty() { server_name } else { format!("{server_name} · {tool}") };
    let (kind, title) = match kind {
        engine::NoticeKind::NeedsInput => (DesktopNoticeKind::NeedsInput, format!("{about} needs you")),
        // How soon would be untrue by the time when somebody reads it.
        engine::NoticeKind::Expires => {
            (DesktopNoticeKind::Expires, format!("{about} needs you: it expires soon"))
        }
        engine::NoticeKind::Ended(outcome) => {
            (DesktopNoticeKind::Ended { outcome }, format!("{about} {}", ended(outcome)))
        }
    };
    let text = note.as_ref().map_or(text, words::note);
    // A question is told as it is asked: its first line alone may be the same for many.
    let body = if is_end { contents(&text) } else { redact(text.trim()) };
    DesktopNotice { item, server, tool, kind, expires_at, title, body }
}

fn ended(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "is done",
        Outcome::ToolError => "ended with a tool error",
        Outcome::ProtocolError => "failed",
        Outcome::Cancelled => "was cancelled",
        Outcome::Expired => "expired",
        Outcome::Lost => "was lost by its server",
        Outcome::Unknown => "may or may not have happened",
    }
}

/// The first line of a text, without what looks like a secret or an id; nothing where it says no more than the title.
fn contents(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let bare = line.trim_end_matches(['.', '!', '…']).to_lowercase();
    if EMPTY.contains(&bare.as_str()) { String::new() } else { redact(line) }
}

#[cfg(test)]
mod tests {
    use signalbox_model::{CallId, ServerId};

    use super::*;

    fn end(outcome: Outcome, text: &str) -> DesktopNotice {
        of(engine::NoticeKind::Ended(outcome), text)
    }

    fn of(kind: engine::NoticeKind, text: &str) -> DesktopNotice {
        let notice = engine::Notice {
            item: ItemRef::Call(CallId(7)),
            server: ServerId(1),
            server_name: "ci".into(),
            tool: "deploy".into(),
            text: text.into(),
            note: None,
            kind,
        };
        told(notice, None)
    }

    /// Who wants no contents in notifications has the title alone.
    #[test]
    fn what_is_asked_or_came_of_it_stands_in_the_body_alone() {
        use engine::NoticeKind::{Ended, Expires, NeedsInput};
        let kinds =
            [NeedsInput, Expires, Ended(Outcome::Ok), Ended(Outcome::ToolError), Ended(Outcome::Lost)];
        for kind in kinds {
            let told = of(kind, "Drop the users table?");
            assert_eq!(told.body, "Drop the users table?");
            assert!(told.title.starts_with("ci · deploy ") && !told.title.contains("users"), "{told:?}");
        }
    }

    #[test]
    fn the_body_says_what_the_title_does_not() {
        let cases = [
            (Outcome::Ok, "\n Deployed api 1.2\nin 3 min", "ci · deploy is done", "Deployed api 1.2"),
            (Outcome::Ok, "Done.", "ci · deploy is done", ""),
            (Outcome::Ok, "OK", "ci · deploy is done", ""),
            (Outcome::ToolError, "No quota left", "ci · deploy ended with a tool error", "No quota left"),
            (Outcome::ProtocolError, "failed", "ci · deploy failed", ""),
            (Outcome::Lost, "", "ci · deploy was lost by its server", ""),
        ];
        for (outcome, text, title, body) in cases {
            let told = end(outcome, text);
            assert_eq!((told.title.as_str(), told.body.as_str()), (title, body), "{outcome:?}: {text:?}");
        }
    }

    #[test]
    fn what_looks_like_a_secret_or_an_id_shows_on_no_locked_screen() {
        let told = end(Outcome::Ok, "made token=hunter2 for task 786512e2-9e0d-44bd-8f29-789f320fe840");
        assert_eq!(told.body, "made token=[redacted] for task [redacted]");
        let told = end(Outcome::Ok, "export DB_PASSWORD=hunter2 and client_secret=abc123 passphrase: tulip");
        let shown = "export DB_PASSWORD=[redacted] and client_secret=[redacted] passphrase: [redacted]";
        assert_eq!(told.body, shown, "whatever stands before the word");
    }
}
