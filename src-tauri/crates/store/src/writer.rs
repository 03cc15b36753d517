//! The writer's thread: takes what is queued, commits it in one transaction, answers.
//!
//! While nothing can be committed, an intent is refused at once. What servers said goes back to the front of the queue,
//! in order, and is tried again until there is room. The transaction's number grows only when what it counts can be
//! read.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::{Connection, TransactionBehavior, config::DbConfig};
use tokio::sync::watch;

use crate::{
    Batch, BatchKind, CommitError, Committed, Done, Write, connection,
    error::Failed,
    files::{Files, Shelf},
    news::{Publisher, Touching},
    queue::{GROUP, Queue},
    spare::{self, Spare},
    sweep,
    table::{
        calls, decisions, events,
        meta::{self, Ids, Meta},
        payloads, requests, rounds, servers, sessions, settings, tools,
    },
    whereabouts::Whereabouts,
};

/// Observations are taken at least this long after the last group was: in company they cost a fraction of what a commit of
/// their own does, for us, the disk and whoever reads what has changed. After a rest they are committed at once, and a wish
/// never waits.
const PAUSE: Duration = Duration::from_millis(2);

/// The only one that writes.
pub(crate) struct Writer {
    conn: Connection,
    meta: Meta,
    files: Arc<Files>,
    queue: Arc<Queue>,
    tell: Tell,
    touching: Touching,
    page_limit: u32,
    /// What may have to go back to the disk.
    spare: Spare,
    whereabouts: Whereabouts,
    /// Whether a file was not where it belongs at the last look.
    gone: bool,
}

/// To whom the writer tells what.
#[derive(Debug)]
pub(crate) struct Tell {
    /// Why nothing can be kept, while nothing can be.
    pub(crate) trouble: watch::Sender<Option<CommitError>>,
    /// What each commit changed.
    pub(crate) news: Publisher,
}

impl Writer {
    pub(crate) fn new(
        conn: Connection,
        meta: Meta,
        files: Arc<Files>,
        queue: Arc<Queue>,
        tell: Tell,
        whereabouts: Whereabouts,
    ) -> rusqlite::Result<Self> {
        let (page_limit, spare, gone) = (0, Spare::default(), false);
        let touching = Touching::of(&conn)?;
        Ok(Self { conn, meta, files, queue, tell, touching, page_limit, spare, whereabouts, gone })
    }

