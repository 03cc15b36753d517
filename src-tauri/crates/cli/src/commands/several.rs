//! `cancel`, `forget` and `tag` of several tasks: one wish for all of them, and what became of each.

use std::collections::BTreeSet;

use signalbox_api::command::{self, TaskOutcome};
use signalbox_api::{ApiError, Code, DeskExt as _, ListQuery, TaskRow};
use signalbox_model::CallId;

use super::Context;
use crate::args::Matching;
use crate::docs::LeftAlone;
use crate::exit::{Exit, Failure};
use crate::text::several::{Meant, Wish};
use crate::{docs, ends, look, text};

/// The most tasks that a filter may mean: no command takes more.
const MOST: u32 = 1_000;

/// Carries a wish out with the tasks that are named, or with those that match.
pub(super) async fn run(
    context: &Context<'_>,
    wish: &Wish,
    tasks: &[String],
    matching: &Matching,
) -> Result<Exit, Failure> {
    let Some(filter) = &matching.filter else {
        let calls = found(context, tasks).await?;
        return told(context, wish, carried_out(context, wish, calls).await?, None);
    };
    let meant = meant(context, wish, filter).await?;
    context.console.block(&text::several::means(wish, &meant));
    let calls: Vec<CallId> = meant.rows.iter().map(|row| row.id).collect();
    if calls.is_empty() {
        return told(context, wish, Vec::new(), meant.left);
    }
    if !matching.yes && !confirmed(context, wish, calls.len()).await? {
        context.console.say("Not confirmed: nothing was done");
        return Ok(Exit::Failed);
    }
    told(context, wish, carried_out(context, wish, calls).await?, meant.left)
}

async fn carried_out(
    context: &Context<'_>,
    wish: &Wish,
    calls: Vec<CallId>,
) -> Result<Vec<TaskOutcome>, ApiError> {
    match wish {
        Wish::Cancel => context.desk.act(command::CancelTasks { calls }).await,
        Wish::Forget => context.desk.act(command::ForgetTasks { calls }).await,
        Wish::Tag { add, remove } => {
            let (add, remove) = (add.clone(), remove.clone());
            context.desk.act(command::TagTasks { calls, add, remove }).await
        }
    }
}

/// Which they are. One that is not known ends the command before anything is done with the others.
async fn found(context: &Context<'_>, tasks: &[String]) -> Result<Vec<CallId>, Failure> {
    let mut calls = BTreeSet::new();
    for task in tasks {
        calls.insert(look::find(context.desk, task).await?);
    }
    Ok(calls.into_iter().collect())
}

/// The tasks that match, as they are now: what is decided about stands still, whatever happens until it is confirmed.
async fn meant(context: &Context<'_>, wish: &Wish, filter: &str) -> Result<Meant, Failure> {
    if filter.trim().is_empty() {
        // A variable of a script that is empty must not mean all.
        return Err(Failure::usage("an empty filter matches every task: say which ones are meant"));
    }
    if context.owns() {
        // What is asked for may be another status by now, so the filter comes after the look.
        context.refresh(look::live(context.desk, String::new()).await?).await;
    }
    let all = look::of(filter.to_owned());
    let Wish::Cancel = wish else {
        return Ok(Meant { rows: at_most(context, &all).await?, left: None });
    };
    let live = ListQuery { within: vec!["-is:ended".to_owned()], ..all.clone() };
    let mut rows = at_most(context, &live).await?;
    let (_, matching) = look::rows(context.desk, &all, 0).await?;
    let ended = matching.saturating_sub(text::count(rows.len()));
    let before = rows.len();
    rows.retain(|row| row.cancel.is_none());
    let asked = text::count(before - rows.len());
    Ok(Meant { rows, left: Some(LeftAlone { ended, asked }) })
}

async fn at_most(context: &Context<'_>, query: &ListQuery) -> Result<Vec<TaskRow>, Failure> {
    let (rows, more) = look::rows(context.desk, query, MOST).await?;
    if more > 0 {
        return Err(Failure::usage(format!(
            "{} tasks match, and at most {MOST} are taken at once: narrow the filter. Nothing was done",
            u64::from(MOST) + u64::from(more)
        )));
    }
    Ok(rows)
}

async fn confirmed(context: &Context<'_>, wish: &Wish, count: usize) -> Result<bool, Failure> {
    if !context.console.has_person() {
        let message = "Nobody can be asked here: --yes confirms that all of these are meant";
        return Err(ApiError::new(Code::InputNeeded, message).into());
    }
    Ok(context.console.confirms(&text::several::question(wish, count)).await)
}

/// What became of each. The command ends as the first that failed would.
fn told(
    context: &Context<'_>,
    wish: &Wish,
    outcomes: Vec<TaskOutcome>,
    left: Option<LeftAlone>,
) -> Result<Exit, Failure> {
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
        context.console.document(&docs::Several { done, failures: failures.collect(), left })?;
    } else if all > 0 {
        context.console.text(&text::several::done(wish, done.len(), all))?;
    }
    for (call, failure) in &failures {
        let message = format!("{call}: {}", failure.message);
        ends::say(context.console, &ApiError { message, ..failure.clone() });
    }
    Ok(failures.first().map_or(Exit::Done, |(_, failure)| Exit::from(failure.code)))
}
