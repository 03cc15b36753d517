//! What all proxies of a round write down: what the owner sent, what the servers were handed and answered, and whether
//! the owner had that answer.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::counts::Counts;
use crate::evidence::{REPLY, Sent, Told};

/// Shared by all that take part in a round.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    sent: Arc<Mutex<Vec<Sent>>>,
    told: Arc<Mutex<Vec<Told>>>,
    /// The number of the owner that lives now.
    life: Arc<AtomicUsize>,
    proxies: Arc<Mutex<Vec<SocketAddr>>>,
    began: Instant,
    /// Handles that were adopted, and whose they are.
    adopted: Arc<Mutex<BTreeMap<String, usize>>>,
    pub(crate) faults: Counts,
}

impl Account {
    pub(crate) fn new(faults: Counts) -> Self {
        Self {
            sent: Arc::default(),
            told: Arc::default(),
            life: Arc::default(),
            proxies: Arc::default(),
            began: Instant::now(),
            adopted: Arc::default(),
            faults,
        }
    }

    pub(crate) fn sent(&self) -> MutexGuard<'_, Vec<Sent>> {
        lock(&self.sent)
    }

    pub(crate) fn told(&self) -> MutexGuard<'_, Vec<Told>> {
        lock(&self.told)
    }

    /// A task of this server is about to be adopted.
    pub(crate) fn adopts(&self, server: usize, task: &str) {
        lock(&self.adopted).insert(task.to_owned(), server);
    }

    pub(crate) fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    pub(crate) fn life(&self) -> usize {
        self.life.load(Ordering::SeqCst)
    }

    pub(super) fn has_proxy(&self, addr: SocketAddr) {
        lock(&self.proxies).push(addr);
    }

    /// The owner is gone, and nobody can be the next one yet. What it began is still its own, also where a busy machine
    /// kept a proxy from it: proxies take connections in their order, and ours is behind all of its.
    pub(crate) async fn next_life(&self) {
        let proxies = lock(&self.proxies).clone();
        for proxy in proxies {
            // One that refuses connections has none that wait.
            let Ok(mut last) = TcpStream::connect(proxy).await else { continue };
            let _ = last.shutdown().await;
            let _ = last.read_to_end(&mut Vec::new()).await;
        }
        self.life.fetch_add(1, Ordering::SeqCst);
    }

    /// Whether there is a handle of this server's that was adopted, and of which the owner has heard nothing yet. Until
    /// then it has the interval of all who name none, and twice that when a poll fails: longer than a round may take.
    pub(crate) fn awaits_news(&self, server: usize) -> bool {
        let sent = self.sent();
        let heard = |task: &str| sent.iter().any(|sent| sent.passed.is_some() && sent.task() == Some(task));
        lock(&self.adopted).iter().any(|(task, of)| *of == server && !heard(task))
    }

    /// Whether this is a look at such a handle, or what such a look needs.
    pub(super) fn spared(&self, n: usize) -> bool {
        let (server, method, task) = {
            let sent = &self.sent()[n];
            (sent.server, sent.method.clone(), sent.task().map(str::to_owned))
        };
        let poll = method == "tasks/get" && task.is_some_and(|task| lock(&self.adopted).contains_key(&task));
        let connects = ["server/discover", "initialize", "notifications/initialized", "ping", "GET"];
        (poll || connects.contains(&method.as_str())) && self.awaits_news(server)
    }

    /// The owner has these messages of a stream that answers request `n`: answers, of this request or of one whose stream
    /// was cut before, and what it is told unasked.
    pub(super) fn passed(&self, n: usize, messages: Vec<String>) {
        let now = self.now();
        let mut sent = self.sent();
        let (server, life, session) = (sent[n].server, sent[n].life, sent[n].session.clone());
        for message in messages {
            let read: Value = serde_json::from_str(&message).unwrap_or_default();
            match read["method"].as_str() {
                None => {
                    let of = |(at, sent): &(usize, &mut Sent)| {
                        let here = sent.server == server && sent.life == life && sent.session == session;
                        // Only within a session a stream goes on with another's. A reply has the id of the server's request.
                        let asked = sent.method != REPLY && (*at == n || session.is_some());
                        sent.id == read["id"] && here && asked
                    };
                    if let Some((_, answered)) = sent.iter_mut().enumerate().rev().find(of) {
                        answered.answer.get_or_insert(message);
                        answered.passed.get_or_insert(now);
                    }
                }
                Some("notifications/tasks") => {
                    self.told().push(Told { life, at: now, message });
                }
                Some(_) => {}
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
