//! Where secrets are kept: showing it, choosing it, unlocking.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use signalbox_engine::Intent;
use signalbox_model::{Health, Json, NoteCode, Secret, Server};
use signalbox_signin::{Keeping, Moved, Passphrase, SecretError, Secrets};

use super::Local;
use crate::{
    ApiError, Code, OwnerKind, SecretPlace, SecretText, SecretsState, SecretsView, Trouble,
    command::{self, CarryOut, Forgotten, KeepSecrets, ReadForgotten, SecretsMoved, UnlockSecrets},
    error::secret_failed,
    secret_place::{self, SECRET_PLACE, shown},
};

/// How long a keychain may take to say how it is: its unlock dialog may wait for a person who is not there.
const PATIENCE: Duration = Duration::from_secs(10);

impl CarryOut<command::Secrets> for Local {
    async fn carry_out(&self, _: command::Secrets) -> Result<SecretsView, ApiError> {
        Ok(self.secrets_view().await)
    }
}

impl CarryOut<ReadForgotten> for Local {
    async fn carry_out(&self, _: ReadForgotten) -> Result<Forgotten, ApiError> {
        if self.secrets.keeping() != Keeping::ThisRun {
            return Ok(Forgotten { servers: Vec::new() });
        }
        let servers = self.present_servers().await?;
        let ends =
            |server: &Server| self.entries_of(server).iter().any(|entry| self.secrets.has_in_this_run(entry));
        Ok(Forgotten { servers: servers.into_iter().filter(ends).map(|server| server.name).collect() })
    }
}

impl CarryOut<UnlockSecrets> for Local {
    async fn carry_out(&self, UnlockSecrets { passphrase }: UnlockSecrets) -> Result<SecretsView, ApiError> {
        let passphrase = taken(passphrase)?;
        if SecretPlace::of(&self.secrets) != SecretPlace::File {
            let message = "Secrets are not kept in an encrypted file: there is nothing to unlock";
            return Err(ApiError::new(Code::Usage, message));
        }
        self.secrets.unlock(passphrase).await.map_err(|error| secret_failed(&error))?;
        self.secrets_changed().await?;
        Ok(self.secrets_view().await)
    }
}

impl CarryOut<KeepSecrets> for Local {
    async fn carry_out(
        &self,
        KeepSecrets { place, passphrase, set_aside }: KeepSecrets,
    ) -> Result<SecretsMoved, ApiError> {
        let _alone = self.moving_secrets.write().await;
        let servers = self.present_servers().await?;
        let was_filed = SecretPlace::of(&self.secrets) == SecretPlace::File;
        let (next, aside) = match (place, passphrase) {
            (SecretPlace::File, None) => {
                return Err(ApiError::new(Code::InputNeeded, "An encrypted file needs a passphrase"));
            }
            (SecretPlace::File, Some(passphrase)) => self.file(taken(passphrase)?, set_aside).await?,
            (place, _) => (place.open(&self.home, None).await, None),
        };
        let moved = match self.move_secrets(place, next, &servers).await {
            Ok(moved) => moved,
            Err(error) => {
                if let Some(aside) = aside {
                    put_back(&aside, &secret_place::file(&self.home));
                }
                return Err(error);
            }
        };
        self.secrets_changed().await?;
        let stayed = |server: &&Server| match &aside {
            Some(_) if was_filed => !referred_to(server).is_empty(),
            _ => self.entries_of(server).iter().any(|entry| moved.left.contains(entry)),
        };
        Ok(SecretsMoved {
            secrets: self.secrets_view().await,
            moved: u32::try_from(moved.moved).unwrap_or(u32::MAX),
            left: servers.iter().filter(stayed).map(|server| server.name.clone()).collect(),
            aside: aside.map(|aside| shown(&aside)),
        })
    }
}

impl Local {
    /// Whether secrets are kept in an encrypted file that waits for its passphrase.
    #[must_use]
    pub fn secrets_locked(&self) -> bool {
        self.secrets.is_locked()
    }

