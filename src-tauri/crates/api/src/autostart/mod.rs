//! Starting with the session, as each system wants it: by a file in the person's folder `autostart` on a Linux desktop, an agent of
//! `launchd` on macOS, and a value of the key `Run` on Windows. What stands there is all that there is to know: the person, or
//! their system's own settings, may have changed it.

#[cfg(all(unix, not(target_os = "macos")))]
mod desktop_file;
#[cfg(any(unix, test))]
mod file;
#[cfg(any(target_os = "macos", test))]
mod launch_agent;
#[cfg(windows)]
mod run_key;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{ApiError, Code, Home, NoProgram};

#[cfg(all(unix, not(target_os = "macos")))]
pub(crate) use desktop_file::Entry;
#[cfg(target_os = "macos")]
pub(crate) use launch_agent::Entry;
#[cfg(windows)]
pub(crate) use run_key::Entry;

/// Whether the person's session starts Signalbox, hidden.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Autostart {
    /// Whether it does, for this data directory.
    pub on: bool,
    /// The file that says so, or would, or on Windows the value in the registry; none where the system has no place for it.
    pub file: Option<String>,
    /// The command line that it starts, where that is another one than ours would be.
    pub other: Option<String>,
}

impl Autostart {
    /// Where there is no place for it.
    pub(crate) const fn none() -> Self {
        Self { on: false, file: None, other: None }
    }

    /// What stands at this place: `runs` is the command line that it starts, if any, and `ours` the one that we would write.
    fn found(place: String, runs: Option<String>, ours: Option<&str>) -> Self {
        let on = runs.is_some() && runs.as_deref() == ours;
        Self { on, file: Some(place), other: runs.filter(|_| !on) }
    }
}

/// Why the session cannot start us.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum NoLine {
    #[error(transparent)]
    NoProgram(#[from] NoProgram),
    /// The system has no way to write it down.
    #[error("{what} cannot hold the path {}. {advice}", .path.display())]
    Path { path: PathBuf, what: &'static str, advice: &'static str },
    /// The system starts nothing that is longer.
    #[cfg(windows)]
    #[error(
        "the command line {line} has more than {longest} characters, and Windows starts none that is longer. Move the program or the data directory to a shorter path"
    )]
    Long { line: String, longest: usize },
}

impl From<NoLine> for ApiError {
    fn from(why: NoLine) -> Self {
        Self::new(Code::NotSupported, format!("The session cannot start Signalbox: {why}"))
    }
}

/// The data directory that what starts has to be told of: none where it is the usual one.
fn home_argument(home: &Home) -> Option<&Path> {
    (!home.is_usual()).then(|| home.dir())
}
