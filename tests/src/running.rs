//! A command that has not ended, with its lines as events.

use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::{Done, soon};

/// A command under way. Dropping it kills it.
#[derive(Debug)]
pub struct Running {
    line: String,
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    said: JoinHandle<String>,
    spoken: mpsc::UnboundedReceiver<String>,
}

impl Running {
    /// Starts a command made by [`Machine::command`](crate::Machine::command).
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn start(mut command: Command) -> Self {
        let line = format!("{:?}", command.as_std());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let (speak, spoken) = mpsc::unbounded_channel();
        // Read all along: a full pipe would stop the command.
        let said = tokio::spawn(async move {
            let mut said = String::new();
            loop {
                let begin = said.len();
                match stderr.read_line(&mut said).await {
                    Ok(0) | Err(_) => return said,
                    Ok(_) => drop(speak.send(said[begin..].trim_end().to_owned())),
                }
            }
        });
        Self { line, child, lines, said, spoken }
    }

    /// Its process id.
    ///
    /// # Panics
    /// When it has been waited for.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id().expect("it is waited for only at the end")
    }

    /// The next document it prints; none once it prints no more.
    ///
    /// # Panics
    /// When what it prints is no JSON, or nothing comes.
    pub async fn line(&mut self) -> Option<Value> {
        let what = format!("the next line of {}", self.line);
        let line = soon(&what, self.lines.next_line()).await.unwrap()?;
        Some(serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e} in {line:?} of {}", self.line)))
    }

    /// The first document from here on for which this holds.
    ///
    /// # Panics
    /// When it ends before, or nothing comes.
    pub async fn until(&mut self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let mut passed = Vec::new();
        while let Some(line) = self.line().await {
            if holds(&line) {
                return line;
            }
            passed.push(line.to_string());
        }
        panic!("{} ended before {what}; it printed\n{}", self.line, passed.join("\n"))
    }

    /// The first line that it says to people (on stderr) from here on for which this holds.
    ///
    /// # Panics
    /// When it ends before, or nothing comes.
    pub async fn says(&mut self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let what = format!("{what} from {}", self.line);
        let said = soon(&what, async {
            while let Some(line) = self.spoken.recv().await {
                if holds(&line) {
                    return Some(line);
                }
            }
            None
        });
        said.await.unwrap_or_else(|| panic!("{what} was never said"))
    }

    /// Waits for its end by itself. What was read as lines before is not in [`Done::stdout`].
    ///
    /// # Panics
    /// When it does not end.
    pub async fn end(mut self) -> Done {
        let mut stdout = String::new();
        let what = format!("the end of {}", self.line);
        let code = soon(&what, async {
            while let Some(line) = self.lines.next_line().await.unwrap() {
                stdout.push_str(&line);
                stdout.push('\n');
            }
            self.child.wait().await.unwrap().code()
        });
        let code = code.await;
        Done { line: self.line, code, stdout, stderr: self.said.await.unwrap() }
    }

    /// Ends it as Ctrl-C does, and waits.
    ///
    /// # Panics
    /// When it does not end.
    pub async fn interrupt(self) -> Done {
        self.signal(Signal::INT);
        self.end().await
    }

    /// Ends it as a service manager does, and waits.
    ///
    /// # Panics
    /// When it does not end.
    pub async fn terminate(self) -> Done {
        self.signal(Signal::TERM);
        self.end().await
    }

    /// Ends it as a power cut does (kill -9), and waits until nothing of it is left.
    ///
    /// # Panics
    /// When the system refuses.
    pub async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.pid()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }
}
