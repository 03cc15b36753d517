//! `cancel` and `forget` of several tasks: one wish for all of them, and what became of each.

use std::collections::BTreeSet;

use signalbox_api::command::{self, TaskOutcome};
use signalbox_api::{ApiError, DeskExt as _};
use signalbox_model::CallId;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::{docs, ends, look};

/// Asks the servers of all of them to cancel.
pub(super) async fn cancel(context: &Context<'_>, tasks: &[String]) -> Result<Exit, Failure> {
    let calls = found(context, tasks).await?;
    let outcomes = context.desk.act(command::CancelTasks { calls }).await?;
    told(context, outcomes, "are cancelled, or their servers have the request to cancel")
}

/// Deletes what is kept of all of them.
pub(super) async fn forget(context: &Context<'_>, tasks: &[String]) -> Result<Exit, Failure> {
    let calls = found(context, tasks).await?;
    let outcomes = context.desk.act(command::ForgetTasks { calls }).await?;
    told(context, outcomes, "are forgotten")
}

/// Which they are. One that is not known ends the command before anything is done with the others.
async fn found(context: &Context<'_>, tasks: &[String]) -> Result<Vec<CallId>, Failure> {
    let mut calls = BTreeSet::new();
    for task in tasks {
        calls.insert(look::find(context.desk, task).await?);
    }
    Ok(calls.into_iter().collect())
}

/// What became of each. The command ends as the first that failed would.
fn told(context: &Context<'_>, outcomes: Vec<TaskOutcome>, what: &str) -> Result<Exit, Failure> {
    let all = outcomes.len();
    let (mut done, mut failures) = (Vec::new(), Vec::new());
    for TaskOutcome { call, failure } in outcomes {
        match failure {
            None => done.push(call),
            Some(failure) => failures.push((call, failure)),
        }
    }
    if context.console.json {
        let failures =
            failures.iter().map(|(task, failure)| docs::NotDone { task: *task, failure: failure.into() });
        context.console.document(&docs::Several { done: done.clone(), failures: failures.collect() })?;
    } else {
        context.console.text(&format!("{} of {all} {what}.\n", done.len()))?;
    }
    for (call, failure) in &failures {
        let message = format!("{call}: {}", failure.message);
        ends::say(context.console, &ApiError { message, ..failure.clone() });
    }
    Ok(failures.first().map_or(Exit::Done, |(_, failure)| Exit::from(failure.code)))
}
