//! A store with what a test of views looks at.

use std::sync::mpsc;

use signalbox_store::{Batch, BatchKind, Store, Write};

/// A store of its own in which this is committed. It lasts as long as the directory beside it.
pub(super) fn stored(writes: Vec<Write>) -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let (done, answer) = mpsc::channel();
    let done = Box::new(move |result| {
        let _ = done.send(result);
    });
    store.submit(Batch { writes, kind: BatchKind::Intent, done }).unwrap();
    answer.recv().unwrap().unwrap();
    (dir, store)
}
