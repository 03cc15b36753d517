//! `import`: servers out of the configurations of other clients.

use std::io::ErrorKind;
use std::path::PathBuf;

use signalbox_api::import::{
    self, Candidate, ClientProgram, Gathered, NotImported, Places, Surroundings, Unreadable,
};
use signalbox_api::{ApiError, Code, DeskExt as _, MOST_SERVERS, ServerView, command};
use signalbox_model::Transport;

use super::Context;
use crate::args::{Import, Source};
use crate::exit::{Exit, Failure};
use crate::{docs, input, look, text};

/// What programs that nobody typed wait for.
pub(super) const WAITING: &str =
    "Programs wait to be confirmed: `signalbox server trust NAME` shows what would be run.";

/// Runs `import`.
pub(super) async fn run(context: &Context<'_>, import: Import) -> Result<Exit, Failure> {
    let Import { from, dry_run, values } = import;
    let places = Places::here()
        .ok_or_else(|| Failure::usage("Signalbox does not know where your home directory is: set HOME"))?;
    let Gathered { candidates, mut skipped } = read(context, from, &places).await?;
    // All of them first: a wrong word adds nothing.
    let instead = values.settle(&candidates)?;
    let mut registered = look::overview(context.desk).await?.servers;
    let (mut planned, mut imported, mut left_out) = (Vec::new(), Vec::new(), 0);
    for (candidate, instead) in candidates.into_iter().zip(instead) {
        if let Some((why, settled)) = candidate.in_the_way(&registered) {
            skipped.push(candidate.refused(why, settled));
            continue;
        }
        if registered.len() + planned.len() >= MOST_SERVERS {
            left_out += 1;
            continue;
        }
        let candidate = candidate.with(&instead);
        if dry_run {
            planned.push(candidate);
            continue;
        }
        let transport = candidate.transport.clone();
        let add = command::AddServer { name: candidate.name.clone(), transport, untrusted: true };
        match context.desk.act(add).await {
            Ok(server) => {
                registered.push(server.clone());
                imported.push(server);
            }
            // Without the owner of the data directory no other one can be imported either.
            Err(error) if error.code == Code::OwnerGone => {
                told(context, &imported);
                return Err(error.into());
            }
            Err(error) => skipped.push(candidate.refused(advised(error), false)),
        }
    }
    skipped.extend(NotImported::no_place(left_out));
    show(context, &imported, dry_run.then_some(planned), skipped)
}

/// What the configurations name. Where no file is named, those that are not there are no fault. Read here and not by
/// the owner of the data directory: variables are those of the person's shell.
async fn read(context: &Context<'_>, from: Option<Source>, places: &Places) -> Result<Gathered, Failure> {
    let current = std::env::current_dir().ok();
    let files = match &from {
        Some(Source::File(file)) => vec![std::path::absolute(file).unwrap_or_else(|_| file.clone())],
        Some(Source::Client(client)) => client.files(places, current.as_deref()),
        None => {
            ClientProgram::ALL.iter().flat_map(|client| client.files(places, current.as_deref())).collect()
        }
    };
    let is_named = matches!(from, Some(Source::File(_)));
    let (mut gathered, mut found) = (Gathered::default(), false);
    for file in &files {
        let from = file.display().to_string();
        let read = if is_named { input::file(file.clone()).await } else { input::found(file.clone()).await };
        let text = match read {
            Ok(text) => text,
            Err(error) if is_named => return Err(Failure::usage(format!("cannot read {from}: {error}"))),
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => {
                context.console.say(&format!("{from} is left out: {error}"));
                continue;
            }
        };
        let project = import::project_of(file, &places.home);
        let around = Surroundings {
            home: &places.home,
            project: project.as_deref(),
            var: Some(&|name| std::env::var(name).ok()),
        };
        match gathered.read(&from, &text, around) {
            Ok(()) => found = true,
            Err(error) if is_named => {
                return Err(Failure::usage(format!("nothing can be imported from {from}: {error}")));
            }
            Err(Unreadable::NoServers) => {}
            Err(error) => context.console.say(&format!("{from} is left out: {error}")),
        }
    }
    if found { Ok(gathered) } else { Err(nothing(&files)) }
}

/// What happened, and what can be done about it.
fn advised(ApiError { code, message, .. }: ApiError) -> String {
    match code {
        Code::NoKeychain | Code::SecretsLocked | Code::NeedsOwner => format!(
            "{message}. --plain, --from-env or --leave-out say what else becomes of a value; `signalbox secrets keep` \
             chooses another place for secrets"
        ),
        _ => message,
    }
}

/// What stays registered although the command ends early.
fn told(context: &Context<'_>, imported: &[ServerView]) {
    let names: Vec<String> = imported.iter().map(|server| format!("{:?}", server.name)).collect();
    if !names.is_empty() {
        context.console.say(&format!("Imported before that: {}", names.join(", ")));
    }
}

fn nothing(files: &[PathBuf]) -> Failure {
    let looked: Vec<_> = files.iter().map(|file| format!("\n  {}", file.display())).collect();
    Failure::usage(format!("no MCP servers were found. These were looked for:{}", looked.concat()))
}

fn show(
    context: &Context<'_>,
    imported: &[ServerView],
    planned: Option<Vec<Candidate>>,
    skipped: Vec<NotImported>,
) -> Result<Exit, Failure> {
    let console = context.console;
    // A dry run has failed to do nothing.
    let is_left = planned.is_none() && skipped.iter().any(|server| !server.settled);
    match planned {
        Some(planned) if console.json => {
            let servers = planned.iter().map(docs::Importable::from).collect();
            console.document(&docs::Imported { servers, skipped })?;
        }
        None if console.json => {
            let servers = imported.iter().map(docs::Server::from).collect();
            console.document(&docs::Imported { servers, skipped })?;
        }
        planned => {
            let planned = planned.unwrap_or_default();
            console.text(&text::server::imported(imported, &planned, &skipped, console))?;
        }
    }
    if imported.iter().any(|server| matches!(server.transport, Transport::Stdio { .. })) {
        console.say(WAITING);
    }
    Ok(if is_left { Exit::Failed } else { Exit::Done })
}
