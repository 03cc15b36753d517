//! How the catalogue is read and kept: portions of all rows first, then what each commit touched.

use std::{
    collections::{BTreeSet, HashSet},
    sync::{Arc, PoisonError, Weak},
    time::Duration,
};

use signalbox_catalogue::{Change, NarrowRequest, NarrowRow, NarrowTask};
use signalbox_engine::wall;
use signalbox_model::Timestamp;
use signalbox_store::{News, Portion, ReadError, Reads, Touched};
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

use super::{Kept, Shared, State};

/// Rows in one portion: while one is taken in, nobody else has the catalogue.
const PORTION: u32 = 1_000;
/// Changes are taken in as they come while that takes less than one part in so many of the time.
const SHARE: u32 = 4;
/// The time between two takings-in where it would take more. Half a frame: nobody sees more.
const BEAT: Duration = Duration::from_millis(8);
/// The longest time until it is asked which rows have turned by the clock: a timer does not count the time that the machine
/// slept.
const GLANCE: Duration = Duration::from_secs(10);
/// How long a store that cannot be read is left alone.
const REST: Duration = Duration::from_secs(1);

/// What is to be done next.
#[derive(Debug, Clone, Copy)]
enum Next {
    /// All rows are read.
    Grow,
    /// What was committed is taken in; or, after so long, what has turned.
    Keep(Duration),
}

/// Reads all rows and keeps them, as long as somebody has the catalogue and the store is open.
pub(super) async fn follow(shared: Weak<Shared>, mut seq: watch::Receiver<u64>) {
    let Some(nudged) = shared.upgrade().map(|shared| Arc::clone(&shared.nudged)) else { return };
    let mut next = Next::Grow;
    // Until when its share is used up.
    let mut paid = Instant::now();
    loop {
        seq.borrow_and_update();
        let Some(shared) = shared.upgrade() else { return };
        let work = move || {
            let _alone = shared.taking.lock().unwrap_or_else(PoisonError::into_inner);
            let Some((reads, news)) = shared.source.get() else { return Ok(next) };
            match next {
                Next::Grow => grow(&shared, reads, news),
                Next::Keep(_) => keep(&shared, reads, news),
            }
        };
        let began = Instant::now();
        next = match tokio::task::spawn_blocking(work).await {
            Ok(Ok(next)) => next,
            Ok(Err(error)) => {
                tracing::error!(%error, "lists cannot be kept: the store cannot be read");
                sleep_until(Instant::now() + REST).await;
                Next::Grow
            }
            Err(error) => {
                tracing::error!(%error, "lists are read anew: keeping them failed");
                sleep_until(Instant::now() + REST).await;
                Next::Grow
            }
        };
        if let Next::Keep(turn) = next {
            let now = Instant::now();
            paid = paid.max(began) + (now - began) * SHARE;
            if paid > now + BEAT {
                sleep_until(now + BEAT).await;
            }
            tokio::select! {
                changed = seq.changed() => if changed.is_err() { return },
                () = nudged.notified() => {}
                () = sleep_until(now + turn) => {}
            }
        }
    }
}

impl Shared {
    /// Takes in what was committed by now, where all else is there.
    pub(super) fn catch_up(&self) -> Result<(), ReadError> {
        let Some((reads, news)) = self.source.get() else { return Ok(()) };
        let is_behind = || {
            let kept = self.kept();
            kept.state == State::Complete && kept.seq < *news.seq().borrow()
        };
        if !is_behind() {
            return Ok(());
        }
        let _alone = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        if is_behind() && matches!(keep(self, reads, news)?, Next::Grow) {
            // Whoever follows reads all of it anew. Until then nothing may call itself whole.
            self.take_in(|kept| {
                kept.state = State::Growing;
                true
            });
        }
        Ok(())
    }

    /// Tells of it where `take` says that something may look otherwise.
    pub(super) fn take_in(&self, take: impl FnOnce(&mut Kept) -> bool) {
        if take(&mut self.kept()) {
            self.moved.send_modify(|moved| *moved += 1);
        }
    }
}

