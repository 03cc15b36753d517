//! Debian and Ubuntu: see what is missing in the package database, and install only that.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::needs::{Need, names};
use super::system::is_root;
use crate::cmd;

/// Installs the packages that are not there: directly as root, else through sudo after showing the list.
pub(super) fn install_missing(needs: &[&Need]) -> Result<()> {
    let wanted = names(needs, |need| need.apt);
    let missing = missing(&wanted, &installed(&wanted)?);
    if missing.is_empty() {
        return Ok(());
    }
    println!("These system packages are missing:\n    {}", missing.join(" "));
    let privilege = Privilege::find(&missing)?;
    // A fresh image has no package lists; old ones name versions that the mirrors no longer have.
    cmd::run(privilege.apt_get().arg("update"))?;
    let mut install = privilege.apt_get();
    cmd::run(install.args(["install", "--yes", "--no-install-recommends"]).args(&missing))
}

/// What the package database says of these packages, a line each: name and status.
fn installed(wanted: &[&str]) -> Result<String> {
    // Ends with 1 when it does not know one of them, which is an answer too.
    let output = Command::new("dpkg-query")
        .args(["--show", "--showformat", "${Package} ${db:Status-Status}\n"])
        .args(wanted)
        .stdin(Stdio::null())
        .output()
        .context("cannot start `dpkg-query`")?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Those of `wanted` that the database does not call installed, in their order.
fn missing<'a>(wanted: &[&'a str], database: &str) -> Vec<&'a str> {
    let there =
        |package: &str| database.lines().any(|line| line.split_once(' ') == Some((package, "installed")));
    wanted.iter().copied().filter(|package| !there(package)).collect()
}

/// How apt-get gets its rights.
enum Privilege {
    Root,
    Sudo { ask: bool },
}

impl Privilege {
    fn find(missing: &[&str]) -> Result<Privilege> {
        if is_root() {
            return Ok(Privilege::Root);
        }
        let by_hand = format!("apt-get install --no-install-recommends {}", missing.join(" "));
        if !cmd::on_path("sudo") {
            bail!(
                "installing them needs root and there is no sudo here. As root:\n    {by_hand}\nThen run this again."
            );
        }
        let terminal = std::io::stdin().is_terminal();
        if terminal && !agreed()? {
            bail!("nothing was installed. To do it yourself:\n    sudo {by_hand}\nThen run this again.");
        }
        Ok(Privilege::Sudo { ask: terminal })
    }

    fn apt_get(&self) -> Command {
        let mut command = match self {
            Privilege::Root => Command::new("env"),
            Privilege::Sudo { ask } => {
                let mut sudo = Command::new("sudo");
                if !ask {
                    // Without a terminal a password prompt would wait for ever.
                    sudo.arg("--non-interactive");
                }
                sudo.arg("env");
                sudo
            }
        };
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=120"]);
        command
    }
}

fn agreed() -> Result<bool> {
    print!("Install them with sudo apt-get? [Y/n] ");
    std::io::stdout().flush()?;
    let mut answer = String::new();
    if std::io::stdin().read_line(&mut answer)? == 0 {
        return Ok(false);
    }
    Ok(matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_installed_is_missing() {
        let database = "xvfb installed\nlibgtk-3-dev installed\nlibgtk-3-dev installed\nrpm config-files\n";
        let wanted = ["libgtk-3-dev", "rpm", "xvfb", "xdotool"];
        assert_eq!(
            missing(&wanted, database),
            ["rpm", "xdotool"],
            "one removed but configured and one never seen; a package of two architectures is there"
        );
        assert!(missing(&["xvfb"], database).is_empty());
        assert_eq!(missing(&["xv"], database), ["xv"], "a name is compared as a whole");
    }
}
