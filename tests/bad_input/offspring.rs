//! What a program's process holds and has started, as the system sees it.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use signalbox_tests::{Alive, Machine, Running, signalbox};

/// How long a program may take to end: twice the grace, and what the rest takes on a busy machine.
pub(crate) const BOUND: Duration = Duration::from_secs(12);

/// A program that is a script, and whether anything that it started still lives.
pub(crate) struct Script {
    line: [String; 6],
    alive: Alive,
}

impl Script {
    /// In it `"$0"` is the `signalbox` program.
    pub(crate) fn on(machine: &Machine, script: &str) -> Self {
        let alive = Alive::at(machine.path("alive"));
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let script = format!("exec 9<>\"$1\"; {script}");
        let line = [
            "--".to_owned(),
            "sh".to_owned(),
            "-c".to_owned(),
            script,
            text(&signalbox()),
            text(alive.path()),
        ];
        Self { line, alive }
    }

    /// How it is reached.
    pub(crate) fn reach(&self) -> [&str; 6] {
        self.line.each_ref().map(String::as_str)
    }

    /// Waits until nothing of it lives.
    pub(crate) async fn gone(&self) {
        self.alive.gone().await;
    }
}

/// How many files and connections the program has open.
pub(crate) fn open_files(program: &Running) -> usize {
    fs::read_dir(format!("/proc/{}/fd", program.pid())).unwrap().count()
}

/// The states of the program's children: `Z` has ended, and nobody has asked how.
pub(crate) fn children(program: &Running) -> Vec<char> {
    let parent = program.pid().to_string();
    let stats = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("stat")).ok());
    let child = |stat: String| {
        // The name before it may hold anything.
        let mut fields = stat.rsplit(')').next()?.split_whitespace();
        let state = fields.next()?.chars().next()?;
        (fields.next()? == parent).then_some(state)
    };
    stats.filter_map(child).collect()
}

/// Waits until the program has no children; the commands meanwhile are the time that passes.
pub(crate) async fn childless(machine: &Machine, program: &Running) {
    let asked = Instant::now();
    while !children(program).is_empty() {
        assert!(asked.elapsed() < BOUND, "children are left: {:?}", children(program));
        let _ = machine.run(&["server", "list"]).await.ok();
    }
}
