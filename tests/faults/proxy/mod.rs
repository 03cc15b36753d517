//! A proxy between the owner and one server that does to requests what networks do: delays, cuts, doubles, reorders. It
//! keeps account of what it saw: what the owner sent, what the server was handed and answered, and whether the owner
//! had that answer.

mod fate;
pub(crate) mod http;

use std::collections::BTreeSet;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::dice::Dice;
use crate::evidence::Sent;
use crate::plan::Http;
use crate::tally::Tally;

pub(crate) use fate::FATES;
use fate::Fate;
use http::Message;

/// An overtaken request waits for so long at most.
const OVERTAKEN: Duration = Duration::from_millis(150);

/// So many answers to questions of a hundred are refused on the way.
const REFUSED: u64 = 8;

/// What all proxies of a round write into.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) sent: Arc<Mutex<Vec<Sent>>>,
    /// The number of the owner that lives now.
    pub(crate) life: Arc<AtomicUsize>,
    pub(crate) began: Instant,
    /// Handles that were adopted.
    pub(crate) adopted: Arc<Mutex<BTreeSet<String>>>,
    pub(crate) faults: Tally,
}

impl Account {
    pub(crate) fn sent(&self) -> MutexGuard<'_, Vec<Sent>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn adopted(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.adopted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is a look at a handle of which the owner has heard nothing yet. Until then it has the interval of all
    /// who name none, and twice that when a look fails: longer than a round may take.
    fn first_look(&self, n: usize) -> bool {
        let sent = self.sent();
        let Some(task) = sent[n].task().filter(|task| self.adopted().contains(*task)) else { return false };
        let heard = sent.iter().any(|other| other.passed.is_some() && other.task() == Some(task));
        sent[n].method == "tasks/get" && !heard
    }

    pub(crate) fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    pub(crate) fn life(&self) -> usize {
        self.life.load(Ordering::SeqCst)
    }
}

/// A listening proxy. Dropped, it listens no more; connections under way go on until they end.
pub(crate) struct Proxy {
    way: Arc<Way>,
    addr: SocketAddr,
    listening: JoinSet<()>,
}

/// The way to one server.
struct Way {
    server: usize,
    upstream: SocketAddr,
    how: Http,
    dice: Mutex<Dice>,
    account: Account,
    /// Counts requests that went through, for those that wait to be overtaken; none once all is calm.
    through: watch::Sender<Option<u64>>,
    /// What goes on although its connection is gone.
    loose: Mutex<JoinSet<()>>,
}

impl Proxy {
    /// Before the server at `upstream`; requests meet faults as `how` has it.
    pub(crate) async fn before(
        upstream: SocketAddr,
        server: usize,
        how: Http,
        dice: Dice,
        account: Account,
    ) -> io::Result<Self> {
        let way = Way {
            server,
            upstream,
            how,
            dice: Mutex::new(dice),
            account,
            through: watch::Sender::new(Some(0)),
            loose: Mutex::default(),
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let addr = listener.local_addr()?;
        let mut proxy = Self { way: Arc::new(way), addr, listening: JoinSet::new() };
        proxy.listening.spawn(listen(Arc::clone(&proxy.way), listener));
        Ok(proxy)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.addr)
    }

    /// Refuses connections from now on.
    pub(crate) async fn refuse(&mut self) {
        self.listening.shutdown().await;
    }

    /// Takes connections again, where it did.
    pub(crate) async fn take(&mut self) -> io::Result<()> {
        if self.listening.is_empty() {
            let listener = TcpListener::bind(self.addr).await?;
            self.listening.spawn(listen(Arc::clone(&self.way), listener));
        }
        Ok(())
    }

    /// From now on everything passes, and what was underway by itself has arrived.
    pub(crate) async fn calm(&self) {
        self.way.through.send_replace(None);
        let mut loose = std::mem::take(&mut *self.way.loose.lock().unwrap_or_else(PoisonError::into_inner));
        while loose.join_next().await.is_some() {}
    }
}

async fn listen(way: Arc<Way>, listener: TcpListener) {
    loop {
        // Too many open files, say: the next one may do better, and the round has a limit of its own.
        if let Ok((stream, _)) = listener.accept().await {
            let way = Arc::clone(&way);
            tokio::spawn(async move { way.serve(stream).await });
        }
    }
}

impl Way {
    async fn serve(self: Arc<Self>, stream: TcpStream) {
        // Small answers must not wait for one another.
        let _ = stream.set_nodelay(true);
        let (reading, mut writing) = stream.into_split();
        let mut reading = BufReader::new(reading);
        while let Ok(Some(request)) = http::read(&mut reading).await {
            let n = self.note(&request);
            if !self.clone().exchange(request, n, &mut writing).await {
                return;
            }
        }
    }

    /// Puts a request on record; returns its number.
    fn note(&self, request: &Message) -> usize {
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let mut sent = self.account.sent();
        sent.push(Sent {
            server: self.server,
            life: self.account.life(),
            at: self.account.now(),
            method: body["method"].as_str().unwrap_or_default().to_owned(),
            params: body["params"].clone(),
            ..Sent::default()
        });
        sent.len() - 1
    }

