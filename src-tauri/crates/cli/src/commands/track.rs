//! `track`: tasks that were started elsewhere.

use std::collections::HashSet;

use signalbox_api::words;
use signalbox_api::{ApiError, DeskExt as _, Listing, TaskRow, command};
use signalbox_model::{CallId, Tracking};

use super::{Context, task};
use crate::exit::{Exit, Failure};
use crate::text::sanitise;
use crate::{docs, input, look, text};

/// Adopts the handle; the desk looks at it once.
pub(super) async fn one(context: &Context<'_>, server: String, task_id: &str) -> Result<Exit, Failure> {
    let task_id = input::text("TASK_ID", task_id).await?.trim().to_owned();
    if task_id.is_empty() {
        return Err(Failure::usage("the task id is empty"));
    }
    let call = adopt(context, server, task_id).await?;
    let detail = look::task(context.desk, call).await?;
    task::print(context, &detail).await?;
    Ok(kept(context, &detail.row))
}

/// The handle is kept whatever the first look brought; whether the server knows it is seen later.
fn kept(context: &Context<'_>, TaskRow { id, server_name, tracking, note, .. }: &TaskRow) -> Exit {
    match tracking {
        Tracking::Unreachable => {
            context.console.say(&format!("{id} is kept, but {server_name} cannot be reached yet."));
            Exit::Unreachable
        }
        Tracking::SignInNeeded => {
            context.console.say(&format!("{id} is kept, but {server_name} requires a sign-in first."));
            Exit::SignInNeeded
        }
        Tracking::Stalled => {
            let why = note.as_ref().map(|why| sanitise::line(&words::note(why))).unwrap_or_default();
            context
                .console
                .say(&format!("{id} is kept, but {server_name} does not say how the task is: {why}"));
            Exit::Done
        }
        _ => Exit::Done,
    }
}

/// Without a task id: what could be adopted.
pub(super) async fn offer(context: &Context<'_>, server: String) -> Result<Exit, Failure> {
    let listing = listing(context, &server).await?;
    if context.console.json {
        context.console.document(&docs::Offered::from(listing))?;
        return Ok(Exit::Done);
    }
    context.console.text(&text::task::listing(&listing, context.console))?;
    if !listing.tasks.is_empty() {
        let advice = "`signalbox track SERVER TASK_ID` follows one of them, `signalbox track SERVER --all` all of them.";
        context.console.say(advice);
    }
    Ok(Exit::Done)
}

/// Adopts all that the server lists, one after the other. One that has gone meanwhile stops none of the others.
pub(super) async fn all(context: &Context<'_>, server: String) -> Result<Exit, Failure> {
    let Listing { tasks, complete, .. } = listing(context, &server).await?;
    let mut adopted = HashSet::with_capacity(tasks.len());
    let mut failures = Vec::new();
    for task in tasks {
        match adopt(context, server.clone(), task.task_id).await {
            Ok(call) => {
                adopted.insert(call);
            }
            Err(error) => failures.push(error),
        }
    }
    if adopted.is_empty() && !failures.is_empty() {
        return Err(failures.remove(0).into());
    }
    let server = look::server(context.desk, &server).await?.id;
    let mut entries = look::entries(context.desk, &look::of(format!("server:{server}"))).await?;
    entries.retain(|entry| adopted.contains(&entry.row.id));
    let rows: Vec<TaskRow> = entries.iter().map(|entry| entry.row.clone()).collect();
    if context.console.json {
        let tasks = look::briefs(context.desk, &entries).await?;
        context.console.document(&docs::Tasks { tasks })?;
    } else {
        context.console.text(&text::task::table(&rows, context.console))?;
    }
    if !complete {
        context
            .console
            .say("The server lists more than could be read at once. Run the same command again to go on.");
    }
    let mut exit = Exit::Done;
    let away = |row: &&TaskRow| matches!(row.tracking, Tracking::Unreachable | Tracking::SignInNeeded);
    if let Some(row) = rows.iter().find(away) {
        exit = kept(context, row);
    }
    for error in failures {
        context.console.say(&format!("One more could not be followed: {}.", error.message));
        exit = error.code.into();
    }
    Ok(exit)
}

async fn adopt(context: &Context<'_>, server: String, task_id: String) -> Result<CallId, ApiError> {
    context.desk.act(command::Track { server, task_id }).await
}

async fn listing(context: &Context<'_>, server: &str) -> Result<Listing, Failure> {
    let listing = context.desk.act(command::ListTasks { server: server.to_owned() }).await?;
    listing.ok_or_else(|| Failure::usage("this server does not list its tasks: give the task id"))
}
