//! A store with what a test of views looks at.

use std::sync::mpsc;

use signalbox_model::{Server, ServerId, Transport};
use signalbox_store::{Batch, BatchKind, Store, Write};

/// A store of its own in which this is committed, around one server that nobody reaches. It lasts as long as the directory
/// beside it.
pub(super) fn stored(around: Vec<Write>) -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let transport = Transport::Http { url: "http://127.0.0.1:1/mcp".to_owned(), headers: vec![] };
    let mut writes = vec![Write::PutServer(Server::new(ServerId(1), "ci".to_owned(), transport))];
    writes.extend(around);
    let (done, answer) = mpsc::channel();
    let done = Box::new(move |result| {
        let _ = done.send(result);
    });
    store.submit(Batch { writes, kind: BatchKind::Intent, done }).unwrap();
    answer.recv().unwrap().unwrap();
    (dir, store)
}
