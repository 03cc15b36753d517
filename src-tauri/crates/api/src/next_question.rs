//! The question that a person is led to when they ask for the next one.

use signalbox_model::RequestId;

use crate::{ApiError, Desk, DeskExt as _, InboxTab, look};

/// The first question that needs the person, in the order of the inbox.
///
/// # Errors
/// Those of [`Desk::changes`].
pub async fn next_question(desk: &dyn Desk) -> Result<Option<RequestId>, ApiError> {
    let first = look::Inbox {
        tab: InboxTab::NeedsYou,
        filter: String::new(),
        within: String::new(),
        offset: 0,
        limit: 1,
    };
    Ok(desk.see(first).await?.ids.first().copied())
}
