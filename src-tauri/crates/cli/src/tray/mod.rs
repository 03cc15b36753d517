//! The icon in the tray of `serve --tray`: how many questions need their person, the next of them, and the way to the window.
//!
//! It speaks D-Bus alone (StatusNotifierItem, through `ksni`). Where nothing shows it, it looks at nothing, and waits for a
//! panel that comes. It looks at the desk as any host does: at what changed, after a rest, and once a minute while a time that
//! passes is shown. `menu` has the words, `icon` the picture, `item` is what panels see.

mod icon;
mod item;
mod menu;

use std::sync::Arc;
use std::time::Duration;

use ksni::TrayMethods as _;
use signalbox_api::{
    ApiError, Cursor, Desk, DeskExt as _, Local, RequestList, RequestRow, TaskRow, command, look as looks,
    tomorrow,
};
use signalbox_model::Timestamp;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use crate::look::{incomplete, waits};
use crate::stops::{self, Stops};
use item::{Item, PRESSES, Pressed, Shown};
use menu::{NAMED, NAMED_TASKS, Press, Question, State, Task};

/// A panel is told of changes at most this often.
const REST: Duration = Duration::from_secs(1);
/// How long one look waits.
const WAIT: Duration = Duration::from_secs(60);
/// So many questions are looked through for those that need somebody: others that are on their way may stand before them.
const LOOKED_AT: u32 = 32;

/// Shows the window, at an item or where a link leads, with the right to come to the front.
pub(crate) type ShowWindow = Box<dyn Fn(Option<String>, Option<String>) + Send + Sync>;

/// Shows the icon for as long as this is polled. Without a bus there is none, and nothing else is missing.
pub(crate) async fn run(local: Arc<Local>, show: ShowWindow) {
    let (pressed, presses) = mpsc::channel(PRESSES);
    let (seen, is_seen) = watch::channel(true);
    let (at_first, _) = sight(&State::default());
    let handle = loop {
        let item = Item::new(at_first.clone(), pressed.clone(), seen.clone());
        match item.assume_sni_available(true).spawn().await {
            Ok(handle) => break handle,
            // A panel that is just starting may not take us yet.
            Err(ksni::Error::Watcher(error)) => tracing::warn!(%error, "the tray does not take our icon now"),
            Err(error) => return tracing::warn!(%error, "there is no icon in the tray"),
        }
        sleep_until(Instant::now() + WAIT).await;
    };
    let desk: &dyn Desk = &*local;
    tokio::join!(keep(desk, &handle, is_seen), follow(desk, presses, &show));
}

/// What is shown, and in how long it reads otherwise by itself.
fn sight(state: &State) -> (Shown, Option<Duration>) {
    let now = signalbox_engine::wall();
    let shown = Shown {
        needs_you: state.needs_you,
        title: menu::title(state),
        more: menu::more(state),
        menu: menu::menu(state, now),
    };
    (shown, menu::ticks_in(state, now).map(Duration::from_millis))
}

/// Keeps the icon as things stand, while anything shows it.
async fn keep(desk: &dyn Desk, handle: &ksni::Handle<Item>, mut is_seen: watch::Receiver<bool>) {
    let mut shown = None;
    while is_seen.wait_for(|seen| *seen).await.is_ok() {
        let (state, since) = match read(desk).await {
            Ok(read) => read,
            Err(error) => {
                tracing::warn!(%error, "the icon in the tray may be behind");
                sleep_until(Instant::now() + WAIT).await;
                continue;
            }
        };
        let now = Instant::now();
        let (sight, ticks_in) = sight(&state);
        if shown.as_ref() != Some(&sight) {
            shown = Some(sight.clone());
            handle.update(|item| item.show(sight)).await;
        }
        sleep_until(now + REST).await;
        tokio::select! {
            () = changed(desk, since) => {}
            () = sleep_until(now + ticks_in.unwrap_or(WAIT)) => {}
            // A panel that comes anew reads all by itself.
            _ = is_seen.changed() => {}
        }
    }
}

/// What was seen last of the overview and of the questions, and of the tasks under way where there are any.
struct Since {
    overview: Cursor,
    asked: Cursor,
    working: Option<Cursor>,
}

/// The questions that are not over, in the order of the inbox.
fn asked() -> looks::Requests {
    let list = RequestList::Waiting;
    looks::Requests { list, filter: String::new(), offset: 0, limit: LOOKED_AT, whole: false }
}

/// How things stand.
async fn read(desk: &dyn Desk) -> Result<(State, Since), ApiError> {
    let (overview_at, change) = desk.look(looks::Overview {}, None, Duration::ZERO).await?;
    let overview = change.and_then(|change| change.after(None)).ok_or_else(incomplete)?;
    let (asked_at, page) = desk.look(asked(), None, Duration::ZERO).await?;
    let waiting = page.map(|page| page.rows).unwrap_or_default();
    let mut since = Since { overview: overview_at, asked: asked_at, working: None };
    let mut working = Vec::new();
    if overview.tasks.working > 0 {
        let (at, page) = desk.look(stops::working(), None, Duration::ZERO).await?;
        since.working = Some(at);
        working = page.map(|page| page.rows).unwrap_or_default();
    }
    let stops = stops::stops(&overview, &working);
    let stops = Stops { forgotten: stops::forgotten(desk).await?, ..stops };
    let needs = |row: &RequestRow| waits(row) && row.snoozed.is_none();
    let rows = waiting.into_iter().map(|entry| entry.row).filter(needs).take(NAMED);
    let state = State {
        needs_you: overview.inbox,
        questions: rows.map(Question::from).collect(),
        working: overview.tasks.working,
        tasks: working.into_iter().take(NAMED_TASKS).map(Task::from).collect(),
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
async fn changed(desk: &dyn Desk, Since { overview, asked, working }: Since) {
    let of_tasks = async {
        match working {
            Some(working) => drop(desk.look(stops::working(), Some(working), WAIT).await),
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = desk.look(looks::Overview {}, Some(overview), WAIT) => {}
        _ = desk.look(self::asked(), Some(asked), WAIT) => {}
        () = of_tasks => {}
    }
}

/// Follows presses, one after the other.
async fn follow(desk: &dyn Desk, mut presses: mpsc::Receiver<Pressed>, show: &ShowWindow) {
    while let Some(Pressed { press, token }) = presses.recv().await {
        let now = signalbox_engine::wall();
        let done = match press {
            Press::Show => {
                show(None, token);
                Ok(())
            }
            Press::Ask(request) => {
                show(Some(request.to_string()), token);
                Ok(())
            }
            Press::Task(task) => {
                show(Some(task.to_string()), token);
                Ok(())
            }
            Press::Go(place) => {
                show(Some(place.link()), token);
                Ok(())
            }
            Press::PauseHour => pause(desk, Some(now.plus_ms(3_600_000))).await,
            Press::PauseTomorrow => pause(desk, Some(tomorrow(now))).await,
            Press::GoOn => pause(desk, None).await,
            Press::Quit { knowing } => match read(desk).await {
                // Something has come since: the window and the menu say it.
                Ok((state, _)) if state.stops.takes_two() && !knowing => {
                    show(None, token);
                    Ok(())
                }
                _ => desk.act(command::Quit {}).await,
            },
        };
        if let Err(error) = done {
            tracing::warn!(%error, "what was pressed in the tray was not done");
        }
    }
}

async fn pause(desk: &dyn Desk, until: Option<Timestamp>) -> Result<(), ApiError> {
    desk.act(command::PauseNotifications { until }).await
}
