//! Starting with the session, as a Linux desktop does it: by a file of ours in the person's folder `autostart`. What that file
//! says is all that there is to know: the person, or their desktop's own settings, may have changed it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy as _;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{ApiError, Code, Home, NoWindowProgram, programs::WINDOW, window_program};

/// The name of the file.
const FILE: &str = "signalbox.desktop";
/// No file of ours is longer, in bytes.
const LONGEST: u64 = 16 * 1024;

/// Whether the person's session starts Signalbox, hidden.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Autostart {
    /// Whether it does, for this data directory.
    pub on: bool,
    /// The file that says so, or would; none where the system has no such files.
    pub file: Option<String>,
    /// The command line that it starts, where that is another one than ours would be.
    pub other: Option<String>,
}

impl Autostart {
    /// Of a system that has no such files.
    pub(crate) const fn none() -> Self {
        Self { on: false, file: None, other: None }
    }
}

/// The file of one data directory.
pub(crate) struct Entry {
    file: PathBuf,
    /// The program of the window, and what it is started with.
    line: Result<String, NoLine>,
}

/// Why no file can start us.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum NoLine {
    #[error(transparent)]
    NoProgram(#[from] NoWindowProgram),
    /// The Desktop Entry Specification has no way to write it.
    #[error(
        "an autostart file cannot hold the path {}. Move it to a path of Unicode text without line breaks and, for the program, without \"=\"",
        .0.display()
    )]
    Path(PathBuf),
}

impl Entry {
    /// Where it would be for this data directory; none where the system has no such files.
    pub(crate) fn of(home: &Home) -> Option<Self> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        let places = etcetera::base_strategy::choose_native_strategy().ok()?;
        let usual = places.data_dir().join("signalbox");
        let is_usual = fs::canonicalize(usual).is_ok_and(|usual| usual == home.dir());
        let program = window_program().map_err(NoLine::from);
        let line = program.and_then(|program| line(&program, (!is_usual).then(|| home.dir())));
        Some(Self { file: places.config_dir().join("autostart").join(FILE), line })
    }

    /// What it says now. One that cannot be read starts nothing.
    pub(crate) fn read(&self) -> Autostart {
        let text = signalbox_files::read(&self.file, LONGEST)
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .unwrap_or_default();
        let runs = starts(&text);
        let on = runs.is_some() && runs == self.line.as_deref().ok();
        Autostart {
            on,
            file: Some(self.file.display().to_string()),
            other: runs.filter(|_| !on).map(str::to_owned),
        }
    }

    /// Writes it, or takes it away.
    ///
    /// # Errors
    /// [`Code::NotSupported`] where the window's program is not found, or no such file can name it; [`Code::StorageDenied`] when
    /// the file cannot be written or taken away.
    pub(crate) fn write(&self, on: bool) -> Result<(), ApiError> {
        if !on {
            return match fs::remove_file(&self.file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(self.failed("taken away", &error))
                }
                _ => Ok(()),
            };
        }
        let line = self.line.as_ref().map_err(|why| {
            ApiError::new(Code::NotSupported, format!("The session cannot start Signalbox: {why}"))
        })?;
        self.put(&text(line)).map_err(|error| self.failed("written", &error))
    }

    /// As a whole or not at all: half a file would start something else.
    fn put(&self, text: &str) -> io::Result<()> {
        let dir = self.file.parent().expect("BUG: it lies in a folder");
        fs::create_dir_all(dir)?;
        let beside = dir.join(format!(".{FILE}.new"));
        fs::write(&beside, text)?;
        fs::rename(&beside, &self.file)
    }

    fn failed(&self, what: &str, error: &io::Error) -> ApiError {
        let message = format!("{} cannot be {what}: {error}. It is as it was", self.file.display());
        ApiError::new(Code::StorageDenied, message)
    }
}

/// The command line, as such a file has it.
fn line(program: &Path, home: Option<&Path>) -> Result<String, NoLine> {
    let word = |path: &Path| path.to_str().and_then(word).ok_or_else(|| NoLine::Path(path.to_owned()));
    // A desktop may take a first word with this for a variable that is to be set.
    if program.as_os_str().as_encoded_bytes().contains(&b'=') {
        return Err(NoLine::Path(program.to_owned()));
    }
    let mut line = word(program)?;
    // GLib looks for the first word without reading its percent signs, and starts nothing where it finds no such program.
    if line.contains('%') {
        line = format!("env {line}");
    }
    if let Some(home) = home {
        line = format!("{line} --home {}", word(home)?);
    }
    Ok(format!("{line} --hidden"))
}

/// One word of the line, by the rules of the Desktop Entry Specification: quoted, and escaped twice, once for the quotes and once
/// for the file.
fn word(text: &str) -> Option<String> {
    if text.chars().any(char::is_control) {
        return None;
    }
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\\\\\"),
            '"' | '`' | '$' => quoted.extend(["\\\\", &c.to_string()]),
            '%' => quoted.push_str("%%"),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    Some(quoted)
}

fn text(line: &str) -> String {
    format!(
        "[Desktop Entry]\nType=Application\nName=Signalbox\nComment=Follows long-running MCP tasks\nExec={line}\n\
         Icon={WINDOW}\nTerminal=false\nStartupNotify=false\nX-GNOME-Autostart-enabled=true\n"
    )
}

