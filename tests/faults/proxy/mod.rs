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
        way.account.has_proxy(addr);
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
            let (way, life) = (Arc::clone(&way), way.account.life());
            tokio::spawn(async move { way.serve(stream, life).await });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tokio::io::AsyncReadExt;
    use tokio::net::TcpStream;

    use super::*;
    use crate::counts::Counts;
    use crate::plan::Wire;

    /// A client that has asked, without a moment for the proxy to come to it.
    fn asked(proxy: &Proxy, method: &str) -> TcpStream {
        let mut client = std::net::TcpStream::connect(proxy.addr).unwrap();
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#);
        write!(client, "POST /mcp HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        client.set_nonblocking(true).unwrap();
        TcpStream::from_std(client).unwrap()
    }

    /// Takes every connection, and says nothing.
    async fn mute(listener: TcpListener) {
        while listener.accept().await.is_ok() {}
    }

    #[tokio::test]
    async fn what_an_owner_began_is_its_own_also_where_it_is_read_later() {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let upstream = server.local_addr().unwrap();
        let mut tasks = JoinSet::new();
        tasks.spawn(mute(server));
        let (wire, account) = (Wire::Modern, Account::new(Counts::default()));
        let how = Http { rough: 0, sse: false, stuck: false, wire, pushes: true, manners: "" };
        let proxy = Proxy::before(upstream, 0, how, Dice::apart(1, 1), account.clone()).await.unwrap();
        let mut dead = asked(&proxy, "of the first");
        account.next_life().await;
        let mut alive = asked(&proxy, "of the second");
        for client in [&mut dead, &mut alive] {
            client.read_to_end(&mut Vec::new()).await.unwrap();
        }
        let sent = account.sent();
        let mut lives: Vec<(usize, &str)> =
            sent.iter().map(|sent| (sent.life, sent.method.as_str())).collect();
        lives.sort_unstable();
        assert_eq!(lives, [(0, "of the first"), (1, "of the second")]);
    }
}
