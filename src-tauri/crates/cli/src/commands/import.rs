//! `import`: servers out of the configurations of other clients.

use std::io::ErrorKind;
use std::path::PathBuf;

use signalbox_api::import::{self, Client, Places, Proposed, Surroundings};
use signalbox_api::{Code, Command as Act, NewTransport, Reply, ServerView};
use signalbox_model::Transport;

use super::Context;
use crate::args::Source;
use crate::exit::{Exit, Failure};
use crate::{docs, input, look, text};

/// A server of a configuration, and where that lies.
struct Candidate {
    from: String,
    server: Proposed,
}

/// `import`
pub(super) async fn run(context: &Context<'_>, from: Option<Source>, dry_run: bool) -> Result<Exit, Failure> {
    let places = Places::here()
        .ok_or_else(|| Failure::usage("nobody knows where your home directory is: set HOME"))?;
    let (candidates, mut skipped) = read(context, from, &places).await?;
    let mut known = look::overview(context.desk).await?.servers;
    let (mut planned, mut imported) = (Vec::new(), Vec::new());
    for Candidate { from, server: Proposed { name, transport } } in candidates {
        if let Some(why) = known.iter().find_map(|server| in_the_way(server, &name, &transport)) {
            skipped.push(docs::NotImported { name, from, why });
        } else if dry_run {
            planned.push(docs::Importable::new(name, from, &transport));
        } else {
            let add = Act::AddServer { name: name.clone(), transport, untrusted: true };
            match context.desk.call(add).await {
                Ok(Reply::Server { server }) => {
                    known.push(server.clone());
                    imported.push(server);
                }
                Ok(_) => return Err(look::odd().into()),
                Err(error) if matches!(error.code, Code::Usage | Code::NameTaken) => {
                    skipped.push(docs::NotImported { name, from, why: error.message });
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
    show(context, &imported, dry_run.then_some(planned), skipped)
}

/// What the configurations name. Where no file is named, those that are not there are no fault.
async fn read(
    context: &Context<'_>,
    from: Option<Source>,
    places: &Places,
) -> Result<(Vec<Candidate>, Vec<docs::NotImported>), Failure> {
    let current = std::env::current_dir().unwrap_or_else(|_| places.home.clone());
    let files = match &from {
        Some(Source::File(file)) => vec![std::path::absolute(file).unwrap_or_else(|_| file.clone())],
        Some(Source::Client(client)) => client.files(places, &current),
        None => Client::ALL.iter().flat_map(|client| client.files(places, &current)).collect(),
    };
    let is_named = matches!(from, Some(Source::File(_)));
    let (mut candidates, mut skipped, mut found) = (Vec::new(), Vec::new(), false);
    for file in &files {
        let from = file.display().to_string();
        let text = match input::file(file.clone()).await {
            Ok(text) => text,
            Err(error) if !is_named && error.kind() == ErrorKind::NotFound => continue,
            Err(error) if is_named => return Err(Failure::usage(format!("cannot read {from}: {error}"))),
            Err(error) => {
                context.console.say(&format!("{from} is left out: {error}"));
                continue;
            }
        };
        let project = import::project_of(file, &places.home);
        let around = Surroundings {
            home: &places.home,
            project: project.as_deref(),
            var: &|name| std::env::var(name).ok(),
        };
        match import::read(&text, around) {
            Ok((servers, left)) => {
                found = true;
                candidates.extend(servers.into_iter().map(|server| Candidate { from: from.clone(), server }));
                let not = |left: import::Skipped| docs::NotImported {
                    name: left.name,
                    from: from.clone(),
                    why: left.why.to_string(),
                };
                skipped.extend(left.into_iter().map(not));
            }
            Err(error) if is_named => {
                return Err(Failure::usage(format!("nothing can be taken over from {from}: {error}")));
            }
            Err(import::Unreadable::NoServers) => {}
            Err(error) => context.console.say(&format!("{from} is left out: {error}")),
        }
    }
    if found { Ok((candidates, skipped)) } else { Err(nothing(&files)) }
}

fn nothing(files: &[PathBuf]) -> Failure {
    let looked: Vec<_> = files.iter().map(|file| format!("\n  {}", file.display())).collect();
    Failure::usage(format!("no MCP servers were found. These were looked for:{}", looked.concat()))
}

/// Why a server that is registered keeps this one out.
fn in_the_way(known: &ServerView, name: &str, new: &NewTransport) -> Option<String> {
    (known.name == name.trim()).then(|| {
        if is_same(&known.transport, new) {
            format!("it is registered already, as {}", known.id)
        } else {
            format!(
                "{} has this name, and is reached otherwise: `signalbox server rename` gives it another",
                known.id
            )
        }
    })
}

/// Whether both lead to the same place. Values of headers and variables are secrets, and not compared.
fn is_same(known: &Transport, new: &NewTransport) -> bool {
    match (known, new) {
        (Transport::Http { url, .. }, NewTransport::Http { url: new, .. }) => {
            let parsed = |url: &str| url::Url::parse(url.trim()).ok();
            parsed(url) == parsed(new)
        }
        (
            Transport::Stdio { command, args, cwd, .. },
            NewTransport::Stdio { command: c, args: a, cwd: d, .. },
        ) => (command, args, cwd) == (c, a, d),
        _ => false,
    }
}

fn show(
    context: &Context<'_>,
    imported: &[ServerView],
    planned: Option<Vec<docs::Importable>>,
    skipped: Vec<docs::NotImported>,
) -> Result<Exit, Failure> {
    let console = context.console;
    match planned {
        Some(servers) if console.json => console.document(&docs::Imported { servers, skipped })?,
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
        console.say("Programs wait to be confirmed: `signalbox server trust NAME` shows what would be run.");
    }
    Ok(Exit::Done)
}
