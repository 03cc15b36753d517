//! An engine over a store in a directory of its own, talking HTTP to a demo server.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test helper that fails fails its test")]

use std::{net::SocketAddr, sync::Arc, time::Duration};

use signalbox_demo::{Builder, Demo, Fault, HttpServer, JournalEntry, Speed};
use signalbox_engine::{Engine, EngineOptions, Follow, Granted, Intent, Tuning};
use signalbox_model::{
    Action, Call, CallId, Health, InputRequest, Json, RequestState, Server, ServerId, Transport,
};
use signalbox_signin::Secrets;
use signalbox_store::{Reads, RequestQuery, Store, WhichRequests};
use tempfile::TempDir;

/// Long enough that only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) const SERVER: ServerId = ServerId(1);

pub(crate) async fn patiently<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("this should have happened long ago")
}

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

pub(crate) struct Rig {
    pub(crate) dir: TempDir,
    pub(crate) demo: Demo,
    pub(crate) http: Option<HttpServer>,
    pub(crate) engine: Engine,
    pub(crate) limit_pages: Box<dyn Fn(u32) + Send + Sync>,
}

async fn engine(dir: &TempDir, follow: Follow) -> (Engine, Box<dyn Fn(u32) + Send + Sync>) {
    let store = Store::open(dir.path()).unwrap();
    let limit = Box::new(store.page_limit());
    // The scripted servers here are in a hurry.
    let tuning = Tuning { poll_floor_ms: 5, polls_per_second: 0, ..Tuning::default() };
    let options = EngineOptions { follow, tuning, version: "0".to_owned(), programs: None };
    let engine = patiently(Engine::start(store, Arc::new(Secrets::new("test")), options)).await.unwrap();
    (engine, limit)
}

pub(crate) fn server(transport: Transport) -> Server {
    Server::new(ServerId(0), "demo".to_owned(), transport)
}

impl Rig {
    /// With the demo as server 1.
    pub(crate) async fn new() -> Self {
        Self::with(Demo::builder()).await
    }

    /// The same with another demo.
    pub(crate) async fn with(demo: Builder) -> Self {
        Self::over(demo.speed(Speed::INSTANT).build().unwrap()).await
    }

    /// With a demo that tells nothing by itself: polls are not stretched, and each state comes by one.
    pub(crate) async fn untold() -> Self {
        let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
        let refused = Fault::Refuse { status: 405, retry_after: None };
        demo.faults().next(usize::MAX, "subscriptions/listen", refused);
        Self::over(demo).await
    }

    async fn over(demo: Demo) -> Self {
        let http = demo.serve_http("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let dir = tempfile::tempdir().unwrap();
        let (engine, limit_pages) = engine(&dir, Follow::All).await;
        let rig = Self { dir, demo, engine, limit_pages, http: Some(http) };
        let transport = Transport::Http { url: rig.http.as_ref().unwrap().url(), headers: Vec::new() };
        assert_eq!(rig.wish(Intent::AddServer(server(transport))).await, Granted::Server(SERVER));
        rig
    }

    /// The engine stops in good order, and another one starts over its store.
    pub(crate) async fn restart(&mut self, follow: Follow) {
        patiently(self.engine.stop()).await;
        (self.engine, self.limit_pages) = engine(&self.dir, follow).await;
    }

    /// The demo goes away; says where it was.
    pub(crate) async fn unplug(&mut self) -> SocketAddr {
        let http = self.http.take().unwrap();
        let addr = http.addr();
        patiently(http.shutdown()).await;
        addr
    }

    pub(crate) async fn plug(&mut self, addr: SocketAddr) {
        self.http = Some(self.demo.serve_http(addr).await.unwrap());
    }

    pub(crate) async fn wish(&self, intent: Intent) -> Granted {
        let told = format!("{intent:?}");
        patiently(self.engine.intent(intent)).await.unwrap_or_else(|refusal| panic!("{told}: {refusal:?}"))
    }

    pub(crate) async fn call(&self, tool: &str, arguments: &str) -> CallId {
        let intent =
            Intent::Start { server: SERVER, tool: tool.to_owned(), arguments: json(arguments), ttl_ms: None };
        match self.wish(intent).await {
            Granted::Call(call) => call,
            other => panic!("a call should start: {other:?}"),
        }
    }

    pub(crate) async fn read<T: Send + 'static>(&self, read: impl FnOnce(Reads) -> T + Send + 'static) -> T {
        let reads = self.engine.reads();
        tokio::task::spawn_blocking(move || read(reads)).await.unwrap()
    }

