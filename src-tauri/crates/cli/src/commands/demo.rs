//! `demo`: the scripted server.

use std::net::{Ipv4Addr, SocketAddr};

use serde::Serialize;
use signalbox_demo::{Demo as Server, Options};

use crate::args::{Demo, DemoOptions};
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::run::interrupted;

/// `{"ready":true,"url":"http://127.0.0.1:8123/mcp"}`
#[derive(Serialize)]
struct Ready {
    ready: bool,
    url: String,
}

/// `demo …`
pub(crate) async fn run(console: &Console, command: Demo) -> Result<Exit, Failure> {
    match command {
        Demo::Stdio { options } => {
            let server = open(options, false)?;
            // Once the client closes its end, or at a signal: nothing is left to serve.
            tokio::select! {
                served = server.serve_stdio(tokio::io::stdin(), tokio::io::stdout()) => served?,
                () = interrupted() => {}
            }
        }
        Demo::Http { port, sse, options } => {
            let server = open(options, sse)?;
            let http = server
                .serve_http(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
                .await
                .map_err(|error| Failure::usage(format!("the demo server cannot listen: {error}")))?;
            console.say(&format!("The demo server listens on {}", http.url()));
            if console.json {
                console.document(&Ready { ready: true, url: http.url() })?;
            }
            interrupted().await;
            http.shutdown().await;
        }
    }
    Ok(Exit::Done)
}

fn open(options: DemoOptions, sse: bool) -> Result<Server, Failure> {
    let DemoOptions { state, journal, speed, wire, legacy, odd } = options;
    let options =
        Options { speed, state, journal, sse, wires: wire, legacy: legacy.unwrap_or_default(), odd };
    Server::open(options).map_err(|error| Failure::usage(error.to_string()))
}
