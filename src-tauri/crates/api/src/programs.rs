//! Our programs, as they are found to be started: this one, the window's and the command's.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The program of the window. Packages name its icon alike.
pub(crate) const WINDOW: &str = "signalbox-desktop";
/// The program of the command.
const COMMAND: &str = "signalbox";

/// The program of this process, as it can be started again later: of an AppImage its file, since what is mounted goes
/// with us. None where the system does not say.
#[must_use]
pub fn own_program() -> Option<PathBuf> {
    let own = env::current_exe().ok()?;
    let mounted = env::var_os("APPDIR").is_some_and(|dir| !dir.is_empty() && own.starts_with(dir));
    // Whoever was started by another AppImage inherits its variables.
    let image = env::var_os("APPIMAGE").map(PathBuf::from).filter(|image| mounted && image.is_file());
    Some(image.unwrap_or(own))
}

/// A program of ours cannot be started: it is neither beside this one nor on the search path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoProgram {
    /// The window cannot be opened.
    #[error("{}, the window's program, is neither beside this one nor on the search path", WINDOW)]
    Window,
    /// Nothing can follow the tasks without a window.
    #[error("{}, the command's program, is neither beside this one nor on the search path", COMMAND)]
    Command,
}

/// The program of the window: beside this one, else on the search path.
///
/// # Errors
/// Where it is at neither place.
pub fn window_program() -> Result<PathBuf, NoProgram> {
    if let Some(image) = image() {
        return Ok(image);
    }
    own_program().and_then(|own| found(WINDOW, &own)).ok_or(NoProgram::Window)
}

/// The AppImage that this program comes from, which has one entry for all of it: the window's.
pub(crate) fn image() -> Option<PathBuf> {
    own_program().filter(|own| own.extension().is_some_and(|extension| extension == "AppImage"))
}

/// The program of the command: beside this one, also within an AppImage, else on the search path.
///
/// # Errors
/// Where it is at neither place.
pub fn command_program() -> Result<PathBuf, NoProgram> {
    env::current_exe().ok().and_then(|own| found(COMMAND, &own)).ok_or(NoProgram::Command)
}

fn found(name: &str, own: &Path) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let beside = own.with_file_name(&name);
    if beside.is_file() {
        return Some(beside);
    }
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(&name)).find(|path| path.is_file())
}
