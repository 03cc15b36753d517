//! Carries out effects: in the order of their commits, each that takes time in a task of its own.

use std::{
    collections::BTreeMap,
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use signalbox_mcp as mcp;
use signalbox_model::{CallId, Json, ServerId, TaskMethod, Timestamp};
use signalbox_store::{CommitError, Committed};
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Connected, Connections, Inputs, Waiting,
    exchanges::{Asking, Exchanges},
    pushes::Pushes,
    tools::entries,
    under_way::UnderWay,
};
use crate::{Effect, Input, Line, Notice, Refusal, TaskState};

/// What became of a batch.
#[derive(Debug)]
enum Outcome {
    Run(Vec<Effect>),
    Failed(Vec<Effect>, CommitError),
}

/// Takes what was committed and does it.
pub(super) struct Runner {
    pub(super) inputs: Inputs,
    pub(super) waiting: Waiting,
    /// Why nothing can be kept, while nothing can be.
    pub(super) trouble: watch::Receiver<Option<CommitError>>,
    pub(super) connections: Connections,
    pub(super) pushes: Pushes,
    /// What goes between us and the servers about tasks.
    pub(super) exchanges: Exchanges,
    /// When servers last answered, as shown.
    pub(super) heard: watch::Sender<BTreeMap<ServerId, Timestamp>>,
    /// How many questions of servers are not taken, as shown.
    pub(super) left: watch::Sender<BTreeMap<ServerId, u32>>,
    pub(super) noticed: mpsc::Sender<Notice>,
    /// `tools/call` requests that can be given up.
    pub(super) calls: UnderWay,
    /// `tasks/result` requests that can be given up.
    pub(super) results: UnderWay,
    pub(super) tasks: TaskTracker,
    pub(super) stop: CancellationToken,
}

/// What belongs to a call beside its tool and arguments.
pub(super) struct Wish {
    pub(super) ttl_ms: Option<u32>,
    pub(super) listed: Option<mcp::Tool>,
    pub(super) round: Option<mcp::RoundAnswers>,
}

/// The event loop's side of the runner.
pub(super) struct Effects {
    runner: Arc<Runner>,
    // Unbounded in type only: the event loop makes effects out of bounded inputs and permits.
    outcomes: mpsc::UnboundedSender<Outcome>,
    /// Outcomes that are still to come or to be carried out.
    pending: Arc<AtomicUsize>,
    uncommitted: watch::Sender<usize>,
    carrying_out: JoinHandle<()>,
}

/// Waits on the writer's thread for the commit of one batch.
#[derive(Debug)]
pub(super) struct Done {
    outcomes: mpsc::UnboundedSender<Outcome>,
    uncommitted: watch::Sender<usize>,
    effects: Vec<Effect>,
    _load: mcp::Load,
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

    /// Carries out effects that wait for no commit. Where others are still to be carried out, they come after those.
    pub(super) fn now(&self, effects: Vec<Effect>) {
        if effects.is_empty() {
            return;
        }
        if self.pending.load(Ordering::Acquire) == 0 {
            // Here and now: for most polls nobody else has to be woken.
            effects.into_iter().for_each(|effect| self.runner.run(effect));
            return;
        }
        self.pending.fetch_add(1, Ordering::Relaxed);
        let _ = self.outcomes.send(Outcome::Run(effects));
    }

    /// Carries out what waits for no commit ([`Effect::is_at_once`]).
    pub(super) fn at_once(&self, effect: Effect) {
        self.runner.run(effect);
    }

    /// What is to be done once a batch is committed. What was made to keep it has its room until then.
    pub(super) fn after(&self, effects: Vec<Effect>, load: mcp::Load) -> Done {
        self.pending.fetch_add(1, Ordering::Relaxed);
        self.uncommitted.send_modify(|waiting| *waiting += 1);
        Done { outcomes: self.outcomes.clone(), uncommitted: self.uncommitted.clone(), effects, _load: load }
    }

    /// Gives up what is under way; resolves when nothing is any more. What had been answered has become an input.
    pub(super) async fn give_up(&self) {
        self.runner.stop.cancel();
        self.runner.tasks.close();
        self.runner.tasks.wait().await;
    }

    pub(super) async fn disconnect(&self) {
        self.runner.connections.close().await;
    }

