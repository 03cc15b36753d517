//! What a build or a test needs and a fresh machine lacks. A warm run costs almost nothing.

mod apt;
mod needs;
mod node;
mod packages;
mod stamp;
mod system;
mod tools;

use anyhow::{Result, bail};

use crate::cmd;

pub(crate) use needs::Purpose;
pub(crate) use node::{build_ui, install_npm_packages, shipped_npm_packages};
pub(crate) use packages::system_packages;
pub(crate) use system::is_root;
pub(crate) use tools::Tools;

/// `cargo fmt` and `cargo clippy`, which a minimal toolchain lacks.
pub(crate) fn rust_components() -> Result<()> {
    let missing: Vec<_> = [("rustfmt", "fmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(_, subcommand)| !cmd::answers("cargo", &[subcommand, "--version"]))
        .map(|(component, _)| component)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !cmd::on_path("rustup") {
        bail!("this Rust lacks {}: install it the way Rust was installed", missing.join(" and "));
    }
    cmd::run(std::process::Command::new("rustup").args(["component", "add"]).args(missing))
}
