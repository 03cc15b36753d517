//! The note of a program that runs, so that the next owner finds the program when this one is killed.
//!
//! A note is an empty file whose name says all, so it is there as a whole or not at all. It outlives a killed owner without
//! being forced to the disk: what outlives the machine's end is no program.

use std::{
    fs::OpenOptions,
    io,
    path::{Path, PathBuf},
};

/// Which process, beyond doubt: a process id comes again, together with its start it does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) pid: i32,
    /// When it started, in the system's ticks since the machine did.
    pub(super) started: u64,
    /// Which run of the machine.
    pub(super) boot: String,
}

impl Identity {
    fn name(&self) -> String {
        format!("{}.{}.{}", self.pid, self.started, self.boot)
    }

    pub(super) fn parse(name: &str) -> Option<Self> {
        let (pid, rest) = name.split_once('.')?;
        let (started, boot) = rest.split_once('.')?;
        let identity = Self { pid: pid.parse().ok()?, started: started.parse().ok()?, boot: boot.to_owned() };
        // What reads otherwise than it is written was not written by us. 0 and 1 are nobody's program.
        (identity.name() == name && identity.pid > 1 && !boot.is_empty()).then_some(identity)
    }
}

/// A note that stands until this is dropped.
#[derive(Debug)]
pub(super) struct Note(PathBuf);

impl Note {
    /// Notes in `dir` that this program runs.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "elsewhere nothing is noted"))]
    pub(super) fn make(dir: &Path, program: &Identity) -> io::Result<Self> {
        let path = dir.join(program.name());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(Self(path)),
        }
    }

    /// A note that an earlier owner made.
    pub(super) fn found(path: PathBuf) -> Self {
        Self(path)
    }

    /// Leaves it for the next owner.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "elsewhere nothing is noted"))]
    pub(super) fn keep(mut self) {
        self.0 = PathBuf::new();
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        if self.0.as_os_str().is_empty() {
            return;
        }
        if let Err(error) = std::fs::remove_file(&self.0) {
            // The next start finds that there is no such process.
            tracing::debug!(kind = ?error.kind(), "the note of a program that ended stays");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Identity {
        Identity { pid: 4711, started: 99, boot: "c32e36c2-7d2c".into() }
    }

    #[test]
    fn a_note_stands_as_long_as_its_program() {
        let dir = tempfile::tempdir().unwrap();
        let note = Note::make(dir.path(), &some()).unwrap();
        let names: Vec<_> =
            std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(Identity::parse(names[0].to_str().unwrap()), Some(some()));
        drop(note);
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0);
    }

    #[test]
    fn what_is_no_note_of_ours_names_no_process() {
        let odd = [
            "",
            ".",
            "..",
            "1.2",
            "1.2.",
            "1.2.x",
            "0.2.x",
            "-5.2.x",
            "+5.2.x",
            "05.2.x",
            "5. 2.x",
            "5.-2.x",
            "99999999999.2.x",
            "x.2.y",
            "5..x",
        ];
        for name in odd {
            assert_eq!(Identity::parse(name), None, "{name:?}");
        }
        assert_eq!(Identity::parse(&some().name()), Some(some()));
    }
}
