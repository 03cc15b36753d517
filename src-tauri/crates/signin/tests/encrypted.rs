//! What is kept in an encrypted file.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says where")]

use std::{fs, path::Path};

use signalbox_model::Secret;
use signalbox_signin::{Keeping, Passphrase, SecretError, SecretValue, Secrets};

async fn open(file: &Path, passphrase: &str) -> Result<Secrets, SecretError> {
    Secrets::encrypted("home", file.to_owned(), Passphrase::new(passphrase).unwrap()).await
}

async fn refusal(file: &Path, passphrase: &str) -> SecretError {
    open(file, passphrase).await.err().expect("it should not have opened")
}

#[tokio::test]
async fn values_come_back_with_the_passphrase_and_only_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("secrets");
    let secrets = open(&file, "correct horse").await.unwrap();
    assert_eq!(secrets.keeping(), Keeping::Encrypted { file: file.clone() });
    let first = secrets.keep("s1", "Authorization", SecretValue::new("Bearer ünique")).await.unwrap();
    let second = secrets.keep("s1", "Authorization", SecretValue::new("Bearer other")).await.unwrap();

    let bytes = fs::read(&file).unwrap();
    for text in ["ünique", "other", "Authorization", "correct horse"] {
        let inside = bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(!inside, "{text:?} stands in the file in the clear");
    }
    let again = open(&file, "correct horse").await.unwrap();
    assert_eq!(again.resolve(&first).await.unwrap().expose(), "Bearer ünique");
    again.delete(&first).await.unwrap();
    let again = open(&file, "correct horse").await.unwrap();
    assert!(matches!(again.resolve(&first).await, Err(SecretError::NoEntry { .. })), "deleted for good");
    assert_eq!(again.resolve(&second).await.unwrap().expose(), "Bearer other");

    let before = fs::read(&file).unwrap();
    let error = refusal(&file, "correct house").await;
    assert!(matches!(&error, SecretError::WrongPassphrase { file: named } if *named == file), "{error}");
    assert_eq!(fs::read(&file).unwrap(), before, "a wrong passphrase changes nothing");
    assert!(!format!("{error} {error:?}").contains("house"), "no error holds a passphrase");
}

#[tokio::test]
async fn a_damaged_file_is_told_from_a_wrong_passphrase_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("secrets");
    let secrets = open(&file, "pass").await.unwrap();
    secrets.keep("s1", "Authorization", SecretValue::new("x")).await.unwrap();
    let whole = fs::read(&file).unwrap();
    let head = b"signalbox secrets 1\n".len();
    let mut dear = whole.clone();
    dear[head] = 0xff;
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    let nothing = Vec::new();
    let foreign = b"[secrets]\ntoken = not ours, and long enough to be read as if it were, were it not for its beginning".to_vec();
    for damaged in [nothing, foreign, whole[..whole.len() - 1].to_vec(), whole[..60].to_vec(), dear, changed]
    {
        fs::write(&file, &damaged).unwrap();
        let error = refusal(&file, "pass").await;
        assert!(matches!(error, SecretError::DamagedFile { .. }), "{} bytes: {error}", damaged.len());
        assert_eq!(fs::read(&file).unwrap(), damaged, "what cannot be read may still be rescued");
    }
    let error = refusal(dir.path(), "pass").await;
    assert!(matches!(error, SecretError::DamagedFile { .. }), "a directory: {error}");
    let error = refusal(&dir.path().join("no/where"), "pass").await;
    assert!(matches!(error, SecretError::FileFailed { .. }), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_can_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("secrets");
    let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    let secrets = open(&file, "pass").await.unwrap();
    assert_eq!(mode(), 0o600, "as it is made");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    secrets.keep("s1", "x", SecretValue::new("y")).await.unwrap();
    assert_eq!(mode(), 0o600, "as it is replaced");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[tokio::test]
async fn what_cannot_be_written_is_an_error_and_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let inner = dir.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let secrets = open(&inner.join("secrets"), "pass").await.unwrap();
    let kept = secrets.keep("s1", "x", SecretValue::new("y")).await.unwrap();
    fs::remove_dir_all(&inner).unwrap();
    let error = secrets.keep("s1", "x", SecretValue::new("z")).await.unwrap_err();
    assert!(matches!(error, SecretError::FileFailed { .. }), "{error}");
    assert!(matches!(secrets.delete(&kept).await, Err(SecretError::FileFailed { .. })));
    assert_eq!(secrets.resolve(&kept).await.unwrap().expose(), "y", "what was kept is still there");
}

#[tokio::test]
async fn what_is_kept_for_this_run_is_gone_with_it() {
    let secrets = Secrets::this_run("home");
    assert_eq!(secrets.keeping(), Keeping::ThisRun);
    let kept = secrets.keep("s1", "x", SecretValue::new("y")).await.unwrap();
    assert!(matches!(&kept, Secret::Keychain { .. }), "the reference is the same wherever values are kept");
    assert_eq!(secrets.resolve(&kept).await.unwrap().expose(), "y");
    let next = Secrets::this_run("home");
    assert!(matches!(next.resolve(&kept).await, Err(SecretError::Forgotten { .. })));
    secrets.delete(&kept).await.unwrap();
    assert!(matches!(secrets.resolve(&kept).await, Err(SecretError::Forgotten { .. })));
    secrets.delete(&kept).await.expect("deleting what is gone is fine");
}

#[tokio::test]
async fn a_file_that_two_make_at_once_is_one_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("secrets");
    let (first, second) = tokio::join!(open(&file, "pass"), open(&file, "pass"));
    let (first, _second) = (first.unwrap(), second.unwrap());
    let kept = first.keep("s1", "x", SecretValue::new("y")).await.unwrap();
    let again = open(&file, "pass").await.expect("both have the same key");
    assert_eq!(again.resolve(&kept).await.unwrap().expose(), "y");

    let other = dir.path().join("other");
    let (first, second) = tokio::join!(open(&other, "one"), open(&other, "two"));
    let errors: Vec<_> = [first.err(), second.err()].into_iter().flatten().collect();
    assert!(matches!(&*errors, [SecretError::WrongPassphrase { .. }]), "one of the two is told: {errors:?}");
}
