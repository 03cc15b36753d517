//! Messages as event streams, with all that can go wrong with them.

use std::io;

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use super::{EVENTS, json};
use crate::faults::{Outgoing, Style};

/// A piece of a body; an error cuts the connection.
pub(super) type Piece = io::Result<Vec<u8>>;

/// Writes the events of one stream.
#[derive(Debug, Default)]
pub(super) struct Writing {
    begun: bool,
}

impl Writing {
    /// A message as events, and a cut if it is to be cut. Its id, if streams have ids here.
    pub(super) fn event(&mut self, out: &Outgoing, id: Option<&str>) -> Vec<Piece> {
        let style = out.style.unwrap_or(Style::Plain);
        let mut pieces = Vec::new();
        for data in out.pieces() {
            pieces.push(Ok(self.written(data, id, style, !out.cut)));
        }
        if out.cut {
            pieces.push(Err(io::ErrorKind::ConnectionReset.into()));
        }
        pieces
    }

    /// An event without data, from which a stream can be resumed before its first message.
    pub(super) fn primer(&mut self, id: &str, retry_ms: u32) -> Piece {
        self.begun = true;
        Ok(format!("id: {id}\nretry: {retry_ms}\ndata:\n\n").into_bytes())
    }

    fn written(&mut self, data: &[u8], id: Option<&str>, style: Style, whole: bool) -> Vec<u8> {
        let end = match style {
            Style::CrLf => "\r\n",
            Style::Cr => "\r",
            _ => "\n",
        };
        let mut text = Vec::new();
        match style {
            Style::Bare if !self.begun => text.extend_from_slice("\u{feff}".as_bytes()),
            Style::Bare => {}
            Style::Comments => {
                text.extend_from_slice(b": a comment\n:\ncolour: green\nevent: message\nnonsense\n");
            }
            _ => text.extend_from_slice(format!("event: message{end}").as_bytes()),
        }
        self.begun = true;
        if let Some(id) = id {
            text.extend_from_slice(format!("id: {id}{end}").as_bytes());
        }
        let lines =
            if style == Style::ManyLines { in_lines(data) } else { data.split(|b| *b == b'\n').collect() };
        let field: &[u8] = if style == Style::Bare { b"data:" } else { b"data: " };
        for (n, line) in lines.into_iter().enumerate() {
            if n > 0 {
                text.extend_from_slice(end.as_bytes());
            }
            text.extend_from_slice(field);
            text.extend_from_slice(line);
        }
        if whole {
            text.extend_from_slice(end.repeat(2).as_bytes());
        }
        text
    }
}

/// JSON broken where a line end is white space: behind the braces around the whole.
fn in_lines(data: &[u8]) -> Vec<&[u8]> {
    match data {
        [b'{', inner @ .., b'}'] => vec![b"{", inner, b"}"],
        _ => vec![data],
    }
}

pub(super) fn response(body: Body) -> Response {
    ([(header::CONTENT_TYPE, EVENTS), (header::CACHE_CONTROL, "no-store")], body).into_response()
}

/// A single answer, as JSON or as the only event of a stream.
pub(super) fn one(out: &Outgoing, status: u16, wants_events: bool) -> Response {
    let status = out.status.unwrap_or(status);
    // An error status leaves no choice: there is no stream to speak of.
    let events = (wants_events || !out.single()) && !out.html && status == 200;
    let pieces = if events {
        Writing::default().event(out, None)
    } else {
        let whole = if out.silent { Vec::new() } else { out.bytes.clone() };
        let cut = out.cut.then(|| Err(io::ErrorKind::ConnectionReset.into()));
        std::iter::once(Ok(whole)).chain(cut).collect()
    };
    let broken = pieces.iter().any(Result::is_err);
    let body = if broken {
        Body::from_stream(slowly(pieces))
    } else {
        Body::from(pieces.into_iter().flatten().flatten().collect::<Vec<u8>>())
    };
    let kind = match (out.html, events) {
        (true, _) => "text/html; charset=utf-8",
        (false, true) => EVENTS,
        (false, false) => out.kind.unwrap_or(super::JSON),
    };
    let mut response = json(status, body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    super::with(&mut response, out.headers.iter().copied());
    response
}

/// Lets each piece reach the wire before the next, which may be the end of the connection.
fn slowly(pieces: Vec<Piece>) -> impl futures_util::Stream<Item = Piece> {
    stream::unfold(pieces.into_iter(), |mut pieces| async {
        tokio::task::yield_now().await;
        Some((pieces.next()?, pieces))
    })
}
