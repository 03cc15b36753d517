//! The handle to an open database.

use std::{fs::File, path::Path, sync::Arc, thread::JoinHandle};

use tokio::sync::watch;

use crate::{
    Batch, Closed, CommitError, OpenError, Reads, Texts,
    connection::Way,
    files::Files,
    news::{self, News},
    open,
    queue::Queue,
    secrets,
    table::{decisions, meta, payload_files},
    whereabouts::Whereabouts,
    writer::{Tell, Writer},
};

/// An open database: one writer thread, a few read-only connections. Dropping it closes it.
#[derive(Debug)]
pub struct Store {
    queue: Arc<Queue>,
    thread: Option<JoinHandle<()>>,
    trouble: watch::Receiver<Option<CommitError>>,
    news: News,
    reads: Reads,
    epoch: u64,
}

impl Store {
    /// Opens `dir/signalbox.db`, making both where they are missing (0700 and 0600).
    ///
    /// # Errors
    /// When the directory or file cannot be used; the file is then as it was.
    pub fn open(dir: &Path) -> Result<Self, OpenError> {
        Self::open_watching(dir, Ok)
    }

    /// As [`open`](Self::open), by who holds the lock `file`, which was taken at `path`. Once another file has its name,
    /// nothing is stored any more: whoever comes next would take that one, and know nothing of us.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_locked(dir: &Path, path: &Path, file: &File) -> Result<Self, OpenError> {
        Self::open_watching(dir, |found| {
            found.locked_by(path, file).map_err(|error| OpenError::io(path, &error))
        })
    }

    fn open_watching(
        dir: &Path,
        watching: impl FnOnce(Whereabouts) -> Result<Whereabouts, OpenError>,
    ) -> Result<Self, OpenError> {
        let (conn, path) = open::writer(dir)?;
        let failed = |error: rusqlite::Error| OpenError::sqlite(&path, &error);
        let mut meta = meta::read(&conn).map_err(failed)?;
        meta.epoch += 1;
        // Somebody took the end of the log back. New decisions must be possible; `verify` tells where it breaks.
        if let Some(last) = decisions::last(&conn).map_err(failed)?.filter(|last| last.n > meta.head.n) {
            tracing::warn!(n = last.n, "the log of decisions goes on behind its noted end");
            meta.head = last;
        }
        meta::write(&conn, &meta).map_err(failed)?;
        secrets::let_go(&conn).map_err(failed)?;
        let files = Arc::new(Files::of(dir));
        let tidied = files.tidy(|name| payload_files::named(&conn, name));
        tidied.map_err(|error| OpenError::io(dir, &error))?.map_err(failed)?;

        Texts::tidy(dir);

        // Something was written: all of its files are there.
        let whereabouts = watching(Whereabouts::of(&path))?;
        let queue = Arc::new(Queue::default());
        let (said, trouble) = watch::channel(None);
        let (publisher, news) = news::channel(meta.seq);
        let tell = Tell { trouble: said, news: publisher };
        let writer =
            Writer::new(conn, meta, Arc::clone(&files), Arc::clone(&queue), tell, whereabouts.clone())
                .map_err(failed)?;
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || writer.run())
            .map_err(|error| OpenError::io(&path, &error))?;
        Ok(Self {
            queue,
            thread: Some(thread),
            trouble,
            news,
            reads: Reads::of(&path, Way::Shared, files, whereabouts),
            epoch: meta.epoch,
        })
    }

    /// Queues a batch; batches are committed in the order of their submission, many in one transaction.
    ///
    /// Blocks while 16,384 batches are waiting and this one is [`BatchKind::Observed`](crate::BatchKind::Observed): a disk
    /// that stays full slows the engine down instead of filling the memory.
    ///
    /// # Errors
    /// [`Closed`] when nothing is accepted any more; the batch is dropped without a call of `done`.
    pub fn submit(&self, batch: Batch) -> Result<(), Closed> {
        self.queue.push(batch)
    }

    /// Why observed batches wait; none while none does.
    #[must_use]
    pub fn trouble(&self) -> watch::Receiver<Option<CommitError>> {
        self.trouble.clone()
    }

    /// What each commit changes, by number.
    #[must_use]
    pub fn news(&self) -> News {
        self.news.clone()
    }

    /// Reads beside the writer.
    #[must_use]
    pub fn reads(&self) -> Reads {
        self.reads.clone()
    }

    /// How often this database has been opened, this time included: the same number never comes again.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Lets the database grow to so many pages and no further, as a full disk would; `u32::MAX` takes the limit away. What
    /// is left of them is also the room for the files of large payloads.
    /// For tests of what happens then.
    pub fn limit_pages(&self, pages: u32) {
        self.queue.limit_pages(pages);
    }

    /// [`Store::limit_pages`] for who no longer holds the store.
    pub fn page_limit(&self) -> impl Fn(u32) + Send + Sync + use<> {
        let queue = Arc::clone(&self.queue);
        move |pages| queue.limit_pages(pages)
    }

    /// [`Store::submit`] for who no longer holds the store: for tests that change what its owner shows.
    pub fn submitter(&self) -> impl Fn(Batch) -> Result<(), Closed> + Send + Sync + use<> {
        let queue = Arc::clone(&self.queue);
        move |batch| queue.push(batch)
    }

    /// Commits what is queued, empties the log into the file and ends the writer's thread (blocking).
    ///
    /// Batches that cannot be committed now are answered with the error.
    pub fn close(self) {}
}

impl Drop for Store {
    fn drop(&mut self) {
        self.queue.close();
        // Dropped by a `done`, this is the writer's thread: it cannot wait for itself, and ends right after.
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != std::thread::current().id()
            && thread.join().is_err()
        {
            tracing::error!("the store's writer panicked");
        }
    }
}
