//! Looks through full texts for the words of filters, as long as somebody asks for some.
//!
//! The first rows of a list are there before: those whose narrow texts have the words. The index is made of all rows then, the
//! newest first, and each portion tells what was found in it; after that it follows what is committed.

mod words;

use std::{collections::HashSet, sync::Weak, time::Duration};

use signalbox_engine::wall;
use signalbox_store::{News, Portion, ReadError, Reads, TextOf, Texts, Touched};
use tokio::{
    sync::watch,
    time::{Instant, sleep_until, timeout},
};

use super::{Kept, Shared};
use crate::ListOf;
use words::Stage;
pub(super) use words::Words;

/// The shortest time between two looks at what was committed.
const PACE: Duration = Duration::from_millis(50);
/// The longest, for words that nobody asks for any more.
const GLANCE: Duration = Duration::from_secs(60);
/// How long an index that cannot be made is left alone.
const REST: Duration = Duration::from_secs(1);

/// What is to be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// There is more to look through.
    GoOn,
    /// Nothing, until something is committed or asked for.
    Wait,
    /// Nobody asks for words any more.
    End,
}

/// What is done at the moment.
struct Search {
    texts: Texts,
    /// What was committed up to this transaction is in it, of the rows that were reached.
    seq: u64,
    /// Below which numbers rows are still to be taken in.
    calls: Option<u64>,
    requests: Option<u64>,
}

/// Does it, as long as somebody has the catalogue.
pub(super) async fn search(
    shared: Weak<Shared>,
    mut asked: watch::Receiver<u64>,
    mut seq: watch::Receiver<u64>,
) {
    while asked.changed().await.is_ok() {
        let mut search = None;
        loop {
            asked.borrow_and_update();
            seq.borrow_and_update();
            let Some(shared) = shared.upgrade() else { return };
            let step = tokio::task::spawn_blocking(move || step(&shared, search)).await;
            let (going_on, next) = match step {
                Ok(Ok(step)) => step,
                Ok(Err(error)) => {
                    tracing::error!(%error, "full texts cannot be looked through");
                    sleep_until(Instant::now() + REST).await;
                    (None, Next::GoOn)
                }
                Err(error) => return tracing::error!(%error, "full texts are no longer looked through"),
            };
            search = going_on;
            match next {
                Next::GoOn => {}
                Next::Wait => {
                    sleep_until(Instant::now() + PACE).await;
                    let more = async {
                        tokio::select! {
                            changed = asked.changed() => changed,
                            changed = seq.changed() => changed,
                        }
                    };
                    if let Ok(Err(_)) = timeout(GLANCE, more).await {
                        return;
                    }
                }
                Next::End => break,
            }
        }
    }
}

/// One step of it. An error begins it anew.
fn step(shared: &Shared, search: Option<Search>) -> Result<(Option<Search>, Next), ReadError> {
    let Some((reads, news)) = shared.source.get() else { return Ok((None, Next::End)) };
    let done = go_on(shared, search, reads, news);
    let fault = done.as_ref().err().cloned();
    shared.take_in(|kept| {
        let is_news = kept.words.fault != fault;
        kept.words.fault = fault;
        is_news
    });
    done
}

fn go_on(
    shared: &Shared,
    search: Option<Search>,
    reads: &Reads,
    news: &News,
) -> Result<(Option<Search>, Next), ReadError> {
    if !let_go(shared) {
        return Ok((None, Next::End));
    }
    let mut search = match search {
        Some(search) => search,
        None => Search::begin(shared, reads, news)?,
    };
    search.take_up(shared)?;
    let now = *news.seq().borrow();
    let Some(all) = news.since(search.seq) else {
        // More was committed than is remembered.
        return Ok((None, Next::GoOn));
    };
    let mut touched = Touched::default();
    all.iter().for_each(|other| touched.add(other));
    search.follow(shared, ListOf::Tasks, &touched.calls.iter().map(|call| call.0).collect::<Vec<_>>())?;
    search.follow(
        shared,
        ListOf::Inbox,
        &touched.requests.iter().map(|request| request.0).collect::<Vec<_>>(),
    )?;
    search.seq = now;
    let next = search.grow(shared)?;
    Ok((Some(search), next))
}

