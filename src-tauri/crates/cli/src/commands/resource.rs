//! `show --result --part N --read`: what a server has at a link that stands in a result. Nothing else asks it for that.

use std::path::Path;

use signalbox_api::{ApiError, Code, DeskExt as _, PartFile, command, link_of};
use signalbox_model::CallId;

use super::{Context, result};
use crate::args::ShownPart;
use crate::exit::{Exit, Failure};
use crate::{docs, look, text};

/// Runs it.
pub(super) async fn read(
    context: &Context<'_>,
    call: CallId,
    part: ShownPart,
    out: Option<&Path>,
) -> Result<Exit, Failure> {
    let ShownPart::Content(number) = part else {
        return Err(Failure::usage("Structured content is no link to a resource"));
    };
    let Some(uri) = link_of(context.desk, call, number.get() - 1).await? else {
        let message = format!("Part {number} is no link to a resource: without --read it is shown as it is");
        return Err(Failure::usage(message));
    };
    let server = look::task(context.desk, call).await?.row.server.to_string();
    let read = context.desk.act(command::ReadResource { server, uri }).await?;
    if let Some(path) = out {
        let [content] = read.contents.as_slice() else {
            let message = format!("the server gave {} contents, and a file has one", read.contents.len());
            return Err(ApiError::new(Code::NotPossible, message).into());
        };
        let file = PartFile::read(content).ok_or_else(|| {
            let message = "this resource is not written: it is longer than what Signalbox reads of one (text of 256 KiB, 4 MiB), \
                           or neither text nor picture nor sound";
            ApiError::new(Code::NotPossible, message)
        })?;
        return result::save(context, path, &file);
    }
    if context.console.json {
        context.console.document(&docs::Read::from(&read))?;
    } else {
        let asked = format!("--result --part {number} --read");
        context.console.text(&text::resource::contents(&read, &asked))?;
    }
    Ok(Exit::Done)
}
