//! `server add --paste`: a server out of anything that names one.

use signalbox_api::import::{self, NotImported, Pasted, PastedServer, Places, Surroundings};
use signalbox_api::{ApiError, DeskExt as _, NewTransport, ServerView, command};
use signalbox_model::Transport;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::{docs, input, text};

/// Shows what it understood, and registers it. What is pasted was written elsewhere: a program waits until its person
/// has seen it taken apart, and confirms it.
pub(super) async fn add(context: &Context<'_>, name: Option<String>, paste: &str) -> Result<Exit, Failure> {
    let given = if paste == "-" { input::text("--paste", paste).await? } else { paste.to_owned() };
    let Pasted { servers, mut skipped, .. } = read(&given)?;
    if let (Some(_), [_, _, ..]) = (&name, servers.as_slice()) {
        return Err(Failure::usage(format!("these are {} servers: leave NAME out", servers.len())));
    }
    let is_one = servers.len() == 1 && skipped.is_empty();
    let mut added = Vec::new();
    for server in servers {
        let name = name.clone().unwrap_or_else(|| server.name.clone());
        context.console.block(&text::server::understood(&name, &server));
        match register(context, name.clone(), server).await {
            Ok(server) => added.push(server),
            Err(failure) if is_one => return Err(not_added(failure, &name)),
            Err(failure) => {
                skipped.push(NotImported {
                    name: Some(name),
                    from: None,
                    why: failure.to_string(),
                    settled: false,
                });
            }
        }
    }
    show(context, added, skipped, is_one)
}

/// Read here and not by the owner of the data directory: variables are those of the person's shell.
fn read(given: &str) -> Result<Pasted, Failure> {
    let places = Places::here()
        .ok_or_else(|| Failure::usage("Signalbox does not know where your home directory is: set HOME"))?;
    let var = |name: &str| std::env::var(name).ok();
    let around = Surroundings { home: &places.home, project: None, var: Some(&var) };
    import::read_pasted(given, around).map_err(|unclear| Failure::usage(unclear.to_string()))
}

async fn register(context: &Context<'_>, name: String, server: PastedServer) -> Result<ServerView, Failure> {
    if name.is_empty() {
        return Err(Failure::usage("nothing in this suggests a name: give one, `server add NAME --paste …`"));
    }
    let transport = match server.transport {
        NewTransport::Stdio { command, args, env, cwd } => {
            NewTransport::Stdio { command: input::program(&command)?, args, env, cwd }
        }
        http @ NewTransport::Http { .. } => http,
    };
    let untrusted = matches!(transport, NewTransport::Stdio { .. });
    Ok(context.desk.act(command::AddServer { name, transport, untrusted }).await?)
}

/// What was understood was shown: that it is not there, all the same, has to be said.
fn not_added(failure: Failure, name: &str) -> Failure {
    match failure {
        Failure::Api(error) => {
            let what = error.message.trim_end_matches('.');
            Failure::Api(ApiError { message: format!("{what}. \"{name}\" was not added"), ..error })
        }
        output @ Failure::Output(_) => output,
    }
}

fn show(
    context: &Context<'_>,
    added: Vec<ServerView>,
    skipped: Vec<NotImported>,
    is_one: bool,
) -> Result<Exit, Failure> {
    let console = context.console;
    match added.as_slice() {
        [server] if is_one && console.json => console.document(&docs::Server::from(server))?,
        servers if console.json => {
            let servers = servers.iter().map(docs::Server::from).collect();
            console.document(&docs::Imported { servers, skipped: skipped.clone() })?;
        }
        servers => console.text(&text::server::imported(servers, &[], &skipped, console))?,
    }
    if added.iter().any(|server| matches!(server.transport, Transport::Stdio { .. }) && !server.trusted) {
        console.say(super::import::WAITING);
    }
    let failed = skipped.iter().any(|server| !server.settled);
    Ok(if failed { Exit::Failed } else { Exit::Done })
}
