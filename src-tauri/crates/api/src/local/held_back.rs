//! What notifications hold back for a time outlives their owner: whoever owns the data directory next takes it up.

use signalbox_engine::{self as engine, Intent};
use signalbox_model::{ItemRef, Json, RequestId};
use signalbox_notify::DesktopNotice;

use super::{Local, views};

/// The name of the setting that says which questions are held back.
const HELD_BACK: &str = "notificationsHeldBack";

impl Local {
    /// The questions that the last owner held back when it ended; and what is to be told of those that still wait.
    pub(crate) async fn held_back(&self) -> (Vec<RequestId>, Vec<DesktopNotice>) {
        let read = self.read_at_once(|reads| {
            let kept = reads.setting(HELD_BACK)?.and_then(|json| json.read::<Vec<RequestId>>().ok());
            let (kept, servers) = (kept.unwrap_or_default(), views::all_servers(reads)?);
            let mut notices = Vec::with_capacity(kept.len());
            for &question in &kept {
                let Some((request, _)) = reads.request(question)? else { continue };
                let Some((server, _)) = servers.get(&request.server) else { continue };
                if request.wants_person() {
                    let (call, _) = views::call_of(reads, &request)?;
                    notices.push(engine::Notice {
                        item: ItemRef::Request(question),
                        server: server.id,
                        server_name: server.name.clone(),
                        tool: call.map(|call| call.tool).unwrap_or_default(),
                        text: String::new(),
                        note: None,
                        kind: engine::NoticeKind::NeedsInput,
                    });
                }
            }
            Ok((kept, notices))
        });
        let (kept, notices) = read.await.unwrap_or_else(|error| {
            tracing::warn!(%error, "which notifications were held back cannot be read");
            Default::default()
        });
        let mut told = Vec::with_capacity(notices.len());
        for notice in notices {
            told.push(self.noticed(notice).await);
        }
        (kept, told)
    }

    /// Keeps which questions are held back.
    pub(crate) async fn keep_held_back(&self, questions: &[RequestId]) {
        let value = Json::of(&questions);
        if let Err(error) = self.intent(Intent::PutPreference { key: HELD_BACK.to_owned(), value }).await {
            tracing::warn!(%error, "which notifications are held back cannot be kept");
        }
    }
}
