//! What was in the way to a server, or cut its answer off: a closed word with its values. It is kept in notes, so its words
//! never change.
//!
//! What each says in English is for logs and for whoever reads English from us; the window has words of its own.

use serde::{Deserialize, Serialize};

use crate::{Breach, Part, Stray, Unit};

mod english;

/// Why something did not come through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Hindrance {
    /// We found an obstacle ourselves.
    Obstacle(Box<Obstacle>),
    /// These are the words of the system, of a library or of a server. A version before this one kept its own sentences so.
    Words(String),
}

/// What was in the way. `said` is what somebody else wrote, or what else was in the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "is", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Obstacle {
    /// The event stream ended without the answer.
    StreamEnded,
    /// No event stream came in time.
    NoStream,
    /// The session ended before the answer.
    SessionEnded,
    /// The program took no more input.
    NoMoreInput,
    /// More came at the same time than is put aside for it on the disk.
    NoRoom,
    /// It is too large for memory alone, and the disk does not take it.
    NoDisk {
        /// What the system says.
        said: String,
    },
    /// An HTTP status came, and no answer with it.
    OnlyStatus {
        /// The HTTP status.
        status: u16,
    },
    /// The work was stopped before its end.
    Interrupted,
    /// Nothing came in time.
    Late {
        /// How long was waited.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        seconds: u64,
    },
    /// The server does not know the session any more.
    SessionForgotten,
    /// There is no session to go on with.
    NoSession,
    /// The server was asked what it is, and its answer was lost.
    StatementLost {
        /// How it was lost.
        said: Hindrance,
    },
    /// The server was asked what it is, and asks to slow down.
    StatementThrottled {
        /// The HTTP status.
        status: u16,
    },
    /// The server was asked what it is, and answered with a JSON-RPC error.
    StatementRefused {
        /// The number of the JSON-RPC error.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        error: i64,
        /// The message of the JSON-RPC error.
        said: String,
    },
    /// The server was asked what it is, and its answer is against the specification.
    StatementBreaks {
        /// What is against the specification.
        breach: Breach,
    },
    /// The server was asked what it is, and what came back is no answer to that.
    StatementStray {
        /// What is wrong with it.
        stray: Stray,
    },
    /// The server was asked what it is, and its answer is larger than the limit in the settings.
    StatementTooLarge {
        /// The limit in bytes.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit: u64,
    },
    /// The server was asked what it is, and sends more of something than is taken.
    StatementTooMuch {
        /// What there is too much of.
        of: Part,
        /// How much is taken.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        most: u64,
        /// What that is counted in.
        unit: Unit,
    },
    /// The server speaks another wire than when the task was started.
    OtherWire,
    /// The configured address is no URL.
    NoUrl {
        /// The address as it is configured.
        address: String,
    },
    /// The configured name of a header is none.
    NoHeaderName {
        /// The name as it is configured.
        name: String,
    },
    /// The value of a header cannot be sent. It may be a secret, and is not named.
    NoHeaderValue {
        /// The header's name.
        name: String,
    },
    /// The proxy's address cannot be used. It may hold a password, and is not named.
    NoProxyUrl,
    /// Nobody signs in to a program.
    NoSignIn,
    /// A machine's sign-in lacks its client id or its secret.
    NoClient,
    /// The address of the client metadata is no URL.
    NoMetadataUrl,
    /// There is no way through the proxy.
    ProxyFails {
        /// The proxy's host and port.
        proxy: String,
        /// What the system says.
        said: String,
    },
    /// The proxy wants a sign-in.
    ProxySignIn,
    /// The server's certificate does not do.
    BadCertificate {
        /// What is wrong with it.
        flaw: CertificateFlaw,
        /// What the TLS library says.
        said: String,
    },
    /// The file of a trusted authority's certificates cannot be read.
    CertificatesUnread {
        /// The file's path.
        file: String,
        /// What the system says.
        said: String,
    },
    /// The file of a trusted authority's certificates holds none.
    NoCertificates {
        /// The file's path.
        file: String,
    },
    /// There is no such folder to start the program in.
    NoFolder {
        /// The folder's path.
        folder: String,
    },
    /// Which variables are meant for other servers cannot be read, so the program is not given any.
    OthersUnread {
        /// What the store says.
        said: String,
    },
    /// The authorization server cannot be reached.
    AuthorizationFails {
        /// Its host; none where it is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        host: Option<String>,
        /// What was in the way.
        said: Hindrance,
    },
    /// There is no keychain.
    NoKeychain {
        /// What the platform says.
        said: Hindrance,
    },
    /// The keychain does not open.
    KeychainLocked {
        /// What the platform says.
        said: Hindrance,
    },
    /// The keychain failed in another way.
    KeychainFailed {
        /// What the platform says.
        said: Hindrance,
    },
    /// The encrypted file waits for its passphrase.
    FileLocked {
        /// The file's path.
        file: String,
    },
    /// The passphrase does not open the encrypted file.
    WrongPassphrase {
        /// The file's path.
        file: String,
    },
    /// The encrypted file is not one, or was changed by something else.
    FileDamaged {
        /// The file's path.
        file: String,
    },
    /// The encrypted file cannot be read or written.
    FileFailed {
        /// The file's path.
        file: String,
        /// What the system says.
        said: String,
    },
    /// Nothing is kept any more under this name.
    NotKept {
        /// The name it was kept under.
        entry: String,
    },
    /// Values are kept for one run, and in this one none was given.
    NotInThisRun {
        /// The name it was kept under.
        entry: String,
    },
    /// The file that holds the secret cannot be read.
    SecretUnread {
        /// The file's path.
        file: String,
        /// What the system says.
        said: String,
    },
    /// What is there is no text, or longer than a secret may be.
    NoSecret {
        /// The variable or the file.
        place: String,
        /// The longest that a secret may be, in bytes.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit: u64,
    },
    /// What a later version wrote.
    #[serde(other)]
    Unknown,
}

