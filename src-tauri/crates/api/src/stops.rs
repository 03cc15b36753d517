//! What stops when nobody follows the tasks any more: what a person is told before they end the owner.

use crate::{
    ApiError, Desk, DeskExt as _, Ending, ListQuery, Overview, TaskRow, WhyEnds, command, look,
    words::counted,
};
use serde::Serialize;

/// So many servers are named.
const NAMED: usize = 8;
/// So many tasks are looked through for calls that wait: the most that a view gives.
const PAGE: u32 = 500;

/// What is under way, by what becomes of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stops {
    /// Tasks that go on at their servers, where nobody sees it.
    pub unfollowed: u32,
    /// Tasks that are lost: their servers are programs of the owner, and end with it.
    pub lost: u32,
    /// Calls that wait for their answer on a connection of the owner: nobody learns what became of them.
    pub unknown: u32,
    /// Answers within their undo time: they are drafts again, and do not go out.
    pub held: u32,
    /// Servers whose secrets or sign-ins are kept for this run only.
    pub forgotten: Vec<String>,
}

impl Stops {
    /// As things are now.
    ///
    /// # Errors
    /// Those of the desk.
    pub async fn now(desk: &dyn Desk, overview: &Overview) -> Result<Self, ApiError> {
        let tasks = match overview.tasks.working {
            0 => Vec::new(),
            _ => desk.see(working()).await?.rows,
        };
        Ok(Self { forgotten: forgotten(desk).await?, ..Self::of(overview, &tasks) })
    }

    /// All but what is forgotten, of these tasks that are under way, of those that wait for their person, and of what is answered.
    #[must_use]
    pub fn of(overview: &Overview, working: &[TaskRow]) -> Self {
        let ending = Ending::of(overview);
        let waits = working.iter().filter(|task| ending.why(task) == Some(WhyEnds::Waits)).count();
        let unknown = u32::try_from(waits).unwrap_or(u32::MAX);
        let (all, lost) = (overview.tasks.live(), ending.live());
        Self {
            unfollowed: all.saturating_sub(lost).saturating_sub(unknown),
            lost,
            unknown,
            held: overview.held,
            forgotten: Vec::new(),
        }
    }

    /// Nothing is under way.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Something is gone for good.
    #[must_use]
    pub fn loses(&self) -> bool {
        self.lost > 0 || self.unknown > 0 || !self.forgotten.is_empty()
    }

    /// Ending is meant twice: something is gone for good, or there is more than one thing to know.
    #[must_use]
    pub fn takes_two(&self) -> bool {
        self.loses() || self.lines().len() > 1
    }

    /// In words, the worst first.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let &Self { unfollowed, lost, unknown, held, .. } = self;
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
        let forgotten = (!self.forgotten.is_empty()).then(|| {
            let these = named(&self.forgotten);
            format!("secrets and sign-ins kept for this run only have to be given again: {these}")
        });
        [lost, unknown, forgotten, held, unfollowed].into_iter().flatten().collect()
    }
}

/// Names of servers on one line.
fn named(servers: &[String]) -> String {
    let (first, more) = servers.split_at(servers.len().min(NAMED));
    let first = first.join(", ");
    if more.is_empty() { first } else { format!("{first} and {} more", more.len()) }
}

/// The tasks among which calls that wait are: one page of them, since more are no reason to say anything else.
#[must_use]
pub fn working() -> look::Tasks {
    let query = ListQuery { filter: "is:working".to_owned(), ..ListQuery::default() };
    look::Tasks { query, offset: 0, limit: PAGE }
}

/// The servers whose secrets or sign-ins end with the owner.
///
/// # Errors
/// Those of the desk.
pub async fn forgotten(desk: &dyn Desk) -> Result<Vec<String>, ApiError> {
    Ok(desk.act(command::ReadForgotten {}).await?.servers)
}
