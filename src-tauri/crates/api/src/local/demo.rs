//! The demo as one act: registered, confirmed by that press, and at work; and taken away again without a trace.

use std::{io::ErrorKind, path::PathBuf};

use signalbox_engine::Intent;
use signalbox_model::{CallId, Health, Json, Server, ServerId};
use signalbox_store::{CallQuery, Reads};

use super::Local;
use crate::{
    ApiError, Code, NewTransport,
    command::{
        AddServer, CarryOut, DemoRemoved, DemoStarted, EditServer, RemoveDemo, RemoveServer,
        SetServerEnabled, Start, StartDemo,
    },
    demo::{self, CALLS, DEMO, NAME, Ours},
    home::storage,
    words,
};

/// So many names are tried beside those of a person's own servers.
const NAMES: u32 = 100;
/// So many tasks are read at once.
const PAGE: u32 = 500;

impl CarryOut<StartDemo> for Local {
    /// Starts nothing twice: what of the demo is under way goes on.
    async fn carry_out(&self, _: StartDemo) -> Result<DemoStarted, ApiError> {
        let _alone = self.demo_acts.lock().await;
        let Some(program) = self.demo_program.get() else {
            let message = "The program that owns the data directory cannot play the demo";
            return Err(ApiError::new(Code::NotSupported, message));
        };
        let transport = demo::transport(program, self.home.dir())?;
        let known = self.demo(Some(&transport)).await?;
        let is_new = known.is_none();
        let id = match known {
            None => {
                let name = self.free_name().await?;
                self.carry_out(AddServer { name, transport, untrusted: false }).await?.id
            }
            Some(server) => {
                let id = server.id;
                if !server.trusted || !demo::is_current(&server.transport, &transport) {
                    self.carry_out(EditServer {
                        server: id.to_string(),
                        transport,
                        untrusted: false,
                        shown: None,
                    })
                    .await?;
                }
                if !server.enabled {
                    self.carry_out(SetServerEnabled { server: id.to_string(), enabled: true }).await?;
                }
                id
            }
        };
        let begun = match self.remember(id).await {
            Ok(()) => self.start_calls(id).await,
            Err(error) => Err(error),
        };
        match begun {
            Ok(calls) => Ok(DemoStarted { server: self.server_view(id).await?, calls }),
            Err(error) => {
                // Half a demo would be in the way of the next press.
                if is_new && let Err(left) = self.take_away(id).await {
                    tracing::warn!(error = %left, "a demo that did not start could not be taken away");
                }
                Err(error)
            }
        }
    }
}

impl CarryOut<RemoveDemo> for Local {
    /// All that is kept of it goes, but for the log of decisions. What it was doing ends with its program.
    async fn carry_out(&self, _: RemoveDemo) -> Result<DemoRemoved, ApiError> {
        let _alone = self.demo_acts.lock().await;
        let mut tasks = 0;
        if let Some(server) = self.demo(None).await? {
            // Nothing new begins from here on.
            self.carry_out(SetServerEnabled { server: server.id.to_string(), enabled: false }).await?;
            tasks = self.take_away(server.id).await?;
        }
        let state = demo::state_file(self.home.dir());
        match tokio::fs::remove_file(&state).await {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(storage(&state, &error)),
        }
        Ok(DemoRemoved { tasks })
    }
}

impl Local {
    /// Says which program plays the demo: whoever owns the data directory plays it itself.
    pub fn play_demo(&self, program: PathBuf) {
        // Said once per owner.
        let _ = self.demo_program.set(program);
    }

    async fn start_calls(&self, id: ServerId) -> Result<Vec<CallId>, ApiError> {
        let counts = self.read(Reads::counts).await?;
        let own = counts.servers.get(&id);
        if own.is_some_and(|own| own.live() > 0) {
            return Ok(Vec::new());
        }
        // A call to a program that does not start would be kept, and tried, as one to a server that is away.
        self.intent(Intent::Check(id)).await?;
        if let Health::Unreachable { note, .. } | Health::Unusable { note, .. } =
            self.server(&id.to_string()).await?.health
        {
            return Err(ApiError::new(Code::SpawnFailed, words::note(&note)));
        }
        let mut calls = Vec::with_capacity(CALLS.len());
        for (tool, arguments) in CALLS {
            let arguments = Json::parse(arguments).expect("BUG: the demo's arguments are JSON");
            let start = Start { server: id.to_string(), tool: tool.to_owned(), arguments, ttl_ms: None };
            calls.push(self.carry_out(start).await?);
        }
        Ok(calls)
    }

    /// Forgets the tasks of a server with all that hangs on them, then removes it. Says how many there were.
    async fn take_away(&self, id: ServerId) -> Result<u32, ApiError> {
        let mut tasks = 0;
        loop {
            let query = CallQuery { server: Some(id), limit: PAGE, ..CallQuery::default() };
            let page = self.read(move |reads| reads.calls_page(&query)).await?;
            if page.ids.is_empty() {
                break;
            }
            for call in page.ids {
                self.intent(Intent::Forget { call, server: id }).await?;
                tasks += 1;
            }
        }
        self.carry_out(RemoveServer { server: id.to_string() }).await?;
        Ok(tasks)
    }

    /// The server that is the demo. One that would be reached as `wanted` and was confirmed is it as well: its start
    /// was cut off between registering it and keeping that.
    async fn demo(&self, wanted: Option<&NewTransport>) -> Result<Option<Server>, ApiError> {
        let (all, ours) = self.read_at_once(|reads| Ok((reads.servers()?, Ours::read(reads)?))).await?;
        let present = all.into_iter().map(|(server, _)| server).filter(|server| server.removed_at.is_none());
        let present: Vec<Server> = present.collect();
        let is_ours = |server: &&Server| ours.as_ref().is_some_and(|ours| ours.is(server));
        let is_wanted = |server: &&Server| {
            server.trusted && wanted.is_some_and(|wanted| demo::is_current(&server.transport, wanted))
        };
        let demo = present.iter().find(is_ours).or_else(|| present.iter().find(is_wanted));
        Ok(demo.cloned())
    }

    /// Keeps that this server is the demo, as it is reached now.
    async fn remember(&self, id: ServerId) -> Result<(), ApiError> {
        let ours = Ours::of(&self.server(&id.to_string()).await?);
        if self.read(Ours::read).await?.as_ref() == Some(&ours) {
            return Ok(());
        }
        let tuning = self.settings.borrow().tuning();
        let kept = Intent::PutSetting { key: DEMO.to_owned(), value: Json::of(&ours), tuning };
        self.intent(kept).await.map(|_| ())
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
