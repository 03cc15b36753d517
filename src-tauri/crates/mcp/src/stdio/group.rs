//! A child's process group: what it started ends with it.

use tokio::process::Child;

#[cfg(unix)]
pub(super) struct Group(Option<rustix::process::Pid>);

#[cfg(unix)]
impl Group {
    /// The group that the child leads; of a child that was started to lead one.
    pub(super) fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self(id.and_then(rustix::process::Pid::from_raw))
    }

    /// Asks all in the group to terminate.
    pub(super) fn terminate(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    /// Ends all in the group.
    pub(super) fn kill(&self) {
        self.signal(rustix::process::Signal::KILL);
    }

    fn signal(&self, signal: rustix::process::Signal) {
        // Fails where the group is empty, which is what we want.
        let _ = self.0.map(|group| rustix::process::kill_process_group(group, signal));
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Windows has no such groups: only the child itself is ended.
#[cfg(not(unix))]
pub(super) struct Group;

#[cfg(not(unix))]
impl Group {
    pub(super) fn of(_child: &Child) -> Self {
        Self
    }

    pub(super) fn terminate(&self) {}

    pub(super) fn kill(&self) {}
}
