//! Carries out effects: in the order of their commits, each that takes time in a task of its own.

use std::{
    collections::HashMap,
    future::Future,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use signalbox_mcp as mcp;
use signalbox_model::{CallId, Json, ServerId, Transport};
use signalbox_store::{CommitError, Committed};
use tokio::sync::{mpsc, watch};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{Connections, Waiting};
use crate::{Effect, Input, Line, Notice, Refusal, Undo};

/// What became of a batch.
#[derive(Debug)]
enum Outcome {
    Run(Vec<Effect>),
    Failed { effects: Vec<Effect>, undo: Undo, error: CommitError },
}

/// Takes what was committed and does it.
pub(super) struct Runner {
    pub(super) inputs: mpsc::Sender<Input>,
    pub(super) waiting: Waiting,
    pub(super) connections: Connections,
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
    uncommitted: Arc<AtomicUsize>,
    published: Arc<watch::Sender<u64>>,
    connections: Connections,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// Waits on the writer's thread for the commit of one batch.
#[derive(Debug)]
pub(super) struct Done {
    outcomes: mpsc::UnboundedSender<Outcome>,
    uncommitted: Arc<AtomicUsize>,
    published: Arc<watch::Sender<u64>>,
    effects: Vec<Effect>,
    undo: Undo,
}

impl Effects {
    pub(super) fn all_committed(&self) -> bool {
        self.uncommitted.load(Ordering::Acquire) == 0
    }

    pub(super) fn now(&self, effects: Vec<Effect>) {
        if !effects.is_empty() {
            let _ = self.outcomes.send(Outcome::Run(effects));
        }
    }

    pub(super) fn after(&self, effects: Vec<Effect>, undo: Undo) -> Done {
        self.uncommitted.fetch_add(1, Ordering::AcqRel);
        Done {
            outcomes: self.outcomes.clone(),
            uncommitted: Arc::clone(&self.uncommitted),
            published: Arc::clone(&self.published),
            effects,
            undo,
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
}

impl Done {
    pub(super) fn committed(self, result: Result<Committed, CommitError>) {
        let outcome = match result {
            Ok(Committed { seq }) => {
                // Everything this number counts can be read by now.
                self.published.send_if_modified(|last| {
                    let newer = *last < seq;
                    *last = (*last).max(seq);
                    newer
                });
                Outcome::Run(self.effects)
            }
            Err(error) => Outcome::Failed { effects: self.effects, undo: self.undo, error },
        };
        // The outcome first: once the count says that all is committed, nothing may overtake it.
        let _ = self.outcomes.send(outcome);
        self.uncommitted.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Runner {
    pub(super) fn start(self, published: watch::Sender<u64>) -> Effects {
        let (outcomes, mut received) = mpsc::unbounded_channel();
        let effects = Effects {
            outcomes,
            uncommitted: Arc::default(),
            published: Arc::new(published),
            connections: self.connections.clone(),
            tasks: self.tasks.clone(),
            stop: self.stop.clone(),
        };
        tokio::spawn(async move {
            while let Some(outcome) = received.recv().await {
                match outcome {
                    Outcome::Run(effects) => effects.into_iter().for_each(|effect| self.run(effect)),
                    Outcome::Failed { effects, undo, error } => self.failed(effects, undo, error).await,
                }
            }
        });
        effects
    }

    /// Nothing that depends on the commit may happen; whoever waits is told.
    async fn failed(&self, effects: Vec<Effect>, undo: Undo, error: CommitError) {
        // Taken back first, so that a caller who tries again finds things as they were.
        let _ = self.inputs.send(Input::CommitFailed { undo, error: error.clone() }).await;
        for effect in effects {
            if let Effect::Reply { token, .. } = effect {
                self.waiting.answer(token, Err(Refusal::Storage(error.clone())));
            }
        }
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
                let connections = self.connections.clone();
                self.spawn(async move {
                    connections.disconnect(server).await;
                    None
                });
            }
            Effect::Discover { line } => {
                let connections = self.connections.clone();
                self.spawn(async move {
                    let reply = connections.discover(line.server, &line.transport).await;
                    Some(Input::Discovered { server: line.server, reply })
                });
            }
            Effect::CallTool { line, call, tool, arguments } => self.call_tool(line, call, tool, arguments),
            Effect::GetTask { line, call, task_id } => self.spawn_request(
                line,
                async move |client: mcp::Client| client.get_task(&task_id).await,
                move |reply| Input::Polled { call, reply },
            ),
            Effect::UpdateTask { line, call, task_id, requests, responses } => self.spawn_request(
                line,
                async move |client: mcp::Client| client.update_task(&task_id, &responses).await,
                move |reply| Input::Updated { call, requests, reply },
            ),
            Effect::CancelTask { line, call, task_id } => self.spawn_request(
                line,
                async move |client: mcp::Client| client.cancel_task(&task_id).await,
                move |reply| Input::CancelSent { call, reply },
            ),
        }
    }

    fn call_tool(&self, line: Line, call: CallId, tool: String, arguments: Json) {
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
                let reply = connected.call_tool(&tool, &arguments, mcp::CallOptions::default()).await;
                Input::Called { call, reply }
            };
            let input = tokio::select! {
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
                Ok(client) => request(client).await,
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

/// The connection; what a new one finds out about its server becomes an input before anything else of it.
pub(super) async fn connect(
    connections: &Connections,
    inputs: &mpsc::Sender<Input>,
    server: ServerId,
    transport: &Arc<Transport>,
) -> Result<mcp::Client, mcp::Error> {
    let (connected, fresh) = connections.client(server, transport).await?;
    if fresh {
        let _ = inputs.send(Input::Discovered { server, reply: Ok(connected.found.clone()) }).await;
    }
    Ok(connected.client)
}
