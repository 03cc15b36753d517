//! Where values are kept: in the OS keychain, or in what a person chose in its place.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use keyring_core::{Entry, Error};

use crate::{Passphrase, SecretError, SecretValue, encrypted::EncryptedFile, keychain::Keychain};

/// Where values are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keeping {
    /// In the OS keychain.
    Keychain,
    /// In an encrypted file, whose passphrase is given at every start.
    Encrypted {
        /// The file.
        file: PathBuf,
    },
    /// In memory: gone when this process ends.
    ThisRun,
}

/// What keeps values, by the name of their entry.
pub(crate) enum Vault {
    Keychain(Keychain),
    Encrypted(Arc<EncryptedFile>),
    ThisRun(Mutex<HashMap<String, SecretValue>>),
}

impl Vault {
    pub(crate) fn keychain() -> Self {
        Self::Keychain(Keychain::default())
    }

    pub(crate) async fn encrypted(file: PathBuf, passphrase: Passphrase) -> Result<Self, SecretError> {
        EncryptedFile::open(file, passphrase).await.map(|file| Self::Encrypted(Arc::new(file)))
    }

    pub(crate) fn this_run() -> Self {
        Self::ThisRun(Mutex::default())
    }

    pub(crate) fn keeping(&self) -> Keeping {
        match self {
            Self::Keychain(_) => Keeping::Keychain,
            Self::Encrypted(file) => Keeping::Encrypted { file: file.path().to_owned() },
            Self::ThisRun(_) => Keeping::ThisRun,
        }
    }

    pub(crate) async fn get(&self, entry: &str) -> Result<SecretValue, SecretError> {
        let found = match self {
            Self::Keychain(keychain) => {
                return keychain.with(entry.to_owned(), Entry::get_password).await.map(SecretValue::new);
            }
            Self::Encrypted(file) => file.get(entry).await,
            Self::ThisRun(values) => {
                values.lock().unwrap_or_else(PoisonError::into_inner).get(entry).cloned()
            }
        };
        found.ok_or_else(|| SecretError::NoEntry { entry: entry.to_owned() })
    }

    pub(crate) async fn put(&self, entry: &str, value: SecretValue) -> Result<(), SecretError> {
        match self {
            Self::Keychain(keychain) => {
                keychain.with(entry.to_owned(), move |e| e.set_password(value.expose())).await
            }
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
            Self::Encrypted(file) => Arc::clone(file).set(entry, None).await,
            Self::ThisRun(values) => {
                values.lock().unwrap_or_else(PoisonError::into_inner).remove(entry);
                Ok(())
            }
        }
    }
}
