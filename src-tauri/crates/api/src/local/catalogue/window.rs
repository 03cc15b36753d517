//! Windows of a list: what a host is given of it, and when that is no longer so.

use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
};

use signalbox_catalogue::{Grouping, Key, Moment, Query, Rows, World};
use signalbox_engine::wall;
use signalbox_store::ReadError;
use tokio::sync::watch;

use super::{Catalogue, Kept, Listed};
use crate::{Code, Cursor, Head, HeadOf, ListOf, error::read_failed, local::rows};

/// A window of a list.
pub(in crate::local) struct Window<Id> {
    pub(in crate::local) seq: u64,
    /// All rows of the window, in order.
    pub(in crate::local) ids: Vec<Id>,
    /// The rows that the host does not have as they are now.
    pub(in crate::local) news: Vec<Id>,
    pub(in crate::local) total: u32,
    /// Those that stand in a stack, each with how many stand in it.
    pub(in crate::local) stacked: Vec<(Id, u32)>,
    pub(in crate::local) heads: Vec<Head>,
    pub(in crate::local) complete: bool,
    /// Why full texts cannot be looked through, where somebody wants that.
    pub(in crate::local) fault: Option<ReadError>,
    pub(in crate::local) shape: u64,
    pub(in crate::local) listed: ListedAt,
}

/// A list as it was at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::local) struct ListedAt {
    of: ListOf,
    /// Which of those that are kept.
    sight: u64,
    /// How often it had changed.
    version: u64,
    /// How often stacks had.
    stacks: u64,
    complete: bool,
    fault: Option<Code>,
}

fn code_of(fault: Option<&ReadError>) -> Option<Code> {
    fault.map(|fault| read_failed(fault).code)
}

/// What tells two windows of a list apart, beside what their rows show.
pub(in crate::local) fn shape<Id: Hash>(
    of: ListOf,
    ids: &[Id],
    stacked: &[(Id, u32)],
    total: u32,
    heads: &[Head],
    complete: bool,
    fault: Option<&ReadError>,
) -> u64 {
    let mut hasher = DefaultHasher::new();
    (of as u8, ids, stacked, total, heads, complete, fault.map(ToString::to_string)).hash(&mut hasher);
    hasher.finish()
}

impl Catalogue {
    /// A window of a list as it is now, for a host that has seen what the cursor says. It blocks.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(in crate::local) fn window<L: Listed>(
        &self,
        query: &Query,
        offset: u32,
        limit: u32,
        after: Option<Cursor>,
    ) -> Result<Window<L::Id>, ReadError> {
        // What was committed before somebody looks is there.
        self.0.catch_up()?;
        let mut kept = self.0.kept();
        self.ask(&mut kept, L::OF, &query.filter);
        let (seq, complete) = (kept.seq, kept.is_whole(L::OF, &query.filter));
        let fault = kept.fault(&query.filter).cloned();
        let known = after.and_then(|cursor| kept.seen.ids(cursor.shape));
        let (list, world) = L::rows(&mut kept);
        let turns_before = list.next_turn();
        let sight = list.sight(query, world, wall());
        let turns = sight.next_turn();
        if turns.is_some_and(|turns| turns_before.is_none_or(|before| turns < before)) {
            self.0.nudged.notify_one();
        }
        let ids: Vec<L::Id> = sight.window(offset as usize, limit as usize).collect();
        let (sight_id, version) = (sight.id(), sight.version());
        let (total, groups) = (rows::count(sight.total() as u64), sight.groups());
        let heads: Vec<Head> = groups
            .into_iter()
            .filter_map(|group| {
                let of = head(query.order.group, list.get(group.first)?, world)?;
                Some(Head { of, count: rows::count(group.count as u64) })
            })
            .collect();
        let mut numbers = Vec::with_capacity(ids.len());
        let mut news = Vec::new();
        for line in ids.iter().filter_map(|id| list.get(*id)) {
            let changed = line.changed().max(world.server_changed(line.server()));
            numbers.push(line.number());
            let is_known = known.as_ref().is_some_and(|known| known.contains(&line.number()));
            if !is_known || after.is_none_or(|cursor| changed > cursor.seq) {
                news.push(line.id());
            }
        }
        let (stacked, stacks) = L::stacked(&kept, &ids);
        let shape = shape(L::OF, &ids, &stacked, total, &heads, complete, fault.as_ref());
        let fault_code = code_of(fault.as_ref());
        let listed = ListedAt { of: L::OF, sight: sight_id, version, stacks, complete, fault: fault_code };
        kept.seen.keep(shape, numbers);
        Ok(Window { seq, ids, news, total, stacked, heads, complete, fault, shape, listed })
    }

    /// The numbers of the rows that a host has who names the shape of what it saw last.
    pub(in crate::local) fn had(&self, shape: u64) -> HashSet<u32> {
        self.0.kept().seen.ids(shape).unwrap_or_default()
    }

    /// A host was given a window that came out of the store's index.
    pub(in crate::local) fn gave(&self, shape: u64, numbers: Vec<u32>) {
        self.0.kept().seen.keep(shape, numbers);
    }

    /// Resolves once a list is no longer as it was then.
    pub(in crate::local) async fn has_changed(&self, then: ListedAt, moved: &mut watch::Receiver<u64>) {
        loop {
            moved.borrow_and_update();
            if !self.is_as(then) || moved.changed().await.is_err() {
                return;
            }
        }
    }

    pub(super) fn is_as(&self, then: ListedAt) -> bool {
        let kept = &*self.0.kept();
        match then.of {
            ListOf::Tasks => kept.is_as(&kept.tasks, then),
            ListOf::Inbox => kept.is_as(&kept.requests, then),
        }
    }
}

impl Kept {
    fn is_as<L: Listed>(&self, rows: &Rows<L>, then: ListedAt) -> bool {
        rows.sight_of(then.sight).is_some_and(|sight| {
            let filter = &sight.query().filter;
            let (_, stacks) = L::stacked(self, &[]);
            let now = (sight.version(), stacks, self.is_whole(L::OF, filter), code_of(self.fault(filter)));
            now == (then.version, then.stacks, then.complete, then.fault)
        })
    }
}

/// What a row says of the head that it stands under.
fn head<L: Listed>(group: Grouping, line: &L, world: &World) -> Option<HeadOf> {
    match group {
        Grouping::None => None,
        Grouping::Key(Key::Server) => {
            let server = line.server();
            Some(HeadOf::Server { server, name: world.server_name(server).to_owned() })
        }
        Grouping::Key(Key::Tool) => Some(HeadOf::Tool { tool: world.tool_name(line.tool()).to_owned() }),
        Grouping::Key(key) => {
            Some(HeadOf::Word { key: key.name().to_owned(), word: line.word(key, world).map(str::to_owned) })
        }
        Grouping::Day => Some(HeadOf::Day { day: world.date_of(line.moment(Moment::Started)?).to_string() }),
    }
}
