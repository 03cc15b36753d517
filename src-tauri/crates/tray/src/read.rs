//! How things stand at the desk, as the icon shows them.

use std::time::Duration;

use signalbox_api::{
    ApiError, Code, Cursor, Desk, DeskExt as _, RequestList, RequestRow, Stops, TaskGroup, TaskRow, look,
    stops,
};

use crate::{
    WAIT,
    menu::{NAMED, NAMED_TASKS, Question, State, Task},
};

/// So many questions are looked through for those that need somebody: others that are on their way may stand before them.
const LOOKED_AT: u32 = 32;
/// So many tasks are looked through for what stops: the most that a view gives. It looks at every change, so at no more.
const LIVE: u32 = 500;

/// What was seen last of the overview and of the questions, and of the tasks that are not over, where there are any.
pub(crate) struct Since {
    overview: Cursor,
    asked: Cursor,
    live: Option<(look::Tasks, Cursor)>,
}

/// The questions that are not over, in the order of the inbox.
fn asked() -> look::Requests {
    let list = RequestList::Waiting;
    look::Requests { list, filter: String::new(), offset: 0, limit: LOOKED_AT, whole: false }
}

/// How things stand.
///
/// # Errors
/// Those of the desk.
pub(crate) async fn read(desk: &dyn Desk) -> Result<(State, Since), ApiError> {
    let (overview_at, change) = desk.look(look::Overview {}, None, Duration::ZERO).await?;
    let overview = change
        .and_then(|change| change.after(None))
        .ok_or_else(|| ApiError::new(Code::Internal, "an overview came without all of its parts"))?;
    let (asked_at, page) = desk.look(asked(), None, Duration::ZERO).await?;
    let waiting = page.map(|page| page.rows).unwrap_or_default();
    let (mut live, mut unsure, mut live_at) = (Vec::new(), false, None);
    if overview.tasks.live() > 0 {
        // One more than there were says whether these are all.
        let look = stops::first_tasks(0, overview.tasks.live().saturating_add(1).min(LIVE));
        let (at, page) = desk.look(look.clone(), None, Duration::ZERO).await?;
        live_at = Some((look, at));
        if let Some(page) = page {
            (live, unsure) = stops::live_of(page, 0);
        }
    }
    let since = Since { overview: overview_at, asked: asked_at, live: live_at };
    let forgotten = stops::forgotten(desk).await?;
    let stops = Stops { forgotten, unsure, ..Stops::of(&overview, &live) };
    let runs = |row: &TaskRow| row.group == TaskGroup::Working;
    let needs = |row: &RequestRow| row.waits() && row.snoozed.is_none();
    let rows = waiting.into_iter().map(|entry| entry.row).filter(needs).take(NAMED);
    let state = State {
        needs_you: overview.inbox,
        questions: rows.map(Question::from).collect(),
        working: overview.tasks.working,
        tasks: live.into_iter().filter(runs).take(NAMED_TASKS).map(Task::from).collect(),
        paused_until: overview.notifications_paused_until,
        stops,
    };
    Ok((state, since))
}

impl From<RequestRow> for Question {
    fn from(row: RequestRow) -> Self {
        let RequestRow { id, server_name: server, tool, message, expires_at, .. } = row;
        Self { id, server, tool, message, expires_at }
    }
}

impl From<TaskRow> for Task {
    fn from(TaskRow { id, server_name: server, tool, .. }: TaskRow) -> Self {
        Self { id, server, tool }
    }
}

/// Resolves once something is not as it was, or may not be.
pub(crate) async fn changed(desk: &dyn Desk, Since { overview, asked, live }: Since) {
    let of_tasks = async {
        match live {
            Some((look, live)) => drop(desk.look(look, Some(live), WAIT).await),
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = desk.look(look::Overview {}, Some(overview), WAIT) => {}
        _ = desk.look(self::asked(), Some(asked), WAIT) => {}
        () = of_tasks => {}
    }
}
