//! Looking: a view is read afresh, and only what changed since the cursor is handed out.
//!
//! There is no queue for a slow host and no special case for a gap: the cursor says what the host has seen, the rows
//! say when they changed, and `shape` covers what has no number of its own. A view is read from one transaction: it never
//! shows the question of a commit without its payload.

mod about;
mod lists;
mod overview;
mod request;
mod stack;
#[cfg(test)]
mod stored;
mod task;
mod tasks;

use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use signalbox_catalogue::Query;
use signalbox_model::{Call, InputRequest, Server, ServerId};
use signalbox_store::{News, ReadError, Reads};
use tokio::{sync::watch, time::Instant};

use about::About;
pub(super) use overview::Shown;
pub(super) use stack::alike;
pub(super) use task::sound;

use super::{
    Beside, Local,
    catalogue::{Catalogue, Listed, Window},
    host::preference,
};
use crate::{
    ApiError, Changes, Code, Cursor, Head, HeadOf, ListOf, Offer, OwnerKind, Page, View, ViewData,
    error::read_failed,
};

/// The longest wait for a change.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// What is offered to somebody who types is counted anew at most this often.
const OFFERS_REST: Duration = Duration::from_secs(1);
/// A stack is read anew at most this often: its questions are read whole, and any question touches it.
const STACK_REST: Duration = Duration::from_millis(200);
/// A request log is read anew at most this often.
const LOG_REST: Duration = Duration::from_millis(200);
/// The most rows of one page.
const MOST_ROWS: u32 = 500;
/// A page whose texts may be long ends where they reach this many bytes together: what a server says must not decide how much
/// memory a look takes.
const PAGE_BYTES: usize = 1 << 20;

/// A view as it stands, and whether that is news to whoever holds the cursor.
struct Sight {
    seq: u64,
    shape: u64,
    news: bool,
    about: About,
    data: ViewData,
}

impl Sight {
    /// A view that has no number of its own: it is news when its JSON differs.
    fn by_shape(about: About, seq: u64, data: ViewData) -> Self {
        let mut hasher = DefaultHasher::new();
        serde_json::to_string(&data).unwrap_or_default().hash(&mut hasher);
        Self { seq, shape: hasher.finish(), news: false, about, data }
    }
}

/// What a host has of a list that comes out of the store's index.
struct Had {
    /// All that was committed up to this transaction.
    seq: u64,
    /// The numbers of its rows.
    numbers: HashSet<u32>,
}

impl Had {
    /// Whether a row came into its window: that is news, although it never changed.
    fn lacks(&self, number: u32) -> bool {
        !self.numbers.contains(&number)
    }

    /// Whether it has not seen a row as transaction `changed` left it.
    fn is_news(&self, number: u32, changed: u64) -> bool {
        self.lacks(number) || is_news(changed, Some(self.seq))
    }
}

/// Servers with the change each was last part of.
type Servers = HashMap<ServerId, (Server, u64)>;

impl Local {
    pub(super) async fn look(
        &self,
        view: View,
        after: Option<Cursor>,
        wait: Duration,
    ) -> Result<Changes, ApiError> {
        let epoch = self.engine.epoch();
        // A cursor of another run knows nothing of this one.
        let after = after.filter(|cursor| cursor.epoch == epoch);
        let deadline = Instant::now() + wait.min(LONGEST_WAIT);
        let is_forward = matches!(view, View::Forward { .. });
        if is_forward && self.owner.kind == OwnerKind::Command && after.is_none() {
            // Only windows and a waiting `serve` look at this one: they expect all tasks to be followed, although this
            // owner would follow only what its own command names.
            self.engine.follow_all().await;
        }
        // Only these two show more than the store holds.
        let more = matches!(view, View::Overview | View::Troubles);
        let news = self.engine.news();
        let (mut seq, mut beside) = (news.seq(), self.beside.subscribe());
        let mut trouble = self.engine.trouble();
        let (mut pushing, mut signed_in) = (self.engine.pushing(), self.engine.signed_in());
        let (mut heard, mut left) = (self.engine.heard(), self.engine.left());
        let mut connecting = self.engine.connecting();
        let (mut paused, mut past) = (self.paused_until(), self.past_notices());
        let (mut moved, mut exchanged) = (self.catalogue.moved(), self.engine.exchanged());
        let is_past = view == View::Notices;
        let is_log = matches!(view, View::RequestLog { .. });
        loop {
            let now = *seq.borrow_and_update();
            trouble.borrow_and_update();
            pushing.borrow_and_update();
            heard.borrow_and_update();
            left.borrow_and_update();
            connecting.borrow_and_update();
            moved.borrow_and_update();
            exchanged.borrow_and_update();
            signed_in.borrow_and_update();
            paused.borrow_and_update();
            past.borrow_and_update();
            let seen = beside.borrow_and_update().clone();
            let sight = self.sight(view.clone(), after, seen, now).await?;
            #[cfg(test)]
            self.looks.send_modify(|looks| *looks += 1);
            let cursor = Cursor { epoch, seq: sight.seq, shape: sight.shape };
            let is_news = match after {
                None => true,
                Some(before) => sight.news || before.shape != sight.shape,
            };
            if is_news {
                return Ok(Changes { cursor, data: Some(sight.data) });
            }
            tokio::select! {
                changed = touched(&sight.about, sight.seq, &news, &mut seq) => if changed.is_err() {
                    return Err(ApiError::new(Code::OwnerGone, "The owner of the data directory is ending"));
                },
                () = self.list_changed(&sight.about, &mut moved) => {}
                () = later(LOG_REST, &mut exchanged), if is_log => {}
                Ok(()) = beside.changed(), if more || is_forward => {}
                Ok(()) = trouble.changed(), if more => {}
                Ok(()) = pushing.changed(), if more => {}
                Ok(()) = heard.changed(), if more => {}
                Ok(()) = left.changed(), if more => {}
                Ok(()) = connecting.changed(), if more => {}
                Ok(()) = signed_in.changed(), if more => {}
                Ok(()) = paused.changed(), if more => {}
                Ok(()) = past.changed(), if is_past => {}
                () = tokio::time::sleep_until(deadline) => return Ok(Changes { cursor, data: None }),
            }
        }
    }

