//! Values in one encrypted file, where a person chose that instead of a keychain.
//!
//! The key is made of the passphrase by Argon2id once, at the start; each change writes the whole file anew, sealed by
//! XChaCha20-Poly1305 with a nonce of its own, and puts it in the place of the old one at once.
//!
//! ```text
//! line     "signalbox secrets 1\n"
//! memory, passes, lanes   u32 each, big-endian: Argon2id's cost
//! salt     16 bytes
//! check    24 + 16 bytes: a nonce, and the seal of nothing: tells a wrong passphrase from a damaged file
//! content  24 bytes: a nonce; the rest: sealed JSON, {"entry": "value"}
//! ```
//! Each seal covers all that stands before it.

use std::{
    collections::BTreeMap,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::{
    Key, KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Generate, Payload},
};
use serde::{Deserialize, Serialize};
use tokio::{sync::Mutex, task};
use zeroize::Zeroizing;

use crate::{Passphrase, SecretError, SecretValue};

const MAGIC: &[u8] = b"signalbox secrets 1\n";
const COSTS: usize = 12;
const SALT: usize = 16;
const NONCE: usize = 24;
const SEAL: usize = 16;
const HEAD: usize = MAGIC.len() + COSTS + SALT;
/// Larger files are not ours.
const LARGEST: u64 = 16 * 1024 * 1024;
/// Half a second or so on a small machine.
const COST: Cost = Cost { memory: 64 * 1024, passes: 3, lanes: 1 };
/// A file may ask for more than we do, but not for all that there is.
const DEAREST: Cost = Cost { memory: 1024 * 1024, passes: 64, lanes: 16 };

/// Argon2id's cost; `memory` in KiB.
#[derive(Clone, Copy)]
struct Cost {
    memory: u32,
    passes: u32,
    lanes: u32,
}

/// The values of one encrypted file.
pub(crate) struct EncryptedFile {
    path: PathBuf,
    /// For the program that takes the data directory over from this one.
    passphrase: Passphrase,
    key: Sealing,
    content: Mutex<Content>,
    /// Whether it was made just now, and not found.
    made: bool,
}

/// The cipher with the key, and what stands before the content in the file.
struct Sealing {
    cipher: XChaCha20Poly1305,
    head: Vec<u8>,
}

#[derive(Default, Clone, Serialize, Deserialize)]
#[serde(transparent)]
struct Content(BTreeMap<String, Zeroizing<String>>);

impl EncryptedFile {
    /// Opens the file that is there. What was mistyped must not become the passphrase of a new one.
    pub(crate) async fn open(path: PathBuf, passphrase: Passphrase) -> Result<Self, SecretError> {
        Self::begin(path, move |path| open(path, passphrase)).await
    }

    /// Opens the file, or makes one.
    pub(crate) async fn open_or_make(path: PathBuf, passphrase: Passphrase) -> Result<Self, SecretError> {
        let begin = move |path: PathBuf| match path.try_exists() {
            Ok(false) => match create(&path, &passphrase) {
                // Somebody else made it meanwhile: theirs holds, and may have values already.
                Err(SecretError::FileFailed { source, .. })
                    if source.kind() == io::ErrorKind::AlreadyExists =>
                {
                    open(path, passphrase)
                }
                made => made,
            },
            Ok(true) => open(path, passphrase),
            Err(error) => Err(failed(&path, error)),
        };
        Self::begin(path, begin).await
    }

    async fn begin(
        path: PathBuf,
        begin: impl FnOnce(PathBuf) -> Result<Self, SecretError> + Send + 'static,
    ) -> Result<Self, SecretError> {
        let file = path.clone();
        let begun = task::spawn_blocking(move || begin(path)).await;
        begun.unwrap_or_else(|_| Err(failed(&file, io::Error::other("interrupted"))))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn passphrase(&self) -> &Passphrase {
        &self.passphrase
    }

    pub(crate) async fn get(&self, entry: &str) -> Option<SecretValue> {
        self.content.lock().await.0.get(entry).map(|value| SecretValue::new(value.as_str()))
    }

    /// Deletes the file if nothing is kept in it any more.
    pub(crate) async fn remove_if_empty(&self) -> Result<(), SecretError> {
        let content = self.content.lock().await;
        if !content.0.is_empty() {
            return Ok(());
        }
        fs::remove_file(&self.path).map_err(|error| failed(&self.path, error))
    }

    /// As it was before: a file that was made for nothing must not wait for its passphrase ever after.
    pub(crate) async fn unmake(&self) -> Result<(), SecretError> {
        if self.made { self.remove_if_empty().await } else { Ok(()) }
    }

    /// Keeps a value, or deletes it. Either it is on the disk when this returns, or nothing has changed.
    pub(crate) async fn set(
        self: Arc<Self>,
        entry: &str,
        value: Option<SecretValue>,
    ) -> Result<(), SecretError> {
        let entry = entry.to_owned();
        let file = self.path.clone();
        let change = task::spawn_blocking(move || {
            let mut content = self.content.blocking_lock();
            let mut next = content.clone();
            match value {
                Some(value) => next.0.insert(entry, Zeroizing::new(value.expose().to_owned())),
                None => next.0.remove(&entry),
            };
            self.key.write(&self.path, &next, Place::Taken)?;
            *content = next;
            Ok(())
        });
        change.await.unwrap_or_else(|_| Err(failed(&file, io::Error::other("interrupted"))))
    }
}

fn open(path: PathBuf, passphrase: Passphrase) -> Result<EncryptedFile, SecretError> {
    let damaged = || SecretError::DamagedFile { file: path.clone() };
    let bytes = signalbox_files::read(&path, LARGEST).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge => damaged(),
        _ => failed(&path, error),
    })?;
    let (head, rest) = bytes.split_at_checked(HEAD + NONCE + SEAL).ok_or_else(damaged)?;
    if !head.starts_with(MAGIC) {
        return Err(damaged());
    }
    let cost = Cost::read(&head[MAGIC.len()..]).ok_or_else(damaged)?;
    let cipher = cost.cipher(&passphrase, &head[HEAD - SALT..HEAD]).ok_or_else(damaged)?;
    let open = |before: usize, sealed: &[u8]| unseal(&cipher, &bytes[..before], sealed);
    if open(HEAD, &head[HEAD..]).is_none() {
        return Err(SecretError::WrongPassphrase { file: path });
    }
    let content = open(head.len(), rest).and_then(|json| serde_json::from_slice(&json).ok());
    let content: Content = content.ok_or_else(damaged)?;
    let key = Sealing { head: head.to_vec(), cipher };
    Ok(EncryptedFile { path, passphrase, key, content: Mutex::new(content), made: false })
}

