//! `diff`: what came of a task, compared with the run before it.

use signalbox_api::{DeskExt as _, command};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::{docs, look, text};

/// Runs `diff`.
pub(super) async fn run(context: &Context<'_>, task: &str) -> Result<Exit, Failure> {
    let call = look::find(context.desk, task).await?;
    let difference = context.desk.act(command::Diff { call }).await?;
    if context.console.json {
        context.console.document(&docs::Compared { task: call, difference })?;
    } else {
        context.console.text(&text::difference::told(call, difference.as_deref(), context.console))?;
    }
    Ok(Exit::Done)
}
