//! The owner's catalogue: a narrow row for each task and each input request, from which lists are answered.
//!
//! The catalogue begins to grow in the background with the first list that somebody looks at. It is read in
//! portions, the newest rows last. What is committed meanwhile and afterwards is read again by its number, so
//! that the catalogue ends up like the store. A list that is looked at while it grows says that it is not
//! complete. The plain task list comes out of the store's own index until then.

mod best;
mod follow;
mod search;
mod seen;
mod window;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use jiff::tz::TimeZone;
use signalbox_catalogue::{
    Filter, NarrowRequest, NarrowRow, NarrowTask, Order, Query, Rows, Stacks, Suggestion, World, suggest,
};
use signalbox_engine::wall;
use signalbox_model::RequestId;
use signalbox_store::{News, Portion, ReadError, Reads};
use tokio::{
    sync::{Notify, watch},
    time::Instant,
};

use crate::{
    ApiError, Code, ListOf, ListQuery, Offer,
    command::{self, CarryOut, FilterLanguage, Filtered, ReadFilter},
    error::read_failed,
    filter_language,
    local::{Local, rows},
};
use search::Words;
use seen::Seen;
pub(super) use window::{ListedAt, Window, shape};

/// How tasks stand where nobody says otherwise: the store has an index for it.
const TASKS: [&str; 2] = ["-started", "is"];

/// Whether this is the list of tasks as it always is.
pub(super) fn is_usual(ListQuery { filter, within, sort, group }: &ListQuery) -> bool {
    let [usual_sort, usual_group] = TASKS;
    let is = |said: &str, usual: &str| said.is_empty() || said == usual;
    let is_whole = filter.trim().is_empty() && within.iter().all(|filter| filter.trim().is_empty());
    is_whole && is(sort, usual_sort) && is(group, usual_group)
}

/// The catalogue of an owner. Clones share it.
#[derive(Clone)]
pub(crate) struct Catalogue(Arc<Shared>);

struct Shared {
    kept: Mutex<Kept>,
    /// Where the rows are read; none before somebody looks at a list.
    source: OnceLock<(Reads, News)>,
    /// Held by who takes in what was committed: one after the other.
    taking: Mutex<()>,
    /// Counts what was taken in.
    moved: watch::Sender<u64>,
    /// Told where a list that was just opened turns, so that whoever follows does not sleep through it.
    nudged: Arc<Notify>,
    /// Counts the times that there were words which full texts have to be looked through for.
    asked: watch::Sender<u64>,
}

pub(super) struct Kept {
    world: World,
    tasks: Rows<NarrowTask>,
    requests: Rows<NarrowRequest>,
    stacks: Stacks,
    /// All that was committed up to this transaction is in it, once it is complete.
    seq: u64,
    state: State,
    seen: Seen,
    words: Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nobody has looked at a list yet.
    Idle,
    Growing,
    Complete,
}

/// A kind of rows that the catalogue has.
pub(super) trait Listed: NarrowRow + Sized {
    const OF: ListOf;
    fn rows(kept: &mut Kept) -> (&mut Rows<Self>, &World);

    /// Those of these rows that stand in a stack, each with how many stand in it; and how often stacks have changed.
    fn stacked(_: &Kept, _: &[Self::Id]) -> (Vec<(Self::Id, u32)>, u64) {
        (Vec::new(), 0)
    }
}

impl Listed for NarrowTask {
    const OF: ListOf = ListOf::Tasks;

    fn rows(kept: &mut Kept) -> (&mut Rows<Self>, &World) {
        (&mut kept.tasks, &kept.world)
    }
}

impl Listed for NarrowRequest {
    const OF: ListOf = ListOf::Inbox;

    fn rows(kept: &mut Kept) -> (&mut Rows<Self>, &World) {
        (&mut kept.requests, &kept.world)
    }

    fn stacked(Kept { stacks, .. }: &Kept, ids: &[RequestId]) -> (Vec<(RequestId, u32)>, u64) {
        let count = |id: &RequestId| Some((*id, rows::count(stacks.of(*id)?.len() as u64)));
        (ids.iter().filter_map(count).collect(), stacks.version())
    }
}

impl Default for Catalogue {
    fn default() -> Self {
        Self(Arc::new(Shared {
            kept: Mutex::new(Kept::new()),
            source: OnceLock::new(),
            taking: Mutex::default(),
            moved: watch::Sender::default(),
            nudged: Arc::default(),
            asked: watch::Sender::default(),
        }))
    }
}