fn create(path: &Path, passphrase: &Passphrase) -> Result<EncryptedFile, SecretError> {
    let mut head = MAGIC.to_vec();
    for cost in [COST.memory, COST.passes, COST.lanes] {
        head.extend_from_slice(&cost.to_be_bytes());
    }
    let salt = <[u8; SALT]>::generate();
    head.extend_from_slice(&salt);
    let cipher = COST.cipher(passphrase, &salt).expect("BUG: our own cost is a valid one");
    let check = seal(&cipher, &head, b"");
    head.extend_from_slice(&check);
    let key = Sealing { cipher, head };
    key.write(path, &Content::default(), Place::Free)?;
    let (path, passphrase) = (path.to_owned(), passphrase.clone());
    Ok(EncryptedFile { path, passphrase, key, content: Mutex::default(), made: true })
}

impl Sealing {
    /// Puts `content` at its place. Nobody else can read it at any moment.
    fn write(&self, path: &Path, content: &Content, place: Place) -> Result<(), SecretError> {
        let json = Zeroizing::new(serde_json::to_vec(content).expect("BUG: a map of texts is JSON"));
        if (self.head.len() + NONCE + json.len() + SEAL) as u64 > LARGEST {
            // It could not be opened again.
            let why = format!("it would be larger than {} MiB", LARGEST / 1024 / 1024);
            return Err(failed(path, io::Error::new(io::ErrorKind::FileTooLarge, why)));
        }
        let mut bytes = self.head.clone();
        bytes.extend_from_slice(&seal(&self.cipher, &self.head, &json));
        put(path, &bytes, place).map_err(|error| failed(path, error))
    }
}

/// What may stand where a file is written.
#[derive(Clone, Copy)]
enum Place {
    /// Nothing: what is there is an error.
    Free,
    /// The file as it was.
    Taken,
}

fn put(path: &Path, bytes: &[u8], place: Place) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // 0600 from the beginning.
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    match place {
        Place::Free => file.persist_noclobber(path)?,
        Place::Taken => file.persist(path)?,
    };
    #[cfg(unix)]
    fs::File::open(directory)?.sync_all()?;
    Ok(())
}

fn seal(cipher: &XChaCha20Poly1305, before: &[u8], content: &[u8]) -> Vec<u8> {
    let nonce = XNonce::generate();
    let sealed = cipher.encrypt(&nonce, Payload { msg: content, aad: before });
    let sealed = sealed.expect("BUG: what fits in memory can be sealed");
    [nonce.as_slice(), &sealed].concat()
}

fn unseal(cipher: &XChaCha20Poly1305, before: &[u8], sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
    let content = cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: before });
    content.ok().map(Zeroizing::new)
}

impl Cost {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut costs = bytes.chunks_exact(4).filter_map(|four| four.try_into().ok()).map(u32::from_be_bytes);
        let (memory, passes, lanes) = (costs.next()?, costs.next()?, costs.next()?);
        let payable = memory <= DEAREST.memory && passes <= DEAREST.passes && lanes <= DEAREST.lanes;
        payable.then_some(Self { memory, passes, lanes })
    }

    fn cipher(self, passphrase: &Passphrase, salt: &[u8]) -> Option<XChaCha20Poly1305> {
        let params = Params::new(self.memory, self.passes, self.lanes, None).ok()?;
        let mut key = Zeroizing::new([0; 32]);
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        argon.hash_password_into(passphrase.expose().as_bytes(), salt, key.as_mut()).ok()?;
        Some(XChaCha20Poly1305::new(&Key::from(*key)))
    }
}

fn failed(path: &Path, source: io::Error) -> SecretError {
    SecretError::FileFailed { file: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_opened_again_is_not_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("secrets");
        let file = create(&path, &Passphrase::new("pass").unwrap()).unwrap();
        let before = fs::read(&path).unwrap();
        let value = Zeroizing::new("x".repeat(usize::try_from(LARGEST).unwrap()));
        let large = Content([("entry".to_owned(), value)].into());
        let error = file.key.write(&path, &large, Place::Taken).unwrap_err();
        assert!(matches!(error, SecretError::FileFailed { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before, "what is there stays");
    }
}
