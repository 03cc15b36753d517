//! The program starts itself again. WebKit reads environment variables, which a program with threads must never change for
//! itself: so it is replaced by itself (`exec`), and keeps its process, its arguments and its activation token.

use std::{env, ffi::OsString, io, os::unix::process::CommandExt as _, path::PathBuf, process::Command};

use super::{MARKER, VARIABLES, Why};
use crate::scripts;

/// How the program was started. It is taken down early: what a start is told by the desktop is taken out of the environment.
pub(crate) struct Launch {
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
}

impl Launch {
    /// That of this program.
    pub(crate) fn ours() -> Self {
        Self { arguments: env::args_os().collect(), environment: env::vars_os().collect() }
    }

    /// Starts this program again in its own place, with safe graphics. Returns only to say what is in the way of it.
    pub(crate) fn again(self, why: Why) -> io::Error {
        match signalbox_api::own_program() {
            Some(program) => self.command(program, why).exec(),
            None => io::ErrorKind::NotFound.into(),
        }
    }

    fn command(self, program: PathBuf, why: Why) -> Command {
        let mut command = Command::new(program);
        let mut arguments = self.arguments.into_iter();
        if let Some(name) = arguments.next() {
            command.arg0(name);
        }
        command.args(arguments).env_clear().envs(self.environment);
        // It decides that anew, and must not take it for the person's wish.
        for name in scripts::not_inherited() {
            command.env_remove(name);
        }
        command.envs(VARIABLES.map(|name| (name, "1"))).env(MARKER, why.marker());
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_started_again_as_it_was_started_but_for_its_graphics() {
        let environment = [("XDG_ACTIVATION_TOKEN", "given"), ("LIBGL_ALWAYS_SOFTWARE", "0")];
        let launch = Launch {
            arguments: ["desk", "--open", "t12"].map(OsString::from).to_vec(),
            environment: environment.map(|(name, value)| (name.into(), value.into())).to_vec(),
        };
        let command = launch.command("/usr/bin/signalbox-desktop".into(), Why::Failed);
        let arguments: Vec<_> = command.get_args().collect();
        assert_eq!(arguments, ["--open", "t12"], "its name is no argument");
        let set = |wanted: &str| {
            let mut all = command.get_envs();
            all.find(|(name, _)| *name == wanted).and_then(|(_, value)| value?.to_str())
        };
        assert_eq!(set("XDG_ACTIVATION_TOKEN"), Some("given"), "the desktop lets it come to the front");
        for name in VARIABLES {
            assert_eq!(set(name), Some("1"), "{name}, whatever it was before");
        }
        assert_eq!(
            set(MARKER),
            Some(&*Why::Failed.marker()),
            "else it would start itself again without an end"
        );
    }
}
