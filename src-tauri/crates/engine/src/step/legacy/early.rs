//! What servers told of tasks that are not known yet: the answer that names them may still be on its way.

use std::collections::VecDeque;

use signalbox_mcp::TaskView;
use signalbox_model::Json;

/// The last statuses that were told of unknown tasks.
#[derive(Debug, Default)]
pub(crate) struct Early {
    told: VecDeque<(String, TaskView)>,
    bytes: usize,
}

impl Early {
    /// The most statuses that are kept.
    pub(crate) const MOST: usize = 64;
    /// The most bytes that they may have together.
    pub(crate) const BYTES: usize = 1024 * 1024;

    /// Keeps a status of a task. One that is too large is dropped: a poll brings it anyway.
    pub(crate) fn keep(&mut self, task_id: String, view: TaskView) {
        let bytes = weight(&task_id, &view);
        if bytes > Self::BYTES {
            return;
        }
        while self.told.len() >= Self::MOST || self.bytes + bytes > Self::BYTES {
            let Some((task_id, view)) = self.told.pop_front() else { break };
            self.bytes -= weight(&task_id, &view);
        }
        self.bytes += bytes;
        self.told.push_back((task_id, view));
    }

    /// Hands out what was told of a task, in order.
    pub(crate) fn take(&mut self, task_id: &str) -> Vec<TaskView> {
        let (ours, others) = self.told.drain(..).partition::<Vec<_>, _>(|(of, _)| of == task_id);
        self.told = others.into();
        self.bytes -= ours.iter().map(|(of, view)| weight(of, view)).sum::<usize>();
        ours.into_iter().map(|(_, view)| view).collect()
    }

    #[cfg(test)]
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.told.len(), self.bytes)
    }
}

/// Bytes of a status, about.
fn weight(task_id: &str, view: &TaskView) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let json = |json: &Option<Json>| json.as_ref().map_or(0, |json| json.text().len());
    let asked = view.input_requests.iter().map(|(key, json)| key.len() + json.text().len());
    task_id.len()
        + text(&view.task_id)
        + text(&view.status_text)
        + text(&view.status_message)
        + asked.sum::<usize>()
        + json(&view.result)
        + view.error.as_ref().map_or(0, |error| error.raw.text().len() + error.message.len())
}
