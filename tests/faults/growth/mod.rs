//! Servers that grow without an end beside a good one: at default settings the owner's memory and disk stay within
//! bounds, the good server's calls are quick, and every command ends in its time.

mod kind;
mod measure;
mod server;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use futures_util::future::join_all;
use signalbox_tests::{Machine, Running};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use self::kind::KINDS;
use self::server::Growing;
use crate::stumble::Stumble;

const MB: u64 = 1024 * 1024;
/// The most memory that the owner may take (bytes).
const MEMORY: u64 = 300 * MB;
/// The most that it may keep on its disk (bytes): the setting for payloads, the database beside them, and its log.
const DISK: u64 = (1024 + 128 + 64) * MB;
/// A build that is not optimized may take so many times as long.
const SLOWER: u32 = if cfg!(debug_assertions) { 5 } else { 1 };
/// The longest that a call of the good server may take, with the command that makes it.
const CALL: Duration = Duration::from_secs(1);
/// The commands that are run, and the longest that each may take.
const COMMANDS: [(&[&str], Duration); 7] = [
    (&["tasks"], Duration::from_secs(2)),
    (&["inbox"], Duration::from_secs(2)),
    (&["show", "t1"], Duration::from_secs(2)),
    (&["server", "list"], Duration::from_secs(2)),
    (&["inbox", "--all"], Duration::from_secs(2)),
    (&["tools", "good"], Duration::from_secs(2)),
    (&["--timeout", "10", "doctor"], Duration::from_secs(12)),
];
/// The program that floods its standard error.
const NOISE: &str = "noise";
/// Calls of each growing server.
const CALLS: usize = 3;

/// What was measured.
#[derive(Debug, Default)]
pub(crate) struct Grown {
    memory: u64,
    disk: u64,
    calls: Vec<Duration>,
    /// Since when a call is under way.
    calling: Option<Instant>,
    commands: BTreeMap<String, Duration>,
    /// The command that runs, and since when.
    looking: Option<(String, Instant)>,
    /// Commands that failed, and what they said. Each way once.
    failed: BTreeSet<String>,
    /// How long it took to end.
    ended: Duration,
    pub(crate) findings: Vec<String>,
}

impl fmt::Display for Grown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slowest = self.commands.iter().max_by_key(|(_, took)| **took);
        let (command, took) = slowest.map_or(("no command", Duration::ZERO), |(name, took)| (name, *took));
        let calls = self.calls.iter().max().copied().unwrap_or_default();
        write!(
            f,
            "the owner took {} MB of memory and {} MB of its disk at most; {} calls of the good server took {} ms at most; \
             the slowest command was {command} with {} ms; it ended in {} ms",
            self.memory / MB,
            self.disk / MB,
            self.calls.len(),
            calls.as_millis(),
            took.as_millis(),
            self.ended.as_millis()
        )
    }
}

/// Lets them grow for so long; all of them, unless some are named.
pub(crate) async fn grow(time: Duration, only: Vec<String>) -> Result<Grown, Stumble> {
    let machine = Machine::untouched();
    let owner = machine.serve().await;
    let mut growing = Vec::new();
    let wanted = |name: &str| only.is_empty() || only.iter().any(|only| only == name);
    let mut names = Vec::new();
    for kind in KINDS.into_iter().filter(|kind| wanted(kind.name())) {
        let server = Growing::start(kind).await?;
        let _added = machine.run(&["server", "add", kind.name(), "--url", &server.url()]).await.ok();
        growing.push(server);
        names.push(kind.name());
    }
    let signalbox = signalbox_tests::signalbox().to_string_lossy().into_owned();
    // Its noise ends with it: nobody reads it then.
    let noisy = format!("while printf %0999d 7 >&2; do :; done & exec '{signalbox}' demo stdio");
    if wanted(NOISE) {
        let _added = machine.run(&["server", "add", NOISE, "--", "sh", "-c", &noisy]).await.ok();
        names.push(NOISE);
    }
    // A program of its own: what grows here does not slow it down.
    let _added = machine.run(&["server", "add", "good", "--", &signalbox, "demo", "stdio"]).await.ok();
    let mut grown = Grown::default();
    let begun = timeout(time, beside(&machine, &owner, &names, &mut grown)).await;
    if let Ok(Err(stumble)) = begun {
        return Err(stumble);
    }
    grown.calls.extend(grown.calling.map(|since| since.elapsed()));
    if let Some((command, since)) = grown.looking.take() {
        let longest = grown.commands.entry(command).or_default();
        *longest = since.elapsed().max(*longest);
    }
    let asked = Instant::now();
    // In a task of its own: it panics when the owner does not end.
    match tokio::spawn(owner.terminate()).await {
        Ok(done) if done.code == Some(0) => grown.ended = asked.elapsed(),
        Ok(done) => grown.findings.push(format!("the owner ended with {done}")),
        Err(_) => grown.findings.push("the owner did not end when it was told to".to_owned()),
    }
    grown.judge();
    Ok(grown)
}