    /// The passphrase of that file, while it is open: for handing the data directory over to another program of the person's.
    #[must_use]
    pub fn passphrase(&self) -> Option<Passphrase> {
        self.secrets.passphrase()
    }

    pub(super) fn secrets_trouble(&self) -> Option<Trouble> {
        let Keeping::Encrypted { file } = self.secrets.keeping() else { return None };
        let locked = || SecretError::FileLocked { file }.to_string();
        self.secrets.is_locked().then(|| Trouble {
            code: Code::SecretsLocked,
            message: locked(),
            detail: None,
        })
    }

    async fn secrets_view(&self) -> SecretsView {
        let (mut detail, mut no_keychain) = (None, false);
        let (state, message) = if self.secrets.is_locked() {
            (SecretsState::Locked, self.secrets_trouble().map(|trouble| trouble.message))
        } else {
            match tokio::time::timeout(PATIENCE, self.secrets.probe()).await {
                Ok(Ok(())) => (SecretsState::Open, None),
                Ok(Err(error)) => {
                    no_keychain = matches!(error, SecretError::NoKeychain { .. });
                    let (message, said) = why(&error);
                    detail = said;
                    (SecretsState::Unusable, Some(message))
                }
                Err(_) => (
                    SecretsState::Unusable,
                    Some("it does not answer: perhaps it waits to be unlocked".into()),
                ),
            }
        };
        let file = match self.secrets.keeping() {
            Keeping::Encrypted { file } => Some(shown(&file)),
            Keeping::Keychain | Keeping::ThisRun => None,
        };
        let place = SecretPlace::of(&self.secrets);
        let unused =
            Some(secret_place::file(&self.home)).filter(|file| place != SecretPlace::File && file.exists());
        let unused = unused.map(|file| shown(&file));
        SecretsView { place, state, file, message, detail, no_keychain, unused }
    }

    /// What a command keeps for its run only would be gone before anybody can use it.
    pub(super) fn can_keep_secrets(&self) -> Result<(), ApiError> {
        if self.owner.kind == OwnerKind::Command && self.secrets.keeping() == Keeping::ThisRun {
            return Err(ApiError::new(
                Code::NeedsOwner,
                "Secrets are kept for one run only, and the run of a command is over at once: nothing was kept",
            ));
        }
        Ok(())
    }

    /// Removing says that what is kept goes, too: where that cannot be it is refused.
    pub(super) async fn can_forget_secrets(&self, server: &Server) -> Result<(), ApiError> {
        let stays = |code, why: String| {
            let message =
                format!("{:?} is not removed: what is kept of its secrets would stay: {why}", server.name);
            Err(ApiError::new(code, message))
        };
        match tokio::time::timeout(PATIENCE, self.secrets.probe()).await {
            Ok(Ok(())) => Ok(()),
            // Without a keychain nobody can have signed in either.
            Ok(Err(SecretError::NoKeychain { .. })) if referred_to(server).is_empty() => Ok(()),
            Ok(Err(error)) => stays(secret_failed(&error).code, error.to_string()),
            Err(_) => stays(Code::NoKeychain, "the keychain does not answer".into()),
        }
    }

    async fn move_secrets(
        &self,
        place: SecretPlace,
        next: Secrets,
        servers: &[Server],
    ) -> Result<Moved, ApiError> {
        let failed = |error: SecretError| secret_failed(&error);
        if place == SecretPlace::Keychain {
            // What nothing can be kept in is no choice.
            next.probe().await.map_err(failed)?;
        }
        let entries: Vec<String> = servers.iter().flat_map(|server| self.entries_of(server)).collect();
        let moving = self.secrets.move_to(next, &entries).await.map_err(failed)?;
        let tuning = self.settings.borrow().tuning();
        let chosen = Intent::PutSetting { key: SECRET_PLACE.to_owned(), value: Json::of(&place), tuning };
        if let Err(error) = self.intent(chosen).await {
            moving.give_up().await;
            return Err(error);
        }
        Ok(moving.finish().await)
    }

