//! Runs a program at a terminal of its own: `at-terminal /dev/pts/7 PROGRAM ARG…`. It leads a session there, since only to such
//! a one Ctrl-C comes as a signal.

use std::io;

#[cfg(unix)]
fn main() -> io::Result<()> {
    use std::fs::OpenOptions;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    let mut args = std::env::args_os().skip(1);
    let (Some(terminal), Some(program)) = (args.next(), args.next()) else {
        return Err(io::Error::other("give a terminal and a program"));
    };
    rustix::process::setsid()?;
    let terminal = OpenOptions::new().read(true).write(true).open(terminal)?;
    rustix::process::ioctl_tiocsctty(&terminal)?;
    let end = || terminal.try_clone().map(Stdio::from);
    Err(Command::new(program).args(args).stdin(end()?).stdout(end()?).stderr(end()?).exec())
}

#[cfg(not(unix))]
fn main() -> io::Result<()> {
    Err(io::Error::other("there are no such terminals here"))
}
