//! Looks through full texts for the words of filters, as long as somebody asks for some.
//!
//! The first rows of a list are there before: those whose narrow texts have the words. The index is made of all rows then, the
//! newest first, and each portion tells what was found in it; after that it follows what is committed. One step is one portion:
//! whoever ends waits for no more.

mod words;

use std::{
    collections::{BTreeSet, HashSet},
    sync::Weak,
    time::Duration,
};

use signalbox_engine::wall;
use signalbox_store::{News, Portion, ReadError, Reads, TextOf, Texts};
use tokio::{
    sync::watch::{self, error::RecvError},
    time::{Instant, sleep_until, timeout},
};

use super::{Kept, Shared};
use crate::ListOf;
use words::Sought;
pub(super) use words::Words;

/// The shortest time between two looks at what was committed.
const PACE: Duration = Duration::from_millis(50);
/// The longest, for words that nobody asks for any more.
const GLANCE: Duration = Duration::from_secs(60);
/// How long an index is kept for which there are no words.
const KEPT: Duration = Duration::from_secs(15 * 60);
/// How long an index that cannot be made is left alone, the first time and at the most: each try takes what it can get.
const REST: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];
/// Rows that are told of at once: while that lasts nobody else has the catalogue.
const PORTION: usize = 1_000;

/// What is to be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// There is more to look through.
    GoOn,
    /// Nothing, until something is committed or asked for.
    Wait,
    /// Nobody asks for words.
    Rest,
}

/// What is done at the moment.
struct Search {
    texts: Texts,
    /// What was committed up to this transaction is in it or pending, of the rows that were reached.
    seq: u64,
    tasks: Part,
    inbox: Part,
}

/// How far it has come with one kind of rows.
struct Part {
    /// Below which number rows are still to be taken in.
    below: Option<u64>,
    /// Rows that were touched since they were taken in.
    pending: BTreeSet<u32>,
}

/// What one step came to: what is done then at the moment, and what is to be done next.
type Step = Result<(Option<Search>, Next), ReadError>;

/// Does it, as long as somebody has the catalogue.
pub(super) async fn search(
    shared: Weak<Shared>,
    mut asked: watch::Receiver<u64>,
    mut seq: watch::Receiver<u64>,
) {
    while asked.changed().await.is_ok() {
        let (mut search, mut rest) = (None, REST[0]);
        loop {
            asked.borrow_and_update();
            seq.borrow_and_update();
            let Some(step) = take_step(&shared, search).await else { return };
            let next = match step {
                Ok((going_on, next)) => {
                    search = going_on;
                    if next != Next::GoOn {
                        // It came to its end: a later fault is another one.
                        rest = REST[0];
                    }
                    next
                }
                Err(error) => {
                    tracing::error!(%error, "full texts cannot be looked through");
                    search = None;
                    sleep_until(Instant::now() + rest).await;
                    rest = REST[1].min(rest * 2);
                    Next::GoOn
                }
            };
            match next {
                Next::GoOn => {}
                Next::Wait => match wait(&mut asked, &mut seq).await {
                    Ok(()) => {}
                    Err(_) => return,
                },
                Next::Rest => match timeout(KEPT, asked.changed()).await {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => return,
                    Err(_) => break,
                },
            }
        }
    }
}

/// Takes one step beside everything else, and shows what is in its way. None once nobody has the catalogue.
async fn take_step(shared: &Weak<Shared>, search: Option<Search>) -> Option<Step> {
    let strong = shared.upgrade()?;
    let step = tokio::task::spawn_blocking(move || step(&strong, search)).await;
    let step = step.unwrap_or_else(|error| Err(ReadError::Texts(error.to_string())));
    let strong = shared.upgrade()?;
    let fault = match &step {
        // One more step may fail for the same reason as the one before.
        Ok((_, Next::GoOn)) => strong.kept().words.fault.clone(),
        Ok(_) => None,
        Err(error) => Some(error.clone()),
    };
    strong.take_in(|kept| std::mem::replace(&mut kept.words.fault, fault.clone()) != fault);
    Some(step)
}

/// Waits until something was asked for or committed, at least [`PACE`] and at most [`GLANCE`] longer.
///
/// # Errors
/// Once nobody is left who could ask or commit.
async fn wait(asked: &mut watch::Receiver<u64>, seq: &mut watch::Receiver<u64>) -> Result<(), RecvError> {
    sleep_until(Instant::now() + PACE).await;
    let more = async {
        tokio::select! {
            changed = asked.changed() => changed,
            changed = seq.changed() => changed,
        }
    };
    timeout(GLANCE, more).await.unwrap_or(Ok(()))
}

