//! How each server is started.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use signalbox_mcp::Endpoint;
use signalbox_tests::soon;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::Journal;

/// The servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `@modelcontextprotocol/server-everything`, over stdio only: its other modes listen on all interfaces.
    Everything,
    /// `servers/task_server.py` on `mcp` 1.x.
    Python,
    /// `servers/task_server.mjs` on `@modelcontextprotocol/server` 2.x.
    Script,
}

/// How one is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    Http,
}

/// One server with its journal, which may run several times. It knows its own folder only.
#[derive(Debug)]
pub(crate) struct Foreign {
    kind: Kind,
    pub(crate) journal: Journal,
    folder: TempDir,
}

/// A server that listens; dropping it kills it.
#[derive(Debug)]
pub(crate) struct Http {
    child: Child,
    pub(crate) url: String,
}

impl Foreign {
    pub(crate) fn new(kind: Kind) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { kind, journal: Journal::new(folder.path()), folder }
    }

    /// The words of the command that serves over its standard streams.
    pub(crate) fn stdio(&self) -> Vec<String> {
        match self.kind {
            Kind::Everything => {
                let program =
                    tools().join("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
                // It keeps no journal of its own.
                let script = r#"tee -a "$0" | node "$1" stdio"#;
                ["sh", "-c", script, text(self.journal.path()), text(&program)].map(str::to_owned).to_vec()
            }
            _ => self.words("stdio"),
        }
    }

    /// Where that command runs.
    pub(crate) fn cwd(&self) -> PathBuf {
        tools()
    }

    /// The same for our client.
    pub(crate) fn endpoint(&self) -> Endpoint {
        let mut words = self.stdio();
        let args = words.split_off(1);
        Endpoint::Stdio { program: words.remove(0), args, env: Vec::new(), cwd: Some(self.cwd()) }
    }

    /// Starts it over HTTP on loopback.
    pub(crate) async fn listen(&self) -> Http {
        self.listen_at(0).await
    }

    /// The same at a port where one was before.
    pub(crate) async fn listen_at(&self, port: u16) -> Http {
        let words = self.words("http");
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg(port.to_string()).current_dir(self.cwd()).kill_on_drop(true);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = soon("the server listens", lines.next_line()).await.unwrap();
        let line: Value = serde_json::from_str(&line.expect("it says where it listens")).unwrap();
        Http { child, url: line["url"].as_str().unwrap().to_owned() }
    }

    fn words(&self, mode: &str) -> Vec<String> {
        let script = |name| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("foreign/servers").join(name);
        let (program, script, state) = match self.kind {
            Kind::Python => (tools().join("venv/bin/python"), script("task_server.py"), None),
            Kind::Script => {
                ("node".into(), script("task_server.mjs"), Some(self.folder.path().join("state")))
            }
            Kind::Everything => panic!("it has no script of ours"),
        };
        let mut words = vec![text(&program), text(&script), mode, text(self.journal.path())];
        words.extend(state.as_deref().map(text));
        words.into_iter().map(str::to_owned).collect()
    }
}

impl Http {
    /// Ends it at once (kill -9), and waits until nothing of it is left; where it listened.
    pub(crate) async fn kill(mut self) -> u16 {
        self.child.kill().await.unwrap();
        let url: url::Url = self.url.parse().unwrap();
        url.port().unwrap()
    }

    pub(crate) fn endpoint(&self) -> Endpoint {
        Endpoint::Http { url: self.url.parse().unwrap(), headers: Vec::new() }
    }
}

/// Where `cargo xtask foreign` installs them.
fn tools() -> PathBuf {
    let named = env::var_os("SIGNALBOX_FOREIGN").map(PathBuf::from);
    let path = named.unwrap_or_else(|| {
        // target/PROFILE/deps/TEST
        let test = env::current_exe().unwrap();
        test.ancestors().nth(3).unwrap().join("tools/foreign")
    });
    assert!(path.is_dir(), "{} is not there: run `cargo xtask foreign`", path.display());
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are text")
}
