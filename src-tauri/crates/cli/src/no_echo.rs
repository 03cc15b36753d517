//! Typing that is not shown.

/// While this lives, the terminal at stdin does not show what is typed. Also a command that is interrupted leaves it as it was.
pub(crate) struct NoEcho {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

#[cfg(unix)]
impl NoEcho {
    /// Whether typing can be hidden on this system.
    pub(crate) const POSSIBLE: bool = true;

    pub(crate) fn begin() -> Self {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

        let stdin = std::io::stdin();
        // Where stdin is no terminal nothing is shown anyway.
        let Ok(before) = tcgetattr(&stdin) else { return Self { before: None } };
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        // But for the end of the line: what is said next would stand behind the prompt.
        hidden.local_modes.insert(LocalModes::ECHONL);
        let is_hidden = tcsetattr(&stdin, OptionalActions::Drain, &hidden).is_ok();
        Self { before: is_hidden.then_some(before) }
    }
}

#[cfg(unix)]
impl Drop for NoEcho {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};

        if let Some(before) = &self.before {
            // A terminal that is gone needs nothing.
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Drain, before);
        }
    }
}

#[cfg(not(unix))]
impl NoEcho {
    /// Whether typing can be hidden on this system.
    pub(crate) const POSSIBLE: bool = false;

    pub(crate) fn begin() -> Self {
        Self {}
    }
}
