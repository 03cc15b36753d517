//! Data directories in odd places: paths that are no text, paths that are very long, media that take no writing.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use signalbox_tests::{Machine, Running, said, signalbox, text};
use tokio::process::Command;

/// A person's machine whose data directory is here.
fn at(home: impl FnOnce(&Machine) -> PathBuf) -> Machine {
    let machine = Machine::untouched();
    let home = home(&machine);
    machine.with("SIGNALBOX_HOME", home)
}

/// An owner, its guest, and what looks after what is kept: all of it works.
async fn works(machine: &Machine) {
    let program = signalbox().into_os_string().into_string().unwrap();
    let owner = machine.serve().await;
    let add = ["server", "add", "demo", "--", &program, "demo", "stdio", "--speed", "instant"];
    let _ = machine.run(&add).await.ok();
    let called = machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
    assert_eq!(said(&called), "x");
    let _ = owner.interrupt().await.exits(0);
    let doctor = machine.run(&["doctor"]).await;
    let checks = doctor.document()["checks"].clone();
    let problem = |check: &&serde_json::Value| check["state"] == "problem";
    let problems: Vec<_> = checks.as_array().unwrap().iter().filter(problem).collect();
    assert!(problems.is_empty(), "{problems:?}");
    looks_after(machine, "copy").await;
}

/// What was kept can be exported, checked and copied.
async fn looks_after(machine: &Machine, copy: &str) {
    let exported = machine.run(&["export", "--what", "tasks"]).await.exits(0);
    assert_eq!(exported.documents()[0]["tool"], "echo", "{exported}");
    let _ = machine.run(&["verify"]).await.exits(0);
    let copy = machine.path(copy);
    let _ = machine.run(&["backup", copy.to_str().unwrap()]).await.ok();
    let restored = Machine::untouched();
    let _ = restored.run(&["restore", copy.to_str().unwrap()]).await.ok();
    assert_eq!(text(&restored.run(&["tasks"]).await.ok()["tasks"][0], "tool"), "echo");
}

#[tokio::test]
async fn a_path_that_is_no_text() {
    let machine = at(|machine| machine.path("").join(OsString::from_vec(b"caf\xe9 \xff".to_vec())));
    works(&machine).await;
}

/// A directory below this, the path of whose database has so many bytes.
fn long(below: PathBuf, bytes: usize) -> PathBuf {
    let path = below.join("a".repeat(200)).join("b".repeat(100));
    let path = path.join("c".repeat(bytes - path.as_os_str().len() - "//signalbox.db".len()));
    assert_eq!(path.join("signalbox.db").as_os_str().len(), bytes);
    path
}

/// The longest that a database may have: far longer than any address of a socket.
const LONGEST: usize = 480;

#[tokio::test]
async fn a_path_that_is_longer_than_an_address_may_be() {
    works(&at(|machine| long(machine.path("home"), LONGEST))).await;
    // Neither the session's directory nor the data directory has room for a socket: it lies beside temporary files.
    let machine = at(|machine| long(machine.path("home"), LONGEST));
    let run = long(machine.path("run"), LONGEST);
    works(&machine.with("XDG_RUNTIME_DIR", run)).await;
}

#[tokio::test]
async fn a_path_that_is_longer_than_a_database_may_have() {
    let machine = at(|machine| long(machine.path("home"), LONGEST + 1));
    let failure = machine.run(&["tasks"]).await.failure(7, "storage_denied");
    let message = text(&failure, "message");
    assert!(message.contains("481 bytes") && message.contains("--home"), "{message}");
}

#[tokio::test]
async fn where_no_socket_fits_it_says_what_to_do() {
    let machine = at(|machine| long(machine.path("home"), LONGEST));
    let (run, tmp) = (long(machine.path("run"), LONGEST), long(machine.path("tmp"), LONGEST));
    let machine = machine.with("XDG_RUNTIME_DIR", run).with("TMPDIR", tmp);
    let failure = machine.run(&["tasks"]).await.failure(7, "storage_denied");
    assert!(text(&failure, "message").contains("XDG_RUNTIME_DIR"), "{failure}");
}

