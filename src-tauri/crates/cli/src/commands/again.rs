//! `again`: the tool of a task is started once more.

use signalbox_api::{ApiError, TaskDetail};
use signalbox_model::{Json, PayloadKind};

use super::{Context, call};
use crate::args::{Again, Call};
use crate::exit::{Exit, Failure};
use crate::text::sanitise;
use crate::{input, look};

/// Runs `again`.
pub(super) async fn run(context: &Context<'_>, args: Again) -> Result<Exit, Failure> {
    let Again { task, how } = args;
    let task = look::find(context.desk, &task).await?;
    let detail = look::task(context.desk, task).await?;
    if detail.row.tool.is_empty() {
        return Err(Failure::usage(unknown(&detail)));
    }
    let arguments = match &how.args {
        Some(given) => input::object("--args", given).await?,
        None => kept(context, &detail).await?,
    };
    let (server, tool) = (detail.row.server_name, detail.row.tool);
    call::start(context, Call { server, tool, how }, arguments).await
}

/// The arguments as they were sent.
async fn kept(context: &Context<'_>, detail: &TaskDetail) -> Result<Json, Failure> {
    if let Some(arguments) = look::arguments(context.desk, &detail.into()).await? {
        return Ok(arguments);
    }
    let id = detail.row.id;
    Err(match detail.fault(PayloadKind::Arguments) {
        Some(fault) => {
            let message = format!("the arguments of {id} cannot be read: {}", fault.message);
            ApiError { message, ..fault.clone() }.into()
        }
        None => Failure::usage(format!("no arguments of {id} are kept: give them with --args")),
    })
}

/// Why an adopted task cannot be run again.
fn unknown(detail: &TaskDetail) -> String {
    let (id, server) = (detail.row.id, sanitise::line(&detail.row.server_name));
    format!(
        "{id} was started elsewhere: its tool and its arguments are not known here. `signalbox tools {server}` lists what can be \
         started"
    )
}
