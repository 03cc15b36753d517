//! The overview: what is always on screen. A host is sent what of it changed since it last looked.
//!
//! What a server is changes seldom, and its numbers with every task: only those are read again then.

use std::{
    collections::{HashMap, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;
use signalbox_engine::wall;
use signalbox_model::{RequestId, Server, ServerId};
use signalbox_store::{News, ReadError, Reads, Touched};

use super::{About, Sight};
use crate::{
    ApiError, Counts, Cursor, Overview, OverviewChange, ServerChange, ServerView, Settings, Trouble,
    ViewData, Withheld,
    demo::Ours,
    environment::Unseen,
    error::commit_code,
    local::{Local, SETTINGS, host::is_preference, rows},
};

/// How many overviews are remembered. A host whose own is forgotten is sent all of it.
const MOST: usize = 32;

/// What was configured, and what is known of servers beside their tasks.
struct Configured {
    /// All servers, also those that were removed: ended tasks keep their names. Each with the tools that it listed.
    servers: Vec<(Server, Option<u32>)>,
    settings: Settings,
    demo: Option<Ours>,
    /// What programs no longer get, and their person has not seen: our environment stays as it is.
    withheld: HashMap<ServerId, Withheld>,
}

/// What hosts were shown.
#[derive(Default)]
pub(in crate::local) struct Shown {
    /// With the last transaction that is known to have changed none of it.
    configured: Mutex<Option<(u64, Arc<Configured>)>>,
    parts: Mutex<VecDeque<(u64, Parts)>>,
    /// The newest question of all that was counted, and how many have come that needed a person.
    arrived: Mutex<Option<(RequestId, u32)>>,
}

/// Digests of the parts of an overview.
#[derive(PartialEq, Eq)]
struct Parts {
    order: u64,
    settings: u64,
    troubles: u64,
    owner: u64,
    /// Of each server what changes with its tasks, and the rest.
    servers: HashMap<ServerId, (u64, u64)>,
}

impl Parts {
    fn of(overview: &Overview) -> Self {
        let order: Vec<ServerId> = overview.servers.iter().map(|server| server.id).collect();
        let server = |view: &ServerView| {
            let tasks = Counts::default();
            let still = ServerView { inbox: 0, tasks, heard_at: None, left_out: None, ..view.clone() };
            (view.id, (digest(&ServerChange::of(view)), digest(&still)))
        };
        Self {
            order: digest(&order),
            settings: digest(&overview.settings),
            troubles: digest(&overview.troubles),
            owner: digest(&overview.owner),
            servers: overview.servers.iter().map(server).collect(),
        }
    }

    fn shape(&self, overview: &Overview) -> u64 {
        let mut hasher = DefaultHasher::new();
        let Self { order, settings, troubles, owner, servers } = self;
        (order, settings, troubles, owner, overview.inbox, overview.tabs, overview.tasks).hash(&mut hasher);
        overview.held.hash(&mut hasher);
        overview.shortcut.hash(&mut hasher);
        overview.notifications_paused_until.map(|at| at.0).hash(&mut hasher);
        overview
            .servers
            .iter()
            .filter_map(|server| servers.get(&server.id))
            .for_each(|server| server.hash(&mut hasher));
        hasher.finish()
    }
}

fn digest(part: &impl Serialize) -> u64 {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(part).unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}

impl Shown {
    fn configured(&self) -> MutexGuard<'_, Option<(u64, Arc<Configured>)>> {
        self.configured.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, seq: u64, configured: &Arc<Configured>) {
        *self.configured() = Some((seq, Arc::clone(configured)));
    }

    /// What was configured, where nothing changed it since it was read.
    fn still(&self, news: &News) -> Option<Arc<Configured>> {
        let mut last = self.configured();
        let (seq, configured) = last.as_mut()?;
        let now = *news.seq().borrow();
        let is_still = |touched: &Arc<Touched>| {
            touched.servers.is_empty() && touched.settings.iter().all(|name| is_preference(name))
        };
        if !news.since(*seq)?.iter().all(is_still) {
            return None;
        }
        *seq = now.max(*seq);
        Some(Arc::clone(configured))
    }

    /// The newest question that was counted.
    fn newest(&self) -> Option<RequestId> {
        self.arrived().map(|(newest, _)| newest)
    }

    /// How many questions have come, with those that came after `after`: what another look has counted meanwhile counts once.
    fn count(&self, after: Option<RequestId>, (newest, came): (RequestId, u64)) -> u32 {
        let mut arrived = self.arrived();
        let so_far = arrived.map_or(0, |(_, so_far)| so_far);
        if arrived.map(|(counted, _)| counted) != after {
            return so_far;
        }
        let now = so_far.saturating_add(rows::count(came));
        *arrived = Some((newest, now));
        now
    }

    fn arrived(&self) -> MutexGuard<'_, Option<(RequestId, u32)>> {
        self.arrived.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What changed of an overview for a host that has seen what the cursor says.
    pub(super) fn sight(&self, overview: Overview, seq: u64, after: Option<Cursor>) -> Sight {
        let parts = Parts::of(&overview);
        let shape = parts.shape(&overview);
        let mut shown = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = after.and_then(|cursor| shown.iter().position(|(known, _)| *known == cursor.shape));
        let change = match known.map(|at| &shown[at].1) {
            Some(known) => changed(overview, &parts, known),
            None => OverviewChange::whole(overview),
        };
        // The one that was named last stays longest.
        let last = known.and_then(|at| shown.remove(at));
        shown.retain(|(other, _)| *other != shape);
        shown.extend(last.filter(|(other, _)| *other != shape));
        shown.push_back((shape, parts));
        while shown.len() > MOST {
            shown.pop_front();
        }
        let data = ViewData::Overview { change: Box::new(change) };
        Sight { seq, shape, news: false, about: About::Overview, data }
    }
}

/// All of an overview without what the host knows.
fn changed(overview: Overview, parts: &Parts, known: &Parts) -> OverviewChange {
    let whole = OverviewChange::whole(overview);
    let servers = whole.servers.into_iter().filter_map(|change| {
        let (now, still) = parts.servers.get(&change.id)?;
        match known.servers.get(&change.id) {
            Some((was, rest)) if rest == still => {
                (was != now).then_some(ServerChange { view: None, ..change })
            }
            _ => Some(change),
        }
    });
    OverviewChange {
        servers: servers.collect(),
        order: whole.order.filter(|_| parts.order != known.order),
        settings: whole.settings.filter(|_| parts.settings != known.settings),
        troubles: whole.troubles.filter(|_| parts.troubles != known.troubles),
        owner: whole.owner.filter(|_| parts.owner != known.owner),
        ..whole
    }
}

impl Local {
    pub(in crate::local) async fn overview(&self) -> Result<Overview, ApiError> {
        let (configured, counts, arrived) = self.configured().await?;
        let Configured { servers, settings, demo, withheld } = &*configured;
        let pushing = self.engine.pushing().borrow().clone();
        let signed_in = self.engine.signed_in().borrow().clone();
        let heard = self.engine.heard().borrow().clone();
        let left = self.engine.left().borrow().clone();
        let connecting = self.engine.connecting().borrow().clone();
        let mut tasks = Counts::default();
        let mut views = Vec::with_capacity(servers.len());
        for (server, tools) in servers {
            let id = server.id;
            let of_server = counts.servers.get(&id).copied().unwrap_or_default();
            let own = rows::counts(&of_server);
            tasks = rows::sum(tasks, own);
            if server.removed_at.is_none() {
                let (heard, pushing) = (heard.get(&id).copied(), pushing.get(&id).copied());
                let demo = demo.as_ref().is_some_and(|ours| ours.is(server));
                let view =
                    rows::server(server.clone(), demo, heard, pushing, signed_in.get(&id), *tools, own);
                // Our own program misses nothing.
                let withheld = withheld.get(&id).filter(|_| !demo).cloned();
                let inbox = rows::count(of_server.requests);
                let (left_out, connecting_since) = (left.get(&id).copied(), connecting.get(&id).copied());
                views.push(ServerView { inbox, withheld, left_out, connecting_since, ..view });
            }
        }
        views.sort_by_key(|server| server.name.to_lowercase());
        Ok(Overview {
            inbox: rows::count(counts.needs_you),
            tabs: rows::tabs(&counts, arrived),
            held: rows::count(counts.held),
            tasks,
            servers: views,
            settings: settings.clone(),
            notifications_paused_until: self.paused_until.borrow().filter(|until| *until > wall()),
            shortcut: self.shortcut_state(settings.shortcut),
            troubles: self.troubles(),
            owner: self.owner.clone(),
        })
    }

    /// What was configured, how many tasks and questions there are, and how many of these have come.
    async fn configured(&self) -> Result<(Arc<Configured>, signalbox_store::AllCounts, u32), ApiError> {
        let after = self.shown.newest();
        let numbers = move |reads: &Reads| Ok((reads.counts()?, reads.arrived(after)?));
        if let Some(still) = self.shown.still(&self.engine.news()) {
            let (counts, came) = self.read_at_once(numbers).await?;
            return Ok((still, counts, self.shown.count(after, came)));
        }
        let listed = Arc::clone(&self.listed);
        let read = move |reads: &Reads| {
            let count = |(server, changed): (Server, u64)| {
                let tools = listed.count(reads, server.id, changed)?;
                Ok((server, tools))
            };
            let servers = reads.servers()?.into_iter().map(count).collect::<Result<Vec<_>, ReadError>>()?;
            let unseen = Unseen::read(reads)?;
            let withheld = {
                let all: Vec<&Server> = servers.iter().map(|(server, _)| server).collect();
                let of = |server: &&Server| Some((server.id, unseen.withheld(server, &all)?));
                all.iter().filter_map(of).collect()
            };
            let configured = Configured {
                settings: reads.setting(SETTINGS)?.and_then(|json| json.read().ok()).unwrap_or_default(),
                demo: Ours::read(reads)?,
                servers,
                withheld,
            };
            Ok((Arc::new(configured), numbers(reads)?))
        };
        let (configured, (counts, came)) = self.read_at_once(read).await?;
        self.shown.keep(counts.seq, &configured);
        Ok((configured, counts, self.shown.count(after, came)))
    }

    pub(super) fn troubles(&self) -> Vec<Trouble> {
        let disk = self.engine.trouble().borrow().clone();
        let disk =
            disk.map(|error| Trouble { code: commit_code(&error), message: error.to_string(), detail: None });
        let beside = self.beside.borrow().notifications.clone();
        disk.into_iter().chain(self.secrets_trouble()).chain(beside).collect()
    }
}

#[cfg(test)]
mod tests;