/// A data directory that takes no writing from whatever runs [`through`](Self::through) this: for root, whom no permission
/// stops, by a mount of its own; for others by permissions, which are given back at the end.
struct ReadOnly<'a> {
    machine: &'a Machine,
    mode: Option<PathBuf>,
}

impl<'a> ReadOnly<'a> {
    fn of(machine: &'a Machine) -> Self {
        let home = machine.data();
        let mode = (!rustix::process::geteuid().is_root()).then(|| home.clone());
        if mode.is_some() {
            permit(&home, 0o500);
        }
        Self { machine, mode }
    }

    async fn run(&self, args: &[&str]) -> signalbox_tests::Done {
        let command = match self.mode {
            Some(_) => self.machine.command(&signalbox()),
            None => self.through(),
        };
        let mut command = command;
        command.arg("--json").args(args);
        self.machine.finish(command, "").await
    }

    fn through(&self) -> Command {
        let mut command = self.machine.command(Path::new("unshare"));
        let script = r#"mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@""#;
        command.args(["-m", "sh", "-c", script]).arg(self.machine.data()).arg(signalbox());
        command
    }
}

impl Drop for ReadOnly<'_> {
    fn drop(&mut self) {
        if let Some(home) = &self.mode {
            permit(home, 0o700);
        }
    }
}

fn permit(path: &Path, mode: u32) {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

/// A machine that has kept a call; with its last owner.
async fn kept() -> (Machine, Running) {
    let machine = Machine::new();
    let program = signalbox().into_os_string().into_string().unwrap();
    let owner = machine.serve().await;
    let add = ["server", "add", "demo", "--", &program, "demo", "stdio", "--speed", "instant"];
    let _ = machine.run(&add).await.ok();
    let _ = machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
    (machine, owner)
}

async fn is_looked_after(machine: &Machine) {
    let home = ReadOnly::of(machine);
    let exported = home.run(&["export", "--what", "tasks"]).await.exits(0);
    assert_eq!(exported.documents()[0]["tool"], "echo", "{exported}");
    assert!(exported.stderr.contains("This is what was kept last"), "it is said: {exported}");
    for (filter, lines) in [("tool:echo", 1), ("-tool:echo", 0)] {
        let chosen = home.run(&["export", "--what", "tasks", "--filter", filter]).await.exits(0);
        assert_eq!(chosen.documents().len(), lines, "{filter}: {chosen}");
    }
    let verified = home.run(&["verify"]).await.exits(0);
    assert!(verified.stderr.contains("cannot be written"), "and why: {verified}");
    let copy = machine.path("copy");
    let _ = home.run(&["backup", copy.to_str().unwrap()]).await.ok();
    let restored = Machine::untouched();
    let _ = restored.run(&["restore", copy.to_str().unwrap()]).await.ok();
    assert_eq!(text(&restored.run(&["tasks"]).await.ok()["tasks"][0], "tool"), "echo");
    let failure = home.run(&["tasks"]).await.failure(7, "storage_denied");
    assert!(text(&failure, "message").contains("--home"), "what needs writing says what to do: {failure}");
}

#[tokio::test]
async fn one_that_cannot_be_written_is_read() {
    let (machine, owner) = kept().await;
    let _ = owner.interrupt().await.exits(0);
    is_looked_after(&machine).await;
}

#[tokio::test]
async fn one_that_a_killed_owner_left_is_read_with_its_log() {
    let (machine, owner) = kept().await;
    owner.kill().await;
    assert!(fs::metadata(machine.data().join("signalbox.db-wal")).unwrap().len() > 0);
    is_looked_after(&machine).await;

    // Without the index, which is made where it can be written, the log cannot be read.
    fs::remove_file(machine.data().join("signalbox.db-shm")).unwrap();
    let home = ReadOnly::of(&machine);
    let failure = home.run(&["export"]).await.failure(7, "storage_denied");
    assert!(text(&failure, "message").contains("copy the data directory"), "{failure}");
}

#[tokio::test]
async fn one_that_somebody_else_can_write_is_left_to_them() {
    let (machine, owner) = kept().await;
    let home = ReadOnly::of(&machine);
    let failure = home.run(&["verify"]).await.failure(7, "storage_in_use");
    assert!(text(&failure, "message").contains("another program owns"), "{failure}");
    drop(home);
    let _ = owner.interrupt().await.exits(0);
}
