//! On Windows: a value of the key `Run` in the person's part of the registry. What they switched off in the system's own list of
//! such programs stands under another key, and holds until they say otherwise here.

use windows_registry::{CURRENT_USER, Key};

use std::path::Path;

use super::{Autostart, NoLine, home_argument};
use crate::{
    ApiError, Code, Home,
    registry::{NOT_THERE, quoted},
    window_program,
};

const RUN: &str = r"Software\Microsoft\Windows\CurrentVersion\Run";
/// Where the system's own list says which of them are switched off.
const APPROVED: &str = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run";
/// The name of the value.
const NAME: &str = "Signalbox";
/// The longest command line that `Run` starts, in units of UTF-16.
const LONGEST: usize = 260;

/// The value of one data directory.
pub(crate) struct Entry {
    /// The key whose values are started.
    run: &'static str,
    /// The key that says which of them are switched off.
    approved: &'static str,
    /// The program of the window, and what it is started with.
    line: Result<String, NoLine>,
}

impl Entry {
    /// What it would be for this data directory.
    pub(crate) fn of(home: &Home) -> Option<Self> {
        Some(Self {
            run: RUN,
            approved: APPROVED,
            line: window_program()
                .map_err(NoLine::from)
                .and_then(|program| line(&program, home_argument(home))),
        })
    }

    /// What it says now.
    pub(crate) fn read(&self) -> Autostart {
        let value = |path: &str| CURRENT_USER.open(path).ok();
        let runs = value(self.run).and_then(|key| key.get_string(NAME).ok());
        let approved = value(self.approved).and_then(|key| key.get_value(NAME).ok());
        // The first byte is odd where it is switched off.
        let is_off = approved.is_some_and(|bytes| bytes.first().is_some_and(|first| first % 2 == 1));
        let place = format!(r"HKEY_CURRENT_USER\{}\{NAME}", self.run);
        Autostart::found(place, runs.filter(|_| !is_off), self.line.as_deref().ok())
    }

    /// Writes it, or takes it away.
    ///
    /// # Errors
    /// [`Code::NotSupported`] where the window's program is not found, or its command line cannot be written;
    /// [`Code::StorageDenied`] when the registry takes no writing.
    pub(crate) fn write(&self, on: bool) -> Result<(), ApiError> {
        let changed = if on {
            let line = self.line.clone()?;
            forget(self.approved).and_then(|()| CURRENT_USER.create(self.run)?.set_string(NAME, &line))
        } else {
            forget(self.run).and_then(|()| forget(self.approved))
        };
        changed.map_err(|error| {
            let message = format!(r"HKEY_CURRENT_USER\{} cannot be changed: {error}", self.run);
            ApiError::new(Code::StorageDenied, message)
        })
    }
}

/// Takes our value away, if it is there.
fn forget(path: &str) -> windows_registry::Result<()> {
    let removed =
        CURRENT_USER.options().read().write().open(path).and_then(|key: Key| key.remove_value(NAME));
    match removed {
        Err(error) if error.code() != NOT_THERE => Err(error),
        _ => Ok(()),
    }
}

/// The command line, as Windows takes it apart again.
fn line(program: &Path, home: Option<&Path>) -> Result<String, NoLine> {
    let mut line = word(program)?;
    if let Some(home) = home {
        line = format!("{line} --home {}", word(home)?);
    }
    let line = format!("{line} --hidden");
    if line.encode_utf16().count() > LONGEST {
        return Err(NoLine::Long { line, longest: LONGEST });
    }
    Ok(line)
}

fn word(path: &Path) -> Result<String, NoLine> {
    quoted(path).ok_or_else(|| NoLine::Path {
        path: path.to_owned(),
        what: "the registry's list of programs to start",
        advice: "Move it to a path of Unicode text",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_on_and_what_is_taken_away_is_off() {
        // Not what the session of whoever runs this starts.
        let (run, approved) =
            (r"Software\Signalbox test\Run", r"Software\Signalbox test\StartupApproved\Run");
        let of = |program: &str| Entry {
            run,
            approved,
            line: line(Path::new(program), Some(Path::new(r"D:\box\"))),
        };
        let (ours, other) = (of(r"C:\My Box\signalbox-desktop.exe"), of(r"C:\old\signalbox-desktop.exe"));
        assert_eq!(
            ours.line.as_deref(),
            Ok(r#""C:\My Box\signalbox-desktop.exe" --home "D:\box\\" --hidden"#)
        );
        ours.write(false).unwrap();
        assert!(!ours.read().on);
        for _ in 0..2 {
            ours.write(true).unwrap();
            assert!(ours.read().on && ours.read().other.is_none());
        }
        assert_eq!((other.read().on, other.read().other), (false, ours.line.clone().ok()));

        let system = CURRENT_USER.create(approved).unwrap();
        system.set_bytes(NAME, windows_registry::Type::Bytes, &[3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap();
        assert!(!ours.read().on, "switched off in the system's own list");
        ours.write(true).unwrap();
        assert!(ours.read().on, "the person's word here comes last");
        ours.write(false).unwrap();
        ours.write(false).unwrap();
        assert!(!ours.read().on);
        CURRENT_USER.remove_tree(r"Software\Signalbox test").unwrap();
    }

    #[test]
    fn a_line_that_windows_would_not_start_is_not_written() {
        assert!(matches!(line(Path::new(&"x".repeat(LONGEST)), None), Err(NoLine::Long { .. })));
        assert!(matches!(line(Path::new("a\"b"), None), Err(NoLine::Path { .. })));
    }
}
