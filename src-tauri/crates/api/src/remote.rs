//! The desk of another program, through the owner's socket.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::value::RawValue;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadHalf, WriteHalf},
    sync::{mpsc, oneshot},
    time,
};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{
    Answered, ApiError, Ask, Changes, Code, Command, Cursor, Desk, Home, Reply, Retry, View,
    desk::{Answering, other_kind},
    owner,
    socket::{self, HELLO_LIMIT, Hello, LIMIT, Outcome, ToClient, ToOwner},
};

/// How long an owner may take to say hello, or to end a wait that is over.
const PATIENCE: Duration = Duration::from_secs(10);

/// The owner's desk, used from another program. When the owner goes, every ask ends with [`Code::OwnerGone`].
pub struct Remote {
    frames: mpsc::Sender<Vec<u8>>,
    pending: Arc<Mutex<Pending>>,
    closed: CancellationToken,
    _tasks: [AbortOnDropHandle<()>; 2],
}

/// What an owner answers, as text: whoever asked may not have to read it.
type Answer = Box<RawValue>;

#[derive(Default)]
struct Pending {
    last: u64,
    waiting: HashMap<u64, oneshot::Sender<Outcome<Answer>>>,
}

impl Remote {
    /// Connects to the owner of the data directory, once.
    ///
    /// # Errors
    /// [`Code::OwnerGone`] when nobody answers there (now: an owner may be about to open its socket, or have just
    /// left), [`Code::VersionMismatch`] or [`Code::OwnerNewer`], [`Code::StorageInUse`] when something
    /// else answers.
    pub fn connect(home: &Home) -> Answering<'_, Self> {
        Box::pin(Self::connected(home))
    }

    async fn connected(home: &Home) -> Result<Self, ApiError> {
        let path = match owner::socket_of_owner(home) {
            Some(path) => path,
            None => home.socket()?,
        };
        let stream = socket::connect(&path).await.map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => ApiError::new(
                Code::StorageInUse,
                format!("{} belongs to a program of another user", path.display()),
            ),
            io::ErrorKind::Unsupported => ApiError::new(
                Code::NotSupported,
                "sharing a data directory is not supported on this system yet",
            ),
            _ => ApiError::new(Code::OwnerGone, "nobody answers for the data directory"),
        })?;
        Self::over(stream).await
    }

    async fn over(stream: socket::Stream) -> Result<Self, ApiError> {
        let (mut incoming, mut outgoing) = tokio::io::split(stream);
        let greet = async {
            socket::send(&mut outgoing, &socket::encode(&Hello::ours())?).await?;
            socket::read::<Hello>(&mut incoming, HELLO_LIMIT).await
        };
        match time::timeout(PATIENCE, greet).await {
            Ok(Ok(Some(hello))) => hello.check()?,
            Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(ApiError::new(
                    Code::StorageInUse,
                    "what answers for the data directory is not Signalbox",
                ));
            }
            Ok(_) => return Err(gone()),
            Err(_) => {
                return Err(ApiError::new(
                    Code::StorageInUse,
                    "the owner of the data directory does not answer",
                ));
            }
        }
        let (frames, queue) = mpsc::channel(64);
        let pending = Arc::new(Mutex::new(Pending::default()));
        let closed = CancellationToken::new();
        let writing = tokio::spawn(write(outgoing, queue));
        let reading = tokio::spawn(read(incoming, Arc::clone(&pending), closed.clone()));
        Ok(Self { frames, pending, closed, _tasks: [writing, reading].map(AbortOnDropHandle::new) })
    }

    /// Ends when the owner is gone: time to try to take over.
    pub async fn closed(&self) {
        self.closed.cancelled().await;
    }

    async fn answer(&self, ask: Ask) -> Result<Answer, ApiError> {
        let Ask::Changes { wait_ms, .. } = &ask else { return self.exchange(ask).await };
        let patience = Duration::from_millis((*wait_ms).into()).saturating_add(PATIENCE);
        time::timeout(patience, self.exchange(ask)).await.unwrap_or_else(|_| {
            Err(ApiError::new(Code::TimedOut, "the owner of the data directory does not answer in time"))
        })
    }

    async fn exchange(&self, ask: Ask) -> Result<Answer, ApiError> {
        let raw = serde_json::value::to_raw_value(&ask).map_err(|error| {
            ApiError::new(Code::Internal, format!("This cannot be asked of the owner: {error}"))
        })?;
        let (answer, answered) = oneshot::channel();
        let id = {
            let mut pending = lock(&self.pending);
            if self.closed.is_cancelled() {
                return Err(gone());
            }
            pending.last += 1;
            let id = pending.last;
            pending.waiting.insert(id, answer);
            id
        };
        let mut ours = Asked { remote: self, id, open: true };
        let frame = socket::encode(&ToOwner::Ask { id, ask: raw })
            .map_err(|_| ApiError::new(Code::TooLarge, "this is too large for the owner's socket"))?;
        self.frames.send(frame).await.map_err(|_| gone())?;
        let outcome = answered.await.map_err(|_| match ask {
            Ask::Changes { .. } => gone(),
            // Repeating it blindly could do it twice.
            Ask::Call { .. } => ApiError {
                retry: Retry::Never,
                ..ApiError::new(
                    Code::OwnerGone,
                    "the owner of the data directory went away in the middle: look whether this was done before you \
                     repeat it",
                )
            },
        })?;
        ours.open = false;
        match outcome {
            Outcome::Answered(answer) => Ok(answer),
            Outcome::Failed(error) => Err(*error),
        }
    }
}