    /// Resolves when all that was committed has been told.
    pub(super) async fn finish(self) {
        drop(self.outcomes);
        if self.carrying_out.await.is_err() {
            tracing::error!("carrying out effects panicked");
        }
    }
}

impl Done {
    pub(super) fn committed(self, result: Result<Committed, CommitError>) {
        let outcome = match result {
            Ok(_) => Outcome::Run(self.effects),
            Err(error) => Outcome::Failed(self.effects, error),
        };
        // The outcome first: once the count says that all is committed, nothing may overtake it.
        let _ = self.outcomes.send(outcome);
        self.uncommitted.send_modify(|waiting| *waiting -= 1);
    }
}

impl Runner {
    /// One that has nothing under way and shows nothing yet.
    pub(super) fn new(
        inputs: Inputs,
        waiting: Waiting,
        trouble: watch::Receiver<Option<CommitError>>,
        connections: Connections,
        exchanges: Exchanges,
        noticed: mpsc::Sender<Notice>,
    ) -> Self {
        Self {
            inputs,
            waiting,
            trouble,
            connections,
            pushes: Pushes::new(exchanges.clone()),
            exchanges,
            heard: watch::Sender::default(),
            left: watch::Sender::default(),
            noticed,
            calls: UnderWay::default(),
            results: UnderWay::default(),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        }
    }

    pub(super) fn start(self) -> Effects {
        let (outcomes, mut received) = mpsc::unbounded_channel();
        let (runner, pending) = (Arc::new(self), Arc::new(AtomicUsize::new(0)));
        let (this, done) = (Arc::clone(&runner), Arc::clone(&pending));
        let carrying_out = tokio::spawn(async move {
            while let Some(outcome) = received.recv().await {
                match outcome {
                    Outcome::Run(effects) => effects.into_iter().for_each(|effect| this.run(effect)),
                    Outcome::Failed(effects, error) => {
                        for effect in effects {
                            this.failed(effect, &error).await;
                        }
                    }
                }
                done.fetch_sub(1, Ordering::Release);
            }
        });
        Effects { runner, outcomes, pending, uncommitted: watch::Sender::new(0), carrying_out }
    }

