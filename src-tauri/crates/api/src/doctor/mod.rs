//! What could keep Signalbox from working, looked at from outside: usable also when the store cannot be opened, which is when
//! people ask. What an open store can tell, its desk tells ([`crate::Command::CheckStore`], [`crate::Command::Verify`]).

mod links;
mod session;

use std::{fs, io, path::Path};

use signalbox_notify::Desktop;

pub use crate::check::{Check, CheckState};
use crate::{Boxed, Home, left_behind, logging::file, private};

/// With less room than this, in bytes, work soon cannot be kept.
const SCARCE: u64 = 200 * 1024 * 1024;
/// With less room than this, in bytes, it probably cannot be kept now.
const FULL: u64 = 10 * 1024 * 1024;

/// The data directory: who may read it, room, what an owner that is gone left there.
#[must_use]
pub fn directory(home: &Home) -> Vec<Check> {
    let private = match home.writable() {
        Ok(()) => private(home),
        Err(error) => {
            Check::problem("data_directory", error.message, "without it nothing can be kept or sent")
        }
    };
    let mut checks = vec![private, room(home)];
    checks.extend(left_behind::checks(home));
    checks
}

#[cfg(unix)]
fn private(home: &Home) -> Check {
    use std::os::unix::fs::MetadataExt;

    const NAME: &str = "data_directory";
    // What lies in a directory that nobody else can enter nobody else can read.
    let entered = fs::metadata(home.dir()).is_ok_and(|meta| meta.mode() & 0o011 != 0);
    let within = entered.then(|| fs::read_dir(home.dir()).ok()).flatten();
    let open: Vec<String> = std::iter::once(home.dir().to_owned())
        .chain(within.into_iter().flatten().flatten().map(|entry| entry.path()))
        .filter(|path| {
            fs::symlink_metadata(path).is_ok_and(|meta| !meta.is_symlink() && meta.mode() & 0o077 != 0)
        })
        .map(|path| path.display().to_string())
        .collect();
    if open.is_empty() {
        return Check::ok(NAME, format!("{} is ours alone", home.dir().display()));
    }
    Check::warning(
        NAME,
        format!("other users may read {}", open.join(", ")),
        format!("chmod -R go= {}", home.dir().display()),
    )
}

#[cfg(not(unix))]
fn private(home: &Home) -> Check {
    Check::ok("data_directory", format!("{}", home.dir().display()))
}

fn room(home: &Home) -> Check {
    const NAME: &str = "free_space";
    let Some(free) = free_bytes(home.dir()) else {
        return Check::ok(NAME, "not known on this system");
    };
    let message = format!("{} free", size(free));
    if free < FULL {
        return Check::problem(NAME, message, "free some space: what cannot be kept is not sent");
    }
    if free < SCARCE {
        return Check::warning(NAME, message, "free some space soon");
    }
    Check::ok(NAME, message)
}

#[cfg(unix)]
fn free_bytes(dir: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(dir).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// The logs: whether they can be written, how large they are.
#[must_use]
pub fn logs(home: &Home) -> Check {
    const NAME: &str = "logs";
    let dir = home.logs();
    let length = |path: &Path| fs::metadata(path).map_or(0, |meta| meta.len());
    let bytes: u64 = (0..file::FILES).map(|n| length(&file::path(&dir, n))).sum();
    match private::open(fs::OpenOptions::new().append(true), &file::path(&dir, 0)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Check::warning(
            NAME,
            format!("{} cannot be written: {error}", file::path(&dir, 0).display()),
            "mend its permissions: without a log nobody learns why something failed",
        ),
        _ => Check::ok(NAME, format!("{} in {}", size(bytes), dir.display())),
    }
}

/// `812 B`, `4 KiB`, `20 MiB`: what there is at least, in its largest whole unit, so that a little is never nothing.
fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = UNITS.iter().find(|(unit, _)| bytes >= *unit);
    unit.map_or_else(|| format!("{bytes} B"), |(unit, word)| format!("{} {word}", bytes / unit))
}

/// What of the desktop session is used: the tray, the portal, starting with it, links, and the program of the window.
#[must_use]
pub fn session(home: &Home) -> Boxed<'_, Vec<Check>> {
    Box::pin(session::checks(home))
}

/// The notification service of this session; nothing is shown.
#[must_use]
pub fn notifications() -> Boxed<'static, Check> {
    const NAME: &str = "notifications";
    Box::pin(async {
        match Desktop::probe().await {
            Ok(said) => Check::ok(NAME, said),
            Err(error) => {
                let why = error.detail().map(|detail| format!(" ({detail})")).unwrap_or_default();
                not_notified(NAME, format!("{error}{why}"))
            }
        }
    })
}

/// Nobody is notified, which is no problem for what is done.
pub fn not_notified(name: impl Into<String>, why: String) -> Check {
    Check::warning(
        name,
        why,
        "questions show in the inbox all the same; a desktop session has a notification service",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn only_what_others_can_reach_is_open_to_them() {
        use std::os::unix::fs::PermissionsExt as _;

        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let inside = home.dir().join("webview");
        let permit = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        fs::create_dir(&inside).unwrap();
        permit(&inside, 0o755);
        permit(home.dir(), 0o700);
        assert_eq!(private(&home).state, CheckState::Ok);
        permit(home.dir(), 0o711);
        let open = private(&home);
        assert_eq!(open.state, CheckState::Warning);
        assert!(open.message.contains("webview"), "{}", open.message);
        permit(home.dir(), 0o744);
        let open = private(&home).message;
        assert!(!open.contains("webview"), "its names can be read, and nothing more: {open}");
    }

    #[test]
    fn sizes_never_promise_more_than_there_is() {
        let table = [
            (0, "0 B"),
            (500, "500 B"),
            (1_023, "1023 B"),
            (1_024, "1 KiB"),
            ((1 << 20) - 1, "1023 KiB"),
            (1 << 20, "1 MiB"),
            (200 << 30, "200 GiB"),
        ];
        for (bytes, text) in table {
            assert_eq!(size(bytes), text, "{bytes} bytes");
        }
    }
}
