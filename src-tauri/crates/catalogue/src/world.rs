//! What rows have in common: servers and tools, by number. A row holds the number alone.

use std::collections::{BTreeMap, HashMap};

use jiff::{civil::Date, tz::TimeZone};
use signalbox_model::{Server, ServerId, Timestamp, Tracking};

use crate::{
    fold::fold,
    part::{Part, Versions},
};

/// The number of a tool's name, which is kept once for all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ToolNumber(u32);

#[derive(Debug)]
struct Known {
    name: String,
    folded: String,
    /// What is known of following all of its tasks.
    tracking: Option<Tracking>,
    changed: u64,
}

#[derive(Debug)]
struct Named {
    name: Box<str>,
    folded: Box<str>,
}

/// From a moment until just before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: Timestamp,
    pub(crate) to: Timestamp,
}

impl Span {
    pub(crate) fn has(self, at: Timestamp) -> bool {
        self.from <= at && at < self.to
    }
}

/// What time it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    pub(crate) at: Timestamp,
    pub(crate) today: Span,
    pub(crate) yesterday: Span,
}

/// What all rows have in common: servers, tools, and where days begin.
#[derive(Debug)]
pub struct World {
    zone: TimeZone,
    // Looked up for each row: there are few, and of those none needs hashing.
    servers: BTreeMap<ServerId, Known>,
    server_ranks: BTreeMap<ServerId, i64>,
    tools: Vec<Named>,
    tools_by_name: HashMap<Box<str>, ToolNumber>,
    tool_ranks: Vec<i64>,
    /// Taken in, and not in order yet.
    unsettled: Versions,
    versions: Versions,
}

impl World {
    /// A world without servers and tools, in which days begin as in this zone.
    #[must_use]
    pub fn new(zone: TimeZone) -> Self {
        Self {
            zone,
            servers: BTreeMap::new(),
            server_ranks: BTreeMap::new(),
            tools: Vec::new(),
            tools_by_name: HashMap::new(),
            tool_ranks: Vec::new(),
            unsettled: Versions::default(),
            versions: Versions::default(),
        }
    }

    /// Takes a server in, or what it is now. Transaction `changed` was the last to change it.
    pub fn put_server(&mut self, server: &Server, changed: u64) {
        let tracking = server.health.tracking();
        let known = self.servers.get(&server.id);
        let (is_named, is_tracked) =
            known.map_or((true, true), |known| (known.name != server.name, known.tracking != tracking));
        if !is_named && !is_tracked {
            return;
        }
        if is_named {
            self.unsettled.change(Part::Servers);
        }
        if is_tracked {
            self.unsettled.change(Part::Tracking);
        }
        let known = Known { name: server.name.clone(), folded: fold(&server.name), tracking, changed };
        self.servers.insert(server.id, known);
    }

    /// The number of a tool.
    pub fn tool(&mut self, name: &str) -> ToolNumber {
        if let Some(tool) = self.tools_by_name.get(name) {
            return *tool;
        }
        let tool = ToolNumber(u32::try_from(self.tools.len()).unwrap_or(u32::MAX));
        self.tools.push(Named { name: name.into(), folded: fold(name).into_boxed_str() });
        self.tools_by_name.insert(name.into(), tool);
        self.unsettled.change(Part::Tools);
        tool
    }

    /// Puts servers and tools in order, after some were taken in and before rows are placed by them.
    pub(crate) fn settle(&mut self) {
        if self.unsettled == self.versions {
            return;
        }
        self.versions = self.unsettled;
        let mut servers: Vec<(&str, ServerId)> =
            self.servers.iter().map(|(id, known)| (known.folded.as_str(), *id)).collect();
        servers.sort_unstable();
        self.server_ranks = servers.into_iter().zip(0..).map(|((_, id), rank)| (id, rank)).collect();
        let mut tools: Vec<usize> = (0..self.tools.len()).collect();
        tools.sort_unstable_by_key(|at| (&self.tools[*at].folded, &self.tools[*at].name));
        self.tool_ranks = vec![0; tools.len()];
        for (at, rank) in tools.into_iter().zip(0..) {
            self.tool_ranks[at] = rank;
        }
    }

    /// How often each part has changed that rows go by although none of them changed.
    pub(crate) fn versions(&self) -> Versions {
        self.versions
    }

    /// The name of a server; empty where it is not known.
    #[must_use]
    pub fn server_name(&self, server: ServerId) -> &str {
        self.servers.get(&server).map_or("", |known| &known.name)
    }

    /// The transaction that last changed what a row shows of its server; 0 where it is not known.
    #[must_use]
    pub fn server_changed(&self, server: ServerId) -> u64 {
        self.servers.get(&server).map_or(0, |known| known.changed)
    }

    /// The name of a tool.
    #[must_use]
    pub fn tool_name(&self, tool: ToolNumber) -> &str {
        self.named(tool).map_or("", |named| &named.name)
    }

    pub(crate) fn has_server(&self, server: ServerId) -> bool {
        self.servers.contains_key(&server)
    }

    pub(crate) fn folded_server(&self, server: ServerId) -> &str {
        self.servers.get(&server).map_or("", |known| &known.folded)
    }

    pub(crate) fn folded_tool(&self, tool: ToolNumber) -> &str {
        self.named(tool).map_or("", |named| &named.folded)
    }

    pub(crate) fn tracking(&self, server: ServerId) -> Option<Tracking> {
        self.servers.get(&server)?.tracking
    }

    pub(crate) fn server_rank(&self, server: ServerId) -> i64 {
        self.server_ranks.get(&server).copied().unwrap_or(-1)
    }

    pub(crate) fn tool_rank(&self, tool: ToolNumber) -> i64 {
        self.tool_ranks.get(tool.0 as usize).copied().unwrap_or(-1)
    }

    /// The day of a moment.
    #[must_use]
    pub fn date_of(&self, at: Timestamp) -> Date {
        instant(at).to_zoned(self.zone.clone()).date()
    }

    /// The span of a day, from midnight to midnight in the zone here.
    pub(crate) fn day(&self, date: Date) -> Span {
        let begins = |date: Date| {
            let zoned = date.to_zoned(self.zone.clone());
            Timestamp(zoned.map_or(i64::MAX, |zoned| zoned.timestamp().as_millisecond()))
        };
        Span { from: begins(date), to: begins(date.tomorrow().unwrap_or(date)) }
    }

    pub(crate) fn now(&self, at: Timestamp) -> Now {
        let today = self.date_of(at);
        let yesterday = today.yesterday().unwrap_or(today);
        Now { at, today: self.day(today), yesterday: self.day(yesterday) }
    }

    fn named(&self, tool: ToolNumber) -> Option<&Named> {
        self.tools.get(tool.0 as usize)
    }
}

/// The nearest moment that has a date.
fn instant(Timestamp(ms): Timestamp) -> jiff::Timestamp {
    let ends = (jiff::Timestamp::MIN.as_millisecond(), jiff::Timestamp::MAX.as_millisecond());
    // Days inside, so that no zone leads beyond the ends.
    let clamped = ms.clamp(ends.0 + 3 * 86_400_000, ends.1 - 3 * 86_400_000);
    jiff::Timestamp::from_millisecond(clamped).expect("BUG: clamped into jiff's range")
}

/// The number of a day: of a later one it is larger.
pub(crate) fn number(date: Date) -> i64 {
    i64::from(date.year()) * 512 + i64::from(date.month()) * 32 + i64::from(date.day())
}
