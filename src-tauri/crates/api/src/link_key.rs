//! On Windows: which program opens our links, as the person's part of the registry has it. No package says so there, so the window's
//! program does at each start, unless a link already has a program that is still there.

use std::path::Path;

use windows_registry::{CURRENT_USER, Result};

use crate::{Home, programs::quoted, window_program};

const KEY: &str = r"Software\Classes\signalbox";

/// Which program opens them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LinkProgram {
    /// No program does.
    Nobody,
    /// The window's program.
    Ours,
    /// This command line.
    Other(String),
}

/// The key of our scheme.
pub(crate) struct LinkKey {
    key: &'static str,
    /// The command line that is ours.
    line: String,
}

impl LinkKey {
    /// What it would be for this program; none where the window's program is not there, or cannot be named.
    pub(crate) fn of() -> Option<Self> {
        Some(Self { key: KEY, line: line(&window_program().ok()?)? })
    }

    /// Where it lies, for a person to find it.
    pub(crate) fn place(&self) -> String {
        format!(r"HKEY_CURRENT_USER\{}", self.key)
    }

    /// What stands there.
    pub(crate) fn read(&self) -> LinkProgram {
        let command = CURRENT_USER.open(self.command()).and_then(|key| key.get_string(""));
        match command {
            Err(_) => LinkProgram::Nobody,
            Ok(line) if line == self.line => LinkProgram::Ours,
            Ok(line) => LinkProgram::Other(line),
        }
    }

    fn command(&self) -> String {
        format!(r"{}\shell\open\command", self.key)
    }

    /// Has them open ours.
    fn write(&self) -> Result<()> {
        let key = CURRENT_USER.create(self.key)?;
        key.set_string("", "URL:Signalbox")?;
        key.set_string("URL Protocol", "")?;
        CURRENT_USER.create(self.command())?.set_string("", &self.line)
    }

    fn keep(&self) -> Result<()> {
        match self.read() {
            LinkProgram::Other(line) if is_there(&line) => Ok(()),
            LinkProgram::Ours => Ok(()),
            LinkProgram::Other(_) | LinkProgram::Nobody => self.write(),
        }
    }
}

/// Has our links open the window's program, unless another one that is there has them already. Only for the usual data directory:
/// links are for that alone.
pub fn open_links(home: &Home) {
    let key = home.is_usual().then(LinkKey::of).flatten();
    if let Some(Err(error)) = key.map(|key| key.keep()) {
        tracing::warn!(%error, "no program opens signalbox: links");
    }
}

/// What Windows starts: a link is one word, and whatever is in it, it is no option.
fn line(program: &Path) -> Option<String> {
    Some(format!("{} -- \"%1\"", quoted(program)?))
}

/// Whether the program of a command line still is where it says.
fn is_there(line: &str) -> bool {
    let program = match line.strip_prefix('"') {
        Some(rest) => rest.split('"').next(),
        None => line.split_whitespace().next(),
    };
    program.is_some_and(|program| Path::new(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_open_ours_and_no_other_program_that_is_there_loses_them() {
        // Not the links of whoever runs this.
        let key = r"Software\Signalbox test of links";
        let dir = tempfile::tempdir().unwrap();
        let program = |name: &str| dir.path().join(name);
        let of = |name: &str| LinkKey { key, line: line(&program(name)).unwrap() };
        std::fs::write(program("theirs.exe"), "").unwrap();
        let (ours, theirs, gone) = (of("ours.exe"), of("theirs.exe"), of("gone.exe"));

        assert_eq!(ours.read(), LinkProgram::Nobody);
        ours.keep().unwrap();
        assert_eq!(ours.read(), LinkProgram::Ours);
        assert!(CURRENT_USER.open(key).unwrap().get_string("URL Protocol").is_ok(), "what makes it a scheme");
        for (other, after) in [(&theirs, LinkProgram::Other(theirs.line.clone())), (&gone, LinkProgram::Ours)]
        {
            other.write().unwrap();
            ours.keep().unwrap();
            assert_eq!(ours.read(), after, "{}", other.line);
        }
        CURRENT_USER.remove_tree(key).unwrap();
    }

    #[test]
    fn a_link_is_one_word_and_no_option() {
        let line = line(Path::new(r"C:\My Box\signalbox-desktop.exe"));
        assert_eq!(line.as_deref(), Some(r#""C:\My Box\signalbox-desktop.exe" -- "%1""#));
        assert_eq!(super::line(Path::new("a\"b")), None);
    }
}
