//! `verify`, `backup`, `restore`, `salvage`: looking after what is kept.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::time::Duration;

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::{
    ApiError, DeskExt as _, Home, OwnerKind, Retry, Verified, command, rescue, rescue::OldLog, verify_lines,
};
use tokio::time::Instant;

use super::Context;
use crate::args::Global;
use crate::console::Console;
use crate::ends::{interrupted, late, reached};
use crate::exit::{Exit, Failure};
use crate::host;
use crate::text::{self, sanitise};

/// `verify`: of a file, or at the desk.
pub(crate) async fn verify(
    console: &Console,
    global: Global,
    file: Option<PathBuf>,
) -> Result<Exit, Failure> {
    let deadline = global.timeout.map(|timeout| Instant::now() + timeout);
    let verified = async {
        match file {
            Some(file) => of_file(file).await,
            None => kept(console, global).await,
        }
    };
    let verified = tokio::select! {
        verified = verified => verified?,
        () = interrupted() => return Ok(Exit::Interrupted),
        () = reached(deadline) => return late(console, "the time was up", Retry::Later),
    };
    if console.json {
        console.document(&verified)?;
    } else {
        for found in &verified.findings {
            console.text(&format!("{}\n", sanitise::line(&found.message)))?;
        }
        console.text(&format!(
            "{}, {}: {}\n",
            text::counted(verified.entries, "entry", "entries"),
            text::counted(verified.answers, "answer", "answers"),
            if verified.count == 0 {
                "all as written".to_owned()
            } else {
                text::counted(verified.count, "problem found", "problems found")
            }
        ))?;
    }
    if verified.count == 0 {
        return Ok(Exit::Done);
    }
    let first = verified.findings.first().map_or("", |found| found.message.as_str());
    console.say(&format!("The log of decisions does not verify: {first}"));
    Ok(Exit::Failed)
}

async fn of_file(file: PathBuf) -> Result<Verified, Failure> {
    let name = file.display().to_string();
    let read = tokio::task::spawn_blocking(move || verify_lines(BufReader::new(File::open(file)?))).await;
    read.map_err(std::io::Error::other)
        .flatten()
        .map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))
}

async fn kept(console: &Console, global: Global) -> Result<Verified, Failure> {
    let home = global.home.clone();
    let verified = match host::open(global, OwnerKind::Command).await {
        Ok(hosted) => {
            let verified = hosted.act(command::Verify {}).await;
            hosted.close().await;
            verified
        }
        Err(denied) => host::read_only(console, home, denied).await?.act(command::Verify {}).await,
    };
    Ok(verified?)
}

/// The document of `backup`: `{"backup":{"file":"…","bytes":1234,"leftOut":0}}`
#[derive(Serialize)]
struct BackedUp {
    backup: Copy,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Copy {
    file: String,
    bytes: u64,
    left_out: u64,
}

/// Runs `backup`.
pub(super) async fn backup(context: &Context<'_>, file: &Path) -> Result<Exit, Failure> {
    let file = crate::input::absolute(file)?;
    let command::BackedUp { bytes, left_out } =
        context.desk.act(command::Backup { file: file.clone() }).await?;
    if context.console.json {
        context.console.document(&BackedUp { backup: Copy { file, bytes, left_out } })?;
    } else {
        context.console.text(&format!("{} in {file}\n", text::counted(bytes, "byte", "bytes")))?;
    }
    Ok(damaged(context.console, left_out))
}

/// Says what a copy does not have. It is there, and not whole: the command has failed.
fn damaged(console: &Console, left_out: u64) -> Exit {
    if left_out == 0 {
        return Exit::Done;
    }
    console.say(&format!(
        "{} left out: damaged",
        text::counted(left_out, "large payload is", "large payloads are")
    ));
    Exit::Failed
}

/// The document of `restore`:
/// `{"restored":{"from":"…","bytes":1234,"aside":"…","logAdded":2,"logLeft":false}}`
#[derive(Serialize)]
struct Restored {
    restored: From,
}

#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct From {
    from: PathBuf,
    bytes: u64,
    aside: Option<PathBuf>,
    /// Entries of the log of decisions that the backup had not, and that are in it now.
    log_added: u64,
    /// Whether the log that was there is not in it; its last entry then says so.
    log_left: bool,
}

