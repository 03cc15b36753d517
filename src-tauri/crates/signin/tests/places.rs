//! Choosing where secrets are kept, while they are in use.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says where")]

use std::{fs, path::Path};

use signalbox_model::Secret;
use signalbox_signin::{Keeping, Moved, Passphrase, SecretError, SecretValue, Secrets};

fn passphrase(text: &str) -> Passphrase {
    Passphrase::new(text).unwrap()
}

async fn in_file(file: &Path) -> Secrets {
    Secrets::encrypted("home", file.to_owned(), passphrase("pass")).await.unwrap()
}

async fn kept(secrets: &Secrets, value: &str) -> Secret {
    secrets.keep("ci", "Authorization", SecretValue::new(value)).await.unwrap()
}

fn entry(secret: &Secret) -> String {
    let Secret::Keychain { entry } = secret else { panic!("a literal value is kept") };
    entry.clone()
}

#[tokio::test]
async fn a_locked_file_gives_and_takes_nothing_until_its_passphrase_comes() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("secrets");
    let secret = kept(&in_file(&file).await, "Bearer ünique").await;

    let secrets = Secrets::locked("home", file.clone());
    assert_eq!(secrets.keeping(), Keeping::Encrypted { file: file.clone() }, "it is known before it is open");
    assert!(secrets.is_locked());
    for failed in [
        secrets.resolve(&secret).await.err(),
        secrets.probe().await.err(),
        secrets.keep("ci", "x", SecretValue::new("y")).await.err(),
        secrets.delete(&secret).await.err(),
    ] {
        assert!(matches!(failed, Some(SecretError::FileLocked { .. })), "{failed:?}");
    }
    let wrong = secrets.unlock(passphrase("another")).await.unwrap_err();
    assert!(matches!(wrong, SecretError::WrongPassphrase { .. }), "{wrong}");
    assert!(secrets.is_locked(), "a wrong one opens nothing");
    secrets.unlock(passphrase("pass")).await.unwrap();
    assert!(!secrets.is_locked());
    assert_eq!(secrets.resolve(&secret).await.unwrap().expose(), "Bearer ünique");
    secrets.unlock(passphrase("whatever")).await.expect("what is open stays open");
}

#[tokio::test]
async fn unlocking_makes_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("secrets");
    let secrets = Secrets::locked("home", file.clone());
    let error = secrets.unlock(passphrase("pass")).await.unwrap_err();
    assert!(matches!(error, SecretError::FileFailed { .. }), "{error}");
    assert!(!file.exists(), "what was mistyped must not become the passphrase of a new file");
}

#[tokio::test]
async fn values_come_along_and_leave_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("secrets");
    let secrets = Secrets::this_run("home");
    let first = kept(&secrets, "one").await;
    let sign_in = secrets.sign_in_entry("s1");
    let entries = [entry(&first), sign_in];

    let moved = secrets.move_to(in_file(&file).await, &entries).await.unwrap().finish().await;
    assert_eq!(moved, Moved { moved: 1, left: vec![] }, "what was never kept is not missed");
    assert_eq!(secrets.keeping(), Keeping::Encrypted { file: file.clone() });
    assert_eq!(secrets.resolve(&first).await.unwrap().expose(), "one", "the reference stays the same");
    assert_eq!(in_file(&file).await.resolve(&first).await.unwrap().expose(), "one", "it is on the disk");

    let other = dir.path().join("other");
    let moved = secrets.move_to(in_file(&other).await, &entries).await.unwrap().finish().await;
    assert_eq!(moved.moved, 1);
    assert!(!file.exists(), "an emptied file is of no use, and its passphrase must not be asked for again");
    assert_eq!(secrets.resolve(&first).await.unwrap().expose(), "one");
}

