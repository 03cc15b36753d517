//! What entries are made from.

use std::sync::Arc;

use signalbox_model::Server;
use signalbox_store::{ReadError, Reads};

use super::{OF_KIND, tools::KnownTool, tools::KnownTools, words};
use crate::{
    OwnEntry, PaletteEntry, PaletteItem, SAVED_VIEWS, SavedView,
    command::Palette,
    local::{Catalogue, host::preference},
};

/// The most entries that a host may have of its own.
const MOST_OWN: usize = 300;

/// Everything that there is, but for tasks and questions: those are read one by one.
pub(super) struct Known<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) recent: &'a [PaletteItem],
    pub(super) servers: Vec<Server>,
    pub(super) tools: Vec<Arc<[KnownTool]>>,
    reads: &'a Reads,
    views: Vec<SavedView>,
    own: &'a [OwnEntry],
}

impl<'a> Known<'a> {
    pub(super) fn read(
        reads: &'a Reads,
        catalogue: &'a Catalogue,
        tools: &KnownTools,
        act: &'a Palette,
    ) -> Result<Self, ReadError> {
        let servers = reads.servers()?;
        Ok(Self {
            catalogue,
            recent: &act.recent[..act.recent.len().min(OF_KIND)],
            tools: tools.all(reads, &servers)?,
            servers: servers.into_iter().map(|(server, _)| server).collect(),
            reads,
            views: SavedView::all(reads.setting(&preference(SAVED_VIEWS))?.as_ref()),
            own: &act.own[..act.own.len().min(MOST_OWN)],
        })
    }

    pub(super) fn views(&self) -> impl Iterator<Item = PaletteEntry> {
        self.views.iter().map(|view| words::view(view, &self.servers))
    }

    pub(super) fn servers(&self) -> impl Iterator<Item = PaletteEntry> {
        self.servers.iter().map(words::server)
    }

    pub(super) fn own(&self) -> impl Iterator<Item = PaletteEntry> {
        self.own.iter().map(words::own)
    }

    /// What an item is called now; none where it is gone.
    pub(super) fn entry(&self, item: &PaletteItem) -> Result<Option<PaletteEntry>, ReadError> {
        let servers = &self.servers;
        Ok(match item {
            PaletteItem::Tool { server, tool } => {
                let mut tools = self.tools.iter().flat_map(|of_server| of_server.iter());
                let known = tools.find(|known| known.server == *server && known.name == *tool);
                known.map(|known| words::tool(known, servers))
            }
            PaletteItem::Request { id } => {
                self.reads.request_briefs_of([*id])?.first().map(|(brief, _)| words::request(brief, servers))
            }
            PaletteItem::Task { id } => {
                self.reads.call_briefs_of([*id])?.first().map(|(brief, _)| words::task(brief, servers))
            }
            PaletteItem::View { name, .. } => {
                self.views.iter().find(|view| view.name == *name).map(|view| words::view(view, servers))
            }
            PaletteItem::Server { id } => servers.iter().find(|server| server.id == *id).map(words::server),
            PaletteItem::Own { id } => self.own.iter().find(|own| own.id == *id).map(words::own),
        })
    }

    /// What was chosen of late, as `id` tells it, each with its weight: the latest weighs most.
    pub(super) fn recent_of<I>(&self, id: impl Fn(&'a PaletteItem) -> Option<I>) -> Vec<(I, u64)> {
        let weights = (1..=OF_KIND as u64).rev();
        self.recent.iter().zip(weights).filter_map(|(item, weight)| Some((id(item)?, weight))).collect()
    }
}
