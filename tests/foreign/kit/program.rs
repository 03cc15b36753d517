//! How each server is started.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use signalbox_mcp::Endpoint;
use signalbox_tests::{Alive, Machine, soon};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::Journal;

/// The servers that others wrote, as they are started here.
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

/// Whatever it does, it does over both.
pub(crate) const BOTH: [Transport; 2] = [Transport::Stdio, Transport::Http];

/// One server with its journal, which may run several times. It knows its own folder only.
#[derive(Debug)]
pub(crate) struct Foreign {
    kind: Kind,
    pub(crate) journal: Journal,
    /// Whether anything of what was started with [`stdio`](Foreign::stdio) lives.
    pub(crate) alive: Alive,
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
        let alive = Alive::at(folder.path().join("alive"));
        Self { kind, journal: Journal::new(folder.path()), alive, folder }
    }

    /// The words of the command that serves over its standard streams.
    pub(crate) fn stdio(&self) -> Vec<String> {
        let (script, rest) = match self.kind {
            Kind::Everything => {
                let program =
                    tools().join("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
                // It keeps no journal of its own. Nor does it end with its input, but when the time of its last task is
                // over: then all of its process group is ended.
                let script = r#"{ tee -a "$1"; kill -KILL 0; } | node "$2" stdio"#;
                (script, vec![text(self.journal.path()).to_owned(), text(&program).to_owned()])
            }
            _ => (r#"exec "$@""#, self.words("stdio")),
        };
        let script = format!(r#"exec 9<>"$0"; {script}"#);
        let begin = ["sh", "-c", &script, text(self.alive.path())].map(str::to_owned);
        begin.into_iter().chain(rest).collect()
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

    /// Tells a machine of it, as the server `foreign`; what listens now, if it is reached over HTTP.
    pub(crate) async fn register(&self, machine: &Machine, transport: Transport) -> Option<Http> {
        match transport {
            Transport::Http => {
                let http = self.listen().await;
                machine.add("foreign", &http.url).await;
                Some(http)
            }
            Transport::Stdio => {
                let (words, cwd) = (self.stdio(), self.cwd());
                let mut add = vec!["server", "add", "foreign", "--cwd", text(&cwd), "--"];
                add.extend(words.iter().map(String::as_str));
                let _ = machine.run(&add).await.ok();
                None
            }
        }
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