/// Reads all rows. What is committed meanwhile is read again afterwards.
fn grow(shared: &Shared, reads: &Reads, news: &News) -> Result<Next, ReadError> {
    let begun = *news.seq().borrow();
    let servers = reads.servers()?;
    shared.take_in(|kept| {
        let (seen, mut words) = (std::mem::take(&mut kept.seen), std::mem::take(&mut kept.words));
        // With the rows goes what was found in them.
        words.begin_anew();
        *kept = Kept { seq: begun, state: State::Growing, seen, words, ..Kept::new() };
        for (server, changed) in &servers {
            kept.world.put_server(server, *changed);
        }
        true
    });
    shared.asked.send_modify(|asked| *asked += 1);
    let mut after = Some(0);
    while let Some(from) = after {
        let Portion { rows, next } = reads.call_briefs_after(from, PORTION)?;
        shared.take_in(|Kept { world, tasks, .. }| {
            let changes =
                changes(&rows, &BTreeSet::new(), |call, changed| NarrowTask::new(call, changed, world));
            tasks.apply(changes, world, wall());
            true
        });
        after = next;
    }
    let mut after = Some(0);
    while let Some(from) = after {
        let Portion { rows, next } = reads.request_briefs_after(from, PORTION)?;
        shared.take_in(|Kept { world, requests, stacks, .. }| {
            let changes =
                changes(&rows, &BTreeSet::new(), |brief, changed| NarrowRequest::new(brief, changed, world));
            stacks.apply(&changes);
            requests.apply(changes, world, wall());
            true
        });
        after = next;
    }
    Ok(Next::Keep(Duration::ZERO))
}

/// Takes in what was committed since the last time, and which rows have turned.
fn keep(shared: &Shared, reads: &Reads, news: &News) -> Result<Next, ReadError> {
    let since = shared.kept().seq;
    let now = *news.seq().borrow();
    // More was committed than is remembered.
    let Some(all) = news.since(since) else { return Ok(Next::Grow) };
    let mut touched = Touched::default();
    all.iter().for_each(|other| touched.add(other));
    let (calls, briefs, servers) = reads.at_once(|reads| {
        let servers = if touched.servers.is_empty() { Vec::new() } else { reads.servers()? };
        let calls = reads.call_briefs_of(touched.calls.iter().copied())?;
        Ok((calls, reads.request_briefs_of(touched.requests.iter().copied())?, servers))
    })?;
    shared.take_in(|kept| {
        let now_is = wall();
        let turned = next_turn(kept).is_some_and(|turn| turn <= now_is);
        let Kept { world, tasks, requests, stacks, state, seq, .. } = kept;
        for (server, changed) in &servers {
            world.put_server(server, *changed);
        }
        let changed = changes(&calls, &touched.calls, |call, changed| NarrowTask::new(call, changed, world));
        tasks.apply(changed, world, now_is);
        let changed =
            changes(&briefs, &touched.requests, |brief, changed| NarrowRequest::new(brief, changed, world));
        stacks.apply(&changed);
        requests.apply(changed, world, now_is);
        let is_news = turned || !touched.is_empty() || *state == State::Growing;
        *state = State::Complete;
        *seq = now.max(*seq);
        is_news
    });
    let until = next_turn(&shared.kept())
        .map(|turn| Duration::from_millis(u64::try_from(turn.ms_since(wall())).unwrap_or(0)));
    Ok(Next::Keep(until.unwrap_or(GLANCE).min(GLANCE)))
}

/// What became of rows: those that are there are as they were read, and others that were touched are gone.
fn changes<L: NarrowRow, B>(
    there: &[(B, u64)],
    touched: &BTreeSet<L::Id>,
    mut narrow: impl FnMut(&B, u64) -> L,
) -> Vec<Change<L>> {
    let lines: Vec<L> = there.iter().map(|(brief, changed)| narrow(brief, *changed)).collect();
    let found: HashSet<L::Id> = lines.iter().map(NarrowRow::id).collect();
    let gone = touched.iter().filter(|id| !found.contains(*id)).map(|id| Change::Gone(*id));
    lines.into_iter().map(Change::Put).chain(gone).collect()
}

fn next_turn(kept: &Kept) -> Option<Timestamp> {
    [kept.tasks.next_turn(), kept.requests.next_turn()].into_iter().flatten().min()
}
