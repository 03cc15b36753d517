//! `tasks`, `show`, `cancel`, `forget`.

use signalbox_api::{
    ApiError, Code, DeskExt as _, ListQuery, TaskDetail, TaskRow, command, look as api_look,
};
use signalbox_model::{CallId, RequestId, Status, Word};

use super::{Context, several};
use crate::args::{Chosen, Tasks};
use crate::ends::UNSAID;
use crate::exit::{Exit, Failure};
use crate::text::several::Wish;
use crate::{docs, look, text};

/// Runs `tasks`.
pub(super) async fn list(context: &Context<'_>, args: &Tasks) -> Result<Exit, Failure> {
    // Before anything is asked of a server: the name may be wrong.
    let mut query = match &args.view {
        Some(name) => look::view(context.desk, name).await?,
        None => ListQuery::default(),
    };
    let server = match &args.server {
        Some(name) => Some(format!("server:{}", look::server(context.desk, name).await?.id)),
        None => None,
    };
    if context.owns() {
        // What is asked for may be another status by now, so the filter comes after the look.
        context.refresh(look::live(context.desk, server.clone().unwrap_or_default()).await?).await;
    }
    let status = args.status.map(|status| format!("status:{}", Status::from(status).word()));
    // No token joins one of the view's: each of these stands beside it.
    let own: Vec<String> = server.into_iter().chain(status).collect();
    let filters = [own.join(" "), args.filter.clone().unwrap_or_default()];
    query.within.extend(filters.into_iter().filter(|filter| !filter.is_empty()));
    if let Some(sort) = &args.sort {
        // Who says how rows are sorted means all of them, and not those of each group.
        (query.sort, query.group) = (sort.clone(), "none".to_owned());
    }
    if let Some(group) = &args.group {
        query.group.clone_from(group);
    }
    if context.console.json {
        let entries = look::entries(context.desk, &query).await?;
        let tasks = look::briefs(context.desk, &entries).await?;
        context.console.document(&docs::Tasks { tasks })?;
    } else {
        let mut groups = look::tasks(context.desk, &query).await?;
        // The heads of the list as it always is are left to the window.
        if query.group.is_empty() {
            groups = vec![(None, groups.into_iter().flat_map(|(_, rows)| rows).collect())];
        }
        let narrowed = query.within.iter().chain([&query.filter]).any(|filter| !filter.is_empty());
        context.console.text(&text::task::list(&groups, narrowed, context.console))?;
    }
    Ok(Exit::Done)
}

/// `show`: a task or a question.
pub(super) async fn show(context: &Context<'_>, item: &str, requests: bool) -> Result<Exit, Failure> {
    if let Ok(request) = item.parse::<RequestId>() {
        if requests {
            let message = format!("--requests is about tasks, and {request} is a question");
            return Err(ApiError::new(Code::Usage, message).into());
        }
        return show_request(context, request).await;
    }
    let call = look::find(context.desk, item).await?;
    if look::task(context.desk, call).await?.row.outcome.is_none() {
        context.refresh([call]).await;
    }
    let detail = look::task(context.desk, call).await?;
    if !requests {
        print(context, &detail).await?;
        if let Some(hint) = text::task::hint(&detail).filter(|_| !context.console.json) {
            context.console.progress(&hint);
        }
        return Ok(Exit::Done);
    }
    let log = context.desk.see(api_look::RequestLog { call }).await?;
    if context.console.json {
        let mut document = look::whole(context.desk, &detail, context.console.now()).await?;
        document.request_log = Some((*log).into());
        context.console.document(&document)?;
    } else {
        let told = text::task::detail(&detail, context.console) + &text::exchange::log(&log, context.console);
        context.console.text(&told)?;
    }
    Ok(Exit::Done)
}

async fn show_request(context: &Context<'_>, request: RequestId) -> Result<Exit, Failure> {
    let detail = look::request(context.desk, request).await?;
    context.refresh(detail.row.call.filter(|_| detail.row.waits())).await;
    let detail = look::request(context.desk, request).await?;
    let earlier = context.desk.act(command::EarlierAnswers { request }).await?;
    if context.console.json {
        context.console.document(&docs::Request::alone(&detail).answered_before(&earlier))?;
    } else {
        let earlier = text::earlier::answers(&earlier, context.console);
        context.console.text(&(text::request::detail(&detail, context.console) + &earlier))?;
    }
    Ok(Exit::Done)
}

pub(super) async fn print(context: &Context<'_>, detail: &TaskDetail) -> Result<Exit, Failure> {
    if context.console.json {
        context.console.document(&look::whole(context.desk, detail, context.console.now()).await?)?;
    } else {
        context.console.text(&text::task::detail(detail, context.console))?;
    }
    Ok(Exit::Done)
}

/// Runs `cancel`.
pub(super) async fn cancel(context: &Context<'_>, chosen: &Chosen, again: bool) -> Result<Exit, Failure> {
    let [task] = chosen.tasks.as_slice() else {
        if again {
            return Err(Failure::usage("--again insists on one task: name that one alone"));
        }
        return several::run(context, &Wish::Cancel, &chosen.tasks, &chosen.matching).await;
    };
    let call = look::find(context.desk, task).await?;
    let row = look::task(context.desk, call).await?.row;
    once(&row, again)?;
    let seen = row.cancel.as_ref().map(|wish| wish.requested_at);
    let cancelled = context.desk.act(command::Cancel { call, seen });
    tokio::pin!(cancelled);
    if let Ok(done) = tokio::time::timeout(UNSAID, &mut cancelled).await {
        done?;
    } else {
        let row = look::task(context.desk, call).await?.row;
        if !row.has_task && row.outcome.is_none() {
            context.console.say(&format!(
                "{call} is no task yet: the wish waits for the server's answer. `signalbox cancel {call} --again` gives \
                 the call up"
            ));
        }
        cancelled.await?;
    }
    let detail = look::task(context.desk, call).await?;
    if context.console.json {
        context.console.document(&look::whole(context.desk, &detail, context.console.now()).await?)?;
    } else {
        let line = text::task::change(&detail.row, context.console.paint());
        context.console.text(&format!("{}\n{line}\n", text::task::cancelled(&detail.row)))?;
    }
    Ok(Exit::Done)
}

/// Refuses to insist unless that is wanted: two people who each cancel once do not.
fn once(row: &TaskRow, is_wanted: bool) -> Result<(), ApiError> {
    let Some(wish) = row.cancel.as_ref().filter(|_| row.outcome.is_none() && !is_wanted) else {
        return Ok(());
    };
    let how = match (wish.acknowledged_at, row.has_task) {
        (Some(_), _) => "its server took note of that. --again asks the server once more",
        (None, true) => "that is on its way to its server. --again sends it at once",
        (None, false) => "that waits for the server's answer to the call. --again gives the call up",
    };
    let message = format!("Somebody asked to cancel {} before, and {how}", row.id);
    Err(ApiError::new(Code::CancelledMeanwhile, message))
}

/// Runs `forget`.
pub(super) async fn forget(context: &Context<'_>, chosen: &Chosen) -> Result<Exit, Failure> {
    let [task] = chosen.tasks.as_slice() else {
        return several::run(context, &Wish::Forget, &chosen.tasks, &chosen.matching).await;
    };
    let call: CallId = look::find(context.desk, task).await?;
    context.desk.act(command::Forget { call }).await?;
    if context.console.json {
        context.console.document(&docs::Forgotten { forgotten: call })?;
    } else {
        context.console.text(&format!("forgot {call}\n"))?;
    }
    Ok(Exit::Done)
}
