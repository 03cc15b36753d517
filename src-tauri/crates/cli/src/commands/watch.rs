//! `watch`: every change as it comes, of named tasks or of everything.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use futures_util::future::{BoxFuture, try_join_all};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use signalbox_api::{
    ApiError, Code, Cursor, Desk, DeskExt as _, InboxTab, ListQuery, Page, RequestRow, TaskDetail, TaskRow,
};
use signalbox_model::{CallId, RequestId};

use super::{Context, follow};
use crate::exit::{Exit, Failure};
use crate::{docs, look, text};

/// So many tasks are watched by name: each is a look that is held, and an owner holds few for one program.
const MOST_NAMED: usize = 32;
/// So many windows of rows are held, of tasks and of questions together: of very many that are under way the first.
const MOST_WINDOWS: usize = 32;

/// Runs `watch`.
pub(super) async fn run(context: &Context<'_>, tasks: &[String]) -> Result<Exit, Failure> {
    if tasks.is_empty() {
        let live = look::live(context.desk, String::new()).await?;
        let watching = follow::telling_troubles(context, everything(context));
        return beside(watching, context.refresh(live)).await;
    }
    let mut calls = Vec::new();
    for task in tasks {
        let call = look::find(context.desk, task).await?;
        if !calls.contains(&call) {
            calls.push(call);
        }
    }
    if calls.len() > MOST_NAMED {
        let message =
            format!("At most {MOST_NAMED} tasks can be watched by name. `signalbox watch` alone watches all");
        return Err(ApiError::new(Code::Usage, message).into());
    }
    let watching = try_join_all(calls.iter().map(|call| named(context, *call)));
    let watching = follow::telling_troubles(context, watching);
    let exits = beside(watching, context.refresh(calls.iter().copied())).await?;
    Ok(if exits.into_iter().all(|exit| exit == Exit::Done) { Exit::Done } else { Exit::Failed })
}

/// Looks first at what is watched, without keeping the first lines back for it.
async fn beside<T>(watching: impl Future<Output = T>, looks: impl Future<Output = ()>) -> T {
    let looks = async {
        looks.await;
        std::future::pending().await
    };
    tokio::select! {
        done = watching => done,
        never = looks => never,
    }
}

/// One task until it has ended.
async fn named(context: &Context<'_>, call: CallId) -> Result<Exit, Failure> {
    let mut shown = Shown::default();
    follow::task(context, call, async |cursor, detail: TaskDetail| {
        for row in &detail.requests {
            if shown.requests.insert(row.id, row.clone()).as_ref() != Some(row) {
                request(context, &mut shown, cursor, row).await?;
            }
        }
        if shown.tasks.insert(call, detail.row.clone()).as_ref() != Some(&detail.row) {
            task(context, &mut shown, cursor, &detail).await?;
        }
        Ok(match detail.row.outcome {
            Some(outcome) => ControlFlow::Break(outcome.into()),
            None => ControlFlow::Continue(()),
        })
    })
    .await
}

/// What was printed last: the windows of a list move, and a row that only moved is no change.
#[derive(Default)]
struct Shown {
    tasks: HashMap<CallId, TaskRow>,
    requests: HashMap<RequestId, RequestRow>,
    /// How each was told.
    lines: HashMap<String, String>,
    /// Epoch and number of the last line.
    last: (u64, u64),
}

impl Shown {
    /// Whether an item reads otherwise than the last time. Not all that changes about it is told here.
    fn reads_otherwise(&mut self, id: String, line: String) -> bool {
        self.lines.insert(id, line.clone()).as_ref() != Some(&line)
    }

    /// Epoch and number of the next line. Windows are looked at side by side, and what changed in one is read once more before
    /// it is told: by then nothing is older than what another one has shown.
    fn number(&mut self, Cursor { epoch, seq, .. }: Cursor) -> (u64, u64) {
        let (last_epoch, last) = self.last;
        self.last = (epoch, if epoch == last_epoch { seq.max(last) } else { seq });
        self.last
    }
}

/// A window of rows that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Window {
    Tasks(u32),
    Inbox(u32),
}

impl Window {
    /// What changed in it.
    async fn look(self, desk: &dyn Desk, after: Option<Cursor>) -> Result<(Cursor, Option<Rows>), ApiError> {
        let limit = look::PAGE;
        match self {
            Self::Tasks(offset) => {
                let tasks = signalbox_api::look::Tasks { query: ListQuery::default(), offset, limit };
                let (cursor, page) = desk.look(tasks, after, follow::HOLD).await?;
                Ok((cursor, page.map(Rows::Tasks)))
            }
            Self::Inbox(offset) => {
                let inbox = signalbox_api::look::Inbox {
                    tab: InboxTab::All,
                    filter: String::new(),
                    within: String::new(),
                    offset,
                    limit,
                };
                let (cursor, page) = desk.look(inbox, after, follow::HOLD).await?;
                Ok((cursor, page.map(Rows::Inbox)))
            }
        }
    }

    /// The window behind this one, if a list of this length reaches there.
    fn next(self, total: u32) -> Option<Self> {
        let (Self::Tasks(offset) | Self::Inbox(offset)) = self;
        let behind = offset + look::PAGE;
        (behind < total).then_some(match self {
            Self::Tasks(_) => Self::Tasks(behind),
            Self::Inbox(_) => Self::Inbox(behind),
        })
    }
}

