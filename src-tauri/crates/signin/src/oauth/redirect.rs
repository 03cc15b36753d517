//! The browser's way back to us: one address on loopback, open while a person signs in.

use std::{net::IpAddr, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinSet,
    time,
};
use url::{Host, Url};

use super::{
    error::{Distrust, SignInError, shown},
    exchange::is_here,
};

/// Bytes that a request's head may have.
const LARGEST: usize = 16 * 1024;
/// Browsers open connections that they may never use.
const MOST: usize = 16;
/// How long one connection may take.
const CONNECTION: Duration = Duration::from_secs(10);

/// An open address that the browser is sent back to.
pub(super) struct WayBack {
    listener: TcpListener,
    uri: Url,
}

/// What has to come back.
pub(super) struct Expected {
    /// Only who was at our authorization request knows it.
    pub(super) state: String,
    /// Who has to answer.
    pub(super) issuer: String,
}

/// What came back.
pub(super) struct Answer {
    /// To be exchanged for a token.
    pub(super) code: String,
    /// Who says that it answers.
    pub(super) issuer: Option<String>,
}

impl WayBack {
    /// Opens the registered address, or one on a free port.
    pub(super) async fn open(registered: Option<&Url>) -> Result<Self, SignInError> {
        let mut uri = match registered {
            Some(uri) if uri.scheme() == "http" && is_here(uri) => uri.clone(),
            Some(_) => {
                return Err(SignInError::Misconfigured("the redirect URI is not http on this machine"));
            }
            None => Url::parse("http://127.0.0.1/callback").expect("BUG: a literal URL parses"),
        };
        let address: IpAddr = match uri.host() {
            Some(Host::Ipv4(address)) => address.into(),
            Some(Host::Ipv6(address)) => address.into(),
            // No resolver decides who listens: `localhost` is this machine.
            Some(Host::Domain(_)) | None => [127, 0, 0, 1].into(),
        };
        let failed = |error| SignInError::NoWayBack(Arc::new(error));
        let listener = TcpListener::bind((address, uri.port().unwrap_or(0))).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        uri.set_port(Some(port)).expect("BUG: an http URL has a port");
        Ok(Self { listener, uri })
    }

    /// The redirect URI, with the port that is listened on.
    pub(super) fn uri(&self) -> &Url {
        &self.uri
    }

    /// Waits for the answer to `expected`. What does not know our state is turned away, and changes nothing.
    pub(super) async fn answer(self, expected: Expected, patience: Duration) -> Result<Answer, SignInError> {
        time::timeout(patience, self.listen(Arc::new(expected))).await.unwrap_or(Err(SignInError::TimedOut))
    }

    async fn listen(self, expected: Arc<Expected>) -> Result<Answer, SignInError> {
        let (answers, mut answered) = mpsc::channel(1);
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                biased;
                Some(answer) = answered.recv() => return answer,
                Some(_) = connections.join_next() => {}
                accepted = self.listener.accept(), if connections.len() < MOST => {
                    let (stream, _) = accepted.map_err(|error| SignInError::NoWayBack(Arc::new(error)))?;
                    let (expected, answers, path) = (Arc::clone(&expected), answers.clone(), self.uri.path().to_owned());
                    connections.spawn(async move {
                        if let Ok(Some(answer)) = time::timeout(CONNECTION, serve(stream, &path, &expected)).await {
                            // One answer is enough: a second one finds nobody.
                            let _ = answers.try_send(answer);
                        }
                    });
                }
            }
        }
    }
}

/// Answers one connection; gives what it brought, once the person can read what became of it.
async fn serve(
    mut stream: TcpStream,
    path: &str,
    expected: &Expected,
) -> Option<Result<Answer, SignInError>> {
    let mut head = Vec::new();
    let mut chunk = [0; 2048];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut chunk).await.ok().filter(|read| *read > 0)?;
        head.extend_from_slice(&chunk[..read]);
        if head.len() > LARGEST {
            return None;
        }
    }
    let (status, words, answer) = judge(&head, path, expected);
    let page = page(status, &words);
    // The answer counts even when nobody waits for the page.
    let _ = stream.write_all(page.as_bytes()).await;
    let _ = stream.shutdown().await;
    answer
}

type Judged = (&'static str, String, Option<Result<Answer, SignInError>>);

fn judge(head: &[u8], path: &str, expected: &Expected) -> Judged {
    let line = head.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let mut words = std::str::from_utf8(line).unwrap_or_default().split(' ');
    let (method, target) = (words.next(), words.next().unwrap_or_default());
    let base = Url::parse("http://127.0.0.1").expect("BUG: a literal URL parses");
    let Some(target) = base.join(target).ok().filter(|target| method == Some("GET") && target.path() == path)
    else {
        return ("404 Not Found", "There is nothing here.".into(), None);
    };
    let get =
        |name: &str| target.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    if get("state").as_deref() != Some(expected.state.as_str()) {
        return ("400 Bad Request", "This does not belong to the sign-in that is under way.".into(), None);
    }
    let issuer = get("iss");
    if let Some(code) = get("error") {
        // What somebody else says of it is not shown as the authorization server's word.
        if let Some(received) = issuer.filter(|issuer| *issuer != expected.issuer) {
            let distrust = Distrust::Issuer { expected: expected.issuer.clone(), received: shown(&received) };
            return ("400 Bad Request", "The sign-in was given up.".into(), Some(Err(distrust.into())));
        }
        let refused = SignInError::Refused {
            code: shown(&code),
            description: get("error_description").as_deref().map(shown),
        };
        let words = format!("You are not signed in: {refused}.");
        return ("200 OK", words, Some(Err(refused)));
    }
    match get("code") {
        Some(code) => ("200 OK", "You can close this tab.".into(), Some(Ok(Answer { code, issuer }))),
        None => ("400 Bad Request", "This is no answer to the sign-in.".into(), None),
    }
}

fn page(status: &str, words: &str) -> String {
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let body = format!(
        "<!doctype html><meta charset=utf-8><meta name=color-scheme content=\"light dark\"><title>Signalbox</title>\n\
         <h1>Signalbox</h1>\n<p>{words}</p>\n"
    );
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nContent-Security-Policy: default-src 'none'\r\n\
         X-Content-Type-Options: nosniff\r\n\r\n{body}",
        body.len()
    )
}
