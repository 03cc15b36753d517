//! The scripted server and our client on both ends of a transport, with an ear on what the server writes.

use std::{
    io,
    pin::Pin,
    process::Command,
    sync::{Arc, Mutex},
    task::{Context, Poll},
    time::Duration,
};

use signalbox_demo::{Carrier, Demo, DemoWire, HttpServer, Legacy, ManualClock, Wires};
use signalbox_mcp::{
    Client, Connection, Declared, Endpoint, Error, FoundServer, Options, Remembered, Session, SessionEvents,
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, unix::pipe},
    task::JoinHandle,
    time::timeout,
};

/// Where a case runs.
pub(crate) type Place = (Carrier, DemoWire);

/// Nothing here takes as long: who waits longer hangs.
const NEVER: Duration = Duration::from_secs(30);

pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    timeout(NEVER, future).await.unwrap_or_else(|_| panic!("{what} hangs"))
}

pub(crate) struct Stage {
    pub(crate) place: Place,
    pub(crate) demo: Demo,
    pub(crate) clock: ManualClock,
    pub(crate) client: Client,
    written: Ear,
    _served: Served,
}

/// A connection, and what comes over it.
pub(crate) struct Opened {
    pub(crate) found: FoundServer,
    /// Of the legacy wire.
    pub(crate) talk: Option<(Session, SessionEvents)>,
}

enum Served {
    Pipe { _folder: TempDir, serving: JoinHandle<()> },
    Http { _server: HttpServer, serving: JoinHandle<()> },
}

impl Drop for Served {
    fn drop(&mut self) {
        let (Self::Pipe { serving, .. } | Self::Http { serving, .. }) = self;
        serving.abort();
    }
}

impl Stage {
    /// `patience` is how long our client waits for an answer, `legacy` the server's manners on that wire.
    pub(crate) async fn set(place: Place, patience: Duration, legacy: Legacy) -> Self {
        let clock = ManualClock::at("2026-01-01T00:00:00Z".parse().expect("a time"));
        let wires = if place.1 == DemoWire::Modern { Wires::Modern } else { Wires::Legacy };
        let demo =
            Demo::builder().wires(wires).legacy(legacy).clock(clock.clone()).build().expect("a server");
        let written = Ear::default();
        let (served, endpoint) = match place.0 {
            Carrier::Stdio => on_pipes(&demo, &written),
            Carrier::Http => over_http(&demo, &written).await,
        };
        let options = Options {
            request_timeout: patience,
            call_timeout: patience,
            declared: Declared { sampling: true, roots: true, host_tasks: false },
            reconnect_delay: Duration::from_millis(1),
            reconnect_delay_max: Duration::from_millis(2),
            ..Options::default()
        };
        let client = Client::new(endpoint, options);
        Self { place, demo, clock, client, written, _served: served }
    }

    /// Connects over the wire that the server is known to speak.
    pub(crate) async fn connect(&self) -> Result<Opened, Error> {
        let wire = match self.place.1 {
            DemoWire::Modern => signalbox_model::Wire::Modern,
            DemoWire::Legacy => signalbox_model::Wire::Legacy,
        };
        match self.client.connect(Remembered { wire: Some(wire), session: None }).await? {
            Connection::Modern(found) => Ok(Opened { found, talk: None }),
            Connection::Legacy { found, session, events, .. } => {
                Ok(Opened { found, talk: Some((session, events)) })
            }
        }
    }

    /// Whether the server wrote this, byte for byte (an event may spread it over lines).
    pub(crate) fn wrote(&self, text: &str) -> bool {
        let connections = self.written.all.lock().expect("nobody panics with it");
        connections.iter().any(|written| {
            let written = String::from_utf8_lossy(written);
            written.contains(text) || written.replace("\ndata: ", "\n").contains(text)
        })
    }
}

/// What was written so far, each connection for itself: pieces of several come in any order.
#[derive(Clone, Default)]
struct Ear {
    all: Arc<Mutex<Vec<Vec<u8>>>>,
    own: usize,
}

impl Ear {
    /// For one connection more.
    fn of_another(&self) -> Self {
        let mut all = self.all.lock().expect("nobody panics with it");
        all.push(Vec::new());
        Self { all: Arc::clone(&self.all), own: all.len() - 1 }
    }

    fn hear(&self, bytes: &[u8]) {
        self.all.lock().expect("nobody panics with it")[self.own].extend_from_slice(bytes);
    }
}

struct Overheard<W>(W, Ear);

impl<W: AsyncWrite + Unpin> AsyncWrite for Overheard<W> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let taken = Pin::new(&mut self.0).poll_write(cx, bytes);
        if let Poll::Ready(Ok(taken)) = taken {
            self.1.hear(&bytes[..taken]);
        }
        taken
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

/// A child that hands on what goes through two named pipes, at whose other ends the server is. It ends with the server.
fn on_pipes(demo: &Demo, ear: &Ear) -> (Served, Endpoint) {
    let folder = tempfile::tempdir().expect("a folder");
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let made = Command::new("mkfifo").args([&input, &output]).status().expect("mkfifo runs");
    assert!(made.success(), "named pipes can be made");
    let mut open = pipe::OpenOptions::new();
    // Opened both ways, neither end waits for the other nor takes its absence for the end.
    let open = open.read_write(true);
    let (from, to) = (open.open_receiver(&output), open.open_sender(&input));
    let (from, to) =
        (from.expect("a pipe to read"), Overheard(to.expect("a pipe to write"), ear.of_another()));
    let demo = demo.clone();
    let serving = tokio::spawn(async move {
        // How it ends is seen on the other side.
        let _ = demo.serve_stdio(from, to).await;
    });
    let env = [("IN", input), ("OUT", output)];
    let env = env.map(|(name, path)| (name.to_owned(), path.to_string_lossy().into_owned()));
    let script = r#"exec 3<&0; cat <&3 >"$OUT" & exec 3<&-; exec cat "$IN""#;
    let args = vec!["-c".into(), script.into()];
    let endpoint = Endpoint::Stdio { program: "/bin/sh".into(), args, env: env.into(), cwd: None };
    (Served::Pipe { _folder: folder, serving }, endpoint)
}

async fn over_http(demo: &Demo, ear: &Ear) -> (Served, Endpoint) {
    let server = demo.serve_http("127.0.0.1:0".parse().expect("an address")).await.expect("a free port");
    let relay = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/mcp", relay.local_addr().expect("a bound port"));
    let (behind, ear) = (server.addr(), ear.clone());
    let serving = tokio::spawn(async move {
        while let Ok((client, _)) = relay.accept().await {
            let Ok(server) = TcpStream::connect(behind).await else { continue };
            tokio::spawn(hand_on(client, server, ear.of_another()));
        }
    });
    let endpoint = Endpoint::Http { url: url.parse().expect("a URL"), headers: Vec::new() };
    (Served::Http { _server: server, serving }, endpoint)
}

/// Both ways until one of them ends.
async fn hand_on(mut client: TcpStream, mut server: TcpStream, ear: Ear) {
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let back = async {
        let mut buffer = vec![0; 256 * 1024];
        while let Ok(read @ 1..) = from_server.read(&mut buffer).await {
            ear.hear(&buffer[..read]);
            if to_client.write_all(&buffer[..read]).await.is_err() {
                break;
            }
        }
    };
    tokio::select! {
        () = back => {}
        _ = tokio::io::copy(&mut from_client, &mut to_server) => {}
    }
}
