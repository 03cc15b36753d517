//! The owner of the data directory: a real `signalbox serve`, and what is done to it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use signalbox_tests::{Machine, Running};
use tokio::process::Command;
use tokio::time::timeout;

use crate::evidence::{Kept, Life, store};
use crate::guest::Guests;
use crate::moment::sleep;
use crate::plan::Disk;
use crate::proxy::Account;
use crate::server::Program;
use crate::stumble::Stumble;

/// Between two tries to find that nobody owns the data directory.
const PAUSE: Duration = Duration::from_millis(5);
/// The longest that a start may take. A command that has taken over makes it wait, and ends soon.
const START: Duration = Duration::from_secs(20);
/// The size of a number in the file that makes up the world.
const NUMBER: u64 = 8;

/// The owner that lives, and what those before it left.
pub(crate) struct Owner {
    machine: Arc<Machine>,
    account: Account,
    /// The library that makes up the world around it, where one could be built.
    library: Option<PathBuf>,
    world: File,
    skew_ms: i64,
    /// The most it ever was.
    latest_ms: i64,
    running: Option<Running>,
    /// Since when the disk of the one that lives was full at some time.
    full: Option<u64>,
    pub(crate) lives: Vec<Life>,
    /// The server that it starts itself, where there is one.
    pub(crate) program: Option<Program>,
}

impl Owner {
    pub(crate) async fn start(
        machine: Arc<Machine>,
        account: Account,
        library: Option<PathBuf>,
        program: Option<Program>,
    ) -> Result<Self, Stumble> {
        let world = OpenOptions::new().create(true).truncate(true).write(true).open(machine.path("world"))?;
        world.write_all_at(&[0; 2 * size_of::<i64>()], 0)?;
        let (running, full, lives) = (None, None, Vec::new());
        let mut owner = Self {
            machine,
            account,
            library,
            world,
            skew_ms: 0,
            latest_ms: 0,
            running,
            full,
            lives,
            program,
        };
        owner.begin().await?;
        Ok(owner)
    }

    pub(crate) fn lives_now(&self) -> bool {
        self.running.is_some()
    }

    async fn begin(&mut self) -> Result<(), Stumble> {
        // Without room it would not begin, and say so: the next one finds some.
        self.world.write_all_at(&0_i64.to_ne_bytes(), NUMBER)?;
        let mut running = Running::start(signalbox_in(&self.machine, self.library.as_deref(), &["serve"]));
        let Ok(ready) = timeout(START, running.line()).await else {
            return Err(Stumble::NoOwner(format!("it waits for {}", self.holder())));
        };
        if ready.as_ref().is_none_or(|ready| ready["ready"] != true) {
            let done = running.end().await;
            return Err(Stumble::NoOwner(done.to_string()));
        }
        self.running = Some(running);
        Ok(())
    }

    fn pid(&self) -> Pid {
        let pid = self.running.as_ref().map(Running::pid).and_then(|pid| i32::try_from(pid).ok());
        pid.and_then(Pid::from_raw).expect("BUG: an owner lives between two acts")
    }

    /// `kill -9`, and a new owner.
    pub(crate) async fn kill(&mut self) -> Result<(), Stumble> {
        self.end_killed().await?;
        self.begin().await
    }

    /// `kill -9`; so long after that whoever has taken over is killed, the next `serve` or a command, and another one owns the
    /// data directory.
    pub(crate) async fn kill_twice(&mut self, after: Duration, guests: &Guests) -> Result<(), Stumble> {
        self.end_killed().await?;
        let next = Running::start(signalbox_in(&self.machine, self.library.as_deref(), &["serve"]));
        sleep(after).await;
        let ended = self.account.now();
        next.kill().await;
        guests.kill();
        self.close(ended, false).await?;
        self.begin().await
    }

    /// As a service manager does it, and a new owner.
    pub(crate) async fn terminate(&mut self) -> Result<(), Stumble> {
        self.end_with_care().await?;
        self.begin().await
    }

    pub(crate) async fn end_killed(&mut self) -> Result<(), Stumble> {
        let (ended, by_itself) = (self.account.now(), self.has_ended()?);
        if let Some(running) = self.running.take() {
            running.kill().await;
        }
        self.close(ended, by_itself).await
    }

    pub(crate) async fn end_with_care(&mut self) -> Result<(), Stumble> {
        let (ended, mut by_itself) = (self.account.now(), self.has_ended()?);
        if let Some(running) = self.running.take() {
            by_itself |= running.terminate().await.code != Some(0);
        }
        self.close(ended, by_itself).await
    }

    /// It is gone since then (ms of the round): what its store holds now is evidence, before the next one opens it. A command
    /// may have owned it for seconds in between.
    async fn close(&mut self, ended: u64, by_itself: bool) -> Result<(), Stumble> {
        let life = self.lives.len();
        let lock = self.nobody_owns().await?;
        store::copy(&self.machine.data(), &self.kept_at(life))?;
        self.lives.push(Life { ended, full: self.full.take(), by_itself });
        if let Some(program) = &mut self.program {
            program.mark()?;
        }
        self.account.next_life().await;
        drop(lock);
        Ok(())
    }

    /// Keeps everybody from owning the data directory for as long as the file lives. A command may have taken over: it ends
    /// soon.
    async fn nobody_owns(&self) -> Result<File, Stumble> {
        let lock = OpenOptions::new().write(true).open(self.machine.data().join("owner.lock"))?;
        while let Err(error) = lock.try_lock() {
            match error {
                TryLockError::WouldBlock => sleep(PAUSE).await,
                TryLockError::Error(error) => return Err(error.into()),
            }
        }
        Ok(lock)
    }

