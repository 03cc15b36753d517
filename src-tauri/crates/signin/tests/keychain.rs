//! The OS keychain for real: each test runs itself again, on a message bus and a home directory of its own.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says where")]

use std::{
    env, fs,
    io::Write,
    process::{Command, Stdio},
};

use signalbox_model::Secret;
use signalbox_signin::{Passphrase, SecretError, SecretValue, Secrets};

const INSIDE: &str = "SIGNALBOX_TEST_INSIDE";

/// No service is ever started by the bus itself: what is there is what a test starts.
const BUS: &str = r#"<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"#;

/// Whether this is the inner run; otherwise makes it, and passes on how it went.
fn inside(test: &str, bus: bool) -> bool {
    if env::var_os(INSIDE).is_some() {
        return true;
    }
    let home = tempfile::tempdir().unwrap();
    let me = env::current_exe().unwrap();
    let mut command = if bus {
        let config = home.path().join("bus.conf");
        fs::write(&config, BUS).unwrap();
        let mut command = Command::new("dbus-run-session");
        command.arg("--config-file").arg(config).arg("--").arg(me);
        command
    } else {
        Command::new(me)
    };
    let output = command
        .args(["--exact", test, "--nocapture"])
        .env_remove("DBUS_SESSION_BUS_ADDRESS")
        .env("HOME", home.path())
        .env("XDG_RUNTIME_DIR", home.path())
        .env("XDG_DATA_HOME", home.path().join("data"))
        .env(INSIDE, "1")
        .output()
        .expect("dbus-run-session is needed: `cargo xtask test` installs it");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "the inner run failed:\n{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    false
}

fn start_keychain() {
    let mut daemon = Command::new("gnome-keyring-daemon")
        .args(["--unlock", "--components=secrets"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("gnome-keyring-daemon is needed: `cargo xtask test` installs it");
    daemon.stdin.take().unwrap().write_all(b"password").unwrap();
    assert!(daemon.wait().unwrap().success(), "the keychain must start");
    // It leaves its parent before it has its name on the bus.
    let ready = Command::new("gdbus")
        .args(["wait", "--session", "--timeout", "60", "org.freedesktop.secrets"])
        .status();
    assert!(
        ready.expect("gdbus is needed: `cargo xtask test` installs it").success(),
        "it must come to the bus"
    );
}

#[tokio::test]
async fn a_value_goes_into_the_keychain_and_back() {
    if !inside("a_value_goes_into_the_keychain_and_back", true) {
        return;
    }
    start_keychain();
    let secrets = Secrets::new("home-a");
    let first = secrets.keep("prod", "Authorization", SecretValue::new("Bearer ünique")).await.unwrap();
    let second = secrets.keep("prod", "Authorization", SecretValue::new("Bearer other")).await.unwrap();
    assert_ne!(first, second, "an edit must not overwrite the value that is still in use");
    assert_eq!(secrets.resolve(&first).await.unwrap().expose(), "Bearer ünique");

    Secrets::new("home-b").delete(&first).await.unwrap();
    assert!(secrets.resolve(&first).await.is_ok(), "another data directory must not delete our entries");

    secrets.delete(&first).await.unwrap();
    let Secret::Keychain { entry } = &first else { panic!("literal values are kept in the keychain") };
    let error = secrets.resolve(&first).await.unwrap_err();
    assert!(matches!(&error, SecretError::NoEntry { entry: gone } if gone == entry), "{error}");
    secrets.delete(&first).await.expect("deleting what is gone is fine");
    assert_eq!(secrets.resolve(&second).await.unwrap().expose(), "Bearer other", "the other entry stays");
}

#[tokio::test]
async fn values_move_out_of_the_keychain_and_back() {
    if !inside("values_move_out_of_the_keychain_and_back", true) {
        return;
    }
    start_keychain();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("secrets");
    let secrets = Secrets::new("home");
    let kept = secrets.keep("prod", "Authorization", SecretValue::new("s3cret")).await.unwrap();
    let Secret::Keychain { entry } = &kept else { panic!("literal values are kept in the keychain") };
    let entries = [entry.clone()];
    let next = Secrets::encrypted("home", file.clone(), Passphrase::new("pass").unwrap()).await.unwrap();
    assert_eq!(secrets.move_to(next, &entries).await.unwrap().finish().await.moved, 1);
    assert_eq!(secrets.resolve(&kept).await.unwrap().expose(), "s3cret");
    let error = Secrets::new("home").resolve(&kept).await.unwrap_err();
    assert!(matches!(error, SecretError::NoEntry { .. }), "nothing is left in the keychain: {error}");

    assert_eq!(secrets.move_to(Secrets::new("home"), &entries).await.unwrap().finish().await.moved, 1);
    assert_eq!(Secrets::new("home").resolve(&kept).await.unwrap().expose(), "s3cret");
    assert!(!file.exists(), "and nothing in the file");
}

#[tokio::test]
async fn a_keychain_that_starts_later_is_found() {
    if !inside("a_keychain_that_starts_later_is_found", true) {
        return;
    }
    let secrets = Secrets::new("home");
    let early = secrets.keep("prod", "Authorization", SecretValue::new("s3cret")).await.unwrap_err();
    assert!(matches!(early, SecretError::NoKeychain { .. }), "{early}");
    start_keychain();
    let kept = secrets.keep("prod", "Authorization", SecretValue::new("s3cret")).await.unwrap();
    assert_eq!(secrets.resolve(&kept).await.unwrap().expose(), "s3cret");
}

#[tokio::test]
async fn without_a_bus_a_value_is_refused_and_it_is_said_why() {
    if !inside("without_a_bus_a_value_is_refused_and_it_is_said_why", false) {
        return;
    }
    let secrets = Secrets::new("home");
    let error = secrets.keep("prod", "Authorization", SecretValue::new("s3cret")).await.unwrap_err();
    assert!(matches!(error, SecretError::NoKeychain { .. }), "{error}");
    let text = format!("{error} {error:?}");
    assert!(
        text.starts_with("there is no keychain here ("),
        "what to do about it is the host's to say: {text}"
    );
    assert!(!text.contains("s3cret"), "no error holds a secret");
}
