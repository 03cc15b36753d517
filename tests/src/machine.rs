//! A person's machine: a home folder, a data directory and an environment that nothing else uses.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};
use signalbox_model::Json;
use signalbox_store::{Batch, BatchKind, Store, Write};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

#[cfg(target_os = "linux")]
use crate::leftovers::Leftovers;
use crate::{Done, Running, signalbox, soon};

/// One person's machine. With it ends whatever still runs on it, and its files are deleted.
#[derive(Debug)]
pub struct Machine {
    // It goes before the files.
    #[cfg(target_os = "linux")]
    _leftovers: Leftovers,
    dir: TempDir,
    env: Vec<(OsString, OsString)>,
}

impl Machine {
    /// A machine whose data directory asks for polls every 100 ms (the least there is), so that tests do not wait.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    pub fn new() -> Self {
        let machine = Self::untouched();
        machine.set(&json!({ "pollFloorMs": 100 }));
        machine
    }

    /// A machine on which Signalbox was never run.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    pub fn untouched() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let private = |name: &str| -> OsString {
            let path = dir.path().join(name);
            fs::create_dir(&path).unwrap();
            #[cfg(unix)]
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
            path.into()
        };
        // Nothing of the real environment comes in but where programs are: above all no session bus, hence no keychain
        // and no notifications.
        let mut env: Vec<(OsString, OsString)> = vec![
            ("HOME".into(), private("home")),
            ("XDG_RUNTIME_DIR".into(), private("run")),
            ("XDG_DATA_HOME".into(), private("share")),
            ("XDG_CONFIG_HOME".into(), private("config")),
            ("XDG_CACHE_HOME".into(), private("cache")),
            ("XDG_STATE_HOME".into(), private("state")),
            ("TMPDIR".into(), private("tmp")),
            ("SIGNALBOX_HOME".into(), dir.path().join("data").into()),
            ("LANG".into(), "C.UTF-8".into()),
        ];
        env.extend(std::env::var_os("PATH").map(|path| ("PATH".into(), path)));
        #[cfg(target_os = "linux")]
        let _leftovers = Leftovers::at(dir.path().join("home"));
        Self {
            #[cfg(target_os = "linux")]
            _leftovers,
            dir,
            env,
        }
    }

    /// Sets an environment variable for everything that runs here.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.env.retain(|(known, _)| known != name);
        self.env.push((name.into(), value.into()));
        self
    }

    /// Puts this script before all other programs of this name.
    ///
    /// # Panics
    /// When it cannot be written.
    #[cfg(unix)]
    #[must_use]
    pub fn with_program(self, name: &str, script: &str) -> Self {
        let programs = self.path("programs");
        fs::create_dir_all(&programs).unwrap();
        write_program(&programs.join(name), script);
        let others = std::env::var_os("PATH").unwrap();
        let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&others)));
        self.with("PATH", path.unwrap())
    }

    /// The command, in a directory where the window's program is this script. [`Self::with_program`] puts another one there.
    ///
    /// # Panics
    /// When they cannot be put there.
    #[cfg(unix)]
    #[must_use]
    pub fn command_beside_a_window(&self, script: &str) -> PathBuf {
        let folder = self.path("programs");
        fs::create_dir_all(&folder).unwrap();
        write_program(&folder.join("signalbox-desktop"), script);
        let command = folder.join("signalbox");
        // A link would be followed to where the real window is.
        fs::hard_link(signalbox(), &command).or_else(|_| fs::copy(signalbox(), &command).map(drop)).unwrap();
        command
    }

    /// Has the clocks of what follows tasks here go on by [`Machine::passes`], too.
    #[must_use]
    pub fn on_its_own_time(self) -> Self {
        let file = self.ahead();
        self.with("SIGNALBOX_TEST_AHEAD", file)
    }

    /// Lets this much time pass at once, on a machine that is [on its own time](Machine::on_its_own_time).
    ///
    /// # Panics
    /// When that cannot be written down.
    pub fn passes(&self, time: Duration) {
        let before = fs::read_to_string(self.ahead()).map_or(0, |ms| ms.parse::<u128>().unwrap());
        // As a whole: nobody may read half of it.
        let next = self.path("ahead.next");
        fs::write(&next, (before + time.as_millis()).to_string()).unwrap();
        fs::rename(next, self.ahead()).unwrap();
    }

    fn ahead(&self) -> PathBuf {
        self.path("ahead")
    }

    /// Changes settings behind the back of a Signalbox that is not running; there is no command for them.
    ///
    /// # Panics
    /// When the store cannot be written.
    pub fn set(&self, settings: &Value) {
        // Whoever sets anything looks at the question that was answered: the next one is not shown by itself.
        self.put(&[("settings", &settings.to_string()), ("preference.inbox.manner", r#"{"next":false}"#)]);
    }

    /// Has the next question shown by itself, as it is where nobody sets anything.
    ///
    /// # Panics
    /// When the store cannot be written.
    pub fn goes_on(&self) {
        self.put(&[("preference.inbox.manner", r#"{"next":true}"#)]);
    }

    fn put(&self, values: &[(&'static str, &str)]) {
        let store = Store::open(&self.data()).unwrap();
        let (done, committed) = mpsc::channel();
        let put = |&(key, value): &(&'static str, &str)| Write::PutSetting {
            key: key.into(),
            value: Json::parse(value).unwrap(),
        };
        let writes = values.iter().map(put).collect();
        let done = Box::new(move |result| done.send(result).unwrap());
        store.submit(Batch { writes, kind: BatchKind::Intent, done }).unwrap();
        committed.recv().unwrap().unwrap();
        store.close();
    }

    /// The data directory.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.path("data")
    }

    /// A path on this machine.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The files of this machine that have these bytes: what its programs wrote anywhere.
    ///
    /// # Panics
    /// When a folder cannot be read.
    #[must_use]
    pub fn files_with(&self, bytes: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut dirs = vec![self.dir.path().to_owned()];
        while let Some(dir) = dirs.pop() {
            for entry in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap()) {
                let (kind, path) = (entry.file_type().unwrap(), entry.path());
                // What is gone again, or is no file, keeps nothing.
                let has = || {
                    let all = fs::read(&path).unwrap_or_default();
                    all.windows(bytes.len()).any(|part| part == bytes.as_bytes())
                };
                if kind.is_dir() {
                    dirs.push(path);
                } else if kind.is_file() && has() {
                    found.push(path);
                }
            }
        }
        found
    }

    /// Leaves its files where they are, for a look. What runs on it ends.
    #[must_use]
    pub fn keep(self) -> PathBuf {
        self.dir.keep()
    }

    /// Writes a file and returns its path as text.
    ///
    /// # Panics
    /// When it cannot be written.
    #[must_use]
    pub fn file(&self, name: &str, content: &str) -> String {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path.into_os_string().into_string().unwrap()
    }

    /// Runs `signalbox --json` with these arguments to its end.
    ///
    /// # Panics
    /// When it does not end.
    pub async fn run(&self, args: &[&str]) -> Done {
        self.run_with(args, "").await
    }

    /// The same, with this on its stdin.
    ///
    /// # Panics
    /// When it does not end.
    pub async fn run_with(&self, args: &[&str], input: &str) -> Done {
        self.finish(self.signalbox(&[&["--json"], args].concat()), input).await
    }

    /// Runs `signalbox` as people read it, without documents.
    ///
    /// # Panics
    /// When it does not end.
    pub async fn run_plain(&self, args: &[&str]) -> Done {
        self.finish(self.signalbox(args), "").await
    }

    /// Runs a command made by [`Machine::command`] to its end.
    ///
    /// # Panics
    /// When it does not end.
    pub async fn finish(&self, mut command: Command, input: &str) -> Done {
        let line = format!("{:?}", command.as_std());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let feed = async move {
            // A command that does not read its input may have ended by now.
            let _ = stdin.write_all(input.as_bytes()).await;
            drop(stdin);
        };
        let (output, ()) = soon(&line, async { tokio::join!(child.wait_with_output(), feed) }).await;
        let output = output.unwrap();
        let text = |bytes| String::from_utf8(bytes).expect("what is printed is Unicode text");
        Done { line, code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Starts `signalbox --json` with these arguments.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn start(&self, args: &[&str]) -> Running {
        Running::start(self.signalbox(&[&["--json"], args].concat()))
    }

    /// Starts `serve` and waits until it owns the data directory.
    ///
    /// # Panics
    /// When it does not.
    pub async fn serve(&self) -> Running {
        let mut serve = self.start(&["serve"]);
        let ready = serve.line().await.expect("serve says when it is ready");
        assert_eq!(ready["ready"], true, "{ready}");
        assert_eq!(ready["pid"], serve.pid(), "{ready}");
        serve
    }

    /// Registers a server by its URL.
    ///
    /// # Panics
    /// When it cannot be registered.
    pub async fn add(&self, name: &str, url: &str) -> Value {
        self.run(&["server", "add", name, "--url", url]).await.ok()
    }

    fn signalbox(&self, args: &[&str]) -> Command {
        let mut command = self.command(&signalbox());
        command.args(args);
        command
    }

    /// Any program in this machine's environment.
    #[must_use]
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.dir.path()).kill_on_drop(true);
        command
    }
}

/// Writes a script that only its person may run.
///
/// # Panics
/// When it cannot be written.
#[cfg(unix)]
pub fn write_program(file: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt as _;

    fs::write(file, script).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o700)).unwrap();
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}
