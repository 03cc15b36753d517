//! The codes of what happens to tasks and servers: the part of the closed list of error codes that is kept in records.

use serde::{Deserialize, Serialize};

/// Why a task or a server is as it is, for programs. Its words are kept in databases: never change one, only add.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum NoteCode {
    /// The server cannot be reached.
    Unreachable,
    /// The program of a stdio server could not be started, or ended.
    SpawnFailed,
    /// Something answers there, but it is no MCP server.
    NotMcp,
    /// The server speaks only versions of MCP that we do not know.
    LegacyOnly,
    /// The server wants a sign-in.
    SignInNeeded,
    /// The server asked to slow down.
    Throttled,
    /// No answer in time.
    TimedOut,
    /// Sent, and the answer was lost: it may have arrived.
    Lost,
    /// The server answered with a JSON-RPC error.
    ServerError,
    /// The server's answer is against the specification.
    ProtocolError,
    /// A message is larger than the limit in the settings.
    TooLarge,
    /// A server asks more questions, or longer ones, than are taken of a task and of a server.
    AsksTooMuch,
    /// Pages have to be visited before the server does anything.
    InputNeeded,
    /// The server does not know the task, or knows it no longer.
    UnknownItem,
    /// Nobody has confirmed the command of the server's program.
    NotTrusted,
    /// There is no keychain to read a secret from.
    NoKeychain,
    /// Secrets are kept in an encrypted file, whose passphrase was not given yet.
    SecretsLocked,
    /// A referenced secret is not there.
    SecretMissing,
    /// What was kept cannot be read.
    StorageDamaged,
    /// Any word that this version does not know, from a record of a later one. What happened is in the message alone.
    #[serde(other)]
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::NoteCode;

    #[test]
    fn the_word_of_a_later_version_reads_as_unknown() {
        let read = |word: &str| serde_json::from_value::<NoteCode>(word.into()).unwrap();
        assert_eq!(read("secrets_locked"), NoteCode::SecretsLocked);
        assert_eq!(read("of_tomorrow"), NoteCode::Unknown, "the record that holds it stays readable");
        assert_eq!(read("unknown"), NoteCode::Unknown, "and when it is kept again it still does");
    }
}
