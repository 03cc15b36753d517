//! What servers listed last of their tools: names, kept as long as the server does not change.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use signalbox_mcp::Tool;
use signalbox_model::{Json, Server, ServerId};
use signalbox_store::{ReadError, Reads};

use super::words::line;
use crate::PaletteItem;

/// Tools of a server; those behind them the start form finds.
const MOST: usize = 5_000;
/// The longest name of one, in characters.
const LONGEST: usize = 200;
/// What is kept of what it says of itself, in characters.
const ABOUT: usize = 160;

/// A tool that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KnownTool {
    pub(super) server: ServerId,
    pub(super) name: String,
    pub(super) about: String,
}

impl KnownTool {
    pub(super) fn item(&self) -> PaletteItem {
        PaletteItem::Tool { server: self.server, tool: self.name.clone() }
    }
}

/// The tools of one server, and the change of it after which they were read.
type OfServer = (u64, Arc<[KnownTool]>);

/// The tools of each server. Clones share them.
#[derive(Clone, Default)]
pub(in crate::local) struct KnownTools(Arc<Mutex<HashMap<ServerId, OfServer>>>);

impl KnownTools {
    /// Those of all servers that may be asked for something, each server with its last change.
    pub(super) fn all(
        &self,
        reads: &Reads,
        servers: &[(Server, u64)],
    ) -> Result<Vec<Arc<[KnownTool]>>, ReadError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|id, _| servers.iter().any(|(server, _)| server.id == *id));
        let mut all = Vec::new();
        for (server, changed) in servers.iter().filter(|(server, _)| server.enabled) {
            let is_known = known.get(&server.id).is_some_and(|(at, _)| at == changed);
            if !is_known {
                let tools = reads.tools(server.id)?.map_or_else(Vec::new, |list| read(server.id, &list));
                known.insert(server.id, (*changed, tools.into()));
            }
            all.extend(known.get(&server.id).map(|(_, tools)| Arc::clone(tools)));
        }
        Ok(all)
    }
}

fn read(server: ServerId, list: &Json) -> Vec<KnownTool> {
    let listed = Tool::each(list).filter(|tool| tool.name.chars().nth(LONGEST).is_none());
    let known = listed.map(|tool| {
        let about = [tool.title, tool.description].into_iter().flatten().collect::<Vec<_>>().join(" · ");
        KnownTool { server, name: tool.name, about: line(&about, ABOUT) }
    });
    known.take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_many_tools_the_first_are_known_and_of_what_they_say_the_beginning() {
        let about = "ü".repeat(1_000);
        let tool = |name: String| serde_json::json!({"name": name, "description": about});
        let long = tool("x".repeat(LONGEST + 1));
        let tools = (0..6_000).map(|n| tool(format!("tool-{n}")));
        let list: Vec<_> = std::iter::once(long).chain(tools).collect();
        let known = read(ServerId(1), &Json::of(&serde_json::json!(list)));
        assert_eq!(known.len(), 5_000);
        assert_eq!(known[0].name, "tool-0", "a name that long could not be told from others");
        assert_eq!(known[0].about.chars().count(), 160);
    }
}