    /// What was observed could not be committed and never will be: nothing that depends on it may happen, and
    /// whoever waits for that is told.
    async fn failed(&self, effect: Effect, error: &CommitError) {
        let closed = mcp::Error::Closed;
        let input = match effect {
            Effect::Reply { token, .. } | Effect::List { token, .. } => {
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
            Effect::ShowHeard { server, at } => return self.show_heard(server, at),
            Effect::ShowLeft { server, questions } => return self.show_left(server, questions),
            Effect::CallTool { call, .. } => Input::NotSent { call, error: closed },
            Effect::GetResult { line, call, .. } => {
                Input::Resulted { server: line.server, call, reply: Err(closed) }
            }
            Effect::ReplyOnWire { server, request: Some(request), .. } => {
                Input::Replied { server, request, reply: Err(closed) }
            }
            Effect::Abandon { .. }
            | Effect::LetGo { .. }
            | Effect::ReplyOnWire { request: None, .. }
            | Effect::Remember { .. }
            | Effect::CloseRequest { .. }
            | Effect::Disconnect { .. }
            | Effect::Notify(_) => return,
        };
        self.inputs.send(input).await;
    }

    fn show_heard(&self, server: ServerId, at: Option<Timestamp>) {
        self.heard.send_if_modified(|heard| match at {
            Some(at) => heard.insert(server, at) != Some(at),
            None => heard.remove(&server).is_some(),
        });
    }

    fn show_left(&self, server: ServerId, questions: u32) {
        self.left.send_if_modified(|left| match questions {
            0 => left.remove(&server).is_some(),
            _ => left.insert(server, questions) != Some(questions),
        });
    }

    fn run(&self, effect: Effect) {
        match effect {
            Effect::Reply { token, result } => self.waiting.answer(token, result),
            Effect::Notify(notice) => {
                // A full queue means that nobody reads; the inbox holds everything anyway.
                let _ = self.noticed.try_send(notice);
            }
            Effect::Abandon { call } => self.calls.give_up(call),
            Effect::LetGo { call } => self.results.give_up(call),
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
            Effect::ShowHeard { server, at } => self.show_heard(server, at),
            Effect::ShowLeft { server, questions } => self.show_left(server, questions),
            Effect::ListTools { line } => {
                let server = line.server;
                self.spawn_request(
                    (line, None),
                    async move |at: Arc<Connected>| Ok(entries(&at.list_tools().await?)),
                    move |reply| Input::Listed { server, reply },
                );
            }
            Effect::List { line, list, token } => self.list(line, list, token),
            Effect::Discover { line } => {
                let connections = self.connections.clone();
                self.spawn(async move {
                    let reply = connections.discover(&line).await;
                    Some(Input::Discovered { server: line.server, reply: reply.map(Box::new) })
                });
            }
            Effect::CallTool { line, call, tool, arguments, ttl_ms, listed, round } => {
                let listed = listed.map(|tool| *tool);
                self.call_tool(line, call, (tool, arguments), Wish { ttl_ms, listed, round });
            }
            Effect::GetResult { line, call, task_id, held: _ } => self.get_result(line, call, task_id),
            Effect::ReplyOnWire { server, link, rpc, reply, request } => {
                self.reply(server, link, (rpc, reply), request);
            }
            Effect::Remember { server, link, requests } => {
                if let Some(session) = self.connections.session(server, link) {
                    for raw in &requests {
                        if session.remember_request(raw).is_none() {
                            tracing::debug!("a question of an earlier run cannot be answered any more");
                        }
                    }
                }
            }
            Effect::CloseRequest { server, link, rpc } => {
                if let Some(session) = self.connections.session(server, link) {
                    session.close_request(&rpc);
                }
            }
            Effect::GetTask { line, call, task_id } => {
                let server = line.server;
                self.spawn_request(
                    (line, self.asks(call, TaskMethod::Get)),
                    async move |at: Arc<Connected>| {
                        Ok(TaskState::read(at.get_task(&task_id).await?, at.found.wire).await)
                    },
                    move |reply| Input::Polled { server, call, reply },
                );
            }
            Effect::UpdateTask { line, call, task_id, requests, responses } => {
                let server = line.server;
                self.spawn_request(
                    (line, self.asks(call, TaskMethod::Update)),
                    async move |at: Arc<Connected>| at.update_task(&task_id, &responses).await,
                    move |reply| Input::Updated { server, call, requests, reply },
                );
            }
            Effect::CancelTask { line, call, task_id } => {
                let server = line.server;
                self.spawn_request(
                    (line, self.asks(call, TaskMethod::Cancel)),
                    async move |at: Arc<Connected>| at.cancel_task(&task_id).await,
                    move |reply| Input::CancelSent { server, call, reply },
                );
            }
        }
    }

    fn asks(&self, call: CallId, method: TaskMethod) -> Option<Asking> {
        Some(self.exchanges.asks(call, method))
    }

    /// Sends a request that is answered soon; one about a task with what notes how it goes.
    fn spawn_request<R, F, T>(
        &self,
        (line, mut asking): (Line, Option<Asking>),
        request: R,
        input: impl FnOnce(Result<T, mcp::Error>) -> Input + Send + 'static,
    ) where
        R: FnOnce(Arc<Connected>) -> F + Send + 'static,
        F: Future<Output = Result<T, mcp::Error>> + Send,
        T: AsRef<Json> + Send,
    {
        let connections = self.connections.clone();
        self.spawn(async move {
            let reply = connections.request(&line, asking.as_mut(), request).await;
            if let Some(asking) = asking {
                asking.came(reply.as_ref().map(AsRef::as_ref));
            }
            Some(input(reply))
        });
    }

    /// Runs `work` until we stop, and passes on what came of it.
    pub(super) fn spawn(&self, work: impl Future<Output = Option<Input>> + Send + 'static) {
        let (inputs, stop) = (self.inputs.clone(), self.stop.clone());
        if stop.is_cancelled() {
            return;
        }
        // Where it is from now on: on its way into a task of its own it would be moved several times.
        let work = mcp::carrying(Box::pin(work));
        self.tasks.spawn(async move {
            let done = tokio::select! {
                // What has been answered is kept, also when we stop at the same moment.
                biased;
                done = work => done,
                () = stop.cancelled() => return,
            };
            if let (Some(input), load) = done {
                inputs.send_with(input, load).await;
            }
        });
    }
}

#[cfg(test)]
mod tests;