impl Shared {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Catalogue {
    /// Begins to read all rows, once.
    pub(crate) fn begin(&self, reads: Reads, news: News) {
        let mut kept = self.0.kept();
        if kept.state == State::Idle {
            kept.state = State::Growing;
            let seq = news.seq();
            // Nobody else sets it.
            let _ = self.0.source.set((reads, news));
            tokio::spawn(search::search(Arc::downgrade(&self.0), self.0.asked.subscribe(), seq.clone()));
            tokio::spawn(follow::follow(Arc::downgrade(&self.0), seq));
        }
    }

    #[cfg(test)]
    fn is_begun(&self) -> bool {
        self.0.kept().state != State::Idle
    }

    /// Whether all rows are there; of what a query asks for beside them nothing is said.
    pub(super) fn is_complete(&self) -> bool {
        self.0.kept().state == State::Complete
    }

    /// Resolves once a list is whole, with all that was committed before this, its full texts included; or, where it cannot be, with
    /// the end of the store.
    ///
    /// # Errors
    /// When full texts cannot be looked through.
    pub(super) async fn completed<L: Listed>(&self, query: &Query) -> Result<(), ReadError> {
        let (mut moved, begun) =
            (self.moved(), self.0.source.get().map_or(0, |(_, news)| *news.seq().borrow()));
        loop {
            moved.borrow_and_update();
            {
                let mut kept = self.0.kept();
                self.ask(&mut kept, L::OF, &query.filter);
                let is_whole =
                    kept.state == State::Complete && kept.words.are_whole_since(L::OF, &query.filter, begun);
                if is_whole {
                    return Ok(());
                }
                if let Some(fault) = kept.fault(&query.filter) {
                    return Err(fault.clone());
                }
            }
            if moved.changed().await.is_err() {
                return Ok(());
            }
        }
    }

    /// Somebody looks for the words of a filter.
    fn ask(&self, kept: &mut Kept, of: ListOf, filter: &Filter) {
        let (is_new, room) = kept.words.ask(of, filter, Instant::now());
        for (of, word) in room {
            kept.forget(of, &word);
        }
        if is_new {
            self.0.asked.send_modify(|asked| *asked += 1);
        }
    }

    /// Counts what was taken in.
    pub(super) fn moved(&self) -> watch::Receiver<u64> {
        self.0.moved.subscribe()
    }

    /// What a query of tasks asks for.
    ///
    /// # Errors
    /// As of [`Self::query`].
    pub(super) fn tasks(
        &self,
        ListQuery { filter, within, sort, group }: &ListQuery,
    ) -> Result<Query, ApiError> {
        let [usual_sort, usual_group] = TASKS;
        let sort = if sort.is_empty() { usual_sort } else { sort };
        let group = if group.is_empty() { usual_group } else { group };
        let within: Vec<&str> = within.iter().map(String::as_str).collect();
        self.query::<NarrowTask>(&within, filter, sort, group)
    }

    /// What a filter, sort and group of one kind of rows ask for, of those rows that the filters `within` show as well.
    ///
    /// # Errors
    /// [`Code::Usage`] with what cannot be read.
    pub(super) fn query<L: Listed>(
        &self,
        within: &[&str],
        filter: &str,
        sort: &str,
        group: &str,
    ) -> Result<Query, ApiError> {
        let kept = self.0.kept();
        let read = |text: &str| {
            Filter::read::<L>(text, &kept.world)
                .map_err(|error| ApiError::new(Code::Usage, format!("The filter cannot be read: {error}")))
        };
        let beside = within.iter().filter(|text| !text.trim().is_empty());
        let filter =
            beside.rev().try_fold(read(filter)?, |all, text| Ok::<_, ApiError>(read(text)?.and(all)))?;
        let order = Order::read::<L>(sort, group)
            .map_err(|error| ApiError::new(Code::Usage, format!("The order cannot be read: {error}")))?;
        Ok(Query { filter, order })
    }

    /// At most `limit` rows behind a number that a filter shows, by number, once the list is whole.
    ///
    /// # Errors
    /// [`Code::Usage`] with what cannot be read; and when full texts, or the store, cannot be read.
    pub(super) async fn behind<L: Listed + Send + 'static>(
        &self,
        filter: &str,
        after: u64,
        limit: u32,
    ) -> Result<Portion<u32>, ApiError> {
        let query = self.query::<L>(&[], filter, "id", "none")?;
        loop {
            self.completed::<L>(&query).await.map_err(|error| read_failed(&error))?;
            let (catalogue, query) = (self.clone(), query.clone());
            let read =
                tokio::task::spawn_blocking(move || catalogue.numbers::<L>(&query, after, limit)).await;
            let read = read.map_err(|_| ApiError::new(Code::Internal, "Reading a list panicked"))?;
            // Rows may have begun to be read anew meanwhile.
            if let Some(portion) = read.map_err(|error| read_failed(&error))? {
                return Ok(portion);
            }
        }
    }

