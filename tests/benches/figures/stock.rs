//! Data directories made for a purpose, through the store's own writes.

use std::path::Path;
use std::sync::mpsc;

use serde_json::json;
use signalbox_model::{
    Call, CallId, Delivery, Json, Origin, Server, ServerId, Status, Task, Timestamp, Tracking, Transport,
};
use signalbox_store::{Batch, BatchKind, Store, Write};

/// A place for data directories on the disk that is built on: a temporary folder may be memory, where nothing ever has
/// to wait for a disk.
pub(crate) fn place() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Servers with tasks that were adopted a moment ago.
pub(crate) fn with_tasks(
    dir: &Path,
    poll_floor_ms: u32,
    poll_interval_ms: i64,
    lines: &[(String, Vec<String>)],
) {
    let mut stock = Stock::open(dir);
    stock.setting(poll_floor_ms);
    for (url, ids) in lines {
        stock.tasks(url, ids, poll_interval_ms);
    }
    stock.close();
}

/// A store in the making.
pub(crate) struct Stock {
    store: Store,
    servers: u32,
    calls: u32,
}

impl Stock {
    pub(crate) fn open(dir: &Path) -> Self {
        Self { store: Store::open(dir).unwrap(), servers: 0, calls: 0 }
    }

    pub(crate) fn setting(&mut self, poll_floor_ms: u32) {
        // What is measured is what can be done, not what a server is spared.
        let value = Json::of(&json!({ "pollFloorMs": poll_floor_ms, "pollsPerSecond": 0 }));
        self.write(vec![Write::PutSetting { key: "settings".into(), value }]);
    }

    pub(crate) fn server(&mut self, url: &str, now: Timestamp) -> ServerId {
        self.servers += 1;
        let id = ServerId(self.servers);
        let transport = Transport::Http { url: url.to_owned(), headers: Vec::new() };
        let name = format!("server-{:02}", id.0);
        let server = Server { created_at: now, tasks: true, ..Server::new(id, name, transport) };
        self.write(vec![Write::PutServer(server)]);
        id
    }

    /// A server with tasks that were adopted a moment ago.
    pub(crate) fn tasks(&mut self, url: &str, ids: &[String], poll_interval_ms: i64) {
        let now = now();
        let server = self.server(url, now);
        for id in ids {
            let call = self.call(server, id, poll_interval_ms, now);
            self.write(vec![Write::PutCall(Box::new(call))]);
        }
    }

    /// A working task; not written yet.
    pub(crate) fn call(
        &mut self,
        server: ServerId,
        task_id: &str,
        poll_interval_ms: i64,
        now: Timestamp,
    ) -> Call {
        self.calls += 1;
        Call {
            id: CallId(self.calls),
            server,
            wire: None,
            tool: "forever".into(),
            summary: String::new(),
            origin: Origin::Adopted,
            created_at: now,
            delivery: Delivery::Answered,
            status: Status::Working,
            status_text: None,
            outcome: None,
            tracking: Tracking::Live,
            note: None,
            task: Some(Task {
                task_id: task_id.to_owned(),
                status_message: None,
                created_at: None,
                last_updated_at: None,
                ttl_ms: None,
                unlimited: Some(false),
                poll_interval_ms: Some(poll_interval_ms),
                expires_at: None,
                seen_at: now,
            }),
            cancel: None,
            ended_at: None,
            next_poll_at: None,
            open_requests: 0,
            waiting_since: None,
            progress: None,
        }
    }

    pub(crate) fn write(&mut self, writes: Vec<Write>) {
        let done = Box::new(|committed: Result<_, _>| assert!(committed.is_ok(), "{committed:?}"));
        self.store.submit(Batch { writes, kind: BatchKind::Observed, done }).unwrap();
    }

    /// Waits until all of it is on the disk.
    pub(crate) fn close(self) {
        let (tell, told) = mpsc::channel();
        let done = Box::new(move |committed| tell.send(committed).unwrap());
        self.store.submit(Batch { writes: Vec::new(), kind: BatchKind::Observed, done }).unwrap();
        told.recv().unwrap().unwrap();
        self.store.close();
    }
}

pub(crate) fn now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_millisecond())
}
