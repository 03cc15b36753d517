//! Where values are kept: in the OS keychain, or in what a person chose in its place.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use keyring_core::{Entry, Error};

use crate::{Passphrase, SecretError, SecretValue, encrypted::EncryptedFile, keychain::Keychain};

/// Where values are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keeping {
    /// In the OS keychain.
    Keychain,
    /// In an encrypted file, whose passphrase is given anew to each program that opens it.
    Encrypted {
        /// The encrypted file's path.
        file: PathBuf,
    },
    /// In memory: gone when this process ends.
    ThisRun,
}

/// What keeps values, by the name of their entry.
pub(crate) enum Vault {
    Keychain(Keychain),
    /// An encrypted file that waits for its passphrase.
    Locked(PathBuf),
    Encrypted(Arc<EncryptedFile>),
    ThisRun(Mutex<HashMap<String, SecretValue>>),
}

impl Vault {
    pub(crate) fn keychain() -> Self {
        Self::Keychain(Keychain::default())
    }

    /// The encrypted file, made if there is none.
    pub(crate) async fn encrypted(file: PathBuf, passphrase: Passphrase) -> Result<Self, SecretError> {
        EncryptedFile::open_or_make(file, passphrase).await.map(|file| Self::Encrypted(Arc::new(file)))
    }

    /// This one with its file open; none when there was nothing to open.
    pub(crate) async fn unlocked(&self, passphrase: Passphrase) -> Result<Option<Self>, SecretError> {
        let Self::Locked(file) = self else { return Ok(None) };
        let file = EncryptedFile::open(file.clone(), passphrase).await?;
        Ok(Some(Self::Encrypted(Arc::new(file))))
    }

    pub(crate) fn this_run() -> Self {
        Self::ThisRun(Mutex::default())
    }

    pub(crate) fn keeping(&self) -> Keeping {
        match self {
            Self::Keychain(_) => Keeping::Keychain,
            Self::Locked(file) => Keeping::Encrypted { file: file.clone() },
            Self::Encrypted(file) => Keeping::Encrypted { file: file.path().to_owned() },
            Self::ThisRun(_) => Keeping::ThisRun,
        }
    }

    pub(crate) fn has_in_this_run(&self, entry: &str) -> bool {
        match self {
            Self::ThisRun(values) => {
                values.lock().unwrap_or_else(PoisonError::into_inner).contains_key(entry)
            }
            Self::Keychain(_) | Self::Locked(_) | Self::Encrypted(_) => false,
        }
    }

    pub(crate) async fn get(&self, entry: &str) -> Result<SecretValue, SecretError> {
        let missing = || entry.to_owned();
        match self {
            Self::Keychain(keychain) => {
                keychain.with(missing(), Entry::get_password).await.map(SecretValue::new)
            }
            Self::Locked(file) => Err(locked(file)),
            Self::Encrypted(file) => {
                file.get(entry).await.ok_or_else(|| SecretError::NoEntry { entry: missing() })
            }
            Self::ThisRun(values) => {
                let found = values.lock().unwrap_or_else(PoisonError::into_inner).get(entry).cloned();
                found.ok_or_else(|| SecretError::Forgotten { entry: missing() })
            }
        }
    }

    pub(crate) async fn put(&self, entry: &str, value: SecretValue) -> Result<(), SecretError> {
        match self {
            Self::Keychain(keychain) => {
                keychain.with(entry.to_owned(), move |e| e.set_password(value.expose())).await
            }
            Self::Locked(file) => Err(locked(file)),
            Self::Encrypted(file) => Arc::clone(file).set(entry, Some(value)).await,
            Self::ThisRun(values) => {
                values.lock().unwrap_or_else(PoisonError::into_inner).insert(entry.to_owned(), value);
                Ok(())
            }
        }
    }

    /// What is gone already is fine.
    pub(crate) async fn remove(&self, entry: &str) -> Result<(), SecretError> {
        match self {
            Self::Keychain(keychain) => {
                let remove = |e: &Entry| match e.delete_credential() {
                    Err(Error::NoEntry) => Ok(()),
                    other => other,
                };
                keychain.with(entry.to_owned(), remove).await
            }
            Self::Locked(file) => Err(locked(file)),
            Self::Encrypted(file) => Arc::clone(file).set(entry, None).await,
            Self::ThisRun(values) => {
                values.lock().unwrap_or_else(PoisonError::into_inner).remove(entry);
                Ok(())
            }
        }
    }

    /// It is not used after all.
    pub(crate) async fn unmake(&self) -> Result<(), SecretError> {
        match self {
            Self::Encrypted(file) => file.unmake().await,
            Self::Keychain(_) | Self::Locked(_) | Self::ThisRun(_) => Ok(()),
        }
    }

    /// Nothing is kept here any more, or what stays is not ours to delete.
    pub(crate) async fn leave(&self) -> Result<(), SecretError> {
        match self {
            Self::Encrypted(file) => file.remove_if_empty().await,
            Self::Keychain(_) | Self::Locked(_) | Self::ThisRun(_) => Ok(()),
        }
    }
}

fn locked(file: &Path) -> SecretError {
    SecretError::FileLocked { file: file.to_owned() }
}