fn read_answer(answer: &Answer) -> Result<Answered, ApiError> {
    serde_json::from_str(answer.get()).map_err(|_| other_kind())
}

impl Desk for Remote {
    fn call(&self, command: Command) -> Answering<'_, Reply> {
        let kind = command.reply();
        Box::pin(async move {
            match read_answer(&self.answer(Ask::Call { command }).await?)? {
                Answered::Reply { reply } if reply.kind() == kind => Ok(*reply),
                Answered::Reply { .. } | Answered::Changes { .. } => Err(other_kind()),
            }
        })
    }

    fn changes(&self, view: View, after: Option<Cursor>, wait: Duration) -> Answering<'_, Changes> {
        Box::pin(async move {
            let of = view.clone();
            match read_answer(&self.answer(Ask::changes(view, after, wait)).await?)? {
                Answered::Changes { changes } if changes.data.as_ref().is_none_or(|data| of.shows(data)) => {
                    Ok(changes)
                }
                Answered::Changes { .. } | Answered::Reply { .. } => Err(other_kind()),
            }
        })
    }

    fn ask_for_text(&self, ask: Ask) -> Answering<'_, String> {
        Box::pin(async move { self.answer(ask).await.map(|answer| Box::<str>::from(answer).into_string()) })
    }
}

/// An ask that is under way. Dropped before its answer, it tells the owner that nobody waits any more.
struct Asked<'a> {
    remote: &'a Remote,
    id: u64,
    open: bool,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        if self.open
            && lock(&self.remote.pending).waiting.remove(&self.id).is_some()
            && let Ok(frame) = socket::encode(&ToOwner::Forget { id: self.id })
        {
            // When the queue is full the wait simply ends by itself.
            let _ = self.remote.frames.try_send(frame);
        }
    }
}

async fn write(mut outgoing: WriteHalf<impl AsyncRead + AsyncWrite>, mut queue: mpsc::Receiver<Vec<u8>>) {
    while let Some(frame) = queue.recv().await {
        if socket::send(&mut outgoing, &frame).await.is_err() {
            // The reading side notices too, and tells.
            break;
        }
    }
}

async fn read(
    mut incoming: ReadHalf<impl AsyncRead + AsyncWrite>,
    pending: Arc<Mutex<Pending>>,
    closed: CancellationToken,
) {
    while let Ok(Some(ToClient { id, result })) = socket::read(&mut incoming, LIMIT).await {
        if let Some(answer) = lock(&pending).waiting.remove(&id) {
            let _ = answer.send(result);
        }
    }
    let mut pending = lock(&pending);
    closed.cancel();
    pending.waiting.clear();
}

fn lock(pending: &Mutex<Pending>) -> MutexGuard<'_, Pending> {
    pending.lock().unwrap_or_else(PoisonError::into_inner)
}

fn gone() -> ApiError {
    ApiError::new(Code::OwnerGone, "the owner of the data directory went away")
}