/// The command line that such a file starts; none where it starts none, or was switched off.
fn starts(text: &str) -> Option<&str> {
    let entry = text.lines().skip_while(|line| line.trim() != "[Desktop Entry]").skip(1);
    let entry = entry.take_while(|line| !line.starts_with('['));
    let members =
        entry.filter_map(|line| line.split_once('=').map(|(name, value)| (name.trim(), value.trim())));
    let mut exec = None;
    for (name, value) in members {
        match name {
            "Exec" => exec = Some(value),
            "Hidden" if value == "true" => return None,
            "X-GNOME-Autostart-enabled" if value == "false" => return None,
            _ => {}
        }
    }
    exec
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(dir: &Path, program: &str) -> Entry {
        Entry { file: dir.join("autostart").join(FILE), line: line(Path::new(program), None) }
    }

    #[test]
    fn what_is_written_is_on_and_what_is_taken_away_is_off() {
        let dir = tempfile::tempdir().unwrap();
        let entry = entry(dir.path(), "/opt/My Tools/signalbox-desktop");
        let off = Autostart { on: false, file: Some(entry.file.display().to_string()), other: None };
        assert_eq!(entry.read(), off, "there is no file yet");
        entry.write(false).unwrap();
        for _ in 0..2 {
            entry.write(true).unwrap();
            assert_eq!(entry.read(), Autostart { on: true, ..off.clone() });
        }
        let text = fs::read_to_string(&entry.file).unwrap();
        assert!(text.contains("\nExec=\"/opt/My Tools/signalbox-desktop\" --hidden\n"), "{text}");
        let names: Vec<_> = fs::read_dir(entry.file.parent().unwrap()).unwrap().flatten().collect();
        assert_eq!(names.len(), 1, "nothing else is left there: {names:?}");
        entry.write(false).unwrap();
        assert_eq!(entry.read(), off);
    }

    #[test]
    fn a_desktop_that_switched_it_off_is_heard() {
        let dir = tempfile::tempdir().unwrap();
        let entry = entry(dir.path(), "/usr/bin/signalbox-desktop");
        entry.write(true).unwrap();
        let text = fs::read_to_string(&entry.file).unwrap();
        for off in [text.replace("enabled=true", "enabled=false"), format!("{text}Hidden=true\n")] {
            fs::write(&entry.file, off).unwrap();
            assert!(!entry.read().on);
        }
        entry.write(true).unwrap();
        assert!(entry.read().on, "the person's word here comes last");
    }

    #[test]
    fn a_file_that_starts_something_else_says_what() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) =
            (entry(dir.path(), "/old/signalbox-desktop"), entry(dir.path(), "/new/signalbox-desktop"));
        old.write(true).unwrap();
        let read = new.read();
        assert_eq!((read.on, read.other.as_deref()), (false, Some("\"/old/signalbox-desktop\" --hidden")));
        for odd in ["", "Exec=x", "[Desktop Action a]\nExec=x", "[Desktop Entry]\nName=x\n[Other]\nExec=x"] {
            assert_eq!(starts(odd), None, "{odd:?}");
        }
    }

    #[test]
    fn a_path_is_one_word_of_the_line_whatever_is_in_it() {
        assert_eq!(word("/a b").unwrap(), "\"/a b\"");
        assert_eq!(word("/50%").unwrap(), "\"/50%%\"", "else it is a field code");
        assert_eq!(word("/$HOME`x`\"").unwrap(), "\"/\\\\$HOME\\\\`x\\\\`\\\\\"\"");
        assert_eq!(word("/a\\b").unwrap(), "\"/a\\\\\\\\b\"");
        assert_eq!(word("/a\nExec=evil"), None, "no line of its own");
        let home = line(Path::new("/bin/signalbox-desktop"), Some(Path::new("/data/one two"))).unwrap();
        assert_eq!(home, "\"/bin/signalbox-desktop\" --home \"/data/one two\" --hidden");
        let percent = line(Path::new("/50%/signalbox-desktop"), Some(Path::new("/5%"))).unwrap();
        assert_eq!(percent, "env \"/50%%/signalbox-desktop\" --home \"/5%%\" --hidden");
    }

    #[test]
    fn without_a_window_that_can_be_named_nothing_is_written_and_it_is_said_why() {
        let dir = tempfile::tempdir().unwrap();
        let program = Path::new("/bin/signalbox-desktop");
        let cases = [
            (Err(NoWindowProgram.into()), "neither beside this one nor on the search path"),
            (
                line(Path::new("/opt/a=b/signalbox-desktop"), None),
                "cannot hold the path /opt/a=b/signalbox-desktop",
            ),
            (line(program, Some(Path::new("/data/a\nb"))), "cannot hold the path"),
        ];
        for (line, why) in cases {
            let entry = Entry { file: dir.path().join(FILE), line };
            assert!(!entry.read().on);
            let error = entry.write(true).unwrap_err();
            assert_eq!(error.code, Code::NotSupported);
            assert!(error.message.contains(why), "{error}");
            assert!(!entry.file.exists());
        }
        assert!(line(program, Some(Path::new("/data/a=b"))).is_ok(), "that is no program");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_made_is_said() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("autostart"), "a file in the way").unwrap();
        let error = entry(dir.path(), "/bin/signalbox-desktop").write(true).unwrap_err();
        assert_eq!(error.code, Code::StorageDenied);
    }
}