    /// Waits until what is published satisfies `find`.
    pub(crate) async fn until<T: Send + 'static>(
        &self,
        what: &str,
        find: impl Fn(&Reads) -> Option<T> + Clone + Send + 'static,
    ) -> T {
        let mut seq = self.engine.news().seq();
        let search = async {
            loop {
                seq.borrow_and_update();
                let find = find.clone();
                if let Some(found) = self.read(move |reads| find(&reads)).await {
                    return found;
                }
                seq.changed().await.expect("the engine is there");
            }
        };
        tokio::time::timeout(PATIENCE, search).await.unwrap_or_else(|_| panic!("{what}: never came"))
    }

    pub(crate) async fn row(&self, call: CallId) -> Call {
        self.read(move |reads| reads.call(call).unwrap().unwrap().0).await
    }

    /// Of whoever sees the wish that stands.
    pub(crate) async fn cancel(&self, call: CallId) {
        let seen = self.row(call).await.cancel_requested_at();
        self.wish(Intent::Cancel { call, seen }).await;
    }

    pub(crate) async fn ended(&self, call: CallId) -> Call {
        self.until("the end of the call", move |reads| {
            reads.call(call).unwrap().map(|(row, _)| row).filter(Call::ended)
        })
        .await
    }

    pub(crate) async fn handle(&self, call: CallId) -> String {
        self.until("its task", move |reads| Some(reads.call(call).unwrap()?.0.task?.task_id)).await
    }

    pub(crate) async fn question(&self, call: CallId, state: RequestState) -> InputRequest {
        self.until("the question", move |reads| {
            let of_call =
                [WhichRequests::Open(call), WhichRequests::Closed(call)].into_iter().flat_map(|list| {
                    reads
                        .requests_page(&RequestQuery { list, limit: 100, ..RequestQuery::default() })
                        .unwrap()
                        .rows
                });
            let mut lines = of_call.map(|((line, _), _)| line).filter(|line| line.state == state);
            Some(reads.request(lines.next()?.id).unwrap()?.0)
        })
        .await
    }

    pub(crate) async fn health(&self) -> Health {
        self.read(|reads| reads.servers().unwrap()[0].0.health.clone()).await
    }

    pub(crate) async fn until_health(&self, what: &str, is: fn(&Health) -> bool) -> Health {
        let find = move |reads: &Reads| Some(reads.servers().unwrap()[0].0.health.clone()).filter(is);
        self.until(what, find).await
    }

    pub(crate) fn accept(request: &InputRequest) -> Intent {
        let content = Some(json(r#"{"approved":true,"rollout":"gradual"}"#));
        Intent::Answer {
            request: request.id,
            action: Action::Accept,
            content,
            hold_ms: 0,
            seen: request.decided_at(),
            remark: None,
            asks: None,
        }
    }

    /// The JSON-RPC ids of all requests that came, of this method if one is named.
    pub(crate) fn ids(&self, of: Option<&str>) -> Vec<u64> {
        let id = |entry: JournalEntry| match entry {
            JournalEntry::Request { id, method, .. } if of.is_none_or(|of| of == method) => id.as_u64(),
            _ => None,
        };
        self.demo.journal().entries().into_iter().filter_map(id).collect()
    }

    pub(crate) fn requests(&self, method: &str) -> usize {
        self.demo.journal().requests(method).len()
    }
}
