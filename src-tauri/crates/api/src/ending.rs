//! What ends with the owner of the data directory, whoever goes on: work that nobody else can take up.

use std::collections::HashSet;

use serde::Serialize;
use signalbox_model::{ServerId, Status, Transport};

use crate::{Overview, ServerView, TaskRow};

/// Why nobody else can go on with a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyEnds {
    /// Its server is a program of the owner, and ends with it.
    Program,
    /// There is no task: the call waits for its answer on a connection of the owner.
    Waits,
}

/// The servers whose work ends with the owner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ending {
    programs: HashSet<ServerId>,
    live: u32,
}

impl Ending {
    /// As things stand.
    #[must_use]
    pub fn of(overview: &Overview) -> Self {
        let mut ending = Self::default();
        for server in overview.servers.iter().filter(|server| ends_with_its_owner(server)) {
            ending.programs.insert(server.id);
            ending.live += server.tasks.live();
        }
        ending
    }

    /// How many tasks of those servers are not over.
    #[must_use]
    pub fn live(&self) -> u32 {
        self.live
    }

    /// Why this task, which is not over, ends with the owner; none where it goes on.
    #[must_use]
    pub fn why(&self, task: &TaskRow) -> Option<WhyEnds> {
        match () {
            () if self.programs.contains(&task.server) => Some(WhyEnds::Program),
            // A round of questions waits for a person, and is kept.
            () if !task.has_task && task.status == Status::Working => Some(WhyEnds::Waits),
            () => None,
        }
    }
}

/// Whether this server is a program that the owner runs, and whose work nobody can go on with. The demo keeps its work in a
/// file.
fn ends_with_its_owner(server: &ServerView) -> bool {
    let runs = server.enabled && server.trusted && !server.demo;
    runs && matches!(server.transport, Transport::Stdio { .. })
}
