//! A store in a directory of its own, and plain records to put in.

use std::{
    path::PathBuf,
    sync::mpsc::{self, Receiver},
    time::Duration,
};

use signalbox_model::{
    Call, CallId, Identity, InputRequest, Json, Mode, Origin, RequestId, Server, ServerId, Task, Timestamp,
    Transport,
};
use signalbox_store::{Batch, BatchKind, CommitError, Committed, Store, Write};
use tempfile::TempDir;

pub(crate) type Answer = Result<Committed, CommitError>;

/// Long enough that only a hang reaches it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Fixture {
    pub(crate) store: Store,
    pub(crate) dir: TempDir,
}

impl Fixture {
    /// A fresh store with server 1.
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let fixture = Self { store, dir };
        fixture.put([put_server(server(1))]);
        fixture
    }

    /// The store that is in `dir`.
    pub(crate) fn at(dir: TempDir) -> Self {
        Self { store: Store::open(dir.path()).unwrap(), dir }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.dir.path().join("signalbox.db")
    }

    /// Commits the writes and returns their transaction.
    pub(crate) fn put(&self, writes: impl IntoIterator<Item = Write>) -> u64 {
        self.wish(writes).expect("the writes are fine").seq
    }

    /// Commits the writes as a person's wish.
    pub(crate) fn wish(&self, writes: impl IntoIterator<Item = Write>) -> Answer {
        wait(&self.submit(BatchKind::Intent, writes))
    }

    pub(crate) fn submit(
        &self,
        kind: BatchKind,
        writes: impl IntoIterator<Item = Write>,
    ) -> Receiver<Answer> {
        let (done, answer) = mpsc::channel();
        let done = Box::new(move |result| {
            // A test may have stopped waiting.
            let _ = done.send(result);
        });
        self.store.submit(Batch { writes: writes.into_iter().collect(), kind, done }).unwrap();
        answer
    }

    /// Closes the store and opens it again.
    pub(crate) fn reopen(self) -> Self {
        self.store.close();
        Self { store: Store::open(self.dir.path()).unwrap(), dir: self.dir }
    }

    /// Another connection, for damage that the store itself never does.
    pub(crate) fn tamper(&self, sql: &str) {
        rusqlite::Connection::open(self.path()).unwrap().execute_batch(sql).unwrap();
    }
}

pub(crate) fn wait(answer: &Receiver<Answer>) -> Answer {
    answer.recv_timeout(PATIENCE).expect("every batch is answered")
}

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

pub(crate) fn server(id: u32) -> Server {
    Server {
        created_at: Timestamp(1),
        ..Server::new(
            ServerId(id),
            format!("server {id}"),
            Transport::Http { url: "http://127.0.0.1:1/mcp".to_owned(), headers: vec![] },
        )
    }
}

pub(crate) fn call(id: u32) -> Call {
    let created_at = Timestamp(i64::from(id));
    Call { tool: "deploy".to_owned(), ..Call::new(CallId(id), ServerId(1), Origin::Started, created_at) }
}

pub(crate) fn task(task_id: &str) -> Task {
    Task {
        task_id: task_id.to_owned(),
        status_message: None,
        created_at: None,
        last_updated_at: None,
        ttl_ms: None,
        unlimited: None,
        poll_interval_ms: None,
        expires_at: None,
        seen_at: Timestamp(1),
    }
}

/// A question of call `call`.
pub(crate) fn request(id: u32, call: u32) -> InputRequest {
    let identity = Identity::Task { call: CallId(call), key: format!("key {id}") };
    InputRequest {
        method: "elicitation/create".to_owned(),
        mode: Mode::Form,
        message: "Go on?".to_owned(),
        raw: json("{}"),
        ..InputRequest::new(RequestId(id), ServerId(1), identity, Timestamp(i64::from(id)))
    }
}

pub(crate) fn put_call(call: Call) -> Write {
    Write::PutCall(Box::new(call))
}

pub(crate) fn put_request(request: InputRequest) -> Write {
    Write::PutRequest(Box::new(request))
}

pub(crate) fn put_server(server: Server) -> Write {
    Write::PutServer(server)
}
