//! What a process has used, by the operating system's account (Linux, `/proc`), and over what time.

use std::time::Duration;
use std::{fmt, fs};

use tokio::time::Instant;

/// How often a long course is looked at.
const MINUTE: Duration = Duration::from_secs(60);

/// Lets so much time pass, in which somebody else works.
#[expect(clippy::disallowed_methods, reason = "a figure is measured over time")]
pub(crate) async fn pass(time: Duration) {
    tokio::time::sleep(time).await;
}

/// What a process has used so far. It counts ticks of 10 ms, so only seconds of work can be told apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Used {
    /// Seconds of CPU, in user and kernel mode, of all its threads.
    pub(crate) cpu: f64,
    /// Resident memory now, with shared pages and the program itself, in MB.
    pub(crate) resident: f64,
}

impl Used {
    pub(crate) fn by_us() -> Self {
        Self::by(std::process::id())
    }

    pub(crate) fn by(pid: u32) -> Self {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        // The second field is the program's name in parentheses and may hold anything; state is the third.
        let fields: Vec<&str> = stat[stat.rfind(')').unwrap() + 1..].split_whitespace().collect();
        let field = |number: usize| fields[number - 3].parse::<f64>().unwrap();
        #[expect(clippy::cast_precision_loss, reason = "a hundred")]
        let per_second = rustix::param::clock_ticks_per_second() as f64;
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        let kib = resident.trim().trim_end_matches(" kB").parse::<f64>().unwrap();
        Self { cpu: (field(14) + field(15)) / per_second, resident: kib * 1024.0 / 1e6 }
    }

    /// Seconds of CPU of a process and of all that it started and that still runs.
    pub(crate) fn by_family(pid: u32) -> f64 {
        family(pid).into_iter().map(|pid| Self::by(pid).cpu).sum()
    }
}

/// What a process has of the machine's memory now, in MB: of a page that several have each has a part (PSS).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Memory {
    pub(crate) all: f64,
    /// Its own: heap and stacks.
    anonymous: f64,
    /// Programs, libraries and other files, which the system can read again.
    files: f64,
}

impl Memory {
    pub(crate) fn of(pid: u32) -> Self {
        let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap();
        let part = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() * 1024.0 / 1e6
        };
        Self { all: part("Pss:"), anonymous: part("Pss_Anon:"), files: part("Pss_File:") }
    }

    /// Of a process and of all that it started and that still runs.
    pub(crate) fn of_family(pid: u32) -> Self {
        family(pid).into_iter().map(Self::of).fold(Self::default(), |sum, one| Self {
            all: sum.all + one.all,
            anonymous: sum.anonymous + one.anonymous,
            files: sum.files + one.files,
        })
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { all, anonymous, files } = self;
        write!(f, "{all:.1} MB, of which {anonymous:.1} anonymous and {files:.1} of files")
    }
}

/// Lets so much time pass, and says what a process and its family have every minute.
pub(crate) async fn course(what: &str, pid: u32, time: Duration) -> Memory {
    let began = Instant::now();
    while let Some(left) = time.checked_sub(began.elapsed()).filter(|left| !left.is_zero()) {
        pass(left.min(MINUTE)).await;
        let each: Vec<_> =
            family(pid).into_iter().map(|pid| format!("{} {:.1}", name(pid), Memory::of(pid).all)).collect();
        println!(
            "{what}, {:.0} s: {} ({})",
            began.elapsed().as_secs_f64(),
            Memory::of_family(pid),
            each.join(", ")
        );
    }
    Memory::of_family(pid)
}

fn name(pid: u32) -> String {
    fs::read_to_string(format!("/proc/{pid}/comm")).unwrap().trim().to_owned()
}

/// A process, and all that it started and that still runs.
fn family(pid: u32) -> Vec<u32> {
    let mut family = vec![pid];
    let mut at = 0;
    while let Some(&parent) = family.get(at) {
        family.extend(children(parent));
        at += 1;
    }
    family
}

/// What a process has started, by any of its threads.
fn children(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.unwrap().path().join("children")).ok());
    let text = lists.collect::<String>();
    text.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}
