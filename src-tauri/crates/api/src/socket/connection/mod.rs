//! One client's connection, from the owner's side.

use std::{collections::HashMap, io, pin::pin, sync::Arc, time::Duration};

use serde_json::value::RawValue;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
    task::{AbortHandle, JoinSet},
    time,
};
use tokio_util::task::AbortOnDropHandle;

use super::{
    HELLO_LIMIT, Hello, LIMIT, Outcome, ToClient, ToOwner, encode,
    frame::{body, length, size},
    read,
    room::{Room, SMALL, Taken},
    send,
    serving::Serving,
};
use crate::{Answered, ApiError, Ask, Code, Command, Desk, DeskExt as _, command::SetFront};

/// How many asks of one client at the same time; more are refused, so that a `Forget` is always read. The page of a window
/// that is the owner itself has as many.
pub const ASKS: usize = 64;

/// How long a client may take to say hello, or to take an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// While every place is taken, a client that asks nothing for so long loses its own: it comes back when it wants something.
const IDLE: Duration = Duration::from_secs(5);

/// A frame, and its room.
type Frame = (Vec<u8>, Taken);

/// Serves one client until it leaves, or until all is to stop: then its waits end, and its commands come to theirs.
pub(super) async fn serve(stream: impl AsyncRead + AsyncWrite + Send, serving: Serving) -> io::Result<()> {
    let (mut incoming, mut outgoing) = tokio::io::split(stream);
    send(&mut outgoing, &encode(&Hello::ours())?).await?;
    let hello = unless_idle(read(&mut incoming, HELLO_LIMIT), || serving.is_full());
    let hello: Option<Hello> = time::timeout(PATIENCE, hello).await??;
    if hello.is_none_or(|hello| hello.check().is_err()) {
        // Our hello has told the client all it needs.
        return Ok(());
    }

    // Few: an answer may be large, and a client that does not read must not make us keep many.
    let (frames, mut queue) = mpsc::channel::<Frame>(4);
    let writing = async move {
        while let Some((frame, _room)) = queue.recv().await {
            time::timeout(PATIENCE, send(&mut outgoing, &frame)).await??;
        }
        Ok(())
    };
    let reading = async move {
        let stop = serving.stop.clone();
        let mut client = Client {
            serving,
            frames,
            seats: Arc::new(Semaphore::new(ASKS)),
            waits: JoinSet::new(),
            handles: HashMap::new(),
            in_front: false,
        };
        let left = loop {
            let asked = client.serving.asked.clone();
            let message = unless_idle(next(&mut incoming, &asked), || client.must_make_room());
            match stop.run_until_cancelled(message).await {
                Some(Ok(Some((message, room)))) => client.take(message, room).await,
                Some(Ok(None)) | None => break Ok(()),
                Some(Err(error)) => break Err(error),
            }
        };
        client.leave();
        left
    };
    // Writing ends when the last command that is under way has its answer written.
    tokio::try_join!(reading, writing).map(drop)
}

/// What is read of a client, or none where it says nothing while somebody else needs its place.
async fn unless_idle<T>(
    reading: impl Future<Output = io::Result<Option<T>>>,
    must_make_room: impl Fn() -> bool,
) -> io::Result<Option<T>> {
    let mut reading = pin!(reading);
    loop {
        match time::timeout(IDLE, &mut reading).await {
            Ok(message) => return message,
            Err(_) if must_make_room() => return Ok(None),
            Err(_) => {}
        }
    }
}

/// The next message, and its room; none at the end of the stream.
async fn next(
    incoming: &mut (impl AsyncRead + Unpin),
    asked: &Room,
) -> io::Result<Option<(ToOwner, Option<Taken>)>> {
    let Some(len) = length(incoming, LIMIT).await? else { return Ok(None) };
    if len <= SMALL {
        return body(incoming, len).await.map(|message| Some((message, None)));
    }
    let room = asked.take(len).await;
    // Whoever has room must not keep it from others by being slow.
    let message = time::timeout(PATIENCE, body(incoming, len)).await??;
    Ok(Some((message, Some(room))))
}

struct Client {
    serving: Serving,
    frames: mpsc::Sender<Frame>,
    seats: Arc<Semaphore>,
    /// Looks that wait for a change: they end with the connection.
    waits: JoinSet<()>,
    handles: HashMap<u64, AbortHandle>,
    /// It said that it shows something in front.
    in_front: bool,
}

