//! The scripted servers of a round, with files in which they write down all they do.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use signalbox_demo::{Builder, Demo, Speed, Wires};
use signalbox_tests::{DemoServer, Dice};
use tokio::time::timeout;

use crate::evidence::{Entry, REPLY, Sent, Server, journal};
use crate::moment::sleep;
use crate::plan::{Http, Wire};
use crate::proxy::{Account, Proxy};

/// How many times faster than told the stories run: a deployment asks after 140 ms.
const SPEED: u32 = 50;
/// How long a server that is to be away waits for the first look at a task that was adopted, and how often it sees to it.
const PATIENCE: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(10);
/// On the legacy wire questions have no keys, and ids that begin anew with each connection: by its own name for each the
/// journal tells which was answered. Nobody waits long before a stream is taken up again.
const MANNERS: &str = "named,retry=50";

/// Where a server writes.
struct Files {
    name: String,
    dir: PathBuf,
    /// How often it lost its memory.
    lost: usize,
}

impl Files {
    fn new(dir: &Path, name: &str) -> Self {
        Self { name: name.to_owned(), dir: dir.to_owned(), lost: 0 }
    }

    fn journal(&self) -> PathBuf {
        self.dir.join(format!("{}-journal.jsonl", self.name))
    }

    fn memory(&self, n: usize) -> PathBuf {
        self.dir.join(format!("{}-memory-{n}.jsonl", self.name))
    }

    fn record(&self, wire: Wire, proxied: bool) -> std::io::Result<Server> {
        let made = (0..=self.lost).map(|n| journal::made(&self.memory(n))).collect::<Result<_, _>>()?;
        let plain = journal::plain(&self.memory(self.lost))?;
        let journal = journal::entries(&self.journal())?;
        Ok(Server { name: self.name.clone(), wire, proxied, journal, made, plain })
    }
}

/// A server over HTTP, in this process, behind its proxy.
pub(crate) struct HttpServer {
    index: usize,
    account: Account,
    files: Files,
    how: Http,
    running: Option<DemoServer>,
    addr: SocketAddr,
    pub(crate) proxy: Proxy,
}

impl HttpServer {
    pub(crate) async fn start(
        dir: &Path,
        (index, name): (usize, &str),
        how: Http,
        dice: Dice,
        account: Account,
    ) -> std::io::Result<Self> {
        let files = Files::new(dir, name);
        let running = DemoServer::of(builder(&files, how)).await;
        let addr = running.addr();
        let proxy = Proxy::before(addr, index, how, dice, account.clone()).await?;
        Ok(Self { index, account, files, how, running: Some(running), addr, proxy })
    }

    /// Where others reach it, also when it was away meanwhile, and how.
    pub(crate) fn past_its_proxy(&self) -> (SocketAddr, Wire) {
        (self.addr, self.how.wire)
    }

    /// Is away for a while, and comes back with its memory or without.
    pub(crate) async fn leave(
        &mut self,
        away: Duration,
        refuses: bool,
        forgets: bool,
    ) -> std::io::Result<()> {
        // A first poll that failed would be all that the round waits for.
        let heard = async {
            while self.account.awaits_news(self.index) {
                sleep(PAUSE).await;
            }
        };
        let _ = timeout(PATIENCE, heard).await;
        if refuses {
            self.proxy.refuse().await;
        }
        let running = self.running.take().expect("BUG: it comes back before this returns");
        let addr = running.stop().await.addr;
        sleep(away).await;
        self.files.lost += usize::from(forgets);
        self.running = Some(DemoServer::at(builder(&self.files, self.how), addr).await);
        self.proxy.take().await
    }

    pub(crate) async fn stop(self) -> std::io::Result<Server> {
        if let Some(running) = self.running {
            let _ = running.stop().await;
        }
        self.files.record(self.how.wire, true)
    }
}

fn builder(files: &Files, how: Http) -> Builder {
    let speed = Speed::times(NonZeroU32::new(SPEED).expect("BUG: not zero"));
    let memory = files.memory(files.lost);
    let wires = match how.wire {
        Wire::Modern => Wires::Modern,
        Wire::Legacy => Wires::Legacy,
    };
    let manners = format!("{MANNERS},{}", how.manners);
    let builder = Demo::builder().speed(speed).sse(how.sse).wires(wires);
    let builder = builder.legacy(manners.parse().expect("BUG: the plan knows these words"));
    builder.state_file(memory).journal_file(files.journal())
}

/// The server that is a program of its own (stdio), started by the owner.
pub(crate) struct Program {
    files: Files,
    wire: Wire,
    /// Journal entries at the end of each life but the last.
    seen: Vec<usize>,
}

impl Program {
    pub(crate) fn new(dir: &Path, name: &str, wire: Wire) -> Self {
        Self { files: Files::new(dir, name), wire, seen: Vec::new() }
    }

    /// Its command line. One program at a time has the memory: the last one may still be at work for an owner that is
    /// gone.
    pub(crate) fn command(&self) -> (String, Vec<String>) {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let signalbox = text(signalbox_tests::signalbox());
        let lock = text(self.files.dir.join("program.lock"));
        let (memory, journal) = (text(self.files.memory(0)), text(self.files.journal()));
        let speed = SPEED.to_string();
        let wire = match self.wire {
            Wire::Modern => "modern",
            Wire::Legacy => "legacy",
        };
        let files = ["--state", &memory, "--journal", &journal];
        let manners = ["--wire", wire, "--legacy", MANNERS, "--speed", &speed];
        let demo = ["demo", "stdio"].into_iter().chain(manners).chain(files);
        let args = ["--no-fork", &lock, &signalbox].into_iter().chain(demo);
        ("flock".to_owned(), args.map(str::to_owned).collect())
    }

    /// The owner is gone: what comes now is for the next.
    pub(crate) fn mark(&mut self) -> std::io::Result<()> {
        self.seen.push(journal::entries(&self.files.journal())?.len());
        Ok(())
    }

    /// Its record, and what it received as what was sent: nothing is lost on the way to it but with it.
    pub(crate) fn stop(self, index: usize) -> std::io::Result<(Server, Vec<Sent>)> {
        let server = self.files.record(self.wire, false)?;
        let received = server.journal.iter().enumerate().filter_map(|(n, entry)| {
            let sent = match entry {
                Entry::Request { method, params } => {
                    Sent { method: method.clone(), params: params.clone(), ..Sent::default() }
                }
                Entry::Reply { session, id, response } => Sent {
                    method: REPLY.to_owned(),
                    params: response.clone(),
                    session: Some(session.clone()),
                    id: id.clone(),
                    ..Sent::default()
                },
                _ => return None,
            };
            let life = self.seen.iter().filter(|seen| **seen <= n).count();
            Some(Sent { server: index, life, arrived: 1, ..sent })
        });
        let received = received.collect();
        Ok((server, received))
    }
}
