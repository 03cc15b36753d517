//! One task, followed change by change.

use std::ops::ControlFlow;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use signalbox_api::{ApiError, Code, Cursor, Desk, DeskExt as _, TaskDetail, Trouble, command};
use signalbox_model::CallId;

use super::Context;
use crate::exit::Failure;
use crate::look;

/// How long one question for changes is held. An answer without changes only asks again.
pub(crate) const HOLD: Duration = Duration::from_secs(30);

/// One look at something takes a command no longer than this.
const REFRESH: Duration = Duration::from_secs(10);
/// How many looks are under way side by side: an owner takes few asks of one program at a time, and `watch` holds some of them.
/// Manners towards each server are the engine's.
const SIDE_BY_SIDE: usize = 16;

/// Hands the task to `each`, as it is and then at every change, until `each` breaks. That no change can come is said: the wait
/// goes on, for what servers say waits for room, and an owner that left would lose it.
pub(super) async fn task<T>(
    context: &Context<'_>,
    call: CallId,
    mut each: impl AsyncFnMut(Cursor, TaskDetail) -> Result<ControlFlow<T>, Failure>,
) -> Result<T, Failure> {
    let desk = context.desk;
    let (mut after, mut silence): (Option<Cursor>, _) = (None, Silence::default());
    loop {
        let (now, seen) = desk.look(signalbox_api::look::Task { call }, after, HOLD).await?;
        if after.is_some_and(|cursor| cursor.epoch != now.epoch) {
            // A new owner, maybe ourselves.
            look_once(desk, [call]).await;
        }
        after = Some(now);
        match seen {
            None => silence.explain(context).await?,
            Some(Some(task)) => {
                if let ControlFlow::Break(done) = each(now, *task).await? {
                    return Ok(done);
                }
            }
            Some(None) => return Err(look::unknown_task(&call.to_string()).into()),
        }
    }
}

/// Why nothing changes, where that is no server's doing. Said once.
#[derive(Default)]
pub(super) struct Silence {
    said: Option<String>,
}

impl Silence {
    /// To be called when nothing has changed for as long as one question for changes is held.
    pub(super) async fn explain(&mut self, context: &Context<'_>) -> Result<(), ApiError> {
        let troubles = look::overview(context.desk).await?.troubles;
        let of_disk = |trouble: &Trouble| {
            matches!(
                trouble.code,
                Code::StorageFull | Code::StorageDenied | Code::StorageDamaged | Code::StorageGone
            )
        };
        let why = troubles.into_iter().find(of_disk).map(|trouble| trouble.message);
        if let Some(why) = why.as_ref().filter(|why| self.said.as_ref() != Some(*why)) {
            context.console.say(&format!("What servers say is not kept, and so not shown: {why}"));
        }
        self.said = why;
        Ok(())
    }
}

/// Has the owner look at these once, now or when their stored next-poll times allow, and follow them from then on: a
/// command that is the owner follows only what is named. Bounded by [`REFRESH`].
pub(super) async fn look_once(desk: &dyn Desk, calls: impl IntoIterator<Item = CallId>) {
    let looks = stream::iter(calls).for_each_concurrent(SIDE_BY_SIDE, async |call| {
        // What cannot be looked at in time is shown as it is stored; its `tracking` says so.
        let _ = desk.act(command::Refresh { call }).await;
    });
    let _ = tokio::time::timeout(REFRESH, looks).await;
}
