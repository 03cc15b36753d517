//! Changing where values are kept, and taking them along. The references to them stay as they are.

use std::sync::Arc;

use tokio::sync::RwLockWriteGuard;

use crate::{Keeping, SecretError, Secrets, vault::Vault};

/// Values that were copied to another place, which is not used yet. One of [`Self::finish`] and [`Self::give_up`] must
/// follow: dropped, it leaves the copies behind. Meanwhile nothing that is kept can change.
#[must_use]
pub struct SecretMove<'a> {
    secrets: &'a Secrets,
    next: Arc<Vault>,
    copied: Vec<String>,
    left: Vec<String>,
    _alone: RwLockWriteGuard<'a, ()>,
}

/// What became of the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// How many are in the new place.
    pub moved: usize,
    /// The entries that stayed in the old one, where nobody looks any more.
    pub left: Vec<String>,
}

impl Secrets {
    /// Begins to keep values where `next` does, and copies those at `entries` there. What a person wants forgotten at the
    /// end of this run would be lost by a move, and stays where it is; so does all in a place that does not open.
    ///
    /// # Errors
    /// When the new place does not take a value; then nothing has changed.
    pub async fn move_to<'a>(
        &'a self,
        next: Secrets,
        entries: &[String],
    ) -> Result<SecretMove<'a>, SecretError> {
        let alone = self.changing.write().await;
        let (old, next) = (self.vault(), next.vault());
        let mut moving =
            SecretMove { secrets: self, next, copied: Vec::new(), left: Vec::new(), _alone: alone };
        if old.keeping() == moving.next.keeping() {
            return Ok(moving);
        }
        for (n, entry) in entries.iter().enumerate() {
            let value = match old.get(entry).await {
                Ok(value) => value,
                Err(SecretError::NoEntry { .. } | SecretError::Forgotten { .. }) => continue,
                Err(error) => {
                    tracing::warn!(%error, "secrets stay where they were");
                    // Whether somebody is signed in cannot be seen there either.
                    moving.left.extend(entries[n..].iter().filter(|e| !Secrets::is_sign_in(e)).cloned());
                    break;
                }
            };
            if moving.next.keeping() == Keeping::ThisRun {
                moving.left.push(entry.clone());
                continue;
            }
            if let Err(error) = moving.next.put(entry, value).await {
                moving.give_up().await;
                return Err(error);
            }
            moving.copied.push(entry.clone());
        }
        Ok(moving)
    }
}

impl SecretMove<'_> {
    /// From now on values are kept in the new place. What was copied is deleted from the old one.
    pub async fn finish(self) -> Moved {
        let old = self.secrets.vault();
        let same = old.keeping() == self.next.keeping();
        // An open place is not given up for the same one: what is kept in memory is in one of them alone.
        if !same || matches!(*old, Vault::Locked(_)) {
            self.secrets.replace(Arc::clone(&self.next));
        }
        if !same {
            delete(&old, &self.copied).await;
            if let Err(error) = old.leave().await {
                tracing::warn!(%error, "the old place of secrets could not be tidied up");
            }
        }
        Moved { moved: self.copied.len(), left: self.left }
    }

    /// All stays as it was.
    pub async fn give_up(self) {
        delete(&self.next, &self.copied).await;
        if let Err(error) = self.next.unmake().await {
            tracing::warn!(%error, "a new place of secrets that is not used could not be taken away");
        }
    }
}

async fn delete(vault: &Vault, entries: &[String]) {
    for entry in entries {
        if let Err(error) = vault.remove(entry).await {
            tracing::warn!(%error, "a copy of a secret could not be deleted");
        }
    }
}
