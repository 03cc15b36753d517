//! The product's own demo, at work in the data directory of `run` and `dev`: something to see from the first moment.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cmd;

/// A data directory, and the command through which it is changed.
pub(crate) struct Demo<'a> {
    home: &'a Path,
    signalbox: &'a Path,
}

impl Demo<'_> {
    /// `home` must be absolute: the demo is started from elsewhere.
    pub(crate) fn new<'a>(home: &'a Path, signalbox: &'a Path) -> Demo<'a> {
        Demo { home, signalbox }
    }

    /// Has it at work: registered, with the program that is built here, and some tasks under way. What is under way already
    /// goes on.
    pub(crate) fn start(&self) -> Result<()> {
        let said = cmd::output(self.signalbox().args(["demo", "start"]))?;
        print!("{said}");
        Ok(())
    }

    /// Whether a question waits.
    pub(crate) fn asks(&self) -> Result<bool> {
        asks(&cmd::output(self.signalbox().args(["--json", "inbox"]))?)
    }

    fn signalbox(&self) -> Command {
        let mut command = Command::new(self.signalbox);
        command.arg("--home").arg(self.home);
        command
    }
}

/// Reads the document of `inbox`.
fn asks(document: &str) -> Result<bool> {
    let document: Value = serde_json::from_str(document).context("`inbox` did not print JSON")?;
    let Some(requests) = document.get("requests").and_then(Value::as_array) else {
        bail!("`inbox` printed no list of questions: {document}");
    };
    Ok(requests.iter().any(|request| request["state"] == "open"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_waits_when_one_is_open() {
        assert!(
            asks(r#"{"requests":[{"id":"r1","state":"sending"},{"id":"r2","state":"open"}]}"#)
                .expect("a list")
        );
        assert!(
            !asks(r#"{"requests":[{"id":"r1","state":"held"}]}"#).expect("a list"),
            "that one is decided"
        );
        assert!(!asks(r#"{"requests":[]}"#).expect("a list"));
        assert!(asks("{}").is_err(), "it is not an empty list");
    }

    #[cfg(unix)]
    #[test]
    fn it_is_the_products_own_act_on_that_data_directory() {
        use std::os::unix::fs::PermissionsExt;

        let dir = tempfile::tempdir().expect("a temporary folder");
        let (program, said) = (dir.path().join("signalbox"), dir.path().join("said"));
        std::fs::write(&program, format!("#!/bin/sh\necho \"$@\" >> '{}'\n", said.display()))
            .expect("writable");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("ours");
        Demo::new(Path::new("/data"), &program).start().expect("it is started");
        let line = std::fs::read_to_string(&said).expect("it ran");
        assert_eq!(line.trim(), "--home /data demo start");
    }
}
