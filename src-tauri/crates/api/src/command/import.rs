//! Servers out of what other clients know, or out of any pasted text.

use super::{Configurations, SecretText};
use crate::import::{ImportOutcome, Pasted, Wanted};

commands! {
    /// What the configurations of the other MCP clients on this machine name, or a pasted one. Nothing is registered by it.
    ReadConfigurations -> Configurations, Once {
        /// What was pasted: it may hold secrets.
        text: Option<SecretText>,
    }

    /// Registers servers out of these configurations, as many as can be. No program is started before its command is confirmed.
    ImportServers -> Vec<ImportOutcome>, Once {
        /// What was pasted.
        text: Option<SecretText>,
        /// Those to take, as they were shown, with what is to become of their values.
        servers: Vec<Wanted>,
    }

    /// What a pasted text means: a URL, a command line, JSON, or another client's command that adds a server. Nothing is run,
    /// fetched or registered by it.
    ReadPasted -> Pasted, Once {
        /// The text: it may hold secrets.
        text: SecretText,
    }
}
