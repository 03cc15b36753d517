//! On macOS: a file that has `launchd` start it when the person logs in. What is switched off in the system's settings, or by
//! `launchctl disable`, stays off, and is not seen here: the file does not say it.

use std::path::PathBuf;

use etcetera::BaseStrategy as _;
use serde::{Deserialize, Serialize};

use super::{Autostart, NoLine, file::File, home_argument};
use crate::{ApiError, Home, window_program};

/// What `launchd` knows it by.
const LABEL: &str = "app.signalbox.desktop";
/// No file of ours is longer, in bytes.
const LONGEST: u64 = 16 * 1024;

/// What such a file says: see `launchd.plist(5)`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Agent {
    label: String,
    #[serde(default)]
    program_arguments: Vec<String>,
    #[serde(default)]
    run_at_load: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    disabled: bool,
    /// It has an icon and windows, and is no less important than any other program.
    #[serde(default)]
    process_type: String,
}

/// The file of one data directory.
pub(crate) struct Entry {
    file: File,
    /// The program of the window, and what it is started with.
    words: Result<Vec<String>, NoLine>,
}

impl Entry {
    /// Where it would be for this data directory; none where the person has no home.
    #[cfg_attr(not(target_os = "macos"), expect(dead_code, reason = "only macOS has such files"))]
    pub(crate) fn of(home: &Home) -> Option<Self> {
        let places = etcetera::base_strategy::choose_native_strategy().ok()?;
        let dir = places.home_dir().join("Library").join("LaunchAgents");
        let words = window_program()
            .map_err(NoLine::from)
            .and_then(|program| words(program, home_argument(home).map(Into::into)));
        Some(Self { file: File(dir.join(format!("{LABEL}.plist"))), words })
    }

    /// What it says now. One that cannot be read starts nothing.
    pub(crate) fn read(&self) -> Autostart {
        let agent = signalbox_files::read(&self.file.0, LONGEST)
            .ok()
            .and_then(|bytes| plist::from_bytes::<Agent>(&bytes).ok())
            .filter(|agent| agent.run_at_load && !agent.disabled && !agent.program_arguments.is_empty());
        let runs = agent.map(|agent| shell_words::join(agent.program_arguments));
        let ours = self.words.as_ref().ok().map(shell_words::join);
        Autostart::found(self.file.0.display().to_string(), runs, ours.as_deref())
    }

    /// Writes it, or takes it away.
    ///
    /// # Errors
    /// [`Code::NotSupported`](crate::Code::NotSupported) where the window's program is not found, or no such file can name it;
    /// [`Code::StorageDenied`](crate::Code::StorageDenied) when the file cannot be written or taken away.
    pub(crate) fn write(&self, on: bool) -> Result<(), ApiError> {
        if !on {
            return self.file.remove();
        }
        let agent = Agent {
            label: LABEL.to_owned(),
            program_arguments: self.words.clone()?,
            run_at_load: true,
            disabled: false,
            process_type: "Interactive".to_owned(),
        };
        let mut text = Vec::new();
        plist::to_writer_xml(&mut text, &agent).expect("BUG: it has texts and truth values alone");
        self.file.write(&text)
    }
}

/// What is started, word by word: no shell reads it.
fn words(program: PathBuf, home: Option<PathBuf>) -> Result<Vec<String>, NoLine> {
    let word = |path: PathBuf| {
        let text = path.to_str().filter(|text| !text.chars().any(char::is_control)).map(str::to_owned);
        let advice = "Move it to a path of Unicode text without line breaks";
        text.ok_or(NoLine::Path { path, what: "a launch agent", advice })
    };
    let mut words = vec![word(program)?];
    if let Some(home) = home {
        words.extend(["--home".to_owned(), word(home)?]);
    }
    words.push("--hidden".to_owned());
    Ok(words)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;
    use crate::Code;

    fn entry(dir: &Path, program: &str) -> Entry {
        let file = File(dir.join("LaunchAgents").join(format!("{LABEL}.plist")));
        Entry { file, words: words(program.into(), Some("/data/<one> & two".into())) }
    }

    #[test]
    fn what_is_written_is_on_and_what_is_taken_away_is_off() {
        let dir = tempfile::tempdir().unwrap();
        let entry = entry(dir.path(), "/Applications/My Box.app/signalbox-desktop");
        let off = Autostart { on: false, file: Some(entry.file.0.display().to_string()), other: None };
        assert_eq!(entry.read(), off, "there is no file yet");
        entry.write(false).unwrap();
        for _ in 0..2 {
            entry.write(true).unwrap();
            assert_eq!(entry.read(), Autostart { on: true, ..off.clone() });
        }
        let text = fs::read_to_string(&entry.file.0).unwrap();
        assert!(
            text.contains("<string>/data/&lt;one&gt; &amp; two</string>"),
            "nothing in it is markup: {text}"
        );
        entry.write(false).unwrap();
        assert_eq!(entry.read(), off);
    }

    #[test]
    fn what_others_changed_is_heard() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) =
            (entry(dir.path(), "/old/signalbox-desktop"), entry(dir.path(), "/new/signalbox-desktop"));
        old.write(true).unwrap();
        let read = new.read();
        let other = "/old/signalbox-desktop --home '/data/<one> & two' --hidden";
        assert_eq!((read.on, read.other.as_deref()), (false, Some(other)));
        let text = fs::read_to_string(&old.file.0).unwrap();
        let off = [
            text.replace("<key>RunAtLoad</key>\n\t<true", "<key>RunAtLoad</key>\n\t<false"),
            text.replace("<dict>", "<dict>\n\t<key>Disabled</key>\n\t<true/>"),
            "no list at all".to_owned(),
            String::new(),
        ];
        for off in off {
            assert_ne!(off, text);
            fs::write(&old.file.0, off).unwrap();
            assert!(!old.read().on);
        }
    }

    #[test]
    fn a_path_that_such_a_file_cannot_hold_is_said() {
        let error = words("/opt/a\nb".into(), None).unwrap_err();
        let error = ApiError::from(error);
        assert_eq!(error.code, Code::NotSupported);
        assert!(error.message.contains("a launch agent cannot hold the path /opt/a"), "{error}");
    }
}
