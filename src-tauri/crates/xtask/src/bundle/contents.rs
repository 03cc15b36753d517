//! What the packages install besides the window: where it comes from, and where it goes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::notices;
use crate::cmd;
use crate::repo::{Profile, Repo, files_under};

/// Installed by Tauri's bundler itself.
const FROM_BUNDLER: [&str; 6] = [
    "/usr/bin/signalbox-desktop",
    "/usr/share/applications/Signalbox.desktop",
    "/usr/share/icons/hicolor/32x32/apps/signalbox-desktop.png",
    "/usr/share/icons/hicolor/128x128/apps/signalbox-desktop.png",
    "/usr/share/icons/hicolor/256x256@2/apps/signalbox-desktop.png",
    "/usr/share/icons/hicolor/512x512/apps/signalbox-desktop.png",
];

/// Installed as they are in the repository.
const FROM_REPOSITORY: [(&str, &str); 5] = [
    ("/usr/lib/systemd/user/signalbox.service", "src-tauri/crates/xtask/packaging/signalbox.service"),
    ("/usr/share/icons/hicolor/scalable/apps/signalbox-desktop.svg", "icons/signalbox.svg"),
    ("/usr/share/doc/signalbox/copyright", "src-tauri/crates/xtask/packaging/copyright"),
    ("/usr/share/doc/signalbox/LICENSE-MIT", "LICENSE-MIT"),
    ("/usr/share/doc/signalbox/LICENSE-APACHE", "LICENSE-APACHE"),
];

const THIRD_PARTIES: &str = "/usr/share/doc/signalbox/third-party.txt";

/// Shells with the place where each looks for completions of `signalbox`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "/usr/share/bash-completion/completions/signalbox"),
    ("zsh", "/usr/share/zsh/site-functions/_signalbox"),
    ("fish", "/usr/share/fish/vendor_completions.d/signalbox.fish"),
];

/// Installed path to source file.
pub(super) struct Contents {
    files: BTreeMap<String, PathBuf>,
}

impl Contents {
    /// Lets the built command write its man pages and completions, and gathers the licences of what is in it.
    pub(super) fn generate(repo: &Repo) -> Result<Contents> {
        let signalbox = repo.program(Profile::Dist, "signalbox");
        let dir = repo.scratch()?.join("package");
        if dir.exists() {
            std::fs::remove_dir_all(&dir).with_context(|| format!("cannot empty {}", dir.display()))?;
        }
        let man = dir.join("man");
        std::fs::create_dir_all(&man).with_context(|| format!("cannot create {}", man.display()))?;

        let mut files = BTreeMap::new();
        for (shell, installed) in COMPLETIONS {
            let script = cmd::output(Command::new(&signalbox).args(["completions", shell]))?;
            let file = dir.join(shell);
            std::fs::write(&file, script).with_context(|| format!("cannot write {}", file.display()))?;
            if shell == "bash" {
                cmd::output(Command::new("bash").arg("-n").arg(&file))?;
            }
            files.insert(installed.to_owned(), file);
        }
        cmd::output(Command::new(&signalbox).args(["man", "--out"]).arg(&man))?;
        for page in files_under(&man, &[])? {
            files.insert(man_path(&page)?, page);
        }
        let notices = dir.join("third-party.txt");
        std::fs::write(&notices, notices::of_third_parties(repo)?)
            .with_context(|| format!("cannot write {}", notices.display()))?;
        files.insert(THIRD_PARTIES.to_owned(), notices);
        files.extend(FROM_REPOSITORY.map(|(installed, file)| (installed.to_owned(), repo.root.join(file))));
        files.insert("/usr/bin/signalbox".to_owned(), signalbox);
        if !files.contains_key("/usr/share/man/man1/signalbox.1") {
            bail!("the command wrote no man page signalbox.1");
        }
        Ok(Contents { files })
    }

    /// As Tauri's configuration wants it: installed path to source file.
    pub(super) fn mapping(&self) -> &BTreeMap<String, PathBuf> {
        &self.files
    }

    /// Every way in which a package's list of files, one absolute path a line, is not what it should be.
    pub(super) fn differences(&self, list: &str) -> Vec<String> {
        let listed: BTreeSet<_> = list.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let expected: BTreeSet<_> =
            FROM_BUNDLER.into_iter().chain(self.files.keys().map(String::as_str)).collect();
        let missing = expected.difference(&listed).map(|path| format!("{path} is missing"));
        missing.chain(listed.difference(&expected).map(|path| format!("{path} is not expected"))).collect()
    }
}

/// Where a page such as `signalbox-call.1` is installed: its section is its extension.
fn man_path(page: &Path) -> Result<String> {
    let name = page.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Some((_, section @ ("1" | "5" | "7"))) = name.rsplit_once('.') else {
        bail!("{} is no man page", page.display());
    };
    Ok(format!("/usr/share/man/man{section}/{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_go_to_their_section() {
        assert_eq!(man_path(Path::new("x/signalbox.1")).expect("a page"), "/usr/share/man/man1/signalbox.1");
        assert!(man_path(Path::new("x/readme.txt")).is_err());
    }

    #[test]
    fn a_package_holds_what_it_should_and_nothing_else() {
        let files = BTreeMap::from([("/usr/bin/signalbox".to_owned(), PathBuf::from("signalbox"))]);
        let contents = Contents { files };
        let list = FROM_BUNDLER.join("\n");
        assert_eq!(contents.differences(&list), ["/usr/bin/signalbox is missing"]);
        let list = format!("{list}\n/usr/bin/signalbox\n");
        assert!(contents.differences(&list).is_empty(), "the order is the package's own");
        let list = format!("{list}/etc/passwd\n");
        assert_eq!(contents.differences(&list), ["/etc/passwd is not expected"]);
    }
}