    pub(crate) fn run(mut self) {
        // Whatever ends this thread, nobody may wait for it afterwards.
        let _closer = CloseAtEnd(Arc::clone(&self.queue));
        let (mut limit, mut failed) = (GROUP, false);
        let mut rested = Instant::now();
        while let Some(group) = self.queue.take(limit, failed, rested) {
            rested = Instant::now() + PAUSE;
            self.apply_page_limit();
            failed = false;
            match self.commit(&group) {
                Ok(left) => {
                    self.spare.pages |= group.iter().flat_map(|batch| &batch.writes).any(Write::deletes);
                    limit = GROUP.min(limit * 2);
                    self.tell.trouble.send_if_modified(|trouble| trouble.take().is_some());
                    self.answer(group, left);
                    self.give_back();
                }
                // One of them is at fault: nobody is answered before it is known which.
                Err(_) if group.len() > 1 => {
                    limit = group.len() / 2;
                    self.queue.put_back(group);
                }
                Err(error) => failed = self.refuse(group, &error),
            }
        }
        // Best effort: a reader may hold the log, which is then read at the next start.
        if let Err(error) = self.conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)") {
            tracing::debug!(%error, "the log stays beside the database");
        }
        if self.whereabouts.missing().is_some()
            && let Err(error) = self.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        {
            // It deletes the log by its name, and what has that name now may be somebody else's.
            tracing::error!(%error, "closing may delete a log that was put in the place of ours");
        }
    }

    /// One transaction, or none: what of each batch is left for further ones.
    ///
    /// There is no savepoint in it: at each statement SQLite walks all that was changed since one, which makes a large batch
    /// quadratic. Which batch is at fault is found by halving instead.
    fn commit(&mut self, group: &[Batch]) -> Result<Vec<Vec<Write>>, Failed> {
        self.look_around()?;
        // What was taken back is not told.
        self.touching.take();
        let mut meta = Meta { seq: self.meta.seq + 1, ..self.meta };
        let mut shelf = Shelf::of(&self.files, meta.seq, self.room()?);
        let transaction = self.conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (mut left, mut secrets_gone) = (Vec::with_capacity(group.len()), false);
        for batch in group {
            let mut change = Change {
                conn: &transaction,
                touching: &self.touching,
                meta: &mut meta,
                shelf: &mut shelf,
                left: Vec::new(),
                secrets_gone: false,
            };
            batch.writes.iter().try_for_each(|write| change.apply(write))?;
            secrets_gone |= change.secrets_gone;
            left.push(change.left);
        }
        meta::write(&transaction, &meta)?;
        transaction.commit()?;
        self.meta = meta;
        shelf.kept();
        // The log still has them.
        self.spare.log |= secrets_gone;
        // It may have gone before the commit: then that went with it.
        self.look_around()?;
        self.tell.news.publish(meta.seq, self.touching.take());
        Ok(left)
    }

    /// Nothing may be kept, and nobody answered, while a file is not where the next start looks for it, or the directory may
    /// be another owner's.
    fn look_around(&mut self) -> Result<(), Failed> {
        let missing = self.whereabouts.missing();
        let was_gone = std::mem::replace(&mut self.gone, missing.is_some());
        let Some(missing) = missing else { return Ok(()) };
        if !was_gone {
            tracing::error!(%missing, "a file was moved, replaced or deleted");
            // Where only the log is gone, what was answered before is brought to the file that is still there.
            if let Err(error) = self.conn.execute_batch("PRAGMA wal_checkpoint(FULL)") {
                tracing::error!(%error, "what its log held was not brought into the database");
            }
        }
        Err(Failed::Gone(missing))
    }

    /// How many bytes the page limit leaves for files; none without a limit.
    fn room(&self) -> rusqlite::Result<Option<u64>> {
        if matches!(self.page_limit, 0 | u32::MAX) {
            return Ok(None);
        }
        let pragma = |name| {
            self.conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0).map(i64::cast_unsigned))
        };
        let pages = pragma("max_page_count")?.saturating_sub(pragma("page_count")?);
        Ok(Some(pages * pragma("page_size")?))
    }

    /// What rows have left free goes back to the disk. A portion of it, and the rest behind whatever is queued.
    fn give_back(&mut self) {
        if self.spare.is_none() {
            return;
        }
        match spare::give_back(&self.conn, self.spare, connection::BUSY) {
            Ok(left) => self.spare = left,
            Err(error) => return tracing::debug!(%error, "what is free stays in the database"),
        }
        // Whoever reads the log has soon done: the next group tries again.
        if self.spare.pages {
            // Nothing to commit, and once nothing is accepted any more the rest is for the next run.
            let rest = Batch { writes: Vec::new(), kind: BatchKind::Observed, done: Box::new(drop) };
            drop(self.queue.push_own(rest));
        }
    }

    fn answer(&self, group: Vec<Batch>, left: Vec<Vec<Write>>) {
        let committed = Committed { seq: self.meta.seq };
        for (batch, left) in group.into_iter().zip(left) {
            // Should it panic, nothing more is accepted before those behind it are dropped.
            let _closer = CloseInPanic(&self.queue);
            if left.is_empty() {
                (batch.done)(Ok(committed));
            } else {
                self.go_on(left, committed, batch.done);
            }
        }
    }

    /// Queues what is left of a batch behind all others. What has been committed stays so: the answer is never an error.
    fn go_on(&self, writes: Vec<Write>, committed: Committed, done: Done) {
        let done = Box::new(move |rest: Result<Committed, _>| done(Ok(rest.unwrap_or(committed))));
        // Whatever is left for another sweep is found by it.
        if let Err(batch) = self.queue.push_own(Batch { writes, kind: BatchKind::Intent, done }) {
            (batch.done)(Ok(committed));
        }
    }

    /// A single batch could not be committed. Whether it waits for another try.
    fn refuse(&self, group: Vec<Batch>, error: &Failed) -> bool {
        let (error, may_succeed) = CommitError::sort(self.whereabouts.db(), error);
        let waits = may_succeed && group.iter().any(|batch| batch.kind == BatchKind::Observed);
        let refused = if waits {
            self.tell
                .trouble
                .send_if_modified(|trouble| trouble.replace(error.clone()).as_ref() != Some(&error));
            self.queue.put_back(group);
            self.queue.give_up()
        } else {
            group
        };
        for batch in refused {
            if !may_succeed {
                tracing::error!(%error, kind = ?batch.kind, "the schema refused a batch");
            }
            let _closer = CloseInPanic(&self.queue);
            (batch.done)(Err(error.clone()));
        }
        waits
    }

    fn apply_page_limit(&mut self) {
        let limit = self.queue.page_limit();
        if limit != self.page_limit {
            self.page_limit = limit;
            if let Err(error) = self.conn.pragma_update(None, "max_page_count", limit) {
                tracing::warn!(%error, "the page limit was not set");
            }
        }
    }
}

