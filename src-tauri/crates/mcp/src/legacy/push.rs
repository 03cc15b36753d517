//! The GET stream, over which a server can reach us at any time.

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::{
    event::{Channel, PushStream},
    resume_point::ResumePoint,
    streamable::Streamable,
};
use crate::{
    error::Error,
    http::{Events, retry_after},
};

/// Keeps the stream open until the session is over or `stop` is cancelled, and says then that the session has ended.
/// `tried` is told once it is known whether there is such a stream.
pub(super) async fn listen(session: Arc<Streamable>, stop: CancellationToken, tried: oneshot::Sender<()>) {
    let over = session.over().clone();
    tokio::select! {
        () = stop.cancelled() => session.inbound.end(&Error::Closed),
        () = over.cancelled() => {}
        () = keep_open(&session, tried) => {
            // Without such a stream the session goes on.
            tokio::select! {
                () = stop.cancelled() => session.inbound.end(&Error::Closed),
                () = over.cancelled() => {}
            }
        }
    }
}

/// Ends when the server has no such stream.
async fn keep_open(session: &Arc<Streamable>, tried: oneshot::Sender<()>) {
    let mut resume_point = ResumePoint::new(&session.options);
    let (mut up, mut tried) = (None, Some(tried));
    loop {
        let response = session.get(&resume_point).await;
        // The receiver may have waited long enough, and be gone.
        tried.take().map(|tried| tried.send(()));
        let mut longer = None;
        match response {
            Ok(response) if response.status().is_success() && Events::are_in(&response) => {
                session.inbound.push(PushStream::Up).await;
                up = Some(true);
                let taking = session.http.taking(session.http.limit());
                read(session, Events::new(response, taking), &mut resume_point).await;
            }
            Ok(response) => match response.status().as_u16() {
                404 if session.has_session() => {
                    session.forget();
                    return;
                }
                // Signing in, waiting and repairing can help; nothing else can.
                401 | 403 | 408 | 429 | 500.. => longer = retry_after(response.headers()),
                _ => return session.inbound.push(PushStream::NotOffered).await,
            },
            Err(Error::Unreachable { .. } | Error::Lost { .. }) => {}
            Err(_) => return session.inbound.push(PushStream::NotOffered).await,
        }
        if up != Some(false) {
            session.inbound.push(PushStream::Down).await;
            up = Some(false);
        }
        resume_point.rest(longer).await;
    }
}

/// Reads a stream to its end.
async fn read(session: &Arc<Streamable>, mut events: Events, resume_point: &mut ResumePoint) {
    loop {
        let event = events.next().await;
        resume_point.note(&events);
        let Ok(Some(event)) = event else { return };
        resume_point.progressed();
        if session.event(event.message, None, &Channel::Push).await.is_err() {
            tracing::debug!("an illegible event on the push stream");
        }
    }
}
