//! What can be wrong with a secret. No value of a secret is ever part of an error.

use std::{io, path::PathBuf};

use signalbox_model::Hindrance;

/// What can be wrong with a secret.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// There is no keychain service that could keep or give a value.
    #[error("there is no keychain here ({why})")]
    NoKeychain {
        /// What the platform said.
        why: Hindrance,
    },
    /// The keychain is there, but does not open: locked and nobody unlocked it, or without a default keyring.
    #[error("the keychain does not open ({why})")]
    Locked {
        /// What the platform said.
        why: Hindrance,
    },
    /// The keychain failed in another way.
    #[error("the keychain failed: {why}")]
    KeychainFailed {
        /// What the platform said.
        why: Hindrance,
    },
    /// The encrypted file waits for its passphrase.
    #[error("the encrypted file {} is locked", file.display())]
    FileLocked {
        /// The encrypted file's path.
        file: PathBuf,
    },
    /// The passphrase is not that of the encrypted file.
    #[error("the passphrase does not open {}", file.display())]
    WrongPassphrase {
        /// The encrypted file's path.
        file: PathBuf,
    },
    /// The encrypted file is not one, or was changed by something else.
    #[error("the encrypted file {} is damaged", file.display())]
    DamagedFile {
        /// The file's path.
        file: PathBuf,
    },
    /// The encrypted file cannot be read or written.
    #[error("the encrypted file {} cannot be read or written: {source}", file.display())]
    FileFailed {
        /// The encrypted file's path.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The passphrase cannot be read from where it was said to be, or is none.
    #[error("there is no passphrase in {place}: {why}")]
    NoPassphrase {
        /// Where it was looked for.
        place: String,
        /// Why there is none.
        why: String,
    },
    /// The environment variable is not set where Signalbox runs.
    #[error("the environment variable {var} is not set where Signalbox runs")]
    NoVariable {
        /// The variable's name.
        var: String,
    },
    /// There is no such entry any more where values are kept.
    #[error("nothing is kept any more as {entry}: give the value again")]
    NoEntry {
        /// Its account name.
        entry: String,
    },
    /// Values are kept for one run, and in this one none was given for the entry.
    #[error(
        "{entry} is not kept in this run: values are kept for one run only. Give it again, or choose another place for secrets"
    )]
    Forgotten {
        /// Its account name.
        entry: String,
    },
    /// The file is not there or cannot be read.
    #[error("cannot read the secret from {}: {source}", path.display())]
    FileUnreadable {
        /// The file's path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What the reference points at is not text, or too long to be a secret.
    #[error("{place} holds no usable secret: it must be UTF-8 text of at most {limit} bytes")]
    NotUsable {
        /// The variable, the file, or what the value is for.
        place: String,
        /// The longest secret taken, in bytes.
        limit: u64,
    },
}