impl Client {
    async fn take(&mut self, message: ToOwner, room: Option<Taken>) {
        match message {
            ToOwner::Forget { id } => {
                if let Some(wait) = self.handles.remove(&id) {
                    wait.abort();
                }
            }
            ToOwner::Ask { id, ask } => match self.admit(&ask) {
                Ok((ask, seat)) => self.start(id, ask, (seat, room)),
                Err(error) => {
                    let frame = framed(&self.serving.answered, id, Outcome::Failed(Box::new(error))).await;
                    written(&self.frames, frame).await;
                }
            },
        }
    }

    /// Whether it holds a place that somebody else needs.
    fn must_make_room(&self) -> bool {
        self.serving.is_full() && self.seats.available_permits() == ASKS
    }

    fn admit(&self, ask: &RawValue) -> Result<(Ask, OwnedSemaphorePermit), ApiError> {
        let ask = serde_json::from_str(ask.get()).map_err(|error| {
            ApiError::new(Code::Usage, format!("the owner does not understand this: {error}"))
        })?;
        let seat = Arc::clone(&self.seats).try_acquire_owned().map_err(|_| {
            ApiError::new(
                Code::Throttled,
                format!("more than {ASKS} asks at the same time: wait for answers first"),
            )
        })?;
        Ok((ask, seat))
    }

    /// A window that is gone shows nothing: what it had in front must raise notifications again.
    fn leave(&self) {
        if self.in_front {
            let desk = Arc::clone(&self.serving.desk);
            self.serving.tasks.spawn(async move { desk.act(SetFront { item: None }).await });
        }
    }

    /// `held` is let go once it is answered.
    fn start(&mut self, id: u64, ask: Ask, held: (OwnedSemaphorePermit, Option<Taken>)) {
        if let Ask::Call { command: Command::SetFront(SetFront { item }) } = &ask {
            self.in_front = item.is_some();
        }
        while self.waits.try_join_next().is_some() {}
        self.handles.retain(|_, wait| !wait.is_finished());
        let frames = self.frames.clone();
        let waits = matches!(ask, Ask::Changes { .. });
        let desk = Arc::clone(&self.serving.desk);
        let (answered, payloads) = (self.serving.answered.clone(), Arc::clone(&self.serving.payloads));
        let work = async move {
            // What is read of the store takes memory before it can be known how much.
            let alone = match &ask {
                Ask::Call { command: Command::Payload(_) | Command::Export(_) } => {
                    payloads.acquire_owned().await.ok()
                }
                _ => None,
            };
            let frame = framed(&answered, id, carry_out(desk, ask).await).await;
            drop(alone);
            written(&frames, frame).await;
            drop(held);
        };
        if waits {
            self.handles.insert(id, self.waits.spawn(work));
        } else {
            let kill = self.serving.kill.clone();
            self.serving.tasks.spawn(async move { kill.run_until_cancelled(work).await });
        }
    }
}

/// In a task of its own: a bug of ours there must not leave the client without an answer.
async fn carry_out(desk: Arc<dyn Desk>, ask: Ask) -> Outcome<Answered> {
    match AbortOnDropHandle::new(tokio::spawn(async move { desk.ask(ask).await })).await {
        Ok(Ok(answered)) => Outcome::Answered(answered),
        Ok(Err(error)) => Outcome::Failed(Box::new(error)),
        Err(_) => Outcome::Failed(Box::new(ApiError::new(
            Code::Internal,
            "Signalbox failed in the middle of this: its log says where",
        ))),
    }
}

/// An answer, as soon as there is room for it.
async fn framed(answered: &Room, id: u64, result: Outcome<Answered>) -> Option<Frame> {
    let mut message = ToClient { id, result };
    let bytes = match size(&message) {
        Ok(bytes) => bytes,
        Err(_) => {
            let error = ApiError::new(Code::TooLarge, "the answer is too large for the owner's socket");
            message.result = Outcome::Failed(Box::new(error));
            size(&message).ok()?
        }
    };
    let room = answered.take(bytes).await;
    Some((encode(&message).ok()?, room))
}

async fn written(frames: &mpsc::Sender<Frame>, frame: Option<Frame>) {
    if let Some(frame) = frame {
        // A client that is gone needs no answer.
        let _ = frames.send(frame).await;
    }
}

#[cfg(test)]
mod tests;
