//! `export`: all that is kept, portion by portion, so that its size does not matter.

use std::io::{self, Write as _};
use std::path::PathBuf;

use serde::Serialize;
use signalbox_api::command::{self, ExportPortion};
use signalbox_api::{DeskExt as _, ExportKind};
use signalbox_model::Json;

use super::{Context, new_file::NewFile};
use crate::args::{Export, Format, What};
use crate::exit::{Exit, Failure};
use crate::text;

/// `{"exported":{"file":"…","lines":12,"missing":1}}`, `missing` only when something is.
#[derive(Serialize)]
struct Document {
    exported: Exported,
}

#[derive(Serialize)]
struct Exported {
    file: PathBuf,
    lines: u64,
    #[serde(skip_serializing_if = "is_none")]
    missing: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes members so")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// One thing to write.
#[derive(Clone, Copy)]
enum Put<'a> {
    /// A line of JSON, without its end.
    Json(&'a str),
    /// A row of a table, with its end.
    Row(&'a str),
}

impl Put<'_> {
    fn written_to(self, file: &mut NewFile<'_>) -> io::Result<()> {
        match self {
            Self::Json(line) => writeln!(file, "{line}"),
            Self::Row(row) => file.write_all(row.as_bytes()),
        }
    }
}

/// What was written, and what could not be.
#[derive(Default)]
struct Written {
    lines: u64,
    /// Damaged items and payloads.
    missing: u64,
}

impl Written {
    /// An export that is not all there must not be taken for one that is.
    fn exit(&self) -> Exit {
        if self.missing > 0 { Exit::Failed } else { Exit::Done }
    }
}

/// Runs `export`.
pub(super) async fn run(context: &Context<'_>, args: &Export) -> Result<Exit, Failure> {
    let kinds: &[ExportKind] = match args.what {
        What::Tasks => &[ExportKind::Tasks],
        What::Requests => &[ExportKind::Requests],
        What::Answers => &[ExportKind::Answers],
        What::Decisions => &[ExportKind::Decisions],
        What::All => &[ExportKind::Tasks, ExportKind::Requests, ExportKind::Answers, ExportKind::Decisions],
    };
    if args.format == Format::Csv && kinds.len() > 1 {
        return Err(Failure::usage("a table has one kind of rows: choose one with --what"));
    }
    if args.filter.is_some() && kinds.len() > 1 {
        return Err(Failure::usage("a filter is of one kind of rows: choose one with --what"));
    }
    let Some(path) = &args.out else {
        let show = &mut |put: Put<'_>| match put {
            Put::Json(line) => context.console.json_line(line),
            Put::Row(row) => context.console.foreign(row),
        };
        let written = write(context, args, kinds, show).await?;
        return Ok(written.exit());
    };
    let mut file = NewFile::make(path)?;
    let written = write(context, args, kinds, &mut |put| put.written_to(&mut file)).await?;
    file.keep()?;
    if context.console.json {
        let Written { lines, missing } = written;
        let exported = Exported { file: path.clone(), lines, missing };
        context.console.document(&Document { exported })?;
    } else {
        context.console.say(&format!(
            "{} in {}",
            text::counted(written.lines, "line", "lines"),
            path.display()
        ));
    }
    Ok(written.exit())
}

async fn write(
    context: &Context<'_>,
    args: &Export,
    kinds: &[ExportKind],
    put: &mut (dyn FnMut(Put<'_>) -> io::Result<()> + Send),
) -> Result<Written, Failure> {
    let mut written = Written::default();
    for &what in kinds {
        if args.format == Format::Csv {
            put(Put::Row(&text::csv::head(what, args.with_handles)))?;
        }
        let mut after = Some(0);
        while let Some(from) = after {
            let filter = args.filter.clone().unwrap_or_default();
            let act =
                command::Export { what, after: from, with_handles: args.with_handles, filter, calls: vec![] };
            let ExportPortion { lines, next, left_out } = context.desk.act(act).await?;
            for line in &lines {
                match args.format {
                    Format::Jsonl => put(Put::Json(line.text()))?,
                    Format::Csv => put(Put::Row(&row(what, args.with_handles, line)?))?,
                }
                written.lines += 1;
            }
            written.missing += u64::from(left_out);
            after = next;
        }
    }
    if written.missing > 0 {
        context.console.say(&format!(
            "{} left out. `signalbox doctor` tells more",
            text::counted(written.missing, "damaged item was", "damaged items were")
        ));
    }
    Ok(written)
}

fn row(what: ExportKind, with_handles: bool, line: &Json) -> Result<String, Failure> {
    text::csv::row(what, with_handles, line).map_err(|error| Failure::Output(error.into()))
}
