//! Reads tauri.conf.json, puts the window's own commands under the capability file, and says how the program is linked.

use std::{env, process::Command, str};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let commands = tauri_build::AppManifest::new().commands(&[
        "desk",
        "leave_look",
        "window_ready",
        "open_url",
        "open_page",
        "save_part",
        "open_part",
        "save_tasks",
        "close_window",
        "quit",
        "what_stops",
        "version",
        "safe_graphics",
        "outlives_window",
        "restart_background",
        "next_errand",
        "has_saved",
        "asks_about_closing",
        "stay_open",
        "wear",
    ]);
    // The window's files are part of the program: whenever they change, it is built again.
    println!("cargo:rerun-if-changed=../ui/dist");
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(commands))?;
    if knows_packed_relocations() {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    Ok(())
}

/// Whether the loader of this system, and so of all later ones, knows the short form of what it has to put right in a program: a
/// megabyte and a half less to read, which stays in memory. glibc does since 2.36; one that does not would not start the program.
fn knows_packed_relocations() -> bool {
    let is_native = env::var("TARGET").ok() == env::var("HOST").ok();
    let said = is_native.then(|| Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()).flatten();
    let version = said.and_then(|said| {
        let (major, minor) =
            str::from_utf8(&said.stdout).ok()?.trim().strip_prefix("glibc ")?.split_once('.')?;
        Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
    });
    version.is_some_and(|version| version >= (2, 36))
}
