//! Where secrets are kept: the person's choice, one per data directory, kept in its store in the clear, so that it is known
//! before any secret is needed.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_signin::{Keeping, Passphrase, SecretError, Secrets};

use crate::{ApiError, Code, Home, error::secret_failed};

/// The name of the setting that holds the choice.
pub(crate) const SECRET_PLACE: &str = "secrets";

/// The encrypted file in the data directory.
const FILE: &str = "secrets";

/// The credential of a service manager that holds the passphrase.
const CREDENTIAL: &str = "signalbox-passphrase";

/// Where secrets are kept: values that were given literally, and what sign-ins brought.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SecretPlace {
    /// In the OS keychain.
    #[default]
    Keychain,
    /// In an encrypted file in the data directory. Each program that owns the directory needs its passphrase once.
    File,
    /// In the memory of the program that owns the data directory: forgotten when it ends.
    ThisRun,
}

/// Where secrets are kept, and how it is there.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct SecretsView {
    /// Where secrets are kept.
    pub place: SecretPlace,
    /// Whether they can be had.
    pub state: SecretsState,
    /// The encrypted file.
    pub file: Option<String>,
    /// Why they cannot be had.
    pub message: Option<String>,
    /// What the system said of that, for those who look into it.
    pub detail: Option<String>,
    /// Whether there is no keychain here at all, as far as that had to be known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub no_keychain: bool,
    /// An encrypted file that lies in the data directory though secrets are kept elsewhere.
    pub unused: Option<String>,
}

/// Whether secrets can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SecretsState {
    /// Secrets can be read and kept.
    Open,
    /// The encrypted file waits for its passphrase.
    Locked,
    /// The keychain is not there, or does not open.
    Unusable,
}

impl SecretPlace {
    pub(crate) fn of(secrets: &Secrets) -> Self {
        match secrets.keeping() {
            Keeping::Keychain => Self::Keychain,
            Keeping::Encrypted { .. } => Self::File,
            Keeping::ThisRun => Self::ThisRun,
        }
    }

    /// The secrets of a data directory that are kept here; those in the encrypted file with its passphrase, or locked: a wrong
    /// one, or what is wrong with the file itself, is told who unlocks it, and keeps nobody from all that needs no secrets.
    pub(crate) async fn open(self, home: &Home, passphrase: Option<Passphrase>) -> Secrets {
        let scope = home.fingerprint();
        match self {
            Self::Keychain => Secrets::new(scope),
            Self::ThisRun => Secrets::this_run(scope),
            Self::File => {
                let secrets = Secrets::locked(scope, file(home));
                if let Some(passphrase) = passphrase
                    && let Err(error) = secrets.unlock(passphrase).await
                {
                    tracing::warn!(%error, "secrets stay locked");
                }
                secrets
            }
        }
    }
}

/// Moves the encrypted file to the first free name beside it, which it returns.
pub(crate) fn set_aside(file: &Path) -> io::Result<PathBuf> {
    let mut n = 1;
    let aside = loop {
        let aside = file.with_file_name(format!("{FILE}-{n}"));
        if aside.symlink_metadata().is_err() {
            break aside;
        }
        n += 1;
    };
    fs::rename(file, &aside)?;
    Ok(aside)
}

/// Whether other people of this machine can read what is to be only this person's.
#[must_use]
pub fn others_may_read(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(path).is_ok_and(|found| found.is_file() && found.mode() & 0o044 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// The encrypted file of a data directory.
pub(crate) fn file(home: &Home) -> PathBuf {
    home.dir().join(FILE)
}

/// Where a program that cannot ask finds the passphrase of the encrypted file. Never an argument or a variable: others could
/// see those.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PassphraseFrom {
    /// A file, or a pipe.
    File(PathBuf),
    /// A file descriptor that the program was started with.
    Descriptor(u32),
}

/// The passphrase from where it was said to be, else from the service manager's credential `signalbox-passphrase` (a file in
/// `$CREDENTIALS_DIRECTORY`), if there is one. May wait for a pipe.
///
/// # Errors
/// [`Code::Usage`] when there is none in the place.
pub async fn passphrase(from: Option<PassphraseFrom>) -> Result<Option<Passphrase>, ApiError> {
    let read = move || match from {
        Some(PassphraseFrom::File(path)) => Passphrase::from_file(&path).map(Some),
        Some(PassphraseFrom::Descriptor(descriptor)) => of_descriptor(descriptor).map(Some),
        // Nobody typed that: it must not stop what needs no secrets.
        None => Ok(Passphrase::from_credential(CREDENTIAL).unwrap_or_else(|error| {
            tracing::warn!(%error, "secrets stay locked");
            None
        })),
    };
    let read = tokio::task::spawn_blocking(read).await;
    let read = read.map_err(|_| ApiError::new(Code::Internal, "Reading the passphrase panicked"))?;
    read.map_err(|error| secret_failed(&error))
}

#[cfg(unix)]
fn of_descriptor(descriptor: u32) -> Result<Passphrase, SecretError> {
    Passphrase::from_descriptor(descriptor)
}

#[cfg(not(unix))]
fn of_descriptor(descriptor: u32) -> Result<Passphrase, SecretError> {
    let why = "this system hands on no file descriptors: give a file".to_owned();
    Err(SecretError::NoPassphrase { place: format!("file descriptor {descriptor}"), why })
}

/// What a person is shown of a path.
pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}
