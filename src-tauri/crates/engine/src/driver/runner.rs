//! Carries out effects: in the order of their commits, each that takes time in a task of its own.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
};

use signalbox_mcp as mcp;
use signalbox_model::{CallId, Json, ServerId, Transport};
use signalbox_store::{CommitError, Committed};
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{Connected, Connections, Waiting, pushes::Pushes};
use crate::{Effect, Input, Line, Notice, Refusal};

/// What became of a batch.
#[derive(Debug)]
enum Outcome {
    Run(Vec<Effect>),
    Failed(Vec<Effect>, CommitError),
}

/// Takes what was committed and does it.
pub(super) struct Runner {
    pub(super) inputs: mpsc::Sender<Input>,
    pub(super) waiting: Waiting,
    pub(super) connections: Connections,
    pub(super) pushes: Pushes,
    pub(super) noticed: mpsc::Sender<Notice>,
    /// `tools/call` requests that can be given up.
    pub(super) calls: Arc<Mutex<HashMap<CallId, CancellationToken>>>,
    pub(super) tasks: TaskTracker,
    pub(super) stop: CancellationToken,
}

/// The turnstile's side of the runner.
pub(super) struct Effects {
    // Unbounded in type only: the turnstile makes effects out of bounded inputs and permits.
    outcomes: mpsc::UnboundedSender<Outcome>,
    uncommitted: watch::Sender<usize>,
    published: Publisher,
    connections: Connections,
    tasks: TaskTracker,
    stop: CancellationToken,
    runner: JoinHandle<()>,
}

/// Tells the number of the last commit.
#[derive(Debug, Clone)]
pub(super) struct Publisher(Arc<watch::Sender<u64>>);

/// Waits on the writer's thread for the commit of one batch.
#[derive(Debug)]
pub(super) struct Done {
    outcomes: mpsc::UnboundedSender<Outcome>,
    uncommitted: watch::Sender<usize>,
    published: Publisher,
    effects: Vec<Effect>,
}

impl Publisher {
    /// Everything this number counts can be read by now.
    pub(super) fn publish(&self, seq: u64) {
        self.0.send_if_modified(|last| {
            let newer = *last < seq;
            *last = (*last).max(seq);
            newer
        });
    }
}

impl Effects {
    /// Batches that wait for the disk.
    pub(super) fn uncommitted(&self) -> usize {
        *self.uncommitted.borrow()
    }

    /// Resolves once fewer batches than that wait for the disk.
    pub(super) async fn fewer_than(&self, limit: usize) {
        // The sender lives in `self`, so this ends with the count only.
        let _ = self.uncommitted.subscribe().wait_for(|waiting| *waiting < limit).await;
    }

    pub(super) fn publisher(&self) -> Publisher {
        self.published.clone()
    }

    pub(super) fn now(&self, effects: Vec<Effect>) {
        if !effects.is_empty() {
            let _ = self.outcomes.send(Outcome::Run(effects));
        }
    }

    pub(super) fn after(&self, effects: Vec<Effect>) -> Done {
        self.uncommitted.send_modify(|waiting| *waiting += 1);
        Done {
            outcomes: self.outcomes.clone(),
            uncommitted: self.uncommitted.clone(),
            published: self.published.clone(),
            effects,
        }
    }

    /// Gives up what is under way; resolves when nothing is any more. What had been answered has become an input.
    pub(super) async fn give_up(&self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }

    pub(super) async fn disconnect(&self) {
        self.connections.close().await;
    }

    /// Resolves when all that was committed has been told.
    pub(super) async fn finish(self) {
        drop(self.outcomes);
        if self.runner.await.is_err() {
            tracing::error!("carrying out effects panicked");
        }
    }
}

impl Done {
    pub(super) fn committed(self, result: Result<Committed, CommitError>) {
        let outcome = match result {
            Ok(Committed { seq }) => {
                self.published.publish(seq);
                Outcome::Run(self.effects)
            }
            Err(error) => Outcome::Failed(self.effects, error),
        };
        // The outcome first: once the count says that all is committed, nothing may overtake it.
        let _ = self.outcomes.send(outcome);
        self.uncommitted.send_modify(|waiting| *waiting -= 1);
    }
}

impl Runner {
    pub(super) fn start(self, published: watch::Sender<u64>) -> Effects {
        let (outcomes, mut received) = mpsc::unbounded_channel();
        let (connections, tasks, stop) = (self.connections.clone(), self.tasks.clone(), self.stop.clone());
        let runner = tokio::spawn(async move {
            while let Some(outcome) = received.recv().await {
                match outcome {
                    Outcome::Run(effects) => effects.into_iter().for_each(|effect| self.run(effect)),
                    Outcome::Failed(effects, error) => {
                        for effect in effects {
                            self.failed(effect, &error).await;
                        }
                    }
                }
            }
        });
        let published = Publisher(Arc::new(published));
        Effects { outcomes, uncommitted: watch::Sender::new(0), published, connections, tasks, stop, runner }
    }

