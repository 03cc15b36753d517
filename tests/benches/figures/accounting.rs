//! What a process has used, by the operating system's account (Linux, `/proc`), and over what time.

use std::fs;
use std::time::Duration;

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
        let mut family = vec![pid];
        let mut at = 0;
        while let Some(&parent) = family.get(at) {
            family.extend(children(parent));
            at += 1;
        }
        family.into_iter().map(|pid| Self::by(pid).cpu).sum()
    }
}

/// What a process has started, by any of its threads.
fn children(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.unwrap().path().join("children")).ok());
    let text = lists.collect::<String>();
    text.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}
