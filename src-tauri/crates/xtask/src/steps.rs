//! Named steps: each is timed, a failing one does not stop those after it, and the end sums up.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;

/// The steps of one command, in the order they ran.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<Done>,
}

struct Done {
    name: String,
    took: Duration,
    failure: Option<String>,
}

impl Steps {
    /// Runs one step and reports it. Returns whether it held, for a caller whose next steps mean nothing without it.
    pub(crate) fn run(&mut self, name: &str, step: impl FnOnce() -> Result<()>) -> bool {
        println!("\n== {name}");
        let started = Instant::now();
        let failure = step().err().map(|error| format!("{error:#}"));
        let done = Done { name: name.to_owned(), took: started.elapsed(), failure };
        println!("{}", done.line());
        let held = done.failure.is_none();
        self.done.push(done);
        held
    }

    /// Prints every step with its time, then `N passed, M failed` as the last line. 0 only when none failed.
    pub(crate) fn finish(self) -> ExitCode {
        println!("\n== summary");
        for done in &self.done {
            println!("{}", done.line());
        }
        let (last_line, held) = self.sum();
        println!("{last_line}");
        if held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn sum(&self) -> (String, bool) {
        let failed = self.done.iter().filter(|done| done.failure.is_some()).count();
        let passed = self.done.len() - failed;
        // A command without a single step has proved nothing.
        (format!("{passed} passed, {failed} failed"), failed == 0 && passed > 0)
    }
}

impl Done {
    fn line(&self) -> String {
        let seconds = self.took.as_secs_f64();
        match &self.failure {
            None => format!("ok      {:>6.1} s  {}", seconds, self.name),
            Some(why) => format!("FAILED  {:>6.1} s  {}: {why}", seconds, self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_does_not_stop_the_next_step_and_decides_the_end() {
        let mut steps = Steps::default();
        assert!(steps.run("first", || Ok(())));
        assert!(!steps.run("second", || anyhow::bail!("broken")));
        assert!(steps.run("third", || Ok(())), "a step after a failure still runs");
        assert_eq!(steps.sum(), ("2 passed, 1 failed".to_owned(), false));
    }

    #[test]
    fn nothing_done_is_not_a_success() {
        assert_eq!(Steps::default().sum(), ("0 passed, 0 failed".to_owned(), false));
    }
}