    /// What was observed could not be committed and never will be: nothing that depends on it may happen, and
    /// whoever waits for that is told.
    async fn failed(&self, effect: Effect, error: &CommitError) {
        let closed = mcp::Error::Closed;
        let input = match effect {
            Effect::Reply { token, .. } => {
                self.waiting.answer(token, Err(Refusal::Storage(error.clone())));
                return;
            }
            Effect::GetTask { line, call, .. } => {
                Input::Polled { server: line.server, call, reply: Err(closed) }
            }
            Effect::UpdateTask { line, call, requests, .. } => {
                Input::Updated { server: line.server, call, requests, reply: Err(closed) }
            }
            Effect::CancelTask { line, call, .. } => {
                Input::CancelSent { server: line.server, call, reply: Err(closed) }
            }
            Effect::Discover { line } => Input::Discovered { server: line.server, reply: Err(closed) },
            Effect::Listen { line, number, .. } => {
                Input::Listening { server: line.server, number, reply: Err(closed) }
            }
            Effect::ListTools { line } => Input::Listed { server: line.server, reply: Err(closed) },
            Effect::StopListening { server } => return self.pushes.stop(server),
            Effect::ShowPush { server, push } => return self.pushes.show(server, push),
            Effect::CallTool { call, .. } => Input::NotSent { call, error: closed },
            Effect::Abandon { .. } | Effect::Disconnect { .. } | Effect::Tune(_) | Effect::Notify(_) => {
                return;
            }
        };
        let _ = self.inputs.send(input).await;
    }

    fn run(&self, effect: Effect) {
        match effect {
            Effect::Reply { token, result } => self.waiting.answer(token, result),
            Effect::Notify(notice) => {
                // A full queue means that nobody reads; the inbox holds everything anyway.
                let _ = self.noticed.try_send(notice);
            }
            Effect::Abandon { call } => {
                let given_up = self.calls.lock().unwrap_or_else(PoisonError::into_inner).remove(&call);
                if let Some(token) = given_up {
                    token.cancel();
                }
            }
            Effect::Disconnect { server } => {
                // Taken out at once, so that what follows makes a new one.
                if let Some(client) = self.connections.take(server) {
                    self.spawn(async move {
                        client.close().await;
                        None
                    });
                }
            }
            Effect::Listen { line, number, tasks } => {
                let (connections, inputs) = (self.connections.clone(), self.inputs.clone());
                let stream = self.pushes.listen(connections, inputs, line, number, tasks);
                self.spawn(async move {
                    stream.await;
                    None
                });
            }
            Effect::StopListening { server } => self.pushes.stop(server),
            Effect::ShowPush { server, push } => self.pushes.show(server, push),
            Effect::ListTools { line } => {
                let server = line.server;
                self.spawn_request(
                    line,
                    async move |client: mcp::Client| Ok(entries(&client.list_tools().await?)),
                    move |reply| Input::Listed { server, reply },
                );
            }
            Effect::Tune(tuning) => self.connections.tune(tuning),
            Effect::Discover { line } => {
                let connections = self.connections.clone();
                self.spawn(async move {
                    let reply = connections.discover(line.server, &line.transport).await;
                    Some(Input::Discovered { server: line.server, reply })
                });
            }
            Effect::CallTool { line, call, tool, arguments, schema, round } => {
                let options = mcp::CallOptions { input_schema: schema, round, ..mcp::CallOptions::default() };
                self.call_tool(line, call, tool, arguments, options);
            }
            Effect::GetTask { line, call, task_id } => {
                let server = line.server;
                self.spawn_request(
                    line,
                    async move |client: mcp::Client| client.get_task(&task_id).await,
                    move |reply| Input::Polled { server, call, reply },
                );
            }
            Effect::UpdateTask { line, call, task_id, requests, responses } => {
                let server = line.server;
                self.spawn_request(
                    line,
                    async move |client: mcp::Client| client.update_task(&task_id, &responses).await,
                    move |reply| Input::Updated { server, call, requests, reply },
                );
            }
            Effect::CancelTask { line, call, task_id } => {
                let server = line.server;
                self.spawn_request(
                    line,
                    async move |client: mcp::Client| client.cancel_task(&task_id).await,
                    move |reply| Input::CancelSent { server, call, reply },
                );
            }
        }
    }