/// What is seen through a window.
enum Rows {
    Tasks(Page<CallId, TaskRow>),
    Inbox(Page<RequestId, RequestRow>),
}

type Looking<'a> = BoxFuture<'a, (Window, Result<(Cursor, Option<Rows>), ApiError>)>;

/// All tasks and questions, for as long as it lasts. Begins with what is live: lists have that first, and behind the window in
/// which it ends nothing changes.
async fn everything(context: &Context<'_>) -> Result<Exit, Failure> {
    let mut shown = Shown::default();
    let mut windows = vec![Window::Tasks(0), Window::Inbox(0)];
    let look = |window: Window, after: Option<Cursor>| -> Looking<'_> {
        window.look(context.desk, after).map(move |seen| (window, seen)).boxed()
    };
    let mut looking: FuturesUnordered<Looking<'_>> =
        windows.iter().map(|window| look(*window, None)).collect();
    let mut first = HashSet::new();
    let (mut epoch, mut too_many) = (None, false);
    while let Some((window, seen)) = looking.next().await {
        let (cursor, rows) = seen?;
        if epoch.replace(cursor.epoch).is_some_and(|epoch| epoch != cursor.epoch) {
            let live = shown.tasks.values().filter(|row| row.outcome.is_none());
            context.follow(live.map(|row| row.id).collect::<Vec<_>>()).await;
        }
        let behind = match rows {
            Some(Rows::Tasks(page)) => {
                let begins = first.insert(window);
                for row in page.rows {
                    let live = row.outcome.is_none();
                    let known = shown.tasks.insert(row.id, row.clone());
                    if known.as_ref() != Some(&row) && (live || !begins) {
                        changed_task(context, &mut shown, cursor, row.id).await?;
                    }
                }
                let last = page.ids.last().and_then(|id| shown.tasks.get(id));
                last.filter(|row| row.outcome.is_none()).and_then(|_| window.next(page.total))
            }
            Some(Rows::Inbox(page)) => {
                let begins = first.insert(window);
                for row in page.rows {
                    let live = row.waits();
                    let known = shown.requests.insert(row.id, row.clone());
                    if known.as_ref() != Some(&row) && (live || !begins) {
                        request(context, &mut shown, cursor, &row).await?;
                    }
                }
                let last = page.ids.last().and_then(|id| shown.requests.get(id));
                last.filter(|row| row.waits()).and_then(|_| window.next(page.total))
            }
            None => None,
        };
        looking.push(look(window, Some(cursor)));
        if let Some(behind) = behind.filter(|behind| !windows.contains(behind)) {
            if windows.len() < MOST_WINDOWS {
                windows.push(behind);
                looking.push(look(behind, None));
            } else if !std::mem::replace(&mut too_many, true) {
                context.console.say("So much is under way that not all of it is watched here");
            }
        }
    }
    Ok(Exit::Done)
}

async fn changed_task(
    context: &Context<'_>,
    shown: &mut Shown,
    cursor: Cursor,
    call: CallId,
) -> Result<(), Failure> {
    match look::task(context.desk, call).await {
        Ok(detail) => task(context, shown, cursor, &detail).await,
        Err(error) if error.code == Code::UnknownItem => Ok(()),
        Err(error) => Err(error.into()),
    }
}

async fn task(
    context: &Context<'_>,
    shown: &mut Shown,
    cursor: Cursor,
    detail: &TaskDetail,
) -> Result<(), Failure> {
    let id = detail.row.id.to_string();
    if context.console.json {
        let item = docs::Item::Task(Box::new(look::brief(context.desk, &detail.into()).await?));
        document(context, shown, cursor, id, item)
    } else {
        line(context, shown, id, text::task::change(&detail.row, context.console.paint()))
    }
}

async fn request(
    context: &Context<'_>,
    shown: &mut Shown,
    cursor: Cursor,
    row: &RequestRow,
) -> Result<(), Failure> {
    let id = row.id.to_string();
    if context.console.json {
        let Some(request) = look::request_brief(context.desk, row.id).await? else { return Ok(()) };
        document(context, shown, cursor, id, docs::Item::Request(Box::new(request)))
    } else {
        line(context, shown, id, text::request::change(row, context.console.paint()))
    }
}

fn document(
    context: &Context<'_>,
    shown: &mut Shown,
    cursor: Cursor,
    id: String,
    item: docs::Item,
) -> Result<(), Failure> {
    if shown.reads_otherwise(id, serde_json::to_string(&item).map_err(std::io::Error::from)?) {
        let (epoch, seq) = shown.number(cursor);
        context.console.document(&docs::Change { epoch, seq, item })?;
    }
    Ok(())
}

fn line(context: &Context<'_>, shown: &mut Shown, id: String, line: String) -> Result<(), Failure> {
    if shown.reads_otherwise(id, line.clone()) {
        context.console.text(&format!("{line}\n"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_go_back_within_an_epoch() {
        let mut shown = Shown::default();
        let looks = [(1, 7), (1, 9), (1, 8), (1, 10), (2, 3), (2, 2)];
        let told = looks.map(|(epoch, seq)| shown.number(Cursor { epoch, seq, shape: 0 }));
        assert_eq!(told, [(1, 7), (1, 9), (1, 9), (1, 10), (2, 3), (2, 3)]);
    }
}