/// Runs `restore`.
pub(crate) async fn restore(console: &Console, global: Global, file: &Path) -> Result<Exit, Failure> {
    let home = Home::resolve(global.home)?;
    let stop = rescue::Stop::default();
    let work = rescue::restore(&home, file.to_owned(), stop.clone());
    let done = match to_the_end(console, global.timeout, work, &stop).await? {
        Ended::Done(done) => done,
        Ended::Early(exit) => return Ok(exit),
    };
    let exit = damaged(console, done.copied.left_out);
    said_aside(console, done.aside.as_deref());
    let (log_added, log_left) = match done.log {
        OldLog::Contained => (0, false),
        OldLog::CarriedOn(entries) => (entries, false),
        OldLog::Left { .. } => (0, true),
    };
    if log_added > 0 {
        console.say(&format!(
            "The log of decisions goes on: {} added to it",
            text::counted(log_added, "newer entry was", "newer entries were")
        ));
    }
    if log_left {
        console
            .say("The log of decisions that was there was left out. The last entry of the new one says so");
    }
    if console.json {
        let (from, bytes, aside) = (file.to_owned(), done.copied.bytes, done.aside);
        let from = From { from, bytes, aside, log_added, log_left };
        console.document(&Restored { restored: from })?;
    } else {
        console.text(&format!("restored from {}\n", file.display()))?;
    }
    Ok(exit)
}

fn said_aside(console: &Console, aside: Option<&Path>) {
    if let Some(aside) = aside {
        console.say(&format!("What was there before is in {}", aside.display()));
    }
}

/// `{"salvaged":{"tables":[{"name":"calls","kept":12,"lost":0}],"lostServers":[],"numberingLost":false,"aside":"…"}}`,
/// a table without `lost` lost some, and nothing tells how many.
#[derive(Serialize)]
struct Salvaged {
    salvaged: Report,
}

#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    tables: Vec<Table>,
    lost_servers: Vec<String>,
    numbering_lost: bool,
    aside: Option<PathBuf>,
}

#[skip_serializing_none]
#[derive(Serialize)]
struct Table {
    name: &'static str,
    kept: u64,
    lost: Option<u64>,
}

/// Runs `salvage`.
pub(crate) async fn salvage(console: &Console, global: Global) -> Result<Exit, Failure> {
    let home = Home::resolve(global.home)?;
    let stop = rescue::Stop::default();
    let work = rescue::salvage(&home, stop.clone());
    match to_the_end(console, global.timeout, work, &stop).await? {
        Ended::Done(report) => salvaged(console, report),
        Ended::Early(exit) => Ok(exit),
    }
}

/// What became of work that can be asked to stop.
enum Ended<T> {
    Done(T),
    /// Stopped, and nothing was changed; this was said.
    Early(Exit),
}

/// Waits for work at the files themselves, and asks it to stop when the time is up or somebody wants that.
async fn to_the_end<T>(
    console: &Console,
    timeout: Option<Duration>,
    work: impl Future<Output = Result<Option<T>, ApiError>>,
    stop: &rescue::Stop,
) -> Result<Ended<T>, Failure> {
    let deadline = timeout.map(|timeout| Instant::now() + timeout);
    let mut work = pin!(work);
    let mut early = Exit::TimedOut;
    let ended = tokio::select! {
        ended = &mut work => Some(ended),
        () = interrupted() => { early = Exit::Interrupted; None }
        () = reached(deadline) => None,
    };
    let ended = match ended {
        Some(ended) => ended,
        // What is being put in place must not be left half done by the end of this process.
        None => {
            stop.ask();
            work.await
        }
    };
    match ended? {
        Some(done) => Ok(Ended::Done(done)),
        None if early == Exit::TimedOut => {
            late(console, "the time was up, and nothing was changed", Retry::Later).map(Ended::Early)
        }
        None => {
            console.say("interrupted, and nothing was changed");
            Ok(Ended::Early(early))
        }
    }
}

fn salvaged(console: &Console, report: rescue::SalvageReport) -> Result<Exit, Failure> {
    let exit = if report.whole() { Exit::Done } else { Exit::Failed };
    for line in text::salvage::said(&report) {
        console.say(&line);
    }
    if console.json {
        let tables = report.tables.iter();
        let tables =
            tables.map(|table| Table { name: table.name, kept: table.kept, lost: table.lost }).collect();
        let report = Report {
            tables,
            lost_servers: report.lost_servers.iter().map(ToString::to_string).collect(),
            numbering_lost: report.numbering_lost,
            aside: report.aside,
        };
        console.document(&Salvaged { salvaged: report })?;
        return Ok(exit);
    }
    console.text(&text::salvage::table(&report))?;
    Ok(exit)
}