/// What is wrong with a server's certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CertificateFlaw {
    /// No trusted authority vouches for it.
    NoAuthority,
    /// Its time is over.
    Expired,
    /// Its time has not come.
    NotYetValid,
    /// It is for another name than the one in the URL.
    OtherName,
    /// What answers there does not speak TLS.
    NoTls,
    /// What a later version wrote.
    #[serde(other)]
    Unknown,
}

impl From<Obstacle> for Hindrance {
    fn from(obstacle: Obstacle) -> Self {
        Self::Obstacle(Box::new(obstacle))
    }
}

impl From<String> for Hindrance {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl From<&str> for Hindrance {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

impl Hindrance {
    /// The texts in it.
    pub(crate) fn texts(&mut self) -> Vec<&mut String> {
        match self {
            Self::Obstacle(obstacle) => obstacle.texts(),
            Self::Words(words) => vec![words],
        }
    }
}

impl Obstacle {
    fn texts(&mut self) -> Vec<&mut String> {
        match self {
            Self::StatementLost { said }
            | Self::NoKeychain { said }
            | Self::KeychainLocked { said }
            | Self::KeychainFailed { said } => said.texts(),
            Self::AuthorizationFails { host, said } => host.iter_mut().chain(said.texts()).collect(),
            Self::StatementBreaks { breach } => breach.texts(),
            Self::StatementRefused { said: text, .. }
            | Self::NoDisk { said: text }
            | Self::NoUrl { address: text }
            | Self::NoHeaderName { name: text }
            | Self::NoHeaderValue { name: text }
            | Self::BadCertificate { said: text, .. }
            | Self::NoCertificates { file: text }
            | Self::NoFolder { folder: text }
            | Self::OthersUnread { said: text }
            | Self::FileLocked { file: text }
            | Self::WrongPassphrase { file: text }
            | Self::FileDamaged { file: text }
            | Self::NotKept { entry: text }
            | Self::NotInThisRun { entry: text }
            | Self::NoSecret { place: text, .. } => vec![text],
            Self::ProxyFails { proxy: one, said: other }
            | Self::CertificatesUnread { file: one, said: other }
            | Self::FileFailed { file: one, said: other }
            | Self::SecretUnread { file: one, said: other } => vec![one, other],
            Self::StreamEnded
            | Self::NoStream
            | Self::SessionEnded
            | Self::NoMoreInput
            | Self::NoRoom
            | Self::OnlyStatus { .. }
            | Self::Interrupted
            | Self::Late { .. }
            | Self::SessionForgotten
            | Self::NoSession
            | Self::StatementThrottled { .. }
            | Self::StatementStray { .. }
            | Self::StatementTooLarge { .. }
            | Self::StatementTooMuch { .. }
            | Self::OtherWire
            | Self::NoProxyUrl
            | Self::NoSignIn
            | Self::NoClient
            | Self::NoMetadataUrl
            | Self::ProxySignIn
            | Self::Unknown => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Note, Reason};

    fn read(json: &str) -> Note {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn an_obstacle_is_kept_as_a_word_with_its_values() {
        let said = Obstacle::OnlyStatus { status: 502 }.into();
        let note = Note::from(Reason::AnswerLost { said });
        let json =
            r#"{"code":"lost","reason":{"kind":"answer_lost","said":{"is":"only_status","status":502}}}"#;
        assert_eq!(serde_json::to_string(&note).unwrap(), json, "it is kept so: its words never change");
        assert_eq!(read(json), note);
    }

    #[test]
    fn the_words_of_others_are_kept_as_they_are() {
        let json = r#"{"code":"unreachable","reason":{"kind":"unreachable","said":"Connection refused (os error 111)"}}"#;
        let note = Note::from(Reason::Unreachable { said: "Connection refused (os error 111)".into() });
        assert_eq!(read(json), note, "also the sentences of a version before this one");
        assert_eq!(serde_json::to_string(&note).unwrap(), json);
    }

    #[test]
    fn an_obstacle_within_another_is_reached() {
        let said =
            Obstacle::AuthorizationFails { host: Some("x7".to_owned()), said: "x7 refused".into() }.into();
        let note = Note::from(Reason::Unreachable { said }).map_texts(|text| text.replace("x7", ""));
        assert_eq!(note.size(), " refused".len(), "a secret in it is masked: {note:?}");
    }

    #[test]
    fn what_a_later_version_wrote_is_read() {
        let json = r#"{"code":"lost","reason":{"kind":"answer_lost","said":{"is":"of_tomorrow","value":1}}}"#;
        assert_eq!(read(json).reason, Reason::AnswerLost { said: Obstacle::Unknown.into() });
    }
}