    /// Who says in the lock file that it owns the data directory, and the command line of that process.
    fn holder(&self) -> String {
        let record = fs::read_to_string(self.machine.data().join("owner.lock")).unwrap_or_default();
        let pid: String =
            record.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        format!("{record}: {}", String::from_utf8_lossy(&line).replace('\0', " "))
    }

    fn kept_at(&self, life: usize) -> PathBuf {
        self.machine.path(&format!("kept-{life}"))
    }

    /// Nobody but us has waited for it, so what has ended is a zombie.
    fn has_ended(&self) -> Result<bool, Stumble> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid().as_raw_nonzero()))?;
        Ok(stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')))
    }

    /// Stopped and continued, as in a sleep.
    pub(crate) async fn freeze(&self, time: Duration) -> Result<(), Stumble> {
        kill_process(self.pid(), Signal::STOP).map_err(std::io::Error::from)?;
        sleep(time).await;
        Ok(kill_process(self.pid(), Signal::CONT).map_err(std::io::Error::from)?)
    }

    /// Its disk is full from now on. `PRAGMA max_page_count`, another way to it, lasts only as long as the connection that
    /// sets it: it would take a hook in the product. What the product would see of it, SQLITE_FULL, it sees of ENOSPC.
    pub(crate) fn fill(&mut self, how: Disk) -> Result<(), Stumble> {
        let size = |name| fs::metadata(self.machine.data().join(name)).map_or(0, |meta| meta.len());
        let largest = size("signalbox.db").max(size("signalbox.db-wal"));
        self.full.get_or_insert(self.account.now());
        match how {
            Disk::NoSpace if self.library.is_some() => {
                Ok(self.world.write_all_at(&1_i64.to_ne_bytes(), NUMBER)?)
            }
            // No file may become larger than the largest of its database by more than that.
            Disk::Limit(room) => self.limit(Some(largest + room)),
            Disk::NoSpace => self.limit(Some(largest)),
        }
    }

    pub(crate) fn make_room(&self) -> Result<(), Stumble> {
        self.world.write_all_at(&0_i64.to_ne_bytes(), NUMBER)?;
        self.limit(None)
    }

    #[cfg(target_os = "linux")]
    fn limit(&self, bytes: Option<u64>) -> Result<(), Stumble> {
        use rustix::process::{Resource, Rlimit, prlimit};
        let limit = Rlimit { current: bytes, maximum: None };
        prlimit(Some(self.pid()), Resource::Fsize, limit).map_err(std::io::Error::from)?;
        Ok(())
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "there is no such limit from outside here")]
    fn limit(&self, _: Option<u64>) -> Result<(), Stumble> {
        Ok(())
    }

    /// The wall clock jumps by so much (ms). False where it cannot be moved.
    pub(crate) fn move_clock(&mut self, jump_ms: i64) -> Result<bool, Stumble> {
        self.skew_ms += jump_ms;
        self.latest_ms = self.latest_ms.max(self.skew_ms);
        self.world.write_all_at(&self.skew_ms.to_ne_bytes(), 0)?;
        Ok(self.library.is_some())
    }

    /// A clock that was set back is set right, and there is a new owner: what the last one kept for the next poll must not
    /// lie in a future that nobody waits for here.
    pub(crate) async fn set_clock_right(&mut self) -> Result<(), Stumble> {
        if self.skew_ms < self.latest_ms {
            self.move_clock(self.latest_ms - self.skew_ms)?;
            self.kill().await?;
        }
        Ok(())
    }

    /// `kill -9` of its programs.
    pub(crate) fn kill_programs(&self) -> Result<(), Stumble> {
        let pid = self.pid().as_raw_nonzero();
        for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
            // Threads come and go.
            let Ok(children) = fs::read_to_string(thread?.path().join("children")) else { continue };
            for child in children.split_whitespace().filter_map(|id| Pid::from_raw(id.parse().ok()?)) {
                let _ = kill_process(child, Signal::KILL);
            }
        }
        Ok(())
    }

    /// What the store held at the end of each life.
    pub(crate) fn kept(&self) -> Result<Vec<Kept>, Stumble> {
        let read = |life| store::read(&self.kept_at(life)).map_err(|why| Stumble::Unreadable { life, why });
        (0..self.lives.len()).map(read).collect()
    }

    /// What the product itself has to say against its log of decisions; nothing is best. The owner is gone.
    pub(crate) async fn verified(&self) -> Vec<String> {
        let done = self.machine.run(&["verify"]).await;
        if done.code == Some(0) { Vec::new() } else { vec![done.to_string()] }
    }

    pub(crate) fn into_machine(self) -> Arc<Machine> {
        self.machine
    }
}

/// `signalbox --json` on this machine, in the world that the library makes up, where there is one.
pub(crate) fn signalbox_in(machine: &Machine, library: Option<&Path>, args: &[&str]) -> Command {
    // A library that the shell itself would have loaded would count its steps, too.
    let script = "if [ -n \"$1\" ]; then export LD_PRELOAD=\"$1\"; fi; shift; exec \"$@\"";
    let mut command = machine.command(Path::new("sh"));
    command.env("FAULTS_WORLD", machine.path("world")).args(["-c", script, "sh"]);
    command.arg(library.unwrap_or(Path::new(""))).arg(signalbox_tests::signalbox()).arg("--json").args(args);
    command
}
