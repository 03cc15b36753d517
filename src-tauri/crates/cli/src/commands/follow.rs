//! One task, followed change by change.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use signalbox_api::{Cursor, Desk, DeskExt as _, TaskDetail, Trouble, command};
use signalbox_model::CallId;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::look;

/// How long one question for changes is held. An answer without changes only asks again.
pub(crate) const HOLD: Duration = Duration::from_secs(30);

/// One look at something takes a command no longer than this.
const REFRESH: Duration = Duration::from_secs(10);
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
            poll_once(desk, [call]).await;
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

/// Has the owner poll these once, now or when their stored next-poll times allow, and follow them from then on: a
/// command that is the owner follows only what is named. Bounded by [`REFRESH`].
pub(super) async fn poll_once(desk: &dyn Desk, calls: impl IntoIterator<Item = CallId>) {
    let polls = stream::iter(calls).for_each_concurrent(SIDE_BY_SIDE, async |call| {
        // What cannot be polled in time is shown as it is stored; its `tracking` says so.
        let _ = desk.act(command::Refresh { call }).await;
    });
    let _ = tokio::time::timeout(REFRESH, polls).await;
}
