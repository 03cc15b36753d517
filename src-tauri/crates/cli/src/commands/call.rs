//! `call`: starts a tool call, follows it to its end and asks in between.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Duration;

use signalbox_api::words::note;
use signalbox_api::{ApiError, Code, DeskExt as _, Detail, Retry, TaskDetail, command};
use signalbox_model::{CallId, Delivery, Json, Outcome, RequestId, Transport};

use super::answer::{Asked, interactively};
use super::{Context, follow};
use crate::args::{Call, Calling};
use crate::exit::{Exit, Failure};
use crate::text::{Hue, Paint, sanitise};
use crate::{ask, input, look, text};

/// With somebody else following, `--detach` waits no longer than this for the server to take the call.
const TAKEN: Duration = Duration::from_secs(10);
const PLAIN: Paint = Paint { colour: false };

/// Runs `call`.
pub(super) async fn run(context: &Context<'_>, args: Call) -> Result<Exit, Failure> {
    let arguments = match &args.how.args {
        Some(given) => input::object("--args", given).await?,
        None => missing(context, &args).await?,
    };
    start(context, args, arguments).await
}

/// Starts the tool with these arguments, and follows it as long as is wanted.
pub(super) async fn start(context: &Context<'_>, args: Call, arguments: Json) -> Result<Exit, Failure> {
    let Call { server, tool, how } = args;
    if how.detach && context.owns() {
        needs_no_owner(context, &server).await?;
    }
    let person = person(context, &how);
    let call = context.desk.act(command::Start { server, tool, arguments, ttl_ms: how.ttl }).await?;
    context.waiting_for.set(Some(call));
    let following = async {
        match how.detach {
            true => Ok((End::Over, taken(context, call).await?)),
            false => wait(context, call, person).await,
        }
    };
    let (end, detail) = follow::telling_troubles(context, following).await?;
    report(context, &detail, end, how.detach).await
}

/// Whether somebody can be asked. Arguments from stdin leave nobody to ask there.
fn person(context: &Context<'_>, how: &Calling) -> bool {
    context.console.has_person() && !how.no_input && how.args.as_deref() != Some("-")
}

/// Arguments that were not given: none where none are required, else asked for.
async fn missing(context: &Context<'_>, args: &Call) -> Result<Json, Failure> {
    let tool = match look::tool(context.desk, &args.server, &args.tool).await {
        Ok(tool) => tool,
        // A server that cannot list its tools may be able to call them: it decides.
        Err(error) if matches!(error.code, Code::ServerError | Code::ProtocolError | Code::TimedOut) => {
            return Ok(Json::of(&serde_json::Map::new()));
        }
        Err(error) => return Err(error.into()),
    };
    let required: Vec<_> = tool.form.fields.iter().filter(|field| field.required).collect();
    if required.is_empty() && signalbox_forms::validate(tool.input_schema.text(), "{}").is_ok() {
        return Ok(Json::of(&serde_json::Map::new()));
    }
    if !person(context, &args.how) {
        let names: Vec<_> = required.iter().map(|field| field.name.as_str()).collect();
        let message = format!("{} needs --args with {}", args.tool, names.join(", "));
        let form = Detail::Form(Box::new(tool.form.clone()));
        return Err(ApiError::new(Code::InvalidContent, message).with(form).into());
    }
    context.console.say(&format!("Arguments of {}:", sanitise::line(&tool.name)));
    let filled =
        ask::fill(context.console, &tool.form, tool.input_schema.text(), |field| field.required).await;
    filled.ok_or_else(|| Failure::usage("the input ended: nothing was started"))
}

/// A stdio server is a child of its owner: without a lasting one it would end with this command, and its work too.
async fn needs_no_owner(context: &Context<'_>, server: &str) -> Result<(), Failure> {
    match look::server(context.desk, server).await?.transport {
        Transport::Http { .. } => Ok(()),
        Transport::Stdio { .. } => {
            let message = format!(
                "{server} is a program that would end with this command; without --detach the command waits for the task"
            );
            Err(ApiError::new(Code::NeedsOwner, message).into())
        }
    }
}

/// Why the waiting was over.
enum End {
    /// The call ended, or there was nothing more to wait for.
    Over,
    /// The server asks and nobody can be asked here.
    InputNeeded,
}

/// Until the server has answered the `tools/call`; without a lasting owner leaving earlier would give the call up.
async fn taken(context: &Context<'_>, call: CallId) -> Result<TaskDetail, Failure> {
    let taken = follow::task(context, call, async |_, detail: TaskDetail| {
        // A question shows that it was taken, also where the answer is still to come; with us a call would end that has none.
        let taken = detail.row.outcome.is_some()
            || detail.delivery == Delivery::Answered
            || (detail.row.open_requests > 0 && !context.owns());
        Ok(if taken { ControlFlow::Break(detail) } else { ControlFlow::Continue(()) })
    });
    if context.owns() {
        return taken.await;
    }
    match tokio::time::timeout(TAKEN, taken).await {
        Ok(taken) => taken,
        Err(_) => Ok(look::task(context.desk, call).await?),
    }
}

