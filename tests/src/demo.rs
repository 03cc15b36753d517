//! The scripted server over HTTP, in the test's own process.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::Value;
use signalbox_demo::{Builder, Demo, Faults, Gate, HttpServer, Journal, JournalEntry, Speed};

use crate::soon;

/// A running scripted server.
#[derive(Debug)]
pub struct DemoServer {
    demo: Demo,
    http: HttpServer,
}

impl DemoServer {
    /// One that tells its stories a thousand times faster.
    ///
    /// # Panics
    /// When it cannot be started.
    pub async fn start() -> Self {
        Self::of(Demo::builder().speed(Speed::INSTANT)).await
    }

    /// One as set up.
    ///
    /// # Panics
    /// When it cannot be started.
    pub async fn of(builder: Builder) -> Self {
        Self::at(builder, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await
    }

    /// One as set up, at an address where one was before.
    ///
    /// # Panics
    /// When it cannot be started.
    pub async fn at(builder: Builder, addr: SocketAddr) -> Self {
        Self::open(builder.build().unwrap(), addr).await
    }

    async fn open(demo: Demo, addr: SocketAddr) -> Self {
        let http = demo.serve_http(addr).await.unwrap();
        Self { demo, http }
    }

    /// Stops listening. The server behind it keeps what it knows.
    pub async fn stop(self) -> Stopped {
        let addr = self.http.addr();
        self.http.shutdown().await;
        Stopped { demo: self.demo, addr }
    }

    /// The URL of the demo's MCP endpoint.
    #[must_use]
    pub fn url(&self) -> String {
        self.http.url()
    }

    /// Where it listens.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.http.addr()
    }

    /// What it received and took.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        self.demo.journal()
    }

    /// What is to go wrong.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        self.demo.faults()
    }

    /// The server itself.
    #[must_use]
    pub fn demo(&self) -> &Demo {
        &self.demo
    }

    /// Waits until so many requests of a method have arrived.
    ///
    /// # Panics
    /// When they do not.
    pub async fn received(&self, method: &str, count: usize) -> Vec<JournalEntry> {
        let arrived =
            |entries: &[JournalEntry]| entries.iter().filter(|e| e.is_request(method)).count() >= count;
        soon(&format!("{count} requests of {method}"), self.journal().until(arrived)).await
    }

    /// Waits until this many requests are held at a gate.
    ///
    /// # Panics
    /// When they are not.
    pub async fn held(&self, gate: &Gate, count: usize) {
        soon(&format!("{count} requests at the gate"), gate.reached(count)).await;
    }

    /// The responses taken for a key, of whichever task.
    #[must_use]
    pub fn taken(&self, key: &str) -> Vec<Value> {
        let taken = self.journal().taken().into_iter();
        taken.filter(|(_, known, _)| known == key).map(|(.., response)| response).collect()
    }
}

/// A server that does not listen for now.
#[derive(Debug)]
pub struct Stopped {
    demo: Demo,
    /// Where it listened.
    pub addr: SocketAddr,
}

impl Stopped {
    /// Listens again where it did.
    ///
    /// # Panics
    /// When somebody else took its port.
    pub async fn listen(self) -> DemoServer {
        DemoServer::open(self.demo, self.addr).await
    }
}
