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
    key: Sealing,
    content: Mutex<Content>,
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
    /// Opens a file, or makes one.
    pub(crate) async fn open(path: PathBuf, passphrase: Passphrase) -> Result<Self, SecretError> {
        let file = path.clone();
        let opened = task::spawn_blocking(move || open(path, &passphrase)).await;
        opened.unwrap_or_else(|_| Err(failed(&file, io::Error::other("interrupted"))))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) async fn get(&self, entry: &str) -> Option<SecretValue> {
        self.content.lock().await.0.get(entry).map(|value| SecretValue::new(value.as_str()))
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
            self.key.write(&self.path, &next)?;
            *content = next;
            Ok(())
        });
        change.await.unwrap_or_else(|_| Err(failed(&file, io::Error::other("interrupted"))))
    }
}

fn open(path: PathBuf, passphrase: &Passphrase) -> Result<EncryptedFile, SecretError> {
    let damaged = || SecretError::DamagedFile { file: path.clone() };
    let bytes = match fs::metadata(&path) {
        Ok(found) if !found.is_file() || found.len() > LARGEST => return Err(damaged()),
        Ok(_) => fs::read(&path).map_err(|error| failed(&path, error))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return create(path, passphrase),
        Err(error) => return Err(failed(&path, error)),
    };
    let (head, rest) = bytes.split_at_checked(HEAD + NONCE + SEAL).ok_or_else(damaged)?;
    if !head.starts_with(MAGIC) {
        return Err(damaged());
    }
    let cost = Cost::read(&head[MAGIC.len()..]).ok_or_else(damaged)?;
    let cipher = cost.cipher(passphrase, &head[HEAD - SALT..HEAD]).ok_or_else(damaged)?;
    let open = |before: usize, sealed: &[u8]| unseal(&cipher, &bytes[..before], sealed);
    if open(HEAD, &head[HEAD..]).is_none() {
        return Err(SecretError::WrongPassphrase { file: path });
    }
    let content = open(head.len(), rest).and_then(|json| serde_json::from_slice(&json).ok());
    let content: Content = content.ok_or_else(damaged)?;
    let key = Sealing { head: head.to_vec(), cipher };
    Ok(EncryptedFile { path, key, content: Mutex::new(content) })
}

fn create(path: PathBuf, passphrase: &Passphrase) -> Result<EncryptedFile, SecretError> {
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
    key.write(&path, &Content::default())?;
    Ok(EncryptedFile { path, key, content: Mutex::default() })
}

impl Sealing {
    /// Puts `content` in the place of what is there. Nobody else can read it at any moment.
    fn write(&self, path: &Path, content: &Content) -> Result<(), SecretError> {
        let json = Zeroizing::new(serde_json::to_vec(content).expect("BUG: a map of texts is JSON"));
        let mut bytes = self.head.clone();
        bytes.extend_from_slice(&seal(&self.cipher, &self.head, &json));
        replace(path, &bytes).map_err(|error| failed(path, error))
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // 0600 from the beginning.
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
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