    /// The same, where the list is whole.
    fn numbers<L: Listed>(
        &self,
        query: &Query,
        after: u64,
        limit: u32,
    ) -> Result<Option<Portion<u32>>, ReadError> {
        self.0.catch_up()?;
        let mut kept = self.0.kept();
        if !kept.is_whole(L::OF, &query.filter) {
            return Ok(None);
        }
        let (list, world) = L::rows(&mut kept);
        // Beyond the largest number there is nothing.
        let after = u32::try_from(after).unwrap_or(u32::MAX);
        let behind = list.sight(query, world, wall()).behind(after);
        let rows: Vec<u32> = behind.map(L::number_of).take(limit as usize).collect();
        let next = rows.last().filter(|_| rows.len() == limit as usize).map(|last| u64::from(*last));
        Ok(Some(Portion { rows, next }))
    }

    /// A question with those that are like it, itself first and at most `most`, and how many more there are; none where it is like
    /// no other. It blocks.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn stack_of(&self, id: RequestId, most: usize) -> Result<(Vec<RequestId>, u32), ReadError> {
        self.0.catch_up()?;
        let kept = self.0.kept();
        let Some(all) = kept.stacks.of(id) else { return Ok((Vec::new(), 0)) };
        let others = all.iter().copied().filter(|other| *other != id).take(most.saturating_sub(1));
        let ids: Vec<RequestId> = std::iter::once(id).chain(others).collect();
        let more = rows::count((all.len() - ids.len()) as u64);
        Ok((ids, more))
    }

    /// What may be meant by a filter that is being typed. It blocks.
    ///
    /// # Errors
    /// When the store cannot be read; and [`Code::Usage`] where `within` cannot.
    pub(super) fn offers(
        &self,
        of: ListOf,
        within: &str,
        before: &str,
        after: &str,
    ) -> Result<Vec<Offer>, ApiError> {
        self.0.catch_up().map_err(|error| read_failed(&error))?;
        if !self.is_complete() {
            // Numbers of some rows would be untrue.
            return Ok(Vec::new());
        }
        let found = match of {
            ListOf::Tasks => self.suggestions::<NarrowTask>(within, before, after),
            ListOf::Inbox => self.suggestions::<NarrowRequest>(within, before, after),
        }?;
        let offer = |of: Suggestion| Offer { text: of.text, count: rows::count(of.count as u64) };
        Ok(found.into_iter().map(offer).collect())
    }

    fn suggestions<L: Listed>(
        &self,
        within: &str,
        before: &str,
        after: &str,
    ) -> Result<Vec<Suggestion>, ApiError> {
        let Query { filter, .. } = self.query::<L>(&[within], "", "", "")?;
        let mut kept = self.0.kept();
        let (list, world) = L::rows(&mut kept);
        Ok(suggest(list, &filter, &format!("{before}{after}"), before.len(), world, wall()))
    }
}

impl Kept {
    /// Whether a filter was asked of all rows, full texts included.
    fn is_whole(&self, of: ListOf, filter: &Filter) -> bool {
        self.state == State::Complete && self.words.are_whole(of, filter)
    }

    /// Why full texts cannot be looked through for the words of a filter; none while rows are still read.
    fn fault(&self, filter: &Filter) -> Option<&ReadError> {
        let is_asked = self.state == State::Complete && filter.words().next().is_some();
        self.words.fault.as_ref().filter(|_| is_asked)
    }

    fn new() -> Self {
        Self {
            world: World::new(TimeZone::system()),
            tasks: Rows::default(),
            requests: Rows::default(),
            stacks: Stacks::default(),
            seq: 0,
            state: State::Idle,
            seen: Seen::default(),
            words: Words::default(),
        }
    }
}

impl CarryOut<ReadFilter> for Local {
    async fn carry_out(&self, ReadFilter { list, filter }: ReadFilter) -> Result<Filtered, ApiError> {
        let kept = self.catalogue.0.kept();
        let read = match list {
            ListOf::Tasks => Filter::read::<NarrowTask>(&filter, &kept.world),
            ListOf::Inbox => Filter::read::<NarrowRequest>(&filter, &kept.world),
        };
        Ok(Filtered { fault: read.err().map(|error| error.to_string()) })
    }
}

impl CarryOut<command::Language> for Local {
    async fn carry_out(
        &self,
        command::Language { list }: command::Language,
    ) -> Result<FilterLanguage, ApiError> {
        Ok(filter_language(list))
    }
}

#[cfg(test)]
mod tests;
