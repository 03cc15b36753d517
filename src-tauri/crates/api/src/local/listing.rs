//! Tasks that a server lists and we do not follow yet, to be offered for adoption. Only the legacy wire has such a list.

use std::collections::HashSet;

use signalbox_mcp::{TaskList, TaskView};
use signalbox_model::{Json, ServerId};
use signalbox_store::{ReadError, Reads};

use super::Local;
use crate::{
    ApiError, ListedTask, Listing,
    command::{CarryOut, ListTasks},
};

/// The most tasks that are offered at once. Those that are adopted make room for others.
const MOST: usize = 1_000;
/// The longest message of one, in characters; all of it is kept once it is followed.
const MESSAGE: usize = 1_000;

impl CarryOut<ListTasks> for Local {
    async fn carry_out(&self, ListTasks { server }: ListTasks) -> Result<Option<Listing>, ApiError> {
        let server = self.server(&server).await?;
        match self.engine.list_tasks(server.id).await? {
            Some(list) => self.read(move |reads| listing(reads, server.id, &list)).await.map(Some),
            None => Ok(None),
        }
    }
}

fn listing(reads: &Reads, server: ServerId, list: &TaskList) -> Result<Listing, ReadError> {
    let mut listing = Listing { tasks: Vec::new(), followed: 0, complete: list.complete };
    let mut seen = HashSet::new();
    for task in list.tasks.iter().filter_map(listed) {
        if !seen.insert(task.task_id.clone()) {
            continue;
        }
        if reads.follows(server, &task.task_id)? {
            listing.followed += 1;
        } else if listing.tasks.len() < MOST {
            listing.tasks.push(task);
        } else {
            listing.complete = false;
        }
    }
    Ok(listing)
}

/// An entry without an id is nothing that could be followed.
fn listed(raw: &Json) -> Option<ListedTask> {
    let view = TaskView::read_legacy(raw);
    Some(ListedTask {
        task_id: view.task_id.filter(|id| !id.is_empty())?,
        status: view.status,
        status_message: view.status_message.map(|text| text.chars().take(MESSAGE).collect()),
        created_at: view.created_at,
    })
}

#[cfg(test)]
mod tests {
    use signalbox_store::Store;

    use super::*;

    #[test]
    fn of_very_many_the_first_are_offered() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let offered = |n: usize| {
            let task = |n| Json::parse(format!(r#"{{"taskId":"{n}","status":"working"}}"#)).unwrap();
            let list = TaskList { tasks: (0..n).map(task).collect(), complete: true };
            let listing = listing(&store.reads(), ServerId(1), &list).unwrap();
            (listing.tasks.len(), listing.complete)
        };
        assert_eq!([offered(1_000), offered(1_001)], [(1_000, true), (1_000, false)]);
    }

    #[test]
    fn of_a_long_message_the_beginning_is_shown() {
        let message = "ü".repeat(MESSAGE + 1);
        let raw = Json::parse(format!(r#"{{"taskId":"1","status":"working","statusMessage":"{message}"}}"#));
        let shown = listed(&raw.unwrap()).unwrap().status_message.unwrap();
        assert_eq!(shown.chars().count(), 1_000);
    }
}