/// Everything at once, for ever.
async fn beside(
    machine: &Machine,
    owner: &Running,
    names: &[&'static str],
    grown: &mut Grown,
) -> Result<(), Stumble> {
    let Grown { memory, disk, calls, calling, commands, looking, failed, findings, .. } = grown;
    let pid = owner.pid();
    let start = |name: &'static str| async move {
        let tool = if name == NOISE { "lint" } else { "grow" };
        // What a growing server makes of a call is its own affair.
        machine.run(&["--timeout", "5", "call", name, tool, "--detach"]).await;
    };
    // One of each, always in the same order: they are t1, t2 and so on. The first is there before it is asked for.
    if let Some(first) = names.first() {
        start(first).await;
    }
    let begin = async {
        for name in names.iter().skip(1) {
            start(name).await;
        }
        for _ in 1..CALLS {
            join_all(names.iter().map(|name| start(name))).await;
        }
        // Results go on coming.
        let mut soon = often(Duration::from_millis(500));
        while names.contains(&"results") {
            soon.tick().await;
            machine.run(&["--timeout", "10", "call", "results", "grow", "--detach"]).await;
        }
    };
    let begin = async {
        begin.await;
        std::future::pending::<()>().await;
    };
    let measure = async {
        let mut soon = often(Duration::from_millis(200));
        loop {
            soon.tick().await;
            *memory = match measure::memory(pid) {
                Ok(now) => now.max(*memory),
                Err(error) => return error,
            };
            *disk = measure::disk(&machine.data()).max(*disk);
        }
    };
    let call = async {
        let mut soon = often(Duration::from_millis(500));
        loop {
            soon.tick().await;
            let began = Instant::now();
            *calling = Some(began);
            let done = machine.run(&["call", "good", "echo", "--args", r#"{"text":"good"}"#]).await;
            calls.push(began.elapsed());
            *calling = None;
            if done.code != Some(0) {
                findings.push(format!("a call of the good server: {done}"));
            }
        }
    };
    let look = async {
        for (args, _) in COMMANDS.iter().cycle() {
            let (command, began) = (args.join(" "), Instant::now());
            *looking = Some((command.clone(), began));
            let done = machine.run(args).await;
            if !may_end(args, done.code) {
                failed.insert(format!("{:?} of `signalbox {command}`: {}", done.code, done.stderr.trim()));
            }
            let longest = commands.entry(command).or_default();
            *longest = began.elapsed().max(*longest);
        }
    };
    tokio::select! {
        () = begin => Ok(()),
        () = call => Ok(()),
        () = look => Ok(()),
        error = measure => Err(error.into()),
    }
}

/// Whether a command may end like this here: with what it was asked for. Only `doctor` has something to find, or no time to
/// find it all.
fn may_end(args: &[&str], code: Option<i32>) -> bool {
    code == Some(0) || args.contains(&"doctor") && matches!(code, Some(1 | 8))
}

fn often(time: Duration) -> tokio::time::Interval {
    let mut often = interval(time);
    often.set_missed_tick_behavior(MissedTickBehavior::Delay);
    often
}

impl Grown {
    fn judge(&mut self) {
        let mut say = |wrong: bool, what: String| {
            if wrong {
                self.findings.push(what);
            }
        };
        say(self.memory > MEMORY, format!("the owner took {} MB of memory", self.memory / MB));
        say(self.disk > DISK, format!("the owner took {} MB of its disk", self.disk / MB));
        let slow = self.calls.iter().filter(|took| **took > CALL * SLOWER).count();
        say(
            slow > 0,
            format!(
                "{slow} of {} calls of the good server took more than {:?}",
                self.calls.len(),
                CALL * SLOWER
            ),
        );
        say(self.calls.is_empty(), "no call of the good server came to its end".to_owned());
        for failed in std::mem::take(&mut self.failed) {
            say(true, failed);
        }
        for (args, most) in COMMANDS {
            let command = args.join(" ");
            let took = self.commands.get(&command).copied();
            say(took.is_none(), format!("there was no time for `signalbox {command}`"));
            let took = took.unwrap_or_default();
            say(took > most * SLOWER, format!("`signalbox {command}` took {} ms", took.as_millis()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_doctor_may_end_with_a_finding_or_without_time() {
        assert!(may_end(&["tasks"], Some(0)) && may_end(&["--timeout", "10", "doctor"], Some(8)));
        assert!(may_end(&["doctor"], Some(1)) && !may_end(&["doctor"], Some(7)));
        for code in [Some(1), Some(2), Some(8), None] {
            assert!(!may_end(&["inbox", "--all"], code), "{code:?}");
        }
    }

    #[test]
    fn a_command_that_failed_is_a_finding() {
        let mut grown = Grown { calls: vec![CALL], ..Grown::default() };
        grown.commands.extend(COMMANDS.map(|(args, _)| (args.join(" "), Duration::ZERO)));
        grown.judge();
        assert_eq!(grown.findings, [""; 0], "all of it was well");
        grown.failed.insert("Some(2) of `signalbox inbox --all`: no such option".to_owned());
        grown.judge();
        assert_eq!(grown.findings.len(), 1, "{:?}", grown.findings);
    }
}