    /// The encrypted file, opened or made; and where the one is that did not open, if it was to be set aside for that.
    async fn file(
        &self,
        passphrase: Passphrase,
        set_aside: bool,
    ) -> Result<(Secrets, Option<PathBuf>), ApiError> {
        let file = secret_place::file(&self.home);
        let open = || Secrets::encrypted(self.home.fingerprint(), file.clone(), passphrase.clone());
        let refused = match open().await {
            Ok(secrets) => return Ok((secrets, None)),
            Err(error @ (SecretError::WrongPassphrase { .. } | SecretError::DamagedFile { .. })) => error,
            Err(error) => return Err(secret_failed(&error)),
        };
        let is_in_use = SecretPlace::of(&self.secrets) == SecretPlace::File && !self.secrets.is_locked();
        if is_in_use || !set_aside {
            let ApiError { code, message, .. } = secret_failed(&refused);
            let message = if is_in_use {
                format!("{message}. It is open and in use: its passphrase stays")
            } else {
                message
            };
            return Err(ApiError::new(code, message));
        }
        let failed = |source| secret_failed(&SecretError::FileFailed { file: file.clone(), source });
        let aside = secret_place::set_aside(&file).map_err(failed)?;
        match open().await {
            Ok(secrets) => Ok((secrets, Some(aside))),
            Err(error) => {
                put_back(&aside, &file);
                Err(secret_failed(&error))
            }
        }
    }

    /// Where what is kept of a server's secrets may be: what it refers to, and its sign-in.
    fn entries_of(&self, server: &Server) -> Vec<String> {
        let mut entries = referred_to(server);
        // Whatever it is now: it may have been a server to sign in to.
        entries.push(self.secrets.sign_in_entry(&server.id.to_string()));
        entries
    }

    /// Shows it, and tries again the servers that may have waited for it. A mere command asks those that it needs.
    async fn secrets_changed(&self) -> Result<(), ApiError> {
        self.beside.send_modify(|beside| beside.version += 1);
        if self.owner.kind == OwnerKind::Command {
            return Ok(());
        }
        for server in self.present_servers().await? {
            if server.enabled && (waits(&server.health) || !referred_to(&server).is_empty()) {
                let engine = self.engine.clone();
                // How it went is told by its health.
                tokio::spawn(async move { engine.intent(Intent::Check(server.id)).await });
            }
        }
        Ok(())
    }
}

/// A file that was set aside for nothing.
fn put_back(aside: &Path, file: &Path) {
    if file.exists() {
        return;
    }
    if let Err(error) = fs::rename(aside, file) {
        tracing::warn!(%error, aside = %aside.display(), "an encrypted file stays aside");
    }
}

/// Why secrets cannot be had, without the advice that is given where it is shown.
fn why(error: &SecretError) -> (String, Option<String>) {
    match error {
        SecretError::NoKeychain { why } => ("there is none here".to_owned(), Some(why.to_string())),
        SecretError::Locked { why } => ("it does not open".to_owned(), Some(why.to_string())),
        SecretError::KeychainFailed { why } => ("it failed".to_owned(), Some(why.to_string())),
        other => (other.to_string(), None),
    }
}

fn referred_to(server: &Server) -> Vec<String> {
    let kept = server.secrets().filter_map(|secret| match secret {
        Secret::Keychain { entry } => Some(entry.clone()),
        Secret::Env { .. } | Secret::File { .. } | Secret::Plain { .. } => None,
    });
    kept.collect()
}

/// Whether the lack of a secret may be why a server cannot be used.
fn waits(health: &Health) -> bool {
    match health {
        Health::Unusable { note, .. } | Health::Unreachable { note, .. } => {
            matches!(note.code, NoteCode::SecretsLocked | NoteCode::NoKeychain | NoteCode::SecretMissing)
        }
        Health::SignInNeeded { .. } => true,
        Health::Ok { .. } | Health::Unknown { .. } => false,
    }
}

fn taken(passphrase: SecretText) -> Result<Passphrase, ApiError> {
    Passphrase::new(passphrase.take()).map_err(|error| secret_failed(&error))
}