    /// Resolves once a list is no longer as it was seen, or what is offered may be other. Of what is no list it never does.
    async fn list_changed(&self, about: &About, moved: &mut watch::Receiver<u64>) {
        match about {
            About::List(then) => self.catalogue.has_changed(*then, moved).await,
            // All rows are counted for it: not at each change.
            About::Offers => later(OFFERS_REST, moved).await,
            _ => std::future::pending().await,
        }
    }

    /// A window (from an offset, up to a limit) of a list of the catalogue. None while that grows, where `usual` says that the
    /// store has an index for the list. `whole` waits until it has grown.
    async fn window<L: Listed + Send + 'static>(
        &self,
        query: Query,
        usual: bool,
        whole: bool,
        (offset, limit): (u32, u32),
        after: Option<Cursor>,
    ) -> Result<Option<Window<L::Id>>, ApiError> {
        // A command reads no more than it shows.
        let passes = self.owner.kind == OwnerKind::Command;
        if !usual || !passes {
            self.begun();
        }
        if usual && !self.catalogue.is_complete() {
            return Ok(None);
        }
        let whole = !usual && (whole || passes);
        loop {
            if whole {
                self.catalogue.completed::<L>(&query).await.map_err(|error| read_failed(&error))?;
            }
            let (catalogue, query) = (self.catalogue.clone(), query.clone());
            let window = move || catalogue.window::<L>(&query, offset, limit.min(MOST_ROWS), after);
            let window = tokio::task::spawn_blocking(window).await;
            let window = window.map_err(|_| ApiError::new(Code::Internal, "Reading a list panicked"))?;
            let window = window.map_err(|error| read_failed(&error))?;
            // Rows may have begun to be read anew meanwhile.
            match window.complete {
                false if usual => return Ok(None),
                false if whole => {}
                _ => return Ok(Some(window)),
            }
        }
    }

    /// What a host has of a list who hands back this cursor.
    fn had(&self, after: Option<Cursor>) -> Option<Had> {
        after.map(|cursor| Had { seq: cursor.seq, numbers: self.catalogue.had(cursor.shape) })
    }

    /// The catalogue, which is read from now on.
    pub(super) fn begun(&self) -> Catalogue {
        self.catalogue.begin(self.engine.reads(), self.engine.news());
        self.catalogue.clone()
    }

    async fn offers(
        &self,
        of: ListOf,
        within: String,
        before: String,
        after: String,
    ) -> Result<Vec<Offer>, ApiError> {
        let catalogue = self.begun();
        let found = tokio::task::spawn_blocking(move || catalogue.offers(of, &within, &before, &after)).await;
        found.map_err(|_| ApiError::new(Code::Internal, "Counting what a filter would show panicked"))?
    }

    /// `now` is a transaction that can be read by now.
    async fn sight(
        &self,
        view: View,
        after: Option<Cursor>,
        beside: Beside,
        now: u64,
    ) -> Result<Sight, ApiError> {
        let since = after.map(|cursor| cursor.seq);
        match view {
            View::Forward { raises } => {
                let (item, led, token) = beside.wished();
                Ok(Sight {
                    seq: beside.wish.into(),
                    shape: u64::from(beside.wish) << 1 | u64::from(beside.quit),
                    news: false,
                    about: About::Nothing,
                    data: ViewData::Forward {
                        wish: beside.wish,
                        item,
                        led,
                        token: token.filter(|_| raises),
                        quit: beside.quit,
                    },
                })
            }
            View::Overview => {
                let overview = self.overview().await?;
                Ok(self.shown.sight(overview, now, after))
            }
            View::Troubles => {
                let troubles = self.troubles();
                Ok(Sight::by_shape(About::Nothing, now, ViewData::Troubles { troubles }))
            }
            View::Notices => {
                let past = self.past_notices().borrow().iter().cloned().collect();
                Ok(Sight::by_shape(About::Nothing, now, ViewData::Notices { past }))
            }
            View::Preference { key } => {
                let name = preference(&key);
                let about = About::Preference(name.clone());
                let value = self.read(move |reads| reads.setting(&name)).await?;
                let value = value.filter(|value| value.text() != "null");
                Ok(Sight::by_shape(about, now, ViewData::Preference { value }))
            }
            View::Offers { list, within, before, after } => {
                let offers = self.offers(list, within, before, after).await?;
                Ok(Sight::by_shape(About::Offers, now, ViewData::Offers { offers }))
            }
            View::Tasks { query, offset, limit } => self.tasks(&query, offset, limit, after).await,
            View::TaskEntries { query, offset, limit } => {
                self.task_entries(&query, offset, limit, after).await
            }
            View::Inbox { tab, filter, within, offset, limit } => {
                self.inbox(tab, (&within, &filter), offset, limit, after).await
            }
            View::Requests { list, filter, offset, limit, whole } => {
                self.requests(list, &filter, (offset, limit), whole, after).await
            }
            View::Stack { request } => self.stack(request, now).await,
            View::RequestLog { call } => {
                let log = Box::new(self.engine.exchanges(call));
                Ok(Sight::by_shape(About::Nothing, now, ViewData::RequestLog { log }))
            }
            View::Task { call } => {
                self.engine.watch(call);
                let sight = self.read_at_once(move |reads| task::task(reads, call, since)).await?;
                self.with_long_result(sight).await
            }
            View::Request { request } => {
                self.read_at_once(move |reads| request::request(reads, request, since)).await
            }
        }
    }
}

