//! A proxy between the owner and one server that does to requests what networks do: delays, cuts, doubles, reorders. It
//! keeps account of what it saw (`account`). What is answered at once goes one way (`way`), what comes bit by bit
//! another (`stream`).

mod account;
mod fate;
pub(crate) mod http;
mod stream;
mod way;

use signalbox_tests::Dice;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::plan::Http;

pub(crate) use account::Account;
pub(crate) use fate::FATES;
use way::Way;

/// A listening proxy. Dropped, it listens no more; connections under way go on until they end.
pub(crate) struct Proxy {
    way: Arc<Way>,
    addr: SocketAddr,
    listening: JoinSet<()>,
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
        let way = Arc::new(Way::new(upstream, server, how, dice, account));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let addr = listener.local_addr()?;
        let mut proxy = Self { way, addr, listening: JoinSet::new() };
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
        self.way.calm().await;
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
