//! A child on stdio that the test leads by hand, through two named pipes.

use std::process::Command;

use serde_json::Value;
use signalbox_mcp::{Client, Endpoint, Options};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::unix::pipe,
};

use crate::peer::soon;

/// What the client writes comes to the test; what the test writes goes to the client. Dropping it ends the child.
pub(crate) struct Pipe {
    from: BufReader<pipe::Receiver>,
    to: pipe::Sender,
    _folder: TempDir,
}

const SCRIPT: &str = r#"exec 3<&0; cat <&3 >"$OUT" & exec 3<&-; exec cat "$IN""#;

impl Pipe {
    pub(crate) fn start(options: Options) -> (Self, Client) {
        let folder = tempfile::tempdir().expect("a folder");
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        let made = Command::new("mkfifo").args([&input, &output]).status().expect("mkfifo runs");
        assert!(made.success(), "named pipes can be made");
        let mut open = pipe::OpenOptions::new();
        // Opened both ways, neither end waits for the other nor takes its absence for the end.
        let open = open.read_write(true);
        let from = open.open_receiver(&output).expect("a pipe to read");
        let to = open.open_sender(&input).expect("a pipe to write");
        let env = [("IN", input), ("OUT", output)];
        let env = env.map(|(name, path)| (name.to_owned(), path.to_string_lossy().into_owned()));
        let endpoint = Endpoint::Stdio {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), SCRIPT.into()],
            env: env.into(),
            cwd: None,
        };
        (Self { from: BufReader::new(from), to, _folder: folder }, Client::new(endpoint, options))
    }

    /// The next message of the client.
    pub(crate) async fn line(&mut self) -> Value {
        let mut line = String::new();
        soon("a line", self.from.read_line(&mut line)).await.expect("the pipe can be read");
        serde_json::from_str(&line).expect("every line is one message")
    }

    /// The next message, which has to be of this method.
    pub(crate) async fn take(&mut self, method: &str) -> Value {
        let message = self.line().await;
        assert_eq!(message["method"], method, "{message}");
        message
    }

    /// Writes one line as it is.
    pub(crate) async fn say(&mut self, line: &str) {
        soon("room in the pipe", self.to.write_all(format!("{line}\n").as_bytes()))
            .await
            .expect("a child that reads");
    }

    pub(crate) async fn result(&mut self, request: &Value, result: &str) {
        self.say(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, request["id"])).await;
    }
}
