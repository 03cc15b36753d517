//! A server as a child process: started with the first request, started again (with backoff) with the first after it
//! ended.

mod backoff;
mod child;
mod environment;
mod group;
mod input;
mod left;
mod life;
mod lines;
mod note;
mod path;
mod pipes;
#[cfg(target_os = "linux")]
mod process;
mod tail;

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use signalbox_model::Json;
use tokio::{sync::Mutex, task::spawn_blocking, time::Instant};
use tokio_util::sync::CancellationToken;

use self::{
    backoff::Backoff,
    child::{Child, Launch},
    tail::Tail,
};
use crate::{endpoint::Options, error::Error, flight::Flight};

pub(crate) use child::{Asked, GivenUp, Line};
pub use environment::{inherited, is_function};
pub use left::LeftBehind;

/// Tells which variables of ours are meant for other servers: no child is given them unasked. It is asked before each
/// start, and may block.
pub type KeptBack = dyn Fn() -> Result<BTreeSet<String>, Error> + Send + Sync;

pub(crate) struct Stdio {
    launch: Launch,
    kept_back: OnceLock<Arc<KeptBack>>,
    state: Mutex<State>,
    tail: Arc<Tail>,
    backoff: Arc<Backoff>,
}

#[derive(Default)]
struct State {
    child: Option<Child>,
    closed: bool,
}

impl Stdio {
    pub(crate) fn new(
        program: String,
        args: Vec<String>,
        env: Vec<(String, String)>,
        cwd: Option<PathBuf>,
        flight: Flight,
        options: &Options,
    ) -> Self {
        let launch = Launch {
            program,
            args,
            env,
            cwd,
            message_limit: options.message_limit,
            flight,
            grace: options.close_grace,
            hurry: CancellationToken::new(),
            programs: options.programs.clone(),
        };
        Self {
            launch,
            kept_back: OnceLock::new(),
            state: Mutex::default(),
            tail: Arc::new(Tail::new(options.stderr_limit)),
            backoff: Arc::new(Backoff::new(options.restart_delay, options.restart_delay_max)),
        }
    }

    pub(crate) fn keep_back(&self, kept_back: Arc<KeptBack>) {
        // Said once.
        let _ = self.kept_back.set(kept_back);
    }

    /// Makes sure that the child runs.
    pub(crate) async fn start(&self) -> Result<(), Error> {
        self.running(true).await.map(drop)
    }

    /// Sends one request. Dropping the future tells the server that nobody waits for the answer.
    pub(crate) async fn request(&self, id: u64, body: Vec<u8>) -> Result<Json, Error> {
        self.running(true).await?.request(id, body, GivenUp::Told).await
    }

    /// The way to the child that runs or, since some end at any first question but the legacy one, to a new one.
    pub(crate) async fn line(&self) -> Result<Line, Error> {
        self.running(false).await
    }

    /// The way to the child for requests that stay: it is started as for any other.
    pub(crate) async fn lasting_line(&self) -> Result<Line, Error> {
        self.running(true).await
    }

    /// Ends the child; the next request starts another.
    pub(crate) async fn stop(&self) {
        let child = self.state.lock().await.child.take();
        if let Some(child) = child {
            child.stop().await;
        }
    }

    /// Ends the child; there will be no other.
    pub(crate) async fn close(&self) {
        self.state.lock().await.closed = true;
        self.stop().await;
    }

    /// From now on a child gets no time to leave.
    pub(crate) fn hurry(&self) {
        self.launch.hurry.cancel();
    }

    pub(crate) fn tail(&self) -> Vec<String> {
        self.tail.lines()
    }

    /// The child's line, of a child started now if none runs.
    async fn running(&self, heed_backoff: bool) -> Result<Line, Error> {
        let mut state = self.state.lock().await;
        if state.closed {
            return Err(Error::Closed);
        }
        if let Some(child) = state.child.as_ref().filter(|child| !child.ended()) {
            return Ok(child.line());
        }
        state.child = None;
        if heed_backoff {
            self.backoff.check(Instant::now(), || self.tail.text())?;
        }
        let kept_back = self.kept_back().await?;
        let path = path::of_login_shell().await;
        let inherited = inherited(std::env::vars_os(), &kept_back);
        let child = self.launch.spawn(inherited, path, &self.tail, &self.backoff)?;
        Ok(state.child.insert(child).line())
    }

    /// What is meant for others now: that changes while the child does not run.
    async fn kept_back(&self) -> Result<BTreeSet<String>, Error> {
        match self.kept_back.get().cloned() {
            Some(kept_back) => spawn_blocking(move || kept_back()).await.map_err(|_| Error::Closed)?,
            None => Ok(BTreeSet::new()),
        }
    }
}
