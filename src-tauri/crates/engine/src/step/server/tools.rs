//! What is kept in memory of the tools that servers list: the lists themselves are in the store.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use signalbox_mcp::Tool;
use signalbox_model::Json;

/// The tools of one server as last listed.
#[derive(Debug)]
pub(crate) struct Tools {
    hash: u64,
    /// None where the lists of other servers leave no room. A call is then made like one of a tool that nobody has listed:
    /// the driver lists the tools where it has to know them.
    list: Option<Json>,
}

impl Tools {
    /// Bytes that the lists of all servers may have in memory, together.
    pub(crate) const MOST: usize = 32 * 1024 * 1024;

    /// A list, where the others have so many bytes.
    pub(crate) fn new(list: &Json, others: usize) -> Self {
        let fits = others.saturating_add(list.text().len()) <= Self::MOST;
        Self { hash: hash(list), list: fits.then(|| list.clone()) }
    }

    /// Whether it is this list, byte for byte.
    pub(crate) fn is(&self, list: &Json) -> bool {
        self.list.as_ref().map_or_else(|| self.hash == hash(list), |kept| kept == list)
    }

    /// The tool of this name, if it is known.
    pub(crate) fn named(&self, name: &str) -> Option<Tool> {
        Tool::among(self.list.as_ref()?, name)
    }

    /// Bytes that it has in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.list.as_ref().map_or(0, |list| list.text().len())
    }
}

/// A server that makes two lists of its own with one hash keeps the older one: that is its affair.
fn hash(list: &Json) -> u64 {
    let mut hasher = DefaultHasher::new();
    list.text().hash(&mut hasher);
    hasher.finish()
}
