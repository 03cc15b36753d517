//! `dev`: the app on the UI's development server. Ctrl-C reaches both; closing the window ends the server.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cmd;
use crate::display::ending_with_us;
use crate::repo::{Profile, Repo};
use crate::running::Running;
use crate::setup::{self, Purpose};
use crate::steps::Steps;

const SERVER_LIMIT: Duration = Duration::from_secs(60);
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Runs both until the window is closed.
pub(crate) fn dev(repo: &Repo) -> ExitCode {
    let mut steps = Steps::default();
    let ready = steps.run("system packages", || setup::system_packages(&[Purpose::Build]))
        && steps.run("npm packages", || setup::install_npm_packages(repo))
        && steps.run("build", || build(repo));
    if ready {
        steps.run("window", || window(repo));
    }
    steps.finish()
}

/// Without default features the window loads the development server instead of the built UI.
fn build(repo: &Repo) -> Result<()> {
    let mut cargo = repo.cargo();
    cargo.args(["build", "-p", "signalbox-desktop", "--no-default-features"]);
    cmd::run(&mut cargo)
}

fn window(repo: &Repo) -> Result<()> {
    let address = dev_address(repo)?;
    if listens(address) {
        bail!("another program listens on {address}, where the UI's development server should");
    }
    // Started without npm in between, which would not pass on the request to end.
    let mut server = ending_with_us("node");
    server.arg("node_modules/vite/bin/vite.js").arg("--strictPort").current_dir(repo.ui());
    let mut server = Running::start(&mut server)?;
    until_it_listens(&mut server, address)?;

    let mut window = Command::new(repo.program(Profile::Dev, "signalbox-desktop"));
    let ended = cmd::run(window.arg("--home").arg(repo.run_home()).arg("--demo"));
    server.stop(Duration::from_secs(5))?;
    ended
}

fn listens(address: SocketAddr) -> bool {
    TcpStream::connect_timeout(&address, LOOK_AGAIN).is_ok()
}

fn until_it_listens(server: &mut Running, address: SocketAddr) -> Result<()> {
    let started = Instant::now();
    while !listens(address) {
        if let Some(status) = server.wait(LOOK_AGAIN) {
            bail!("the UI's development server ended: {status}");
        }
        if started.elapsed() > SERVER_LIMIT {
            bail!("the UI's development server does not listen on {address}");
        }
    }
    Ok(())
}

/// Where the window looks for the development server.
fn dev_address(repo: &Repo) -> Result<SocketAddr> {
    let file = repo.root.join("src-tauri/tauri.conf.json");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let config: Value = serde_json::from_str(&text).with_context(|| format!("{}", file.display()))?;
    let url = config.pointer("/build/devUrl").and_then(Value::as_str);
    let host = url.and_then(host_and_port).with_context(|| format!("{}: no build.devUrl", file.display()))?;
    let found = host.to_socket_addrs().with_context(|| format!("{host} is no address"))?.next();
    found.with_context(|| format!("{host} is no address"))
}

/// `localhost:5173` of `http://localhost:5173/`.
fn host_and_port(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("http://")?.trim_end_matches('/');
    rest.contains(':').then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_development_url_names_host_and_port() {
        assert_eq!(host_and_port("http://127.0.0.1:5173/"), Some("127.0.0.1:5173"));
        assert_eq!(host_and_port("http://localhost:1420"), Some("localhost:1420"));
        assert_eq!(host_and_port("http://localhost"), None, "the port must be fixed");
        assert_eq!(host_and_port("tauri://localhost:1"), None);
    }
}
