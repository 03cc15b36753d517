//! `show --result`: what a task returned, a part of it, or a part in a file.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use signalbox_api::{ApiError, Code, PartFile, WhichPart, part_file};
use signalbox_model::CallId;

use super::{Context, new_file::NewFile};
use crate::args::ShownPart;
use crate::exit::{Exit, Failure};
use crate::look;
use crate::text::{self, sanitise};

/// The document of a part that was written: `{"saved":{"file":"…","bytes":12}}`
#[derive(Serialize)]
struct Document {
    saved: Saved,
}

#[derive(Serialize)]
struct Saved {
    file: PathBuf,
    bytes: usize,
}

/// Runs `show TASK --result`.
pub(super) async fn show(
    context: &Context<'_>,
    call: CallId,
    part: Option<ShownPart>,
    out: Option<&Path>,
) -> Result<Exit, Failure> {
    let which = match part {
        None => WhichPart::All,
        Some(ShownPart::Structured) => WhichPart::Structured,
        Some(ShownPart::Content(number)) => WhichPart::Content(number.get() - 1),
    };
    // Of all of it people read the parts, and programs the JSON.
    if which == WhichPart::All && out.is_none() && !context.console.json {
        let detail = look::task(context.desk, call).await?;
        if detail.result.is_none() {
            let message = format!("{call} has no result that could be shown");
            return Err(ApiError::new(Code::UnknownItem, message).into());
        }
        context.console.text(&text::task::end(&detail))?;
        return Ok(Exit::Done);
    }
    let file = part_file(context.desk, call, which).await?;
    match out {
        Some(path) => save(context, path, &file),
        None => print(context, &file),
    }
}

fn print(context: &Context<'_>, file: &PartFile) -> Result<Exit, Failure> {
    let text = std::str::from_utf8(&file.bytes).ok().filter(|_| matches!(file.ending, "txt" | "json"));
    let Some(text) = text else {
        let message = format!(
            "This part is no text ({} bytes, {}): --out FILE writes it",
            file.bytes.len(),
            file.ending
        );
        return Err(Failure::usage(message));
    };
    match context.console.json {
        true if file.ending == "json" => context.console.json_line(text)?,
        true => context.console.document(&text)?,
        false => context.console.text(&format!("{}\n", sanitise::lines(text).trim_end_matches('\n')))?,
    }
    Ok(Exit::Done)
}

pub(super) fn save(context: &Context<'_>, path: &Path, part: &PartFile) -> Result<Exit, Failure> {
    let mut file = NewFile::make(path)?;
    file.write_all(&part.bytes)?;
    file.keep()?;
    let bytes = part.bytes.len();
    if context.console.json {
        context.console.document(&Document { saved: Saved { file: path.to_owned(), bytes } })?;
    } else {
        context.console.say(&format!(
            "{} in {}",
            text::counted(bytes as u64, "byte", "bytes"),
            path.display()
        ));
    }
    Ok(Exit::Done)
}