struct CloseInPanic<'a>(&'a Queue);

impl Drop for CloseInPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

struct CloseAtEnd(Arc<Queue>);

impl Drop for CloseAtEnd {
    fn drop(&mut self) {
        self.0.close();
        // Empty but after a panic in somebody's `done`: then the others are dropped, which whoever waits can notice.
        drop(self.0.give_up());
    }
}

/// One batch being applied within a transaction.
struct Change<'a> {
    conn: &'a Connection,
    touching: &'a Touching,
    meta: &'a mut Meta,
    shelf: &'a mut Shelf,
    /// What is left for further transactions.
    left: Vec<Write>,
    /// Whether secrets went that had still to be delivered, or were.
    secrets_gone: bool,
}

impl Change<'_> {
    fn apply(&mut self, write: &Write) -> Result<(), Failed> {
        let Self { conn, shelf, .. } = self;
        let Meta { seq, ids, head, .. } = self.meta;
        let seq = *seq;
        match write {
            Write::PutServer(server) => {
                Ids::saw_server(ids, server.id);
                servers::put(conn, seq, server)?;
                if server.removed_at.is_some() {
                    tools::drop(conn, server.id)?;
                    sessions::drop(conn, server.id)?;
                }
            }
            Write::PutHeard { server, at } => servers::heard(conn, *server, *at)?,
            Write::PutTools { server, tools } => tools::put(conn, seq, *server, tools)?,
            Write::PutCall(call) => {
                Ids::saw_call(ids, call.id);
                calls::put(conn, seq, call)?;
            }
            Write::PutPayload { call, kind, json } => payloads::put(conn, shelf, seq, *call, *kind, json)?,
            Write::DropPayload { call, kind } => payloads::drop(conn, shelf, seq, *call, *kind)?,
            Write::PutRequest(request) => {
                Ids::saw_request(ids, request.id);
                self.secrets_gone |= requests::put(conn, seq, request)?;
            }
            Write::DropUndelivered(request) => {
                self.secrets_gone |= requests::drop_undelivered(conn, seq, *request)?;
            }
            Write::DropRequest(request) => requests::let_go(conn, seq, *request)?,
            Write::DropAsked(request) => requests::drop_asked(conn, seq, *request)?,
            Write::AddEvent(event) => events::add(conn, seq, event)?,
            Write::AddDecision(decision) => decisions::add(conn, head, decision)?,
            Write::ForgetCall(call) => self.secrets_gone |= calls::forget(conn, shelf, *call)?,
            Write::PutTags { call, tags } => calls::own::put_tags(conn, seq, *call, tags)?,
            Write::PutRemark { call, text } => calls::own::put_remark(conn, seq, *call, text)?,
            Write::PutRound { call, n, request_state, raw, ttl_ms } => {
                rounds::put(conn, seq, *call, *n, (request_state.as_deref(), raw), *ttl_ms)?;
            }
            Write::ShortenRounds { call, before } => rounds::shorten(conn, seq, *call, *before)?,
            Write::PutSession(session) => {
                Ids::saw_session(ids, session.n);
                sessions::put(conn, session)?;
            }
            Write::Sweep { at, ended_before, payload_bytes } => {
                let ended = ended_before.map(|before| sweep::ended(conn, shelf, before)).transpose()?;
                let large =
                    payload_bytes.map(|bytes| sweep::payloads(conn, shelf, seq, *at, bytes)).transpose()?;
                self.secrets_gone |= ended.is_some_and(|ended| ended.secrets);
                if ended.is_some_and(|ended| ended.may_be_more) || large == Some(true) {
                    self.left.push(write.clone());
                }
            }
            Write::PutSetting { key, value } => {
                settings::put(conn, seq, key, value)?;
                self.touching.setting(key);
            }
        }
        Ok(())
    }
}
