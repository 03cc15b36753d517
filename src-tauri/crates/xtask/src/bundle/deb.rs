//! The .deb: its list, its dependencies, and the app started from a clean root it was installed into.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::contents::Contents;
use super::package;
use crate::display::PrivateDisplay;
use crate::repo::{Repo, files_under};
use crate::steps::Steps;
use crate::{app, cmd};

/// Libraries the window cannot start without, by the package that brings each.
const NEEDED: [&str; 2] = ["libwebkit2gtk-4.1-0", "libgtk-3-0"];

/// Adds the proofs as steps.
pub(super) fn verify(repo: &Repo, contents: &Contents, steps: &mut Steps) {
    steps.run(".deb contents", || {
        let list = list(&package(repo, "deb")?)?;
        super::none(contents.differences(&list))
    });
    steps.run(".deb dependencies", || dependencies(&package(repo, "deb")?));
    steps.run(".deb starts from a clean root", || start_installed(repo));
}

/// Absolute paths of the files, a line each.
fn list(deb: &Path) -> Result<String> {
    let table = cmd::output(Command::new("dpkg-deb").arg("--contents").arg(deb))?;
    // `-rwxr-xr-x 0/0  123 2026-01-01 00:00 ./usr/bin/signalbox`; some bundlers leave the dot out.
    let files = table.lines().filter(|line| !line.starts_with('d'));
    let paths = files.filter_map(|line| line.split_whitespace().nth(5));
    Ok(paths
        .map(|path| format!("/{}", path.trim_start_matches('.').trim_start_matches('/')))
        .collect::<Vec<_>>()
        .join("\n"))
}

fn dependencies(deb: &Path) -> Result<()> {
    let declared = cmd::output(Command::new("dpkg-deb").arg("--field").arg(deb).arg("Depends"))?;
    let alternatives = parse_depends(&declared);
    for needed in NEEDED {
        if !alternatives.iter().any(|names| names.contains(&needed)) {
            bail!("it does not depend on {needed}: {}", declared.trim());
        }
    }
    // The build installed the -dev packages, so what these programs need is installed here: a name that is not
    // is misspelt, or has gone from the distribution.
    for names in &alternatives {
        if !names.iter().any(|name| cmd::answers("dpkg-query", &["--status", name])) {
            bail!("it depends on {}, which is not installed here though the app runs", names.join(" or "));
        }
    }
    println!("depends on {}", declared.trim());
    Ok(())
}

/// `a (>= 1), b | c` as names with their alternatives.
fn parse_depends(declared: &str) -> Vec<Vec<&str>> {
    let name = |alternative: &'_ str| alternative.split_whitespace().next().map(str::len).unwrap_or(0);
    declared
        .split(',')
        .map(|group| {
            group.split('|').map(|part| part.trim()).map(|part| &part[..name(part)]).collect::<Vec<_>>()
        })
        .filter(|names| names.iter().any(|name| !name.is_empty()))
        .collect()
}

fn start_installed(repo: &Repo) -> Result<()> {
    let deb = package(repo, "deb")?;
    let dir = tempfile::tempdir().context("cannot make a temporary folder")?;
    let root = dir.path().join("root");
    install(&deb, &root)?;
    check_libraries(&root)?;
    check_paths(repo, &root)?;
    check_entry(&root)?;

    // Its own home: a packaged app must start for someone who never ran it.
    let home = dir.path().join("home");
    std::fs::create_dir_all(&home)?;
    let data = home.join("data");
    // Both installed programs, on one data directory.
    let mut command = Command::new(root.join("usr/bin/signalbox"));
    cmd::run(command.arg("--home").arg(&data).args(["demo", "start"]))?;
    let mut app = Command::new(root.join("usr/bin/signalbox-desktop"));
    app.current_dir(&home).env("HOME", &home).arg("--home").arg(data);
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
        app.env_remove(name);
    }
    let scratch = repo.scratch()?;
    let display = PrivateDisplay::start()?;
    app::show_and_end(&display, &mut app, &scratch.join("bundle.log"), &scratch.join("bundle.png"))
}

/// With dpkg and a package database of the root's own; without root rights, which dpkg needs for that, unpacked.
fn install(deb: &Path, root: &Path) -> Result<()> {
    if !crate::setup::is_root() {
        return cmd::run(Command::new("dpkg-deb").arg("--extract").arg(deb).arg(root));
    }
    let database = root.join("var/lib/dpkg");
    std::fs::create_dir_all(database.join("info"))?;
    std::fs::create_dir_all(database.join("updates"))?;
    std::fs::write(database.join("status"), "")?;
    let mut dpkg = Command::new("dpkg");
    // The libraries are this system's, which the root's empty database does not know.
    dpkg.arg(format!("--root={}", root.display())).args(["--force-depends", "--install"]).arg(deb);
    cmd::run(&mut dpkg)
}

fn check_libraries(root: &Path) -> Result<()> {
    for program in ["usr/bin/signalbox-desktop", "usr/bin/signalbox"] {
        let libraries = cmd::output(Command::new("ldd").arg(root.join(program)))?;
        let missing: Vec<_> = libraries.lines().filter(|line| line.contains("not found")).collect();
        if !missing.is_empty() {
            bail!("{program} lacks libraries: {}", missing.join("; "));
        }
    }
    Ok(())
}

/// The desktop hands links of ours to the window, and has switches for what we notify of.
fn check_entry(root: &Path) -> Result<()> {
    let file = root.join("usr/share/applications/Signalbox.desktop");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    for (line, otherwise) in [
        ("Exec=signalbox-desktop %u", "a link would open nothing"),
        ("MimeType=x-scheme-handler/signalbox;", "a link would open nothing"),
        ("X-GNOME-UsesNotifications=true", "nobody could mute it before it notifies"),
    ] {
        if !text.lines().any(|known| known == line) {
            bail!("{} lacks {line}: {otherwise}", file.display());
        }
    }
    Ok(())
}

/// No text that is installed says where it was built.
fn check_paths(repo: &Repo, root: &Path) -> Result<()> {
    let home = std::env::var("HOME").map(|home| format!("{home}/")).unwrap_or_default();
    let here = [repo.root.to_string_lossy().into_owned(), repo.target.to_string_lossy().into_owned(), home];
    for file in files_under(&root.join("usr"), &[])? {
        // The programs are not text: what a panic says of its place in the source may stay.
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        if let Some(path) = here.iter().find(|path| path.len() > 1 && text.contains(path.as_str())) {
            bail!("{} names {path}, a path of this machine", file.display());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_read_with_alternatives_and_versions() {
        assert_eq!(
            parse_depends("libgtk-3-0 | libgtk-3-0t64, libwebkit2gtk-4.1-0 (>= 2.40)\n"),
            [vec!["libgtk-3-0", "libgtk-3-0t64"], vec!["libwebkit2gtk-4.1-0"]]
        );
        assert!(parse_depends("\n").is_empty());
    }
}
