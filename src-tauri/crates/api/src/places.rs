//! Where each system wants the data and the logs of a program to which nobody names a place.

use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The directory of all programs' data; none where nobody knows our person's home directory.
pub(crate) fn data() -> Option<PathBuf> {
    let places = etcetera::base_strategy::choose_native_strategy().ok()?;
    // On Windows the usual place is for what roams: a database would be copied at each login and logout.
    Some(if cfg!(windows) { places.cache_dir() } else { places.data_dir() })
}

/// The data directory that nobody has to name.
pub(crate) fn usual() -> Option<PathBuf> {
    Some(data()?.join("signalbox"))
}

/// Where the logs are of whoever uses that one; none where they are to lie in it, as on Windows.
pub(crate) fn logs() -> Option<PathBuf> {
    let places = etcetera::base_strategy::choose_native_strategy().ok()?;
    if cfg!(target_os = "macos") {
        return Some(places.home_dir().join("Library/Logs/Signalbox"));
    }
    places.state_dir().map(|state| state.join("signalbox").join("logs"))
}
