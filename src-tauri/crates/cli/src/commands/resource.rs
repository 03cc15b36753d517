//! `show --result --part N --read`: what a server has at a link that stands in a result. Nothing else asks it for that.

use std::path::Path;

use signalbox_api::{ApiError, Code, ContentPart, DeskExt as _, PartFile, TaskDetail, command};
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
    let detail = look::task(context.desk, call).await?;
    let (number, uri) = link(&detail, part)?;
    let server = detail.row.server.to_string();
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

/// The number of the part, from 1, and where it leads.
fn link(detail: &TaskDetail, part: ShownPart) -> Result<(u32, String), ApiError> {
    let ShownPart::Content(number) = part else {
        return Err(ApiError::new(Code::Usage, "structured content is no link to a resource"));
    };
    let content = detail.result.iter().flat_map(|result| &result.content);
    match content.into_iter().nth((number.get() - 1) as usize) {
        Some(ContentPart::Link { uri, .. }) => Ok((number.get(), uri.clone())),
        Some(_) => {
            let message =
                format!("part {number} is no link to a resource: without --read it is shown as it is");
            Err(ApiError::new(Code::Usage, message))
        }
        None => {
            let message = format!("{} has no result with such a part", detail.row.id);
            Err(ApiError::new(Code::UnknownItem, message))
        }
    }
}
