//! The question that a person is led to when they ask for the next one.

use signalbox_model::RequestId;

use crate::{ApiError, Desk, DeskExt as _, InboxTab, look};

/// So many are looked through at once.
const LOOKED_AT: u32 = 100;

/// The first question that needs the person, in the order of the inbox. Those whose answer is on its way stand among them, for as long
/// as their server does not take it.
///
/// # Errors
/// Those of [`Desk::changes`].
pub async fn next_question(desk: &dyn Desk) -> Result<Option<RequestId>, ApiError> {
    let mut offset = 0;
    loop {
        let (tab, filter, within) = (InboxTab::NeedsYou, String::new(), String::new());
        let page = desk.see(look::Inbox { tab, filter, within, offset, limit: LOOKED_AT }).await?;
        if let Some(next) = page.rows.iter().find(|row| row.waits()) {
            return Ok(Some(next.id));
        }
        if page.ids.len() < LOOKED_AT as usize {
            return Ok(None);
        }
        offset += LOOKED_AT;
    }
}
