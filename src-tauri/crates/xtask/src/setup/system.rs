//! Which family of systems this is, whether we are its root, and what to tell a person whose packages xtask does not install.

use std::path::Path;

use anyhow::{Result, bail};

use super::needs::{Need, Probe, names};
use crate::cmd;

/// Systems that name and install packages the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    Debian,
    Fedora,
    Arch,
    Suse,
    MacOs,
    Windows,
    Other,
}

/// The family of this machine.
pub(super) fn family() -> Family {
    if cfg!(target_os = "macos") {
        return Family::MacOs;
    }
    if cfg!(windows) {
        return Family::Windows;
    }
    of_os_release(&std::fs::read_to_string(Path::new("/etc/os-release")).unwrap_or_default())
}

/// The family that an os-release file names, by `ID` first and then `ID_LIKE`.
fn of_os_release(text: &str) -> Family {
    let field = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        value.unwrap_or_default().trim().trim_matches(['"', '\'']).to_lowercase()
    };
    let ids = format!("{} {}", field("ID"), field("ID_LIKE"));
    let known = ids.split_whitespace().find_map(|id| match id {
        "debian" | "ubuntu" => Some(Family::Debian),
        "fedora" | "rhel" | "centos" => Some(Family::Fedora),
        "arch" => Some(Family::Arch),
        "suse" | "opensuse" => Some(Family::Suse),
        _ => None,
    });
    known.unwrap_or(Family::Other)
}

/// On a system whose packages we do not install: fails with what is missing and how to get it.
pub(super) fn report_missing(family: Family, needs: &[&Need]) -> Result<()> {
    match family {
        Family::Windows => return report_windows(),
        Family::MacOs => return report_macos(),
        _ => {}
    }
    let missing: Vec<&Need> = needs.iter().copied().filter(|need| !is_met(need.probe)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let what: Vec<_> = missing.iter().map(|need| describe(need.probe)).collect();
    bail!("this system lacks: {}\n{}", what.join(", "), advice(family, &missing))
}

fn advice(family: Family, missing: &[&Need]) -> String {
    let (install, packages) = match family {
        Family::Fedora => ("sudo dnf install", names(missing, |need| need.dnf)),
        Family::Arch => ("sudo pacman -S --needed", names(missing, |need| need.pacman)),
        Family::Suse => ("sudo zypper install", names(missing, |need| need.zypper)),
        _ => {
            let debian = names(missing, |need| need.apt).join(" ");
            return format!(
                "Install what your system calls these Debian packages: {debian}\nThen run this again."
            );
        }
    };
    format!("Get it with:\n    {install} {}\nThen run this again.", packages.join(" "))
}

fn is_met(probe: Probe) -> bool {
    match probe {
        Probe::Program(name) => cmd::on_path(name),
        Probe::Library(name) => cmd::answers("pkg-config", &["--exists", name]),
        Probe::BareDebian => true,
    }
}

fn describe(probe: Probe) -> &'static str {
    match probe {
        Probe::Program(name) | Probe::Library(name) => name,
        Probe::BareDebian => "fonts",
    }
}

fn report_macos() -> Result<()> {
    if !cmd::answers("xcode-select", &["-p"]) {
        bail!(
            "the Xcode command line tools are missing. Get them with:\n    xcode-select --install\nThen run this again."
        );
    }
    Ok(())
}

fn report_windows() -> Result<()> {
    // Rust's own installer brings the MSVC build tools; WebView2 is part of Windows 11 and updated Windows 10.
    println!("The window needs the WebView2 runtime, which Windows 11 and updated Windows 10 have.");
    Ok(())
}

/// Whether we have root's rights.
#[cfg(unix)]
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whether we have root's rights.
#[cfg(not(unix))]
pub(crate) fn is_root() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::super::needs::NEEDS;
    use super::*;

    #[test]
    fn families_are_read_from_os_release() {
        assert_eq!(of_os_release("ID=debian\n"), Family::Debian);
        assert_eq!(of_os_release("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"), Family::Debian);
        assert_eq!(of_os_release("NAME=\"Fedora Linux\"\nID=fedora\n"), Family::Fedora);
        assert_eq!(of_os_release("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n"), Family::Fedora);
        assert_eq!(of_os_release("ID='endeavouros'\nID_LIKE=arch\n"), Family::Arch);
        assert_eq!(of_os_release("ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n"), Family::Suse);
        assert_eq!(of_os_release("ID=nixos\nVERSION_ID=25\n"), Family::Other);
        assert_eq!(of_os_release(""), Family::Other);
    }

    #[test]
    fn the_advice_is_a_command_to_paste() {
        let needs: Vec<_> =
            NEEDS.iter().filter(|need| need.apt == "libgtk-3-dev" || need.apt == "xvfb").collect();
        let text = advice(Family::Fedora, &needs);
        assert!(text.contains("sudo dnf install gtk3-devel xorg-x11-server-Xvfb"), "{text}");
        let text = advice(Family::Other, &needs);
        assert!(text.contains("libgtk-3-dev xvfb"), "an unknown system gets the Debian names: {text}");
    }
}
