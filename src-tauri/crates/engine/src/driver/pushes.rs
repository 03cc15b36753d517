//! Subscriptions: each stream is read in a task of its own, until another takes its place, it is dropped or it ends.
//!
//! A stream is opened before the one it replaces is dropped. Nothing is read faster than `step` takes it.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use signalbox_mcp::{self as mcp, Pushed, Subscription, SubscriptionFilter};
use signalbox_model::{CallId, Push, ServerId, Wire};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{Connections, Inputs, exchanges::Exchanges};
use crate::{Input, Line, PushedNews, TaskState, by_number::ByNumber};

/// The streams that are there or asked for, by their numbers, and what is shown of them.
#[derive(Clone)]
pub(super) struct Pushes {
    streams: Arc<Mutex<Streams>>,
    shown: watch::Sender<BTreeMap<ServerId, Push>>,
    exchanges: Exchanges,
}

type Streams = ByNumber<ServerId, BTreeMap<u64, CancellationToken>>;

impl Pushes {
    pub(super) fn new(exchanges: Exchanges) -> Self {
        Self { streams: Arc::default(), shown: watch::Sender::new(BTreeMap::new()), exchanges }
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn shown(&self) -> watch::Receiver<BTreeMap<ServerId, Push>> {
        self.shown.subscribe()
    }

    pub(super) fn show(&self, server: ServerId, push: Option<Push>) {
        self.shown.send_if_modified(|shown| match push {
            Some(push) => shown.insert(server, push) != Some(push),
            None => shown.remove(&server).is_some(),
        });
    }

    /// Drops all streams of a server.
    pub(super) fn stop(&self, server: ServerId) {
        for stop in self.streams().remove(&server).unwrap_or_default().into_values() {
            stop.cancel();
        }
    }

    /// Drops the streams of a server that came before this one.
    fn replaced_by(&self, server: ServerId, number: u64) {
        if let Some(streams) = self.streams().get_mut(&server) {
            let newer = streams.split_off(&number);
            for stop in std::mem::replace(streams, newer).into_values() {
                stop.cancel();
            }
        }
    }

    fn over(&self, server: ServerId, number: u64) {
        let mut streams = self.streams();
        if let Some(of_server) = streams.get_mut(&server) {
            of_server.remove(&number);
            if of_server.is_empty() {
                streams.remove(&server);
            }
        }
    }

    /// Opens a stream and reads it to its end. To be begun at once, so that [`Self::stop`] finds it.
    pub(super) fn listen(
        &self,
        connections: Connections,
        inputs: Inputs,
        line: Line,
        number: u64,
        tasks: Vec<(CallId, String)>,
    ) -> impl Future<Output = ()> + Send + 'static {
        let stop = CancellationToken::new();
        self.streams().entry(line.server).or_default().insert(number, stop.clone());
        let (pushes, server) = (self.clone(), line.server);
        async move {
            let read = pushes.read(&connections, &inputs, &line, number, tasks);
            tokio::select! {
                biased;
                () = stop.cancelled() => {}
                () = read => {}
            }
            pushes.over(server, number);
        }
    }

    async fn read(
        &self,
        connections: &Connections,
        inputs: &Inputs,
        line: &Line,
        number: u64,
        tasks: Vec<(CallId, String)>,
    ) {
        let server = line.server;
        let answer = |reply| inputs.send(Input::Listening { server, number, reply });
        let connected = match connections.connect(line).await {
            Ok(connected) => connected,
            Err(error) => {
                answer(Err(error)).await;
                return;
            }
        };
        let _permit = connected.permits.streams.acquire().await;
        let calls: HashMap<String, CallId> = tasks.into_iter().map(|(call, task)| (task, call)).collect();
        let wanted =
            SubscriptionFilter { task_ids: calls.keys().cloned().collect(), tools_list_changed: true };
        let mut stream = match connected.client.listen(&wanted).await {
            Ok(stream) => stream,
            Err(error) => {
                answer(Err(error)).await;
                return;
            }
        };
        let granted = stream.granted().task_ids.iter().filter_map(|id| calls.get(id).copied()).collect();
        // Before the first news of it, and before the stream that it replaces falls silent.
        answer(Ok(granted)).await;
        self.replaced_by(server, number);
        while let (Some(news), load) = mcp::carrying(next(&mut stream, &calls)).await {
            if let PushedNews::Task { call, poll } = &news {
                self.exchanges.told(*call, poll.as_ref());
            }
            inputs.send_with(Input::Pushed { server, number, news }, load).await;
        }
    }
}

/// What comes next that means something to us; none after the end.
async fn next(stream: &mut Subscription, calls: &HashMap<String, CallId>) -> Option<PushedNews> {
    loop {
        return Some(match stream.next().await? {
            Pushed::Task { task_id, raw } => match calls.get(&task_id) {
                Some(call) => {
                    PushedNews::Task { call: *call, poll: TaskState::read(raw, Wire::Modern).await }
                }
                None => continue,
            },
            Pushed::ToolsListChanged => PushedNews::ToolsChanged,
            Pushed::Missed(count) => {
                tracing::debug!(count, "pushed faster than it was read");
                PushedNews::Missed
            }
            Pushed::Ended => PushedNews::Ended,
            Pushed::Cut(error) => PushedNews::Cut(error),
        });
    }
}
