//! Where the program under test is.

use std::env;
use std::path::PathBuf;

/// The `signalbox` program: `$SIGNALBOX_BIN`, else the one that was built beside this test.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn signalbox() -> PathBuf {
    let named = env::var_os("SIGNALBOX_BIN").map(PathBuf::from);
    let path = named.unwrap_or_else(|| {
        // target/PROFILE/deps/TEST: programs lie one folder up.
        let test = env::current_exe().unwrap();
        let profile = test.parent().and_then(|deps| deps.parent()).unwrap();
        profile.join(format!("signalbox{}", env::consts::EXE_SUFFIX))
    });
    assert!(
        path.is_file(),
        "{} is not there: build it with `cargo build -p signalbox-cli`, or run `cargo xtask test`",
        path.display()
    );
    path
}

/// A program for tests alone, beside the command.
#[must_use]
pub fn example(name: &str) -> PathBuf {
    signalbox().with_file_name("examples").join(name)
}
