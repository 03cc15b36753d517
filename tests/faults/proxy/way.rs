//! The way to one server, and what befalls a request on it.

use signalbox_tests::Dice;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Account;
use super::fate::Fate;
use super::http::{self, Message};
use super::stream::Client;
use crate::evidence::{REPLY, Sent, answered};
use crate::moment::sleep;
use crate::plan::Http;

/// An overtaken request waits for so long at most.
const OVERTAKEN: Duration = Duration::from_millis(150);

/// So many answers to questions of a hundred are refused on the way.
const REFUSED: u64 = 8;

/// The way to one server.
pub(super) struct Way {
    server: usize,
    pub(super) upstream: SocketAddr,
    pub(super) how: Http,
    dice: Mutex<Dice>,
    pub(super) account: Account,
    /// Counts requests that went through, for those that wait to be overtaken; none once all is calm.
    through: watch::Sender<Option<u64>>,
    /// What goes on although its connection is gone.
    loose: Mutex<JoinSet<()>>,
}

impl Way {
    pub(super) fn new(upstream: SocketAddr, server: usize, how: Http, dice: Dice, account: Account) -> Self {
        let (dice, loose) = (Mutex::new(dice), Mutex::default());
        Self { server, upstream, how, dice, account, through: watch::Sender::new(Some(0)), loose }
    }

    pub(super) async fn calm(&self) {
        self.through.send_replace(None);
        let mut loose = std::mem::take(&mut *self.loose.lock().unwrap_or_else(PoisonError::into_inner));
        while loose.join_next().await.is_some() {}
    }

    /// Serves a connection that somebody made in this life.
    pub(super) async fn serve(self: Arc<Self>, stream: TcpStream, life: usize) {
        // Small answers must not wait for one another.
        let _ = stream.set_nodelay(true);
        let (reading, mut writing) = stream.into_split();
        let mut reading = BufReader::new(reading);
        while let Ok(Some(request)) = http::read(&mut reading).await {
            let n = self.note(&request, life);
            let lives = if self.is_stream(n) {
                let client = Client { reading: &mut reading, writing: &mut writing };
                self.carry(&request, n, client).await
            } else {
                self.clone().exchange(request, n, &mut writing).await
            };
            if !lives {
                return;
            }
        }
    }

    /// Puts a request on record; returns its number.
    fn note(&self, request: &Message, life: usize) -> usize {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let (method, params) = match body["method"].as_str() {
            Some(method) => (method, body["params"].clone()),
            None if request.verb() == "POST" => (REPLY, answered(&body["result"])),
            None => (request.verb(), Value::Null),
        };
        let mut sent = self.account.sent();
        sent.push(Sent {
            server: self.server,
            life,
            at: self.account.now(),
            session: request.header("mcp-session-id").map(str::to_owned),
            id: body["id"].clone(),
            method: method.to_owned(),
            params,
            ..Sent::default()
        });
        sent.len() - 1
    }

    fn dice(&self) -> MutexGuard<'_, Dice> {
        self.dice.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn throw(&self, n: usize) -> Fate {
        let (poll, answer) = match self.account.sent()[n].method.as_str() {
            "tasks/get" => (true, false),
            method => (false, method == "tasks/update" || method == REPLY),
        };
        let spared = self.account.spared(n);
        // Most requests are polls; the others are worth more trouble.
        let rough = if poll { self.how.rough } else { self.how.rough * 2 };
        let mut dice = self.dice();
        let fate = match Fate::throw(&mut dice, rough) {
            _ if self.through.borrow().is_none() || spared => Fate::Pass,
            _ if answer && self.how.stuck => Fate::Broken,
            // What stands before a server may refuse one answer, and take the next.
            _ if answer && dice.percent(REFUSED) => Fate::Refused(*dice.pick(&[400, 409, 413, 422])),
            fate => fate,
        };
        self.account.faults.count(fate.name());
        fate
    }

    /// As [`Self::throw`], for a request whose answer comes bit by bit.
    pub(super) fn throw_for_stream(&self, n: usize) -> Fate {
        let spared = self.account.spared(n);
        let fate = match Fate::of_stream(&mut self.dice(), self.how.rough * 2) {
            _ if self.through.borrow().is_none() || spared => Fate::Pass,
            fate => fate,
        };
        self.account.faults.count(fate.name());
        fate
    }

    /// Hands one request on as its fate has it; says whether the connection lives on.
    async fn exchange(self: Arc<Self>, request: Message, n: usize, client: &mut OwnedWriteHalf) -> bool {
        match self.throw(n) {
            Fate::Pass | Fate::Cut(_) => self.pass(&request, n, client).await,
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
        if let Some(answer) = &answer {
            self.answered(n, answer.status);
        }
        if let Some(body) = answer.as_ref().and_then(|answer| answer.message.clone()) {
            self.account.sent()[n].answer.get_or_insert(body);
        }
        self.through.send_modify(|count| *count = count.map(|count| count + 1));
        answer
    }

    /// A session that the server does not know: it did nothing that was asked in it.
    pub(super) fn answered(&self, n: usize, status: u16) {
        let sent = &mut self.account.sent()[n];
        // What comes a second time says nothing of the first.
        sent.refused |= status == 404 && sent.session.is_some() && sent.arrived == 1;
    }

    async fn give_back(&self, answer: Option<http::Answer>, n: usize, client: &mut OwnedWriteHalf) -> bool {
        let Some(answer) = answer else { return false };
        if client.write_all(&answer.bytes).await.is_err() {
            return false;
        }
        if answer.whole {
            let now = self.account.now();
            self.account.sent()[n].passed = Some(now);
        }
        answer.whole
    }
}

/// Answers without a word of the server's, which never hears of the request.
pub(super) async fn turned_away(client: &mut OwnedWriteHalf, status: u16, headers: &str) -> bool {
    let answer = format!("HTTP/1.1 {status} No\r\n{headers}content-length: 0\r\n\r\n");
    client.write_all(answer.as_bytes()).await.is_ok()
}
