//! Programs that an owner left which was killed: found by their notes, and ended as closing ends them.
//!
//! Most programs end by themselves when their input does; these do not. Must never happen: a signal for a process that is
//! not proven to be one of ours. So each is held by a descriptor before it is looked at (`pidfd_open`), and signalled through
//! that alone: a process id that comes again in between belongs to nobody whom we would reach.
//!
//! A process is proven by its start, or by a group that one of the proven is still in. So members of a group whose
//! leader has ended stay. Only an owner that leaves waits for this (`LeftBehind`). It works on Linux alone; elsewhere
//! nothing is noted.

use std::{io, path::Path, time::Duration};

use tokio::task::JoinSet;

use super::note::{Identity, Note};

#[cfg(target_os = "linux")]
use super::process::{self, Family};

/// Programs of servers that are noted as running, where nobody who is alive has started them.
#[derive(Debug)]
pub struct LeftBehind(Vec<(Note, Identity)>);

impl LeftBehind {
    /// What is noted in `dir` ([`Options::programs`](crate::Options::programs)). To be called by its owner before it starts
    /// any program.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn noted_in(dir: &Path) -> io::Result<Self> {
        let mut noted = Vec::new();
        for entry in std::fs::read_dir(dir)? {
            let entry = entry?;
            if let Some(identity) = entry.file_name().to_str().and_then(Identity::parse) {
                noted.push((Note::found(entry.path()), identity));
            }
        }
        Ok(Self(noted))
    }

    /// Whether there are none, as mostly.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Ends those that still run, each with all in its process group: asks them, and after `grace` ends them by force. The
    /// notes go; that of a program which no force has ended within `grace` more stays for the next start.
    pub async fn end(self, grace: Duration) {
        let mut ending = JoinSet::new();
        for (note, identity) in self.0 {
            ending.spawn_blocking(move || end(note, &identity, grace));
        }
        ending.join_all().await;
    }
}

#[cfg(target_os = "linux")]
fn end(note: Note, program: &Identity, grace: Duration) {
    let pid = program.pid;
    if process::boot().as_ref() != Some(&program.boot) {
        return;
    }
    let Some(family) = Family::of(program) else {
        tracing::info!(pid, "a program of an owner that was killed has ended by itself");
        return;
    };
    if family.end(grace) {
        tracing::warn!(pid, "ended a program that an owner left which was killed");
    } else {
        tracing::error!(pid, "a program that an owner left which was killed cannot be ended");
        note.keep();
    }
}

/// Elsewhere nothing is noted, for want of a way to hold a process while it is looked at.
#[cfg(not(target_os = "linux"))]
fn end(_note: Note, _program: &Identity, _grace: Duration) {}
