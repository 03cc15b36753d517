//! What stops when nobody follows the tasks any more: what a person is told before they end the owner.

use crate::{
    ApiError, Desk, DeskExt as _, Ending, ListQuery, Overview, Page, TaskGroup, TaskRow, WhyEnds, command,
    look, words::counted,
};
use serde::Serialize;
use signalbox_model::CallId;

/// So many servers are named.
const NAMED: usize = 8;
/// So many tasks are looked at in one look, the most that a view gives.
const PAGE: u32 = 500;
/// So many in all: beyond them it is said that there may be more.
const MOST: u32 = 10_000;

/// What is under way, by what becomes of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stops {
    /// Tasks that go on at their servers, where nobody sees it.
    pub unfollowed: u32,
    /// Tasks of the demo, whose server stops, too: it keeps them, and they go on when Signalbox runs again.
    pub demo: u32,
    /// Tasks that are lost: their servers are programs of the owner, and end with it.
    pub lost: u32,
    /// Calls that wait for their answer on a connection of the owner: nobody learns what became of them.
    pub unknown: u32,
    /// Answers within their undo time: they are drafts again, and do not go out.
    pub held: u32,
    /// Servers whose secrets or sign-ins are kept for this run only.
    pub forgotten: Vec<String>,
    /// Not everything was looked through: more calls may wait.
    pub unsure: bool,
}

impl Stops {
    /// As things are now.
    ///
    /// # Errors
    /// Those of the desk.
    pub async fn now(desk: &dyn Desk, overview: &Overview) -> Result<Self, ApiError> {
        let (tasks, unsure) = live_tasks(desk, overview).await;
        Ok(Self { forgotten: forgotten(desk).await?, unsure, ..Self::of(overview, &tasks) })
    }

    /// All but what is forgotten, of these tasks, which have to have the calls that wait among them, and of what is answered.
    #[must_use]
    pub fn of(overview: &Overview, tasks: &[TaskRow]) -> Self {
        let ending = Ending::of(overview);
        let waits = tasks.iter().filter(|task| ending.why(task) == Some(WhyEnds::Waits)).count();
        let unknown = u32::try_from(waits).unwrap_or(u32::MAX);
        let (all, lost) = (overview.tasks.live(), ending.live());
        let goes_on = all.saturating_sub(lost).saturating_sub(unknown);
        let demo = overview.demo_live().min(goes_on);
        Self { unfollowed: goes_on - demo, demo, lost, unknown, held: overview.held, ..Self::default() }
    }

    /// Nothing is under way.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Something is gone for good, or may be.
    #[must_use]
    pub fn loses(&self) -> bool {
        self.lost > 0 || self.unknown > 0 || self.unsure || !self.forgotten.is_empty()
    }

    /// Ending is meant twice: something is gone for good, or there is more than one thing to know.
    #[must_use]
    pub fn takes_two(&self) -> bool {
        self.loses() || self.lines().len() > 1
    }

    /// In words, the worst first, and last that there may be more.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let &Self { unfollowed, demo, lost, unknown, held, .. } = self;
        let lost = (lost > 0).then(|| match lost {
            1 => "1 task is lost: its server is a program that ends as well".to_owned(),
            n => format!("{n} tasks are lost: their servers are programs that end as well"),
        });
        let unknown = (unknown > 0).then(|| match unknown {
            1 => "1 call waits for its answer: nobody will know what became of it".to_owned(),
            n => format!("{n} calls wait for their answers: nobody will know what became of them"),
        });
        let held = (held > 0).then(|| match held {
            1 => "1 answer has not gone out: it goes back to a draft".to_owned(),
            n => format!("{n} answers have not gone out: they go back to drafts"),
        });
        let unfollowed = (unfollowed > 0).then(|| match unfollowed {
            1 => "1 task goes on at its server, where nobody follows it".to_owned(),
            n => format!(
                "{} go on at their servers, where nobody follows them",
                counted(n.into(), "task", "tasks")
            ),
        });
        let demo = (demo > 0).then(|| match demo {
            1 => "1 task of the demo stops, and goes on when Signalbox runs again".to_owned(),
            n => format!("{n} tasks of the demo stop, and go on when Signalbox runs again"),
        });
        let forgotten = (!self.forgotten.is_empty()).then(|| {
            let these = named(&self.forgotten);
            format!("secrets and sign-ins kept for this run only have to be given again: {these}")
        });
        let unsure = self.unsure.then(|| "not everything could be checked: more may be lost".to_owned());
        [lost, unknown, forgotten, held, demo, unfollowed, unsure].into_iter().flatten().collect()
    }
}

/// Names of servers on one line.
fn named(servers: &[String]) -> String {
    let (first, more) = servers.split_at(servers.len().min(NAMED));
    let first = first.join(", ");
    if more.is_empty() { first } else { format!("{first} and {} more", more.len()) }
}

/// The tasks that are not over, at most 10,000, and whether there are more than these, or may be.
pub async fn live_tasks(desk: &dyn Desk, overview: &Overview) -> (Vec<TaskRow>, bool) {
    let (mut tasks, mut offset, mut more) = (Vec::new(), 0, overview.tasks.live() > 0);
    while more && offset < MOST {
        let Ok(page) = desk.see(first_tasks(offset, PAGE)).await else { return (tasks, true) };
        let live;
        (live, more) = live_of(page, offset);
        tasks.extend(live);
        offset += PAGE;
    }
    (tasks, more)
}

/// Tasks as they always stand: those that are not over first. That list is whole from the first moment on, as no other is.
#[must_use]
pub fn first_tasks(offset: u32, limit: u32) -> look::Tasks {
    look::Tasks { query: ListQuery::default(), offset, limit }
}

/// Those of a page of [`first_tasks`] that are not over, and whether more of them may stand behind it: one that is over, or the end of
/// the list, says that none does. No number of them says so, which is of another moment than the page.
#[must_use]
pub fn live_of(page: Page<CallId, TaskRow>, offset: u32) -> (Vec<TaskRow>, bool) {
    let mut rows = page.rows;
    let looked = rows.len();
    rows.retain(|row| row.group != TaskGroup::Ended);
    let end = u32::try_from(looked).map_or(u32::MAX, |looked| looked.saturating_add(offset));
    let more = rows.len() == looked && end < page.total;
    (rows, more)
}

/// The servers whose secrets or sign-ins end with the owner.
///
/// # Errors
/// Those of the desk.
pub async fn forgotten(desk: &dyn Desk) -> Result<Vec<String>, ApiError> {
    Ok(desk.act(command::ReadForgotten {}).await?.servers)
}