    fn throw(&self, n: usize) -> Fate {
        let (look, update) = match self.account.sent()[n].method.as_str() {
            "tasks/get" => (true, false),
            method => (false, method == "tasks/update"),
        };
        let first_look = self.account.first_look(n);
        // Most requests are looks; the others are worth more trouble.
        let rough = if look { self.how.rough } else { self.how.rough * 2 };
        let mut dice = self.dice.lock().unwrap_or_else(PoisonError::into_inner);
        let fate = match Fate::throw(&mut dice, rough) {
            _ if self.through.borrow().is_none() || first_look => Fate::Pass,
            _ if update && self.how.stuck => Fate::Broken,
            // What stands before a server may refuse one answer, and take the next.
            _ if update && dice.percent(REFUSED) => Fate::Refused(*dice.pick(&[400, 409, 413, 422])),
            fate => fate,
        };
        self.account.faults.count(fate.name());
        fate
    }

    /// Hands one request on as its fate has it; says whether the connection lives on.
    async fn exchange(self: Arc<Self>, request: Message, n: usize, client: &mut OwnedWriteHalf) -> bool {
        // What is pushed would come past the account: there is no push here.
        if self.account.sent()[n].method == "subscriptions/listen" {
            let id =
                serde_json::from_slice::<serde_json::Value>(&request.body).unwrap_or_default()["id"].take();
            let error = serde_json::json!({ "code": -32601, "message": "Method not found" });
            let body = serde_json::json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
            let head = "HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length:";
            let answer = format!("{head} {}\r\n\r\n{body}", body.len());
            return client.write_all(answer.as_bytes()).await.is_ok();
        }
        match self.throw(n) {
            Fate::Pass => self.pass(&request, n, client).await,
            Fate::Slow { there, back } => {
                sleep(there).await;
                let answer = self.hand_on(&request, n).await;
                sleep(back).await;
                self.give_back(answer, n, client).await
            }
            Fate::Overtaken => {
                let mut through = self.through.subscribe();
                let now = *through.borrow_and_update();
                let overtaken = through.wait_for(|count| *count > now || count.is_none());
                let _ = timeout(OVERTAKEN, overtaken).await;
                self.pass(&request, n, client).await
            }
            Fate::CutBefore => false,
            Fate::CutAfter => {
                self.hand_on(&request, n).await;
                false
            }
            Fate::CutWithin => {
                if let Some(answer) = self.hand_on(&request, n).await {
                    let half = &answer.bytes[..answer.bytes.len() / 2];
                    let _ = client.write_all(half).await;
                }
                false
            }
            Fate::Twice => {
                let answer = self.hand_on(&request, n).await;
                self.hand_on(&request, n).await;
                self.give_back(answer, n, client).await
            }
            Fate::Ghost(after) => {
                let lives = self.pass(&request, n, client).await;
                self.later(request, n, after);
                lives
            }
            Fate::Late(after) => {
                self.later(request, n, after);
                false
            }
            Fate::Busy => turned_away(client, 503, "retry-after: 0\r\n").await,
            Fate::Broken => turned_away(client, 500, "").await,
            Fate::Refused(status) => {
                self.account.sent()[n].refused = true;
                turned_away(client, status, "").await
            }
        }
    }

    async fn pass(&self, request: &Message, n: usize, client: &mut OwnedWriteHalf) -> bool {
        let answer = self.hand_on(request, n).await;
        self.give_back(answer, n, client).await
    }

    /// The server gets it, whatever became of who asked.
    fn later(self: &Arc<Self>, request: Message, n: usize, after: Duration) {
        let way = Arc::clone(self);
        let mut loose = self.loose.lock().unwrap_or_else(PoisonError::into_inner);
        loose.spawn(async move {
            sleep(after).await;
            way.hand_on(&request, n).await;
        });
    }

    /// Hands a request to the server; its whole answer, if there is one.
    async fn hand_on(&self, request: &Message, n: usize) -> Option<http::Answer> {
        let mut server = TcpStream::connect(self.upstream).await.ok()?;
        server.write_all(&request.for_the_server()).await.ok()?;
        self.account.sent()[n].arrived += 1;
        let answer = http::answer(&mut server).await;
        if let Some(body) = answer.as_ref().and_then(|answer| answer.message.clone()) {
            self.account.sent()[n].answer.get_or_insert(body);
        }
        self.through.send_modify(|count| *count = count.map(|count| count + 1));
        answer
    }

    async fn give_back(&self, answer: Option<http::Answer>, n: usize, client: &mut OwnedWriteHalf) -> bool {
        let Some(answer) = answer else { return false };
        if client.write_all(&answer.bytes).await.is_err() {
            return false;
        }
        if answer.message.is_some() {
            let now = self.account.now();
            self.account.sent()[n].passed = Some(now);
        }
        answer.message.is_some()
    }
}

/// Answers without a word of the server's, which never hears of the request.
async fn turned_away(client: &mut OwnedWriteHalf, status: u16, headers: &str) -> bool {
    let answer = format!("HTTP/1.1 {status} No\r\n{headers}content-length: 0\r\n\r\n");
    client.write_all(answer.as_bytes()).await.is_ok()
}
