//! How well entries and rows fit what was typed.

use std::{cmp::Reverse, collections::HashMap};

use signalbox_catalogue::{NarrowRow, ToolNumber, World};
use signalbox_model::ServerId;

use super::{Known, Needle, OF_KIND, tools::KnownTool, words};
use crate::{PaletteEntry, PaletteItem};

/// An entry, and how well it fits.
pub(super) type Fit = (u64, PaletteEntry);

/// What a short id brings that was typed whole.
const ID: u16 = 1_000;

/// Rows of the catalogue. Of their tools and servers, which many have in common, it is found out once how well they fit.
pub(super) struct Ranking<'a, L: NarrowRow> {
    needle: &'a mut Needle,
    /// The row that each word is the short id of.
    ids: Vec<Option<L::Id>>,
    tools: HashMap<ToolNumber, Vec<Option<u16>>>,
    servers: HashMap<ServerId, Vec<Option<u16>>>,
}

impl<'a, L: NarrowRow> Ranking<'a, L> {
    pub(super) fn new(needle: &'a mut Needle) -> Self {
        let ids = needle.words().map(|word| word.parse().ok()).collect();
        Self { needle, ids, tools: HashMap::new(), servers: HashMap::new() }
    }

    /// None where a word is nowhere in it.
    pub(super) fn of(&mut self, row: &L, world: &World) -> Option<u64> {
        let Self { needle, ids, tools, servers } = self;
        let tool = tools.entry(row.tool()).or_insert_with(|| needle.in_name(world.tool_name(row.tool())));
        let server =
            servers.entry(row.server()).or_insert_with(|| needle.in_name(world.server_name(row.server())));
        let mut all = 0;
        for (word, id) in ids.iter().enumerate() {
            let fit = if *id == Some(row.id()) {
                ID
            } else {
                // The text is looked at only where the tool has not got the word: most of the time goes there.
                tool[word].or_else(|| needle.in_text(word, row.text())).max(server[word])?
            };
            all += u64::from(fit);
        }
        Some(all)
    }
}

/// Entries that go by their words alone.
pub(super) fn named(
    needle: &mut Needle,
    known: &Known<'_>,
    entries: impl Iterator<Item = PaletteEntry>,
) -> Vec<Fit> {
    let recent = known.recent_of(Some);
    let fits = entries.filter_map(|entry| {
        let all =
            needle.in_name(&entry.words).into_iter().map(|fit| fit.map(u64::from)).sum::<Option<u64>>()?;
        Some((weighed(all, &recent, &&entry.item), entry))
    });
    best(fits.collect())
}

/// Tools, by their names, by what they say of themselves, and by their servers.
pub(super) fn tools(needle: &mut Needle, known: &Known<'_>) -> Vec<Fit> {
    let servers: HashMap<ServerId, Vec<Option<u16>>> =
        known.servers.iter().map(|server| (server.id, needle.in_name(&server.name))).collect();
    let recent = known.recent_of(PaletteItem::tool);
    let mut fits: Vec<(u64, &KnownTool)> = Vec::new();
    for tool in known.tools.iter().flat_map(|of_server| of_server.iter()) {
        let in_name = needle.in_name(&tool.name);
        let mut all = Some(0);
        for (word, in_name) in in_name.into_iter().enumerate() {
            let server = servers.get(&tool.server).and_then(|fits| fits[word]);
            let fit = in_name.or_else(|| needle.in_text(word, &tool.about)).max(server);
            all = all.zip(fit).map(|(all, fit)| all + u64::from(fit));
        }
        fits.extend(all.map(|all| (weighed(all, &recent, &(tool.server, tool.name.as_str())), tool)));
    }
    best(fits).into_iter().map(|(fit, tool)| (fit, words::tool(tool, &known.servers))).collect()
}

/// How well something fits, so that of equals those are larger that were chosen of late.
pub(super) fn weighed<I: PartialEq>(fit: u64, recent: &[(I, u64)], id: &I) -> u64 {
    let weight = recent.iter().find(|(other, _)| other == id).map_or(0, |(_, weight)| *weight);
    fit * (OF_KIND as u64 + 1) + weight
}

/// Of equals those come first that did before.
fn best<T>(mut fits: Vec<(u64, T)>) -> Vec<(u64, T)> {
    fits.sort_by_key(|(fit, _)| Reverse(*fit));
    fits.truncate(OF_KIND);
    fits
}
