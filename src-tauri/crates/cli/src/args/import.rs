//! `import …`

use std::convert::Infallible;
use std::path::PathBuf;

use signalbox_api::import::Client;

/// What servers are taken over from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The configuration of a program we know.
    Client(Client),
    /// A file.
    File(PathBuf),
}

/// A file that is called like a client is meant by `./claude-code`.
pub(crate) fn source(text: &str) -> Result<Source, Infallible> {
    let client = Client::ALL.into_iter().find(|client| client.name() == text);
    Ok(client.map_or_else(|| Source::File(text.into()), Source::Client))
}