/// One step of it.
fn step(shared: &Shared, search: Option<Search>) -> Step {
    let Some((reads, news)) = shared.source.get() else { return Ok((search, Next::Rest)) };
    if !let_go(shared) {
        return Ok((search, Next::Rest));
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
    for touched in all {
        search.tasks.pending.extend(touched.calls.iter().map(|call| call.0));
        search.inbox.pending.extend(touched.requests.iter().map(|request| request.0));
    }
    search.seq = now;
    search.follow(shared, ListOf::Tasks)?;
    search.follow(shared, ListOf::Inbox)?;
    if search.is_behind() || search.grow(shared)? {
        return Ok((Some(search), Next::GoOn));
    }
    shared.take_in(|kept| {
        let is_later = std::mem::replace(&mut kept.words.seq, now) < now;
        kept.words.complete() || is_later
    });
    Ok((Some(search), Next::Wait))
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
    /// An empty index. What was found in another one is listed until its row is looked through again.
    fn begin(shared: &Shared, reads: &Reads, news: &News) -> Result<Self, ReadError> {
        let seq = *news.seq().borrow();
        // Where nobody can write, we do not either.
        let texts = if news.is_none() { Texts::in_memory(reads)? } else { Texts::beside(reads)? };
        shared.take_in(|kept| {
            kept.words.begin_anew();
            true
        });
        let part = || Part { below: Some(u64::from(u32::MAX) + 1), pending: BTreeSet::new() };
        Ok(Self { texts, seq, tasks: part(), inbox: part() })
    }

    fn part(&mut self, of: ListOf) -> &mut Part {
        match of {
            ListOf::Tasks => &mut self.tasks,
            ListOf::Inbox => &mut self.inbox,
        }
    }

    fn is_behind(&self) -> bool {
        !self.tasks.pending.is_empty() || !self.inbox.pending.is_empty()
    }

    /// Looks for new words in what the index has.
    fn take_up(&self, shared: &Shared) -> Result<(), ReadError> {
        let fresh = shared.kept().words.fresh();
        for sought in fresh {
            let found = self.texts.find(texts_of(sought.of), &sought.words)?;
            for portion in found.chunks(PORTION) {
                shared.take_in(|kept| kept.put_found(&sought, portion.iter().map(|id| (*id, true))));
            }
            shared.kept().words.follow(&sought);
        }
        Ok(())
    }

    /// Takes in a portion of what was committed.
    fn follow(&mut self, shared: &Shared, of: ListOf) -> Result<(), ReadError> {
        let pending: Vec<u32> = self.part(of).pending.iter().copied().take(PORTION).collect();
        if pending.is_empty() {
            return Ok(());
        }
        let taken = self.texts.take_in(texts_of(of), &pending)?;
        let taken = &pending[..taken];
        self.tell(shared, of, taken)?;
        taken.iter().for_each(|id| {
            self.part(of).pending.remove(id);
        });
        Ok(())
    }

    /// Takes in a portion of the rows that it has not reached. Whether there may be others.
    fn grow(&mut self, shared: &Shared) -> Result<bool, ReadError> {
        // Tasks and questions in turn: somebody may look at either.
        for of in [ListOf::Tasks, ListOf::Inbox] {
            if let Some(before) = self.part(of).below {
                let Portion { rows, next } = self.texts.take_in_below(texts_of(of), before)?;
                self.part(of).below = next;
                self.tell(shared, of, &rows)?;
            }
        }
        Ok(self.tasks.below.is_some() || self.inbox.below.is_some())
    }

    /// Tells in which of these rows, which were taken in last, words were found.
    fn tell(&self, shared: &Shared, of: ListOf, rows: &[u32]) -> Result<(), ReadError> {
        let followed = shared.kept().words.followed(of);
        for sought in followed {
            let found: HashSet<u32> = self.texts.find_in_last(&sought.words)?.into_iter().collect();
            shared.take_in(|kept| kept.put_found(&sought, rows.iter().map(|id| (*id, found.contains(id)))));
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
    /// In which rows words were found, by number, where they are still looked for. Whether a list may have changed by it.
    fn put_found(&mut self, sought: &Sought, rows: impl Iterator<Item = (u32, bool)>) -> bool {
        let Sought { of, words, .. } = sought;
        self.words.has(sought)
            && match of {
                ListOf::Tasks => self.tasks.put_found(words, rows, &self.world, wall()),
                ListOf::Inbox => self.requests.put_found(words, rows, &self.world, wall()),
            }
    }

    pub(super) fn forget(&mut self, of: ListOf, words: &str) {
        match of {
            ListOf::Tasks => self.tasks.forget_found(words),
            ListOf::Inbox => self.requests.forget_found(words),
        }
    }
}

#[cfg(test)]
mod tests;
