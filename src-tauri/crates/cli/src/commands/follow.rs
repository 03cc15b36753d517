//! One task, followed change by change.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use signalbox_api::{Cursor, Desk, DeskExt as _, TaskDetail, Trouble, command};
use signalbox_model::CallId;
use tokio::time::{Instant, timeout_at};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::{look, text};

/// How long one question for changes is held. An answer without changes only asks again.
pub(crate) const HOLD: Duration = Duration::from_secs(30);

/// One look at something takes a command no longer than this.
const REFRESH: Duration = Duration::from_secs(10);
/// An owner gives a look up after so long, too, and does not say so.
const ABOUT: Duration = Duration::from_millis(200);
/// How many looks are under way side by side: an owner takes few asks of one program at a time, and `watch` holds some of them.
/// Manners towards each server are the engine's.
const SIDE_BY_SIDE: usize = 16;

/// Hands the task to `each`, as it is and then at every change, until `each` breaks.
pub(super) async fn task<T>(
    context: &Context<'_>,
    call: CallId,
    mut each: impl AsyncFnMut(Cursor, TaskDetail) -> Result<ControlFlow<T>, Failure>,
) -> Result<T, Failure> {
    let desk = context.desk;
    let mut after: Option<Cursor> = None;
    loop {
        let (now, seen) = desk.look(signalbox_api::look::Task { call }, after, HOLD).await?;
        if after.is_some_and(|cursor| cursor.epoch != now.epoch) {
            // A new owner, maybe ourselves.
            let _ = poll_once(desk, [call], REFRESH).await;
        }
        after = Some(now);
        match seen {
            None => {}
            Some(Some(task)) => {
                if let ControlFlow::Break(done) = each(now, *task).await? {
                    return Ok(done);
                }
            }
            Some(None) => return Err(look::unknown_task(&call.to_string()).into()),
        }
    }
}

/// Follows something, and says at once when nothing that servers say can be kept, and when it can be again. The following goes
/// on meanwhile: what servers say waits for room, and an owner that left would lose it.
pub(super) async fn telling_troubles<T>(context: &Context<'_>, following: impl Future<Output = T>) -> T {
    // On the heap: it would make the future of every command large.
    let following = Box::pin(following);
    tokio::select! {
        done = following => done,
        never = tell_troubles(context) => match never {},
    }
}

async fn tell_troubles(context: &Context<'_>) -> Infallible {
    let of_home = |trouble: &Trouble| Exit::from(trouble.code) == Exit::Home;
    let (mut after, mut said) = (None, None);
    // Where the desk itself cannot be asked, what is followed ends with that error.
    while let Ok((cursor, seen)) = context.desk.look(signalbox_api::look::Troubles {}, after, HOLD).await {
        after = Some(cursor);
        let Some(troubles) = seen else { continue };
        let why = troubles.into_iter().find(of_home).map(|trouble| trouble.message);
        match (&said, &why) {
            (_, Some(why)) if said.as_ref() != Some(why) => {
                context.console.say(&format!("What servers say cannot be kept, and so is not shown: {why}"));
            }
            (Some(_), None) => context.console.say("What servers say is kept and shown again."),
            _ => {}
        }
        said = why;
    }
    std::future::pending().await
}

/// How long one look may take a command that has to be done by then: what is kept is still to be shown.
pub(super) fn refresh_by(deadline: Option<Instant>) -> Duration {
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    left.map_or(REFRESH, |left| REFRESH.min(left / 2))
}

/// Has the owner poll these once, now or when their stored next-poll times allow, and follow them from then on: a
/// command that is the owner follows only what is named. Which had no answer `within` that.
pub(super) async fn poll_once(
    desk: &dyn Desk,
    calls: impl IntoIterator<Item = CallId>,
    within: Duration,
) -> BTreeSet<CallId> {
    let calls: Vec<CallId> = calls.into_iter().collect();
    let mut left: BTreeSet<CallId> = calls.iter().copied().collect();
    let began = Instant::now();
    let polls = stream::iter(calls)
        .map(async |call| {
            // Of what cannot be polled its `tracking` says so.
            let _ = desk.act(command::Refresh { call }).await;
            call
        })
        .buffer_unordered(SIDE_BY_SIDE);
    tokio::pin!(polls);
    while let Ok(Some(call)) = timeout_at(began + within, polls.next()).await {
        if began.elapsed() + ABOUT < REFRESH {
            left.remove(&call);
        }
    }
    left
}

/// Says of which servers the tasks are shown as they were kept, since these gave no answer. None that was not due to be asked.
pub(super) async fn say_not_refreshed(context: &Context<'_>, calls: &BTreeSet<CallId>, within: Duration) {
    let now = context.console.now();
    let mut servers = BTreeSet::new();
    for call in calls {
        // That it cannot be looked at is said where it is shown.
        let Ok(task) = look::task(context.desk, *call).await else { continue };
        let is_due = task.row.next_poll_at.is_none_or(|at| now.ms_since(at) >= 0);
        if is_due && task.row.outcome.is_none() {
            servers.insert(task.row.server_name);
        }
    }
    if !servers.is_empty() {
        let names: Vec<String> = servers.into_iter().collect();
        let within = text::time::within(within);
        context.console.say(&format!(
            "not refreshed within {within}: tasks of {}. They are shown as they were kept last",
            names.join(", ")
        ));
    }
}
