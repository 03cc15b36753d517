//! The demo server, registered in the data directory of `run` and `dev`: something to try from the first moment.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cmd;

const NAME: &str = "demo";
/// What tells our entry from a person's own server that happens to have this name.
const ARGS: [&str; 3] = ["demo", "stdio", "--state"];

/// A data directory, and the command through which it is changed.
pub(crate) struct Demo<'a> {
    home: &'a Path,
    signalbox: &'a Path,
}

/// What is registered under the demo server's name.
#[derive(Debug, PartialEq, Eq)]
enum Entry {
    Missing,
    /// Ours, and it runs the program it should.
    Current,
    /// Ours, but it runs another program: of a checkout that moved, or of the other profile.
    Stale,
    /// The person's own, or switched off by them: left as it is.
    Theirs,
}

impl Demo<'_> {
    /// `home` must be absolute: the demo server is started from elsewhere.
    pub(crate) fn new<'a>(home: &'a Path, signalbox: &'a Path) -> Demo<'a> {
        Demo { home, signalbox }
    }

    /// Registers the demo server, or says anew where it is, and waits until it has named its tools.
    pub(crate) fn register(&self) -> Result<()> {
        let list = cmd::output(self.signalbox().arg("--json").args(["server", "list"]))?;
        let act = match self.entry(&list)? {
            Entry::Missing => Some("add"),
            Entry::Stale => Some("edit"),
            Entry::Current => None,
            Entry::Theirs => return Ok(()),
        };
        if let Some(act) = act {
            let mut command = self.signalbox();
            command.args(["server", act, NAME, "--"]).arg(self.signalbox).args(ARGS).arg(self.state());
            cmd::output(&mut command)?;
        }
        cmd::output(self.signalbox().args(["server", "check", NAME])).map(drop)
    }

    fn signalbox(&self) -> Command {
        let mut command = Command::new(self.signalbox);
        command.arg("--home").arg(self.home);
        command
    }

    /// Its tasks survive its restarts, as those of a real server do.
    fn state(&self) -> PathBuf {
        self.home.join("demo-state.jsonl")
    }

    /// Reads the document of `server list`.
    fn entry(&self, document: &str) -> Result<Entry> {
        let document: Value = serde_json::from_str(document).context("`server list` did not print JSON")?;
        let Some(servers) = document.get("servers").and_then(Value::as_array) else {
            bail!("`server list` printed no list of servers: {document}");
        };
        let Some(server) = servers.iter().find(|server| server["name"] == NAME) else {
            return Ok(Entry::Missing);
        };
        let args = ARGS.join(" ");
        let wanted = format!("{} {args} {}", self.signalbox.display(), self.state().display());
        Ok(match server["command"].as_str() {
            _ if server["enabled"] == false => Entry::Theirs,
            Some(command) if command == wanted => Entry::Current,
            Some(command) if command.contains(&format!(" {args} ")) => Entry::Stale,
            _ => Entry::Theirs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(document: &str) -> Result<Entry> {
        Demo::new(Path::new("/home"), Path::new("/new/signalbox")).entry(document)
    }

    fn registered(rest: &str) -> Entry {
        entry(&format!(r#"{{"servers":[{{"name":"ci"}},{{"name":"demo",{rest}}}]}}"#)).expect("a list")
    }

    #[test]
    fn an_entry_that_runs_the_right_program_stays() {
        let ours = r#""command":"/new/signalbox demo stdio --state /home/demo-state.jsonl""#;
        assert_eq!(registered(ours), Entry::Current);
    }

    #[test]
    fn an_entry_of_ours_that_runs_another_program_is_edited() {
        let moved = r#""command":"/old/signalbox demo stdio --state /home/demo-state.jsonl""#;
        assert_eq!(registered(moved), Entry::Stale);
        let other_state = r#""command":"/new/signalbox demo stdio --state /old/demo-state.jsonl""#;
        assert_eq!(registered(other_state), Entry::Stale, "the data directory may have moved as well");
    }

    #[test]
    fn what_a_person_made_of_the_name_is_left_alone() {
        assert_eq!(registered(r#""origin":"https://example.com""#), Entry::Theirs);
        assert_eq!(registered(r#""command":"npx my-demo""#), Entry::Theirs);
        let off = r#""enabled":false,"command":"/old/signalbox demo stdio --state /home/demo-state.jsonl""#;
        assert_eq!(registered(off), Entry::Theirs, "switched off means: do not connect");
    }

    #[test]
    fn names_are_compared_as_a_whole_and_a_document_without_the_list_is_an_error() {
        assert_eq!(entry(r#"{"servers":[{"name":"dem"}]}"#).expect("a list"), Entry::Missing);
        assert!(entry("{}").is_err(), "it is not an empty list");
    }
}
