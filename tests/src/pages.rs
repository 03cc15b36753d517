//! Pages as a server of bad intent names them, and who would notice if one of them was opened or fetched.

use std::net::Ipv4Addr;

use serde_json::json;
use tokio::net::{TcpListener, TcpStream};

use crate::{Machine, soon};

/// A page that nobody should open without a look.
#[derive(Debug, Clone)]
pub struct HostilePage {
    /// What the question that asks for it says.
    pub title: String,
    /// Its address, as it is sent.
    pub url: String,
    /// What of it a person sees, whatever else.
    pub shows: String,
    /// Whether it is a web address: no other is ever opened.
    pub web: bool,
}

impl HostilePage {
    /// The answer to a call that asks for it, as [`signalbox_demo::Fault::Say`] says it.
    #[must_use]
    pub fn asked_for(&self) -> String {
        let params = json!({ "mode": "url", "message": self.title, "url": self.url });
        let asks = json!({ "page": { "method": "elicitation/create", "params": params } });
        let round = json!({ "resultType": "input_required", "inputRequests": asks });
        format!(r#"{{"jsonrpc":"2.0","id":$ID,"result":{round}}}"#)
    }
}

/// Ten of them. Those that can lead there lead to `here`, an address that nobody should visit.
#[must_use]
pub fn hostile_pages(here: &str) -> [HostilePage; 10] {
    let host = here.split_once("://").map_or(here, |(_, host)| host);
    let named = |name: &str, url: String, shows: &str| HostilePage {
        title: format!("Please visit this page: {name}"),
        web: url.starts_with("http"),
        shows: shows.to_owned(),
        url,
    };
    let bare = |name: &str, url: String| named(name, url.clone(), &url);
    let long = format!("{here}/{}", "x".repeat(64 * 1024));
    [
        bare("script", format!("javascript:fetch('{here}/script')")),
        bare("data", format!("data:text/html,<img src='{here}/data'>")),
        bare("file", "file:///etc/passwd".to_owned()),
        bare("clear", format!("http://admin:secret@{host}/clear")),
        named("look-alike", "https://p\u{430}ypal.com/sign".to_owned(), "xn--pypal-4ve.com"),
        named(
            "from the right",
            "https://\u{5e2}\u{5d1}\u{5e8}\u{5d9}\u{5ea}.example/".to_owned(),
            "xn--5dbqzzl.example",
        ),
        named("long", long.clone(), &long[..200]),
        bare("user", "https://localhost@evil.example/".to_owned()),
        bare("private", "http://10.0.0.1/router?reset=1".to_owned()),
        bare("port", "https://evil.example:8443/".to_owned()),
    ]
}

/// An address that nobody should visit.
#[derive(Debug)]
pub struct Unvisited(TcpListener);

impl Unvisited {
    /// Listens from now on.
    ///
    /// # Panics
    /// When it cannot.
    pub async fn listen() -> Self {
        Self(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap())
    }

    /// Where that is.
    ///
    /// # Panics
    /// When it listens no more.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    /// The machine with this as the proxy of all its programs: what leaves it would come by here, what stays on it would not.
    #[must_use]
    pub fn before(&self, machine: Machine) -> Machine {
        let names = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
        let machine = machine.with("no_proxy", "127.0.0.1,localhost");
        names.into_iter().fold(machine, |machine, name| machine.with(name, self.url()))
    }

    /// Checks that nobody has come until now: of those that wait here, ours is the first.
    ///
    /// # Panics
    /// When somebody has.
    pub async fn has_been_left_alone(&self) {
        let ours = TcpStream::connect(self.0.local_addr().unwrap()).await.unwrap();
        let (_, first) = soon("our own visit", self.0.accept()).await.unwrap();
        assert_eq!(first, ours.local_addr().unwrap(), "somebody has visited what nobody asked to visit");
    }
}

/// The machine with this script as what opens pages, as far as a program can tell: `xdg-open`.
#[cfg(unix)]
#[must_use]
pub fn with_browser(machine: Machine, script: &str) -> Machine {
    machine.with_program("xdg-open", script)
}
