//! `demo`: the scripted server, and what is done with it at the desk.

use std::net::{Ipv4Addr, SocketAddr};

use serde::Serialize;
use signalbox_api::DeskExt as _;
use signalbox_api::command::{DemoRemoved, DemoStarted, RemoveDemo, StartDemo};
use signalbox_demo::{Demo as Server, ScriptOptions};
use signalbox_model::CallId;
use tokio::time::Instant;

use super::Context;
use crate::args::{DemoAct, DemoOptions, DemoServer, Global};
use crate::console::Console;
use crate::ends::{interrupted, reached};
use crate::exit::{Exit, Failure};
use crate::{docs, text};

/// The document of `demo http`: `{"ready":true,"url":"http://127.0.0.1:8123/mcp"}`
#[derive(Serialize)]
struct Ready {
    ready: bool,
    url: String,
}

/// The document of `demo start`: `{"server":{…},"started":["t1","t2"]}`
#[derive(Serialize)]
struct Started {
    server: docs::Server,
    started: Vec<CallId>,
}

/// The document of `demo remove`: `{"removed":{"tasks":2}}`
#[derive(Serialize)]
struct Removed {
    removed: Gone,
}

/// What went with the demo.
#[derive(Serialize)]
struct Gone {
    tasks: u32,
}

/// `demo start` and `demo remove`
pub(super) async fn act(context: &Context<'_>, act: DemoAct) -> Result<Exit, Failure> {
    let console = context.console;
    match act {
        DemoAct::Start => {
            let DemoStarted { server, calls } = context.desk.act(StartDemo {}).await?;
            if console.json {
                console.document(&Started { server: docs::Server::from(&server), started: calls })?;
                return Ok(Exit::Done);
            }
            let name = text::sanitise::line(&server.name);
            let begun = if calls.is_empty() { "is at work already" } else { "is at work" };
            console.text(&format!(
                "The demo server {name:?} {begun}. `signalbox inbox` shows its question, a few seconds after its start.\n"
            ))?;
            if context.owns() {
                console.say("Nobody follows it now. Open the window, or run `signalbox serve`.");
            }
        }
        DemoAct::Remove => {
            let DemoRemoved { tasks } = context.desk.act(RemoveDemo {}).await?;
            if console.json {
                console.document(&Removed { removed: Gone { tasks } })?;
                return Ok(Exit::Done);
            }
            let with = match tasks {
                0 => String::new(),
                n => format!(" {} went with it.", text::counted(n.into(), "task", "tasks")),
            };
            console.text(&format!("Nothing of the demo is left.{with}\n"))?;
        }
    }
    Ok(Exit::Done)
}

/// `demo stdio` and `demo http`
pub(crate) async fn serve(console: &Console, global: Global, server: DemoServer) -> Result<Exit, Failure> {
    let deadline = global.timeout.map(|timeout| Instant::now() + timeout);
    match server {
        DemoServer::Stdio { options } => {
            let server = open(options, false)?;
            // Once the client closes its end, or at a signal: nothing is left to serve.
            tokio::select! {
                served = server.serve_stdio(tokio::io::stdin(), tokio::io::stdout()) => served?,
                () = interrupted() => {}
                () = reached(deadline) => return Ok(Exit::TimedOut),
            }
            Ok(Exit::Done)
        }
        DemoServer::Http { port, sse, options } => {
            let server = open(options, sse)?;
            let http = server
                .serve_http(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
                .await
                .map_err(|error| Failure::usage(format!("the demo server cannot listen: {error}")))?;
            console.say(&format!("The demo server listens on {}", http.url()));
            if console.json {
                console.document(&Ready { ready: true, url: http.url() })?;
            }
            let exit = tokio::select! {
                () = interrupted() => Exit::Done,
                () = reached(deadline) => Exit::TimedOut,
            };
            http.shutdown().await;
            Ok(exit)
        }
    }
}

fn open(options: DemoOptions, sse: bool) -> Result<Server, Failure> {
    let DemoOptions { state, journal, speed, wire, legacy, odd } = options;
    let options =
        ScriptOptions { speed, state, journal, sse, wires: wire, legacy: legacy.unwrap_or_default(), odd };
    Server::open(options).map_err(|error| Failure::usage(error.to_string()))
}