/// Lets words go that nobody asks for. Whether there are others.
fn let_go(shared: &Shared) -> bool {
    shared.take_in(|kept| {
        let gone = kept.words.let_go(Instant::now());
        for (of, word) in &gone {
            kept.forget(*of, word);
        }
        !gone.is_empty()
    });
    !shared.kept().words.is_empty()
}

impl Search {
    /// An empty index. Whatever was found in another one is no longer known.
    fn begin(shared: &Shared, reads: &Reads, news: &News) -> Result<Self, ReadError> {
        let seq = *news.seq().borrow();
        shared.take_in(|kept| {
            for (of, word) in kept.words.begin_anew() {
                kept.forget(of, &word);
            }
            true
        });
        let first = Some(u64::from(u32::MAX) + 1);
        Ok(Self { texts: Texts::of(reads)?, seq, calls: first, requests: first })
    }

    /// Looks for new words in what the index has.
    fn take_up(&self, shared: &Shared) -> Result<(), ReadError> {
        let fresh = shared.kept().words.at(Stage::New);
        for key in fresh {
            let (of, word) = &key;
            let found = self.texts.find(texts_of(*of), word, None)?;
            shared.take_in(|kept| {
                kept.put_found(*of, word, found.iter().map(|id| (*id, true)));
                kept.words.set(&key, Stage::Followed);
                !found.is_empty()
            });
        }
        Ok(())
    }

    /// Takes in what was committed.
    fn follow(&self, shared: &Shared, of: ListOf, touched: &[u32]) -> Result<(), ReadError> {
        if touched.is_empty() {
            return Ok(());
        }
        self.texts.take_in(texts_of(of), touched)?;
        self.tell(shared, of, touched)
    }

    /// Takes in a portion of the rows that it has not reached.
    fn grow(&mut self, shared: &Shared) -> Result<Next, ReadError> {
        // Tasks and questions in turn: somebody may look at either.
        for of in [ListOf::Tasks, ListOf::Inbox] {
            let below = match of {
                ListOf::Tasks => &mut self.calls,
                ListOf::Inbox => &mut self.requests,
            };
            if let Some(before) = *below {
                let Portion { rows, next } = self.texts.take_in_below(texts_of(of), before)?;
                *below = next;
                self.tell(shared, of, &rows)?;
            }
        }
        if self.calls.is_some() || self.requests.is_some() {
            return Ok(Next::GoOn);
        }
        let through = shared.kept().words.at(Stage::Followed);
        shared.take_in(|kept| {
            through.iter().for_each(|key| kept.words.set(key, Stage::Whole));
            !through.is_empty()
        });
        Ok(Next::Wait)
    }

    /// Tells in which of these rows words were found.
    fn tell(&self, shared: &Shared, of: ListOf, rows: &[u32]) -> Result<(), ReadError> {
        let words = shared.kept().words.followed(of);
        for word in words {
            let found: HashSet<u32> = self.texts.find(texts_of(of), &word, Some(rows))?.into_iter().collect();
            shared.take_in(|kept| kept.put_found(of, &word, rows.iter().map(|id| (*id, found.contains(id)))));
        }
        Ok(())
    }
}

fn texts_of(of: ListOf) -> TextOf {
    match of {
        ListOf::Tasks => TextOf::Calls,
        ListOf::Inbox => TextOf::Requests,
    }
}

impl Kept {
    /// In which rows words were found, by number. Whether a list has changed by it.
    fn put_found(&mut self, of: ListOf, word: &str, rows: impl Iterator<Item = (u32, bool)>) -> bool {
        match of {
            ListOf::Tasks => self.tasks.put_found(word, rows, &self.world, wall()),
            ListOf::Inbox => self.requests.put_found(word, rows, &self.world, wall()),
        }
    }

    pub(super) fn forget(&mut self, of: ListOf, word: &str) {
        match of {
            ListOf::Tasks => self.tasks.forget_found(word),
            ListOf::Inbox => self.requests.forget_found(word),
        }
    }
}

#[cfg(test)]
mod tests;