    fn call_tool(&self, line: Line, call: CallId, tool: String, arguments: Json, options: mcp::CallOptions) {
        let given_up = CancellationToken::new();
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).insert(call, given_up.clone());
        let (connections, calls, inputs) =
            (self.connections.clone(), Arc::clone(&self.calls), self.inputs.clone());
        self.spawn(async move {
            let work = async {
                let connected = match connect(&connections, &inputs, line.server, &line.transport).await {
                    Ok(connected) => connected,
                    Err(error) => return Input::NotSent { call, error },
                };
                let _permit = connected.permits.held.acquire().await;
                let mut reply = connected.client.call_tool(&tool, &arguments, options.clone()).await;
                if mismatched(&reply)
                    && let Ok(input_schema) = list_again(&connected.client, &inputs, line.server, &tool).await
                {
                    let options = mcp::CallOptions { input_schema, ..options };
                    reply = connected.client.call_tool(&tool, &arguments, options).await;
                }
                Input::Called { call, reply }
            };
            let input = tokio::select! {
                // An answer that has come is kept, whatever the person wants by now.
                biased;
                input = work => Some(input),
                () = given_up.cancelled() => None,
            };
            calls.lock().unwrap_or_else(PoisonError::into_inner).remove(&call);
            input
        });
    }

    fn spawn_request<R, F>(
        &self,
        line: Line,
        request: R,
        input: impl FnOnce(Result<Json, mcp::Error>) -> Input + Send + 'static,
    ) where
        R: FnOnce(mcp::Client) -> F + Send + 'static,
        F: Future<Output = Result<Json, mcp::Error>> + Send,
    {
        let (connections, inputs) = (self.connections.clone(), self.inputs.clone());
        self.spawn(async move {
            let reply = match connect(&connections, &inputs, line.server, &line.transport).await {
                Ok(connected) => {
                    let _permit = connected.permits.short.acquire().await;
                    request(connected.client).await
                }
                Err(error) => Err(error),
            };
            Some(input(reply))
        });
    }

    /// Runs `work` until we stop, and passes on what came of it.
    fn spawn(&self, work: impl Future<Output = Option<Input>> + Send + 'static) {
        let (inputs, stop) = (self.inputs.clone(), self.stop.clone());
        if stop.is_cancelled() {
            return;
        }
        self.tasks.spawn(async move {
            let input = tokio::select! {
                // What has been answered is kept, also when we stop at the same moment.
                biased;
                input = work => input,
                () = stop.cancelled() => None,
            };
            if let Some(input) = input {
                let _ = inputs.send(input).await;
            }
        });
    }
}

/// The entries of a list of tools as received, in one array.
pub(super) fn entries(tools: &[mcp::Tool]) -> Json {
    Json::of(&tools.iter().map(|tool| &tool.raw).map(Json::raw).collect::<Vec<_>>())
}

/// The connection; what a new one finds out about its server becomes an input before anything else of it.
pub(super) async fn connect(
    connections: &Connections,
    inputs: &mpsc::Sender<Input>,
    server: ServerId,
    transport: &Arc<Transport>,
) -> Result<Connected, mcp::Error> {
    let (connected, fresh) = connections.client(server, transport).await?;
    if fresh {
        let _ = inputs.send(Input::Discovered { server, reply: Ok(connected.found.clone()) }).await;
    }
    Ok(connected)
}

/// Whether the server refused the call for headers that are not those of its schema, without acting on it.
fn mismatched(reply: &Result<mcp::Called, mcp::Error>) -> bool {
    matches!(reply, Err(error) if error.meaning() == Some(mcp::Meaning::HeaderMismatch))
}

/// The tool's schema as it is by now.
async fn list_again(
    client: &mcp::Client,
    inputs: &mpsc::Sender<Input>,
    server: ServerId,
    tool: &str,
) -> Result<Option<Json>, mcp::Error> {
    let tools = list_tools(client, inputs, server).await?;
    Ok(tools.into_iter().find(|listed| listed.name == tool).and_then(|listed| listed.input_schema))
}

/// The tools of a server. What comes is kept, and taken as a sign of the server's health.
pub(super) async fn list_tools(
    client: &mcp::Client,
    inputs: &mpsc::Sender<Input>,
    server: ServerId,
) -> Result<Vec<mcp::Tool>, mcp::Error> {
    let tools = client.list_tools().await;
    let reply = match &tools {
        Ok(tools) => Ok(entries(tools)),
        Err(error) => Err(error.clone()),
    };
    let _ = inputs.send(Input::Listed { server, reply }).await;
    tools
}
