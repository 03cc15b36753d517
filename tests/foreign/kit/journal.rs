//! What arrived at a server, message by message, as events.

use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::Value;
use signalbox_tests::soon;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::unix::pipe::OpenOptions;
use tokio::sync::watch;

/// The messages that a server noted down, in the order in which they arrived. Its file is a named pipe, so that nobody
/// has to look for new lines.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    messages: watch::Receiver<Vec<Value>>,
}

impl Journal {
    pub(crate) fn new(folder: &Path) -> Self {
        let path = folder.join("journal");
        mkfifoat(CWD, &path, Mode::RUSR | Mode::WUSR).unwrap();
        // Also as a writer: else it would end with each server.
        let pipe = OpenOptions::new().read_write(true).open_receiver(&path).unwrap();
        let (sender, messages) = watch::channel(Vec::new());
        tokio::spawn(async move {
            let mut lines = BufReader::new(pipe).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let message = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e} in {line}"));
                sender.send_modify(|messages: &mut Vec<Value>| messages.push(message));
            }
        });
        Self { path, messages }
    }

    /// Where servers write it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until so many messages have arrived for which this holds; all of those.
    pub(crate) async fn until(&self, what: &str, count: usize, holds: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut messages = self.messages.clone();
        let enough = |all: &Vec<Value>| all.iter().filter(|message| holds(message)).count() >= count;
        soon(&format!("{count} times {what}"), messages.wait_for(enough)).await.unwrap();
        self.those(holds)
    }

    /// Waits until so many requests of a method have arrived; all of those.
    pub(crate) async fn requests(&self, method: &str, count: usize) -> Vec<Value> {
        self.until(method, count, |message| message["method"] == method).await
    }

    /// What arrived so far of messages for which this holds.
    pub(crate) fn those(&self, holds: impl Fn(&Value) -> bool) -> Vec<Value> {
        self.messages.borrow().iter().filter(|message| holds(message)).cloned().collect()
    }

    /// What arrived so far of requests of a method.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.those(|message| message["method"] == method).len()
    }

    /// The answers that arrived so far for questions of the server (legacy wire).
    pub(crate) fn answers(&self) -> Vec<Value> {
        self.those(|message| message.get("method").is_none())
    }
}