/// Resolves once something has moved, and not before so long.
async fn later(rest: Duration, moved: &mut watch::Receiver<u64>) {
    tokio::time::sleep_until(Instant::now() + rest).await;
    if moved.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Resolves once a commit behind transaction `since` touched what a view shows; of a stack not before it has rested.
///
/// # Errors
/// Once there are no more.
async fn touched(
    about: &About,
    mut since: u64,
    news: &News,
    seq: &mut watch::Receiver<u64>,
) -> Result<(), watch::error::RecvError> {
    if *about == About::Stack {
        tokio::time::sleep_until(Instant::now() + STACK_REST).await;
    }
    loop {
        let now = *seq.borrow_and_update();
        if about.changed_since(since, news) {
            return Ok(());
        }
        since = since.max(now);
        seq.changed().await?;
    }
}

/// A window of a list, as a view of it. What was let go since the list was read is not in it.
fn listed<I: Copy + Eq + Hash, R>(
    window: Window<I>,
    rows: Vec<R>,
    id: impl Fn(&R) -> I,
    view: impl FnOnce(Page<I, R>) -> ViewData,
) -> Sight {
    let Window { seq, mut ids, news, total, stacked, heads, complete, fault, shape, listed } = window;
    let fault = fault.map(|fault| read_failed(&fault));
    let found: HashSet<I> = rows.iter().map(id).collect();
    let missing: HashSet<I> = news.into_iter().filter(|id| !found.contains(id)).collect();
    ids.retain(|id| !missing.contains(id));
    let news = !rows.is_empty();
    let stacked = Some(stacked).filter(|stacked| !stacked.is_empty());
    let page = Page { ids, rows, total, stacked, heads, complete, fault };
    Sight { seq, shape, news, about: About::List(listed), data: view(page) }
}

/// The heads of a list out of the store's index, as the catalogue has them: those words of `is` that have rows.
fn heads<const N: usize>(words: [(&str, u32); N]) -> Vec<Head> {
    let head = |(word, count): (&str, u32)| {
        let of = HeadOf::Word { key: "is".to_owned(), word: Some(word.to_owned()) };
        (count > 0).then_some(Head { of, count })
    };
    words.into_iter().filter_map(head).collect()
}

pub(super) fn all_servers(reads: &Reads) -> Result<Servers, ReadError> {
    Ok(reads.servers()?.into_iter().map(|(server, changed)| (server.id, (server, changed))).collect())
}

/// Whether something that changed in transaction `changed` is news to a host that has seen everything up to `since`.
fn is_news(changed: u64, since: Option<u64>) -> bool {
    since.is_none_or(|since| changed > since)
}

pub(super) fn call_of(reads: &Reads, request: &InputRequest) -> Result<(Option<Call>, u64), ReadError> {
    let found = request.call.map(|call| reads.call(call)).transpose()?.flatten();
    Ok(found.map_or((None, 0), |(call, changed)| (Some(call), changed)))
}
