//! On Windows: which program opens our links, as the person's part of the registry has it. No package says so there, so the window's
//! program does at each start, unless a link already has a program that is still there.

use std::path::Path;

use windows_registry::{CLASSES_ROOT, CURRENT_USER, Key, Result};

use crate::{
    Home, LINK_SCHEME,
    registry::{NOT_THERE, quoted},
    window_program,
};

/// Where the person's own programs of schemes are; those of all persons stand in [`CLASSES_ROOT`].
const CLASSES: &str = r"Software\Classes";

/// Which program opens them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LinkProgram {
    /// No program does.
    Nobody,
    /// The window's program.
    Ours,
    /// This command line, or one that cannot be read.
    Other(String),
}

/// The key of our scheme.
pub(crate) struct LinkKey {
    scheme: String,
    /// The command line that is ours.
    line: String,
}

impl LinkKey {
    /// What it would be for this program; none where the window's program is not there, or cannot be named.
    pub(crate) fn of() -> Option<Self> {
        Some(Self { scheme: LINK_SCHEME.to_owned(), line: line(&window_program().ok()?)? })
    }

    /// Where it lies, for a person to find it.
    pub(crate) fn place(&self) -> String {
        format!(r"HKEY_CLASSES_ROOT\{}", self.scheme)
    }

    /// What opens them, whoever said so: first of all the person's own programs.
    pub(crate) fn read(&self) -> LinkProgram {
        let own = said(CURRENT_USER, &format!(r"{CLASSES}\{}\{COMMAND}", self.scheme));
        let line = match own {
            Err(error) if error.code() == NOT_THERE => {
                said(CLASSES_ROOT, &format!(r"{}\{COMMAND}", self.scheme))
            }
            own => own,
        };
        match line {
            Ok(line) if line == self.line => LinkProgram::Ours,
            Ok(line) => LinkProgram::Other(line),
            Err(error) if error.code() == NOT_THERE => LinkProgram::Nobody,
            Err(error) => LinkProgram::Other(error.to_string()),
        }
    }

    /// Has them open ours.
    fn write(&self) -> Result<()> {
        let key = CURRENT_USER.create(format!(r"{CLASSES}\{}", self.scheme))?;
        key.set_string("", "URL:Signalbox")?;
        key.set_string("URL Protocol", "")?;
        key.create(COMMAND)?.set_string("", &self.line)
    }

    fn keep(&self) -> Result<()> {
        match self.read() {
            LinkProgram::Ours => Ok(()),
            LinkProgram::Other(line) if is_there(&line) => Ok(()),
            LinkProgram::Other(_) | LinkProgram::Nobody => self.write(),
        }
    }
}

/// The part of the key that has the command line.
const COMMAND: &str = r"shell\open\command";

/// Has our links open the window's program, unless another one that is there has them already. Only for the usual data directory:
/// links are for that alone.
pub fn open_links(home: &Home) {
    let key = home.is_usual().then(LinkKey::of).flatten();
    if let Some(Err(error)) = key.map(|key| key.keep()) {
        tracing::warn!(%error, "no program opens signalbox: links");
    }
}

fn said(root: &Key, path: &str) -> Result<String> {
    root.open(path)?.get_string("")
}

/// What Windows starts: a link is one word, and whatever is in it, it is no option.
fn line(program: &Path) -> Option<String> {
    Some(format!("{} -- \"%1\"", quoted(program)?))
}

/// Whether the program of a command line may still be where it says: only one that is surely gone loses its links.
fn is_there(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('"') else { return true };
    rest.split('"').next().is_some_and(|program| Path::new(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_open_ours_and_no_other_program_that_is_there_loses_them() {
        // Not the links of whoever runs this.
        let scheme = format!("signalbox-test-{}", std::process::id());
        let key = format!(r"{CLASSES}\{scheme}");
        // What a test that failed has left.
        let _ = CURRENT_USER.remove_tree(&key);
        let dir = tempfile::tempdir().unwrap();
        let program = |name: &str| dir.path().join(name);
        let of = |name: &str| LinkKey { scheme: scheme.clone(), line: line(&program(name)).unwrap() };
        std::fs::write(program("theirs.exe"), "").unwrap();
        let (ours, theirs, gone) = (of("ours.exe"), of("theirs.exe"), of("gone.exe"));

        assert_eq!(ours.read(), LinkProgram::Nobody);
        ours.keep().unwrap();
        assert_eq!(ours.read(), LinkProgram::Ours);
        assert!(
            CURRENT_USER.open(&key).unwrap().get_string("URL Protocol").is_ok(),
            "what makes it a scheme"
        );
        let unclear = LinkKey { line: r"C:\Program Files\x.exe %1".to_owned(), ..of("unclear.exe") };
        for (other, stays) in [(&theirs, true), (&gone, false), (&unclear, true)] {
            other.write().unwrap();
            ours.keep().unwrap();
            let after = if stays { LinkProgram::Other(other.line.clone()) } else { LinkProgram::Ours };
            assert_eq!(ours.read(), after, "{}", other.line);
        }
        CURRENT_USER.remove_tree(&key).unwrap();
    }

    #[test]
    fn a_link_is_one_word_and_no_option() {
        let line = line(Path::new(r"C:\My Box\signalbox-desktop.exe"));
        assert_eq!(line.as_deref(), Some(r#""C:\My Box\signalbox-desktop.exe" -- "%1""#));
        assert_eq!(super::line(Path::new("a\"b")), None);
    }
}
