//! What notifications have to tell outlives their owner, whatever ended it: whoever owns the data directory next takes it up. Of
//! those that are only counted the number ends with the owner.

use signalbox_engine::{self as engine, Intent};
use signalbox_model::{Attention, InputRequest, ItemRef, Json, RequestId, cut};
use signalbox_notify::DesktopNotice;
use signalbox_store::{ReadError, Reads};

use super::{Local, noticed, views};
use crate::ApiError;

/// The name of the setting that says which questions are to be told.
const UNTOLD: &str = "notificationsUntold";

impl Local {
    /// The questions that the last owner had to tell when it ended; and what is to be told of those that still wait.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn untold(&self) -> Result<(Vec<RequestId>, Vec<DesktopNotice>), ApiError> {
        self.read_at_once(|reads| {
            let kept = reads.setting(UNTOLD)?.and_then(|json| json.read::<Vec<RequestId>>().ok());
            let (kept, servers) = (kept.unwrap_or_default(), views::all_servers(reads)?);
            let mut notices = Vec::with_capacity(kept.len());
            for &question in &kept {
                if let Some((request, _)) =
                    reads.request(question)?.filter(|(request, _)| request.wants_person())
                    && let Some((server, _)) = servers.get(&request.server)
                {
                    notices.push(notice(reads, request, &server.name)?);
                }
            }
            Ok((kept, notices))
        })
        .await
    }

    /// Keeps which questions are to be told.
    ///
    /// # Errors
    /// When they cannot be kept.
    pub(crate) async fn keep_untold(&self, questions: &[RequestId]) -> Result<(), ApiError> {
        let value = Json::of(&questions);
        self.intent(Intent::PutPreference { key: UNTOLD.to_owned(), value }).await.map(drop)
    }
}

/// A question as it is told now.
fn notice(reads: &Reads, request: InputRequest, server_name: &str) -> Result<DesktopNotice, ReadError> {
    let (call, _) = views::call_of(reads, &request)?;
    let expires_at = noticed::expires_at(&request, call.as_ref());
    let is_soon = request.attention() == Attention::Expiring;
    // A task's id must not show on a locked screen.
    let text = match &call {
        Some(call) => call.without_handle(&request.message),
        None => request.message,
    };
    let notice = engine::Notice {
        item: ItemRef::Request(request.id),
        server: request.server,
        server_name: server_name.to_owned(),
        tool: call.map(|call| call.tool).unwrap_or_default(),
        text: cut(text, noticed::LONGEST),
        note: None,
        kind: if is_soon { engine::NoticeKind::Expires } else { engine::NoticeKind::NeedsInput },
    };
    Ok(noticed::told(notice, expires_at))
}
