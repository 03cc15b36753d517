//! On a Linux desktop: a file of ours in the person's folder `autostart`.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

use super::{Autostart, NoLine, file::File, home_argument};
use crate::{
    ApiError, Home, command_program,
    programs::{WINDOW, image},
};

/// The name of the file.
const FILE: &str = "signalbox.desktop";
/// No file of ours is longer, in bytes.
const LONGEST: u64 = 16 * 1024;

/// The arguments of the command. Another owner is no failure.
const SERVE: &str = "serve --tray --unless-owned";

/// The file of one data directory.
pub(crate) struct Entry {
    file: File,
    /// What is started.
    line: Result<String, NoLine>,
}

impl Entry {
    /// Where it would be for this data directory; none where the person has no home.
    pub(crate) fn of(home: &Home) -> Option<Self> {
        let places = etcetera::base_strategy::choose_native_strategy().ok()?;
        let line = started().and_then(|(program, arguments)| line(&program, home_argument(home), arguments));
        Some(Self { file: File(places.config_dir().join("autostart").join(FILE)), line })
    }

    /// What it says now. One that cannot be read starts nothing.
    pub(crate) fn read(&self) -> Autostart {
        let text = signalbox_files::read(&self.file.0, LONGEST)
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .unwrap_or_default();
        let runs = starts(&text).map(str::to_owned);
        Autostart::found(self.file.0.display().to_string(), runs, self.line.as_deref().ok())
    }

    /// Writes it, or takes it away.
    ///
    /// # Errors
    /// [`Code::NotSupported`](crate::Code::NotSupported) where the program is not found, or no such file can name it;
    /// [`Code::StorageDenied`](crate::Code::StorageDenied) when the file cannot be written or taken away.
    pub(crate) fn write(&self, on: bool) -> Result<(), ApiError> {
        if !on {
            return self.file.remove();
        }
        self.file.write(text(&self.line.clone()?).as_bytes())
    }
}

/// The program that follows the tasks without a window, and its arguments. It is the command: the window's program would have the
/// libraries of a web view read at each login. An AppImage has one entry alone.
fn started() -> Result<(PathBuf, &'static str), NoLine> {
    if let Some(image) = image() {
        return Ok((image, "--hidden"));
    }
    Ok((command_program()?, SERVE))
}

/// The command line, as such a file has it.
fn line(program: &Path, home: Option<&Path>, arguments: &str) -> Result<String, NoLine> {
    let no = |path: &Path| NoLine::Path {
        path: path.to_owned(),
        what: "an autostart file",
        advice: "Move it to a path of Unicode text without line breaks and, for the program, without \"=\"",
    };
    let word = |path: &Path| path.to_str().and_then(word).ok_or_else(|| no(path));
    // A desktop may take a first word with this for a variable that is to be set.
    if program.as_os_str().as_encoded_bytes().contains(&b'=') {
        return Err(no(program));
    }
    let mut line = word(program)?;
    // GLib looks for the first word without reading its percent signs, and starts nothing where it finds no such program.
    if line.contains('%') {
        line = format!("env {line}");
    }
    if let Some(home) = home {
        line = format!("{line} --home {}", word(home)?);
    }
    Ok(format!("{line} {arguments}"))
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
    use std::fs;

    use super::*;
    use crate::{Code, NoProgram};

    fn entry(dir: &Path, program: &str) -> Entry {
        Entry { file: File(dir.join("autostart").join(FILE)), line: line(Path::new(program), None, SERVE) }
    }

    #[test]
    fn what_is_written_is_on_and_what_is_taken_away_is_off() {
        let dir = tempfile::tempdir().unwrap();
        let entry = entry(dir.path(), "/opt/My Tools/signalbox");
        let off = Autostart { on: false, file: Some(entry.file.0.display().to_string()), other: None };
        assert_eq!(entry.read(), off, "there is no file yet");
        entry.write(false).unwrap();
        for _ in 0..2 {
            entry.write(true).unwrap();
            assert_eq!(entry.read(), Autostart { on: true, ..off.clone() });
        }
        let text = fs::read_to_string(&entry.file.0).unwrap();
        assert!(text.contains("\nExec=\"/opt/My Tools/signalbox\" serve --tray --unless-owned\n"), "{text}");
        let names: Vec<_> = fs::read_dir(entry.file.0.parent().unwrap()).unwrap().flatten().collect();
        assert_eq!(names.len(), 1, "nothing else is left there: {names:?}");
        entry.write(false).unwrap();
        assert_eq!(entry.read(), off);
    }

    #[test]
    fn a_desktop_that_switched_it_off_is_heard() {
        let dir = tempfile::tempdir().unwrap();
        let entry = entry(dir.path(), "/usr/bin/signalbox");
        entry.write(true).unwrap();
        let text = fs::read_to_string(&entry.file.0).unwrap();
        for off in [text.replace("enabled=true", "enabled=false"), format!("{text}Hidden=true\n")] {
            fs::write(&entry.file.0, off).unwrap();
            assert!(!entry.read().on);
        }
        entry.write(true).unwrap();
        assert!(entry.read().on, "the person's word here comes last");
    }

    #[test]
    fn a_file_that_starts_something_else_says_what() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) = (entry(dir.path(), "/old/signalbox"), entry(dir.path(), "/new/signalbox"));
        old.write(true).unwrap();
        let read = new.read();
        assert_eq!(
            (read.on, read.other.as_deref()),
            (false, Some("\"/old/signalbox\" serve --tray --unless-owned"))
        );
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
        let home = line(Path::new("/bin/signalbox"), Some(Path::new("/data/one two")), SERVE).unwrap();
        assert_eq!(home, "\"/bin/signalbox\" --home \"/data/one two\" serve --tray --unless-owned");
        let percent = line(Path::new("/50%/signalbox"), Some(Path::new("/5%")), SERVE).unwrap();
        assert_eq!(percent, "env \"/50%%/signalbox\" --home \"/5%%\" serve --tray --unless-owned");
    }

    #[test]
    fn without_a_program_that_can_be_named_nothing_is_written_and_it_is_said_why() {
        let dir = tempfile::tempdir().unwrap();
        let program = Path::new("/bin/signalbox");
        let cases = [
            (Err(NoProgram::Command.into()), "neither beside this one nor on the search path"),
            (line(Path::new("/opt/a=b/signalbox"), None, SERVE), "cannot hold the path /opt/a=b/signalbox"),
            (line(program, Some(Path::new("/data/a\nb")), SERVE), "cannot hold the path"),
        ];
        for (line, why) in cases {
            let entry = Entry { file: File(dir.path().join(FILE)), line };
            assert!(!entry.read().on);
            let error = entry.write(true).unwrap_err();
            assert_eq!(error.code, Code::NotSupported);
            assert!(error.message.contains(why), "{error}");
            assert!(!entry.file.0.exists());
        }
        assert!(line(program, Some(Path::new("/data/a=b")), SERVE).is_ok(), "that is no program");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_made_is_said() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("autostart"), "a file in the way").unwrap();
        let error = entry(dir.path(), "/bin/signalbox").write(true).unwrap_err();
        assert_eq!(error.code, Code::StorageDenied);
    }
}
