//! A notice for tests: what one of them is about it says itself.

use signalbox_model::{ItemRef, Outcome, ServerId};

use crate::{DesktopNotice, DesktopNoticeKind};

/// Of a question that it is asked, of a call that it ended well. It has no words.
pub(crate) fn notice(item: ItemRef) -> DesktopNotice {
    let kind = match item {
        ItemRef::Request(_) => DesktopNoticeKind::NeedsInput,
        ItemRef::Call(_) => DesktopNoticeKind::Ended { outcome: Outcome::Ok },
    };
    DesktopNotice {
        item,
        server: ServerId(1),
        tool: "deploy".into(),
        kind,
        expires_at: None,
        title: String::new(),
        body: String::new(),
    }
}
