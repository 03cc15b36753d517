//! Resolving references, and keeping literal values where the person chose.

use std::{
    collections::hash_map::RandomState,
    env,
    hash::{BuildHasher, Hasher},
    io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use signalbox_model::{Obstacle, Secret};
use tokio::{sync, task};

use crate::{Keeping, Passphrase, SecretError, SecretValue, vault::Vault};

/// The longest secret taken, in bytes.
const LIMIT: u64 = 64 * 1024;
/// How entries of sign-ins end.
const SIGN_IN: &str = "/oauth";

/// The secrets of one data directory.
pub struct Secrets {
    scope: String,
    vault: RwLock<Arc<Vault>>,
    /// Shared by who changes what is kept, held alone by who changes where.
    pub(crate) changing: sync::RwLock<()>,
}

impl Secrets {
    /// The secrets of the data directory that `scope` stands for (a short digest of its path): two data directories
    /// never share a keychain entry.
    #[must_use]
    pub fn new(scope: impl Into<String>) -> Self {
        Self::of(scope, Vault::keychain())
    }

    fn of(scope: impl Into<String>, vault: Vault) -> Self {
        Self { scope: scope.into(), vault: RwLock::new(Arc::new(vault)), changing: sync::RwLock::default() }
    }

    /// As [`Self::new`], with what is kept in an encrypted file that waits for [`Self::unlock`]: until then nothing can be
    /// had from it or put into it.
    #[must_use]
    pub fn locked(scope: impl Into<String>, file: PathBuf) -> Self {
        Self::of(scope, Vault::Locked(file))
    }

    /// As [`Self::new`], with what is kept in an encrypted file instead of the OS keychain. The file is made if there is
    /// none, with this passphrase.
    ///
    /// # Errors
    /// When the passphrase is not the file's, or the file is damaged, cannot be read or cannot be written.
    pub async fn encrypted(
        scope: impl Into<String>,
        file: PathBuf,
        passphrase: Passphrase,
    ) -> Result<Self, SecretError> {
        Ok(Self::of(scope, Vault::encrypted(file, passphrase).await?))
    }

    /// As [`Self::new`], with what is kept in memory instead of the OS keychain: it is gone when this process ends.
    #[must_use]
    pub fn this_run(scope: impl Into<String>) -> Self {
        Self::of(scope, Vault::this_run())
    }

    /// Where values are kept: for hosts to show.
    #[must_use]
    pub fn keeping(&self) -> Keeping {
        self.vault().keeping()
    }

    /// Whether values are kept in an encrypted file that waits for its passphrase.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        matches!(*self.vault(), Vault::Locked(_))
    }

    /// The passphrase that opened the encrypted file: for handing the data directory over to another program of the person's.
    #[must_use]
    pub fn passphrase(&self) -> Option<Passphrase> {
        match &*self.vault() {
            Vault::Encrypted(file) => Some(file.passphrase().clone()),
            Vault::Keychain(_) | Vault::Locked(_) | Vault::ThisRun(_) => None,
        }
    }

    /// Whether this is kept here, and for this run only.
    #[must_use]
    pub fn has_in_this_run(&self, entry: &str) -> bool {
        self.vault().has_in_this_run(entry)
    }

    /// Opens the encrypted file. Where nothing is locked it has nothing to do, whatever the passphrase.
    ///
    /// # Errors
    /// When the passphrase is not the file's, or the file is not there, damaged or cannot be read.
    pub async fn unlock(&self, passphrase: Passphrase) -> Result<(), SecretError> {
        let _alone = self.changing.write().await;
        if let Some(open) = self.vault().unlocked(passphrase).await? {
            self.replace(Arc::new(open));
        }
        Ok(())
    }

    /// Whether the place where values are kept can be used.
    ///
    /// # Errors
    /// Why it cannot.
    pub async fn probe(&self) -> Result<(), SecretError> {
        self.read(&self.entry("probe")).await.map(drop)
    }

    pub(crate) fn vault(&self) -> Arc<Vault> {
        Arc::clone(&self.vault.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn replace(&self, vault: Arc<Vault>) {
        *self.vault.write().unwrap_or_else(PoisonError::into_inner) = vault;
    }

    /// The value that a reference points at, as it is now.
    ///
    /// # Errors
    /// When it is not there, cannot be read, or the keychain does not open.
    pub async fn resolve(&self, secret: &Secret) -> Result<SecretValue, SecretError> {
        match secret {
            Secret::Env { var } => from_env(var),
            Secret::File { path } => {
                let path = PathBuf::from(path);
                task::spawn_blocking(move || from_file(&path))
                    .await
                    .map_err(|_| SecretError::KeychainFailed { why: Obstacle::Interrupted.into() })?
            }
            Secret::Keychain { entry } => self.vault().get(entry).await,
            Secret::Plain { value } => Ok(SecretValue::new(value.clone())),
        }
    }

    /// Keeps a value (see [`Self::keeping`]), under an entry of its own that nothing else ever uses: an edit that is not
    /// committed in the end leaves the old value as it was. `server` and `name` (the header or variable) only help a
    /// person who looks into the keychain.
    ///
    /// # Errors
    /// When there is no keychain, or it does not open.
    pub async fn keep(&self, server: &str, name: &str, value: SecretValue) -> Result<Secret, SecretError> {
        if value.expose().len() as u64 > LIMIT {
            return Err(SecretError::NotUsable { place: format!("the value of {name}"), limit: LIMIT });
        }
        let entry = format!("{}/{server}/{name}/{:016x}", self.scope, unique());
        self.write(&entry, value).await?;
        Ok(Secret::Keychain { entry })
    }

    /// Deletes the value behind a keychain reference of this data directory. Other references point at things that
    /// are not ours, and stay; an entry that is gone already is fine.
    ///
    /// # Errors
    /// When the keychain is not there or does not open.
    pub async fn delete(&self, secret: &Secret) -> Result<(), SecretError> {
        let Secret::Keychain { entry } = secret else { return Ok(()) };
        if !entry.starts_with(&format!("{}/", self.scope)) {
            return Ok(());
        }
        self.erase(entry).await
    }
}

/// Documents of our own, each at an entry that it always has.
impl Secrets {
    /// The entry of what is kept of the sign-in at a server.
    #[must_use]
    pub fn sign_in_entry(&self, server: &str) -> String {
        self.entry(&format!("{server}{SIGN_IN}"))
    }

    /// Deletes what is kept of the sign-in at a server. What was granted there stays valid until it expires.
    ///
    /// # Errors
    /// When the place does not open.
    pub async fn forget_sign_in(&self, server: &str) -> Result<(), SecretError> {
        match self.erase(&self.sign_in_entry(server)).await {
            // What cannot be kept cannot have been kept either.
            Err(SecretError::NoKeychain { .. }) => Ok(()),
            other => other,
        }
    }

    pub(crate) fn is_sign_in(entry: &str) -> bool {
        entry.ends_with(SIGN_IN)
    }

    /// The entry of this data directory that stands for `name`.
    fn entry(&self, name: &str) -> String {
        format!("{}/{name}", self.scope)
    }

    pub(crate) async fn read(&self, entry: &str) -> Result<Option<SecretValue>, SecretError> {
        match self.vault().get(entry).await {
            Ok(value) => Ok(Some(value)),
            Err(SecretError::NoEntry { .. } | SecretError::Forgotten { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn write(&self, entry: &str, value: SecretValue) -> Result<(), SecretError> {
        let _changing = self.changing.read().await;
        self.vault().put(entry, value).await
    }

    pub(crate) async fn erase(&self, entry: &str) -> Result<(), SecretError> {
        let _changing = self.changing.read().await;
        self.vault().remove(entry).await
    }
}

fn from_env(var: &str) -> Result<SecretValue, SecretError> {
    match env::var(var) {
        Ok(value) => Ok(SecretValue::new(value)),
        Err(env::VarError::NotPresent) => Err(SecretError::NoVariable { var: var.to_owned() }),
        Err(env::VarError::NotUnicode(_)) => Err(not_usable(var)),
    }
}

fn from_file(path: &Path) -> Result<SecretValue, SecretError> {
    let odd = || not_usable(&path.display().to_string());
    let bytes = signalbox_files::read(path, LIMIT).map_err(|source| match source.kind() {
        io::ErrorKind::FileTooLarge => odd(),
        _ => SecretError::FileUnreadable { path: path.to_owned(), source },
    })?;
    let text = String::from_utf8(bytes).map_err(|_| odd())?;
    Ok(SecretValue::new(text.trim_end_matches(['\r', '\n'])))
}

fn not_usable(place: &str) -> SecretError {
    SecretError::NotUsable { place: place.to_owned(), limit: LIMIT }
}

/// A number that comes up once: names, no secrets.
fn unique() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    async fn file(content: &[u8]) -> Result<SecretValue, SecretError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("secret");
        fs::write(&path, content).unwrap();
        let secret = Secret::File { path: path.to_str().unwrap().to_owned() };
        Secrets::new("test").resolve(&secret).await
    }

    #[tokio::test]
    async fn a_file_gives_its_text_without_trailing_line_ends() {
        assert_eq!(file(b"  s3cret \r\n\n").await.unwrap().expose(), "  s3cret ", "only line ends go");
        assert_eq!(file(b"a\nb").await.unwrap().expose(), "a\nb", "inner line ends stay");
    }

    #[tokio::test]
    async fn a_file_that_is_no_secret_is_refused() {
        assert!(matches!(file(&[0xff, 0xfe]).await, Err(SecretError::NotUsable { .. })));
        let long = vec![b'x'; usize::try_from(LIMIT).unwrap() + 1];
        assert!(matches!(file(&long).await, Err(SecretError::NotUsable { .. })));
        for path in ["/dev/null", "/nowhere/at/all"] {
            let read = Secrets::new("test").resolve(&Secret::File { path: path.into() }).await;
            assert!(matches!(read, Err(SecretError::FileUnreadable { .. })), "{path} must not be read");
        }
    }

    #[tokio::test]
    async fn a_variable_gives_its_value_or_says_that_it_is_not_set() {
        let secrets = Secrets::new("test");
        let path = secrets.resolve(&Secret::Env { var: "PATH".into() }).await.unwrap();
        assert_eq!(path.expose(), env::var("PATH").unwrap());
        let error = secrets.resolve(&Secret::Env { var: "SIGNALBOX_NOT_SET".into() }).await.unwrap_err();
        assert!(matches!(&error, SecretError::NoVariable { var } if var == "SIGNALBOX_NOT_SET"), "{error}");
    }

    #[tokio::test]
    async fn nothing_but_our_own_entries_is_deleted() {
        let secrets = Secrets::new("test");
        for foreign in [
            Secret::Env { var: "PATH".into() },
            Secret::File { path: "/etc/hostname".into() },
            Secret::Keychain { entry: "other/s1/Authorization/0".into() },
        ] {
            // Without touching a keychain: there is none in this test.
            secrets.delete(&foreign).await.unwrap();
        }
    }

    #[test]
    fn debug_output_shows_no_value() {
        assert_eq!(format!("{:?}", SecretValue::new("hunter2")), "SecretValue(…)");
    }
}
