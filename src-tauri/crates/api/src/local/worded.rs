//! What a notice says of a question whose words the engine has left to the store.

use signalbox_engine::Notice;
use signalbox_model::{ItemRef, cut};

use super::{Local, views};

/// The longest line that a notice is given, in bytes.
const LONGEST: usize = 1_024;

impl Local {
    /// A notice with its words: where it has none, the first line of its question.
    pub(crate) async fn worded(&self, notice: Notice) -> Notice {
        let ItemRef::Request(id) = notice.item else { return notice };
        if !notice.text.is_empty() {
            return notice;
        }
        let line = self.read(move |reads| {
            let Some((request, _)) = reads.request(id)? else { return Ok(String::new()) };
            let (call, _) = views::call_of(reads, &request)?;
            let line = request.message.lines().map(str::trim).find(|line| !line.is_empty());
            let line = line.unwrap_or_default();
            // A task's id must not show on a locked screen.
            let line = call.map_or_else(|| line.to_owned(), |call| call.without_handle(line));
            Ok(cut(line, LONGEST))
        });
        Notice { text: line.await.unwrap_or_default(), ..notice }
    }
}
