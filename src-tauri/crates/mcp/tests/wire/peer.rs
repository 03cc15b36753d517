//! An HTTP server led by hand: the test takes each request and answers it when it wants, with a stream if it wants.

use std::time::Duration;

use signalbox_mcp::{Client, Endpoint, Options};
use tokio::{
    io::{AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::timeout,
};
use url::Url;

use crate::support::{Received, read, response};

/// Nothing in a test takes as long: who waits longer waits for what does not come.
const NEVER: Duration = Duration::from_secs(20);

pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    timeout(NEVER, future).await.unwrap_or_else(|_| panic!("{what} does not come"))
}

pub(crate) struct Peer {
    pub(crate) url: Url,
    exchanges: mpsc::UnboundedReceiver<Exchange>,
    /// What came while the test waited for something else.
    waiting: Vec<Exchange>,
}

/// A request that waits for its response.
pub(crate) struct Exchange {
    pub(crate) request: Received,
    connection: BufReader<TcpStream>,
}

/// An event stream under way. Dropping it cuts the connection.
pub(crate) struct Events(TcpStream);

impl Peer {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound port");
        let (sender, exchanges) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let sender = sender.clone();
                tokio::spawn(async move {
                    let mut connection = BufReader::new(connection);
                    if let Some(request) = read(&mut connection).await {
                        // The test may have seen enough.
                        let _ = sender.send(Exchange { request, connection });
                    }
                });
            }
        });
        let url = format!("http://{address}/mcp").parse().expect("a URL");
        Self { url, exchanges, waiting: Vec::new() }
    }

    pub(crate) fn client(&self, options: Options) -> Client {
        Client::new(Endpoint::Http { url: self.url.clone(), headers: Vec::new() }, options)
    }

    /// The next request of a JSON-RPC method, `reply` for a response of ours, or an HTTP method such as `GET`.
    pub(crate) async fn take(&mut self, what: &str) -> Exchange {
        if let Some(place) = self.waiting.iter().position(|exchange| exchange.is(what)) {
            return self.waiting.remove(place);
        }
        soon(what, async {
            loop {
                let exchange = self.exchanges.recv().await.expect("the listener lives as long as the peer");
                if exchange.is(what) {
                    return exchange;
                }
                self.waiting.push(exchange);
            }
        })
        .await
    }

    /// What nobody took so far.
    pub(crate) fn left(&mut self) -> Vec<String> {
        self.waiting.extend(std::iter::from_fn(|| self.exchanges.try_recv().ok()));
        self.waiting
            .iter()
            .map(|exchange| format!("{} {}", exchange.http(), exchange.request.method()))
            .collect()
    }
}

impl Exchange {
    fn http(&self) -> &str {
        self.request.line.split(' ').next().unwrap_or_default()
    }

    fn is(&self, what: &str) -> bool {
        let reply = self.http() == "POST" && self.request.body.get("method").is_none();
        self.request.method() == what || self.http() == what && what != "POST" || reply && what == "reply"
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.request.headers.get(name).map(String::as_str)
    }

    /// Writes a whole response, head and all.
    pub(crate) async fn bytes(mut self, bytes: &[u8]) {
        // Who asked may have left.
        let _ = self.connection.write_all(bytes).await;
        let _ = self.connection.shutdown().await;
    }

    pub(crate) async fn status(self, status: u16, body: &str) {
        self.bytes(&response(status, "content-type: application/json\r\n", body)).await;
    }

    pub(crate) async fn accept(self) {
        self.bytes(&response(202, "", "")).await;
    }

    pub(crate) async fn result(self, result: &str) {
        let body = self.request.result(result);
        self.status(200, &body).await;
    }

    pub(crate) async fn stream(self) -> Events {
        let mut connection = self.connection.into_inner();
        let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\n";
        connection.write_all(head.as_bytes()).await.expect("somebody listens");
        Events(connection)
    }
}

impl Events {
    /// Writes as it is.
    pub(crate) async fn write(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.expect("somebody listens");
        self.0.flush().await.expect("somebody listens");
    }

    pub(crate) async fn message(&mut self, message: &str) {
        self.write(&format!("data: {}\n\n", message.replace('\n', "\ndata: "))).await;
    }

    /// Ends once the client has ended the connection.
    pub(crate) async fn left(mut self) {
        use tokio::io::AsyncReadExt as _;
        let mut rest = Vec::new();
        // A reset is an end, too.
        let _ = soon("the client's end of the connection", self.0.read_to_end(&mut rest)).await;
    }
}