/// Until the end, or a question that cannot be asked here.
async fn wait(context: &Context<'_>, call: CallId, person: bool) -> Result<(End, TaskDetail), Failure> {
    let mut later: HashSet<RequestId> = HashSet::new();
    let (mut said, mut trouble) = (String::new(), None);
    follow::task(context, call, async |_, detail: TaskDetail| {
        let line = text::task::change(&detail.row, PLAIN);
        if line != said {
            context.console.progress(&line);
            said = line;
        }
        if detail.row.outcome.is_some() {
            return Ok(ControlFlow::Break((End::Over, detail)));
        }
        if detail.row.note != trouble {
            trouble.clone_from(&detail.row.note);
            if let Some(why) = &trouble {
                context.console.say(&format!("{call}: {}", sanitise::line(&note(why))));
            }
        }
        for request in detail.requests.iter().filter(|request| request.waits()) {
            if later.contains(&request.id) {
                continue;
            }
            let asked = if person { interactively(context, request.id).await? } else { Asked::Nobody };
            match asked {
                Asked::Settled => {}
                Asked::Later => {
                    later.insert(request.id);
                    context.console.say(&format!("`signalbox answer {}` answers it later.", request.id));
                }
                Asked::Nobody => return Ok(ControlFlow::Break((End::InputNeeded, detail))),
            }
        }
        Ok(ControlFlow::Continue(()))
    })
    .await
}

async fn report(
    context: &Context<'_>,
    detail: &TaskDetail,
    end: End,
    detached: bool,
) -> Result<Exit, Failure> {
    let (exit, failure) = match (end, detail.row.outcome) {
        (End::InputNeeded, _) => {
            let asks: Vec<_> = detail.requests.iter().filter(|request| request.waits()).collect();
            let ids: Vec<_> = asks.iter().map(|request| request.id.to_string()).collect();
            let first = ids.first().map_or("REQUEST", String::as_str);
            let more = usize::try_from(detail.row.open_requests).unwrap_or(usize::MAX);
            let more = match more.saturating_sub(ids.len()) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let message = format!(
                "{} waits for an answer to {}{more} (`signalbox answer {first}`)",
                detail.row.id,
                ids.join(", ")
            );
            (Exit::InputNeeded, Some(ApiError::new(Code::InputNeeded, message)))
        }
        (End::Over, Some(outcome)) => match unsent(detail) {
            Some(error) => (error.code.into(), Some(error)),
            None => (outcome.into(), None),
        },
        (End::Over, None) => (Exit::Done, None),
    };
    document(context, detail, failure.as_ref()).await?;
    if let Some(misfit) = detail.result.as_ref().and_then(text::task::misfit) {
        context.console.say(&misfit);
    }
    if let Some(failure) = failure {
        let goes_on = match detail.row.outcome {
            None => format!(". {}", goes_on(context, detail).await),
            Some(_) => String::new(),
        };
        context.console.say(&format!("{}{goes_on}", failure.message));
    } else if !matches!(detail.row.outcome, None | Some(Outcome::Ok)) {
        let (_, word) = text::task::state(&detail.row);
        let why = text::task::message(&detail.row);
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        context.console.say(&format!("{} ended: {word}{why}", detail.row.id));
    } else if detached && detail.row.outcome.is_none() {
        context.console.progress(&goes_on(context, detail).await);
    }
    Ok(exit)
}

/// Why a call never reached its server: that is the connection's failure, not the work's.
fn unsent(detail: &TaskDetail) -> Option<ApiError> {
    let why = detail.row.note.as_ref().filter(|_| detail.row.outcome == Some(Outcome::ProtocolError))?;
    let code = Code::from(why.code);
    // What a server answered, whatever it was, is the work's own end.
    (Exit::from(code) != Exit::Failed).then(|| ApiError::new(code, note(why)))
}

async fn document(
    context: &Context<'_>,
    detail: &TaskDetail,
    failure: Option<&ApiError>,
) -> Result<(), Failure> {
    if context.console.json {
        let mut document = look::whole(context.desk, detail, context.console.now()).await?;
        document.failure = failure.cloned();
        context.console.document(&document)?;
    } else if detail.row.outcome.is_some() {
        let end = text::task::end(detail);
        // To a program it goes as it is: who wants more than the texts of a result takes the document.
        let end = if context.console.is_terminal() { text::task::marked(&end) } else { end };
        context.console.text(&end)?;
    } else {
        let paint = context.console.paint();
        context.console.text(&format!("{}\n", text::task::change(&detail.row, paint)))?;
        for request in detail.requests.iter().filter(|request| request.waits()) {
            context.console.text(&format!(
                "  {}  {}\n",
                paint.on(Hue::Amber, &request.id.to_string()),
                sanitise::line(&request.message)
            ))?;
        }
    }
    Ok(())
}

/// What becomes of the work when this command ends now.
async fn goes_on(context: &Context<'_>, detail: &TaskDetail) -> String {
    let id = detail.row.id;
    let server = look::server(context.desk, &detail.row.server_name).await;
    let child = server.is_ok_and(|server| matches!(server.transport, Transport::Stdio { .. }));
    match (context.owns(), child, detail.row.has_task) {
        (false, _, _) => format!("The work goes on; `signalbox watch {id}` follows it."),
        (true, true, _) => {
            "Its server's program ends with this command; `signalbox serve` keeps one running.".into()
        }
        (true, false, true) => format!("The task goes on at the server; `signalbox watch {id}` follows it."),
        (true, false, false) if detail.delivery == Delivery::Answered => {
            format!("It goes on once its questions are answered. {id} stays listed.")
        }
        (true, false, false) => {
            format!("The server has not answered, so the call is given up. {id} stays listed.")
        }
    }
}

/// The command was stopped early: says what becomes of the work, and prints how it stands.
pub(crate) async fn stopped(context: &Context<'_>, call: CallId, late: bool) -> Result<(), Failure> {
    let detail = look::task(context.desk, call).await?;
    let message = format!(
        "{} before {call} ended. {}",
        if late { "The time was up" } else { "Interrupted" },
        goes_on(context, &detail).await
    );
    let failure =
        late.then(|| ApiError { retry: Retry::Queued, ..ApiError::new(Code::TimedOut, message.as_str()) });
    if context.console.json {
        document(context, &detail, failure.as_ref()).await?;
    }
    context.console.say(&message);
    Ok(())
}
