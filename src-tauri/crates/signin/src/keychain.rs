//! The OS keychain, one call at a time and never on an async thread (its D-Bus client blocks and panics there).

use std::{sync::Arc, time::Duration};

use keyring_core::{CredentialStore, Entry, Error};
use signalbox_model::Obstacle;
use tokio::{sync::Mutex, task, time};

use crate::SecretError;

/// The service name of all our entries.
const SERVICE: &str = "signalbox";

/// How long an unlock dialog may stay open before we say that the keychain is locked.
const PATIENCE: Duration = Duration::from_secs(60);

/// The connection to the keychain, made when first needed and again after it failed: a keychain that starts after
/// us, or again, is found.
#[derive(Default)]
pub(crate) struct Keychain {
    store: Arc<Mutex<Option<Arc<CredentialStore>>>>,
}

impl Keychain {
    /// Runs `work` on the entry `name` on a blocking thread.
    pub(crate) async fn with<T: Send + 'static>(
        &self,
        name: String,
        work: impl Fn(&Entry) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, SecretError> {
        let store = Arc::clone(&self.store);
        let answer = async {
            // Held by the blocking thread until it is done, even when we stop waiting for it: an open unlock dialog
            // must not collect threads.
            let mut store = store.lock_owned().await;
            task::spawn_blocking(move || attempt(&mut store, &name, &work)).await
        };
        match time::timeout(PATIENCE, answer).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(SecretError::KeychainFailed { why: Obstacle::Interrupted.into() }),
            Err(_) => Err(SecretError::Locked { why: Obstacle::Late { seconds: PATIENCE.as_secs() }.into() }),
        }
    }
}

fn attempt<T>(
    store: &mut Option<Arc<CredentialStore>>,
    name: &str,
    work: &impl Fn(&Entry) -> Result<T, Error>,
) -> Result<T, SecretError> {
    if let Some(known) = store.take() {
        match run(&known, name, work) {
            // Perhaps only our connection is gone: tried once more with a new one.
            Err(Error::PlatformFailure(_)) => {}
            other => {
                *store = Some(known);
                return other.map_err(|error| explain(&error, name));
            }
        }
    }
    let fresh = connect().map_err(|error| SecretError::NoKeychain { why: error.to_string().into() })?;
    let result = run(&fresh, name, work);
    *store = Some(fresh);
    result.map_err(|error| explain(&error, name))
}

fn run<T>(
    store: &Arc<CredentialStore>,
    name: &str,
    work: &impl Fn(&Entry) -> Result<T, Error>,
) -> Result<T, Error> {
    work(&store.build(SERVICE, name, None)?)
}

/// Only the error's words go on: its debug form can hold the bytes of a secret.
fn explain(error: &Error, name: &str) -> SecretError {
    match error {
        Error::NoEntry => SecretError::NoEntry { entry: name.to_owned() },
        Error::NoStorageAccess(why) => SecretError::Locked { why: why.to_string().into() },
        other => SecretError::KeychainFailed { why: other.to_string().into() },
    }
}

fn connect() -> Result<Arc<CredentialStore>, Error> {
    #[cfg(all(unix, not(target_os = "macos")))]
    let store = zbus_secret_service_keyring_store::Store::new()?;
    #[cfg(target_os = "macos")]
    let store = apple_native_keyring_store::keychain::Store::new()?;
    #[cfg(windows)]
    let store = windows_native_keyring_store::Store::new()?;
    Ok(store)
}