#[tokio::test]
async fn what_is_to_be_forgotten_takes_nothing_along() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("secrets");
    let secrets = in_file(&file).await;
    let secret = kept(&secrets, "one").await;
    let next = Secrets::this_run("home");
    let moved = secrets.move_to(next, &[entry(&secret)]).await.unwrap().finish().await;
    assert_eq!(moved, Moved { moved: 0, left: vec![entry(&secret)] });
    let error = secrets.resolve(&secret).await.unwrap_err();
    assert!(matches!(error, SecretError::Forgotten { .. }), "{error}");
    assert!(error.to_string().contains("one run only"), "it must say why: {error}");
    assert_eq!(in_file(&file).await.resolve(&secret).await.unwrap().expose(), "one", "nothing is lost by it");

    let back = secrets.move_to(in_file(&file).await, &[entry(&secret)]).await.unwrap().finish().await;
    assert_eq!(back.moved, 0);
    assert_eq!(secrets.resolve(&secret).await.unwrap().expose(), "one", "and it is found again there");
}

#[tokio::test]
async fn what_cannot_be_read_stays_and_a_move_given_up_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (file, other) = (dir.path().join("secrets"), dir.path().join("other"));
    let secret = kept(&in_file(&file).await, "one").await;
    let locked = Secrets::locked("home", file.clone());
    let entries = [entry(&secret), locked.sign_in_entry("s1")];
    let moved = locked.move_to(in_file(&other).await, &entries).await.unwrap().finish().await;
    assert_eq!(
        moved,
        Moved { moved: 0, left: vec![entry(&secret)] },
        "what may be there is not claimed to be"
    );
    assert!(file.exists(), "a locked file is kept: nobody knows what is in it");

    let secrets = in_file(&file).await;
    secrets.move_to(in_file(&other).await, &entries).await.unwrap().give_up().await;
    assert_eq!(secrets.keeping(), Keeping::Encrypted { file });
    assert_eq!(secrets.resolve(&secret).await.unwrap().expose(), "one");
    let copy = in_file(&other).await.resolve(&secret).await;
    assert!(matches!(copy, Err(SecretError::NoEntry { .. })), "no copy is left behind");
    let new = dir.path().join("new");
    secrets.move_to(in_file(&new).await, &entries).await.unwrap().give_up().await;
    assert!(!new.exists(), "a file made for nothing would be refused to the next passphrase");
    assert!(other.exists(), "one that was found stays, empty or not");
}

#[tokio::test]
async fn a_new_place_that_takes_nothing_is_refused_whole() {
    let dir = tempfile::tempdir().unwrap();
    let gone = dir.path().join("gone");
    fs::create_dir(&gone).unwrap();
    let next = in_file(&gone.join("secrets")).await;
    fs::remove_dir_all(&gone).unwrap();
    let secrets = Secrets::this_run("home");
    let secret = kept(&secrets, "one").await;
    let error = secrets.move_to(next, &[entry(&secret)]).await.err().expect("it cannot be written there");
    assert!(matches!(error, SecretError::FileFailed { .. }), "{error}");
    assert_eq!(secrets.keeping(), Keeping::ThisRun);
    assert_eq!(secrets.resolve(&secret).await.unwrap().expose(), "one");
}

#[tokio::test]
async fn choosing_the_same_place_again_keeps_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let secrets = Secrets::this_run("home");
    let secret = kept(&secrets, "one").await;
    let same = secrets.move_to(Secrets::this_run("home"), &[entry(&secret)]).await.unwrap().finish().await;
    assert_eq!(same, Moved { moved: 0, left: vec![] });
    assert_eq!(secrets.resolve(&secret).await.unwrap().expose(), "one");

    let file = dir.path().join("secrets");
    let secret = kept(&in_file(&file).await, "two").await;
    let locked = Secrets::locked("home", file.clone());
    let _ = locked.move_to(in_file(&file).await, &[entry(&secret)]).await.unwrap().finish().await;
    assert!(!locked.is_locked(), "with its passphrase it is open from then on");
    assert_eq!(locked.resolve(&secret).await.unwrap().expose(), "two");
}
