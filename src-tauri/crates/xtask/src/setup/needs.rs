//! The one list of what the system must provide, with its name in each family of systems.

/// What a system package is needed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// Compiling and linking the window.
    Build,
    /// A private display with a window on it: `test`, `e2e`, `foreign`, and `run` where there is no display.
    Display,
    /// Making and reading packages.
    Bundle,
    /// Servers of others that tests run.
    Python,
}

/// How to see, without a package database, whether a need is met.
#[derive(Clone, Copy, Debug)]
pub(super) enum Probe {
    /// A program on PATH.
    Program(&'static str),
    /// A library that pkg-config knows.
    Library(&'static str),
    /// Always there but on a bare Debian: looked for only in its package database.
    BareDebian,
}

/// One thing the system must provide. The names are package names, each possibly several.
#[derive(Debug)]
pub(super) struct Need {
    pub(super) purpose: Purpose,
    pub(super) probe: Probe,
    pub(super) apt: &'static str,
    pub(super) dnf: &'static str,
    pub(super) pacman: &'static str,
    pub(super) zypper: &'static str,
}

const fn need(purpose: Purpose, probe: Probe, [apt, dnf, pacman, zypper]: [&'static str; 4]) -> Need {
    Need { purpose, probe, apt, dnf, pacman, zypper }
}

use Probe::{BareDebian, Library, Program};
use Purpose::{Build, Bundle, Display, Python};

#[rustfmt::skip]
pub(super) const NEEDS: &[Need] = &[
    need(Build, Program("cc"), ["build-essential", "gcc-c++ make", "base-devel", "gcc-c++ make"]),
    need(Build, Program("pkg-config"), ["pkg-config", "pkgconf-pkg-config", "pkgconf", "pkg-config"]),
    need(Build, Library("webkit2gtk-4.1"), ["libwebkit2gtk-4.1-dev", "webkit2gtk4.1-devel", "webkit2gtk-4.1", "webkit2gtk3-devel"]),
    need(Build, Library("gtk+-3.0"), ["libgtk-3-dev", "gtk3-devel", "gtk3", "gtk3-devel"]),
    need(Build, Library("libsoup-3.0"), ["libsoup-3.0-dev", "libsoup3-devel", "libsoup3", "libsoup-devel"]),
    need(Build, Library("ayatana-appindicator3-0.1"), ["libayatana-appindicator3-dev", "libayatana-appindicator-gtk3-devel", "libayatana-appindicator", "libayatana-appindicator3-devel"]),
    need(Build, Library("librsvg-2.0"), ["librsvg2-dev", "librsvg2-devel", "librsvg", "librsvg-devel"]),
    need(Build, Program("patchelf"), ["patchelf", "patchelf", "patchelf", "patchelf"]),
    need(Build, Program("xdg-open"), ["xdg-utils", "xdg-utils", "xdg-utils", "xdg-utils"]),
    need(Display, Program("Xvfb"), ["xvfb", "xorg-x11-server-Xvfb", "xorg-server-xvfb", "xorg-x11-server-Xvfb"]),
    need(Display, Program("xauth"), ["xauth", "xorg-x11-xauth", "xorg-xauth", "xauth"]),
    need(Display, Program("WebKitWebDriver"), ["webkit2gtk-driver", "webkitgtk6.0", "webkitgtk-6.0", "webkit2gtk3-minibrowser"]),
    need(Display, Program("dbus-daemon"), ["dbus", "dbus-daemon", "dbus", "dbus-1-daemon"]),
    need(Display, BareDebian, ["dbus-x11", "", "", ""]),
    need(Display, Program("import"), ["imagemagick", "ImageMagick", "imagemagick", "ImageMagick"]),
    need(Display, Program("xdotool"), ["xdotool", "xdotool", "xdotool", "xdotool"]),
    need(Display, Program("openbox"), ["openbox", "openbox", "openbox", "openbox"]),
    need(Display, Program("gnome-keyring-daemon"), ["gnome-keyring", "gnome-keyring", "gnome-keyring", "gnome-keyring"]),
    need(Display, Program("secret-tool"), ["libsecret-tools", "libsecret", "libsecret", "libsecret-tools"]),
    need(Display, Program("gdbus"), ["libglib2.0-bin", "glib2", "glib2", "glib2-tools"]),
    need(Display, BareDebian, ["fonts-dejavu-core fonts-noto-core", "", "", ""]),
    need(Bundle, Program("rpm"), ["rpm", "rpm", "rpm-tools", "rpm"]),
    need(Bundle, Program("dpkg-deb"), ["dpkg", "dpkg", "dpkg", "dpkg"]),
    need(Python, Program("python3"), ["python3 python3-venv", "python3", "python", "python3"]),
];

/// The single package names in these needs, as one family calls them.
pub(super) fn names<'a>(needs: &[&'a Need], family: fn(&'a Need) -> &'static str) -> Vec<&'static str> {
    needs.iter().flat_map(|need| family(need).split_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_need_has_a_debian_name_and_no_name_comes_twice() {
        let all: Vec<_> = NEEDS.iter().collect();
        assert!(NEEDS.iter().all(|need| !need.apt.is_empty()), "Debian is what CI and releases run on");
        let mut apt = names(&all, |need| need.apt);
        let count = apt.len();
        apt.sort_unstable();
        apt.dedup();
        assert_eq!(apt.len(), count, "a package is listed once, under one purpose");
    }
}
