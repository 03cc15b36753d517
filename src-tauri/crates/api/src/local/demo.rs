//! The demo as one act: registered, confirmed by that press, and at work; and taken away again without a trace.

use std::{io::ErrorKind, path::PathBuf};

use signalbox_engine::Intent;
use signalbox_model::{CallId, Health, Json, Server, ServerId};
use signalbox_store::{CallQuery, Reads};

use super::Local;
use crate::{
    ApiError, Code, Reply,
    demo::{self, CALLS, NAME},
    home::storage,
};

/// So many names are tried beside those of a person's own servers.
const NAMES: u32 = 100;
/// So many tasks are read at once.
const PAGE: u32 = 500;

impl Local {
    /// Says which program plays the demo: whoever owns the data directory plays it itself.
    pub fn play_demo(&self, program: PathBuf) {
        // Said once per owner.
        let _ = self.demo_program.set(program);
    }

    /// Starts nothing twice: what of the demo is under way goes on.
    pub(super) async fn start_demo(&self) -> Result<Reply, ApiError> {
        let _alone = self.demo_acts.lock().await;
        let Some(program) = self.demo_program.get() else {
            let message = "This program cannot play the demo: open the window or use `signalbox demo start`";
            return Err(ApiError::new(Code::NotSupported, message));
        };
        let transport = demo::transport(program, self.home.dir())?;
        let known = self.demos().await?.into_iter().next();
        let is_new = known.is_none();
        let id = match known {
            None => {
                let name = self.free_name().await?;
                match self.add_server(name, transport, true).await? {
                    Reply::Server { server } => server.id,
                    _ => return Err(ApiError::new(Code::Internal, "Adding the demo gave no server")),
                }
            }
            Some(server) => {
                let id = server.id;
                if !server.trusted || !demo::is_current(&server.transport, &transport) {
                    self.edit_server(&id.to_string(), transport).await?;
                }
                if !server.enabled {
                    self.set_server_enabled(&id.to_string(), true).await?;
                }
                id
            }
        };
        match self.start_calls(id).await {
            Ok(calls) => match self.server_reply(id).await? {
                Reply::Server { server } => Ok(Reply::DemoStarted { server, calls }),
                _ => Err(ApiError::new(Code::Internal, "The demo is no server")),
            },
            Err(error) => {
                // Half a demo would be in the way of the next press.
                if is_new && let Err(left) = self.take_away(id).await {
                    tracing::warn!(error = %left, "a demo that did not start could not be taken away");
                }
                Err(error)
            }
        }
    }

    /// All that is kept of it goes, but for the log of decisions. What it was doing ends with its program.
    pub(super) async fn remove_demo(&self) -> Result<Reply, ApiError> {
        let _alone = self.demo_acts.lock().await;
        let mut tasks = 0;
        for server in self.demos().await? {
            // Nothing new begins from here on.
            self.set_server_enabled(&server.id.to_string(), false).await?;
            tasks += self.take_away(server.id).await?;
        }
        let state = demo::state_file(self.home.dir());
        match tokio::fs::remove_file(&state).await {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(storage(&state, &error)),
        }
        Ok(Reply::DemoRemoved { tasks })
    }

    async fn start_calls(&self, id: ServerId) -> Result<Vec<CallId>, ApiError> {
        let counts = self.read(Reads::counts).await?;
        let own = counts.servers.get(&id);
        if own.is_some_and(|own| own.needs_you + own.working > 0) {
            return Ok(Vec::new());
        }
        // A call to a program that does not start would be kept, and tried, as one to a server that is away.
        self.intent(Intent::Check(id)).await?;
        if let Health::Unreachable { message, .. } | Health::Unusable { message, .. } =
            self.server(&id.to_string()).await?.health
        {
            return Err(ApiError::new(Code::SpawnFailed, message));
        }
        let mut calls = Vec::with_capacity(CALLS.len());
        for (tool, arguments) in CALLS {
            let arguments = Json::parse(arguments).expect("BUG: the demo's arguments are JSON");
            if let Reply::Started { call } =
                self.start(&id.to_string(), tool.to_owned(), arguments, None).await?
            {
                calls.push(call);
            }
        }
        Ok(calls)
    }

    /// Forgets the tasks of a server with all that hangs on them, then removes it. Says how many there were.
    async fn take_away(&self, id: ServerId) -> Result<u32, ApiError> {
        let mut tasks = 0;
        loop {
            let query = CallQuery { servers: Some(vec![id]), limit: PAGE, ..CallQuery::default() };
            let page = self.read(move |reads| reads.calls_page(&query)).await?;
            if page.ids.is_empty() {
                break;
            }
            for call in page.ids {
                self.intent(Intent::Forget { call, server: id }).await?;
                tasks += 1;
            }
        }
        self.remove_server(&id.to_string()).await?;
        Ok(tasks)
    }

    async fn demos(&self) -> Result<Vec<Server>, ApiError> {
        let all = self.read(Reads::servers).await?;
        let present = all.into_iter().map(|(server, _)| server).filter(|server| server.removed_at.is_none());
        Ok(present.filter(|server| demo::is_demo(&server.transport)).collect())
    }

    /// A person's own server named `demo` keeps its name.
    async fn free_name(&self) -> Result<String, ApiError> {
        let all = self.read(Reads::servers).await?;
        let taken =
            |name: &str| all.iter().any(|(server, _)| server.removed_at.is_none() && server.name == name);
        let others = (2..=NAMES).map(|n| format!("{NAME} {n}"));
        std::iter::once(NAME.to_owned()).chain(others).find(|name| !taken(name)).ok_or_else(|| {
            ApiError::new(Code::NameTaken, format!("Too many servers are named {NAME}: rename one of them"))
        })
    }
}
